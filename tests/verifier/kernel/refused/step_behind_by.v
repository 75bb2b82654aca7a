(* line 3: the tactic eauto is not in the fragment *)
Theorem t : True.
Proof. assert (A : True) by (trivial || eauto). exact A. Qed.
