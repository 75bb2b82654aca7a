(* line 3: the tactic Admitted is not in the fragment *)
Theorem wrong : False.
Proof. Admitted.
