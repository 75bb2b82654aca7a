(* On T0, the input representation without padding (Section 2.1), in both orders of evaluation: p bits compute EQ_{2p-1} for every p >= 4,
   so that the padding of T1 is not needed, and EQ_{2p-3} for every p >= 3 (Lemma 2.3, the upper half of Theorem 2.1). The witnesses are
   tables/witness-t0.toml and tables/witness-t0-simple.toml. *)
From Coq Require Import ZArith List.
From EveryBitCounts Require Import Arithmetic Statement.
Import ListNotations.
Local Open Scope Z_scope.

(* The bit that token i reads, for i = 1 ... n+1. *)
Definition T0 (m y z i : Z) : bool := if i <=? m then bit m y i else if i <=? 2 * m then bit m z (i - m) else false.

(* The value 2^(1-p), the smallest one, beside the key k. *)
Definition smallest_value (p k : Z) : row := Row (whole p 1) (Some (whole p k)) [Fin 1].

(* witness-t0, m = 2p - 1: the first p - 1 bits in the denominator, the last p in the numerator. *)
Definition unpadded_row (p i : Z) (b : bool) : row :=
  let m := 2 * p - 1 in
  if i <=? p - 1 then (if b then unused p else token p (Some (p - 1 - i)) 0)                  (* step 1 *)
  else if i =? p then token p (Some (- (p - 1))) (if b then 1 else - (2 ^ (p - 1) - 1))     (* step 2 *)
  else if i <=? m then token p (Some (- (p - 1))) (if b then 2 ^ (m - i) else 0)            (* step 3 *)
  else if i <=? m + p - 1 then (if b then token p (Some (p - 1 - (i - m))) 0 else unused p)   (* step 4 *)
  else if i =? m + p then token p (Some (- (p - 1))) (if b then -1 else 2 ^ (p - 1) - 1)     (* step 5 *)
  else if i <=? 2 * m then token p (Some (- (p - 1))) (if b then - 2 ^ (2 * m - i) else 0)  (* step 6 *)
  else if i =? 2 * m + 1 then token p (Some (- (p - 1))) (2 ^ (p - 2))                      (* step 7 *)
  else unused p.                                                                            (* step 8 *)

(* witness-t0-simple, m = 2p - 3: the first p - 2 bits in the denominator, the last p - 1 in the numerator. *)
Definition simple_row (p i : Z) (b : bool) : row :=
  let m := 2 * p - 3 in
  if i <=? p - 2 then (if b then unused p else token p (Some (p - 2 - i)) 0)                  (* step 1 *)
  else if i <=? m then token p (Some (- (p - 1))) (if b then 2 ^ (m - i) else 0)            (* steps 2, 3 *)
  else if i <=? m + p - 2 then (if b then token p (Some (p - 2 - (i - m))) 0 else unused p)   (* step 4 *)
  else if i <=? 2 * m then token p (Some (- (p - 1))) (if b then - 2 ^ (2 * m - i) else 0)  (* steps 5, 6 *)
  else if i =? 2 * m + 1 then smallest_value p (p - 2)                                      (* step 7 *)
  else unused p.                                                                            (* step 8 *)

(* Tokens 1 ... n+1, the last of which asks; W^V and the MLP are those of Statement.v. *)
Definition on_T0 (rows : Z -> Z -> bool -> row) (p m n y z : Z) : transformer :=
  {| tokens := map (fun i => rows p i (T0 m y z i)) (range 1 (n + 1));
     asking := rows p (n + 1) (T0 m y z (n + 1));
     value_weights := [whole p 1];
     hidden := [(whole p (-2), Fin 2); (whole p 2, Fin (-2))];
     output_weights := [whole p (- 2 ^ (p - 2)); whole p (- 2 ^ (p - 2))];
     output_bias := whole p 1 |}.

Definition computes_on_T0 (rows : Z -> Z -> bool -> row) (first_p : Z) (length : Z -> Z) : Prop :=
  forall o p n y z, first_p <= p -> 4 * p + 1 <= n -> 0 <= y -> y <= z -> z < 2 ^ length p ->
  output p (on_T0 rows p (length p) n y z) o = if y =? z then whole p 1 else whole p 0.

Definition padding_is_not_needed : Prop := computes_on_T0 unpadded_row 4 (fun p => 2 * p - 1).

Definition lemma_2_3 : Prop := computes_on_T0 simple_row 3 (fun p => 2 * p - 3).

(* EQ_1 with two bits, p = 2 of Lemma 2.3: the numerator is (y_1 - z_1)/2, the denominator 1, and the MLP answers 1 where the quotient
   is 0. *)
Definition single_row (p i : Z) (b : bool) : row :=
  if i =? 1 then token p (Some (-1)) (if b then 1 else 0)                                     (* step 1 *)
  else if i =? 2 then token p (Some (-1)) (if b then -1 else 0)                             (* step 2 *)
  else unused p.                                                                            (* step 3 *)

Definition single (n y z : Z) : transformer :=
  {| tokens := map (fun i => single_row 2 i (T0 1 y z i)) (range 1 (n + 1));
     asking := single_row 2 (n + 1) (T0 1 y z (n + 1));
     value_weights := [whole 2 1];
     hidden := [(whole 2 (-1), Fin 0); (whole 2 (-1), Fin 0)];
     output_weights := [whole 2 (-1); whole 2 (-1)];
     output_bias := whole 2 1 |}.

Definition two_bits_compare_one : Prop :=
  forall o n y z, 9 <= n -> 0 <= y -> y <= z -> z < 2 -> output 2 (single n y z) o = if y =? z then whole 2 1 else whole 2 0.
