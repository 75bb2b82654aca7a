(* The proof of FixedSplit.v. *)
From Coq Require Import ZArith List Lia.
From EveryBitCounts Require Import Arithmetic Statement LowerHalf FixedSplit Rounding Operations Tokens Denominator Numerator Counting SplitSums.
Import ListNotations.
Local Open Scope Z_scope.

(* The denominator. *)
Definition weight_of (p y z i : Z) : num := split_weight p i (T1 (2 * p - 1) y z i).

Lemma split_denominator p n y z : 3 <= p -> 4 * p + 2 <= n -> 0 <= y -> y <= z -> z < 2 ^ (2 * p - 1) ->
  go (split_add p (p - 1)) (weight_of p y z) (-1) (n - 1) (Fin 0) = cap p (Q p - 1 - high p y + high p z).
Proof.
  intros Hp Hn Hy Hyz Hz. assert (By : 0 <= high p y < Q p) by (apply high_bounds; lia). assert (Bz : 0 <= high p z < Q p) by (apply high_bounds; lia).
  pose proof (Q_two p) as Q2. pose proof (pow_succ (p - 2)) as P3. replace (p - 2 - 1) with (p - 3) in P3 by lia. pose proof (pow_pos (p - 3)) as P4.
  set (plus := split_add p (p - 1)). set (h := high p z) in *. set (K := Q p - 1 - high p y).
  rewrite (go_app plus _ _ 0), (go_app plus _ (0 + 1) (p - 1)), (go_app plus _ (p - 1 + 1) (2 * p - 1)), (go_app plus _ (2 * p - 1 + 1) (2 * p)),
    (go_app plus _ (2 * p + 1) (2 * p + 1)), (go_app plus _ (2 * p + 1 + 1) (2 * p + 2)), (go_app plus _ (2 * p + 2 + 1) (3 * p)),
    (go_app plus _ (3 * p + 1) (4 * p + 1)) by lia.
  assert (C0 : Fin 0 = cap p 0). { unfold cap. destruct (Z.ltb_spec 0 (Q p)); [reflexivity|lia]. }
  rewrite (go_same plus _ (-1) 0); [|intros i Hi; unfold weight_of; rewrite split_weight_zero, C0 by lia; rewrite <- C0 at 2; apply split_cap_zero; lia|lia].
  change (0 + 1) with 1.
  assert (I : go plus (weight_of p y z) 1 (p - 1) (Fin 0) = cap p (complement p (high p y) (p - 1 + 1)) /\ 0 <= complement p (high p y) (p - 1 + 1)).
  { apply (go_invariant plus _ (fun i s => s = cap p (complement p (high p y) i) /\ 0 <= complement p (high p y) i)).
    - lia.
    - assert (E : complement p (high p y) 1 = 0). { unfold complement. fold (Q p). rewrite Z.mod_small by lia. lia. }
      rewrite E. split; [exact C0|lia].
    - intros i s Hi [E N]. unfold weight_of. rewrite complement_step, reads_y, split_weight_y by lia. rewrite high_bit by lia.
      replace (p - 1 - i + p) with (2 * p - 1 - i) by lia. pose proof (pow_pos (p - 1 - i)) as P2.
      rewrite E. unfold plus. destruct (Z.testbit y (2 * p - 1 - i)).
      + rewrite split_cap_zero by lia. rewrite Z.add_0_r. split; [reflexivity|lia].
      + rewrite split_cap; try lia.
        * split; [reflexivity|lia].
        * split; [lia|]. unfold Q. apply Z.pow_lt_mono_r; lia. }
  destruct I as [I _]. rewrite I. replace (p - 1 + 1) with p by lia.
  assert (E : complement p (high p y) p = K). { unfold complement, K. replace (p - p) with 0 by lia. change (2 ^ 0) with 1. rewrite Z.mod_1_r. lia. }
  rewrite E. rewrite (go_same plus _ p (2 * p - 1)); [|intros i Hi; unfold weight_of; rewrite split_weight_low by lia; apply split_cap_one; lia|lia].
  replace (2 * p - 1 + 1) with (2 * p) by lia. rewrite !go_one.
  assert (W1 : forall i, 2 * p <= i <= 2 * p + 1 -> weight_of p y z i = if Z.testbit z (2 * p - 2) then Fin (2 ^ (p - 3) * Q p) else Fin 0).
  { intros i Hi. unfold weight_of. rewrite reads_z1, split_weight_z1 by lia. reflexivity. }
  rewrite (W1 (2 * p)), (W1 (2 * p + 1)) by lia.
  assert (F : plus (plus (cap p K) (if Z.testbit z (2 * p - 2) then Fin (2 ^ (p - 3) * Q p) else Fin 0)) (if Z.testbit z (2 * p - 2) then Fin (2 ^ (p - 3) * Q p) else Fin 0) =
              cap p (K + h - h mod 2 ^ (p - 2))).
  { replace (K + h - h mod 2 ^ (p - 2)) with (K + (h - h mod 2 ^ (p - 2))) by lia. rewrite first_bit by lia. unfold h. rewrite high_bit by lia.
    replace (p - 2 + p) with (2 * p - 2) by lia. unfold plus. destruct (Z.testbit z (2 * p - 2)).
    - rewrite !split_cap by lia. f_equal. lia.
    - rewrite !split_cap_zero by lia. f_equal. lia. }
  rewrite F. rewrite (go_same plus _ (2 * p + 1 + 1) (2 * p + 2)); [|intros i Hi; unfold weight_of; rewrite split_weight_zero by lia; apply split_cap_zero; try lia|lia].
  2: { pose proof (Z.mod_le h (2 ^ (p - 2))). pose proof (pow_pos (p - 2)). lia. }
  assert (J : go plus (weight_of p y z) (2 * p + 2 + 1) (3 * p) (cap p (K + h - h mod 2 ^ (p - 2))) = cap p (K + h - h mod 2 ^ (3 * p + 1 - (3 * p + 1)))).
  { apply (go_invariant plus _ (fun i s => s = cap p (K + h - h mod 2 ^ (3 * p + 1 - i)))).
    - lia.
    - do 4 f_equal. lia.
    - intros i s Hi Es. rewrite Es. unfold weight_of. rewrite reads_z, split_weight_z by lia. pose proof (mod_step h (3 * p - i)) as M.
      replace (3 * p - i + 1) with (3 * p + 1 - i) in M by lia. replace (3 * p + 1 - (i + 1)) with (3 * p - i) by lia.
      unfold h in M at 2. rewrite high_bit in M by lia. replace (3 * p - i + p) with (4 * p - i) in M by lia.
      pose proof (pow_pos (3 * p - i)) as P. pose proof (Z.mod_le h (2 ^ (3 * p + 1 - i))) as L. pose proof (pow_pos (3 * p + 1 - i)) as P1.
      unfold plus. destruct (Z.testbit z (4 * p - i)).
      + rewrite split_cap; [f_equal; lia|lia|lia|]. split; [lia|]. unfold Q. apply Z.pow_lt_mono_r; lia.
      + rewrite split_cap_zero by lia. f_equal. lia. }
  rewrite J. replace (3 * p + 1 - (3 * p + 1)) with 0 by lia. change (2 ^ 0) with 1. rewrite Z.mod_1_r, Z.sub_0_r.
  rewrite (go_same plus _ (3 * p + 1) (4 * p + 1)); [|intros i Hi; unfold weight_of; rewrite split_weight_low by lia; apply split_cap_one; lia|lia].
  apply go_same; [|lia]. intros i Hi. unfold weight_of. rewrite split_weight_zero by lia. apply split_cap_zero; lia.
