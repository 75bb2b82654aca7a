(* From the two sums to the answer: the attention is one unit where the numerator is half a unit over the largest number, and at most 0
   where it is less or the denominator is infinite; the MLP tells them apart. All witnesses have this W^V and this MLP. *)
From Coq Require Import ZArith List Lia.
From EveryBitCounts Require Import Arithmetic Statement Rounding Operations Tokens.
Import ListNotations.
Local Open Scope Z_scope.

Definition tests_for_one_unit (p : Z) (T : transformer) : Prop :=
  value_weights T = [whole p 1] /\ hidden T = [(whole p (-2), Fin 2); (whole p 2, Fin (-2))] /\
  output_weights T = [whole p (- 2 ^ (p - 2)); whole p (- 2 ^ (p - 2))] /\ output_bias T = whole p 1.

(* A row with one value, whose product with the weight is a small number. *)
Definition small_entry (p : Z) (T : transformer) (r : row) : Prop :=
  exists v c, values r = [v] /\ entry p T r = Fin c /\ Z.abs c <= Q p.

Lemma times_one p c : 3 <= p -> representable p c -> add p (Fin 0) (mul p (Fin c) (whole p 1)) = Fin c.
Proof.
  intros Hp H. rewrite mul_whole; [|lia|rewrite Z.mul_1_r; exact H]. rewrite Z.mul_1_r. apply round_fixed; [lia|exact H].
Qed.

(* Both orders give the sum of the entries. *)
Lemma by_columns p T k : 3 <= p -> tests_for_one_unit p T -> sum p (map (entry p T) (tokens T)) = Fin k -> representable p k ->
  numerator_by_columns p T = Fin k.
Proof.
  intros Hp (V & _) E R. assert (C : column p T 0 = Fin k) by exact E. unfold numerator_by_columns. rewrite V. unfold sum.
  cbn [length seq combine map fst snd fold_left]. rewrite C. apply times_one; assumption.
Qed.

Lemma by_tokens p T k : 3 <= p -> tests_for_one_unit p T -> (forall r, In r (tokens T) -> small_entry p T r) ->
  sum p (map (entry p T) (tokens T)) = Fin k -> numerator_by_tokens p T = Fin k.
Proof.
  intros Hp (V & _) HR E. rewrite <- E. unfold numerator_by_tokens. f_equal. apply map_ext_in. intros r Hr.
  destruct (HR r Hr) as (v & c & A & C & B). unfold entry in C |- *. unfold product, sum. rewrite V, A in *.
  cbn [nth combine map fst snd fold_left] in *. rewrite C. apply times_one; [assumption|]. apply representable_small; lia.
Qed.

(* The division. *)
Lemma div_finite p a b : 0 < b -> div p (Fin a) (Fin b) = round p (a * Q p) b.
Proof. intros H. destruct b as [|b|b]; try lia. cbn [div]. change (Z.sgn (Z.pos b)) with 1. change (Z.abs (Z.pos b)) with (Z.pos b). f_equal. lia. Qed.

Lemma quotient_equal p : 3 <= p -> round p (2 ^ (p - 2) * Q p) (largest p) = Fin 1.
Proof.
  intros Hp. pose proof (Q_two p) as Q2. pose proof (pow_succ (p - 2)) as P3. pose proof (pow_pos (p - 2 - 1)) as P4.
  assert (HQ : 4 <= Q p) by lia. assert (HH : Q p * Q p = 2 * (2 ^ (p - 2) * Q p)) by (rewrite Q2 at 1 by lia; ring).
  assert (HL : largest p = Q p * Q p - Q p) by (unfold largest; ring). assert (H4 : 4 * Q p <= Q p * Q p) by (apply Z.mul_le_mono_nonneg_r; lia).
  assert (A : Z.abs (2 ^ (p - 2) * Q p) = 2 ^ (p - 2) * Q p) by lia.
  assert (E : exponent p (2 ^ (p - 2) * Q p) (largest p) = 0).
  { unfold exponent. rewrite Z.div_small. cbn. lia. split; [lia|].
    assert (4 * largest p <= largest p * Q p) by (rewrite Z.mul_comm; apply Z.mul_le_mono_nonneg_l; lia). lia. }
  rewrite (round_magnitude p _ _ 1); [rewrite Z.sgn_pos by lia; reflexivity| |lia].
  rewrite A. apply (magnitude_near _ _ _ _ 1); try lia; rewrite E; lia.
