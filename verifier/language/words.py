"""The words of the formula language, its limits, and its decimals."""

from __future__ import annotations

from verifier.arithmetic.rationals import Fraction

LONGEST = 2000
DEEPEST = 60
LARGEST = 4096  # bits of a numerator or denominator
MANY = LONGEST

FUNCTIONS: dict[str, tuple[int, int]] = {
    **dict.fromkeys(("floor", "ceil", "abs", "log2", "sqrt", "exp", "log", "erf", "tanh", "finite", "nan"), (1, 1)),
    **dict.fromkeys(("popcount", "value"), (1, 1)),
    "binom": (2, 2),
    **dict.fromkeys(("min", "max", "gcd"), (2, MANY)),
}
"""The functions of the language: how many arguments they take, at least and at most."""
OVER_RANGES = ("sum", "min", "max", "all", "any")
"""What can be formed of a part for every value of a bound name."""
CONDITIONS = ("finite", "nan", "all", "any")
"""The functions whose values are conditions."""
RESERVED = frozenset({*FUNCTIONS, *OVER_RANGES, "inf"} - {"value"})
"""The words that have a meaning here: nobody's parameters. ``value`` is a function, and free as a name."""
SIGNS: dict[str, frozenset[int]] = {
    "==": frozenset({0}),
    "!=": frozenset({-1, 1}),
    "<": frozenset({-1}),
    "<=": frozenset({-1, 0}),
    ">": frozenset({1}),
    ">=": frozenset({0, 1}),
}
"""The signs of left − right with which a comparison is true."""
WORDS = ", ".join(dict.fromkeys((*FUNCTIONS, *OVER_RANGES)))


class Decimal(Fraction):
    """A decimal literal: an exact fraction that is written as a decimal."""

    def __repr__(self) -> str:
        places = next(k for k in range(LONGEST) if 10**k % self.denominator == 0)
        digits = str(self.numerator * 10**places // self.denominator).rjust(places + 1, "0")
        return f"{digits[: len(digits) - places]}.{digits[len(digits) - places :] or '0'}"
