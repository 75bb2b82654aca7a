"""The noise of each head, as it is and after the search: exact sums, the printed estimate beside the true value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from constructions.parameter_space_symmetry.mathematics.noise import printed_estimate, sums_of_floats, true_noise
from constructions.parameter_space_symmetry.mathematics.quantizers import measured_noise
from constructions.parameter_space_symmetry.mathematics.search import Plan, search
from verifier.arithmetic.rationals import Fraction
from verifier.running.limits import Advance

Heads = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Noise:
    """true: mean E|ΔY|² for uniform errors; printed: Proposition 4.1's expression; measured: of one quantization, in float64."""

    true: Fraction
    printed: Fraction
    measured: float


@dataclass(frozen=True)
class Row:
    """A head at a bit width: its noise as it is, after the search on the true noise and after that on the printed expression."""

    pair: str
    head: int
    bits: int
    before: Noise
    after: Noise | None = None
    by_printed: Noise | None = None

    def data(self) -> dict[str, Any]:
        """For JSON: exact strings."""
        noises = {"before": self.before, "after": self.after, "after, printed objective": self.by_printed}
        shown = {k: {"true": str(n.true), "printed": str(n.printed), "measured": n.measured} for k, n in noises.items() if n}
        return {"pair": self.pair, "head": self.head, "bits": self.bits, **shown}


def noises(q: Heads, k: Heads, bits: Sequence[int]) -> list[list[Noise]]:
    """For each head, at each bit width."""
    exact = [(sums_of_floats(a), sums_of_floats(b)) for a, b in zip(q, k, strict=True)]
    measured = {b: measured_noise(q, k, b) for b in bits}
    return [[Noise(true_noise(a, c, b), printed_estimate(a, c, b), float(measured[b][h])) for b in bits] for h, (a, c) in enumerate(exact)]


@dataclass(frozen=True)
class Transformed:
    """The weights that a search found, as they are stored; difference: the greatest of the products of a head from what it was, and
    what rounding to the stored type admits."""

    q: Heads
    k: Heads
    objective: str
    difference: float = field(default=0.0)
    admitted: float = field(default=0.0)


def transformed(q: Heads, k: Heads, bits: int, objective: str, plan: Plan, stored: np.dtype[Any], advance: Advance) -> Transformed:
    """The weights W g for the g that the search finds, rounded to their type, and whether the products are the same before quantization.

    Admitted for an entry is (2 u + e) |q_i| |k_j|: u the relative rounding of the type (with its own second-order part and float64's in the
    factor 2.5 for 2), e the departure of g gᵀ from 1 in the Frobenius norm.
    """
    g = search(q, k, bits, objective, plan, advance).astype(np.float64)
    x, y = ((w @ g).astype(stored).astype(np.float64) for w in (q, k))
    off = g @ np.swapaxes(g, 1, 2) - np.eye(g.shape[1])
    away = np.sqrt((off**2).sum((1, 2)))[:, None, None]
    unit = 2.0**-8 if stored.name == "bfloat16" else float(np.finfo(stored).eps)
    lengths = np.sqrt((q**2).sum(2))[:, :, None] * np.sqrt((k**2).sum(2))[:, None, :]
    difference = np.abs(x @ np.swapaxes(y, 1, 2) - q @ np.swapaxes(k, 1, 2))
    bound = (2.5 * unit + away + 4 * g.shape[1] * 2.0**-52) * lengths
    worst = np.unravel_index(int(np.argmax(difference - bound)), difference.shape)
    return Transformed(x, y, objective, float(difference[worst]), float(bound[worst]))
