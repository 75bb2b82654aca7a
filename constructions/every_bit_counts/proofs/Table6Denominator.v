(* The denominator of the corrected Table 6 compares the last p-1 bits: it is the largest number where they agree, and infinite where y's
   are smaller. What the other tokens weigh is rounded away as soon as a bit of weight 2^(p-3) or more has been added. *)
From Coq Require Import ZArith List Lia.
From EveryBitCounts Require Import Arithmetic Statement Rounding Operations Tokens Denominator Numerator Answer Table6 Table6Tokens.
Import ListNotations.
Local Open Scope Z_scope.

(* R4: c units beside k whole ones are rounded away, if they are at most half a spacing. *)
Lemma absorbed p k c e : 3 <= p -> 0 <= e <= p - 2 -> 2 ^ e <= k -> k < Q p -> 0 <= c -> 2 * c <= 2 ^ (e + 1) -> round p (k * Q p + c) 1 = Fin (k * Q p).
Proof.
  intros Hp He Hk HkQ Hc HB. pose proof (Q_pos p) as HQ. pose proof (pow_pos e) as PE. pose proof (pow_le (e + 1) (p - 1)) as PL. fold (Q p) in PL.
  pose proof (Z.mul_pos_pos k (Q p)) as X. assert (A : Z.abs (k * Q p + c) = k * Q p + c) by lia.
  destruct (digits_bounds k) as (D0 & D1 & _); [lia|].
  assert (D : e + 1 <= digits k).
  { destruct (Z_lt_le_dec e (digits k)) as [L|L]; [lia|]. pose proof (pow_le (digits k) e L). lia. }
  assert (E : exponent p (k * Q p + c) 1 = Z.min (p - 1) (digits k)).
  { unfold exponent. do 2 f_equal. symmetry. apply Z.div_unique with (r := c); lia. }
  rewrite (round_magnitude p _ _ (k * Q p)).
  - rewrite Z.sgn_pos by lia. f_equal. lia.
  - rewrite A. pose proof (pow_le (e + 1) (exponent p (k * Q p + c) 1)) as Y.
    apply (magnitude_near _ _ _ _ (k * 2 ^ (p - 1 - exponent p (k * Q p + c) 1))); try lia.
    unfold Q at 1. apply multiple_of_lower. lia.
  - apply whole_at_most_largest; lia.
Qed.

(* A finite result. *)
Definition within (p lo hi : Z) (s : num) : Prop := exists v, s = Fin v /\ representable p v /\ lo <= v <= hi.

Lemma round_within p x lo hi : 2 <= p -> representable p lo -> representable p hi -> 0 <= lo -> lo <= x <= hi -> within p lo hi (round p x 1).
Proof.
  intros Hp Rl Rh Hl Hx. assert (G : lo <= magnitude p x 1) by (apply magnitude_ge; lia || assumption).
  assert (L : magnitude p x 1 <= hi) by (apply magnitude_le; lia || assumption).
  assert (B : Z.abs hi <= largest p) by (apply representable_largest; lia || assumption).
  exists (magnitude p x 1). split; [|split; [apply magnitude_representable; lia|lia]].
  rewrite (round_magnitude p x 1 (magnitude p x 1)); [|rewrite Z.abs_eq by lia; reflexivity|lia].
  destruct (Z.eq_dec x 0) as [E|E].
  - subst x. cbn [Z.sgn]. pose proof (Q_pos p). assert (M0 : magnitude p 0 1 <= 0) by (apply magnitude_le; try lia; apply representable_small; lia). f_equal. lia.
  - rewrite Z.sgn_pos by lia. f_equal. lia.
Qed.

(* A power of two that is added to a larger number is never rounded up. *)
Lemma power_beside p t e : 3 <= p -> representable p t -> 0 <= e -> 2 ^ e <= t -> magnitude p (t + 2 ^ e) 1 <= t + 2 ^ e.
Proof.
  intros Hp Rt He Ht. pose proof (pow_pos e He) as PE. assert (Hp1 : 1 <= p) by lia. pose proof (Q_pos p Hp1) as HQ.
  assert (T : magnitude p t 1 = t).
  { assert (magnitude p t 1 <= t) by (apply magnitude_le; lia || assumption).
    assert (t <= magnitude p t 1) by (apply magnitude_ge; lia || assumption). lia. }
  destruct (magnitude_bounds p t 1) as (k & K & Hk & _); try lia. rewrite T in K.
  destruct (exponent_bounds p t 1) as (F0 & _ & F2); try lia.
  destruct (magnitude_bounds p (t + 2 ^ e) 1) as (l & L & Hl & LB); try lia.
  destruct (exponent_bounds p (t + 2 ^ e) 1) as (G0 & G1 & _); try lia.
  rewrite L. set (f := exponent p t 1) in *. set (g := exponent p (t + 2 ^ e) 1) in *.
  pose proof (pow_pos f) as PF. pose proof (pow_pos g) as PG.
  destruct (Z_le_gt_dec g f) as [C|C].
  - assert (E : t = k * 2 ^ (f - g) * 2 ^ g) by (rewrite K; apply multiple_of_lower; lia).
    set (X := k * 2 ^ (f - g)) in *. destruct (Z_le_gt_dec g e) as [D|D].
    + assert (E2 : 2 ^ e = 2 ^ (e - g) * 2 ^ g) by (apply pow_split; lia). rewrite E, E2 in LB |- *. rewrite <- Z.mul_add_distr_r.
      apply Z.mul_le_mono_nonneg_r; [lia|]. set (V := 2 ^ (e - g)) in *. set (w := 2 ^ g) in *.
      assert (LT : (2 * l - 1) * w < (2 * (X + V)) * w) by lia. apply Z.mul_lt_mono_pos_r in LT; lia.
    + assert (E2 : 2 * 2 ^ e <= 2 ^ g). { pose proof (pow_succ g). pose proof (pow_le e (g - 1)). lia. }
      set (w := 2 ^ g) in *. assert (LT : (2 * l - 1) * w < (2 * X + 1) * w) by lia. apply Z.mul_lt_mono_pos_r in LT; [|lia].
      assert (LE : l * w <= X * w) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
  - assert (FP : t < 2 ^ f * (1 * Q p)) by (apply F2; lia). assert (GP : 2 ^ (g - 1) * (1 * Q p) <= t + 2 ^ e) by (apply G1; lia).
    destruct (Z_le_gt_dec f e) as [D|D].
    + assert (E2 : 2 ^ e = 2 ^ (e - f) * 2 ^ f) by (apply pow_split; lia).
      assert (C2 : g = f + 1).
      { destruct (Z_le_gt_dec g (f + 1)) as [|N]; [lia|]. exfalso. pose proof (pow_le (f + 1) (g - 1)) as PL. pose proof (pow_succ (f + 1)) as PS.
        replace (f + 1 - 1) with f in PS by lia. assert (2 ^ (f + 1) * Q p <= 2 ^ (g - 1) * Q p) by (apply Z.mul_le_mono_nonneg_r; lia).
        rewrite PS in * by lia. lia. }
      assert (E3 : 2 ^ g = 2 * 2 ^ f). { rewrite C2. pose proof (pow_succ (f + 1)) as PS. replace (f + 1 - 1) with f in PS by lia. lia. }
      rewrite E3, K, E2 in LB |- *. set (V := 2 ^ (e - f)) in *. set (w := 2 ^ f) in *.
      assert (LT : (2 * l - 1) * w < (k + V) * w) by lia. apply Z.mul_lt_mono_pos_r in LT; [|lia].
      assert (LE : (2 * l) * w <= (k + V) * w) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
    + exfalso. assert (E2 : 2 ^ e <= 2 ^ (f - 1)) by (apply pow_le; lia). pose proof (pow_succ f) as PS.
      assert (LT : k * 2 ^ f < Q p * 2 ^ f) by lia. apply Z.mul_lt_mono_pos_r in LT; [|lia].
      assert (LE : (k + 1) * 2 ^ f <= Q p * 2 ^ f) by (apply Z.mul_le_mono_nonneg_r; lia).
      assert (PL : 2 ^ f <= 2 ^ (g - 1)) by (apply pow_le; lia).
      assert (LE2 : 2 ^ f * Q p <= 2 ^ (g - 1) * Q p) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
