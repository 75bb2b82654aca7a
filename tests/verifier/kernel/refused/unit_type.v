(* line 2: unit is not in the fragment: it is neither declared nor a name of the library that may stand here *)
Definition stated : Set := unit.
