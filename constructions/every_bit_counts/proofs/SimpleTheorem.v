(* Lemma 2.3, continued: the numerator, which is exact until the constant comes, and the theorem. *)
From Coq Require Import ZArith List Lia.
From EveryBitCounts Require Import Arithmetic Statement Unpadded Rounding Operations Tokens Denominator Numerator Answer Proof SimpleProof.
Import ListNotations.
Local Open Scope Z_scope.

Definition simple_entry (p : Z) (T : transformer) (y z i : Z) : num := entry p T (simple p y z i).

Lemma simple_entry_y p T y z i : 3 <= p -> asks_one p T -> 1 <= i <= p - 2 -> simple_entry p T y z i = Fin 0.
Proof.
  intros Hp HT H. unfold simple_entry. rewrite simple_y_high by lia.
  destruct (Z.testbit y (2 * p - 3 - i)). apply entry_unused; assumption. apply entry_zero; assumption || lia.
Qed.

Lemma simple_entry_z p T y z i : 3 <= p -> asks_one p T -> 2 * p - 2 <= i <= 3 * p - 5 -> simple_entry p T y z i = Fin 0.
Proof.
  intros Hp HT H. unfold simple_entry. rewrite simple_z_high by lia.
  destruct (Z.testbit z (4 * p - 6 - i)). apply entry_zero; assumption || lia. apply entry_unused; assumption.
Qed.

Lemma simple_entry_y_low p T y z i : 3 <= p -> asks_one p T -> p - 1 <= i <= 2 * p - 3 ->
  simple_entry p T y z i = Fin (if Z.testbit y (2 * p - 3 - i) then 2 ^ (2 * p - 3 - i) else 0).
Proof.
  intros Hp HT H. pose proof (pow_below p (2 * p - 3 - i)) as HB. unfold simple_entry. rewrite simple_y_low by lia.
  apply entry_smallest; try assumption. destruct (Z.testbit y (2 * p - 3 - i)); lia.
Qed.

Lemma simple_entry_z_low p T y z i : 3 <= p -> asks_one p T -> 3 * p - 4 <= i <= 4 * p - 6 ->
  simple_entry p T y z i = Fin (if Z.testbit z (4 * p - 6 - i) then - 2 ^ (4 * p - 6 - i) else 0).
Proof.
  intros Hp HT H. pose proof (pow_below p (4 * p - 6 - i)) as HB. unfold simple_entry. rewrite simple_z_low by lia.
  apply entry_smallest; try assumption. destruct (Z.testbit z (4 * p - 6 - i)); lia.
Qed.

Lemma simple_entry_constant p T y z i : 3 <= p -> asks_one p T -> i = 4 * p - 5 -> simple_entry p T y z i = Fin (2 ^ (p - 2)).
Proof.
  intros Hp HT H. pose proof (pow_below p (p - 2)) as HB. pose proof (Q_pos p) as HQ. unfold simple_entry, entry.
  fold (simple_weight p T y z i). rewrite simple_weight_constant by assumption. rewrite simple_constant by assumption.
  cbn [smallest_value values nth]. unfold mul. rewrite Z.mul_1_r. apply round_exact; try lia. apply representable_small; lia.
Qed.

Lemma simple_entry_end p T y z i : 3 <= p -> 4 * p - 4 <= i -> simple_entry p T y z i = Fin 0.
Proof. intros Hp H. unfold simple_entry. rewrite simple_end by assumption. apply entry_unused; assumption. Qed.

Lemma last_bits p y : 1 <= p -> 0 <= low (p - 1) y < Q p.
Proof. intros Hp. pose proof (Z.mod_pos_bound y (2 ^ (p - 1))) as B. pose proof (pow_pos (p - 1)). unfold low, Q. lia. Qed.

