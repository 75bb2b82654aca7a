(* line 2: ? is not in the fragment here: the full stop was expected *)
Definition kept : Z := 1 ? 2.
