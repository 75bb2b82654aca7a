"""Certificates about two running sums of few bits: they cannot separate all strings, or one value column cannot decide EQ.

Evidence that excludes pairs of maps of the last token shows that the sums cannot separate all strings. The other fact needs no evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from verifier.arithmetic.semantics import Semantics
from verifier.certificates.statement import Certificate, Subject, arithmetic_of_table


def statement_of_sums(subject: Subject, semantics: Semantics, fact: str, length: int, bits: int, coupling: str) -> Certificate:
    """The statement that no tokens with sums of this many bits separate strings of this length, ``one-sum``, or decide EQ of two of them,
    ``one-column``."""
    arithmetic = arithmetic_of_table(semantics, bits)
    about = {"length": str(length), "arithmetic": arithmetic, "coupling": coupling}
    return {**subject.header(), "parameters": subject.point, "fact": fact, **about}


def one_sum_evidence(barriers: Iterable[Sequence[int]]) -> Certificate:
    """The evidence that excludes every pair of maps. The evidence lists the states in each barrier, in the order of the pairs."""
    return {"barriers": [list(map(str, states)) for states in barriers]}
