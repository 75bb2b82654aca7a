(* The first theorem of Unpadded.v: without padding the sums are those of Proof.v, but for z_1, which comes in one token. *)
From Coq Require Import ZArith List Lia.
From EveryBitCounts Require Import Arithmetic Statement Unpadded Rounding Operations Tokens Denominator Numerator Answer Proof.
Import ListNotations.
Local Open Scope Z_scope.

(* Sums of the same numbers, told from other places. *)
Lemma run_moved p f g a b c s : (forall i, a <= i <= b -> f i = g (i + c)) -> run p f a b s = run p g (a + c) (b + c) s.
Proof.
  intros H. unfold run. f_equal. unfold range. replace (b + c - (a + c) + 1) with (b - a + 1) by lia. rewrite !map_map.
  apply map_ext_in. intros k Hk. apply in_seq in Hk. rewrite H by lia. f_equal. lia.
Qed.

Lemma run_equal p f g a b s : (forall i, a <= i <= b -> f i = g i) -> run p f a b s = run p g a b s.
Proof. intros H. rewrite (run_moved p f g a b 0 s). replace (a + 0) with a by lia. replace (b + 0) with b by lia. reflexivity. intros i Hi. rewrite Z.add_0_r. apply H, Hi. Qed.

(* What each token is. *)
Definition reads (p y z i : Z) : row := unpadded_row p i (T0 (2 * p - 1) y z i).

Lemma row_y p y z i : 3 <= p -> 1 <= i <= 2 * p - 1 -> reads p y z i = embedding p i (T1 (2 * p - 1) y z i).
Proof.
  intros Hp H. unfold reads, T0. rewrite reads_y by lia. destruct (Z.leb_spec i (2 * p - 1)); [|lia].
  unfold bit, unpadded_row, embedding. cbv zeta. destruct (Z.leb_spec i 0); [lia|].
  destruct (Z.leb_spec i (p - 1)); [reflexivity|]. destruct (Z.eqb_spec i p); [reflexivity|]. destruct (Z.leb_spec i (2 * p - 1)); [reflexivity|lia].
Qed.

Lemma row_z1 p y z : 3 <= p -> reads p y z (2 * p) = if Z.testbit z (2 * p - 2) then token p (Some (p - 2)) 0 else unused p.
Proof.
  intros Hp. unfold reads, T0. destruct (Z.leb_spec (2 * p) (2 * p - 1)); [lia|]. destruct (Z.leb_spec (2 * p) (2 * (2 * p - 1))); [|lia].
  unfold bit. replace (2 * p - 1 - (2 * p - (2 * p - 1))) with (2 * p - 2) by lia. unfold unpadded_row. cbv zeta.
  destruct (Z.leb_spec (2 * p) (p - 1)); [lia|]. destruct (Z.eqb_spec (2 * p) p); [lia|]. destruct (Z.leb_spec (2 * p) (2 * p - 1)); [lia|].
  destruct (Z.leb_spec (2 * p) (2 * p - 1 + p - 1)); [|lia]. replace (p - 1 - (2 * p - (2 * p - 1))) with (p - 2) by lia. reflexivity.
Qed.

