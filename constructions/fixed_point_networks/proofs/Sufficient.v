(* Theorems 6 and 15, Corollaries 9 and 17: one indicator for each point, side by side. *)
From Coq Require Import ZArith List Lia.
From FixedPointNetworks Require Import FixedPoint Statement Rounding Sums Networks Indicators Necessary.
Import ListNotations.
Local Open Scope Z_scope.

(* All inputs in a list. *)
Definition levels (p : Z) : list Z := map (fun i => Z.of_nat i - top p) (seq 0 (Z.to_nat (2 * top p + 1))).

Lemma in_levels : forall p k, In k (levels p) <-> level p k.
Proof.
  intros p k. unfold levels, level. rewrite in_map_iff. split.
  - intros [i [<- Hi]]. apply in_seq in Hi. lia.
  - intros Hk. exists (Z.to_nat (k + top p)). split; [lia |]. apply in_seq. lia.
Qed.

Lemma all_inputs_listed : forall p d, exists xs, forall x, In x xs <-> input p d x.
Proof.
  intros p d. induction d as [| d [xs IH]].
  - exists [[]]. intros x. split.
    + intros [<- | []]. split; [reflexivity | constructor].
    + intros [Hlength _]. destruct x as [| k x]; [left; reflexivity | discriminate].
  - exists (flat_map (fun k => map (cons k) xs) (levels p)). intros x. rewrite in_flat_map. split.
    + intros [k [Hk Hx]]. apply in_map_iff in Hx. destruct Hx as [y [<- Hy]]. apply IH in Hy. destruct Hy as [Hlength Hy].
      split; [simpl; rewrite Hlength; reflexivity |]. constructor; [apply in_levels; exact Hk | exact Hy].
    + intros [Hlength Hx]. destruct x as [| k x]; [discriminate |]. apply Forall_cons_iff in Hx. destruct Hx as [Hk Hx].
      exists k. split; [apply in_levels; exact Hk |]. apply in_map. apply IH. split; [simpl in Hlength; lia | exact Hx].
Qed.

Lemma inputs_once : forall p d, exists xs, NoDup xs /\ forall x, In x xs <-> input p d x.
Proof.
  intros p d. destruct (all_inputs_listed p d) as [xs Hxs]. exists (nodup (list_eq_dec Z.eq_dec) xs). split; [apply NoDup_nodup |].
  intros x. rewrite nodup_In. apply Hxs.
Qed.

(* The box of one point. *)
Definition point (v : list Z) : list (Z * Z) := map (fun k => (k, k)) v.

Lemma box_of_point : forall p d v, input p d v -> box p d (point v).
Proof.
  intros p d v [Hlength Hv]. unfold box, point. rewrite map_length. split; [exact Hlength |]. apply Forall_map.
  revert Hv. apply Forall_impl. intros k Hk. simpl. split; [exact Hk | split; [exact Hk | lia]].
Qed.

Lemma inside_point : forall v x, length v = length x -> (inside (point v) x <-> x = v).
Proof.
  intros v. induction v as [| k v IH]; intros x Hlength; destruct x as [| y x]; try discriminate.
  - split; [reflexivity | intros _; constructor].
  - assert (Hsame : length v = length x) by (simpl in Hlength; lia). unfold inside, point in *. simpl. rewrite Forall_cons_iff. simpl.
    rewrite (IH x Hsame). split.
    + intros [Hk ->]. f_equal. lia.
    + intros H. injection H as -> ->. split; [lia | reflexivity].
Qed.

Lemma one_point : forall a p s act d v t, setting p s act -> condition_1 p act -> (0 < d)%nat -> input p d v -> sums p s a (gap p act) t ->
  exists value, makes p s a act d 2 value /\ value v = t /\ forall x, input p d x -> x <> v -> value x = 0.
Proof.
  intros a p s act d v t Hset Hcondition Hd Hv Ht. pose proof Hv as [Hlength _].
  destruct (indicators_by_two_layers a p s act d (point v) t Hset Hcondition Hd (box_of_point p d v Hv) Ht)
    as [f [r [Hf [Hdepth [Hr [Hbias Hvalue]]]]]].
  exists (fun x => affine s r (map act (run p s act f x))). split; [| split].
  - exists f, r. split; [exact Hf | split; [exact Hdepth | split; [exact Hr | split; [exact Hbias | reflexivity]]]].
  - apply (Hvalue v Hv). apply inside_point; reflexivity.
  - intros x Hx Hnot. apply (Hvalue x Hx). intros Hin. apply Hnot. apply inside_point; [| exact Hin]. destruct Hx as [-> _]. exact Hlength.
