(* Lemmas 5 and 14, with an f of two layers and of three. Neither needs g: a neuron that holds v on the box is carried to the end of
   Q_(p,s) off it, by 2 top copies of what tells the two apart. *)
From Coq Require Import ZArith List Lia.
From FixedPointNetworks Require Import FixedPoint Statement Rounding Sums Networks Boxes.
Import ListNotations.
Local Open Scope Z_scope.

(* A neuron that uses all of n inputs with the same weight. *)
Definition all_inputs (n : nat) (w b : Z) : neuron := Neuron b (repeat (Some w) n).

Lemma affine_all_inputs : forall s n w b ys, length ys = n -> affine s (all_inputs n w b) ys = s * b + w * sum ys.
Proof.
  intros s n w b ys H. unfold affine, all_inputs. simpl. f_equal. subst n. induction ys as [| y ys IH]; [simpl; ring |].
  change (sum (map used (combine (repeat (Some w) (length (y :: ys))) (y :: ys))))
    with (w * y + sum (map used (combine (repeat (Some w) (length ys)) ys))).
  rewrite IH. change (sum (y :: ys)) with (y + sum ys). ring.
Qed.

Lemma all_inputs_fits : forall p s a n w b, (0 < n)%nat -> weight p s a w -> neuron_of p s a n (all_inputs n w b).
Proof.
  intros p s a n w b Hn Hw. unfold neuron_of, all_inputs. simpl. split; [apply repeat_length | split].
  - exists w. destruct n as [| n]; [lia | left; reflexivity].
  - intros v Hv. apply repeat_spec in Hv. injection Hv as ->. exact Hw.
Qed.

(* The first layer: 2 top copies of the pairs. *)
Definition copies (p : Z) : nat := Z.to_nat (2 * top p).
Definition base (p s : Z) (d : nat) (c : list (Z * Z)) (z : Z) : list neuron := flat_map (fun _ => sides s d c z) (seq 0 (copies p)).

Lemma base_value : forall p s rho d c z x, 1 <= p ->
  sum (map rho (layer p s (base p s d c z) x)) = 2 * top p * sides_value p s rho d c z x.
Proof.
  intros p s rho d c z x Hp. pose proof (top_positive p Hp). unfold base. rewrite sum_flat.
  rewrite (sum_constant _ (sides_value p s rho d c z x)); [| reflexivity]. rewrite seq_length. unfold copies. rewrite Z2Nat.id by lia. ring.
Qed.

Lemma base_fits : forall p s act a d c z, setting p s act -> Forall (neuron_of p s a d) (base p s d c z).
Proof.
  intros p s act a d c z Hset. apply Forall_forall. intros n Hn. unfold base in Hn. apply in_flat_map in Hn. destruct Hn as [i [_ Hn]].
  pose proof (sides_fit p s act a d c z Hset) as H. rewrite Forall_forall in H. apply H. exact Hn.
Qed.

Lemma base_nonempty : forall p s d c z, 1 <= p -> (0 < d)%nat -> (0 < length (base p s d c z))%nat.
Proof.
  intros p s d c z Hp Hd. pose proof (top_positive p Hp). unfold base. assert (Hcopies : exists m, copies p = S m).
  { exists (Nat.pred (copies p)). unfold copies. lia. }
  destruct Hcopies as [m ->]. simpl. rewrite app_length. pose proof (sides_nonempty s d c z Hd) as Hnot.
  destruct (sides s d c z) as [| n l]; [contradiction Hnot; reflexivity | simpl; lia].
Qed.

(* A neuron that has the value v on the box and the greatest one off it. *)
Definition switches (p s : Z) (rho : Z -> Z) (d : nat) (c : list (Z * Z)) (sw : Z -> neuron) (f : network) : Prop :=
  forall v x, level p v -> input p d x ->
  (inside c x -> nearest p s (affine s (sw v) (map rho (run p s rho f x))) = v) /\
  (~ inside c x -> nearest p s (affine s (sw v) (map rho (run p s rho f x))) = top p).

