(* What each token of the corrected Table 6 adds to the denominator and, in either order, to the numerator. *)
From Coq Require Import ZArith List Lia.
From EveryBitCounts Require Import Arithmetic Statement Rounding Operations Tokens Answer Table6.
Import ListNotations.
Local Open Scope Z_scope.

(* The last token asks with a 1, and W^V is 2^(p-2). *)
Definition halves_values (p : Z) (T : transformer) : Prop := asks_one p T /\ value_weights T = [whole p (2 ^ (p - 2))].

(* The row of token i, the bit that it reads left out: its key, and its value where the bit is 1 and where it is 0. *)
Lemma reads_start p y z i : 7 <= p -> 0 <= i <= 1 -> T1 (2 * p - 1) y z i = Z.testbit y (2 * p - 2).
Proof.
  intros Hp H. unfold T1, bit. destruct (Z.ltb_spec i 0); [lia|]. destruct (Z.eqb_spec i 0).
  - f_equal. lia.
  - destruct (Z.leb_spec i (2 * p - 1)); [|lia]. f_equal. lia.
Qed.

(* The weight of token i in units, with w = 2^(p-1-six p). *)
Definition weight_6 (p y z i : Z) : Z :=
  if i =? -1 then 2 else if i <=? 2 then 2 ^ (p - 1 - six p) else if i <=? 6 then 2 ^ (p - 7) else if i <=? p then 2 ^ (p + 1 - i)
  else if i <=? 2 * p - 1 then (if Z.testbit y (2 * p - 1 - i) then 0 else 2 ^ (2 * p - 1 - i) * Q p)
  else if i <=? 2 * p + 1 then 2 ^ (p - 1 - six p) else if i =? 2 * p + 2 then 2 else if i =? 2 * p + 3 then 2 ^ (p - 1 - six p)
  else if i <=? 2 * p + 7 then 2 ^ (p - 7) else if i <=? 3 * p + 1 then 2 ^ (3 * p + 2 - i)
  else if i <=? 4 * p then (if Z.testbit z (4 * p - i) then 2 ^ (4 * p - i) * Q p else 0)
  else if i =? 4 * p + 1 then 2 else 0.

(* Half of what token i adds to the column of A X, in units; and what it adds to the numerator in token order, in whole numbers. *)
Definition half_6 (p y z i : Z) : Z :=
  if i =? -1 then - (Q p - 1) else if i <=? 1 then (if Z.testbit y (2 * p - 2) then 2 ^ (p - 2) else 0)
  else if i <=? p then (if Z.testbit y (2 * p - 1 - i) then 2 ^ (p - i) else 0)
  else if i <=? 2 * p - 1 then 0 else if i <=? 2 * p + 1 then (if Z.testbit z (2 * p - 2) then - 2 ^ (p - 2) else 0)
  else if i =? 2 * p + 2 then Q p - 1 else if i <=? 3 * p + 1 then (if Z.testbit z (4 * p - i) then - 2 ^ (3 * p + 1 - i) else 0)
  else if i <=? 4 * p then 0 else if i =? 4 * p + 1 then 1 else 0.

(* A row: its weight w, and half of weight times value. *)
Definition adds_6 (p : Z) (T : transformer) (r : row) (w h : Z) : Prop :=
  weight p T r = Fin w /\ exists v, values r = [v] /\ mul p (Fin w) v = Fin (2 * h).

Lemma adds_unused p T : 7 <= p -> adds_6 p T (unused p) 0 0.
Proof.
  intros Hp. pose proof (Q_pos p) as HQ. split; [apply weight_unused|]. exists (whole p 0). split; [reflexivity|].
  rewrite mul_whole; [reflexivity|lia|]. apply representable_small; lia.
Qed.

Lemma adds_token p T k v w h : 7 <= p -> asks_one p T -> - (p - 1) <= k <= p - 2 -> 2 ^ (p - 1 + k) = w -> w * v = 2 * h -> Z.abs h <= Q p ->
  adds_6 p T (token p (Some k) v) w h.
Proof.
  intros Hp HT Hk W E Hh. pose proof (Q_pos p) as HQ. subst w. split; [apply weight_token; lia || assumption|]. exists (whole p v).
  split; [reflexivity|]. rewrite mul_whole; [rewrite E; reflexivity|lia|]. rewrite E. replace (2 * h) with (h * 2 ^ 1) by lia.
  apply representable_scaled; lia.
Qed.

Lemma six_bounds p : 7 <= p -> 5 <= six p <= 6 /\ six p <= p - 2.
Proof. intros Hp. unfold six. lia. Qed.

