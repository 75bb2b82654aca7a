(* Lemma 4, Lemmas 7, 16 and 24 with (A1) to (A7): what follows from real values of the activation at the numbers of Q_(p,s).

   The real numbers enter by their order and their sums only, so that the theorems are about every ordered group with whole numbers in
   it, as the real numbers are; they need no axiom. [f k] is s sigma(k/s). Where the paper bounds a derivative, the bound here is what the
   mean value theorem gives: over a step of 1/s, s sigma changes by a value of the derivative. *)
From Coq Require Import ZArith List Lia.
From FixedPointNetworks Require Import FixedPoint Statement.
Local Open Scope Z_scope.

Record line := Line {
  real : Set; zero : real; plus : real -> real -> real; opposite : real -> real; le : real -> real -> Prop; whole : Z -> real;
  commutative : forall x y, plus x y = plus y x;
  associative : forall x y z, plus x (plus y z) = plus (plus x y) z;
  neutral : forall x, plus x zero = x;
  inverse : forall x, plus x (opposite x) = zero;
  total : forall x y, le x y \/ le y x;
  antisymmetric : forall x y, le x y -> le y x -> x = y;
  transitive : forall x y z, le x y -> le y z -> le x z;
  shifted : forall x y z, le x y -> le (plus x z) (plus y z);
  whole_sum : forall a b, whole (a + b) = plus (whole a) (whole b);
  whole_le : forall a b, le (whole a) (whole b) <-> a <= b }.

Definition lt (L : line) (x y : real L) : Prop := ~ le L y x.
Definition shift (L : line) (x : real L) (n : Z) : real L := plus L x (whole L n).
Definition times (L : line) (n : nat) (x : real L) : real L := Nat.iter n (plus L x) (zero L).

(* x rounds to q: of the midpoint with each other level w, x stands on the side of q; where x is the midpoint, q is the greater one in
   magnitude. *)
Definition rounds (L : line) (p : Z) (x : real L) (q : Z) : Prop :=
  level p q /\ forall w, level p w ->
  (w < q -> le L (whole L (q + w)) (times L 2 x)) /\ (q < w -> le L (times L 2 x) (whole L (q + w))) /\
  (w <> q -> times L 2 x = whole L (q + w) -> Z.abs w < Z.abs q).
Definition rounded_activation (L : line) (p : Z) (f : Z -> real L) (act : Z -> Z) : Prop := forall k, level p k -> rounds L p (f k) (act k).

(* Lemma 4. *)
Definition rising (L : line) (p : Z) (f : Z -> real L) : Prop := forall j k, level p j -> level p k -> j <= k -> le L (f j) (f k).
Definition falling (L : line) (p : Z) (f : Z -> real L) : Prop := forall j k, level p j -> level p k -> j <= k -> le L (f k) (f j).
Definition monotone_activations : Prop :=
  forall L p f act, 1 <= p -> rising L p f \/ falling L p f -> rounded_activation L p f act ->
  (exists j k, level p j /\ level p k /\ act j <> act k) -> condition_1 p act.

(* What (A1) to (A7) ask of f between the levels q1 and q2: of its values, and of each step from x = f k to y = f (k + 1). *)
Definition values (L : line) (f : Z -> real L) (q1 q2 low high : Z) : Prop :=
  forall k, q1 <= k <= q2 -> le L (whole L low) (f k) /\ le L (f k) (whole L high).
Definition steps (L : line) (f : Z -> real L) (q1 q2 : Z) (admitted : real L -> real L -> Prop) : Prop :=
  forall k, q1 <= k < q2 -> admitted (f k) (f (k + 1)).
Definition levels_from (p q1 q2 : Z) : Prop := - top p <= q1 /\ q1 < q2 /\ q2 <= top p.

(* (A1): slopes in (-1, 1), values in [-q_max, q_max], ends at least 1/s apart. *)
Definition a1 (L : line) (p : Z) (f : Z -> real L) : Prop :=
  exists q1 q2, levels_from p q1 q2 /\ values L f q1 q2 (- top p) (top p) /\
  steps L f q1 q2 (fun x y => lt L (shift L x (-1)) y /\ lt L y (shift L x 1)) /\
  (le L (shift L (f q1) 1) (f q2) \/ le L (shift L (f q2) 1) (f q1)).
