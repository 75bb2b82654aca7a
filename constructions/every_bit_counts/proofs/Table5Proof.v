(* The proof of Table5.v. The numerator compares the first p-1 bits: it is the largest number where they agree, and infinite where y's are
   smaller. The denominator compares the other p-2: it is half the largest number where they agree, and a larger whole number where y's are
   smaller. What the other tokens weigh is rounded away as soon as a bit of weight 2^(p-3) has been added. *)
From Coq Require Import ZArith List Lia.
From EveryBitCounts Require Import Arithmetic Statement Unpadded Rounding Operations Tokens Denominator Numerator Answer Proof.
From EveryBitCounts Require Import Table6 Table6Tokens Table6Denominator Table6Numerator Table6Proof Table5.
Import ListNotations.
Local Open Scope Z_scope.

(* The weight of token i in units; and half of what it adds to the column of A X, in units, or what it adds to the numerator in token
   order, in whole numbers. *)
Definition weight_5 (p y z i : Z) : Z :=
  if i <=? 6 then 2 ^ (p - 7) else if i <=? p - 1 then 2 ^ (p - i)
  else if i <=? 2 * p - 3 then (if Z.testbit y (2 * p - 3 - i) then 0 else 2 ^ (2 * p - 3 - i) * Q p)
  else if i <=? 2 * p + 3 then 2 ^ (p - 7) else if i <=? 3 * p - 4 then 2 ^ (3 * p - 3 - i)
  else if i <=? 4 * p - 6 then (if Z.testbit z (4 * p - 6 - i) then 2 ^ (4 * p - 6 - i) * Q p else 0)
  else if i =? 4 * p - 5 then 2 ^ (p - 2) else 0.

Definition half_5 (p y z i : Z) : Z :=
  if i <=? p - 1 then (if Z.testbit y (2 * p - 3 - i) then - 2 ^ (p - 1 - i) else 0) else if i <=? 2 * p - 3 then 0
  else if i <=? 3 * p - 4 then (if Z.testbit z (4 * p - 6 - i) then 2 ^ (3 * p - 4 - i) else 0) else if i <=? 4 * p - 6 then 0
  else if i =? 4 * p - 5 then Q p - 1 else 0.

Lemma reads_5_y p y z i : 8 <= p -> 1 <= i <= 2 * p - 3 -> T0 (2 * p - 3) y z i = Z.testbit y (2 * p - 3 - i).
Proof. intros Hp H. unfold T0. destruct (Z.leb_spec i (2 * p - 3)); [reflexivity|lia]. Qed.

Lemma reads_5_z p y z i : 8 <= p -> 2 * p - 2 <= i <= 4 * p - 6 -> T0 (2 * p - 3) y z i = Z.testbit z (4 * p - 6 - i).
Proof.
  intros Hp H. unfold T0, bit. destruct (Z.leb_spec i (2 * p - 3)); [lia|]. destruct (Z.leb_spec i (2 * (2 * p - 3))); [f_equal; lia|lia].
Qed.

Theorem token_5 p T y z i : 8 <= p -> asks_one p T -> 1 <= i ->
  adds_6 p T (corrected_5_row p i (T0 (2 * p - 3) y z i)) (weight_5 p y z i) (half_5 p y z i).
Proof.
  intros Hp HT Hi. pose proof (Q_pos p) as HQ. pose proof (Q_two p) as Q2.
  assert (B : forall k, 0 <= k <= p - 1 -> 0 < 2 ^ k <= Q p) by (intros k Hk; apply pow_below; lia).
  assert (Two : forall k, 1 <= k -> 2 ^ k = 2 * 2 ^ (k - 1)) by (intros k Hk; apply pow_succ; lia).
  assert (Same : forall a c, a = c -> 2 ^ a = 2 ^ c) by (intros a c H; f_equal; exact H).
  unfold corrected_5_row, weight_5, half_5. cbv zeta.
  destruct (Z.leb_spec i 6) as [L1|L1].
  { destruct (Z.leb_spec i (p - 1)); [|lia]. specialize (B (p - 1 - i)). pose proof (powers_meet (p - 7) (7 - i) (p - i)) as M.
    specialize (Two (p - i)). replace (p - i - 1) with (p - 1 - i) in Two by lia.
    rewrite reads_5_y by lia. destruct (Z.testbit y (2 * p - 3 - i)); apply adds_token; try lia; try assumption; try (apply Same; lia). }
  destruct (Z.leb_spec i (p - 1)) as [L2|L2].
  { specialize (B (p - 1 - i)). specialize (Two (p - i)). replace (p - i - 1) with (p - 1 - i) in Two by lia.
    rewrite reads_5_y by lia. destruct (Z.testbit y (2 * p - 3 - i)); apply adds_token; try lia; try assumption; try (apply Same; lia). }
  destruct (Z.leb_spec i (2 * p - 3)) as [L3|L3].
  { rewrite reads_5_y by lia. destruct (Z.testbit y (2 * p - 3 - i)); [apply adds_unused; lia|].
    apply adds_token; try lia; try assumption. unfold Q. symmetry. apply powers_meet; lia. }
  destruct (Z.leb_spec i (2 * p - 3 + 6)) as [L4|L4]; destruct (Z.leb_spec i (2 * p + 3)) as [L4'|L4']; try lia.
  { destruct (Z.leb_spec i (3 * p - 4)); [|lia]. specialize (B (3 * p - 4 - i)). pose proof (powers_meet (p - 7) (7 + (2 * p - 3) - i) (3 * p - 3 - i)) as M.
    specialize (Two (3 * p - 3 - i)). replace (3 * p - 3 - i - 1) with (3 * p - 4 - i) in Two by lia.
    rewrite reads_5_z by lia. destruct (Z.testbit z (4 * p - 6 - i)); apply adds_token; try lia; try assumption; try (apply Same; lia). }
  destruct (Z.leb_spec i (2 * p - 3 + p - 1)) as [L5|L5]; destruct (Z.leb_spec i (3 * p - 4)) as [L5'|L5']; try lia.
  { specialize (B (3 * p - 4 - i)). specialize (Two (3 * p - 3 - i)). replace (3 * p - 3 - i - 1) with (3 * p - 4 - i) in Two by lia.
    rewrite reads_5_z by lia. destruct (Z.testbit z (4 * p - 6 - i)); apply adds_token; try lia; try assumption; try (apply Same; lia). }
  destruct (Z.leb_spec i (2 * (2 * p - 3))) as [L6|L6]; destruct (Z.leb_spec i (4 * p - 6)) as [L6'|L6']; try lia.
  { rewrite reads_5_z by lia. destruct (Z.testbit z (4 * p - 6 - i)); [|apply adds_unused; lia].
    apply adds_token; try lia; try assumption. unfold Q. rewrite (powers_meet (4 * p - 6 - i) (p - 1) (5 * p - 7 - i)) by lia. apply Same. lia. }
  destruct (Z.eqb_spec i (2 * (2 * p - 3) + 1)) as [L7|L7]; destruct (Z.eqb_spec i (4 * p - 5)) as [L7'|L7']; try lia.
  - split.
    + change (weight p T (token p (Some (-1)) 0) = Fin (2 ^ (p - 2))). rewrite weight_token by (assumption || lia). do 2 f_equal. lia.
    + exists (Fin (4 * (Q p - 1))). split; [reflexivity|]. unfold mul. replace (2 ^ (p - 2) * (4 * (Q p - 1))) with (2 * (Q p - 1) * Q p) by (rewrite Q2 by lia; ring).
      apply round_exact; try lia. replace (2 * (Q p - 1)) with ((Q p - 1) * 2 ^ 1) by lia. apply representable_scaled; lia.
  - apply adds_unused; lia.
Qed.

