(* Lemma 4, and (A1) to (A7): a step between neighbours that is one level. *)
From Coq Require Import ZArith List Lia.
From FixedPointNetworks Require Import FixedPoint Statement Slopes Rounding Sums Reals.
Local Open Scope Z_scope.

(* Lemma 4: of a rising table, the first level with the last value. *)
Lemma first_with_the_last_value : forall (h : Z -> Z) high n, (forall j k, high - Z.of_nat n <= j -> j <= k -> k <= high -> h j <= h k) ->
  (h (high - Z.of_nat n) = h high) \/
  exists z, high - Z.of_nat n < z <= high /\ (forall k, z <= k <= high -> h k = h high) /\ (forall k, high - Z.of_nat n <= k < z -> h k < h high).
Proof.
  intros h high n. induction n as [| n IH]; intros Hrising.
  - left. f_equal. lia.
  - destruct IH as [IH | [z [Hz [Habove Hbelow]]]].
    + intros j k Hj Hjk Hk. apply Hrising; lia.
    + destruct (Z.eq_dec (h (high - Z.of_nat (S n))) (h high)) as [Hsame | Hnot]; [left; exact Hsame | right].
      exists (high - Z.of_nat n). split; [lia | split].
      * intros k Hk. pose proof (Hrising (high - Z.of_nat n) k) as H1. pose proof (Hrising k high) as H2. lia.
      * intros k Hk. assert (k = high - Z.of_nat (S n)) as -> by lia. pose proof (Hrising (high - Z.of_nat (S n)) high) as H1. lia.
    + right. exists z. split; [lia | split; [exact Habove |]]. intros k Hk.
      assert (Hor : high - Z.of_nat n <= k \/ k = high - Z.of_nat (S n)) by lia. destruct Hor as [Hor | ->]; [apply Hbelow; lia |].
      assert (Hbefore : h (z - 1) < h high) by (apply Hbelow; lia). pose proof (Hrising (high - Z.of_nat (S n)) (z - 1)) as H1. lia.
Qed.

Lemma rising_table : forall p h, 1 <= p -> (forall j k, level p j -> level p k -> j <= k -> h j <= h k) ->
  (exists j k, level p j /\ level p k /\ h j <> h k) -> exists z, threshold p h z.
Proof.
  intros p h Hp Hrising [j [k [Hj [Hk Hnot]]]]. pose proof (top_positive p Hp) as Htop. unfold level in *.
  destruct (first_with_the_last_value h (top p) (Z.to_nat (2 * top p))) as [Hsame | [z [Hz [Habove Hbelow]]]].
  - intros a b Ha Hab Hb. apply Hrising; lia.
  - exfalso. apply Hnot. replace (top p - Z.of_nat (Z.to_nat (2 * top p))) with (- top p) in Hsame by lia.
    pose proof (Hrising (- top p) j) as H1. pose proof (Hrising j (top p)) as H2.
    pose proof (Hrising (- top p) k) as H3. pose proof (Hrising k (top p)) as H4. lia.
  - exists z. unfold threshold, level. split; [lia | split; [lia | split]].
    + intros i Hi Hiz. apply Habove. lia.
    + intros i Hi Hiz. apply Hbelow. lia.
Qed.

Theorem monotone_has_condition_1 : monotone_activations.
Proof.
  intros L p f act Hp Hmonotone Hact [j [k [Hj [Hk Hnot]]]]. destruct Hmonotone as [Hrising | Hfalling].
  - destruct (rising_table p act Hp) as [z Hz].
    + intros a b Ha Hb Hab. apply (rounds_monotone L p (f a) (f b)); [apply Hact; exact Ha | apply Hact; exact Hb | apply Hrising; assumption].
    + exists j, k. split; [exact Hj | split; [exact Hk | exact Hnot]].
    + exists 1, 1, act, z. split; [left; reflexivity | split; [left; reflexivity | split; [exact Hz |]]].
      intros i _. rewrite !Z.mul_1_l. reflexivity.
  - destruct (rising_table p (fun i => - act i) Hp) as [z Hz].
    + intros a b Ha Hb Hab. pose proof (rounds_monotone L p (f b) (f a) (act b) (act a) (Hact b Hb) (Hact a Ha) (Hfalling a b Ha Hb Hab)). lia.
    + exists j, k. split; [exact Hj | split; [exact Hk | lia]].
    + exists (-1), 1, (fun i => - act i), z. split; [right; reflexivity | split; [left; reflexivity | split; [exact Hz |]]].
      intros i _. rewrite Z.mul_1_l. ring.
