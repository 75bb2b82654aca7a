(* line 2: Coercion is not in the fragment *)
Coercion f : nat >-> bool.
