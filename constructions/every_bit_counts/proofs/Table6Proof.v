(* The proof of Table6.v: what the two sums are, the division and the MLP. *)
From Coq Require Import ZArith List Lia.
From EveryBitCounts Require Import Arithmetic Statement Rounding Operations Tokens Denominator Numerator Answer Proof Table6 Table6Tokens Table6Denominator Table6Numerator.
Import ListNotations.
Local Open Scope Z_scope.

Lemma table_6_first p i b : first (corrected_row p i b) = whole p 1.
Proof.
  unfold corrected_row, unused, token. cbv zeta. destruct (i =? -1); [reflexivity|]. destruct (i <=? 2); [reflexivity|]. destruct (i <=? 6); [reflexivity|].
  destruct (i <=? p); [reflexivity|]. destruct (i <=? 2 * p - 1); [destruct b; reflexivity|]. destruct (i <=? 2 * p - 1 + 2); [reflexivity|].
  destruct (i =? 2 * p - 1 + 3); [reflexivity|]. destruct (i =? 2 * p - 1 + 4); [reflexivity|]. destruct (i <=? 2 * p - 1 + 8); [reflexivity|].
  destruct (i <=? 2 * p - 1 + p + 2); [reflexivity|]. destruct (i <=? 2 * (2 * p - 1) + 2); [destruct b; reflexivity|].
  destruct (i =? 2 * (2 * p - 1) + 3); reflexivity.
Qed.

