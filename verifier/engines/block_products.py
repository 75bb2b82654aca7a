"""Every combination of an outcome of a first block with one of a second block, decided by spans instead of one by one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from verifier.arithmetic.arrays import States
from verifier.engines.answer_runs import Run, answer_runs
from verifier.engines.multiset import merged
from verifier.engines.position_blocks import Block
from verifier.engines.program import DENOMINATOR, Program
from verifier.engines.quotients import Span, column_sums, row_sums, spans
from verifier.engines.stages import StagingError

MOST_GROUPS = 64
DOT_AT_ONCE = 1 << 20


class Crossing:
    """The outcomes of two blocks against each other: one block has the denominator, the other (part of) the numerator.

    Raises:
        StagingError: one block holds every sum, there is no denominator, or the parts of the numerator beside it take more than 64 values.
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
            raise StagingError("one of the two blocks holds every sum")
        if DENOMINATOR not in program.sums:
            raise StagingError("linear attention has no denominator")
        self.over = int(DENOMINATOR in names[0])
        """Which block is on top of the fraction: 0 or 1."""
        self.spans = self._spans(names, outcomes)

    def _spans(self, names: Sequence[list[str]], outcomes: tuple[States, States]) -> list[Span]:
        top, bottom = outcomes[self.over], outcomes[1 - self.over]
        top_names, bottom_names = names[self.over], names[1 - self.over]
        beside = self._parts(bottom_names, bottom)
        groups = merged(np.stack(list(beside.values()), axis=1), np.ones(len(bottom), dtype=np.int64)) if beside else None
        if groups is not None and len(groups) > MOST_GROUPS:
            raise StagingError(f"the numerator's parts beside the denominator take {len(groups)} values")
        denominators = bottom[:, bottom_names.index(DENOMINATOR)]
        above = self._parts(top_names, top)
        found = []
        for values in groups.states if groups is not None else [()]:
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


def exact_dot(a: npt.NDArray[np.int64], b: npt.NDArray[np.int64]) -> int:
    """Σ a·b in exact integers, for 0 ≤ a, b < 2^63: digits of 21 bits, whose products add up within 64 bits for 2^20 terms."""
    total = 0
    for start in range(0, len(a), DOT_AT_ONCE):
        digits = [[part[start : start + DOT_AT_ONCE] >> 21 * k & (1 << 21) - 1 for k in range(3)] for part in (a, b)]
        total += sum(int(x @ y) << 21 * (i + j) for i, x in enumerate(digits[0]) for j, y in enumerate(digits[1]))
    return total