(* The neurons of the last layer for terms (w, (j, k)) that stand for w (rho j - rho k), and the affine map after it. *)
Definition term := (Z * (Z * Z))%type.
Definition ends_of (sw : Z -> neuron) (es : list term) : list neuron := flat_map (fun e => [sw (fst (snd e)); sw (snd (snd e))]) es.
Definition combined (es : list term) : neuron := Neuron 0 (flat_map (fun e => [Some (fst e); Some (- fst e)]) es).
Definition term_fits (p s : Z) (a : kind) (e : term) : Prop := weight p s a (fst e) /\ level p (fst (snd e)) /\ level p (snd (snd e)).
Definition term_value (rho : Z -> Z) (e : term) : Z := fst e * (rho (fst (snd e)) - rho (snd (snd e))).

Lemma gaps_as_terms : forall p s a rho ts, setting p s rho -> terms p s a (gap p rho) ts ->
  exists es, es <> [] /\ Forall (term_fits p s a) es /\ sum (map product ts) = sum (map (term_value rho) es) /\ length es = S (length ts).
Proof.
  intros p s a rho ts Hset Hts. pose proof Hset as [Hp [Hs Hrho]]. pose proof (top_positive p Hp).
  induction ts as [| [w v] ts IH].
  - exists [(s, (0, 0))]. split; [discriminate | split; [| split; [| reflexivity]]].
    + constructor; [| constructor]. unfold term_fits, level. simpl. split; [apply (one_is_a_weight p s rho a Hset) | lia].
    + unfold sum, term_value. simpl. ring.
  - unfold terms in Hts. apply Forall_cons_iff in Hts. destruct Hts as [[Hw [j [k [Hj [Hk Hv]]]]] Hts]. simpl in Hw, Hv.
    destruct (IH Hts) as [es [Hes [Hfits [Hsum Hlength]]]]. exists ((w, (j, k)) :: es).
    split; [discriminate | split; [| split; [| simpl; rewrite Hlength; reflexivity]]].
    + constructor; [| exact Hfits]. split; [exact Hw | split; assumption].
    + change (sum (map product ((w, v) :: ts))) with (w * v + sum (map product ts)). rewrite Hsum, Hv. reflexivity.
Qed.

Lemma sum_of_two : forall w v ws x y xs,
  sum (used (Some w, x) :: used (Some v, y) :: map used (combine ws xs)) = w * x + (v * y + sum (map used (combine ws xs))).
Proof.
  intros w v ws x y xs. reflexivity.
Qed.

Lemma combined_value : forall p s rho sw es ys (value : Z -> Z) a, Forall (term_fits p s a) es ->
  (forall v, level p v -> nearest p s (affine s (sw v) ys) = value v) ->
  affine s (combined es) (map rho (layer p s (ends_of sw es) ys)) =
  sum (map (fun e => fst e * (rho (value (fst (snd e))) - rho (value (snd (snd e))))) es).
Proof.
  intros p s rho sw es ys value a Hes Hvalue. unfold affine, combined. simpl. rewrite Z.mul_0_r. rewrite Z.add_0_l.
  induction es as [| [w [j k]] es IH]; [reflexivity |].
  apply Forall_cons_iff in Hes. destruct Hes as [[_ [Hj Hk]] Hes]. simpl in Hj, Hk. specialize (IH Hes).
  unfold layer, ends_of in *. cbn [flat_map map combine app fst snd]. rewrite (Hvalue j Hj), (Hvalue k Hk).
  rewrite (sum_of_two w (- w)), IH. unfold sum. simpl. ring.
Qed.

Lemma combined_fits : forall p s a sw es, es <> [] -> Forall (term_fits p s a) es ->
  neuron_of p s a (length (ends_of sw es)) (combined es).
Proof.
  intros p s a sw es Hes Hfits. unfold neuron_of, combined, ends_of. simpl. split; [| split].
  - clear Hes Hfits. induction es as [| e es IH]; [reflexivity |]. simpl. rewrite IH. reflexivity.
  - destruct es as [| [w jk] es]; [contradiction Hes; reflexivity |]. exists w. left. reflexivity.
  - intros w Hw. apply in_flat_map in Hw. destruct Hw as [e [He Hw]]. rewrite Forall_forall in Hfits. destruct (Hfits e He) as [Hweight _].
    destruct Hw as [Hw | [Hw | []]]; injection Hw as <-; [exact Hweight | apply weight_opposite; exact Hweight].