Qed.

Lemma quotient_less p k : 3 <= p -> Z.abs k <= 3 * Q p -> k <= 2 ^ (p - 2) - 1 ->
  exists t, round p (k * Q p) (largest p) = Fin t /\ - Q p <= t <= 0.
Proof.
  intros Hp HA HK. pose proof (Q_two p) as Q2. pose proof (pow_succ (p - 2)) as P3. pose proof (pow_pos (p - 2 - 1)) as P4.
  assert (HQ : 4 <= Q p) by lia. assert (HL : largest p = Q p * Q p - Q p) by (unfold largest; ring).
  assert (H4 : 4 * Q p <= Q p * Q p) by (apply Z.mul_le_mono_nonneg_r; lia).
  destruct (Z_le_gt_dec 0 k) as [N|N].
  - exists 0. split; [|lia]. assert (B : k * Q p <= (2 ^ (p - 2) - 1) * Q p) by (apply Z.mul_le_mono_nonneg_r; lia).
    assert (HH : Q p * Q p = 2 * (2 ^ (p - 2) * Q p)) by (rewrite Q2 at 1 by lia; ring).
    assert (N2 : 0 <= k * Q p) by (apply Z.mul_nonneg_nonneg; lia).
    rewrite (round_magnitude p _ _ 0); [f_equal; ring| |lia]. rewrite Z.abs_eq by lia.
    apply (magnitude_near _ _ _ _ 0); try lia. destruct (exponent_bounds p (k * Q p) (largest p)) as (X & _ & _); try lia.
    pose proof (pow_pos (exponent p (k * Q p) (largest p))) as Y.
    assert (largest p * 1 <= largest p * 2 ^ exponent p (k * Q p) (largest p)) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
  - assert (B : Z.abs (k * Q p) <= Q p * largest p).
    { rewrite Z.abs_mul, (Z.abs_eq (Q p)) by lia. rewrite Z.mul_comm. apply Z.mul_le_mono_nonneg_l; lia. }
    destruct (round_upto p (k * Q p) (largest p) (Q p)) as (r & R & _ & L); try lia. apply representable_small; lia.
    exists (Z.sgn (k * Q p) * r). split. exact R. rewrite Z.sgn_neg by (apply Z.mul_neg_pos; lia). lia.
Qed.

Lemma attention_value p T o k D : 3 <= p -> tests_for_one_unit p T -> (forall r, In r (tokens T) -> small_entry p T r) ->
  sum p (map (entry p T) (tokens T)) = Fin k -> representable p k -> Z.abs k <= 3 * Q p -> denominator p T = D ->
  (D = Fin (largest p) /\ k = 2 ^ (p - 2) -> attention p T o = Fin 1) /\
  (D = Fin (largest p) /\ k <= 2 ^ (p - 2) - 1 \/ D = PInf -> exists t, attention p T o = Fin t /\ - Q p <= t <= 0).
Proof.
  intros Hp HM HR K KR KB HD. pose proof (Q_pos p) as HQ. pose proof (Q_two p) as Q2. pose proof (pow_succ (p - 2)) as P3. pose proof (pow_pos (p - 2 - 1)) as P4.
  assert (NE : match o with matrix_order => numerator_by_columns p T | token_order => numerator_by_tokens p T end = Fin k).
  { destruct o. apply by_columns; assumption. apply by_tokens; assumption. }
  unfold attention. rewrite NE, HD. clear NE. assert (LP : 0 < largest p) by (apply Z.mul_pos_pos; lia). split.
  - intros [A B]. rewrite A, div_finite, B by lia. apply quotient_equal; assumption.
  - intros [[A B]|A]; rewrite A.
    + rewrite div_finite by lia. apply quotient_less; assumption.
    + exists 0. split; [reflexivity|lia].
