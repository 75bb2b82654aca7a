"""Can q-bit weights and values of one column tell all of Alice's strings apart? Every choice, position by position.

Alice's tokens hold y_1 … y_m, one each, as on T0. After each token the strings seen so far have messages, pairs of sums; two strings
with one message keep one message whatever follows, so only sets of 2^i different messages go on. All such sets are enumerated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product

from verifier.arithmetic.enclosure import round_power_of_two
from verifier.arithmetic.machine import Machine
from verifier.arithmetic.numbers import NAN, ZERO, Number
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import Semantics
from verifier.running.errors import LimitError

Sums = tuple[Number, Number]
"""The partial sums of the numerator and the denominator."""
Messages = frozenset[Sums]


@dataclass(frozen=True)
class Choice:
    """The score of one token for one bit, in units of ln 2, and its value, both in the format; the score None is −N, weight 0."""

    score: Fraction | None
    value: Fraction

    def adds(self, machine: Machine) -> Sums:
        """Product and weight, each operation rounded: round(weight · value) and the weight 2^score, rounded."""
        weight = ZERO if self.score is None else round_power_of_two(machine, self.score)
        return machine.multiply(weight, self.value), weight

    def __str__(self) -> str:
        return f"({'-N' if self.score is None else self.score}, {self.value})"


Table = tuple[tuple[Choice, Choice], ...]

MOST_MOVES = 300_000
"""How many messages may be moved on, each by one choice of a token, before the search is given up."""


@dataclass(frozen=True)
class Apart:
    """Whether all strings can have different messages.

    sets:  how many sets of 2^i different messages were met after i = 1, 2, … tokens: all that exist where ``possible`` is false.
    table: one that does it, for each token the choice for bit 0 and for bit 1; None where there is none.
    """

    possible: bool
    sets: tuple[int, ...]
    table: Table | None


def tell_apart(semantics: Semantics, bits: int, length: int) -> Apart:
    """Every choice of scores and values of ``bits`` bits for ``length`` tokens, depth first.

    NaN counts as no message: a sum that is NaN stays so, and the string is never accepted.

    Raises:
        LimitError: more than 300,000 moves before a table that tells all strings apart.
    """
    machine = semantics.machine(bits)
    moves = choices(machine)
    met: list[set[Messages]] = [set() for _ in range(length)]
    stack: list[tuple[Messages, Table]] = [(frozenset({(ZERO, ZERO)}), ())]
    moved = 0
    while stack:
        messages, path = stack.pop()
        moved += len(messages) * len(moves)
        if moved > MOST_MOVES:
            raise LimitError(f"more than {MOST_MOVES:,} moves of messages of {bits}-bit numbers at m = {length}", "a smaller --m")
        for after, choice in _following(machine, moves, messages):
            here = met[len(path)]
            if after in here:
                continue
            here.add(after)
            if len(path) == length - 1:
                return Apart(True, tuple(map(len, met)), (*path, choice))
            stack.append((after, (*path, choice)))
    return Apart(False, tuple(map(len, met)), None)


def _following(machine: Machine, moves: dict[Sums, Choice], messages: Messages) -> Iterator[tuple[Messages, tuple[Choice, Choice]]]:
    """The sets of twice as many different messages that one token makes of a set, with its choices for bit 0 and bit 1."""
    whole = []
    for move, choice in moves.items():
        after = frozenset((machine.add(a, move[0]), machine.add(d, move[1])) for a, d in messages)
        if len(after) == len(messages) and all(NAN not in pair for pair in after):
            whole.append((after, choice))
    for (one_set, zero), (other_set, one) in combinations(whole, 2):
        if one_set.isdisjoint(other_set):
            yield one_set | other_set, (zero, one)


def choices(machine: Machine) -> dict[Sums, Choice]:
    """The values that one token can add to the sums, ((A X) W^V) with one column used, each with the first choice of score and value that
    adds it.

    A weight or product is infinite only where the power of two or the product of two values overflows.
    """
    values = list(machine.form.values())
    moves: dict[Sums, Choice] = {}
    for choice in (Choice(score, value) for score in (None, *values) for value in values):
        moves.setdefault(choice.adds(machine), choice)
    return moves


def replays(semantics: Semantics, bits: int, table: Table) -> bool:
    """Whether a table of scores and values of the format gives all strings different messages, by running each."""
    machine = semantics.machine(bits)
    numbers = [x for token in table for choice in token for x in (choice.score, choice.value) if x is not None]
    if not all(machine.form.contains(x) for x in numbers):
        return False
    seen = set()
    for setting in product((0, 1), repeat=len(table)):
        a: Number = ZERO
        d: Number = ZERO
        for token, bit in zip(table, setting, strict=True):
            term, weight = token[bit].adds(machine)
            a, d = machine.add(a, term), machine.add(d, weight)
        if NAN in (a, d):
            return False
        seen.add((a, d))
    return len(seen) == 1 << len(table)
