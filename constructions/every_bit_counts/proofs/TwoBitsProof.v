(* The proof of TwoBits.v: with two bits a running sum is one of five numbers, and what is added to it one of three. *)
From Coq Require Import ZArith List Lia.
From EveryBitCounts Require Import Arithmetic Statement Unpadded Rounding Operations TwoBits.
Import ListNotations.
Local Open Scope Z_scope.

Lemma small_sum a b : -1 <= a <= 1 -> -1 <= b <= 1 -> add 2 (Fin a) (Fin b) = Fin (a + b).
Proof.
  intros Ha Hb. assert (A : a = -1 \/ a = 0 \/ a = 1) by lia. assert (B : b = -1 \/ b = 0 \/ b = 1) by lia.
  destruct A as [A|[A|A]]; destruct B as [B|[B|B]]; subst a b; reflexivity.
Qed.

Lemma half a : -1 <= a <= 1 -> mul 2 (Fin 1) (whole 2 a) = Fin a.
Proof. intros Ha. assert (A : a = -1 \/ a = 0 \/ a = 1) by lia. destruct A as [A|[A|A]]; subst a; reflexivity. Qed.

Lemma once a : -1 <= a <= 1 -> mul 2 (Fin a) (whole 2 1) = Fin a.
Proof. intros Ha. assert (A : a = -1 \/ a = 0 \/ a = 1) by lia. destruct A as [A|[A|A]]; subst a; reflexivity. Qed.

Lemma adds_small m i b j : -1 <= adds m i b j <= 1.
Proof. unfold adds. destruct b; [|lia]. destruct (i =? j); [lia|]. destruct (i =? (if j =? 1 then m + 2 else m + 2 + j)); lia. Qed.

Lemma weight_half m n y z i b : weight 2 (two_bits m n y z) (two_bit_row m i b) = Fin 1.
Proof. reflexivity. Qed.

(* The bits of position j, and their difference. *)
Definition one (m y j : Z) : Z := if bit m y j then 1 else 0.

Lemma one_small m y j : 0 <= one m y j <= 1.
Proof. unfold one. destruct (bit m y j); lia. Qed.

