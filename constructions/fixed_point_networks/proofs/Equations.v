(* Eqs. (8), (14), (15) and (27). *)
From Coq Require Import ZArith List Lia.
From FixedPointNetworks Require Import FixedPoint Statement Rounding Sums Networks Boxes.
Import ListNotations.
Local Open Scope Z_scope.

Lemma sum_cons : forall x xs, sum (x :: xs) = x + sum xs.
Proof.
  reflexivity.
Qed.

(* Eq. (14): one of the indicators is 1. *)
Lemma indicators_nonnegative : forall gs : list (Z * Z), Forall (fun gi => snd gi = 0 \/ snd gi = 1) gs -> 0 <= sum (map snd gs).
Proof.
  intros gs H. induction gs as [| gi gs IH]; [unfold sum; simpl; lia |]. apply Forall_cons_iff in H. destruct H as [Hi H].
  specialize (IH H). simpl map. rewrite sum_cons. lia.
Qed.

Lemma no_cube : forall (h : Z -> Z) (gs : list (Z * Z)), Forall (fun gi => snd gi = 0 \/ snd gi = 1) gs -> sum (map snd gs) = 0 ->
  sum (map (fun gi => h (fst gi) * snd gi) gs) = 0.
Proof.
  intros h gs H Hsum. induction gs as [| gi gs IH]; [reflexivity |]. apply Forall_cons_iff in H. destruct H as [Hi H].
  simpl map in *. rewrite sum_cons in *. pose proof (indicators_nonnegative gs H) as Hrest. rewrite IH by (assumption || lia).
  assert (snd gi = 0) as -> by lia. ring.
Qed.

Lemma the_cube : forall gs, one_cube gs -> exists gamma, forall h : Z -> Z, sum (map (fun gi => h (fst gi) * snd gi) gs) = h gamma.
Proof.
  intros gs [H Hsum]. induction gs as [| gi gs IH]; [unfold sum in Hsum; simpl in Hsum; lia |].
  apply Forall_cons_iff in H. destruct H as [Hi H]. simpl map in Hsum. rewrite sum_cons in Hsum.
  destruct Hi as [Hi | Hi]; rewrite Hi in Hsum.
  - destruct IH as [gamma Hgamma]; [exact H | lia |]. exists gamma. intros h. simpl map. rewrite sum_cons, Hi, Hgamma. ring.
  - exists (fst gi). intros h. simpl map. rewrite sum_cons, Hi, (no_cube h gs H) by lia. ring.
Qed.

Theorem one_rounding_for_all_cubes : sums_of_indicators.
Proof.
  intros p s b gs Hp Hs Hone. destruct (the_cube gs Hone) as [gamma H].
  pose proof (H (fun x => x)) as H1. pose proof (H (fun x => x + s * b)) as H2. pose proof (H (fun x => nearest p s (x + s * b))) as H3.
  simpl in H1, H2, H3. unfold product. rewrite H1, H2, H3. split; [f_equal; ring | reflexivity].
Qed.

(* Eq. (27). *)
Definition part (p s : Z) (rho : Z -> Z) (z : Z) (abk : Z * Z * Z) : Z :=
  - rho (nearest p s (s * (snd abk - fst (fst abk) + z))) + rho (top p) - rho (nearest p s (s * (- snd abk + snd (fst abk) + z))) + rho (top p).

Lemma part_value : forall p s rho z abk, 1 <= p -> 1 <= s -> threshold p rho z ->
  0 <= part p s rho z abk /\ (fst (fst abk) <= snd abk <= snd (fst abk) -> part p s rho z abk = 0) /\
  (~ fst (fst abk) <= snd abk <= snd (fst abk) -> 1 <= part p s rho z abk).
Proof.
  intros p s rho z [[a b] k] Hp Hs Hz. unfold part. simpl. rewrite !level_clamped by assumption. fold (clamp p (k - a + z)) (clamp p (- k + b + z)).
  pose proof (rho_at_most p rho z (k - a + z) Hp Hz) as H1. pose proof (rho_at_most p rho z (- k + b + z) Hp Hz) as H2.
  split; [lia | split; intros H].
  - rewrite (rho_beyond p rho z (k - a + z) Hp Hz) by lia. rewrite (rho_beyond p rho z (- k + b + z) Hp Hz) by lia. ring.
  - assert (Hor : k - a + z < z \/ - k + b + z < z) by lia. destruct Hor as [Hor | Hor]; pose proof (rho_before p rho z _ Hp Hz Hor); lia.
Qed.

Lemma phi_value : forall p s rho z c x, 1 <= p -> 1 <= s -> threshold p rho z ->
  0 <= phi p s rho z c x /\ (inside c x -> phi p s rho z c x = 0) /\ (~ inside c x -> 1 <= phi p s rho z c x).
