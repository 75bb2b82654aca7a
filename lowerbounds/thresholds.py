"""Can q-bit weights and values of one column tell all of Alice's strings apart? Every choice, position by position.

Alice's tokens hold y_1 … y_m, one each, as on T0. After each token the strings seen so far have messages, pairs of sums; two strings
with one message keep one message whatever follows, so only sets of 2^i different messages go on. All such sets are enumerated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product

from lowerbounds.one_column import OneColumn, tokens_of
from verifier.arithmetic.machine import Machine
from verifier.arithmetic.numbers import NAN, ZERO, Number
from verifier.errors import LimitError
from verifier.semantics import Semantics

Sums = tuple[Number, Number]
"""The partial sums of the numerator and the denominator."""
Messages = frozenset[Sums]
Path = tuple[tuple[Sums, Sums], ...]

MOST_MOVES = 300_000
"""How many messages may be moved on, each by one choice of a token, before the search is given up."""


@dataclass(frozen=True)
class Apart:
    """Whether all strings can have different messages.

    sets:  how many sets of 2^i different messages were met after i = 1, 2, … tokens: all that exist where ``possible`` is false.
    table: one choice that does it, for each token the (product, weight) of bit 0 and of bit 1; None where there is none.
    """

    possible: bool
    sets: tuple[int, ...]
    table: tuple[tuple[Sums, Sums], ...] | None


def tell_apart(semantics: Semantics, bits: int, length: int) -> Apart:
    """Every choice of weights and products of ``bits`` bits for ``length`` tokens, depth first.

    NaN counts as no message: a sum that is NaN stays so, and the string is never accepted.

    Raises:
        LimitError: more than 300,000 moves before a table that tells all strings apart.
    """
    moves = choices(semantics, bits)
    machine = semantics.machine(bits)
    met: list[set[Messages]] = [set() for _ in range(length)]
    stack: list[tuple[Messages, Path]] = [(frozenset({(ZERO, ZERO)}), ())]
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


def _following(machine: Machine, moves: list[Sums], messages: Messages) -> Iterator[tuple[Messages, tuple[Sums, Sums]]]:
    """The sets of twice as many different messages that one token makes of a set, with its choices for bit 0 and bit 1."""
    whole = []
    for move in moves:
        after = frozenset((machine.add(a, move[0]), machine.add(d, move[1])) for a, d in messages)
        if len(after) == len(messages) and all(NAN not in pair for pair in after):
            whole.append((after, move))
    for (one_set, zero), (other_set, one) in combinations(whole, 2):
        if one_set.isdisjoint(other_set):
            yield one_set | other_set, (zero, one)


def choices(semantics: Semantics, bits: int) -> list[Sums]:
    """Every (product, weight) that one token can add, where one column is used with the value weight 1."""
    problem = OneColumn(semantics, bits, 1, tokens_of("T0", 1, 2), semantics.machine(bits).form.largest)
    return [(x, w) for w in problem.weights for x in problem.products[w]]


def replays(semantics: Semantics, bits: int, table: tuple[tuple[Sums, Sums], ...]) -> bool:
    """Whether a table gives all strings different messages, by running each."""
    machine = semantics.machine(bits)
    seen = set()
    for setting in product((0, 1), repeat=len(table)):
        a: Number = ZERO
        d: Number = ZERO
        for token, bit in zip(table, setting, strict=True):
            a, d = machine.add(a, token[bit][0]), machine.add(d, token[bit][1])
        if NAN in (a, d):
            return False
        seen.add((a, d))
    return len(seen) == 1 << len(table)
