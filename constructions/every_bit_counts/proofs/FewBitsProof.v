(* The proof of FewBits.v: a column of A X is a difference of two bits times the largest number. With two bits a running sum of the numerator is
   one of five numbers; with more bits it is 0 up to the last position where the strings differ, and infinite after that position. *)
From Coq Require Import ZArith List Lia.
From EveryBitCounts Require Import Arithmetic Statement Unpadded Rounding Operations FewBits.
Import ListNotations.
Local Open Scope Z_scope.

Lemma small_sum q a b : 2 <= q -> Z.abs (a + b) <= Q q -> add q (Fin a) (Fin b) = Fin (a + b).
Proof. intros Hq H. apply add_exact; [lia|]. apply representable_small; lia. Qed.

Lemma at_least_two q : 2 <= q -> 2 <= Q q.
Proof. intros Hq. rewrite Q_two by lia. pose proof (pow_pos (q - 2)). lia. Qed.

(* A token weighs one unit, whatever it holds. *)
Lemma lightest q T r vs : 2 <= q -> first (asking T) = whole q 1 -> r = Row (whole q 1) (Some (whole q (- (q - 1)))) vs -> weight q T r = Fin 1.
Proof.
  intros Hq A E. subst r. unfold weight. cbn [key]. rewrite A. pose proof (grows (q - 1)) as G. fold (Q q) in G.
  assert (W : forall k, Z.abs k < Q q -> mul q (whole q k) (whole q 1) = whole q k).
  { intros k Hk. unfold whole at 1. rewrite mul_whole by (lia || (rewrite Z.mul_1_r; apply representable_whole; lia)). unfold whole. f_equal. lia. }
  pose proof (at_least_two q Hq). rewrite (W 1), (W (- (q - 1))) by lia.
  assert (M : mul q (whole q 1) (whole q (- (q - 1))) = whole q (- (q - 1))).
  { unfold whole at 1. rewrite mul_whole; [unfold whole; f_equal; ring|lia|]. replace (1 * Q q * - (q - 1)) with (- (q - 1) * Q q) by ring.
    apply representable_whole; lia. }
  rewrite M, power_exact by lia. replace (q - 1 + - (q - 1)) with 0 by lia. reflexivity.
Qed.

Lemma entry_units q a : 2 <= q -> -1 <= a <= 1 -> mul q (Fin 1) (whole q (a * (2 ^ (q - 1) - 1))) = Fin (a * (Q q - 1)).
Proof.
  intros Hq Ha. fold (Q q). pose proof (at_least_two q Hq). assert (A : a = -1 \/ a = 0 \/ a = 1) by lia.
  rewrite mul_whole by (lia || (apply representable_small; destruct A as [A|[A|A]]; subst a; lia)). f_equal. lia.
Qed.

(* A column times the largest number: with two bits nothing is lost, else the largest number less one remains. *)
Definition weighted (q d : Z) : Z := if q =? 2 then d else d * (Q q - 2) * Q q.

Lemma squared q : 3 <= q -> magnitude q ((Q q - 1) * ((Q q - 1) * Q q)) (Q q) = (Q q - 2) * Q q.
Proof.
  intros Hq. pose proof (Q_two q) as Q2. pose proof (pow_succ (q - 2)) as P2. pose proof (pow_pos (q - 2 - 1)) as PP. assert (H : 4 <= Q q) by lia.
  assert (HQQ : 4 * Q q <= Q q * Q q) by (apply Z.mul_le_mono_nonneg_r; lia).
  assert (E : exponent q ((Q q - 1) * ((Q q - 1) * Q q)) (Q q) = q - 1).
  { unfold exponent. replace ((Q q - 1) * ((Q q - 1) * Q q) / (Q q * Q q)) with (Q q - 2) by (apply Z.div_unique with (r := Q q); [lia|ring]).
    unfold digits. destruct (Z.eqb_spec (Q q - 2) 0) as [Z0|Z0]; [lia|]. rewrite (Z.log2_unique (Q q - 2) (q - 2)); [lia|lia|].
    replace (Z.succ (q - 2)) with (q - 1) by lia. fold (Q q). lia. }
  assert (S : (Q q - 1) * ((Q q - 1) * Q q) = (Q q - 2) * Q q * Q q + Q q) by ring.
  assert (N : 0 <= (Q q - 1) * ((Q q - 1) * Q q)) by (repeat apply Z.mul_nonneg_nonneg; lia).
  apply (magnitude_near _ _ _ _ (Q q - 2)); rewrite ?E; fold (Q q); exact N || lia.