Lemma half_5_bound p y z i : 8 <= p -> 1 <= i -> Z.abs (half_5 p y z i) < Q p.
Proof.
  intros Hp Hi. pose proof (Q_pos p) as HQ. pose proof (Q_two p) as Q2.
  assert (B : forall k, 0 <= k <= p - 2 -> 0 < 2 ^ k <= 2 ^ (p - 2)). { intros k Hk. split; [apply pow_pos; lia|apply pow_le; lia]. }
  pose proof (B (p - 2)) as B0. unfold half_5.
  destruct (Z.leb_spec i (p - 1)). { specialize (B (p - 1 - i)). destruct (Z.testbit y (2 * p - 3 - i)); lia. }
  destruct (Z.leb_spec i (2 * p - 3)); [lia|].
  destruct (Z.leb_spec i (3 * p - 4)). { specialize (B (3 * p - 4 - i)). destruct (Z.testbit z (4 * p - 6 - i)); lia. }
  destruct (Z.leb_spec i (4 * p - 6)); [lia|]. destruct (Z.eqb_spec i (4 * p - 5)); lia.
Qed.

(* half_5 and weight_5, step by step. *)
Lemma halves_5 p y z i : 8 <= p ->
  (i <= p - 1 -> half_5 p y z i = (if Z.testbit y (2 * p - 3 - i) then - 2 ^ (p - 1 - i) else 0)) /\ (p <= i <= 2 * p - 3 -> half_5 p y z i = 0) /\
  (2 * p - 2 <= i <= 3 * p - 4 -> half_5 p y z i = if Z.testbit z (4 * p - 6 - i) then 2 ^ (3 * p - 4 - i) else 0) /\
  (3 * p - 3 <= i <= 4 * p - 6 -> half_5 p y z i = 0) /\ (i = 4 * p - 5 -> half_5 p y z i = Q p - 1) /\ (4 * p - 4 <= i -> half_5 p y z i = 0).
Proof.
  intros Hp. unfold half_5. repeat split; intros H; (destruct (Z.leb_spec i (p - 1)); [lia || reflexivity|]);
  (destruct (Z.leb_spec i (2 * p - 3)); [lia || reflexivity|]); (destruct (Z.leb_spec i (3 * p - 4)); [lia || reflexivity|]);
  (destruct (Z.leb_spec i (4 * p - 6)); [lia || reflexivity|]); (destruct (Z.eqb_spec i (4 * p - 5)); lia || reflexivity).
Qed.

Lemma weights_5 p y z i : 8 <= p ->
  (i <= 6 -> weight_5 p y z i = 2 ^ (p - 7)) /\ (7 <= i <= p - 1 -> weight_5 p y z i = 2 ^ (p - i)) /\
  (p <= i <= 2 * p - 3 -> weight_5 p y z i = if Z.testbit y (2 * p - 3 - i) then 0 else 2 ^ (2 * p - 3 - i) * Q p) /\
  (2 * p - 2 <= i <= 2 * p + 3 -> weight_5 p y z i = 2 ^ (p - 7)) /\ (2 * p + 4 <= i <= 3 * p - 4 -> weight_5 p y z i = 2 ^ (3 * p - 3 - i)) /\
  (3 * p - 3 <= i <= 4 * p - 6 -> weight_5 p y z i = if Z.testbit z (4 * p - 6 - i) then 2 ^ (4 * p - 6 - i) * Q p else 0) /\
  (i = 4 * p - 5 -> weight_5 p y z i = 2 ^ (p - 2)) /\ (4 * p - 4 <= i -> weight_5 p y z i = 0).
Proof.
  intros Hp. unfold weight_5. repeat split; intros H; (destruct (Z.leb_spec i 6); [lia || reflexivity|]);
  (destruct (Z.leb_spec i (p - 1)); [lia || reflexivity|]); (destruct (Z.leb_spec i (2 * p - 3)); [lia || reflexivity|]);
  (destruct (Z.leb_spec i (2 * p + 3)); [lia || reflexivity|]); (destruct (Z.leb_spec i (3 * p - 4)); [lia || reflexivity|]);
  (destruct (Z.leb_spec i (4 * p - 6)); [lia || reflexivity|]); (destruct (Z.eqb_spec i (4 * p - 5)); lia || reflexivity).
Qed.

(* The numerator. *)
Definition first_5 (p y : Z) : Z := high (p - 2) y.

Lemma first_5_bounds p y : 8 <= p -> 0 <= y < 2 ^ (2 * p - 3) -> 0 <= first_5 p y < Q p.
Proof.
  intros Hp Hy. pose proof (pow_pos (p - 2)) as P. unfold first_5, high. split; [apply Z.div_pos; lia|]. apply Z.div_lt_upper_bound; [lia|].
  unfold Q. rewrite <- Z.pow_add_r by lia. replace (p - 2 + (p - 1)) with (2 * p - 3) by lia. lia.
Qed.

(* The first p-1 bits of a string, with one sign, read by the tokens a+1 ... a+p-1. *)
Lemma sum_first_5 p c g f e x a k : 8 <= p -> steps_of p c g -> 0 <= x < 2 ^ (2 * p - 3) -> e = 1 \/ e = -1 ->
  (forall j, 1 <= j <= p - 1 -> f (a + j) = Fin (e * (if Z.testbit x (2 * p - 3 - j) then 2 ^ (p - 1 - j) else 0) * g)) ->
  Z.abs k <= Q p - 1 -> Z.abs (k + e * first_5 p x) <= Q p - 1 -> run p f (a + 1) (a + p - 1) (Fin (k * g)) = Fin ((k + e * first_5 p x) * g).
Proof.
  intros Hp HS Hx He Hf K1 K2. pose proof HS as (_ & C & _). pose proof (first_5_bounds p x Hp Hx) as FB. set (h := first_5 p x) in *.
  assert (J : run p f (a + 1) (a + p - 1) (Fin (k * g)) = Fin ((k + e * (h - h mod 2 ^ (p - (a + p - 1 + 1 - a)))) * g)).
  { apply (run_invariant p f (fun i s => s = Fin ((k + e * (h - h mod 2 ^ (p - (i - a)))) * g))).
    - lia.
    - replace (p - (a + 1 - a)) with (p - 1) by lia. fold (Q p). rewrite Z.mod_small by lia. do 2 f_equal. lia.
    - intros i s Hi E. pose proof (Hf (i - a)) as FI. replace (a + (i - a)) with i in FI by lia. rewrite E, FI by lia. clear E FI. pose proof (mod_step h (p - 1 - (i - a))) as M.
      replace (p - 1 - (i - a) + 1) with (p - (i - a)) in M by lia. replace (p - (i + 1 - a)) with (p - 1 - (i - a)) by lia.
      assert (TB : Z.testbit h (p - 1 - (i - a)) = Z.testbit x (2 * p - 3 - (i - a))) by (unfold h, first_5; rewrite high_bit by lia; f_equal; lia).
      rewrite TB in M. pose proof (pow_pos (p - 1 - (i - a))) as PP. pose proof (Z.mod_pos_bound h (2 ^ (p - 1 - (i - a)))) as B0.
      assert (B1 : h mod 2 ^ (p - 1 - (i - a)) <= h) by (apply Z.mod_le; lia).
      rewrite M by lia. destruct (Z.testbit x (2 * p - 3 - (i - a))); (rewrite (add_steps p c); [do 2 f_equal; lia|lia|assumption|]);
        destruct He as [He|He]; rewrite He in *; lia. }
  rewrite J. replace (p - (a + p - 1 + 1 - a)) with 0 by lia. change (2 ^ 0) with 1. rewrite Z.mod_1_r, Z.sub_0_r. reflexivity.
Qed.

