"""Two pictures: the bits that one number takes as a message, against the bits that the protocols charge for it; and the share of pairs of
strings that a trained network answers wrongly, by the number of differing bits.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log2

from constructions.every_bit_counts.mathematics.measured import wrong_shares
from lowerbounds.alphabets import Alphabet
from verifier.arithmetic.formats import Format, fixed_grid, free_point
from verifier.show.pictures.drawing import Drawing
from verifier.show.pictures.measured import Series, picture, points

BITS = range(1, 13)


def messages() -> Drawing:
    """Numbers of p bits with a free binary point and on one fixed grid, infinities included, as powers of two."""

    def series(name: str, kind: str, form: Callable[[int], Format]) -> Series:
        return points(name, ((p, log2(_count(form(p)))) for p in BITS), kind)

    charged = points("the p bits that are charged", ((p, float(p)) for p in BITS), "said")
    free = series("a free binary point: log2((p + 1) 2^(p-1) + 1)", "line", free_point)
    grid = series("one fixed grid: log2(2^p + 1)", "line second", fixed_grid)
    return picture("What one number of p bits can tell", "p", "bits", [charged, free, grid], logarithmic=False, even=True)


def _count(form: Format) -> int:
    return Alphabet(form).count()


RECORD = "every-pair-m15.json"


def by_distance() -> Drawing:
    """The shares in per cent, from the record of all pairs."""
    shares = wrong_shares(RECORD)
    found = points("answered wrongly, of all pairs that differ in so many bits", enumerate(float(100 * x) for x in shares))
    title = f"A network trained on pairs that differ in {3 * (len(shares) - 1) // 4} bits, on all pairs"
    return picture(title, "bits that differ", "per cent", [found], logarithmic=False, even=True)
