(* line 2: Ltac is not in the fragment *)
Ltac mine := idtac.
