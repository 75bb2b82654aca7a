(* Sums and order in an ordered group, and what rounds to what. *)
From Coq Require Import ZArith List Lia.
From FixedPointNetworks Require Import FixedPoint Statement Slopes.
Local Open Scope Z_scope.

Lemma le_same : forall L x, le L x x.
Proof.
  intros L x. destruct (total L x x); assumption.
Qed.

Lemma plus_le : forall L x y u v, le L x y -> le L u v -> le L (plus L x u) (plus L y v).
Proof.
  intros L x y u v H1 H2. apply (transitive L _ (plus L y u)); [apply shifted; exact H1 |].
  rewrite (commutative L y u), (commutative L y v). apply shifted. exact H2.
Qed.

Lemma plus_opposite : forall L x z, plus L (plus L x z) (opposite L z) = x.
Proof.
  intros L x z. rewrite <- associative, inverse. apply neutral.
Qed.

Lemma plus_cancel : forall L x y z, le L (plus L x z) (plus L y z) -> le L x y.
Proof.
  intros L x y z H. apply (shifted L _ _ (opposite L z)) in H. rewrite !plus_opposite in H. exact H.
Qed.

Lemma whole_zero : forall L, whole L 0 = zero L.
Proof.
  intros L. pose proof (whole_sum L 0 0) as H. simpl in H. rewrite <- (plus_opposite L (whole L 0) (whole L 0)). rewrite <- H. apply inverse.
Qed.

Lemma whole_up : forall L a b, a <= b -> le L (whole L a) (whole L b).
Proof.
  intros L a b H. apply whole_le. exact H.
Qed.

Lemma shift_le : forall L x y n, le L x y -> le L (shift L x n) (shift L y n).
Proof.
  intros L x y n H. apply shifted. exact H.
Qed.

Lemma shift_whole : forall L a n, shift L (whole L a) n = whole L (a + n).
Proof.
  intros L a n. unfold shift. symmetry. apply whole_sum.
Qed.

Lemma shift_twice : forall L x m n, shift L (shift L x m) n = shift L x (m + n).
Proof.
  intros L x m n. unfold shift. rewrite <- associative, <- whole_sum. reflexivity.
Qed.

Lemma shift_none : forall L x, shift L x 0 = x.
Proof.
  intros L x. unfold shift. rewrite whole_zero. apply neutral.
Qed.

Lemma shift_more : forall L x m n, m <= n -> le L (shift L x m) (shift L x n).
Proof.
  intros L x m n H. unfold shift. rewrite (commutative L x (whole L m)), (commutative L x (whole L n)). apply shifted, whole_up. exact H.
Qed.

Lemma shift_cancel : forall L x y n, le L (shift L x n) (shift L y n) -> le L x y.
Proof.
  intros L x y n. apply plus_cancel.
Qed.

Lemma times_shift : forall L n x m, times L n (shift L x m) = shift L (times L n x) (Z.of_nat n * m).
Proof.
  intros L n x m. unfold times. induction n as [| n IH]; [simpl; rewrite shift_none; reflexivity |].
  simpl Nat.iter. rewrite IH. unfold shift. rewrite <- !associative. f_equal.
  rewrite !associative. rewrite (commutative L (whole L m)). rewrite <- associative. f_equal. rewrite <- whole_sum. f_equal. lia.
Qed.

Lemma times_le : forall L n x y, le L x y -> le L (times L n x) (times L n y).
Proof.
  intros L n x y H. unfold times. induction n as [| n IH]; [apply le_same |]. simpl Nat.iter. apply plus_le; assumption.
Qed.

Lemma same_plus : forall L x y z, plus L x z = plus L y z -> x = y.
Proof.
  intros L x y z H. rewrite <- (plus_opposite L x z), H. apply plus_opposite.
Qed.

(* n x <= n y only if x <= y. *)
Lemma times_cancel : forall L n x y, le L (times L (S n) x) (times L (S n) y) -> le L x y.
Proof.
  intros L n x y H. destruct (total L x y) as [Hle | Hle]; [exact Hle |].
  assert (Hrest : le L (times L n y) (times L n x)) by (apply times_le; exact Hle).
  apply (plus_cancel L x y (times L n x)). apply (transitive L _ (times L (S n) y)); [exact H |].
  change (times L (S n) y) with (plus L y (times L n y)). rewrite (commutative L y (times L n y)), (commutative L y (times L n x)).
  apply shifted. exact Hrest.
Qed.

Lemma times_whole : forall L n a, times L n (whole L a) = whole L (Z.of_nat n * a).
Proof.
  intros L n a. unfold times. induction n as [| n IH]; [simpl; symmetry; apply whole_zero |]. simpl Nat.iter. rewrite IH, <- whole_sum. f_equal. lia.
Qed.

