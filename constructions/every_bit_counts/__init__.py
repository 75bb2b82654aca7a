"""*Every Bit Counts* (Chakrabarti, Pitassi, Alman): precision and expressivity of quantized one-layer transformers."""

from constructions.every_bit_counts import (
    definitions,
    equations,
    examples,
    existence,
    lower_bounds,
    mlps,
    proof_of_lemma_2_3,
    proof_of_lemma_2_6,
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
    ),
)
