(* Rounding to nearest: what the other proofs use of it, and that [round] is what Statement.v says of it. *)
From Coq Require Import ZArith List Lia.
From EveryBitCounts Require Import Arithmetic Statement.
Local Open Scope Z_scope.

Lemma Q_positive p : 0 < Q p \/ p < 1.
Proof. destruct (Z_lt_le_dec p 1) as [H|H]. right; lia. left. unfold Q. apply Z.pow_pos_nonneg; lia. Qed.

Lemma Q_pos p : 1 <= p -> 0 < Q p.
Proof. intros H. destruct (Q_positive p); lia. Qed.

Lemma pow_pos e : 0 <= e -> 0 < 2 ^ e.
Proof. intros H. apply Z.pow_pos_nonneg; lia. Qed.

Lemma pow_succ e : 1 <= e -> 2 ^ e = 2 * 2 ^ (e - 1).
Proof. intros H. replace e with (Z.succ (e - 1)) at 1 by lia. apply Z.pow_succ_r. lia. Qed.

Lemma pow_split a b : 0 <= a <= b -> 2 ^ b = 2 ^ (b - a) * 2 ^ a.
Proof. intros H. rewrite <- Z.pow_add_r by lia. f_equal. lia. Qed.

Lemma pow_le a b : a <= b -> 0 <= b -> 2 ^ a <= 2 ^ b.
Proof. intros H K. apply Z.pow_le_mono_r; lia. Qed.

(* The exponent of the spacing. *)
Definition exponent (p a d : Z) : Z := Z.min (p - 1) (digits (a / (d * Q p))).

(* The rounded magnitude before overflow is decided. *)
Definition magnitude (p a d : Z) : Z := to_grid a d (spacing p a d).

Lemma digits_bounds k : 0 <= k -> 0 <= digits k /\ k < 2 ^ digits k /\ (1 <= digits k -> 2 ^ (digits k - 1) <= k).
Proof.
  intros H. unfold digits. destruct (Z.eqb_spec k 0) as [E|E].
  - subst k. cbn. lia.
  - destruct (Z.log2_spec k) as [L U]. lia.
    pose proof (Z.log2_nonneg k) as N. replace (Z.succ (Z.log2 k)) with (Z.log2 k + 1) in U by lia.
    replace (Z.log2 k + 1 - 1) with (Z.log2 k) by lia. lia.
Qed.

Lemma exponent_bounds p a d : 1 <= p -> 0 < d -> 0 <= a ->
  let e := exponent p a d in
  0 <= e <= p - 1 /\ (1 <= e -> 2 ^ (e - 1) * (d * Q p) <= a) /\ (e < p - 1 -> a < 2 ^ e * (d * Q p)).
Proof.
  intros Hp Hd Ha. cbv zeta. unfold exponent. pose proof (Q_pos p Hp) as HQ.
  assert (Hc : 0 < d * Q p) by (apply Z.mul_pos_pos; lia).
  set (c := d * Q p) in *. pose proof (Z.div_pos a c Ha Hc) as Hq.
  pose proof (Z.mul_div_le a c Hc) as H1. pose proof (Z.mul_succ_div_gt a c Hc) as H2.
  destruct (digits_bounds (a / c) Hq) as (D0 & D1 & D2).
  set (q := a / c) in *. set (g := digits q) in *.
  split. lia. split.
  - intros He. assert (K : 2 ^ (Z.min (p - 1) g - 1) <= 2 ^ (g - 1)) by (apply pow_le; lia).
    assert (J : 1 <= g) by lia. specialize (D2 J).
    assert (L : 2 ^ (Z.min (p - 1) g - 1) * c <= q * c) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
  - intros He. replace (Z.min (p - 1) g) with g by lia.
    assert (L : (q + 1) * c <= 2 ^ g * c) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
Qed.

Lemma spacing_exponent p a d : spacing p a d = 2 ^ exponent p a d.
Proof. reflexivity. Qed.