Qed.

(* The final MLP. *)
Lemma add_at_most p x u b : 2 <= p -> at_most x u -> representable p (u + b) -> u + b <= 0 -> at_most (add p x (Fin b)) (u + b).
Proof. intros Hp H R N. destruct x as [k| | |]; cbn [at_most] in H; try contradiction; [|exact I]. apply round_at_most_neg; try lia. exact R. Qed.

(* The first hidden node is at least two units, the second one 0. *)
Lemma doubled p c t : 3 <= p -> Z.abs c = 2 -> Z.abs t <= Q p -> add p (Fin 0) (mul p (whole p c) (Fin t)) = Fin (c * t).
Proof.
  intros Hp Hc Ht. pose proof (Q_pos p). assert (R : representable p (c * t)).
  { assert (C : c = 2 \/ c = -2) by lia. destruct C as [C|C]; subst c.
    - replace (2 * t) with (t * 2 ^ 1) by lia. apply representable_scaled; lia.
    - replace (-2 * t) with (- t * 2 ^ 1) by lia. apply representable_scaled; lia. }
  unfold whole, mul. replace (c * Q p * t) with (c * t * Q p) by ring. rewrite round_exact by (lia || assumption).
  apply round_fixed; [lia|exact R].
Qed.

Lemma first_hidden p t : 3 <= p -> - Q p <= t <= 0 -> at_least (hidden_value p (Fin t) (whole p (-2), Fin 2)) 2.
Proof.
  intros Hp Ht. pose proof (Q_two p) as Q2. pose proof (pow_pos (p - 2)) as P2. unfold hidden_value. cbn [fst snd]. rewrite doubled by lia.
  assert (A : at_least (add p (Fin (-2 * t)) (Fin 2)) 2). { apply round_at_least; try lia. apply representable_small; lia. }
  rewrite (rectified_at_least _ 2); [exact A|lia|exact A].
Qed.

Lemma second_hidden p t : 3 <= p -> - Q p <= t <= 0 -> hidden_value p (Fin t) (whole p 2, Fin (-2)) = Fin 0.
Proof.
  intros Hp Ht. pose proof (Q_pos p). unfold hidden_value. cbn [fst snd]. rewrite doubled by lia. apply rectified_at_most.
  apply round_at_most_neg; try lia. apply representable_small; lia.
Qed.

Lemma weighted_hidden p x : 3 <= p -> at_least x 2 -> at_most (mul p (whole p (- 2 ^ (p - 2))) x) (- Q p).
Proof.
  intros Hp H. pose proof (Q_two p) as Q2. pose proof (pow_pos (p - 2)) as P2. destruct x as [h| | |]; cbn [at_least] in H; try contradiction.
  - apply round_at_most_neg; try lia. apply representable_small; lia.
    assert (A : 2 ^ (p - 2) * Q p * 2 <= 2 ^ (p - 2) * Q p * h) by (apply Z.mul_le_mono_nonneg_l; lia).
    assert (B : Q p * Q p = 2 ^ (p - 2) * Q p * 2) by (rewrite Q2 at 1 by lia; ring). lia.
  - unfold whole, mul, sign. rewrite Z.sgn_neg by (apply Z.mul_neg_pos; lia). exact I.
Qed.

Lemma weighted_zero p c : 2 <= p -> mul p (whole p c) (Fin 0) = Fin 0.
Proof. intros Hp. pose proof (Q_pos p). unfold whole, mul. rewrite Z.mul_0_r. apply round_zero; lia. Qed.