Qed.

(* With such neurons after f, the value of the terms on the box. *)
Lemma indicator_of_terms : forall p s a rho d c f sw es, es <> [] -> Forall (term_fits p s a) es ->
  network_of p s a d f -> switches p s rho d c sw f -> (forall v, neuron_of p s a (outputs_of f) (sw v)) ->
  network_of p s a d (followed f (ends_of sw es)) /\ depth (followed f (ends_of sw es)) = S (depth f) /\
  neuron_of p s a (outputs_of (followed f (ends_of sw es))) (combined es) /\ bias (combined es) = 0 /\
  forall x, input p d x ->
  (inside c x -> affine s (combined es) (map rho (run p s rho (followed f (ends_of sw es)) x)) = sum (map (term_value rho) es)) /\
  (~ inside c x -> affine s (combined es) (map rho (run p s rho (followed f (ends_of sw es)) x)) = 0).
Proof.
  intros p s a rho d c f sw es Hes Hterms Hf Hsw Hfits.
  assert (Houtputs : outputs_of (followed f (ends_of sw es)) = length (ends_of sw es)).
  { unfold outputs_of, followed. simpl. rewrite last_last. reflexivity. }
  split; [| split; [| split; [| split; [reflexivity |]]]].
  - apply network_of_followed; [exact Hf |]. apply Forall_forall. intros n Hn. unfold ends_of in Hn. apply in_flat_map in Hn.
    destruct Hn as [e [_ [<- | [<- | []]]]]; apply Hfits.
  - unfold depth, layers, followed. simpl. rewrite app_length. simpl. lia.
  - rewrite Houtputs. apply combined_fits; assumption.
  - intros x Hx. rewrite run_followed. split; intros Hin.
    + rewrite (combined_value p s rho sw es _ (fun v => v) a Hterms); [reflexivity |].
      intros v Hv. apply (Hsw v x Hv Hx). exact Hin.
    + rewrite (combined_value p s rho sw es _ (fun _ => top p) a Hterms).
      * clear Hes Hterms Houtputs. induction es as [| e es IH]; [reflexivity |]. unfold sum in *. simpl. rewrite IH. ring.
      * intros v Hv. apply (Hsw v x Hv Hx). exact Hin.
Qed.

Lemma indicator_by_switches : forall p s a rho d c t f sw, setting p s rho -> sums p s a (gap p rho) t ->
  network_of p s a d f -> switches p s rho d c sw f -> (forall v, neuron_of p s a (outputs_of f) (sw v)) ->
  exists h r, network_of p s a d h /\ depth h = S (depth f) /\ neuron_of p s a (outputs_of h) r /\ bias r = 0 /\
  forall x, input p d x ->
  (inside c x -> affine s r (map rho (run p s rho h x)) = t) /\ (~ inside c x -> affine s r (map rho (run p s rho h x)) = 0).
Proof.
  intros p s a rho d c t f sw Hset [ts [Hts ->]] Hf Hsw Hfits.
  destruct (gaps_as_terms p s a rho ts Hset Hts) as [es [Hes [Hterms [Hsum _]]]]. rewrite Hsum.
  exists (followed f (ends_of sw es)), (combined es). apply indicator_of_terms; assumption.
Qed.

(* f of one layer: the pairs. *)
Definition first_switch (p s : Z) (rho : Z -> Z) (d n : nat) (v : Z) : neuron := all_inputs n (- s) (v + 2 * top p * full p rho d).

Lemma first_switches : forall p s rho d c z, setting p s rho -> threshold p rho z -> box p d c ->
  switches p s rho d c (first_switch p s rho d (length (base p s d c z))) (Network (base p s d c z) []).
