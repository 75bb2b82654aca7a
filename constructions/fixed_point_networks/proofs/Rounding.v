(* Rounding: what stands on either side of a rounded number, order, symmetry, and the numbers that stay. *)
From Coq Require Import ZArith List Lia.
From FixedPointNetworks Require Import FixedPoint Statement.
Local Open Scope Z_scope.

Lemma top_positive : forall p, 1 <= p -> 1 <= top p.
Proof.
  intros p Hp. unfold top. assert (2 ^ 1 <= 2 ^ p) by (apply Z.pow_le_mono_r; lia). change (2 ^ 1) with 2 in *. lia.
Qed.

Lemma top_from_3 : forall p, 3 <= p -> 7 <= top p.
Proof.
  intros p Hp. unfold top. assert (2 ^ 3 <= 2 ^ p) by (apply Z.pow_le_mono_r; lia). change (2 ^ 3) with 8 in *. lia.
Qed.

(* a/s^2 in levels, to nearest, a half upwards. *)
Lemma halves : forall s a, 1 <= s -> 0 <= a ->
  0 <= (2 * a + s) / (2 * s) /\ s * (2 * ((2 * a + s) / (2 * s)) - 1) <= 2 * a < s * (2 * ((2 * a + s) / (2 * s)) + 1).
Proof.
  intros s a Hs Ha.
  assert (H : 2 * a + s = 2 * s * ((2 * a + s) / (2 * s)) + (2 * a + s) mod (2 * s)) by (apply Z.div_mod; lia).
  assert (0 <= (2 * a + s) mod (2 * s) < 2 * s) by (apply Z.mod_pos_bound; lia).
  assert (0 <= (2 * a + s) / (2 * s)) by (apply Z.div_pos; lia).
  lia.
Qed.

Lemma nearest_opposite : forall p s t, nearest p s (- t) = - nearest p s t.
Proof.
  intros p s t. unfold nearest. rewrite Z.sgn_opp, Z.abs_opp. ring.
Qed.

Lemma nearest_positive : forall p s t, 1 <= p -> 1 <= s -> 0 <= t ->
  0 <= nearest p s t <= top p /\ s * (2 * nearest p s t - 1) <= 2 * t /\ (nearest p s t < top p -> 2 * t < s * (2 * nearest p s t + 1)).
Proof.
  intros p s t Hp Hs Ht. pose proof (top_positive p Hp) as Htop.
  destruct (Z.eq_dec t 0) as [-> | Hnot].
  - unfold nearest. simpl Z.sgn. rewrite Z.mul_0_l. lia.
  - unfold nearest. replace (Z.sgn t) with 1 by lia. rewrite Z.mul_1_l. replace (Z.abs t) with t by lia.
    pose proof (halves s t Hs Ht) as [H0 [H1 H2]]. revert H0 H1 H2. generalize ((2 * t + s) / (2 * s)). intros q H0 H1 H2.
    assert (s * (2 * Z.min (top p) q - 1) <= s * (2 * q - 1)) by (apply Z.mul_le_mono_nonneg_l; lia).
    split; [lia | split; [lia | intros Hless]]. replace (Z.min (top p) q) with q by lia. lia.
Qed.

(* Two levels about the same number. *)
Lemma between : forall s a b t, 1 <= s -> s * (2 * a - 1) <= 2 * t -> 2 * t < s * (2 * b + 1) -> a <= b.
Proof.
  intros s a b t Hs Ha Hb. assert (Hor : a <= b \/ b + 1 <= a) by lia. destruct Hor as [H | H]; [exact H | exfalso].
  assert (s * (2 * b + 1) <= s * (2 * a - 1)) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
Qed.

Lemma nearest_level : forall p s t, 1 <= p -> 1 <= s -> level p (nearest p s t).
Proof.
  intros p s t Hp Hs. unfold level. destruct (Z_le_gt_dec 0 t) as [H | H].
  - pose proof (nearest_positive p s t Hp Hs H). lia.
  - pose proof (nearest_positive p s (- t) Hp Hs) as H0. rewrite nearest_opposite in H0. lia.
Qed.

(* On either side, ties included. *)
Lemma nearest_above : forall p s t, 1 <= p -> 1 <= s -> nearest p s t < top p ->
  2 * t <= s * (2 * nearest p s t + 1) /\ (0 <= nearest p s t -> 2 * t < s * (2 * nearest p s t + 1)).