Qed.

Lemma within_power p lo hi s e : 3 <= p -> representable p lo -> 0 <= e -> 2 ^ e <= lo -> hi + 2 ^ e <= largest p -> within p lo hi s ->
  within p lo (hi + 2 ^ e) (add p s (Fin (2 ^ e))).
Proof.
  intros Hp Rl He Hlo Hhi (v & E & R & B). subst s. cbn [add]. pose proof (pow_pos e He) as PE.
  assert (U : magnitude p (v + 2 ^ e) 1 <= v + 2 ^ e) by (apply power_beside; lia || assumption).
  assert (G : lo <= magnitude p (v + 2 ^ e) 1) by (apply magnitude_ge; lia || assumption).
  exists (magnitude p (v + 2 ^ e) 1). split; [|split; [apply magnitude_representable; lia|lia]].
  rewrite (round_magnitude p _ 1 (magnitude p (v + 2 ^ e) 1)); [|rewrite Z.abs_eq by lia; reflexivity|lia].
  rewrite Z.sgn_pos by lia. f_equal. lia.
Qed.

(* The weights, step by step, in terms of unit = 2^(p-7). *)
Lemma weights_6 p y z i : 7 <= p ->
  (i = -1 -> weight_6 p y z i = 2) /\ (0 <= i <= 2 -> weight_6 p y z i = 2 ^ (p - 1 - six p)) /\
  (3 <= i <= 6 -> weight_6 p y z i = 2 ^ (p - 7)) /\ (7 <= i <= p -> weight_6 p y z i = 2 ^ (p + 1 - i)) /\
  (p + 1 <= i <= 2 * p - 1 -> weight_6 p y z i = if Z.testbit y (2 * p - 1 - i) then 0 else 2 ^ (2 * p - 1 - i) * Q p) /\
  (2 * p <= i <= 2 * p + 1 -> weight_6 p y z i = 2 ^ (p - 1 - six p)) /\ (i = 2 * p + 2 -> weight_6 p y z i = 2 ^ 1) /\
  (i = 2 * p + 3 -> weight_6 p y z i = 2 ^ (p - 1 - six p)) /\ (2 * p + 4 <= i <= 2 * p + 7 -> weight_6 p y z i = 2 ^ (p - 7)) /\
  (2 * p + 8 <= i <= 3 * p + 1 -> weight_6 p y z i = 2 ^ (3 * p + 2 - i)) /\
  (3 * p + 2 <= i <= 4 * p -> weight_6 p y z i = if Z.testbit z (4 * p - i) then 2 ^ (4 * p - i) * Q p else 0) /\
  (i = 4 * p + 1 -> weight_6 p y z i = 2) /\ (4 * p + 2 <= i -> weight_6 p y z i = 0).
Proof.
  intros Hp. unfold weight_6. repeat split; intros H; (destruct (Z.eqb_spec i (-1)); [lia || reflexivity|]);
  (destruct (Z.leb_spec i 2); [lia || reflexivity|]); (destruct (Z.leb_spec i 6); [lia || reflexivity|]);
  (destruct (Z.leb_spec i p); [lia || reflexivity|]); (destruct (Z.leb_spec i (2 * p - 1)); [lia || reflexivity|]);
  (destruct (Z.leb_spec i (2 * p + 1)); [lia || reflexivity|]); (destruct (Z.eqb_spec i (2 * p + 2)); [lia || reflexivity|]);
  (destruct (Z.eqb_spec i (2 * p + 3)); [lia || reflexivity|]); (destruct (Z.leb_spec i (2 * p + 7)); [lia || reflexivity|]);
  (destruct (Z.leb_spec i (3 * p + 1)); [lia || reflexivity|]); (destruct (Z.leb_spec i (4 * p)); [lia || reflexivity|]);
  (destruct (Z.eqb_spec i (4 * p + 1)); lia || reflexivity).
Qed.

(* The powers of two that occur, as multiples of the weight 2^-6. *)
Lemma powers_6 p : 7 <= p -> let u := 2 ^ (p - 7) in
  1 <= u /\ Q p = 64 * u /\ 2 ^ (p - 2) = 32 * u /\ 2 ^ (p - 3) = 16 * u /\ 2 ^ (p - 5) = 4 * u /\ 2 ^ (p - 6) = 2 * u /\
  u <= 2 ^ (p - 1 - six p) <= 2 * u.
