"""Rounding on a grid in whole numbers: to the nearest level, ties away from zero, beyond the ends to the end.

The value k·λ of a :class:`~verifier.arithmetic.formats.Format` is its *level* k, \\|k\\| ≤ top. A rational number of levels is a/b with
b > 0; of an array of them the a's are over one b. The definition is the machine with the rule :data:`SATURATING`; the tests compare
every function here with it.
"""

from __future__ import annotations

from typing import Any

from verifier.arithmetic.machine import RoundingRule

SATURATING = RoundingRule("nearest", "away", "saturate")

LARGEST_NUMERATOR = 1 << 61
"""Up to here 2\\|a\\| + b fits in 64 bits for every b < 2^62: the bound of :func:`nearest_levels`."""


def half_away(a: int, b: int) -> int:
    """a/b to the nearest integer, ties away from zero: ±⌊(2\\|a\\| + b)/2b⌋."""
    magnitude = (2 * abs(a) + b) // (2 * b)
    return magnitude if a >= 0 else -magnitude


def saturated(level: int, top: int) -> int:
    """The level nearest to an integer."""
    return max(-top, min(top, level))


def nearest_level(a: int, b: int, top: int) -> int:
    """The level to which a/b rounds, among −top, …, top."""
    return saturated(half_away(a, b), top)


def nearest_levels(a: Any, b: int, top: int) -> Any:
    """:func:`nearest_level` of each a of an int64 array, \\|a\\| ≤ :data:`LARGEST_NUMERATOR`, and b < 2^62."""
    import numpy as np

    return np.clip(np.sign(a) * ((2 * np.abs(a) + b) // (2 * b)), -top, top)


def numerators_of(level: int, b: int, top: int) -> tuple[int | None, int | None]:
    """The least and the greatest a (both included, None: unbounded) for which a/b rounds to ``level``."""
    low = _first_at_or_above(level, b) if level > -top else None
    high = -_first_at_or_above(-level, b) if level < top else None
    return low, high


def _first_at_or_above(level: int, b: int) -> int:
    """The least a for which a/b, rounded to an integer with ties away from zero, is at least ``level``."""
    if level > 0:
        return -((b - 2 * b * level) // 2)
    return (2 * b * level - b) // 2 + 1
