"""Certificates that two running sums of few bits cannot tell all strings apart: the barriers that exclude pairs of maps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from verifier.arithmetic.numbers import Number, show
from verifier.certificates.statement import Certificate, problem_data, semantics_data
from verifier.problems import Problem
from verifier.semantics import Semantics

Move = tuple[Number, Number]
"""The product and the weight that a token adds."""


def one_sum_facts(
    semantics: Semantics, problem: Problem, bits: int, coupling: str, barriers: Iterable[tuple[Move, Move, Sequence[int]]]
) -> Certificate:
    """What a certificate of this kind says beside its header.

    barriers: of pairs of maps, each map by a move that it is: the numbers of the states in the barrier.
    """
    return {
        "kind": "one-sum",
        "semantics": semantics_data(semantics),
        "problem": problem_data(problem),
        "sums": {"bits": str(bits), "coupling": coupling},
        "barriers": [
            {"maps": [[show(x) for x in move] for move in (zero, one)], "barrier": list(map(str, states))} for zero, one, states in barriers
        ],
    }
