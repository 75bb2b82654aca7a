(* line 2: Program is not in the fragment *)
Program Definition f (n : nat) : nat := n.
