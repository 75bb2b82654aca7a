(* line 3: the tactic eauto is not in the fragment *)
Theorem t : True /\ True.
Proof. split; [trivial|try eauto]. Qed.
