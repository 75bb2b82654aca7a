"""Certificates that two running sums of few bits cannot tell all strings apart: what excludes pairs of maps, from the last token back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from verifier.arithmetic.numbers import Number, show
from verifier.arithmetic.semantics import Semantics
from verifier.certificates.statement import Certificate, Subject, arithmetic_of_table

Move = tuple[Number, Number]
"""The product and the weight that a token adds."""


Path = tuple[tuple[Move, Move], ...]
"""The moves of the tokens of some last bits, the earliest first."""
Weights = tuple[int, Sequence[int]]
"""How much every set of states has at least, and the weight of each state."""

LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"


def one_sum_statement(subject: Subject, semantics: Semantics, length: int, bits: int, coupling: str) -> Certificate:
    """That no tokens with sums of so many bits tell strings of this length apart."""
    arithmetic = arithmetic_of_table(semantics, bits)
    about = {"length": str(length), "arithmetic": arithmetic, "coupling": coupling}
    return {**subject.header(), "parameters": subject.point, "fact": "one-sum", **about}


def one_sum_evidence(barriers: Iterable[tuple[Move, Move, Sequence[int]]], covers: Mapping[Path, Sequence[Weights]]) -> Certificate:
    """What excludes every pair of maps.

    barriers: of pairs of maps, each map by a move that it is: the numbers of the states in the barrier.
    covers:   of the last tokens that barriers do not exclude, what excludes each token before them that is no key.
    """
    return {
        "barriers": [{"maps": _maps((zero, one)), "barrier": list(map(str, states))} for zero, one, states in barriers],
        "longer": _longer(covers, ()),
    }


def _longer(covers: Mapping[Path, Sequence[Weights]], path: Path) -> list[Certificate]:
    """The entries for the token before those of ``path``."""
    return [
        {
            "maps": _maps(longer[0]),
            "covers": [{"least": str(least), "weights": "".join(LETTERS[w] for w in weights)} for least, weights in listed],
            "longer": _longer(covers, longer),
        }
        for longer, listed in covers.items()
        if longer and longer[1:] == path
    ]


def _maps(moves: tuple[Move, Move]) -> list[list[str]]:
    return [[show(x) for x in move] for move in moves]
