(* line 2: CoFixpoint is not in the fragment *)
CoFixpoint s : nat := s.
