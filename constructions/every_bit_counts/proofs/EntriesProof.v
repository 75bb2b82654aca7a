(* The theorem of Entries.v: every entry is a small whole number or a few units of the smallest value. *)
From Coq Require Import ZArith List Lia.
From EveryBitCounts Require Import Arithmetic Statement Unpadded Table6 Table5 FewBits LowerHalf Grid Entries Rounding Operations.
Import ListNotations.
Local Open Scope Z_scope.

Lemma whole_has_bits p c : 1 <= p -> Z.abs c < Q p -> has_bits p (whole p c).
Proof. intros Hp H. apply representable_whole; assumption. Qed.

Lemma units_have_bits p k : 2 <= p -> Z.abs k <= Q p -> has_bits p (Fin k).
Proof. intros Hp H. apply representable_small; assumption. Qed.

(* A power of two below 2^(p-1), and its negative. *)
Lemma power_below p e : 1 <= p -> e <= p - 2 -> 0 <= 2 ^ e < Q p.
Proof.
  intros Hp H. split. apply Z.pow_nonneg; lia. destruct (Z_lt_le_dec e 0) as [N|P].
  - rewrite Z.pow_neg_r by lia. apply Q_pos, Hp.
  - unfold Q. apply Z.pow_lt_mono_r; lia.
Qed.

Lemma digits_below p : 1 <= p -> p - 1 < Q p.
Proof. intros Hp. unfold Q. apply grows. lia. Qed.

Lemma token_has_bits p k x : 2 <= p -> - (p - 1) <= k <= p - 1 -> Z.abs x < Q p -> row_has_bits p (token p (Some k) x).
Proof.
  intros Hp Hk Hx. pose proof (digits_below p) as D. unfold row_has_bits, token. cbn [first key values option_map].
  repeat split; try (repeat constructor); apply whole_has_bits; lia.
Qed.

Lemma unused_has_bits p : 2 <= p -> row_has_bits p (unused p).
Proof.
  intros Hp. pose proof (digits_below p) as D. unfold row_has_bits, unused, token. cbn [first key values option_map].
  repeat split; try (repeat constructor); apply whole_has_bits; lia.
Qed.

Lemma all_mapped (P : row -> Prop) (f : Z -> row) (xs : list Z) : (forall i, In i xs -> P (f i)) -> Forall P (map f xs).
Proof.
  intros H. induction xs as [|x xs IH]; cbn [map]; constructor.
  - apply H. left. reflexivity.
  - apply IH. intros i Hi. apply H. right. exact Hi.
Qed.

Lemma all_rows (P : row -> Prop) (f : Z -> row) a b : (forall i, a <= i -> P (f i)) -> Forall P (map f (range a b)).
Proof.
  intros H. apply all_mapped. intros i Hi. unfold range in Hi. apply in_map_iff in Hi. destruct Hi as (k & E & K). apply H. lia.
Qed.

Lemma embedding_has_bits p i b : 3 <= p -> row_has_bits p (embedding p i b).
Proof.
  intros Hp. assert (U : row_has_bits p (unused p)) by (apply unused_has_bits; lia). pose proof (Q_pos p) as HQ. pose proof (digits_below p) as D.
  unfold embedding. cbv zeta.
  destruct (Z.leb_spec i 0); [exact U|].
  destruct (Z.leb_spec i (p - 1)). { destruct b; [exact U|apply token_has_bits; lia]. }
  destruct (Z.eqb_spec i p). { apply token_has_bits; try lia. fold (Q p). destruct b; lia. }
  destruct (Z.leb_spec i (2 * p - 1)). { apply token_has_bits; try lia. pose proof (power_below p (2 * p - 1 - i)). destruct b; lia. }
  destruct (Z.leb_spec i (2 * p - 1 + 2)). { destruct b; [apply token_has_bits; lia|exact U]. }
  destruct (Z.eqb_spec i (2 * p - 1 + 3)); [exact U|].
  destruct (Z.leb_spec i (2 * p - 1 + p + 1)). { destruct b; [apply token_has_bits; lia|exact U]. }
  destruct (Z.eqb_spec i (2 * p - 1 + p + 2)). { apply token_has_bits; try lia. fold (Q p). destruct b; lia. }
  destruct (Z.leb_spec i (2 * (2 * p - 1) + 2)).
  { apply token_has_bits; try lia. pose proof (power_below p (2 * (2 * p - 1) + 2 - i)). destruct b; lia. }
  destruct (Z.eqb_spec i (2 * (2 * p - 1) + 3)); [|exact U].
  apply token_has_bits; try lia. pose proof (power_below p (p - 2)). lia.
