(* line 3: the tactic give_up is not in the fragment *)
Theorem wrong : False.
Proof. give_up. Qed.