Proof.
  intros p s t Hp Hs H. destruct (Z_le_gt_dec 0 t) as [Ht | Ht].
  - pose proof (nearest_positive p s t Hp Hs Ht) as [H0 [H1 H2]]. specialize (H2 H). lia.
  - pose proof (nearest_positive p s (- t) Hp Hs) as H0. rewrite nearest_opposite in H0. destruct H0 as [H0 [H1 H2]]; [lia |].
    split; [lia |]. intros Hq. assert (nearest p s t = 0) as -> by lia. lia.
Qed.

Lemma nearest_below : forall p s t, 1 <= p -> 1 <= s -> - top p < nearest p s t ->
  s * (2 * nearest p s t - 1) <= 2 * t /\ (nearest p s t <= 0 -> s * (2 * nearest p s t - 1) < 2 * t).
Proof.
  intros p s t Hp Hs H. pose proof (nearest_above p s (- t) Hp Hs) as H0. rewrite nearest_opposite in H0.
  destruct H0 as [H1 H2]; [lia |]. split; [lia |]. intros Hq. assert (H3 : 0 <= - nearest p s t) by lia. specialize (H2 H3). lia.
Qed.

Lemma nearest_at_least : forall p s t q, 1 <= p -> 1 <= s -> level p q -> 0 <= t -> s * (2 * q - 1) <= 2 * t -> q <= nearest p s t.
Proof.
  intros p s t q Hp Hs Hq Ht H. pose proof (nearest_positive p s t Hp Hs Ht) as [H0 [H1 H2]]. unfold level in Hq.
  assert (Hor : nearest p s t < top p \/ nearest p s t = top p) by lia. destruct Hor as [Hless | ->]; [| lia].
  exact (between s q (nearest p s t) t Hs H (H2 Hless)).
Qed.

Lemma nearest_monotone : forall p s t u, 1 <= p -> 1 <= s -> t <= u -> nearest p s t <= nearest p s u.
Proof.
  assert (Hpositive : forall p s t u, 1 <= p -> 1 <= s -> 0 <= t -> t <= u -> nearest p s t <= nearest p s u).
  { intros p s t u Hp Hs Ht H. pose proof (nearest_positive p s t Hp Hs Ht) as [H0 [H1 H2]].
    apply nearest_at_least; [exact Hp | exact Hs | unfold level; lia | lia | lia]. }
  intros p s t u Hp Hs H. destruct (Z_le_gt_dec 0 t) as [Ht | Ht]; [apply Hpositive; lia |].
  destruct (Z_le_gt_dec 0 u) as [Hu | Hu].
  - pose proof (nearest_positive p s u Hp Hs Hu) as Hup. pose proof (nearest_positive p s (- t) Hp Hs) as H0.
    rewrite nearest_opposite in H0. lia.
  - pose proof (Hpositive p s (- u) (- t) Hp Hs) as H0. rewrite !nearest_opposite in H0. lia.
Qed.

(* A level rounds to itself, and what is beyond the ends to the end. *)
Lemma nearest_exact : forall p s v, 1 <= p -> 1 <= s -> level p v -> nearest p s (s * v) = v.
Proof.
  assert (Hpositive : forall p s v, 1 <= p -> 1 <= s -> 0 <= v <= top p -> nearest p s (s * v) = v).
  { intros p s v Hp Hs Hv. assert (Ht : 0 <= s * v) by (apply Z.mul_nonneg_nonneg; lia).
    pose proof (nearest_positive p s (s * v) Hp Hs Ht) as [H0 [H1 H2]].
    assert (v <= nearest p s (s * v)) by (apply nearest_at_least; [exact Hp | exact Hs | unfold level; lia | exact Ht | lia]).
    assert (s * (2 * nearest p s (s * v) - 1) < s * (2 * v + 1)) as Hless by lia.
    apply Z.mul_lt_mono_pos_l in Hless; lia. }
  intros p s v Hp Hs Hv. unfold level in Hv. destruct (Z_le_gt_dec 0 v) as [H | H]; [apply Hpositive; lia |].
  pose proof (Hpositive p s (- v) Hp Hs) as H0. replace (s * - v) with (- (s * v)) in H0 by ring. rewrite nearest_opposite in H0. lia.
