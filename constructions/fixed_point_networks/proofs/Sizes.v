(* Lemma 20: with weights in Q_(p,s), one copy of the pairs and 2s copies of the gates with the weight q_max are enough. *)
From Coq Require Import ZArith List Lia.
From FixedPointNetworks Require Import FixedPoint Statement Rounding Sums Networks Boxes Indicators Sufficient SmallSums.
Import ListNotations.
Local Open Scope Z_scope.

Definition gate (s : Z) (p : Z) (rho : Z -> Z) (d : nat) (c : list (Z * Z)) (z : Z) : neuron :=
  all_inputs (length (sides s d c z)) (- s) (z - 1 + full p rho d).
Definition some_gates (p s : Z) (rho : Z -> Z) (d : nat) (c : list (Z * Z)) (z : Z) : network :=
  Network (sides s d c z) [repeat (gate s p rho d c z) (Z.to_nat (2 * s))].
Definition strong_switch (p s : Z) (rho : Z -> Z) (z v : Z) : neuron := all_inputs (Z.to_nat (2 * s)) (top p) (v - 2 * top p * rho (z - 1)).

Lemma gate_value : forall p s rho d c z x, setting p s rho -> threshold p rho z -> box p d c -> input p d x ->
  (inside c x -> rho (nearest p s (affine s (gate s p rho d c z) (map rho (layer p s (sides s d c z) x)))) = rho (z - 1)) /\
  (~ inside c x -> rho (nearest p s (affine s (gate s p rho d c z) (map rho (layer p s (sides s d c z) x)))) = rho (top p)).
Proof.
  intros p s rho d c z x [Hp [Hs Hrho]] Hz [Hc _] [Hx _]. pose proof Hz as [Hlevel [Hend _]]. unfold level in Hlevel.
  unfold gate. rewrite affine_all_inputs by (rewrite map_length; apply layer_length). fold (sides_value p s rho d c z x).
  replace (s * (z - 1 + full p rho d) + - s * sides_value p s rho d c z x)
    with (s * (z - 1 + (full p rho d - sides_value p s rho d c z x))) by ring.
  split; intros H.
  - rewrite sides_inside by (try assumption; lia). f_equal.
    replace (z - 1 + (full p rho d - full p rho d)) with (z - 1) by ring. apply nearest_exact; [exact Hp | lia | unfold level; lia].
  - assert (sides_value p s rho d c z x < full p rho d) by (apply sides_outside; try assumption; lia).
    rewrite level_clamped by lia. fold (clamp p (z - 1 + (full p rho d - sides_value p s rho d c z x))).
    apply (rho_beyond p rho z); [exact Hp | exact Hz | lia].
Qed.

Lemma strong_switches : forall p s rho d c z, setting p s rho -> threshold p rho z -> box p d c ->
  switches p s rho d c (strong_switch p s rho z) (some_gates p s rho d c z).
Proof.
  intros p s rho d c z Hset Hz Hc v x Hv Hx. pose proof Hset as [Hp [Hs Hrho]]. pose proof (top_positive p Hp) as Htop.
  pose proof Hz as [Hlevel [Hend [_ Hbelow]]]. unfold level in Hlevel.
  assert (Hz1 : level p (z - 1)) by (unfold level; lia). assert (Hless : rho (z - 1) < rho (top p)) by (apply Hbelow; [exact Hz1 | lia]).
  destruct (gate_value p s rho d c z x Hset Hz Hc Hx) as [Hin Hout].
  unfold run, some_gates. cbn [fold_left first others]. unfold layer at 1 3. rewrite !repeat_mapped. unfold strong_switch.
  rewrite affine_all_inputs by (apply repeat_length). rewrite sum_repeat. rewrite (Z2Nat.id (2 * s)) by lia. unfold level in Hv.
  split; intros H.
  - rewrite (Hin H). replace (s * (v - 2 * top p * rho (z - 1)) + top p * (2 * s * rho (z - 1))) with (s * v) by ring.
    apply nearest_exact; [exact Hp | lia | exact Hv].
  - rewrite (Hout H).
    replace (s * (v - 2 * top p * rho (z - 1)) + top p * (2 * s * rho (top p))) with (s * (v + 2 * top p * (rho (top p) - rho (z - 1)))) by ring.
    rewrite level_clamped by lia.
    assert (2 * top p * 1 <= 2 * top p * (rho (top p) - rho (z - 1))) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
Qed.

Lemma some_gates_network : forall p s rho d c z, setting p s rho -> (0 < d)%nat ->
  network_of p s fixed_point d (some_gates p s rho d c z).
