"""The means and standard deviations of several accuracies that can be printed at all: sums of integers and of their squares.

Source: *Every Bit Counts*, Section 3 and Appendix D (Tables 1 to 4): ten seeds, accuracies on 5120 inputs each, in per cent with two
digits. The question is that of Brown and Heathers's GRIM test, and of its companions for standard deviations, decided by a search.

The cells of the tables are read from their statement files, which have each cell once.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, floor
from pathlib import Path
from typing import Literal

from verifier.arithmetic.rationals import Fraction, rational
from verifier.running.errors import InputError

Divisor = Literal["sample", "population"]
"""What the sum of squared deviations is divided by: one less than how many there are, or how many there are."""


@dataclass(frozen=True)
class Batches:
    """Accuracies of ``seeds`` networks, each on ``items`` inputs: k_i of them are right, 0 ≤ k_i ≤ items; printed in per cent."""

    seeds: int
    items: int
    divisor: Divisor = "sample"

    def mean(self, right: tuple[int, ...]) -> Fraction:
        """In per cent."""
        return Fraction(100 * sum(right), self.seeds * self.items)

    def variance(self, right: tuple[int, ...]) -> Fraction:
        """The square of the standard deviation, in per cent²."""
        total, squares = sum(right), sum(k * k for k in right)
        return Fraction(10_000, self.items**2) * Fraction(self.seeds * squares - total * total, self.seeds) / self._freedom

    @property
    def _freedom(self) -> int:
        return self.seeds - 1 if self.divisor == "sample" else self.seeds

    def squares(self, total: int, deviation: Printed) -> tuple[int, int]:
        """The least and the largest Σ k_i² with Σ k_i = ``total`` that is printed so; none where the first is larger."""
        unit = Fraction(self.items**2, 10_000) * self._freedom
        low, high = (unit * end * end + Fraction(total * total, self.seeds) for end in (max(deviation.low, Fraction(0)), deviation.high))
        return ceil(low), floor(high)


@dataclass(frozen=True)
class Printed:
    """A number printed with so many digits, ``"94.95"``: what is nearest to it, both midpoints included."""

    text: str

    @property
    def value(self) -> Fraction:
        return rational(self.text)

    @property
    def half(self) -> Fraction:
        return Fraction(1, 2 * 10 ** len(self.text.partition(".")[2]))

    @property
    def low(self) -> Fraction:
        return self.value - self.half

    @property
    def high(self) -> Fraction:
        return self.value + self.half


def witness(batches: Batches, mean: Printed, deviation: Printed, most_wrong: int | None = None) -> tuple[int, ...] | None:
    """Numbers of right answers, the largest first, that are printed as ``mean`` ± ``deviation``; None where there are none.

    most_wrong: how many answers each seed may have wrong at most.
    """
    cap = batches.items if most_wrong is None else most_wrong
    all_right = batches.seeds * batches.items
    scale = Fraction(all_right, 100)
    for total in range(max(0, ceil(mean.low * scale)), min(all_right, floor(mean.high * scale)) + 1):
        low, high = batches.squares(total, deviation)
        # Counted in wrong answers, w_i = items - k_i: their sum is small, and Σ w_i² = Σ k_i² - 2 items Σ k_i + seeds items².
        shift = batches.seeds * batches.items**2 - 2 * batches.items * total
        wrong = next(parts(batches.seeds, all_right - total, low + shift, high + shift, cap), None)
        if wrong is not None:
            return tuple(batches.items - w for w in reversed(wrong))
    return None


def fewest_wrong_of_the_worst(batches: Batches, mean: Printed, deviation: Printed) -> int | None:
    """The least w such that every seed may have at most w wrong answers: the worst seed has no fewer. None where nothing is possible."""
    if witness(batches, mean, deviation) is None:
        return None
    low, high = -1, batches.items
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if witness(batches, mean, deviation, middle) is not None else (middle, high)
    return high


def parts(many: int, total: int, low: int, high: int, cap: int) -> Iterator[tuple[int, ...]]:
    """Every ``many`` integers from 0 to ``cap``, descending, with this sum and a sum of squares from ``low`` to ``high``."""
    if low > high or not 0 <= total <= many * cap or _most(many, total, cap) < low or _least(many, total) > high:
        return
    if many == 1:
        yield (total,)
        return
    for first in range(min(cap, total), -(-total // many) - 1, -1):
        for rest in parts(many - 1, total - first, low - first * first, high - first * first, first):
            yield (first, *rest)


def _most(many: int, total: int, cap: int) -> int:
    """The largest sum of squares: as many as fit are ``cap``."""
    if cap == 0:
        return 0
    full, left = divmod(total, cap)
    return full * cap * cap + left * left


def _least(many: int, total: int) -> int:
    """The least sum of squares: all are as near each other as can be."""
    each, more = divmod(total, many)
    return more * (each + 1) ** 2 + (many - more) * each * each


STATEMENTS = Path(__file__).parents[1] / "statements"
FLOAT32 = 0
"""Where a table's number is asked for: the sentence of Section 3 on the networks before quantization."""


@lru_cache(maxsize=8)
def cells(table: int) -> dict[tuple[int, str], tuple[str, str]]:
    """(mean, standard deviation) in per cent, as printed, by m and the column's heading."""
    name = "section-3" if table == FLOAT32 else f"table-{table}"
    raw = tomllib.loads((STATEMENTS / f"{name}.toml").read_text(encoding="utf-8"))
    (listed,) = (step["cells"] for step in raw["step"] if step["id"] == "possible")
    return {(m, heading): (mean, deviation) for m, heading, mean, deviation in listed}


def _mean(table: Fraction, m: Fraction, heading: str) -> Fraction:
    found = cells(int(table)).get((int(m), heading))
    if found is None:
        raise InputError(f"table {table} has no cell {heading} at m = {m}")
    return rational(found[0])


def accuracy(table: Fraction, m: Fraction, bits: Fraction) -> Fraction:
    """The printed mean of INT<bits> in Table 1 or 2, in per cent.

    Raises:
        InputError: there is no such cell.
    """
    return _mean(table, m, f"INT{bits}")


def floating_accuracy(table: Fraction, m: Fraction, exponent: Fraction, mantissa: Fraction) -> Fraction:
    """The printed mean below the heading (exponent, mantissa) in Table 3 or 4, in per cent.

    Raises:
        InputError: there is no such cell.
    """
    return _mean(table, m, f"({exponent}, {mantissa})")


def float32_accuracy(m: Fraction) -> Fraction:
    """The mean of the networks before quantization that Section 3 prints, in per cent.

    Raises:
        InputError: there is no such cell.
    """
    return _mean(Fraction(FLOAT32), m, "float32")
