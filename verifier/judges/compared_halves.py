"""Pairs of contents judged by how they compare: where a condition asks no more of y and z than whether y < z, y = z or y > z.

Then the pairs need not be formed: reachable sets count, for each of the three, how often the sums come to each value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from verifier.arithmetic.arrays import States, Truths
from verifier.engines.position_blocks import Block
from verifier.engines.program import Program
from verifier.engines.reachable import Side, side
from verifier.engines.search import Budget, NotApplicableError
from verifier.engines.table_states import EQUAL, GREATER, LESS
from verifier.judges.pair_classes import Judged, PairClasses, quantities
from verifier.judges.strings import Condition
from verifier.language.tree import Comparison, Node, Slice
from verifier.running.errors import LimitError

METHOD = "reachable-sets"
KINDS: Mapping[str, frozenset[str]] = {
    "<": frozenset({LESS}),
    "<=": frozenset({LESS, EQUAL}),
    "==": frozenset({EQUAL}),
    "!=": frozenset({LESS, GREATER}),
    ">": frozenset({GREATER}),
    ">=": frozenset({GREATER, EQUAL}),
}


@dataclass(frozen=True)
class ComparedHalves:
    """The classes that are judged, and which kinds of pairs (y < z, y = z, y > z) are asked."""

    classes: PairClasses
    kinds: frozenset[str]
    limit: int

    @classmethod
    def of(cls, classes: PairClasses, limit: int) -> ComparedHalves | None:
        """None where the conditions ask more of y and z, under another promise than y <= z, or where reachable sets do not apply."""
        halves = classes.halves
        kinds = _kinds(classes.when)
        if kinds is None or not halves.promises_order or any(classes.says.reads(string) for string in "yz") or not classes.names:
            return None
        allowed = frozenset({LESS, EQUAL}) if halves.first == 1 else frozenset({LESS, EQUAL, GREATER})
        made = cls(classes, kinds & allowed, limit)
        try:
            made._side  # noqa: B018  # whether its states can be reached is what is asked
        except NotApplicableError:
            return None
        return made

    @cached_property
    def _side(self) -> Side:
        halves = self.classes.halves
        return _side(self.classes.program, self.classes.names, halves.first, halves.last, self.limit)

    def _states(self, rows: States) -> States:
        return np.broadcast_to(self.classes.value({name: rows[:, k] for k, name in enumerate(self.classes.names)}), (len(rows),))

    def _wrong(self, states: States) -> Truths:
        """Where the condition fails, for distinct values: it reads no string."""
        distinct, places = np.unique(states, return_inverse=True)
        nothing = np.zeros(len(distinct), dtype=np.int64)
        values = quantities(self.classes.lattice, distinct, np.ones(len(distinct), dtype=bool))
        return np.asarray(~self.classes.says.truths(nothing, nothing, values)[places])

    @cached_property
    def _counts(self) -> States:
        """The number of pairs of the kinds asked, for each outcome of the sums."""
        side = self._side
        found = side.less * self._times(LESS) + side.equal * self._times(EQUAL)
        return found + side.every if GREATER in self.kinds else found

    @cached_property
    def _fails(self) -> Truths:
        """Whether the condition fails, for each outcome."""
        return self._wrong(self._states(self._side.table))

    def _times(self, kind: str) -> int:
        """How often a kind is added to the pairs of any kind, where those with y > z are asked, or to none."""
        return int(kind in self.kinds) - int(GREATER in self.kinds)

    def judged(self, smallest: bool = True) -> Judged:
        """How many pairs are asked and fail; and if ``smallest``, the smallest y that does."""
        failures = int(self._counts[self._fails].sum())
        first = self._first() if failures and smallest else None
        return Judged(int(self._counts.sum()), failures, first, self.row, self.state, METHOD)

    def _first(self) -> int:
        """The smallest y that fails with a z of a kind asked: by walking back, or y by y where y > z are asked.

        Raises:
            LimitError: more work than the limit, y by y.
        """
        size = self._side.size
        if GREATER not in self.kinds:
            nothing = np.zeros_like(self._fails)
            y = self._side.earliest({kind: self._fails if kind in self.kinds else nothing for kind in (EQUAL, LESS)})
            assert y is not None, "failures were counted, none was found"
            return y
        for y in range(size):
            if (y + 1) * size > self.limit:
                raise LimitError(f"the first of more than {self.limit:,} pairs fail not, and others do", "--limit")
            if self.row(y).any():
                return y
        raise AssertionError("failures were counted, none was found")

    def row(self, y: int) -> Truths:
        """The contents of z that fail with a content of y, among those allowed."""
        z = np.arange(self._side.size)
        kinds: dict[str, Truths] = {LESS: z > y, EQUAL: np.asarray(z == y), GREATER: z < y}
        asked = np.any(np.stack([kinds[kind] for kind in self.kinds]), axis=0)
        return np.asarray(self._fails[self._side.of_y(y)] & asked)

    def state(self, y: int, z: int) -> np.int64:
        """The value of the sums at contents of y and z."""
        return np.int64(self._states(self._side.table)[self._side.of_y(y)[z]])


def _kinds(when: Condition | None) -> frozenset[str] | None:
    """The kinds of pairs that a condition asks for by comparing all of one half with all of the other; None for another condition."""
    if when is None:
        return frozenset({LESS, EQUAL, GREATER})
    match when.tree:
        case Comparison(left=left, operators=(op,), others=(right,)) if op in KINDS:
            sides = [_half(side, when) for side in (left, right)]
            if sides == ["y", "z"]:
                return KINDS[op]
    return None


def _half(side: Node, condition: Condition) -> str | None:
    """The string all of whose half this is."""
    halves = condition.halves
    match side:
        case Slice(name=name, last=Node()) if name in ("y", "z"):
            return name if len(condition.reads(name)) == halves.width else None
    return None


@lru_cache(maxsize=2)
def _side(program: Program, names: tuple[str, ...], first: int, last: int, limit: int) -> Side:
    """The sums run over all pairs of contents; what is said of equal and of different halves is about the same."""
    block = Block(first, last, tuple(program.sums[name] for name in names))
    return side(program, block, Budget(limit), with_every=first > 1)