Lemma value_at m i b c : (c < columns m)%nat -> nth c (values (two_bit_row m i b)) (Fin 0) = whole 2 (adds m i b (position m c)).
Proof.
  intros Hc. cbn [two_bit_row values]. rewrite nth_indep with (d' := whole 2 (adds m i b (position m 0))) by (rewrite map_length, seq_length; exact Hc).
  rewrite (map_nth (fun c => whole 2 (adds m i b (position m c)))), seq_nth by exact Hc. reflexivity.
Qed.

(* A running sum to which two tokens alone add something. *)
Lemma two_terms f a b j k u v : a <= j -> j < k -> k <= b -> f j = Fin u -> f k = Fin (- v) -> 0 <= u <= 1 -> 0 <= v <= 1 ->
  (forall i, i <> j -> i <> k -> f i = Fin 0) -> run 2 f a b (Fin 0) = Fin (u - v).
Proof.
  intros Ha Hjk Hb FJ FK OY OZ F0.
  rewrite (run_app 2 f a (j - 1)), (run_app 2 f (j - 1 + 1) j), (run_app 2 f (j + 1) (k - 1)), (run_app 2 f (k - 1 + 1) k) by lia.
  replace (j - 1 + 1) with j by lia. replace (k - 1 + 1) with k by lia. rewrite !run_one, FJ, FK.
  rewrite (run_same 2 f a (j - 1)) by (lia || (intros i Hi; rewrite F0 by lia; reflexivity)). rewrite small_sum by lia.
  rewrite (run_same 2 f (j + 1) (k - 1)) by (lia || (intros i Hi; rewrite F0 by lia; rewrite small_sum by lia; f_equal; lia)).
  rewrite small_sum by lia.
  rewrite (run_same 2 f (k + 1) b) by (lia || (intros i Hi; rewrite F0 by lia; rewrite small_sum by lia; f_equal; lia)).
  reflexivity.
Qed.

(* A column of A X. *)
Lemma column_value m n y z c : 1 <= m -> 2 * m + 4 <= n -> (c < columns m)%nat ->
  column 2 (two_bits m n y z) c = Fin (one m y (position m c) - one m z (position m c)).
Proof.
  intros Hm Hn Hc. set (j := position m c). assert (Hj : 1 <= j <= m).
  { unfold j, position, columns in *. pose proof (Z.div_pos (Z.of_nat c) 3). pose proof (Z.div_lt_upper_bound (Z.of_nat c) 3 m). lia. }
  set (f := fun i => Fin (adds m i (T1 m y z i) j)).
  assert (E : column 2 (two_bits m n y z) c = run 2 f (-1) (n - 1) (Fin 0)).
  { unfold column, run, sum. f_equal. unfold two_bits at 2. cbn [tokens]. rewrite map_map. apply map_ext. intros i.
    rewrite weight_half, value_at by exact Hc. apply half, adds_small. }
  rewrite E. set (k := if j =? 1 then m + 2 else m + 2 + j).
  assert (Hk : m + 2 <= k <= 2 * m + 2) by (unfold k; destruct (Z.eqb_spec j 1); lia).
  assert (F0 : forall i, i <> j -> i <> k -> f i = Fin 0).
  { intros i A B. unfold f, adds. destruct (T1 m y z i); [|reflexivity]. fold k. destruct (Z.eqb_spec i j); [lia|]. destruct (Z.eqb_spec i k); [lia|reflexivity]. }
  assert (FJ : f j = Fin (one m y j)).
  { assert (T : T1 m y z j = bit m y j).
    { unfold T1. destruct (Z.ltb_spec j 0); [lia|]. destruct (Z.eqb_spec j 0); [lia|]. destruct (Z.leb_spec j m); [reflexivity|lia]. }
    unfold f. rewrite T. unfold adds, one. destruct (bit m y j); [|reflexivity]. destruct (Z.eqb_spec j j); [reflexivity|lia]. }
  assert (FK : f k = Fin (- one m z j)).
  { assert (T : T1 m y z k = bit m z j).
    { unfold T1. destruct (Z.ltb_spec k 0); [lia|]. destruct (Z.eqb_spec k 0); [lia|]. destruct (Z.leb_spec k m); [lia|].
      unfold k in *. destruct (Z.eqb_spec j 1) as [J|J].
      - rewrite J. destruct (Z.leb_spec (m + 2) (m + 2)); [reflexivity|lia].
      - destruct (Z.leb_spec (m + 2 + j) (m + 2)); [lia|]. destruct (Z.eqb_spec (m + 2 + j) (m + 3)); [lia|].
        destruct (Z.leb_spec (m + 2 + j) (2 * m + 2)); [|lia]. f_equal. lia. }
    unfold f. rewrite T. unfold adds, one. destruct (bit m z j); [|reflexivity]. fold k. destruct (Z.eqb_spec k j); [lia|].
    destruct (Z.eqb_spec k k); [reflexivity|lia]. }
  pose proof (one_small m y j) as OY. pose proof (one_small m z j) as OZ.
  apply (two_terms f (-1) (n - 1) j k); assumption || lia.
Qed.

(* Three times the same. *)
Lemma three_times k d : -2 <= k <= 2 -> -1 <= d <= 1 ->
  exists l, add 2 (add 2 (add 2 (Fin k) (Fin d)) (Fin d)) (Fin d) = Fin l /\ -2 <= l <= 2 /\ (l = 0 <-> k = 0 /\ d = 0).
Proof.
  intros Hk Hd. assert (A : k = -2 \/ k = -1 \/ k = 0 \/ k = 1 \/ k = 2) by lia. assert (B : d = -1 \/ d = 0 \/ d = 1) by lia.
  destruct A as [A|[A|[A|[A|A]]]]; destruct B as [B|[B|B]]; subst k d; eexists; (split; [cbv; reflexivity|lia]).
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

(* A transformer whose columns are the differences of the bits, on either input representation. *)
Definition differences (T : transformer) (m y z : Z) : Prop :=
  value_weights T = repeat (whole 2 1) (columns m) /\
  forall c, (c < columns m)%nat -> column 2 T c = Fin (one m y (position m c) - one m z (position m c)).

(* The numerator after the last t positions. *)
Lemma partial T m y z t : 1 <= m -> differences T m y z -> (t <= Z.to_nat m)%nat ->
  exists k, fold_left (add 2) (map (fun c => mul 2 (column 2 T c) (whole 2 1)) (seq 0 (3 * t))) (Fin 0) = Fin k /\
  -2 <= k <= 2 /\ (k = 0 <-> y mod 2 ^ Z.of_nat t = z mod 2 ^ Z.of_nat t).
Proof.
  intros Hm [_ Hc]. induction t as [|t IH]; intros Ht.
  - exists 0. split; [reflexivity|]. split; [lia|]. change (2 ^ Z.of_nat 0) with 1. rewrite !Z.mod_1_r. tauto.
  - destruct IH as (k & K & B & E); [lia|]. replace (3 * S t)%nat with (3 * t + 3)%nat by lia. rewrite seq_app, map_app, fold_left_app, K.
    cbn [seq map fold_left]. set (d := one m y (m - Z.of_nat t) - one m z (m - Z.of_nat t)).
    assert (C : forall r, (r < 3)%nat -> mul 2 (column 2 T (0 + 3 * t + r)) (whole 2 1) = Fin d).
    { intros r Hr. rewrite Hc by (unfold columns; lia). replace (position m (0 + 3 * t + r)) with (m - Z.of_nat t).
      - apply once. pose proof (one_small m y (m - Z.of_nat t)). pose proof (one_small m z (m - Z.of_nat t)). lia.
      - unfold position. f_equal. apply Z.div_unique with (r := Z.of_nat r); lia. }
    pose proof (C 0%nat) as C0. pose proof (C 1%nat) as C1. pose proof (C 2%nat) as C2.
    replace (0 + 3 * t + 0)%nat with (0 + 3 * t)%nat in C0 by lia. replace (0 + 3 * t + 1)%nat with (S (0 + 3 * t)) in C1 by lia.
    replace (0 + 3 * t + 2)%nat with (S (S (0 + 3 * t))) in C2 by lia. rewrite C0, C1, C2 by lia.
    assert (D : -1 <= d <= 1). { unfold d. pose proof (one_small m y (m - Z.of_nat t)). pose proof (one_small m z (m - Z.of_nat t)). lia. }
    destruct (three_times k d B D) as (l & L & LB & LE). exists l. split; [exact L|]. split; [exact LB|].
    replace (Z.of_nat (S t)) with (Z.of_nat t + 1) by lia. rewrite low_bits by lia. rewrite LE, E.
    assert (B0 : d = 0 <-> Z.testbit y (Z.of_nat t) = Z.testbit z (Z.of_nat t)).
    { unfold d, one, bit. replace (m - (m - Z.of_nat t)) with (Z.of_nat t) by lia.
      destruct (Z.testbit y (Z.of_nat t)); destruct (Z.testbit z (Z.of_nat t)); split; intros X; try reflexivity; try discriminate; lia. }
    tauto.
Qed.

Lemma combine_repeat (A B : Set) (l : list A) (x : B) : combine l (repeat x (length l)) = map (fun c => (c, x)) l.
Proof. induction l as [|a l IH]; cbn; [reflexivity|]. rewrite IH. reflexivity. Qed.

Lemma numerator_of_differences T m y z : differences T m y z -> numerator_by_columns 2 T =
  fold_left (add 2) (map (fun c => mul 2 (column 2 T c) (whole 2 1)) (seq 0 (3 * Z.to_nat m))) (Fin 0).
Proof.
  intros [H _]. unfold numerator_by_columns, sum. f_equal. rewrite H, repeat_length.
  assert (L : length (seq 0 (columns m)) = columns m) by apply seq_length.
  rewrite <- L at 2. rewrite combine_repeat, map_map. reflexivity.
Qed.

Lemma denominator_two_bits m n y z : 1 <= m -> 2 * m + 4 <= n -> denominator 2 (two_bits m n y z) = Fin 2.
Proof.
  intros Hm Hn. assert (E : denominator 2 (two_bits m n y z) = run 2 (fun i => Fin 1) (-1) (n - 1) (Fin 0)).
  { unfold denominator, run, sum. f_equal. unfold two_bits at 2. cbn [tokens]. rewrite map_map. reflexivity. }
  rewrite E, (run_app _ _ _ (-1)), (run_app _ _ (-1 + 1) 0) by lia. change (-1 + 1) with 0. rewrite !run_one. apply run_same; [|lia].
  intros i Hi. reflexivity.
Qed.

(* The quotient is 0 for equal strings alone; its values are five. *)
Lemma quotient_of_differences T m y z : 1 <= m -> 0 <= y < 2 ^ m -> 0 <= z < 2 ^ m -> differences T m y z -> denominator 2 T = Fin 2 ->
  exists k, attention 2 T matrix_order = Fin k /\ (k = -2 \/ k = -1 \/ k = 0 \/ k = 1 \/ k = 2) /\ (k = 0 <-> y = z).
Proof.
  intros Hm Hy Hz H D. destruct (partial T m y z (Z.to_nat m) Hm H) as (k & K & B & E); [lia|].
  rewrite Z2Nat.id in E by lia. rewrite !Z.mod_small in E by lia. exists k.
  assert (A : k = -2 \/ k = -1 \/ k = 0 \/ k = 1 \/ k = 2) by lia. split; [|split; [exact A|exact E]].
  unfold attention. rewrite (numerator_of_differences T m y z H), K, D. destruct A as [A|[A|[A|[A|A]]]]; subst k; reflexivity.
Qed.

Theorem two_bits_compute_equality : two_bits_suffice.
Proof.
  intros m n y z Hm Hn Hy Hz.
  destruct (quotient_of_differences (two_bits m n y z) m y z Hm Hy Hz) as (k & K & A & E).
  - split; [reflexivity|]. intros c Hc. apply column_value; assumption.
  - apply denominator_two_bits; assumption.
  - unfold output. rewrite K. destruct (Z.eqb_spec y z).
    + assert (k = 0) by tauto. subst k. reflexivity.
    + destruct A as [A|[A|[A|[A|A]]]]; subst k; reflexivity || tauto.
Qed.

(* T0. *)
Lemma adds_on_T0_small m i b j : -1 <= adds_on_T0 m i b j <= 1.
Proof. unfold adds_on_T0. destruct b; [|lia]. destruct (i =? j); [lia|]. destruct (i =? m + j); lia. Qed.

Lemma value_on_T0_at m i b c : (c < columns m)%nat -> nth c (values (two_bit_row_on_T0 m i b)) (Fin 0) = whole 2 (adds_on_T0 m i b (position m c)).
Proof.
  intros Hc. cbn [two_bit_row_on_T0 values].
  rewrite nth_indep with (d' := whole 2 (adds_on_T0 m i b (position m 0))) by (rewrite map_length, seq_length; exact Hc).
  rewrite (map_nth (fun c => whole 2 (adds_on_T0 m i b (position m c)))), seq_nth by exact Hc. reflexivity.
Qed.

Lemma column_on_T0 m n y z c : 1 <= m -> 2 * m + 1 <= n -> (c < columns m)%nat ->
  column 2 (two_bits_on_T0 m n y z) c = Fin (one m y (position m c) - one m z (position m c)).
Proof.
  intros Hm Hn Hc. set (j := position m c). assert (Hj : 1 <= j <= m).
  { unfold j, position, columns in *. pose proof (Z.div_pos (Z.of_nat c) 3). pose proof (Z.div_lt_upper_bound (Z.of_nat c) 3 m). lia. }
  set (f := fun i => Fin (adds_on_T0 m i (T0 m y z i) j)).
  assert (E : column 2 (two_bits_on_T0 m n y z) c = run 2 f 1 (n + 1) (Fin 0)).
  { unfold column, run, sum. f_equal. unfold two_bits_on_T0 at 2. cbn [tokens]. rewrite map_map. apply map_ext. intros i.
    change (weight 2 (two_bits_on_T0 m n y z) (two_bit_row_on_T0 m i (T0 m y z i))) with (Fin 1).
    rewrite value_on_T0_at by exact Hc. apply half, adds_on_T0_small. }
  rewrite E. set (k := m + j).
  assert (F0 : forall i, i <> j -> i <> k -> f i = Fin 0).
  { intros i A B. unfold f, adds_on_T0. destruct (T0 m y z i); [|reflexivity]. fold k. destruct (Z.eqb_spec i j); [lia|].
    destruct (Z.eqb_spec i k); [lia|reflexivity]. }
  assert (FJ : f j = Fin (one m y j)).
  { assert (T : T0 m y z j = bit m y j). { unfold T0. destruct (Z.leb_spec j m); [reflexivity|lia]. }
    unfold f. rewrite T. unfold adds_on_T0, one. destruct (bit m y j); [|reflexivity]. destruct (Z.eqb_spec j j); [reflexivity|lia]. }
  assert (FK : f k = Fin (- one m z j)).
  { assert (T : T0 m y z k = bit m z j).
    { unfold T0, k. destruct (Z.leb_spec (m + j) m); [lia|]. destruct (Z.leb_spec (m + j) (2 * m)); [|lia]. f_equal. lia. }
    unfold f. rewrite T. unfold adds_on_T0, one. destruct (bit m z j); [|reflexivity]. fold k. destruct (Z.eqb_spec k j); [lia|].
    destruct (Z.eqb_spec k k); [reflexivity|lia]. }
  pose proof (one_small m y j) as OY. pose proof (one_small m z j) as OZ.
  apply (two_terms f 1 (n + 1) j k); assumption || lia.
Qed.

Lemma denominator_on_T0 m n y z : 1 <= m -> 2 * m + 1 <= n -> denominator 2 (two_bits_on_T0 m n y z) = Fin 2.
Proof.
  intros Hm Hn. assert (E : denominator 2 (two_bits_on_T0 m n y z) = run 2 (fun i => Fin 1) 1 (n + 1) (Fin 0)).
  { unfold denominator, run, sum. f_equal. unfold two_bits_on_T0 at 2. cbn [tokens]. rewrite map_map. reflexivity. }
  rewrite E, (run_app _ _ _ 1), (run_app _ _ (1 + 1) 2) by lia. change (1 + 1) with 2. rewrite !run_one. apply run_same; [|lia].
  intros i Hi. reflexivity.
Qed.

Theorem two_bits_compute_equality_on_T0 : two_bits_suffice_on_T0.
Proof.
  intros m n y z Hm Hn Hy Hz.
  destruct (quotient_of_differences (two_bits_on_T0 m n y z) m y z Hm Hy Hz) as (k & K & A & E).
  - split; [reflexivity|]. intros c Hc. apply column_on_T0; assumption.
  - apply denominator_on_T0; assumption.
  - unfold output. rewrite K. destruct (Z.eqb_spec y z).
    + assert (k = 0) by tauto. subst k. reflexivity.
    + destruct A as [A|[A|[A|[A|A]]]]; subst k; reflexivity || tauto.
Qed.