Proof.
  intros Hp. cbv zeta. pose proof (pow_pos (p - 7)) as P.
  assert (E : forall a c, 1 <= a -> c = a - 1 -> 2 ^ a = 2 * 2 ^ c) by (intros a c Ha Ec; rewrite (pow_succ a) by exact Ha; do 2 f_equal; lia).
  pose proof (E (p - 6) (p - 7)) as E6. pose proof (E (p - 5) (p - 6)) as E5. pose proof (E (p - 4) (p - 5)) as E4.
  pose proof (E (p - 3) (p - 4)) as E3. pose proof (E (p - 2) (p - 3)) as E2. pose proof (E (p - 1) (p - 2)) as E1. clear E. unfold Q.
  pose proof (six_bounds p Hp) as S. assert (C : six p = 5 \/ six p = 6) by lia.
  destruct C as [C|C]; rewrite C; [replace (p - 1 - 5) with (p - 6) by lia|replace (p - 1 - 6) with (p - 7) by lia]; lia.
Qed.

(* Steps 1 to 8. *)
Lemma start_6 p f y z : 7 <= p -> (forall i, -1 <= i -> f i = Fin (weight_6 p y z i)) -> let u := 2 ^ (p - 7) in
  within p (2 * u) (16 * u) (run p f (-1) p (Fin 0)).
Proof.
  intros Hp Hf. cbv zeta. destruct (powers_6 p Hp) as (U1 & UQ & _ & _ & U5 & U6 & UA). pose proof (weights_6 p y z) as W.
  set (u := 2 ^ (p - 7)) in *. set (a := 2 ^ (p - 1 - six p)) in *.
  assert (S : forall v, 0 <= v <= Q p -> representable p v) by (intros v Hv; apply representable_small; lia).
  rewrite (run_app _ _ _ (-1)), (run_app _ _ (-1 + 1) 2), (run_app _ _ (2 + 1) 6) by lia. rewrite run_one, Hf by lia.
  destruct (W (-1) Hp) as (W1 & _). rewrite W1 by reflexivity. clear W1. rewrite add_exact by (try apply S; lia).
  assert (I2 : run p f (-1 + 1) 2 (Fin (0 + 2)) = Fin (2 + (2 + 1) * a)).
  { apply (run_invariant p f (fun i s => s = Fin (2 + i * a))); [lia|f_equal; lia|].
    intros i s Hi E. destruct (W i Hp) as (_ & W2 & _). rewrite E, Hf, W2 by lia. rewrite add_exact; [f_equal; lia|lia|].
    assert (C : i = 0 \/ i = 1 \/ i = 2) by lia. apply S. destruct C as [C|[C|C]]; rewrite C; lia. }
  rewrite I2. assert (I6 : run p f (2 + 1) 6 (Fin (2 + (2 + 1) * a)) = Fin (2 + 3 * a + (6 + 1 - 3) * u)).
  { apply (run_invariant p f (fun i s => s = Fin (2 + 3 * a + (i - 3) * u))); [lia|f_equal; lia|].
    intros i s Hi E. destruct (W i Hp) as (_ & _ & W3 & _). rewrite E, Hf, W3 by lia. rewrite add_exact; [f_equal; lia|lia|].
    assert (C : i = 3 \/ i = 4 \/ i = 5 \/ i = 6) by lia. apply S. destruct C as [C|[C|[C|C]]]; rewrite C; lia. }
  rewrite I6. assert (I8 : run p f (6 + 1) p (Fin (2 + 3 * a + (6 + 1 - 3) * u)) = Fin (2 + 3 * a + 8 * u - 2 ^ (p + 2 - (p + 1)))).
  { apply (run_invariant p f (fun i s => s = Fin (2 + 3 * a + 8 * u - 2 ^ (p + 2 - i)))); [lia| |].
    - f_equal. replace (p + 2 - (6 + 1)) with (p - 5) by lia. lia.
    - intros i s Hi E. destruct (W i Hp) as (_ & _ & _ & W4 & _). rewrite E, Hf, W4 by lia. pose proof (pow_succ (p + 2 - i)) as PS.
      replace (p + 2 - i - 1) with (p + 1 - i) in PS by lia. replace (p + 2 - (i + 1)) with (p + 1 - i) by lia.
      pose proof (pow_le (p + 1 - i) (p - 6)) as PL. pose proof (pow_pos (p + 1 - i)) as PP.
      rewrite add_exact; [f_equal; lia|lia|]. apply S. lia. }
  rewrite I8. replace (p + 2 - (p + 1)) with 1 by lia. change (2 ^ 1) with 2. eexists. split; [reflexivity|]. split; [apply S; lia|lia].
Qed.

(* Step 9. What steps 1 to 8 left is at most a quarter, and nothing beside 2^(p-3) or more. *)
Definition beside_6 (p c hi : Z) (s : num) : Prop := let u := 2 ^ (p - 7) in exists v, s = Fin v /\ representable p v /\ 2 * u <= v /\ c * Q p <= v /\
  (c < 16 * u -> v <= c * Q p + hi) /\ (16 * u <= c -> v = c * Q p).

Lemma beside_zero p c hi s : 7 <= p -> beside_6 p c hi s -> beside_6 p c hi (add p s (Fin 0)).
Proof. intros Hp (v & E & R & B). exists v. subst s. rewrite add_exact by (rewrite ?Z.add_0_r; assumption || lia). rewrite Z.add_0_r. tauto. Qed.

Lemma beside_bit p c w s : 7 <= p -> 0 <= c -> 0 < w -> c + w < Q p -> beside_6 p c (16 * 2 ^ (p - 7)) s ->
  beside_6 p (c + w) (16 * 2 ^ (p - 7)) (add p s (Fin (w * Q p))).