Theorem numerator_5 p c g f y z n : 8 <= p -> 4 * p + 1 <= n -> steps_of p c g -> (forall i, 1 <= i -> f i = Fin (half_5 p y z i * g)) ->
  0 <= y -> y <= z -> z < 2 ^ (2 * p - 3) ->
  run p f 1 (n + 1) (Fin 0) = run p f (4 * p - 4) (n + 1) (add p (Fin ((first_5 p z - first_5 p y) * g)) (Fin ((Q p - 1) * g))) /\
  forall i, 4 * p - 4 <= i -> f i = Fin 0.
Proof.
  intros Hp Hn HS Hf Hy Hyz Hz. pose proof (Q_pos p) as HQ. pose proof HS as (_ & C & _).
  assert (BY : 0 <= first_5 p y < Q p) by (apply first_5_bounds; lia). assert (BZ : 0 <= first_5 p z < Q p) by (apply first_5_bounds; lia).
  assert (Zero : forall a b k, 1 <= a <= b + 1 -> (forall i, a <= i <= b -> half_5 p y z i = 0) -> Z.abs k <= Q p - 1 -> run p f a b (Fin (k * g)) = Fin (k * g)).
  { intros a b k Hab H K. apply run_same; [|lia]. intros i Hi. rewrite Hf, H by lia. rewrite (add_steps p c) by (assumption || lia). do 2 f_equal. lia. }
  split.
  - rewrite (run_app _ _ _ (p - 1)), (run_app _ _ (p - 1 + 1) (2 * p - 3)), (run_app _ _ (2 * p - 3 + 1) (3 * p - 4)), (run_app _ _ (3 * p - 4 + 1) (4 * p - 6)),
      (run_app _ _ (4 * p - 6 + 1) (4 * p - 5)) by lia.
    replace (4 * p - 5 + 1) with (4 * p - 4) by lia. f_equal. replace (4 * p - 6 + 1) with (4 * p - 5) by lia. rewrite run_one.
    destruct (halves_5 p y z (4 * p - 5) Hp) as (_ & _ & _ & _ & H & _). rewrite (Hf (4 * p - 5)), H by lia. clear H. f_equal.
    assert (A : run p f 1 (p - 1) (Fin 0) = Fin ((0 + -1 * first_5 p y) * g)).
    { replace (Fin 0) with (Fin (0 * g)) by reflexivity. apply (sum_first_5 p c g f (-1) y 0 0); try assumption; try lia.
      intros j Hj. destruct (halves_5 p y z j Hp) as (H & _). rewrite Z.add_0_l, Hf, H by lia. do 2 f_equal. destruct (Z.testbit y (2 * p - 3 - j)); lia. }
    rewrite A, (Zero (p - 1 + 1) (2 * p - 3)); [|lia|intros i Hi; destruct (halves_5 p y z i Hp) as (_ & H & _); apply H; lia|lia].
    assert (D : run p f (2 * p - 3 + 1) (3 * p - 4) (Fin ((0 + -1 * first_5 p y) * g)) = Fin ((0 + -1 * first_5 p y + 1 * first_5 p z) * g)).
    { replace (3 * p - 4) with (2 * p - 3 + p - 1) by lia. apply (sum_first_5 p c g f 1 z (2 * p - 3)); try assumption; try lia.
      intros j Hj. destruct (halves_5 p y z (2 * p - 3 + j) Hp) as (_ & _ & H & _). rewrite Hf, H by lia.
      replace (4 * p - 6 - (2 * p - 3 + j)) with (2 * p - 3 - j) by lia. replace (3 * p - 4 - (2 * p - 3 + j)) with (p - 1 - j) by lia.
      do 2 f_equal. lia. }
    rewrite D, Zero; [do 2 f_equal; lia|lia|intros i Hi; destruct (halves_5 p y z i Hp) as (_ & _ & _ & H & _); apply H; lia|lia].
  - intros i Hi. destruct (halves_5 p y z i Hp) as (_ & _ & _ & _ & _ & H). rewrite Hf, H by lia. reflexivity.
Qed.

(* The denominator: what steps 1 and 2 left is at most an eighth, and nothing beside 2^(p-4) or more. *)
Lemma powers_5 p : 8 <= p -> let u := 2 ^ (p - 7) in 2 <= u /\ Q p = 64 * u /\ 2 ^ (p - 2) = 32 * u /\ 2 ^ (p - 3) = 16 * u /\ 2 ^ (p - 4) = 8 * u /\
  2 ^ (p - 6) = 2 * u.
Proof.
  intros Hp. cbv zeta. pose proof (pow_pos (p - 8)) as P.
  assert (E : forall a c, 1 <= a -> c = a - 1 -> 2 ^ a = 2 * 2 ^ c) by (intros a c Ha Ec; rewrite (pow_succ a) by exact Ha; do 2 f_equal; lia).
  pose proof (E (p - 7) (p - 8)). pose proof (E (p - 6) (p - 7)). pose proof (E (p - 5) (p - 6)). pose proof (E (p - 4) (p - 5)).
  pose proof (E (p - 3) (p - 4)). pose proof (E (p - 2) (p - 3)). pose proof (E (p - 1) (p - 2)). clear E. unfold Q. lia.
Qed.

Lemma start_5 p f y z : 8 <= p -> (forall i, 1 <= i -> f i = Fin (weight_5 p y z i)) -> run p f 1 (p - 1) (Fin 0) = Fin (8 * 2 ^ (p - 7) - 2).
Proof.
  intros Hp Hf. destruct (powers_5 p Hp) as (U1 & UQ & _ & _ & _ & U6). pose proof (weights_5 p y z) as W. set (u := 2 ^ (p - 7)) in *.
  assert (S : forall v, 0 <= v <= Q p -> representable p v) by (intros v Hv; apply representable_small; lia).
  rewrite (run_app _ _ _ 6) by lia. assert (I1 : run p f 1 6 (Fin 0) = Fin ((6 + 1 - 1) * u)).
  { apply (run_invariant p f (fun i s => s = Fin ((i - 1) * u))); [lia|f_equal; lia|].
    intros i s Hi E. destruct (W i Hp) as (W1 & _). rewrite E, Hf, W1 by lia. rewrite add_exact; [f_equal; lia|lia|].
    assert (C : i = 1 \/ i = 2 \/ i = 3 \/ i = 4 \/ i = 5 \/ i = 6) by lia. apply S. destruct C as [C|[C|[C|[C|[C|C]]]]]; rewrite C; lia. }
  rewrite I1. assert (I2 : run p f (6 + 1) (p - 1) (Fin ((6 + 1 - 1) * u)) = Fin (8 * u - 2 ^ (p + 1 - (p - 1 + 1)))).
  { apply (run_invariant p f (fun i s => s = Fin (8 * u - 2 ^ (p + 1 - i)))); [lia| |].
    - f_equal. replace (p + 1 - (6 + 1)) with (p - 6) by lia. lia.
    - intros i s Hi E. destruct (W i Hp) as (_ & W2 & _). rewrite E, Hf, W2 by lia. pose proof (pow_succ (p + 1 - i)) as PS.
      replace (p + 1 - i - 1) with (p - i) in PS by lia. replace (p + 1 - (i + 1)) with (p - i) by lia.
      pose proof (pow_le (p - i) (p - 7)) as PL. fold u in PL. pose proof (pow_pos (p - i)) as PP. rewrite add_exact; [f_equal; lia|lia|]. apply S. lia. }
  rewrite I2. replace (p + 1 - (p - 1 + 1)) with 1 by lia. reflexivity.
Qed.

(* At least c whole ones and 2u units; beside fewer than 8u whole ones at most r units more, beside others none. *)
Definition beside_5 (p c r : Z) (s : num) : Prop := let u := 2 ^ (p - 7) in exists v, s = Fin v /\ representable p v /\ 2 * u <= v /\ c * Q p <= v /\
  (c < 8 * u -> v <= c * Q p + r) /\ (8 * u <= c -> v = c * Q p).

