(* The theorems by their numbers. *)
From Coq Require Import ZArith List.
From FixedPointNetworks Require Import FixedPoint Statement Slopes Necessary Indicators Sufficient Conditions.

Theorem theorem_1_holds : theorem_1.
Proof.
  exact (everything_is_necessary fixed_point).
Qed.

Theorem theorem_11_holds : theorem_11.
Proof.
  exact (everything_is_necessary binary).
Qed.

Theorem equation_10_holds : equation_10.
Proof.
  exact (outputs_in_N fixed_point).
Qed.

Theorem lemma_5_holds : lemma_5.
Proof.
  exact (indicators_by_three_layers fixed_point).
Qed.

Theorem lemma_14_holds : lemma_14.
Proof.
  exact (indicators_by_two_layers binary).
Qed.

Theorem theorem_6_holds : theorem_6.
Proof.
  exact (everything_is_sufficient fixed_point).
Qed.

Theorem theorem_15_holds : theorem_15.
Proof.
  exact (everything_is_sufficient binary).
Qed.

Theorem corollary_9_holds : corollary_9.
Proof.
  exact (necessary_and_sufficient fixed_point).
Qed.

Theorem corollary_17_holds : corollary_17.
Proof.
  exact (necessary_and_sufficient binary).
Qed.

Theorem condition_a1_holds : condition_a1.
Proof.
  exact (a1_gives_everything fixed_point).
Qed.

Theorem condition_a2_holds : condition_a2.
Proof.
  exact (a2_gives_everything fixed_point).
Qed.

Theorem condition_a3_holds : condition_a3.
Proof.
  exact (a3_gives_everything fixed_point).
Qed.

Theorem condition_a4_holds : condition_a4.
Proof.
  exact (a4_gives_everything fixed_point).
Qed.

Theorem condition_a5_holds : condition_a5.
Proof.
  exact (a5_gives_everything fixed_point).
Qed.

Theorem condition_a6_holds : condition_a6.
Proof.
  exact (a6_gives_everything fixed_point).
Qed.

Theorem condition_a7_holds : condition_a7.
Proof.
  exact (a7_gives_everything fixed_point).
Qed.

Theorem lemma_16_a1_holds : lemma_16_a1.
Proof.
  exact (a1_gives_everything binary).
Qed.

Theorem lemma_16_a2_holds : lemma_16_a2.
Proof.
  exact (a2_gives_everything binary).
Qed.

Theorem lemma_16_a3_holds : lemma_16_a3.
Proof.
  exact (a3_gives_everything binary).
Qed.
