(* The proof of Statement.v: the attention is one unit where y = z, and at most 0 where y < z; the MLP tells them apart. *)
From Coq Require Import ZArith List Lia.
From EveryBitCounts Require Import Arithmetic Statement Rounding Operations Tokens Denominator Numerator.
Import ListNotations.
Local Open Scope Z_scope.

(* Two strings agree where their first and their last bits do. *)
Lemma halves p y : 0 <= p -> y = 2 ^ p * high p y + low p y.
Proof. intros Hp. apply Z.div_mod. pose proof (pow_pos p Hp). lia. Qed.

Lemma halves_smaller p y z : 1 <= p -> y < z -> high p y = high p z -> low p y < low p z.
Proof. intros Hp H E. pose proof (halves p y) as A. pose proof (halves p z) as B. rewrite E in A. lia. Qed.

Lemma witness_asks_one p n y z : 3 <= p -> 4 * p + 2 <= n -> asks_one p (witness p n y z).
Proof.
  intros Hp Hn. unfold asks_one, witness. cbv zeta. cbn [asking]. destruct (Z.eq_dec (n - 1) (4 * p + 1)) as [E|E].
  - rewrite step_11 by assumption. reflexivity.
  - rewrite step_12 by lia. reflexivity.
Qed.

(* Every row of the table has one value, and every product of weight and value is representable. *)
Lemma embedding_token p i b : exists k x, embedding p i b = token p k x.
Proof.
  unfold embedding, unused. cbv zeta. destruct (i <=? 0); [eexists; eexists; reflexivity|].
  destruct (i <=? p - 1); [destruct b; eexists; eexists; reflexivity|]. destruct (i =? p); [eexists; eexists; reflexivity|].
  destruct (i <=? 2 * p - 1); [eexists; eexists; reflexivity|].
  destruct (i <=? 2 * p - 1 + 2); [destruct b; eexists; eexists; reflexivity|].
  destruct (i =? 2 * p - 1 + 3); [eexists; eexists; reflexivity|].
  destruct (i <=? 2 * p - 1 + p + 1); [destruct b; eexists; eexists; reflexivity|].
  destruct (i =? 2 * p - 1 + p + 2); [eexists; eexists; reflexivity|].
  destruct (i <=? 2 * (2 * p - 1) + 2); [eexists; eexists; reflexivity|].
  destruct (i =? 2 * (2 * p - 1) + 3); eexists; eexists; reflexivity.
Qed.

Lemma entry_finite p T y z i : 3 <= p -> asks_one p T -> exists c, entry_at p T y z i = Fin c /\ Z.abs c <= Q p.
Proof.
  intros Hp HT. pose proof (Q_pos p) as HQ.
  destruct (Z_le_gt_dec i (p - 1)) as [A|A]. { exists 0. rewrite entry_start by assumption. split; [reflexivity|lia]. }
  destruct (Z.eq_dec i p) as [B|B]. { eexists. rewrite entry_y_first by assumption. split; [reflexivity|]. destruct (Z.testbit y (p - 1)); lia. }
  destruct (Z_le_gt_dec i (2 * p - 1)) as [C|C].
  { eexists. rewrite entry_y by (assumption || lia). split; [reflexivity|]. pose proof (pow_below p (2 * p - 1 - i)).
    destruct (Z.testbit y (2 * p - 1 - i)); lia. }
  destruct (Z_le_gt_dec i (3 * p)) as [D|D]. { exists 0. rewrite entry_middle by (assumption || lia). split; [reflexivity|lia]. }
  destruct (Z.eq_dec i (3 * p + 1)) as [E|E].
  { eexists. rewrite entry_z_first by assumption. split; [reflexivity|]. destruct (Z.testbit z (p - 1)); lia. }
  destruct (Z_le_gt_dec i (4 * p)) as [F|F].
  { eexists. rewrite entry_z by (assumption || lia). split; [reflexivity|]. pose proof (pow_below p (4 * p - i)).
    destruct (Z.testbit z (4 * p - i)); lia. }
  destruct (Z.eq_dec i (4 * p + 1)) as [G|G].
  { eexists. rewrite entry_last by assumption. split; [reflexivity|]. pose proof (pow_below p (p - 2)). lia. }
  exists 0. rewrite entry_end by lia. split; [reflexivity|lia].