Lemma powers_meet a b c : 0 <= a -> 0 <= b -> a + b = c -> 2 ^ a * 2 ^ b = 2 ^ c.
Proof. intros Ha Hb E. rewrite <- Z.pow_add_r by assumption. f_equal. exact E. Qed.

Theorem token_6 p T y z i : 7 <= p -> asks_one p T -> -1 <= i ->
  adds_6 p T (corrected_row p i (T1 (2 * p - 1) y z i)) (weight_6 p y z i) (half_6 p y z i).
Proof.
  intros Hp HT Hi. pose proof (six_bounds p Hp) as S. pose proof (Q_pos p) as HQ. pose proof (Q_two p) as Q2.
  assert (B : forall k, 0 <= k <= p - 1 -> 0 < 2 ^ k <= Q p) by (intros k Hk; apply pow_below; lia).
  assert (Two : forall k, 1 <= k -> 2 ^ k = 2 * 2 ^ (k - 1)) by (intros k Hk; apply pow_succ; lia).
  assert (Same : forall a c, a = c -> 2 ^ a = 2 ^ c) by (intros a c H; f_equal; exact H).
  assert (Small : 2 ^ (p - 1 + - (p - 2)) = 2) by (replace (p - 1 + - (p - 2)) with 1 by lia; reflexivity).
  assert (M : 2 ^ (p - 1 - six p) * 2 ^ six p = Q p) by (unfold Q; apply powers_meet; lia).
  unfold corrected_row, weight_6, half_6. cbv zeta.
  destruct (Z.eqb_spec i (-1)) as [E|E]. { fold (Q p). apply adds_token; lia || assumption. }
  destruct (Z.leb_spec i 2) as [L2|L2].
  { destruct (Z.leb_spec i 1) as [L1|L1].
    - rewrite reads_start by lia. destruct (Z.testbit y (2 * p - 2)); apply adds_token; try lia; try assumption; try (apply Same; lia).
    - replace i with 2 by lia. destruct (Z.leb_spec 2 p); [|lia]. specialize (B (p - 2)).
      rewrite reads_y by lia. destruct (Z.testbit y (2 * p - 1 - 2)); apply adds_token; try lia; try assumption; try (apply Same; lia). }
  destruct (Z.leb_spec i 1); [lia|]. destruct (Z.leb_spec i 6) as [L6|L6].
  { destruct (Z.leb_spec i p); [|lia]. specialize (B (p - i)). pose proof (powers_meet (p - 7) (8 - i) (p - i + 1)) as M6.
    specialize (Two (p - i + 1)). replace (p - i + 1 - 1) with (p - i) in Two by lia.
    rewrite reads_y by lia. destruct (Z.testbit y (2 * p - 1 - i)); apply adds_token; try lia; try assumption; try (apply Same; lia). }
  destruct (Z.leb_spec i p) as [Lp|Lp].
  { specialize (B (p - i)). specialize (Two (p + 1 - i)). replace (p + 1 - i - 1) with (p - i) in Two by lia.
    rewrite reads_y by lia. destruct (Z.testbit y (2 * p - 1 - i)); apply adds_token; try lia; try assumption; try (apply Same; lia). }
  destruct (Z.leb_spec i (2 * p - 1)) as [Lm|Lm].
  { rewrite reads_y by lia. destruct (Z.testbit y (2 * p - 1 - i)); [apply adds_unused; exact Hp|].
    apply adds_token; try lia; try assumption. unfold Q. symmetry. apply powers_meet; lia. }
  destruct (Z.leb_spec i (2 * p - 1 + 2)) as [L10|L10]; destruct (Z.leb_spec i (2 * p + 1)) as [L10'|L10']; try lia.
  { specialize (B (p - 2)).
    rewrite reads_z1 by lia. destruct (Z.testbit z (2 * p - 2)); apply adds_token; try lia; try assumption; try (apply Same; lia). }
  destruct (Z.eqb_spec i (2 * p - 1 + 3)) as [E11|E11]; destruct (Z.eqb_spec i (2 * p + 2)) as [E11'|E11']; try lia.
  { fold (Q p). apply adds_token; lia || assumption. }
  destruct (Z.eqb_spec i (2 * p - 1 + 4)) as [E12|E12]; destruct (Z.eqb_spec i (2 * p + 3)) as [E12'|E12']; try lia.
  { specialize (B (p - 2)). destruct (Z.leb_spec i (3 * p + 1)); [|lia]. replace (3 * p + 1 - i) with (p - 2) by lia.
    rewrite reads_z by lia. destruct (Z.testbit z (4 * p - i)); apply adds_token; try lia; try assumption; try (apply Same; lia). }
  destruct (Z.leb_spec i (2 * p - 1 + 8)) as [L13|L13]; destruct (Z.leb_spec i (2 * p + 7)) as [L13'|L13']; try lia.
  { destruct (Z.leb_spec i (3 * p + 1)); [|lia]. specialize (B (3 * p + 1 - i)).
    pose proof (powers_meet (p - 7) (2 * p - 1 + 10 - i) (3 * p + 2 - i)) as M6.
    specialize (Two (3 * p + 2 - i)). replace (3 * p + 2 - i - 1) with (3 * p + 1 - i) in Two by lia.
    rewrite reads_z by lia. destruct (Z.testbit z (4 * p - i)); apply adds_token; try lia; try assumption; try (apply Same; lia). }
  destruct (Z.leb_spec i (2 * p - 1 + p + 2)) as [L17|L17]; destruct (Z.leb_spec i (3 * p + 1)) as [L17'|L17']; try lia.
  { specialize (B (3 * p + 1 - i)). specialize (Two (3 * p + 2 - i)). replace (3 * p + 2 - i - 1) with (3 * p + 1 - i) in Two by lia.
    rewrite reads_z by lia. destruct (Z.testbit z (4 * p - i)); apply adds_token; try lia; try assumption; try (apply Same; lia). }
  destruct (Z.leb_spec i (2 * (2 * p - 1) + 2)) as [L18|L18]; destruct (Z.leb_spec i (4 * p)) as [L18'|L18']; try lia.
  { rewrite reads_z by lia. destruct (Z.testbit z (4 * p - i)); [|apply adds_unused; exact Hp].
    apply adds_token; try lia; try assumption. unfold Q. rewrite (powers_meet (4 * p - i) (p - 1) (5 * p - 1 - i)) by lia.
    apply Same. lia. }
  destruct (Z.eqb_spec i (2 * (2 * p - 1) + 3)) as [E19|E19]; destruct (Z.eqb_spec i (4 * p + 1)) as [E19'|E19']; try lia.
  { apply adds_token; lia || assumption. }
  apply adds_unused; exact Hp.
