(* The proof of Grid.v, continued: what the two sums are, and what the output makes of them. *)
From Coq Require Import ZArith List Lia.
From EveryBitCounts Require Import Arithmetic Statement LowerHalf Grid Rounding Operations Counting GridSums GridProof.
Import ListNotations.
Local Open Scope Z_scope.

(* The first p - 1 bits and the last p - 2. *)
Definition front (p y : Z) : Z := y / 2 ^ (p - 2).
Definition back (p y : Z) : Z := y mod 2 ^ (p - 2).

Lemma front_bit p y i : 4 <= p -> 1 <= i <= p - 1 -> Z.testbit y (2 * p - 3 - i) = Z.testbit (front p y) (p - 1 - i).
Proof. intros Hp Hi. unfold front. rewrite Z.div_pow2_bits by lia. f_equal. lia. Qed.

Lemma front_bounds p y : 4 <= p -> 0 <= y < 2 ^ (2 * p - 3) -> 0 <= front p y < 2 ^ (p - 1).
Proof.
  intros Hp H. pose proof (pow_pos (p - 2)). pose proof (pow_split (p - 2) (2 * p - 3)) as S. replace (2 * p - 3 - (p - 2)) with (p - 1) in S by lia.
  unfold front. split; [apply Z.div_pos; lia|apply Z.div_lt_upper_bound; lia].
Qed.

Lemma back_bounds p y : 4 <= p -> 0 <= back p y < 2 ^ (p - 2).
Proof. intros Hp. apply Z.mod_pos_bound, pow_pos. lia. Qed.

Lemma front_and_back p y : 4 <= p -> y = 2 ^ (p - 2) * front p y + back p y.
Proof. intros Hp. pose proof (pow_pos (p - 2)). apply Z.div_mod. lia. Qed.

(* What the tokens add to the numerator and to the denominator. *)
Definition bits_of_first (p y : Z) (f : Z -> Z) : Z := total (fun i => if Z.testbit y (2 * p - 3 - i) then f i else 0) 1 (p - 1).
Definition rest_of_first (p z : Z) (f : Z -> Z) : Z := total (fun i => if Z.testbit z (2 * p - 3 - i) then 0 else f i) 1 (p - 1).

Lemma numerator_total p n y z : 4 <= p -> 4 * p - 2 <= n ->
  whole_total p n (product_level p) y z = bits_of_first p y (fun i => 2 ^ (p - 1 - i)) + rest_of_first p z (fun i => 2 ^ (p - 1 - i)) + 1.
Proof.
  intros Hp Hn. rewrite (parts p n (product_level p) (fun i => 2 ^ (p - 1 - i)) (fun _ => 0)); try exact Hp; try exact Hn.
  - unfold bits_of_first, rest_of_first. rewrite (total_zero (fun i => if Z.testbit y (2 * p - 3 - i) then 0 else 0)) by (intros i _; destruct (Z.testbit y (2 * p - 3 - i)); reflexivity).
    rewrite (total_zero (fun i => if Z.testbit z (2 * p - 3 - i) then 0 else 0)) by (intros i _; destruct (Z.testbit z (2 * p - 3 - i)); reflexivity). lia.
  - intros i b H. assert (E : grid_row p i b = nothing).
    { destruct (Z_le_gt_dec i 0) as [A|A]. apply row_start; lia. destruct (Z_le_gt_dec i (2 * p)) as [B|B]. apply row_between; lia. apply row_end; lia. }
    unfold product_level, weight_level. rewrite E. reflexivity.
  - intros i b H. unfold product_level, weight_level. rewrite row_first by lia. destruct b; [|reflexivity].
    rewrite first_half_weight. apply first_half_product.
  - intros i b H. unfold product_level. rewrite row_last by lia. destruct b; cbn [snd nothing]; lia.
  - intros b. unfold product_level, weight_level. rewrite row_z1 by lia. destruct b; [reflexivity|].
    rewrite first_half_weight. apply first_half_product.
  - intros i b H. unfold product_level, weight_level. rewrite row_z_first by lia. replace (i - (2 * p - 3) - 2) with (i - (2 * p - 1)) by lia.
    destruct b; [reflexivity|]. rewrite first_half_weight. apply first_half_product.
  - intros i b H. unfold product_level. rewrite row_z_last by lia. destruct b; cbn [snd nothing]; lia.
  - intros b. unfold product_level, weight_level. rewrite row_constant by lia. reflexivity.