Qed.

(* The numerator. *)
Definition product_of (p y z i : Z) : num := split_product p i (T1 (2 * p - 1) y z i).

Lemma prefix_bounds p y k : 0 <= k <= p -> 0 <= low p y - y mod 2 ^ k <= 2 ^ p - 2 ^ k.
Proof.
  intros Hk. pose proof (pow_pos k) as P1. pose proof (pow_pos (p - k)) as P2. unfold low. rewrite (pow_split k p) by lia.
  rewrite (Z.mul_comm (2 ^ (p - k))), Z.rem_mul_r by lia. pose proof (Z.mod_pos_bound (y / 2 ^ k) (2 ^ (p - k))) as B.
  set (q := (y / 2 ^ k) mod 2 ^ (p - k)) in *. assert (A : 2 ^ k * q <= 2 ^ k * (2 ^ (p - k) - 1)) by (apply Z.mul_le_mono_nonneg_l; lia).
  pose proof (Z.mul_nonneg_nonneg (2 ^ k) q). lia.
Qed.

Lemma split_unit p n : 1 <= p -> split_round p 0 n 1 = if Z.abs n <=? Q p - 1 then Fin n else if n <? 0 then NInf else PInf.
Proof.
  intros Hp. unfold split_round. cbv zeta. change (2 ^ 0) with 1. destruct (to_grid_bounds (Z.abs n) 1 1) as (l & L & L0 & B); try lia.
  assert (M : l = Z.abs n) by lia. rewrite L, M, !Z.mul_1_r. destruct (Z.abs n <=? Q p - 1); [|reflexivity]. f_equal. rewrite Z.mul_comm. apply Z.abs_sgn.
