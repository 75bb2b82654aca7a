"""Sums, extremes, *all* and *any* over a range of each case, on blocks of (case, value) pairs at once.

Pairs come case by case, the values of a case in order. A case that is decided asks for no more values; where a block that runs past the
deciding one cannot be evaluated, it is tried again in smaller blocks, at last one value of each case at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from verifier.language.integer_arrays import Array, Truths, Whole
from verifier.language.rational_arrays import NOT_A_NUMBER, ZERO, Quantity
from verifier.running.errors import InputError

PAIRS_AT_FIRST = 1 << 12
"""How many pairs a block begins with; more cases than that are asked one value at a time, since then it is the same for all of them."""
PAIRS_AT_ONCE = 1 << 20
MOST_PAIRS = 1 << 28

Pairs: TypeAlias = tuple[Array, Quantity | Truths]
"""The cases that have a value in the block (ascending), and these values."""
Evaluate: TypeAlias = Callable[[Array, Whole], Pairs]
"""The values for pairs of a case and an offset into its range."""


class _Decided:
    """*all* or *any* of conditions: a case is decided by the first that is ``deciding``."""

    def __init__(self, size: int, deciding: bool) -> None:
        self.result: Truths = np.full(size, not deciding)
        self.open: Truths = np.ones(size, dtype=np.bool_)
        self.deciding = deciding

    def add(self, cases: Array, values: Quantity | Truths) -> None:
        assert not isinstance(values, Quantity)
        hit = cases[values == self.deciding]
        self.result[hit] = self.deciding
        self.open[hit] = False

    def finish(self) -> Truths:
        return self.result


class _Gathered:
    """A sum or an extreme of numbers."""

    def __init__(self, size: int, name: str) -> None:
        self.result = Quantity(Whole.of(np.zeros(size, dtype=np.int64)))
        self.open: Truths = np.ones(size, dtype=np.bool_)
        self.seen: Truths = np.zeros(size, dtype=np.bool_)
        self.name = name

    def add(self, cases: Array, values: Quantity | Truths) -> None:
        assert isinstance(values, Quantity)
        starts = np.flatnonzero(np.diff(cases, prepend=-1))
        here: Truths = np.zeros(self.seen.shape, dtype=np.bool_)
        here[cases[starts]] = True
        found = values
        if len(starts) < len(cases):
            found = totals(values, starts) if self.name == "sum" else extremes(values, starts, least=self.name == "min")
        found = found if len(starts) == len(here) else found.spread(here)
        if self.name == "sum":
            self.result = self.result + found
        else:
            better = self.result.least(found) if self.name == "min" else -(-self.result).least(-found)
            self.result = better.where(self.seen & here, found.where(here, self.result))
        self.seen |= here

    def finish(self) -> Quantity:
        if self.name != "sum" and not self.seen.all():
            raise InputError("no value at all; one or more were expected")
        return self.result


def form(name: str, spans: Whole, evaluate: Evaluate) -> Quantity | Truths:
    """The sum, min, max, all or any of each case; ``spans`` is how many values each has (none where it is negative).

    Raises:
        InputError: a value that is asked for and has none, an extreme of nothing, or more than 2^28 values.
    """
    sizes = np.clip(spans.values, 0, MOST_PAIRS + 1).astype(np.int64)
    formed = _Decided(len(sizes), name == "any") if name in ("all", "any") else _Gathered(len(sizes), name)
    done = np.zeros(len(sizes), dtype=np.int64)
    asked, visited, most = np.flatnonzero(sizes), 0, min(PAIRS_AT_FIRST, PAIRS_AT_ONCE)
    while asked.size:
        counts = np.minimum(sizes[asked] - done[asked], 1 if asked.size > PAIRS_AT_FIRST else max(1, most // asked.size))
        visited += int(counts.sum())
        if visited > MOST_PAIRS:
            raise InputError(f"more than {MOST_PAIRS:,} values of a bound name")
        cases = np.repeat(asked, counts)
        offsets = np.arange(len(cases)) - np.repeat(np.cumsum(counts) - counts, counts) + done[cases]
        try:
            formed.add(*evaluate(cases, Whole.of(offsets)))
        except InputError:
            widest = int(counts.max())
            if isinstance(formed, _Gathered) or widest == 1:
                raise
            most = asked.size * (widest // 2)
            continue
        most = min(PAIRS_AT_ONCE, 2 * max(most, asked.size))
        done[asked] += counts
        asked = asked[(done[asked] < sizes[asked]) & formed.open[asked]]
    return formed.finish()


def totals(numbers: Quantity, starts: Array) -> Quantity:
    """The sums of the runs that begin at ``starts``, for one dimension."""
    top, common = numbers.over_one_denominator()
    longest = int(np.diff(starts, append=len(top.values)).max(initial=1))
    summed = Whole(top.values, top.most * longest).narrow()
    found = Quantity(Whole(np.add.reduceat(summed.values, starts), summed.most), common)
    if numbers.special is None:
        return found
    up, down, nan = (np.logical_or.reduceat(numbers.special == code, starts) for code in (1, -1, NOT_A_NUMBER))
    special = np.where(nan | (up & down), NOT_A_NUMBER, up.astype(np.int8) - down).astype(np.int8)
    return Quantity(found.numerator.where(special == 0, ZERO), common, special)


def extremes(numbers: Quantity, starts: Array, least: bool) -> Quantity:
    """The least or greatest of each of the runs that begin at ``starts``, for one dimension."""
    top, common = numbers.over_one_denominator()
    choose = np.minimum if least else np.maximum
    if numbers.special is None:
        return Quantity(Whole(choose.reduceat(top.values, starts), top.most), common)
    far = 1 if least else -1
    finite = top.where(numbers.special == 0, Whole.of(far * (top.most + 1)))
    found = choose.reduceat(finite.values, starts)
    nan, near = (np.logical_or.reduceat(numbers.special == code, starts) for code in (NOT_A_NUMBER, -far))
    special = np.where(nan, NOT_A_NUMBER, np.where(near, -far, np.where(abs(found) > top.most, far, 0))).astype(np.int8)
    return Quantity(Whole(found, finite.most).where(special == 0, ZERO), common, special)