Proof.
  intros p s rho d c z [Hp [Hs Hrho]] Hz [Hc _] v x Hv [Hx _]. pose proof (top_positive p Hp) as Htop. unfold run. simpl.
  unfold first_switch. rewrite affine_all_inputs by (rewrite map_length; apply layer_length). rewrite base_value by exact Hp.
  replace (s * (v + 2 * top p * full p rho d) + - s * (2 * top p * sides_value p s rho d c z x))
    with (s * (v + 2 * top p * (full p rho d - sides_value p s rho d c z x))) by ring.
  rewrite level_clamped by lia. unfold level in Hv. split; intros H.
  - rewrite sides_inside by (try assumption; lia). rewrite Z.sub_diag, Z.mul_0_r. lia.
  - assert (sides_value p s rho d c z x < full p rho d) by (apply sides_outside; try assumption; lia).
    assert (2 * top p * 1 <= 2 * top p * (full p rho d - sides_value p s rho d c z x)) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
Qed.

Lemma base_network : forall p s act a d c z, setting p s act -> network_of p s a d (Network (base p s d c z) []).
Proof.
  intros p s act a d c z Hset before ns after H. unfold layers in H. simpl in H.
  destruct before as [| b1 before]; simpl in H; apply same_parts in H; destruct H as [Hfirst Hrest].
  - rewrite <- Hfirst. apply (base_fits p s act a d c z Hset).
  - destruct before; discriminate.
Qed.

Lemma repeat_mapped : forall (A B : Set) (h : A -> B) x n, map h (repeat x n) = repeat (h x) n.
Proof.
  intros A B h x n. induction n as [| n IH]; [reflexivity |]. simpl. rewrite IH. reflexivity.
Qed.

(* f of two layers: the pairs, and 2 top neurons that are z - 1 on the box. *)
Definition gates (p s : Z) (rho : Z -> Z) (d : nat) (c : list (Z * Z)) (z : Z) : list neuron :=
  repeat (first_switch p s rho d (length (base p s d c z)) (z - 1)) (copies p).
Definition second_switch (p s : Z) (rho : Z -> Z) (z v : Z) : neuron := all_inputs (copies p) s (v - 2 * top p * rho (z - 1)).

Lemma second_switches : forall p s rho d c z, setting p s rho -> threshold p rho z -> box p d c ->
  switches p s rho d c (second_switch p s rho z) (Network (base p s d c z) [gates p s rho d c z]).
Proof.
  intros p s rho d c z Hset Hz Hc v x Hv Hx. pose proof Hset as [Hp [Hs Hrho]]. pose proof (top_positive p Hp) as Htop.
  pose proof Hz as [Hlevel [Hend [_ Hbelow]]]. unfold level in Hlevel.
  assert (Hz1 : level p (z - 1)) by (unfold level; lia). assert (Hless : rho (z - 1) < rho (top p)) by (apply Hbelow; [exact Hz1 | lia]).
  destruct (first_switches p s rho d c z Hset Hz Hc (z - 1) x Hz1 Hx) as [Hin Hout].
  unfold run in *. simpl in *. unfold layer at 1 3. unfold gates. rewrite !repeat_mapped. unfold second_switch.
  rewrite affine_all_inputs by (apply repeat_length). rewrite sum_repeat. unfold copies. rewrite Z2Nat.id by lia. unfold level in Hv.
  split; intros H.
  - rewrite (Hin H). replace (s * (v - 2 * top p * rho (z - 1)) + s * (2 * top p * rho (z - 1))) with (s * v) by ring.
    apply nearest_exact; [exact Hp | lia | exact Hv].
  - rewrite (Hout H).
    replace (s * (v - 2 * top p * rho (z - 1)) + s * (2 * top p * rho (top p))) with (s * (v + 2 * top p * (rho (top p) - rho (z - 1)))) by ring.
    rewrite level_clamped by lia.
    assert (2 * top p * 1 <= 2 * top p * (rho (top p) - rho (z - 1))) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
Qed.

Lemma copies_positive : forall p, 1 <= p -> (0 < copies p)%nat.
Proof.
  intros p Hp. pose proof (top_positive p Hp). unfold copies. lia.
Qed.

