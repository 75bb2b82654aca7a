(* line 2: Conjecture is not in the fragment *)
Conjecture wrong : False.
