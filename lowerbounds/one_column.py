"""Does any transformer with one value column compute EQ_m? All choices of weights and values at once form a SAT problem.

For each token and each bit that it can hold, the problem chooses a score and an entry, values of the format (or the score −N): the weight
is 0 or a rounded power of two (scores are in units of ln 2), the product the weight times the entry, rounded. Nodes are the prefixes of
promise pairs; each knows its two running sums. The attention's output must be accepted for equal strings and for no others, by any set of
outputs; NaN is rejected. That is more than a final MLP can do, so an unsatisfiable problem excludes every transformer of this kind; a
satisfiable one gives scores and entries, which :func:`replay` runs on every pair by the format's rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

from lowerbounds.refutation import proved_unsatisfiable
from verifier.arithmetic.enclosure import round_power_of_two
from verifier.arithmetic.machine import Machine
from verifier.arithmetic.numbers import INF, NAN, NEG_INF, ZERO, Number, sign
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import Semantics
from verifier.networks.problems import bits_of
from verifier.running.errors import InputError, LimitError, MissingExtraError

MOST_CLAUSES = 2_000_000
Token = tuple[str, int]
"""The content of a token, which is ('y', i), ('z', i), or ('', 0) for the constant 0."""
CONSTANT: Token = ("", 0)


def tokens_of(representation: str, m: int, n: int) -> list[Token]:
    """The n + 1 tokens of T0 or T1.

    Raises:
        InputError: another representation, or too few tokens for all bits before the last token.
    """
    y, z = [("y", i) for i in range(1, m + 1)], [("z", i) for i in range(1, m + 1)]
    if representation == "T0":
        held = [*y, *z]
    elif representation == "T1":
        held = [CONSTANT, y[0], *y, z[0], z[0], CONSTANT, *z[1:]]
    else:
        raise InputError(f"representation {representation!r}; T0 or T1 was expected")
    if n < len(held):
        raise InputError(f"n = {n}: {representation} needs {len(held)} tokens before the last one at m = {m}")
    return [*held, *[CONSTANT] * (n + 1 - len(held))]


@dataclass(frozen=True)
class Attempt:
    """Whether scores and entries exist, and, if so, which. ``table[t, bit]`` is token t's choice; ``accepted`` the outputs.

    lemmas: the number in the checked proof that none exist, or 0 without a proof.
    """

    satisfiable: bool
    variables: int
    clauses: int
    table: dict[tuple[int, int], Choice]
    accepted: frozenset[Number]
    lemmas: int = 0


class OneColumn:
    """The SAT problem for a semantics, a number of bits, a representation, and one value weight."""

    def __init__(
        self, semantics: Semantics, bits: int, m: int, tokens: list[Token], value_weight: Fraction, most_clauses: int = MOST_CLAUSES
    ) -> None:
        self.machine: Machine = semantics.machine(bits)
        self.columns_first = semantics.order == "ax"
        self.m, self.tokens, self.value_weight, self.most_clauses = m, tokens, value_weight, most_clauses
        values = list(self.machine.form.values())
        self.choices: dict[tuple[Number, Number], Choice] = {}
        """Every product and weight that one token can add, with a choice that adds it."""
        for choice in choices(self.machine).values():
            self.choices.setdefault(self.adds(choice), choice)
        self.weights = [*dict.fromkeys(w for _, w in self.choices)]
        self.every_product = [*dict.fromkeys(x for x, _ in self.choices)]
        self.numerators: list[Number] = [*values, INF, NEG_INF, NAN]
        self.denominators: list[Number] = [*(x for x in values if x >= 0), INF]
        self._variables: dict[tuple[Any, ...], int] = {}
        self._next = count(1)
        self.clauses: list[list[int]] = []

    def adds(self, choice: Choice) -> tuple[Number, Number]:
        """The product and the weight of a choice. The product is round(weight · entry), multiplied by W^V and rounded again if products are
        summed.
        """
        product, weight = choice.adds(self.machine)
        return product if self.columns_first else self.machine.multiply(product, self.value_weight), weight

    def output(self, numerator: Number, denominator: Number) -> Number:
        """The attention's output."""
        total = self.machine.multiply(numerator, self.value_weight) if self.columns_first else numerator
        return self.machine.divide(total, denominator)

    def solve(self, proved: bool = False) -> Attempt:
        """Ask CaDiCaL whether the formula is satisfiable. ``proved`` also asks for a proof that it is not, which is checked.

        Raises:
            UncheckedError: the proof is not one.
            MissingExtraError: python-sat is not installed.
            LimitError: more clauses than ``most_clauses``.
        """
        try:
            from pysat.solvers import Cadical153
        except ImportError:
            raise MissingExtraError("the search needs python-sat", "search") from None
        self._tokens()
        self._pairs()
        with Cadical153(bootstrap_with=self.clauses) as solver:
            satisfiable = bool(solver.solve())
            true = {x for x in solver.get_model() if x > 0} if satisfiable else set()
        table, accepted = self._decoded(true) if satisfiable else ({}, frozenset())
        lemmas = proved_unsatisfiable(self.clauses) if proved and not satisfiable else 0
        if lemmas is None:
            raise AssertionError("two solvers disagree")
        return Attempt(satisfiable, len(self._variables), len(self.clauses), table, accepted, lemmas)

    def _var(self, *name: Any) -> int:
        if name not in self._variables:
            self._variables[name] = next(self._next)
        return self._variables[name]

    def _bits(self, t: int) -> tuple[int, ...]:
        return (0,) if self.tokens[t] == CONSTANT else (0, 1)

    def _tokens(self) -> None:
        """Add clauses by which each token has a weight and a product for each bit, and the weight allows the product."""
        for t in range(len(self.tokens)):
            for bit in self._bits(t):
                self.clauses.append([self._var("w", t, bit, w) for w in self.weights])
                self.clauses.append([self._var("x", t, bit, x) for x in self.every_product])
                for w in self.weights:
                    excluded = [x for x in self.every_product if (x, w) not in self.choices]
                    self.clauses += [[-self._var("w", t, bit, w), -self._var("x", t, bit, x)] for x in excluded]

    def _pairs(self) -> None:
        """Add every promised pair: its running sums token by token, shared by pairs with the same prefix, and then its answer."""
        start = ("", "")
        self.clauses += [[self._var("n", start, 0, ZERO)], [self._var("d", start, 0, ZERO)]]
        done: set[tuple[Any, ...]] = set()
        for y in range(1 << self.m):
            for z in range(y, 1 << self.m):
                node = start
                for t, after, bit in self._path(bits_of(y, self.m), bits_of(z, self.m)):
                    if (t, after) not in done:
                        done.add((t, after))
                        self._step(t, bit, node, after)
                    node = after
                self._answer(node, equal=y == z)
                if len(self.clauses) > self.most_clauses:
                    raise LimitError(f"the problem has more than {self.most_clauses:,} clauses at m = {self.m}", "a smaller --p")

    def _path(self, y: str, z: str) -> Iterator[tuple[int, tuple[str, str], int]]:
        known = {"y": 0, "z": 0}
        for t, (string, index) in enumerate(self.tokens):
            if string:
                known[string] = max(known[string], index)
            bit = int((y if string == "y" else z)[index - 1]) if string else 0
            yield t, (y[: known["y"]], z[: known["z"]]), bit

    def _step(self, t: int, bit: int, node: tuple[str, str], after: tuple[str, str]) -> None:
        for a in self.numerators:
            for x in self.every_product:
                moved = self._var("n", after, t + 1, self.machine.add(a, x))
                self.clauses.append([-self._var("n", node, t, a), -self._var("x", t, bit, x), moved])
        for d in self.denominators:
            for w in self.weights:
                moved = self._var("d", after, t + 1, self.machine.add(d, w))
                self.clauses.append([-self._var("d", node, t, d), -self._var("w", t, bit, w), moved])

    def _answer(self, node: tuple[str, str], equal: bool) -> None:
        end = len(self.tokens)
        for a in self.numerators:
            for d in self.denominators:
                output = self.output(a, d)
                here = [-self._var("n", node, end, a), -self._var("d", node, end, d)]
                if output is NAN:
                    self.clauses += [here] if equal else []
                else:
                    accepts = self._var("accept", output)
                    self.clauses.append([*here, accepts if equal else -accepts])

    def _decoded(self, true: set[int]) -> tuple[dict[tuple[int, int], Choice], frozenset[Number]]:
        table = {}
        for t in range(len(self.tokens)):
            for bit in self._bits(t):
                weight = next(w for w in self.weights if self._var("w", t, bit, w) in true)
                product = next(x for x in self.every_product if self._var("x", t, bit, x) in true)
                table[t, bit] = self.choices[product, weight]
        accepted = frozenset(name[1] for name, v in self._variables.items() if name[0] == "accept" and v in true)
        return table, accepted

    def replay(self, attempt: Attempt) -> bool:
        """Run a solution on every promise pair, without the solver: scores and entries are values of the format, each answer is right."""
        numbers = [x for choice in attempt.table.values() for x in (choice.score, choice.value) if x is not None]
        if not all(self.machine.form.contains(x) for x in numbers):
            return False
        for y in range(1 << self.m):
            for z in range(y, 1 << self.m):
                numerator: Number = ZERO
                denominator: Number = ZERO
                for t, _, bit in self._path(bits_of(y, self.m), bits_of(z, self.m)):
                    product, weight = self.adds(attempt.table[t, bit])
                    numerator = self.machine.add(numerator, product)
                    denominator = self.machine.add(denominator, weight)
                output = self.output(numerator, denominator)
                if (output is not NAN and output in attempt.accepted) != (y == z):
                    return False
        return True


