(* The proof of Grid.v: nothing that is added is negative, so each running sum is its total or overflows. *)
From Coq Require Import ZArith List Lia.
From EveryBitCounts Require Import Arithmetic Statement LowerHalf Grid Rounding Operations Counting GridSums.
Import ListNotations.
Local Open Scope Z_scope.

(* What the table says of each token. *)
Lemma row_start p i b : 4 <= p -> i <= 0 -> grid_row p i b = nothing.
Proof. intros Hp H. unfold grid_row. destruct (Z.leb_spec i 0); [reflexivity|lia]. Qed.

Lemma row_first p i b : 4 <= p -> 1 <= i <= p - 1 -> grid_row p i b = if b then first_half (p - 1) i else nothing.
Proof. intros Hp H. unfold grid_row. destruct (Z.leb_spec i 0); [lia|]. destruct (Z.leb_spec i (p - 1)); [reflexivity|lia]. Qed.

Lemma row_last p i b : 4 <= p -> p <= i <= 2 * p - 3 -> grid_row p i b = if b then nothing else (Some (2 * p - 3 - i), 0).
Proof.
  intros Hp H. unfold grid_row. destruct (Z.leb_spec i 0); [lia|]. destruct (Z.leb_spec i (p - 1)); [lia|].
  destruct (Z.leb_spec i (2 * p - 3)); [reflexivity|lia].
Qed.

Lemma row_z1 p i b : 4 <= p -> i = 2 * p - 2 -> grid_row p i b = if b then nothing else first_half (p - 1) 1.
Proof.
  intros Hp H. unfold grid_row. destruct (Z.leb_spec i 0); [lia|]. destruct (Z.leb_spec i (p - 1)); [lia|].
  destruct (Z.leb_spec i (2 * p - 3)); [lia|]. destruct (Z.eqb_spec i (2 * p - 3 + 1)); [reflexivity|lia].
Qed.

Lemma row_between p i b : 4 <= p -> 2 * p - 1 <= i <= 2 * p -> grid_row p i b = nothing.
Proof.
  intros Hp H. unfold grid_row. destruct (Z.leb_spec i 0); [lia|]. destruct (Z.leb_spec i (p - 1)); [lia|].
  destruct (Z.leb_spec i (2 * p - 3)); [lia|]. destruct (Z.eqb_spec i (2 * p - 3 + 1)); [lia|].
  destruct (Z.leb_spec i (2 * p - 3 + 3)); [reflexivity|lia].
Qed.

Lemma row_z_first p i b : 4 <= p -> 2 * p + 1 <= i <= 3 * p - 2 ->
  grid_row p i b = if b then nothing else first_half (p - 1) (i - (2 * p - 3) - 2).
Proof.
  intros Hp H. unfold grid_row. destruct (Z.leb_spec i 0); [lia|]. destruct (Z.leb_spec i (p - 1)); [lia|].
  destruct (Z.leb_spec i (2 * p - 3)); [lia|]. destruct (Z.eqb_spec i (2 * p - 3 + 1)); [lia|].
  destruct (Z.leb_spec i (2 * p - 3 + 3)); [lia|]. destruct (Z.leb_spec i (2 * p - 3 + (p - 1) + 2)); [reflexivity|lia].
Qed.

Lemma row_z_last p i b : 4 <= p -> 3 * p - 1 <= i <= 4 * p - 4 ->
  grid_row p i b = if b then (Some (2 * p - 3 - (i - (2 * p - 3) - 2)), 0) else nothing.
Proof.
  intros Hp H. unfold grid_row. destruct (Z.leb_spec i 0); [lia|]. destruct (Z.leb_spec i (p - 1)); [lia|].
  destruct (Z.leb_spec i (2 * p - 3)); [lia|]. destruct (Z.eqb_spec i (2 * p - 3 + 1)); [lia|].
  destruct (Z.leb_spec i (2 * p - 3 + 3)); [lia|]. destruct (Z.leb_spec i (2 * p - 3 + (p - 1) + 2)); [lia|].
  destruct (Z.leb_spec i (2 * (2 * p - 3) + 2)); [reflexivity|lia].
Qed.