(* (A2): slopes in [-1, 1], values in [0, q_max], ends at least 1/s apart. *)
Definition a2 (L : line) (p : Z) (f : Z -> real L) : Prop :=
  exists q1 q2, levels_from p q1 q2 /\ values L f q1 q2 0 (top p) /\
  steps L f q1 q2 (fun x y => le L (shift L x (-1)) y /\ le L y (shift L x 1)) /\
  (le L (shift L (f q1) 1) (f q2) \/ le L (shift L (f q2) 1) (f q1)).
(* (A3): slopes in [1, 2], values in [-q_max, q_max], ends less than (2 (q2 - q1) - 1)/s apart. *)
Definition a3 (L : line) (p : Z) (f : Z -> real L) : Prop :=
  exists q1 q2, levels_from p q1 q2 /\ values L f q1 q2 (- top p) (top p) /\
  steps L f q1 q2 (fun x y => le L (shift L x 1) y /\ le L y (shift L x 2)) /\
  lt L (f q2) (shift L (f q1) (2 * (q2 - q1) - 1)) /\ lt L (f q1) (shift L (f q2) (2 * (q2 - q1) - 1)).
(* (A4) to (A7): slopes in [1/2, 1), [1/6, 1), [1, 3/2) and (1/2, 1), values in [-q_max, q_max]. *)
Definition a4 (L : line) (p : Z) (f : Z -> real L) : Prop :=
  3 <= p /\ values L f 0 2 (- top p) (top p) /\
  steps L f 0 2 (fun x y => le L (shift L (times L 2 x) 1) (times L 2 y) /\ lt L y (shift L x 1)).
Definition a5 (L : line) (p : Z) (f : Z -> real L) : Prop :=
  3 <= p /\ values L f (-3) 3 (- top p) (top p) /\
  steps L f (-3) 3 (fun x y => le L (shift L (times L 6 x) 1) (times L 6 y) /\ lt L y (shift L x 1)).
Definition a6 (L : line) (p : Z) (f : Z -> real L) : Prop :=
  3 <= p /\ values L f 3 5 (- top p) (top p) /\
  steps L f 3 5 (fun x y => le L (shift L x 1) y /\ lt L (times L 2 y) (shift L (times L 2 x) 3)).
Definition a7 (L : line) (p : Z) (f : Z -> real L) : Prop :=
  3 <= p /\ values L f 1 3 (- top p) (top p) /\
  steps L f 1 3 (fun x y => lt L (shift L (times L 2 x) 1) (times L 2 y) /\ lt L y (shift L x 1)).

(* Lemmas 7 and 24 for weights in Q_(p,s), Lemma 16 for weights -1 and 1: S (BS) is everything, for every bias. *)
Definition gives_everything (a : kind) (condition : forall L : line, Z -> (Z -> real L) -> Prop) : Prop :=
  forall L p s f act, setting p s act -> rounded_activation L p f act -> condition L p f ->
  forall b, everything p s a (gap p act) b.

(* By number. *)
Definition condition_a1 : Prop := gives_everything fixed_point a1.
Definition condition_a2 : Prop := gives_everything fixed_point a2.
Definition condition_a3 : Prop := gives_everything fixed_point a3.
Definition condition_a4 : Prop := gives_everything fixed_point a4.
Definition condition_a5 : Prop := gives_everything fixed_point a5.
Definition condition_a6 : Prop := gives_everything fixed_point a6.
Definition condition_a7 : Prop := gives_everything fixed_point a7.
Definition lemma_16_a1 : Prop := gives_everything binary a1.
Definition lemma_16_a2 : Prop := gives_everything binary a2.
Definition lemma_16_a3 : Prop := gives_everything binary a3.

(* Beside them: the two roundings are one. On the line of the multiples of 1/s^2, counted in 1/s^2, t rounds to q where [nearest] is q. *)
Lemma same_order : forall s a b, 1 <= s -> (s * a <= s * b <-> a <= b).
Proof.
  intros s a b Hs. symmetry. apply Z.mul_le_mono_pos_l. lia.
Qed.

Definition multiples (s : Z) (Hs : 1 <= s) : line := Line Z 0 Z.add Z.opp Z.le (fun n => s * n)
  Z.add_comm Z.add_assoc Z.add_0_r Z.add_opp_diag_r Z.le_ge_cases Z.le_antisymm Z.le_trans
  (fun x y z H => proj1 (Z.add_le_mono_r x y z) H) (fun a b => Z.mul_add_distr_l s a b) (fun a b => same_order s a b Hs).
Definition one_rounding : Prop := forall p s t q (Hs : 1 <= s), 1 <= p -> (rounds (multiples s Hs) p t q <-> nearest p s t = q).