Lemma beside_5_bit p c w s : 8 <= p -> 0 <= c -> 0 < w -> c + w < Q p -> beside_5 p c (8 * 2 ^ (p - 7)) s ->
  beside_5 p (c + w) (8 * 2 ^ (p - 7)) (add p s (Fin (w * Q p))).
Proof.
  intros Hp Hc Hw Hcw (v & E & R & B1 & B2 & B3 & B4). destruct (powers_5 p Hp) as (U1 & UQ & _ & U3 & U4 & _). set (u := 2 ^ (p - 7)) in *.
  subst s. cbn [add]. assert (WQ : Q p <= w * Q p) by (rewrite <- (Z.mul_1_l (Q p)) at 1; apply Z.mul_le_mono_nonneg_r; lia).
  assert (RW : representable p ((c + w) * Q p)) by (apply representable_whole; lia).
  assert (CQ : 0 <= c * Q p) by (apply Z.mul_nonneg_nonneg; lia).
  destruct (Z_lt_le_dec c (8 * u)) as [C|C].
  - specialize (B3 C). destruct (Z_lt_le_dec (c + w) (8 * u)) as [D|D].
    + destruct (round_within p (v + w * Q p) ((c + w) * Q p) ((c + w) * Q p + 8 * u)) as (r & RE & RR & RB); try lia; try assumption.
      * replace ((c + w) * Q p + 8 * u) with ((8 * (c + w) + 1) * 2 ^ (p - 4)) by (rewrite U4; lia). apply representable_scaled; lia.
      * exists r. split; [exact RE|]. split; [exact RR|]. fold u. lia.
    + exists ((c + w) * Q p). split; [|split; [exact RW|fold u; lia]].
      replace (v + w * Q p) with ((c + w) * Q p + (v - c * Q p)) by lia.
      apply (absorbed p (c + w) (v - c * Q p) (p - 4)); try lia. replace (p - 4 + 1) with (p - 3) by lia. lia.
  - specialize (B4 C). exists ((c + w) * Q p). rewrite B4. replace (c * Q p + w * Q p) with ((c + w) * Q p) by lia.
    split; [apply round_fixed; [lia|exact RW]|]. split; [exact RW|]. fold u. lia.
Qed.

Definition last_5 (p y : Z) : Z := low (p - 2) y.

Lemma last_5_bounds p y : 8 <= p -> 0 <= last_5 p y < 2 ^ (p - 2).
Proof. intros Hp. apply Z.mod_pos_bound, pow_pos. lia. Qed.

Lemma bits_y_5 p f y z : 8 <= p -> (forall i, 1 <= i -> f i = Fin (weight_5 p y z i)) ->
  beside_5 p (2 ^ (p - 2) - 1 - last_5 p y) (8 * 2 ^ (p - 7)) (run p f p (2 * p - 3) (Fin (8 * 2 ^ (p - 7) - 2))).
Proof.
  intros Hp Hf. pose proof (Q_two p) as Q2. destruct (powers_5 p Hp) as (U1 & UQ & _). pose proof (last_5_bounds p y Hp) as LB.
  set (h := last_5 p y) in *. set (rest := fun i => 2 ^ (p - 2) - 2 ^ (2 * p - 2 - i) - (h - y mod 2 ^ (2 * p - 2 - i))).
  assert (J : beside_5 p (rest (2 * p - 3 + 1)) (8 * 2 ^ (p - 7)) (run p f p (2 * p - 3) (Fin (8 * 2 ^ (p - 7) - 2))) /\ 0 <= rest (2 * p - 3 + 1)).
  { apply (run_invariant p f (fun i s => beside_5 p (rest i) (8 * 2 ^ (p - 7)) s /\ 0 <= rest i)).
    - lia.
    - assert (C : rest p = 0). { unfold rest. replace (2 * p - 2 - p) with (p - 2) by lia. unfold h, last_5, low. lia. }
      rewrite C. split; [|lia]. eexists. split; [reflexivity|]. split; [apply representable_small; lia|lia].
    - intros i t Hi [I N]. destruct (weights_5 p y z i Hp) as (_ & _ & W & _). rewrite Hf, W by lia.
      pose proof (mod_step y (2 * p - 3 - i)) as M. replace (2 * p - 3 - i + 1) with (2 * p - 2 - i) in M by lia.
      pose proof (pow_succ (2 * p - 2 - i)) as PS. replace (2 * p - 2 - i - 1) with (2 * p - 3 - i) in PS by lia. pose proof (pow_pos (2 * p - 3 - i)) as PP.
      assert (MB : y mod 2 ^ (2 * p - 3 - i) <= h) by (apply mod_below; lia).
      assert (RS : rest (i + 1) = rest i + if Z.testbit y (2 * p - 3 - i) then 0 else 2 ^ (2 * p - 3 - i)).
      { unfold rest. replace (2 * p - 2 - (i + 1)) with (2 * p - 3 - i) by lia. destruct (Z.testbit y (2 * p - 3 - i)); lia. }
      assert (RB : rest (i + 1) < Q p). { unfold rest. replace (2 * p - 2 - (i + 1)) with (2 * p - 3 - i) by lia. lia. }
      rewrite RS in *. destruct (Z.testbit y (2 * p - 3 - i)).
      + rewrite Z.add_0_r. split; [|exact N]. destruct I as (v & E & R & B). exists v. subst t.
        rewrite add_exact by (rewrite ?Z.add_0_r; assumption || lia). rewrite Z.add_0_r. tauto.
      + split; [|lia]. apply beside_5_bit; try lia. exact I. }
  destruct J as [J _]. replace (2 ^ (p - 2) - 1 - h) with (rest (2 * p - 3 + 1)); [exact J|].
  unfold rest. replace (2 * p - 2 - (2 * p - 3 + 1)) with 0 by lia. change (2 ^ 0) with 1. rewrite Z.mod_1_r. lia.
Qed.

(* Steps 4 and 5: powers of two, less than 8u in all. *)
Lemma residues_5 p f y z c s : 8 <= p -> (forall i, 1 <= i -> f i = Fin (weight_5 p y z i)) -> 0 <= c < 2 ^ (p - 2) -> beside_5 p c (8 * 2 ^ (p - 7)) s ->
  beside_5 p c (16 * 2 ^ (p - 7)) (run p f (2 * p - 2) (3 * p - 4) s).
