(* line 2: Variable is not in the fragment *)
Variable wrong : False.
