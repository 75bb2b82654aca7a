(* line 2: Parameter is not in the fragment *)
Parameter wrong : False.
