(* line 2: Local Open Scope float_scope is not in the fragment *)
Local Open Scope float_scope.