Qed.

Lemma times_one p c : 3 <= p -> representable p c -> add p (Fin 0) (mul p (Fin c) (whole p 1)) = Fin c.
Proof.
  intros Hp H. rewrite mul_whole; [|lia|rewrite Z.mul_1_r; exact H]. rewrite Z.mul_1_r. apply round_fixed; [lia|exact H].
Qed.

(* Both orders give the sum of the entries. *)
Lemma by_columns p n y z k : 3 <= p -> run p (entry_at p (witness p n y z) y z) (-1) (n - 1) (Fin 0) = Fin k -> representable p k ->
  numerator_by_columns p (witness p n y z) = Fin k.
Proof.
  intros Hp E R. assert (C : column p (witness p n y z) 0 = Fin k).
  { rewrite <- E. unfold column, run, sum. f_equal. unfold witness. cbv zeta. cbn [tokens]. rewrite map_map. reflexivity. }
  unfold numerator_by_columns, sum. change (value_weights (witness p n y z)) with [whole p 1].
  cbn [length seq combine map fst snd fold_left]. rewrite C. apply times_one; assumption.
Qed.

Lemma by_tokens p n y z k : 3 <= p -> asks_one p (witness p n y z) ->
  run p (entry_at p (witness p n y z) y z) (-1) (n - 1) (Fin 0) = Fin k -> numerator_by_tokens p (witness p n y z) = Fin k.
Proof.
  intros Hp HT E. rewrite <- E. unfold numerator_by_tokens, run, sum. f_equal.
  change (tokens (witness p n y z)) with (map (fun i => embedding p i (T1 (2 * p - 1) y z i)) (range (-1) (n - 1))).
  rewrite map_map. apply map_ext. intros i. destruct (entry_finite p (witness p n y z) y z i Hp HT) as (c & C & B). rewrite C.
  unfold entry_at in C. destruct (embedding_token p i (T1 (2 * p - 1) y z i)) as (key & x & K). rewrite K in *.
  unfold product, sum. change (value_weights (witness p n y z)) with [whole p 1]. cbn [values token combine map fst snd fold_left].
  change (mul p (weight p (witness p n y z) (token p key x)) (whole p x)) with (entry p (witness p n y z) (token p key x)).
  rewrite C. apply times_one; [assumption|]. apply representable_small; lia.
Qed.

Lemma denominator_run p n y z : denominator p (witness p n y z) = run p (weight_at p (witness p n y z) y z) (-1) (n - 1) (Fin 0).
Proof. unfold denominator, run, sum. f_equal. unfold witness at 2. cbv zeta. cbn [tokens]. rewrite map_map. reflexivity. Qed.

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

Lemma attention_value p n y z o : 3 <= p -> 4 * p + 2 <= n -> 0 <= y -> y <= z -> z < 2 ^ (2 * p - 1) ->
  (y = z -> attention p (witness p n y z) o = Fin 1) /\
  (y < z -> exists t, attention p (witness p n y z) o = Fin t /\ - Q p <= t <= 0).
Proof.
  intros Hp Hn Hy Hyz Hz. pose proof (witness_asks_one p n y z Hp Hn) as HT. pose proof (Q_pos p) as HQ.
  destruct (numerator_value p (witness p n y z) n y z Hp Hn HT) as (k & K & KR & KB & KE & KL).
  assert (NE : match o with matrix_order => numerator_by_columns p (witness p n y z) | token_order => numerator_by_tokens p (witness p n y z) end = Fin k).
  { destruct o. apply by_columns; assumption. apply by_tokens; assumption. }
  unfold attention. rewrite NE, denominator_run, denominator_value by assumption. clear NE.
  assert (HD : high p y = high p z -> cap p (Q p - 1 - high p y + high p z) = Fin (largest p)).
  { intros E. rewrite E. replace (Q p - 1 - high p z + high p z) with (Q p - 1) by lia. unfold cap. destruct (Z.ltb_spec (Q p - 1) (Q p)); [reflexivity|lia]. }
  pose proof (Q_two p) as Q2. pose proof (pow_succ (p - 2)) as P3. pose proof (pow_pos (p - 2 - 1)) as P4.
  assert (LP : 0 < largest p) by (apply Z.mul_pos_pos; lia). split.
  - intros E. subst z. rewrite HD by reflexivity. rewrite div_finite by lia. rewrite KE by reflexivity. apply quotient_equal; assumption.
  - intros L. pose proof (high_le p y z) as HL. destruct (Z.eq_dec (high p y) (high p z)) as [E|E].
    + rewrite HD by assumption. rewrite div_finite by lia. apply quotient_less; try assumption. apply KL, halves_smaller; lia.
    + exists 0. split; [|lia]. unfold cap. destruct (Z.ltb_spec (Q p - 1 - high p y + high p z) (Q p)); [lia|reflexivity].
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