Qed.

Lemma unpadded_has_bits p i b : 4 <= p -> 1 <= i -> row_has_bits p (unpadded_row p i b).
Proof.
  intros Hp Hi. assert (U : row_has_bits p (unused p)) by (apply unused_has_bits; lia). pose proof (Q_pos p) as HQ. pose proof (digits_below p) as D.
  unfold unpadded_row. cbv zeta.
  destruct (Z.leb_spec i (p - 1)). { destruct b; [exact U|apply token_has_bits; lia]. }
  destruct (Z.eqb_spec i p). { apply token_has_bits; try lia. fold (Q p). destruct b; lia. }
  destruct (Z.leb_spec i (2 * p - 1)). { apply token_has_bits; try lia. pose proof (power_below p (2 * p - 1 - i)). destruct b; lia. }
  destruct (Z.leb_spec i (2 * p - 1 + p - 1)). { destruct b; [apply token_has_bits; lia|exact U]. }
  destruct (Z.eqb_spec i (2 * p - 1 + p)). { apply token_has_bits; try lia. fold (Q p). destruct b; lia. }
  destruct (Z.leb_spec i (2 * (2 * p - 1))).
  { apply token_has_bits; try lia. pose proof (power_below p (2 * (2 * p - 1) - i)). destruct b; lia. }
  destruct (Z.eqb_spec i (2 * (2 * p - 1) + 1)); [|exact U].
  apply token_has_bits; try lia. pose proof (power_below p (p - 2)). lia.
Qed.

Lemma simple_has_bits p i b : 3 <= p -> 1 <= i -> row_has_bits p (simple_row p i b).
Proof.
  intros Hp Hi. assert (U : row_has_bits p (unused p)) by (apply unused_has_bits; lia). pose proof (Q_pos p) as HQ. pose proof (digits_below p) as D.
  unfold simple_row. cbv zeta.
  destruct (Z.leb_spec i (p - 2)). { destruct b; [exact U|apply token_has_bits; lia]. }
  destruct (Z.leb_spec i (2 * p - 3)). { apply token_has_bits; try lia. pose proof (power_below p (2 * p - 3 - i)). destruct b; lia. }
  destruct (Z.leb_spec i (2 * p - 3 + p - 2)). { destruct b; [apply token_has_bits; lia|exact U]. }
  destruct (Z.leb_spec i (2 * (2 * p - 3))).
  { apply token_has_bits; try lia. pose proof (power_below p (2 * (2 * p - 3) - i)). destruct b; lia. }
  destruct (Z.eqb_spec i (2 * (2 * p - 3) + 1)); [|exact U].
  unfold row_has_bits, smallest_value. cbn [first key values].
  repeat split; try (repeat constructor); (apply whole_has_bits; lia) || (apply units_have_bits; lia).
Qed.

Lemma single_has_bits i b : row_has_bits 2 (single_row 2 i b).
Proof.
  assert (U : row_has_bits 2 (unused 2)) by (apply unused_has_bits; lia). pose proof (Q_two 2) as HQ. change (2 ^ (2 - 2)) with 1 in HQ.
  unfold single_row. destruct (Z.eqb_spec i 1); [apply token_has_bits; destruct b; lia|].
  destruct (Z.eqb_spec i 2); [apply token_has_bits; destruct b; lia|exact U].
Qed.

