(* Theorems 1 and 11, and Eq. (10). *)
From Coq Require Import ZArith List Lia.
From FixedPointNetworks Require Import FixedPoint Statement Rounding Sums.
Import ListNotations.
Local Open Scope Z_scope.

Lemma layer_levels : forall p s ns xs, 1 <= p -> 1 <= s -> Forall (level p) (layer p s ns xs).
Proof.
  intros p s ns xs Hp Hs. apply Forall_forall. intros y Hy. unfold layer in Hy. apply in_map_iff in Hy.
  destruct Hy as [n [<- Hn]]. apply nearest_level; assumption.
Qed.

Lemma run_levels : forall p s act f xs, 1 <= p -> 1 <= s -> Forall (level p) (run p s act f xs).
Proof.
  intros p s act f xs Hp Hs. unfold run. assert (H : Forall (level p) (layer p s (first f) xs)) by (apply layer_levels; assumption).
  revert H. generalize (layer p s (first f) xs). induction (others f) as [| ns l IH]; intros ys H; [exact H |].
  simpl. apply IH. apply layer_levels; assumption.
Qed.

(* The last layer by itself. *)
Lemma run_last : forall p s act f xs, others f <> [] ->
  run p s act f xs = layer p s (last (others f) (first f)) (map act (run p s act (Network (first f) (removelast (others f))) xs)).
Proof.
  intros p s act f xs H. unfold run at 1. rewrite (app_removelast_last (first f) H) at 1. rewrite fold_left_app. reflexivity.
Qed.

Theorem outputs_in_N : forall a, outputs_lie_in_N a.
Proof.
  unfold outputs_lie_in_N. intros a p s act d f v Hset Hnet Hdeep n x Hlast Hx Hrun. pose proof Hset as [Hp [Hs Hact]].
  assert (Hothers : others f <> []).
  { intros H. unfold depth, layers in Hdeep. rewrite H in Hdeep. simpl in Hdeep. lia. }
  rewrite (run_last p s act f x Hothers), Hlast in Hrun.
  pose proof (run_levels p s act (Network (first f) (removelast (others f))) x Hp (proj1 Hs)) as Hlevels.
  revert Hrun Hlevels. generalize (run p s act (Network (first f) (removelast (others f))) x). intros ys Hrun Hlevels.
  unfold layer, affine in Hrun. simpl in Hrun. injection Hrun as Hrun.
  exists (sum (map used (combine (weights n) (map act ys)))). split; [| symmetry; exact Hrun].
  apply sums_used. intros w y Hin. split.
  - apply in_combine_l in Hin.
    assert (Hforall : Forall (neuron_of p s a (last (map (fun l => length l) (first f :: removelast (others f))) d)) [n]).
    { apply (Hnet (first f :: removelast (others f)) [n] []). unfold layers. simpl. rewrite <- Hlast.
      rewrite <- (app_removelast_last (first f) Hothers). reflexivity. }
    apply Forall_inv in Hforall. destruct Hforall as [_ [_ Hweights]]. apply Hweights. exact Hin.
  - apply in_combine_r in Hin. apply in_map_iff in Hin. destruct Hin as [k [<- Hk]].
    rewrite Forall_forall in Hlevels. exists k. split; [apply Hlevels; exact Hk | reflexivity].
Qed.

(* A function that no single layer is: it exchanges -1 and 0. *)
Definition exchange (k : Z) : Z := if k =? 0 then -1 else if k =? -1 then 0 else k.
Definition target (x : list Z) : Z := exchange (hd 0 x).

Lemma exchange_level : forall p k, 1 <= p -> level p k -> level p (exchange k).
Proof.
  intros p k Hp Hk. pose proof (top_positive p Hp) as Htop. unfold level, exchange in *.
  destruct (k =? 0) eqn:H0; [lia |]. destruct (k =? -1); lia.
Qed.

