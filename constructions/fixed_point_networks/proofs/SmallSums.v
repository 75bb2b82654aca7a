(* Lemmas 19 and 25. *)
From Coq Require Import ZArith List Lia.
From FixedPointNetworks Require Import FixedPoint Statement Rounding Sums Networks Sufficient.
Import ListNotations.
Local Open Scope Z_scope.

(* A gap that is not 0, where there is one. *)
Lemma constant_or_not : forall p act, 1 <= p ->
  (forall v, gap p act v -> v = 0) \/ exists v, 0 < v /\ gap p act v /\ gap p act (- v).
Proof.
  intros p act Hp. pose proof (top_positive p Hp) as Htop. assert (H0 : level p 0) by (unfold level; lia).
  destruct (Forall_Exists_dec (fun k => act k = act 0) (fun k => Z.eq_dec (act k) (act 0)) (levels p)) as [H | H].
  - left. intros v [j [k [Hj [Hk ->]]]]. rewrite Forall_forall in H.
    rewrite (H j), (H k) by (apply in_levels; assumption). lia.
  - right. apply Exists_exists in H. destruct H as [k [Hk Hnot]]. apply in_levels in Hk.
    assert (Hor : act 0 < act k \/ act k < act 0) by lia. destruct Hor as [Hor | Hor].
    + exists (act k - act 0). split; [lia | split]; [exists k, 0 | exists 0, k]; (split; [assumption | split; [assumption | ring]]).
    + exists (act 0 - act k). split; [lia | split]; [exists 0, k | exists k, 0]; (split; [assumption | split; [assumption | ring]]).
Qed.

Lemma gap_bounded : forall p act v, activation p act -> gap p act v -> Z.abs v <= 2 * top p.
Proof.
  intros p act v Hact [j [k [Hj [Hk ->]]]]. pose proof (Hact j Hj) as H1. pose proof (Hact k Hk) as H2. unfold level in H1, H2. lia.
Qed.

Lemma sums_of_nothing : forall p s a (X : Z -> Prop) t, (forall v, X v -> v = 0) -> sums p s a X t -> t = 0.
Proof.
  intros p s a X t H [ts [Hts ->]]. induction ts as [| [w v] ts IH]; [reflexivity |].
  unfold terms in Hts. apply Forall_cons_iff in Hts. destruct Hts as [[_ Hv] Hts].
  change (sum (map product ((w, v) :: ts))) with (w * v + sum (map product ts)). simpl in Hv. rewrite (IH Hts), (H v Hv). ring.
Qed.

(* Lemma 19: the upper end. *)
Lemma upper_end : forall p s (S : Z -> Prop) b t1 t2, 3 <= p -> 1 <= s -> level p b ->
  (forall t u, S t -> S u -> S (t + u)) -> (forall t m, S t -> S (m * t)) -> S t1 -> S t2 ->
  nearest p s (s * b + t1) = top p - 1 -> nearest p s (s * b + t2) = top p - 2 ->
  exists t, S t /\ 2 * Z.abs t <= 4 * s * top p + 3 * s /\ nearest p s (s * b + t) = top p.
