"""The noise of each head, as it is and after the search: exact sums, the printed estimate beside the true value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from constructions.parameter_space_symmetry.commands.attention_pairs import Pair, Part
from constructions.parameter_space_symmetry.mathematics.exact_integers import exact_integers
from constructions.parameter_space_symmetry.mathematics.noise import printed_estimate, sums_of_floats
from constructions.parameter_space_symmetry.mathematics.quantizers import (
    Ends,
    Matrix,
    Ranges,
    column_means,
    measured_noise,
    noise_of_columns,
    reconstructed,
)
from constructions.parameter_space_symmetry.mathematics.search import Plan, hadamard, search
from verifier.arithmetic.rationals import Fraction
from verifier.running.errors import InputError
from verifier.running.limits import Advance

Tensor = npt.NDArray[Any]
Sides = tuple[Tensor, Tensor]
"""The tensors of a pair's left and right part; the same one twice where they are fused."""

ROWS = 512
"""Of a product that are formed at a time."""


@dataclass(frozen=True)
class Noise:
    """true: mean E|ΔY|² for uniform errors; printed: Proposition 4.1's expression, for one range a head; measured: of one
    quantization, in float64."""

    true: Fraction
    printed: Fraction | None
    measured: float


@dataclass(frozen=True)
class Row:
    """A pair of heads at a bit width: its noise as it is, with the weights that are kept, and true noises of the other ways."""

    pair: str
    heads: tuple[int, int]
    bits: int
    before: Noise
    after: Noise | None = None
    kept: str = ""
    others: dict[str, Fraction] = field(default_factory=dict)

    @property
    def head(self) -> int:
        """The head of the wider side."""
        return max(self.heads)

    def data(self) -> dict[str, Any]:
        """For JSON: exact strings."""
        noises = {"before": self.before, "after": self.after}
        shown = {k: {"true": str(n.true), "printed": n.printed and str(n.printed), "measured": n.measured} for k, n in noises.items() if n}
        found = {"pair": self.pair, "head": self.head, "heads": list(self.heads), "bits": self.bits, **shown}
        return found | ({"kept": self.kept, "ways": {k: str(x) for k, x in self.others.items()}} if self.after else {})


@dataclass(frozen=True)
class Asked:
    """The bit widths, and what shares a scale."""

    bits: Sequence[int]
    ranges: Ranges


def fits(part: Part, tensor: Tensor, ranges: Ranges) -> None:
    """Refuse groups of rows that do not divide a matrix.

    Raises:
        InputError: which do not.
    """
    rows = tensor.shape[1 - part.axis]
    if ranges.kind == "group" and rows % ranges.rows:
        raise InputError(f"--ranges group:{ranges.rows}: {part.name} has {rows} rows; a divisor was expected")


def noises(pair: Pair, tensors: Sides, asked: Asked) -> Iterator[tuple[tuple[int, int], list[Noise]]]:
    """For each two heads that are multiplied: their numbers, and the noise at each bit width."""
    whole = [
        part.ends(t) if asked.ranges.kind == "tensor" else (0.0, 0.0) for part, t in zip((pair.left, pair.right), tensors, strict=True)
    ]
    for unit in pair.units:
        sides = [
            [(h, _Side.of(part.head(tensor, h), asked, ends)) for h in heads]
            for part, tensor, heads, ends in zip((pair.left, pair.right), tensors, unit, whole, strict=True)
        ]
        for a, left in sides[0]:
            for b, right in sides[1]:
                yield (a, b), [left.noise(right, bits) for bits in asked.bits]


class _Side:
    """A head's weights with what its noise is made of."""

    def __init__(self, x: Matrix, asked: Asked, ends: Ends) -> None:
        self.x, self.ends = x, ends
        whole = exact_integers(x)
        self.means = column_means(x, ends, whole)
        self.sums = sums_of_floats(x, whole) if asked.ranges.kind == "head" else None

    @classmethod
    def of(cls, x: Matrix, asked: Asked, tensor: tuple[float, float]) -> _Side:
        return cls(x, asked, asked.ranges.ends(x, tensor))

    def noise(self, other: _Side, bits: int) -> Noise:
        quantized = reconstructed(self.x, bits, self.ends), reconstructed(other.x, bits, other.ends)
        printed = printed_estimate(self.sums, other.sums, bits) if self.sums and other.sums else None
        return Noise(noise_of_columns(self.means, other.means, bits), printed, measured_noise(self.x, other.x, *quantized))


Rotation = Callable[[Matrix, Matrix], "Matrix | None"]