Proof.
  intros p s rho z c x Hp Hs Hz. unfold phi, inside.
  change (fun abk : Z * Z * Z => - rho (nearest p s (s * (snd abk - fst (fst abk) + z))) + rho (top p)
           - rho (nearest p s (s * (- snd abk + snd (fst abk) + z))) + rho (top p)) with (part p s rho z).
  induction (combine c x) as [| abk l [IH0 [IH1 IH2]]].
  - split; [unfold sum; simpl; lia | split; [reflexivity |]]. intros H. contradiction H. constructor.
  - simpl map. rewrite sum_cons, Forall_cons_iff. destruct (part_value p s rho z abk Hp Hs Hz) as [H0 [H1 H2]].
    split; [lia | split; intros H].
    + destruct H as [Hk Hl]. rewrite H1, IH1 by assumption. reflexivity.
    + assert (Hor : fst (fst abk) <= snd abk <= snd (fst abk) \/ ~ fst (fst abk) <= snd abk <= snd (fst abk)) by lia.
      destruct Hor as [Hor | Hor]; [| specialize (H2 Hor); lia].
      assert (Hl : ~ Forall (fun abk0 : Z * Z * Z => fst (fst abk0) <= snd abk0 <= snd (fst abk0)) l) by tauto. specialize (IH2 Hl). lia.
Qed.

Theorem f_q_on_and_off_the_cube : values_of_F.
Proof.
  intros p s rho z m q d c x [Hp [Hs Hrho]] Hz Hc Hx Hq Hm Hcopies. pose proof (top_positive p Hp) as Htop.
  pose proof Hz as [Hlevel [Hend [_ Hbelow]]]. unfold level in Hlevel, Hq. unfold F, g.
  destruct (phi_value p s rho z c x Hp (proj1 Hs) Hz) as [_ [Hin Hout]]. split; intros H.
  - rewrite (Hin H), Z.add_0_l, (nearest_exact p s (z - 1)) by (unfold level; lia). f_equal. f_equal.
    apply rounds_to_top; [exact Hp | lia |].
    assert (s * - top p <= s * q) by (apply Z.mul_le_mono_nonneg_l; lia).
    replace (- rho (z - 1) + rho (top p)) with (rho (top p) - rho (z - 1)) by ring. lia.
  - specialize (Hout H). rewrite level_clamped by lia. fold (clamp p (phi p s rho z c x + (z - 1))).
    rewrite (rho_beyond p rho z _ Hp Hz) by lia.
    replace (m * (top p * (- rho (top p) + rho (top p)))) with 0 by ring. rewrite Z.add_0_r, nearest_exact by (unfold level; lia). ring.
Qed.

(* Eq. (8). *)
Lemma network_without_last : forall p s a d f ns, network_of p s a d (followed f ns) -> network_of p s a d f.
Proof.
  intros p s a d f ns H before ms after Hlayers. apply (H before ms (after ++ [ns])). unfold layers, followed. simpl.
  change (first f :: others f ++ [ns]) with (layers f ++ [ns]). rewrite Hlayers, <- app_assoc. reflexivity.
Qed.

Lemma last_layer_fits : forall p s a d f ns, network_of p s a d (followed f ns) -> Forall (neuron_of p s a (outputs_of f)) ns.
Proof.
  intros p s a d f ns H. specialize (H (layers f) ns [] eq_refl). rewrite (last_of_lengths (layers f) (first f)) in H.
  - rewrite last_layer in H. exact H.
  - unfold layers. discriminate.
Qed.

Lemma length_of_copies : forall (A : Set) (l : list A) m, length (concat (repeat l m)) = (m * length l)%nat.
Proof.
  intros A l m. induction m as [| m IH]; [reflexivity |]. simpl. rewrite app_length, IH. reflexivity.
Qed.

Lemma in_copies : forall (A : Set) (x : A) l m, In x (concat (repeat l m)) -> In x l.
Proof.
  intros A x l m H. apply in_concat in H. destruct H as [k [Hk Hx]]. apply repeat_spec in Hk. subst k. exact Hx.
Qed.

Lemma sum_of_copies : forall ws xs m, length ws = length xs ->
  sum (map used (combine (concat (repeat ws m)) (concat (repeat xs m)))) = Z.of_nat m * sum (map used (combine ws xs)).
Proof.
  intros ws xs m H. induction m as [| m IH]; [reflexivity |]. simpl concat. rewrite sum_used_app by exact H. rewrite IH. lia.
Qed.

Lemma map_of_copies : forall (A B : Set) (h : A -> B) l m, map h (concat (repeat l m)) = concat (repeat (map h l) m).
Proof.
  intros A B h l m. induction m as [| m IH]; [reflexivity |]. simpl. rewrite map_app, IH. reflexivity.
Qed.

Theorem sums_of_copies : copies_add_up.
Proof.
  intros p s a d act f ns n m Hm Hf [Hlength [[w Hw] Hweights]]. fold (followed f ns) in *. fold (followed f (copied m ns)).
  split; [| split; [| split]].
  - apply network_of_followed; [apply (network_without_last p s a d f ns Hf) |].
    pose proof (last_layer_fits p s a d f ns Hf) as H. rewrite Forall_forall in *. intros c Hc. apply H. apply (in_copies neuron c ns m Hc).
  - unfold neuron_of, summed, copied. simpl. rewrite !length_of_copies, Hlength. split; [reflexivity | split].
    + exists w. destruct m as [| m]; [lia |]. simpl. apply in_or_app. left. exact Hw.
    + intros v Hv. apply Hweights. apply (in_copies (option Z) (Some v) (weights n) m Hv).
  - unfold depth, layers, followed. simpl. rewrite !app_length. reflexivity.
  - intros x. rewrite !run_followed. unfold layer, copied. rewrite !map_of_copies. unfold affine, summed. simpl.
    rewrite sum_of_copies by (rewrite !map_length; exact Hlength). ring.
Qed.
