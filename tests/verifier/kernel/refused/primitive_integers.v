(* line 2: From Coq Require Import Uint63 is not in the fragment *)
From Coq Require Import Uint63.
