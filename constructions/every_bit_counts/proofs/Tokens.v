(* What each token adds to the denominator and, in either order, to the numerator. *)
From Coq Require Import ZArith List Lia.
From EveryBitCounts Require Import Arithmetic Statement Rounding Operations.
Import ListNotations.
Local Open Scope Z_scope.

(* The table, step by step, with m = 2p - 1. *)
Lemma step_1 p i b : 3 <= p -> i <= 0 -> embedding p i b = unused p.
Proof.
  intros Hp H. unfold embedding. cbv zeta.
  destruct (Z.leb_spec i 0); [reflexivity|lia].
Qed.

Lemma step_3 p i b : 3 <= p -> 1 <= i <= p - 1 -> embedding p i b = if b then unused p else token p (Some (p - 1 - i)) 0.
Proof.
  intros Hp H. unfold embedding. cbv zeta.
  destruct (Z.leb_spec i 0); [lia|]. destruct (Z.leb_spec i (p - 1)); [reflexivity|lia].
Qed.

Lemma step_4 p i b : 3 <= p -> i = p -> embedding p i b = token p (Some (- (p - 1))) (if b then 1 else - (2 ^ (p - 1) - 1)).
Proof.
  intros Hp H. unfold embedding. cbv zeta.
  destruct (Z.leb_spec i 0); [lia|]. destruct (Z.leb_spec i (p - 1)); [lia|].
  destruct (Z.eqb_spec i p); [reflexivity|lia].
Qed.

Lemma step_5 p i b : 3 <= p -> p + 1 <= i <= 2 * p - 1 -> embedding p i b = token p (Some (- (p - 1))) (if b then 2 ^ (2 * p - 1 - i) else 0).
Proof.
  intros Hp H. unfold embedding. cbv zeta.
  destruct (Z.leb_spec i 0); [lia|]. destruct (Z.leb_spec i (p - 1)); [lia|]. destruct (Z.eqb_spec i p); [lia|].
  destruct (Z.leb_spec i (2 * p - 1)); [reflexivity|lia].
Qed.

Lemma step_6 p i b : 3 <= p -> 2 * p <= i <= 2 * p + 1 -> embedding p i b = if b then token p (Some (p - 3)) 0 else unused p.
Proof.
  intros Hp H. unfold embedding. cbv zeta.
  destruct (Z.leb_spec i 0); [lia|]. destruct (Z.leb_spec i (p - 1)); [lia|]. destruct (Z.eqb_spec i p); [lia|].
  destruct (Z.leb_spec i (2 * p - 1)); [lia|]. destruct (Z.leb_spec i (2 * p - 1 + 2)); [reflexivity|lia].
Qed.

Lemma step_7 p i b : 3 <= p -> i = 2 * p + 2 -> embedding p i b = unused p.
Proof.
  intros Hp H. unfold embedding. cbv zeta.
  destruct (Z.leb_spec i 0); [lia|]. destruct (Z.leb_spec i (p - 1)); [lia|]. destruct (Z.eqb_spec i p); [lia|].
  destruct (Z.leb_spec i (2 * p - 1)); [lia|]. destruct (Z.leb_spec i (2 * p - 1 + 2)); [lia|].
  destruct (Z.eqb_spec i (2 * p - 1 + 3)); [reflexivity|lia].
Qed.

Lemma step_8 p i b : 3 <= p -> 2 * p + 3 <= i <= 3 * p -> embedding p i b = if b then token p (Some (p - 1 - (i - (2 * p - 1) - 2))) 0 else unused p.
Proof.
  intros Hp H. unfold embedding. cbv zeta.
  destruct (Z.leb_spec i 0); [lia|]. destruct (Z.leb_spec i (p - 1)); [lia|]. destruct (Z.eqb_spec i p); [lia|].
  destruct (Z.leb_spec i (2 * p - 1)); [lia|]. destruct (Z.leb_spec i (2 * p - 1 + 2)); [lia|].
  destruct (Z.eqb_spec i (2 * p - 1 + 3)); [lia|].
  destruct (Z.leb_spec i (2 * p - 1 + p + 1)); [reflexivity|lia].
Qed.

