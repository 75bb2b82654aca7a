(* [round] rounds to nearest, ties to zero, and overflows after rounding. *)
From Coq Require Import ZArith List Lia.
From EveryBitCounts Require Import Arithmetic Statement Rounding.
Local Open Scope Z_scope.

(* M is at least as near to a/d as u is, and not larger where they are equally near. *)
Definition nearer (a d M u : Z) : Prop :=
  Z.abs (a - M * d) < Z.abs (a - u * d) \/ Z.abs (a - M * d) = Z.abs (a - u * d) /\ M <= u.

Lemma nearer_multiple a d f k j : 0 < d -> 0 < f -> (2 * k - 1) * (d * f) < 2 * a <= (2 * k + 1) * (d * f) -> nearer a d (k * f) (j * f).
Proof.
  intros Hd Hf H. assert (Hc : 0 < d * f) by (apply Z.mul_pos_pos; lia). unfold nearer.
  replace (k * f * d) with (k * (d * f)) by ring. replace (j * f * d) with (j * (d * f)) by ring. set (c := d * f) in *.
  destruct (Z_lt_le_dec j k) as [J|J].
  - left. assert (A : j * c <= (k - 1) * c) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
  - destruct (Z.eq_dec j k) as [E|E]. right. subst j. lia.
    assert (A : (k + 1) * c <= j * c) by (apply Z.mul_le_mono_nonneg_r; lia).
    assert (B : k * f <= j * f) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
Qed.

Lemma magnitude_nearest p a d u : 2 <= p -> 0 < d -> 0 <= a -> representable p u -> 0 <= u -> nearer a d (magnitude p a d) u.
Proof.
  intros Hp Hd Ha (c & s & E & Hc & Hs) Hu. rewrite Z.abs_eq in E by lia. assert (Hp1 : 1 <= p) by lia.
  destruct (magnitude_bounds p a d Hp1 Hd Ha) as (k & M & Hk & B). destruct (exponent_bounds p a d Hp1 Hd Ha) as (He & L & _).
  set (e := exponent p a d) in *. pose proof (pow_pos e) as Pe. pose proof (pow_pos s) as Ps. pose proof (Q_pos p Hp1) as HQ. rewrite M.
  destruct (Z_le_gt_dec e s) as [G|G].
  - rewrite E, (multiple_of_lower c s e) by lia. apply nearer_multiple; lia.
  - assert (J : 1 <= e) by lia. specialize (L J).
    assert (V : 2 ^ (p - 2) * 2 ^ e = Q p * 2 ^ (e - 1)). { unfold Q. rewrite <- !Z.pow_add_r by lia. f_equal. lia. }
    assert (X : 2 ^ s <= 2 ^ (e - 1)) by (apply pow_le; lia).
    assert (Y : c * 2 ^ s < Q p * 2 ^ s) by (apply Z.mul_lt_mono_pos_r; lia).
    assert (W : Q p * 2 ^ s <= Q p * 2 ^ (e - 1)) by (apply Z.mul_le_mono_nonneg_l; lia).
    assert (N : nearer a d (k * 2 ^ e) (2 ^ (p - 2) * 2 ^ e)) by (apply nearer_multiple; lia).
    assert (U : u * d < 2 ^ (p - 2) * 2 ^ e * d) by (apply Z.mul_lt_mono_pos_r; lia).
    assert (D : 2 ^ (p - 2) * 2 ^ e * d <= a) by (rewrite V; lia). unfold nearer in *. lia.
Qed.

Lemma magnitude_finite p a d : 2 <= p -> 0 < d -> 0 <= a -> magnitude p a d <= largest p -> 2 * a <= (2 * largest p + Q p) * d.
Proof.
  intros Hp Hd Ha H. destruct (magnitude_bounds p a d) as (k & M & Hk & B); try lia. destruct (exponent_bounds p a d) as (He & _ & _); try lia.
  set (f := 2 ^ exponent p a d) in *. assert (F : f <= Q p) by (apply pow_le; lia).
  assert (A : d * f <= d * Q p) by (apply Z.mul_le_mono_nonneg_l; lia). rewrite M in H.
  assert (C : k * f * d <= largest p * d) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
Qed.

