(* Networks: what their layers are, side by side, and for an activation alpha rho(beta x) in place of rho. *)
From Coq Require Import ZArith List Lia.
From FixedPointNetworks Require Import FixedPoint Statement Rounding Sums.
Import ListNotations.
Local Open Scope Z_scope.

Lemma same_parts : forall (A : Set) (x y : A) l m, x :: l = y :: m -> x = y /\ l = m.
Proof.
  intros A x y l m H. injection H as H1 H2. split; assumption.
Qed.

Lemma network_of_two : forall p s a d l1 l2,
  Forall (neuron_of p s a d) l1 -> Forall (neuron_of p s a (length l1)) l2 -> network_of p s a d (Network l1 [l2]).
Proof.
  intros p s a d l1 l2 H1 H2 before ns after H. unfold layers in H. simpl in H.
  destruct before as [| b1 [| b2 [| b3 before]]]; simpl in H; injection H; intros; subst; simpl; try assumption; discriminate.
Qed.

Lemma network_of_three : forall p s a d l1 l2 l3,
  Forall (neuron_of p s a d) l1 -> Forall (neuron_of p s a (length l1)) l2 -> Forall (neuron_of p s a (length l2)) l3 ->
  network_of p s a d (Network l1 [l2; l3]).
Proof.
  intros p s a d l1 l2 l3 H1 H2 H3 before ns after H. unfold layers in H. simpl in H.
  destruct before as [| b1 [| b2 [| b3 [| b4 before]]]]; simpl in H; injection H; intros; subst; simpl; try assumption; discriminate.
Qed.

(* One more layer at the end. *)
Definition followed (f : network) (ns : list neuron) : network := Network (first f) (others f ++ [ns]).

Lemma run_followed : forall p s act f ns xs, run p s act (followed f ns) xs = layer p s ns (map act (run p s act f xs)).
Proof.
  intros p s act f ns xs. unfold run, followed. simpl. rewrite fold_left_app. reflexivity.
Qed.

Lemma last_layer : forall f, last (layers f) (first f) = last (others f) (first f).
Proof.
  intros f. unfold layers. destruct (others f); reflexivity.
Qed.

Lemma last_of_lengths : forall (l : list (list neuron)) (ns : list neuron) d, l <> [] ->
  last (map (fun x => length x) l) d = length (last l ns).
Proof.
  intros l ns d H. rewrite (app_removelast_last ns H) at 1. rewrite map_app. simpl. rewrite last_last. reflexivity.
Qed.

Lemma last_or_none : forall (A : Set) (l : list A), l = [] \/ exists m x, l = m ++ [x].
Proof.
  intros A l. destruct l as [| y l]; [left; reflexivity | right]. exists (removelast (y :: l)), (last (y :: l) y).
  apply app_removelast_last. discriminate.
Qed.

Lemma network_of_followed : forall p s a d f ns, network_of p s a d f -> Forall (neuron_of p s a (outputs_of f)) ns ->
  network_of p s a d (followed f ns).
Proof.
  intros p s a d f ns Hf Hns before ms after H. unfold layers, followed in H. simpl in H. change (first f :: others f ++ [ns]) with (layers f ++ [ns]) in H.
  destruct (last_or_none (list neuron) after) as [-> | [after0 [x ->]]].
  - apply app_inj_tail in H. destruct H as [H ->]. rewrite <- H. rewrite (last_of_lengths (layers f) (first f)).
    + rewrite last_layer. exact Hns.
    + unfold layers. discriminate.
  - replace (before ++ ms :: after0 ++ [x]) with ((before ++ ms :: after0) ++ [x]) in H by (rewrite <- app_assoc; reflexivity).
    apply app_inj_tail in H. destruct H as [H _]. exact (Hf before ms after0 H).
Qed.