Proof.
  intros Hp Hc Hw Hcw (v & E & R & B1 & B2 & B3 & B4). destruct (powers_6 p Hp) as (U1 & UQ & _ & U3 & _ & _ & _). set (u := 2 ^ (p - 7)) in *.
  subst s. cbn [add]. assert (WQ : Q p <= w * Q p) by (rewrite <- (Z.mul_1_l (Q p)) at 1; apply Z.mul_le_mono_nonneg_r; lia).
  assert (RW : representable p ((c + w) * Q p)) by (apply representable_whole; lia).
  assert (CQ : 0 <= c * Q p) by (apply Z.mul_nonneg_nonneg; lia).
  destruct (Z_lt_le_dec c (16 * u)) as [C|C].
  - specialize (B3 C). destruct (Z_lt_le_dec (c + w) (16 * u)) as [D|D].
    + destruct (round_within p (v + w * Q p) ((c + w) * Q p) ((c + w) * Q p + 16 * u)) as (r & RE & RR & RB); try lia; try assumption.
      * replace ((c + w) * Q p + 16 * u) with ((4 * (c + w) + 1) * 2 ^ (p - 3)) by (rewrite U3; lia).
        apply representable_scaled; lia.
      * exists r. split; [exact RE|]. split; [exact RR|]. lia.
    + exists ((c + w) * Q p). split; [|split; [exact RW|lia]].
      replace (v + w * Q p) with ((c + w) * Q p + (v - c * Q p)) by lia.
      apply (absorbed p (c + w) (v - c * Q p) (p - 3)); try lia. replace (p - 3 + 1) with (p - 2) by lia.
      pose proof (pow_succ (p - 2)) as PS. replace (p - 2 - 1) with (p - 3) in PS by lia. lia.
  - specialize (B4 C). exists ((c + w) * Q p). rewrite B4. replace (c * Q p + w * Q p) with ((c + w) * Q p) by lia.
    split; [apply round_fixed; [lia|exact RW]|]. split; [exact RW|]. lia.
Qed.

Lemma bits_y_6 p f y z s : 7 <= p -> (forall i, -1 <= i -> f i = Fin (weight_6 p y z i)) -> within p (2 * 2 ^ (p - 7)) (16 * 2 ^ (p - 7)) s ->
  beside_6 p (Q p - 1 - low (p - 1) y) (16 * 2 ^ (p - 7)) (run p f (p + 1) (2 * p - 1) s).