Qed.

(* A target on some of the inputs. *)
Lemma some_points : forall a p s act b d (wanted : list Z -> Z) xs,
  setting p s act -> condition_1 p act -> everything p s a (gap p act) b -> (0 < d)%nat ->
  (forall x, input p d x -> level p (wanted x)) -> NoDup xs -> (forall x, In x xs -> input p d x) ->
  exists value, makes p s a act d 2 value /\
  forall x, input p d x -> (In x xs -> nearest p s (s * b + value x) = wanted x) /\ (~ In x xs -> value x = 0).
Proof.
  intros a p s act b d wanted xs Hset Hcondition Hall Hd Hwanted. pose proof Hset as [Hp [Hs _]]. pose proof (top_positive p Hp) as Htop.
  induction xs as [| v xs IH]; intros Honce Hin.
  - assert (Horigin : input p d (repeat 0 d)).
    { split; [apply repeat_length |]. apply Forall_forall. intros k Hk. apply repeat_spec in Hk. unfold level. lia. }
    destruct (one_point a p s act d (repeat 0 d) 0 Hset Hcondition Hd Horigin (sums_zero p s a (gap p act))) as [value [Hmakes [Hone Hrest]]].
    exists value. split; [exact Hmakes |]. intros x Hx. split; [intros [] |]. intros _.
    destruct (list_eq_dec Z.eq_dec x (repeat 0 d)) as [-> | Hnot]; [exact Hone | apply Hrest; assumption].
  - apply NoDup_cons_iff in Honce. destruct Honce as [Hnew Honce].
    assert (Hv : input p d v) by (apply Hin; left; reflexivity).
    destruct IH as [value [Hmakes Hvalue]]; [exact Honce | intros x Hx; apply Hin; right; exact Hx |].
    pose proof (proj2 (Hall (wanted v)) (Hwanted v Hv)) as [t [Ht Hrounded]].
    destruct (one_point a p s act d v t Hset Hcondition Hd Hv Ht) as [value1 [Hmakes1 [Hone Hrest]]].
    exists (fun x => value1 x + value x). split; [apply makes_sum; assumption |]. intros x Hx.
    destruct (Hvalue x Hx) as [Hyes Hno]. destruct (list_eq_dec Z.eq_dec x v) as [-> | Hnot]; split; intros H.
    + rewrite Hone, (Hno Hnew), Z.add_0_r. symmetry. exact Hrounded.
    + contradiction H. left. reflexivity.
    + rewrite (Hrest x Hx Hnot), Z.add_0_l. apply Hyes. destruct H as [H | H]; [contradiction Hnot; symmetry; exact H | exact H].
    + rewrite (Hrest x Hx Hnot), Z.add_0_l. apply Hno. intros H0. apply H. right. exact H0.
Qed.

Theorem everything_is_sufficient : forall a, sufficient a.
Proof.
  intros a p s act Hset Hcondition [b Hall] d wanted Hd Hwanted.
  destruct (inputs_once p d) as [xs [Honce Hxs]].
  destruct (some_points a p s act b d wanted xs Hset Hcondition Hall Hd Hwanted Honce (fun x => proj1 (Hxs x))) as [value [Hmakes Hvalue]].
  destruct Hmakes as [f [r [Hf [Hdepth [Hr [Hbias Hcomputed]]]]]].
  exists (followed f [Neuron b (weights r)]). split; [| split].
  - apply network_of_followed; [exact Hf |]. constructor; [exact Hr | constructor].
  - unfold outputs_of, followed. simpl. rewrite last_last. reflexivity.
  - intros x Hx. rewrite run_followed. unfold layer. simpl. f_equal.
    destruct (Hvalue x Hx) as [Hyes _]. rewrite <- Hyes by (apply Hxs; exact Hx). rewrite <- (Hcomputed x Hx).
    unfold affine. simpl. rewrite Hbias, Z.mul_0_r, Z.add_0_l. reflexivity.
Qed.

Theorem necessary_and_sufficient : forall a, equivalent a.
Proof.
  intros a p s act Hset Hcondition Hequal. split.
  - intros Hall. destruct (everything_is_necessary a p s act Hset Hall) as [b Hb]. exists b. intros v. rewrite <- Hequal. apply Hb.
  - intros Hb. apply everything_is_sufficient; assumption.
Qed.
