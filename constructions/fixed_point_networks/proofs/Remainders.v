(* Section 5.2 of "On Expressive Power of Quantized Neural Networks under Fixed-Point Arithmetic": which remainders modulo r the levels
   -(2^p - 1) ... 2^p - 1 of Q_(p,s) leave (Eq. 21), and that three of them are too few (Eq. 22). A level q is the number q/s. *)
From Coq Require Import ZArith.
Local Open Scope Z_scope.

Definition top (p : Z) : Z := 2 ^ p - 1.

(* Eq. (21) and the lines before it: all remainders occur for r <= 2^p - 1; and where s r is a number of Q_(p,s), so is r <= 2^p - 1. *)
Definition every_remainder_occurs : Prop :=
  forall p s r, 1 <= p -> 1 <= s -> 1 <= r ->
  (r <= top p -> forall x, 0 <= x <= r - 1 -> exists q, - top p <= q <= top p /\ q mod r = x) /\
  (s * s * r <= top p -> r <= top p).

(* Eq. (22): the levels 2^p - 1, -(2^p - 1) and b never leave all remainders, if r >= 4, or r = 3 and p is even. *)
Definition three_levels_are_too_few : Prop :=
  forall p s r b, 1 <= p -> 1 <= s -> 3 <= r -> s * s * r <= top p -> r > 3 \/ p mod 2 = 0 -> 0 <= b <= r - 1 ->
  exists x, 0 <= x <= r - 1 /\ x <> top p mod r /\ x <> (- top p) mod r /\ x <> b.
