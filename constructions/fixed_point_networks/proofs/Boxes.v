(* The first layer that tells a box from the rest, for rho with a threshold z: two neurons for each coordinate. *)
From Coq Require Import ZArith List Lia.
From FixedPointNetworks Require Import FixedPoint Statement Rounding Sums Networks.
Import ListNotations.
Local Open Scope Z_scope.

(* A neuron with one input. *)
Definition one_input (d i : nat) (w b : Z) : neuron := Neuron b (repeat None i ++ Some w :: repeat None (d - 1 - i)).

Lemma affine_one_input : forall s d i w b x, (i < d)%nat -> length x = d -> affine s (one_input d i w b) x = s * b + w * nth i x 0.
Proof.
  intros s d i w b x Hi Hx. unfold affine, one_input. simpl. f_equal.
  assert (Hsplit : exists x1 x2, x = x1 ++ nth i x 0 :: x2 /\ length x1 = i) by (apply nth_split; lia).
  destruct Hsplit as [x1 [x2 [Hsplit Hlength]]]. revert Hsplit. generalize (nth i x 0). intros v ->.
  rewrite sum_used_app by (rewrite repeat_length; lia). rewrite sum_unused. simpl.
  change (sum (map used ((Some w, v) :: combine (repeat None (d - 1 - i)) x2)))
    with (w * v + sum (map used (combine (repeat None (d - 1 - i)) x2))).
  rewrite sum_unused. unfold used. simpl. lia.
Qed.

Lemma one_input_fits : forall p s a d i w b, (i < d)%nat -> weight p s a w -> neuron_of p s a d (one_input d i w b).
Proof.
  intros p s a d i w b Hi Hw. unfold neuron_of, one_input. simpl. split; [| split].
  - rewrite app_length. simpl. rewrite !repeat_length. lia.
  - exists w. apply in_or_app. right. left. reflexivity.
  - intros v Hv. apply in_app_or in Hv. destruct Hv as [Hv | [Hv | Hv]].
    + contradiction (used_in_repeat v i Hv).
    + injection Hv as <-. exact Hw.
    + contradiction (used_in_repeat v _ Hv).
Qed.

Definition corner (c : list (Z * Z)) (i : nat) : Z * Z := nth i c (0, 0).
Definition pair_of (s : Z) (d : nat) (c : list (Z * Z)) (z : Z) (i : nat) : list neuron :=
  [one_input d i s (z - fst (corner c i)); one_input d i (- s) (z + snd (corner c i))].
Definition sides (s : Z) (d : nat) (c : list (Z * Z)) (z : Z) : list neuron := flat_map (pair_of s d c z) (seq 0 d).

Definition inside_at (c : list (Z * Z)) (x : list Z) (i : nat) : Prop := fst (corner c i) <= nth i x 0 <= snd (corner c i).

Lemma inside_everywhere : forall d c x, length c = d -> length x = d -> (inside c x <-> forall i, (i < d)%nat -> inside_at c x i).
Proof.
  intros d c x Hc Hx. unfold inside. rewrite Forall_forall. split.
  - intros H i Hi. unfold inside_at, corner. specialize (H (nth i (combine c x) ((0, 0), 0))).
    rewrite combine_nth in H by lia. apply H. rewrite <- combine_nth by lia. apply nth_In. rewrite combine_length. lia.
  - intros H [ab k] Hin. apply (In_nth _ _ ((0, 0), 0)) in Hin. destruct Hin as [i [Hi Hnth]]. rewrite combine_length in Hi.
    rewrite combine_nth in Hnth by lia. injection Hnth as <- <-. simpl. apply (H i). lia.
Qed.

(* rho at a level that may lie beyond the ends. *)
Definition clamp (p y : Z) : Z := Z.max (- top p) (Z.min (top p) y).

Lemma clamp_level : forall p y, 1 <= p -> level p (clamp p y).
Proof.
  intros p y Hp. pose proof (top_positive p Hp). unfold level, clamp. lia.
Qed.

Lemma rho_beyond : forall p rho z y, 1 <= p -> threshold p rho z -> z <= y -> rho (clamp p y) = rho (top p).
Proof.
  intros p rho z y Hp [Hz [Hend [Habove Hbelow]]] H. pose proof (top_positive p Hp). unfold level in Hz.
  apply Habove; [apply clamp_level; exact Hp | unfold clamp; lia].
Qed.

Lemma rho_before : forall p rho z y, 1 <= p -> threshold p rho z -> y < z -> rho (clamp p y) < rho (top p).
Proof.
  intros p rho z y Hp [Hz [Hend [Habove Hbelow]]] H. pose proof (top_positive p Hp). unfold level in Hz.
  apply Hbelow; [apply clamp_level; exact Hp | unfold clamp; lia].
