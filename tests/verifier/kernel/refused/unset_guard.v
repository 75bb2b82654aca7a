(* line 2: Unset is not in the fragment *)
Unset Guard Checking.