Qed.

(* A step of one level is a gap, in one order or the other. *)
Lemma step_of_one : forall p s a act k, setting p s act -> level p k -> level p (k + 1) -> Z.abs (act (k + 1) - act k) = 1 ->
  forall b, everything p s a (gap p act) b.
Proof.
  intros p s a act k Hset Hk Hk1 H. apply one_level_apart; [exact Hset |].
  assert (Hor : act (k + 1) - act k = 1 \/ act k - act (k + 1) = 1) by lia. destruct Hor as [Hor | Hor].
  - exists (k + 1), k. split; [exact Hk1 | split; [exact Hk | lia]].
  - exists k, (k + 1). split; [exact Hk | split; [exact Hk1 | lia]].
Qed.

Lemma a_step : forall (h : Z -> Z) q n, (forall i, (i < n)%nat -> Z.abs (h (q + Z.of_nat i + 1) - h (q + Z.of_nat i)) <= 1) ->
  h q = h (q + Z.of_nat n) \/ exists i, (i < n)%nat /\ Z.abs (h (q + Z.of_nat i + 1) - h (q + Z.of_nat i)) = 1.
Proof.
  intros h q n. induction n as [| n IH]; intros H; [left; f_equal; lia |].
  destruct IH as [IH | [i [Hi Hstep]]]; [intros i Hi; apply H; lia | | right; exists i; split; [lia | exact Hstep]].
  assert (Hlast : Z.abs (h (q + Z.of_nat n + 1) - h (q + Z.of_nat n)) <= 1) by (apply H; lia).
  destruct (Z.eq_dec (h (q + Z.of_nat n + 1)) (h (q + Z.of_nat n))) as [Hsame | Hnot].
  - left. rewrite IH, <- Hsame. f_equal. lia.
  - right. exists n. split; [lia | lia].
Qed.

Lemma small_steps : forall p s a act q1 q2, setting p s act -> levels_from p q1 q2 ->
  (forall k, q1 <= k < q2 -> Z.abs (act (k + 1) - act k) <= 1) -> act q1 <> act q2 -> forall b, everything p s a (gap p act) b.
Proof.
  intros p s a act q1 q2 Hset [Hlow [Hless Hhigh]] Hsteps Hnot.
  destruct (a_step act q1 (Z.to_nat (q2 - q1))) as [Hsame | [i [Hi Hstep]]].
  - intros i Hi. apply Hsteps. lia.
  - exfalso. apply Hnot. rewrite Hsame. f_equal. lia.
  - apply (step_of_one p s a act (q1 + Z.of_nat i) Hset); [unfold level; lia | unfold level; lia | exact Hstep].
Qed.

Lemma ends_differ : forall L p f act q1 q2, 1 <= p -> rounded_activation L p f act -> levels_from p q1 q2 ->
  values L f q1 q2 (- top p) (top p) -> le L (shift L (f q1) 1) (f q2) \/ le L (shift L (f q2) 1) (f q1) -> act q1 <> act q2.
Proof.
  intros L p f act q1 q2 Hp Hact [Hlow [Hless Hhigh]] Hvalues Hends. pose proof (top_positive p Hp) as Htop.
  assert (H1 : rounds L p (f q1) (act q1)) by (apply Hact; unfold level; lia).
  assert (H2 : rounds L p (f q2) (act q2)) by (apply Hact; unfold level; lia).
  destruct (Hvalues q1) as [Hlow1 Hhigh1]; [lia |]. destruct (Hvalues q2) as [Hlow2 Hhigh2]; [lia |]. destruct Hends as [H | H].
  - pose proof (at_least_one L p (f q1) (f q2) (act q1) (act q2) Htop H1 H2 Hlow1 Hhigh2 H). lia.
  - pose proof (at_least_one L p (f q2) (f q1) (act q2) (act q1) Htop H2 H1 Hlow2 Hhigh1 H). lia.
Qed.

Lemma not_le_shift : forall L x y n, lt L (shift L x (- n)) y -> lt L x (shift L y n).
Proof.
  intros L x y n H H0. apply H. apply (shift_cancel L _ _ n). rewrite shift_twice. replace (- n + n) with 0 by ring. rewrite shift_none. exact H0.