Proof.
  intros Hp Hf Hc (v & E & R & B1 & B2 & B3 & B4). destruct (powers_5 p Hp) as (U1 & UQ & U2 & U3 & U4 & U6).
  set (u := 2 ^ (p - 7)) in *. assert (CQ : 0 <= c * Q p) by (apply Z.mul_nonneg_nonneg; lia).
  assert (W : forall i, 2 * p - 2 <= i <= 3 * p - 4 -> exists e, 0 <= e /\ weight_5 p y z i = 2 ^ e /\ 2 ^ e <= u).
  { intros i Hi. destruct (weights_5 p y z i Hp) as (_ & _ & _ & W1 & W2 & _). destruct (Z_le_gt_dec i (2 * p + 3)).
    - exists (p - 7). rewrite W1 by lia. fold u. lia.
    - exists (3 * p - 3 - i). rewrite W2 by lia. pose proof (pow_le (3 * p - 3 - i) (p - 7)). fold u in H. lia. }
  destruct (Z_lt_le_dec c (8 * u)) as [C|C].
  - specialize (B3 C). set (lo := if c =? 0 then 2 * u else c * Q p).
    assert (LO : representable p lo /\ 2 * u <= lo <= v /\ c * Q p <= lo).
    { unfold lo. destruct (Z.eqb_spec c 0) as [Z0|Z0].
      - subst c. split; [apply representable_small; lia|lia].
      - split; [apply representable_whole; lia|]. assert (1 * Q p <= c * Q p) by (apply Z.mul_le_mono_nonneg_r; lia). lia. }
    destruct LO as (LR & LB & LC). set (hi := c * Q p + 8 * u).
    assert (TOP : hi + 8 * u <= largest p).
    { assert (T : (c + 1) * Q p <= (Q p - 1) * Q p) by (apply Z.mul_le_mono_nonneg_r; lia). unfold largest, hi. lia. }
    assert (G : forall i h t, 2 * p - 2 <= i <= 3 * p - 4 -> h + weight_5 p y z i <= hi + 8 * u -> within p lo h t ->
                within p lo (h + weight_5 p y z i) (add p t (f i))).
    { intros i h t Hi Hh I. rewrite Hf by lia. destruct (W i Hi) as (e & E0 & E1 & E2). rewrite E1 in *. apply within_power; lia || assumption. }
    assert (J : within p lo (hi + 8 * u - 2 ^ (3 * p - 2 - (3 * p - 4 + 1))) (run p f (2 * p - 2) (3 * p - 4) s)).
    { rewrite (run_app _ _ _ (2 * p + 3)) by lia.
      assert (J1 : within p lo (hi + (2 * p + 3 + 1 - (2 * p - 2)) * u) (run p f (2 * p - 2) (2 * p + 3) s)).
      { apply (run_invariant p f (fun i t => within p lo (hi + (i - (2 * p - 2)) * u) t)).
        - lia.
        - exists v. split; [exact E|]. split; [exact R|]. unfold hi. lia.
        - intros i t Hi I. destruct (weights_5 p y z i Hp) as (_ & _ & _ & W1 & _). fold u in W1.
          replace (hi + (i + 1 - (2 * p - 2)) * u) with (hi + (i - (2 * p - 2)) * u + weight_5 p y z i) by (rewrite W1 by lia; ring).
          apply G; [lia| |exact I]. rewrite W1 by lia. assert (D : (i - (2 * p - 2) + 1) * u <= 8 * u) by (apply Z.mul_le_mono_nonneg_r; lia). lia. }
      apply (run_invariant p f (fun i t => within p lo (hi + 8 * u - 2 ^ (3 * p - 2 - i)) t)).
      - lia.
      - replace (3 * p - 2 - (2 * p + 3 + 1)) with (p - 6) by lia.
        replace (hi + 8 * u - 2 ^ (p - 6)) with (hi + (2 * p + 3 + 1 - (2 * p - 2)) * u) by lia. exact J1.
      - intros i t Hi I. destruct (weights_5 p y z i Hp) as (_ & _ & _ & _ & W2 & _).
        pose proof (pow_succ (3 * p - 2 - i)) as PS. replace (3 * p - 2 - i - 1) with (3 * p - 3 - i) in PS by lia. pose proof (pow_pos (3 * p - 3 - i)) as PP.
        replace (3 * p - 2 - (i + 1)) with (3 * p - 3 - i) by lia.
        replace (hi + 8 * u - 2 ^ (3 * p - 3 - i)) with (hi + 8 * u - 2 ^ (3 * p - 2 - i) + weight_5 p y z i) by (rewrite W2 by lia; lia).
        apply G; [lia| |exact I]. rewrite W2 by lia. lia. }
    destruct J as (w & WE & WR & WB). pose proof (pow_pos (3 * p - 2 - (3 * p - 4 + 1))) as PP. exists w. split; [exact WE|]. split; [exact WR|].
    unfold hi in WB. fold u. lia.
  - specialize (B4 C). exists v. fold u. split; [|split; [exact R|lia]]. rewrite E. apply run_same; [|lia]. intros i Hi. rewrite Hf by lia.
    destruct (W i Hi) as (e & E0 & E1 & E2). rewrite E1, B4. cbn [add]. pose proof (pow_pos e E0) as PE.
    apply (absorbed p c (2 ^ e) (p - 4)); try lia. replace (p - 4 + 1) with (p - 3) by lia. lia.
Qed.

(* Step 6, from a token on. *)
Lemma bits_z_5 p f y z k i0 : 8 <= p -> (forall i, 1 <= i -> f i = Fin (weight_5 p y z i)) -> 0 <= k -> 3 * p - 3 <= i0 <= 4 * p - 5 ->
  run p f i0 (4 * p - 6) (cap p (k + last_5 p z - z mod 2 ^ (4 * p - 5 - i0))) = cap p (k + last_5 p z).
Proof.
  intros Hp Hf Hk Hi0. pose proof (Q_pos p) as HQ.
  assert (J : run p f i0 (4 * p - 6) (cap p (k + last_5 p z - z mod 2 ^ (4 * p - 5 - i0))) = cap p (k + last_5 p z - z mod 2 ^ (4 * p - 5 - (4 * p - 6 + 1)))).
  { apply (run_invariant p f (fun i s => s = cap p (k + last_5 p z - z mod 2 ^ (4 * p - 5 - i)))); [lia|reflexivity|].
    intros i s Hi E. destruct (weights_5 p y z i Hp) as (_ & _ & _ & _ & _ & W & _). rewrite E, Hf, W by lia.
    pose proof (mod_step z (4 * p - 6 - i)) as M. replace (4 * p - 6 - i + 1) with (4 * p - 5 - i) in M by lia.
    replace (4 * p - 5 - (i + 1)) with (4 * p - 6 - i) by lia. pose proof (pow_pos (4 * p - 6 - i)) as PP.
    assert (MB : z mod 2 ^ (4 * p - 5 - i) <= last_5 p z) by (apply mod_below; lia). pose proof (Z.mod_pos_bound z (2 ^ (4 * p - 6 - i))) as MP.
    destruct (Z.testbit z (4 * p - 6 - i)).
    - rewrite cap_add; [f_equal; lia|lia|lia|]. split; [lia|]. unfold Q. apply Z.pow_lt_mono_r; lia.
    - rewrite cap_zero by lia. f_equal. lia. }
  rewrite J. replace (4 * p - 5 - (4 * p - 6 + 1)) with 0 by lia. change (2 ^ 0) with 1. rewrite Z.mod_1_r. f_equal. lia.
Qed.

Theorem denominator_5 p f n y z : 8 <= p -> 4 * p + 1 <= n -> (forall i, 1 <= i -> f i = Fin (weight_5 p y z i)) -> last_5 p y <= last_5 p z ->
  let k := 2 ^ (p - 2) - 1 - last_5 p y + last_5 p z in
  run p f 1 (n + 1) (Fin 0) = Fin (k * Q p + if k =? 2 ^ (p - 2) - 1 then 2 ^ (p - 2) else 0) /\ k < Q p - 1.
