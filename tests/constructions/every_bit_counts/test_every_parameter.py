"""Statements that are proved for every parameter, by conditions that change with what they say."""

from __future__ import annotations

import pytest

from constructions.every_bit_counts.judges.floating import diagonal
from verifier.claims.model import DEFAULT_SEMANTICS, Claim
from verifier.claims.papers import find_claim
from verifier.claims.parameters import ALL
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Verdict
from verifier.language.exact import rational, truth
from verifier.networks.problems import Problem, promise_at


def everywhere(claim: Claim, edition: Edition = Edition.STATEMENT, **fixed: int) -> Outcome:
    asked = {p.name: fixed.get(p.name, ALL) for p in claim.parameters}
    return Session().outcome(claim, edition, asked, DEFAULT_SEMANTICS)[0]


@pytest.mark.long("definition-a.7", "definition-a.10", "lemma-c.6")
@pytest.mark.parametrize("name", ["lemma-a.6", "definition-a.7", "definition-a.10", "lemma-c.6"])
def test_it_is_proved(name: str) -> None:
    found = everywhere(find_claim(f"every-bit-counts/{name}"))
    assert (found.verdict, found.scope.method) == (Verdict.VERIFIED, "symbolic")


@pytest.mark.parametrize("name", ["lemma-a.6", "definition-a.7", "definition-a.10", "lemma-c.3", "lemma-c.6"])
def test_a_neighbour_is_not(name: str) -> None:
    neighbours = find_claim(f"every-bit-counts/{name}").neighbours
    assert neighbours
    for neighbour in neighbours:
        assert neighbour.claim.judge is not None
        every = neighbour.claim.judge.every  # type: ignore[attr-defined]
        assert every(neighbour.claim, {}).verdict is not Verdict.VERIFIED, neighbour.why


def test_lemma_c_3_is_false_at_a_degenerate_point_and_proved_elsewhere() -> None:
    claim = find_claim("every-bit-counts/lemma-c.3")
    found = everywhere(claim)
    assert found.verdict is Verdict.REFUTED
    assert found.counterexample is not None
    assert (found.counterexample["t"], found.counterexample["e"]) == ("1", "2")
    assert "proved for all parameters that the authors intend" in (found.reason or "")
    assert everywhere(claim, Edition.REPAIRED).verdict is Verdict.VERIFIED


@pytest.mark.parametrize(
    ("promise", "length"),
    [
        ("y <= z and y[2 : e + 1] > 0 and y[m - 1 : m] != 2", "m"),
        ("y <= z and z[1 : e] != 2**e - 1", "m"),
        ("y <= z and y[1] != 1", "m"),
    ],
)
def test_the_formula_counts_the_strings(promise: str, length: str) -> None:
    found = diagonal(promise, length)
    assert found is not None
    size, apart = found
    counted = 0
    for m in range(3, 9):
        for e in range(2, m):
            names = {"m": m, "e": e}
            if all(truth(each, names) for each in apart):
                problem = Problem("EQ", promise_at(promise, names), m)
                assert rational(size, names) == sum(problem.promised(x, x) for x in range(1 << m))
                counted += 1
    assert counted
