(* line 2: Polymorphic is not in the fragment *)
Polymorphic Definition f (A : Set) (x : A) : A := x.
