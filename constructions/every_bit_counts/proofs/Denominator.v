(* The denominator compares the first p-1 bits: it is the largest number where they agree, and infinite where y's are smaller. *)
From Coq Require Import ZArith List Lia.
From EveryBitCounts Require Import Arithmetic Statement Rounding Operations Tokens.
Import ListNotations.
Local Open Scope Z_scope.

(* The number that the first p-1 bits write. *)
Definition high (p y : Z) : Z := y / 2 ^ p.

Lemma high_bounds p y : 1 <= p -> 0 <= y < 2 ^ (2 * p - 1) -> 0 <= high p y < Q p.
Proof.
  intros Hp Hy. pose proof (pow_pos p) as P. unfold high. split. apply Z.div_pos; lia.
  apply Z.div_lt_upper_bound; [lia|]. unfold Q. rewrite <- Z.pow_add_r by lia. replace (p + (p - 1)) with (2 * p - 1) by lia. lia.
Qed.

Lemma high_le p y z : 0 <= p -> y <= z -> high p y <= high p z.
Proof. intros Hp H. pose proof (pow_pos p). apply Z.div_le_mono; lia. Qed.

Lemma high_bit p y k : 0 <= p -> 0 <= k -> Z.testbit (high p y) k = Z.testbit y (k + p).
Proof. intros Hp Hk. apply Z.div_pow2_bits; assumption. Qed.

(* What the complement of the first bits has added up to before token i. *)
Definition complement (p h i : Z) : Z := Q p - 2 ^ (p - i) - h + h mod 2 ^ (p - i).

Lemma complement_step p h i : 2 <= p -> 1 <= i <= p - 1 -> 
  complement p h (i + 1) = complement p h i + (if Z.testbit h (p - 1 - i) then 0 else 2 ^ (p - 1 - i)).
Proof.
  intros Hp Hi. pose proof (mod_step h (p - 1 - i)) as M. pose proof (pow_succ (p - i)) as S. unfold complement.
  replace (p - 1 - i + 1) with (p - i) in M by lia. replace (p - (i + 1)) with (p - 1 - i) by lia.
  replace (p - i - 1) with (p - 1 - i) in S by lia. destruct (Z.testbit h (p - 1 - i)); lia.
Qed.

Lemma sum_y p T y z : 3 <= p -> asks_one p T -> 0 <= y < 2 ^ (2 * p - 1) ->
  run p (weight_at p T y z) (-1) (p - 1) (Fin 0) = cap p (Q p - 1 - high p y).
Proof.
  intros Hp HT Hy. pose proof (high_bounds p y) as HB. pose proof (Q_pos p) as HQ. rewrite (run_app _ _ _ 0) by lia.
  rewrite (run_same p _ (-1) 0) by (lia || (intros i Hi; rewrite weight_start by lia; apply round_zero; lia)). change (0 + 1) with 1.
  assert (I : run p (weight_at p T y z) 1 (p - 1) (Fin 0) = cap p (complement p (high p y) (p - 1 + 1)) /\ 0 <= complement p (high p y) (p - 1 + 1)).
  { apply (run_invariant p _ (fun i s => s = cap p (complement p (high p y) i) /\ 0 <= complement p (high p y) i)).
    - lia.
    - assert (E : complement p (high p y) 1 = 0). { unfold complement. fold (Q p). rewrite Z.mod_small by lia. lia. }
      rewrite E. split; [|lia]. unfold cap. destruct (Z.ltb_spec 0 (Q p)); [reflexivity|lia].
    - intros i s Hi [E N]. rewrite complement_step by lia. rewrite weight_y by (assumption || lia). rewrite high_bit by lia.
      replace (p - 1 - i + p) with (2 * p - 1 - i) by lia. pose proof (pow_pos (p - 1 - i)) as P2.
      rewrite E. destruct (Z.testbit y (2 * p - 1 - i)).
      + rewrite cap_zero by lia. rewrite Z.add_0_r. split; [reflexivity|lia].
      + rewrite cap_add; try lia.
        * split; [reflexivity|lia].
        * split; [lia|]. unfold Q. apply Z.pow_lt_mono_r; lia. }
  destruct I as [I _]. rewrite I. f_equal. unfold complement. replace (p - (p - 1 + 1)) with 0 by lia. change (2 ^ 0) with 1.
  rewrite Z.mod_1_r. lia.
Qed.

(* p tokens of the smallest weight are rounded away beside a number that is not 0. *)
Lemma sum_residues p f a b k : 3 <= p -> 1 <= k -> a <= b + 1 -> (forall i, a <= i <= b -> f i = Fin 1) -> run p f a b (cap p k) = cap p k.
Proof. intros Hp Hk Hab Hf. apply run_same; [|lia]. intros i Hi. rewrite Hf by lia. apply cap_one; lia. Qed.

Lemma sum_residues_alone p f a c : 3 <= p -> 0 <= c <= p -> (forall i, a <= i <= a + c - 1 -> f i = Fin 1) ->
  run p f a (a + c - 1) (Fin 0) = Fin c.
Proof.
  intros Hp Hc Hf. pose proof (grows (p - 1)) as G. fold (Q p) in G.
  assert (I : run p f a (a + c - 1) (Fin 0) = Fin (a + c - 1 + 1 - a)).
  { apply (run_invariant p f (fun i s => s = Fin (i - a))).
    - lia.
    - f_equal. lia.
    - intros i s Hi E. rewrite E, Hf by lia. rewrite add_exact; [f_equal; lia|lia|]. apply representable_small; lia. }
  rewrite I. f_equal. lia.
Qed.

(* The bit z_1, added in two tokens. *)
Lemma first_bit p h : 3 <= p -> 0 <= h < Q p -> h - h mod 2 ^ (p - 2) = if Z.testbit h (p - 2) then 2 ^ (p - 2) else 0.
Proof.
  intros Hp Hh. pose proof (mod_step h (p - 2)) as M. replace (p - 2 + 1) with (p - 1) in M by lia. fold (Q p) in M.
  rewrite Z.mod_small in M by lia. destruct (Z.testbit h (p - 2)); lia.
Qed.

Lemma sum_z1 p T y z k : 3 <= p -> asks_one p T -> 0 <= z < 2 ^ (2 * p - 1) -> 0 <= k ->
  run p (weight_at p T y z) (2 * p) (2 * p + 2) (cap p k) = cap p (k + high p z - high p z mod 2 ^ (p - 2)).
Proof.
  intros Hp HT Hz Hk. pose proof (high_bounds p z) as HB. pose proof (Q_two p) as Q2. pose proof (pow_succ (p - 2)) as P3.
  replace (p - 2 - 1) with (p - 3) in P3 by lia. pose proof (pow_pos (p - 3)) as P4.
  replace (k + high p z - high p z mod 2 ^ (p - 2)) with (k + (high p z - high p z mod 2 ^ (p - 2))) by lia.
  rewrite first_bit by lia. rewrite high_bit by lia. replace (p - 2 + p) with (2 * p - 2) by lia.
  rewrite (run_app _ _ _ (2 * p)), (run_app _ _ (2 * p + 1) (2 * p + 1)) by lia.
  replace (2 * p + 2) with (2 * p + 1 + 1) by lia. rewrite !run_one, (weight_between p T y z (2 * p + 1 + 1)) by lia.
  rewrite !weight_z1 by (assumption || lia). destruct (Z.testbit z (2 * p - 2)).
  - rewrite !cap_add by lia. rewrite cap_zero by lia. f_equal. lia.
  - rewrite !cap_zero by lia. f_equal. lia.
Qed.

(* The same where the first bits of y are all 1, and by the promise those of z: the p residues go as soon as z_1 comes. *)
Lemma sum_z1_alone p T y z : 3 <= p -> asks_one p T -> high p z = Q p - 1 ->
  run p (weight_at p T y z) (2 * p) (2 * p + 2) (Fin p) = cap p (high p z - high p z mod 2 ^ (p - 2)).
Proof.
  intros Hp HT Hz. pose proof (Q_two p) as Q2. pose proof (pow_pos (p - 2)) as P2.
  assert (B : Z.testbit (high p z) (p - 2) = true).
  { pose proof (Z.testbit_spec' (high p z) (p - 2)) as S. rewrite Hz in *.
    replace ((Q p - 1) / 2 ^ (p - 2)) with 1 in S by (apply Z.div_unique with (r := 2 ^ (p - 2) - 1); lia).
    destruct (Z.testbit (Q p - 1) (p - 2)); [reflexivity|]. cbn in S. lia. }
  rewrite first_bit, B by lia. rewrite high_bit in B by lia. replace (p - 2 + p) with (2 * p - 2) in B by lia.
  rewrite (run_app _ _ _ (2 * p)), (run_app _ _ (2 * p + 1) (2 * p + 1)) by lia.
  replace (2 * p + 2) with (2 * p + 1 + 1) by lia. rewrite !run_one, (weight_between p T y z (2 * p + 1 + 1)) by lia.
  rewrite !weight_z1 by (assumption || lia). rewrite B, residues by lia.
  assert (C : cap p (2 ^ (p - 2)) = Fin (2 ^ (p - 2) * Q p)). { unfold cap. destruct (Z.ltb_spec (2 ^ (p - 2)) (Q p)); [reflexivity|lia]. }
  rewrite <- C. apply cap_zero; lia.
Qed.

Lemma sum_z p T y z k : 3 <= p -> asks_one p T -> 0 <= z < 2 ^ (2 * p - 1) -> 0 <= k ->
  run p (weight_at p T y z) (2 * p + 3) (3 * p) (cap p (k + high p z - high p z mod 2 ^ (p - 2))) = cap p (k + high p z).
Proof.
  intros Hp HT Hz Hk. pose proof (high_bounds p z) as HB. set (h := high p z) in *.
  assert (I : run p (weight_at p T y z) (2 * p + 3) (3 * p) (cap p (k + h - h mod 2 ^ (p - 2))) = cap p (k + h - h mod 2 ^ (3 * p + 1 - (3 * p + 1)))).
  { apply (run_invariant p _ (fun i s => s = cap p (k + h - h mod 2 ^ (3 * p + 1 - i)))).
    - lia.
    - do 4 f_equal. lia.
    - intros i s Hi E. rewrite E, weight_z by (assumption || lia). pose proof (mod_step h (3 * p - i)) as M.
      replace (3 * p - i + 1) with (3 * p + 1 - i) in M by lia. replace (3 * p + 1 - (i + 1)) with (3 * p - i) by lia.
      unfold h in M at 2. rewrite high_bit in M by lia. replace (3 * p - i + p) with (4 * p - i) in M by lia.
      pose proof (pow_pos (3 * p - i)) as P. pose proof (Z.mod_le h (2 ^ (3 * p + 1 - i))) as L. pose proof (pow_pos (3 * p + 1 - i)) as P1.
      destruct (Z.testbit z (4 * p - i)).
      + rewrite cap_add; [f_equal; lia|lia|lia|]. split; [lia|]. unfold Q. apply Z.pow_lt_mono_r; lia.
      + rewrite cap_zero by lia. f_equal. lia. }
  rewrite I. f_equal. replace (3 * p + 1 - (3 * p + 1)) with 0 by lia. change (2 ^ 0) with 1. rewrite Z.mod_1_r. lia.
Qed.

Theorem denominator_value p T n y z : 3 <= p -> 4 * p + 2 <= n -> asks_one p T -> 0 <= y -> y <= z -> z < 2 ^ (2 * p - 1) ->
  run p (weight_at p T y z) (-1) (n - 1) (Fin 0) = cap p (Q p - 1 - high p y + high p z).
Proof.
  intros Hp Hn HT Hy Hyz Hz. pose proof (Q_two p) as Q2. pose proof (pow_succ (p - 2)) as P3. pose proof (pow_pos (p - 2 - 1)) as P4.
  assert (By : 0 <= high p y < Q p) by (apply high_bounds; lia). assert (Bz : 0 <= high p z < Q p) by (apply high_bounds; lia).
  assert (HL : high p y <= high p z) by (apply high_le; lia). set (K := Q p - 1 - high p y).
  rewrite (run_app _ _ _ (p - 1)), sum_y by (assumption || lia). fold K.
  rewrite (run_app _ _ _ (2 * p - 1)), (run_app _ _ (2 * p - 1 + 1) (2 * p + 2)), (run_app _ _ (2 * p + 2 + 1) (3 * p)), (run_app _ _ (3 * p + 1) (4 * p + 1)) by lia.
  replace (p - 1 + 1) with p by lia. replace (2 * p - 1 + 1) with (2 * p) by lia. replace (2 * p + 2 + 1) with (2 * p + 3) by lia.
  assert (A : run p (weight_at p T y z) (2 * p) (2 * p + 2) (run p (weight_at p T y z) p (2 * p - 1) (cap p K)) =
              cap p (K + high p z - high p z mod 2 ^ (p - 2))).
  { destruct (Z.eq_dec K 0) as [K0|K1].
    - assert (C : cap p K = Fin 0). { rewrite K0. unfold cap. destruct (Z.ltb_spec 0 (Q p)); [reflexivity|lia]. }
      rewrite C. replace (2 * p - 1) with (p + p - 1) at 1 by lia. rewrite sum_residues_alone.
      + rewrite sum_z1_alone by (assumption || lia). f_equal. lia.
      + lia.
      + lia.
      + intros i Hi. apply weight_y_low; assumption || lia.
    - rewrite sum_residues; try lia.
      + apply sum_z1; assumption || lia.
      + intros i Hi. apply weight_y_low; assumption || lia. }
  rewrite A, sum_z by (assumption || lia). rewrite sum_residues; try lia.
  - apply run_same; [|lia]. intros i Hi. rewrite weight_end by lia. apply cap_zero; lia.
  - intros i Hi. apply weight_z_low; assumption || lia.
Qed.