Lemma step_9 p i b : 3 <= p -> i = 3 * p + 1 -> embedding p i b = token p (Some (- (p - 1))) (if b then -1 else 2 ^ (p - 1) - 1).
Proof.
  intros Hp H. unfold embedding. cbv zeta.
  destruct (Z.leb_spec i 0); [lia|]. destruct (Z.leb_spec i (p - 1)); [lia|]. destruct (Z.eqb_spec i p); [lia|].
  destruct (Z.leb_spec i (2 * p - 1)); [lia|]. destruct (Z.leb_spec i (2 * p - 1 + 2)); [lia|].
  destruct (Z.eqb_spec i (2 * p - 1 + 3)); [lia|]. destruct (Z.leb_spec i (2 * p - 1 + p + 1)); [lia|].
  destruct (Z.eqb_spec i (2 * p - 1 + p + 2)); [reflexivity|lia].
Qed.

Lemma step_10 p i b : 3 <= p -> 3 * p + 2 <= i <= 4 * p -> embedding p i b = token p (Some (- (p - 1))) (if b then - 2 ^ (2 * (2 * p - 1) + 2 - i) else 0).
Proof.
  intros Hp H. unfold embedding. cbv zeta.
  destruct (Z.leb_spec i 0); [lia|]. destruct (Z.leb_spec i (p - 1)); [lia|]. destruct (Z.eqb_spec i p); [lia|].
  destruct (Z.leb_spec i (2 * p - 1)); [lia|]. destruct (Z.leb_spec i (2 * p - 1 + 2)); [lia|].
  destruct (Z.eqb_spec i (2 * p - 1 + 3)); [lia|]. destruct (Z.leb_spec i (2 * p - 1 + p + 1)); [lia|].
  destruct (Z.eqb_spec i (2 * p - 1 + p + 2)); [lia|].
  destruct (Z.leb_spec i (2 * (2 * p - 1) + 2)); [reflexivity|lia].
Qed.

Lemma step_11 p i b : 3 <= p -> i = 4 * p + 1 -> embedding p i b = token p (Some (- (p - 1))) (2 ^ (p - 2)).
Proof.
  intros Hp H. unfold embedding. cbv zeta.
  destruct (Z.leb_spec i 0); [lia|]. destruct (Z.leb_spec i (p - 1)); [lia|]. destruct (Z.eqb_spec i p); [lia|].
  destruct (Z.leb_spec i (2 * p - 1)); [lia|]. destruct (Z.leb_spec i (2 * p - 1 + 2)); [lia|].
  destruct (Z.eqb_spec i (2 * p - 1 + 3)); [lia|]. destruct (Z.leb_spec i (2 * p - 1 + p + 1)); [lia|].
  destruct (Z.eqb_spec i (2 * p - 1 + p + 2)); [lia|]. destruct (Z.leb_spec i (2 * (2 * p - 1) + 2)); [lia|].
  destruct (Z.eqb_spec i (2 * (2 * p - 1) + 3)); [reflexivity|lia].
Qed.

Lemma step_12 p i b : 3 <= p -> 4 * p + 2 <= i -> embedding p i b = unused p.
Proof.
  intros Hp H. unfold embedding. cbv zeta.
  destruct (Z.leb_spec i 0); [lia|]. destruct (Z.leb_spec i (p - 1)); [lia|]. destruct (Z.eqb_spec i p); [lia|].
  destruct (Z.leb_spec i (2 * p - 1)); [lia|]. destruct (Z.leb_spec i (2 * p - 1 + 2)); [lia|].
  destruct (Z.eqb_spec i (2 * p - 1 + 3)); [lia|]. destruct (Z.leb_spec i (2 * p - 1 + p + 1)); [lia|].
  destruct (Z.eqb_spec i (2 * p - 1 + p + 2)); [lia|]. destruct (Z.leb_spec i (2 * (2 * p - 1) + 2)); [lia|].
  destruct (Z.eqb_spec i (2 * (2 * p - 1) + 3)); [lia|]. reflexivity.
Qed.

(* The bits that the tokens read. *)
Lemma reads_y p y z i : 3 <= p -> 1 <= i <= 2 * p - 1 -> T1 (2 * p - 1) y z i = Z.testbit y (2 * p - 1 - i).
Proof.
  intros Hp H. unfold T1. destruct (Z.ltb_spec i 0); [lia|]. destruct (Z.eqb_spec i 0); [lia|].
  destruct (Z.leb_spec i (2 * p - 1)); [reflexivity|lia].