(* The multiple of s is the nearest one, and the one below at a tie. *)
Lemma to_grid_bounds a d s : 0 < d -> 0 < s -> 0 <= a ->
  exists k, to_grid a d s = k * s /\ 0 <= k /\ (2 * k - 1) * (d * s) < 2 * a <= (2 * k + 1) * (d * s).
Proof.
  intros Hd Hs Ha. assert (Hc : 0 < d * s) by (apply Z.mul_pos_pos; lia). unfold to_grid. cbv zeta.
  pose proof (Z.div_pos a _ Ha Hc) as Hq. pose proof (Z.div_mod a (d * s)) as E. pose proof (Z.mod_pos_bound a (d * s) Hc) as R.
  set (c := d * s) in *. set (q := a / c) in *. set (r := a mod c) in *. assert (E' : a = c * q + r) by (apply E; lia).
  destruct (Z.ltb_spec c (2 * r)) as [H|H].
  - exists (q + 1). split. reflexivity. split. lia. lia.
  - exists q. split. reflexivity. split. lia. lia.
Qed.

Lemma grid_unique k l c a : 0 < c -> (2 * k - 1) * c < 2 * a <= (2 * k + 1) * c -> (2 * l - 1) * c < 2 * a <= (2 * l + 1) * c -> k = l.
Proof.
  intros Hc H K. assert (A : (2 * k - 1) * c < (2 * l + 1) * c) by lia. assert (B : (2 * l - 1) * c < (2 * k + 1) * c) by lia.
  apply Z.mul_lt_mono_pos_r in A; [|exact Hc]. apply Z.mul_lt_mono_pos_r in B; [|exact Hc]. lia.
Qed.

Lemma magnitude_bounds p a d : 1 <= p -> 0 < d -> 0 <= a ->
  exists k, magnitude p a d = k * 2 ^ exponent p a d /\ 0 <= k /\
  (2 * k - 1) * (d * 2 ^ exponent p a d) < 2 * a <= (2 * k + 1) * (d * 2 ^ exponent p a d).
Proof.
  intros Hp Hd Ha. unfold magnitude. rewrite spacing_exponent. apply to_grid_bounds; [lia| |lia].
  apply pow_pos. destruct (exponent_bounds p a d Hp Hd Ha) as [H _]. lia.
Qed.

(* A multiple v of the spacing that is at most half a spacing below a (R4), or less than half above, is the result. *)
Lemma magnitude_near p a d v k : 1 <= p -> 0 < d -> 0 <= a -> v = k * 2 ^ exponent p a d ->
  2 * v * d - d * 2 ^ exponent p a d < 2 * a <= 2 * v * d + d * 2 ^ exponent p a d -> magnitude p a d = v.
Proof.
  intros Hp Hd Ha E H. destruct (exponent_bounds p a d Hp Hd Ha) as [He _].
  destruct (magnitude_bounds p a d Hp Hd Ha) as (l & M & _ & B). rewrite M, E. f_equal.
  pose proof (pow_pos (exponent p a d)) as Hs. set (s := 2 ^ exponent p a d) in *.
  assert (Hc : 0 < d * s) by (apply Z.mul_pos_pos; lia).
  apply (grid_unique l k (d * s) a Hc B). rewrite E in H. lia.
Qed.

(* Which spacings divide which numbers. *)
Lemma multiple_of_lower k s e : 0 <= e <= s -> k * 2 ^ s = (k * 2 ^ (s - e)) * 2 ^ e.
Proof. intros H. rewrite (pow_split e s H). ring. Qed.

(* R3: a representable bound from above bounds the result. *)
Lemma magnitude_le p a d v : 1 <= p -> 0 < d -> 0 <= a -> representable p v -> 0 <= v -> a <= v * d -> magnitude p a d <= v.
Proof.
  intros Hp Hd Ha (k & s & Ev & Hk & Hs) Hv H. rewrite Z.abs_eq in Ev by lia.
  destruct (exponent_bounds p a d Hp Hd Ha) as (He & L & _). destruct (magnitude_bounds p a d Hp Hd Ha) as (l & M & Hl & B).
  set (e := exponent p a d) in *. pose proof (pow_pos e) as Pe. pose proof (pow_pos s) as Ps. pose proof (Q_pos p Hp) as HQ.
  assert (Hes : e <= s).
  { destruct (Z_le_gt_dec e s) as [|G]; [assumption|exfalso]. assert (J : 1 <= e) by lia. specialize (L J).
    assert (X : 2 ^ s <= 2 ^ (e - 1)) by (apply pow_le; lia).
    assert (Y : k * 2 ^ s < Q p * 2 ^ s) by (apply Z.mul_lt_mono_pos_r; lia).
    assert (W : Q p * 2 ^ s <= Q p * 2 ^ (e - 1)) by (apply Z.mul_le_mono_nonneg_l; lia).
    assert (U : v * d < Q p * 2 ^ (e - 1) * d) by (apply Z.mul_lt_mono_pos_r; lia). lia. }
  rewrite M, Ev, (multiple_of_lower k s e) by lia. set (t := k * 2 ^ (s - e)). set (f := 2 ^ e) in *.
  assert (F : v = t * f) by (rewrite Ev; unfold t, f; apply multiple_of_lower; lia).
  apply Z.mul_le_mono_nonneg_r; [lia|]. assert (Hc : 0 < d * f) by (apply Z.mul_pos_pos; lia).
  assert (G : (2 * l - 1) * (d * f) < (2 * t) * (d * f)) by (rewrite F in H; lia).
  apply Z.mul_lt_mono_pos_r in G; lia.
Qed.

(* R3, from below. *)
Lemma magnitude_ge p a d v : 2 <= p -> 0 < d -> 0 <= a -> representable p v -> 0 <= v -> v * d <= a -> v <= magnitude p a d.
Proof.
  intros Hp Hd Ha (k & s & Ev & Hk & Hs) Hv H. rewrite Z.abs_eq in Ev by lia. assert (Hp1 : 1 <= p) by lia.
  destruct (exponent_bounds p a d Hp1 Hd Ha) as (He & L & _). destruct (magnitude_bounds p a d Hp1 Hd Ha) as (l & M & Hl & B).
  set (e := exponent p a d) in *. pose proof (pow_pos e) as Pe. pose proof (pow_pos s) as Ps. pose proof (Q_pos p Hp1) as HQ.
  assert (K : exists w, v <= w * 2 ^ e /\ w * 2 ^ e * d <= a).
  { destruct (Z_le_gt_dec e s) as [G|G].
    - exists (k * 2 ^ (s - e)). rewrite <- multiple_of_lower by lia. lia.
    - assert (J : 1 <= e) by lia. specialize (L J). exists (2 ^ (p - 2)).
      assert (E : 2 ^ (p - 2) * 2 ^ e = Q p * 2 ^ (e - 1)).
      { unfold Q. rewrite <- !Z.pow_add_r by lia. f_equal. lia. }
      assert (X : 2 ^ s <= 2 ^ (e - 1)) by (apply pow_le; lia).
      assert (Y : k * 2 ^ s < Q p * 2 ^ s) by (apply Z.mul_lt_mono_pos_r; lia).
      assert (W : Q p * 2 ^ s <= Q p * 2 ^ (e - 1)) by (apply Z.mul_le_mono_nonneg_l; lia).
      rewrite E. split; lia. }
  destruct K as (w & W1 & W2). rewrite M. set (f := 2 ^ e) in *. apply (Z.le_trans _ _ _ W1).
  apply Z.mul_le_mono_nonneg_r; [lia|]. assert (Hc : 0 < d * f) by (apply Z.mul_pos_pos; lia).
  assert (G : (2 * w) * (d * f) <= (2 * l + 1) * (d * f)) by lia.
  apply Z.mul_le_mono_pos_r in G; lia.
Qed.

(* Representable numbers. *)
Lemma representable_scaled p k s : 0 <= s <= p - 1 -> Z.abs k <= Q p -> s < p - 1 \/ Z.abs k < Q p -> 1 <= p -> representable p (k * 2 ^ s).
Proof.
  intros Hs Hk Hc Hp. pose proof (pow_pos s) as Ps. pose proof (Q_pos p Hp) as HQ. unfold representable.
  rewrite Z.abs_mul, (Z.abs_eq (2 ^ s)) by lia. destruct (Z_lt_le_dec (Z.abs k) (Q p)) as [L|G].
  - exists (Z.abs k), s. lia.
  - assert (E : Z.abs k = Q p) by lia. exists (2 ^ (p - 2)), (s + 1). rewrite E. split.
    + unfold Q. rewrite <- !Z.pow_add_r by lia. f_equal. lia.
    + split; [|lia]. split. apply Z.pow_nonneg; lia. unfold Q. apply Z.pow_lt_mono_r; lia.
Qed.

Lemma representable_small p v : 2 <= p -> Z.abs v <= Q p -> representable p v.
Proof. intros Hp H. rewrite <- (Z.mul_1_r v). change 1 with (2 ^ 0). apply representable_scaled; lia. Qed.

Lemma representable_whole p k : 1 <= p -> Z.abs k < Q p -> representable p (k * Q p).
Proof. intros Hp H. unfold Q at 1. apply representable_scaled; lia. Qed.

Lemma representable_opp p v : representable p v -> representable p (- v).
Proof. unfold representable. rewrite Z.abs_opp. tauto. Qed.

Lemma representable_abs p v : representable p v -> representable p (Z.abs v).
Proof. unfold representable. rewrite Z.abs_involutive. tauto. Qed.

Lemma representable_largest p v : 1 <= p -> representable p v -> Z.abs v <= largest p.
Proof.
  intros Hp (k & s & E & Hk & Hs). rewrite E. unfold largest. pose proof (pow_pos s) as Ps.
  assert (X : 2 ^ s <= Q p) by (apply pow_le; lia). apply Z.mul_le_mono_nonneg; lia.
Qed.

Lemma largest_representable p : 1 <= p -> representable p (largest p).
Proof. intros Hp. pose proof (Q_pos p Hp). apply representable_whole; lia. Qed.

Lemma magnitude_nonneg p a d : 1 <= p -> 0 < d -> 0 <= a -> 0 <= magnitude p a d.
Proof.
  intros Hp Hd Ha. destruct (magnitude_bounds p a d Hp Hd Ha) as (k & E & Hk & _). rewrite E.
  destruct (exponent_bounds p a d Hp Hd Ha) as [He _]. apply Z.mul_nonneg_nonneg; [lia|]. apply Z.lt_le_incl, pow_pos. lia.
Qed.

Lemma magnitude_representable p a d : 2 <= p -> 0 < d -> 0 <= a -> magnitude p a d <= largest p -> representable p (magnitude p a d).
Proof.
  intros Hp Hd Ha H. assert (Hp1 : 1 <= p) by lia. destruct (magnitude_bounds p a d Hp1 Hd Ha) as (k & E & Hk & B).
  destruct (exponent_bounds p a d Hp1 Hd Ha) as (He & _ & U). rewrite E in *. pose proof (Q_pos p Hp1) as HQ.
  set (e := exponent p a d) in *. pose proof (pow_pos e) as Pe.
  assert (C : e < p - 1 \/ e = p - 1) by lia. destruct C as [C|C].
  - apply representable_scaled; try lia. specialize (U C). set (f := 2 ^ e) in *.
    assert (Hc : 0 < d * f) by (apply Z.mul_pos_pos; lia).
    assert (G : (2 * k - 1) * (d * f) < (2 * Q p) * (d * f)) by lia. apply Z.mul_lt_mono_pos_r in G; lia.
  - rewrite C in H |- *. fold (Q p) in H |- *. apply representable_whole; [lia|]. unfold largest in H.
    apply Z.mul_le_mono_pos_r in H; lia.
Qed.

(* [round] by its magnitude. *)
Lemma round_cases p n d : round p n d = if magnitude p (Z.abs n) d <=? largest p then Fin (Z.sgn n * magnitude p (Z.abs n) d)
                                         else if n <? 0 then NInf else PInf.
Proof. reflexivity. Qed.

Lemma round_magnitude p n d v : magnitude p (Z.abs n) d = v -> v <= largest p -> round p n d = Fin (Z.sgn n * v).
Proof. intros E H. rewrite round_cases, E. apply Z.leb_le in H. rewrite H. reflexivity. Qed.

Lemma round_upto p n d v : 1 <= p -> 0 < d -> representable p v -> 0 <= v -> Z.abs n <= v * d -> exists r,
  round p n d = Fin (Z.sgn n * r) /\ r = magnitude p (Z.abs n) d /\ 0 <= r <= v.
Proof.
  intros Hp Hd Hr Hv H. pose proof (magnitude_le p (Z.abs n) d v Hp Hd (Z.abs_nonneg n) Hr Hv H) as M.
  pose proof (magnitude_nonneg p (Z.abs n) d Hp Hd (Z.abs_nonneg n)) as N.
  pose proof (representable_largest p v Hp Hr) as L. exists (magnitude p (Z.abs n) d).
  split. apply round_magnitude; [reflexivity|lia]. lia.
Qed.

(* R1: representable numbers are fixed. *)
Lemma round_exact p v d : 2 <= p -> 0 < d -> representable p v -> round p (v * d) d = Fin v.
Proof.
  intros Hp Hd Hr. pose proof (representable_abs p v Hr) as Ha. assert (E : Z.abs (v * d) = Z.abs v * d) by (rewrite Z.abs_mul, (Z.abs_eq d); lia).
  destruct (round_upto p (v * d) d (Z.abs v)) as (r & R & M & B); try lia; try assumption.
  assert (G : Z.abs v <= magnitude p (Z.abs (v * d)) d) by (apply magnitude_ge; try lia; assumption).
  rewrite R. f_equal. replace r with (Z.abs v) by lia. rewrite Z.sgn_mul, (Z.sgn_pos d) by lia. rewrite Z.mul_1_r, Z.mul_comm. apply Z.abs_sgn.
Qed.

Lemma round_fixed p v : 2 <= p -> representable p v -> round p v 1 = Fin v.
Proof. intros Hp Hr. rewrite <- (round_exact p v 1) by (lia || assumption). f_equal. lia. Qed.

(* R2: beyond all numbers. *)
Lemma round_above p n d : 1 <= p -> 0 < d -> Q p * Q p * d <= n -> round p n d = PInf.
Proof.
  intros Hp Hd H. pose proof (Q_pos p Hp) as HQ. assert (HQQ : 0 < Q p * Q p) by (apply Z.mul_pos_pos; lia).
  assert (Hn : 0 < n) by (pose proof (Z.mul_pos_pos _ _ HQQ Hd); lia).
  rewrite round_cases, Z.abs_eq by lia. destruct (magnitude_bounds p n d Hp Hd) as (k & E & Hk & B); [lia|].
  destruct (exponent_bounds p n d Hp Hd) as (He & L & U); [lia|].
  assert (C : exponent p n d = p - 1).
  { destruct (Z_lt_le_dec (exponent p n d) (p - 1)) as [C|C]; [exfalso|lia]. specialize (U C).
    assert (X : 2 ^ exponent p n d <= Q p) by (apply pow_le; lia).
    assert (Y : 2 ^ exponent p n d * (d * Q p) <= Q p * (d * Q p)) by (apply Z.mul_le_mono_nonneg_r; lia). lia. }
  rewrite C in *. fold (Q p) in *. assert (Hc : 0 < d * Q p) by (apply Z.mul_pos_pos; lia).
  assert (G : 2 * Q p * (d * Q p) <= (2 * k + 1) * (d * Q p)) by lia. apply Z.mul_le_mono_pos_r in G; [|exact Hc].
  destruct (Z.leb_spec (magnitude p n d) (largest p)) as [X|X].
  - rewrite E in X. unfold largest in X. apply Z.mul_le_mono_pos_r in X; lia.
  - destruct (Z.ltb_spec n 0); [lia|reflexivity].
Qed.

(* A result below a bound, an infinite one included. *)
Definition at_most (x : num) (v : Z) : Prop := match x with Fin k => k <= v | NInf => True | _ => False end.
Definition at_least (x : num) (v : Z) : Prop := match x with Fin k => v <= k | PInf => True | _ => False end.

Lemma round_at_least p n d v : 2 <= p -> 0 < d -> representable p v -> 0 <= v -> v * d <= n -> at_least (round p n d) v.
Proof.
  intros Hp Hd Hr Hv H. assert (Hn : 0 <= n) by (pose proof (Z.mul_nonneg_nonneg v d); lia).
  pose proof (magnitude_ge p n d v Hp Hd Hn Hr Hv H) as G. rewrite round_cases, Z.abs_eq by lia.
  destruct (Z.leb_spec (magnitude p n d) (largest p)) as [X|X]; cbn.
  - destruct (Z.eq_dec n 0) as [N|N].
    + subst n. cbn. pose proof (Z.mul_nonneg_nonneg v d). destruct (Z.eq_dec v 0). lia.
      pose proof (Z.mul_pos_pos v d). lia.
    + rewrite Z.sgn_pos by lia. lia.
  - destruct (Z.ltb_spec n 0); cbn; lia.
Qed.

Lemma round_opp p n d : round p (- n) d = match round p n d with Fin k => Fin (- k) | PInf => NInf | NInf => PInf | NaN => NaN end
  \/ round p n d = PInf /\ n = 0.
Proof.
  rewrite !round_cases, Z.abs_opp. destruct (Z.leb_spec (magnitude p (Z.abs n) d) (largest p)) as [X|X].
  - left. rewrite Z.sgn_opp. f_equal. ring.
  - destruct (Z.ltb_spec n 0); destruct (Z.ltb_spec (- n) 0); [lia|left; reflexivity|left; reflexivity|]. right. split; [reflexivity|lia].
Qed.

Lemma round_zero p d : 2 <= p -> 0 < d -> round p 0 d = Fin 0.
Proof.
  intros Hp Hd. pose proof (Q_pos p). replace 0 with (0 * d) at 1 by lia. apply round_exact; try lia. apply representable_small; lia.
Qed.

Lemma round_at_most_neg p n d v : 2 <= p -> 0 < d -> representable p v -> v <= 0 -> n <= v * d -> at_most (round p n d) v.
Proof.
  intros Hp Hd Hr Hv H. assert (G : at_least (round p (- n) d) (- v)).
  { apply round_at_least; try lia. apply representable_opp, Hr. }
  destruct (Z.eq_dec n 0) as [E|E]. 
  - subst n. rewrite round_zero by lia. cbn. destruct (Z.eq_dec v 0). lia. assert (v * d < 0) by (apply Z.mul_neg_pos; lia). lia.
  - destruct (round_opp p n d) as [R|[_ R]]; [|lia]. rewrite R in G. destruct (round p n d); cbn in *; lia || exact I || exact G.
Qed.

Lemma rectified_at_most x : at_most x 0 -> rectified x = Fin 0.
Proof. intros H. destruct x as [k| | |]; cbn in H |- *; try contradiction; [|reflexivity]. destruct (Z.ltb_spec 0 k); [lia|reflexivity]. Qed.

Lemma rectified_at_least x v : 0 < v -> at_least x v -> rectified x = x.
Proof. intros Hv H. destruct x as [k| | |]; cbn in H |- *; try contradiction; [|reflexivity]. destruct (Z.ltb_spec 0 k); [reflexivity|lia]. Qed.