Qed.

(* What a row adds in matrix order, and in token order. *)
Lemma entry_6 p T r w h : adds_6 p T r w h -> entry p T r = Fin (2 * h).
Proof. intros (W & v & V & M). unfold entry. rewrite W, V. exact M. Qed.

Lemma product_6 p T r w h : 7 <= p -> halves_values p T -> adds_6 p T r w h -> Z.abs h < Q p -> product p T r = Fin (h * Q p).
Proof.
  intros Hp (_ & VW) (W & v & V & M) Hh. pose proof (Q_two p) as Q2. unfold product. rewrite VW, V. unfold sum.
  cbn [combine map fst snd fold_left]. rewrite W, M.
  assert (E : 2 * h * 2 ^ (p - 2) = h * Q p) by lia.
  rewrite mul_whole; [|lia|rewrite E; apply representable_whole; lia]. rewrite E.
  rewrite add_exact; [reflexivity|lia|apply representable_whole; lia].
Qed.

Lemma half_6_bound p y z i : 7 <= p -> -1 <= i -> Z.abs (half_6 p y z i) < Q p.
Proof.
  intros Hp Hi. pose proof (Q_pos p) as HQ. pose proof (Q_two p) as Q2.
  assert (B : forall k, 0 <= k <= p - 2 -> 0 < 2 ^ k <= 2 ^ (p - 2)).
  { intros k Hk. split. apply pow_pos; lia. apply pow_le; lia. }
  pose proof (B (p - 2)) as B0. unfold half_6.
  destruct (Z.eqb_spec i (-1)); [lia|]. destruct (Z.leb_spec i 1); [destruct (Z.testbit y (2 * p - 2)); lia|].
  destruct (Z.leb_spec i p). { specialize (B (p - i)). destruct (Z.testbit y (2 * p - 1 - i)); lia. }
  destruct (Z.leb_spec i (2 * p - 1)); [lia|]. destruct (Z.leb_spec i (2 * p + 1)); [destruct (Z.testbit z (2 * p - 2)); lia|].
  destruct (Z.eqb_spec i (2 * p + 2)); [lia|].
  destruct (Z.leb_spec i (3 * p + 1)). { specialize (B (3 * p + 1 - i)). destruct (Z.testbit z (4 * p - i)); lia. }
  destruct (Z.leb_spec i (4 * p)); [lia|]. destruct (Z.eqb_spec i (4 * p + 1)); lia.
Qed.
