(* line 2: Notation is not in the fragment *)
Notation falsity := True.