Qed.

Theorem a1_gives_everything : forall a, gives_everything a a1.
Proof.
  intros a L p s f act Hset Hact [q1 [q2 [Hq [Hvalues [Hsteps Hends]]]]]. pose proof Hset as [Hp _]. pose proof Hq as [Hlow [Hless Hhigh]].
  apply (small_steps p s a act q1 q2 Hset Hq); [| apply (ends_differ L p f); assumption].
  intros k Hk. assert (H1 : rounds L p (f k) (act k)) by (apply Hact; unfold level; lia).
  assert (H2 : rounds L p (f (k + 1)) (act (k + 1))) by (apply Hact; unfold level; lia). destruct (Hsteps k Hk) as [Hdown Hup].
  assert (H01 : 0 <= 1) by lia. pose proof (less_than L p _ _ _ _ 1 H1 H2 H01 Hup) as H3.
  pose proof (less_than L p _ _ _ _ 1 H2 H1 H01 (not_le_shift L _ _ 1 Hdown)) as H4. lia.
Qed.

Theorem a2_gives_everything : forall a, gives_everything a a2.
Proof.
  intros a L p s f act Hset Hact [q1 [q2 [Hq [Hvalues [Hsteps Hends]]]]]. pose proof Hset as [Hp _]. pose proof Hq as [Hlow [Hless Hhigh]].
  pose proof (top_positive p Hp) as Htop. apply (small_steps p s a act q1 q2 Hset Hq).
  - intros k Hk. assert (H1 : rounds L p (f k) (act k)) by (apply Hact; unfold level; lia).
    assert (H2 : rounds L p (f (k + 1)) (act (k + 1))) by (apply Hact; unfold level; lia). destruct (Hsteps k Hk) as [Hdown Hup].
    destruct (Hvalues k) as [Hpositive _]; [lia |]. destruct (Hvalues (k + 1)) as [Hpositive1 _]; [lia |].
    pose proof (at_most_one L p _ _ _ _ H1 H2 Hpositive Hup) as H3.
    assert (Hdown1 : le L (f k) (shift L (f (k + 1)) 1)).
    { apply (shift_le L _ _ 1) in Hdown. rewrite shift_twice in Hdown. simpl in Hdown. rewrite shift_none in Hdown. exact Hdown. }
    pose proof (at_most_one L p _ _ _ _ H2 H1 Hpositive1 Hdown1) as H4. lia.
  - apply (ends_differ L p f); try assumption. intros k Hk. destruct (Hvalues k Hk) as [H0 H1]. split; [| exact H1].
    apply (transitive L _ (whole L 0)); [apply whole_up; lia | exact H0].
Qed.

(* Steps of one level or more that are not all of two. *)
Lemma a_short_step : forall (h : Z -> Z) q n, (forall i, (i < n)%nat -> 1 <= h (q + Z.of_nat i + 1) - h (q + Z.of_nat i)) ->
  2 * Z.of_nat n <= h (q + Z.of_nat n) - h q \/ exists i, (i < n)%nat /\ Z.abs (h (q + Z.of_nat i + 1) - h (q + Z.of_nat i)) = 1.
Proof.
  intros h q n. induction n as [| n IH]; intros H.
  - left. replace (q + Z.of_nat 0) with q by lia. lia.
  - destruct IH as [IH | [i [Hi Hstep]]]; [intros i Hi; apply H; lia | | right; exists i; split; [lia | exact Hstep]].
    assert (Hlast : 1 <= h (q + Z.of_nat n + 1) - h (q + Z.of_nat n)) by (apply H; lia).
    assert (Hor : h (q + Z.of_nat n + 1) - h (q + Z.of_nat n) = 1 \/ 2 <= h (q + Z.of_nat n + 1) - h (q + Z.of_nat n)) by lia.
    destruct Hor as [Hor | Hor].
    + right. exists n. split; [lia | lia].
    + left. replace (q + Z.of_nat (S n)) with (q + Z.of_nat n + 1) by lia. lia.
Qed.