Lemma row_constant p i b : 4 <= p -> i = 4 * p - 3 -> grid_row p i b = (Some 0, 1).
Proof.
  intros Hp H. unfold grid_row. destruct (Z.leb_spec i 0); [lia|]. destruct (Z.leb_spec i (p - 1)); [lia|].
  destruct (Z.leb_spec i (2 * p - 3)); [lia|]. destruct (Z.eqb_spec i (2 * p - 3 + 1)); [lia|].
  destruct (Z.leb_spec i (2 * p - 3 + 3)); [lia|]. destruct (Z.leb_spec i (2 * p - 3 + (p - 1) + 2)); [lia|].
  destruct (Z.leb_spec i (2 * (2 * p - 3) + 2)); [lia|]. destruct (Z.eqb_spec i (2 * (2 * p - 3) + 3)); [reflexivity|lia].
Qed.

Lemma row_end p i b : 4 <= p -> 4 * p - 2 <= i -> grid_row p i b = nothing.
Proof.
  intros Hp H. unfold grid_row. destruct (Z.leb_spec i 0); [lia|]. destruct (Z.leb_spec i (p - 1)); [lia|].
  destruct (Z.leb_spec i (2 * p - 3)); [lia|]. destruct (Z.eqb_spec i (2 * p - 3 + 1)); [lia|].
  destruct (Z.leb_spec i (2 * p - 3 + 3)); [lia|]. destruct (Z.leb_spec i (2 * p - 3 + (p - 1) + 2)); [lia|].
  destruct (Z.leb_spec i (2 * (2 * p - 3) + 2)); [lia|]. destruct (Z.eqb_spec i (2 * (2 * p - 3) + 3)); [lia|reflexivity].
Qed.

(* The bits that the tokens read. *)
Lemma grid_reads_y p y z i : 4 <= p -> 1 <= i <= 2 * p - 3 -> T1 (2 * p - 3) y z i = Z.testbit y (2 * p - 3 - i).
Proof.
  intros Hp H. unfold T1. destruct (Z.ltb_spec i 0); [lia|]. destruct (Z.eqb_spec i 0); [lia|].
  destruct (Z.leb_spec i (2 * p - 3)); [reflexivity|lia].
Qed.

Lemma grid_reads_z1 p y z i : 4 <= p -> i = 2 * p - 2 -> T1 (2 * p - 3) y z i = Z.testbit z (2 * p - 3 - 1).
Proof.
  intros Hp H. unfold T1. destruct (Z.ltb_spec i 0); [lia|]. destruct (Z.eqb_spec i 0); [lia|]. destruct (Z.leb_spec i (2 * p - 3)); [lia|].
  destruct (Z.leb_spec i (2 * p - 3 + 2)); [reflexivity|lia].
Qed.

Lemma grid_reads_z p y z i : 4 <= p -> 2 * p + 1 <= i <= 4 * p - 4 -> T1 (2 * p - 3) y z i = Z.testbit z (2 * p - 3 - (i - (2 * p - 3) - 2)).
Proof.
  intros Hp H. unfold T1. destruct (Z.ltb_spec i 0); [lia|]. destruct (Z.eqb_spec i 0); [lia|]. destruct (Z.leb_spec i (2 * p - 3)); [lia|].
  destruct (Z.leb_spec i (2 * p - 3 + 2)); [lia|]. destruct (Z.eqb_spec i (2 * p - 3 + 3)); [lia|].
  destruct (Z.leb_spec i (2 * (2 * p - 3) + 2)); [|lia]. reflexivity.
Qed.

(* Levels. *)
Definition weight_level (p i : Z) (b : bool) : Z := match fst (grid_row p i b) with None => 0 | Some k => 2 ^ k end.
Definition product_level (p i : Z) (b : bool) : Z := weight_level p i b * snd (grid_row p i b).
Definition ordinary (h j : Z) : bool := ((2 <=? j) && (j <=? h - 2))%bool.
Definition weighs (h j : Z) : Z := if ordinary h j then 2 ^ (h - j) else 1.

Definition sound (p : Z) (r : option Z * Z) : Prop :=
  match fst r with None => snd r = 0 | Some k => 0 <= k <= p - 2 /\ 0 <= snd r /\ 2 ^ k * snd r <= 2 ^ (p - 2) end.