Proof.
  intros Hp Hf (v & E & R & B). pose proof (Q_pos p) as HQ. destruct (powers_6 p Hp) as (U1 & UQ & _).
  assert (LB : 0 <= low (p - 1) y < Q p) by (apply Z.mod_pos_bound; lia).
  assert (J : let s' := run p f (p + 1) (2 * p - 1) s in
    beside_6 p (complement p (low (p - 1) y) (2 * p - 1 + 1 - p)) (16 * 2 ^ (p - 7)) s' /\ 0 <= complement p (low (p - 1) y) (2 * p - 1 + 1 - p)).
  { cbv zeta. apply (run_invariant p f (fun i s => beside_6 p (complement p (low (p - 1) y) (i - p)) (16 * 2 ^ (p - 7)) s /\ 0 <= complement p (low (p - 1) y) (i - p))).
    - lia.
    - replace (p + 1 - p) with 1 by lia. assert (C : complement p (low (p - 1) y) 1 = 0).
      { unfold complement. fold (Q p). rewrite Z.mod_small by lia. lia. }
      rewrite C. split; [|lia]. exists v. split; [exact E|]. split; [exact R|]. lia.
    - intros i t Hi [I N]. replace (i + 1 - p) with (i - p + 1) by lia. rewrite complement_step by lia.
      destruct (weights_6 p y z i Hp) as (_ & _ & _ & _ & W & _). rewrite Hf, W by lia.
      replace (p - 1 - (i - p)) with (2 * p - 1 - i) by lia.
      assert (TB : Z.testbit (low (p - 1) y) (2 * p - 1 - i) = Z.testbit y (2 * p - 1 - i)) by (apply Z.mod_pow2_bits_low; lia).
      rewrite TB. pose proof (pow_pos (2 * p - 1 - i)) as PP. destruct (Z.testbit y (2 * p - 1 - i)) eqn:TE.
      + rewrite Z.add_0_r. split; [apply beside_zero; [exact Hp|exact I]|exact N].
      + split; [|lia]. apply beside_bit; try lia; [|exact I].
        pose proof (complement_step p (low (p - 1) y) (i - p)) as CS. replace (p - 1 - (i - p)) with (2 * p - 1 - i) in CS by lia.
        rewrite TB in CS. rewrite <- CS by lia. unfold complement. pose proof (pow_pos (p - (i - p + 1))) as P3.
        pose proof (Z.mod_pos_bound (low (p - 1) y) (2 ^ (p - (i - p + 1)))) as MB. lia. }
  cbv zeta in J. destruct J as [J _]. replace (Q p - 1 - low (p - 1) y) with (complement p (low (p - 1) y) (2 * p - 1 + 1 - p)); [exact J|].
  unfold complement. replace (p - (2 * p - 1 + 1 - p)) with 0 by lia. change (2 ^ 0) with 1. rewrite Z.mod_1_r. lia.
Qed.

(* Steps 10 to 17: powers of two, 14 u in all at the most. *)
Lemma residue_weight p y z i : 7 <= p -> 2 * p <= i <= 3 * p + 1 -> exists e, 0 <= e /\ weight_6 p y z i = 2 ^ e /\ 2 ^ e <= 2 * 2 ^ (p - 7).
Proof.
  intros Hp Hi. destruct (powers_6 p Hp) as (U1 & _ & _ & _ & _ & U6 & UA). pose proof (six_bounds p Hp) as S.
  destruct (weights_6 p y z i Hp) as (_ & _ & _ & _ & _ & W1 & W2 & W3 & W4 & W5 & _).
  destruct (Z_le_gt_dec i (2 * p + 1)). { exists (p - 1 - six p). rewrite W1 by lia. lia. }
  destruct (Z.eq_dec i (2 * p + 2)). { exists 1. rewrite W2 by lia. change (2 ^ 1) with 2. lia. }
  destruct (Z.eq_dec i (2 * p + 3)). { exists (p - 1 - six p). rewrite W3 by lia. lia. }
  destruct (Z_le_gt_dec i (2 * p + 7)). { exists (p - 7). rewrite W4 by lia. lia. }
  exists (3 * p + 2 - i). rewrite W5 by lia. pose proof (pow_le (3 * p + 2 - i) (p - 6)). lia.
Qed.

Lemma residues_6 p f y z c s : 7 <= p -> (forall i, -1 <= i -> f i = Fin (weight_6 p y z i)) -> 0 <= c < Q p -> beside_6 p c (16 * 2 ^ (p - 7)) s ->
  beside_6 p c (32 * 2 ^ (p - 7)) (run p f (2 * p) (3 * p + 1) s).
Proof.
  intros Hp Hf Hc (v & E & R & B1 & B2 & B3 & B4). destruct (powers_6 p Hp) as (U1 & UQ & U2 & U3 & U5 & U6 & UA). pose proof (six_bounds p Hp) as S6.
  set (u := 2 ^ (p - 7)) in *. set (a := 2 ^ (p - 1 - six p)) in *. assert (CQ : 0 <= c * Q p) by (apply Z.mul_nonneg_nonneg; lia).
  destruct (Z_lt_le_dec c (16 * u)) as [C|C].
  - specialize (B3 C). set (lo := if c =? 0 then 2 * u else c * Q p).
    assert (LO : representable p lo /\ 2 * u <= lo <= v /\ c * Q p <= lo).
    { unfold lo. destruct (Z.eqb_spec c 0) as [Z0|Z0].
      - subst c. split; [apply representable_small; lia|lia].
      - split; [apply representable_whole; lia|]. assert (1 * Q p <= c * Q p) by (apply Z.mul_le_mono_nonneg_r; lia). lia. }
    destruct LO as (LR & LB & LC). set (hi := c * Q p + 16 * u).
    assert (TOP : hi + 16 * u <= largest p).
    { assert (T : (c + 1) * Q p <= (Q p - 1) * Q p) by (apply Z.mul_le_mono_nonneg_r; lia). unfold largest, hi. lia. }
    assert (G : forall i h s, 2 * p <= i <= 3 * p + 1 -> h + weight_6 p y z i <= hi + 16 * u -> within p lo h s ->
                within p lo (h + weight_6 p y z i) (add p s (f i))).
    { intros i h t Hi Hh W. rewrite Hf by lia. destruct (residue_weight p y z i Hp Hi) as (e & E0 & E1 & E2). rewrite E1 in *.
      apply within_power; lia || assumption. }
    assert (J : within p lo (hi + (3 * a + 8 * u)) (run p f (2 * p) (3 * p + 1) s)).
    { rewrite (run_app _ _ _ (2 * p + 1)), (run_app _ _ (2 * p + 1 + 1) (2 * p + 2)), (run_app _ _ (2 * p + 2 + 1) (2 * p + 3)),
        (run_app _ _ (2 * p + 3 + 1) (2 * p + 7)) by lia.
      replace (2 * p + 1 + 1) with (2 * p + 2) by lia. replace (2 * p + 2 + 1) with (2 * p + 3) by lia.
      assert (J1 : within p lo (hi + (2 * p + 1 + 1 - 2 * p) * a) (run p f (2 * p) (2 * p + 1) s)).
      { apply (run_invariant p f (fun i s => within p lo (hi + (i - 2 * p) * a) s)).
        - lia.
        - exists v. split; [exact E|]. split; [exact R|]. lia.
        - intros i t Hi I. destruct (weights_6 p y z i Hp) as (_ & _ & _ & _ & _ & W & _). fold a in W.
          replace (hi + (i + 1 - 2 * p) * a) with (hi + (i - 2 * p) * a + weight_6 p y z i) by (rewrite W by lia; ring).
          apply G; [lia| |exact I]. rewrite W by lia. assert (D : i = 2 * p \/ i = 2 * p + 1) by lia.
          destruct D as [D|D]; rewrite D; lia. }
      replace (2 * p + 1 + 1 - 2 * p) with 2 in J1 by lia. set (s1 := run p f (2 * p) (2 * p + 1) s) in *. rewrite !run_one.
      destruct (weights_6 p y z (2 * p + 2) Hp) as (_ & _ & _ & _ & _ & _ & W2 & _). change (2 ^ 1) with 2 in W2.
      assert (J2 : within p lo (hi + 2 * a + 2) (add p s1 (f (2 * p + 2)))).
      { rewrite <- (W2 eq_refl) at 2. apply G; [lia|rewrite W2; lia|exact J1]. }
      destruct (weights_6 p y z (2 * p + 3) Hp) as (_ & _ & _ & _ & _ & _ & _ & W3 & _). fold a in W3.
      assert (J3 : within p lo (hi + 2 * a + 2 + a) (add p (add p s1 (f (2 * p + 2))) (f (2 * p + 3)))).
      { rewrite <- (W3 eq_refl) at 2. apply G; [lia|rewrite W3; lia|exact J2]. }
      set (s3 := add p (add p s1 (f (2 * p + 2))) (f (2 * p + 3))) in *.
      assert (J4 : within p lo (hi + 3 * a + 2 + (2 * p + 7 + 1 - (2 * p + 4)) * u) (run p f (2 * p + 3 + 1) (2 * p + 7) s3)).
      { apply (run_invariant p f (fun i s => within p lo (hi + 3 * a + 2 + (i - (2 * p + 4)) * u) s)).
        - lia.
        - replace (hi + 3 * a + 2 + (2 * p + 3 + 1 - (2 * p + 4)) * u) with (hi + 2 * a + 2 + a) by lia. exact J3.
        - intros i t Hi I. destruct (weights_6 p y z i Hp) as (_ & _ & _ & _ & _ & _ & _ & _ & W & _). fold u in W.
          replace (hi + 3 * a + 2 + (i + 1 - (2 * p + 4)) * u) with (hi + 3 * a + 2 + (i - (2 * p + 4)) * u + weight_6 p y z i) by (rewrite W by lia; ring).
          apply G; [lia| |exact I]. rewrite W by lia. assert (D : i = 2 * p + 4 \/ i = 2 * p + 5 \/ i = 2 * p + 6 \/ i = 2 * p + 7) by lia.
          destruct D as [D|[D|[D|D]]]; rewrite D; lia. }
      set (s4 := run p f (2 * p + 3 + 1) (2 * p + 7) s3) in *.
      assert (J5 : within p lo (hi + 3 * a + 2 + 8 * u - 2 ^ (3 * p + 3 - (3 * p + 1 + 1))) (run p f (2 * p + 7 + 1) (3 * p + 1) s4)).
      { apply (run_invariant p f (fun i s => within p lo (hi + 3 * a + 2 + 8 * u - 2 ^ (3 * p + 3 - i)) s)).
        - lia.
        - replace (3 * p + 3 - (2 * p + 7 + 1)) with (p - 5) by lia.
          replace (hi + 3 * a + 2 + 8 * u - 2 ^ (p - 5)) with (hi + 3 * a + 2 + (2 * p + 7 + 1 - (2 * p + 4)) * u) by lia. exact J4.
        - intros i t Hi I. destruct (weights_6 p y z i Hp) as (_ & _ & _ & _ & _ & _ & _ & _ & _ & W & _).
          pose proof (pow_succ (3 * p + 3 - i)) as PS. replace (3 * p + 3 - i - 1) with (3 * p + 2 - i) in PS by lia. pose proof (pow_pos (3 * p + 2 - i)) as PP.
          replace (3 * p + 3 - (i + 1)) with (3 * p + 2 - i) by lia.
          replace (hi + 3 * a + 2 + 8 * u - 2 ^ (3 * p + 2 - i)) with (hi + 3 * a + 2 + 8 * u - 2 ^ (3 * p + 3 - i) + weight_6 p y z i) by (rewrite W by lia; lia).
          apply G; [lia| |exact I]. rewrite W by lia. pose proof (pow_le 1 (3 * p + 2 - i)) as P1. change (2 ^ 1) with 2 in P1. lia. }
      replace (3 * p + 3 - (3 * p + 1 + 1)) with 1 in J5 by lia. change (2 ^ 1) with 2 in J5.
      replace (hi + (3 * a + 8 * u)) with (hi + 3 * a + 2 + 8 * u - 2) by lia. exact J5. }
    destruct J as (w & WE & WR & WB). exists w. split; [exact WE|]. split; [exact WR|]. unfold hi in WB. fold u. lia.
  - specialize (B4 C). exists v. fold u. split; [|split; [exact R|lia]]. rewrite E. apply run_same; [|lia]. intros i Hi. rewrite Hf by lia.
    destruct (residue_weight p y z i Hp Hi) as (e & E0 & E1 & E2). fold u in E2. rewrite E1, B4. cbn [add]. pose proof (pow_pos e E0) as PE.
    apply (absorbed p c (2 ^ e) (p - 3)); try lia. replace (p - 3 + 1) with (p - 2) by lia. lia.
Qed.

(* Step 18, from a token on. *)
Lemma bits_z_6 p f y z k i0 : 7 <= p -> (forall i, -1 <= i -> f i = Fin (weight_6 p y z i)) -> 0 <= k -> 3 * p + 2 <= i0 <= 4 * p + 1 ->
  run p f i0 (4 * p) (cap p (k + low (p - 1) z - z mod 2 ^ (4 * p + 1 - i0))) = cap p (k + low (p - 1) z).
Proof.
  intros Hp Hf Hk Hi0. pose proof (Q_pos p) as HQ.
  assert (J : run p f i0 (4 * p) (cap p (k + low (p - 1) z - z mod 2 ^ (4 * p + 1 - i0))) = cap p (k + low (p - 1) z - z mod 2 ^ (4 * p + 1 - (4 * p + 1)))).
  { apply (run_invariant p f (fun i s => s = cap p (k + low (p - 1) z - z mod 2 ^ (4 * p + 1 - i)))); [lia|reflexivity|].
    intros i s Hi E. destruct (weights_6 p y z i Hp) as (_ & _ & _ & _ & _ & _ & _ & _ & _ & _ & W & _). rewrite E, Hf, W by lia.
    pose proof (mod_step z (4 * p - i)) as M. replace (4 * p - i + 1) with (4 * p + 1 - i) in M by lia.
    replace (4 * p + 1 - (i + 1)) with (4 * p - i) by lia. pose proof (pow_pos (4 * p - i)) as PP.
    assert (MB : z mod 2 ^ (4 * p + 1 - i) <= low (p - 1) z) by (apply mod_below; lia).
    destruct (Z.testbit z (4 * p - i)).
    - rewrite cap_add; [f_equal; lia|lia|lia|]. split; [lia|]. unfold Q. apply Z.pow_lt_mono_r; lia.
    - rewrite cap_zero by lia. f_equal. lia. }
  rewrite J. f_equal. replace (4 * p + 1 - (4 * p + 1)) with 0 by lia. change (2 ^ 0) with 1. rewrite Z.mod_1_r. lia.
Qed.

Theorem denominator_equal_6 p f n y z : 7 <= p -> 4 * p + 2 <= n -> (forall i, -1 <= i -> f i = Fin (weight_6 p y z i)) ->
  low (p - 1) y = low (p - 1) z -> run p f (-1) (n - 1) (Fin 0) = Fin (largest p).
Proof.
  intros Hp Hn Hf EL. pose proof (Q_pos p) as HQ. destruct (powers_6 p Hp) as (U1 & UQ & U2 & U3 & _).
  assert (LB : 0 <= low (p - 1) z < Q p) by (apply Z.mod_pos_bound; lia).
  rewrite (run_app _ _ _ p), (run_app _ _ (p + 1) (2 * p - 1)), (run_app _ _ (2 * p - 1 + 1) (3 * p + 1)), (run_app _ _ (3 * p + 1 + 1) (4 * p)), (run_app _ _ (4 * p + 1) (4 * p + 1)) by lia.
  replace (2 * p - 1 + 1) with (2 * p) by lia. replace (3 * p + 1 + 1) with (3 * p + 2) by lia.
  set (k := Q p - 1 - low (p - 1) y). assert (KB : 0 <= k < Q p) by lia.
  assert (J : beside_6 p k (32 * 2 ^ (p - 7)) (run p f (2 * p) (3 * p + 1) (run p f (p + 1) (2 * p - 1) (run p f (-1) p (Fin 0))))).
  { apply (residues_6 p f y z); try assumption. apply (bits_y_6 p f y z); try assumption. apply (start_6 p f y z); assumption. }
  destruct J as (v & E & R & B1 & B2 & B3 & B4). rewrite E. clear E. set (u := 2 ^ (p - 7)) in *.
  assert (J : run p f (3 * p + 2) (4 * p) (Fin v) = cap p (k + low (p - 1) z)).
  { destruct (Z_lt_le_dec k (16 * u)) as [C|C].
    - specialize (B3 C). rewrite (run_app _ _ _ (3 * p + 2)) by lia. rewrite run_one, Hf by lia.
      destruct (weights_6 p y z (3 * p + 2) Hp) as (_ & _ & _ & _ & _ & _ & _ & _ & _ & _ & W & _). rewrite W by lia.
      replace (4 * p - (3 * p + 2)) with (p - 2) by lia. pose proof (mod_step z (p - 2)) as M. replace (p - 2 + 1) with (p - 1) in M by lia.
      fold (low (p - 1) z) in M. pose proof (Z.mod_pos_bound z (2 ^ (p - 2))) as MB.
      destruct (Z.testbit z (p - 2)); [|lia]. cbn [add]. replace (v + 2 ^ (p - 2) * Q p) with ((k + 2 ^ (p - 2)) * Q p + (v - k * Q p)) by lia.
      rewrite (absorbed p _ _ (p - 2)); try lia.
      + assert (C2 : Fin ((k + 2 ^ (p - 2)) * Q p) = cap p (k + low (p - 1) z - z mod 2 ^ (4 * p + 1 - (3 * p + 2 + 1)))).
        { replace (4 * p + 1 - (3 * p + 2 + 1)) with (p - 2) by lia. unfold cap.
          destruct (Z.ltb_spec (k + low (p - 1) z - z mod 2 ^ (p - 2)) (Q p)); [do 2 f_equal; lia|lia]. }
        rewrite C2. apply (bits_z_6 p f y z); lia || assumption.
      + replace (p - 2 + 1) with (p - 1) by lia. fold (Q p). lia.
    - rewrite (B4 C). assert (C2 : Fin (k * Q p) = cap p (k + low (p - 1) z - z mod 2 ^ (4 * p + 1 - (3 * p + 2)))).
      { replace (4 * p + 1 - (3 * p + 2)) with (p - 1) by lia. fold (low (p - 1) z). unfold cap.
        destruct (Z.ltb_spec (k + low (p - 1) z - low (p - 1) z) (Q p)); [do 2 f_equal; lia|lia]. }
      rewrite C2. apply (bits_z_6 p f y z); lia || assumption. }
  rewrite J. replace (k + low (p - 1) z) with (Q p - 1) by lia. rewrite run_one, Hf by lia.
  destruct (weights_6 p y z (4 * p + 1) Hp) as (_ & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & W & _). rewrite W by reflexivity.
  assert (C : cap p (Q p - 1) = Fin ((Q p - 1) * Q p)). { unfold cap. destruct (Z.ltb_spec (Q p - 1) (Q p)); [reflexivity|lia]. }
  rewrite C. cbn [add]. rewrite (absorbed p _ 2 (p - 2)); try lia.
  - change (largest p) with ((Q p - 1) * Q p). apply run_same; [|lia]. intros i Hi. rewrite Hf by lia.
    destruct (weights_6 p y z i Hp) as (_ & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & _ & W0). rewrite W0 by lia.
    rewrite <- C. apply cap_zero; lia.
  - replace (p - 2 + 1) with (p - 1) by lia. fold (Q p). lia.
Qed.

(* At least k whole ones, infinity included. *)
Definition above (p k : Z) (s : num) : Prop := match s with Fin v => k < Q p /\ k * Q p <= v | PInf => True | _ => False end.

Lemma above_add p k w c s : 3 <= p -> 0 <= k -> 0 <= w -> w * Q p <= c -> above p k s -> above p (k + w) (add p s (Fin c)).
Proof.
  intros Hp Hk Hw Hc A. pose proof (Q_pos p) as HQ. pose proof (Z.mul_nonneg_nonneg w (Q p)) as W0. pose proof (Z.mul_nonneg_nonneg k (Q p)) as K0.
  destruct s as [v| | |]; cbn [above] in A; try contradiction; [|exact I]. destruct A as [A1 A2]. cbn [add].
  assert (S : (k + w) * Q p <= v + c) by lia. destruct (Z_lt_le_dec (k + w) (Q p)) as [L|L].
  - assert (G : at_least (round p (v + c) 1) ((k + w) * Q p)) by (apply round_at_least; try lia; apply representable_whole; lia).
    destruct (round p (v + c) 1) as [r| | |]; cbn in G |- *; try contradiction; [|exact I]. lia.
  - assert (M : Q p * Q p <= (k + w) * Q p) by (apply Z.mul_le_mono_nonneg_r; lia).
    rewrite round_above; [exact I|lia|lia|lia].
Qed.

Lemma above_same p f a b k s : 3 <= p -> 0 <= k -> a <= b + 1 -> (forall i, a <= i <= b -> exists c, f i = Fin c /\ 0 <= c) -> above p k s ->
  above p k (run p f a b s).
Proof.
  intros Hp Hk Hab Hf A. apply (run_invariant p f (fun _ s => above p k s)); [exact Hab|exact A|]. intros i t Hi I.
  destruct (Hf i Hi) as (c & E & C). rewrite E. replace k with (k + 0) by lia. apply above_add; lia || assumption.
Qed.

Lemma weight_6_nonneg p y z i : 7 <= p -> -1 <= i -> 0 <= weight_6 p y z i.
Proof.
  intros Hp Hi. pose proof (Q_pos p) as HQ. assert (N : forall k, 0 <= 2 ^ k) by (intros k; apply Z.pow_nonneg; lia).
  assert (NQ : forall k, 0 <= 2 ^ k * Q p) by (intros k; apply Z.mul_nonneg_nonneg; [apply N|lia]). unfold weight_6.
  destruct (i =? -1); [lia|]. destruct (i <=? 2); [apply N|]. destruct (i <=? 6); [apply N|]. destruct (i <=? p); [apply N|].
  destruct (i <=? 2 * p - 1); [destruct (Z.testbit y (2 * p - 1 - i)); [lia|apply NQ]|]. destruct (i <=? 2 * p + 1); [apply N|].
  destruct (i =? 2 * p + 2); [lia|]. destruct (i =? 2 * p + 3); [apply N|]. destruct (i <=? 2 * p + 7); [apply N|].
  destruct (i <=? 3 * p + 1); [apply N|]. destruct (i <=? 4 * p); [destruct (Z.testbit z (4 * p - i)); [apply NQ|lia]|].
  destruct (i =? 4 * p + 1); lia.
Qed.

Theorem denominator_above_6 p f n y z : 7 <= p -> 4 * p + 2 <= n -> (forall i, -1 <= i -> f i = Fin (weight_6 p y z i)) ->
  above p (Q p - 1 - low (p - 1) y + low (p - 1) z) (run p f (-1) (n - 1) (Fin 0)).
Proof.
  intros Hp Hn Hf. pose proof (Q_pos p) as HQ.
  assert (LY : 0 <= low (p - 1) y < Q p) by (apply Z.mod_pos_bound; lia). assert (LZ : 0 <= low (p - 1) z < Q p) by (apply Z.mod_pos_bound; lia).
  assert (F : forall i, -1 <= i -> exists c, f i = Fin c /\ 0 <= c).
  { intros i Hi. exists (weight_6 p y z i). split; [apply Hf, Hi|apply weight_6_nonneg; lia]. }
  rewrite (run_app _ _ _ p), (run_app _ _ (p + 1) (2 * p - 1)), (run_app _ _ (2 * p - 1 + 1) (3 * p + 1)), (run_app _ _ (3 * p + 1 + 1) (4 * p)) by lia.
  set (k := Q p - 1 - low (p - 1) y). apply above_same; try lia; [intros i Hi; apply F; lia|].
  set (s := run p f (2 * p - 1 + 1) (3 * p + 1) (run p f (p + 1) (2 * p - 1) (run p f (-1) p (Fin 0)))).
  assert (S : above p k s).
  { apply above_same; try lia; [intros i Hi; apply F; lia|].
    assert (J : let t := run p f (p + 1) (2 * p - 1) (run p f (-1) p (Fin 0)) in
      above p (complement p (low (p - 1) y) (2 * p - 1 + 1 - p)) t /\ 0 <= complement p (low (p - 1) y) (2 * p - 1 + 1 - p)).
    { cbv zeta. apply (run_invariant p f (fun i s => above p (complement p (low (p - 1) y) (i - p)) s /\ 0 <= complement p (low (p - 1) y) (i - p))).
      - lia.
      - replace (p + 1 - p) with 1 by lia. assert (C : complement p (low (p - 1) y) 1 = 0).
        { unfold complement. fold (Q p). rewrite Z.mod_small by lia. lia. }
        rewrite C. split; [|lia]. apply above_same; try lia; [intros i Hi; apply F; lia|]. cbn. lia.
      - intros i t Hi [I N]. replace (i + 1 - p) with (i - p + 1) by lia. rewrite complement_step by lia.
        destruct (weights_6 p y z i Hp) as (_ & _ & _ & _ & W & _). rewrite Hf, W by lia.
        replace (p - 1 - (i - p)) with (2 * p - 1 - i) by lia.
        assert (TB : Z.testbit (low (p - 1) y) (2 * p - 1 - i) = Z.testbit y (2 * p - 1 - i)) by (apply Z.mod_pow2_bits_low; lia).
        rewrite TB. pose proof (pow_pos (2 * p - 1 - i)) as PP. destruct (Z.testbit y (2 * p - 1 - i)).
        + split; [apply above_add; lia || assumption|lia].
        + split; [apply above_add; lia || assumption|lia]. }
    cbv zeta in J. destruct J as [J _]. replace k with (complement p (low (p - 1) y) (2 * p - 1 + 1 - p)); [exact J|].
    unfold complement, k. replace (p - (2 * p - 1 + 1 - p)) with 0 by lia. change (2 ^ 0) with 1. rewrite Z.mod_1_r. lia. }
  assert (J : let t := run p f (3 * p + 1 + 1) (4 * p) s in
    above p (k + low (p - 1) z - z mod 2 ^ (4 * p + 1 - (4 * p + 1))) t /\ 0 <= k + low (p - 1) z - z mod 2 ^ (4 * p + 1 - (4 * p + 1))).
  { cbv zeta. apply (run_invariant p f (fun i s => above p (k + low (p - 1) z - z mod 2 ^ (4 * p + 1 - i)) s /\ 0 <= k + low (p - 1) z - z mod 2 ^ (4 * p + 1 - i))).
    - lia.
    - replace (4 * p + 1 - (3 * p + 1 + 1)) with (p - 1) by lia. fold (low (p - 1) z). replace (k + low (p - 1) z - low (p - 1) z) with k by lia.
      split; [exact S|lia].
    - intros i t Hi [I N]. destruct (weights_6 p y z i Hp) as (_ & _ & _ & _ & _ & _ & _ & _ & _ & _ & W & _). rewrite Hf, W by lia.
      pose proof (mod_step z (4 * p - i)) as M. replace (4 * p - i + 1) with (4 * p + 1 - i) in M by lia.
      replace (4 * p + 1 - (i + 1)) with (4 * p - i) by lia. pose proof (pow_pos (4 * p - i)) as PP. destruct (Z.testbit z (4 * p - i)).
      + replace (k + low (p - 1) z - z mod 2 ^ (4 * p - i)) with (k + low (p - 1) z - z mod 2 ^ (4 * p + 1 - i) + 2 ^ (4 * p - i)) by lia.
        split; [apply above_add; lia || assumption|lia].
      + replace (k + low (p - 1) z - z mod 2 ^ (4 * p - i)) with (k + low (p - 1) z - z mod 2 ^ (4 * p + 1 - i) + 0) by lia.
        split; [apply above_add; lia || assumption|lia]. }
  cbv zeta in J. destruct J as [J _]. replace (4 * p + 1 - (4 * p + 1)) with 0 in J by lia. change (2 ^ 0) with 1 in J. rewrite Z.mod_1_r, Z.sub_0_r in J.
  exact J.
Qed.