(* Signs: a neuron whose inputs are turned by e and whose value is to be turned by h. *)
Definition turn (e h : Z) (n : neuron) : neuron := Neuron (h * bias n) (map (option_map (Z.mul (e * h))) (weights n)).

Lemma sign_square : forall e x, sign e -> e * (e * x) = x.
Proof.
  intros e x [-> | ->]; lia.
Qed.

Lemma affine_turned : forall s e h n xs, sign e -> affine s (turn e h n) (map (Z.mul e) xs) = h * affine s n xs.
Proof.
  intros s e h [b ws] xs He. unfold affine, turn. simpl. revert xs. induction ws as [| w ws IH]; intros xs; [simpl; ring |].
  destruct xs as [| x xs]; [simpl; ring |]. specialize (IH xs). simpl. unfold sum in *. simpl. unfold used at 1 3. simpl.
  destruct w as [w |]; simpl.
  - replace (e * h * w * (e * x)) with (h * w * (e * (e * x))) by ring. rewrite (sign_square e x He). lia.
  - lia.
Qed.

Lemma nearest_turned : forall p s h t, sign h -> nearest p s (h * t) = h * nearest p s t.
Proof.
  intros p s h t [-> | ->]; [rewrite !Z.mul_1_l; reflexivity |]. replace (-1 * t) with (- t) by ring. rewrite nearest_opposite. ring.
Qed.

Lemma layer_turned : forall p s e h ns xs, sign e -> sign h ->
  layer p s (map (turn e h) ns) (map (Z.mul e) xs) = map (Z.mul h) (layer p s ns xs).
Proof.
  intros p s e h ns xs He Hh. unfold layer. rewrite !map_map. apply map_ext. intros n.
  rewrite affine_turned by exact He. apply nearest_turned. exact Hh.
Qed.

Lemma neuron_of_turned : forall p s a inputs e h n, sign e -> sign h -> neuron_of p s a inputs n -> neuron_of p s a inputs (turn e h n).
Proof.
  intros p s a inputs e h n He Hh [Hlength [[w Hused] Hweights]]. unfold neuron_of, turn. simpl. rewrite map_length.
  split; [exact Hlength | split].
  - exists (e * h * w). change (Some (e * h * w)) with (option_map (Z.mul (e * h)) (Some w)). apply in_map. exact Hused.
  - intros v Hv. apply in_map_iff in Hv. destruct Hv as [[u |] [Hu Hin]]; simpl in Hu; [| discriminate]. injection Hu as <-.
    apply Hweights in Hin. assert (Hor : e * h * u = u \/ e * h * u = - u) by (destruct He as [-> | ->]; destruct Hh as [-> | ->]; lia).
    destruct Hor as [-> | ->]; [exact Hin | apply weight_opposite; exact Hin].
Qed.

Definition turned (alpha beta : Z) (f : network) : network :=
  Network (map (turn 1 beta) (first f)) (map (map (turn alpha beta)) (others f)).

Lemma level_turned : forall p e k, sign e -> level p k -> level p (e * k).
Proof.
  intros p e k [-> | ->] H; unfold level in *; lia.
Qed.

Lemma map_one : forall xs, map (Z.mul 1) xs = xs.
Proof.
  intros xs. rewrite <- (map_id xs) at 2. apply map_ext. intros x. apply Z.mul_1_l.
Qed.

(* What rho, an activation alpha rho(beta x) and a list of levels have to do with each other. *)
Lemma activations_turned : forall p act rho alpha beta ys, sign beta -> (forall k, level p k -> act k = alpha * rho (beta * k)) ->
  Forall (level p) ys -> map act (map (Z.mul beta) ys) = map (Z.mul alpha) (map rho ys).
Proof.
  intros p act rho alpha beta ys Hbeta Hact Hys. rewrite !map_map. apply map_ext_in. intros y Hy. rewrite Forall_forall in Hys.
  rewrite Hact by (apply level_turned; [exact Hbeta | apply Hys; exact Hy]). rewrite (sign_square beta y Hbeta). reflexivity.
