(* line 2: Extraction is not in the fragment *)
Extraction Language Haskell.
