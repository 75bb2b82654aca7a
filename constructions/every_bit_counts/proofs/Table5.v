(* Table 5 of the paper with our corrections (tables/table-5.errata.toml): with p bits it computes EQ_m on T0, m = 2p - 3, for every
   p >= 8, under the promise y <= z, in both orders of evaluation. The steps are those of the table, with h = ceil(m/2) = p - 1. *)
From Coq Require Import ZArith List.
From EveryBitCounts Require Import Arithmetic Statement Unpadded Table6.
Import ListNotations.
Local Open Scope Z_scope.

(* The rows of the table: token i where it reads the bit b. *)
Definition corrected_5_row (p i : Z) (b : bool) : row :=
  let m := 2 * p - 3 in
  let value v := if b then v else 0 in
  if i <=? 6 then token p (Some (-6)) (value (- 2 ^ (7 - i)))                                 (* step 1 *)
  else if i <=? p - 1 then token p (Some (- (i - 1))) (value (-1))                            (* step 2 *)
  else if i <=? m then (if b then unused p else token p (Some (m - i)) 0)                     (* step 3 *)
  else if i <=? m + 6 then token p (Some (-6)) (value (2 ^ (7 + m - i)))                      (* step 4 *)
  else if i <=? m + p - 1 then token p (Some (- (i - m - 1))) (value 1)                       (* step 5 *)
  else if i <=? 2 * m then (if b then token p (Some (2 * m - i)) 0 else unused p)             (* step 6 *)
  else if i =? 2 * m + 1 then Row (whole p 1) (Some (whole p (-1))) [Fin (4 * (Q p - 1))]       (* step 7: 4 - 2^(3-p) *)
  else unused p.                                                                            (* step 8 *)

Definition corrected_table_5 (p n y z : Z) : transformer :=
  let m := 2 * p - 3 in
  {| tokens := map (fun i => corrected_5_row p i (T0 m y z i)) (range 1 (n + 1));
     asking := corrected_5_row p (n + 1) (T0 m y z (n + 1));
     value_weights := [whole p (2 ^ (p - 2))];
     hidden := [(whole p (-1), whole p 2); (whole p 1, whole p (-2))];
     output_weights := [whole p (- 2 ^ (p - 2)); whole p (- 2 ^ (p - 2))];
     output_bias := whole p 1 |}.

(* On equal strings the output is 1. On others it is 0, or NaN, which is rejected: numerator and denominator may both be infinite. *)
Definition table_5_computes_equality : Prop :=
  forall o p n y z, 8 <= p -> 4 * p + 1 <= n -> 0 <= y -> y <= z -> z < 2 ^ (2 * p - 3) ->
  let x := output p (corrected_table_5 p n y z) o in if y =? z then x = whole p 1 else rejected p x.