Qed.

Lemma layer_is_levels : forall p s ns xs, 1 <= p -> 1 <= s -> Forall (level p) (layer p s ns xs).
Proof.
  intros p s ns xs Hp Hs. apply Forall_forall. intros y Hy. unfold layer in Hy. apply in_map_iff in Hy.
  destruct Hy as [n [<- Hn]]. apply nearest_level; assumption.
Qed.

Lemma run_turned : forall p s act rho alpha beta f xs, 1 <= p -> 1 <= s -> sign alpha -> sign beta ->
  (forall k, level p k -> act k = alpha * rho (beta * k)) ->
  run p s act (turned alpha beta f) xs = map (Z.mul beta) (run p s rho f xs) /\ Forall (level p) (run p s rho f xs).
Proof.
  intros p s act rho alpha beta [l ls] xs Hp Hs Halpha Hbeta Hact. unfold run, turned. simpl.
  assert (H1 : sign 1) by (left; reflexivity).
  assert (Hfirst : layer p s (map (turn 1 beta) l) xs = map (Z.mul beta) (layer p s l xs)).
  { rewrite <- (map_one xs) at 1. apply layer_turned; assumption. }
  rewrite Hfirst. pose proof (layer_is_levels p s l xs Hp Hs) as Hlevels. revert Hlevels. generalize (layer p s l xs).
  induction ls as [| m ls IH]; intros ys Hys; [split; [reflexivity | exact Hys] |].
  simpl. rewrite (activations_turned p act rho alpha beta ys Hbeta Hact Hys). rewrite layer_turned by assumption.
  apply IH. apply layer_is_levels; assumption.
Qed.

Lemma lengths_turned : forall alpha beta f,
  map (fun l : list neuron => length l) (layers (turned alpha beta f)) = map (fun l : list neuron => length l) (layers f).
Proof.
  intros alpha beta [l ls]. unfold layers, turned. simpl. rewrite map_length, map_map. f_equal. apply map_ext. intros m. apply map_length.
Qed.

Lemma depth_turned : forall alpha beta f, depth (turned alpha beta f) = depth f.
Proof.
  intros alpha beta [l ls]. unfold depth, layers, turned. simpl. rewrite map_length. reflexivity.
Qed.

Lemma outputs_turned : forall alpha beta f, outputs_of (turned alpha beta f) = outputs_of f.
Proof.
  intros alpha beta f. unfold outputs_of. rewrite <- !last_layer.
  rewrite <- (last_of_lengths (layers (turned alpha beta f)) (first (turned alpha beta f)) 0) by (unfold layers; discriminate).
  rewrite <- (last_of_lengths (layers f) (first f) 0) by (unfold layers; discriminate). rewrite lengths_turned. reflexivity.
Qed.

Lemma network_of_turned : forall p s a d alpha beta f, sign alpha -> sign beta ->
  network_of p s a d f -> network_of p s a d (turned alpha beta f).
Proof.
  intros p s a d alpha beta [l ls] Halpha Hbeta Hf before ns after H. unfold layers, turned in H. simpl in H.
  assert (H1 : sign 1) by (left; reflexivity).
  assert (Hmap : forall e h w ms, sign e -> sign h -> Forall (neuron_of p s a w) ms -> Forall (neuron_of p s a w) (map (turn e h) ms)).
  { intros e h w ms He Hh Hms. apply Forall_map. revert Hms. apply Forall_impl. intros n. apply neuron_of_turned; assumption. }
  destruct before as [| b before]; simpl in H; apply same_parts in H; destruct H as [Hfirst Hrest].
  - rewrite <- Hfirst. apply Hmap; [assumption | assumption |]. exact (Hf [] l ls eq_refl).
  - apply map_eq_app in Hrest. destruct Hrest as [before0 [rest [Hls [Hbefore Hrest]]]].
    apply map_eq_cons in Hrest. destruct Hrest as [ns0 [after0 [-> [Hns Hafter]]]].
    specialize (Hf (l :: before0) ns0 after0). unfold layers in Hf. simpl first in Hf. simpl others in Hf. rewrite Hls in Hf.
    specialize (Hf eq_refl). rewrite <- Hns. apply Hmap; [assumption | assumption |].
    replace (map (fun x : list neuron => length x) (b :: before)) with (map (fun x : list neuron => length x) (l :: before0)); [exact Hf |].
    rewrite <- Hbefore, <- Hfirst. simpl. rewrite map_length, map_map. f_equal. apply map_ext. intros m. symmetry. apply map_length.
