(* line 2: Axiom is not in the fragment *)
(* (* *) *) Axiom wrong : False. (* *)
