(* Against the lower halves of Theorems 2.4 and 2.1 (Lemmas 2.5 and 2.2) in matrix order: where A X is formed first, a transformer of two
   bits with d_v = 1 and one head computes EQ_m on T1, and on T0, for every m, since Alice's part of A X is a number for each column that W^V
   uses. They are the program's lemma-2.5:two-bits and lemma-2.2:two-bits, three columns a position. *)
From Coq Require Import ZArith List.
From EveryBitCounts Require Import Arithmetic Statement Unpadded.
Import ListNotations.
Local Open Scope Z_scope.

(* What token i adds to the columns of position j, where it reads the bit b: y_j is added by token j, z_j subtracted by the last token
   that holds it. Every other entry is 0. *)
Definition adds (m i : Z) (b : bool) (j : Z) : Z :=
  if b then (if i =? j then 1 else if i =? (if j =? 1 then m + 2 else m + 2 + j) then -1 else 0) else 0.

(* Columns 3 (m - j), 3 (m - j) + 1 and 3 (m - j) + 2 belong to position j: the last position comes first. *)
Definition position (m : Z) (c : nat) : Z := m - Z.of_nat c / 3.
Definition columns (m : Z) : nat := (3 * Z.to_nat m)%nat.

(* Every token has the key -1, so that it weighs 1/2. *)
Definition two_bit_row (m i : Z) (b : bool) : row :=
  Row (whole 2 1) (Some (whole 2 (-1))) (map (fun c => whole 2 (adds m i b (position m c))) (seq 0 (columns m))).

(* W^V adds all columns. The MLP answers 1 where the attention's output is 0. *)
Definition two_bits (m n y z : Z) : transformer :=
  {| tokens := map (fun i => two_bit_row m i (T1 m y z i)) (range (-1) (n - 1));
     asking := two_bit_row m (n - 1) (T1 m y z (n - 1));
     value_weights := repeat (whole 2 1) (columns m);
     hidden := [(whole 2 1, Fin 0); (whole 2 (-1), Fin 0); (whole 2 1, Fin 0); (whole 2 (-1), Fin 0)];
     output_weights := repeat (whole 2 (-1)) 4;
     output_bias := whole 2 1 |}.

(* For all pairs of strings, the promise y <= z is not needed. Lemma 2.5 asks for ceil(m/2) bits, more than two from m = 5 on. *)
Definition two_bits_suffice : Prop :=
  forall m n y z, 1 <= m -> 2 * m + 4 <= n -> 0 <= y < 2 ^ m -> 0 <= z < 2 ^ m ->
  output 2 (two_bits m n y z) matrix_order = if y =? z then whole 2 1 else whole 2 0.

(* On T0 token j alone holds y_j, and token m + j alone z_j. *)
Definition adds_on_T0 (m i : Z) (b : bool) (j : Z) : Z := if b then (if i =? j then 1 else if i =? m + j then -1 else 0) else 0.
Definition two_bit_row_on_T0 (m i : Z) (b : bool) : row :=
  Row (whole 2 1) (Some (whole 2 (-1))) (map (fun c => whole 2 (adds_on_T0 m i b (position m c))) (seq 0 (columns m))).

(* Tokens 1 ... n+1, the last of which asks; all else is as on T1. *)
Definition two_bits_on_T0 (m n y z : Z) : transformer :=
  {| tokens := map (fun i => two_bit_row_on_T0 m i (T0 m y z i)) (range 1 (n + 1));
     asking := two_bit_row_on_T0 m (n + 1) (T0 m y z (n + 1));
     value_weights := repeat (whole 2 1) (columns m);
     hidden := [(whole 2 1, Fin 0); (whole 2 (-1), Fin 0); (whole 2 1, Fin 0); (whole 2 (-1), Fin 0)];
     output_weights := repeat (whole 2 (-1)) 4;
     output_bias := whole 2 1 |}.

(* Lemma 2.2 asks for ceil(m/2) bits, m = 2p - 3: more than two from p = 4 on. *)
Definition two_bits_suffice_on_T0 : Prop :=
  forall m n y z, 1 <= m -> 2 * m + 1 <= n -> 0 <= y < 2 ^ m -> 0 <= z < 2 ^ m ->
  output 2 (two_bits_on_T0 m n y z) matrix_order = if y =? z then whole 2 1 else whole 2 0.