Qed.

Lemma rho_at_most : forall p rho z y, 1 <= p -> threshold p rho z -> rho (clamp p y) <= rho (top p).
Proof.
  intros p rho z y Hp Hz. destruct (Z_le_gt_dec z y) as [H | H].
  - rewrite (rho_beyond p rho z y Hp Hz H). lia.
  - assert (Hless : y < z) by lia. pose proof (rho_before p rho z y Hp Hz Hless). lia.
Qed.

(* What the pair of a coordinate gives. *)
Definition pair_value (p s : Z) (rho : Z -> Z) (d : nat) (c : list (Z * Z)) (z : Z) (x : list Z) (i : nat) : Z :=
  sum (map rho (layer p s (pair_of s d c z i) x)).

Lemma pair_values : forall p s rho d c z x i, 1 <= p -> 1 <= s -> (i < d)%nat -> length x = d ->
  pair_value p s rho d c z x i =
  rho (clamp p (nth i x 0 - fst (corner c i) + z)) + rho (clamp p (- nth i x 0 + snd (corner c i) + z)).
Proof.
  intros p s rho d c z x i Hp Hs Hi Hx. unfold pair_value, layer, pair_of. simpl. rewrite !affine_one_input by assumption.
  replace (s * (z - fst (corner c i)) + s * nth i x 0) with (s * (nth i x 0 - fst (corner c i) + z)) by ring.
  replace (s * (z + snd (corner c i)) + - s * nth i x 0) with (s * (- nth i x 0 + snd (corner c i) + z)) by ring.
  rewrite !level_clamped by assumption. unfold sum, clamp. simpl. ring.
Qed.

Lemma pair_inside : forall p s rho d c z x i, 1 <= p -> 1 <= s -> (i < d)%nat -> length x = d -> threshold p rho z ->
  inside_at c x i -> pair_value p s rho d c z x i = 2 * rho (top p).
Proof.
  intros p s rho d c z x i Hp Hs Hi Hx Hz [H1 H2]. rewrite pair_values by assumption.
  rewrite (rho_beyond p rho z _ Hp Hz) by lia. rewrite (rho_beyond p rho z _ Hp Hz) by lia. ring.
Qed.

Lemma pair_at_most : forall p s rho d c z x i, 1 <= p -> 1 <= s -> (i < d)%nat -> length x = d -> threshold p rho z ->
  pair_value p s rho d c z x i <= 2 * rho (top p) /\ (~ inside_at c x i -> pair_value p s rho d c z x i < 2 * rho (top p)).
Proof.
  intros p s rho d c z x i Hp Hs Hi Hx Hz. rewrite pair_values by assumption.
  pose proof (rho_at_most p rho z (nth i x 0 - fst (corner c i) + z) Hp Hz) as H1.
  pose proof (rho_at_most p rho z (- nth i x 0 + snd (corner c i) + z) Hp Hz) as H2. split; [lia |]. intros Hnot. unfold inside_at in Hnot.
  assert (Hor : nth i x 0 - fst (corner c i) + z < z \/ - nth i x 0 + snd (corner c i) + z < z) by lia.
  destruct Hor as [Hor | Hor]; pose proof (rho_before p rho z _ Hp Hz Hor); lia.
Qed.

(* All pairs together. *)
Definition sides_value (p s : Z) (rho : Z -> Z) (d : nat) (c : list (Z * Z)) (z : Z) (x : list Z) : Z :=
  sum (map rho (layer p s (sides s d c z) x)).

Lemma sum_flat : forall (h : nat -> list neuron) p s rho x l,
  sum (map rho (layer p s (flat_map h l) x)) = sum (map (fun i => sum (map rho (layer p s (h i) x))) l).
Proof.
  intros h p s rho x l. unfold layer. induction l as [| i l IH]; [reflexivity |]. simpl. rewrite !map_app, sum_app, IH. reflexivity.
Qed.

Lemma sum_bounded : forall (h : nat -> Z) b l, (forall i, In i l -> h i <= b) -> sum (map h l) <= Z.of_nat (length l) * b.
Proof.
  intros h b l. induction l as [| i l IH]; intros H; [simpl; lia |].
  assert (h i <= b) by (apply H; left; reflexivity). assert (sum (map h l) <= Z.of_nat (length l) * b) by (apply IH; intros j Hj; apply H; right; exact Hj).
  change (sum (map h (i :: l))) with (h i + sum (map h l)). simpl length. lia.
Qed.