Qed.

Lemma denominator_total p n y z : 4 <= p -> 4 * p - 2 <= n ->
  whole_total p n (weight_level p) y z =
    bits_of_first p y (weighs (p - 1)) + rest_of_first p z (weighs (p - 1)) + 1 + (2 ^ (p - 2) - 1 - back p y) + back p z.
Proof.
  intros Hp Hn. rewrite (parts p n (weight_level p) (weighs (p - 1)) (fun i => 2 ^ (2 * p - 3 - i))); try exact Hp; try exact Hn.
  - fold (bits_of_first p y (weighs (p - 1))). fold (rest_of_first p z (weighs (p - 1))).
    rewrite (complement_total (fun i => Z.testbit y (2 * p - 3 - i)) (fun i => 2 ^ (2 * p - 3 - i))).
    rewrite !digits_between, powers_between by lia. replace (2 * p - 3 - p + 1) with (p - 2) by lia.
    replace (2 * p - 3 - (2 * p - 3)) with 0 by lia. change (2 ^ 0) with 1. rewrite !Z.mod_1_r. unfold back. lia.
  - intros i b H. assert (E : grid_row p i b = nothing).
    { destruct (Z_le_gt_dec i 0) as [A|A]. apply row_start; lia. destruct (Z_le_gt_dec i (2 * p)) as [B|B]. apply row_between; lia. apply row_end; lia. }
    unfold weight_level. rewrite E. reflexivity.
  - intros i b H. unfold weight_level. rewrite row_first by lia. destruct b; [apply first_half_weight|reflexivity].
  - intros i b H. unfold weight_level. rewrite row_last by lia. destruct b; reflexivity.
  - intros b. unfold weight_level. rewrite row_z1 by lia. destruct b; [reflexivity|apply first_half_weight].
  - intros i b H. unfold weight_level. rewrite row_z_first by lia. replace (i - (2 * p - 3) - 2) with (i - (2 * p - 1)) by lia.
    destruct b; [reflexivity|apply first_half_weight].
  - intros i b H. unfold weight_level. rewrite row_z_last by lia. destruct b; [|reflexivity]. cbn [fst]. f_equal. lia.
  - intros b. unfold weight_level. rewrite row_constant by lia. reflexivity.
Qed.

Lemma first_bits_value p y : 4 <= p -> 0 <= y < 2 ^ (2 * p - 3) -> bits_of_first p y (fun i => 2 ^ (p - 1 - i)) = front p y.
Proof.
  intros Hp Hy. pose proof (front_bounds p y Hp Hy). unfold bits_of_first.
  rewrite (total_ext _ (fun i => if Z.testbit (front p y) (p - 1 - i) then 2 ^ (p - 1 - i) else 0)) by (intros i Hi; rewrite front_bit by lia; reflexivity).
  rewrite digits_between by lia. replace (p - 1 - 1 + 1) with (p - 1) by lia. replace (p - 1 - (p - 1)) with 0 by lia. change (2 ^ 0) with 1.
  rewrite Z.mod_1_r, Z.mod_small by lia. lia.
Qed.

Lemma rest_is_complement p z f : rest_of_first p z f = total f 1 (p - 1) - bits_of_first p z f.
Proof. apply (complement_total (fun i => Z.testbit z (2 * p - 3 - i)) f). Qed.

