(* line 2: a string, by which plugins, notations and files are named; the fragment has none *)
Notation "x == y" := (x = y).
