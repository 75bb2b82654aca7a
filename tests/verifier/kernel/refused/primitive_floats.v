(* line 2: From Coq Require Import Floats is not in the fragment *)
From Coq Require Import ZArith Floats.