Lemma corrected_has_bits p i b : 7 <= p -> row_has_bits p (corrected_row p i b).
Proof.
  intros Hp. assert (U : row_has_bits p (unused p)) by (apply unused_has_bits; lia). pose proof (Q_pos p) as HQ. pose proof (digits_below p) as D.
  assert (S : 0 <= six p <= p - 2 /\ six p <= 6) by (unfold six; lia). pose proof (power_below p (six p)) as PS.
  assert (P6 : 2 ^ 6 <= Q p) by (unfold Q; apply Z.pow_le_mono_r; lia). change (2 ^ 6) with 64 in P6.
  unfold corrected_row. cbv zeta.
  destruct (Z.eqb_spec i (-1)). { apply token_has_bits; try lia. fold (Q p). lia. }
  destruct (Z.leb_spec i 2). { apply token_has_bits; try lia. destruct b; lia. }
  destruct (Z.leb_spec i 6). { apply token_has_bits; try lia. pose proof (power_below p (8 - i)). destruct b; lia. }
  destruct (Z.leb_spec i p). { apply token_has_bits; try lia. destruct b; lia. }
  destruct (Z.leb_spec i (2 * p - 1)). { destruct b; [exact U|apply token_has_bits; lia]. }
  destruct (Z.leb_spec i (2 * p - 1 + 2)). { apply token_has_bits; try lia. destruct b; lia. }
  destruct (Z.eqb_spec i (2 * p - 1 + 3)). { apply token_has_bits; try lia. fold (Q p). lia. }
  destruct (Z.eqb_spec i (2 * p - 1 + 4)). { apply token_has_bits; try lia. destruct b; lia. }
  destruct (Z.leb_spec i (2 * p - 1 + 8)). { apply token_has_bits; try lia. pose proof (power_below p (2 * p - 1 + 10 - i)). destruct b; lia. }
  destruct (Z.leb_spec i (2 * p - 1 + p + 2)). { apply token_has_bits; try lia. destruct b; lia. }
  destruct (Z.leb_spec i (2 * (2 * p - 1) + 2)). { destruct b; [apply token_has_bits; lia|exact U]. }
  destruct (Z.eqb_spec i (2 * (2 * p - 1) + 3)); [apply token_has_bits; lia|exact U].
Qed.

Lemma corrected_5_has_bits p i b : 8 <= p -> 1 <= i -> row_has_bits p (corrected_5_row p i b).
Proof.
  intros Hp Hi. assert (U : row_has_bits p (unused p)) by (apply unused_has_bits; lia). pose proof (Q_pos p) as HQ. pose proof (digits_below p) as D.
  assert (P6 : 2 ^ 6 <= 2 ^ (p - 2)) by (apply Z.pow_le_mono_r; lia). change (2 ^ 6) with 64 in P6. pose proof (Q_two p) as Q2.
  unfold corrected_5_row. cbv zeta.
  destruct (Z.leb_spec i 6). { apply token_has_bits; try lia. pose proof (power_below p (7 - i)). destruct b; lia. }
  destruct (Z.leb_spec i (p - 1)). { apply token_has_bits; try lia. destruct b; lia. }
  destruct (Z.leb_spec i (2 * p - 3)). { destruct b; [exact U|apply token_has_bits; lia]. }
  destruct (Z.leb_spec i (2 * p - 3 + 6)). { apply token_has_bits; try lia. pose proof (power_below p (7 + (2 * p - 3) - i)). destruct b; lia. }
  destruct (Z.leb_spec i (2 * p - 3 + p - 1)). { apply token_has_bits; try lia. destruct b; lia. }
  destruct (Z.leb_spec i (2 * (2 * p - 3))). { destruct b; [apply token_has_bits; lia|exact U]. }
  destruct (Z.eqb_spec i (2 * (2 * p - 3) + 1)); [|exact U]. unfold row_has_bits. cbn [first key values].
  split; [apply whole_has_bits; lia|]. split; [apply whole_has_bits; lia|]. constructor; [|constructor]. unfold has_bits.
  replace (4 * (Q p - 1)) with ((Q p - 1) * 2 ^ 2) by lia. apply representable_scaled; lia.
Qed.

(* Rows with a value for each of many columns: the largest number, its negative or 0. *)
Lemma largest_has_bits q a : 2 <= q -> -1 <= a <= 1 -> has_bits q (whole q (a * (2 ^ (q - 1) - 1))).
Proof.
  intros Hq Ha. pose proof (Q_pos q) as HQ. fold (Q q). assert (A : a = -1 \/ a = 0 \/ a = 1) by lia.
  apply whole_has_bits; [lia|]. destruct A as [A|[A|A]]; subst a; lia.
Qed.

Lemma columns_have_bits q (f : nat -> Z) xs : 2 <= q -> (forall c, -1 <= f c <= 1) ->
  row_has_bits q (Row (whole q 1) (Some (whole q (- (q - 1)))) (map (fun c => whole q (f c * (2 ^ (q - 1) - 1))) xs)).
