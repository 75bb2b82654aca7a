(* Table 6 of the paper with our corrections (tables/table-6.errata.toml): with p bits it computes EQ_m on T1, m = 2p - 1, for every
   p >= 7, under the promise y <= z, in both orders of evaluation. The steps are those of the table, with h = ceil(m/2) = p. *)
From Coq Require Import ZArith List.
From EveryBitCounts Require Import Arithmetic Statement.
Import ListNotations.
Local Open Scope Z_scope.

(* Steps 2, 3, 10 and 12: the key -6 and the value 2^6 as printed, from p = 8 on; 2^6 is no number of 7 bits. *)
Definition six (p : Z) : Z := Z.min 6 (p - 2).

(* The rows of the table: token i where it reads the bit b. *)
Definition corrected_row (p i : Z) (b : bool) : row :=
  let m := 2 * p - 1 in
  let value v := if b then v else 0 in
  if i =? -1 then token p (Some (- (p - 2))) (- (2 ^ (p - 1) - 1))                            (* step 1 *)
  else if i <=? 2 then token p (Some (- six p)) (value (2 ^ six p))                           (* steps 2, 3 *)
  else if i <=? 6 then token p (Some (-6)) (value (2 ^ (8 - i)))                              (* steps 4 to 7 *)
  else if i <=? p then token p (Some (- (i - 2))) (value 1)                                   (* step 8 *)
  else if i <=? m then (if b then unused p else token p (Some (2 * p - i - 1)) 0)             (* step 9 *)
  else if i <=? m + 2 then token p (Some (- six p)) (value (- 2 ^ six p))                     (* step 10 *)
  else if i =? m + 3 then token p (Some (- (p - 2))) (2 ^ (p - 1) - 1)                        (* step 11 *)
  else if i =? m + 4 then token p (Some (- six p)) (value (- 2 ^ six p))                      (* step 12 *)
  else if i <=? m + 8 then token p (Some (-6)) (value (- 2 ^ (m + 10 - i)))                   (* steps 13 to 16 *)
  else if i <=? m + p + 2 then token p (Some (- (i - m - 4))) (value (-1))                    (* step 17 *)
  else if i <=? 2 * m + 2 then (if b then token p (Some (m + 2 * p - i + 1)) 0 else unused p) (* step 18 *)
  else if i =? 2 * m + 3 then token p (Some (- (p - 2))) 1                                    (* step 19 *)
  else unused p.                                                                              (* step 20 *)

(* [Fin 1] is 2^(1-p): both hidden nodes are positive where the attention's output is less, 0 elsewhere. *)
Definition corrected_table_6 (p n y z : Z) : transformer :=
  let m := 2 * p - 1 in
  {| tokens := map (fun i => corrected_row p i (T1 m y z i)) (range (-1) (n - 1));
     asking := corrected_row p (n - 1) (T1 m y z (n - 1));
     value_weights := [whole p (2 ^ (p - 2))];
     hidden := [(whole p (-1), Fin 1); (whole p (-1), Fin 1)];
     output_weights := [whole p (- 2 ^ (p - 2)); whole p (- 2 ^ (p - 2))];
     output_bias := whole p 1 |}.

(* On equal strings the output is 1. On others it is 0, or NaN, which is rejected: numerator and denominator may both be infinite. *)
Definition rejected (p : Z) (x : num) : Prop := x = whole p 0 \/ x = NaN.

Definition table_6_computes_equality : Prop :=
  forall o p n y z, 7 <= p -> 4 * p + 2 <= n -> 0 <= y -> y <= z -> z < 2 ^ (2 * p - 1) ->
  let x := output p (corrected_table_6 p n y z) o in if y =? z then x = whole p 1 else rejected p x.