Qed.

Lemma weighted_column q d : 2 <= q -> -1 <= d <= 1 -> mul q (Fin (d * (Q q - 1))) (whole q (2 ^ (q - 1) - 1)) = Fin (weighted q d).
Proof.
  intros Hq Hd. fold (Q q). assert (D : d = -1 \/ d = 0 \/ d = 1) by lia. unfold weighted. destruct (Z.eqb_spec q 2) as [E|E].
  - subst q. destruct D as [D|[D|D]]; subst d; reflexivity.
  - assert (H3 : 3 <= q) by lia. pose proof (squared q H3) as M. pose proof (at_least_two q Hq) as HQ. pose proof (whole_at_most_largest q (Q q - 2)) as L.
    assert (P : 0 < (Q q - 1) * ((Q q - 1) * Q q)). { apply Z.mul_pos_pos; [lia|]. apply Z.mul_pos_pos; lia. }
    unfold whole, mul. destruct D as [D|[D|D]]; subst d.
    + replace (-1 * (Q q - 1) * ((Q q - 1) * Q q)) with (- ((Q q - 1) * ((Q q - 1) * Q q))) by ring.
      rewrite (round_magnitude q _ _ ((Q q - 2) * Q q)); [|rewrite Z.abs_opp, Z.abs_eq by lia; exact M|lia].
      rewrite Z.sgn_opp, Z.sgn_pos by lia. f_equal. ring.
    + apply round_zero; lia.
    + replace (1 * (Q q - 1) * ((Q q - 1) * Q q)) with ((Q q - 1) * ((Q q - 1) * Q q)) by ring.
      rewrite (round_magnitude q _ _ ((Q q - 2) * Q q)); [|rewrite Z.abs_eq by lia; exact M|lia]. rewrite Z.sgn_pos by lia. f_equal. ring.
Qed.

(* The bits of position j, and their difference. *)
Definition one (m y j : Z) : Z := if bit m y j then 1 else 0.
Definition difference (m y z j : Z) : Z := one m y j - one m z j.

Lemma one_small m y j : 0 <= one m y j <= 1.
Proof. unfold one. destruct (bit m y j); lia. Qed.

Lemma difference_small m y z j : -1 <= difference m y z j <= 1.
Proof. unfold difference. pose proof (one_small m y j). pose proof (one_small m z j). lia. Qed.

(* A running sum to which two tokens alone add something. *)
Lemma two_terms q f a b j k u v : 2 <= q -> a <= j -> j < k -> k <= b -> f j = Fin u -> f k = Fin (- v) -> 0 <= u < Q q -> 0 <= v < Q q ->
  (forall i, i <> j -> i <> k -> f i = Fin 0) -> run q f a b (Fin 0) = Fin (u - v).
Proof.
  intros Hq Ha Hjk Hb FJ FK OY OZ F0.
  rewrite (run_app q f a (j - 1)), (run_app q f (j - 1 + 1) j), (run_app q f (j + 1) (k - 1)), (run_app q f (k - 1 + 1) k) by lia.
  replace (j - 1 + 1) with j by lia. replace (k - 1 + 1) with k by lia. rewrite !run_one, FJ, FK.
  rewrite (run_same q f a (j - 1)) by (lia || (intros i Hi; rewrite F0, small_sum by lia; f_equal; lia)). rewrite small_sum by lia.
  rewrite (run_same q f (j + 1) (k - 1)) by (lia || (intros i Hi; rewrite F0, small_sum by lia; f_equal; lia)).
  rewrite small_sum by lia. apply run_same; [|lia]. intros i Hi. rewrite F0, small_sum by lia. f_equal. lia.
Qed.

Lemma copies_pos q : 0 < copies q.
Proof. unfold copies. destruct (q =? 2); lia. Qed.

Lemma position_bounds q m c : (c < columns q m)%nat -> 1 <= position q m c <= m.
Proof.
  intros Hc. unfold position, columns in *. pose proof (copies_pos q) as C. pose proof (Z.div_pos (Z.of_nat c) (copies q)) as D.
  pose proof (Z.div_lt_upper_bound (Z.of_nat c) (copies q) m). lia.
Qed.

