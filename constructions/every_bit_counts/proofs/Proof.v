(* The proof of Statement.v: numerator and denominator of the witness are what Answer.v asks for. *)
From Coq Require Import ZArith List Lia.
From EveryBitCounts Require Import Arithmetic Statement Rounding Operations Tokens Denominator Numerator Answer.
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

Lemma entries_small p T y z i : 3 <= p -> asks_one p T -> small_entry p T (embedding p i (T1 (2 * p - 1) y z i)).
Proof.
  intros Hp HT. destruct (entry_finite p T y z i Hp HT) as (c & C & B). destruct (embedding_token p i (T1 (2 * p - 1) y z i)) as (k & x & K).
  exists (whole p x), c. unfold entry_at in C. rewrite K in *. split; [reflexivity|]. split; assumption.
Qed.

(* The largest number where the first bits agree, infinity where y's are smaller. *)
Lemma first_bits p q y z : 0 <= q -> y <= z ->
  (high q y = high q z -> cap p (Q p - 1 - high q y + high q z) = Fin (largest p)) /\
  (high q y <> high q z -> cap p (Q p - 1 - high q y + high q z) = PInf).
Proof.
  intros Hq Hyz. pose proof (high_le q y z) as HL. unfold cap. split; intros E.
  - replace (Q p - 1 - high q y + high q z) with (Q p - 1) by lia. destruct (Z.ltb_spec (Q p - 1) (Q p)); [reflexivity|lia].
  - destruct (Z.ltb_spec (Q p - 1 - high q y + high q z) (Q p)); [lia|reflexivity].
Qed.

(* What the two sums have to be for Answer.v; the last q bits are compared in the numerator. *)
Lemma compared p q y z k : 1 <= q -> y <= z ->
  (low q y = low q z -> k = 2 ^ (p - 2)) -> (low q y < low q z -> k <= 2 ^ (p - 2) - 1) ->
  let D := cap p (Q p - 1 - high q y + high q z) in
  ((y =? z) = true -> D = Fin (largest p) /\ k = 2 ^ (p - 2)) /\
  ((y =? z) = false -> D = Fin (largest p) /\ k <= 2 ^ (p - 2) - 1 \/ D = PInf).
Proof.
  intros Hq Hyz KE KL. cbv zeta. destruct (first_bits p q y z) as [A B]; try lia. destruct (Z.eqb_spec y z) as [E|E].
  - split; intros X; [|discriminate X]. subst z. split. apply A. reflexivity. apply KE. reflexivity.
  - split; intros X; [discriminate X|]. destruct (Z.eq_dec (high q y) (high q z)) as [H|H].
    + left. split. apply A, H. apply KL, halves_smaller; lia.
    + right. apply B, H.
Qed.

Theorem computed (o : order) : computes_equality o.
Proof.
  intros p n y z Hp Hn Hy Hyz Hz. pose proof (witness_asks_one p n y z Hp Hn) as HT.
  destruct (numerator_value p (witness p n y z) n y z Hp Hn HT) as (k & K & KR & KB & KE & KL).
  destruct (compared p p y z k) as [Yes No]; try assumption; try lia.
  apply (answers p (witness p n y z) o k (cap p (Q p - 1 - high p y + high p z))); try assumption.
  - repeat split.
  - change (tokens (witness p n y z)) with (map (fun i => embedding p i (T1 (2 * p - 1) y z i)) (range (-1) (n - 1))).
    intros r Hr. apply in_map_iff in Hr. destruct Hr as (i & E & _). subst r. apply entries_small; assumption.
  - rewrite <- K. unfold run, sum. f_equal.
    change (tokens (witness p n y z)) with (map (fun i => embedding p i (T1 (2 * p - 1) y z i)) (range (-1) (n - 1))).
    rewrite map_map. reflexivity.
  - rewrite <- (denominator_value p (witness p n y z) n y z) by assumption. unfold denominator, run, sum. f_equal.
    change (tokens (witness p n y z)) with (map (fun i => embedding p i (T1 (2 * p - 1) y z i)) (range (-1) (n - 1))) at 1.
    rewrite map_map. reflexivity.
Qed.

Theorem denominator_first_computes_equality : p_bits_suffice.
Proof. split; apply computed. Qed.