Proof.
  intros p s S b t1 t2 Hp Hs Hb Hplus Hmultiple Ht1 Ht2 H1 H2. pose proof (top_from_3 p Hp) as Htop. assert (Hp1 : 1 <= p) by lia.
  destruct (nearest_above p s (s * b + t1) Hp1 Hs) as [_ Habove1]; [lia |].
  destruct (nearest_below p s (s * b + t1) Hp1 Hs) as [Hbelow1 _]; [lia |].
  destruct (nearest_above p s (s * b + t2) Hp1 Hs) as [_ Habove2]; [lia |].
  destruct (nearest_below p s (s * b + t2) Hp1 Hs) as [Hbelow2 _]; [lia |].
  rewrite H1 in *. rewrite H2 in *. assert (Hup1 : 0 <= top p - 1) by lia. specialize (Habove1 Hup1).
  assert (Hup2 : 0 <= top p - 2) by lia. specialize (Habove2 Hup2). unfold level in Hb.
  assert (Hstep : exists g, S g /\ s <= g < 2 * s).
  { assert (Hd : 0 < t1 - t2 < 2 * s) by lia. assert (HS : S (t1 - t2)).
    { replace (t1 - t2) with (t1 + -1 * t2) by ring. apply Hplus; [exact Ht1 | apply Hmultiple; exact Ht2]. }
    revert Hd HS. generalize (t1 - t2). intros d Hd HS.
    assert (Hdiv : s + d - 1 = d * ((s + d - 1) / d) + (s + d - 1) mod d) by (apply Z.div_mod; lia).
    assert (0 <= (s + d - 1) mod d < d) by (apply Z.mod_pos_bound; lia).
    assert (Hor : d < s \/ s <= d) by lia. destruct Hor as [Hor | Hor].
    - exists ((s + d - 1) / d * d). split; [apply Hmultiple; exact HS | lia].
    - exists d. split; [exact HS | lia]. }
  destruct Hstep as [g [Hg Hgs]]. exists (t1 + g).
  assert (s * b <= s * top p) by (apply Z.mul_le_mono_nonneg_l; lia).
  assert (s * - top p <= s * b) by (apply Z.mul_le_mono_nonneg_l; lia).
  assert (s * 7 <= s * top p) by (apply Z.mul_le_mono_nonneg_l; lia).
  split; [apply Hplus; assumption | split; [lia |]]. apply rounds_to_top; lia.
Qed.