Lemma nothing_sound p : sound p nothing.
Proof. reflexivity. Qed.

Lemma first_half_sound p j : 4 <= p -> 1 <= j <= p - 1 -> sound p (first_half (p - 1) j).
Proof.
  intros Hp Hj. pose proof (pow_pos (p - 1 - j)). pose proof (pow_le (p - 1 - j) (p - 2)). unfold first_half. fold (ordinary (p - 1) j).
  destruct (ordinary (p - 1) j) eqn:O; unfold sound; cbn [fst snd].
  - unfold ordinary in O. destruct (Z.leb_spec 2 j); [|discriminate]. split; [lia|]. split; [lia|]. rewrite Z.mul_1_r. lia.
  - change (2 ^ 0) with 1. lia.
Qed.

Lemma zero_sound p k : 4 <= p -> 0 <= k <= p - 2 -> sound p (Some k, 0).
Proof. intros Hp Hk. pose proof (pow_pos (p - 2)). unfold sound. cbn [fst snd]. rewrite Z.mul_0_r. lia. Qed.

Lemma row_sound p i b : 4 <= p -> sound p (grid_row p i b).
Proof.
  intros Hp. pose proof (pow_pos (p - 2)).
  destruct (Z_le_gt_dec i 0). rewrite row_start by lia. apply nothing_sound.
  destruct (Z_le_gt_dec i (p - 1)). rewrite row_first by lia. destruct b; [apply first_half_sound; lia|apply nothing_sound].
  destruct (Z_le_gt_dec i (2 * p - 3)). rewrite row_last by lia. destruct b; [apply nothing_sound|apply zero_sound; lia].
  destruct (Z.eq_dec i (2 * p - 2)). rewrite row_z1 by lia. destruct b; [apply nothing_sound|apply first_half_sound; lia].
  destruct (Z_le_gt_dec i (2 * p)). rewrite row_between by lia. apply nothing_sound.
  destruct (Z_le_gt_dec i (3 * p - 2)). rewrite row_z_first by lia. destruct b; [apply nothing_sound|apply first_half_sound; lia].
  destruct (Z_le_gt_dec i (4 * p - 4)). rewrite row_z_last by lia. destruct b; [apply zero_sound; lia|apply nothing_sound].
  destruct (Z.eq_dec i (4 * p - 3)). rewrite row_constant by lia. unfold sound. cbn [fst snd]. change (2 ^ 0) with 1. lia.
  rewrite row_end by lia. apply nothing_sound.
Qed.

Lemma top_big p : 4 <= p -> 7 <= 2 ^ (p - 1) - 1 /\ 2 ^ (p - 2) <= 2 ^ (p - 1) - 1 /\ 2 ^ (p - 1) = 2 * 2 ^ (p - 2).
Proof.
  intros Hp. pose proof (pow_succ (p - 1)) as A. replace (p - 1 - 1) with (p - 2) in A by lia. pose proof (pow_le 2 (p - 2)) as B.
  change (2 ^ 2) with 4 in B. lia.
Qed.

Lemma weight_of_token p i b : 4 <= p -> grid_weight p i b = Fin (weight_level p i b) /\ 0 <= weight_level p i b.
Proof.
  intros Hp. pose proof (row_sound p i b Hp) as S. pose proof (top_big p Hp) as T. unfold grid_weight, weight_level, sound in *.
  destruct (fst (grid_row p i b)) as [k|]; [|split; [reflexivity|lia]]. destruct S as (K & _). pose proof (pow_pos k). pose proof (pow_le k (p - 2)).
  rewrite grid_exact by lia. split; [reflexivity|lia].
Qed.

Lemma product_of_token p i b : 4 <= p -> grid_product p i b = Fin (product_level p i b) /\ 0 <= product_level p i b.
Proof.
  intros Hp. pose proof (row_sound p i b Hp) as S. pose proof (top_big p Hp) as T. unfold grid_product. destruct (weight_of_token p i b Hp) as [W _].
  rewrite W. cbn [grid_mul]. fold (product_level p i b). unfold product_level, weight_level, sound in *.
  destruct (fst (grid_row p i b)) as [k|].
  - destruct S as (K & V & B). pose proof (pow_pos k). pose proof (Z.mul_nonneg_nonneg (2 ^ k) (snd (grid_row p i b))).
    rewrite grid_exact by lia. split; [reflexivity|lia].
  - rewrite Z.mul_0_l. rewrite grid_exact by lia. split; [reflexivity|lia].