Lemma simple_numerator_y p T y z : 3 <= p -> asks_one p T -> run p (simple_entry p T y z) 1 (2 * p - 3) (Fin 0) = Fin (low (p - 1) y).
Proof.
  intros Hp HT. pose proof (last_bits p y) as LB. rewrite (run_app _ _ _ (p - 2)) by lia.
  rewrite (run_same p _ 1 (p - 2)) by (lia || (intros i Hi; rewrite simple_entry_y by (assumption || lia); apply round_zero; lia)).
  replace (p - 2 + 1) with (p - 1) by lia.
  assert (I : run p (simple_entry p T y z) (p - 1) (2 * p - 3) (Fin 0) = Fin (low (p - 1) y - y mod 2 ^ (2 * p - 2 - (2 * p - 3 + 1)))).
  { apply (run_invariant p _ (fun i s => s = Fin (low (p - 1) y - y mod 2 ^ (2 * p - 2 - i)))).
    - lia.
    - f_equal. replace (2 * p - 2 - (p - 1)) with (p - 1) by lia. unfold low. lia.
    - intros i s Hi E. rewrite E, simple_entry_y_low by (assumption || lia). pose proof (mod_step y (2 * p - 3 - i)) as M.
      replace (2 * p - 3 - i + 1) with (2 * p - 2 - i) in M by lia. replace (2 * p - 2 - (i + 1)) with (2 * p - 3 - i) by lia.
      pose proof (mod_below y (2 * p - 3 - i) (p - 1)) as L. fold (low (p - 1) y) in L.
      pose proof (Z.mod_pos_bound y (2 ^ (2 * p - 3 - i))) as B. pose proof (pow_pos (2 * p - 3 - i)) as P.
      rewrite add_exact; [f_equal; destruct (Z.testbit y (2 * p - 3 - i)); lia|lia|].
      apply representable_small; [lia|]. destruct (Z.testbit y (2 * p - 3 - i)); lia. }
  rewrite I. replace (2 * p - 2 - (2 * p - 3 + 1)) with 0 by lia. change (2 ^ 0) with 1. rewrite Z.mod_1_r. f_equal. lia.
Qed.

Lemma simple_numerator_z p T y z : 3 <= p -> asks_one p T ->
  run p (simple_entry p T y z) (2 * p - 2) (4 * p - 6) (Fin (low (p - 1) y)) = Fin (low (p - 1) y - low (p - 1) z).
Proof.
  intros Hp HT. pose proof (last_bits p y) as LY. pose proof (last_bits p z) as LZ. rewrite (run_app _ _ _ (3 * p - 5)) by lia.
  rewrite (run_same p _ (2 * p - 2) (3 * p - 5)); [| |lia].
  2: { intros i Hi. rewrite simple_entry_z by (assumption || lia). rewrite add_exact; [f_equal; lia|lia|]. apply representable_small; lia. }
  replace (3 * p - 5 + 1) with (3 * p - 4) by lia.
  assert (I : run p (simple_entry p T y z) (3 * p - 4) (4 * p - 6) (Fin (low (p - 1) y)) =
              Fin (low (p - 1) y - low (p - 1) z + z mod 2 ^ (4 * p - 5 - (4 * p - 6 + 1)))).
  { apply (run_invariant p _ (fun i s => s = Fin (low (p - 1) y - low (p - 1) z + z mod 2 ^ (4 * p - 5 - i)))).
    - lia.
    - f_equal. replace (4 * p - 5 - (3 * p - 4)) with (p - 1) by lia. unfold low at 2. unfold low. lia.
    - intros i s Hi E. rewrite E, simple_entry_z_low by (assumption || lia). pose proof (mod_step z (4 * p - 6 - i)) as M.
      replace (4 * p - 6 - i + 1) with (4 * p - 5 - i) in M by lia. replace (4 * p - 5 - (i + 1)) with (4 * p - 6 - i) by lia.
      pose proof (mod_below z (4 * p - 6 - i) (p - 1)) as L. fold (low (p - 1) z) in L.
      pose proof (Z.mod_pos_bound z (2 ^ (4 * p - 6 - i))) as B. pose proof (pow_pos (4 * p - 6 - i)) as P.
      rewrite add_exact; [f_equal; destruct (Z.testbit z (4 * p - 6 - i)); lia|lia|].
      apply representable_small; [lia|]. destruct (Z.testbit z (4 * p - 6 - i)); lia. }
  rewrite I. replace (4 * p - 5 - (4 * p - 6 + 1)) with 0 by lia. change (2 ^ 0) with 1. rewrite Z.mod_1_r. f_equal. lia.
Qed.

Lemma simple_numerator p T n y z : 3 <= p -> 4 * p + 1 <= n -> asks_one p T ->
  exists k, run p (simple_entry p T y z) 1 (n + 1) (Fin 0) = Fin k /\ representable p k /\ Z.abs k <= 3 * Q p /\
  (low (p - 1) y = low (p - 1) z -> k = 2 ^ (p - 2)) /\ (low (p - 1) y < low (p - 1) z -> k <= 2 ^ (p - 2) - 1).
