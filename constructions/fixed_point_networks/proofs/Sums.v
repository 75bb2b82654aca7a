(* Sums of products: adding, turning, repeating; and the sums that a neuron forms. *)
From Coq Require Import ZArith List Lia.
From FixedPointNetworks Require Import FixedPoint Statement Rounding.
Import ListNotations.
Local Open Scope Z_scope.

Lemma sum_app : forall xs ys, sum (xs ++ ys) = sum xs + sum ys.
Proof.
  intros xs ys. unfold sum. induction xs as [| x xs IH]; [reflexivity |]. simpl. rewrite IH. ring.
Qed.

Lemma sum_repeat : forall n x, sum (repeat x n) = Z.of_nat n * x.
Proof.
  intros n x. induction n as [| n IH]; [reflexivity |]. simpl repeat. change (sum (x :: repeat x n)) with (x + sum (repeat x n)).
  rewrite IH. lia.
Qed.

(* 1 and -1 are weights of either kind. *)
Lemma one_is_a_weight : forall p s act a, setting p s act -> weight p s a s /\ weight p s a (- s).
Proof.
  intros p s act a [Hp [Hs Hact]]. destruct a; unfold weight, level; lia.
Qed.

Lemma weight_opposite : forall p s a w, weight p s a w -> weight p s a (- w).
Proof.
  intros p s a w H. destruct a; unfold weight, level in *; lia.
Qed.

Lemma sums_zero : forall p s a X, sums p s a X 0.
Proof.
  intros p s a X. exists []. split; [constructor | reflexivity].
Qed.

Lemma sums_plus : forall p s a X t u, sums p s a X t -> sums p s a X u -> sums p s a X (t + u).
Proof.
  intros p s a X t u [ts [Hts ->]] [us [Hus ->]]. exists (ts ++ us). split.
  - unfold terms. apply Forall_app. split; assumption.
  - rewrite map_app, sum_app. reflexivity.
Qed.

Lemma sums_opposite : forall p s a X t, sums p s a X t -> sums p s a X (- t).
Proof.
  intros p s a X t [ts [Hts ->]]. revert Hts. induction ts as [| [w x] ts IH]; intros Hts; [apply sums_zero |].
  unfold terms in Hts. apply Forall_cons_iff in Hts. destruct Hts as [[Hw Hx] Hts]. specialize (IH Hts). simpl in Hw, Hx.
  replace (- sum (map product ((w, x) :: ts))) with (- w * x + - sum (map product ts)).
  - apply sums_plus; [| exact IH]. exists [(- w, x)]. split.
    + constructor; [| constructor]. split; [apply weight_opposite; exact Hw | exact Hx].
    + unfold product, sum. simpl. ring.
  - simpl map. change (sum (product (w, x) :: map product ts)) with (product (w, x) + sum (map product ts)). unfold product. simpl. ring.
Qed.

Lemma sums_repeated : forall p s a X t n, sums p s a X t -> sums p s a X (Z.of_nat n * t).
Proof.
  intros p s a X t n H. induction n as [| n IH]; [apply sums_zero |].
  replace (Z.of_nat (S n) * t) with (t + Z.of_nat n * t) by lia. apply sums_plus; assumption.
Qed.

Lemma sums_multiple : forall p s a X t m, sums p s a X t -> sums p s a X (m * t).
Proof.
  intros p s a X t m H. destruct (Z_le_gt_dec 0 m) as [Hm | Hm].
  - replace m with (Z.of_nat (Z.to_nat m)) by lia. apply sums_repeated. exact H.
  - replace (m * t) with (- (Z.of_nat (Z.to_nat (- m)) * t)).
    + apply sums_opposite, sums_repeated. exact H.
    + rewrite Z2Nat.id by lia. ring.
Qed.

Lemma sums_one : forall p s a (X : Z -> Prop) w x, weight p s a w -> X x -> sums p s a X (w * x).
Proof.
  intros p s a X w x Hw Hx. exists [(w, x)]. split; [constructor; [split; assumption | constructor] |].
  unfold product, sum. simpl. ring.
Qed.

(* What a neuron adds up. *)
Lemma sums_used : forall p s a (X : Z -> Prop) l, (forall w x, In (Some w, x) l -> weight p s a w /\ X x) -> sums p s a X (sum (map used l)).
Proof.
  intros p s a X l. induction l as [| [[w |] x] l IH]; intros H; [apply sums_zero | |].
  - change (sum (map used ((Some w, x) :: l))) with (w * x + sum (map used l)). apply sums_plus.
    + destruct (H w x) as [Hw Hx]; [left; reflexivity |]. apply sums_one; assumption.
    + apply IH. intros v y Hin. apply H. right. exact Hin.
  - change (sum (map used ((None, x) :: l))) with (0 + sum (map used l)). rewrite Z.add_0_l.
    apply IH. intros v y Hin. apply H. right. exact Hin.
Qed.

Lemma rounded_is_a_level : forall p s a X b v, 1 <= p -> 1 <= s -> rounded p s a X b v -> level p v.
Proof.
  intros p s a X b v Hp Hs [t [Ht ->]]. apply nearest_level; assumption.
Qed.

(* A gap of one level is enough, for every bias. *)
Lemma one_level_apart : forall p s act a, setting p s act -> gap p act 1 -> forall b, everything p s a (gap p act) b.
Proof.
  intros p s act a Hset Hgap b v. pose proof Hset as [Hp [Hs Hact]]. split; [apply rounded_is_a_level; lia |].
  intros Hv. exists ((v - b) * (s * 1)). split.
  - apply sums_multiple, sums_one; [| exact Hgap]. apply (one_is_a_weight p s act a Hset).
  - replace (s * b + (v - b) * (s * 1)) with (s * v) by ring. rewrite nearest_exact; [reflexivity | exact Hp | lia | exact Hv].
Qed.