Qed.

Lemma first_half_weight h j : match fst (first_half h j) with None => 0 | Some k => 2 ^ k end = weighs h j.
Proof. unfold first_half, weighs. fold (ordinary h j). destruct (ordinary h j); reflexivity. Qed.

Lemma first_half_product h j : weighs h j * snd (first_half h j) = 2 ^ (h - j).
Proof.
  unfold first_half, weighs. fold (ordinary h j). destruct (ordinary h j); cbn [fst snd].
  - apply Z.mul_1_r.
  - apply Z.mul_1_l.
Qed.

Lemma weighs_positive h j : 1 <= j <= h -> 1 <= weighs h j.
Proof. intros H. unfold weighs. destruct (ordinary h j); [|lia]. pose proof (pow_pos (h - j)). lia. Qed.

Lemma weighs_total p : 4 <= p -> total (weighs (p - 1)) 1 (p - 1) = 2 ^ (p - 2) - 1.
Proof.
  intros Hp. rewrite (total_app _ 1 1), (total_app _ (1 + 1) (p - 3)), (total_app _ (p - 3 + 1) (p - 2)) by lia. rewrite total_one.
  replace (p - 3 + 1) with (p - 2) by lia. replace (p - 2 + 1) with (p - 1) by lia. rewrite !total_one.
  assert (A : weighs (p - 1) 1 = 1) by reflexivity.
  assert (B : weighs (p - 1) (p - 2) = 1).
  { unfold weighs, ordinary. destruct (Z.leb_spec 2 (p - 2)); destruct (Z.leb_spec (p - 2) (p - 1 - 2)); cbn; lia. }
  assert (C : weighs (p - 1) (p - 1) = 1).
  { unfold weighs, ordinary. destruct (Z.leb_spec 2 (p - 1)); destruct (Z.leb_spec (p - 1) (p - 1 - 2)); cbn; lia. }
  assert (D : total (weighs (p - 1)) (1 + 1) (p - 3) = 2 ^ (p - 2) - 4).
  { rewrite (total_ext _ (fun j => 2 ^ (p - 1 - j))).
    - rewrite powers_between by lia. replace (p - 1 - (1 + 1) + 1) with (p - 2) by lia. replace (p - 1 - (p - 3)) with 2 by lia. reflexivity.
    - intros j Hj. unfold weighs, ordinary. destruct (Z.leb_spec 2 j); [|lia]. destruct (Z.leb_spec j (p - 1 - 2)); [reflexivity|lia]. }
  rewrite A, B, C, D. lia.
Qed.

(* Totals over the tokens: each part of the strings by itself. *)
Definition whole_total (p n : Z) (term : Z -> bool -> Z) (y z : Z) : Z := total (fun i => term i (T1 (2 * p - 3) y z i)) (-1) (n - 1).

Lemma parts p n (term : Z -> bool -> Z) (first last : Z -> Z) y z : 4 <= p -> 4 * p - 2 <= n ->
  (forall i b, i <= 0 \/ 2 * p - 1 <= i <= 2 * p \/ 4 * p - 2 <= i -> term i b = 0) ->
  (forall i b, 1 <= i <= p - 1 -> term i b = if b then first i else 0) ->
  (forall i b, p <= i <= 2 * p - 3 -> term i b = if b then 0 else last i) ->
  (forall b, term (2 * p - 2) b = if b then 0 else first 1) ->
  (forall i b, 2 * p + 1 <= i <= 3 * p - 2 -> term i b = if b then 0 else first (i - (2 * p - 1))) ->
  (forall i b, 3 * p - 1 <= i <= 4 * p - 4 -> term i b = if b then last (i - (2 * p - 1)) else 0) ->
  (forall b, term (4 * p - 3) b = 1) ->
  whole_total p n term y z =
    total (fun i => if Z.testbit y (2 * p - 3 - i) then first i else 0) 1 (p - 1) +
    total (fun i => if Z.testbit z (2 * p - 3 - i) then 0 else first i) 1 (p - 1) + 1 +
    total (fun i => if Z.testbit y (2 * p - 3 - i) then 0 else last i) p (2 * p - 3) +
    total (fun i => if Z.testbit z (2 * p - 3 - i) then last i else 0) p (2 * p - 3).
