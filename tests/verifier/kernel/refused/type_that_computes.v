(* line 2: the full stop is not in the fragment here: := was expected *)
Definition stated : let x := 0 in Prop.
Proof. exact True. Qed.
