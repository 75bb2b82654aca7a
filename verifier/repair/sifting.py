"""Two edits at once, on one input: which pairs of edits make the answer right, thousands of pairs at a time.

An edit of an embedding entry changes the vectors of some tokens on the input and nothing else, so that two of them together change the
vectors of both. The vectors of all pairs with one edit are summed side by side on the vectorised machine; a pair is left out only where
the answer was computed and is wrong. What cannot be merged so is kept, for the slow check.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from verifier.arithmetic.arrays import States
from verifier.arithmetic.numbers import Number
from verifier.arithmetic.semantics import Semantics
from verifier.engines.program import DENOMINATOR, INVALID, NO, YES, Program
from verifier.networks.execution import Execution
from verifier.networks.instance import Instance, Vector
from verifier.networks.tasks import Inputs
from verifier.running.errors import InputError

Keep = npt.NDArray[np.bool_]


class Terms:
    """What vectors contribute under one reading, as states of the vectorised machine, by the vector's number."""

    def __init__(self, instance: Instance, semantics: Semantics) -> None:
        self.execution = Execution(instance, semantics)
        self.program = Program(self.execution)
        self._encode = self.program.lattice.encode
        self._found: list[list[np.int64]] = []
        self.table: States = np.zeros((0, self.execution.sums + 1), dtype=np.int64)
        self.known: Keep = np.zeros(0, dtype=bool)

    def extend(self, vectors: Sequence[Vector]) -> None:
        """Tabulate the vectors that are new; one that cannot be evaluated is not known."""
        fresh = [self._term(vector) for vector in vectors[len(self.table) :]]
        if fresh:
            rows = np.array([row or [np.int64(0)] * self.table.shape[1] for row in fresh], dtype=np.int64)
            self.table = np.concatenate([self.table, rows])
            self.known = np.concatenate([self.known, np.array([row is not None for row in fresh])])

    def _term(self, vector: Vector) -> list[np.int64] | None:
        try:
            term = self.execution.term_of(self.execution.entries(vector))
        except InputError:
            return None
        parts: tuple[Number, ...] = (*term.products, term.weight)
        return [self._encode(x) for x in parts]


class Input:
    """One input of a construction, and what each edit of its embedding changes there."""

    def __init__(self, base: Instance, edited: Sequence[Instance], inputs: Inputs, semantics: Semantics) -> None:
        """``edited``: the construction after each edit of its embedding, with the same tokens and bits."""
        self.base, self.semantics = base, semantics
        self.patterns = [token.pattern_at(inputs, base.task.strings) for token in base.tokens]
        self.right = (YES,) if base.task.value_at(inputs) else (NO, INVALID)
        self._numbers: dict[Vector, int] = {}
        self._vectors: list[Vector] = []
        self.plain: States = np.array([self._number(v) for v in self._selected(base)], dtype=np.int64)
        self.rows: States = np.array([[self._number(v) for v in self._selected(each)] for each in edited], dtype=np.int64)
        self._terms = Terms(base, semantics)

    def keep(self, first: Instance, others: npt.NDArray[np.intp]) -> Keep:
        """For the edit that made ``first`` together with each of ``others`` (numbers of ``edited``): is the answer right, or not known?"""
        same = first.query == self.base.query and first.key == self.base.key and first.value == self.base.value
        same = same and (first.hidden, first.output, first.asking) == (self.base.hidden, self.base.output, self.base.asking)
        own = np.array([self._number(v) for v in self._selected(first)], dtype=np.int64)
        rows = self.rows[others].copy()
        unknown: Keep = np.zeros(len(others), dtype=bool)
        for t in np.flatnonzero(own != self.plain):
            alone = rows[:, t] == self.plain[t]
            rows[alone, t] = own[t]
            for k in np.flatnonzero(~alone):
                merged = self._merged(int(own[t]), int(rows[k, t]), int(self.plain[t]))
                unknown[k] |= merged is None
                rows[k, t] = own[t] if merged is None else merged
        terms = self._terms if same else Terms(first, self.semantics)
        terms.extend(self._vectors)
        unknown |= ~terms.known[rows].all(axis=1)
        return unknown | np.isin(self._answers(terms, rows), self.right)

    def _answers(self, terms: Terms, rows: States) -> States:
        """The answer for each row of vectors' numbers, the tokens in their order."""
        program, lattice = terms.program, terms.program.lattice
        names = [*program.numerator_sums, *([DENOMINATOR] if terms.execution.kernel.normalised else [])]
        sums: dict[str, States] = {}
        for k, name in enumerate(names):
            column = terms.execution.sums if name == DENOMINATOR else k
            states: States = np.zeros(len(rows), dtype=np.int64)
            for t in range(rows.shape[1]):
                added = terms.table[rows[:, t], column]
                if added.any():
                    states = lattice.add(states, added)
            sums[name] = states
        return np.broadcast_to(program.answers(*program.attentions(sums)), (len(rows),))

    def _selected(self, instance: Instance) -> list[Vector]:
        return [token.vectors[pattern] or () for token, pattern in zip(instance.tokens, self.patterns, strict=True)]

    def _number(self, vector: Vector) -> int:
        if vector not in self._numbers:
            self._numbers[vector] = len(self._vectors)
            self._vectors.append(vector)
        return self._numbers[vector]

    def _merged(self, one: int, other: int, plain: int) -> int | None:
        """The vector with the changed entries of both; None where both change one entry."""
        a, b, base = self._vectors[one], self._vectors[other], self._vectors[plain]
        if not len(a) == len(b) == len(base) or any(x != p and w != p for x, w, p in zip(a, b, base, strict=True)):
            return None
        return self._number(tuple(w if x == p else x for x, w, p in zip(a, b, base, strict=True)))
