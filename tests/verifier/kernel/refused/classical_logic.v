(* line 2: From Coq Require Import Classical is not in the fragment *)
From Coq Require Import Classical.
