(* The upper half of Theorem 2.4 (Lemma 2.6) for every p >= 3: p bits compute EQ_m on the input representation T1, m = 2p - 1,
   under the promise y <= z, in both orders of evaluation. The witness is tables/witness-t1.toml, "denominator first".

   A string of m bits is the number 0 <= y < 2^m that it writes, y_1 its highest bit; y <= z is the promise. *)
From Coq Require Import ZArith List.
From EveryBitCounts Require Import Arithmetic.
Import ListNotations.
Local Open Scope Z_scope.

Definition bit (m y i : Z) : bool := Z.testbit y (m - i).

(* Section 2.2: the bit that token i reads, for i = -1 ... n-1. *)
Definition T1 (m y z i : Z) : bool :=
  if i <? 0 then false
  else if i =? 0 then bit m y 1
  else if i <=? m then bit m y i
  else if i <=? m + 2 then bit m z 1
  else if i =? m + 3 then false
  else if i <=? 2 * m + 2 then bit m z (i - m - 2)
  else false.

Definition token (p : Z) (k : option Z) (x : Z) : row := Row (whole p 1) (option_map (whole p) k) [whole p x].
Definition unused (p : Z) : row := token p None 0.

(* The rows of the table: token i where it reads the bit b. *)
Definition embedding (p i : Z) (b : bool) : row :=
  let m := 2 * p - 1 in
  if i <=? 0 then unused p                                                                  (* steps 1, 2 *)
  else if i <=? p - 1 then (if b then unused p else token p (Some (p - 1 - i)) 0)             (* step 3 *)
  else if i =? p then token p (Some (- (p - 1))) (if b then 1 else - (2 ^ (p - 1) - 1))     (* step 4 *)
  else if i <=? m then token p (Some (- (p - 1))) (if b then 2 ^ (m - i) else 0)            (* step 5 *)
  else if i <=? m + 2 then (if b then token p (Some (p - 3)) 0 else unused p)                 (* step 6 *)
  else if i =? m + 3 then unused p                                                          (* step 7 *)
  else if i <=? m + p + 1 then (if b then token p (Some (p - 1 - (i - m - 2))) 0 else unused p)  (* step 8 *)
  else if i =? m + p + 2 then token p (Some (- (p - 1))) (if b then -1 else 2 ^ (p - 1) - 1)   (* step 9 *)
  else if i <=? 2 * m + 2 then token p (Some (- (p - 1))) (if b then - 2 ^ (2 * m + 2 - i) else 0)  (* step 10 *)
  else if i =? 2 * m + 3 then token p (Some (- (p - 1))) (2 ^ (p - 2))                      (* step 11 *)
  else unused p.                                                                            (* step 12 *)

(* a, a+1, ... , b *)
Definition range (a b : Z) : list Z := map (fun k => a + Z.of_nat k) (seq 0 (Z.to_nat (b - a + 1))).

(* [Fin 2] is 2^(2-p). *)
Definition witness (p n y z : Z) : transformer :=
  let m := 2 * p - 1 in
  {| tokens := map (fun i => embedding p i (T1 m y z i)) (range (-1) (n - 1));
     asking := embedding p (n - 1) (T1 m y z (n - 1));
     value_weights := [whole p 1];
     hidden := [(whole p (-2), Fin 2); (whole p 2, Fin (-2))];
     output_weights := [whole p (- 2 ^ (p - 2)); whole p (- 2 ^ (p - 2))];
     output_bias := whole p 1 |}.

(* n tokens before the last one, as many as the table has room for. The output is 1 for equal strings, 0 for others, never NaN. *)
Definition computes_equality (o : order) : Prop :=
  forall p n y z, 3 <= p -> 4 * p + 2 <= n -> 0 <= y -> y <= z -> z < 2 ^ (2 * p - 1) ->
  output p (witness p n y z) o = if y =? z then whole p 1 else whole p 0.

Definition p_bits_suffice : Prop := computes_equality matrix_order /\ computes_equality token_order.

(* Beside it: [round] is rounding to nearest, ties to zero. The finite result is representable, no representable number is nearer,
   and none that is as near is smaller in magnitude. The result is infinite exactly where n/d is more than half a spacing, 2^(p-2),
   beyond the largest number. *)
Definition rounds_to_nearest : Prop :=
  forall p n d, 2 <= p -> 0 < d ->
  match round p n d with
  | Fin v => representable p v /\ 2 * Z.abs n <= (2 * largest p + Q p) * d /\
             forall w, representable p w ->
             Z.abs (n - v * d) < Z.abs (n - w * d) \/ Z.abs (n - v * d) = Z.abs (n - w * d) /\ Z.abs v <= Z.abs w
  | PInf => (2 * largest p + Q p) * d < 2 * n
  | NInf => (2 * largest p + Q p) * d < 2 * - n
  | NaN => False
  end.