Theorem small_sums : small_sums_suffice.
Proof.
  intros p s act Hp Hset [b0 Hall]. pose proof Hset as [Hp1 [Hs Hact]]. pose proof (top_from_3 p Hp) as Htop.
  assert (Hvalue : forall q, level p q -> exists t, sums p s fixed_point (gap p act) t /\ nearest p s (s * b0 + t) = q).
  { intros q Hq. pose proof (proj2 (Hall q) Hq) as [t [Ht Hq0]]. exists t. split; [exact Ht | symmetry; exact Hq0]. }
  destruct (constant_or_not p act Hp1) as [Hnone | [v [Hv [Hgap _]]]].
  { exfalso. destruct (Hvalue 0) as [t [Ht H0]]; [unfold level; lia |]. destruct (Hvalue 1) as [u [Hu H1]]; [unfold level; lia |].
    rewrite (sums_of_nothing p s fixed_point _ t Hnone Ht) in H0. rewrite (sums_of_nothing p s fixed_point _ u Hnone Hu) in H1. lia. }
  pose proof (gap_bounded p act v Hact Hgap) as Hbound.
  assert (Hdiv : b0 + top p = v * ((b0 + top p) / v) + (b0 + top p) mod v) by (apply Z.div_mod; lia).
  assert (Hmod : 0 <= (b0 + top p) mod v < v) by (apply Z.mod_pos_bound; lia).
  exists (b0 - (b0 + top p) / v * v). revert Hdiv Hmod. generalize ((b0 + top p) mod v). generalize ((b0 + top p) / v). intros m r Hdiv Hmod.
  assert (Hlevel : level p (b0 - m * v)) by (unfold level; lia). split; [exact Hlevel |].
  assert (Hshift : forall q, level p q -> exists t, sums p s fixed_point (gap p act) t /\ nearest p s (s * (b0 - m * v) + t) = q).
  { intros q Hq. destruct (Hvalue q Hq) as [t [Ht Hrounded]]. exists (t + m * (s * v)). split.
    - apply sums_plus; [exact Ht |]. apply sums_multiple, sums_one; [apply (one_is_a_weight p s act fixed_point Hset) | exact Hgap].
    - rewrite <- Hrounded. f_equal. ring. }
  revert Hlevel Hshift. generalize (b0 - m * v). intros b Hb Hshift q Hq.
  assert (Hplus : forall t u, sums p s fixed_point (gap p act) t -> sums p s fixed_point (gap p act) u -> sums p s fixed_point (gap p act) (t + u))
    by (intros t u; apply sums_plus).
  assert (Hmultiple : forall t n, sums p s fixed_point (gap p act) t -> sums p s fixed_point (gap p act) (n * t))
    by (intros t n; apply sums_multiple).
  unfold level in Hq. assert (Hor : q = top p \/ q = - top p \/ - top p < q < top p) by lia. destruct Hor as [-> | [-> | Hor]].
  - destruct (Hshift (top p - 1)) as [t1 [Ht1 H1]]; [unfold level; lia |]. destruct (Hshift (top p - 2)) as [t2 [Ht2 H2]]; [unfold level; lia |].
    apply (upper_end p s _ b t1 t2); [exact Hp | lia | exact Hb | exact Hplus | exact Hmultiple | assumption | assumption | exact H1 | exact H2].
  - destruct (Hshift (- (top p - 1))) as [t1 [Ht1 H1]]; [unfold level; lia |].
    destruct (Hshift (- (top p - 2))) as [t2 [Ht2 H2]]; [unfold level; lia |].
    destruct (upper_end p s (sums p s fixed_point (gap p act)) (- b) (- t1) (- t2)) as [t [Ht [Hsmall Hrounded]]].
    + exact Hp.
    + lia.
    + unfold level in *. lia.
    + exact Hplus.
    + exact Hmultiple.
    + apply sums_opposite. exact Ht1.
    + apply sums_opposite. exact Ht2.
    + replace (s * - b + - t1) with (- (s * b + t1)) by ring. rewrite nearest_opposite, H1. ring.
    + replace (s * - b + - t2) with (- (s * b + t2)) by ring. rewrite nearest_opposite, H2. ring.
    + exists (- t). split; [apply sums_opposite; exact Ht | split; [lia |]].
      replace (s * b + - t) with (- (s * - b + t)) by ring. rewrite nearest_opposite, Hrounded. reflexivity.
  - destruct (Hshift q) as [t [Ht Hrounded]]; [unfold level; lia |]. exists t. split; [exact Ht | split; [| exact Hrounded]].
    assert (Hs1 : 1 <= s) by lia.
    destruct (nearest_above p s (s * b + t) Hp1 Hs1) as [Habove _]; [lia |].
    destruct (nearest_below p s (s * b + t) Hp1 Hs1) as [Hbelow _]; [lia |]. rewrite Hrounded in *. unfold level in Hb.
    assert (s * b <= s * top p) by (apply Z.mul_le_mono_nonneg_l; lia).
    assert (s * - top p <= s * b) by (apply Z.mul_le_mono_nonneg_l; lia).
    assert (s * (2 * q + 1) <= s * (2 * top p)) by (apply Z.mul_le_mono_nonneg_l; lia).
    assert (s * (- (2 * top p)) <= s * (2 * q - 1)) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
Qed.

(* Lemma 25: the same product n times. *)
Definition times_product (n v : Z) : list (Z * Z) := repeat (Z.sgn n, v) (Z.to_nat (Z.abs n)).

Lemma times_product_value : forall n v, sum (map product (times_product n v)) = n * v /\ Z.of_nat (length (times_product n v)) = Z.abs n.
Proof.
  intros n v. unfold times_product. rewrite repeat_length, Z2Nat.id by lia. split; [| reflexivity].
  assert (H : forall k, sum (map product (repeat (Z.sgn n, v) k)) = Z.of_nat k * (Z.sgn n * v)).
  { intros k. induction k as [| k IH]; [reflexivity |]. simpl repeat. simpl map.
    change (sum (product (Z.sgn n, v) :: map product (repeat (Z.sgn n, v) k))) with (Z.sgn n * v + sum (map product (repeat (Z.sgn n, v) k))).
    rewrite IH. lia. }
  rewrite H, Z2Nat.id by lia. replace (Z.abs n * (Z.sgn n * v)) with ((Z.abs n * Z.sgn n) * v) by ring. rewrite Z.abs_sgn. reflexivity.