Lemma sum_below : forall (h : nat -> Z) b l j, (forall i, In i l -> h i <= b) -> In j l -> h j < b -> sum (map h l) < Z.of_nat (length l) * b.
Proof.
  intros h b l j H Hj Hless. apply in_split in Hj. destruct Hj as [l1 [l2 ->]]. rewrite map_app, sum_app, app_length.
  assert (sum (map h l1) <= Z.of_nat (length l1) * b) by (apply sum_bounded; intros i Hi; apply H, in_or_app; left; exact Hi).
  assert (sum (map h l2) <= Z.of_nat (length l2) * b).
  { apply sum_bounded. intros i Hi. apply H, in_or_app. right. right. exact Hi. }
  change (sum (map h (j :: l2))) with (h j + sum (map h l2)). simpl length. lia.
Qed.

Lemma sum_constant : forall (h : nat -> Z) b l, (forall i, In i l -> h i = b) -> sum (map h l) = Z.of_nat (length l) * b.
Proof.
  intros h b l. induction l as [| i l IH]; intros H; [reflexivity |].
  assert (h i = b) by (apply H; left; reflexivity). assert (sum (map h l) = Z.of_nat (length l) * b) by (apply IH; intros j Hj; apply H; right; exact Hj).
  change (sum (map h (i :: l))) with (h i + sum (map h l)). simpl length. lia.
Qed.

Definition full (p : Z) (rho : Z -> Z) (d : nat) : Z := Z.of_nat d * (2 * rho (top p)).

Lemma sides_inside : forall p s rho d c z x, 1 <= p -> 1 <= s -> length c = d -> length x = d -> threshold p rho z ->
  inside c x -> sides_value p s rho d c z x = full p rho d.
Proof.
  intros p s rho d c z x Hp Hs Hc Hx Hz H. unfold sides_value, sides, full. rewrite sum_flat.
  rewrite (sum_constant (pair_value p s rho d c z x) (2 * rho (top p))); [rewrite seq_length; reflexivity |].
  intros i Hi. apply in_seq in Hi. apply pair_inside; try assumption; [lia |].
  apply (inside_everywhere d c x Hc Hx); [exact H | lia].
Qed.

Lemma sides_outside : forall p s rho d c z x, 1 <= p -> 1 <= s -> length c = d -> length x = d -> threshold p rho z ->
  ~ inside c x -> sides_value p s rho d c z x < full p rho d.
Proof.
  intros p s rho d c z x Hp Hs Hc Hx Hz H. unfold sides_value, sides, full. rewrite sum_flat.
  assert (Hwhere : exists j, (j < d)%nat /\ ~ inside_at c x j).
  { assert (Hall : forall n, (n <= d)%nat -> (forall i, (i < n)%nat -> inside_at c x i) \/ exists j, (j < d)%nat /\ ~ inside_at c x j).
    { intros n. induction n as [| n IH]; intros Hn; [left; lia |]. destruct IH as [IH | IH]; [lia | | right; exact IH].
      assert (Hor : inside_at c x n \/ ~ inside_at c x n) by (unfold inside_at; lia). destruct Hor as [Hor | Hor].
      - left. intros i Hi. assert (Hcase : (i < n)%nat \/ i = n) by lia. destruct Hcase as [Hcase | ->]; [apply IH; exact Hcase | exact Hor].
      - right. exists n. split; [lia | exact Hor]. }
    destruct (Hall d) as [Hin | Hout]; [lia | | exact Hout]. contradiction H. apply (inside_everywhere d c x Hc Hx). exact Hin. }
  destruct Hwhere as [j [Hj Hnot]].
  pose proof (sum_below (pair_value p s rho d c z x) (2 * rho (top p)) (seq 0 d) j) as Hless. rewrite seq_length in Hless. apply Hless.
  - intros i Hi. apply in_seq in Hi. apply (pair_at_most p s rho d c z x i Hp Hs); [lia | exact Hx | exact Hz].
  - apply in_seq. lia.
  - apply (pair_at_most p s rho d c z x j Hp Hs Hj Hx Hz). exact Hnot.
Qed.

Lemma sides_fit : forall p s act a d c z, setting p s act -> Forall (neuron_of p s a d) (sides s d c z).
Proof.
  intros p s act a d c z Hset. destruct (one_is_a_weight p s act a Hset) as [Hone Hminus]. apply Forall_forall. intros n Hn.
  unfold sides in Hn. apply in_flat_map in Hn. destruct Hn as [i [Hi Hn]]. apply in_seq in Hi.
  destruct Hn as [<- | [<- | []]]; apply one_input_fits; [lia | assumption | lia | assumption].
Qed.

Lemma sides_nonempty : forall s d c z, (0 < d)%nat -> sides s d c z <> [].
Proof.
  intros s d c z Hd. destruct d as [| d]; [lia |]. unfold sides. simpl. discriminate.
Qed.
