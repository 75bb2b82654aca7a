(* One bit more than in Theorem 2.4 is enough on one fixed grid in token order: p bits compute EQ_{2p-3} on T1 for every p >= 4, where all
   numbers are levels of one grid (the program's narrative+point=grid, with the scale 1). The witness is tables/witness-grid.toml.
   [Fin k] is the level k, and so the number k. *)
From Coq Require Import ZArith List.
From EveryBitCounts Require Import Arithmetic Statement LowerHalf.
Import ListNotations.
Local Open Scope Z_scope.

(* n/d rounded to nearest, ties to zero; overflow is decided on the rounded value. Sums are those of LowerHalf.v, which are exact. *)
Definition grid_round (p n d : Z) : num :=
  let v := to_grid (Z.abs n) d 1 in
  if v <=? 2 ^ (p - 1) - 1 then Fin (Z.sgn n * v) else if n <? 0 then NInf else PInf.

Definition grid_mul (p : Z) (x y : num) : num :=
  match x, y with
  | Fin a, Fin b => grid_round p (a * b) 1
  | NaN, _ | _, NaN => NaN
  | _, _ => infinite (sign x * sign y)
  end.

Definition grid_div (p : Z) (x y : num) : num :=
  match x, y with
  | Fin a, Fin 0 => infinite (sign x)
  | Fin a, Fin b => grid_round p (a * Z.sgn b) (Z.abs b)
  | NaN, _ | _, NaN => NaN
  | Fin _, _ => Fin 0
  | _, Fin b => infinite (sign x * (if b <? 0 then -1 else 1))
  | _, _ => NaN
  end.

(* The rows of the table: the key and the value of token i where it reads the bit b; no key is the -N of the tables. *)
Definition nothing : option Z * Z := (None, 0).
Definition first_half (h j : Z) : option Z * Z := if ((2 <=? j) && (j <=? h - 2))%bool then (Some (h - j), 1) else (Some 0, 2 ^ (h - j)).
Definition grid_row (p i : Z) (b : bool) : option Z * Z :=
  let m := 2 * p - 3 in
  let h := p - 1 in
  if i <=? 0 then nothing                                                                     (* steps 1, 2 *)
  else if i <=? h then (if b then first_half h i else nothing)                                (* steps 3, 4, 5 *)
  else if i <=? m then (if b then nothing else (Some (m - i), 0))                             (* step 6 *)
  else if i =? m + 1 then (if b then nothing else first_half h 1)                             (* step 7 *)
  else if i <=? m + 3 then nothing                                                            (* steps 8, 9 *)
  else if i <=? m + h + 2 then (if b then nothing else first_half h (i - m - 2))              (* steps 10, 11 *)
  else if i <=? 2 * m + 2 then (if b then (Some (m - (i - m - 2)), 0) else nothing)           (* step 12 *)
  else if i =? 2 * m + 3 then (Some 0, 1)                                                     (* step 13 *)
  else nothing.                                                                               (* step 14 *)

(* The query is 1 and W^V is 1; no key is negative. *)
Definition grid_weight (p i : Z) (b : bool) : num := match fst (grid_row p i b) with None => Fin 0 | Some k => grid_round p (2 ^ k) 1 end.
Definition grid_product (p i : Z) (b : bool) : num := grid_mul p (grid_weight p i b) (Fin (snd (grid_row p i b))).

(* The hidden node max{0, c - x} with c = 2^(p-1) - 1, and the output node max{0, 1 - h}. The answer is yes where the output is 1. *)
Definition grid_output (p : Z) (numerator denominator : num) : num :=
  let x := grid_div p numerator denominator in
  let h := rectified (grid_add p (grid_add p (Fin 0) (grid_mul p (Fin (-1)) x)) (Fin (2 ^ (p - 1) - 1))) in
  rectified (grid_add p (grid_add p (Fin 0) (grid_mul p (Fin (-1)) h)) (Fin 1)).
Definition grid_answer (p : Z) (numerator denominator : num) : bool :=
  match grid_output p numerator denominator with Fin k => k =? 1 | _ => false end.

(* The output for other strings is 0, or NaN, which is rejected. With p + 1 for p this is EQ_{2p-1} with p + 1 bits. *)
Definition one_bit_more_suffices : Prop :=
  forall p n, 4 <= p -> 4 * p - 2 <= n ->
  computed_from_two_sums (grid_add p) (grid_add p) (grid_product p) (grid_weight p) (grid_answer p) (2 * p - 3) n /\
  forall y z, 0 <= y -> y < z -> z < 2 ^ (2 * p - 3) ->
  let x := grid_output p (running (grid_add p) (grid_product p) (2 * p - 3) n y z) (running (grid_add p) (grid_weight p) (2 * p - 3) n y z) in
  x = Fin 0 \/ x = NaN.