Lemma magnitude_infinite p a d : 2 <= p -> 0 < d -> 0 <= a -> largest p < magnitude p a d -> (2 * largest p + Q p) * d < 2 * a.
Proof.
  intros Hp Hd Ha H. destruct (magnitude_bounds p a d) as (k & M & Hk & B); try lia. destruct (exponent_bounds p a d) as (He & _ & U); try lia.
  pose proof (Q_pos p) as HQ. pose proof (pow_pos (exponent p a d)) as Pe. rewrite M in H. unfold largest in *.
  assert (C : exponent p a d = p - 1).
  { destruct (Z_lt_le_dec (exponent p a d) (p - 1)) as [C|C]; [exfalso|lia]. specialize (U C).
    assert (X : 2 ^ exponent p a d <= 2 ^ (p - 2)) by (apply pow_le; lia). pose proof (pow_succ (p - 1)) as S. fold (Q p) in S.
    replace (p - 1 - 1) with (p - 2) in S by lia. set (f := 2 ^ exponent p a d) in *. assert (Hc : 0 < d * f) by (apply Z.mul_pos_pos; lia).
    assert (G : (2 * k - 1) * (d * f) < (2 * Q p) * (d * f)) by lia. apply Z.mul_lt_mono_pos_r in G; [|exact Hc].
    assert (A : k * f <= Q p * f) by (apply Z.mul_le_mono_nonneg_r; lia).
    assert (D : Q p * f <= Q p * (Q p - 1)) by (apply Z.mul_le_mono_nonneg_l; lia). lia. }
  rewrite C in *. fold (Q p) in *. apply Z.mul_lt_mono_pos_r in H; [|lia].
  assert (A : (2 * Q p - 1) * (d * Q p) <= (2 * k - 1) * (d * Q p)) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
Qed.

(* From magnitudes to signs. *)
Lemma nearer_signed n d M w : 0 < d -> 0 <= M -> nearer (Z.abs n) d M (Z.abs w) -> (n = 0 -> M = 0) ->
  Z.abs (n - Z.sgn n * M * d) < Z.abs (n - w * d) \/ Z.abs (n - Z.sgn n * M * d) = Z.abs (n - w * d) /\ Z.abs (Z.sgn n * M) <= Z.abs w.
Proof.
  intros Hd HM N Z0. assert (T : Z.abs (Z.abs n - Z.abs w * d) <= Z.abs (n - w * d)).
  { replace (Z.abs w * d) with (Z.abs (w * d)) by (rewrite Z.abs_mul, (Z.abs_eq d); lia). lia. }
  assert (S : Z.abs (n - Z.sgn n * M * d) = Z.abs (Z.abs n - M * d) /\ Z.abs (Z.sgn n * M) = M).
  { destruct (Z.sgn_spec n) as [[A B]|[[A B]|[A B]]]; rewrite B.
    - rewrite Z.mul_1_l, (Z.abs_eq n) by lia. lia.
    - rewrite Z0 by lia. lia.
    - replace (-1 * M * d) with (- (M * d)) by ring. replace (-1 * M) with (- M) by ring. lia. }
  destruct S as [S1 S2]. rewrite S1, S2. unfold nearer in N. lia.
Qed.

Theorem round_to_nearest : rounds_to_nearest.
Proof.
  intros p n d Hp Hd. pose proof (Z.abs_nonneg n) as Ha. rewrite round_cases.
  destruct (Z.leb_spec (magnitude p (Z.abs n) d) (largest p)) as [L|L].
  - pose proof (magnitude_representable p (Z.abs n) d Hp Hd Ha L) as R. pose proof (magnitude_nonneg p (Z.abs n) d) as N.
    assert (Z0 : n = 0 -> magnitude p (Z.abs n) d = 0).
    { intros E. subst n. apply (magnitude_near _ _ _ _ 0); try lia. destruct (exponent_bounds p 0 d) as (He & _ & _); try lia.
      pose proof (pow_pos (exponent p 0 d)). assert (0 < d * 2 ^ exponent p 0 d) by (apply Z.mul_pos_pos; lia). cbn [Z.abs]. lia. }
    split; [|split].
    + destruct (Z.sgn_spec n) as [[A B]|[[A B]|[A B]]]; rewrite B.
      * rewrite Z.mul_1_l. exact R.
      * rewrite Z0 in R by lia. exact R.
      * replace (-1 * magnitude p (Z.abs n) d) with (- magnitude p (Z.abs n) d) by ring. apply representable_opp, R.
    + apply magnitude_finite; assumption.
    + intros w Hw. apply nearer_signed; try assumption. lia.
      apply magnitude_nearest; try assumption; [|lia]. apply representable_abs, Hw.
  - pose proof (magnitude_infinite p (Z.abs n) d Hp Hd Ha L) as I. destruct (Z.ltb_spec n 0); lia.
Qed.