Proof.
  intros Hq H. pose proof (Q_two q Hq) as HQ. pose proof (digits_below q) as D. unfold row_has_bits. cbn [first key values].
  split; [apply whole_has_bits; lia|]. split; [apply whole_has_bits; lia|].
  induction xs as [|x xs IH]; cbn [map]; constructor; [apply largest_has_bits; [exact Hq|apply H]|exact IH].
Qed.

Lemma adds_at_most_one m i b j : -1 <= adds m i b j <= 1.
Proof. unfold adds. destruct b; [|lia]. destruct (i =? j); [lia|]. destruct (i =? (if j =? 1 then m + 2 else m + 2 + j)); lia. Qed.

Lemma adds_on_T0_at_most_one m i b j : -1 <= adds_on_T0 m i b j <= 1.
Proof. unfold adds_on_T0. destruct b; [|lia]. destruct (i =? j); [lia|]. destruct (i =? m + j); lia. Qed.

Lemma repeated_has_bits p x k : has_bits p x -> Forall (has_bits p) (repeat x k).
Proof. intros H. induction k as [|k IH]; cbn [repeat]; constructor; [exact H|exact IH]. Qed.

(* The weights that several tables share. *)
Lemma weights_have_bits p : 3 <= p ->
  Forall (has_bits p) [whole p 1] /\ Forall (fun node => has_bits p (fst node) /\ has_bits p (snd node)) [(whole p (-2), Fin 2); (whole p 2, Fin (-2))] /\
  Forall (has_bits p) [whole p (- 2 ^ (p - 2)); whole p (- 2 ^ (p - 2))] /\ has_bits p (whole p 1).
Proof.
  intros Hp. pose proof (Q_two p) as HQ. pose proof (power_below p (p - 2)) as P. pose proof (digits_below p) as D.
  repeat split; repeat constructor; cbn [fst snd]; (apply whole_has_bits; lia) || (apply units_have_bits; lia).
Qed.

(* A level or none beside a level. *)
Definition levels (p : Z) (r : option Z * Z) : Prop := is_level p (snd r) /\ forall k, fst r = Some k -> is_level p k.

Lemma some_levels p k x : is_level p k -> is_level p x -> levels p (Some k, x).
Proof. intros K X. split; [exact X|]. cbn [fst]. intros k' E. injection E as E. rewrite <- E. exact K. Qed.

Lemma nothing_levels p : 4 <= p -> levels p nothing.
Proof.
  intros Hp. pose proof (Q_pos p) as HQ. unfold levels, nothing, is_level. cbn [fst snd]. fold (Q p). split; [lia|]. intros k E. discriminate E.
Qed.

Lemma first_half_levels p j : 4 <= p -> 1 <= j <= p - 1 -> levels p (first_half (p - 1) j).
Proof.
  intros Hp Hj. pose proof (digits_below p) as D. pose proof (power_below p (p - 1 - j)) as P. unfold first_half.
  destruct (2 <=? j)%bool; destruct (j <=? p - 1 - 2)%bool; apply some_levels; unfold is_level; fold (Q p); lia.
Qed.

Lemma grid_row_levels p i b : 4 <= p -> levels p (grid_row p i b).
Proof.
  intros Hp. assert (N : levels p nothing) by (apply nothing_levels; exact Hp). pose proof (digits_below p) as D.
  assert (F : forall j, 1 <= j <= p - 1 -> levels p (first_half (p - 1) j)) by (intros j Hj; apply first_half_levels; assumption).
  unfold grid_row. cbv zeta.
  destruct (Z.leb_spec i 0); [exact N|].
  destruct (Z.leb_spec i (p - 1)). { destruct b; [apply F; lia|exact N]. }
  destruct (Z.leb_spec i (2 * p - 3)). { destruct b; [exact N|apply some_levels; unfold is_level; fold (Q p); lia]. }
  destruct (Z.eqb_spec i (2 * p - 3 + 1)). { destruct b; [exact N|apply F; lia]. }
  destruct (Z.leb_spec i (2 * p - 3 + 3)); [exact N|].
  destruct (Z.leb_spec i (2 * p - 3 + (p - 1) + 2)). { destruct b; [exact N|apply F; lia]. }
  destruct (Z.leb_spec i (2 * (2 * p - 3) + 2)). { destruct b; [apply some_levels; unfold is_level; fold (Q p); lia|exact N]. }
  destruct (Z.eqb_spec i (2 * (2 * p - 3) + 3)); [apply some_levels; unfold is_level; fold (Q p); lia|exact N].
