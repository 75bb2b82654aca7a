(* Theorem 2.4 with fixed splits: the answers, and the count of the lower half. *)
From Coq Require Import ZArith List Lia.
From EveryBitCounts Require Import Arithmetic Statement LowerHalf FixedSplit Rounding Operations Tokens Denominator Numerator Counting SplitSums SplitProof.
Import ListNotations.
Local Open Scope Z_scope.

(* Bounds on results of at least 0. *)
Lemma split_at_least p s n d k : 1 <= p -> 0 <= s -> 0 < d -> 0 <= k -> k * 2 ^ s * d <= n -> at_least (split_round p s n d) (k * 2 ^ s).
Proof.
  intros Hp Hs Hd Hk H. pose proof (pow_pos s Hs) as P. unfold split_round. cbv zeta. set (f := 2 ^ s) in *. assert (Hc : 0 < d * f) by (apply Z.mul_pos_pos; lia).
  assert (Hkf : 0 <= k * f) by (apply Z.mul_nonneg_nonneg; lia). assert (Hn : 0 <= n) by (pose proof (Z.mul_nonneg_nonneg (k * f) d); lia).
  destruct (to_grid_bounds (Z.abs n) d f) as (l & L & L0 & B); try lia. rewrite L.
  assert (G : (2 * k) * (d * f) < (2 * l + 2) * (d * f)) by lia. apply Z.mul_lt_mono_pos_r in G; [|exact Hc].
  assert (M : k * f <= l * f) by (apply Z.mul_le_mono_nonneg_r; lia).
  destruct (Z.leb_spec (l * f) ((Q p - 1) * f)); cbn [at_least].
  - destruct (Z.eq_dec n 0) as [N|N]; [|rewrite Z.sgn_pos by lia; lia]. subst n. cbn [Z.sgn]. lia.
  - destruct (Z.ltb_spec n 0); [lia|exact I].
Qed.

Lemma split_at_most p s n d k : 1 <= p -> 0 <= s -> 0 < d -> 0 <= k -> n <= - (k * 2 ^ s) * d -> at_most (split_round p s n d) (- (k * 2 ^ s)).
Proof.
  intros Hp Hs Hd Hk H. pose proof (pow_pos s Hs) as P. unfold split_round. cbv zeta. set (f := 2 ^ s) in *. assert (Hc : 0 < d * f) by (apply Z.mul_pos_pos; lia).
  assert (Hkf : 0 <= k * f) by (apply Z.mul_nonneg_nonneg; lia). assert (Hn : n <= 0) by (pose proof (Z.mul_nonneg_nonneg (k * f) d); lia).
  destruct (to_grid_bounds (Z.abs n) d f) as (l & L & L0 & B); try lia. rewrite L.
  assert (G : (2 * k) * (d * f) < (2 * l + 2) * (d * f)) by lia. apply Z.mul_lt_mono_pos_r in G; [|exact Hc].
  assert (M : k * f <= l * f) by (apply Z.mul_le_mono_nonneg_r; lia).
  destruct (Z.eq_dec n 0) as [N|N].
  - subst n. assert (K0 : k * f * d <= 0) by lia. assert (K1 : k * f = 0) by (destruct (Z.eq_dec (k * f) 0); [assumption|pose proof (Z.mul_pos_pos (k * f) d); lia]).
    cbn [Z.abs Z.sgn] in *. assert (L1 : (2 * l - 1) * (d * f) < 0 * (d * f)) by lia. apply Z.mul_lt_mono_pos_r in L1; [|exact Hc]. assert (L2 : l = 0) by lia. subst l.
    destruct (Z.leb_spec (0 * f) ((Q p - 1) * f)) as [X|X]; [cbn; lia|]. exfalso. pose proof (Q_pos p Hp). pose proof (Z.mul_nonneg_nonneg (Q p - 1) f). lia.
  - destruct (l * f <=? (Q p - 1) * f); cbn [at_most].
    + rewrite Z.sgn_neg by lia. lia.
    + destruct (Z.ltb_spec n 0); [exact I|lia].
Qed.

(* What the MLP makes of the quotient. *)
Definition mlp (p : Z) (x : num) : num :=
  let h := rectified (split_add p 0 (split_add p 0 (Fin 0) (split_mul p 0 (whole p (-2)) x)) (Fin 2)) in
  let y := split_add p (p - 1) (Fin 0) (split_mul p (p - 1) (whole p (- 2 ^ (p - 2))) h) in
  rectified (split_add p (p - 1) y (whole p 1)).

