(* Sums and products with a fixed split, and what each token of the witness adds. *)
From Coq Require Import ZArith List Lia.
From EveryBitCounts Require Import Arithmetic Statement LowerHalf FixedSplit Rounding Operations Tokens Denominator Counting.
Import ListNotations.
Local Open Scope Z_scope.

(* Rounding. *)
Lemma split_exact p s k d : 1 <= p -> 0 <= s -> 0 < d -> Z.abs k < Q p -> split_round p s (k * 2 ^ s * d) d = Fin (k * 2 ^ s).
Proof.
  intros Hp Hs Hd Hk. pose proof (pow_pos s Hs) as P. set (f := 2 ^ s) in *. assert (Hc : 0 < d * f) by (apply Z.mul_pos_pos; lia).
  assert (E : Z.abs (k * f * d) = Z.abs k * (d * f)) by (rewrite !Z.abs_mul, (Z.abs_eq f), (Z.abs_eq d) by lia; ring).
  assert (G : to_grid (Z.abs (k * f * d)) d f = Z.abs k * f).
  { destruct (to_grid_bounds (Z.abs (k * f * d)) d f) as (l & L & L0 & B); try lia. rewrite L. f_equal.
    apply (grid_unique l (Z.abs k) (d * f) (Z.abs (k * f * d))); lia. }
  unfold split_round. fold f. rewrite G. cbv zeta. assert (B : Z.abs k * f <= (Q p - 1) * f) by (apply Z.mul_le_mono_nonneg_r; lia).
  apply Z.leb_le in B. rewrite B. f_equal. rewrite !Z.sgn_mul, (Z.sgn_pos f), (Z.sgn_pos d) by lia.
  rewrite !Z.mul_1_r, Z.mul_assoc. f_equal. rewrite Z.mul_comm. apply Z.abs_sgn.
Qed.

Lemma split_small p v : 1 <= p -> Z.abs v < Q p -> split_round p 0 v 1 = Fin v.
Proof. intros Hp H. rewrite <- (Z.mul_1_r v) at 1. rewrite <- (Z.mul_1_r v) at 1. change 1 with (2 ^ 0) at 1. rewrite split_exact by lia. f_equal. change (2 ^ 0) with 1. lia. Qed.

Lemma split_sum p a b : 1 <= p -> Z.abs (a + b) < Q p -> split_add p 0 (Fin a) (Fin b) = Fin (a + b).
Proof. intros Hp H. apply split_small; assumption. Qed.

Lemma split_cap p a b : 1 <= p -> 0 <= a -> 0 <= b < Q p -> split_add p (p - 1) (cap p a) (Fin (b * Q p)) = cap p (a + b).
Proof.
  intros Hp Ha Hb. pose proof (Q_pos p Hp) as HQ. unfold cap. destruct (Z.ltb_spec a (Q p)) as [A|A]; destruct (Z.ltb_spec (a + b) (Q p)) as [B|B].
  - cbn [split_add]. replace (a * Q p + b * Q p) with ((a + b) * 2 ^ (p - 1) * 1) by (fold (Q p); ring). rewrite split_exact by lia. reflexivity.
  - cbn [split_add]. unfold split_round. cbv zeta. fold (Q p). pose proof (Z.mul_nonneg_nonneg (a + b) (Q p)).
    assert (E : Z.abs (a * Q p + b * Q p) = (a + b) * Q p) by lia. rewrite E.
    destruct (to_grid_bounds ((a + b) * Q p) 1 (Q p)) as (l & L & L0 & G); try lia. rewrite L.
    assert (M : l = a + b) by (apply (grid_unique l (a + b) (1 * Q p) ((a + b) * Q p)); lia). subst l.
    destruct (Z.leb_spec ((a + b) * Q p) ((Q p - 1) * Q p)) as [X|X].
    + apply Z.mul_le_mono_pos_r in X; lia.
    + destruct (Z.ltb_spec (a * Q p + b * Q p) 0); [lia|reflexivity].
  - lia.
  - reflexivity.
Qed.

Lemma split_cap_zero p a : 1 <= p -> 0 <= a -> split_add p (p - 1) (cap p a) (Fin 0) = cap p a.
Proof. intros Hp Ha. pose proof (Q_pos p Hp). rewrite <- (Z.mul_0_l (Q p)), split_cap by lia. f_equal. lia. Qed.

