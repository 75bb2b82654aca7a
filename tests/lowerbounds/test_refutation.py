"""Proofs that clauses cannot be satisfied: made, checked, and refused where a lemma does not follow."""

from __future__ import annotations

from itertools import combinations

import pytest

from lowerbounds.refutation import UncheckedError, check, proved_unsatisfiable

pytest.importorskip("pysat")

SQUARE = [[1, 2], [-1, 2], [1, -2], [-1, -2]]


def pigeons(count: int, holes: int) -> list[list[int]]:
    """Each pigeon sits in a hole, no two in the same."""
    at = [[1 + holes * pigeon + hole for hole in range(holes)] for pigeon in range(count)]
    return [*at, *([-one[hole], -other[hole]] for one, other in combinations(at, 2) for hole in range(holes))]


def test_one_pigeon_too_many_has_a_proof_and_no_more_have_none() -> None:
    assert (proved_unsatisfiable(pigeons(5, 4)) or 0) > 4
    assert proved_unsatisfiable(pigeons(4, 4)) is None
    assert proved_unsatisfiable(SQUARE) is not None


@pytest.mark.parametrize(
    ("clauses", "lemmas", "why"),
    [
        (SQUARE, [], "no contradiction"),
        (SQUARE, [[3]], "lemma 1 of 1 does not follow"),
        (SQUARE[:3], [[2], []], "lemma 2 of 2 does not follow"),
        (SQUARE[:3], [[2]], "no contradiction"),
        ([[1, 2], [3, 4]], [[1]], "lemma 1 of 1 does not follow"),
    ],
)
def test_what_is_no_proof_is_refused(clauses: list[list[int]], lemmas: list[list[int]], why: str) -> None:
    with pytest.raises(UncheckedError, match=why):
        check(clauses, lemmas)


def test_a_proof_is_accepted_and_one_of_other_clauses_is_not() -> None:
    check(SQUARE, [[2], []])
    check(SQUARE, [[2]])
    with pytest.raises(UncheckedError):
        check([*SQUARE[:1], *SQUARE[2:]], [[2], []])