Qed.

Lemma unit_at_most p x b v : 1 <= p -> at_most x (v - b) -> Z.abs v < Q p -> at_most (split_add p 0 x (Fin b)) v.
Proof.
  intros Hp H Hv. destruct x as [k| | |]; cbn [at_most] in H; try contradiction; [|exact I]. cbn [split_add]. rewrite split_unit by assumption.
  destruct (Z.leb_spec (Z.abs (k + b)) (Q p - 1)); [cbn; lia|]. destruct (Z.ltb_spec (k + b) 0); [exact I|lia].
Qed.

Lemma split_numerator_y p y z : 3 <= p ->
  go (split_add p 0) (product_of p y z) (-1) (3 * p) (Fin 0) = if low p y =? 2 * Q p - 1 then PInf else Fin (low p y - (Q p - 1)).
Proof.
  intros Hp. set (plus := split_add p 0). pose proof (Q_two p) as Q2. pose proof (pow_succ (p - 2)) as P3. pose proof (pow_pos (p - 2 - 1)) as P4.
  pose proof (pow_succ p) as PP. fold (Q p) in PP. pose proof (low_bounds p y) as LB. pose proof (low_first_bit p y) as LF.
  rewrite (go_app plus _ _ (p - 1)), (go_app plus _ (p - 1 + 1) p), (go_app plus _ (p + 1) (2 * p - 2)), (go_app plus _ (2 * p - 2 + 1) (2 * p - 1)) by lia.
  rewrite (go_same plus _ (-1) (p - 1)); [|intros i Hi; unfold product_of; rewrite product_zero by lia; apply split_small; lia|lia].
  replace (p - 1 + 1) with p by lia. replace (2 * p - 2 + 1) with (2 * p - 1) by lia. rewrite !go_one.
  assert (F1 : product_of p y z p = Fin (if Z.testbit y (p - 1) then 1 else - (Q p - 1))).
  { unfold product_of. rewrite reads_y, product_y_first by lia. do 2 f_equal. replace (2 * p - 1 - p) with (p - 1) by lia. reflexivity. }
  assert (F2 : product_of p y z (2 * p - 1) = Fin (if Z.testbit y 0 then 1 else 0)).
  { unfold product_of. rewrite reads_y, product_y by lia. replace (2 * p - 1 - (2 * p - 1)) with 0 by lia. reflexivity. }
  rewrite F1, F2.
  assert (PS : forall a b, Z.abs (a + b) < Q p -> plus (Fin a) (Fin b) = Fin (a + b)) by (intros a b HS; apply split_sum; lia).
  rewrite PS by (destruct (Z.testbit y (p - 1)); lia).
  assert (I : go plus (product_of p y z) (p + 1) (2 * p - 2) (Fin (0 + (if Z.testbit y (p - 1) then 1 else - (Q p - 1)))) =
              Fin (low p y - y mod 2 ^ (2 * p - (2 * p - 2 + 1)) - (Q p - 1))).
  { apply (go_invariant plus _ (fun i s => s = Fin (low p y - y mod 2 ^ (2 * p - i) - (Q p - 1)))).
    - lia.
    - f_equal. replace (2 * p - (p + 1)) with (p - 1) by lia. fold (Q p). destruct (Z.testbit y (p - 1)); lia.
    - intros i s Hi E. rewrite E. unfold product_of. rewrite reads_y, product_y by lia. pose proof (mod_step y (2 * p - 1 - i)) as M.
      replace (2 * p - 1 - i + 1) with (2 * p - i) in M by lia. replace (2 * p - (i + 1)) with (2 * p - 1 - i) by lia.
      pose proof (prefix_bounds p y (2 * p - 1 - i)) as B. pose proof (pow_le 1 (2 * p - 1 - i)) as P1. change (2 ^ 1) with 2 in P1.
      unfold plus. rewrite split_sum; [f_equal; destruct (Z.testbit y (2 * p - 1 - i)); lia|lia|]. destruct (Z.testbit y (2 * p - 1 - i)); lia. }
  rewrite I. replace (2 * p - (2 * p - 2 + 1)) with (0 + 1) by lia. rewrite (mod_step y 0) by lia. change (2 ^ 0) with 1. rewrite Z.mod_1_r.
  assert (PU : forall a b, plus (Fin a) (Fin b) = split_round p 0 (a + b) 1) by reflexivity. rewrite PU, split_unit by lia.
  replace (low p y - ((if Z.testbit y 0 then 1 else 0) + 0) - (Q p - 1) + (if Z.testbit y 0 then 1 else 0)) with (low p y - (Q p - 1)) by (destruct (Z.testbit y 0); lia).
  destruct (Z.eqb_spec (low p y) (2 * Q p - 1)) as [T|T].
  - destruct (Z.leb_spec (Z.abs (low p y - (Q p - 1))) (Q p - 1)); [lia|]. destruct (Z.ltb_spec (low p y - (Q p - 1)) 0); [lia|].
    apply go_same; [|lia]. intros i Hi. unfold product_of. rewrite product_zero by lia. reflexivity.
  - destruct (Z.leb_spec (Z.abs (low p y - (Q p - 1))) (Q p - 1)); [|lia].
    apply go_same; [|lia]. intros i Hi. unfold product_of. rewrite product_zero by lia. unfold plus. rewrite split_sum by lia. f_equal. lia.
