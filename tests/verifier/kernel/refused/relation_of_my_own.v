(* line 2: ( is not in the fragment here: := was expected *)
Inductive even (n : Z).
