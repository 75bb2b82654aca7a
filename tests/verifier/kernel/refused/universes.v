(* line 2: Type is not in the fragment: universes *)
Definition f (A : Type) (x : A) : A := x.
