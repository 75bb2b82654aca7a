(* line 2: From Coq Require Import Reals is not in the fragment *)
From Coq Require Import Reals.
