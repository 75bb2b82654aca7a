"""The training process in balls: rigorous for any number of steps, undecided comparisons raise."""

from __future__ import annotations

from typing import Any

import flint

from constructions.one_bit_scaling.mathematics.training import Arithmetic


class TieError(ArithmeticError):
    """A sign that the precision does not decide."""


def _negative(x: Any) -> bool:
    if x < 0:
        return True
    if x >= 0:
        return False
    raise TieError("a sign is not decided at this precision")


def _sqrt(x: Any) -> Any:
    return (flint.arb(x.numerator) / x.denominator).sqrt() if not isinstance(x, flint.arb) else x.sqrt()


BALLS = Arithmetic(_sqrt, _negative)
"""Numbers are python-flint's ``arb`` at the precision in force."""
