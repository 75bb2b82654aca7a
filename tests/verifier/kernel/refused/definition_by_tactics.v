(* line 2: Definition f is not defined by a term *)
Definition f : nat.
Proof. exact 0. Qed.