Lemma gated_network : forall p s act a d c z rho, setting p s act -> (0 < d)%nat ->
  network_of p s a d (Network (base p s d c z) [gates p s rho d c z]).
Proof.
  intros p s act a d c z rho Hset Hd. pose proof Hset as [Hp _]. apply network_of_two; [apply (base_fits p s act a d c z Hset) |].
  unfold gates. apply Forall_forall. intros n Hn. apply repeat_spec in Hn. subst n.
  apply all_inputs_fits; [apply base_nonempty; assumption | apply (one_is_a_weight p s act a Hset)].
Qed.

(* For rho, then for the activation. *)
Lemma indicators_of_rho : forall p s a rho d c t z, setting p s rho -> threshold p rho z -> (0 < d)%nat -> box p d c ->
  sums p s a (gap p rho) t -> forall number, (number = 2 \/ number = 3)%nat ->
  exists f r, network_of p s a d f /\ depth f = number /\ neuron_of p s a (outputs_of f) r /\ bias r = 0 /\
  forall x, input p d x ->
  (inside c x -> affine s r (map rho (run p s rho f x)) = t) /\ (~ inside c x -> affine s r (map rho (run p s rho f x)) = 0).
Proof.
  intros p s a rho d c t z Hset Hz Hd Hc Ht number [-> | ->]; pose proof Hset as [Hp _].
  - apply (indicator_by_switches p s a rho d c t (Network (base p s d c z) []) (first_switch p s rho d (length (base p s d c z)))); try assumption.
    + apply (base_network p s rho a d c z Hset).
    + apply first_switches; assumption.
    + intros v. unfold outputs_of. simpl. apply all_inputs_fits; [apply base_nonempty; assumption | apply (one_is_a_weight p s rho a Hset)].
  - apply (indicator_by_switches p s a rho d c t (Network (base p s d c z) [gates p s rho d c z]) (second_switch p s rho z)); try assumption.
    + apply (gated_network p s rho a d c z rho Hset Hd).
    + apply second_switches; assumption.
    + intros v. unfold outputs_of, gates. simpl. rewrite repeat_length.
      apply all_inputs_fits; [apply copies_positive; exact Hp | apply (one_is_a_weight p s rho a Hset)].
Qed.

Lemma indicators_of_both : forall a number, (number = 2 \/ number = 3)%nat -> indicators a number.
Proof.
  intros a number Hnumber p s act d c t Hset [alpha [beta [rho [z [Halpha [Hbeta [Hz Hact]]]]]]] Hd Hc Ht.
  pose proof (setting_turned p s act rho alpha beta Halpha Hbeta Hset Hact) as Hrho. pose proof Hset as [Hp [Hs _]].
  assert (Ht0 : sums p s a (gap p rho) t).
  { revert Ht. apply sums_of_more. intros v. apply (gap_turned p act rho alpha beta v Halpha Hbeta Hact). }
  destruct (indicators_of_rho p s a rho d c t z Hrho Hz Hd Hc Ht0 number Hnumber) as [f [r [Hf [Hdepth [Hr [Hbias Hvalue]]]]]].
  assert (H1 : sign 1) by (left; reflexivity).
  exists (turned alpha beta f), (turn alpha 1 r). split; [apply network_of_turned; assumption |].
  split; [rewrite depth_turned; exact Hdepth |]. split; [rewrite outputs_turned; apply neuron_of_turned; assumption |].
  split; [simpl; rewrite Hbias; reflexivity |]. intros x Hx.
  destruct (run_turned p s act rho alpha beta f x Hp (proj1 Hs) Halpha Hbeta Hact) as [-> Hlevels].
  rewrite (activations_turned p act rho alpha beta _ Hbeta Hact Hlevels), affine_turned by exact Halpha. rewrite Z.mul_1_l. apply Hvalue. exact Hx.
Qed.

Theorem indicators_by_three_layers : forall a, indicators a 3.
Proof.
  intros a. apply indicators_of_both. right. reflexivity.
Qed.

Theorem indicators_by_two_layers : forall a, indicators a 2.
Proof.
  intros a. apply indicators_of_both. left. reflexivity.
Qed.
