(* line 2: Function is not in the fragment *)
Function f (n : nat) {struct n} : nat := match n with 0 => 0 | S k => f k end.