(* One unit beside whole numbers is less than half of their spacing, or a tie. *)
Lemma split_cap_one p k : 2 <= p -> 0 <= k -> split_add p (p - 1) (cap p k) (Fin 1) = cap p k.
Proof.
  intros Hp Hk. pose proof (Q_two p Hp) as Q2. pose proof (pow_pos (p - 2)) as P2. unfold cap. destruct (Z.ltb_spec k (Q p)) as [K|K]; [|reflexivity].
  cbn [split_add]. unfold split_round. cbv zeta. fold (Q p). pose proof (Z.mul_nonneg_nonneg k (Q p)).
  assert (E : Z.abs (k * Q p + 1) = k * Q p + 1) by lia. rewrite E. destruct (to_grid_bounds (k * Q p + 1) 1 (Q p)) as (l & L & L0 & G); try lia. rewrite L.
  assert (M : l = k) by (apply (grid_unique l k (1 * Q p) (k * Q p + 1)); lia). subst l.
  assert (B : k * Q p <= (Q p - 1) * Q p) by (apply Z.mul_le_mono_nonneg_r; lia). apply Z.leb_le in B. rewrite B.
  f_equal. rewrite Z.sgn_pos by lia. lia.
Qed.

Lemma split_mul_one p x : 1 <= p -> Z.abs x < Q p -> split_mul p 0 (Fin 1) (whole p x) = Fin x.
Proof.
  intros Hp H. pose proof (Q_pos p Hp). unfold split_mul, whole. replace (1 * (x * Q p)) with (x * 2 ^ 0 * Q p) by (change (2 ^ 0) with 1; ring).
  rewrite split_exact by lia. f_equal. change (2 ^ 0) with 1. lia.
Qed.

Lemma split_mul_zero p w : 1 <= p -> split_mul p 0 (Fin w) (whole p 0) = Fin 0.
Proof.
  intros Hp. pose proof (Q_pos p Hp). unfold split_mul, whole. replace (w * (0 * Q p)) with (0 * 2 ^ 0 * Q p) by lia. rewrite split_exact by lia. reflexivity.
Qed.

(* Powers. *)
Lemma split_power_high p k : 1 <= p -> 0 <= k <= p - 2 -> split_power p (p - 1) (whole p k) = Fin (2 ^ k * Q p).
Proof.
  intros Hp Hk. pose proof (Q_pos p Hp) as HQ. pose proof (pow_pos k). unfold split_power, whole. cbv zeta. rewrite Z.div_mul by lia.
  destruct (Z.leb_spec 0 k); [|lia]. replace (2 ^ k * Q p) with (2 ^ k * 2 ^ (p - 1) * 1) at 1 by (fold (Q p); ring).
  rewrite split_exact; try lia; [reflexivity|]. rewrite Z.abs_eq by lia. unfold Q. apply Z.pow_lt_mono_r; lia.
Qed.

Lemma split_power_low p : 2 <= p -> split_power p 0 (whole p (- (p - 1))) = Fin 1.
Proof.
  intros Hp. pose proof (Q_two p Hp) as Q2. pose proof (pow_pos (p - 2)) as P2. unfold split_power, whole. cbv zeta. rewrite Z.div_mul by lia.
  destruct (Z.leb_spec 0 (- (p - 1))); [lia|]. replace (- - (p - 1)) with (p - 1) by lia. fold (Q p).
  replace (Q p) with (1 * 2 ^ 0 * Q p) at 1 by (change (2 ^ 0) with 1; ring). rewrite split_exact by lia. reflexivity.
Qed.

(* Sums over tokens, with any addition. *)
Definition go (plus : num -> num -> num) (f : Z -> num) (a b : Z) (s : num) : num := fold_left plus (map f (range a b)) s.

Lemma go_app plus f a c b s : a <= c + 1 -> c <= b -> go plus f a b s = go plus f (c + 1) b (go plus f a c s).
Proof. intros H K. unfold go. rewrite (range_app a c b H K), map_app. apply fold_left_app. Qed.

Lemma go_one plus f a s : go plus f a a s = plus s (f a).
Proof. unfold go, range. replace (Z.to_nat (a - a + 1)) with 1%nat by lia. cbn. rewrite Z.add_0_r. reflexivity. Qed.

Lemma go_none plus f a b s : b < a -> go plus f a b s = s.
Proof. intros H. unfold go, range. replace (Z.to_nat (b - a + 1)) with 0%nat by lia. reflexivity. Qed.

Lemma go_invariant plus f (I : Z -> num -> Prop) a b s : a <= b + 1 -> I a s ->
  (forall i t, a <= i <= b -> I i t -> I (i + 1) (plus t (f i))) -> I (b + 1) (go plus f a b s).
