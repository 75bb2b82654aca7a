(* line 3: fix is not in the fragment: recursion of its own *)
Theorem t : nat -> nat.
Proof. exact (fix f n := match n with 0 => 0 | S k => f k end). Qed.