Qed.

Lemma setting_turned : forall p s act rho alpha beta, sign alpha -> sign beta -> setting p s act ->
  (forall k, level p k -> act k = alpha * rho (beta * k)) -> setting p s rho.
Proof.
  intros p s act rho alpha beta Halpha Hbeta [Hp [Hs Hact]] H. split; [exact Hp | split; [exact Hs |]]. intros k Hk.
  assert (Hturned : level p (beta * k)) by (apply level_turned; assumption). pose proof (Hact (beta * k) Hturned) as Hvalue.
  rewrite (H (beta * k) Hturned), (sign_square beta k Hbeta) in Hvalue. unfold level in *. destruct Halpha as [-> | ->]; lia.
Qed.

Lemma gap_turned : forall p act rho alpha beta v, sign alpha -> sign beta -> (forall k, level p k -> act k = alpha * rho (beta * k)) ->
  gap p act v -> gap p rho v.
Proof.
  intros p act rho alpha beta v Halpha Hbeta H [j [k [Hj [Hk ->]]]]. rewrite (H j Hj), (H k Hk).
  pose proof (level_turned p beta j Hbeta Hj) as Hj0. pose proof (level_turned p beta k Hbeta Hk) as Hk0.
  destruct Halpha as [-> | ->]; [exists (beta * j), (beta * k) | exists (beta * k), (beta * j)];
    (split; [assumption | split; [assumption | ring]]).
Qed.

Lemma sums_of_more : forall p s a (X Y : Z -> Prop) t, (forall x, X x -> Y x) -> sums p s a X t -> sums p s a Y t.
Proof.
  intros p s a X Y t H [ts [Hts Ht]]. exists ts. split; [| exact Ht]. unfold terms in *. revert Hts. apply Forall_impl.
  intros [w x] [Hw Hx]. split; [exact Hw | apply H; exact Hx].
Qed.

(* A network and an affine map after it, with no bias, that together are a function of the inputs with values in 1/s^2. *)
Definition makes (p s : Z) (a : kind) (act : Z -> Z) (d : nat) (number : nat) (value : list Z -> Z) : Prop :=
  exists f rho, network_of p s a d f /\ depth f = number /\ neuron_of p s a (outputs_of f) rho /\ bias rho = 0 /\
  forall x, input p d x -> affine s rho (map act (run p s act f x)) = value x.

Lemma makes_turned : forall p s a act rho alpha beta d number value, 1 <= p -> 1 <= s -> sign alpha -> sign beta ->
  (forall k, level p k -> act k = alpha * rho (beta * k)) -> makes p s a rho d number value -> makes p s a act d number value.
Proof.
  intros p s a act rho alpha beta d number value Hp Hs Halpha Hbeta Hact [f [r [Hf [Hdepth [Hr [Hbias Hvalue]]]]]].
  assert (H1 : sign 1) by (left; reflexivity).
  exists (turned alpha beta f), (turn alpha 1 r). split; [apply network_of_turned; assumption |].
  split; [rewrite depth_turned; exact Hdepth |]. split; [rewrite outputs_turned; apply neuron_of_turned; assumption |].
  split; [simpl; rewrite Hbias; reflexivity |]. intros x Hx. destruct (run_turned p s act rho alpha beta f x Hp Hs Halpha Hbeta Hact) as [-> Hlevels].
  rewrite (activations_turned p act rho alpha beta _ Hbeta Hact Hlevels), affine_turned by exact Halpha.
  rewrite Hvalue by exact Hx. apply Z.mul_1_l.
