(* line 3: cofix is not in the fragment: recursion of its own *)
Theorem t : nat.
Proof. cofix f. exact f. Qed.
