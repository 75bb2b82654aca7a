(* line 2: Module is not in the fragment *)
Module Type M.
End M.