Lemma rest_value p z : 4 <= p -> 0 <= z < 2 ^ (2 * p - 3) -> rest_of_first p z (fun i => 2 ^ (p - 1 - i)) = 2 ^ (p - 1) - 1 - front p z.
Proof.
  intros Hp Hz. rewrite rest_is_complement, first_bits_value, powers_between by lia. replace (p - 1 - 1 + 1) with (p - 1) by lia.
  replace (p - 1 - (p - 1)) with 0 by lia. reflexivity.
Qed.

Lemma same_front p y z f : 4 <= p -> front p y = front p z -> bits_of_first p y f = bits_of_first p z f.
Proof. intros Hp E. apply total_ext. intros i Hi. rewrite !front_bit, E by lia. reflexivity. Qed.

(* The weights of the first bits are 0 only where their products are. *)
Lemma weights_bound p y z : 4 <= p ->
  bits_of_first p y (fun i => 2 ^ (p - 1 - i)) + rest_of_first p z (fun i => 2 ^ (p - 1 - i)) <=
  2 ^ (p - 1) * (bits_of_first p y (weighs (p - 1)) + rest_of_first p z (weighs (p - 1))).
Proof.
  intros Hp. unfold bits_of_first, rest_of_first. rewrite Z.mul_add_distr_l, <- !total_scaled.
  assert (B : forall i, 1 <= i <= p - 1 -> 2 ^ (p - 1 - i) <= 2 ^ (p - 1) * weighs (p - 1) i).
  { intros i Hi. pose proof (pow_le (p - 1 - i) (p - 1)). pose proof (weighs_positive (p - 1) i Hi). pose proof (pow_pos (p - 1)).
    pose proof (Z.mul_le_mono_nonneg_l 1 (weighs (p - 1) i) (2 ^ (p - 1))). lia. }
  apply Z.add_le_mono; apply total_le; intros i Hi; pose proof (B i Hi).
  - destruct (Z.testbit y (2 * p - 3 - i)); lia.
  - destruct (Z.testbit z (2 * p - 3 - i)); lia.
Qed.

Lemma weights_nonneg p y z : 4 <= p -> 0 <= bits_of_first p y (weighs (p - 1)) + rest_of_first p z (weighs (p - 1)).
Proof.
  intros Hp. assert (A : 0 <= bits_of_first p y (weighs (p - 1))).
  { apply total_nonneg. intros i Hi. pose proof (weighs_positive (p - 1) i Hi). destruct (Z.testbit y (2 * p - 3 - i)); lia. }
  assert (B : 0 <= rest_of_first p z (weighs (p - 1))).
  { apply total_nonneg. intros i Hi. pose proof (weighs_positive (p - 1) i Hi). destruct (Z.testbit z (2 * p - 3 - i)); lia. }
  lia.
Qed.

(* The output. *)
Lemma negative_exact p a : 0 <= a <= 2 ^ (p - 1) - 1 -> grid_round p (- a) 1 = Fin (- a).
Proof.
  intros H. unfold grid_round. cbv zeta. rewrite Z.abs_opp, Z.abs_eq, grid_whole by lia. destruct (Z.leb_spec a (2 ^ (p - 1) - 1)); [|lia].
  f_equal. destruct (Z.eq_dec a 0) as [A|A]; [subst a; reflexivity|]. rewrite Z.sgn_neg by lia. lia.
Qed.

Lemma levels_add p a b : Z.abs (a + b) <= 2 ^ (p - 1) - 1 -> grid_add p (Fin a) (Fin b) = Fin (a + b).
Proof. intros H. cbn [grid_add]. destruct (Z.leb_spec (Z.abs (a + b)) (2 ^ (p - 1) - 1)); [reflexivity|lia]. Qed.

