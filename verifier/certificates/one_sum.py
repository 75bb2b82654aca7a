"""Certificates that two running sums of few bits cannot separate all strings: evidence that excludes pairs of maps of the last token."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from verifier.arithmetic.semantics import Semantics
from verifier.certificates.statement import Certificate, Subject, arithmetic_of_table


def one_sum_statement(subject: Subject, semantics: Semantics, length: int, bits: int, coupling: str) -> Certificate:
    """The statement that no tokens with sums of this many bits separate strings of this length."""
    arithmetic = arithmetic_of_table(semantics, bits)
    about = {"length": str(length), "arithmetic": arithmetic, "coupling": coupling}
    return {**subject.header(), "parameters": subject.point, "fact": "one-sum", **about}


def one_sum_evidence(barriers: Iterable[Sequence[int]]) -> Certificate:
    """The evidence that excludes every pair of maps: the states in each barrier, in the order of the pairs."""
    return {"barriers": [list(map(str, states)) for states in barriers]}
