(* line 2: the fragment has no 'é' *)
Definition é := 0.
