(* line 2: the fragment has no '#' *)
Primitive int := #int63_type.
