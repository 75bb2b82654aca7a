(* The numerator of the corrected Table 6 compares the first p bits: positive where they agree, at most 0 where y's are smaller. In matrix
   order the column of A X adds up half_6 in steps of two units and never overflows; in token order the whole numbers half_6 are added,
   and the sum is infinite where y's first bits are all 1. *)
From Coq Require Import ZArith List Lia.
From EveryBitCounts Require Import Arithmetic Statement Rounding Operations Tokens Denominator Numerator Answer Table6 Table6Tokens.
Import ListNotations.
Local Open Scope Z_scope.

(* A step g: its multiples up to c steps are numbers, and c + 1 or more overflow if c is less than Q; -Q steps are a number or overflow. *)
Definition steps_of (p c g : Z) : Prop :=
  0 < g /\ Q p - 1 <= c <= Q p /\ (forall k, Z.abs k <= c -> representable p (k * g)) /\
  (forall x, c * g < x -> Q p * g <= x -> round p x 1 = PInf \/ c = Q p) /\ (forall x, x <= - Q p * g -> at_most (round p x 1) (- Q p * g)).

Lemma steps_of_two p : 7 <= p -> steps_of p (Q p) 2.
Proof.
  intros Hp. pose proof (Q_pos p) as HQ. assert (R : forall k, Z.abs k <= Q p -> representable p (k * 2)).
  { intros k Hk. change 2 with (2 ^ 1). apply representable_scaled; lia. }
  split; [lia|]. split; [lia|]. split; [exact R|]. split; [intros x _ _; right; reflexivity|].
  intros x Hx. apply round_at_most_neg; try lia. apply R. lia.
Qed.

Lemma steps_of_whole p : 7 <= p -> steps_of p (Q p - 1) (Q p).
Proof.
  intros Hp. pose proof (Q_pos p) as HQ. split; [lia|]. split; [lia|]. split; [intros k Hk; apply representable_whole; lia|]. split.
  - intros x _ Hx. left. apply round_above; lia.
  - intros x Hx. pose proof (Z.mul_pos_pos (Q p) (Q p)) as QQ. assert (A : round p (- x) 1 = PInf) by (apply round_above; lia).
    destruct (round_opp p x 1) as [O|[O O0]]; [|lia]. rewrite A in O. destruct (round p x 1); try discriminate O. exact I.
Qed.

Lemma add_steps p c g a b : 7 <= p -> steps_of p c g -> Z.abs (a + b) <= c -> add p (Fin (a * g)) (Fin (b * g)) = Fin ((a + b) * g).
Proof.
  intros Hp (_ & _ & R & _) H. rewrite add_exact; [f_equal; ring|lia|]. replace (a * g + b * g) with ((a + b) * g) by ring. apply R, H.
Qed.

(* At most k steps, -inf included; -Q <= k <= 0. *)
Lemma below_steps p c g k b s x : 7 <= p -> steps_of p c g -> - Q p <= k + b <= 0 -> x <= b * g -> at_most s (k * g) -> at_most (add p s (Fin x)) ((k + b) * g).
Proof.
  intros Hp (G & C & R & _ & L) H Hx A. destruct s as [v| | |]; cbn [at_most] in A; try contradiction; [|exact I]. cbn [add].
  assert (S : v + x <= (k + b) * g) by lia. destruct (Z.eq_dec (k + b) (- Q p)) as [E|E].
  - rewrite E in *. apply L. exact S.
  - pose proof (Q_pos p) as HQ. apply round_at_most_neg; try lia; [apply R; lia|]. apply Z.mul_nonpos_nonneg; lia.
Qed.

(* half_6, step by step. *)
Lemma halves_6 p y z i : 7 <= p ->
  (i = -1 -> half_6 p y z i = - (Q p - 1)) /\ (0 <= i <= 1 -> half_6 p y z i = if Z.testbit y (2 * p - 2) then 2 ^ (p - 2) else 0) /\
  (2 <= i <= p -> half_6 p y z i = if Z.testbit y (2 * p - 1 - i) then 2 ^ (p - i) else 0) /\ (p + 1 <= i <= 2 * p - 1 -> half_6 p y z i = 0) /\
  (2 * p <= i <= 2 * p + 1 -> half_6 p y z i = if Z.testbit z (2 * p - 2) then - 2 ^ (p - 2) else 0) /\
  (i = 2 * p + 2 -> half_6 p y z i = Q p - 1) /\
  (2 * p + 3 <= i <= 3 * p + 1 -> half_6 p y z i = if Z.testbit z (4 * p - i) then - 2 ^ (3 * p + 1 - i) else 0) /\
  (3 * p + 2 <= i <= 4 * p -> half_6 p y z i = 0) /\ (i = 4 * p + 1 -> half_6 p y z i = 1) /\ (4 * p + 2 <= i -> half_6 p y z i = 0).
Proof.
  intros Hp. unfold half_6. repeat split; intros H; (destruct (Z.eqb_spec i (-1)); [lia || reflexivity|]);
  (destruct (Z.leb_spec i 1); [lia || reflexivity|]); (destruct (Z.leb_spec i p); [lia || reflexivity|]);
  (destruct (Z.leb_spec i (2 * p - 1)); [lia || reflexivity|]); (destruct (Z.leb_spec i (2 * p + 1)); [lia || reflexivity|]);
  (destruct (Z.eqb_spec i (2 * p + 2)); [lia || reflexivity|]); (destruct (Z.leb_spec i (3 * p + 1)); [lia || reflexivity|]);
  (destruct (Z.leb_spec i (4 * p)); [lia || reflexivity|]); (destruct (Z.eqb_spec i (4 * p + 1)); lia || reflexivity).
Qed.

(* The first bit of y and the p-1 that follow it. *)
Definition first_6 (p y : Z) : bool := Z.testbit y (2 * p - 2).
Definition rest_6 (p y : Z) : Z := high (p - 1) y mod Q p.

Lemma high_6 p y : 7 <= p -> 0 <= y < 2 ^ (2 * p - 1) -> high (p - 1) y = (if first_6 p y then Q p else 0) + rest_6 p y.
Proof.
  intros Hp Hy. pose proof (mod_step (high (p - 1) y) (p - 1)) as M. rewrite high_bit in M by lia. fold (Q p) in M. unfold first_6, rest_6.
  replace (p - 1 + (p - 1)) with (2 * p - 2) in M by lia. rewrite Z.mod_small in M; [lia|].
  pose proof (pow_pos (p - 1)) as P. unfold high. split; [apply Z.div_pos; lia|]. apply Z.div_lt_upper_bound; [lia|].
  rewrite <- Z.pow_add_r by lia. replace (p - 1 + (p - 1 + 1)) with (2 * p - 1) by lia. lia.
Qed.

Lemma rest_step p y j : 7 <= p -> 0 <= j <= p - 2 ->
  high (p - 1) y mod 2 ^ (j + 1) = (if Z.testbit y (j + (p - 1)) then 2 ^ j else 0) + high (p - 1) y mod 2 ^ j.
Proof. intros Hp Hj. rewrite mod_step by lia. rewrite high_bit by lia. reflexivity. Qed.

(* After y: y' - (Q - 1) steps, or infinity. *)
Lemma sum_y_6 p c g f y z : 7 <= p -> steps_of p c g -> (forall i, -1 <= i -> f i = Fin (half_6 p y z i * g)) -> 0 <= y < 2 ^ (2 * p - 1) ->
  let k := high (p - 1) y - (Q p - 1) in run p f (-1) (2 * p - 1) (Fin 0) = if k <=? c then Fin (k * g) else PInf.
Proof.
  intros Hp HS Hf Hy. cbv zeta. pose proof (Q_pos p) as HQ. pose proof (Q_two p) as Q2. pose proof HS as (G & C & R & O & _).
  pose proof (high_6 p y Hp Hy) as H6. assert (RB : 0 <= rest_6 p y < Q p) by (apply Z.mod_pos_bound; lia). set (b := first_6 p y) in *.
  rewrite (run_app _ _ _ (-1)), (run_app _ _ (-1 + 1) 1), (run_app _ _ (1 + 1) p) by lia. rewrite run_one, Hf by lia.
  destruct (halves_6 p y z (-1) Hp) as (H1 & _). rewrite H1 by reflexivity. clear H1. replace (Fin 0) with (Fin (0 * g)) by reflexivity.
  rewrite (add_steps p c) by (assumption || lia). rewrite Z.add_0_l. change (-1 + 1) with 0. change (1 + 1) with 2.
  assert (I1 : run p f 0 1 (Fin (- (Q p - 1) * g)) = Fin ((- (Q p - 1) + (if b then Q p else 0)) * g)).
  { change 1 with (0 + 1) at 1. rewrite (run_app _ _ 0 0), !run_one by lia. rewrite !Hf by lia.
    destruct (halves_6 p y z 0 Hp) as (_ & H2 & _). destruct (halves_6 p y z (0 + 1) Hp) as (_ & H3 & _). rewrite H2, H3 by lia.
    fold (first_6 p y). fold b. destruct b; rewrite !(add_steps p c); try (assumption || lia); do 2 f_equal; lia. }
  rewrite I1. set (k0 := - (Q p - 1) + (if b then Q p else 0)).
  assert (I2 : run p f 2 p (Fin (k0 * g)) = (fun k => if k <=? c then Fin (k * g) else PInf) (k0 + rest_6 p y - high (p - 1) y mod 2 ^ (p + 1 - (p + 1)))).
  { apply (run_invariant p f (fun i s => s = (fun k => if k <=? c then Fin (k * g) else PInf) (k0 + rest_6 p y - high (p - 1) y mod 2 ^ (p + 1 - i)))).
    - lia.
    - cbv beta. replace (p + 1 - 2) with (p - 1) by lia. fold (Q p). fold (rest_6 p y). replace (k0 + rest_6 p y - rest_6 p y) with k0 by lia.
      destruct (Z.leb_spec k0 c); [reflexivity|]. unfold k0 in *. destruct b; lia.
    - intros i s Hi E. cbv beta in E |- *. destruct (halves_6 p y z i Hp) as (_ & _ & H3 & _). rewrite E, Hf, H3 by lia. clear E H3.
      pose proof (rest_step p y (p - i) Hp) as RS. replace (p - i + 1) with (p + 1 - i) in RS by lia. replace (p - i + (p - 1)) with (2 * p - 1 - i) in RS by lia.
      replace (p + 1 - (i + 1)) with (p - i) by lia. pose proof (pow_pos (p - i)) as PP. pose proof (pow_pos (p + 1 - i)) as PP1.
      assert (M0 : 0 <= high (p - 1) y mod 2 ^ (p - i)) by (apply Z.mod_pos_bound; lia).
      assert (M1 : high (p - 1) y mod 2 ^ (p + 1 - i) <= rest_6 p y) by (unfold rest_6, Q; apply mod_below; lia).
      assert (M2 : 0 <= high (p - 1) y mod 2 ^ (p + 1 - i)) by (apply Z.mod_pos_bound; lia).
      set (hi := high (p - 1) y mod 2 ^ (p + 1 - i)) in *. set (hj := high (p - 1) y mod 2 ^ (p - i)) in *.
      assert (K0 : - (Q p - 1) <= k0 <= 1) by (unfold k0; destruct b; lia).
      set (d := if Z.testbit y (2 * p - 1 - i) then 2 ^ (p - i) else 0) in *. assert (D : 0 <= d) by (unfold d; destruct (Z.testbit y (2 * p - 1 - i)); lia).
      assert (ED : hi = d + hj) by (apply RS; lia). clear RS. replace (k0 + rest_6 p y - hj) with (k0 + rest_6 p y - hi + d) by lia.
      set (k := k0 + rest_6 p y - hi) in *. destruct (Z.leb_spec k c) as [L|L]; destruct (Z.leb_spec (k + d) c) as [L'|L']; try lia.
      + apply (add_steps p c); assumption || lia.
      + cbn [add]. replace (k * g + d * g) with ((k + d) * g) by ring.
        destruct (O ((k + d) * g)) as [P|P]; [apply Z.mul_lt_mono_pos_r; lia|apply Z.mul_le_mono_nonneg_r; lia|exact P|lia].
      + reflexivity. }
  rewrite I2. cbv beta. replace (p + 1 - (p + 1)) with 0 by lia. change (2 ^ 0) with 1. rewrite Z.mod_1_r, Z.sub_0_r.
  replace (k0 + rest_6 p y) with (high (p - 1) y - (Q p - 1)) by (unfold k0; lia). set (k := high (p - 1) y - (Q p - 1)).
  apply run_same; [|lia]. intros i Hi. destruct (halves_6 p y z i Hp) as (_ & _ & _ & H4 & _). rewrite Hf, H4 by lia.
  destruct (Z.leb_spec k c); [|reflexivity]. rewrite (add_steps p c); [do 2 f_equal; lia|assumption|assumption|]. unfold k in *. destruct b; lia.
Qed.

(* Steps 12 to 17 after k steps, where nothing overflows. *)
Lemma sum_z_6 p c g f y z k : 7 <= p -> steps_of p c g -> (forall i, -1 <= i -> f i = Fin (half_6 p y z i * g)) ->
  - (Q p - 1) <= k - rest_6 p z -> k <= Q p - 1 -> run p f (2 * p + 3) (3 * p + 1) (Fin (k * g)) = Fin ((k - rest_6 p z) * g).
Proof.
  intros Hp HS Hf H1 H2. pose proof (Q_pos p) as HQ. pose proof HS as (_ & C & _).
  assert (J : run p f (2 * p + 3) (3 * p + 1) (Fin (k * g)) = Fin ((k - rest_6 p z + high (p - 1) z mod 2 ^ (3 * p + 2 - (3 * p + 1 + 1))) * g)).
  { apply (run_invariant p f (fun i s => s = Fin ((k - rest_6 p z + high (p - 1) z mod 2 ^ (3 * p + 2 - i)) * g))).
    - lia.
    - replace (3 * p + 2 - (2 * p + 3)) with (p - 1) by lia. fold (Q p). fold (rest_6 p z). do 2 f_equal. lia.
    - intros i s Hi E. destruct (halves_6 p y z i Hp) as (_ & _ & _ & _ & _ & _ & H7 & _). rewrite E, Hf, H7 by lia. clear E H7.
      pose proof (rest_step p z (3 * p + 1 - i) Hp) as RS. replace (3 * p + 1 - i + 1) with (3 * p + 2 - i) in RS by lia.
      replace (3 * p + 1 - i + (p - 1)) with (4 * p - i) in RS by lia. replace (3 * p + 2 - (i + 1)) with (3 * p + 1 - i) by lia.
      pose proof (pow_pos (3 * p + 1 - i)) as PP. assert (M0 : 0 <= high (p - 1) z mod 2 ^ (3 * p + 1 - i)) by (apply Z.mod_pos_bound; lia).
      assert (M1 : high (p - 1) z mod 2 ^ (3 * p + 1 - i) <= rest_6 p z) by (unfold rest_6, Q; apply mod_below; lia).
      rewrite RS by lia. destruct (Z.testbit z (4 * p - i)); (rewrite (add_steps p c); [do 2 f_equal; lia|assumption|assumption|lia]). }
  rewrite J. replace (3 * p + 2 - (3 * p + 1 + 1)) with 0 by lia. change (2 ^ 0) with 1. rewrite Z.mod_1_r, Z.add_0_r. reflexivity.
Qed.

Lemma sum_rest_6 p c g f y z n s : 7 <= p -> 4 * p + 2 <= n -> steps_of p c g -> (forall i, -1 <= i -> f i = Fin (half_6 p y z i * g)) ->
  add p s (Fin 0) = s -> add p (add p s (Fin g)) (Fin 0) = add p s (Fin g) -> run p f (3 * p + 2) (n - 1) s = add p s (Fin g).
Proof.
  intros Hp Hn HS Hf A B. rewrite (run_app _ _ _ (4 * p)), (run_app _ _ (4 * p + 1) (4 * p + 1)) by lia. rewrite run_one, Hf by lia.
  destruct (halves_6 p y z (4 * p + 1) Hp) as (_ & _ & _ & _ & _ & _ & _ & _ & H9 & _). rewrite H9, Z.mul_1_l by reflexivity.
  rewrite (run_same p f (3 * p + 2) (4 * p) s); [|intros i Hi|lia].
  - apply run_same; [|lia]. intros i Hi. destruct (halves_6 p y z i Hp) as (_ & _ & _ & _ & _ & _ & _ & _ & _ & H0). rewrite Hf, H0 by lia. exact B.
  - destruct (halves_6 p y z i Hp) as (_ & _ & _ & _ & _ & _ & _ & H8 & _). rewrite Hf, H8 by lia. exact A.
Qed.

(* The numerator: a step where the first bits agree, or infinity; at most 0 where y's are smaller. *)
Theorem numerator_6 p c g f y z n : 7 <= p -> 4 * p + 2 <= n -> steps_of p c g -> (forall i, -1 <= i -> f i = Fin (half_6 p y z i * g)) ->
  0 <= y -> y <= z -> z < 2 ^ (2 * p - 1) -> let s := run p f (-1) (n - 1) (Fin 0) in
  (high (p - 1) y = high (p - 1) z -> s = Fin g \/ c < Q p /\ s = PInf) /\ (high (p - 1) y <> high (p - 1) z -> at_most s 0).
Proof.
  intros Hp Hn HS Hf Hy Hyz Hz. cbv zeta. pose proof (Q_pos p) as HQ. pose proof (Q_two p) as Q2. pose proof HS as (G & C & R & O & L).
  assert (BY : 0 <= y < 2 ^ (2 * p - 1)) by lia. assert (BZ : 0 <= z < 2 ^ (2 * p - 1)) by lia.
  pose proof (high_6 p y Hp BY) as HY. pose proof (high_6 p z Hp BZ) as HZ. pose proof (high_le (p - 1) y z) as HL.
  assert (RY : 0 <= rest_6 p y < Q p) by (apply Z.mod_pos_bound; lia). assert (RZ : 0 <= rest_6 p z < Q p) by (apply Z.mod_pos_bound; lia).
  rewrite (run_app _ _ _ (2 * p - 1)), (run_app _ _ (2 * p - 1 + 1) (2 * p)), (run_app _ _ (2 * p + 1) (2 * p + 1)), (run_app _ _ (2 * p + 1 + 1) (2 * p + 2)),
    (run_app _ _ (2 * p + 2 + 1) (3 * p + 1)) by lia.
  replace (2 * p - 1 + 1) with (2 * p) by lia. replace (2 * p + 1 + 1) with (2 * p + 2) by lia. replace (2 * p + 2 + 1) with (2 * p + 3) by lia.
  replace (3 * p + 1 + 1) with (3 * p + 2) by lia. rewrite !run_one, (sum_y_6 p c g f y z) by assumption. cbv zeta.
  set (k := high (p - 1) y - (Q p - 1)) in *. rewrite (Hf (2 * p)), (Hf (2 * p + 1)), (Hf (2 * p + 2)) by lia.
  destruct (halves_6 p y z (2 * p) Hp) as (_ & _ & _ & _ & A1 & _). destruct (halves_6 p y z (2 * p + 1) Hp) as (_ & _ & _ & _ & A2 & _).
  destruct (halves_6 p y z (2 * p + 2) Hp) as (_ & _ & _ & _ & _ & A3 & _). rewrite A1, A2, A3 by lia. clear A1 A2 A3.
  fold (first_6 p z). set (d := if first_6 p z then - 2 ^ (p - 2) else 0). pose proof (pow_pos (p - 2)) as PP.
  destruct (Z.leb_spec k c) as [B|B].
  - assert (Z0 : forall e, Z.abs e <= c -> add p (Fin (e * g)) (Fin 0) = Fin (e * g)).
    { intros e He. replace (Fin 0) with (Fin (0 * g)) by reflexivity. rewrite (add_steps p c); [do 2 f_equal; lia|assumption|assumption|lia]. }
    assert (G1 : Fin g = Fin (1 * g)) by (f_equal; lia).
    assert (Same : first_6 p y = first_6 p z -> run p f (3 * p + 2) (n - 1) (run p f (2 * p + 3) (3 * p + 1)
      (add p (add p (add p (Fin (k * g)) (Fin (d * g))) (Fin (d * g))) (Fin ((Q p - 1) * g)))) = Fin ((rest_6 p y - rest_6 p z + 1) * g)).
    { intros E. rewrite E in HY. assert (K : k = (if first_6 p z then Q p else 0) + rest_6 p y - (Q p - 1)) by (unfold k; lia).
      assert (LE : rest_6 p y <= rest_6 p z) by lia. rewrite !(add_steps p c); try assumption; try (unfold d; destruct (first_6 p z); lia).
      replace (k + d + d + (Q p - 1)) with (rest_6 p y) by (unfold d; destruct (first_6 p z); lia).
      rewrite (sum_z_6 p c g f y z) by (assumption || lia). rewrite (sum_rest_6 p c g f y z) with (n := n); try assumption.
      - rewrite G1. apply (add_steps p c); assumption || lia.
      - apply Z0. lia.
      - rewrite G1, (add_steps p c) by (assumption || lia). apply Z0. lia. }
    destruct (first_6 p y) eqn:FY; destruct (first_6 p z) eqn:FZ; [|exfalso; lia| |].
    + rewrite Same by reflexivity. split; intros H; [left; f_equal; replace (rest_6 p y - rest_6 p z + 1) with 1 by lia; lia|]. cbn. apply Z.mul_nonpos_nonneg; lia.
    + split; intros H; [lia|]. clear Same. unfold d.
      assert (S0 : at_most (Fin (k * g)) (0 * g)). { change (k * g <= 0 * g). apply Z.mul_le_mono_nonneg_r; lia. }
      assert (S1 : at_most (add p (Fin (k * g)) (Fin (- 2 ^ (p - 2) * g))) ((0 + - 2 ^ (p - 2)) * g)) by (apply (below_steps p c); assumption || lia).
      set (s1 := add p (Fin (k * g)) (Fin (- 2 ^ (p - 2) * g))) in *.
      assert (S2 : at_most (add p s1 (Fin (- 2 ^ (p - 2) * g))) ((0 + - 2 ^ (p - 2) + - 2 ^ (p - 2)) * g)) by (apply (below_steps p c); assumption || lia).
      set (s2 := add p s1 (Fin (- 2 ^ (p - 2) * g))) in *.
      assert (S3 : at_most (add p s2 (Fin ((Q p - 1) * g))) ((0 + - 2 ^ (p - 2) + - 2 ^ (p - 2) + (Q p - 1)) * g)) by (apply (below_steps p c); assumption || lia).
      replace (0 + - 2 ^ (p - 2) + - 2 ^ (p - 2) + (Q p - 1)) with (-1) in S3 by lia. set (s3 := add p s2 (Fin ((Q p - 1) * g))) in *.
      assert (S4 : at_most (run p f (2 * p + 3) (3 * p + 1) s3) (-1 * g)).
      { apply (run_invariant p f (fun _ s => at_most s (-1 * g))); [lia|exact S3|]. intros i s Hi I.
        destruct (halves_6 p y z i Hp) as (_ & _ & _ & _ & _ & _ & H7 & _). rewrite Hf, H7 by lia. clear H7. change (-1) with (-1 + 0).
        pose proof (pow_pos (3 * p + 1 - i)) as P3. apply (below_steps p c); try assumption; try lia.
        apply Z.mul_le_mono_nonneg_r; destruct (Z.testbit z (4 * p - i)); lia. }
      set (s4 := run p f (2 * p + 3) (3 * p + 1) s3) in *. rewrite (run_app _ _ _ (4 * p)), (run_app _ _ (4 * p + 1) (4 * p + 1)) by lia. rewrite run_one, Hf by lia.
      destruct (halves_6 p y z (4 * p + 1) Hp) as (_ & _ & _ & _ & _ & _ & _ & _ & H9 & _). rewrite H9 by reflexivity.
      assert (S5 : at_most (run p f (3 * p + 2) (4 * p) s4) (-1 * g)).
      { apply (run_invariant p f (fun _ s => at_most s (-1 * g))); [lia|exact S4|]. intros i s Hi I.
        destruct (halves_6 p y z i Hp) as (_ & _ & _ & _ & _ & _ & _ & H8 & _). rewrite Hf, H8 by lia. change (-1) with (-1 + 0).
        apply (below_steps p c); assumption || lia. }
      assert (S6 : at_most (add p (run p f (3 * p + 2) (4 * p) s4) (Fin (1 * g))) ((-1 + 1) * g)) by (apply (below_steps p c); assumption || lia).
      change 0 with ((-1 + 1) * g). apply (run_invariant p f (fun _ s => at_most s ((-1 + 1) * g))); [lia|exact S6|]. intros i s Hi I.
      destruct (halves_6 p y z i Hp) as (_ & _ & _ & _ & _ & _ & _ & _ & _ & H0). rewrite Hf, H0 by lia. change (-1 + 1) with (0 + 0).
      apply (below_steps p c); assumption || lia.
    + rewrite Same by reflexivity. split; intros H; [left; f_equal; replace (rest_6 p y - rest_6 p z + 1) with 1 by lia; lia|]. cbn. apply Z.mul_nonpos_nonneg; lia.
  - assert (K : high (p - 1) y = 2 * Q p - 1 /\ c = Q p - 1) by (unfold k in *; destruct (first_6 p y); lia).
    assert (EQ : high (p - 1) y = high (p - 1) z) by (destruct (first_6 p z); lia).
    split; intros H; [|contradiction]. right. split; [lia|]. cbn [add].
    rewrite (run_same p f (2 * p + 3) (3 * p + 1)); [|intros i Hi; rewrite Hf by lia; reflexivity|lia].
    apply run_same; [|lia]. intros i Hi. rewrite Hf by lia. reflexivity.
Qed.
