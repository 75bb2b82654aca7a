(* line 3: the tactic auto is not in the fragment *)
Theorem t : True.
Proof. auto with core. Qed.