Proof.
  intros H B Step. assert (G : forall k, a + Z.of_nat k <= b + 1 -> I (a + Z.of_nat k) (go plus f a (a + Z.of_nat k - 1) s)).
  { induction k as [|k IH]; intros Hk.
    - rewrite go_none by lia. replace (a + Z.of_nat 0) with a by lia. exact B.
    - rewrite (go_app plus f a (a + Z.of_nat k - 1)) by lia. replace (a + Z.of_nat (S k) - 1) with (a + Z.of_nat k - 1 + 1) by lia.
      rewrite go_one. replace (a + Z.of_nat (S k)) with (a + Z.of_nat k - 1 + 1 + 1) by lia. apply Step; [lia|].
      replace (a + Z.of_nat k - 1 + 1) with (a + Z.of_nat k) by lia. apply IH. lia. }
  specialize (G (Z.to_nat (b + 1 - a))). replace (a + Z.of_nat (Z.to_nat (b + 1 - a))) with (b + 1) in G by lia.
  replace (b + 1 - 1) with b in G by lia. apply G. lia.
Qed.

Lemma go_same plus f a b s : (forall i, a <= i <= b -> plus s (f i) = s) -> a <= b + 1 -> go plus f a b s = s.
Proof. intros H K. apply (go_invariant plus f (fun _ t => t = s)); [exact K|reflexivity|]. intros i t Hi E. rewrite E. apply H, Hi. Qed.

(* Weights of the tokens. *)
Lemma low_split p i : 3 <= p -> (p <= i <= 2 * p - 1) \/ 3 * p + 1 <= i -> weight_split p i = 0.
Proof.
  intros Hp H. unfold weight_split. destruct (Z.leb_spec p i); destruct (Z.leb_spec i (2 * p - 1)); destruct (Z.leb_spec (3 * p + 1) i); cbn; lia.
Qed.

Lemma high_split p i : 3 <= p -> i < p \/ 2 * p <= i <= 3 * p -> weight_split p i = p - 1.
Proof.
  intros Hp H. unfold weight_split. destruct (Z.leb_spec p i); destruct (Z.leb_spec i (2 * p - 1)); destruct (Z.leb_spec (3 * p + 1) i); cbn; lia.
Qed.

Lemma split_weight_y p i b : 3 <= p -> 1 <= i <= p - 1 -> split_weight p i b = if b then Fin 0 else Fin (2 ^ (p - 1 - i) * Q p).
Proof.
  intros Hp H. unfold split_weight. rewrite step_3, high_split by lia. destruct b; [reflexivity|]. cbn [token key option_map].
  apply split_power_high; lia.
Qed.

Lemma split_weight_z1 p i b : 3 <= p -> 2 * p <= i <= 2 * p + 1 -> split_weight p i b = if b then Fin (2 ^ (p - 3) * Q p) else Fin 0.
Proof.
  intros Hp H. unfold split_weight. rewrite step_6, high_split by lia. destruct b; [|reflexivity]. cbn [token key option_map].
  apply split_power_high; lia.
Qed.

Lemma split_weight_z p i b : 3 <= p -> 2 * p + 3 <= i <= 3 * p -> split_weight p i b = if b then Fin (2 ^ (3 * p - i) * Q p) else Fin 0.
Proof.
  intros Hp H. unfold split_weight. rewrite step_8, high_split by lia. destruct b; [|reflexivity]. cbn [token key option_map].
  replace (p - 1 - (i - (2 * p - 1) - 2)) with (3 * p - i) by lia. apply split_power_high; lia.
Qed.

Lemma split_weight_zero p i b : 3 <= p -> i <= 0 \/ i = 2 * p + 2 \/ 4 * p + 2 <= i -> split_weight p i b = Fin 0.
Proof.
  intros Hp [H|[H|H]]; unfold split_weight; [rewrite step_1 by lia|rewrite step_7 by lia|rewrite step_12 by lia]; reflexivity.
Qed.

Lemma split_weight_low p i b : 3 <= p -> (p <= i <= 2 * p - 1) \/ (3 * p + 1 <= i <= 4 * p + 1) -> split_weight p i b = Fin 1.
Proof.
  intros Hp H. unfold split_weight. rewrite low_split by lia.
  destruct (Z.eq_dec i p) as [A|A]. rewrite step_4 by assumption. apply split_power_low; lia.
  destruct (Z_le_gt_dec i (2 * p - 1)) as [B|B]. rewrite step_5 by lia. apply split_power_low; lia.
  destruct (Z.eq_dec i (3 * p + 1)) as [C|C]. rewrite step_9 by assumption. apply split_power_low; lia.
  destruct (Z.eq_dec i (4 * p + 1)) as [D|D]. rewrite step_11 by assumption. apply split_power_low; lia.
  rewrite step_10 by lia. apply split_power_low; lia.
