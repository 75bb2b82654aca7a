(* line 2: Canonical is not in the fragment *)
Canonical Structure s := t.