Qed.

(* Two such networks of two layers side by side. *)
Definition before (n : nat) (c : neuron) : neuron := Neuron (bias c) (weights c ++ repeat None n).
Definition after (n : nat) (c : neuron) : neuron := Neuron (bias c) (repeat None n ++ weights c).

Lemma sum_used_app : forall ws vs xs ys, length ws = length xs ->
  sum (map used (combine (ws ++ vs) (xs ++ ys))) = sum (map used (combine ws xs)) + sum (map used (combine vs ys)).
Proof.
  intros ws vs xs. revert ws. induction xs as [| x xs IH]; intros ws ys H; destruct ws as [| w ws]; simpl in H; [reflexivity | lia | lia |].
  - assert (Hlength : length ws = length xs) by lia. specialize (IH ws ys Hlength). unfold sum in *. simpl. rewrite IH. ring.
Qed.

Lemma sum_unused : forall n xs, sum (map used (combine (repeat None n) xs)) = 0.
Proof.
  intros n. induction n as [| n IH]; intros xs; [reflexivity |]. destruct xs as [| x xs]; [reflexivity |].
  specialize (IH xs). unfold sum in *. simpl. rewrite IH. reflexivity.
Qed.

Lemma affine_before : forall s n c xs ys, length (weights c) = length xs -> affine s (before n c) (xs ++ ys) = affine s c xs.
Proof.
  intros s n c xs ys H. unfold affine, before. simpl. rewrite sum_used_app by exact H. rewrite sum_unused. lia.
Qed.

Lemma affine_after : forall s n c xs ys, n = length xs -> affine s (after n c) (xs ++ ys) = affine s c ys.
Proof.
  intros s n c xs ys H. unfold affine, after. simpl. rewrite sum_used_app by (rewrite repeat_length; exact H). rewrite sum_unused. lia.
Qed.

Lemma used_in_repeat : forall (w : Z) n, ~ In (Some w) (repeat None n).
Proof.
  intros w n H. apply repeat_spec in H. discriminate.
Qed.

Lemma neuron_of_before : forall p s a m n c, neuron_of p s a m c -> neuron_of p s a (m + n) (before n c).
Proof.
  intros p s a m n c [Hlength [[w Hw] Hweights]]. unfold neuron_of, before. simpl. split; [| split].
  - rewrite app_length, repeat_length, Hlength. reflexivity.
  - exists w. apply in_or_app. left. exact Hw.
  - intros v Hv. apply in_app_or in Hv. destruct Hv as [Hv | Hv]; [apply Hweights; exact Hv | contradiction (used_in_repeat v n Hv)].
Qed.

Lemma neuron_of_after : forall p s a m n c, neuron_of p s a m c -> neuron_of p s a (n + m) (after n c).
Proof.
  intros p s a m n c [Hlength [[w Hw] Hweights]]. unfold neuron_of, after. simpl. split; [| split].
  - rewrite app_length, repeat_length, Hlength. reflexivity.
  - exists w. apply in_or_app. right. exact Hw.
  - intros v Hv. apply in_app_or in Hv. destruct Hv as [Hv | Hv]; [contradiction (used_in_repeat v n Hv) | apply Hweights; exact Hv].
Qed.

Lemma layer_length : forall p s ns xs, length (layer p s ns xs) = length ns.
Proof.
  intros p s ns xs. apply map_length.
Qed.

Lemma two_layers : forall f, depth f = 2%nat -> exists l1 l2, f = Network l1 [l2].
Proof.
  intros [l1 ls] H. unfold depth, layers in H. simpl in H. destruct ls as [| l2 [| l3 ls]]; simpl in H; [lia | | lia].
  exists l1, l2. reflexivity.
