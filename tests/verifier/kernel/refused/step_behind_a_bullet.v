(* line 3: the tactic idtac is not in the fragment *)
Theorem t : True.
Proof. split. - idtac. Qed.