Proof.
  intros p s rho d c z Hset Hd. apply network_of_two; [apply (sides_fit p s rho fixed_point d c z Hset) |].
  apply Forall_forall. intros n Hn. apply repeat_spec in Hn. subst n. pose proof (sides_nonempty s d c z Hd) as Hnot.
  apply all_inputs_fits; [| apply (one_is_a_weight p s rho fixed_point Hset)].
  destruct (sides s d c z) as [| n l]; [contradiction Hnot; reflexivity | simpl; lia].
Qed.

(* Counting. *)
Lemma parameters_of_all_inputs : forall n w b, parameters_of (all_inputs n w b) = 1 + Z.of_nat n.
Proof.
  intros n w b. unfold parameters_of, all_inputs. simpl weights. f_equal. f_equal. induction n as [| n IH]; [reflexivity |]. simpl. rewrite IH. reflexivity.
Qed.

Lemma none_used : forall n, filter (fun w : option Z => match w with Some _ => true | None => false end) (repeat None n) = [].
Proof.
  intros n. induction n as [| n IH]; [reflexivity |]. simpl. exact IH.
Qed.

Lemma parameters_of_one_input : forall d i w b, parameters_of (one_input d i w b) = 2.
Proof.
  intros d i w b. unfold parameters_of, one_input. simpl weights. rewrite filter_app. simpl filter. rewrite !none_used. reflexivity.
Qed.

Lemma sum_of_same : forall (A : Set) (h : A -> Z) v l, (forall x, In x l -> h x = v) -> sum (map h l) = Z.of_nat (length l) * v.
Proof.
  intros A h v l H. induction l as [| x l IH]; [reflexivity |]. simpl map. change (sum (h x :: map h l)) with (h x + sum (map h l)).
  rewrite (H x) by (left; reflexivity). rewrite IH by (intros y Hy; apply H; right; exact Hy). simpl length. lia.
Qed.

Lemma length_of_pairs : forall (A B : Set) (h : A -> list B) l, (forall x, length (h x) = 2%nat) -> length (flat_map h l) = (2 * length l)%nat.
Proof.
  intros A B h l H. induction l as [| x l IH]; [reflexivity |]. simpl. rewrite app_length, H, IH. lia.
Qed.

Lemma used_turned : forall k ws,
  length (filter (fun w : option Z => match w with Some _ => true | None => false end) (map (option_map (Z.mul k)) ws)) =
  length (filter (fun w : option Z => match w with Some _ => true | None => false end) ws).
Proof.
  intros k ws. induction ws as [| w ws IH]; [reflexivity |]. destruct w as [w |]; simpl; rewrite IH; reflexivity.
Qed.

Lemma parameters_of_turned : forall e h n, parameters_of (turn e h n) = parameters_of n.
Proof.
  intros e h [b ws]. unfold parameters_of, turn. cbn [weights]. rewrite used_turned. reflexivity.
Qed.

Lemma parameters_turned : forall alpha beta f r, parameters (turned alpha beta f) (turn alpha 1 r) = parameters f r.
Proof.
  intros alpha beta [l ls] r. unfold parameters, layers, turned. simpl first. simpl others. rewrite parameters_of_turned. f_equal.
  assert (H : forall e h ns, sum (map parameters_of (map (turn e h) ns)) = sum (map parameters_of ns)).
  { intros e h ns. rewrite map_map. f_equal. apply map_ext. intros n. apply parameters_of_turned. }
  simpl map. rewrite H. rewrite map_map. f_equal. f_equal. apply map_ext. intros ns. apply H.
Qed.

Lemma parameters_counted : forall p s rho d c z es, 1 <= s ->
  parameters (followed (some_gates p s rho d c z) (ends_of (strong_switch p s rho z) es)) (combined es) =
  4 * Z.of_nat d + 2 * s * (1 + 2 * Z.of_nat d) + 2 * Z.of_nat (length es) * (1 + 2 * s) + (1 + 2 * Z.of_nat (length es)).
Proof.
  intros p s rho d c z es Hs. unfold parameters, layers, followed, some_gates. cbn [first others app].
  assert (Hlength : length (sides s d c z) = (2 * d)%nat) by (unfold sides; rewrite length_of_pairs by reflexivity; rewrite seq_length; reflexivity).
  cbn [map]. unfold sum at 1. cbn [fold_right].
  rewrite (sum_of_same neuron parameters_of 2 (sides s d c z)).
  2: { intros n Hn. unfold sides in Hn. apply in_flat_map in Hn. destruct Hn as [i [_ [<- | [<- | []]]]]; apply parameters_of_one_input. }
  rewrite (sum_of_same neuron parameters_of (1 + Z.of_nat (length (sides s d c z))) (repeat _ _)).
  2: { intros n Hn. apply repeat_spec in Hn. subst n. apply parameters_of_all_inputs. }
  rewrite (sum_of_same neuron parameters_of (1 + 2 * s) (ends_of (strong_switch p s rho z) es)).
  2: { intros n Hn. unfold ends_of in Hn. apply in_flat_map in Hn.
       destruct Hn as [e [_ [<- | [<- | []]]]]; unfold strong_switch; rewrite parameters_of_all_inputs; lia. }
  rewrite repeat_length, Hlength. unfold ends_of. rewrite length_of_pairs by reflexivity.
  assert (Hcombined : parameters_of (combined es) = 1 + 2 * Z.of_nat (length es)).
  { unfold parameters_of, combined. simpl weights. f_equal. induction es as [| e es IH]; [reflexivity |].
    simpl flat_map. simpl filter. simpl length. lia. }
  rewrite Hcombined, Z2Nat.id, !Nat2Z.inj_mul by lia. change (Z.of_nat 2) with 2. unfold term in *. ring.
