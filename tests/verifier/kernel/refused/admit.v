(* line 3: admit is not in the fragment: an axiom *)
Theorem wrong : False.
Proof. admit. Qed.
