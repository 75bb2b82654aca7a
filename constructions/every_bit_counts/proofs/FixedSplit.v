(* Theorem 2.4 whole, for every p >= 3, under one reading: fixed split, token order. Each stored number has its digits split in advance,
   |a| in front of the point and |b| behind it, 1 + |a| + |b| = p (Definition A.7 with the point of each number fixed by its place, not by
   its value: the scaling factor that the remark below A.7 and Appendix B.1 give to each number).
   A number with s digits in front of the point is k * 2^s units of 2^-(p-1), |k| <= 2^(p-1) - 1. *)
From Coq Require Import ZArith List.
From EveryBitCounts Require Import Arithmetic Statement LowerHalf.
Import ListNotations.
Local Open Scope Z_scope.

(* n/d units rounded to nearest, ties to zero; overflow is decided on the rounded value. *)
Definition split_round (p s n d : Z) : num :=
  let v := to_grid (Z.abs n) d (2 ^ s) in
  if v <=? (Q p - 1) * 2 ^ s then Fin (Z.sgn n * v) else if n <? 0 then NInf else PInf.

Definition split_add (p s : Z) (x y : num) : num :=
  match x, y with
  | Fin a, Fin b => split_round p s (a + b) 1
  | NaN, _ | _, NaN | PInf, NInf | NInf, PInf => NaN
  | PInf, _ | _, PInf => PInf
  | NInf, _ | _, NInf => NInf
  end.

Definition split_mul (p s : Z) (x y : num) : num :=
  match x, y with
  | Fin a, Fin b => split_round p s (a * b) (Q p)
  | NaN, _ | _, NaN => NaN
  | _, _ => infinite (sign x * sign y)
  end.

Definition split_div (p s : Z) (x y : num) : num :=
  match x, y with
  | Fin a, Fin 0 => infinite (sign x)
  | Fin a, Fin b => split_round p s (a * Z.sgn b * Q p) (Z.abs b)
  | NaN, _ | _, NaN => NaN
  | Fin _, _ => Fin 0
  | _, Fin b => infinite (sign x * (if b <? 0 then -1 else 1))
  | _, _ => NaN
  end.

(* 2^x for a whole number x. *)
Definition split_power (p s : Z) (x : num) : num :=
  match x with
  | Fin k => let e := k / Q p in if 0 <=? e then split_round p s (2 ^ e * Q p) 1 else split_round p s (Q p) (2 ^ - e)
  | PInf => PInf | NInf => Fin 0 | NaN => NaN
  end.

(* The witness: the rows of Statement.v, whose query is 1 and whose W^V is 1. Weights have all digits in front of the point, but for the
   tokens of the last p bits, which have them behind it. *)
Definition weight_split (p i : Z) : Z := if (((p <=? i) && (i <=? 2 * p - 1)) || (3 * p + 1 <=? i))%bool then 0 else p - 1.
Definition split_weight (p i : Z) (b : bool) : num :=
  match key (embedding p i b) with None => Fin 0 | Some k => split_power p (weight_split p i) k end.
Definition split_product (p i : Z) (b : bool) : num := split_mul p 0 (split_weight p i b) (nth 0 (values (embedding p i b)) (Fin 0)).

(* The quotient has all digits behind the point, as the numerator and the hidden node max{0, -2 x + 2^(2-p)}; the output node is
   max{0, -2^(p-2) h + 1}. The answer is yes where the output is 1; that is also where the quotient is infinite. *)
Definition split_output (p : Z) (numerator denominator : num) : num :=
  let x := split_div p 0 numerator denominator in
  let h := rectified (split_add p 0 (split_add p 0 (Fin 0) (split_mul p 0 (whole p (-2)) x)) (Fin 2)) in
  let y := split_add p (p - 1) (Fin 0) (split_mul p (p - 1) (whole p (- 2 ^ (p - 2))) h) in
  rectified (split_add p (p - 1) y (whole p 1)).
Definition split_answer (p : Z) (numerator denominator : num) : bool :=
  match split_output p numerator denominator with Fin k => k =? Q p | _ => false end.

(* p bits suffice; the output for other strings is 0, or NaN, which is rejected ... *)
Definition split_upper_half : Prop :=
  forall p n, 3 <= p -> 4 * p + 2 <= n ->
  computed_from_two_sums (split_add p 0) (split_add p (p - 1)) (split_product p) (split_weight p) (split_answer p) (2 * p - 1) n /\
  forall y z, 0 <= y -> y < z -> z < 2 ^ (2 * p - 1) ->
  let x := split_output p (running (split_add p 0) (split_product p) (2 * p - 1) n y z)
                          (running (split_add p (p - 1)) (split_weight p) (2 * p - 1) n y z) in
  x = whole p 0 \/ x = NaN.

(* ... and p - 1 bits do not, whatever the splits s and t of the two sums, the embedding, the weights, the other splits and the MLP are. *)
Definition split_lower_half : Prop :=
  forall p n s t product weight answer, 3 <= p -> 4 * p + 2 <= n -> 0 <= s -> 0 <= t -> (forall i b, nonnegative (weight i b)) ->
  ~ computed_from_two_sums (split_add (p - 1) s) (split_add (p - 1) t) product weight answer (2 * p - 1) n.

Definition theorem_2_4_with_fixed_splits : Prop := split_lower_half /\ split_upper_half.
