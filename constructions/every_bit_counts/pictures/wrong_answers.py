"""How many pairs of strings a trained network answers wrongly, by the number of bits in which they differ."""

from __future__ import annotations

from constructions.every_bit_counts.mathematics.measured import wrong_shares
from verifier.show.pictures.curves import Series, picture
from verifier.show.pictures.drawing import Drawing

RECORD = "every-pair-m15.json"


def by_distance() -> Drawing:
    """The shares in per cent, from the record of all pairs."""
    shares = wrong_shares(RECORD)
    found = Series("answered wrongly, of all pairs that differ in so many bits", tuple(enumerate(float(100 * x) for x in shares)), "line")
    title = f"A network trained on pairs that differ in {3 * (len(shares) - 1) // 4} bits, on all pairs"
    return picture(title, "bits that differ", "per cent", [found])