Lemma output_of p T o : tests_for_one_unit p T -> let x := attention p T o in output p T o =
  rectified (add p (add p (add p (Fin 0) (mul p (whole p (- 2 ^ (p - 2))) (hidden_value p x (whole p (-2), Fin 2))))
                          (mul p (whole p (- 2 ^ (p - 2))) (hidden_value p x (whole p 2, Fin (-2))))) (whole p 1)).
Proof. intros (_ & H & W & B). unfold output. rewrite H, W, B. reflexivity. Qed.

Lemma output_equal p T o : 3 <= p -> tests_for_one_unit p T -> attention p T o = Fin 1 -> output p T o = whole p 1.
Proof.
  intros Hp HM H. pose proof (Q_two p) as Q2. pose proof (pow_succ (p - 2)) as P3. pose proof (pow_pos (p - 2 - 1)) as P4.
  rewrite output_of by assumption. cbv zeta. rewrite H. assert (Z0 : forall c, Z.abs c = 2 -> hidden_value p (Fin 1) (whole p c, Fin (- c)) = Fin 0).
  { intros c Hc. unfold hidden_value. cbn [fst snd]. rewrite doubled by lia. rewrite Z.mul_1_r, add_exact; [|lia|].
    replace (c + - c) with 0 by lia. reflexivity. apply representable_small; lia. }
  pose proof (Z0 (-2) eq_refl) as A. pose proof (Z0 2 eq_refl) as B. change (- -2) with 2 in A. change (- (2)) with (-2) in B.
  rewrite A, B, weighted_zero by lia.
  rewrite !add_exact; try lia; try (apply representable_small; lia).
  unfold whole. rewrite add_exact; [|lia|apply representable_small; lia]. cbn [rectified].
  destruct (Z.ltb_spec 0 (0 + 0 + 0 + 1 * Q p)); [f_equal; lia|lia].
Qed.

Lemma output_less p T o t : 3 <= p -> tests_for_one_unit p T -> attention p T o = Fin t -> - Q p <= t <= 0 -> output p T o = whole p 0.
Proof.
  intros Hp HM H Ht. pose proof (Q_pos p) as HQ. rewrite output_of by assumption. cbv zeta. rewrite H, second_hidden, weighted_zero by lia.
  pose proof (weighted_hidden p _ Hp (first_hidden p t Hp Ht)) as W. set (g := mul p _ _) in *.
  assert (A : at_most (add p (Fin 0) g) (- Q p)).
  { destruct g as [k| | |]; cbn [at_most] in W; try contradiction; [|exact I]. apply round_at_most_neg; try lia.
    apply representable_opp, representable_small; lia. }
  assert (B : at_most (add p (add p (Fin 0) g) (Fin 0)) (- Q p + 0)).
  { apply add_at_most; try lia. exact A. rewrite Z.add_0_r. apply representable_opp, representable_small; lia. }
  unfold whole at 1 2. apply rectified_at_most. replace 0 with (- Q p + 0 + 1 * Q p) at 3 by lia. apply add_at_most; try lia. exact B.
  apply representable_small; lia.
Qed.

Theorem answers p T o k D e : 3 <= p -> tests_for_one_unit p T -> (forall r, In r (tokens T) -> small_entry p T r) ->
  sum p (map (entry p T) (tokens T)) = Fin k -> representable p k -> Z.abs k <= 3 * Q p -> denominator p T = D ->
  (e = true -> D = Fin (largest p) /\ k = 2 ^ (p - 2)) -> (e = false -> D = Fin (largest p) /\ k <= 2 ^ (p - 2) - 1 \/ D = PInf) ->
  output p T o = if e then whole p 1 else whole p 0.
Proof.
  intros Hp HM HR K KR KB HD Yes No. destruct (attention_value p T o k D Hp HM HR K KR KB HD) as [E L]. destruct e.
  - apply output_equal; try assumption. apply E, Yes. reflexivity.
  - destruct (L (No eq_refl)) as (t & A & B). apply (output_less p T o t); assumption.
Qed.
