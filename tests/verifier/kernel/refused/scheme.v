(* line 2: Scheme is not in the fragment *)
Scheme s := Induction for nat Sort Prop.