Qed.

Lemma times_product_terms : forall p s act n v, setting p s act -> gap p act v -> terms p s fixed_point (gap p act) (times_product n v).
Proof.
  intros p s act n v [Hp _] Hv. pose proof (top_positive p Hp). apply Forall_forall. intros wx Hwx. apply repeat_spec in Hwx. subst wx.
  simpl. split; [unfold level; lia | exact Hv].
Qed.

(* Sums over a list of different gaps: how often each occurs. *)
Lemma sum_linear : forall (f h : Z -> Z) l, sum (map (fun u => f u + h u) l) = sum (map f l) + sum (map h l).
Proof.
  intros f h l. induction l as [| u l IH]; [reflexivity |]. simpl map.
  change (sum (f u + h u :: map (fun x => f x + h x) l)) with (f u + h u + sum (map (fun x => f x + h x) l)). rewrite IH.
  change (sum (f u :: map f l)) with (f u + sum (map f l)). change (sum (h u :: map h l)) with (h u + sum (map h l)). ring.
Qed.

Lemma sum_scaled : forall (h : Z -> Z) c l, sum (map (fun u => h u * c) l) = sum (map h l) * c.
Proof.
  intros h c l. induction l as [| u l IH]; [reflexivity |]. simpl map.
  change (sum (h u * c :: map (fun x => h x * c) l)) with (h u * c + sum (map (fun x => h x * c) l)). rewrite IH.
  change (sum (h u :: map h l)) with (h u + sum (map h l)). ring.
Qed.

Lemma sum_of_zeros : forall (h : Z -> Z) l, (forall u, In u l -> h u = 0) -> sum (map h l) = 0.
Proof.
  intros h l H. induction l as [| u l IH]; [reflexivity |]. simpl map. change (sum (h u :: map h l)) with (h u + sum (map h l)).
  rewrite (H u) by (left; reflexivity). rewrite IH; [reflexivity |]. intros x Hx. apply H. right. exact Hx.
Qed.

Lemma sum_of_one : forall (h : Z -> Z) v l, NoDup l -> In v l -> sum (map (fun u => if u =? v then h u else 0) l) = h v.
Proof.
  intros h v l Honce Hv. apply in_split in Hv. destruct Hv as [l1 [l2 ->]]. apply NoDup_remove_2 in Honce. rewrite map_app, sum_app. simpl map.
  change (sum ((if v =? v then h v else 0) :: map (fun u => if u =? v then h u else 0) l2))
    with ((if v =? v then h v else 0) + sum (map (fun u => if u =? v then h u else 0) l2)).
  rewrite Z.eqb_refl. rewrite !sum_of_zeros; [ring | |].
  - intros u Hu. destruct (u =? v) eqn:Heq; [| reflexivity]. apply Z.eqb_eq in Heq. subst u. contradiction Honce. apply in_or_app. right. exact Hu.
  - intros u Hu. destruct (u =? v) eqn:Heq; [| reflexivity]. apply Z.eqb_eq in Heq. subst u. contradiction Honce. apply in_or_app. left. exact Hu.
Qed.

Lemma coefficients : forall p s (X : Z -> Prop) V t, NoDup V -> (forall v, X v -> In v V) -> sums p s fixed_point X t ->
  exists A : Z -> Z, t = sum (map (fun u => A u * u) V).
Proof.
  intros p s X V t Honce HV [ts [Hts ->]]. induction ts as [| [w v] ts IH].
  - exists (fun _ => 0). symmetry. apply sum_of_zeros. intros u _. ring.
  - unfold terms in Hts. apply Forall_cons_iff in Hts. destruct Hts as [[_ Hv] Hts]. simpl in Hv. destruct (IH Hts) as [A HA].
    exists (fun u => (if u =? v then w else 0) + A u).
    change (sum (map product ((w, v) :: ts))) with (w * v + sum (map product ts)). rewrite HA.
    rewrite <- (sum_of_one (fun u => w * u) v V Honce (HV v Hv)), <- sum_linear. f_equal. apply map_ext. intros u.
    destruct (u =? v); ring.