def value_weights(machine: Machine) -> list[Fraction]:
    """The value weights to try, which are the positive values. A negative one is a positive one with every product's sign changed."""
    return [x for x in machine.form.values() if sign(x) > 0]


def search(
    semantics: Semantics, bits: int, representation: str, m: int, n: int, proved: bool = False, most_clauses: int = MOST_CLAUSES
) -> list[tuple[Fraction, Attempt]]:
    """One outcome for each value weight, up to the first that is satisfiable. proved: as in :meth:`OneColumn.solve`.

    Raises:
        LimitError: more clauses than ``most_clauses``.
    """
    attempts = []
    for weight in value_weights(semantics.machine(bits)):
        problem = OneColumn(semantics, bits, m, tokens_of(representation, m, n), weight, most_clauses)
        attempt = problem.solve(proved)
        if attempt.satisfiable and not problem.replay(attempt):
            raise AssertionError("the solver's table does not replay")
        attempts.append((weight, attempt))
        if attempt.satisfiable:
            break
    return attempts


Sums = tuple[Number, Number]
"""The partial sums of the numerator and the denominator."""


@dataclass(frozen=True)
class Choice:
    """The score of one token for one bit, in units of ln 2, and its value, both in the format; the score None is −N, with weight 0."""

    score: Fraction | None
    value: Fraction

    def adds(self, machine: Machine) -> Sums:
        """Product and weight, each operation rounded: round(weight · value) and the weight 2^score, rounded."""
        weight = ZERO if self.score is None else round_power_of_two(machine, self.score)
        return machine.multiply(weight, self.value), weight

    def __str__(self) -> str:
        return f"({'-N' if self.score is None else self.score}, {self.value})"


def choices(machine: Machine) -> dict[Sums, Choice]:
    """The values that one token can add to the sums, ((A X) W^V) with one column used, each with the first choice of score and value that
    adds it.

    A weight or product is infinite only if the power of two or the product of two values overflows.
    """
    values = list(machine.form.values())
    moves: dict[Sums, Choice] = {}
    for choice in (Choice(score, value) for score in (None, *values) for value in values):
        moves.setdefault(choice.adds(machine), choice)
    return moves
