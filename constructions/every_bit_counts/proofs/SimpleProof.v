(* The second theorem of Unpadded.v, Lemma 2.3: with one bit to spare the numerator is exact, and a constant after the strings makes the
   denominator the largest number where the first bits agree. *)
From Coq Require Import ZArith List Lia.
From EveryBitCounts Require Import Arithmetic Statement Unpadded Rounding Operations Tokens Denominator Numerator Answer Proof.
Import ListNotations.
Local Open Scope Z_scope.

(* What each token is. *)
Definition simple (p y z i : Z) : row := simple_row p i (T0 (2 * p - 3) y z i).

Lemma simple_y_high p y z i : 3 <= p -> 1 <= i <= p - 2 ->
  simple p y z i = if Z.testbit y (2 * p - 3 - i) then unused p else token p (Some (p - 2 - i)) 0.
Proof.
  intros Hp H. unfold simple, T0, bit, simple_row. cbv zeta. destruct (Z.leb_spec i (2 * p - 3)); [|lia].
  destruct (Z.leb_spec i (p - 2)); [reflexivity|lia].
Qed.

Lemma simple_y_low p y z i : 3 <= p -> p - 1 <= i <= 2 * p - 3 ->
  simple p y z i = token p (Some (- (p - 1))) (if Z.testbit y (2 * p - 3 - i) then 2 ^ (2 * p - 3 - i) else 0).
Proof.
  intros Hp H. unfold simple, T0, bit, simple_row. cbv zeta. destruct (Z.leb_spec i (2 * p - 3)); [|lia].
  destruct (Z.leb_spec i (p - 2)); [lia|reflexivity].
Qed.

Lemma simple_z_high p y z i : 3 <= p -> 2 * p - 2 <= i <= 3 * p - 5 ->
  simple p y z i = if Z.testbit z (4 * p - 6 - i) then token p (Some (3 * p - 5 - i)) 0 else unused p.
Proof.
  intros Hp H. unfold simple, T0, bit, simple_row. cbv zeta. destruct (Z.leb_spec i (2 * p - 3)); [lia|].
  destruct (Z.leb_spec i (2 * (2 * p - 3))); [|lia]. destruct (Z.leb_spec i (p - 2)); [lia|].
  destruct (Z.leb_spec i (2 * p - 3 + p - 2)); [|lia]. replace (2 * p - 3 - (i - (2 * p - 3))) with (4 * p - 6 - i) by lia.
  replace (p - 2 - (i - (2 * p - 3))) with (3 * p - 5 - i) by lia. reflexivity.
Qed.

Lemma simple_z_low p y z i : 3 <= p -> 3 * p - 4 <= i <= 4 * p - 6 ->
  simple p y z i = token p (Some (- (p - 1))) (if Z.testbit z (4 * p - 6 - i) then - 2 ^ (4 * p - 6 - i) else 0).
Proof.
  intros Hp H. unfold simple, T0, bit, simple_row. cbv zeta. destruct (Z.leb_spec i (2 * p - 3)); [lia|].
  destruct (Z.leb_spec i (2 * (2 * p - 3))); [|lia]. destruct (Z.leb_spec i (p - 2)); [lia|].
  destruct (Z.leb_spec i (2 * p - 3 + p - 2)); [lia|]. replace (2 * p - 3 - (i - (2 * p - 3))) with (4 * p - 6 - i) by lia.
  replace (2 * (2 * p - 3) - i) with (4 * p - 6 - i) by lia. reflexivity.
Qed.

Lemma simple_constant p y z i : 3 <= p -> i = 4 * p - 5 -> simple p y z i = smallest_value p (p - 2).
Proof.
  intros Hp H. unfold simple, simple_row. cbv zeta. destruct (Z.leb_spec i (p - 2)); [lia|]. destruct (Z.leb_spec i (2 * p - 3)); [lia|].
  destruct (Z.leb_spec i (2 * p - 3 + p - 2)); [lia|]. destruct (Z.leb_spec i (2 * (2 * p - 3))); [lia|].
  destruct (Z.eqb_spec i (2 * (2 * p - 3) + 1)); [reflexivity|lia].
Qed.

