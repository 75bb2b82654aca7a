(* The theorems on networks and sums, for every p >= 1 and every s with 1 in Q_(p,s). Definitions: FixedPoint.v. *)
From Coq Require Import ZArith List.
From FixedPointNetworks Require Import FixedPoint.
Import ListNotations.
Local Open Scope Z_scope.

(* p and s as the paper has them (Section 2.2, below Eq. (4)), and a rounded activation. *)
Definition setting (p s : Z) (act : Z -> Z) : Prop := 1 <= p /\ 1 <= s <= top p /\ activation p act.

(* Beside them: [nearest] is rounding to nearest. No level is nearer to t/s^2, and none that is as near is greater in magnitude. *)
Definition rounds_to_nearest : Prop :=
  forall p s t w, 1 <= p -> 1 <= s -> level p w ->
  let q := nearest p s t in
  level p q /\ (Z.abs (t - s * q) < Z.abs (t - s * w) \/ Z.abs (t - s * q) = Z.abs (t - s * w) /\ Z.abs w <= Z.abs q).

(* Eq. (8): m copies of the last hidden neurons, and the sum over them, are m times the map, by networks of the same depth. *)
Definition copied (m : nat) (ns : list neuron) : list neuron := concat (repeat ns m).
Definition summed (m : nat) (n : neuron) : neuron := Neuron (Z.of_nat m * bias n) (concat (repeat (weights n) m)).
Definition copies_add_up : Prop :=
  forall p s a d act f ns n m, (0 < m)%nat ->
  network_of p s a d (Network (first f) (others f ++ [ns])) -> neuron_of p s a (length ns) n ->
  network_of p s a d (Network (first f) (others f ++ [copied m ns])) /\ neuron_of p s a (length (copied m ns)) (summed m n) /\
  depth (Network (first f) (others f ++ [copied m ns])) = depth (Network (first f) (others f ++ [ns])) /\
  forall x, affine s (summed m n) (map act (run p s act (Network (first f) (others f ++ [copied m ns])) x)) =
  Z.of_nat m * affine s n (map act (run p s act (Network (first f) (others f ++ [ns])) x)).

(* Theorems 1 and 11. *)
Definition necessary (a : kind) : Prop :=
  forall p s act, setting p s act -> represents_everything p s a act -> exists b, everything p s a (output p act) b.

(* Eqs. (9) and (10): more than one layer, the outputs lie in N for the bias of the last. *)
Definition outputs_lie_in_N (a : kind) : Prop :=
  forall p s act d f v, setting p s act -> network_of p s a d f -> (1 < depth f)%nat ->
  forall n x, last (others f) (first f) = [n] -> input p d x -> run p s act f x = [v] -> rounded p s a (output p act) (bias n) v.

(* Lemmas 5 and 14, Eq. (13): gamma = t/s^2 on the box of the levels from a_i to b_i and 0 off it, by an f of so many layers. *)
Definition box (p : Z) (d : nat) (c : list (Z * Z)) : Prop :=
  length c = d /\ Forall (fun ab => level p (fst ab) /\ level p (snd ab) /\ fst ab <= snd ab) c.
Definition inside (c : list (Z * Z)) (x : list Z) : Prop := Forall (fun abk => fst (fst abk) <= snd abk <= snd (fst abk)) (combine c x).
Definition indicators (a : kind) (number : nat) : Prop :=
  forall p s act d c t, setting p s act -> condition_1 p act -> (0 < d)%nat -> box p d c -> sums p s a (gap p act) t ->
  exists f rho, network_of p s a d f /\ depth f = number /\ neuron_of p s a (outputs_of f) rho /\ bias rho = 0 /\
  forall x, input p d x ->
  (inside c x -> affine s rho (map act (run p s act f x)) = t) /\ (~ inside c x -> affine s rho (map act (run p s act f x)) = 0).

(* Theorems 6 and 15. *)
Definition sufficient (a : kind) : Prop :=
  forall p s act, setting p s act -> condition_1 p act -> (exists b, everything p s a (gap p act) b) -> represents_everything p s a act.

(* Corollaries 9 and 17. *)
Definition equivalent (a : kind) : Prop :=
  forall p s act, setting p s act -> condition_1 p act ->
  (forall b v, rounded p s a (output p act) b v <-> rounded p s a (gap p act) b v) ->
  (represents_everything p s a act <-> exists b, everything p s a (gap p act) b).

(* Eqs. (23), (24) and (26), for rho with the threshold z: phi, g and F_q, with m copies of q_max g. Values of phi, g and F_q
   are levels; q_max g is counted in 1/s^2. *)
Definition phi (p s : Z) (rho : Z -> Z) (z : Z) (c : list (Z * Z)) (x : list Z) : Z :=
  sum (map (fun abk => - rho (nearest p s (s * (snd abk - fst (fst abk) + z))) + rho (top p)
                       - rho (nearest p s (s * (- snd abk + snd (fst abk) + z))) + rho (top p)) (combine c x)).
Definition g (p s : Z) (rho : Z -> Z) (z : Z) (c : list (Z * Z)) (x : list Z) : Z :=
  - rho (nearest p s (s * (phi p s rho z c x + (z - 1)))) + rho (top p).