Qed.

Lemma of_two_layers : forall p s a d l1 l2, network_of p s a d (Network l1 [l2]) ->
  Forall (neuron_of p s a d) l1 /\ Forall (neuron_of p s a (length l1)) l2.
Proof.
  intros p s a d l1 l2 H. split; [exact (H [] l1 [l2] eq_refl) | exact (H [l1] l2 [] eq_refl)].
Qed.

Lemma makes_sum : forall p s a act d v1 v2, makes p s a act d 2 v1 -> makes p s a act d 2 v2 -> makes p s a act d 2 (fun x => v1 x + v2 x).
Proof.
  intros p s a act d v1 v2 [f [r [Hf [Hdf [Hr [Hbr Hv1]]]]]] [h [q [Hh [Hdh [Hq [Hbq Hv2]]]]]].
  destruct (two_layers f Hdf) as [f1 [f2 ->]]. destruct (two_layers h Hdh) as [h1 [h2 ->]].
  apply of_two_layers in Hf. destruct Hf as [Hf1 Hf2]. apply of_two_layers in Hh. destruct Hh as [Hh1 Hh2].
  unfold outputs_of in Hr, Hq. simpl in Hr, Hq.
  exists (Network (f1 ++ h1) [map (before (length h1)) f2 ++ map (after (length f1)) h2]), (Neuron 0 (weights r ++ weights q)).
  split; [| split; [reflexivity | split; [| split; [reflexivity |]]]].
  - apply network_of_two; [apply Forall_app; split; assumption |]. rewrite app_length. apply Forall_app. split; apply Forall_map.
    + revert Hf2. apply Forall_impl. intros c. apply neuron_of_before.
    + revert Hh2. apply Forall_impl. intros c. apply neuron_of_after.
  - unfold outputs_of. simpl. rewrite app_length, !map_length. destruct Hr as [Hlr [[w Hw] Hwr]]. destruct Hq as [Hlq [_ Hwq]].
    split; [simpl; rewrite app_length, Hlr, Hlq; reflexivity | split; simpl].
    + exists w. apply in_or_app. left. exact Hw.
    + intros v Hv. apply in_app_or in Hv. destruct Hv as [Hv | Hv]; [apply Hwr | apply Hwq]; exact Hv.
  - intros x Hx. rewrite <- (Hv1 x Hx), <- (Hv2 x Hx). unfold run. simpl.
    replace (layer p s (f1 ++ h1) x) with (layer p s f1 x ++ layer p s h1 x) by (unfold layer; rewrite map_app; reflexivity).
    rewrite map_app. unfold layer at 1. rewrite map_app, !map_map.
    replace (map (fun c => nearest p s (affine s (before (length h1) c) (map act (layer p s f1 x) ++ map act (layer p s h1 x)))) f2)
      with (layer p s f2 (map act (layer p s f1 x))).
    2: { unfold layer at 1. apply map_ext_in. intros c Hc. rewrite Forall_forall in Hf2. destruct (Hf2 c Hc) as [Hlength _].
         rewrite affine_before; [reflexivity |]. rewrite map_length, layer_length. exact Hlength. }
    replace (map (fun c => nearest p s (affine s (after (length f1) c) (map act (layer p s f1 x) ++ map act (layer p s h1 x)))) h2)
      with (layer p s h2 (map act (layer p s h1 x))).
    2: { unfold layer at 1. apply map_ext. intros c. rewrite affine_after; [reflexivity |]. rewrite map_length, layer_length. reflexivity. }
    rewrite map_app. unfold affine. simpl. rewrite Hbr, Hbq. rewrite sum_used_app; [lia |].
    rewrite map_length, layer_length. destruct Hr as [Hlr _]. exact Hlr.
Qed.
