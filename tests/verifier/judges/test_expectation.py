"""The judge of expectations: what is unknown, what a scope says, and for which claims a few sizes are all sizes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from verifier.arithmetic.rationals import rational
from verifier.claims.model import DEFAULT_SEMANTICS, Claim, Query
from verifier.claims.parameters import Parameter
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Verdict
from verifier.judges import expectation
from verifier.judges.expectation import for_all, judge
from verifier.judges.fields import Expectation
from verifier.running.errors import InputError


def claim(**sizes: str) -> Claim:
    parameters = tuple(Parameter(name, "a size", where, "1..3") for name, where in sizes.items())
    return Claim("artificial/lemma-1", "a sum", "here", "sizes", parameters, bounded=False)


def judged(fields: Expectation, **sizes: int) -> Outcome:
    asked = claim(**dict.fromkeys(sizes, "n >= 1"))
    return judge(Query(asked, Edition.STATEMENT, sizes, DEFAULT_SEMANTICS, Session()), fields)


ROWS = {"i": "1 .. n"}
SQUARES = Expectation("sum(U(i, j)**2 for j in (1, m))", "m * r**2 / 3", {"U": "-r .. r"}, ROWS)


def test_a_number_that_the_closed_form_alone_names_is_unknown_too() -> None:
    found = judged(Expectation("A(1, 1)", "c"), n=1)
    assert (found.verdict, found.reason) == (Verdict.REFUTED, None)
    assert (found.counterexample or {}).keys() == {"n", "A(1, 1)", "c", "expected", "claimed"}
    found = judged(Expectation("A(1, 1)", "B(1, 1)"), n=1)
    assert found.counterexample == {"n": "1", "A(1, 1)": "1", "B(1, 1)": "0", "expected": "1", "claimed": "0"}


@pytest.mark.parametrize(
    ("sizes", "each", "fixed", "verdict"),
    [
        ({"n": "n >= 1", "m": "m >= 1"}, {"i": "1 .. n"}, {}, Verdict.VERIFIED),
        ({"n": "n >= 1", "m": "m >= 1"}, {"i": "1 .. n"}, {"n": 2}, Verdict.VERIFIED),
        ({"n": "n >= 2", "m": "m >= 1"}, {"i": "1 .. n"}, {}, Verdict.OPEN),
        ({"n": "n >= 1", "m": "m >= 2"}, {"i": "1 .. n"}, {}, Verdict.OPEN),
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
    whole = all(where.endswith(">= 1") for where in sizes.values())
    assert (("ranges from 1 to a size" if whole else "sizes from 1 on") in str(found.reason)) is (verdict is Verdict.OPEN)
    if verdict is Verdict.VERIFIED:
        assert f", {fixed.get('n', 1) * 2} identities" in found.proof[0]
        assert (found.witness or "").endswith(", ".join(f"{name} <= {least}" for name, least in (("n", 1), ("m", 2)) if name not in fixed))


def test_a_domain_of_pairs_of_sizes_is_not_decided() -> None:
    found = for_all(replace(claim(n="n >= 1", m="m >= 1"), where="n <= m"), SQUARES, {})
    assert (found.verdict, "sizes from 1 on" in str(found.reason)) == (Verdict.OPEN, True)


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


@pytest.mark.parametrize(
    ("of", "is_", "uniform"),
    [
        ("U(1, 1)**3 + U(1, 2)*U(2, 1)", "0", "-r .. r"),
        ("U(1, 1)**4", "r**4/5", "-r .. r"),
        ("U(1, 1)**2 * U(1, 2)**2 * A(1, 1)", "A(1, 1) * r**4/9", "-r .. r"),
        ("U(1, 1) + A(2, 2)*U(2, 2)", "r/2 + A(2, 2)*r/2", "0 .. r"),
        ("U(1, 1)**3 * U(2, 2)", "r**4/8", "0 .. r"),
        ("(U(1, 1) - U(1, 2))**2", "r**2/6", "0 .. r"),
        ("(U(1, 1) - U(1, 2))**2", "2*r**2/3", "-r .. r"),
        ("abs(U(1, 1))", "r/2", "-r .. r"),
        ("abs(U(1, 1))*U(1, 1)**2 + abs(U(1, 2))**2", "r**3/4 + r**2/3", "-r .. r"),
        ("sum(sum(sum(U(i, j)*U(k, j) for j in (1, n)) for i in (1, n)) for k in (1, n))", "n**2*r**2/3", "-r .. r"),
    ],
)
def test_moments_by_their_integrals(of: str, is_: str, uniform: str) -> None:
    assert judged(Expectation(of, is_, {"U": uniform}), n=2).verdict is Verdict.VERIFIED
    wrong = judged(Expectation(of, f"{is_} + r", {"U": uniform}), n=2)
    assert wrong.verdict is Verdict.REFUTED
    shown = wrong.counterexample or {}
    assert rational(shown["expected"]) + 1 == rational(shown["claimed"])
    assert shown["r"] == "1"


@pytest.mark.parametrize(
    ("of", "is_", "expected"),
    [
        ("A(1, 1)*A(1, 2)", "0", {"A(1, 1)": "1", "A(1, 2)": "1", "expected": "1", "claimed": "0"}),
        ("A(1, 1) + A(1, 2)", "A(1, 1)", {"A(1, 1)": "0", "A(1, 2)": "1", "expected": "1", "claimed": "0"}),
        ("A(1, 1)**2", "A(1, 1)", {"A(1, 1)": "-1", "expected": "1", "claimed": "-1"}),
        ("A(1, 1)**3", "A(1, 1)", {"A(1, 1)": "2", "expected": "8", "claimed": "2"}),
        ("A(2, 2)*c", "A(2, 2)*c + 1", {"A(2, 2)": "0", "c": "0", "expected": "0", "claimed": "1"}),
        ("A(1, 1)*(A(1, 1)**2 - 1)*(A(1, 1)**2 - 4)", "0", {"A(1, 1)": "3", "expected": "120", "claimed": "0"}),
        ("(A(1, 1) - abs(A(1, 1)))*(A(1, 1) + 1)*(A(1, 1) + 2)", "0", {"A(1, 1)": "-3", "expected": "-12", "claimed": "0"}),
    ],
)
def test_a_counterexample_has_the_fewest_entries_that_are_not_0(of: str, is_: str, expected: dict[str, str]) -> None:
    found = judged(Expectation(of, is_), n=2)
    assert found.verdict is Verdict.REFUTED
    assert found.counterexample == {"n": "2", **expected}


@pytest.mark.parametrize(
    ("of", "is_", "shown"),
    [
        ("U(1, 1)", "r**2/2", {"r": "2", "s": "1", "expected": "1", "claimed": "2"}),
        ("U(1, 1)", "r/2 + (r - 1)*(r - 2)*(r - 3)", {"r": "4", "s": "1", "expected": "2", "claimed": "8"}),
        ("U(1, 1)*V(1, 1)", "r*s**2/4", {"r": "1", "s": "2", "expected": "1/2", "claimed": "1"}),
        ("A(1, 1)*U(1, 1)", "A(1, 1)*r**2/2", {"A(1, 1)": "1", "r": "2", "s": "1", "expected": "1", "claimed": "2"}),
        ("U(1, 1)**2", "1/3", {"r": "2", "s": "1", "expected": "4/3", "claimed": "1/3"}),
    ],
)
def test_a_wrong_power_of_an_end_is_refuted_where_it_is_not_1(of: str, is_: str, shown: dict[str, str]) -> None:
    """Where every end is 1 all its powers are equal."""
    found = judged(Expectation(of, is_, {"U": "0 .. r", "V": "0 .. s"}), n=1)
    assert list((found.counterexample or {}).items()) == list({"n": "1", **shown}.items())
    assert found.reason == f"the expected value is {shown['expected']}, {shown['claimed']} was claimed"


@pytest.mark.parametrize("text", ["r .. r", "1 .. r", "0 .. 1", "0"])
def test_other_laws_are_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"0 \.\. r or -r \.\. r was expected"):
        judged(Expectation("U(1, 1)", "0", {"U": text}), n=1)


@pytest.mark.parametrize(
    ("is_", "entry", "sides"),
    [("r/2 * abs(W(1, 1))", "W(2, 2)", ("1/2", "0")), ("r/2 * abs(W(2, 2))", "W(1, 1)", ("1/2", "0")), ("r", "W(1, 1)", ("0", "1"))],
)
def test_where_the_sides_are_no_polynomials_few_entries_are_tried(is_: str, entry: str, sides: tuple[str, str]) -> None:
    found = judged(Expectation("abs(W(1, 1)*U(1, 1) + W(2, 2)*U(2, 2))", is_, {"U": "-r .. r"}), n=2)
    assert found.verdict is Verdict.REFUTED
    weights = {"W(1, 1)": "0", "W(2, 2)": "0"} | ({} if sides[0] == "0" else {entry: "1"})
    assert found.counterexample == {"n": "2", **weights, "r": "1", "expected": sides[0], "claimed": sides[1]}


@pytest.mark.parametrize(
    ("of", "is_", "shown"),
    [
        ("abs(U(1, 1)**2 + U(1, 2)**2)", "r**2/2", {"expected": "at least 2/3", "claimed": "1/2"}),
        ("abs(A(1, 1)*(U(1, 1) + U(1, 2)))", "A(1, 1)*r/3", {"A(1, 1)": "1", "expected": "at least 1/2", "claimed": "1/3"}),
        ("abs(U(1, 1) + U(1, 2))*abs(A(1, 1))", "0", {"A(1, 1)": "1", "expected": "at least 1/2", "claimed": "0"}),
        ("abs((A(1, 1) + A(2, 2))*(U(1, 1) + U(1, 2)))", "abs(A(1, 1))*r", {"A(2, 2)": "1", "expected": "at least 1/2", "claimed": "0"}),
        ("abs(U(1, 1) + 2*U(1, 2))", "3*r/4", {"expected": "at least 1", "claimed": "3/4"}),
        ("abs(r*U(1, 1) + r*U(1, 2))", "r**2/4", {"expected": "at least 1/2", "claimed": "1/4"}),
        ("r - (r/4 - abs(U(1, 1) + U(1, 2)))", "r", {"expected": "at least 5/4", "claimed": "1"}),
        ("r/4 + abs(U(1, 1) + U(1, 2))", "r/2", {"expected": "at least 3/4", "claimed": "1/2"}),
        ("r/4 - abs(U(1, 1) + U(1, 2))", "-r", None),
        ("abs(c*(U(1, 1) + U(1, 2)))", "0", None),
        ("abs(abs(U(1, 1)) + abs(U(1, 2))*U(1, 2))", "0", None),
        ("abs(U(1, 1) + U(1, 2))*A(1, 1)", "0", None),
        ("A(1, 1)*abs(U(1, 1) + U(1, 2))", "0", None),
    ],
)
def test_a_bound_of_magnitudes_refutes_what_is_below_it(of: str, is_: str, shown: dict[str, str] | None) -> None:
    """E|U^2 + V^2| = 2 r^2/3 and E|U + V| >= E|U| = r/2; of a magnitude times what may be negative no bound is known."""
    found = judged(Expectation(of, is_, {"U": "-r .. r"}), n=2)
    assert found.verdict is (Verdict.REFUTED if shown else Verdict.DECLINED)
    assert found.counterexample == (shown and {"n": "2", "r": "1", **shown})


def test_a_bound_of_magnitudes_where_no_error_is_negative() -> None:
    """E|U - 2 V| >= |E U - 2 E V| = r/2: without signs nothing tells the terms apart."""
    found = judged(Expectation("abs(U(1, 1) - 2*U(1, 2))", "r/4", {"U": "0 .. r"}), n=2)
    assert found.counterexample == {"n": "2", "r": "1", "expected": "at least 1/2", "claimed": "1/4"}


@pytest.mark.parametrize(("n", "verdict"), [(2, Verdict.VERIFIED), (3, Verdict.DECLINED)])
def test_more_entries_than_a_polynomial_may_have_are_declined(n: int, verdict: Verdict, monkeypatch: pytest.MonkeyPatch) -> None:
    """The entries of A: 4 and 9."""
    monkeypatch.setattr(expectation, "MOST_ENTRIES", 4)
    found = judged(Expectation("abs(A(1, 1))", "abs(A(1, 1))"), n=n)
    assert found.verdict is verdict
    assert (found.reason == "9 entries, at most 4 are unknowns of one polynomial at n = 3") is (verdict is Verdict.DECLINED)