Definition F (p s : Z) (rho : Z -> Z) (z m q : Z) (c : list (Z * Z)) (x : list Z) : Z :=
  rho (nearest p s (s * q + m * (top p * g p s rho z c x))) - rho q.

(* Eq. (27). *)
Definition values_of_F : Prop :=
  forall p s rho z m q d c x, setting p s rho -> threshold p rho z -> box p d c -> input p d x -> level p q ->
  1 <= m -> 2 * top p * s < m * (top p * (rho (top p) - rho (z - 1))) ->
  (inside c x -> F p s rho z m q c x = rho (top p) - rho q) /\ (~ inside c x -> F p s rho z m q c x = 0).

(* Eqs. (14) and (15): the gamma_i, each with the indicator of its cube; exactly one of these is 1. *)
Definition one_cube (gs : list (Z * Z)) : Prop := Forall (fun gi => snd gi = 0 \/ snd gi = 1) gs /\ sum (map snd gs) = 1.
Definition sums_of_indicators : Prop :=
  forall p s b gs, 1 <= p -> 1 <= s -> one_cube gs ->
  nearest p s (s * b + sum (map product gs)) = nearest p s (sum (map (fun gi => (fst gi + s * b) * snd gi) gs)) /\
  nearest p s (sum (map (fun gi => (fst gi + s * b) * snd gi) gs)) = sum (map (fun gi => nearest p s (fst gi + s * b) * snd gi) gs).

(* Lemma 19. In 1/s^2 the bound 2 q_max + 3/(2s) is 2 s top + 3 s/2. *)
Definition small_sums_suffice : Prop :=
  forall p s act, 3 <= p -> setting p s act -> (exists b, everything p s fixed_point (gap p act) b) ->
  exists b, level p b /\
  forall v, level p v -> exists t, sums p s fixed_point (gap p act) t /\ 2 * Z.abs t <= 4 * s * top p + 3 * s /\ nearest p s (s * b + t) = v.

(* Lemma 25: so many terms, where V has so many elements. *)
Definition few_terms : Prop :=
  forall p s act V t, setting p s act -> NoDup V -> (forall v, In v V <-> gap p act v) ->
  sums p s fixed_point (gap p act) t -> 2 * Z.abs t <= 4 * s * top p + 3 * s ->
  exists ts, terms p s fixed_point (gap p act) ts /\ t = sum (map product ts) /\
  Z.of_nat (length ts) <= s * (2 ^ (p + 2) - 1) * Z.of_nat (length V).

(* Lemma 20: the parameters of a network with the affine map after it (Section 2.3: a bias and the weights of each neuron), for the
   indicator of a point; 1760 is the constant of the O that the proof's product gives. *)
Definition parameters_of (n : neuron) : Z :=
  1 + Z.of_nat (length (filter (fun w => match w with Some _ => true | None => false end) (weights n))).
Definition parameters (f : network) (rho : neuron) : Z :=
  sum (map (fun ns => sum (map parameters_of ns)) (layers f)) + parameters_of rho.
Definition few_parameters : Prop :=
  forall p s act d v t, setting p s act -> condition_1 p act -> (0 < d)%nat -> input p d v ->
  sums p s fixed_point (gap p act) t -> 2 * Z.abs t <= 4 * s * top p + 3 * s ->
  exists f rho, network_of p s fixed_point d f /\ depth f = 3%nat /\ neuron_of p s fixed_point (outputs_of f) rho /\ bias rho = 0 /\
  (forall x, input p d x -> affine s rho (map act (run p s act f x)) = if list_eq_dec Z.eq_dec x v then t else 0) /\
  parameters f rho <= 1760 * 2 ^ (2 * p) * s ^ 2 * Z.of_nat d.

(* Lemma 26: x_1 and the others in ascending order, d their greatest common divisor; x_n is the last of them. *)
Definition ascending (xs : list Z) : Prop := forall i j, (i < j < length xs)%nat -> nth i xs 0 < nth j xs 0.
Definition greatest_divisor (d : Z) (xs : list Z) : Prop :=
  0 < d /\ Forall (Z.divide d) xs /\ forall e, Forall (Z.divide e) xs -> (e | d).
Definition small_coefficients : Prop :=
  forall x1 xs d, 0 < x1 -> ascending (x1 :: xs) -> greatest_divisor d (x1 :: xs) ->
  exists c1 cs, length cs = length xs /\ c1 * x1 + sum (map product (combine cs xs)) = d /\
  Z.abs c1 <= last xs x1 / d /\ Forall (fun c => Z.abs c <= x1 / d) cs.

(* By number. *)
Definition theorem_1 : Prop := necessary fixed_point.
Definition theorem_11 : Prop := necessary binary.
Definition equation_10 : Prop := outputs_lie_in_N fixed_point.
Definition lemma_5 : Prop := indicators fixed_point 3.
Definition lemma_14 : Prop := indicators binary 2.
Definition theorem_6 : Prop := sufficient fixed_point.
Definition theorem_15 : Prop := sufficient binary.
Definition corollary_9 : Prop := equivalent fixed_point.
Definition corollary_17 : Prop := equivalent binary.