Lemma simple_end p y z i : 3 <= p -> 4 * p - 4 <= i -> simple p y z i = unused p.
Proof.
  intros Hp H. unfold simple, simple_row. cbv zeta. destruct (Z.leb_spec i (p - 2)); [lia|]. destruct (Z.leb_spec i (2 * p - 3)); [lia|].
  destruct (Z.leb_spec i (2 * p - 3 + p - 2)); [lia|]. destruct (Z.leb_spec i (2 * (2 * p - 3))); [lia|].
  destruct (Z.eqb_spec i (2 * (2 * p - 3) + 1)); [lia|reflexivity].
Qed.

(* The weights. *)
Definition simple_weight (p : Z) (T : transformer) (y z i : Z) : num := weight p T (simple p y z i).

Lemma whole_power p T k x : 3 <= p -> asks_one p T -> 0 <= k <= p - 2 -> weight p T (token p (Some k) x) = Fin (2 ^ k * Q p).
Proof. intros Hp HT Hk. rewrite weight_token by (assumption || lia). unfold Q. rewrite <- Z.pow_add_r by lia. do 2 f_equal. lia. Qed.

Lemma simple_weight_y p T y z i : 3 <= p -> asks_one p T -> 1 <= i <= p - 2 ->
  simple_weight p T y z i = if Z.testbit y (2 * p - 3 - i) then Fin 0 else Fin (2 ^ (p - 2 - i) * Q p).
Proof.
  intros Hp HT H. unfold simple_weight. rewrite simple_y_high by lia. destruct (Z.testbit y (2 * p - 3 - i)); [reflexivity|].
  apply whole_power; assumption || lia.
Qed.

Lemma simple_weight_low p T y z i : 3 <= p -> asks_one p T -> p - 1 <= i <= 2 * p - 3 \/ 3 * p - 4 <= i <= 4 * p - 6 ->
  simple_weight p T y z i = Fin 1.
Proof.
  intros Hp HT H. unfold simple_weight. destruct H as [H|H].
  - rewrite simple_y_low by lia. apply smallest_weight; assumption.
  - rewrite simple_z_low by lia. apply smallest_weight; assumption.
Qed.

Lemma simple_weight_z p T y z i : 3 <= p -> asks_one p T -> 2 * p - 2 <= i <= 3 * p - 5 ->
  simple_weight p T y z i = if Z.testbit z (4 * p - 6 - i) then Fin (2 ^ (3 * p - 5 - i) * Q p) else Fin 0.
Proof.
  intros Hp HT H. unfold simple_weight. rewrite simple_z_high by lia. destruct (Z.testbit z (4 * p - 6 - i)); [|reflexivity].
  apply whole_power; assumption || lia.
Qed.

Lemma simple_weight_constant p T y z i : 3 <= p -> asks_one p T -> i = 4 * p - 5 -> simple_weight p T y z i = Fin (2 ^ (p - 2) * Q p).
Proof.
  intros Hp HT H. unfold simple_weight. rewrite simple_constant by lia.
  change (weight p T (smallest_value p (p - 2))) with (weight p T (token p (Some (p - 2)) 0)). apply whole_power; assumption || lia.
Qed.

(* The denominator. *)
Lemma simple_sum_y p T y z : 3 <= p -> asks_one p T -> 0 <= y < 2 ^ (2 * (p - 1) - 1) ->
  run p (simple_weight p T y z) 1 (p - 2) (Fin 0) = cap p (Q (p - 1) - 1 - high (p - 1) y).
