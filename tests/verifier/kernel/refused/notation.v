(* line 2: a string; the fragment has none *)
Notation "x == y" := (x = y).