Proof.
  intros Hp Hn T0 Ty Tl T1z Tz Tzl Tc. unfold whole_total. set (t := fun i => term i (T1 (2 * p - 3) y z i)).
  rewrite (total_app t (-1) 0), (total_app t (0 + 1) (p - 1)), (total_app t (p - 1 + 1) (2 * p - 3)), (total_app t (2 * p - 3 + 1) (2 * p - 2)),
    (total_app t (2 * p - 2 + 1) (2 * p)), (total_app t (2 * p + 1) (3 * p - 2)), (total_app t (3 * p - 2 + 1) (4 * p - 4)),
    (total_app t (4 * p - 4 + 1) (4 * p - 3)) by lia.
  replace (2 * p - 3 + 1) with (2 * p - 2) by lia. replace (4 * p - 4 + 1) with (4 * p - 3) by lia. rewrite !total_one.
  rewrite (total_zero t (-1) 0) by (intros i Hi; apply T0; lia).
  rewrite (total_zero t (2 * p - 2 + 1) (2 * p)) by (intros i Hi; apply T0; lia).
  rewrite (total_zero t (4 * p - 3 + 1) (n - 1)) by (intros i Hi; apply T0; lia).
  assert (A : total t (0 + 1) (p - 1) = total (fun i => if Z.testbit y (2 * p - 3 - i) then first i else 0) 1 (p - 1)).
  { apply total_ext. intros i Hi. unfold t. rewrite Ty, grid_reads_y by lia. reflexivity. }
  assert (B : total t (p - 1 + 1) (2 * p - 3) = total (fun i => if Z.testbit y (2 * p - 3 - i) then 0 else last i) p (2 * p - 3)).
  { replace (p - 1 + 1) with p by lia. apply total_ext. intros i Hi. unfold t. rewrite Tl, grid_reads_y by lia. reflexivity. }
  assert (C : t (2 * p - 2) = if Z.testbit z (2 * p - 3 - 1) then 0 else first 1).
  { unfold t. rewrite T1z, grid_reads_z1 by lia. reflexivity. }
  assert (D : total t (2 * p + 1) (3 * p - 2) = total (fun i => if Z.testbit z (2 * p - 3 - i) then 0 else first i) (1 + 1) (p - 1)).
  { replace (2 * p + 1) with (2 + (2 * p - 1)) by lia. replace (3 * p - 2) with (p - 1 + (2 * p - 1)) by lia. rewrite total_shift.
    apply total_ext. intros i Hi. unfold t. rewrite Tz, grid_reads_z by lia.
    replace (i + (2 * p - 1) - (2 * p - 3) - 2) with i by lia. replace (i + (2 * p - 1) - (2 * p - 1)) with i by lia. reflexivity. }
  assert (E : total t (3 * p - 2 + 1) (4 * p - 4) = total (fun i => if Z.testbit z (2 * p - 3 - i) then last i else 0) p (2 * p - 3)).
  { replace (3 * p - 2 + 1) with (p + (2 * p - 1)) by lia. replace (4 * p - 4) with (2 * p - 3 + (2 * p - 1)) by lia. rewrite total_shift.
    apply total_ext. intros i Hi. unfold t. rewrite Tzl, grid_reads_z by lia.
    replace (i + (2 * p - 1) - (2 * p - 3) - 2) with i by lia. replace (i + (2 * p - 1) - (2 * p - 1)) with i by lia. reflexivity. }
  assert (F : t (4 * p - 3) = 1) by (unfold t; apply Tc).
  rewrite (total_app (fun i => if Z.testbit z (2 * p - 3 - i) then 0 else first i) 1 1 (p - 1)) by lia. rewrite total_one.
  rewrite A, B, C, D, E, F. lia.
Qed.