Lemma output_of_quotient p n d q : 4 <= p -> grid_div p n d = Fin q -> 0 <= q <= 2 ^ (p - 1) - 2 -> grid_output p n d = Fin 0.
Proof.
  intros Hp E Hq. pose proof (top_big p Hp) as T. unfold grid_output. rewrite E. cbv zeta. cbn [grid_mul].
  replace (-1 * q) with (- q) by lia. rewrite negative_exact by lia. rewrite levels_add by lia. rewrite levels_add by lia.
  cbn [rectified]. destruct (Z.ltb_spec 0 (0 + - q + (2 ^ (p - 1) - 1))); [|lia]. cbn [grid_mul].
  replace (-1 * (0 + - q + (2 ^ (p - 1) - 1))) with (- (2 ^ (p - 1) - 1 - q)) by lia. rewrite negative_exact by lia.
  rewrite levels_add by lia. rewrite levels_add by lia. cbn [rectified].
  destruct (Z.ltb_spec 0 (0 + - (2 ^ (p - 1) - 1 - q) + 1)); [lia|reflexivity].
Qed.

Lemma quotient_small p n d : 4 <= p -> 1 <= n <= 2 ^ (p - 1) - 1 -> 1 <= d -> (d = 1 -> n = 1) ->
  exists q, grid_div p (Fin n) (Fin d) = Fin q /\ 0 <= q <= 2 ^ (p - 1) - 2.
Proof.
  intros Hp Hn Hd H1. pose proof (top_big p Hp) as T.
  assert (E : grid_div p (Fin n) (Fin d) = grid_round p (n * Z.sgn d) (Z.abs d)) by (destruct d; [lia|reflexivity|lia]).
  rewrite E, Z.sgn_pos, Z.mul_1_r, Z.abs_eq by lia. destruct (to_grid_bounds n d 1) as (k & K & K0 & B); [lia|lia|lia|]. rewrite !Z.mul_1_r in *.
  assert (Small : k <= 2 ^ (p - 1) - 2).
  { destruct (Z.eq_dec d 1) as [D|D]; [subst d; lia|]. destruct (Z.eq_dec k 0) as [Kz|Kz]; [lia|].
    pose proof (Z.mul_le_mono_nonneg_l 2 d (2 * k - 1)). lia. }
  exists k. split; [|lia]. unfold grid_round. cbv zeta. rewrite Z.abs_eq, K by lia. destruct (Z.leb_spec k (2 ^ (p - 1) - 1)); [|lia].
  rewrite Z.sgn_pos by lia. f_equal. lia.
Qed.

Lemma output_of_infinity p d : 4 <= p -> 1 <= d -> grid_output p PInf (Fin d) = Fin 1.
Proof.
  intros Hp Hd. pose proof (top_big p Hp) as T. unfold grid_output.
  assert (E : grid_div p PInf (Fin d) = PInf) by (cbn [grid_div]; destruct (Z.ltb_spec d 0); [lia|reflexivity]).
  rewrite E. cbv zeta. change (grid_mul p (Fin (-1)) PInf) with NInf.
  change (rectified (grid_add p (grid_add p (Fin 0) NInf) (Fin (2 ^ (p - 1) - 1)))) with (Fin 0). cbn [grid_mul].
  change (-1 * 0) with (- 0). rewrite negative_exact by lia. rewrite levels_add by lia. rewrite levels_add by lia. reflexivity.
Qed.

(* Both sums, and the output for y <= z. *)
Lemma grid_sums p n y z : 4 <= p -> 4 * p - 2 <= n -> 0 <= y -> y <= z -> z < 2 ^ (2 * p - 3) ->
  let N := running (grid_add p) (grid_product p) (2 * p - 3) n y z in
  let D := running (grid_add p) (grid_weight p) (2 * p - 3) n y z in
  grid_output p N D = Fin 1 /\ y = z \/ (grid_output p N D = Fin 0 \/ grid_output p N D = NaN) /\ y <> z.