Proof.
  intros Hp HT Hy. pose proof (high_bounds (p - 1) y) as HB. pose proof (Q_pos p) as HQ. pose proof (Q_pos (p - 1)) as HQ1. set (h := high (p - 1) y) in *.
  assert (I : run p (simple_weight p T y z) 1 (p - 2) (Fin 0) = cap p (complement (p - 1) h (p - 2 + 1)) /\ 0 <= complement (p - 1) h (p - 2 + 1)).
  { apply (run_invariant p _ (fun i s => s = cap p (complement (p - 1) h i) /\ 0 <= complement (p - 1) h i)).
    - lia.
    - assert (E : complement (p - 1) h 1 = 0). { unfold complement. fold (Q (p - 1)). rewrite Z.mod_small by lia. lia. }
      rewrite E. split; [|lia]. unfold cap. destruct (Z.ltb_spec 0 (Q p)); [reflexivity|lia].
    - intros i s Hi [E N]. rewrite complement_step by lia. rewrite simple_weight_y by (assumption || lia). unfold h at 2 4. rewrite high_bit by lia.
      replace (p - 1 - 1 - i + (p - 1)) with (2 * p - 3 - i) by lia. replace (p - 1 - 1 - i) with (p - 2 - i) by lia.
      pose proof (pow_pos (p - 2 - i)) as P2. rewrite E. destruct (Z.testbit y (2 * p - 3 - i)).
      + rewrite cap_zero by lia. rewrite Z.add_0_r. split; [reflexivity|lia].
      + rewrite cap_add; try lia.
        * split; [reflexivity|lia].
        * split; [lia|]. unfold Q. apply Z.pow_lt_mono_r; lia. }
  destruct I as [I _]. rewrite I. f_equal. unfold complement. replace (p - 1 - (p - 2 + 1)) with 0 by lia. change (2 ^ 0) with 1.
  rewrite Z.mod_1_r. lia.
Qed.