Lemma output_at_most p y : 3 <= p -> at_most y (- Q p) -> rectified (split_add p (p - 1) (split_add p (p - 1) (Fin 0) y) (whole p 1)) = Fin 0.
Proof.
  intros Hp H. pose proof (Q_pos p) as HQ. destruct y as [k| | |]; cbn [at_most] in H; try contradiction; [|reflexivity].
  assert (A : at_most (split_add p (p - 1) (Fin 0) (Fin k)) (- (1 * 2 ^ (p - 1)))) by (apply split_at_most; fold (Q p); lia). fold (Q p) in A.
  set (g := split_add p (p - 1) (Fin 0) (Fin k)) in *. destruct g as [l| | |]; cbn [at_most] in A; try contradiction; [|reflexivity].
  assert (B : at_most (split_add p (p - 1) (Fin l) (whole p 1)) (- (0 * 2 ^ (p - 1)))) by (apply split_at_most; lia). rewrite Z.mul_0_l in B.
  apply rectified_at_most. exact B.
Qed.

Lemma weighted_at_least p x : 3 <= p -> at_least x 2 -> at_most (split_mul p (p - 1) (whole p (- 2 ^ (p - 2))) x) (- Q p).
Proof.
  intros Hp H. pose proof (Q_two p) as Q2. pose proof (pow_pos (p - 2)) as P2. destruct x as [h| | |]; cbn [at_least] in H; try contradiction.
  - unfold split_mul, whole. assert (A : at_most (split_round p (p - 1) (- 2 ^ (p - 2) * Q p * h) (Q p)) (- (1 * 2 ^ (p - 1)))).
    { apply split_at_most; try lia. fold (Q p). assert (A : 2 ^ (p - 2) * Q p * 2 <= 2 ^ (p - 2) * Q p * h) by (apply Z.mul_le_mono_nonneg_l; lia).
      assert (B : Q p * Q p = 2 ^ (p - 2) * Q p * 2) by (rewrite Q2 at 1 by lia; ring). lia. }
    fold (Q p) in A. rewrite Z.mul_1_l in A. exact A.
  - unfold whole, split_mul, sign. rewrite Z.sgn_neg by (apply Z.mul_neg_pos; lia). exact I.
Qed.

Lemma rejects_at_most p x : 3 <= p -> at_most x 0 -> mlp p x = Fin 0.
Proof.
  intros Hp H. pose proof (Q_pos p) as HQ. unfold mlp. cbv zeta. apply output_at_most; [assumption|]. apply weighted_at_least; [assumption|].
  assert (A : at_least (split_mul p 0 (whole p (-2)) x) 0).
  { destruct x as [t| | |]; cbn [at_most] in H; try contradiction.
    - unfold split_mul, whole. change 0 with (0 * 2 ^ 0) at 2. apply split_at_least; lia.
    - unfold split_mul, whole, sign. rewrite Z.sgn_neg by lia. exact I. }
  set (g := split_mul p 0 (whole p (-2)) x) in *.
  assert (B : at_least (split_add p 0 (Fin 0) g) 0).
  { destruct g as [t| | |]; cbn [at_least] in A; try contradiction; [|exact I]. cbn [split_add]. change 0 with (0 * 2 ^ 0) at 3. apply split_at_least; lia. }
  set (l := split_add p 0 (Fin 0) g) in *.
  assert (C : at_least (split_add p 0 l (Fin 2)) 2).
  { destruct l as [t| | |]; cbn [at_least] in B; try contradiction; [|exact I]. cbn [split_add]. change 2 with (2 * 2 ^ 0) at 2. apply split_at_least; lia. }
  rewrite (rectified_at_least _ 2); [exact C|lia|exact C].
Qed.

