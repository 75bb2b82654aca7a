(* line 2: CoInductive is not in the fragment *)
CoInductive stream := next (s : stream).