(* z's first bits from token a on. *)
Lemma simple_sum_z p T y z k a : 3 <= p -> asks_one p T -> 0 <= z < 2 ^ (2 * (p - 1) - 1) -> 0 <= k -> 2 * p - 2 <= a <= 3 * p - 4 ->
  run p (simple_weight p T y z) a (3 * p - 5) (cap p (k + high (p - 1) z - high (p - 1) z mod 2 ^ (3 * p - 4 - a))) = cap p (k + high (p - 1) z).
Proof.
  intros Hp HT Hz Hk Ha. pose proof (high_bounds (p - 1) z) as HB. set (h := high (p - 1) z) in *.
  assert (I : run p (simple_weight p T y z) a (3 * p - 5) (cap p (k + h - h mod 2 ^ (3 * p - 4 - a))) = cap p (k + h - h mod 2 ^ (3 * p - 4 - (3 * p - 5 + 1)))).
  { apply (run_invariant p _ (fun i s => s = cap p (k + h - h mod 2 ^ (3 * p - 4 - i)))).
    - lia.
    - reflexivity.
    - intros i s Hi E. rewrite E, simple_weight_z by (assumption || lia). pose proof (mod_step h (3 * p - 5 - i)) as M.
      replace (3 * p - 5 - i + 1) with (3 * p - 4 - i) in M by lia. replace (3 * p - 4 - (i + 1)) with (3 * p - 5 - i) by lia.
      unfold h in M at 2. rewrite high_bit in M by lia. replace (3 * p - 5 - i + (p - 1)) with (4 * p - 6 - i) in M by lia.
      pose proof (pow_pos (3 * p - 5 - i)) as P. pose proof (Z.mod_le h (2 ^ (3 * p - 4 - i))) as L. pose proof (pow_pos (3 * p - 4 - i)) as P1.
      destruct (Z.testbit z (4 * p - 6 - i)).
      + rewrite cap_add; [f_equal; lia|lia|lia|]. split; [lia|]. unfold Q. apply Z.pow_lt_mono_r; lia.
      + rewrite cap_zero by lia. f_equal. lia. }
  rewrite I. f_equal. replace (3 * p - 4 - (3 * p - 5 + 1)) with 0 by lia. change (2 ^ 0) with 1. rewrite Z.mod_1_r. lia.
Qed.

(* Where the first bits of y are all 1, and by the promise those of z: p - 1 residues come before z's first bits. *)
Lemma first_bits_all_one p z k : 3 <= p -> high (p - 1) z = Q (p - 1) - 1 -> 0 <= k <= p - 3 -> Z.testbit z (k + (p - 1)) = true.
Proof.
  intros Hp Hz Hk. rewrite <- high_bit by lia. rewrite Hz. unfold Q. rewrite Z.sub_1_r, <- Z.ones_equiv. apply Z.ones_spec_low. lia.
Qed.

Lemma all_one p T y z : 3 <= p -> asks_one p T -> 0 <= z < 2 ^ (2 * (p - 1) - 1) -> high (p - 1) z = Q (p - 1) - 1 ->
  run p (simple_weight p T y z) (p - 1) (4 * p - 5) (Fin 0) = Fin (largest p).
Proof.
  intros Hp HT Hz HZ. destruct (Z_lt_le_dec p 5) as [S|L].
  - assert (C : p = 3 \/ p = 4) by lia. destruct C as [C|C]; subst p.
    + pose proof (first_bits_all_one 3 z 0) as B0. unfold run. change (range (3 - 1) (4 * 3 - 5)) with [2; 3; 4; 5; 6; 7]. cbn [map fold_left].
      rewrite (simple_weight_low 3 T y z 2), (simple_weight_low 3 T y z 3), (simple_weight_low 3 T y z 5), (simple_weight_low 3 T y z 6) by (assumption || lia).
      rewrite (simple_weight_constant 3 T y z 7), (simple_weight_z 3 T y z 4) by (assumption || lia). change (4 * 3 - 6 - 4) with (0 + (3 - 1)).
      rewrite B0 by (assumption || lia). reflexivity.
    + pose proof (first_bits_all_one 4 z 0) as B0. pose proof (first_bits_all_one 4 z 1) as B1.
      unfold run. change (range (4 - 1) (4 * 4 - 5)) with [3; 4; 5; 6; 7; 8; 9; 10; 11]. cbn [map fold_left].
      rewrite (simple_weight_low 4 T y z 3), (simple_weight_low 4 T y z 4), (simple_weight_low 4 T y z 5) by (assumption || lia).
      rewrite (simple_weight_low 4 T y z 8), (simple_weight_low 4 T y z 9), (simple_weight_low 4 T y z 10) by (assumption || lia).
      rewrite (simple_weight_constant 4 T y z 11) by (assumption || lia). rewrite (simple_weight_z 4 T y z 6), (simple_weight_z 4 T y z 7) by (assumption || lia).
      change (4 * 4 - 6 - 6) with (1 + (4 - 1)). change (4 * 4 - 6 - 7) with (0 + (4 - 1)).
      rewrite B0, B1 by (assumption || lia). reflexivity.
  - pose proof (Q_two p) as Q2. pose proof (Q_two (p - 1)) as Q1. replace (p - 1 - 2) with (p - 3) in Q1 by lia.
    assert (QH : Q (p - 1) = 2 ^ (p - 2)) by (unfold Q; f_equal; lia). pose proof (pow_pos (p - 3)) as P3.
    rewrite (run_app _ _ _ (2 * p - 3)), (run_app _ _ (2 * p - 3 + 1) (2 * p - 2)), (run_app _ _ (2 * p - 2 + 1) (3 * p - 5)), (run_app _ _ (3 * p - 5 + 1) (4 * p - 6)) by lia.
    replace (2 * p - 3 + 1) with (2 * p - 2) by lia. replace (4 * p - 5) with (4 * p - 6 + 1) by lia. rewrite !run_one.
    replace (2 * p - 3) with (p - 1 + (p - 1) - 1) by lia.
    rewrite sum_residues_alone by (lia || (intros i Hi; apply simple_weight_low; assumption || lia)).
    rewrite simple_weight_z by (assumption || lia). replace (4 * p - 6 - (2 * p - 2)) with (p - 3 + (p - 1)) by lia.
    rewrite first_bits_all_one by (assumption || lia). replace (3 * p - 5 - (2 * p - 2)) with (p - 3) by lia.
    rewrite beside; try lia.
    2: { replace (p - 3 + 1) with (p - 2) by lia. destruct (Z_lt_le_dec p 7) as [S|M].
         assert (C : p = 5 \/ p = 6) by lia. destruct C as [C|C]; subst p; cbn; lia.
         pose proof (pow_succ (p - 2)) as X1. pose proof (pow_succ (p - 2 - 1)) as X2. pose proof (grows (p - 2 - 1 - 1)) as G. lia. }
    assert (A : Fin (2 ^ (p - 3) * Q p) = cap p (0 + high (p - 1) z - high (p - 1) z mod 2 ^ (3 * p - 4 - (2 * p - 2 + 1)))).
    { replace (3 * p - 4 - (2 * p - 2 + 1)) with (p - 3) by lia.
      assert (M : high (p - 1) z mod 2 ^ (p - 3) = 2 ^ (p - 3) - 1) by (symmetry; apply Z.mod_unique with (q := 1); lia).
      rewrite M, HZ. replace (0 + (Q (p - 1) - 1) - (2 ^ (p - 3) - 1)) with (2 ^ (p - 3)) by lia.
      unfold cap. destruct (Z.ltb_spec (2 ^ (p - 3)) (Q p)); [reflexivity|lia]. }
    rewrite A, simple_sum_z by (assumption || lia). rewrite sum_residues by (lia || (intros i Hi; apply simple_weight_low; assumption || lia)).
    rewrite simple_weight_constant by (assumption || lia). rewrite cap_add by lia. rewrite HZ. unfold cap.
    destruct (Z.ltb_spec (0 + (Q (p - 1) - 1) + 2 ^ (p - 2)) (Q p)); [|lia]. unfold largest. do 2 f_equal. lia.
Qed.

Lemma simple_denominator p T n y z : 3 <= p -> 4 * p + 1 <= n -> asks_one p T -> 0 <= y -> y <= z -> z < 2 ^ (2 * (p - 1) - 1) ->
  run p (simple_weight p T y z) 1 (n + 1) (Fin 0) = cap p (Q p - 1 - high (p - 1) y + high (p - 1) z).
Proof.
  intros Hp Hn HT Hy Hyz Hz. pose proof (Q_two p) as Q2. assert (QH : Q (p - 1) = 2 ^ (p - 2)) by (unfold Q; f_equal; lia).
  assert (By : 0 <= high (p - 1) y < Q (p - 1)) by (apply high_bounds; lia). assert (Bz : 0 <= high (p - 1) z < Q (p - 1)) by (apply high_bounds; lia).
  assert (HL : high (p - 1) y <= high (p - 1) z) by (apply high_le; lia). set (K := Q (p - 1) - 1 - high (p - 1) y).
  assert (Q1 : 2 <= Q (p - 1)). { pose proof (Q_two (p - 1)). pose proof (pow_pos (p - 1 - 2)). lia. }
  rewrite (run_app _ _ _ (p - 2)), (run_app _ _ (p - 2 + 1) (4 * p - 5)), simple_sum_y by (assumption || lia). fold K.
  replace (p - 2 + 1) with (p - 1) by lia.
  assert (A : run p (simple_weight p T y z) (p - 1) (4 * p - 5) (cap p K) = cap p (Q p - 1 - high (p - 1) y + high (p - 1) z)).
  { destruct (Z.eq_dec K 0) as [K0|K1].
    - assert (C : cap p K = Fin 0). { rewrite K0. unfold cap. destruct (Z.ltb_spec 0 (Q p)); [reflexivity|lia]. }
      rewrite C, all_one by (assumption || lia). replace (Q p - 1 - high (p - 1) y + high (p - 1) z) with (Q p - 1) by lia.
      unfold cap. destruct (Z.ltb_spec (Q p - 1) (Q p)); [reflexivity|lia].
    - rewrite (run_app _ _ _ (2 * p - 3)), (run_app _ _ (2 * p - 3 + 1) (3 * p - 5)), (run_app _ _ (3 * p - 5 + 1) (4 * p - 6)) by lia.
      replace (2 * p - 3 + 1) with (2 * p - 2) by lia. replace (4 * p - 5) with (4 * p - 6 + 1) by lia. rewrite run_one.
      rewrite (sum_residues p _ (p - 1)) by (lia || (intros i Hi; apply simple_weight_low; assumption || lia)).
      assert (B : cap p K = cap p (K + high (p - 1) z - high (p - 1) z mod 2 ^ (3 * p - 4 - (2 * p - 2)))).
      { f_equal. replace (3 * p - 4 - (2 * p - 2)) with (p - 2) by lia. rewrite <- QH, Z.mod_small by lia. lia. }
      rewrite B, simple_sum_z by (assumption || lia). rewrite sum_residues by (lia || (intros i Hi; apply simple_weight_low; assumption || lia)).
      rewrite simple_weight_constant by (assumption || lia). rewrite cap_add by lia. f_equal. lia. }
  rewrite A. apply run_same; [|lia]. intros i Hi. unfold simple_weight. rewrite simple_end by lia. apply cap_zero; lia.
Qed.
