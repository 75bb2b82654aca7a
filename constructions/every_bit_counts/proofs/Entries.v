(* Beside the theorems on transformers of Statement.v, Unpadded.v, Table6.v, Table5.v, FewBits.v and Grid.v: every entry of their tokens and every
   weight is a number of as many bits as the theorem says. *)
From Coq Require Import ZArith List.
From EveryBitCounts Require Import Arithmetic Statement Unpadded Table6 Table5 FewBits LowerHalf Grid.
Import ListNotations.
Local Open Scope Z_scope.

Definition has_bits (p : Z) (x : num) : Prop := match x with Fin v => representable p v | _ => False end.

(* A key that is not there is the -N of the tables, N large, which no format holds. *)
Definition row_has_bits (p : Z) (r : row) : Prop :=
  has_bits p (first r) /\ match key r with Some k => has_bits p k | None => True end /\ Forall (has_bits p) (values r).

Definition transformer_has_bits (p : Z) (T : transformer) : Prop :=
  Forall (row_has_bits p) (tokens T) /\ row_has_bits p (asking T) /\ Forall (has_bits p) (value_weights T) /\
  Forall (fun node => has_bits p (fst node) /\ has_bits p (snd node)) (hidden T) /\
  Forall (has_bits p) (output_weights T) /\ has_bits p (output_bias T).

(* A level of the grid of Grid.v with p bits. *)
Definition is_level (p k : Z) : Prop := - (2 ^ (p - 1) - 1) <= k <= 2 ^ (p - 1) - 1.

Definition entries_have_the_bits : Prop :=
  (forall p n y z, 3 <= p -> transformer_has_bits p (witness p n y z)) /\
  (forall p n y z, 4 <= p -> 0 <= n -> transformer_has_bits p (on_T0 unpadded_row p (2 * p - 1) n y z)) /\
  (forall p n y z, 3 <= p -> 0 <= n -> transformer_has_bits p (on_T0 simple_row p (2 * p - 3) n y z)) /\
  (forall n y z, transformer_has_bits 2 (single n y z)) /\
  (forall p n y z, 7 <= p -> transformer_has_bits p (corrected_table_6 p n y z)) /\
  (forall p n y z, 8 <= p -> 0 <= n -> transformer_has_bits p (corrected_table_5 p n y z)) /\
  (forall q m n y z, 2 <= q -> transformer_has_bits q (few_bits q m n y z)) /\
  (forall q m n y z, 2 <= q -> transformer_has_bits q (few_bits_on_T0 q m n y z)) /\
  (forall p i b, 4 <= p -> is_level p (snd (grid_row p i b)) /\ forall k, fst (grid_row p i b) = Some k -> is_level p k).