Proof.
  intros Hp Hn Hf HL. cbv zeta. pose proof (Q_two p) as Q2. destruct (powers_5 p Hp) as (U1 & UQ & U2 & U3 & U4 & _).
  pose proof (last_5_bounds p y Hp) as LY. pose proof (last_5_bounds p z Hp) as LZ. split; [|lia].
  rewrite (run_app _ _ _ (p - 1)), (run_app _ _ (p - 1 + 1) (2 * p - 3)), (run_app _ _ (2 * p - 3 + 1) (3 * p - 4)), (run_app _ _ (3 * p - 4 + 1) (4 * p - 6)),
    (run_app _ _ (4 * p - 6 + 1) (4 * p - 5)) by lia.
  replace (p - 1 + 1) with p by lia. replace (2 * p - 3 + 1) with (2 * p - 2) by lia. replace (3 * p - 4 + 1) with (3 * p - 3) by lia.
  replace (4 * p - 6 + 1) with (4 * p - 5) by lia. rewrite (start_5 p f y z) by assumption. set (c := 2 ^ (p - 2) - 1 - last_5 p y).
  destruct (residues_5 p f y z c (run p f p (2 * p - 3) (Fin (8 * 2 ^ (p - 7) - 2))) Hp Hf) as (v & E & R & B1 & B2 & B3 & B4); [unfold c; lia|apply bits_y_5 with z; assumption|].
  rewrite E. clear E.
  set (u := 2 ^ (p - 7)) in *. assert (D : run p f (3 * p - 3) (4 * p - 6) (Fin v) = Fin ((c + last_5 p z) * Q p)).
  { assert (F : Fin ((c + last_5 p z) * Q p) = cap p (c + last_5 p z)).
    { unfold cap. destruct (Z.ltb_spec (c + last_5 p z) (Q p)); [reflexivity|unfold c in *; lia]. }
    rewrite F. destruct (Z_lt_le_dec c (8 * u)) as [C|C].
    - specialize (B3 C). rewrite (run_app _ _ _ (3 * p - 3)) by lia. rewrite run_one, Hf by lia.
      destruct (weights_5 p y z (3 * p - 3) Hp) as (_ & _ & _ & _ & _ & W & _). rewrite W by lia.
      replace (4 * p - 6 - (3 * p - 3)) with (p - 3) by lia. pose proof (mod_step z (p - 3)) as M. replace (p - 3 + 1) with (p - 2) in M by lia.
      fold (low (p - 2) z) in M. fold (last_5 p z) in M. pose proof (Z.mod_pos_bound z (2 ^ (p - 3))) as MB.
      destruct (Z.testbit z (p - 3)); [|unfold c in *; lia]. cbn [add]. replace (v + 2 ^ (p - 3) * Q p) with ((c + 2 ^ (p - 3)) * Q p + (v - c * Q p)) by lia.
      rewrite (absorbed p _ _ (p - 3)); try (unfold c in *; lia).
      + assert (C2 : Fin ((c + 2 ^ (p - 3)) * Q p) = cap p (c + last_5 p z - z mod 2 ^ (4 * p - 5 - (3 * p - 3 + 1)))).
        { replace (4 * p - 5 - (3 * p - 3 + 1)) with (p - 3) by lia. unfold cap.
          destruct (Z.ltb_spec (c + last_5 p z - z mod 2 ^ (p - 3)) (Q p)); [do 2 f_equal; lia|unfold c in *; lia]. }
        rewrite C2. apply (bits_z_5 p f y z); try assumption; unfold c in *; lia.
      + replace (p - 3 + 1) with (p - 2) by lia. lia.
    - rewrite (B4 C). assert (C2 : Fin (c * Q p) = cap p (c + last_5 p z - z mod 2 ^ (4 * p - 5 - (3 * p - 3)))).
      { replace (4 * p - 5 - (3 * p - 3)) with (p - 2) by lia. fold (low (p - 2) z). fold (last_5 p z). unfold cap.
        destruct (Z.ltb_spec (c + last_5 p z - last_5 p z) (Q p)); [do 2 f_equal; lia|unfold c in *; lia]. }
      rewrite C2. apply (bits_z_5 p f y z); try assumption; unfold c in *; lia. }
  rewrite D, run_one, Hf by lia. destruct (weights_5 p y z (4 * p - 5) Hp) as (_ & _ & _ & _ & _ & _ & W & _). rewrite W by reflexivity. clear W.
  set (k := c + last_5 p z). assert (KB : 2 ^ (p - 2) - 1 <= k < Q p - 1) by (unfold k, c; lia). cbn [add].
  assert (Zero : forall v s, representable p v -> s = Fin v -> run p f (4 * p - 5 + 1) (n + 1) s = Fin v).
  { intros w s Rw Es. subst s. apply run_same; [|lia]. intros i Hi. destruct (weights_5 p y z i Hp) as (_ & _ & _ & _ & _ & _ & _ & W0). rewrite Hf, W0 by lia.
    rewrite add_exact; [f_equal; lia|lia|]. rewrite Z.add_0_r. exact Rw. }
  destruct (Z.eqb_spec k (2 ^ (p - 2) - 1)) as [K|K]; apply Zero.
  - replace (k * Q p + 2 ^ (p - 2)) with ((2 * k + 1) * 2 ^ (p - 2)) by (rewrite Q2 by lia; ring). apply representable_scaled; lia.
  - apply round_fixed; [lia|]. replace (k * Q p + 2 ^ (p - 2)) with ((2 * k + 1) * 2 ^ (p - 2)) by (rewrite Q2 by lia; ring). apply representable_scaled; lia.
  - rewrite Z.add_0_r. apply representable_whole; lia.
  - rewrite Z.add_0_r. apply (absorbed p k (2 ^ (p - 2)) (p - 2)); try lia. replace (p - 2 + 1) with (p - 1) by lia. fold (Q p). lia.
Qed.

(* The attention is 2 for equal strings; for others it is less, infinite or NaN. *)
Lemma table_5_first p i b : first (corrected_5_row p i b) = whole p 1.
Proof.
  unfold corrected_5_row, unused, token. cbv zeta. destruct (i <=? 6); [reflexivity|]. destruct (i <=? p - 1); [reflexivity|].
  destruct (i <=? 2 * p - 3); [destruct b; reflexivity|]. destruct (i <=? 2 * p - 3 + 6); [reflexivity|]. destruct (i <=? 2 * p - 3 + p - 1); [reflexivity|].
  destruct (i <=? 2 * (2 * p - 3)); [destruct b; reflexivity|]. destruct (i =? 2 * (2 * p - 3) + 1); reflexivity.
Qed.

Theorem numerator_value_5 o p n y z : 8 <= p -> 4 * p + 1 <= n -> 0 <= y -> y <= z -> z < 2 ^ (2 * p - 3) ->
  numerator_of p (corrected_table_5 p n y z) o = if first_5 p y =? first_5 p z then Fin (largest p) else PInf.