Lemma output_of p n y z o : let x := attention p (witness p n y z) o in output p (witness p n y z) o =
  rectified (add p (add p (add p (Fin 0) (mul p (whole p (- 2 ^ (p - 2))) (hidden_value p x (whole p (-2), Fin 2))))
                          (mul p (whole p (- 2 ^ (p - 2))) (hidden_value p x (whole p 2, Fin (-2))))) (whole p 1)).
Proof. reflexivity. Qed.

Lemma output_equal p n y z o : 3 <= p -> attention p (witness p n y z) o = Fin 1 -> output p (witness p n y z) o = whole p 1.
Proof.
  intros Hp H. pose proof (Q_two p) as Q2. pose proof (pow_succ (p - 2)) as P3. pose proof (pow_pos (p - 2 - 1)) as P4.
  rewrite output_of. cbv zeta. rewrite H. assert (Z0 : forall c, Z.abs c = 2 -> hidden_value p (Fin 1) (whole p c, Fin (- c)) = Fin 0).
  { intros c Hc. unfold hidden_value. cbn [fst snd]. rewrite doubled by lia. rewrite Z.mul_1_r, add_exact; [|lia|].
    replace (c + - c) with 0 by lia. reflexivity. apply representable_small; lia. }
  pose proof (Z0 (-2) eq_refl) as A. pose proof (Z0 2 eq_refl) as B. change (- -2) with 2 in A. change (- (2)) with (-2) in B.
  rewrite A, B, weighted_zero by lia.
  rewrite !add_exact; try lia; try (apply representable_small; lia).
  unfold whole. rewrite add_exact; [|lia|apply representable_small; lia]. cbn [rectified].
  destruct (Z.ltb_spec 0 (0 + 0 + 0 + 1 * Q p)); [f_equal; lia|lia].
Qed.

Lemma output_less p n y z o t : 3 <= p -> attention p (witness p n y z) o = Fin t -> - Q p <= t <= 0 -> output p (witness p n y z) o = whole p 0.
Proof.
  intros Hp H Ht. pose proof (Q_pos p) as HQ. rewrite output_of. cbv zeta. rewrite H, second_hidden, weighted_zero by lia.
  pose proof (weighted_hidden p _ Hp (first_hidden p t Hp Ht)) as W. set (g := mul p _ _) in *.
  assert (A : at_most (add p (Fin 0) g) (- Q p)).
  { destruct g as [k| | |]; cbn [at_most] in W; try contradiction; [|exact I]. apply round_at_most_neg; try lia.
    apply representable_opp, representable_small; lia. }
  assert (B : at_most (add p (add p (Fin 0) g) (Fin 0)) (- Q p + 0)).
  { apply add_at_most; try lia. exact A. rewrite Z.add_0_r. apply representable_opp, representable_small; lia. }
  unfold whole at 1 2. apply rectified_at_most. replace 0 with (- Q p + 0 + 1 * Q p) at 3 by lia. apply add_at_most; try lia. exact B.
  apply representable_small; lia.
Qed.

Theorem computed (o : order) : computes_equality o.
Proof.
  intros p n y z Hp Hn Hy Hyz Hz. destruct (attention_value p n y z o Hp Hn Hy Hyz Hz) as [E L]. destruct (Z.eqb_spec y z) as [A|A].
  - apply output_equal; [assumption|]. apply E, A.
  - destruct L as (t & T & B). lia. apply (output_less p n y z o t); assumption.
Qed.

Theorem denominator_first_computes_equality : p_bits_suffice.
Proof. split; apply computed. Qed.