(* The numerator: 1 or infinite where the first bits agree, at most 0 where y's are smaller. *)
Definition numerator_of (p : Z) (T : transformer) (o : order) : num :=
  match o with matrix_order => numerator_by_columns p T | token_order => numerator_by_tokens p T end.

Lemma add_nonpositive p x : 2 <= p -> at_most x 0 -> at_most (add p (Fin 0) x) 0.
Proof.
  intros Hp H. pose proof (Q_pos p). destruct x as [k| | |]; cbn [at_most] in H; try contradiction; [|exact I]. cbn [add].
  apply round_at_most_neg; try lia. apply representable_small; lia.
Qed.

Lemma mul_nonpositive p x w : 2 <= p -> 0 < w -> at_most x 0 -> at_most (mul p x (whole p w)) 0.
Proof.
  intros Hp Hw H. pose proof (Q_pos p) as HQ. pose proof (Z.mul_pos_pos w (Q p)) as WQ. destruct x as [k| | |]; cbn [at_most] in H; try contradiction.
  - unfold whole, mul. apply (round_at_most_neg p _ _ 0); try lia; try (apply representable_small; lia);
      try (rewrite Z.mul_0_l; apply Z.mul_nonpos_nonneg; lia).
  - unfold whole, mul, sign. rewrite (Z.sgn_pos (w * Q p)) by lia. exact I.
Qed.

Theorem numerator_value_6 o p n y z : 7 <= p -> 4 * p + 2 <= n -> 0 <= y -> y <= z -> z < 2 ^ (2 * p - 1) ->
  let N := numerator_of p (corrected_table_6 p n y z) o in
  (high (p - 1) y = high (p - 1) z -> N = whole p 1 \/ N = PInf) /\ (high (p - 1) y <> high (p - 1) z -> at_most N 0).
Proof.
  intros Hp Hn Hy Hyz Hz. cbv zeta. set (T := corrected_table_6 p n y z). pose proof (Q_pos p) as HQ. pose proof (Q_two p) as Q2. pose proof (pow_pos (p - 2)) as PP.
  assert (HT : asks_one p T) by apply table_6_first. assert (HV : halves_values p T) by (split; [exact HT|reflexivity]).
  destruct o.
  - assert (E : column p T 0 = run p (fun i => entry p T (corrected_row p i (T1 (2 * p - 1) y z i))) (-1) (n - 1) (Fin 0)).
    { unfold column, run, sum. f_equal. change (tokens T) with (map (fun i => corrected_row p i (T1 (2 * p - 1) y z i)) (range (-1) (n - 1))). rewrite map_map. reflexivity. }
    assert (NC : numerator_of p T matrix_order = add p (Fin 0) (mul p (column p T 0) (whole p (2 ^ (p - 2))))) by reflexivity.
    rewrite NC, E. destruct (numerator_6 p (Q p) 2 (fun i => entry p T (corrected_row p i (T1 (2 * p - 1) y z i))) y z n) as [A B]; try assumption.
    + apply steps_of_two. exact Hp.
    + intros i Hi. rewrite (entry_6 p T _ (weight_6 p y z i) (half_6 p y z i)); [f_equal; lia|]. apply token_6; assumption.
    + split; intros H.
      * left. destruct (A H) as [A1|[A1 _]]; [|lia]. rewrite A1.
        rewrite mul_whole; [|lia|apply representable_small; lia]. rewrite add_exact; [unfold whole; f_equal; lia|lia|]. apply representable_small; lia.
      * apply add_nonpositive; [lia|]. apply mul_nonpositive; [lia|lia|]. apply B, H.
  - assert (E : numerator_of p T token_order = run p (fun i => product p T (corrected_row p i (T1 (2 * p - 1) y z i))) (-1) (n - 1) (Fin 0)).
    { unfold numerator_of, numerator_by_tokens, run, sum. f_equal.
      change (tokens T) with (map (fun i => corrected_row p i (T1 (2 * p - 1) y z i)) (range (-1) (n - 1))). rewrite map_map. reflexivity. }
    rewrite E. destruct (numerator_6 p (Q p - 1) (Q p) (fun i => product p T (corrected_row p i (T1 (2 * p - 1) y z i))) y z n) as [A B]; try assumption.
    + apply steps_of_whole. exact Hp.
    + intros i Hi. apply (product_6 p T _ (weight_6 p y z i)); try assumption; [apply token_6; assumption|]. apply half_6_bound; assumption.
    + split; intros H; [|apply B, H]. destruct (A H) as [A1|[_ A1]]; rewrite A1; [left|right; reflexivity]. unfold whole. f_equal. lia.
Qed.

Theorem denominator_value_6 p n y z : 7 <= p -> 4 * p + 2 <= n -> let D := denominator p (corrected_table_6 p n y z) in
  (low (p - 1) y = low (p - 1) z -> D = Fin (largest p)) /\ above p (Q p - 1 - low (p - 1) y + low (p - 1) z) D.
Proof.
  intros Hp Hn. cbv zeta. set (T := corrected_table_6 p n y z).
  assert (E : denominator p T = run p (fun i => weight p T (corrected_row p i (T1 (2 * p - 1) y z i))) (-1) (n - 1) (Fin 0)).
  { unfold denominator, run, sum. f_equal. change (tokens T) with (map (fun i => corrected_row p i (T1 (2 * p - 1) y z i)) (range (-1) (n - 1))) at 1.
    rewrite map_map. reflexivity. }
  assert (F : forall i, -1 <= i -> weight p T (corrected_row p i (T1 (2 * p - 1) y z i)) = Fin (weight_6 p y z i)).
  { intros i Hi. destruct (token_6 p T y z i Hp (table_6_first p _ _) Hi) as [W _]. exact W. }
  rewrite E. split.
  - intros H. apply (denominator_equal_6 p _ n y z); assumption.
  - apply denominator_above_6; assumption.
Qed.

(* The division. *)
Lemma quotient_1 p : 7 <= p -> div p (whole p 1) (Fin (largest p)) = Fin 1.
Proof.
  intros Hp. pose proof (Q_pos p) as HQ. pose proof (Q_two p) as Q2. pose proof (pow_succ (p - 2)) as P3. pose proof (pow_pos (p - 2 - 1)) as P4.
  assert (HL : largest p = Q p * Q p - Q p) by (unfold largest; ring). assert (H4 : 4 * Q p <= Q p * Q p) by (apply Z.mul_le_mono_nonneg_r; lia).
  unfold whole. rewrite Z.mul_1_l, div_finite by lia.
  assert (X : exponent p (Q p * Q p) (largest p) = 0).
  { unfold exponent. rewrite Z.div_small. cbn. lia. split; [lia|]. assert (4 * largest p <= largest p * Q p) by (rewrite Z.mul_comm; apply Z.mul_le_mono_nonneg_l; lia). lia. }
  rewrite (round_magnitude p _ _ 1); [rewrite Z.sgn_pos by lia; reflexivity| |lia]. rewrite Z.abs_eq by lia.
  apply (magnitude_near _ _ _ _ 1); try lia; rewrite X; lia.
Qed.

Lemma quotient_nonpositive p N D : 7 <= p -> at_most N 0 -> above p 0 D -> at_most (div p N D) 0 \/ div p N D = NaN.
Proof.
  intros Hp HN HD. pose proof (Q_pos p) as HQ. destruct N as [a| | |]; cbn [at_most] in HN; try contradiction; (destruct D as [d| | |]; cbn [above] in HD; try contradiction).
  - destruct d as [|d|d]; [| |lia].
    + cbn [div sign]. unfold infinite. destruct (Z.eq_dec a 0) as [E|E]; [subst a; right; reflexivity|]. rewrite Z.sgn_neg by lia. left. exact I.
    + left. rewrite div_finite by lia. apply (round_at_most_neg p _ _ 0); try lia; try (apply representable_small; lia);
      try (rewrite Z.mul_0_l; apply Z.mul_nonpos_nonneg; lia).
  - left. cbn. lia.
  - left. destruct d as [|d|d]; [exact I|exact I|lia].
  - right. reflexivity.
Qed.

Theorem attention_6 o p n y z : 7 <= p -> 4 * p + 2 <= n -> 0 <= y -> y <= z -> z < 2 ^ (2 * p - 1) ->
  let x := attention p (corrected_table_6 p n y z) o in
  (y = z -> x = Fin 1 \/ x = PInf) /\ (y <> z -> at_most x 0 \/ x = NaN).
Proof.
  intros Hp Hn Hy Hyz Hz. cbv zeta. pose proof (Q_pos p) as HQ.
  destruct (numerator_value_6 o p n y z Hp Hn Hy Hyz Hz) as [NE NL]. destruct (denominator_value_6 p n y z Hp Hn) as [DE DA].
  assert (A : attention p (corrected_table_6 p n y z) o = div p (numerator_of p (corrected_table_6 p n y z) o) (denominator p (corrected_table_6 p n y z))) by (destruct o; reflexivity).
  rewrite A. clear A. set (N := numerator_of p (corrected_table_6 p n y z) o) in *. set (D := denominator p (corrected_table_6 p n y z)) in *.
  assert (LP : 0 < largest p). { assert (4 <= Q p). { pose proof (Q_two p). pose proof (pow_succ (p - 2)). pose proof (pow_pos (p - 2 - 1)). lia. } apply Z.mul_pos_pos; lia. }
  assert (LY : 0 <= low (p - 1) y < Q p) by (apply Z.mod_pos_bound; lia). assert (LZ : 0 <= low (p - 1) z < Q p) by (apply Z.mod_pos_bound; lia).
  split; intros H.
  - subst z. rewrite DE by reflexivity. destruct (NE eq_refl) as [E|E]; rewrite E.
    + left. apply quotient_1. exact Hp.
    + right. cbn [div sign]. destruct (Z.ltb_spec (largest p) 0); [lia|reflexivity].
  - destruct (Z.eq_dec (high (p - 1) y) (high (p - 1) z)) as [E|E].
    + assert (LL : low (p - 1) y < low (p - 1) z) by (apply halves_smaller; lia).
      assert (DI : D = PInf). { destruct D as [d| | |]; cbn [above] in DA; try contradiction; [lia|reflexivity]. }
      rewrite DI. destruct (NE E) as [F|F]; rewrite F; [left; cbn; lia|right; reflexivity].
    + apply quotient_nonpositive; [exact Hp|apply NL, E|].
      pose proof (Z.mul_nonneg_nonneg (Q p - 1 - low (p - 1) y + low (p - 1) z) (Q p)) as M.
      destruct D as [d| | |]; cbn [above] in DA |- *; try contradiction; [lia|exact I].
Qed.

(* The final MLP. *)
Definition node_6 (p : Z) (x : num) : num := hidden_value p x (whole p (-1), Fin 1).

Lemma output_6 p n y z o : let T := corrected_table_6 p n y z in let h := mul p (whole p (- 2 ^ (p - 2))) (node_6 p (attention p T o)) in
  output p T o = rectified (add p (add p (add p (Fin 0) h) h) (whole p 1)).
Proof. reflexivity. Qed.

Lemma accepted_6 p x : 7 <= p -> x = Fin 1 \/ x = PInf -> node_6 p x = Fin 0.
Proof.
  intros Hp H. pose proof (Q_pos p) as HQ. assert (S : forall v, Z.abs v <= Q p -> representable p v) by (intros v Hv; apply representable_small; lia).
  unfold node_6, hidden_value. cbn [fst snd]. destruct H as [H|H]; rewrite H.
  - assert (M : mul p (whole p (-1)) (Fin 1) = Fin (-1)).
    { unfold whole, mul. replace (-1 * Q p * 1) with (-1 * Q p) by lia. apply round_exact; try lia. apply S. lia. }
    rewrite M, !add_exact; try lia; try (apply S; lia). reflexivity.
  - unfold whole, mul, sign. rewrite Z.sgn_neg by lia. reflexivity.
Qed.

Lemma refused_6 p x : 7 <= p -> at_most x 0 -> at_least (node_6 p x) 1.
Proof.
  intros Hp H. pose proof (Q_pos p) as HQ. assert (S : forall v, Z.abs v <= Q p -> representable p v) by (intros v Hv; apply representable_small; lia).
  unfold node_6, hidden_value. cbn [fst snd]. assert (M : at_least (mul p (whole p (-1)) x) 0).
  { destruct x as [t| | |]; cbn [at_most] in H; try contradiction.
    - unfold whole, mul. apply round_at_least; try lia. apply S. lia.
    - unfold whole, mul, sign. rewrite Z.sgn_neg by lia. exact I. }
  set (g := mul p (whole p (-1)) x) in *. assert (A : at_least (add p (Fin 0) g) 0).
  { destruct g as [t| | |]; cbn [at_least] in M; try contradiction; [|exact I]. cbn [add]. apply round_at_least; try lia. apply S. lia. }
  set (k := add p (Fin 0) g) in *. assert (B : at_least (add p k (Fin 1)) 1).
  { destruct k as [t| | |]; cbn [at_least] in A; try contradiction; [|exact I]. cbn [add]. apply round_at_least; try lia. apply S. lia. }
  rewrite (rectified_at_least _ 1); [exact B|lia|exact B].
Qed.

Lemma add_both_at_most p x y a b : 2 <= p -> at_most x a -> at_most y b -> representable p (a + b) -> a + b <= 0 -> at_most (add p x y) (a + b).
Proof.
  intros Hp A B R N. destruct x as [v| | |]; cbn [at_most] in A; try contradiction; (destruct y as [w| | |]; cbn [at_most] in B; try contradiction); try exact I.
  cbn [add]. apply round_at_most_neg; try lia. exact R.
Qed.

Theorem corrected_table_6_computes_equality : table_6_computes_equality.
Proof.
  intros o p n y z Hp Hn Hy Hyz Hz. cbv zeta. pose proof (Q_pos p) as HQ. pose proof (Q_two p) as Q2. pose proof (pow_pos (p - 2)) as PP.
  assert (S : forall v, Z.abs v <= Q p -> representable p v) by (intros v Hv; apply representable_small; lia).
  destruct (attention_6 o p n y z Hp Hn Hy Hyz Hz) as [E L]. rewrite output_6. cbv zeta. set (x := attention p (corrected_table_6 p n y z) o) in *.
  destruct (Z.eqb_spec y z) as [H|H].
  - rewrite accepted_6, weighted_zero by (try apply E; assumption || lia). rewrite !add_exact; try lia; try (apply S; lia).
    unfold whole. rewrite add_exact; [|lia|apply S; lia]. cbn [rectified]. destruct (Z.ltb_spec 0 (0 + 0 + 0 + 1 * Q p)); [f_equal; lia|lia].
  - destruct (L H) as [X|X]; [|rewrite X; right; reflexivity]. left. pose proof (refused_6 p x Hp X) as N. set (h := node_6 p x) in *.
    assert (G : at_most (mul p (whole p (- 2 ^ (p - 2))) h) (- 2 ^ (p - 2))).
    { destruct h as [t| | |]; cbn [at_least] in N; try contradiction.
      - unfold whole, mul. apply round_at_most_neg; try lia; [apply S; lia|].
        assert (T : 2 ^ (p - 2) * Q p * 1 <= 2 ^ (p - 2) * Q p * t) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
      - unfold whole, mul, sign. rewrite Z.sgn_neg by (apply Z.mul_neg_pos; lia). exact I. }
    set (g := mul p (whole p (- 2 ^ (p - 2))) h) in *. unfold whole at 2. apply rectified_at_most.
    assert (A : at_most (add p (Fin 0) g) (0 + - 2 ^ (p - 2))) by (apply add_both_at_most; try lia; [cbn; lia|exact G|apply S; lia]).
    assert (B : at_most (add p (add p (Fin 0) g) g) (0 + - 2 ^ (p - 2) + - 2 ^ (p - 2))) by (apply add_both_at_most; try lia; [exact A|exact G|apply S; lia]).
    replace 0 with (0 + - 2 ^ (p - 2) + - 2 ^ (p - 2) + Q p) at 2 by lia. unfold whole. rewrite Z.mul_1_l.
    apply add_both_at_most; try lia; [exact B|cbn; lia|apply S; lia].
Qed.