Lemma value_at q m c (f : Z -> Z) : (c < columns q m)%nat ->
  nth c (map (fun c => whole q (f (position q m c))) (seq 0 (columns q m))) (Fin 0) = whole q (f (position q m c)).
Proof.
  intros Hc. rewrite nth_indep with (d' := whole q (f (position q m 0))) by (rewrite map_length, seq_length; exact Hc).
  rewrite (map_nth (fun c => whole q (f (position q m c)))), seq_nth by exact Hc. reflexivity.
Qed.

(* A transformer whose columns are the differences of the bits, on either input representation. *)
Definition differences (T : transformer) (q m y z : Z) : Prop :=
  value_weights T = repeat (whole q (2 ^ (q - 1) - 1)) (columns q m) /\
  forall c, (c < columns q m)%nat -> column q T c = Fin (difference m y z (position q m c) * (Q q - 1)).

(* A column to which token j adds the bit of y and token k the bit of z. *)
Lemma two_bits_of_a_column q m y z f a b j k : 2 <= q -> a <= j -> j < k -> k <= b -> (forall i, f i = 1 \/ f i = 0 \/ f i = -1) ->
  f j = one m y j -> f k = - one m z j -> (forall i, i <> j -> i <> k -> f i = 0) ->
  run q (fun i => mul q (Fin 1) (whole q (f i * (2 ^ (q - 1) - 1)))) a b (Fin 0) = Fin (difference m y z j * (Q q - 1)).
Proof.
  intros Hq Ha Hjk Hb FS FJ FK F0. pose proof (one_small m y j) as OY. pose proof (one_small m z j) as OZ. pose proof (at_least_two q Hq) as HQ.
  assert (S : forall x, 0 <= x <= 1 -> 0 <= x * (Q q - 1) < Q q). { intros x Hx. assert (X : x = 0 \/ x = 1) by lia. destruct X; subst x; lia. }
  rewrite (two_terms q _ a b j k (one m y j * (Q q - 1)) (one m z j * (Q q - 1))); try assumption.
  - unfold difference. f_equal. ring.
  - rewrite FJ. apply entry_units; lia.
  - rewrite FK, entry_units by lia. f_equal. ring.
  - apply S, OY.
  - apply S, OZ.
  - intros i A B. rewrite F0 by assumption. apply entry_units; lia.
Qed.

Lemma column_value q m n y z c : 2 <= q -> 1 <= m -> 2 * m + 4 <= n -> (c < columns q m)%nat ->
  column q (few_bits q m n y z) c = Fin (difference m y z (position q m c) * (Q q - 1)).
Proof.
  intros Hq Hm Hn Hc. pose proof (position_bounds q m c Hc) as Hj. set (j := position q m c) in *.
  assert (E : column q (few_bits q m n y z) c =
    run q (fun i => mul q (Fin 1) (whole q (adds m i (T1 m y z i) j * (2 ^ (q - 1) - 1)))) (-1) (n - 1) (Fin 0)).
  { unfold column, run, sum. f_equal. unfold few_bits at 2. cbn [tokens]. rewrite map_map. apply map_ext. intros i.
    rewrite (lightest q (few_bits q m n y z) _ (values (few_bits_row q m i (T1 m y z i)))) by (assumption || reflexivity). f_equal.
    apply (value_at q m c (fun j => adds m i (T1 m y z i) j * (2 ^ (q - 1) - 1))), Hc. }
  rewrite E. set (k := if j =? 1 then m + 2 else m + 2 + j).
  assert (Hk : m + 2 <= k <= 2 * m + 2) by (unfold k; destruct (Z.eqb_spec j 1); lia).
  apply (two_bits_of_a_column q m y z (fun i => adds m i (T1 m y z i) j) (-1) (n - 1) j k); try lia.
  - intros i. unfold adds. destruct (T1 m y z i); [|lia]. destruct (i =? j); [lia|]. fold k. destruct (i =? k); lia.
  - assert (T : T1 m y z j = bit m y j).
    { unfold T1. destruct (Z.ltb_spec j 0); [lia|]. destruct (Z.eqb_spec j 0); [lia|]. destruct (Z.leb_spec j m); [reflexivity|lia]. }
    rewrite T. unfold adds, one. destruct (bit m y j); [|reflexivity]. destruct (Z.eqb_spec j j); [reflexivity|lia].
  - assert (T : T1 m y z k = bit m z j).
    { unfold T1. destruct (Z.ltb_spec k 0); [lia|]. destruct (Z.eqb_spec k 0); [lia|]. destruct (Z.leb_spec k m); [lia|].
      unfold k in *. destruct (Z.eqb_spec j 1) as [J|J].
      - rewrite J. destruct (Z.leb_spec (m + 2) (m + 2)); [reflexivity|lia].
      - destruct (Z.leb_spec (m + 2 + j) (m + 2)); [lia|]. destruct (Z.eqb_spec (m + 2 + j) (m + 3)); [lia|].
        destruct (Z.leb_spec (m + 2 + j) (2 * m + 2)); [|lia]. f_equal. lia. }
    rewrite T. unfold adds, one. destruct (bit m z j); [|reflexivity]. fold k. destruct (Z.eqb_spec k j); [lia|].
    destruct (Z.eqb_spec k k); [reflexivity|lia].
  - intros i A B. unfold adds. destruct (T1 m y z i); [|reflexivity]. fold k. destruct (Z.eqb_spec i j); [lia|]. destruct (Z.eqb_spec i k); [lia|reflexivity].
Qed.

(* The numerator so far: 0 alone where the strings so far are equal. *)
Definition settled (q : Z) (s : num) (equal : Prop) : Prop :=
  if q =? 2 then exists k, s = Fin k /\ -2 <= k <= 2 /\ (k = 0 <-> equal) else s = Fin 0 /\ equal \/ (s = PInf \/ s = NInf) /\ ~ equal.

(* Three times the same, with two bits. *)
Lemma three_times k d : -2 <= k <= 2 -> -1 <= d <= 1 ->
  exists l, add 2 (add 2 (add 2 (Fin k) (Fin d)) (Fin d)) (Fin d) = Fin l /\ -2 <= l <= 2 /\ (l = 0 <-> k = 0 /\ d = 0).
Proof.
  intros Hk Hd. assert (A : k = -2 \/ k = -1 \/ k = 0 \/ k = 1 \/ k = 2) by lia. assert (B : d = -1 \/ d = 0 \/ d = 1) by lia.
  destruct A as [A|[A|[A|[A|A]]]]; destruct B as [B|[B|B]]; subst k d; eexists; (split; [cbv; reflexivity|lia]).
Qed.

(* Twice the same, with more bits: it overflows. *)
Lemma twice q d : 3 <= q -> -1 <= d <= 1 -> let s := add q (add q (Fin 0) (Fin (weighted q d))) (Fin (weighted q d)) in
  d = 0 /\ s = Fin 0 \/ d <> 0 /\ (s = PInf \/ s = NInf).
Proof.
  intros Hq Hd. cbv zeta. unfold weighted. destruct (Z.eqb_spec q 2) as [|_]; [lia|]. pose proof (Q_two q) as Q2. pose proof (pow_succ (q - 2)) as P2.
  pose proof (pow_pos (q - 2 - 1)) as PP. assert (H : 4 <= Q q) by lia. set (v := (Q q - 2) * Q q).
  assert (V : Q q * Q q <= v + v) by (unfold v; replace ((Q q - 2) * Q q + (Q q - 2) * Q q) with ((2 * Q q - 4) * Q q) by ring; apply Z.mul_le_mono_nonneg_r; lia).
  assert (R : representable q v) by (apply representable_whole; lia). assert (D : d = -1 \/ d = 0 \/ d = 1) by lia. assert (PV : 0 < v) by (apply Z.mul_pos_pos; lia).
  destruct D as [D|[D|D]]; subst d.
  - right. split; [lia|right]. replace (-1 * (Q q - 2) * Q q) with (- v) by (unfold v; ring).
    rewrite add_exact by (lia || (rewrite Z.add_0_l; apply representable_opp, R)). cbn [add]. replace (0 + - v + - v) with (- (v + v)) by lia.
    pose proof (round_above q (v + v) 1) as A. destruct (round_opp q (v + v) 1) as [O|[O N]]; [|lia]. rewrite O, A by lia. reflexivity.
  - left. split; [reflexivity|]. rewrite !Z.mul_0_l, !small_sum by lia. reflexivity.
  - right. split; [lia|left]. replace (1 * (Q q - 2) * Q q) with v by (unfold v; ring). rewrite add_exact by (lia || exact R). cbn [add].
    apply round_above; lia.
Qed.

Lemma low_bits y z t : 0 <= t -> y mod 2 ^ (t + 1) = z mod 2 ^ (t + 1) <-> y mod 2 ^ t = z mod 2 ^ t /\ Z.testbit y t = Z.testbit z t.
Proof.
  intros Ht. pose proof (pow_pos t Ht) as P. rewrite !mod_step by assumption.
  pose proof (Z.mod_pos_bound y (2 ^ t)). pose proof (Z.mod_pos_bound z (2 ^ t)).
  destruct (Z.testbit y t); destruct (Z.testbit z t).
  - split; [intros A; split; [lia|reflexivity]|intros [A _]; lia].
  - split; [intros A; exfalso; lia|intros [_ A]; discriminate].
  - split; [intros A; exfalso; lia|intros [_ A]; discriminate].
  - split; [intros A; split; [lia|reflexivity]|intros [A _]; lia].
Qed.

(* The columns of one position. *)
Lemma one_position q T m y z t : 2 <= q -> differences T q m y z -> (t < Z.to_nat m)%nat -> forall c, In c (seq (Z.to_nat (copies q) * t) (Z.to_nat (copies q))) ->
  mul q (column q T c) (whole q (2 ^ (q - 1) - 1)) = Fin (weighted q (difference m y z (m - Z.of_nat t))).
Proof.
  intros Hq [_ H] Ht c Hc. apply in_seq in Hc. pose proof (copies_pos q) as C. assert (M : (Z.to_nat (copies q) * S t <= columns q m)%nat).
  { unfold columns. rewrite Z2Nat.inj_mul by lia. apply Nat.mul_le_mono_l. lia. }
  rewrite H by lia. replace (position q m c) with (m - Z.of_nat t).
  - apply weighted_column; [exact Hq|apply difference_small].
  - unfold position. f_equal. apply Z.div_unique with (r := Z.of_nat c - copies q * Z.of_nat t); [left|]; lia.
Qed.

Lemma all_the_same (f : nat -> num) x l : (forall c, In c l -> f c = x) -> map f l = repeat x (length l).
Proof.
  induction l as [|c l IH]; intros H; [reflexivity|]. cbn [map length repeat]. rewrite H by (left; reflexivity). f_equal. apply IH.
  intros c' Hc. apply H. right. exact Hc.
Qed.

(* The numerator after the last t positions. *)
Lemma partial T q m y z t : 2 <= q -> 1 <= m -> differences T q m y z -> (t <= Z.to_nat m)%nat ->
  settled q (fold_left (add q) (map (fun c => mul q (column q T c) (whole q (2 ^ (q - 1) - 1))) (seq 0 (Z.to_nat (copies q) * t))) (Fin 0))
    (y mod 2 ^ Z.of_nat t = z mod 2 ^ Z.of_nat t).
Proof.
  intros Hq Hm Hc. induction t as [|t IH]; intros Ht.
  - rewrite Nat.mul_0_r. cbn [seq map fold_left]. change (2 ^ Z.of_nat 0) with 1. rewrite !Z.mod_1_r. unfold settled.
    destruct (q =? 2); [exists 0; split; [reflexivity|lia]|left; split; reflexivity].
  - assert (HT : (t <= Z.to_nat m)%nat) by lia. specialize (IH HT). replace (Z.to_nat (copies q) * S t)%nat with (Z.to_nat (copies q) * t + Z.to_nat (copies q))%nat by lia.
    rewrite seq_app, map_app, fold_left_app. set (s := fold_left _ _ _) in IH |- *. set (d := difference m y z (m - Z.of_nat t)).
    assert (E : map (fun c => mul q (column q T c) (whole q (2 ^ (q - 1) - 1))) (seq (0 + Z.to_nat (copies q) * t) (Z.to_nat (copies q))) =
      repeat (Fin (weighted q d)) (Z.to_nat (copies q))).
    { rewrite <- (seq_length (Z.to_nat (copies q)) (0 + Z.to_nat (copies q) * t)) at 3. apply all_the_same, (one_position q T m y z t); assumption. }
    rewrite E. assert (D : -1 <= d <= 1) by apply difference_small. replace (Z.of_nat (S t)) with (Z.of_nat t + 1) by lia. pose proof (low_bits y z (Z.of_nat t)) as L.
    assert (B : d = 0 <-> Z.testbit y (Z.of_nat t) = Z.testbit z (Z.of_nat t)).
    { unfold d, difference, one, bit. replace (m - (m - Z.of_nat t)) with (Z.of_nat t) by lia.
      destruct (Z.testbit y (Z.of_nat t)); destruct (Z.testbit z (Z.of_nat t)); split; intros X; try reflexivity; try discriminate; lia. }
    unfold settled, copies in *. destruct (Z.eqb_spec q 2) as [Q2|Q2].
    + subst q. destruct IH as (k & K & KB & KE). change (weighted 2 d) with d. rewrite K. cbn [Z.to_nat Pos.to_nat Pos.iter_op Nat.add repeat fold_left].
      destruct (three_times k d KB D) as (l & LE & LB & L0). exists l. split; [exact LE|]. split; [exact LB|]. rewrite L, L0, KE, B by lia. tauto.
    + destruct IH as [[K KE]|[K KE]].
      * rewrite K. destruct (twice q d) as [[D0 V]|[D0 V]]; try lia.
        -- left. split; [exact V|]. apply L; [lia|tauto].
        -- right. split; [exact V|]. intros X. apply L in X; [tauto|lia].
      * right. split; [|intros X; apply L in X; [tauto|lia]]. destruct K as [K|K]; rewrite K; [left|right]; reflexivity.
Qed.

Lemma combine_repeat (A B : Set) (l : list A) (x : B) : combine l (repeat x (length l)) = map (fun c => (c, x)) l.
Proof. induction l as [|a l IH]; cbn; [reflexivity|]. rewrite IH. reflexivity. Qed.

Lemma numerator_of_differences T q m y z : 2 <= q -> 1 <= m -> 0 <= y < 2 ^ m -> 0 <= z < 2 ^ m -> differences T q m y z ->
  settled q (numerator_by_columns q T) (y = z).
Proof.
  intros Hq Hm Hy Hz H. pose proof (partial T q m y z (Z.to_nat m) Hq Hm H) as P. rewrite Z2Nat.id, !Z.mod_small in P by lia.
  pose proof (copies_pos q) as C. assert (E : numerator_by_columns q T =
    fold_left (add q) (map (fun c => mul q (column q T c) (whole q (2 ^ (q - 1) - 1))) (seq 0 (Z.to_nat (copies q) * Z.to_nat m))) (Fin 0)).
  { unfold numerator_by_columns, sum. f_equal. destruct H as [H _]. rewrite H, repeat_length. unfold columns. rewrite Z2Nat.inj_mul by lia.
    set (l := seq 0 (Z.to_nat (copies q) * Z.to_nat m)).
    assert (N : (Z.to_nat (copies q) * Z.to_nat m)%nat = length l) by (symmetry; apply seq_length). rewrite N, combine_repeat, map_map. reflexivity. }
  rewrite E. apply P. lia.
Qed.

(* The denominator, a sum of units, stays between one unit and 1. *)
Lemma units_sum q a b : 2 <= q -> a <= b -> exists k, run q (fun _ => Fin 1) a b (Fin 0) = Fin k /\ 1 <= k <= Q q.
Proof.
  intros Hq Hab. pose proof (at_least_two q Hq) as HQ. rewrite (run_app _ _ a a) by lia. rewrite run_one, small_sum by lia.
  apply (run_invariant q _ (fun _ s => exists k, s = Fin k /\ 1 <= k <= Q q)); [lia|exists 1; split; [reflexivity|lia]|].
  intros i s Hi (k & K & B). subst s. destruct (Z.eq_dec k (Q q)) as [E|E].
  - exists (Q q). split; [|lia]. pose proof (cap_one q 1 Hq) as C. unfold cap in C. destruct (Z.ltb_spec 1 (Q q)) as [_|]; [|lia]. rewrite Z.mul_1_l in C.
    rewrite E. apply C. lia.
  - exists (k + 1). split; [apply small_sum; lia|lia].
Qed.

Lemma denominator_of_units q T f a b : 2 <= q -> a <= b -> tokens T = map f (range a b) -> (forall i, weight q T (f i) = Fin 1) ->
  exists k, denominator q T = Fin k /\ 1 <= k <= Q q.
Proof.
  intros Hq Hab E W. destruct (units_sum q a b Hq Hab) as (k & K & B). exists k. split; [|exact B]. rewrite <- K. unfold denominator, run, sum. f_equal.
  rewrite E, map_map. apply map_ext, W.
Qed.

(* The output is 1 where the numerator is 0 alone. *)
Lemma answer_of_differences q T m y z : 2 <= q -> 1 <= m -> 0 <= y < 2 ^ m -> 0 <= z < 2 ^ m -> differences T q m y z ->
  (exists k, denominator q T = Fin k /\ 1 <= k <= Q q) ->
  hidden T = [(whole q 1, Fin 0); (whole q (-1), Fin 0); (whole q 1, Fin 0); (whole q (-1), Fin 0)] ->
  output_weights T = repeat (whole q (-1)) 4 -> output_bias T = whole q 1 ->
  output q T matrix_order = if y =? z then whole q 1 else whole q 0.
Proof.
  intros Hq Hm Hy Hz H (d & D & DB) HH HO HB. pose proof (numerator_of_differences T q m y z Hq Hm Hy Hz H) as N. pose proof (at_least_two q Hq) as HQ.
  unfold output. rewrite HH, HO, HB. unfold attention. rewrite D. unfold settled in N. destruct (Z.eqb_spec q 2) as [Q2|Q2].
  - subst q. destruct N as (k & K & KB & KE). rewrite K. change (Q 2) with 2 in *. assert (A : k = -2 \/ k = -1 \/ k = 0 \/ k = 1 \/ k = 2) by lia.
    assert (B : d = 1 \/ d = 2) by lia. destruct (Z.eqb_spec y z).
    + assert (k = 0) by tauto. subst k. destruct B as [B|B]; subst d; reflexivity.
    + destruct A as [A|[A|[A|[A|A]]]]; try tauto; destruct B as [B|B]; subst k d; reflexivity.
  - destruct d as [|d|d]; [lia| |lia]. assert (Z0 : forall n, 0 < n -> round q 0 n = Fin 0) by (intros n Hn; apply round_zero; lia).
    destruct N as [[K E]|[K E]].
    + rewrite K. assert (X : div q (Fin 0) (Fin (Z.pos d)) = Fin 0) by (unfold div; rewrite !Z.mul_0_l; apply Z0; lia). rewrite X.
      assert (V : forall a, hidden_value q (Fin 0) (whole q a, Fin 0) = Fin 0).
      { intros a. unfold hidden_value. cbn [fst snd]. unfold whole, mul. rewrite Z.mul_0_r, Z0 by lia. rewrite !small_sum by lia. reflexivity. }
      cbn [repeat combine map fst snd]. rewrite !V. unfold sum. cbn [fold_left].
      assert (M : mul q (whole q (-1)) (Fin 0) = Fin 0) by (unfold whole, mul; rewrite Z.mul_0_r; apply Z0; lia). rewrite !M, !small_sum by lia.
      destruct (Z.eqb_spec y z) as [Y|Y]; [|contradiction]. unfold whole. rewrite small_sum by lia. cbn [rectified].
      destruct (Z.ltb_spec 0 (0 + 0 + 0 + 0 + 0 + 1 * Q q)); [f_equal; lia|lia].
    + assert (X : forall x, x = PInf \/ x = NInf -> div q x (Fin (Z.pos d)) = x) by (intros x [Hx|Hx]; subst x; reflexivity). rewrite X by exact K.
      assert (P : sign (whole q 1) = 1) by (apply Z.sgn_pos; lia). assert (M : sign (whole q (-1)) = -1) by (apply Z.sgn_neg; lia).
      assert (W : forall a x, x = PInf \/ x = NInf -> mul q (whole q a) x = infinite (sign (whole q a) * sign x)) by (intros a x [I|I]; subst x; reflexivity).
      assert (V : forall a, hidden_value q (numerator_by_columns q T) (whole q a, Fin 0) = rectified (mul q (whole q a) (numerator_by_columns q T))).
      { intros a. unfold hidden_value. cbn [fst snd]. rewrite W by exact K. destruct (infinite _) as [v| | |] eqn:I; try reflexivity.
        unfold infinite in I. destruct (_ =? 0); [discriminate|]. destruct (_ <? 0); discriminate. }
      assert (M0 : mul q (whole q (-1)) (Fin 0) = Fin 0) by (unfold whole, mul; rewrite Z.mul_0_r; apply Z0; lia).
      assert (S0 : add q (Fin 0) (Fin 0) = Fin 0) by (apply small_sum; lia).
      destruct (Z.eqb_spec y z) as [Y|Y]; [contradiction|]. cbn [repeat combine map fst snd]. rewrite !V, !(W _ _ K), P, M.
      destruct K as [K|K]; rewrite K; cbn [sign infinite Z.mul Pos.mul Z.eqb Z.ltb Z.compare rectified]; rewrite (W (-1) PInf), M, M0 by (left; reflexivity);
        unfold sum; cbn [fold_left]; rewrite ?S0; reflexivity.
Qed.

Theorem few_bits_compute_equality : few_bits_suffice.
Proof.
  intros q m n y z Hq Hm Hn Hy Hz. apply (answer_of_differences q _ m); try assumption; try reflexivity.
  - split; [reflexivity|]. intros c Hc. apply column_value; assumption.
  - apply (denominator_of_units q _ (fun i => few_bits_row q m i (T1 m y z i)) (-1) (n - 1)); [lia|lia|reflexivity|]. intros i.
    apply (lightest q _ _ (values (few_bits_row q m i (T1 m y z i)))); assumption || reflexivity.
Qed.

(* T0. *)
Lemma column_on_T0 q m n y z c : 2 <= q -> 1 <= m -> 2 * m + 1 <= n -> (c < columns q m)%nat ->
  column q (few_bits_on_T0 q m n y z) c = Fin (difference m y z (position q m c) * (Q q - 1)).
Proof.
  intros Hq Hm Hn Hc. pose proof (position_bounds q m c Hc) as Hj. set (j := position q m c) in *.
  assert (E : column q (few_bits_on_T0 q m n y z) c =
    run q (fun i => mul q (Fin 1) (whole q (adds_on_T0 m i (T0 m y z i) j * (2 ^ (q - 1) - 1)))) 1 (n + 1) (Fin 0)).
  { unfold column, run, sum. f_equal. unfold few_bits_on_T0 at 2. cbn [tokens]. rewrite map_map. apply map_ext. intros i.
    rewrite (lightest q (few_bits_on_T0 q m n y z) _ (values (few_bits_row_on_T0 q m i (T0 m y z i)))) by (assumption || reflexivity). f_equal.
    apply (value_at q m c (fun j => adds_on_T0 m i (T0 m y z i) j * (2 ^ (q - 1) - 1))), Hc. }
  rewrite E. set (k := m + j). apply (two_bits_of_a_column q m y z (fun i => adds_on_T0 m i (T0 m y z i) j) 1 (n + 1) j k); try lia.
  - intros i. unfold adds_on_T0. destruct (T0 m y z i); [|lia]. destruct (i =? j); [lia|]. fold k. destruct (i =? k); lia.
  - assert (T : T0 m y z j = bit m y j). { unfold T0. destruct (Z.leb_spec j m); [reflexivity|lia]. }
    rewrite T. unfold adds_on_T0, one. destruct (bit m y j); [|reflexivity]. destruct (Z.eqb_spec j j); [reflexivity|lia].
  - assert (T : T0 m y z k = bit m z j).
    { unfold T0, k. destruct (Z.leb_spec (m + j) m); [lia|]. destruct (Z.leb_spec (m + j) (2 * m)); [|lia]. f_equal. lia. }
    rewrite T. unfold adds_on_T0, one. destruct (bit m z j); [|reflexivity]. fold k. destruct (Z.eqb_spec k j); [lia|].
    destruct (Z.eqb_spec k k); [reflexivity|lia].
  - intros i A B. unfold adds_on_T0. destruct (T0 m y z i); [|reflexivity]. fold k. destruct (Z.eqb_spec i j); [lia|].
    destruct (Z.eqb_spec i k); [lia|reflexivity].
Qed.

Theorem few_bits_compute_equality_on_T0 : few_bits_suffice_on_T0.
Proof.
  intros q m n y z Hq Hm Hn Hy Hz. apply (answer_of_differences q _ m); try assumption; try reflexivity.
  - split; [reflexivity|]. intros c Hc. apply column_on_T0; assumption.
  - apply (denominator_of_units q _ (fun i => few_bits_row_on_T0 q m i (T0 m y z i)) 1 (n + 1)); [lia|lia|reflexivity|]. intros i.
    apply (lightest q _ _ (values (few_bits_row_on_T0 q m i (T0 m y z i)))); assumption || reflexivity.
Qed.
