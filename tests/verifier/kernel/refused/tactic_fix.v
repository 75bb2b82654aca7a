(* line 3: fix is not in the fragment: recursion of its own *)
Theorem t : nat -> nat.
Proof. fix f 1. intros n. destruct n as [|k]; [exact 0|exact (f k)]. Qed.