Lemma accepts_one p x : 3 <= p -> x = Fin 1 \/ x = PInf -> mlp p x = whole p 1.
Proof.
  intros Hp H. pose proof (Q_two p) as Q2. pose proof (pow_succ (p - 2)) as P3. pose proof (pow_pos (p - 2 - 1)) as P4.
  assert (A : rectified (split_add p 0 (split_add p 0 (Fin 0) (split_mul p 0 (whole p (-2)) x)) (Fin 2)) = Fin 0).
  { destruct H as [H|H]; subst x.
    - unfold split_mul, whole. replace (-2 * Q p * 1) with (-2 * 2 ^ 0 * Q p) by (change (2 ^ 0) with 1; ring). rewrite split_exact by lia.
      change (-2 * 2 ^ 0) with (-2). rewrite !split_sum by lia. reflexivity.
    - unfold split_mul, whole, sign. rewrite Z.sgn_neg by lia. reflexivity. }
  assert (B : split_mul p (p - 1) (whole p (- 2 ^ (p - 2))) (Fin 0) = Fin 0).
  { unfold split_mul, whole. rewrite Z.mul_0_r. pose proof (split_exact p (p - 1) 0 (Q p)) as E. rewrite !Z.mul_0_l in E. apply E; lia. }
  assert (C : split_add p (p - 1) (Fin 0) (Fin 0) = Fin 0).
  { pose proof (split_exact p (p - 1) 0 1) as E. rewrite !Z.mul_0_l in E. apply E; lia. }
  assert (D : split_add p (p - 1) (Fin 0) (whole p 1) = Fin (1 * Q p)).
  { unfold whole. cbn [split_add]. replace (0 + 1 * Q p) with (1 * 2 ^ (p - 1) * 1) by (fold (Q p); lia). apply split_exact; lia. }
  unfold mlp. cbv zeta. rewrite A, B, C, D. cbn [rectified]. destruct (Z.ltb_spec 0 (1 * Q p)); [reflexivity|lia].
Qed.

(* The division. *)
Lemma split_div_finite p a b : 0 < b -> split_div p 0 (Fin a) (Fin b) = split_round p 0 (a * Q p) b.
Proof. intros H. destruct b as [|b|b]; try lia. cbn [split_div]. change (Z.sgn (Z.pos b)) with 1. change (Z.abs (Z.pos b)) with (Z.pos b). f_equal. lia. Qed.

Lemma split_quotient_equal p : 3 <= p -> split_round p 0 (2 ^ (p - 2) * Q p) (largest p) = Fin 1.
Proof.
  intros Hp. pose proof (Q_two p) as Q2. pose proof (pow_succ (p - 2)) as P3. pose proof (pow_pos (p - 2 - 1)) as P4.
  assert (HH : Q p * Q p = 2 * (2 ^ (p - 2) * Q p)) by (rewrite Q2 at 1 by lia; ring). assert (HL : largest p = Q p * Q p - Q p) by (unfold largest; ring).
  assert (H4 : 4 * Q p <= Q p * Q p) by (apply Z.mul_le_mono_nonneg_r; lia).
  unfold split_round. cbv zeta. change (2 ^ 0) with 1. destruct (to_grid_bounds (Z.abs (2 ^ (p - 2) * Q p)) (largest p) 1) as (l & L & L0 & B); try lia.
  assert (M : l = 1) by (apply (grid_unique l 1 (largest p * 1) (Z.abs (2 ^ (p - 2) * Q p))); lia). rewrite L, M.
  destruct (Z.leb_spec (1 * 1) ((Q p - 1) * 1)); [|lia]. rewrite Z.sgn_pos by lia. reflexivity.
Qed.

Lemma split_quotient_less p k : 3 <= p -> k <= 2 ^ (p - 2) - 1 -> at_most (split_round p 0 (k * Q p) (largest p)) 0.
Proof.
  intros Hp HK. pose proof (Q_two p) as Q2. pose proof (pow_succ (p - 2)) as P3. pose proof (pow_pos (p - 2 - 1)) as P4.
  assert (HL : largest p = Q p * Q p - Q p) by (unfold largest; ring). assert (H4 : 4 * Q p <= Q p * Q p) by (apply Z.mul_le_mono_nonneg_r; lia).
  destruct (Z_le_gt_dec k 0) as [N|N].
  - change 0 with (- (0 * 2 ^ 0)) at 2. apply split_at_most; lia.
  - assert (HH : Q p * Q p = 2 * (2 ^ (p - 2) * Q p)) by (rewrite Q2 at 1 by lia; ring). assert (HB : k * Q p <= (2 ^ (p - 2) - 1) * Q p) by (apply Z.mul_le_mono_nonneg_r; lia).
    pose proof (Z.mul_pos_pos k (Q p)). unfold split_round. cbv zeta. change (2 ^ 0) with 1.
    destruct (to_grid_bounds (Z.abs (k * Q p)) (largest p) 1) as (l & L & L0 & B); try lia.
    assert (M : l = 0) by (apply (grid_unique l 0 (largest p * 1) (Z.abs (k * Q p))); lia). rewrite L, M.
    destruct (Z.leb_spec (0 * 1) ((Q p - 1) * 1)); [|lia]. cbn [at_most]. lia.
Qed.

Definition output_of_pair (p n y z : Z) : num :=
  split_output p (running (split_add p 0) (split_product p) (2 * p - 1) n y z) (running (split_add p (p - 1)) (split_weight p) (2 * p - 1) n y z).

