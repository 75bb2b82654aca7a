"""*On Expressive Power of Quantized Neural Networks under Fixed-Point Arithmetic*: its claims, in the order of its pages."""

from constructions.fixed_point_networks import indicator_claims as indicator_claims
from constructions.fixed_point_networks import necessary_claims as necessary_claims
from constructions.fixed_point_networks import rounding_claims as rounding_claims
from constructions.fixed_point_networks import slope_claims as slope_claims
from constructions.fixed_point_networks import table_claims as table_claims
from constructions.fixed_point_networks import step_claims as step_claims
from constructions.fixed_point_networks import equality_claims as equality_claims
from constructions.fixed_point_networks import binary_claims as binary_claims
from constructions.fixed_point_networks import count_claims as count_claims
from constructions.fixed_point_networks import bezout_claims as bezout_claims
from constructions.fixed_point_networks import naive_claims as naive_claims
from constructions.fixed_point_networks import approximation_claims as approximation_claims
from constructions.fixed_point_networks.trials import CHAPTER
from verifier.claims.model import Paper

PAPER = Paper(
    id="fixed-point-networks",
    title="On Expressive Power of Quantized Neural Networks under Fixed-Point Arithmetic",
    authors="Yeachan Park, Sejun Park, Geonho Hwang",
    claims=tuple(CHAPTER.claims),
)