Qed.

Lemma reads_z1 p y z i : 3 <= p -> 2 * p <= i <= 2 * p + 1 -> T1 (2 * p - 1) y z i = Z.testbit z (2 * p - 2).
Proof.
  intros Hp H. unfold T1. destruct (Z.ltb_spec i 0); [lia|]. destruct (Z.eqb_spec i 0); [lia|].
  destruct (Z.leb_spec i (2 * p - 1)); [lia|]. destruct (Z.leb_spec i (2 * p - 1 + 2)); [|lia]. unfold bit. f_equal. lia.
Qed.

Lemma reads_z p y z i : 3 <= p -> 2 * p + 3 <= i <= 4 * p -> T1 (2 * p - 1) y z i = Z.testbit z (4 * p - i).
Proof.
  intros Hp H. unfold T1. destruct (Z.ltb_spec i 0); [lia|]. destruct (Z.eqb_spec i 0); [lia|].
  destruct (Z.leb_spec i (2 * p - 1)); [lia|]. destruct (Z.leb_spec i (2 * p - 1 + 2)); [lia|].
  destruct (Z.eqb_spec i (2 * p - 1 + 3)); [lia|]. destruct (Z.leb_spec i (2 * (2 * p - 1) + 2)); [|lia]. unfold bit. f_equal. lia.
Qed.

(* Weights and products of one token, where the query is 1. *)
Lemma mul_wholes p a c : 2 <= p -> Z.abs (a * c) < Q p -> mul p (whole p a) (whole p c) = whole p (a * c).
Proof.
  intros Hp H. unfold whole at 1 3. rewrite mul_whole; [f_equal; ring|lia|].
  replace (a * Q p * c) with (a * c * Q p) by ring. apply representable_whole; lia.
Qed.

(* The query is 1: what the last token is, its first coordinate is 1. *)
Definition asks_one (p : Z) (T : transformer) : Prop := first (asking T) = whole p 1.

Lemma weight_token p T k x : 3 <= p -> asks_one p T -> - (p - 1) <= k <= p - 2 -> weight p T (token p (Some k) x) = Fin (2 ^ (p - 1 + k)).
Proof.
  intros Hp HT Hk. pose proof (grows (p - 1)) as G. fold (Q p) in G. unfold weight, token. cbn [key option_map]. rewrite HT.
  rewrite (mul_wholes p 1 1) by lia. rewrite (mul_wholes p k 1) by lia. rewrite (mul_wholes p (1 * 1) (k * 1)) by lia.
  replace (1 * 1 * (k * 1)) with k by lia. apply power_exact; lia.
Qed.

Lemma weight_unused p T : weight p T (unused p) = Fin 0.
Proof. reflexivity. Qed.

(* The first value of a row, weighted: one entry of A X before it is summed. *)
Definition entry (p : Z) (T : transformer) (r : row) : num := mul p (weight p T r) (nth 0 (values r) (Fin 0)).

Lemma entry_unused p T : 3 <= p -> entry p T (unused p) = Fin 0.
Proof. intros Hp. pose proof (Q_pos p). apply round_zero; lia. Qed.

Lemma entry_zero p T k : 3 <= p -> asks_one p T -> - (p - 1) <= k <= p - 2 -> entry p T (token p (Some k) 0) = Fin 0.
Proof.
  intros Hp HT Hk. pose proof (Q_pos p). unfold entry. rewrite weight_token by assumption. cbn [token values nth].
  rewrite mul_whole; [f_equal; lia|lia|]. apply representable_small; lia.
Qed.

Lemma entry_smallest p T x : 3 <= p -> asks_one p T -> Z.abs x <= Q p -> entry p T (token p (Some (- (p - 1))) x) = Fin x.
Proof.
  intros Hp HT Hx. unfold entry. rewrite weight_token by (assumption || lia). cbn [token values nth].
  replace (p - 1 + - (p - 1)) with 0 by lia. change (2 ^ 0) with 1.
  rewrite mul_whole; [f_equal; lia|lia|]. apply representable_small; lia.
Qed.

(* The weights of the tokens of the witness. *)
Definition weight_at (p : Z) (T : transformer) (y z i : Z) : num := weight p T (embedding p i (T1 (2 * p - 1) y z i)).