Proof.
  intros Hp Hn Hy Hyz Hz. cbv zeta. pose proof (top_big p Hp) as T.
  assert (RN : running (grid_add p) (grid_product p) (2 * p - 3) n y z = capped p (whole_total p n (product_level p) y z)).
  { apply (capped_total p (fun i => grid_product p i (T1 (2 * p - 3) y z i))); [lia|]. intros i _. apply product_of_token. exact Hp. }
  assert (RD : running (grid_add p) (grid_weight p) (2 * p - 3) n y z = capped p (whole_total p n (weight_level p) y z)).
  { apply (capped_total p (fun i => grid_weight p i (T1 (2 * p - 3) y z i))); [lia|]. intros i _. apply weight_of_token. exact Hp. }
  rewrite RN, RD, numerator_total, denominator_total by assumption.
  pose proof (weights_bound p y z Hp) as WB. pose proof (weights_nonneg p y z Hp) as W0.
  rewrite first_bits_value, rest_value in * by lia.
  pose proof (front_bounds p y Hp) as Fy. pose proof (front_bounds p z Hp) as Fz. pose proof (back_bounds p y Hp) as By. pose proof (back_bounds p z Hp) as Bz.
  pose proof (front_and_back p y Hp) as Ey. pose proof (front_and_back p z Hp) as Ez.
  assert (M : front p y <= front p z) by (apply Z.div_le_mono; lia).
  set (w := bits_of_first p y (weighs (p - 1)) + rest_of_first p z (weighs (p - 1))) in *.
  destruct (Z.eq_dec (front p y) (front p z)) as [S|S].
  - assert (W : w = 2 ^ (p - 2) - 1).
    { unfold w. rewrite rest_is_complement, weighs_total, (same_front p y z) by assumption. lia. }
    assert (N : capped p (front p y + (2 ^ (p - 1) - 1 - front p z) + 1) = PInf).
    { unfold capped. destruct (Z.leb_spec (front p y + (2 ^ (p - 1) - 1 - front p z) + 1) (2 ^ (p - 1) - 1)); [lia|reflexivity]. }
    rewrite N. unfold capped. destruct (Z.leb_spec (w + 1 + (2 ^ (p - 2) - 1 - back p y) + back p z) (2 ^ (p - 1) - 1)) as [D|D].
    + left. split; [apply output_of_infinity; lia|]. rewrite S in Ey. lia.
    + right. split; [right; reflexivity|]. intros X. rewrite X in D. lia.
  - right. split; [left|intros X; rewrite X in S; lia].
    assert (N : capped p (front p y + (2 ^ (p - 1) - 1 - front p z) + 1) = Fin (front p y + (2 ^ (p - 1) - 1 - front p z) + 1)).
    { unfold capped. destruct (Z.leb_spec (front p y + (2 ^ (p - 1) - 1 - front p z) + 1) (2 ^ (p - 1) - 1)); [reflexivity|lia]. }
    rewrite N. unfold capped at 1. destruct (Z.leb_spec (w + 1 + (2 ^ (p - 2) - 1 - back p y) + back p z) (2 ^ (p - 1) - 1)) as [D|D].
    + destruct (quotient_small p (front p y + (2 ^ (p - 1) - 1 - front p z) + 1) (w + 1 + (2 ^ (p - 2) - 1 - back p y) + back p z)) as (q & Q & B); try lia.
      * intros X. assert (w = 0) by lia. rewrite H, Z.mul_0_r in WB. lia.
      * apply (output_of_quotient p _ _ q); assumption.
    + apply (output_of_quotient p _ _ 0); [exact Hp|reflexivity|lia].
Qed.

Theorem grid_witness_computes_equality : one_bit_more_suffices.
Proof.
  intros p n Hp Hn. split.
  - intros y z Hy Hyz Hz. pose proof (grid_sums p n y z Hp Hn Hy Hyz Hz) as S. cbv zeta in S. unfold grid_answer.
    destruct S as [[S E]|[[S|S] E]]; rewrite S; destruct (Z.eqb_spec y z); reflexivity || contradiction.
  - intros y z Hy Hyz Hz. pose proof (grid_sums p n y z Hp Hn Hy) as S. cbv zeta in *. destruct S as [[_ E]|[S _]]; [lia|exact Hz|lia|exact S].
Qed.
