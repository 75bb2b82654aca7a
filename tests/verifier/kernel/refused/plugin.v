(* line 2: a string; the fragment has none *)
Declare ML Module "mine".