Proof.
  intros Hp Hn HT. pose proof (last_bits p y) as LY. pose proof (last_bits p z) as LZ. pose proof (Q_two p) as Q2. pose proof (pow_pos (p - 2)) as P2.
  rewrite (run_app _ _ _ (2 * p - 3)), (run_app _ _ (2 * p - 3 + 1) (4 * p - 6)), (run_app _ _ (4 * p - 6 + 1) (4 * p - 6 + 1)) by lia.
  replace (2 * p - 3 + 1) with (2 * p - 2) by lia. rewrite run_one, simple_numerator_y, simple_numerator_z by (assumption || lia).
  rewrite simple_entry_constant by (assumption || lia). cbn [add]. set (x := low (p - 1) y - low (p - 1) z + 2 ^ (p - 2)).
  destruct (round_shrinks p x) as (r & R & RR & RA & _ & _); [lia|lia|]. exists r. rewrite R. split; [|split; [exact RR|split; [lia|split]]].
  - apply run_same; [|lia]. intros i Hi. rewrite simple_entry_end by lia. rewrite add_exact; [f_equal; lia|lia|]. rewrite Z.add_0_r. exact RR.
  - intros H. rewrite round_fixed in R by (lia || (apply representable_small; lia)). injection R. lia.
  - intros H. rewrite round_fixed in R by (lia || (apply representable_small; lia)). injection R. lia.
Qed.

Lemma simple_small p T y z i : 3 <= p -> 1 <= i -> asks_one p T -> small_entry p T (simple p y z i).
Proof.
  intros Hp Hi HT. pose proof (Q_pos p) as HQ. destruct (Z_le_gt_dec i (p - 2)) as [A|A].
  { exists (whole p 0), 0. split; [|split; [apply simple_entry_y; assumption || lia|lia]].
    rewrite simple_y_high by lia. destruct (Z.testbit y (2 * p - 3 - i)); reflexivity. }
  destruct (Z_le_gt_dec i (2 * p - 3)) as [B|B].
  { eexists. eexists. split; [|split; [apply simple_entry_y_low; assumption || lia|]]. rewrite simple_y_low by lia. reflexivity.
    pose proof (pow_below p (2 * p - 3 - i)). destruct (Z.testbit y (2 * p - 3 - i)); lia. }
  destruct (Z_le_gt_dec i (3 * p - 5)) as [C|C].
  { exists (whole p 0), 0. split; [|split; [apply simple_entry_z; assumption || lia|lia]].
    rewrite simple_z_high by lia. destruct (Z.testbit z (4 * p - 6 - i)); reflexivity. }
  destruct (Z_le_gt_dec i (4 * p - 6)) as [D|D].
  { eexists. eexists. split; [|split; [apply simple_entry_z_low; assumption || lia|]]. rewrite simple_z_low by lia. reflexivity.
    pose proof (pow_below p (4 * p - 6 - i)). destruct (Z.testbit z (4 * p - 6 - i)); lia. }
  destruct (Z.eq_dec i (4 * p - 5)) as [E|E].
  { exists (Fin 1), (2 ^ (p - 2)). split; [|split; [apply simple_entry_constant; assumption|]]. rewrite simple_constant by lia. reflexivity.
    pose proof (pow_below p (p - 2)). lia. }
  exists (whole p 0), 0. split; [|split; [apply simple_entry_end; lia|lia]]. rewrite simple_end by lia. reflexivity.
Qed.

Theorem simple_computes_equality : lemma_2_3.
Proof.
  intros o p n y z Hp Hn Hy Hyz Hz. set (T := on_T0 simple_row p (2 * p - 3) n y z).
  assert (HT : asks_one p T).
  { unfold asks_one, T, on_T0. cbn [asking]. fold (simple p y z (n + 1)). rewrite simple_end by lia. reflexivity. }
  replace (2 * p - 3) with (2 * (p - 1) - 1) in Hz by lia.
  destruct (simple_numerator p T n y z) as (k & K & KR & KB & KE & KL); try assumption; try lia.
  destruct (compared p (p - 1) y z k) as [Yes No]; try assumption; try lia.
  apply (answers p T o k (cap p (Q p - 1 - high (p - 1) y + high (p - 1) z))); try assumption; try lia.
  - repeat split.
  - change (tokens T) with (map (simple p y z) (range 1 (n + 1))). intros r Hr. apply in_map_iff in Hr. destruct Hr as (i & E & I). subst r.
    unfold range in I. apply in_map_iff in I. destruct I as (j & E & _). apply simple_small; assumption || lia.
  - rewrite <- K. unfold run, sum. f_equal. change (tokens T) with (map (simple p y z) (range 1 (n + 1))). rewrite map_map. reflexivity.
  - rewrite <- (simple_denominator p T n y z) by assumption. unfold denominator, run, sum. f_equal.
    change (tokens T) with (map (simple p y z) (range 1 (n + 1))). rewrite map_map. reflexivity.
Qed.