Lemma split_outputs p n y z : 3 <= p -> 4 * p + 2 <= n -> 0 <= y -> y <= z -> z < 2 ^ (2 * p - 1) ->
  if y =? z then output_of_pair p n y z = whole p 1 else output_of_pair p n y z = Fin 0 \/ output_of_pair p n y z = NaN.
Proof.
  intros Hp Hn Hy Hyz Hz. change (output_of_pair p n y z) with
    (mlp p (split_div p 0 (go (split_add p 0) (product_of p y z) (-1) (n - 1) (Fin 0)) (go (split_add p (p - 1)) (weight_of p y z) (-1) (n - 1) (Fin 0)))).
  rewrite split_denominator by assumption. destruct (split_numerator p n y z Hp Hn) as [NE NL].
  set (N := go (split_add p 0) (product_of p y z) (-1) (n - 1) (Fin 0)) in *. pose proof (high_le p y z) as HL.
  pose proof (Q_two p) as Q2. pose proof (pow_succ (p - 2)) as P3. pose proof (pow_pos (p - 2 - 1)) as P4.
  assert (LP : 0 < largest p) by (apply Z.mul_pos_pos; lia).
  destruct (Z.eq_dec (high p y) (high p z)) as [E|E].
  - rewrite E. replace (Q p - 1 - high p z + high p z) with (Q p - 1) by lia.
    assert (C : cap p (Q p - 1) = Fin (largest p)). { unfold cap. destruct (Z.ltb_spec (Q p - 1) (Q p)); [reflexivity|lia]. }
    rewrite C. destruct (Z.eqb_spec y z) as [A|A].
    + apply accepts_one; [assumption|]. subst z. destruct (NE eq_refl) as [F|F]; rewrite F.
      * left. rewrite split_div_finite by lia. apply split_quotient_equal. assumption.
      * right. unfold split_div. destruct (largest p) as [|b|b]; try lia. reflexivity.
    + left. apply rejects_at_most; [assumption|]. assert (LL : low p y < low p z).
      { pose proof (Z.div_mod y (2 ^ p)) as DY. pose proof (Z.div_mod z (2 ^ p)) as DZ. pose proof (pow_pos p). unfold high, low in *. rewrite E in DY. lia. }
      specialize (NL LL). destruct N as [k| | |]; cbn [at_most] in NL; try contradiction.
      * rewrite split_div_finite by lia. apply split_quotient_less; assumption.
      * unfold split_div. destruct (largest p) as [|b|b]; try lia. exact I.
  - assert (C : cap p (Q p - 1 - high p y + high p z) = PInf). { unfold cap. destruct (Z.ltb_spec (Q p - 1 - high p y + high p z) (Q p)); [lia|reflexivity]. }
    rewrite C. destruct (Z.eqb_spec y z) as [A|A]. subst z. lia.
    destruct N as [k| | |]; [left|right; reflexivity|right; reflexivity|right; reflexivity]. unfold split_div. apply rejects_at_most; [assumption|]. cbn. lia.
Qed.

Theorem split_upper : split_upper_half.
Proof.
  intros p n Hp Hn. split.
  - intros y z Hy Hyz Hz. pose proof (split_outputs p n y z Hp Hn Hy Hyz Hz) as O. pose proof (Q_pos p) as HQ. unfold split_answer.
    fold (output_of_pair p n y z). destruct (y =? z).
    + rewrite O. apply Z.eqb_eq. lia.
    + destruct O as [O|O]; rewrite O; [|reflexivity]. apply Z.eqb_neq. lia.
  - intros y z Hy Hyz Hz. pose proof (split_outputs p n y z Hp Hn Hy (Z.lt_le_incl _ _ Hyz) Hz) as O. cbv zeta. fold (output_of_pair p n y z).
    destruct (Z.eqb_spec y z); [lia|]. exact O.
Qed.

(* The lower half, by counting as on a grid. *)
Definition scaled (s k : Z) : num := Fin (k * 2 ^ s).
Definition split_numerators (q s : Z) : list num := PInf :: NInf :: NaN :: map (scaled s) (range (- (2 ^ (q - 1) - 1)) (2 ^ (q - 1) - 1)).
Definition split_denominators (q s : Z) : list num := PInf :: NaN :: map (scaled s) (range 0 (2 ^ (q - 1) - 1)).

Lemma split_round_cases q s n : 1 <= q -> 0 <= s -> exists l, 0 <= l <= 2 ^ (q - 1) - 1 /\
  (split_round q s n 1 = scaled s (Z.sgn n * l) \/ split_round q s n 1 = if n <? 0 then NInf else PInf).
