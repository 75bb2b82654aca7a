(* line 2: with is not in the fragment here: a name was expected *)
Inductive a := one with b := two.