Qed.

(* Products of the tokens. *)
Lemma product_zero p i b : 3 <= p -> i <= p - 1 \/ 2 * p <= i <= 3 * p \/ 4 * p + 2 <= i -> split_product p i b = Fin 0.
Proof.
  intros Hp H. unfold split_product. assert (W : exists w, split_weight p i b = Fin w).
  { destruct (Z_le_gt_dec i 0) as [A|A]. eexists. apply split_weight_zero; lia.
    destruct (Z_le_gt_dec i (p - 1)) as [B|B]. rewrite split_weight_y by lia. destruct b; eexists; reflexivity.
    destruct (Z_le_gt_dec (4 * p + 2) i) as [C|C]. eexists. apply split_weight_zero; lia.
    destruct (Z_le_gt_dec i (2 * p + 1)) as [D|D]. rewrite split_weight_z1 by lia. destruct b; eexists; reflexivity.
    destruct (Z.eq_dec i (2 * p + 2)) as [E|E]. eexists. apply split_weight_zero; lia.
    rewrite split_weight_z by lia. destruct b; eexists; reflexivity. }
  destruct W as [w W]. rewrite W. assert (V : nth 0 (values (embedding p i b)) (Fin 0) = whole p 0).
  { destruct (Z_le_gt_dec i 0) as [A|A]. rewrite step_1 by lia. reflexivity.
    destruct (Z_le_gt_dec i (p - 1)) as [B|B]. rewrite step_3 by lia. destruct b; reflexivity.
    destruct (Z_le_gt_dec (4 * p + 2) i) as [C|C]. rewrite step_12 by lia. reflexivity.
    destruct (Z_le_gt_dec i (2 * p + 1)) as [D|D]. rewrite step_6 by lia. destruct b; reflexivity.
    destruct (Z.eq_dec i (2 * p + 2)) as [E|E]. rewrite step_7 by lia. reflexivity.
    rewrite step_8 by lia. destruct b; reflexivity. }
  rewrite V. apply split_mul_zero. lia.
Qed.

Lemma product_y_first p b : 3 <= p -> split_product p p b = Fin (if b then 1 else - (Q p - 1)).
Proof.
  intros Hp. pose proof (Q_two p) as Q2. pose proof (pow_pos (p - 2)). unfold split_product. rewrite split_weight_low, step_4 by lia.
  cbn [values token nth]. fold (Q p). apply split_mul_one; destruct b; lia.
Qed.

Lemma product_y p i b : 3 <= p -> p + 1 <= i <= 2 * p - 1 -> split_product p i b = Fin (if b then 2 ^ (2 * p - 1 - i) else 0).
Proof.
  intros Hp H. pose proof (Q_two p) as Q2. pose proof (pow_pos (2 * p - 1 - i)). pose proof (pow_le (2 * p - 1 - i) (p - 2)).
  unfold split_product. rewrite split_weight_low, step_5 by lia. cbn [values token nth]. apply split_mul_one; destruct b; lia.
Qed.

Lemma product_z_first p b : 3 <= p -> split_product p (3 * p + 1) b = Fin (if b then -1 else Q p - 1).
Proof.
  intros Hp. pose proof (Q_two p) as Q2. pose proof (pow_pos (p - 2)). unfold split_product. rewrite split_weight_low, step_9 by lia.
  cbn [values token nth]. fold (Q p). apply split_mul_one; destruct b; lia.
Qed.

Lemma product_z p i b : 3 <= p -> 3 * p + 2 <= i <= 4 * p -> split_product p i b = Fin (if b then - 2 ^ (4 * p - i) else 0).
Proof.
  intros Hp H. pose proof (Q_two p) as Q2. pose proof (pow_pos (4 * p - i)). pose proof (pow_le (4 * p - i) (p - 2)).
  unfold split_product. rewrite split_weight_low, step_10 by lia. cbn [values token nth].
  replace (2 * (2 * p - 1) + 2 - i) with (4 * p - i) by lia. apply split_mul_one; destruct b; lia.
Qed.

Lemma product_last p b : 3 <= p -> split_product p (4 * p + 1) b = Fin (2 ^ (p - 2)).
Proof.
  intros Hp. pose proof (Q_two p) as Q2. pose proof (pow_pos (p - 2)). unfold split_product. rewrite split_weight_low, step_11 by lia.
  cbn [values token nth]. apply split_mul_one; lia.
Qed.
