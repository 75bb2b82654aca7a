(* line 2: Set is not in the fragment *)
Set Universe Polymorphism.