Lemma weight_start p T y z i : 3 <= p -> i <= 0 -> weight_at p T y z i = Fin 0.
Proof. intros Hp H. unfold weight_at. rewrite step_1 by assumption. reflexivity. Qed.

Lemma weight_y p T y z i : 3 <= p -> asks_one p T -> 1 <= i <= p - 1 ->
  weight_at p T y z i = if Z.testbit y (2 * p - 1 - i) then Fin 0 else Fin (2 ^ (p - 1 - i) * Q p).
Proof.
  intros Hp HT H. unfold weight_at. rewrite step_3, reads_y by lia. destruct (Z.testbit y (2 * p - 1 - i)); [reflexivity|].
  rewrite weight_token by (assumption || lia). unfold Q. rewrite <- Z.pow_add_r by lia. do 2 f_equal. lia.
Qed.

Lemma smallest_weight p T x : 3 <= p -> asks_one p T -> weight p T (token p (Some (- (p - 1))) x) = Fin 1.
Proof. intros Hp HT. rewrite weight_token by (assumption || lia). replace (p - 1 + - (p - 1)) with 0 by lia. reflexivity. Qed.

Lemma weight_y_low p T y z i : 3 <= p -> asks_one p T -> p <= i <= 2 * p - 1 -> weight_at p T y z i = Fin 1.
Proof.
  intros Hp HT H. unfold weight_at. destruct (Z.eq_dec i p) as [E|E].
  - rewrite step_4 by assumption. apply smallest_weight; assumption.
  - rewrite step_5 by lia. apply smallest_weight; assumption.
Qed.

Lemma weight_z1 p T y z i : 3 <= p -> asks_one p T -> 2 * p <= i <= 2 * p + 1 ->
  weight_at p T y z i = if Z.testbit z (2 * p - 2) then Fin (2 ^ (p - 3) * Q p) else Fin 0.
Proof.
  intros Hp HT H. unfold weight_at. rewrite step_6, reads_z1 by lia. destruct (Z.testbit z (2 * p - 2)); [|reflexivity].
  rewrite weight_token by (assumption || lia). unfold Q. rewrite <- Z.pow_add_r by lia. do 2 f_equal. lia.
Qed.

Lemma weight_between p T y z i : 3 <= p -> i = 2 * p + 2 -> weight_at p T y z i = Fin 0.
Proof. intros Hp H. unfold weight_at. rewrite step_7 by assumption. reflexivity. Qed.

Lemma weight_z p T y z i : 3 <= p -> asks_one p T -> 2 * p + 3 <= i <= 3 * p ->
  weight_at p T y z i = if Z.testbit z (4 * p - i) then Fin (2 ^ (3 * p - i) * Q p) else Fin 0.
Proof.
  intros Hp HT H. unfold weight_at. rewrite step_8, reads_z by lia. destruct (Z.testbit z (4 * p - i)); [|reflexivity].
  rewrite weight_token by (assumption || lia). unfold Q. rewrite <- Z.pow_add_r by lia. do 2 f_equal. lia.
Qed.

Lemma weight_z_low p T y z i : 3 <= p -> asks_one p T -> 3 * p + 1 <= i <= 4 * p + 1 -> weight_at p T y z i = Fin 1.
Proof.
  intros Hp HT H. unfold weight_at. destruct (Z.eq_dec i (3 * p + 1)) as [E|E]; [|destruct (Z.eq_dec i (4 * p + 1)) as [F|F]].
  - rewrite step_9 by assumption. apply smallest_weight; assumption.
  - rewrite step_11 by assumption. apply smallest_weight; assumption.
  - rewrite step_10 by lia. apply smallest_weight; assumption.
Qed.

Lemma weight_end p T y z i : 3 <= p -> 4 * p + 2 <= i -> weight_at p T y z i = Fin 0.
Proof. intros Hp H. unfold weight_at. rewrite step_12 by assumption. reflexivity. Qed.

(* The entries of the tokens of the witness. *)
Definition entry_at (p : Z) (T : transformer) (y z i : Z) : num := entry p T (embedding p i (T1 (2 * p - 1) y z i)).

