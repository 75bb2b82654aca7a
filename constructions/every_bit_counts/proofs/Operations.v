(* Sums over tokens by invariants, sums of whole numbers and small numbers, weights, and binary digits. *)
From Coq Require Import ZArith List Lia.
From EveryBitCounts Require Import Arithmetic Statement Rounding.
Import ListNotations.
Local Open Scope Z_scope.

(* The sum over tokens a to b, begun at s. *)
Definition run (p : Z) (f : Z -> num) (a b : Z) (s : num) : num := fold_left (add p) (map f (range a b)) s.

Lemma range_app a c b : a <= c + 1 -> c <= b -> range a b = range a c ++ range (c + 1) b.
Proof.
  intros H K. unfold range. replace (Z.to_nat (b - a + 1)) with (Z.to_nat (c - a + 1) + Z.to_nat (b - (c + 1) + 1))%nat by lia.
  rewrite seq_app, map_app. f_equal. apply nth_ext with (d := 0) (d' := 0).
  - rewrite !map_length, !seq_length. reflexivity.
  - intros k Hk. rewrite map_length, seq_length in Hk.
    rewrite nth_indep with (d' := a + Z.of_nat 0) by (rewrite map_length, seq_length; exact Hk).
    rewrite (map_nth (fun k => a + Z.of_nat k)), seq_nth by exact Hk.
    rewrite nth_indep with (d' := c + 1 + Z.of_nat 0) by (rewrite map_length, seq_length; exact Hk).
    rewrite (map_nth (fun k => c + 1 + Z.of_nat k)), seq_nth by exact Hk. lia.
Qed.

Lemma run_app p f a c b s : a <= c + 1 -> c <= b -> run p f a b s = run p f (c + 1) b (run p f a c s).
Proof. intros H K. unfold run. rewrite (range_app a c b H K), map_app. apply fold_left_app. Qed.

Lemma run_one p f a s : run p f a a s = add p s (f a).
Proof. unfold run, range. replace (Z.to_nat (a - a + 1)) with 1%nat by lia. cbn. rewrite Z.add_0_r. reflexivity. Qed.

Lemma run_none p f a b s : b < a -> run p f a b s = s.
Proof. intros H. unfold run, range. replace (Z.to_nat (b - a + 1)) with 0%nat by lia. reflexivity. Qed.

Lemma run_invariant p f (I : Z -> num -> Prop) a b s : a <= b + 1 -> I a s ->
  (forall i t, a <= i <= b -> I i t -> I (i + 1) (add p t (f i))) -> I (b + 1) (run p f a b s).
Proof.
  intros H B Step. assert (G : forall k, a + Z.of_nat k <= b + 1 -> I (a + Z.of_nat k) (run p f a (a + Z.of_nat k - 1) s)).
  { induction k as [|k IH]; intros Hk.
    - rewrite run_none by lia. replace (a + Z.of_nat 0) with a by lia. exact B.
    - rewrite (run_app p f a (a + Z.of_nat k - 1)) by lia. replace (a + Z.of_nat (S k) - 1) with (a + Z.of_nat k - 1 + 1) by lia.
      rewrite run_one. replace (a + Z.of_nat (S k)) with (a + Z.of_nat k - 1 + 1 + 1) by lia. apply Step; [lia|].
      replace (a + Z.of_nat k - 1 + 1) with (a + Z.of_nat k) by lia. apply IH. lia. }
  specialize (G (Z.to_nat (b + 1 - a))). replace (a + Z.of_nat (Z.to_nat (b + 1 - a))) with (b + 1) in G by lia.
  replace (b + 1 - 1) with b in G by lia. apply G. lia.
Qed.

Lemma run_same p f a b s : (forall i, a <= i <= b -> add p s (f i) = s) -> a <= b + 1 -> run p f a b s = s.
Proof. intros H K. apply (run_invariant p f (fun _ t => t = s)); [exact K|reflexivity|]. intros i t Hi E. rewrite E. apply H, Hi. Qed.

(* Sums. *)
Lemma add_exact p a b : 2 <= p -> representable p (a + b) -> add p (Fin a) (Fin b) = Fin (a + b).
Proof. intros Hp H. apply round_fixed; assumption. Qed.

Lemma Q_two p : 2 <= p -> Q p = 2 * 2 ^ (p - 2).
Proof. intros H. unfold Q. rewrite pow_succ by lia. do 2 f_equal. lia. Qed.

(* An integer up to 2Q never grows: between Q and 2Q, an odd one is a tie. *)
Lemma round_shrinks p x : 3 <= p -> Z.abs x <= 2 * Q p ->
  exists r, round p x 1 = Fin r /\ representable p r /\ Z.abs r <= Z.abs x /\ (0 <= x -> 0 <= r) /\ (x <= 0 -> r <= 0).
Proof.
  intros Hp3 Hx. assert (Hp1 : 1 <= p) by lia. assert (Hp : 2 <= p) by lia. pose proof (Q_pos p Hp1) as HQ. pose proof (Q_two p Hp) as E2.
  destruct (Z_le_gt_dec (Z.abs x) (Q p)) as [S|L].
  - exists x. pose proof (representable_small p x Hp S) as R. split. apply round_fixed; assumption. repeat split; lia || assumption.
  - assert (HM : magnitude p (Z.abs x) 1 <= Z.abs x).
    { pose proof (Z.div_mod (Z.abs x) 2) as D. pose proof (Z.mod_pos_bound (Z.abs x) 2) as B.
      destruct (Z.eq_dec (Z.abs x mod 2) 0) as [O|O].
      - apply magnitude_le; try lia. replace (Z.abs x) with ((Z.abs x / 2) * 2 ^ 1) by lia.
        apply representable_scaled; lia.
      - assert (V : magnitude p (Z.abs x) 1 = Z.abs x - 1).
        { assert (X : exponent p (Z.abs x) 1 = 1).
          { unfold exponent. replace (Z.abs x / (1 * Q p)) with 1. cbn. lia. apply Z.div_unique with (r := Z.abs x - Q p); lia. }
          apply (magnitude_near _ _ _ _ (Z.abs x / 2)); try lia; rewrite X; lia. }
        lia. }
    pose proof (magnitude_nonneg p (Z.abs x) 1 Hp1) as N.
    assert (TL : Z.abs x <= largest p).
    { unfold largest. assert (4 <= Q p). { rewrite E2, pow_succ by lia. pose proof (pow_pos (p - 2 - 1)). lia. }
      assert (3 * Q p <= (Q p - 1) * Q p) by (apply Z.mul_le_mono_nonneg_r; lia). lia. }
    exists (Z.sgn x * magnitude p (Z.abs x) 1). split. apply round_magnitude; [reflexivity|lia].
    pose proof (magnitude_representable p (Z.abs x) 1) as R. destruct (Z.sgn_spec x) as [[A B]|[[A B]|[A B]]]; rewrite B.
    + rewrite Z.mul_1_l. repeat split; try lia. apply R; lia.
    + exfalso. lia.
    + replace (-1 * magnitude p (Z.abs x) 1) with (- magnitude p (Z.abs x) 1) by lia.
      repeat split; try lia. apply representable_opp, R; lia.
Qed.

(* Whole numbers up to the largest; beyond it, infinity. *)
Definition cap (p k : Z) : num := if k <? Q p then Fin (k * Q p) else PInf.

Lemma cap_add p a b : 2 <= p -> 0 <= a -> 0 <= b < Q p -> add p (cap p a) (Fin (b * Q p)) = cap p (a + b).
Proof.
  intros Hp Ha Hb. pose proof (Q_pos p). unfold cap. destruct (Z.ltb_spec a (Q p)) as [A|A]; destruct (Z.ltb_spec (a + b) (Q p)) as [B|B].
  - rewrite add_exact; [f_equal; ring|lia|]. rewrite <- Z.mul_add_distr_r. apply representable_whole; lia.
  - cbn [add]. apply round_above; try lia. rewrite <- Z.mul_add_distr_r, Z.mul_1_r. apply Z.mul_le_mono_nonneg_r; lia.
  - lia.
  - reflexivity.
Qed.

Lemma cap_zero p a : 2 <= p -> 0 <= a -> add p (cap p a) (Fin 0) = cap p a.
Proof. intros Hp Ha. pose proof (Q_pos p). rewrite <- (Z.mul_0_l (Q p)), cap_add by lia. f_equal. lia. Qed.

Lemma whole_at_most_largest p k : 1 <= p -> k < Q p -> k * Q p <= largest p.
Proof. intros Hp Hk. pose proof (Q_pos p Hp). unfold largest. apply Z.mul_le_mono_nonneg_r; lia. Qed.

(* R4: one unit beside a whole number is rounded away. *)
Lemma cap_one p k : 2 <= p -> 1 <= k -> add p (cap p k) (Fin 1) = cap p k.
Proof.
  intros Hp Hk. pose proof (Q_two p Hp) as E2. pose proof (pow_pos (p - 2)) as P2. unfold cap. destruct (Z.ltb_spec k (Q p)) as [K|K]; [|reflexivity].
  pose proof (Z.mul_pos_pos k (Q p)) as HkQ. cbn [add]. assert (A : Z.abs (k * Q p + 1) = k * Q p + 1) by lia.
  rewrite (round_magnitude p _ _ (k * Q p)).
  - rewrite Z.sgn_pos by lia. f_equal. lia.
  - rewrite A. destruct (exponent_bounds p (k * Q p + 1) 1) as (B & _ & _); try lia.
    assert (E : exponent p (k * Q p + 1) 1 = Z.min (p - 1) (digits k)).
    { unfold exponent. do 2 f_equal. symmetry. apply Z.div_unique with (r := 1); lia. }
    assert (G : 1 <= digits k). { unfold digits. destruct (Z.eqb_spec k 0). lia. pose proof (Z.log2_nonneg k). lia. }
    pose proof (pow_le 1 (exponent p (k * Q p + 1) 1)) as X. change (2 ^ 1) with 2 in X.
    apply (magnitude_near _ _ _ _ (k * 2 ^ (p - 1 - exponent p (k * Q p + 1) 1))); try lia.
    unfold Q at 1. apply multiple_of_lower. lia.
  - apply whole_at_most_largest; lia.
Qed.

Lemma grows t : 0 <= t -> t < 2 ^ t.
Proof. intros H. apply Z.pow_gt_lin_r; lia. Qed.

(* p units and 2^(p-3) twice: from p = 6 on the units are rounded away; for p = 3, 4, 5 by computation. *)
Lemma residues p : 3 <= p -> add p (add p (Fin p) (Fin (2 ^ (p - 3) * Q p))) (Fin (2 ^ (p - 3) * Q p)) = Fin (2 ^ (p - 2) * Q p).
Proof.
  intros Hp. destruct (Z_lt_le_dec p 6) as [S|L].
  - assert (C : p = 3 \/ p = 4 \/ p = 5) by lia. destruct C as [C|[C|C]]; subst p; reflexivity.
  - pose proof (grows (p - 5)) as G.
    assert (E3 : 2 ^ (p - 3) = 2 * 2 ^ (p - 4)). { rewrite pow_succ by lia. do 2 f_equal. lia. }
    assert (E4 : 2 ^ (p - 4) = 2 * 2 ^ (p - 5)). { rewrite pow_succ by lia. do 2 f_equal. lia. }
    assert (E2 : 2 ^ (p - 2) = 2 * 2 ^ (p - 3)). { rewrite pow_succ by lia. do 2 f_equal. lia. }
    assert (EQ : Q p = 2 * 2 ^ (p - 2)) by (apply Q_two; lia).
    assert (HA : add p (Fin p) (Fin (2 ^ (p - 3) * Q p)) = Fin (2 ^ (p - 3) * Q p)).
    { pose proof (Z.mul_pos_pos (2 ^ (p - 3)) (Q p)) as X.
      assert (A : Z.abs (p + 2 ^ (p - 3) * Q p) = p + 2 ^ (p - 3) * Q p) by lia.
      assert (E : exponent p (p + 2 ^ (p - 3) * Q p) 1 = p - 2).
      { unfold exponent. replace ((p + 2 ^ (p - 3) * Q p) / (1 * Q p)) with (2 ^ (p - 3)) by (apply Z.div_unique with (r := p); lia).
        unfold digits. destruct (Z.eqb_spec (2 ^ (p - 3)) 0) as [Z0|Z0]. lia. rewrite Z.log2_pow2 by lia. lia. }
      cbn [add]. rewrite (round_magnitude p _ _ (2 ^ (p - 3) * Q p)).
      - rewrite Z.sgn_pos by lia. f_equal. lia.
      - rewrite A. apply (magnitude_near _ _ _ _ (2 ^ (p - 2))); try lia; rewrite E; lia.
      - apply whole_at_most_largest; lia. }
    rewrite HA, add_exact; [f_equal; lia|lia|]. replace (2 ^ (p - 3) * Q p + 2 ^ (p - 3) * Q p) with (2 ^ (p - 2) * Q p) by lia.
    apply representable_whole; lia.
Qed.

(* c units beside 2^e are rounded away, if they are at most half a spacing. *)
Lemma beside p c e : 3 <= p -> 0 <= e <= p - 2 -> 0 <= c -> 2 * c <= 2 ^ (e + 1) -> add p (Fin c) (Fin (2 ^ e * Q p)) = Fin (2 ^ e * Q p).
Proof.
  intros Hp He Hc HB. pose proof (pow_le (e + 1) (p - 1)) as PL. fold (Q p) in PL. pose proof (pow_pos e) as PE. pose proof (Q_pos p) as HQ.
  pose proof (Z.mul_pos_pos (2 ^ e) (Q p)) as X. assert (A : Z.abs (c + 2 ^ e * Q p) = c + 2 ^ e * Q p) by lia.
  assert (E : exponent p (c + 2 ^ e * Q p) 1 = e + 1).
  { unfold exponent. replace ((c + 2 ^ e * Q p) / (1 * Q p)) with (2 ^ e) by (apply Z.div_unique with (r := c); lia).
    unfold digits. destruct (Z.eqb_spec (2 ^ e) 0) as [Z0|Z0]. lia. rewrite Z.log2_pow2 by lia. lia. }
  cbn [add]. rewrite (round_magnitude p _ _ (2 ^ e * Q p)).
  - rewrite Z.sgn_pos by lia. f_equal. lia.
  - rewrite A. apply (magnitude_near _ _ _ _ (2 ^ (p - 1 - 1))); try lia; rewrite E; try lia.
    replace (2 ^ e * Q p) with (2 ^ (e + (p - 1))) by (unfold Q; rewrite Z.pow_add_r by lia; reflexivity).
    rewrite <- Z.pow_add_r by lia. f_equal. lia.
  - apply whole_at_most_largest; [lia|]. unfold Q. apply Z.pow_lt_mono_r; lia.
Qed.

(* Products. *)
Lemma mul_whole p a c : 2 <= p -> representable p (a * c) -> mul p (Fin a) (whole p c) = Fin (a * c).
Proof. intros Hp H. unfold whole, mul. rewrite Z.mul_assoc. apply round_exact; [lia|apply Q_pos; lia|exact H]. Qed.

Lemma power_exact p k : 2 <= p -> - (p - 1) <= k <= p - 2 -> power_of_two p (whole p k) = Fin (2 ^ (p - 1 + k)).
Proof.
  intros Hp Hk. pose proof (Q_pos p) as HQ. unfold power_of_two, whole. cbv zeta. rewrite Z.mod_mul, Z.div_mul by lia. cbn [Z.eqb].
  destruct (Z.leb_spec 0 k) as [K|K].
  - replace (2 ^ (p - 1 + k)) with (2 ^ k * Q p) by (unfold Q; rewrite <- Z.pow_add_r by lia; f_equal; lia).
    apply round_fixed; [lia|]. apply representable_whole; [lia|]. pose proof (pow_pos k). unfold Q. rewrite Z.abs_eq by lia. apply Z.pow_lt_mono_r; lia.
  - assert (E : Q p = 2 ^ (p - 1 + k) * 2 ^ (- k)). { unfold Q. rewrite <- Z.pow_add_r by lia. f_equal. lia. }
    rewrite E. apply round_exact; [lia|apply pow_pos; lia|]. apply representable_small; [lia|].
    pose proof (pow_pos (p - 1 + k)). rewrite Z.abs_eq by lia. unfold Q. apply pow_le; lia.
Qed.

(* Binary digits: y = ... b_k (y mod 2^k). *)
Lemma mod_step y k : 0 <= k -> y mod 2 ^ (k + 1) = (if Z.testbit y k then 2 ^ k else 0) + y mod 2 ^ k.
Proof.
  intros Hk. pose proof (pow_pos k Hk) as Pk. replace (2 ^ (k + 1)) with (2 ^ k * 2) by (rewrite Z.pow_add_r by lia; reflexivity).
  rewrite Z.rem_mul_r by lia. pose proof (Z.testbit_spec' y k Hk) as T. rewrite <- T. destruct (Z.testbit y k); cbn [Z.b2z]; lia.
Qed.

Lemma mod_below y k p : 0 <= k <= p -> y mod 2 ^ k <= y mod 2 ^ p.
Proof.
  intros Hk. replace (2 ^ p) with (2 ^ k * 2 ^ (p - k)) by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
  pose proof (pow_pos k) as P1. pose proof (pow_pos (p - k)) as P2. rewrite Z.rem_mul_r by lia.
  pose proof (Z.mod_pos_bound (y / 2 ^ k) (2 ^ (p - k))) as B. pose proof (Z.mul_nonneg_nonneg (2 ^ k) ((y / 2 ^ k) mod 2 ^ (p - k))). lia.
Qed.
