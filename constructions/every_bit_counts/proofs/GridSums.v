(* Totals of whole numbers over a range of tokens, and running sums on a grid that are capped totals. *)
From Coq Require Import ZArith List Lia.
From EveryBitCounts Require Import Arithmetic Statement LowerHalf Grid Rounding Operations Counting.
Import ListNotations.
Local Open Scope Z_scope.

Definition added (xs : list Z) : Z := fold_right Z.add 0 xs.
Definition total (f : Z -> Z) (a b : Z) : Z := added (map f (range a b)).

Lemma added_app xs ys : added (xs ++ ys) = added xs + added ys.
Proof. induction xs as [|x xs IH]; cbn [app added fold_right]; [reflexivity|]. fold (added (xs ++ ys)). fold (added xs). lia. Qed.

Lemma total_app f a c b : a <= c + 1 -> c <= b -> total f a b = total f a c + total f (c + 1) b.
Proof. intros H K. unfold total. rewrite (range_app a c b H K), map_app. apply added_app. Qed.

Lemma total_one f a : total f a a = f a.
Proof. unfold total, range. replace (Z.to_nat (a - a + 1)) with 1%nat by lia. cbn. rewrite !Z.add_0_r. reflexivity. Qed.

Lemma total_none f a b : b < a -> total f a b = 0.
Proof. intros H. unfold total, range. replace (Z.to_nat (b - a + 1)) with 0%nat by lia. reflexivity. Qed.

Lemma total_ext f g a b : (forall i, a <= i <= b -> f i = g i) -> total f a b = total g a b.
Proof. intros H. unfold total. f_equal. apply map_ext_in. intros i Hi. apply H, in_range, Hi. Qed.

Lemma total_zero f a b : (forall i, a <= i <= b -> f i = 0) -> total f a b = 0.
Proof.
  intros H. rewrite (total_ext f (fun _ => 0)) by exact H. unfold total. generalize (range a b). intros l.
  induction l as [|x l IH]; [reflexivity|]. cbn [map added fold_right]. fold (added (map (fun _ : Z => 0) l)). lia.
Qed.

Lemma total_shift f c a b : total f (a + c) (b + c) = total (fun i => f (i + c)) a b.
Proof.
  unfold total. f_equal. unfold range. rewrite !map_map. replace (b + c - (a + c) + 1) with (b - a + 1) by lia.
  apply map_ext. intros k. f_equal. lia.
Qed.

Lemma total_sum f g a b : total (fun i => f i + g i) a b = total f a b + total g a b.
Proof.
  unfold total. generalize (range a b). intros l. induction l as [|x l IH]; [reflexivity|]. cbn [map added fold_right].
  fold (added (map (fun i => f i + g i) l)). fold (added (map f l)). fold (added (map g l)). lia.
Qed.

Lemma total_scaled f c a b : total (fun i => c * f i) a b = c * total f a b.
Proof.
  unfold total. generalize (range a b). intros l. induction l as [|x l IH]; [cbn; lia|]. cbn [map added fold_right].
  fold (added (map (fun i => c * f i) l)). fold (added (map f l)). lia.
Qed.

Lemma total_le f g a b : (forall i, a <= i <= b -> f i <= g i) -> total f a b <= total g a b.
Proof.
  intros H. unfold total. assert (G : forall i, In i (range a b) -> f i <= g i) by (intros i Hi; apply H, in_range, Hi).
  revert G. generalize (range a b). intros l. induction l as [|x l IH]; intros G; [cbn; lia|]. cbn [map added fold_right].
  fold (added (map f l)). fold (added (map g l)). pose proof (G x (in_eq x l)).
  assert (added (map f l) <= added (map g l)) by (apply IH; intros i Hi; apply G, in_cons, Hi). lia.
Qed.

Lemma total_nonneg f a b : (forall i, a <= i <= b -> 0 <= f i) -> 0 <= total f a b.
Proof. intros H. rewrite <- (total_zero (fun _ => 0) a b) by reflexivity. apply total_le, H. Qed.

(* The digits of u from the place c - a down to c - b. *)
Lemma digits_total u c a k : 0 <= c - a + 1 - Z.of_nat k ->
  total (fun i => if Z.testbit u (c - i) then 2 ^ (c - i) else 0) a (a + Z.of_nat k - 1) = u mod 2 ^ (c - a + 1) - u mod 2 ^ (c - a + 1 - Z.of_nat k).
Proof.
  induction k as [|k IH]; intros H.
  - rewrite total_none by lia. replace (c - a + 1 - Z.of_nat 0) with (c - a + 1) by lia. lia.
  - rewrite (total_app _ a (a + Z.of_nat k - 1)) by lia. rewrite IH by lia.
    replace (a + Z.of_nat (S k) - 1) with (a + Z.of_nat k - 1 + 1) by lia. rewrite total_one.
    pose proof (mod_step u (c - a + 1 - Z.of_nat (S k))) as M. replace (c - a + 1 - Z.of_nat (S k) + 1) with (c - a + 1 - Z.of_nat k) in M by lia.
    replace (c - (a + Z.of_nat k - 1 + 1)) with (c - a + 1 - Z.of_nat (S k)) by lia. rewrite M by lia. lia.
Qed.

Lemma powers_total c a k : 0 <= c - a + 1 - Z.of_nat k ->
  total (fun i => 2 ^ (c - i)) a (a + Z.of_nat k - 1) = 2 ^ (c - a + 1) - 2 ^ (c - a + 1 - Z.of_nat k).
