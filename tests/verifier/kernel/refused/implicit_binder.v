(* line 2: { is not in the fragment here: a name was expected *)
Definition kept {n : Z} : Z := n.