Lemma entry_start p T y z i : 3 <= p -> asks_one p T -> i <= p - 1 -> entry_at p T y z i = Fin 0.
Proof.
  intros Hp HT H. unfold entry_at. destruct (Z_le_gt_dec i 0) as [L|L].
  - rewrite step_1 by assumption. apply entry_unused; assumption.
  - rewrite step_3 by lia. destruct (T1 (2 * p - 1) y z i). apply entry_unused; assumption. apply entry_zero; assumption || lia.
Qed.

Lemma entry_y_first p T y z i : 3 <= p -> asks_one p T -> i = p ->
  entry_at p T y z i = Fin (if Z.testbit y (p - 1) then 1 else - (Q p - 1)).
Proof.
  intros Hp HT H. pose proof (Q_pos p) as HQ. unfold entry_at. rewrite step_4, reads_y by lia. replace (2 * p - 1 - i) with (p - 1) by lia.
  fold (Q p). apply entry_smallest; try assumption. destruct (Z.testbit y (p - 1)); lia.
Qed.

Lemma pow_below p k : 1 <= p -> 0 <= k <= p - 1 -> 0 < 2 ^ k <= Q p.
Proof. intros Hp H. split. apply pow_pos; lia. unfold Q. apply pow_le; lia. Qed.

Lemma entry_y p T y z i : 3 <= p -> asks_one p T -> p + 1 <= i <= 2 * p - 1 ->
  entry_at p T y z i = Fin (if Z.testbit y (2 * p - 1 - i) then 2 ^ (2 * p - 1 - i) else 0).
Proof.
  intros Hp HT H. pose proof (pow_below p (2 * p - 1 - i)) as HB. unfold entry_at. rewrite step_5, reads_y by lia.
  apply entry_smallest; try assumption. destruct (Z.testbit y (2 * p - 1 - i)); lia.
Qed.

Lemma entry_middle p T y z i : 3 <= p -> asks_one p T -> 2 * p <= i <= 3 * p -> entry_at p T y z i = Fin 0.
Proof.
  intros Hp HT H. unfold entry_at. destruct (Z_le_gt_dec i (2 * p + 1)) as [A|A]; [|destruct (Z.eq_dec i (2 * p + 2)) as [B|B]].
  - rewrite step_6 by lia. destruct (T1 (2 * p - 1) y z i). apply entry_zero; assumption || lia. apply entry_unused; assumption.
  - rewrite step_7 by assumption. apply entry_unused; assumption.
  - rewrite step_8 by lia. destruct (T1 (2 * p - 1) y z i). apply entry_zero; assumption || lia. apply entry_unused; assumption.
Qed.

Lemma entry_z_first p T y z i : 3 <= p -> asks_one p T -> i = 3 * p + 1 ->
  entry_at p T y z i = Fin (if Z.testbit z (p - 1) then -1 else Q p - 1).
Proof.
  intros Hp HT H. pose proof (Q_pos p) as HQ. unfold entry_at. rewrite step_9, reads_z by lia. replace (4 * p - i) with (p - 1) by lia.
  fold (Q p). apply entry_smallest; try assumption. destruct (Z.testbit z (p - 1)); lia.
Qed.

Lemma entry_z p T y z i : 3 <= p -> asks_one p T -> 3 * p + 2 <= i <= 4 * p ->
  entry_at p T y z i = Fin (if Z.testbit z (4 * p - i) then - 2 ^ (4 * p - i) else 0).
Proof.
  intros Hp HT H. pose proof (pow_below p (4 * p - i)) as HB. unfold entry_at. rewrite step_10, reads_z by lia.
  replace (2 * (2 * p - 1) + 2 - i) with (4 * p - i) by lia.
  apply entry_smallest; try assumption. destruct (Z.testbit z (4 * p - i)); lia.
Qed.

Lemma entry_last p T y z i : 3 <= p -> asks_one p T -> i = 4 * p + 1 -> entry_at p T y z i = Fin (2 ^ (p - 2)).
Proof.
  intros Hp HT H. pose proof (pow_below p (p - 2)) as HB. unfold entry_at. rewrite step_11 by assumption.
  apply entry_smallest; try assumption. lia.
Qed.

Lemma entry_end p T y z i : 3 <= p -> 4 * p + 2 <= i -> entry_at p T y z i = Fin 0.
Proof. intros Hp H. unfold entry_at. rewrite step_12 by assumption. apply entry_unused; assumption. Qed.