Qed.

Lemma level_clamped : forall p s v, 1 <= p -> 1 <= s ->
  nearest p s (s * v) = Z.max (- top p) (Z.min (top p) v).
Proof.
  intros p s v Hp Hs. pose proof (top_positive p Hp) as Htop. pose proof (nearest_level p s (s * v) Hp Hs) as Hlevel. unfold level in Hlevel.
  assert (Hor : v < - top p \/ level p v \/ top p < v) by (unfold level; lia). destruct Hor as [H | [H | H]].
  - pose proof (nearest_monotone p s (s * v) (s * - top p) Hp Hs) as H0.
    rewrite (nearest_exact p s (- top p)) in H0; [| exact Hp | exact Hs | unfold level; lia].
    assert (s * v <= s * - top p) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
  - rewrite nearest_exact; [unfold level in H; lia | exact Hp | exact Hs | exact H].
  - pose proof (nearest_monotone p s (s * top p) (s * v) Hp Hs) as H0.
    rewrite (nearest_exact p s (top p)) in H0; [| exact Hp | exact Hs | unfold level; lia].
    assert (s * top p <= s * v) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
Qed.

(* What a number needs to round to a level. *)
Lemma rounds_to_top : forall p s t, 1 <= p -> 1 <= s -> s * (2 * top p - 1) <= 2 * t -> nearest p s t = top p.
Proof.
  intros p s t Hp Hs H. pose proof (top_positive p Hp) as Htop. pose proof (nearest_level p s t Hp Hs) as Hlevel. unfold level in Hlevel.
  assert (0 <= s * (2 * top p - 1)) by (apply Z.mul_nonneg_nonneg; lia).
  assert (top p <= nearest p s t) by (apply nearest_at_least; [exact Hp | exact Hs | unfold level; lia | lia | exact H]). lia.
Qed.

Lemma rounds_to_bottom : forall p s t, 1 <= p -> 1 <= s -> 2 * t <= s * (- (2 * top p) + 1) -> nearest p s t = - top p.
Proof.
  intros p s t Hp Hs H. pose proof (rounds_to_top p s (- t) Hp Hs) as H0. rewrite nearest_opposite in H0. lia.
Qed.

Theorem rounding_is_to_nearest : rounds_to_nearest.
Proof.
  unfold rounds_to_nearest. intros p s t w Hp Hs Hw. split; [apply nearest_level; lia |].
  assert (Hpositive : forall t w, 0 <= t -> level p w ->
    Z.abs (t - s * nearest p s t) < Z.abs (t - s * w) \/
    Z.abs (t - s * nearest p s t) = Z.abs (t - s * w) /\ Z.abs w <= Z.abs (nearest p s t)).
  { clear t w Hw. intros t w Ht Hw. unfold level in Hw. pose proof (nearest_positive p s t Hp Hs Ht) as [H0 [H1 H2]].
    revert H0 H1 H2. generalize (nearest p s t). intros q H0 H1 H2.
    assert (Hor : w < q \/ w = q \/ q < w) by lia. destruct Hor as [H | [-> | H]]; [| lia |].
    - assert (s * w <= s * (q - 1)) by (apply Z.mul_le_mono_nonneg_l; lia).
      assert (Hor : s * w < s * (q - 1) \/ w = q - 1).
      { assert (Hor : w <= q - 2 \/ w = q - 1) by lia. destruct Hor as [Hor | Hor]; [left | right; exact Hor].
        apply Z.mul_lt_mono_pos_l; lia. }
      destruct Hor as [Hor | ->]; lia.
    - assert (Hless : q < top p) by lia. specialize (H2 Hless).
      assert (s * (q + 1) <= s * w) by (apply Z.mul_le_mono_nonneg_l; lia). lia. }
  destruct (Z_le_gt_dec 0 t) as [H | H]; [apply Hpositive; assumption |].
  specialize (Hpositive (- t) (- w)). rewrite nearest_opposite in Hpositive. unfold level in *.
  replace (- t - s * - nearest p s t) with (- (t - s * nearest p s t)) in Hpositive by ring.
  replace (- t - s * - w) with (- (t - s * w)) in Hpositive by ring. rewrite !Z.abs_opp in Hpositive. apply Hpositive; lia.
Qed.
