(* line 2: a string; the fragment has none *)
Redirect "file" Print nat.
