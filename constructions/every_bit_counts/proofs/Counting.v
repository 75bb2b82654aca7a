(* The proof of LowerHalf.v: Alice's two sums tell all her strings apart (a fooling set), and there are too few of them. *)
From Coq Require Import ZArith List Lia.
From EveryBitCounts Require Import Arithmetic Statement Rounding Operations LowerHalf.
Import ListNotations.
Local Open Scope Z_scope.

Lemma in_range a b i : In i (range a b) -> a <= i <= b.
Proof. unfold range. intros H. apply in_map_iff in H. destruct H as (k & E & K). apply in_seq in K. lia. Qed.

Lemma range_in a b i : a <= i <= b -> In i (range a b).
Proof. unfold range. intros H. apply in_map_iff. exists (Z.to_nat (i - a)). split; [lia|]. apply in_seq. lia. Qed.

Lemma range_length a b : length (range a b) = Z.to_nat (b - a + 1).
Proof. unfold range. rewrite map_length, seq_length. reflexivity. Qed.

Lemma distinct_map (A B : Set) (f : A -> B) l : (forall x y, In x l -> In y l -> f x = f y -> x = y) -> NoDup l -> NoDup (map f l).
Proof.
  induction l as [|a l IH]; intros H N; cbn [map]. apply NoDup_nil. apply NoDup_cons_iff in N. destruct N as [N1 N2]. apply NoDup_cons_iff. split.
  - intros I. apply in_map_iff in I. destruct I as (b & E & J). apply N1. replace a with b; [exact J|].
    apply H; [right; exact J|left; reflexivity|exact E].
  - apply IH; [|exact N2]. intros x y X Y. apply H; right; assumption.
Qed.

Lemma range_distinct a b : NoDup (range a b).
Proof.
  unfold range. apply distinct_map; [|apply seq_NoDup]. intros x y _ _ H. lia.
Qed.

(* Alice's tokens, -1 ... m, read y only, Bob's read z only. *)
Lemma alice_reads m y z z' i : i <= m -> T1 m y z i = T1 m y z' i.
Proof. intros H. unfold T1. destruct (i <? 0); [reflexivity|]. destruct (i =? 0); [reflexivity|]. destruct (Z.leb_spec i m); [reflexivity|lia]. Qed.

Lemma bob_reads m y y' z i : 0 < m -> m < i -> T1 m y z i = T1 m y' z i.
Proof.
  intros Hm H. unfold T1. destruct (i <? 0); [reflexivity|]. destruct (Z.eqb_spec i 0); [lia|]. destruct (Z.leb_spec i m); [lia|reflexivity].
Qed.

(* What Alice's tokens have added up to. *)
Definition sent (plus : num -> num -> num) (term : Z -> bool -> num) (m y : Z) : num :=
  fold_left plus (map (fun i => term i (T1 m y y i)) (range (-1) m)) (Fin 0).

Lemma running_sent plus term m n y z : 0 < m -> m < n ->
  running plus term m n y z = fold_left plus (map (fun i => term i (T1 m z z i)) (range (m + 1) (n - 1))) (sent plus term m y).
Proof.
  intros Hm Hn. unfold running, sent. rewrite (range_app (-1) m) by lia. rewrite map_app, fold_left_app. f_equal.
  - apply map_ext_in. intros i Hi. apply in_range in Hi. f_equal. apply bob_reads; lia.
  - f_equal. apply map_ext_in. intros i Hi. apply in_range in Hi. f_equal. apply alice_reads. lia.
Qed.

Lemma sent_closed plus term numbers m y : closed plus term numbers -> In (sent plus term m y) numbers.
Proof.
  intros [Z0 C]. unfold sent. set (is := range (-1) m). revert Z0. generalize (Fin 0).
  induction is as [|i is IH]; intros s Hs; cbn [map fold_left]; [exact Hs|]. apply IH, C, Hs.
Qed.

Theorem messages_needed : two_sums_need_messages.
Proof.
  intros plus_n plus_d product weight answer m n numerators denominators Hm Hn CN CD H.
  set (message := fun y => (sent plus_n product m y, sent plus_d weight m y)).
  assert (G : forall y z, 0 <= y -> y < z -> z < 2 ^ m -> message y <> message z).
  { intros y z Hy Hyz Hz E. injection E. intros ED EN.
    assert (A : answer (running plus_n product m n y z) (running plus_d weight m n y z) = (y =? z)) by (apply H; lia).
    assert (B : answer (running plus_n product m n z z) (running plus_d weight m n z z) = (z =? z)) by (apply H; lia).
    rewrite !running_sent in A by lia. rewrite !running_sent in B by lia. rewrite EN, ED in A. rewrite A in B.
    destruct (Z.eqb_spec y z); destruct (Z.eqb_spec z z); lia || discriminate. }
  assert (D : NoDup (map message (range 0 (2 ^ m - 1)))).
  { apply distinct_map; [|apply range_distinct]. intros y z Y Z E. apply in_range in Y. apply in_range in Z.
    destruct (Z_lt_le_dec y z) as [L|L]. exfalso. apply (G y z); lia || assumption.
    destruct (Z_lt_le_dec z y) as [K|K]; [|lia]. exfalso. apply (G z y); lia || (symmetry; assumption). }
  assert (I : incl (map message (range 0 (2 ^ m - 1))) (list_prod numerators denominators)).
  { intros x Hx. apply in_map_iff in Hx. destruct Hx as (y & E & _). rewrite <- E. apply in_prod; apply sent_closed; assumption. }
  pose proof (NoDup_incl_length D I) as L. rewrite map_length, range_length, prod_length in L. pose proof (pow_pos m). lia.
Qed.

(* Counting: 2^q + 2 numerators, 2^(q-1) + 2 denominators. *)
Definition numerators (q : Z) : list num := PInf :: NInf :: NaN :: map Fin (range (- (2 ^ (q - 1) - 1)) (2 ^ (q - 1) - 1)).
Definition denominators (q : Z) : list num := PInf :: NaN :: map Fin (range 0 (2 ^ (q - 1) - 1)).

Lemma in_numerators q x : on_grid q x -> In x (numerators q).
Proof.
  intros H. unfold numerators. destruct x as [k| | |]; cbn [In]; [|tauto|tauto|tauto]. right. right. right. apply in_map, range_in.
  cbn [on_grid] in H. lia.
Qed.

Lemma in_denominators q x : on_grid q x -> nonnegative x -> In x (denominators q).
Proof.
  intros H N. unfold denominators. destruct x as [k| | |]; cbn [In]; [|tauto|cbn in N; contradiction|tauto]. right. right. apply in_map, range_in.
  cbn [on_grid nonnegative] in H, N. lia.
Qed.

Lemma denominators_nonnegative q x : In x (denominators q) -> nonnegative x.
Proof.
  unfold denominators. cbn [In]. intros [H|[H|H]]; [subst x; exact I|subst x; exact I|]. apply in_map_iff in H. destruct H as (k & E & K).
  apply in_range in K. subst x. cbn. lia.
Qed.

Lemma numerators_length q : 1 <= q -> Z.of_nat (length (numerators q)) = 2 * 2 ^ (q - 1) + 2.
Proof. intros Hq. pose proof (pow_pos (q - 1)). unfold numerators. cbn [length]. rewrite map_length, range_length. lia. Qed.

Lemma denominators_length q : 1 <= q -> Z.of_nat (length (denominators q)) = 2 ^ (q - 1) + 2.
Proof. intros Hq. pose proof (pow_pos (q - 1)). unfold denominators. cbn [length]. rewrite map_length, range_length. lia. Qed.

Theorem too_few_numbers : fewer_bits_fail.
Proof.
  intros p n plus_n plus_d product weight answer Hp Hn GN GD H. pose proof (pow_pos (p - 2)) as P.
  assert (L : 2 ^ (2 * p - 1) <= Z.of_nat (length (numerators (p - 1))) * Z.of_nat (length (denominators (p - 1)))).
  { apply (messages_needed plus_n plus_d product weight answer (2 * p - 1) n); try lia.
    - split; [|intros; apply in_numerators, GN]. apply in_numerators. cbn [on_grid]. replace (p - 1 - 1) with (p - 2) by lia. lia.
    - split.
      + apply in_denominators; cbn [on_grid nonnegative]; [|lia]. replace (p - 1 - 1) with (p - 2) by lia. lia.
      + intros x i b X. destruct (GD x i b) as [A B]. apply (denominators_nonnegative _ _ X). apply in_denominators; assumption.
    - exact H. }
  rewrite numerators_length, denominators_length in L by lia. replace (p - 1 - 1) with (p - 2) in L by lia.
  assert (E : 2 ^ (2 * p - 1) = 8 * (2 ^ (p - 2) * 2 ^ (p - 2))).
  { change 8 with (2 ^ 3). rewrite <- !Z.pow_add_r by lia. f_equal. lia. }
  assert (P2 : 2 <= 2 ^ (p - 2)) by (change 2 with (2 ^ 1) at 1; apply pow_le; lia). set (h := 2 ^ (p - 2)) in *.
  assert (A : 2 * h <= h * h) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
Qed.

Theorem too_few_levels : fewer_bits_fail_on_a_grid.
Proof.
  intros p n product weight answer Hp Hn W. pose proof (pow_pos (p - 2)) as P.
  assert (G : forall x y, on_grid (p - 1) (grid_add (p - 1) x y)).
  { intros x y. unfold grid_add. destruct x as [a| | |]; destruct y as [b| | |]; try exact I.
    destruct (Z.leb_spec (Z.abs (a + b)) (2 ^ (p - 1 - 1) - 1)); [assumption|]. destruct (a + b <? 0); exact I. }
  apply too_few_numbers; try assumption. intros x i b N. split; [apply G|]. specialize (W i b). unfold grid_add.
  destruct x as [a| | |]; destruct (weight i b) as [c| | |]; cbn [nonnegative] in *; try exact I; try contradiction.
  destruct (Z.abs (a + c) <=? 2 ^ (p - 1 - 1) - 1); cbn [nonnegative]; [lia|]. destruct (Z.ltb_spec (a + c) 0); [lia|exact I].
Qed.
