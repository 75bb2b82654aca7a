"""Can one running sum alone compute EQ_m on T1? Every choice of what its tokens add, at once, as a SAT problem.

Each token of T1 (n = 2m + 4, one placeholder behind z) adds a number that depends on the bit that it reads; sums run from left to right and
are rounded. The last sum of equal strings has to be accepted, that of y < z not, by any set of numbers; NaN is rejected. A transformer
has two such sums, so what one of them cannot do alone, the other has to help with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from lowerbounds.one_column import Token, tokens_of
from lowerbounds.refutation import Clause, proved_unsatisfiable
from verifier.arithmetic.machine import Machine
from verifier.arithmetic.numbers import NAN, ZERO, Number
from verifier.networks.problems import bits_of
from verifier.running.errors import MissingExtraError

Prefix = tuple[int, tuple[int, ...], tuple[int, ...]]
"""How many tokens were added, and the bits of y and of z that these have read."""


@dataclass(frozen=True)
class Found:
    """The addend of each token for the bits 0 and 1 and the accepted sums; or, if no table exists, the lemmas of the proof."""

    table: tuple[tuple[Number, ...], ...] | None
    accepted: frozenset[Number]
    clauses: int
    lemmas: int = 0


@dataclass
class SingleSum:
    """The SAT problem. values: what the sum can be and what a token can add, NaN left out."""

    machine: Machine
    values: Sequence[Number]
    m: int
    clauses: list[Clause] = field(default_factory=list)
    variables: int = 0

    @property
    def tokens(self) -> list[Token]:
        return tokens_of("T1", self.m, 2 * self.m + 4)

    def solve(self) -> Found:
        """A table, or that none exists by a proof that unit propagation checks.

        Raises:
            MissingExtraError: python-sat is not installed.
        """
        try:
            from pysat.solvers import Cadical153
        except ImportError:
            raise MissingExtraError("the search needs python-sat", "search") from None
        chosen = [[self._one_of(self.values) for _ in range(2 if name else 1)] for name, _ in self.tokens]
        accepted = self._new(self.values)
        self._sums(chosen, accepted)
        with Cadical153(bootstrap_with=self.clauses) as solver:
            if not solver.solve():
                return Found(None, frozenset(), len(self.clauses), proved_unsatisfiable(self.clauses) or 0)
            true = {literal for literal in solver.get_model() if literal > 0}
        table = tuple(tuple(next(v for v, x in choice.items() if x in true) for choice in token) for token in chosen)
        return Found(table, frozenset(v for v, x in accepted.items() if x in true), len(self.clauses))

    def _sums(self, chosen: list[list[dict[Number, int]]], accepted: dict[Number, int]) -> None:
        """One sum for each prefix of a pair y <= z, and what the last ones have to be."""
        start: Prefix = (0, (), ())
        sums = {start: self._new([*self.values, NAN])}
        self.clauses.append([sums[start][ZERO]])
        for number, token in enumerate(self.tokens):
            for prefix in [each for each in sums if each[0] == number]:
                for bit, longer in after(prefix, token, self.m):
                    if longer not in sums:
                        sums[longer] = self._new([*self.values, NAN])
                    self._added(sums[prefix], chosen[number][bit], sums[longer])
        for (number, y, z), last in sums.items():
            if number == len(self.tokens):
                for value, here in last.items():
                    if value is NAN:
                        self.clauses += [[-here]] if y == z else []
                    else:
                        self.clauses.append([-here, accepted[value] if y == z else -accepted[value]])

    def _added(self, before: dict[Number, int], choice: dict[Number, int], behind: dict[Number, int]) -> None:
        for x, here in before.items():
            for value, added in choice.items():
                self.clauses.append([-here, -added, behind[NAN if x is NAN else self.machine.add(x, value)]])

    def _new(self, names: Sequence[Number]) -> dict[Number, int]:
        found = {name: self.variables + k for k, name in enumerate(names, 1)}
        self.variables += len(names)
        return found

    def _one_of(self, names: Sequence[Number]) -> dict[Number, int]:
        choice = self._new(names)
        self.clauses.append(list(choice.values()))
        self.clauses += [[-a, -b] for a, b in combinations(choice.values(), 2)]
        return choice


def after(prefix: Prefix, token: Token, m: int) -> Iterator[tuple[int, Prefix]]:
    """The bits that the next token can read behind a prefix of some pair y <= z, each with the longer prefix."""
    number, y, z = prefix
    name, place = token
    known = {"y": y, "z": z, "": ()}[name]
    bits = (0,) if not name else (known[place - 1],) if place <= len(known) else (0, 1)
    for bit in bits:
        longer = known if not name or place <= len(known) else (*known, bit)
        reached = (number + 1, longer if name == "y" else y, longer if name == "z" else z)
        if reached[2] >= reached[1][: len(reached[2])]:
            yield bit, reached


def replays(problem: SingleSum, found: Found) -> bool:
    """Whether the table decides every pair y <= z, run token by token."""
    assert found.table is not None
    for y in range(1 << problem.m):
        for z in range(y, 1 << problem.m):
            total: Number = ZERO
            for (name, place), added in zip(problem.tokens, found.table, strict=True):
                bit = int(bits_of(y if name == "y" else z, problem.m)[place - 1]) if name else 0
                total = problem.machine.add(total, added[bit])
            if (total in found.accepted) is not (y == z):
                return False
    return True