Theorem a3_gives_everything : forall a, gives_everything a a3.
Proof.
  intros a L p s f act Hset Hact [q1 [q2 [Hq [Hvalues [Hsteps [Hends _]]]]]]. pose proof Hset as [Hp _]. pose proof Hq as [Hlow [Hless Hhigh]].
  pose proof (top_positive p Hp) as Htop.
  assert (Hrounds : forall k, q1 <= k <= q2 -> rounds L p (f k) (act k)) by (intros k Hk; apply Hact; unfold level; lia).
  destruct (a_short_step act q1 (Z.to_nat (q2 - q1))) as [Hfar | [i [Hi Hstep]]].
  - intros i Hi. assert (Hk : q1 <= q1 + Z.of_nat i < q2) by lia. revert Hk. generalize (q1 + Z.of_nat i). intros k Hk.
    destruct (Hsteps k Hk) as [Hup _]. destruct (Hvalues k) as [Hlow1 _]; [lia |]. destruct (Hvalues (k + 1)) as [_ Hhigh1]; [lia |].
    assert (H1 : rounds L p (f k) (act k)) by (apply Hrounds; lia). assert (H2 : rounds L p (f (k + 1)) (act (k + 1))) by (apply Hrounds; lia).
    pose proof (at_least_one L p _ _ _ _ Htop H1 H2 Hlow1 Hhigh1 Hup). lia.
  - exfalso. replace (q1 + Z.of_nat (Z.to_nat (q2 - q1))) with q2 in Hfar by lia.
    assert (H1 : rounds L p (f q1) (act q1)) by (apply Hrounds; lia). assert (H2 : rounds L p (f q2) (act q2)) by (apply Hrounds; lia).
    assert (H0 : 0 <= 2 * (q2 - q1) - 1) by lia. pose proof (less_than L p _ _ _ _ _ H1 H2 H0 Hends). lia.
  - apply (step_of_one p s a act (q1 + Z.of_nat i) Hset); [unfold level; lia | unfold level; lia | exact Hstep].
Qed.

(* (A4), (A5) and (A7) are (A1): steps that are positive and below 1, and together at least 1. *)
Lemma sum_of_steps : forall L f m q n, (forall i, (i < n)%nat -> le L (shift L (times L m (f (q + Z.of_nat i))) 1) (times L m (f (q + Z.of_nat i + 1)))) ->
  le L (shift L (times L m (f q)) (Z.of_nat n)) (times L m (f (q + Z.of_nat n))).
Proof.
  intros L f m q n. induction n as [| n IH]; intros H.
  - replace (q + Z.of_nat 0) with q by lia. simpl Z.of_nat. rewrite shift_none. apply le_same.
  - replace (q + Z.of_nat (S n)) with (q + Z.of_nat n + 1) by lia.
    apply (transitive L _ (shift L (times L m (f (q + Z.of_nat n))) 1)); [| apply H; lia].
    replace (Z.of_nat (S n)) with (Z.of_nat n + 1) by lia. rewrite <- shift_twice. apply shift_le. apply IH. intros i Hi. apply H. lia.
Qed.

Lemma positive_step : forall L m x y, le L (shift L (times L (S m) x) 1) (times L (S m) y) -> lt L (shift L x (-1)) y.
Proof.
  intros L m x y H H0. pose proof (times_le L (S m) _ _ H0) as H1. rewrite times_shift in H1.
  assert (H2 : le L (shift L (times L (S m) x) 1) (shift L (times L (S m) x) (Z.of_nat (S m) * -1))) by (apply (transitive L _ (times L (S m) y)); assumption).
  unfold shift in H2. rewrite !(commutative L (times L (S m) x)) in H2. apply plus_cancel in H2. apply whole_le in H2. lia.
Qed.

Lemma as_a1 : forall L p f m q1, (forall k, q1 <= k < q1 + Z.of_nat (S m) ->
    le L (shift L (times L (S m) (f k)) 1) (times L (S m) (f (k + 1))) /\ lt L (f (k + 1)) (shift L (f k) 1)) ->
  levels_from p q1 (q1 + Z.of_nat (S m)) -> values L f q1 (q1 + Z.of_nat (S m)) (- top p) (top p) -> a1 L p f.
Proof.
  intros L p f m q1 Hsteps Hq Hvalues. exists q1, (q1 + Z.of_nat (S m)). split; [exact Hq | split; [exact Hvalues | split]].
  - intros k Hk. destruct (Hsteps k Hk) as [H1 H2]. split; [apply (positive_step L m); exact H1 | exact H2].
  - left. apply (times_cancel L m). rewrite times_shift, Z.mul_1_r. apply sum_of_steps. intros i Hi.
    destruct (Hsteps (q1 + Z.of_nat i)) as [H1 _]; [lia |]. exact H1.