Qed.

Lemma sum_abs : forall (h : Z -> Z) b l, (forall u, In u l -> Z.abs (h u) <= b) -> Z.abs (sum (map h l)) <= Z.of_nat (length l) * b.
Proof.
  intros h b l H. induction l as [| u l IH]; [unfold sum; simpl; lia |]. simpl map. change (sum (h u :: map h l)) with (h u + sum (map h l)).
  assert (Z.abs (h u) <= b) by (apply H; left; reflexivity).
  assert (Z.abs (sum (map h l)) <= Z.of_nat (length l) * b) by (apply IH; intros x Hx; apply H; right; exact Hx). simpl length. lia.
Qed.

Definition share (x a : Z) : Z := (2 * a + x) / (2 * x).

Lemma share_rest : forall x a, 0 < x -> 2 * Z.abs (a - share x a * x) <= x.
Proof.
  intros x a Hx. unfold share. assert (H : 2 * a + x = 2 * x * ((2 * a + x) / (2 * x)) + (2 * a + x) mod (2 * x)) by (apply Z.div_mod; lia).
  assert (0 <= (2 * a + x) mod (2 * x) < 2 * x) by (apply Z.mod_pos_bound; lia). lia.
Qed.

Lemma flat_terms : forall (r : Z -> Z) V,
  sum (map product (flat_map (fun u => times_product (r u) u) V)) = sum (map (fun u => r u * u) V) /\
  Z.of_nat (length (flat_map (fun u => times_product (r u) u) V)) = sum (map (fun u => Z.abs (r u)) V).
Proof.
  intros r V. induction V as [| u V [IH1 IH2]]; [split; reflexivity |].
  simpl flat_map. rewrite map_app, sum_app, app_length, Nat2Z.inj_add, IH1, IH2.
  destruct (times_product_value (r u) u) as [-> ->]. split; reflexivity.
Qed.