Qed.

(* Half a quotient of one unit where the last bits agree (or infinity, where all are 1), less where y's are smaller. *)
Lemma split_numerator p n y z : 3 <= p -> 4 * p + 2 <= n ->
  let N := go (split_add p 0) (product_of p y z) (-1) (n - 1) (Fin 0) in
  (low p y = low p z -> N = Fin (2 ^ (p - 2)) \/ N = PInf) /\ (low p y < low p z -> at_most N (2 ^ (p - 2) - 1)).
Proof.
  intros Hp Hn. cbv zeta. set (plus := split_add p 0). pose proof (Q_two p) as Q2. pose proof (pow_succ (p - 2)) as P3. pose proof (pow_pos (p - 2 - 1)) as P4.
  pose proof (low_bounds p y) as LB. pose proof (low_bounds p z) as LZ. pose proof (low_first_bit p z) as LF. pose proof (Z.mod_pos_bound z (Q p)) as MB.
  rewrite (go_app plus _ _ (3 * p)), (go_app plus _ (3 * p + 1) (3 * p + 1)), (go_app plus _ (3 * p + 1 + 1) (4 * p)), (go_app plus _ (4 * p + 1) (4 * p + 1)) by lia.
  unfold plus. rewrite split_numerator_y by lia. fold plus. rewrite !go_one.
  assert (F1 : product_of p y z (3 * p + 1) = Fin (if Z.testbit z (p - 1) then -1 else Q p - 1)).
  { unfold product_of. rewrite reads_z, product_z_first by lia. replace (4 * p - (3 * p + 1)) with (p - 1) by lia. reflexivity. }
  assert (F2 : product_of p y z (4 * p + 1) = Fin (2 ^ (p - 2))) by (apply product_last; lia).
  rewrite F1, F2. replace (3 * p + 1 + 1) with (3 * p + 2) by lia.
  destruct (Z.eqb_spec (low p y) (2 * Q p - 1)) as [T|T].
  - split; [intros _; right|intros H; lia]. assert (PP : forall a b, go plus (product_of p y z) a b PInf = PInf).
    { intros a b. destruct (Z_lt_le_dec b a) as [X|X]. apply go_none; lia. apply go_same; [|lia]. intros i Hi. unfold plus.
      assert (W : exists w, product_of p y z i = Fin w); [|destruct W as [w W]; rewrite W; reflexivity].
      unfold product_of. destruct (Z_le_gt_dec i (p - 1)). eexists; apply product_zero; lia. destruct (Z.eq_dec i p) as [A|A]. subst i. eexists; apply product_y_first; lia.
      destruct (Z_le_gt_dec i (2 * p - 1)). eexists; apply product_y; lia. destruct (Z_le_gt_dec i (3 * p)). eexists; apply product_zero; lia.
      destruct (Z.eq_dec i (3 * p + 1)) as [B|B]. subst i. eexists; apply product_z_first; lia. destruct (Z_le_gt_dec i (4 * p)). eexists; apply product_z; lia.
      destruct (Z.eq_dec i (4 * p + 1)) as [C|C]. subst i. eexists; apply product_last; lia. eexists; apply product_zero; lia. }
    assert (PF : forall k, plus PInf (Fin k) = PInf) by reflexivity. rewrite PF, PP, PF, PP. reflexivity.
  - split; intros H.
    + left. assert (PS : forall a b, Z.abs (a + b) < Q p -> plus (Fin a) (Fin b) = Fin (a + b)) by (intros a b HS; apply split_sum; lia).
      rewrite PS by (destruct (Z.testbit z (p - 1)); lia).
      assert (I : go plus (product_of p y z) (3 * p + 2) (4 * p) (Fin (low p y - (Q p - 1) + (if Z.testbit z (p - 1) then -1 else Q p - 1))) = Fin (z mod 2 ^ (4 * p + 1 - (4 * p + 1)))).
      { apply (go_invariant plus _ (fun i s => s = Fin (z mod 2 ^ (4 * p + 1 - i)))).
        - lia.
        - f_equal. replace (4 * p + 1 - (3 * p + 2)) with (p - 1) by lia. fold (Q p). destruct (Z.testbit z (p - 1)); lia.
        - intros i s Hi E. rewrite E. unfold product_of. rewrite reads_z, product_z by lia. pose proof (mod_step z (4 * p - i)) as M.
          replace (4 * p - i + 1) with (4 * p + 1 - i) in M by lia. replace (4 * p + 1 - (i + 1)) with (4 * p - i) by lia.
          pose proof (pow_below p (4 * p - i)) as PB. pose proof (Z.mod_pos_bound z (2 ^ (4 * p - i))) as B.
          unfold plus. rewrite split_sum; [f_equal; destruct (Z.testbit z (4 * p - i)); lia|lia|destruct (Z.testbit z (4 * p - i)); lia]. }
      rewrite I. replace (4 * p + 1 - (4 * p + 1)) with 0 by lia. change (2 ^ 0) with 1. rewrite Z.mod_1_r, PS by lia.
      apply go_same; [|lia]. intros i Hi. unfold product_of. rewrite product_zero by lia. unfold plus. rewrite split_sum by lia. f_equal. lia.
    + assert (I : at_most (go plus (product_of p y z) (3 * p + 2) (4 * p) (plus (Fin (low p y - (Q p - 1))) (Fin (if Z.testbit z (p - 1) then -1 else Q p - 1)))) (z mod 2 ^ (4 * p + 1 - (4 * p + 1)) - 1)).
      { apply (go_invariant plus _ (fun i s => at_most s (z mod 2 ^ (4 * p + 1 - i) - 1))).
        - lia.
        - replace (4 * p + 1 - (3 * p + 2)) with (p - 1) by lia. fold (Q p). unfold plus. apply unit_at_most; cbn [at_most]; destruct (Z.testbit z (p - 1)); lia.
        - intros i s Hi E. unfold product_of. rewrite reads_z, product_z by lia. pose proof (mod_step z (4 * p - i)) as M.
          replace (4 * p - i + 1) with (4 * p + 1 - i) in M by lia. replace (4 * p + 1 - (i + 1)) with (4 * p - i) by lia.
          pose proof (pow_below p (4 * p - i)) as PB. pose proof (Z.mod_pos_bound z (2 ^ (4 * p - i))) as B.
          unfold plus. apply unit_at_most; try lia. replace (z mod 2 ^ (4 * p - i) - 1 - (if Z.testbit z (4 * p - i) then - 2 ^ (4 * p - i) else 0)) with (z mod 2 ^ (4 * p + 1 - i) - 1)
            by (destruct (Z.testbit z (4 * p - i)); lia). exact E. }
      replace (4 * p + 1 - (4 * p + 1)) with 0 in I by lia. change (2 ^ 0) with 1 in I. rewrite Z.mod_1_r in I.
      apply (go_invariant plus _ (fun _ s => at_most s (2 ^ (p - 2) - 1))).
      * lia.
      * apply unit_at_most; [lia| |lia]. replace (2 ^ (p - 2) - 1 - 2 ^ (p - 2)) with (0 - 1) by lia. exact I.
      * intros i s Hi E. unfold product_of. rewrite product_zero by lia. apply unit_at_most; [lia| |lia]. rewrite Z.sub_0_r. exact E.
Qed.
