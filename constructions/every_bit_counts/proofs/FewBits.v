(* Against the lower halves of Theorems 2.4 and 2.1 (Lemmas 2.5 and 2.2) in matrix order: where A X is formed first, a transformer of exactly
   q bits with d_v = 1 and one head computes EQ_m on T1, and on T0, for every q >= 2 and every m, since Alice's part of A X is a number for
   each column that W^V uses. They are the program's lemma-2.5:two-bits and lemma-2.2:two-bits (q = 2), lemma-2.5:one-bit-less (q = p - 1)
   and lemma-2.2:one-bit-less (q = p - 2). *)
From Coq Require Import ZArith List.
From EveryBitCounts Require Import Arithmetic Statement Unpadded.
Import ListNotations.
Local Open Scope Z_scope.

(* How many columns of A X each position has: three with two bits, else two. *)
Definition copies (q : Z) : Z := if q =? 2 then 3 else 2.

(* What token i adds to the columns of position j, where it reads the bit b, in units of the largest number: y_j is added by token j, z_j
   subtracted by the last token that holds it. Every other entry is 0. *)
Definition adds (m i : Z) (b : bool) (j : Z) : Z :=
  if b then (if i =? j then 1 else if i =? (if j =? 1 then m + 2 else m + 2 + j) then -1 else 0) else 0.

(* The columns of a position stand side by side; those of the last position come first. *)
Definition position (q m : Z) (c : nat) : Z := m - Z.of_nat c / copies q.
Definition columns (q m : Z) : nat := Z.to_nat (copies q * m).

(* Every token has the key -(q - 1), so that it weighs 2^-(q-1). *)
Definition few_bits_row (q m i : Z) (b : bool) : row :=
  Row (whole q 1) (Some (whole q (- (q - 1))))
    (map (fun c => whole q (adds m i b (position q m c) * (2 ^ (q - 1) - 1))) (seq 0 (columns q m))).

(* W^V adds all columns, each times the largest number. The MLP answers 1 where the attention's output is 0. *)
Definition few_bits (q m n y z : Z) : transformer :=
  {| tokens := map (fun i => few_bits_row q m i (T1 m y z i)) (range (-1) (n - 1));
     asking := few_bits_row q m (n - 1) (T1 m y z (n - 1));
     value_weights := repeat (whole q (2 ^ (q - 1) - 1)) (columns q m);
     hidden := [(whole q 1, Fin 0); (whole q (-1), Fin 0); (whole q 1, Fin 0); (whole q (-1), Fin 0)];
     output_weights := repeat (whole q (-1)) 4;
     output_bias := whole q 1 |}.

(* For all pairs of strings, the promise y <= z is not needed. Lemma 2.5 says that p - 1 bits fail at m = 2p - 1. *)
Definition few_bits_suffice : Prop :=
  forall q m n y z, 2 <= q -> 1 <= m -> 2 * m + 4 <= n -> 0 <= y < 2 ^ m -> 0 <= z < 2 ^ m ->
  output q (few_bits q m n y z) matrix_order = if y =? z then whole q 1 else whole q 0.

(* On T0 token j alone holds y_j, and token m + j alone z_j. *)
Definition adds_on_T0 (m i : Z) (b : bool) (j : Z) : Z := if b then (if i =? j then 1 else if i =? m + j then -1 else 0) else 0.
Definition few_bits_row_on_T0 (q m i : Z) (b : bool) : row :=
  Row (whole q 1) (Some (whole q (- (q - 1))))
    (map (fun c => whole q (adds_on_T0 m i b (position q m c) * (2 ^ (q - 1) - 1))) (seq 0 (columns q m))).

(* Tokens 1 ... n+1, the last of which asks; all else is as on T1. *)
Definition few_bits_on_T0 (q m n y z : Z) : transformer :=
  {| tokens := map (fun i => few_bits_row_on_T0 q m i (T0 m y z i)) (range 1 (n + 1));
     asking := few_bits_row_on_T0 q m (n + 1) (T0 m y z (n + 1));
     value_weights := repeat (whole q (2 ^ (q - 1) - 1)) (columns q m);
     hidden := [(whole q 1, Fin 0); (whole q (-1), Fin 0); (whole q 1, Fin 0); (whole q (-1), Fin 0)];
     output_weights := repeat (whole q (-1)) 4;
     output_bias := whole q 1 |}.

(* Lemma 2.2 says that p - 2 bits fail at m = 2p - 3. *)
Definition few_bits_suffice_on_T0 : Prop :=
  forall q m n y z, 2 <= q -> 1 <= m -> 2 * m + 1 <= n -> 0 <= y < 2 ^ m -> 0 <= z < 2 ^ m ->
  output q (few_bits_on_T0 q m n y z) matrix_order = if y =? z then whole q 1 else whole q 0.