Lemma row_z p y z i : 3 <= p -> 2 * p + 1 <= i -> reads p y z i = embedding p (i + 2) (T1 (2 * p - 1) y z (i + 2)).
Proof.
  intros Hp H. unfold reads.
  assert (B : T0 (2 * p - 1) y z i = T1 (2 * p - 1) y z (i + 2)).
  { unfold T0, T1. destruct (Z.leb_spec i (2 * p - 1)); [lia|]. destruct (Z.ltb_spec (i + 2) 0); [lia|]. destruct (Z.eqb_spec (i + 2) 0); [lia|].
    destruct (Z.leb_spec (i + 2) (2 * p - 1)); [lia|]. destruct (Z.leb_spec (i + 2) (2 * p - 1 + 2)); [lia|].
    destruct (Z.eqb_spec (i + 2) (2 * p - 1 + 3)); [lia|].
    destruct (Z.leb_spec i (2 * (2 * p - 1))); destruct (Z.leb_spec (i + 2) (2 * (2 * p - 1) + 2)); try lia.
    unfold bit. f_equal. lia. }
  rewrite B. unfold unpadded_row. cbv zeta.
  destruct (Z.leb_spec i (p - 1)); [lia|]. destruct (Z.eqb_spec i p); [lia|]. destruct (Z.leb_spec i (2 * p - 1)); [lia|].
  destruct (Z.leb_spec i (2 * p - 1 + p - 1)).
  { rewrite step_8 by lia. replace (i + 2 - (2 * p - 1) - 2) with (i - (2 * p - 1)) by lia. reflexivity. }
  destruct (Z.eqb_spec i (2 * p - 1 + p)). { rewrite step_9 by lia. reflexivity. }
  destruct (Z.leb_spec i (2 * (2 * p - 1))).
  { rewrite step_10 by lia. replace (2 * (2 * p - 1) + 2 - (i + 2)) with (2 * (2 * p - 1) - i) by lia. reflexivity. }
  destruct (Z.eqb_spec i (2 * (2 * p - 1) + 1)). { rewrite step_11 by lia. reflexivity. }
  rewrite step_12 by lia. reflexivity.
Qed.

(* z_1 in one token: from p = 4 on p residues are rounded away beside 2^(p-2). *)
Lemma residues_beside p : 4 <= p -> add p (Fin p) (Fin (2 ^ (p - 2) * Q p)) = Fin (2 ^ (p - 2) * Q p).
Proof.
  intros Hp. apply beside; try lia. replace (p - 2 + 1) with (p - 1) by lia.
  destruct (Z_lt_le_dec p 6) as [S|L]. assert (C : p = 4 \/ p = 5) by lia. destruct C as [C|C]; subst p; cbn; lia.
  pose proof (pow_succ (p - 1)) as P1. pose proof (pow_succ (p - 1 - 1)) as P2. pose proof (grows (p - 1 - 1 - 1)) as G. lia.
Qed.

Lemma weight_z1_once p T y z : 3 <= p -> asks_one p T ->
  weight p T (reads p y z (2 * p)) = if Z.testbit z (2 * p - 2) then Fin (2 ^ (p - 2) * Q p) else Fin 0.
Proof.
  intros Hp HT. rewrite row_z1 by lia. destruct (Z.testbit z (2 * p - 2)); [|reflexivity].
  rewrite weight_token by (assumption || lia). unfold Q. rewrite <- Z.pow_add_r by lia. do 2 f_equal. lia.
Qed.

Lemma entry_z1_once p T y z : 3 <= p -> asks_one p T -> entry p T (reads p y z (2 * p)) = Fin 0.
Proof.
  intros Hp HT. rewrite row_z1 by lia. destruct (Z.testbit z (2 * p - 2)). apply entry_zero; assumption || lia. apply entry_unused; assumption.
Qed.

