"""The judge of expectations: what is unknown, what a scope says, and for which claims a few sizes are all sizes."""

from __future__ import annotations

import pytest

from verifier.judges.expectation import for_all, judge
from verifier.judges.fields import Expectation
from verifier.statements.model import DEFAULT_SEMANTICS, Claim, Question
from verifier.statements.parameters import Parameter
from verifier.statements.session import Session
from verifier.verdicts import Edition, Finding, Verdict


def claim(**sizes: str) -> Claim:
    parameters = tuple(Parameter(name, "a size", where, "1..3") for name, where in sizes.items())
    return Claim("artificial/lemma-1", "a sum", "here", "sizes", parameters, bounded=False)


def judged(fields: Expectation, **sizes: int) -> Finding:
    asked = claim(**dict.fromkeys(sizes, "n >= 1"))
    return judge(Question(asked, Edition.STATEMENT, sizes, DEFAULT_SEMANTICS, Session()), fields)


ROWS = {"i": "1 .. n"}
SQUARES = Expectation("sum(U(i, j)**2 for j in (1, m))", "m * r**2 / 3", {"U": "-r .. r"}, ROWS)


def test_a_scope_says_what_is_random_and_which_assignments_were_gone_through() -> None:
    found = judged(SQUARES, n=2, m=3)
    assert (found.verdict, found.scope.cases) == (Verdict.VERIFIED, 2)
    assert found.scope.statement == "every value of the entries (U uniform in -r .. r, independent) for i in 1 .. n at n = 2, m = 3"


def test_a_number_that_the_closed_form_alone_names_is_unknown_too() -> None:
    found = judged(Expectation("A(1, 1)", "c"), n=1)
    assert found.verdict is Verdict.REFUTED
    assert (found.counterexample or {}).keys() == {"n", "A(1, 1)", "c", "expected", "claimed"}


@pytest.mark.parametrize(
    ("sizes", "each", "fixed", "verdict"),
    [
        ({"n": "n >= 1", "m": "m >= 1"}, {"i": "1 .. n"}, {}, Verdict.VERIFIED),
        ({"n": "n >= 1", "m": "m >= 1"}, {"i": "1 .. n"}, {"n": 2}, Verdict.VERIFIED),
        ({"n": "n >= 2", "m": "m >= 1"}, {"i": "1 .. n"}, {}, Verdict.OPEN),
        ({"n": "n >= 1", "m": "m >= 1"}, {"i": "2 .. n"}, {}, Verdict.OPEN),
        ({"n": "n >= 1", "m": "m >= 1"}, {"i": "1 .. 2*n"}, {}, Verdict.OPEN),
        ({"n": "n >= 1", "m": "m >= 1"}, {"k": "1 .. n", "i": "1 .. 2*n"}, {}, Verdict.OPEN),
    ],
)
def test_every_size_is_decided_where_all_sizes_and_ranges_are_whole(
    sizes: dict[str, str], each: dict[str, str], fixed: dict[str, int], verdict: Verdict
) -> None:
    found = for_all(claim(**sizes), Expectation(SQUARES.of, SQUARES.is_, SQUARES.uniform, each), fixed)
    assert found.verdict is verdict, found.reason
    assert (found.scope.method == "degrees") is (verdict is Verdict.VERIFIED)
    if verdict is Verdict.VERIFIED:
        assert (found.witness or "").endswith(", ".join(f"{name} <= {least}" for name, least in (("n", 1), ("m", 2)) if name not in fixed))


def test_what_is_true_of_one_column_alone_is_not_proved_for_every_size() -> None:
    """The expected value names no column any more: the sides are m and 1, which differ from m = 2 on."""
    found = for_all(claim(n="n >= 1", m="m >= 1"), Expectation(SQUARES.of, "r**2 / 3", SQUARES.uniform, ROWS), {})
    assert found.verdict is Verdict.REFUTED
    assert (found.counterexample or {}).items() >= {"n": "1", "m": "2", "expected": "2/3", "claimed": "1/3"}.items()