(* Twice x, when x lies between two others. *)
Lemma double_shift : forall L x n, times L 2 (shift L x n) = shift L (times L 2 x) (2 * n).
Proof.
  intros L x n. apply (times_shift L 2 x n).
Qed.

Lemma rounds_above : forall L p x q w, rounds L p x q -> level p w -> w < q -> le L (whole L (q + w)) (times L 2 x).
Proof.
  intros L p x q w [_ H] Hw Hless. apply (H w Hw). exact Hless.
Qed.

Lemma rounds_below : forall L p x q w, rounds L p x q -> level p w -> q < w -> le L (times L 2 x) (whole L (q + w)).
Proof.
  intros L p x q w [_ H] Hw Hless. apply (H w Hw). exact Hless.
Qed.

Lemma rounds_tie : forall L p x q w, rounds L p x q -> level p w -> w <> q -> times L 2 x = whole L (q + w) -> Z.abs w < Z.abs q.
Proof.
  intros L p x q w [_ H] Hw Hnot. apply (H w Hw). exact Hnot.
Qed.

Lemma rounds_level : forall L p x q, rounds L p x q -> level p q.
Proof.
  intros L p x q [H _]. exact H.
Qed.

(* Order. *)
Lemma rounds_monotone : forall L p x y a b, rounds L p x a -> rounds L p y b -> le L x y -> a <= b.
Proof.
  intros L p x y a b Ha Hb H. assert (Hor : a <= b \/ b < a) by lia. destruct Hor as [Hor | Hor]; [exact Hor | exfalso].
  pose proof (rounds_level L p x a Ha) as Hla. pose proof (rounds_level L p y b Hb) as Hlb.
  pose proof (rounds_above L p x a b Ha Hlb Hor) as H1. pose proof (rounds_below L p y b a Hb Hla Hor) as H2.
  pose proof (times_le L 2 x y H) as H3. replace (b + a) with (a + b) in H2 by ring.
  assert (Hx : times L 2 x = whole L (a + b)) by (apply antisymmetric; [apply (transitive L _ (times L 2 y)); assumption | exact H1]).
  assert (Hy : times L 2 y = whole L (b + a)).
  { replace (b + a) with (a + b) by ring. apply antisymmetric; [exact H2 | apply (transitive L _ (times L 2 x)); assumption]. }
  assert (Hnot1 : b <> a) by lia. assert (Hnot2 : a <> b) by lia.
  pose proof (rounds_tie L p x a b Ha Hlb Hnot1 Hx). pose proof (rounds_tie L p y b a Hb Hla Hnot2 Hy). lia.
Qed.

(* Lemma 23: less than n apart. *)
Lemma less_than : forall L p x y a b n, rounds L p x a -> rounds L p y b -> 0 <= n -> lt L y (shift L x n) -> b <= a + n.
Proof.
  intros L p x y a b n Ha Hb Hn H. assert (Hor : b <= a + n \/ a + n + 1 <= b) by lia. destruct Hor as [Hor | Hor]; [exact Hor | exfalso].
  pose proof (rounds_level L p x a Ha) as Hla. pose proof (rounds_level L p y b Hb) as Hlb. unfold level in Hla, Hlb.
  assert (H1 : le L (times L 2 x) (whole L (a + (a + 1)))) by (apply (rounds_below L p x a (a + 1) Ha); unfold level; lia).
  assert (H2 : le L (whole L (b + (b - 1))) (times L 2 y)) by (apply (rounds_above L p y b (b - 1) Hb); unfold level; lia).
  apply H. apply (times_cancel L 1). rewrite double_shift.
  apply (transitive L _ (shift L (whole L (a + (a + 1))) (2 * n))); [apply shift_le; exact H1 |]. rewrite shift_whole.
  apply (transitive L _ (whole L (b + (b - 1)))); [apply whole_up; lia | exact H2].
Qed.

(* At most 1 apart, and not below 0. *)
Lemma at_most_one : forall L p x y a b, rounds L p x a -> rounds L p y b -> le L (whole L 0) x -> le L y (shift L x 1) -> b <= a + 1.
Proof.
  intros L p x y a b Ha Hb Hx H. assert (Hor : b <= a + 1 \/ a + 2 <= b) by lia. destruct Hor as [Hor | Hor]; [exact Hor | exfalso].
  pose proof (rounds_level L p x a Ha) as Hla. pose proof (rounds_level L p y b Hb) as Hlb. unfold level in Hla, Hlb.
  assert (Hnext : level p (a + 1)) by (unfold level; lia).
  assert (H1 : le L (times L 2 x) (whole L (a + (a + 1)))) by (apply (rounds_below L p x a (a + 1) Ha Hnext); lia).
  assert (H2 : le L (whole L (b + (b - 1))) (times L 2 y)) by (apply (rounds_above L p y b (b - 1) Hb); unfold level; lia).
  assert (H3 : le L (times L 2 y) (shift L (times L 2 x) (2 * 1))) by (rewrite <- double_shift; apply times_le; exact H).
  assert (H4 : le L (shift L (whole L (a + (a + 1))) (2 * 1)) (shift L (times L 2 x) (2 * 1))).
  { rewrite shift_whole. apply (transitive L _ (whole L (b + (b - 1)))); [apply whole_up; lia |].
    apply (transitive L _ (times L 2 y)); assumption. }
  apply shift_cancel in H4. assert (Htie : times L 2 x = whole L (a + (a + 1))) by (apply antisymmetric; assumption).
  assert (Hnot : a + 1 <> a) by lia. pose proof (rounds_tie L p x a (a + 1) Ha Hnext Hnot Htie) as Habs.
  pose proof (times_le L 2 _ _ Hx) as H5. rewrite Htie, times_whole in H5. apply whole_le in H5. lia.
