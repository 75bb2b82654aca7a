(* line 2: Inductive a is defined together with another one *)
Inductive a := one with b := two.
