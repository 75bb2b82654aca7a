(* Sections 2.2, 2.3 and 3 of "On Expressive Power of Quantized Neural Networks under Fixed-Point Arithmetic": the numbers, the
   rounding, the networks, and the sets N, S, BN, BS.

   A number k/s of Q_(p,s) is its level k. Products of two numbers, and sums of products, are counted in 1/s^2. *)
From Coq Require Import ZArith List.
Import ListNotations.
Local Open Scope Z_scope.

(* Eq. (4): the levels of Q_(p,s). *)
Definition top (p : Z) : Z := 2 ^ p - 1.
Definition level (p k : Z) : Prop := - top p <= k <= top p.

(* The level nearest to t/s^2. Ties go away from zero; beyond the ends, the end. *)
Definition nearest (p s t : Z) : Z := Z.sgn t * Z.min (top p) ((2 * Z.abs t + s) / (2 * s)).

(* Only the rounded activation at the numbers of Q_(p,s) matters: s times its value at k/s. *)
Definition activation (p : Z) (act : Z -> Z) : Prop := forall k, level p k -> level p (act k).

(* The weights, as levels: all of Q_(p,s), or -1 and 1 (Section 3.3). *)
Inductive kind := fixed_point | binary.
Definition weight (p s : Z) (a : kind) (w : Z) : Prop := match a with fixed_point => level p w | binary => w = s \/ w = - s end.

(* Eq. (3): a neuron has a bias in Q_(infinity,s), as a level, and for each input a weight, or None where the input is not used. *)
Record neuron := Neuron { bias : Z; weights : list (option Z) }.
Definition used (wx : option Z * Z) : Z := match fst wx with Some w => w * snd wx | None => 0 end.
Definition sum (xs : list Z) : Z := fold_right Z.add 0 xs.
Definition affine (s : Z) (n : neuron) (xs : list Z) : Z := s * bias n + sum (map used (combine (weights n) xs)).

(* Eq. (7): the first layer, then the others, each after the activation; every affine map is rounded once. *)
Record network := Network { first : list neuron; others : list (list neuron) }.
Definition layer (p s : Z) (ns : list neuron) (xs : list Z) : list Z := map (fun n => nearest p s (affine s n xs)) ns.
Definition run (p s : Z) (act : Z -> Z) (f : network) (xs : list Z) : list Z :=
  fold_left (fun ys ns => layer p s ns (map act ys)) (others f) (layer p s (first f) xs).

(* A neuron with so many inputs: it uses at least one of them, with weights of the kind. *)
Definition neuron_of (p s : Z) (a : kind) (inputs : nat) (n : neuron) : Prop :=
  length (weights n) = inputs /\ (exists w, In (Some w) (weights n)) /\ forall w, In (Some w) (weights n) -> weight p s a w.

(* A network on d inputs: each layer takes what the layer before it gives. *)
Definition layers (f : network) : list (list neuron) := first f :: others f.
Definition network_of (p s : Z) (a : kind) (d : nat) (f : network) : Prop :=
  forall before ns after, layers f = before ++ ns :: after ->
  Forall (neuron_of p s a (last (map (fun l => length l) before) d)) ns.
Definition depth (f : network) : nat := length (layers f).
Definition outputs_of (f : network) : nat := length (last (others f) (first f)).

(* Q_(p,s)^d, and the networks that represent every function from it to Q_(p,s), for every d. *)
Definition input (p : Z) (d : nat) (x : list Z) : Prop := length x = d /\ Forall (level p) x.
Definition represents_everything (p s : Z) (a : kind) (act : Z -> Z) : Prop :=
  forall d target, (0 < d)%nat -> (forall x, input p d x -> level p (target x)) ->
  exists f, network_of p s a d f /\ outputs_of f = 1%nat /\ forall x, input p d x -> run p s act f x = [target x].

(* The outputs of the rounded activation, and V, their gaps. *)
Definition output (p : Z) (act : Z -> Z) (v : Z) : Prop := exists k, level p k /\ v = act k.
Definition gap (p : Z) (act : Z -> Z) (v : Z) : Prop := exists j k, level p j /\ level p k /\ v = act j - act k.

(* Sums of products of a weight and one of X: S° and BS° where X is V. *)
Definition product (wx : Z * Z) : Z := fst wx * snd wx.
Definition terms (p s : Z) (a : kind) (X : Z -> Prop) (ts : list (Z * Z)) : Prop :=
  Forall (fun wx => weight p s a (fst wx) /\ X (snd wx)) ts.
Definition sums (p s : Z) (a : kind) (X : Z -> Prop) (t : Z) : Prop := exists ts, terms p s a X ts /\ t = sum (map product ts).

(* The set of the rounded b + t, t a sum: N and BN of the outputs, S and BS of the gaps. *)
Definition rounded (p s : Z) (a : kind) (X : Z -> Prop) (b v : Z) : Prop := exists t, sums p s a X t /\ v = nearest p s (s * b + t).
Definition everything (p s : Z) (a : kind) (X : Z -> Prop) (b : Z) : Prop := forall v, rounded p s a X b v <-> level p v.

(* Condition 1 on the rounded activation; rho is rounded too. Rounding is odd, so that alpha and beta may stand outside of it. *)
Definition threshold (p : Z) (rho : Z -> Z) (z : Z) : Prop :=
  level p z /\ z <> - top p /\
  (forall k, level p k -> z <= k -> rho k = rho (top p)) /\ (forall k, level p k -> k < z -> rho k < rho (top p)).
Definition sign (e : Z) : Prop := e = 1 \/ e = -1.
Definition condition_1 (p : Z) (act : Z -> Z) : Prop :=
  exists alpha beta rho z, sign alpha /\ sign beta /\ threshold p rho z /\ forall k, level p k -> act k = alpha * rho (beta * k).
