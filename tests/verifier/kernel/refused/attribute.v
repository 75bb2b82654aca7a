(* line 2: the fragment has no '#' *)
#[bypass_check(guard)] Definition f (n : nat) : nat := n.
