"""Pairs of contents judged by how they compare: where a condition asks no more of y and z than whether y < z, y = z or y > z.

Then the pairs need not be formed: reachable sets count, for each of the three, how often the sums come to each value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from verifier.arithmetic.arrays import States, Truths
from verifier.engines.backward import Failing, earliest
from verifier.engines.forward import Budget, Layer, Walk
from verifier.engines.multiset import Multiset, merged
from verifier.engines.position_blocks import Block
from verifier.engines.program import Program
from verifier.engines.stages import StagingError, plan
from verifier.judges.pair_classes import Judged, PairClasses, quantities
from verifier.judges.strings import Condition
from verifier.language.tree import Comparison, Node, Slice
from verifier.running.errors import LimitError

METHOD = "reachable-sets"
LESS, EQUAL, GREATER = "less", "equal", "greater"
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
            made._walked  # noqa: B018  # whether it can be walked is what is asked
        except StagingError:
            return None
        return made

    @cached_property
    def _walked(self) -> tuple[Walk, list[Layer]]:
        halves = self.classes.halves
        return _walked(self.classes.program, self.classes.names, halves.first, halves.last, self.limit)

    def _states(self, rows: States) -> States:
        return np.broadcast_to(self.classes.value({name: rows[:, k] for k, name in enumerate(self.classes.names)}), (len(rows),))

    def _wrong(self, states: States) -> Truths:
        """Where the condition fails, for distinct values: it reads no string."""
        distinct, places = np.unique(states, return_inverse=True)
        nothing = np.zeros(len(distinct), dtype=np.int64)
        values = quantities(self.classes.lattice, distinct, np.ones(len(distinct), dtype=bool))
        return np.asarray(~self.classes.says.truths(nothing, nothing, values)[places])

    @cached_property
    def outcomes(self) -> Multiset:
        """The sums' values at the end, with the number of pairs of the kinds asked."""
        walk, layers = self._walked
        last = layers[-1]
        parts = [(last.less.states, last.less.counts, self._times(LESS)), (last.equal.flat(), last.equal.counts, self._times(EQUAL))]
        if GREATER in self.kinds:
            parts.append((last.every.states, last.every.counts, 1))
        used = [(rows[:, : walk.sums], counts * times) for rows, counts, times in parts if times and len(rows)]
        if not used:
            return merged(np.zeros((1, walk.sums), dtype=np.int64), np.zeros(1, dtype=np.int64))
        return merged(np.concatenate([rows for rows, _ in used]), np.concatenate([counts for _, counts in used]))

    def _times(self, kind: str) -> int:
        """How often a kind is added to the pairs of any kind, where those with y > z are asked, or to none."""
        return int(kind in self.kinds) - int(GREATER in self.kinds)

    def judged(self, smallest: bool = True) -> Judged:
        """How many pairs are asked and fail; and if ``smallest``, the smallest y that does."""
        found = self.outcomes
        wrong = self._wrong(self._states(found.states))
        failures = int(found.counts[wrong].sum())
        first = self._first() if failures and smallest else None
        return Judged(int(found.counts.sum()), failures, first, self.row, self.state, METHOD)

    def _first(self) -> int:
        """The smallest y that fails with a z of a kind asked: by walking back, or y by y where y > z are asked.

        Raises:
            LimitError: more work than the limit, y by y.
        """
        walk, layers = self._walked
        if GREATER not in self.kinds:
            last = layers[-1]
            outcomes = merged(last.less.states[:, : walk.sums], np.zeros(len(last.less), dtype=np.int64)).states
            equal = self._wrong(self._states(last.equal.flat()))[last.equal.of_each_y()] & (EQUAL in self.kinds)
            less = self._wrong(self._states(outcomes)) & (LESS in self.kinds)
            y = earliest(walk, layers, Failing(outcomes, equal, less, np.zeros_like(less)))
            assert y is not None, "failures were counted, none was found"
            return y
        for y in range(walk.size):
            if (y + 1) * walk.size > self.limit:
                raise LimitError(f"the first of more than {self.limit:,} pairs fail not, and others do", "--limit")
            if self.row(y).any():
                return y
        raise AssertionError("failures were counted, none was found")

    def row(self, y: int) -> Truths:
        """The contents of z that fail with a content of y, among those allowed."""
        walk, _ = self._walked
        z = np.arange(walk.size)
        kinds: dict[str, Truths] = {LESS: z > y, EQUAL: np.asarray(z == y), GREATER: z < y}
        asked = np.any(np.stack([kinds[kind] for kind in self.kinds]), axis=0)
        return np.asarray(self._wrong(self._states(walk.of_y(y))) & asked)

    def state(self, y: int, z: int) -> np.int64:
        """The value of the sums at contents of y and z."""
        walk, _ = self._walked
        return np.int64(self._states(walk.of_y(y))[z])


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
def _walked(program: Program, names: tuple[str, ...], first: int, last: int, limit: int) -> tuple[Walk, list[Layer]]:
    """The sums run over all pairs of contents; what is said of equal and of different halves is about the same."""
    block = Block(first, last, tuple(program.sums[name] for name in names))
    walk = Walk(program.lattice, plan(block), Budget(limit))
    return walk, list(walk.layers(with_every=first > 1))
