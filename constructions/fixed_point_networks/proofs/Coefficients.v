(* Lemma 26: coefficients of the greatest common divisor, reduced one after the other, each against the sum of those before it. *)
From Coq Require Import ZArith List Lia.
From FixedPointNetworks Require Import FixedPoint Statement.
Import ListNotations.
Local Open Scope Z_scope.

Lemma sum_first : forall x xs, sum (x :: xs) = x + sum xs.
Proof.
  reflexivity.
Qed.

Lemma scaled_products : forall v bs xs, sum (map product (combine (map (Z.mul v) bs) xs)) = v * sum (map product (combine bs xs)).
Proof.
  intros v bs. induction bs as [| b bs IH]; intros xs; [unfold sum; simpl; ring |]. destruct xs as [| x xs]; [unfold sum; simpl; ring |].
  cbn [map combine]. rewrite !sum_first, IH. unfold product. simpl. ring.
Qed.

(* A sum of multiples that divides every number. *)
Lemma some_coefficients : forall xs, exists bs, length bs = length xs /\ forall x, In x xs -> (sum (map product (combine bs xs)) | x).
Proof.
  intros xs. induction xs as [| x xs [bs [Hlength Hdivides]]]; [exists []; split; [reflexivity | intros x []] |].
  destruct (Z.gcd_bezout x (sum (map product (combine bs xs))) _ eq_refl) as [u [v Huv]].
  exists (u :: map (Z.mul v) bs). split; [simpl; rewrite map_length, Hlength; reflexivity |].
  assert (Hsum : sum (map product (combine (u :: map (Z.mul v) bs) (x :: xs))) = Z.gcd x (sum (map product (combine bs xs)))).
  { cbn [map combine]. rewrite sum_first, scaled_products. unfold product at 1. simpl. exact Huv. }
  rewrite Hsum. intros y [<- | Hy]; [apply Z.gcd_divide_l |].
  apply (Z.divide_trans _ (sum (map product (combine bs xs)))); [apply Z.gcd_divide_r | apply Hdivides; exact Hy].
Qed.

(* y = x_1/d, and x_1 divides y times each number: each coefficient can be taken modulo y, with the sign that does not enlarge the sum. *)
Lemma reduced : forall x1 y most xs bs t, 0 < y -> (forall x, In x xs -> 0 < x <= most /\ (x1 | y * x)) -> length bs = length xs ->
  Z.abs t <= y * most ->
  exists cs k, length cs = length xs /\ Forall (fun c => Z.abs c <= y) cs /\
  sum (map product (combine cs xs)) = sum (map product (combine bs xs)) + k * x1 /\
  Z.abs (t + sum (map product (combine cs xs))) <= y * most.
Proof.
  intros x1 y most xs. induction xs as [| x xs IH]; intros bs t Hy Hxs Hlength Ht.
  - exists [], 0. destruct bs as [| b bs]; [| simpl in Hlength; lia]. split; [reflexivity | split; [constructor | split; unfold sum; simpl; lia]].
  - destruct bs as [| b bs]; [simpl in Hlength; lia |]. assert (Hsame : length bs = length xs) by (simpl in Hlength; lia).
    destruct (Hxs x) as [Hx [q Hq]]; [left; reflexivity |].
    assert (Hdiv : b = y * (b / y) + b mod y) by (apply Z.div_mod; lia). assert (Hmod : 0 <= b mod y < y) by (apply Z.mod_pos_bound; lia).
    revert Hdiv Hmod. generalize (b mod y). generalize (b / y). intros m r Hdiv Hmod.
    assert (Hchoice : exists c n, Z.abs c <= y /\ c = b + n * y /\ Z.abs (t + c * x) <= y * most).
    { assert (y * x <= y * most) by (apply Z.mul_le_mono_nonneg_l; lia). assert (0 <= r * x) by (apply Z.mul_nonneg_nonneg; lia).
      assert (r * x <= y * x) by (apply Z.mul_le_mono_nonneg_r; lia).
      destruct (Z_le_gt_dec t 0) as [Hsign | Hsign]; [exists r, (- m) | exists (r - y), (- m - 1)]; (split; [lia | split; lia]). }
    destruct Hchoice as [c [n [Hc [Hcb Hct]]]].
    destruct (IH bs (t + c * x) Hy (fun z Hz => Hxs z (or_intror Hz)) Hsame Hct) as [cs [k [Hcs [Hall [Hsum Hsmall]]]]].
    exists (c :: cs), (k + n * q). split; [simpl; rewrite Hcs; reflexivity | split; [constructor; assumption |]].
    cbn [map combine]. rewrite !sum_first, Hsum. unfold product at 1 3 5. simpl. split.
    + rewrite Hcb. replace ((b + n * y) * x) with (b * x + n * (y * x)) by ring. rewrite Hq. ring.
    + rewrite Hsum in Hsmall. replace (t + (c * x + (sum (map product (combine bs xs)) + k * x1)))
        with (t + c * x + (sum (map product (combine bs xs)) + k * x1)) by ring. exact Hsmall.
Qed.

