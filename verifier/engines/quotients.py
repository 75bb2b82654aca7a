"""Which (numerator, denominator) combinations are answered how, without visiting them one by one.

Rounded division is monotone: for one numerator, the quotient falls or rises along the denominators of one sign. So the denominators
that bring the quotient into a run of equal answers are neighbours, and two binary searches find them; each probe is the machine's own
division.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from verifier.engines.answers import Run
from verifier.engines.lattice import States, Truths
from verifier.engines.multiset import Indices
from verifier.engines.vectorised import Arithmetic


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


def spans(lattice: Arithmetic, runs: Iterable[Run], numerators: States, denominators: States) -> list[Span]:
    """Every combination that is answered with something else than NO, in exactly one span.

    Args:
        numerators: (a,) states; denominators: (b,) states, in any order.
    """
    found = []
    for columns in _classes(lattice, denominators):
        ordered = denominators[columns]
        for run in runs:
            for rising in (False, True):
                rows = np.flatnonzero((numerators < 0) == rising)
                if len(rows):
                    low, high = _between(lattice, numerators[rows], ordered, run, rising)
                    met = high > low
                    if met.any():
                        found.append(Span(run.answer, rows[met], columns, low[met], high[met]))
    return found


def _classes(lattice: Arithmetic, denominators: States) -> list[Indices]:
    """Finite negative denominators ascending, positive ones ascending, and zero and each special value on its own."""
    order = np.argsort(denominators, kind="stable")
    ordered = denominators[order]
    finite = lattice.finite(ordered)
    classes = [order[finite & (ordered < 0)], order[finite & (ordered > 0)]]
    alone = ordered[~finite | (ordered == 0)]
    classes += [order[ordered == value] for value in np.unique(alone)]
    return [c for c in classes if len(c)]


def _between(lattice: Arithmetic, numerators: States, ordered: States, run: Run, rising: bool) -> tuple[Indices, Indices]:
    """Where along ``ordered`` the quotient lies in the run: from, and up to before."""
    if rising:
        return (
            _first(lattice, numerators, ordered, run.first, rising=True),
            _first(lattice, numerators, ordered, run.last + 1, rising=True),
        )
    return (
        _first(lattice, numerators, ordered, run.last + 1, rising=False),
        _first(lattice, numerators, ordered, run.first, rising=False),
    )


def _first(lattice: Arithmetic, numerators: States, ordered: States, threshold: int, rising: bool) -> Indices:
    """For each numerator the first index where the quotient is ≥ threshold (rising) or < threshold (falling)."""
    low = np.zeros(len(numerators), dtype=np.intp)
    high = np.full(len(numerators), len(ordered), dtype=np.intp)
    while (searching := low < high).any():
        middle = (low + high) // 2
        quotient = lattice.divide(numerators, ordered[np.minimum(middle, len(ordered) - 1)])
        passed: Truths = (quotient >= threshold) == rising
        high = np.where(searching & passed, middle, high)
        low = np.where(searching & ~passed, middle + 1, low)
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
