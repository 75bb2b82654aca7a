(* line 2: Inductive tree speaks of itself *)
Inductive tree := leaf | node (l r : tree).
