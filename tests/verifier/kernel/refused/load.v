(* line 2: Load is not in the fragment *)
Load other.
