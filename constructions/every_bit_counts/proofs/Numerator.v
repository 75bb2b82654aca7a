(* The numerator compares the last p bits: half a unit where they agree, less where z's are larger; it never overflows. *)
From Coq Require Import ZArith List Lia.
From EveryBitCounts Require Import Arithmetic Statement Rounding Operations Tokens.
Import ListNotations.
Local Open Scope Z_scope.

(* The number that the last p bits write. *)
Definition low (p y : Z) : Z := y mod 2 ^ p.

Lemma low_bounds p y : 1 <= p -> 0 <= low p y < 2 * Q p.
Proof. intros Hp. pose proof (Z.mod_pos_bound y (2 ^ p)) as B. pose proof (pow_succ p). pose proof (pow_pos p). unfold low, Q. lia. Qed.

Lemma low_first_bit p y : 1 <= p -> low p y = (if Z.testbit y (p - 1) then Q p else 0) + y mod Q p.
Proof. intros Hp. pose proof (mod_step y (p - 1)) as M. replace (p - 1 + 1) with p in M by lia. apply M. lia. Qed.

Lemma numerator_y p T y z : 3 <= p -> asks_one p T -> run p (entry_at p T y z) (-1) (2 * p - 1) (Fin 0) = Fin (low p y - (Q p - 1)).
Proof.
  intros Hp HT. pose proof (Q_pos p) as HQ. pose proof (low_bounds p y) as LB. pose proof (low_first_bit p y) as LF.
  rewrite (run_app _ _ _ (p - 1)), (run_app _ _ (p - 1 + 1) p) by lia. replace (p - 1 + 1) with p by lia.
  rewrite (run_same p _ (-1) (p - 1)) by (lia || (intros i Hi; rewrite entry_start by (assumption || lia); apply round_zero; lia)).
  rewrite run_one, entry_y_first by (assumption || lia).
  pose proof (Z.mod_pos_bound y (Q p)) as MB.
  rewrite add_exact; [|lia|apply representable_small; destruct (Z.testbit y (p - 1)); lia].
  assert (I : run p (entry_at p T y z) (p + 1) (2 * p - 1) (Fin (0 + (if Z.testbit y (p - 1) then 1 else - (Q p - 1)))) =
              Fin (low p y - y mod 2 ^ (2 * p - (2 * p - 1 + 1)) - (Q p - 1))).
  { apply (run_invariant p _ (fun i s => s = Fin (low p y - y mod 2 ^ (2 * p - i) - (Q p - 1)))).
    - lia.
    - f_equal. replace (2 * p - (p + 1)) with (p - 1) by lia. fold (Q p). destruct (Z.testbit y (p - 1)); lia.
    - intros i s Hi E. rewrite E, entry_y by (assumption || lia). pose proof (mod_step y (2 * p - 1 - i)) as M.
      replace (2 * p - 1 - i + 1) with (2 * p - i) in M by lia. replace (2 * p - (i + 1)) with (2 * p - 1 - i) by lia.
      pose proof (pow_pos (2 * p - 1 - i)) as P. pose proof (Z.mod_pos_bound y (2 ^ (2 * p - 1 - i))) as B.
      assert (L : y mod 2 ^ (2 * p - 1 - i) <= low p y) by (apply mod_below; lia).
      rewrite add_exact; [f_equal; destruct (Z.testbit y (2 * p - 1 - i)); lia|lia|].
      apply representable_small; [lia|]. destruct (Z.testbit y (2 * p - 1 - i)); lia. }
  rewrite I. replace (2 * p - (2 * p - 1 + 1)) with 0 by lia. change (2 ^ 0) with 1. rewrite Z.mod_1_r. f_equal. lia.
Qed.

(* The sum k before token i of z: where y's last bits agree with z's it is what is left of z, where they are smaller it is less;
   g is the weight of the last bit read. *)
Definition left_over (p y z g : Z) (s : num) : Prop := exists k, s = Fin k /\ representable p k /\
  - (2 * Q p - g) <= k <= 2 * Q p - 1 /\ (low p y = low p z -> k = z mod g) /\ (low p y < low p z -> k <= z mod g - 1).

(* Subtracting the next digit t. *)
Lemma left_over_step p y z g k t : 3 <= p -> 1 <= g <= Q p -> - (2 * Q p - g) <= k - t <= 2 * Q p - 1 ->
  (low p y = low p z -> k - t = z mod g) -> (low p y < low p z -> k - t <= z mod g - 1) ->
  left_over p y z g (add p (Fin k) (Fin (- t))).
Proof.
  intros Hp Hg B E L. pose proof (Z.mod_pos_bound z g) as M. destruct (round_shrinks p (k - t)) as (r & R & RR & RA & RP & RN); try lia.
  exists r. cbn [add]. replace (k + - t) with (k - t) by lia. split. exact R. split. exact RR. split. lia. split.
  - intros H. specialize (E H). rewrite E in R. rewrite round_fixed in R; [|lia|apply representable_small; lia]. injection R. lia.
  - intros H. specialize (L H). destruct (Z_le_gt_dec (k - t) 0) as [N|N].
    + destruct (Z_le_gt_dec (Z.abs (k - t)) (Q p)) as [S|S].
      * rewrite round_fixed in R; [|lia|apply representable_small; lia]. injection R. lia.
      * assert (A : at_most (round p (k - t) 1) (- Q p)). { apply round_at_most_neg; try lia. apply representable_opp, representable_small; lia. }
        rewrite R in A. cbn in A. lia.
    + lia.
Qed.

Lemma numerator_z p T y z k : 3 <= p -> asks_one p T -> k = low p y - (Q p - 1) ->
  left_over p y z 1 (run p (entry_at p T y z) (3 * p + 1) (4 * p) (Fin k)).
Proof.
  intros Hp HT Hk. pose proof (Q_pos p) as HQ. pose proof (low_bounds p y) as LB. pose proof (low_first_bit p z) as LF.
  rewrite (run_app _ _ _ (3 * p + 1)) by lia. rewrite run_one, entry_z_first by (assumption || lia).
  replace (3 * p + 1 + 1) with (3 * p + 2) by lia.
  assert (A : left_over p y z (2 ^ (p - 1)) (add p (Fin k) (Fin (if Z.testbit z (p - 1) then -1 else Q p - 1)))).
  { replace (if Z.testbit z (p - 1) then -1 else Q p - 1) with (- (if Z.testbit z (p - 1) then 1 else - (Q p - 1))) by (destruct (Z.testbit z (p - 1)); lia).
    fold (Q p). apply left_over_step; destruct (Z.testbit z (p - 1)); lia. }
  replace 1 with (2 ^ (4 * p + 1 - (4 * p + 1))) at 1 by (replace (4 * p + 1 - (4 * p + 1)) with 0 by lia; reflexivity).
  apply (run_invariant p _ (fun i s => left_over p y z (2 ^ (4 * p + 1 - i)) s)).
  - lia.
  - replace (4 * p + 1 - (3 * p + 2)) with (p - 1) by lia. exact A.
  - intros i s Hi (l & E & R & B & HE & HL). rewrite E, entry_z by (assumption || lia). pose proof (mod_step z (4 * p - i)) as M.
    replace (4 * p - i + 1) with (4 * p + 1 - i) in M by lia. replace (4 * p + 1 - (i + 1)) with (4 * p - i) by lia.
    pose proof (pow_below p (4 * p - i)) as PB. pose proof (pow_succ (4 * p + 1 - i)) as PS. replace (4 * p + 1 - i - 1) with (4 * p - i) in PS by lia.
    replace (if Z.testbit z (4 * p - i) then - 2 ^ (4 * p - i) else 0) with (- (if Z.testbit z (4 * p - i) then 2 ^ (4 * p - i) else 0)) by (destruct (Z.testbit z (4 * p - i)); lia).
    apply left_over_step; destruct (Z.testbit z (4 * p - i)); lia.
Qed.

(* half = 2^(p-2) units, a half of 2^-(p-2). *)
Theorem numerator_value p T n y z : 3 <= p -> 4 * p + 2 <= n -> asks_one p T ->
  exists k, run p (entry_at p T y z) (-1) (n - 1) (Fin 0) = Fin k /\ representable p k /\ Z.abs k <= 3 * Q p /\
  (low p y = low p z -> k = 2 ^ (p - 2)) /\ (low p y < low p z -> k <= 2 ^ (p - 2) - 1).
Proof.
  intros Hp Hn HT. pose proof (Q_two p) as Q2. pose proof (pow_succ (p - 2)) as P3. pose proof (pow_pos (p - 2 - 1)) as P4.
  rewrite (run_app _ _ _ (2 * p - 1)), numerator_y by (assumption || lia).
  rewrite (run_app _ _ _ (3 * p)), (run_app _ _ (3 * p + 1) (4 * p)), (run_app _ _ (4 * p + 1) (4 * p + 1)) by lia.
  replace (2 * p - 1 + 1) with (2 * p) by lia. replace (4 * p + 1 + 1) with (4 * p + 2) by lia. rewrite run_one.
  pose proof (low_bounds p y) as LB. 
  rewrite (run_same p _ (2 * p) (3 * p)).
  2: { intros i Hi. rewrite entry_middle by (assumption || lia). rewrite add_exact; [f_equal; lia|lia|]. apply representable_small; lia. }
  2: lia.
  destruct (numerator_z p T y z (low p y - (Q p - 1)) Hp HT eq_refl) as (l & E & R & B & HE & HL). rewrite E.
  rewrite entry_last by (assumption || lia). rewrite Z.mod_1_r in HE, HL.
  assert (A : exists k, add p (Fin l) (Fin (2 ^ (p - 2))) = Fin k /\ representable p k /\ Z.abs k <= 3 * Q p /\
    (low p y = low p z -> k = 2 ^ (p - 2)) /\ (low p y < low p z -> k <= 2 ^ (p - 2) - 1)).
  { cbn [add]. assert (R3 : representable p (3 * Q p)) by (apply representable_whole; lia).
    destruct (round_upto p (l + 2 ^ (p - 2)) 1 (3 * Q p)) as (r & RE & RM & RB); try lia; try assumption.
    exists (Z.sgn (l + 2 ^ (p - 2)) * r). split. exact RE.
    assert (RL : 3 * Q p <= largest p) by (apply whole_at_most_largest; lia).
    split; [|split; [|split]].
    - pose proof (magnitude_representable p (Z.abs (l + 2 ^ (p - 2))) 1) as MR. destruct (Z.sgn_spec (l + 2 ^ (p - 2))) as [[X Y]|[[X Y]|[X Y]]]; rewrite Y.
      + rewrite Z.mul_1_l, RM. apply MR; lia.
      + apply representable_small; lia.
      + replace (-1 * r) with (- r) by lia. apply representable_opp. rewrite RM. apply MR; lia.
    - rewrite Z.abs_mul, (Z.abs_eq r) by lia. destruct (Z.sgn_spec (l + 2 ^ (p - 2))) as [[X Y]|[[X Y]|[X Y]]]; rewrite Y.
      + change (Z.abs 1) with 1. lia.
      + change (Z.abs 0) with 0. lia.
      + change (Z.abs (-1)) with 1. lia.
    - intros H. specialize (HE H). rewrite HE in RE |- *. rewrite round_fixed in RE; [|lia|apply representable_small; lia]. injection RE. lia.
    - intros H. specialize (HL H). destruct (Z_le_gt_dec (l + 2 ^ (p - 2)) 0) as [N|N].
      + assert (Z.sgn (l + 2 ^ (p - 2)) * r <= 0) by (apply Z.mul_nonpos_nonneg; lia). lia.
      + rewrite round_fixed in RE; [|lia|apply representable_small; lia]. injection RE. lia. }
  destruct A as (k & A & AR & AB). rewrite A. exists k. split; [|tauto]. apply run_same; [|lia].
  intros i Hi. rewrite entry_end by lia. rewrite add_exact; [f_equal; lia|lia|]. rewrite Z.add_0_r. exact AR.
Qed.