Proof.
  induction k as [|k IH]; intros H.
  - rewrite total_none by lia. replace (c - a + 1 - Z.of_nat 0) with (c - a + 1) by lia. lia.
  - rewrite (total_app _ a (a + Z.of_nat k - 1)) by lia. rewrite IH by lia.
    replace (a + Z.of_nat (S k) - 1) with (a + Z.of_nat k - 1 + 1) by lia. rewrite total_one.
    pose proof (pow_succ (c - a + 1 - Z.of_nat k)) as M. replace (c - a + 1 - Z.of_nat k - 1) with (c - a + 1 - Z.of_nat (S k)) in M by lia.
    replace (c - (a + Z.of_nat k - 1 + 1)) with (c - a + 1 - Z.of_nat (S k)) by lia. lia.
Qed.

Lemma digits_between u c a b : a <= b + 1 -> b <= c ->
  total (fun i => if Z.testbit u (c - i) then 2 ^ (c - i) else 0) a b = u mod 2 ^ (c - a + 1) - u mod 2 ^ (c - b).
Proof.
  intros H K. pose proof (digits_total u c a (Z.to_nat (b + 1 - a))) as T. rewrite Z2Nat.id in T by lia.
  replace (a + (b + 1 - a) - 1) with b in T by lia. replace (c - a + 1 - (b + 1 - a)) with (c - b) in T by lia. apply T. lia.
Qed.

Lemma powers_between c a b : a <= b + 1 -> b <= c -> total (fun i => 2 ^ (c - i)) a b = 2 ^ (c - a + 1) - 2 ^ (c - b).
Proof.
  intros H K. pose proof (powers_total c a (Z.to_nat (b + 1 - a))) as T. rewrite Z2Nat.id in T by lia.
  replace (a + (b + 1 - a) - 1) with b in T by lia. replace (c - a + 1 - (b + 1 - a)) with (c - b) in T by lia. apply T. lia.
Qed.

(* What is complemented adds the rest. *)
Lemma complement_total (s : Z -> bool) f a b : total (fun i => if s i then 0 else f i) a b = total f a b - total (fun i => if s i then f i else 0) a b.
Proof.
  assert (E : total f a b = total (fun i => (if s i then 0 else f i) + (if s i then f i else 0)) a b)
    by (apply total_ext; intros i _; destruct (s i); lia).
  rewrite E, total_sum. lia.
Qed.

(* Running sums of levels that are not negative. *)
Definition capped (p k : Z) : num := if k <=? 2 ^ (p - 1) - 1 then Fin k else PInf.

Lemma capped_add p a b : 0 <= a -> 0 <= b -> grid_add p (capped p a) (Fin b) = capped p (a + b).
Proof.
  intros Ha Hb. unfold capped. destruct (Z.leb_spec a (2 ^ (p - 1) - 1)) as [A|A].
  - cbn [grid_add]. rewrite Z.abs_eq by lia. destruct (Z.leb_spec (a + b) (2 ^ (p - 1) - 1)) as [B|B]; [reflexivity|].
    destruct (Z.ltb_spec (a + b) 0); [lia|reflexivity].
  - destruct (Z.leb_spec (a + b) (2 ^ (p - 1) - 1)); [lia|reflexivity].
Qed.

Lemma capped_sum p (f : Z -> num) g l s : 0 <= s -> (forall i, In i l -> f i = Fin (g i) /\ 0 <= g i) ->
  fold_left (grid_add p) (map f l) (capped p s) = capped p (s + added (map g l)).
Proof.
  revert s. induction l as [|x l IH]; intros s Hs H; cbn [map fold_left added fold_right].
  - f_equal. lia.
  - destruct (H x (in_eq x l)) as [E G]. rewrite E, capped_add by lia. rewrite IH; [f_equal|lia|intros i Hi; apply H, in_cons, Hi].
    fold (added (map g l)). lia.
Qed.

Lemma capped_total p (f : Z -> num) g a b : 1 <= p -> (forall i, a <= i <= b -> f i = Fin (g i) /\ 0 <= g i) ->
  fold_left (grid_add p) (map f (range a b)) (Fin 0) = capped p (total g a b).
Proof.
  intros Hp H. pose proof (pow_pos (p - 1)) as P. assert (Z0 : Fin 0 = capped p 0).
  { unfold capped. destruct (Z.leb_spec 0 (2 ^ (p - 1) - 1)); [reflexivity|lia]. }
  rewrite Z0, (capped_sum p f g); [reflexivity|lia|]. intros i Hi. apply H, in_range, Hi.
Qed.

(* Rounding leaves whole numbers as they are. *)
Lemma grid_whole a : 0 <= a -> to_grid a 1 1 = a.
Proof. intros Ha. destruct (to_grid_bounds a 1 1) as (k & K & K0 & B); lia. Qed.

Lemma grid_exact p a : 0 <= a <= 2 ^ (p - 1) - 1 -> grid_round p a 1 = Fin a.
Proof.
  intros H. unfold grid_round. cbv zeta. rewrite Z.abs_eq, grid_whole by lia. destruct (Z.leb_spec a (2 ^ (p - 1) - 1)); [|lia].
  f_equal. destruct (Z.eq_dec a 0) as [A|A]; [subst a; reflexivity|]. rewrite Z.sgn_pos by lia. lia.
Qed.
