"""Every combination of an outcome of a first block with one of a second block, decided by spans instead of one by one.

Rounded division is monotone: for one numerator, the quotient falls or rises along the denominators of one sign. So the denominators
that bring the quotient into a run of equal answers are neighbours, and two binary searches find them; each probe is the machine's own
division. Along the numerators these places move one way, so every sixteenth search bounds those between.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial

import numpy as np
import numpy.typing as npt

from verifier.arithmetic.arrays import NOT_A_NUMBER, ArrayMachine, States, Truths
from verifier.engines.answer_runs import Run, answer_runs
from verifier.engines.blocks import Block, Fault
from verifier.engines.program import DENOMINATOR, EITHER, INVALID, NEITHER, YES, Program
from verifier.engines.search import NotApplicableError

Indices = npt.NDArray[np.intp]
STRIDE = 16
WRONG = (YES, NEITHER)
"""The answers that are wrong for y < z."""
RIGHT = (YES, EITHER)
"""The answers that are right for y = z."""


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


MOST_GROUPS = 64


class Crossing:
    """The outcomes of two blocks against each other: one block has the denominator, the other (part of) the numerator.

    Raises:
        NotApplicableError: one block holds every sum, there is no denominator, or the parts of the numerator beside it take more than 64
            values.
    """

    def __init__(
        self, program: Program, blocks: tuple[Block, Block], outcomes: tuple[States, States], runs: tuple[Run, ...] | None = None
    ) -> None:
        """``runs``: how outputs are answered, by the transformer itself unless given."""
        self.program = program
        self._given = runs
        self.sizes = (len(outcomes[0]), len(outcomes[1]))
        names = [[s.name for s in block.sums] for block in blocks]
        if not all(names):
            raise NotApplicableError("one of the two blocks holds every sum")
        if DENOMINATOR not in program.sums:
            raise NotApplicableError("linear attention has no denominator")
        self.over = int(DENOMINATOR in names[0])
        """Which block is on top of the fraction: 0 or 1."""
        self.spans = self._spans(names, outcomes)

    def _spans(self, names: Sequence[list[str]], outcomes: tuple[States, States]) -> list[Span]:
        top, bottom = outcomes[self.over], outcomes[1 - self.over]
        top_names, bottom_names = names[self.over], names[1 - self.over]
        beside = self._parts(bottom_names, bottom)
        groups = np.unique(np.stack(list(beside.values()), axis=1), axis=0) if beside else None
        if groups is not None and len(groups) > MOST_GROUPS:
            raise NotApplicableError(f"the numerator's parts beside the denominator take {len(groups)} values")
        denominators = bottom[:, bottom_names.index(DENOMINATOR)]
        above = self._parts(top_names, top)
        found = []
        for values in groups if groups is not None else [()]:
            fixed = {name: np.asarray(value, dtype=np.int64) for name, value in zip(beside, values, strict=True)}
            members = np.flatnonzero(np.all([beside[n] == v for n, v in fixed.items()], axis=0)) if fixed else np.arange(len(bottom))
            numerators = np.broadcast_to(self.program.total({**above, **fixed}), (len(top),))
            for span in spans(self.program.lattice, self._runs, numerators, denominators[members]):
                found.append(Span(span.answer, span.rows, members[span.columns], span.low, span.high))
        return found

    @cached_property
    def _runs(self) -> tuple[Run, ...]:
        return answer_runs(self.program) if self._given is None else self._given

    def _parts(self, names: list[str], rows: States) -> dict[str, States]:
        """What the block's sums contribute to the numerator, by name."""
        return {n: self.program.weighted(n, rows[:, k]) for k, n in enumerate(names) if n != DENOMINATOR}

    def sums(self, of: int, answers: Collection[int], weights: States) -> States:
        """For each outcome of block ``of``, the weights of the other block's outcomes with which it gets one of the answers."""
        total = np.zeros(self.sizes[of], dtype=np.int64)
        for span in self.spans:
            if span.answer in answers and of == self.over:
                total[span.rows] += row_sums(span, weights)
            elif span.answer in answers:
                total[span.columns] += column_sums(span, weights)
        return total

    def __call__(self, fault: Fault, of: int, weights: States) -> States:
        if fault == "on_yes":
            return np.asarray(weights.sum() - self.sums(of, RIGHT, weights))
        return self.sums(of, WRONG if fault == "on_no" else (INVALID,), weights)