Qed.

Theorem a4_gives_everything : forall a, gives_everything a a4.
Proof.
  intros a L p s f act Hset Hact [Hp [Hvalues Hsteps]]. pose proof (top_from_3 p Hp) as Htop.
  apply (a1_gives_everything a L p s f act Hset Hact). apply (as_a1 L p f 1 0); [exact Hsteps | unfold levels_from; simpl; lia | exact Hvalues].
Qed.

Theorem a5_gives_everything : forall a, gives_everything a a5.
Proof.
  intros a L p s f act Hset Hact [Hp [Hvalues Hsteps]]. pose proof (top_from_3 p Hp) as Htop.
  apply (a1_gives_everything a L p s f act Hset Hact). apply (as_a1 L p f 5 (-3)); [exact Hsteps | unfold levels_from; simpl; lia | exact Hvalues].
Qed.

Lemma lt_le : forall L x y, lt L x y -> le L x y.
Proof.
  intros L x y H. destruct (total L x y) as [H0 | H0]; [exact H0 | contradiction (H H0)].
Qed.

Theorem a7_gives_everything : forall a, gives_everything a a7.
Proof.
  intros a L p s f act Hset Hact [Hp [Hvalues Hsteps]]. pose proof (top_from_3 p Hp) as Htop.
  apply (a1_gives_everything a L p s f act Hset Hact). apply (as_a1 L p f 1 1); [| unfold levels_from; simpl; lia | exact Hvalues].
  intros k Hk. destruct (Hsteps k Hk) as [H1 H2]. split; [apply lt_le; exact H1 | exact H2].
Qed.

Theorem a6_gives_everything : forall a, gives_everything a a6.
Proof.
  intros a L p s f act Hset Hact [Hp [Hvalues Hsteps]]. pose proof (top_from_3 p Hp) as Htop.
  apply (a3_gives_everything a L p s f act Hset Hact). exists 3, 5. split; [unfold levels_from; lia | split; [exact Hvalues |]].
  assert (Hstep : forall k, 3 <= k < 5 -> le L (shift L (f k) 1) (f (k + 1)) /\ le L (times L 2 (f (k + 1))) (shift L (times L 2 (f k)) 3) /\
                  lt L (times L 2 (f (k + 1))) (shift L (times L 2 (f k)) 3)).
  { intros k Hk. destruct (Hsteps k Hk) as [H1 H2]. split; [exact H1 | split; [apply lt_le; exact H2 | exact H2]]. }
  destruct (Hstep 3) as [H31 [H32 _]]; [lia |]. destruct (Hstep 4) as [H41 [_ H43]]; [lia |]. change (3 + 1) with 4 in *. change (4 + 1) with 5 in *.
  split; [| split].
  - intros k Hk. destruct (Hstep k Hk) as [H1 [H2 _]]. split; [exact H1 |]. apply (times_cancel L 1). rewrite double_shift.
    apply (transitive L _ (shift L (times L 2 (f k)) 3)); [exact H2 | apply shift_more; lia].
  - intros H0. apply H43. pose proof (times_le L 2 _ _ H0) as H5. rewrite double_shift in H5.
    apply (transitive L _ (shift L (times L 2 (f 3)) (2 * (2 * (5 - 3) - 1)))); [| exact H5].
    apply (transitive L _ (shift L (shift L (times L 2 (f 3)) 3) 3)); [apply shift_le; exact H32 |]. rewrite shift_twice. apply shift_more. lia.
  - intros H0. assert (H5 : le L (shift L (f 3) 2) (f 5)).
    { change 2 with (1 + 1). rewrite <- shift_twice. apply (transitive L _ (shift L (f 4) 1)); [apply shift_le; exact H31 | exact H41]. }
    assert (H6 : le L (shift L (shift L (f 3) 2) (2 * (5 - 3) - 1)) (f 3)).
    { apply (transitive L _ (shift L (f 5) (2 * (5 - 3) - 1))); [apply shift_le; exact H5 | exact H0]. }
    rewrite shift_twice in H6. rewrite <- (shift_none L (f 3)) in H6 at 2. unfold shift in H6. rewrite !(commutative L (f 3)) in H6.
    apply plus_cancel in H6. apply whole_le in H6. lia.
Qed.
