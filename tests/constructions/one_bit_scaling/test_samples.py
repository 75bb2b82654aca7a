"""What a sentence quantifies over: it is refuted by any point of that, and a sample of it verifies nothing."""

import pytest

from verifier.arithmetic.semantics import NAMED
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Verdict

STATEMENT, _, REPAIRED = Edition


def judged(claim: str, edition: Edition, **point: int) -> Outcome:
    return Session().outcome(find_claim(f"one-bit-scaling/{claim}"), edition, point, NAMED["a4"])[0]


@pytest.mark.parametrize(
    ("claim", "point", "shown"),
    [
        ("lemma-b.7:upper", {"n": 1}, {"p": "1/20"}),
        ("lemma-b.7:upper", {"n": 71}, {}),
        ("lemma-b.7:lower", {"n": 71}, {"p": "17/100", "c": "3"}),
        ("lemma-b.10", {"n": 6}, {"k": "1", "s": "1"}),
        ("lemma-b.13", {}, {"n": "1", "t": "1"}),
        ("lemma-b.14:upper", {}, {"n": "1"}),
        ("lemma-b.14:lower", {}, {}),
    ],
)
def test_a_counterexample_outside_the_usual_family_refutes(claim: str, point: dict[str, int], shown: dict[str, str]) -> None:
    found = judged(claim, STATEMENT, **point)
    assert found.verdict is Verdict.REFUTED
    assert shown.items() <= (found.counterexample or {}).items()


@pytest.mark.parametrize("claim", ["lemma-b.10", "lemma-b.13", "lemma-b.8", "definition-d.4", "lemma-f.3"])
def test_a_sample_leaves_what_it_does_not_refute_open(claim: str) -> None:
    parameters = {p.name: 2 for p in find_claim(f"one-bit-scaling/{claim}").parameters}
    found = judged(claim, REPAIRED, **parameters)
    assert found.verdict is Verdict.OPEN
    assert "a sample: the sentence is about" in (found.reason or "")


def test_two_dimensions_are_decided_by_two_directions() -> None:
    assert judged("lemma-h.5", STATEMENT, d=2).verdict is Verdict.VERIFIED