(* The denominator is that of the witness with padding: both have the same value before y's residues and after z_1. *)
Lemma same_denominator p T n y z : 4 <= p -> 4 * p + 1 <= n -> asks_one p T -> 0 <= y -> y <= z -> z < 2 ^ (2 * p - 1) ->
  run p (fun i => weight p T (reads p y z i)) 1 (n + 1) (Fin 0) = cap p (Q p - 1 - high p y + high p z).
Proof.
  intros Hp Hn HT Hy Hyz Hz. pose proof (Q_two p) as Q2. pose proof (pow_pos (p - 2)) as P2.
  assert (By : 0 <= high p y < Q p) by (apply high_bounds; lia). assert (Bz : 0 <= high p z < Q p) by (apply high_bounds; lia).
  assert (HL : high p y <= high p z) by (apply high_le; lia). set (K := Q p - 1 - high p y).
  rewrite (run_app _ _ _ (2 * p - 1)), (run_app _ _ (2 * p - 1 + 1) (2 * p - 1 + 1)) by lia. replace (2 * p - 1 + 1) with (2 * p) by lia.
  rewrite run_one. rewrite (run_equal p _ (weight_at p T y z) 1 (2 * p - 1)) by (intros i Hi; rewrite row_y by lia; reflexivity).
  rewrite (run_moved p _ (weight_at p T y z) (2 * p + 1) (n + 1) 2) by (intros i Hi; rewrite row_z by lia; reflexivity).
  assert (S : run p (weight_at p T y z) 1 (p - 1) (Fin 0) = cap p K).
  { unfold K. rewrite <- (sum_y p T y z) by (assumption || lia). rewrite (run_app _ _ (-1) 0) by lia.
    rewrite (run_same p _ (-1) 0) by (lia || (intros i Hi; rewrite weight_start by lia; apply round_zero; lia)). reflexivity. }
  rewrite (run_app _ _ 1 (p - 1)), S by lia. replace (p - 1 + 1) with p by lia. rewrite weight_z1_once by (assumption || lia).
  assert (F : high p z - high p z mod 2 ^ (p - 2) = if Z.testbit z (2 * p - 2) then 2 ^ (p - 2) else 0).
  { rewrite first_bit by lia. rewrite high_bit by lia. replace (p - 2 + p) with (2 * p - 2) by lia. reflexivity. }
  assert (A : add p (run p (weight_at p T y z) p (2 * p - 1) (cap p K)) (if Z.testbit z (2 * p - 2) then Fin (2 ^ (p - 2) * Q p) else Fin 0) =
              cap p (K + high p z - high p z mod 2 ^ (p - 2))).
  { replace (K + high p z - high p z mod 2 ^ (p - 2)) with (K + (high p z - high p z mod 2 ^ (p - 2))) by lia. rewrite F.
    destruct (Z.eq_dec K 0) as [K0|K1].
    - assert (C : cap p K = Fin 0). { rewrite K0. unfold cap. destruct (Z.ltb_spec 0 (Q p)); [reflexivity|lia]. }
      rewrite C. replace (2 * p - 1) with (p + p - 1) by lia. rewrite sum_residues_alone by (lia || (intros i Hi; apply weight_y_low; assumption || lia)).
      destruct (Z.testbit z (2 * p - 2)).
      + rewrite residues_beside, K0 by lia. unfold cap. destruct (Z.ltb_spec (0 + 2 ^ (p - 2)) (Q p)); [reflexivity|lia].
      + pose proof (Z.mod_pos_bound (high p z) (2 ^ (p - 2))). lia.
    - rewrite sum_residues by (lia || (intros i Hi; apply weight_y_low; assumption || lia)). destruct (Z.testbit z (2 * p - 2)).
      + apply cap_add; lia.
      + rewrite Z.add_0_r. apply cap_zero; lia. }
  rewrite A. replace (2 * p + 1 + 2) with (2 * p + 3) by lia.
  rewrite (run_app _ _ _ (3 * p)), (run_app _ _ (3 * p + 1) (4 * p + 1)), sum_z by (assumption || lia). rewrite sum_residues; try lia.
  - apply run_same; [|lia]. intros i Hi. rewrite weight_end by lia. apply cap_zero; lia.
  - intros i Hi. apply weight_z_low; assumption || lia.
Qed.

Lemma same_numerator p T n y z : 4 <= p -> 4 * p + 1 <= n -> asks_one p T ->
  run p (fun i => entry p T (reads p y z i)) 1 (n + 1) (Fin 0) = run p (entry_at p T y z) (-1) (n + 4 - 1) (Fin 0).
Proof.
  intros Hp Hn HT. pose proof (low_bounds p y) as LB. pose proof (Q_pos p) as HQ. rewrite (run_app p _ (-1) (2 * p - 1)), (run_app p _ (2 * p - 1 + 1) (2 * p + 2)) by lia.
  rewrite (run_app _ _ 1 (2 * p - 1)), (run_app _ _ (2 * p - 1 + 1) (2 * p - 1 + 1)) by lia. replace (2 * p - 1 + 1) with (2 * p) by lia.
  rewrite run_one. rewrite (run_equal p _ (entry_at p T y z) 1 (2 * p - 1)) by (intros i Hi; rewrite row_y by lia; reflexivity).
  rewrite (run_moved p _ (entry_at p T y z) (2 * p + 1) (n + 1) 2) by (intros i Hi; rewrite row_z by lia; reflexivity).
  assert (S : run p (entry_at p T y z) 1 (2 * p - 1) (Fin 0) = run p (entry_at p T y z) (-1) (2 * p - 1) (Fin 0)).
  { rewrite (run_app _ _ (-1) 0) by lia.
    rewrite (run_same p _ (-1) 0) by (lia || (intros i Hi; rewrite entry_start by (assumption || lia); apply round_zero; lia)). reflexivity. }
  rewrite S, numerator_y, entry_z1_once by (assumption || lia). rewrite add_exact by (lia || (apply representable_small; lia)). rewrite Z.add_0_r.
  rewrite (run_same p _ (2 * p) (2 * p + 2)).
  - f_equal; lia.
  - intros i Hi. rewrite entry_middle by (assumption || lia). rewrite add_exact; [f_equal; lia|lia|]. apply representable_small; lia.
  - lia.
Qed.

Lemma row_small p T y z i : 4 <= p -> 1 <= i -> asks_one p T -> small_entry p T (reads p y z i).
Proof.
  intros Hp Hi HT. destruct (Z_le_gt_dec i (2 * p - 1)) as [A|A].
  - rewrite row_y by lia. apply entries_small; assumption || lia.
  - destruct (Z.eq_dec i (2 * p)) as [B|B].
    + subst i. exists (whole p 0), 0. pose proof (Q_pos p). split; [|split; [apply entry_z1_once; assumption || lia|lia]].
      rewrite row_z1 by lia. destruct (Z.testbit z (2 * p - 2)); reflexivity.
    + rewrite row_z by lia. apply entries_small; assumption || lia.
Qed.

Theorem unpadded_computes_equality : padding_is_not_needed.
Proof.
  intros o p n y z Hp Hn Hy Hyz Hz. set (T := on_T0 unpadded_row p (2 * p - 1) n y z).
  assert (HT : asks_one p T).
  { unfold asks_one, T, on_T0. cbn [asking]. fold (reads p y z (n + 1)). rewrite row_z by lia.
    destruct (embedding_token p (n + 1 + 2) (T1 (2 * p - 1) y z (n + 1 + 2))) as (k & x & E). rewrite E. reflexivity. }
  destruct (numerator_value p T (n + 4) y z) as (k & K & KR & KB & KE & KL); try assumption; try lia.
  destruct (compared p p y z k) as [Yes No]; try assumption; try lia.
  apply (answers p T o k (cap p (Q p - 1 - high p y + high p z))); try assumption; try lia.
  - repeat split.
  - change (tokens T) with (map (reads p y z) (range 1 (n + 1))). intros r Hr. apply in_map_iff in Hr. destruct Hr as (i & E & I). subst r.
    unfold range in I. apply in_map_iff in I. destruct I as (j & E & _). apply row_small; assumption || lia.
  - rewrite <- K, <- same_numerator by (assumption || lia). unfold run, sum. f_equal.
    change (tokens T) with (map (reads p y z) (range 1 (n + 1))). rewrite map_map. reflexivity.
  - rewrite <- (same_denominator p T n y z) by assumption. unfold denominator, run, sum. f_equal.
    change (tokens T) with (map (reads p y z) (range 1 (n + 1))). rewrite map_map. reflexivity.
Qed.