Qed.

(* V in a list, with at most 4 top + 1 elements. *)
Lemma gaps_listed : forall p act, 1 <= p -> activation p act ->
  exists V, NoDup V /\ (forall v, In v V <-> gap p act v) /\ Z.of_nat (length V) <= 4 * top p + 1.
Proof.
  intros p act Hp Hact. pose proof (top_positive p Hp) as Htop.
  set (V := nodup Z.eq_dec (flat_map (fun j => map (fun k => act j - act k) (levels p)) (levels p))).
  set (all := map (fun i => Z.of_nat i - 2 * top p) (seq 0 (Z.to_nat (4 * top p + 1)))).
  assert (Hin : forall v, In v V <-> gap p act v).
  { intros v. unfold V. rewrite nodup_In, in_flat_map. split.
    - intros [j [Hj Hv]]. apply in_map_iff in Hv. destruct Hv as [k [<- Hk]]. exists j, k.
      split; [apply in_levels; exact Hj | split; [apply in_levels; exact Hk | reflexivity]].
    - intros [j [k [Hj [Hk ->]]]]. exists j. split; [apply in_levels; exact Hj |]. apply in_map_iff. exists k.
      split; [reflexivity | apply in_levels; exact Hk]. }
  exists V. split; [apply NoDup_nodup | split; [exact Hin |]].
  assert (Hless : (length V <= length all)%nat).
  { apply NoDup_incl_length; [apply NoDup_nodup |]. intros v Hv. apply Hin in Hv. pose proof (gap_bounded p act v Hact Hv).
    apply in_map_iff. exists (Z.to_nat (v + 2 * top p)). split; [lia |]. apply in_seq. lia. }
  unfold all in Hless. rewrite map_length, seq_length in Hless. lia.
Qed.

Lemma small_enough : forall p s d n, 1 <= p -> 1 <= s -> 1 <= d -> 0 <= n -> n <= s * (2 ^ (p + 2) - 1) * (4 * top p + 1) ->
  4 * d + 2 * s * (1 + 2 * d) + 2 * (n + 1) * (1 + 2 * s) + (1 + 2 * (n + 1)) <= 1760 * 2 ^ (2 * p) * s ^ 2 * d.
Proof.
  intros p s d n Hp Hs Hd Hn H. pose proof (top_positive p Hp) as Htop.
  assert (Hpower : 2 ^ (p + 2) = 4 * (top p + 1)) by (unfold top; rewrite Z.pow_add_r by lia; change (2 ^ 2) with 4; ring).
  assert (Hsquare : 2 ^ (2 * p) = (top p + 1) * (top p + 1)).
  { replace (2 * p) with (p + p) by ring. rewrite Z.pow_add_r by lia. unfold top. ring. }
  rewrite Hpower in H. rewrite Hsquare, Z.pow_2_r. revert Htop H. generalize (top p). intros T HT H.
  assert (Hn1 : n + 1 <= 17 * (s * ((T + 1) * (T + 1)))).
  { assert (1 * 1 <= (T + 1) * (T + 1)) by (apply Z.mul_le_mono_nonneg; lia).
    assert (1 * 1 <= s * ((T + 1) * (T + 1))) by (apply Z.mul_le_mono_nonneg; lia).
    assert (s * ((4 * (T + 1) - 1) * (4 * T + 1)) <= s * (16 * ((T + 1) * (T + 1)))) by (apply Z.mul_le_mono_nonneg_l; lia). lia. }
  revert Hn1. generalize ((T + 1) * (T + 1)) (Z.mul_le_mono_nonneg 1 (T + 1) 1 (T + 1)). intros P HP Hn1.
  assert (HP1 : 1 <= P) by lia.
  assert (H1 : 1 * 1 <= s * s) by (apply Z.mul_le_mono_nonneg; lia). assert (H2 : s * 1 <= s * s) by (apply Z.mul_le_mono_nonneg_l; lia).
  assert (H3 : (s * s) * 1 <= (s * s) * P) by (apply Z.mul_le_mono_nonneg_l; lia).
  assert (H4 : (s * s * P) * 1 <= (s * s * P) * d) by (apply Z.mul_le_mono_nonneg_l; lia).
  assert (H5 : 1 * d <= (s * s * P) * d) by (apply Z.mul_le_mono_nonneg_r; lia).
  assert (H6 : s * d <= (s * s * P) * d) by (apply Z.mul_le_mono_nonneg_r; lia).
  assert (H7 : (n + 1) * (4 + 4 * s) <= (17 * (s * P)) * (8 * s)) by (apply Z.mul_le_mono_nonneg; lia).
  lia.
