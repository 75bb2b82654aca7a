"""The judge of expectations: what is unknown, what a scope says, and for which claims a few sizes are all sizes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from verifier.claims.model import DEFAULT_SEMANTICS, Claim, Query
from verifier.claims.parameters import Parameter
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Verdict
from verifier.judges import expectation
from verifier.judges.expectation import for_all, judge
from verifier.judges.fields import Expectation


def claim(**sizes: str) -> Claim:
    parameters = tuple(Parameter(name, "a size", where, "1..3") for name, where in sizes.items())
    return Claim("artificial/lemma-1", "a sum", "here", "sizes", parameters, bounded=False)


def judged(fields: Expectation, **sizes: int) -> Outcome:
    asked = claim(**dict.fromkeys(sizes, "n >= 1"))
    return judge(Query(asked, Edition.STATEMENT, sizes, DEFAULT_SEMANTICS, Session()), fields)


ROWS = {"i": "1 .. n"}
SQUARES = Expectation("sum(U(i, j)**2 for j in (1, m))", "m * r**2 / 3", {"U": "-r .. r"}, ROWS)


@pytest.mark.parametrize(
    ("sizes", "each", "fixed", "verdict"),
    [
        ({"n": "n >= 1", "m": "m >= 1"}, {"i": "1 .. n"}, {}, Verdict.VERIFIED),
        ({"n": "n >= 1", "m": "m >= 1"}, {"i": "1 .. n"}, {"n": 2}, Verdict.VERIFIED),
        ({"n": "n >= 2", "m": "m >= 1"}, {"i": "1 .. n"}, {}, Verdict.VERIFIED),
        ({"n": "n >= 1", "m": "m >= 2"}, {"i": "1 .. n"}, {}, Verdict.VERIFIED),
        ({"n": "n >= 1 and n % 2 == 1", "m": "m >= 1"}, {"i": "1 .. n"}, {}, Verdict.OPEN),
        ({"n": "n >= 1", "m": "m >= 1"}, {"i": "2 .. n"}, {}, Verdict.OPEN),
        ({"n": "n >= 1", "m": "m >= 1"}, {"i": "1 .. 2*n"}, {}, Verdict.OPEN),
        ({"n": "n >= 1", "m": "m >= 1"}, {"k": "1 .. n", "i": "1 .. 2*n"}, {}, Verdict.OPEN),
        ({"n": "n >= 1", "m": "m >= 1"}, {"k": "1 .. n", "i": "2 .. n"}, {}, Verdict.OPEN),
    ],
)
def test_every_size_is_decided_where_all_sizes_and_ranges_are_whole(
    sizes: dict[str, str], each: dict[str, str], fixed: dict[str, int], verdict: Verdict
) -> None:
    found = for_all(claim(**sizes), Expectation(SQUARES.of, SQUARES.is_, SQUARES.uniform, each), fixed)
    assert found.verdict is verdict, found.reason
    assert (found.scope.method == "degrees") is (verdict is Verdict.VERIFIED)
    whole = not any("and" in where for where in sizes.values())
    assert (("ranges from 1 to a size" if whole else "only condition is a lower bound") in str(found.reason)) is (verdict is Verdict.OPEN)
    if verdict is Verdict.VERIFIED:
        assert f", {fixed.get('n', 1) * 2} identities" in found.proof[0]
        assert (found.witness or "").endswith(", ".join(f"{name} <= {least}" for name, least in (("n", 1), ("m", 2)) if name not in fixed))


def test_a_domain_of_pairs_of_sizes_is_not_decided() -> None:
    found = for_all(replace(claim(n="n >= 1", m="m >= 1"), where="n <= m"), SQUARES, {})
    assert (found.verdict, "only condition is a lower bound" in str(found.reason)) == (Verdict.OPEN, True)


@pytest.mark.parametrize(
    ("of", "is_", "where", "verdict"),
    [
        ("sum(x(1, k) for k in (1, m))**2", "sum(sum(x(1, j)*x(1, k) for k in (1, m)) for j in (1, m))", "m >= 2", Verdict.VERIFIED),
        ("sum(x(1, k) for k in (1, m))**2", "sum(x(1, k)**2 for k in (1, m))", "m >= 2", Verdict.REFUTED),
        ("m*x(1, 1)", "x(1, 1) + (m - 1)*x(1, 2)", "m >= 2", Verdict.OPEN),
        ("sum(x(1, k) for k in (1, m))", "sum(x(k, 1) for k in (1, m))", "m >= 2", Verdict.OPEN),
        ("sum(x(1, k)*sum(x(j, k) for j in (1, m)) for k in (1, m))", "sum(x(1, k) for k in (1, m))", "m >= 2", Verdict.OPEN),
        ("m", "m + (m - 2)*(m - 3)", "m >= 2", Verdict.OPEN),
        ("sum(x(1, k) if k == k else 0 for k in (1, m))", "sum(x(1, k) for k in (1, m))", "m >= 1", Verdict.VERIFIED),
        ("sum(sum(x(1, j)*x(1, k) if j == k else 0 for k in (1, m)) for j in (1, m))", "sum(x(1, k)**2 for k in (1, m))", "m >= 1",
         Verdict.VERIFIED),
        ("sum(sum(x(1, j)*x(1, k) if j != k else 0 for k in (1, m)) for j in (1, m))", "0*m", "m >= 2", Verdict.REFUTED),
        ("sum(x(1, k) if k == 1 else 0 for k in (1, m))", "x(1, 1)", "m >= 1", Verdict.OPEN),
    ],
)  # fmt: skip
def test_a_number_as_an_index_makes_a_vector_and_a_choice_is_of_equal_indices(of: str, is_: str, where: str, verdict: Verdict) -> None:
    assert for_all(claim(m=where), Expectation(of, is_), {}).verdict is verdict


@pytest.mark.parametrize(("of", "is_"), [("m", "m + (m - 1)*(m - 2)"), ("m + (m - 1)*(m - 2)", "m")])
def test_enough_sizes_are_compared_for_either_side(of: str, is_: str) -> None:
    """They differ from m = 3 on."""
    found = for_all(claim(m="m >= 1"), Expectation(of, is_), {})
    assert (found.verdict, (found.counterexample or {}).get("m")) == (Verdict.REFUTED, "3")


def test_what_is_true_of_one_column_alone_is_not_proved_for_every_size() -> None:
    """The expected value names no column any more: the sides are m and 1, which differ from m = 2 on."""
    found = for_all(claim(n="n >= 1", m="m >= 1"), Expectation(SQUARES.of, "r**2 / 3", SQUARES.uniform, ROWS), {})
    assert found.verdict is Verdict.REFUTED
    assert (found.counterexample or {}).items() >= {"n": "1", "m": "2", "expected": "2/3", "claimed": "1/3"}.items()


@pytest.mark.parametrize(("n", "verdict"), [(2, Verdict.VERIFIED), (3, Verdict.DECLINED)])
def test_more_entries_than_a_polynomial_may_have_are_declined(n: int, verdict: Verdict, monkeypatch: pytest.MonkeyPatch) -> None:
    """The entries of A: 4 and 9."""
    monkeypatch.setattr(expectation, "MOST_ENTRIES", 4)
    found = judged(Expectation("abs(A(1, 1))", "abs(A(1, 1))"), n=n)
    assert found.verdict is verdict
    assert (found.reason == "9 entries, at most 4 are unknowns of one polynomial at n = 3") is (verdict is Verdict.DECLINED)