Proof.
  intros Hp Hn Hy Hyz Hz. set (T := corrected_table_5 p n y z). pose proof (Q_pos p) as HQ. pose proof (Q_two p) as Q2. pose proof (pow_pos (p - 2)) as PP.
  assert (HT : asks_one p T) by apply table_5_first. assert (HV : halves_values p T) by (split; [exact HT|reflexivity]).
  assert (HL : first_5 p y <= first_5 p z) by (apply high_le; lia).
  assert (BY : 0 <= first_5 p y < Q p) by (apply first_5_bounds; lia). assert (BZ : 0 <= first_5 p z < Q p) by (apply first_5_bounds; lia).
  assert (RL : representable p (largest p)) by (apply largest_representable; lia).
  assert (R2 : forall k, Z.abs k <= Q p -> representable p (k * 2)) by (apply steps_of_two; lia).
  set (d := first_5 p z - first_5 p y). destruct o.
  - assert (E : column p T 0 = run p (fun i => entry p T (corrected_5_row p i (T0 (2 * p - 3) y z i))) 1 (n + 1) (Fin 0)).
    { unfold column, run, sum. f_equal. change (tokens T) with (map (fun i => corrected_5_row p i (T0 (2 * p - 3) y z i)) (range 1 (n + 1))). rewrite map_map. reflexivity. }
    assert (NC : numerator_of p T matrix_order = add p (Fin 0) (mul p (column p T 0) (whole p (2 ^ (p - 2))))) by reflexivity.
    rewrite NC, E. clear NC E. set (f := fun i => entry p T (corrected_5_row p i (T0 (2 * p - 3) y z i))).
    destruct (numerator_5 p (Q p) 2 f y z n) as [S Zr]; try assumption; try (apply steps_of_two; lia).
    { intros i Hi. unfold f. rewrite (entry_6 p T _ (weight_5 p y z i) (half_5 p y z i)); [f_equal; lia|]. apply token_5; assumption. }
    rewrite S. clear S. fold d. destruct (Z.eqb_spec (first_5 p y) (first_5 p z)) as [H|H].
    + rewrite (add_exact p (d * 2)) by (try lia; replace (d * 2 + (Q p - 1) * 2) with ((Q p - 1) * 2) by lia; apply R2; lia).
      rewrite run_same; [|intros i Hi; rewrite Zr by lia; rewrite add_exact; [f_equal; lia|lia|]; rewrite Z.add_0_r;
        replace (d * 2 + (Q p - 1) * 2) with ((Q p - 1) * 2) by lia; apply R2; lia|lia].
      assert (M : (d * 2 + (Q p - 1) * 2) * 2 ^ (p - 2) = largest p) by (unfold largest; replace (d * 2 + (Q p - 1) * 2) with ((Q p - 1) * 2) by lia; rewrite Q2 by lia; ring).
      rewrite mul_whole, M by (try lia; rewrite ?M; exact RL). rewrite add_exact; [reflexivity|lia|exact RL].
    + assert (L : at_least (run p f (4 * p - 4) (n + 1) (add p (Fin (d * 2)) (Fin ((Q p - 1) * 2)))) (Q p * 2)).
      { apply (run_invariant p f (fun _ s => at_least s (Q p * 2))); [lia| |].
        - cbn [add]. apply round_at_least; try lia. apply R2. lia.
        - intros i s Hi I. rewrite Zr by lia. destruct s as [v| | |]; cbn [at_least] in I; try contradiction; [|exact Coq.Init.Logic.I].
          cbn [add]. apply round_at_least; try lia. apply R2. lia. }
      set (s := run p f (4 * p - 4) (n + 1) (add p (Fin (d * 2)) (Fin ((Q p - 1) * 2)))) in *. destruct s as [v| | |]; cbn [at_least] in L; try contradiction.
      * unfold whole, mul. assert (M : Q p * Q p * Q p <= v * (2 ^ (p - 2) * Q p)).
        { replace (Q p * Q p * Q p) with (Q p * 2 * (2 ^ (p - 2) * Q p)) by (rewrite Q2 by lia; ring). apply Z.mul_le_mono_nonneg_r; [|exact L].
          apply Z.mul_nonneg_nonneg; lia. }
        rewrite round_above; [reflexivity|lia|lia|exact M].
      * unfold whole, mul, sign. rewrite Z.sgn_pos by (apply Z.mul_pos_pos; lia). reflexivity.
  - assert (E : numerator_of p T token_order = run p (fun i => product p T (corrected_5_row p i (T0 (2 * p - 3) y z i))) 1 (n + 1) (Fin 0)).
    { unfold numerator_of, numerator_by_tokens, run, sum. f_equal.
      change (tokens T) with (map (fun i => corrected_5_row p i (T0 (2 * p - 3) y z i)) (range 1 (n + 1))). rewrite map_map. reflexivity. }
    rewrite E. clear E. set (f := fun i => product p T (corrected_5_row p i (T0 (2 * p - 3) y z i))).
    destruct (numerator_5 p (Q p - 1) (Q p) f y z n) as [S Zr]; try assumption; try (apply steps_of_whole; lia).
    { intros i Hi. apply (product_6 p T _ (weight_5 p y z i)); try assumption; [lia|apply token_5; assumption|]. apply half_5_bound; assumption. }
    rewrite S. clear S. fold d. cbn [add]. rewrite <- Z.mul_add_distr_r. destruct (Z.eqb_spec (first_5 p y) (first_5 p z)) as [H|H].
    + replace (d + (Q p - 1)) with (Q p - 1) by lia. fold (largest p). rewrite round_fixed by (lia || exact RL).
      apply run_same; [|lia]. intros i Hi. rewrite Zr by lia. rewrite add_exact; [f_equal; lia|lia|]. rewrite Z.add_0_r. exact RL.
    + rewrite round_above; [|lia|lia|rewrite Z.mul_1_r; apply Z.mul_le_mono_nonneg_r; lia].
      apply run_same; [|lia]. intros i Hi. rewrite Zr by lia. reflexivity.
Qed.

Lemma weight_5_nonneg p y z i : 0 <= weight_5 p y z i \/ p < 1.
Proof.
  destruct (Z_lt_le_dec p 1) as [L|L]; [right; exact L|left]. pose proof (Q_pos p L) as HQ.
  assert (N : forall k, 0 <= 2 ^ k) by (intros k; apply Z.pow_nonneg; lia).
  assert (NQ : forall k, 0 <= 2 ^ k * Q p) by (intros k; apply Z.mul_nonneg_nonneg; [apply N|lia]). unfold weight_5.
  destruct (i <=? 6); [apply N|]. destruct (i <=? p - 1); [apply N|]. destruct (i <=? 2 * p - 3); [destruct (Z.testbit y (2 * p - 3 - i)); [lia|apply NQ]|].
  destruct (i <=? 2 * p + 3); [apply N|]. destruct (i <=? 3 * p - 4); [apply N|].
  destruct (i <=? 4 * p - 6); [destruct (Z.testbit z (4 * p - 6 - i)); [apply NQ|lia]|]. destruct (i =? 4 * p - 5); [apply N|lia].
Qed.

Theorem attention_5 o p n y z : 8 <= p -> 4 * p + 1 <= n -> 0 <= y -> y <= z -> z < 2 ^ (2 * p - 3) ->
  let x := attention p (corrected_table_5 p n y z) o in
  (y = z -> x = whole p 2) /\ (y <> z -> (exists r, x = Fin r /\ representable p r /\ 0 <= r <= 2 * Q p - 2) \/ x = PInf \/ x = NaN).
