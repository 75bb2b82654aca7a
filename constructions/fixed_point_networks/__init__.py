"""*On Expressive Power of Quantized Neural Networks under Fixed-Point Arithmetic* (Park, Park, Hwang): its claims."""

from constructions.fixed_point_networks import (
    approximation_claims,
    bezout_claims,
    binary_claims,
    binary_necessary_claims,
    condition_claims,
    count_claims,
    equality_claims,
    indicator_claims,
    naive_claims,
    necessary_claims,
    remark_claims,
    representation_claims,
    rounding_claims,
    slope_claims,
    small_sum_claims,
    step_claims,
    table_claims,
    term_claims,
)
from constructions.fixed_point_networks.trials import PAPER_ID
from verifier.claims.model import Paper

PAPER = Paper(
    id=PAPER_ID,
    title="On Expressive Power of Quantized Neural Networks under Fixed-Point Arithmetic",
    authors="Yeachan Park, Sejun Park, Geonho Hwang",
    claims=(
        *necessary_claims.chapter.claims,
        *condition_claims.chapter.claims,
        *indicator_claims.chapter.claims,
        *representation_claims.chapter.claims,
        *slope_claims.chapter.claims,
        *equality_claims.chapter.claims,
        *binary_necessary_claims.chapter.claims,
        *binary_claims.chapter.claims,
        *naive_claims.chapter.claims,
        *small_sum_claims.chapter.claims,
        *count_claims.chapter.claims,
        *approximation_claims.chapter.claims,
        *rounding_claims.chapter.claims,
        *step_claims.chapter.claims,
        *table_claims.chapter.claims,
        *term_claims.chapter.claims,
        *bezout_claims.chapter.claims,
        *remark_claims.chapter.claims,
    ),
)
