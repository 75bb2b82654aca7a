(* line 2: Import Uint63 is not in the fragment *)
Import Uint63.
