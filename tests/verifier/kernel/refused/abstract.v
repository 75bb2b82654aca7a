(* line 3: the tactic abstract is not in the fragment *)
Theorem t : True.
Proof. abstract exact I. Qed.
