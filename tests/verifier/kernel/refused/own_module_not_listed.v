(* line 2: From Mine Require Import is not in the fragment *)
From Mine Require Import Other.
