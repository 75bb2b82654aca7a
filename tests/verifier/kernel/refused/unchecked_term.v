(* line 3: exact_no_check is not in the fragment: a term that is not checked *)
Theorem wrong : False.
Proof. exact_no_check I. Qed.
