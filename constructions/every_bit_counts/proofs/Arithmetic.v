(* The arithmetic of "Every Bit Counts": p-bit numbers (Definition A.7), rounding (Section A.3), one head of softmax
   attention (Definition A.2, Section A.4) and its final MLP (Definition A.4), with A.4's "e^(k ln 2) = 2^k".

   Every quantity is counted in units of 2^-(p-1), the smallest positive p-bit number: [Fin k] is k * 2^-(p-1). *)
From Coq Require Import ZArith List.
Import ListNotations.
Local Open Scope Z_scope.

Inductive num := Fin (k : Z) | PInf | NInf | NaN.

(* 2^(p-1): how many units make 1. *)
Definition Q (p : Z) : Z := 2 ^ (p - 1).

(* The number c, and c units. *)
Definition whole (p c : Z) : num := Fin (c * Q p).

(* Definition A.7: a sign and p-1 digits, s of them in front of the point: +-k * 2^s units. *)
Definition representable (p v : Z) : Prop := exists k s, Z.abs v = k * 2 ^ s /\ 0 <= k < Q p /\ 0 <= s <= p - 1.

(* The largest number, 2^(p-1) - 1. *)
Definition largest (p : Z) : Z := (Q p - 1) * Q p.

(* How many binary digits k has; 0 has none. *)
Definition digits (k : Z) : Z := if k =? 0 then 0 else Z.log2 k + 1.

(* The distance of neighbours at the magnitude a/d units: as many digits stand in front of the point as a/d needs. *)
Definition spacing (p a d : Z) : Z := 2 ^ Z.min (p - 1) (digits (a / (d * Q p))).

(* The multiple of s nearest to a/d, for a >= 0; of two that are equally near, the one nearer zero. *)
Definition to_grid (a d s : Z) : Z :=
  let below := a / (d * s) in
  let rest := a mod (d * s) in
  (if d * s <? 2 * rest then below + 1 else below) * s.

(* n/d units, d > 0, rounded to nearest; overflow is decided on the rounded value. *)
Definition round (p n d : Z) : num :=
  let v := to_grid (Z.abs n) d (spacing p (Z.abs n) d) in
  if v <=? largest p then Fin (Z.sgn n * v) else if n <? 0 then NInf else PInf.

(* Each operation is exact, then rounded. *)
Definition add (p : Z) (x y : num) : num :=
  match x, y with
  | Fin a, Fin b => round p (a + b) 1
  | NaN, _ | _, NaN | PInf, NInf | NInf, PInf => NaN
  | PInf, _ | _, PInf => PInf
  | NInf, _ | _, NInf => NInf
  end.

Definition sign (x : num) : Z := match x with Fin a => Z.sgn a | PInf => 1 | NInf => -1 | NaN => 0 end.

(* An infinity of this sign; 0 * inf is NaN. *)
Definition infinite (s : Z) : num := if s =? 0 then NaN else if s <? 0 then NInf else PInf.

Definition mul (p : Z) (x y : num) : num :=
  match x, y with
  | Fin a, Fin b => round p (a * b) (Q p)
  | NaN, _ | _, NaN => NaN
  | _, _ => infinite (sign x * sign y)
  end.

(* 0/0 and inf/inf are NaN; x/0 has the sign of x. *)
Definition div (p : Z) (x y : num) : num :=
  match x, y with
  | Fin a, Fin 0 => infinite (sign x)
  | Fin a, Fin b => round p (a * Z.sgn b * Q p) (Z.abs b)
  | NaN, _ | _, NaN => NaN
  | Fin _, _ => Fin 0
  | _, Fin b => infinite (sign x * (if b <? 0 then -1 else 1))
  | _, _ => NaN
  end.

(* Sums run from left to right. *)
Definition sum (p : Z) (xs : list num) : num := fold_left (add p) xs (Fin 0).

(* 2^x for a whole number x, rounded; of other numbers x no theorem here speaks. *)
Definition power_of_two (p : Z) (x : num) : num :=
  match x with
  | Fin k => let e := k / Q p in
             if k mod Q p =? 0 then (if 0 <=? e then round p (2 ^ e * Q p) 1 else round p (Q p) (2 ^ - e)) else NaN
  | PInf => PInf
  | NInf => Fin 0
  | NaN => NaN
  end.

Definition rectified (x : num) : num :=
  match x with Fin a => if 0 <? a then x else Fin 0 | PInf => PInf | NInf => Fin 0 | NaN => NaN end.

(* One row of X: the coordinates (first, key, values). The key [None] is the -N of the tables, N large. *)
Record row := Row { first : num; key : option num; values : list num }.

(* W^Q = ln 2 (1, 0, 0 ...)^T and W^K = (0, 1, 0 ...)^T, as every table has them; W^V = (0, 0, v_1, v_2 ...)^T.
   hidden and output: the weights and the bias of each node. *)
Record transformer := Transformer {
  tokens : list row; asking : row; value_weights : list num;
  hidden : list (num * num); output_weights : list num; output_bias : num }.

Inductive order := matrix_order | token_order.

(* e^<Q, K> of one token; 0 for a key of -N. *)
Definition weight (p : Z) (T : transformer) (r : row) : num :=
  match key r with
  | None => Fin 0
  | Some k => power_of_two p (mul p (mul p (first (asking T)) (whole p 1)) (mul p k (whole p 1)))
  end.

(* Section A.4, step 5: the columns of A X first, each from left to right, then their sum weighted with W^V. *)
Definition column (p : Z) (T : transformer) (c : nat) : num := sum p (map (fun r => mul p (weight p T r) (nth c (values r) (Fin 0))) (tokens T)).
Definition numerator_by_columns (p : Z) (T : transformer) : num :=
  sum p (map (fun cv => mul p (column p T (fst cv)) (snd cv)) (combine (seq 0 (length (value_weights T))) (value_weights T))).

(* The words of the proofs: e^<Q, K> X_j W^V of each token, each product from left to right, then the sum of the tokens. *)
Definition product (p : Z) (T : transformer) (r : row) : num :=
  sum p (map (fun xv => mul p (mul p (weight p T r) (fst xv)) (snd xv)) (combine (values r) (value_weights T))).
Definition numerator_by_tokens (p : Z) (T : transformer) : num := sum p (map (product p T) (tokens T)).

Definition denominator (p : Z) (T : transformer) : num := sum p (map (weight p T) (tokens T)).

Definition attention (p : Z) (T : transformer) (o : order) : num :=
  div p (match o with matrix_order => numerator_by_columns p T | token_order => numerator_by_tokens p T end) (denominator p T).

(* Definition A.4, the bias added last. *)
Definition hidden_value (p : Z) (x : num) (node : num * num) : num :=
  rectified (add p (add p (Fin 0) (mul p (fst node) x)) (snd node)).

Definition output (p : Z) (T : transformer) (o : order) : num :=
  let x := attention p T o in
  let weighted := map (fun wn => mul p (fst wn) (hidden_value p x (snd wn))) (combine (output_weights T) (hidden T)) in
  rectified (add p (sum p weighted) (output_bias T)).