Qed.

Theorem indicators_are_small : few_parameters.
Proof.
  intros p s act d v t Hset [alpha [beta [rho [z [Halpha [Hbeta [Hz Hact]]]]]]] Hd Hv Ht Hsmall.
  pose proof (setting_turned p s act rho alpha beta Halpha Hbeta Hset Hact) as Hrho. pose proof Hrho as [Hp [Hs Hlevels]].
  assert (Ht0 : sums p s fixed_point (gap p rho) t).
  { revert Ht. apply sums_of_more. intros u. apply (gap_turned p act rho alpha beta u Halpha Hbeta Hact). }
  destruct (gaps_listed p rho Hp Hlevels) as [V [Honce [HV Hcount]]].
  destruct (terms_are_few p s rho V t Hrho Honce HV Ht0 Hsmall) as [ts [Hts [Hsum Hfew]]].
  destruct (gaps_as_terms p s fixed_point rho ts Hrho Hts) as [es [Hes [Hterms [Hvalue Hlength]]]].
  pose proof (box_of_point p d v Hv) as Hbox.
  assert (Hfits : forall u, neuron_of p s fixed_point (outputs_of (some_gates p s rho d (point v) z)) (strong_switch p s rho z u)).
  { intros u. unfold outputs_of, some_gates. simpl. rewrite repeat_length. pose proof (top_positive p Hp).
    apply all_inputs_fits; [lia | unfold weight, level; lia]. }
  destruct (indicator_of_terms p s fixed_point rho d (point v) (some_gates p s rho d (point v) z) (strong_switch p s rho z) es Hes Hterms
              (some_gates_network p s rho d (point v) z Hrho Hd) (strong_switches p s rho d (point v) z Hrho Hz Hbox) Hfits)
    as [Hf [Hdepth [Hr [Hbias Hon]]]].
  assert (Hnumber : parameters (followed (some_gates p s rho d (point v) z) (ends_of (strong_switch p s rho z) es)) (combined es)
                    <= 1760 * 2 ^ (2 * p) * s ^ 2 * Z.of_nat d).
  { rewrite parameters_counted by lia. rewrite Hlength, Nat2Z.inj_succ. unfold Z.succ. apply small_enough; try lia.
    assert (Hle : s * (2 ^ (p + 2) - 1) * Z.of_nat (length V) <= s * (2 ^ (p + 2) - 1) * (4 * top p + 1)).
    { assert (1 <= 2 ^ (p + 2)) by (apply (Z.pow_le_mono_r 2 0 (p + 2)); lia).
      apply Z.mul_le_mono_nonneg_l; [apply Z.mul_nonneg_nonneg; lia | exact Hcount]. }
    lia. }
  revert Hf Hdepth Hr Hbias Hon Hnumber. generalize (followed (some_gates p s rho d (point v) z) (ends_of (strong_switch p s rho z) es)).
  generalize (combined es). intros r f Hf Hdepth Hr Hbias Hon Hnumber. assert (H1 : sign 1) by (left; reflexivity).
  exists (turned alpha beta f), (turn alpha 1 r). split; [apply network_of_turned; assumption |].
  split; [rewrite depth_turned, Hdepth; reflexivity |]. split; [rewrite outputs_turned; apply neuron_of_turned; assumption |].
  split; [simpl; rewrite Hbias; reflexivity |]. split; [| rewrite parameters_turned; exact Hnumber]. intros x Hx.
  destruct (run_turned p s act rho alpha beta f x Hp (proj1 Hs) Halpha Hbeta Hact) as [-> Hrun].
  rewrite (activations_turned p act rho alpha beta _ Hbeta Hact Hrun), affine_turned by exact Halpha. rewrite Z.mul_1_l.
  assert (Hsame : length v = length x) by (destruct Hv as [-> _]; destruct Hx as [-> _]; reflexivity).
  destruct (Hon x Hx) as [Hin Hout]. destruct (list_eq_dec Z.eq_dec x v) as [Heq | Hnot].
  - rewrite Hin; [| apply inside_point; assumption]. rewrite <- Hvalue. symmetry. exact Hsum.
  - apply Hout. intros H. apply Hnot. apply inside_point; assumption.
Qed.
