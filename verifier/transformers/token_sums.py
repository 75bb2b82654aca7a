"""The extremes of a rounded sum over tokens, from those of the exact sum: how much the rounding of partial sums may add."""

from __future__ import annotations

from typing import Any

import numpy as np

from verifier.arithmetic.rationals import Fraction
from verifier.running.errors import LimitError
from verifier.transformers.arrays import Arrays
from verifier.transformers.carriers import Array
from verifier.transformers.sums import fold


def outward(low: Array, high: Array) -> tuple[Array, Array]:
    """Ends that hold what two float64 operations may have rounded away."""
    return np.nextafter(low, -np.inf), np.nextafter(high, np.inf)


def rounding_of_sum(arrays: Arrays, largest: list[float]) -> Fraction:
    """How far the sum of terms of at most these magnitudes, in the network's order, may be from the exact sum.

    Each addition rounds by at most half the distance of neighbours at the largest magnitude that it may have, or to 0 from below the normal
    numbers where these are flushed. A sum with one term that is not 0 is exact, if products are rounded before.

    Raises:
        LimitError: a partial sum may be beyond the format.
    """
    form = arrays.arithmetic.accumulator
    flushed = form.form.spacing(Fraction(0)) if arrays.arithmetic.subnormals == "flushed" else Fraction(0)

    def added(x: Any, y: Any) -> Any:
        (magnitude, error), (other, more) = x, y
        total = magnitude + other
        if total > form.form.largest:
            raise LimitError("a sum that may be beyond the format", "another format")
        rounding = max(form.form.spacing(total) / 2, flushed)
        return total + rounding, error + more + rounding

    terms = [None if x == 0 else (Fraction(*x.as_integer_ratio()), Fraction(0)) for x in largest]
    nothing = Fraction(0), Fraction(0)
    first = nothing if arrays.arithmetic.products == "fused" else None  # an exact product is rounded where a chain begins
    found = fold(terms, arrays.arithmetic.sums, added, added, first, nothing)
    error: Fraction = found[1]
    return error
