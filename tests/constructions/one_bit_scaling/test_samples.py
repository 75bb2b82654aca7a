"""What a sentence quantifies over: it is refuted by any point of that, and a sample of it verifies nothing."""

from functools import partial

import pytest

from tests.outcomes import outcome
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition, Verdict

STATEMENT, PRINTED, REPAIRED = Edition


judged = partial(outcome, "one-bit-scaling")


@pytest.mark.long("lemma-b.7:upper-point1-shown1")
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


@pytest.mark.parametrize("claim", ["lemma-b.11", "lemma-b.13", "lemma-b.9", "lemma-b.7:every-delta", "theorem-i.1:width"])
def test_a_sample_leaves_what_it_does_not_refute_open(claim: str) -> None:
    parameters = {p.name: 2 for p in find_claim(f"one-bit-scaling/{claim}").parameters}
    found = judged(claim, REPAIRED, **parameters)
    assert found.verdict is Verdict.OPEN
    assert "a sample and found no counterexample: the sentence is about" in (found.reason or "")


@pytest.mark.parametrize(
    ("claim", "m", "n", "d", "sides"),
    [
        ("lemma-f.3", 2, 1, 3, 2 * 3),
        ("definition-g.1", 2, 2, 2, 2 * 2),
        ("definition-g.3", 1, 2, 2, 2 * 2),
        ("definition-c.8", 2, 2, 2, 2),
        ("claim-h.2", 2, 2, 2, 1),
        ("definition-j.1", 2, 2, 3, 2),
    ],
)
def test_an_identity_is_compared_once_for_each_of_its_sides(claim: str, m: int, n: int, d: int, sides: int) -> None:
    """Weights, entries of a matrix, outputs or one number: as polynomials, and so for all real numbers."""
    found = judged(claim, STATEMENT, m=m, n=n, d=d)
    assert (found.verdict, found.scope.cases) == (Verdict.VERIFIED, sides)


@pytest.mark.parametrize("step", ["test-inputs", "hoeffding"])
def test_what_the_printed_update_trains_is_not_verified_as_printed(step: str) -> None:
    """In two dimensions both networks are alike if both updates are gradients, and the one of Claim J.3 is none."""
    verdicts = [judged(f"theorem-k.1:{step}", edition, d=2).verdict for edition in (STATEMENT, PRINTED, REPAIRED)]
    assert verdicts == [Verdict.VERIFIED, Verdict.REFUTED, Verdict.VERIFIED]
