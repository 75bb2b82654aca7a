(* line 2: Require is not in the fragment *)
Require Import ZArith.