Proof.
  intros Hp Hn Hy Hyz Hz. cbv zeta. pose proof (Q_pos p) as HQ. pose proof (Q_two p) as Q2. pose proof (numerator_value_5 o p n y z Hp Hn Hy Hyz Hz) as N.
  set (T := corrected_table_5 p n y z) in *.
  assert (E : denominator p T = run p (fun i => weight p T (corrected_5_row p i (T0 (2 * p - 3) y z i))) 1 (n + 1) (Fin 0)).
  { unfold denominator, run, sum. f_equal. change (tokens T) with (map (fun i => corrected_5_row p i (T0 (2 * p - 3) y z i)) (range 1 (n + 1))) at 1.
    rewrite map_map. reflexivity. }
  assert (F : forall i, 1 <= i -> weight p T (corrected_5_row p i (T0 (2 * p - 3) y z i)) = Fin (weight_5 p y z i)).
  { intros i Hi. destruct (token_5 p T y z i Hp (table_5_first p _ _) Hi) as [W _]. exact W. }
  assert (A : attention p T o = div p (numerator_of p T o) (denominator p T)) by (destruct o; reflexivity). rewrite A, N. clear A N.
  assert (LP : largest p = (Q p - 1) * Q p) by reflexivity. assert (L0 : 0 < largest p) by (rewrite LP; apply Z.mul_pos_pos; lia).
  destruct (Z.eqb_spec (first_5 p y) (first_5 p z)) as [H|H].
  - assert (HL : y <> z -> last_5 p y < last_5 p z). { intros D. apply halves_smaller; try lia. exact H. }
    destruct (denominator_5 p _ n y z Hp Hn F) as [D KB]. { destruct (Z.eq_dec y z) as [Y|Y]; [subst z; lia|]. specialize (HL Y). lia. }
    set (k := 2 ^ (p - 2) - 1 - last_5 p y + last_5 p z) in *. rewrite E, D. split; intros Y.
    + assert (K : k = 2 ^ (p - 2) - 1) by (unfold k; subst z; lia). rewrite K, Z.eqb_refl.
      set (b := (2 ^ (p - 2) - 1) * Q p + 2 ^ (p - 2)). assert (B2 : 2 * b = largest p) by (unfold b; rewrite LP, Q2 by lia; ring).
      rewrite div_finite by lia. replace (largest p * Q p) with (2 * Q p * b) by (rewrite <- B2; ring). unfold whole. apply round_exact; try lia.
      replace (2 * Q p) with (Q p * 2 ^ 1) by lia. apply representable_scaled; lia.
    + left. specialize (HL Y). assert (K : 2 ^ (p - 2) <= k) by (unfold k; lia). destruct (Z.eqb_spec k (2 ^ (p - 2) - 1)) as [|_]; [lia|].
      rewrite Z.add_0_r. assert (KQ : 0 < k * Q p) by (apply Z.mul_pos_pos; lia). rewrite div_finite by lia.
      assert (NN : 0 <= largest p * Q p) by (apply Z.mul_nonneg_nonneg; lia).
      assert (R2 : representable p (2 * Q p - 2)). { replace (2 * Q p - 2) with ((Q p - 1) * 2 ^ 1) by lia. apply representable_scaled; lia. }
      assert (B : largest p * Q p <= (2 * Q p - 2) * (k * Q p)).
      { rewrite LP. replace ((2 * Q p - 2) * (k * Q p)) with ((Q p - 1) * (2 * k) * Q p) by ring. apply Z.mul_le_mono_nonneg_r; [lia|].
        apply Z.mul_le_mono_nonneg_l; lia. }
      destruct (round_upto p (largest p * Q p) (k * Q p) (2 * Q p - 2)) as (r & RE & RM & RB); try lia; try assumption.
      exists r. rewrite RE, Z.sgn_pos by (apply Z.mul_pos_pos; lia). split; [f_equal; lia|]. split; [|lia]. rewrite RM.
      apply magnitude_representable; try lia. rewrite <- RM. assert (RL : Z.abs (2 * Q p - 2) <= largest p) by (apply representable_largest; [lia|exact R2]). lia.
  - split; intros Y; [subst z; contradiction|]. right.
    assert (D : above p 0 (denominator p T)).
    { rewrite E. apply above_same; try lia; [|cbn; lia]. intros i Hi. exists (weight_5 p y z i). split; [apply F; lia|].
      destruct (weight_5_nonneg p y z i); lia. }
    destruct (denominator p T) as [d| | |]; cbn [above] in D; try contradiction; [left|right; reflexivity].
    destruct d as [|d|d]; [reflexivity|reflexivity|lia].
Qed.

(* The final MLP. *)
Lemma one_times p c r : 8 <= p -> Z.abs c = 1 -> representable p r -> add p (Fin 0) (mul p (whole p c) (Fin r)) = Fin (c * r).
Proof.
  intros Hp Hc R. pose proof (Q_pos p) as HQ. assert (RC : representable p (c * r)).
  { assert (C : c = 1 \/ c = -1) by lia. destruct C as [C|C]; subst c; [rewrite Z.mul_1_l; exact R|].
    replace (-1 * r) with (- r) by lia. apply representable_opp, R. }
  unfold whole, mul. replace (c * Q p * r) with (c * r * Q p) by ring. rewrite round_exact by (lia || assumption).
  rewrite add_exact; [reflexivity|lia|exact RC].
Qed.

Lemma output_5 p n y z o : let T := corrected_table_5 p n y z in let x := attention p T o in
  let h a b := mul p (whole p (- 2 ^ (p - 2))) (hidden_value p x (whole p a, whole p b)) in
  output p T o = rectified (add p (add p (add p (Fin 0) (h (-1) 2)) (h 1 (-2))) (whole p 1)).
Proof. reflexivity. Qed.

Theorem corrected_table_5_computes_equality : table_5_computes_equality.
Proof.
  intros o p n y z Hp Hn Hy Hyz Hz. cbv zeta. pose proof (Q_pos p) as HQ. pose proof (Q_two p) as Q2. pose proof (pow_pos (p - 2)) as PP.
  assert (S : forall v, Z.abs v <= Q p -> representable p v) by (intros v Hv; apply representable_small; lia).
  assert (RQ : representable p (2 * Q p)). { replace (2 * Q p) with (Q p * 2 ^ 1) by lia. apply representable_scaled; lia. }
  destruct (attention_5 o p n y z Hp Hn Hy Hyz Hz) as [E L]. rewrite output_5. cbv zeta. set (x := attention p (corrected_table_5 p n y z) o) in *.
  destruct (Z.eqb_spec y z) as [H|H].
  - rewrite (E H). assert (H0 : forall c d, Z.abs c = 1 -> d = - c * 2 -> hidden_value p (whole p 2) (whole p c, whole p d) = Fin 0).
    { intros c d Hc Hd. unfold hidden_value. cbn [fst snd]. unfold whole at 2 3. rewrite one_times by assumption.
      rewrite add_exact; replace (c * (2 * Q p) + d * Q p) with 0 by (subst d; ring); [reflexivity|lia|apply S; lia]. }
    rewrite !H0, weighted_zero by (lia || reflexivity). rewrite !add_exact; try lia; try (apply S; lia).
    unfold whole. rewrite add_exact; [|lia|apply S; lia]. cbn [rectified]. destruct (Z.ltb_spec 0 (0 + 0 + 0 + 1 * Q p)); [f_equal; lia|lia].
  - destruct (L H) as [(r & X & RR & RB)|[X|X]]; rewrite X; [left|left|right; reflexivity].
    + assert (H2 : hidden_value p (Fin r) (whole p 1, whole p (-2)) = Fin 0).
      { unfold hidden_value. cbn [fst snd]. rewrite one_times by (assumption || reflexivity). apply rectified_at_most. unfold whole. cbn [add].
        apply round_at_most_neg; try lia. apply S. lia. }
      assert (H1 : at_least (hidden_value p (Fin r) (whole p (-1), whole p 2)) 2).
      { unfold hidden_value. cbn [fst snd]. rewrite one_times by (assumption || reflexivity).
        assert (G : at_least (add p (Fin (-1 * r)) (whole p 2)) 2) by (unfold whole; cbn [add]; apply round_at_least; try lia; apply S; lia).
        rewrite (rectified_at_least _ 2); [exact G|lia|exact G]. }
      set (g := mul p (whole p (- 2 ^ (p - 2))) (hidden_value p (Fin r) (whole p (-1), whole p 2))).
      assert (W : at_most g (- Q p)) by (apply weighted_hidden; [lia|exact H1]). rewrite H2, weighted_zero by lia.
      unfold whole at 2. apply rectified_at_most.
      assert (A : at_most (add p (Fin 0) g) (0 + - Q p)) by (apply add_both_at_most; try lia; [cbn; lia|exact W|apply S; lia]).
      assert (B : at_most (add p (add p (Fin 0) g) (Fin 0)) (0 + - Q p + 0)) by (apply add_both_at_most; try lia; [exact A|cbn; lia|apply S; lia]).
      replace 0 with (0 + - Q p + 0 + Q p) at 3 by lia. unfold whole. rewrite Z.mul_1_l. apply add_both_at_most; try lia; [exact B|cbn; lia|apply S; lia].
    + assert (H1 : hidden_value p PInf (whole p (-1), whole p 2) = Fin 0).
      { unfold hidden_value, whole, mul, sign. cbn [fst snd]. rewrite Z.sgn_neg by lia. reflexivity. }
      assert (H2 : hidden_value p PInf (whole p 1, whole p (-2)) = PInf).
      { unfold hidden_value, whole, mul, sign. cbn [fst snd]. rewrite Z.sgn_pos by lia. reflexivity. }
      rewrite H1, H2, weighted_zero by lia. rewrite add_exact; [|lia|apply S; lia]. unfold whole at 1, mul, sign. rewrite Z.sgn_neg by (apply Z.mul_neg_pos; lia).
      reflexivity.
Qed.
