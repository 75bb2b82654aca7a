"""The answers to all (numerator, denominator) combinations, without visiting them one by one.

Rounded division is monotone: for one numerator, the quotient falls or rises along the denominators of one sign. So the denominators
that bring the quotient into a run of equal answers are neighbours, and two binary searches find them; each probe is the machine's own
division. Along the numerators these places move one way, so every sixteenth search bounds those between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from verifier.arithmetic.arrays import NOT_A_NUMBER, ArrayMachine, States, Truths
from verifier.engines.answer_runs import Run
from verifier.engines.multiset import Indices

STRIDE = 16


@dataclass(frozen=True)
class Span:
    """For row r, the denominators low[r] ≤ k < high[r] (in the order of ``columns``) are answered with ``answer``.

    rows: which rows; columns: the indices of the denominators, in the order that the span counts in.
    """

    answer: int
    rows: Indices
    columns: Indices
    low: Indices
    high: Indices


def spans(lattice: ArrayMachine, runs: Iterable[Run], numerators: States, denominators: States) -> list[Span]:
    """Every combination that is answered with something else than NO, in exactly one span.

    Args:
        numerators: (a,) states; denominators: (b,) states, in any order.
    """
    distinct, which = np.unique(numerators, return_inverse=True)
    invalid = distinct == NOT_A_NUMBER
    found = []
    for columns in _classes(lattice, denominators):
        for part in (distinct < 0, (distinct >= 0) & ~invalid, invalid):
            if not part.any():
                continue
            first = cache(partial(_first, lattice, distinct[part], denominators[columns]))
            for run in runs:
                low, high = np.zeros((2, len(distinct)), dtype=np.intp)
                low[part], high[part] = _between(first, run, rising=bool(distinct[part][0] < 0))
                rows = np.flatnonzero((high > low)[which])
                if len(rows):
                    found.append(Span(run.answer, rows, columns, low[which[rows]], high[which[rows]]))
    return found


def _classes(lattice: ArrayMachine, denominators: States) -> list[Indices]:
    """Finite negative denominators ascending, positive ones ascending, and zero and each special value on its own."""
    order = np.argsort(denominators, kind="stable")
    ordered = denominators[order]
    finite = lattice.finite(ordered)
    classes = [order[finite & (ordered < 0)], order[finite & (ordered > 0)]]
    alone = ordered[~finite | (ordered == 0)]
    classes += [order[ordered == value] for value in np.unique(alone)]
    return [c for c in classes if len(c)]


def _between(first: Callable[[int, bool], Indices], run: Run, rising: bool) -> tuple[Indices, Indices]:
    """Where along the denominators the quotient lies in the run: from, and up to before."""
    ends = (run.first, run.last + 1) if rising else (run.last + 1, run.first)
    return first(ends[0], rising), first(ends[1], rising)


def _first(lattice: ArrayMachine, numerators: States, ordered: States, threshold: int, rising: bool) -> Indices:
    """For each numerator (ascending, of one sign) the first index where the quotient is ≥ threshold (rising) or < threshold (falling)."""
    low = np.zeros(len(numerators), dtype=np.intp)
    high = np.full(len(numerators), len(ordered), dtype=np.intp)
    if len(numerators) > STRIDE and len(ordered) > 1:
        known = np.append(np.arange(0, len(numerators), STRIDE), len(numerators) - 1)
        at = _first(lattice, numerators[known], ordered, threshold, rising)
        before = np.arange(len(numerators)) // STRIDE
        low, high = np.minimum(at[before], at[before + 1]), np.maximum(at[before], at[before + 1])
    searching = np.flatnonzero(low < high)
    while len(searching):
        middle = (low[searching] + high[searching]) // 2
        quotient = lattice.divide(numerators[searching], ordered[middle])
        passed: Truths = (quotient >= threshold) == rising
        high[searching] = np.where(passed, middle, high[searching])
        low[searching] = np.where(passed, low[searching], middle + 1)
        searching = searching[low[searching] < high[searching]]
    return low


def row_sums(span: Span, weights: States) -> States:
    """For each row of the span, the weights of its denominators added up."""
    running = np.zeros(len(span.columns) + 1, dtype=np.int64)
    np.cumsum(weights[span.columns], out=running[1:])
    sums: States = running[span.high] - running[span.low]
    return sums


def column_sums(span: Span, weights: States) -> States:
    """For each of ``span.columns``, the weights of the rows that it belongs to, added up. ``weights`` are of all rows."""
    edges = np.zeros(len(span.columns) + 1, dtype=np.int64)
    np.add.at(edges, span.low, weights[span.rows])
    np.add.at(edges, span.high, -weights[span.rows])
    sums: States = np.cumsum(edges)[:-1]
    return sums
