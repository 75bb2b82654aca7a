(* line 2: the full stop is not in the fragment here: := was expected *)
Definition f : nat.
Proof. exact 0. Qed.
