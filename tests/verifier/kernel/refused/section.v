(* line 2: Section is not in the fragment *)
Section S.
End S.
