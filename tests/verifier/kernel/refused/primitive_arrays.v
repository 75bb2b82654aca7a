(* line 2: From Coq Require Import PArray is not in the fragment *)
From Coq Require Import PArray.
