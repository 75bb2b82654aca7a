"""Claims for every value of their parameters: formulas by symbols, their limits and parts; nothing is proved that points refute."""

from dataclasses import replace

import pytest

from verifier.arithmetic.semantics import read_semantics
from verifier.claims.judge_names import NamedJudge
from verifier.claims.model import Claim
from verifier.claims.papers import find_claim
from verifier.claims.parameters import ALL
from verifier.claims.points import points
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Verdict

A4 = read_semantics("a4")


def judged(claim: Claim, edition: Edition = Edition.STATEMENT, **fixed: str) -> Outcome:
    (point,) = points(claim, {**dict.fromkeys((p.name for p in claim.parameters if not p.names), "all"), **fixed})
    return Session().outcome(claim, edition, point, A4)[0]


def for_all(name: str, edition: Edition = Edition.STATEMENT, **fixed: str) -> Outcome:
    return judged(find_claim(name), edition, **fixed)


PROVED = [
    "every-bit-counts/equation-1",
    "every-bit-counts/equation-2",
    "section-2.1:upper-bound-bits",
    "section-b.1:length",
    "theorem-c.2:bits",
    "lemma-c.5:exponent-range",
    "section-2.1:lengths",
    "section-2.1:ratio",
    "lemma-2.6:mlp-target",
    "lemma-b.1:contradiction",
    "section-c.2:bits",
    "lemma-c.8:ignored-terms",
    "lemma-8:sigmoid-bound",
    "section-4.2:inputs",
]


@pytest.mark.one_in(2)
@pytest.mark.long("lemma-2.6:mlp-target", "section-4.2:inputs")
@pytest.mark.parametrize("name", PROVED)
def test_repaired_it_holds_for_every_parameter(name: str) -> None:
    found = for_all(name, Edition.REPAIRED)
    assert (found.verdict, found.scope.method) == (Verdict.VERIFIED, "symbolic"), found.reason
    assert found.proof
    assert len(found.witness or "") <= 100


@pytest.mark.parametrize("name", PROVED)
def test_neighbours_are_never_proved(name: str) -> None:
    """A neighbour that is refuted at a point is refuted for all, no later than there, or open."""
    claim = find_claim(name)
    neighbours = [n for n in claim.neighbours if n.verdict is Verdict.REFUTED and isinstance(n.claim.judge, NamedJudge)]
    assert neighbours
    for neighbour in neighbours:
        found = judged(neighbour.claim, neighbour.edition)
        assert found.verdict in (Verdict.REFUTED, Verdict.OPEN), neighbour.why
        if found.verdict is Verdict.REFUTED and neighbour.at:
            point = [int((found.counterexample or {})[p]) for p in neighbour.at]
            assert point <= list(neighbour.at.values())


def test_a_part_that_fails_outside_the_domain_of_the_whole_refutes_nothing() -> None:
    """Every p from 1 on has digits t + e = p but 1 and 2; the theorem's own p is t + e >= 3."""
    whole = find_claim("theorem-c.1")
    alone = replace(whole, parts=whole.parts[:1], steps=())
    assert judged(alone).verdict is Verdict.OPEN


def test_what_is_asked_for_as_a_whole_equals_nothing_else() -> None:
    assert ALL != -1
    assert -1 not in [ALL]


@pytest.mark.campaign
def test_listed_values_may_be_fractions() -> None:
    """ReLU at 0 and at 1/s, which is no integer."""
    found = for_all("lemma-8:relu-elu-values")
    assert found.verdict is Verdict.VERIFIED
    assert "x in (0, 1/s)" in found.scope.statement


@pytest.mark.campaign
def test_what_symbols_do_not_read_is_open_and_says_how_far_it_was_checked() -> None:
    found = for_all("lemma-8:softplus-ten-sevenths")
    assert found.verdict is Verdict.OPEN
    assert "log(2) is irrational" in (found.reason or "")
    assert "verified at p = 3 to p = 8 (6 points)" in (found.reason or "")


COUNTED = [
    ("definition-a.7:value-count", Edition.STATEMENT),
    ("definition-a.7:range", Edition.STATEMENT),
    ("section-a.3:p-bits-per-number", Edition.REPAIRED),
    ("lemma-20:phi", Edition.STATEMENT),
    ("lemma-20:gaps", Edition.STATEMENT),
    pytest.param("lemma-2.2:alice-tokens", Edition.REPAIRED, marks=pytest.mark.campaign),
    pytest.param("lemma-20:f-count", Edition.REPAIRED, marks=pytest.mark.campaign),
    pytest.param("lemma-20:f-bound", Edition.STATEMENT, marks=pytest.mark.campaign),
    pytest.param("section-4.1:real", Edition.STATEMENT, marks=pytest.mark.campaign),
    pytest.param("section-4.1:weights", Edition.STATEMENT, marks=pytest.mark.campaign),
    pytest.param("section-4.1", Edition.STATEMENT, marks=pytest.mark.campaign),
]


@pytest.mark.parametrize(("name", "edition"), COUNTED)
def test_functions_that_count_are_read_as_formulas(name: str, edition: Edition) -> None:
    """They say so, and the neighbours of the claim are never proved."""
    claim = find_claim(name)
    found = judged(claim, edition)
    assert found.verdict is Verdict.VERIFIED, found.reason
    assert name == "section-4.1:real" or "is read as its formula" in (found.reason or "")
    for neighbour in claim.neighbours:
        assert judged(neighbour.claim, neighbour.edition).verdict is not Verdict.VERIFIED, neighbour.why
