"""*Every Bit Counts* (Chakrabarti, Pitassi, Alman): precision and expressivity of quantized one-layer transformers."""

from constructions.every_bit_counts import (
    cases_of_lemma_c_5,
    definitions,
    equations,
    examples,
    existence,
    fields_of_t3,
    floating_point,
    floating_point_bounds,
    floating_point_tables,
    floating_point_theorems,
    lower_bounds,
    mlps,
    proof_of_lemma_2_3,
    proof_of_lemma_2_6,
    proof_of_lemma_c_3,
    proof_of_lemma_c_5,
    proof_of_lemma_c_8,
    theorems,
    tradeoff,
    upper_bounds,
)
from constructions.every_bit_counts.chapter import PAPER_ID
from verifier.claims.model import Paper

PAPER = Paper(
    id=PAPER_ID,
    title="Every Bit Counts: A Theoretical Study of Precision–Expressivity Tradeoffs in Quantized Transformers",
    authors="Sayak Chakrabarti, Toniann Pitassi, Josh Alman",
    claims=(
        *theorems.chapter.claims,
        *tradeoff.chapter.claims,
        *lower_bounds.chapter.claims,
        *upper_bounds.chapter.claims,
        *proof_of_lemma_2_3.chapter.claims,
        *proof_of_lemma_2_6.chapter.claims,
        *mlps.chapter.claims,
        *equations.chapter.claims,
        *definitions.chapter.claims,
        *examples.chapter.claims,
        *existence.chapter.claims,
        *floating_point.chapter.claims,
        *floating_point_theorems.chapter.claims,
        *floating_point_bounds.chapter.claims,
        *proof_of_lemma_c_3.chapter.claims,
        *floating_point_tables.chapter.claims,
        *proof_of_lemma_c_5.chapter.claims,
        *cases_of_lemma_c_5.chapter.claims,
        *fields_of_t3.chapter.claims,
        *proof_of_lemma_c_8.chapter.claims,
    ),
)
