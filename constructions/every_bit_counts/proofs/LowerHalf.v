(* The lower half of Theorem 2.4 (Lemma 2.5) for every p >= 3 under the readings in token order (the numerator is one running sum)
   in which a sum of q bits is one of the levels -(2^(q-1) - 1) ... 2^(q-1) - 1 of one grid, an infinity, or NaN: one fixed grid with any
   scale (the program's narrative+point=grid), and one fixed split of the digits, which may differ for numerator and denominator.
   In such a reading [Fin k] is the level k. Under the free binary point of Definition A.7 the count fails from p = 4 on. *)
From Coq Require Import ZArith List.
From EveryBitCounts Require Import Arithmetic Statement.
Import ListNotations.
Local Open Scope Z_scope.

(* What a number of q bits can be. *)
Definition on_grid (q : Z) (x : num) : Prop := match x with Fin k => Z.abs k <= 2 ^ (q - 1) - 1 | _ => True end.
Definition nonnegative (x : num) : Prop := match x with Fin k => 0 <= k | NInf => False | _ => True end.

(* A running sum over all tokens: token i adds a term that depends on i and on the bit that it reads, whatever the embedding, the weights
   and the query of the transformer are. *)
Definition running (plus : num -> num -> num) (term : Z -> bool -> num) (m n y z : Z) : num :=
  fold_left plus (map (fun i => term i (T1 m y z i)) (range (-1) (n - 1))) (Fin 0).

(* The numerator's products and the denominator's weights; what is made of the two sums, the division and the MLP, may be anything. *)
Definition computed_from_two_sums (plus_n plus_d : num -> num -> num) (product weight : Z -> bool -> num) (answer : num -> num -> bool)
  (m n : Z) : Prop :=
  forall y z, 0 <= y -> y <= z -> z < 2 ^ m ->
  answer (running plus_n product m n y z) (running plus_d weight m n y z) = (y =? z).

(* Lemma B.1 for sums: if each running sum stays in a list of numbers, there are 2^m pairs of them. *)
Definition closed (plus : num -> num -> num) (term : Z -> bool -> num) (numbers : list num) : Prop :=
  In (Fin 0) numbers /\ forall x i b, In x numbers -> In (plus x (term i b)) numbers.

Definition two_sums_need_messages : Prop :=
  forall plus_n plus_d product weight answer m n numerators denominators, 1 <= m -> m < n ->
  closed plus_n product numerators -> closed plus_d weight denominators ->
  computed_from_two_sums plus_n plus_d product weight answer m n ->
  2 ^ m <= Z.of_nat (length numerators) * Z.of_nat (length denominators).

(* Additions that stay on a grid of p - 1 bits, weights that keep a sum from being negative: EQ_{2p-1} is not computed. *)
Definition fewer_bits_fail : Prop :=
  forall p n plus_n plus_d product weight answer, 3 <= p -> 4 * p + 2 <= n ->
  (forall x y, on_grid (p - 1) (plus_n x y)) ->
  (forall x i b, nonnegative x -> on_grid (p - 1) (plus_d x (weight i b)) /\ nonnegative (plus_d x (weight i b))) ->
  ~ computed_from_two_sums plus_n plus_d product weight answer (2 * p - 1) n.

(* Such an addition: exact on levels, with overflow. *)
Definition grid_add (q : Z) (x y : num) : num :=
  match x, y with
  | Fin a, Fin b => if Z.abs (a + b) <=? 2 ^ (q - 1) - 1 then Fin (a + b) else if a + b <? 0 then NInf else PInf
  | NaN, _ | _, NaN | PInf, NInf | NInf, PInf => NaN
  | PInf, _ | _, PInf => PInf
  | NInf, _ | _, NInf => NInf
  end.

Definition fewer_bits_fail_on_a_grid : Prop :=
  forall p n product weight answer, 3 <= p -> 4 * p + 2 <= n -> (forall i b, nonnegative (weight i b)) ->
  ~ computed_from_two_sums (grid_add (p - 1)) (grid_add (p - 1)) product weight answer (2 * p - 1) n.
