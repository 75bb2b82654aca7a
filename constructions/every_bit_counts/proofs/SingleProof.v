(* The proof that two bits compare strings of one bit, with any number of tokens behind them: these add 0 to both sums. *)
From Coq Require Import ZArith List Lia.
From EveryBitCounts Require Import Arithmetic Statement Rounding Operations Tokens Unpadded.
Import ListNotations.
Local Open Scope Z_scope.

Lemma single_unused i b : 3 <= i -> single_row 2 i b = unused 2.
Proof. intros H. unfold single_row. destruct (Z.eqb_spec i 1); [lia|]. destruct (Z.eqb_spec i 2); [lia|reflexivity]. Qed.

(* A sum over the tokens is that over the first two, where it is representable. *)
Lemma first_two f n s : 9 <= n -> (forall i, 3 <= i -> f i = Fin 0) -> add 2 (add 2 (Fin 0) (f 1)) (f 2) = s -> add 2 s (Fin 0) = s ->
  fold_left (add 2) (map f (range 1 (n + 1))) (Fin 0) = s.
Proof.
  intros Hn Hf S Z0. change (run 2 f 1 (n + 1) (Fin 0) = s). rewrite (run_app _ _ _ 2), (run_app _ _ 1 1) by lia. change (1 + 1) with 2.
  rewrite !run_one, S. apply run_same; [|lia]. intros i Hi. rewrite Hf by lia. exact Z0.
Qed.

Lemma single_weight n y z i : 3 <= i -> weight 2 (single n y z) (single_row 2 i (T0 1 y z i)) = Fin 0.
Proof. intros H. rewrite single_unused by exact H. reflexivity. Qed.

Lemma single_asks n y z : 9 <= n -> asking (single n y z) = unused 2.
Proof. intros H. apply single_unused. lia. Qed.

Theorem two_bits_compare_strings_of_one_bit : two_bits_compare_one.
Proof.
  intros o n y z Hn Hy Hyz Hz. set (T := single n y z). assert (A : asking T = unused 2) by (apply single_asks; exact Hn).
  assert (C : y = 0 /\ z = 0 \/ y = 0 /\ z = 1 \/ y = 1 /\ z = 1) by lia.
  set (d := if y =? z then Fin 0 else Fin (-1)).
  assert (D : denominator 2 T = Fin 2).
  { unfold denominator, sum. change (tokens T) with (map (fun i => single_row 2 i (T0 1 y z i)) (range 1 (n + 1))). rewrite map_map.
    apply first_two; [exact Hn|intros i Hi; apply single_weight; exact Hi| |reflexivity].
    unfold weight. rewrite A. destruct C as [[Y Z']|[[Y Z']|[Y Z']]]; subst y; subst z; reflexivity. }
  assert (N : match o with matrix_order => numerator_by_columns 2 T | token_order => numerator_by_tokens 2 T end = d).
  { destruct o.
    - assert (E : column 2 T 0 = d).
      { unfold column, sum. change (tokens T) with (map (fun i => single_row 2 i (T0 1 y z i)) (range 1 (n + 1))). rewrite map_map.
        apply first_two; [exact Hn|intros i Hi; rewrite single_unused by exact Hi; reflexivity| |unfold d; destruct (y =? z); reflexivity].
        unfold weight. rewrite A. unfold d. destruct C as [[Y Z']|[[Y Z']|[Y Z']]]; subst y; subst z; reflexivity. }
      unfold numerator_by_columns. change (value_weights T) with [whole 2 1]. unfold sum. cbn [length seq combine map fst snd fold_left].
      rewrite E. unfold d. destruct (y =? z); reflexivity.
    - unfold numerator_by_tokens, sum. change (tokens T) with (map (fun i => single_row 2 i (T0 1 y z i)) (range 1 (n + 1))). rewrite map_map.
      apply first_two; [exact Hn|intros i Hi; rewrite single_unused by exact Hi; reflexivity| |unfold d; destruct (y =? z); reflexivity].
      unfold product, weight. rewrite A. unfold d. destruct C as [[Y Z']|[[Y Z']|[Y Z']]]; subst y; subst z; reflexivity. }
  unfold output, attention. rewrite N, D. unfold d. destruct (y =? z); reflexivity.
Qed.
