(* line 2: Hypothesis is not in the fragment *)
Hypothesis wrong : False.
