"""Certificates that two running sums of few bits cannot separate all strings: evidence that excludes pairs of maps of the last token."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from verifier.arithmetic.numbers import Number, show
from verifier.arithmetic.semantics import Semantics
from verifier.certificates.statement import Certificate, Subject, arithmetic_of_table

Move = tuple[Number, Number]
"""The product and the weight that a token adds."""


def one_sum_statement(subject: Subject, semantics: Semantics, length: int, bits: int, coupling: str) -> Certificate:
    """The statement that no tokens with sums of this many bits separate strings of this length."""
    arithmetic = arithmetic_of_table(semantics, bits)
    about = {"length": str(length), "arithmetic": arithmetic, "coupling": coupling}
    return {**subject.header(), "parameters": subject.point, "fact": "one-sum", **about}


def one_sum_evidence(barriers: Iterable[tuple[Move, Move, Sequence[int]]]) -> Certificate:
    """The evidence that excludes every pair of maps, each given by one of its moves: the states in a barrier."""
    return {"barriers": [{"maps": _maps((zero, one)), "barrier": list(map(str, states))} for zero, one, states in barriers]}


def _maps(moves: tuple[Move, Move]) -> list[list[str]]:
    return [[show(x) for x in move] for move in moves]
