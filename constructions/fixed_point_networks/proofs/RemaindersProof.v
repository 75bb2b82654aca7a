(* The proofs of Remainders.v. *)
From Coq Require Import ZArith Lia.
From FixedPointNetworks Require Import Remainders.
Local Open Scope Z_scope.

Theorem remainders : every_remainder_occurs.
Proof.
  intros p s r Hp Hs Hr. split.
  - intros Ht x Hx. exists x. split. lia. apply Z.mod_small. lia.
  - intros H. assert (A : 1 * r <= s * s * r) by (apply Z.mul_le_mono_nonneg_r; lia). lia.
Qed.

Lemma power_of_four k : 0 <= k -> exists c, 2 ^ (2 * k) = 3 * c + 1.
Proof.
  intros H. rewrite Z.pow_mul_r by lia. change (2 ^ 2) with 4. revert k H. apply natlike_ind.
  - exists 0. reflexivity.
  - intros k Hk [c E]. exists (4 * c + 1). rewrite Z.pow_succ_r by assumption. rewrite E. lia.
Qed.

(* Of four numbers one is none of three others. *)
Lemma one_of_four a b c : exists x, 0 <= x <= 3 /\ x <> a /\ x <> b /\ x <> c.
Proof.
  assert (C : (0 <> a /\ 0 <> b /\ 0 <> c) \/ (1 <> a /\ 1 <> b /\ 1 <> c) \/ (2 <> a /\ 2 <> b /\ 2 <> c) \/ (3 <> a /\ 3 <> b /\ 3 <> c)) by lia.
  destruct C as [C|[C|[C|C]]]; eexists; (split; [|exact C]); lia.
Qed.

Theorem three_levels : three_levels_are_too_few.
Proof.
  intros p s r b Hp Hs Hr Ht HC Hb. destruct (Z_lt_le_dec 3 r) as [L|L].
  - destruct (one_of_four (top p mod r) ((- top p) mod r) b) as (x & X & D). exists x. split; [lia|exact D].
  - assert (E : r = 3) by lia. subst r. assert (P : p = 2 * (p / 2)) by (pose proof (Z.div_mod p 2); lia).
    destruct (power_of_four (p / 2)) as (c & C); [apply Z.div_pos; lia|]. rewrite <- P in C.
    assert (A : top p mod 3 = 0) by (symmetry; apply Z.mod_unique with (q := c); unfold top; lia).
    assert (B : (- top p) mod 3 = 0) by (symmetry; apply Z.mod_unique with (q := - c); unfold top; lia).
    rewrite A, B. exists (if b =? 1 then 2 else 1). destruct (Z.eqb_spec b 1); lia.
Qed.
