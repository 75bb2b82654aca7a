(* line 2: Z is not in the fragment here: Set was expected *)
Inductive even : Z -> Prop := zero : even 0.