Lemma last_is_greatest : forall x1 xs, ascending (x1 :: xs) -> forall x, In x (x1 :: xs) -> x <= last xs x1.
Proof.
  intros x1 xs Hup x Hx. assert (Hlast : last xs x1 = nth (length xs) (x1 :: xs) 0).
  { clear Hup Hx x. revert x1. induction xs as [| y xs IH]; intros x1; [reflexivity |].
    destruct xs as [| z xs]; [reflexivity |]. change (last (y :: z :: xs) x1) with (last (z :: xs) x1).
    specialize (IH y). change (nth (length (y :: z :: xs)) (x1 :: y :: z :: xs) 0) with (nth (length (z :: xs)) (y :: z :: xs) 0).
    rewrite <- IH. clear IH. revert z. induction xs as [| u xs IH2]; intros z; [reflexivity |]. exact (IH2 u). }
  rewrite Hlast. apply (In_nth _ _ 0) in Hx. destruct Hx as [i [Hi <-]]. simpl length in Hi.
  assert (Hor : (i < length xs)%nat \/ i = length xs) by lia. destruct Hor as [Hor | ->]; [| lia].
  assert (nth i (x1 :: xs) 0 < nth (length xs) (x1 :: xs) 0) by (apply Hup; simpl length; lia). lia.
Qed.

Theorem coefficients_are_small : small_coefficients.
Proof.
  intros x1 xs d Hx1 Hup [Hd [Hdivides Hgreatest]]. pose proof (last_is_greatest x1 xs Hup) as Hlast.
  rewrite Forall_forall in Hdivides.
  assert (Hpositive : forall x, In x xs -> 0 < x).
  { intros x Hx. apply (In_nth _ _ 0) in Hx. destruct Hx as [i [Hi <-]].
    assert (nth 0 (x1 :: xs) 0 < nth (S i) (x1 :: xs) 0) by (apply Hup; simpl length; lia). simpl in *. lia. }
  destruct (Hdivides x1) as [y Hy]; [left; reflexivity |].
  assert (Hyd : x1 / d = y) by (rewrite Hy; apply Z.div_mul; lia).
  assert (Hy0 : 0 < y) by (apply (Z.mul_pos_cancel_r y d Hd); lia).
  assert (Hm : exists m, last xs x1 = m * d).
  { destruct xs as [| z xs]; [exists y; exact Hy |]. apply Hdivides. right. rewrite (app_removelast_last x1 (l := z :: xs)) by discriminate.
    rewrite last_last. apply in_or_app. right. left. reflexivity. }
  destruct Hm as [m Hm]. assert (Hmd : last xs x1 / d = m) by (rewrite Hm; apply Z.div_mul; lia). rewrite Hyd, Hmd.
  assert (Hle : x1 <= last xs x1) by (apply Hlast; left; reflexivity).
  destruct (some_coefficients (x1 :: xs)) as [bs [Hbs Hbdivides]]. destruct bs as [| b1 bs]; [simpl in Hbs; lia |].
  assert (Hlength : length bs = length xs) by (simpl in Hbs; lia).
  cbn [map combine] in Hbdivides. rewrite sum_first in Hbdivides. unfold product at 1 in Hbdivides. simpl in Hbdivides.
  assert (Hg : exists e, e * (b1 * x1 + sum (map product (combine bs xs))) = d).
  { destruct (Hgreatest (b1 * x1 + sum (map product (combine bs xs)))) as [e He].
    - apply Forall_forall. intros x Hx. apply Hbdivides. exact Hx.
    - exists e. symmetry. exact He. }
  destruct Hg as [e He].
  assert (Hsize : 0 <= y * last xs x1) by (apply Z.mul_nonneg_nonneg; lia).
  destruct (reduced x1 y (last xs x1) xs (map (Z.mul e) bs) 0 Hy0) as [cs [k [Hcs [Hall [Hsum Hsmall]]]]].
  - intros x Hx. split; [split; [apply Hpositive; exact Hx | apply Hlast; right; exact Hx] |].
    destruct (Hdivides x) as [q Hq]; [right; exact Hx |]. exists q. rewrite Hq, Hy. ring.
  - rewrite map_length. exact Hlength.
  - simpl. exact Hsize.
  - rewrite scaled_products in Hsum. rewrite Z.add_0_l in Hsmall.
    destruct (Z.eq_dec y 1) as [-> | Hnot].
    + exists 1, (map (fun _ => 0) xs). split; [apply map_length | split; [| split]].
      * replace (sum (map product (combine (map (fun _ => 0) xs) xs))) with 0; [lia |].
        clear. induction xs as [| x xs IH]; [reflexivity |]. cbn [map combine]. rewrite sum_first, <- IH. unfold product. simpl. reflexivity.
      * assert (Hone : 1 * d <= m * d) by lia. apply Z.mul_le_mono_pos_r in Hone; lia.
      * apply Forall_map. apply Forall_forall. intros x _. lia.
    + exists (e * b1 - k), cs. split; [exact Hcs | split; [| split; [| exact Hall]]].
      * rewrite Hsum, <- He. ring.
      * revert Hsmall. rewrite Hsum. intros Hsmall.
        assert (Hvalue : (e * b1 - k) * x1 = d - (e * sum (map product (combine bs xs)) + k * x1)) by (rewrite <- He; ring).
        revert Hvalue Hsmall. generalize (e * b1 - k). generalize (e * sum (map product (combine bs xs)) + k * x1). intros T c Hvalue Hsmall.
        rewrite Hm, Hy in *. assert (Hmul : Z.abs c * (y * d) = Z.abs (d - T)) by (rewrite <- Hvalue, Z.abs_mul; rewrite (Z.abs_eq (y * d)) by lia; ring).
        assert (Hle1 : Z.abs c * (y * d) <= d + y * (m * d)) by lia.
        assert (Hle2 : (Z.abs c * y) * d <= (1 + y * m) * d) by lia. apply Z.mul_le_mono_pos_r in Hle2; [| exact Hd].
        assert (Hor : Z.abs c <= m \/ m + 1 <= Z.abs c) by lia. destruct Hor as [Hor | Hor]; [exact Hor | exfalso].
        assert ((m + 1) * y <= Z.abs c * y) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
Qed.