Lemma exchange_twice : forall k, exchange (exchange k) = k.
Proof.
  intros k. unfold exchange. destruct (k =? 0) eqn:H0; [simpl; lia |]. destruct (k =? -1) eqn:H1; [simpl; lia |].
  rewrite H0, H1. reflexivity.
Qed.

Lemma input_one : forall p k, level p k -> input p 1 [k].
Proof.
  intros p k H. split; [reflexivity | constructor; [exact H | constructor]].
Qed.

Lemma single : forall (A : Set) (l : list A), length l = 1%nat -> exists x, l = [x].
Proof.
  intros A l H. destruct l as [| x [| y l]]; simpl in H; [lia | exists x; reflexivity | lia].
Qed.

Lemma not_one_layer : forall p s act n, setting p s act -> length (weights n) = 1%nat ->
  (forall k, level p k -> nearest p s (affine s n [k]) = exchange k) -> False.
Proof.
  intros p s act n [Hp [Hs Hact]] Hlength H. pose proof (top_positive p Hp) as Htop.
  assert (Hlow : nearest p s (affine s n [-1]) = 0) by (apply H; unfold level; lia).
  assert (Hmid : nearest p s (affine s n [0]) = -1) by (apply H; unfold level; lia).
  assert (Hhigh : nearest p s (affine s n [1]) = 1) by (apply (H 1); unfold level; lia).
  destruct (single (option Z) (weights n) Hlength) as [w Hw]. unfold affine in Hlow, Hmid, Hhigh.
  rewrite Hw in Hlow, Hmid, Hhigh. unfold used, sum in Hlow, Hmid, Hhigh. simpl in Hlow, Hmid, Hhigh.
  destruct w as [w |]; [| lia]. destruct (Z_le_gt_dec 0 w) as [Hsign | Hsign].
  - pose proof (nearest_monotone p s (s * bias n + (w * -1 + 0)) (s * bias n + (w * 0 + 0)) Hp) as Hless. lia.
  - pose proof (nearest_monotone p s (s * bias n + (w * 1 + 0)) (s * bias n + (w * 0 + 0)) Hp) as Hless. lia.
Qed.

Theorem everything_is_necessary : forall a, necessary a.
Proof.
  unfold necessary. intros a p s act Hset Hall. pose proof Hset as [Hp [Hs Hact]].
  destruct (Hall 1%nat target) as [f [Hnet [Hone Hrun]]]; [lia | |].
  - intros x [Hlength Hx]. destruct (single Z x Hlength) as [k ->]. apply Forall_inv in Hx. apply exchange_level; assumption.
  - destruct (others f) as [| ns l] eqn:Hothers.
    + exfalso. unfold outputs_of in Hone. rewrite Hothers in Hone. simpl in Hone.
      destruct (single neuron (first f) Hone) as [n Hn]. apply (not_one_layer p s act n Hset).
      * assert (Hforall : Forall (neuron_of p s a 1) (first f)).
        { apply (Hnet [] (first f) (others f)). reflexivity. }
        rewrite Hn in Hforall. apply Forall_inv in Hforall. apply Hforall.
      * intros k Hk. specialize (Hrun [k] (input_one p k Hk)). unfold run in Hrun. rewrite Hothers, Hn in Hrun. simpl in Hrun.
        injection Hrun as Hrun. exact Hrun.
    + destruct (single neuron (last (others f) (first f)) Hone) as [n Hn]. exists (bias n). intros v. split.
      * apply rounded_is_a_level; lia.
      * intros Hv. apply (outputs_in_N a p s act 1%nat f v Hset Hnet) with (x := [exchange v]).
        -- unfold depth, layers. rewrite Hothers. simpl. lia.
        -- exact Hn.
        -- apply input_one, exchange_level; assumption.
        -- rewrite Hrun; [| apply input_one, exchange_level; assumption]. unfold target. simpl. rewrite exchange_twice. reflexivity.
Qed.