Qed.

Theorem every_entry_has_the_bits : entries_have_the_bits.
Proof.
  unfold entries_have_the_bits. pose proof (Q_two 2) as Q2. change (2 ^ (2 - 2)) with 1 in Q2.
  split. { intros p n y z Hp. pose proof (weights_have_bits p Hp) as (V & H & O & B). split; [|split; [|split; [exact V|split; [exact H|split; [exact O|exact B]]]]].
    - apply all_rows. intros i Hi. apply embedding_has_bits, Hp.
    - apply embedding_has_bits, Hp. }
  split. { intros p n y z Hp Hn. assert (Hp' : 3 <= p) by lia. pose proof (weights_have_bits p Hp') as (V & H & O & B).
    split; [|split; [|split; [exact V|split; [exact H|split; [exact O|exact B]]]]].
    - apply all_rows. intros i Hi. apply unpadded_has_bits; assumption.
    - cbn [asking on_T0]. apply unpadded_has_bits; lia. }
  split. { intros p n y z Hp Hn. pose proof (weights_have_bits p Hp) as (V & H & O & B).
    split; [|split; [|split; [exact V|split; [exact H|split; [exact O|exact B]]]]].
    - apply all_rows. intros i Hi. apply simple_has_bits; assumption.
    - cbn [asking on_T0]. apply simple_has_bits; lia. }
  split. { intros n y z. split; [apply all_rows; intros i Hi; apply single_has_bits|]. split; [apply single_has_bits|].
    repeat split; repeat constructor; cbn [fst snd]; (apply whole_has_bits; lia) || (apply units_have_bits; lia). }
  split. { intros p n y z Hp. pose proof (Q_two p) as HQ. pose proof (power_below p (p - 2)) as P. pose proof (digits_below p) as D.
    split; [apply all_rows; intros i Hi; apply corrected_has_bits, Hp|]. split; [apply corrected_has_bits, Hp|].
    repeat split; repeat constructor; cbn [fst snd]; (apply whole_has_bits; lia) || (apply units_have_bits; lia). }
  split. { intros p n y z Hp Hn. pose proof (Q_two p) as HQ. pose proof (power_below p (p - 2)) as P. pose proof (digits_below p) as D.
    split; [apply all_rows; intros i Hi; apply corrected_5_has_bits; assumption|]. split; [apply corrected_5_has_bits; lia|].
    repeat split; repeat constructor; cbn [fst snd]; apply whole_has_bits; lia. }
  split. { intros q m n y z Hq. pose proof (Q_two q Hq) as HQ. pose proof (pow_pos (q - 2)) as P.
    split; [apply all_rows; intros i Hi; apply columns_have_bits; [exact Hq|intros c; apply adds_at_most_one]|].
    split; [apply columns_have_bits; [exact Hq|intros c; apply adds_at_most_one]|].
    split; [apply repeated_has_bits; rewrite <- (Z.mul_1_l (2 ^ (q - 1) - 1)); apply largest_has_bits; lia|].
    split; [repeat constructor; cbn [fst snd]; (apply whole_has_bits; lia) || (apply units_have_bits; lia)|].
    split; [apply repeated_has_bits, whole_has_bits; lia|apply whole_has_bits; lia]. }
  split. { intros q m n y z Hq. pose proof (Q_two q Hq) as HQ. pose proof (pow_pos (q - 2)) as P.
    split; [apply all_rows; intros i Hi; apply columns_have_bits; [exact Hq|intros c; apply adds_on_T0_at_most_one]|].
    split; [apply columns_have_bits; [exact Hq|intros c; apply adds_on_T0_at_most_one]|].
    split; [apply repeated_has_bits; rewrite <- (Z.mul_1_l (2 ^ (q - 1) - 1)); apply largest_has_bits; lia|].
    split; [repeat constructor; cbn [fst snd]; (apply whole_has_bits; lia) || (apply units_have_bits; lia)|].
    split; [apply repeated_has_bits, whole_has_bits; lia|apply whole_has_bits; lia]. }
  intros p i b Hp. apply grid_row_levels, Hp.
Qed.