def rotations(bits: int, plan: Plan, advance: Advance) -> dict[str, Rotation]:
    """The ways to an orthogonal g for a left and a right matrix; a Hadamard matrix needs a number of columns that is a power of two."""

    def by(objective: str) -> Rotation:
        return lambda q, k: search(q[None], k[None], bits, objective, plan, advance)[0].astype(np.float64)

    return {"searched": by("true"), "by the printed expression": by("printed"), "Hadamard": lambda q, k: hadamard(q.shape[1], plan.seed)}


def rotated(pair: Pair, tensors: Sides, ways: dict[str, Rotation]) -> dict[str, Sides]:
    """The tensors after each way, rounded to the type in which they are stored."""
    found: dict[str, Sides] = {}
    for name, way in ways.items():
        new = _copies(tensors)
        for unit in pair.units:
            parts = list(zip((pair.left, pair.right), tensors, new, unit, strict=True))
            heads = [[part.head(old, h) for h in numbers] for part, old, _, numbers in parts]
            g = way(np.concatenate(heads[0]), np.concatenate(heads[1]))
            if g is None:
                break
            for (part, _, into, numbers), every in zip(parts, heads, strict=True):
                for h, x in zip(numbers, every, strict=True):
                    part.put(into, h, (x @ g).astype(into.dtype))
        else:
            found[name] = new
    return found


def kept(pair: Pair, tensors: Sides, made: dict[str, Sides], asked: Asked) -> tuple[Sides, list[str], dict[str, list[Fraction]]]:
    """For each unit the way with the least true noise at the first bit width: the tensors, its names, and the noises of all ways.

    A Hadamard matrix is there to compare with, and not kept.
    """
    once = Asked(asked.bits[:1], asked.ranges)
    by_way = {name: [n[0].true for _, n in noises(pair, sides, once)] for name, sides in {"as they were": tensors, **made}.items()}
    result, names, at = _copies(tensors), [], 0
    for unit in pair.units:
        count = len(unit[0]) * len(unit[1])
        totals = {name: sum(every[at : at + count], Fraction(0)) for name, every in by_way.items() if name != "Hadamard"}
        name = min(totals, key=lambda n: totals[n])
        for side, (part, numbers) in enumerate(zip((pair.left, pair.right), unit, strict=True)):
            if name != "as they were":
                for h in numbers:
                    part.put(result[side], h, part.head(made[name][side], h).astype(result[side].dtype))
        names += [name] * count
        at += count
    return result, names, {name: every for name, every in by_way.items() if name != "as they were"}


@dataclass(frozen=True)
class Departure:
    """The entry of a product that departs most from what it was, over what rounding admits for it."""

    difference: float
    admitted: float


def departure(pair: Pair, before: Sides, after: Sides) -> Departure:
    """How far the products of the heads are from what they were, before any quantization.

    Admitted for an entry is (2 u + e) |q_i| |k_j| + t √m (|q_i| + |k_j|): u the relative rounding of the stored type (2.5 for 2 covers its
    second order and float64's part), t the half of its least positive number, and e covers g's departure from an orthogonal matrix.
    """
    unit, least = _precision(after[0].dtype)
    worst = Departure(0.0, float("inf"))
    for unit_left, unit_right in pair.units:
        for a in unit_left:
            for b in unit_right:
                q, k = pair.left.head(before[0], a), pair.right.head(before[1], b)
                x, y = pair.left.head(after[0], a), pair.right.head(after[1], b)
                m = q.shape[1]
                lengths = np.sqrt((q**2).sum(1)), np.sqrt((k**2).sum(1))
                for first in range(0, len(q), ROWS):
                    rows = slice(first, first + ROWS)
                    difference = np.abs(x[rows] @ y.T - q[rows] @ k.T)
                    bound = (2.5 * unit + 64 * m * 2.0**-52) * np.outer(lengths[0][rows], lengths[1])
                    bound += least * np.sqrt(m) * np.add.outer(lengths[0][rows], lengths[1])
                    at = np.unravel_index(int(np.argmax(difference - bound)), bound.shape)
                    if difference[at] - bound[at] >= worst.difference - worst.admitted:
                        worst = Departure(float(difference[at]), float(bound[at]))
    return worst


def _copies(tensors: Sides) -> Sides:
    """Copies to write into; a fused tensor stays one."""
    left = tensors[0].copy()
    return left, left if tensors[0] is tensors[1] else tensors[1].copy()


def _precision(stored: np.dtype[Any]) -> tuple[float, float]:
    """The distance from 1 to the next number of a type, and its least positive number."""
    if stored.kind == "f":
        usual = np.finfo(stored)
        return float(usual.eps), float(usual.smallest_subnormal)
    import ml_dtypes

    information: Any = ml_dtypes.finfo
    small = information(stored)
    return float(small.eps), float(small.smallest_subnormal)