Theorem terms_are_few : few_terms.
Proof.
  intros p s act V t Hset Honce HV Ht Hsmall. pose proof Hset as [Hp [Hs Hact]]. pose proof (top_positive p Hp) as Htop.
  assert (Hpower : 2 ^ (p + 2) = 4 * (top p + 1)) by (unfold top; rewrite Z.pow_add_r by lia; change (2 ^ 2) with 4; ring). rewrite Hpower.
  destruct (constant_or_not p act Hp) as [Hnone | [x [Hx [Hgap _]]]].
  { rewrite (sums_of_nothing p s fixed_point _ t Hnone Ht). exists []. split; [constructor | split; [reflexivity |]].
    simpl length. apply Z.mul_nonneg_nonneg; [apply Z.mul_nonneg_nonneg; lia | lia]. }
  destruct (coefficients p s (gap p act) V t Honce (fun v Hv => proj2 (HV v) Hv) Ht) as [A HA].
  pose proof (gap_bounded p act x Hact Hgap) as Hbound.
  set (r := fun u => A u - share x (A u) * x). set (C := sum (map (fun u => share x (A u) * u) V)).
  assert (Hsplit : t = sum (map (fun u => r u * u) V) + C * x).
  { unfold C. rewrite <- sum_scaled, <- sum_linear, HA. f_equal. apply map_ext. intros u. unfold r. ring. }
  exists (flat_map (fun u => times_product (r u) u) V ++ times_product C x). destruct (flat_terms r V) as [Hsum Hlength].
  destruct (times_product_value C x) as [HsumC HlengthC]. split; [| split].
  - unfold terms. apply Forall_app. split; [| apply times_product_terms; assumption]. apply Forall_forall. intros wx Hwx.
    apply in_flat_map in Hwx. destruct Hwx as [u [Hu Hwx]].
    pose proof (times_product_terms p s act (r u) u Hset (proj1 (HV u) Hu)) as H. unfold terms in H. rewrite Forall_forall in H. apply H. exact Hwx.
  - rewrite map_app, sum_app, Hsum, HsumC. exact Hsplit.
  - rewrite app_length, Nat2Z.inj_add, Hlength, HlengthC.
    assert (Hr : forall u, 2 * Z.abs (r u) <= x) by (intros u; apply share_rest; exact Hx).
    assert (Hcount : 2 * sum (map (fun u => Z.abs (r u)) V) <= Z.of_nat (length V) * x).
    { assert (H : Z.abs (sum (map (fun u => 2 * Z.abs (r u)) V)) <= Z.of_nat (length V) * x).
      { apply (sum_abs (fun u => 2 * Z.abs (r u)) x V). intros u _. specialize (Hr u). lia. }
      replace (2 * sum (map (fun u => Z.abs (r u)) V)) with (sum (map (fun u => 2 * Z.abs (r u)) V)); [lia |].
      rewrite Z.mul_comm, <- sum_scaled. f_equal. apply map_ext. intros u. ring. }
    assert (Hrest : Z.abs (sum (map (fun u => 2 * (r u * u)) V)) <= Z.of_nat (length V) * (x * (2 * top p))).
    { apply (sum_abs (fun u => 2 * (r u * u)) (x * (2 * top p)) V). intros u Hu. rewrite Z.abs_mul, Z.abs_mul. change (Z.abs 2) with 2.
      pose proof (gap_bounded p act u Hact (proj1 (HV u) Hu)) as Hbu. specialize (Hr u). rewrite Z.mul_assoc.
      apply Z.mul_le_mono_nonneg; lia. }
    assert (Hdouble : sum (map (fun u => 2 * (r u * u)) V) = 2 * (t - C * x)).
    { rewrite Hsplit. replace (sum (map (fun u => r u * u) V) + C * x - C * x) with (sum (map (fun u => r u * u) V)) by ring.
      rewrite (Z.mul_comm 2), <- sum_scaled. f_equal. apply map_ext. intros u. ring. }
    rewrite Hdouble in Hrest.
    assert (HC : 2 * Z.abs C * x <= x * (4 * s * top p + 3 * s + Z.of_nat (length V) * (2 * top p))).
    { replace (2 * Z.abs C * x) with (Z.abs (2 * (C * x))) by (rewrite !Z.abs_mul; rewrite (Z.abs_eq x) by lia; change (Z.abs 2) with 2; ring).
      assert (1 * (4 * s * top p + 3 * s) <= x * (4 * s * top p + 3 * s)) by (apply Z.mul_le_mono_nonneg_r; lia). lia. }
    assert (HC2 : 2 * Z.abs C <= 4 * s * top p + 3 * s + Z.of_nat (length V) * (2 * top p)).
    { rewrite (Z.mul_comm x) in HC. apply Z.mul_le_mono_pos_r in HC; [exact HC | exact Hx]. }
    assert (Hsome : 1 <= Z.of_nat (length V)).
    { destruct V as [| u V]; [contradiction (proj2 (HV x) Hgap) | simpl length; lia]. }
    assert (Z.of_nat (length V) * x <= Z.of_nat (length V) * (2 * top p)) by (apply Z.mul_le_mono_nonneg_l; lia).
    assert (1 * (4 * s * top p + 3 * s) <= Z.of_nat (length V) * (4 * s * top p + 3 * s)) by (apply Z.mul_le_mono_nonneg_r; lia).
    assert (1 * (Z.of_nat (length V) * (4 * top p)) <= s * (Z.of_nat (length V) * (4 * top p))) by (apply Z.mul_le_mono_nonneg_r; lia).
    lia.
Qed.