Qed.

(* Lemma 22: at least 1 apart, in the range. *)
Lemma at_least_one : forall L p x y a b, 1 <= top p -> rounds L p x a -> rounds L p y b ->
  le L (whole L (- top p)) x -> le L y (whole L (top p)) -> le L (shift L x 1) y -> a < b.
Proof.
  intros L p x y a b Htop Ha Hb Hx Hy H.
  pose proof (rounds_level L p x a Ha) as Hla. pose proof (rounds_level L p y b Hb) as Hlb.
  assert (Hle : a <= b).
  { apply (rounds_monotone L p x y a b Ha Hb). apply (transitive L _ (shift L x 1)); [| exact H].
    rewrite <- (shift_none L x) at 1. apply shift_more. lia. }
  assert (Hor : a < b \/ a = b) by lia. destruct Hor as [Hor | <-]; [exact Hor | exfalso]. unfold level in Hla.
  assert (H2 : le L (shift L (times L 2 x) (2 * 1)) (times L 2 y)) by (rewrite <- double_shift; apply times_le; exact H).
  pose proof (times_le L 2 _ _ Hx) as Hx2. rewrite times_whole in Hx2. pose proof (times_le L 2 _ _ Hy) as Hy2. rewrite times_whole in Hy2.
  change (Z.of_nat 2) with 2 in *.
  assert (Hcase : a = - top p \/ - top p < a) by lia. destruct Hcase as [Hcase | Hcase].
  - assert (H3 : le L (times L 2 y) (whole L (a + (a + 1)))) by (apply (rounds_below L p y a (a + 1) Hb); unfold level; lia).
    assert (H4 : le L (whole L (2 * - top p + 2 * 1)) (whole L (a + (a + 1)))).
    { rewrite <- shift_whole. apply (transitive L _ (shift L (times L 2 x) (2 * 1))); [apply shift_le; exact Hx2 |].
      apply (transitive L _ (times L 2 y)); assumption. }
    apply whole_le in H4. lia.
  - assert (Hbefore : level p (a - 1)) by (unfold level; lia).
    assert (H3 : le L (whole L (a + (a - 1))) (times L 2 x)) by (apply (rounds_above L p x a (a - 1) Ha Hbefore); lia).
    assert (H4 : le L (whole L (a + (a - 1) + 2 * 1)) (times L 2 y)).
    { rewrite <- shift_whole. apply (transitive L _ (shift L (times L 2 x) (2 * 1))); [apply shift_le; exact H3 | exact H2]. }
    assert (Hcase2 : a = top p \/ a < top p) by lia. destruct Hcase2 as [Hcase2 | Hcase2].
    + assert (H5 : le L (whole L (a + (a - 1) + 2 * 1)) (whole L (2 * top p))) by (apply (transitive L _ (times L 2 y)); assumption).
      apply whole_le in H5. lia.
    + assert (Hnext : level p (a + 1)) by (unfold level; lia).
      assert (H5 : le L (times L 2 y) (whole L (a + (a + 1)))) by (apply (rounds_below L p y a (a + 1) Hb Hnext); lia).
      replace (a + (a - 1) + 2 * 1) with (a + (a + 1)) in H4 by ring.
      assert (Htie2 : times L 2 y = whole L (a + (a + 1))) by (apply antisymmetric; assumption).
      assert (H6 : le L (times L 2 x) (whole L (a + (a - 1)))).
      { apply (shift_cancel L _ _ (2 * 1)). rewrite shift_whole. replace (a + (a - 1) + 2 * 1) with (a + (a + 1)) by ring.
        rewrite <- Htie2. exact H2. }
      assert (Htie1 : times L 2 x = whole L (a + (a - 1))) by (apply antisymmetric; assumption).
      assert (Hnot1 : a - 1 <> a) by lia. assert (Hnot2 : a + 1 <> a) by lia.
      pose proof (rounds_tie L p x a (a - 1) Ha Hbefore Hnot1 Htie1). pose proof (rounds_tie L p y a (a + 1) Hb Hnext Hnot2 Htie2). lia.
Qed.
