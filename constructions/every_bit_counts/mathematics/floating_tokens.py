"""Where the input representations of Appendix C hold the bits of the strings, read from their construction files."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from pathlib import Path

from verifier.construction.errata import read_construction
from verifier.construction.instantiate import instantiate

TABLES = Path(__file__).parents[1] / "tables"


@lru_cache(maxsize=256)
def last_token_of_z(t: Fraction, e: Fraction) -> int:
    """The last token of T2 that holds a bit of z, at mantissa digits t and exponent digits e."""
    roomy = int(4 * t + 2 * (t + e))
    file = read_construction(TABLES / "table-7.toml").file
    tokens = instantiate(file, {"t": int(t), "e": int(e), "n": roomy}).tokens
    return max(token.index for token in tokens if any(bit.string == "z" for bit in token.reads))
