"""The package's readings for the oracle, random readings, and its numbers as the oracle's."""

from __future__ import annotations

from fractions import Fraction as F
from functools import lru_cache
from random import Random

from tests.oracle import Execution, Value
from verifier.arithmetic.formats import Digits, Precision
from verifier.arithmetic.numbers import Number, Special
from verifier.arithmetic.semantics import TURNED, Semantics, read_semantics

SCALES = ("1", "1/2", "1/8", "3", "2/3", "1/64")
KNOBS_OF_FIXED_POINT = {k: v for k, v in TURNED.items() if k != "underflow"}
KNOBS_OF_FLOATING_POINT = {k: v for k, v in TURNED.items() if k != "point"}


@lru_cache(maxsize=512)
def oracle_reading(semantics: Semantics, precision: Precision) -> Execution:
    s = semantics
    digits, e = (precision.t, precision.e) if isinstance(precision, Digits) else (precision, 0)
    return Execution(digits, s.point, s.scale, s.rounding, s.ties, s.overflow, s.order, s.columns, s.entries, s.ln2, e, s.underflow)


def random_semantics(rng: Random, grid: float = 0.25) -> Semantics:
    """Every knob at random; a fixed grid with probability ``grid``."""
    words = [f"{k}={rng.choice(v)}" for k, v in KNOBS_OF_FIXED_POINT.items() if k != "point"]
    words += [f"scale={rng.choice(SCALES)}"] if rng.random() < grid else []
    return read_semantics("a4+" + "+".join(words))


def random_floating_semantics(rng: Random) -> Semantics:
    return read_semantics("a4+" + "+".join(f"{k}={rng.choice(v)}" for k, v in KNOBS_OF_FLOATING_POINT.items()))


def plain(x: Number) -> Value:
    return x.value if isinstance(x, Special) else F(x)