Proof.
  intros Hq Hs. pose proof (pow_pos s Hs) as P. pose proof (pow_pos (q - 1)) as P2. unfold split_round. cbv zeta.
  destruct (to_grid_bounds (Z.abs n) 1 (2 ^ s)) as (l & L & L0 & B); try lia. rewrite L.
  destruct (Z.leb_spec (l * 2 ^ s) ((Q q - 1) * 2 ^ s)) as [X|X].
  - apply Z.mul_le_mono_pos_r in X; [|exact P]. exists l. split; [unfold Q in X; lia|]. left. unfold scaled. f_equal. ring.
  - exists 0. split; [lia|right; reflexivity].
Qed.

Lemma in_split_numerators q s x y : 1 <= q -> 0 <= s -> In (split_add q s x y) (split_numerators q s).
Proof.
  intros Hq Hs. unfold split_numerators, split_add. destruct x as [a| | |]; destruct y as [b| | |]; cbn [In]; try tauto.
  destruct (split_round_cases q s (a + b) Hq Hs) as (l & L & [R|R]); rewrite R.
  - right. right. right. apply in_map, range_in. destruct (Z.sgn_spec (a + b)) as [[A B]|[[A B]|[A B]]]; rewrite B; lia.
  - destruct (a + b <? 0); tauto.
Qed.

Lemma in_split_denominators q s x y : 1 <= q -> 0 <= s -> In x (split_denominators q s) -> nonnegative y -> In (split_add q s x y) (split_denominators q s).
Proof.
  intros Hq Hs X Y. pose proof (pow_pos s Hs) as P. assert (N : nonnegative x).
  { unfold split_denominators in X. cbn [In] in X. destruct X as [X|[X|X]]; [subst x; exact I|subst x; exact I|].
    apply in_map_iff in X. destruct X as (k & E & K). apply in_range in K. subst x. cbn [nonnegative scaled]. apply Z.mul_nonneg_nonneg; lia. }
  unfold split_denominators, split_add. destruct x as [a| | |]; destruct y as [b| | |]; cbn [In nonnegative] in *; try tauto.
  destruct (split_round_cases q s (a + b) Hq Hs) as (l & L & [R|R]); rewrite R.
  - right. right. apply in_map, range_in. destruct (Z.sgn_spec (a + b)) as [[A B]|[[A B]|[A B]]]; rewrite B; lia.
  - destruct (Z.ltb_spec (a + b) 0); [lia|tauto].
Qed.

Theorem split_lower : split_lower_half.
Proof.
  intros p n s t product weight answer Hp Hn Hs Ht W H. pose proof (pow_pos (p - 2)) as P.
  assert (L : 2 ^ (2 * p - 1) <= Z.of_nat (length (split_numerators (p - 1) s)) * Z.of_nat (length (split_denominators (p - 1) t))).
  { apply (messages_needed (split_add (p - 1) s) (split_add (p - 1) t) product weight answer (2 * p - 1) n); try lia.
    - split; [|intros; apply in_split_numerators; lia]. right. right. right. apply in_map_iff. exists 0. split; [reflexivity|].
      apply range_in. replace (p - 1 - 1) with (p - 2) by lia. lia.
    - split; [|intros; apply in_split_denominators; lia || assumption || apply W]. right. right. apply in_map_iff. exists 0. split; [reflexivity|].
      apply range_in. replace (p - 1 - 1) with (p - 2) by lia. lia.
    - exact H. }
  unfold split_numerators, split_denominators in L. cbn [length] in L. rewrite !map_length, !range_length in L. replace (p - 1 - 1) with (p - 2) in L by lia.
  assert (E : 2 ^ (2 * p - 1) = 8 * (2 ^ (p - 2) * 2 ^ (p - 2))). { change 8 with (2 ^ 3). rewrite <- !Z.pow_add_r by lia. f_equal. lia. }
  assert (P2 : 2 <= 2 ^ (p - 2)) by (change 2 with (2 ^ 1) at 1; apply pow_le; lia). set (h := 2 ^ (p - 2)) in *.
  assert (A : 2 * h <= h * h) by (apply Z.mul_le_mono_nonneg_r; lia).
  replace (Z.of_nat (S (S (S (Z.to_nat (h - 1 - - (h - 1) + 1)))))) with (2 * h + 2) in L by lia.
  replace (Z.of_nat (S (S (Z.to_nat (h - 1 - 0 + 1))))) with (h + 2) in L by lia. lia.
Qed.

Theorem both_halves : theorem_2_4_with_fixed_splits.
Proof. split; [exact split_lower|exact split_upper]. Qed.
