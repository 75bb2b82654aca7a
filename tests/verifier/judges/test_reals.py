"""Inequalities for every real: what is shown, what is refused and where, and what stays open."""

from itertools import pairwise
from math import prod
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from verifier.arithmetic.rationals import Fraction
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome, Verdict
from verifier.judges.fields import Reals
from verifier.judges.reals import equal, judge
from verifier.language.definitions import inlined_text
from verifier.running.errors import InputError


def asked(formula: str, zeros: str = "", low: str = "0", high: str = "1", pieces: Any = (), **lets: str) -> Outcome:
    claim = SimpleNamespace(lets=lets, name="toy")
    query = SimpleNamespace(claim=claim, names={"c": Fraction(2)}, parameters={"c": 2}, at="")
    return judge(cast(Query, query), Reals(("x", low, high), [(formula, zeros)], list(pieces)))


HOLDS = [
    ("1 + x", ""),
    ("x*(1 - x)", "0, 1"),
    ("(x - 1/3)**2", "1/3"),
    ("(x - 1/3)**4", "1/3"),
    ("exp(x) - 1 - x", "0"),
    ("exp(x) - 1 - x - x**2/2", "0"),
    ("2/(exp(1)*log(2))*exp(x*log(2)) - 1 - x", "1/log(2) - 1"),
    ("c - x - 1", "1"),
    ("sqrt(1 + x) - 1", "0"),
    ("(x - 1/(1 + sqrt(2)))**2", "sqrt(2) - 1"),
]
FAILS = [
    ("x", "", "0"),
    ("1 + x", "1/2", "1 / 2"),
    ("x - 1/2", "1/2", "0"),
    ("x*(x - 1/2)", "0, 1/2", "just above"),
    ("1 - x", "", "1"),
    ("x*(1 - x)", "0", "1"),
    ("1/2 - x", "", "1"),
    ("(x - 1/3)**2 - 1/1000", "", "0.3"),
    ("(x - 1/3)**3", "1/3", "0"),
    ("exp(x) - 1 - 1.001*x", "0", "just above"),
    ("(x - 1/2)**2", "", "0.50000000"),
    ("(1 - x)*(2 - exp(10*(9/10 - x)))*(2 - exp(10*(8/10 - x)))", "1", "0.8"),
]
NEAR_0 = "(exp(1)*exp(-1) - 1 + 1/10**50)"
OPEN = [
    ("(x - 1/3)**2", "", "the sign near 0.33333333 is not known"),
    ("(x - 1/3)**6", "1/3", "4 derivatives vanish at 1 / 3"),
    ("x**5", "0", "4 derivatives vanish at 0"),
    ("exp(floor(x))", "", "no reading as a smooth function"),
    ("(x - 1/3)**2 + 1/10**40", "1/3", "the value at 1 / 3 is not seen to be 0"),
    (f"x + {NEAR_0}", "", "the sign at 0 is not known"),
    (f"x + {NEAR_0}", "0", "the value at 0 is not seen to be 0"),
    (f"x**2 - {NEAR_0}*x", "0", "derivative 1 at 0 is not seen to be 0"),
    ("x**2/x", "", "the sign at 0 is not known"),
    ("x**2/x", "0", "the value at 0 is not seen to be 0"),
]


@pytest.mark.parametrize(("formula", "zeros"), HOLDS, ids=str)
def test_shown(formula: str, zeros: str) -> None:
    found = asked(formula, zeros)
    assert found.verdict is Verdict.VERIFIED
    assert int((found.witness or "").split(" ")[0]) >= 1


@pytest.mark.parametrize(("formula", "zeros", "where"), FAILS, ids=str)
def test_refused_where_it_fails(formula: str, zeros: str, where: str) -> None:
    found = asked(formula, zeros)
    assert found.verdict is Verdict.REFUTED
    assert where in (found.counterexample or {})["x"]


@pytest.mark.parametrize(("formula", "zeros", "reason"), OPEN, ids=str)
def test_open(formula: str, zeros: str, reason: str) -> None:
    found = asked(formula, zeros)
    assert (found.verdict, reason in (found.reason or "")) == (Verdict.OPEN, True), found.reason


Factors = list[tuple[Fraction, int]]


def by_hand(roots: Factors, sign: int, zeros: set[Fraction], low: Fraction, high: Fraction) -> tuple[bool, bool]:
    """Whether sign Π(x - root)^order is 0 at the zeros on [low, high] and else positive there; and, if not, whether only a touch is wrong.

    Between two roots the sign is that of one value.
    """
    inner = sorted({root for root, _ in roots if low < root < high})
    between = [(a + b) / 2 for a, b in pairwise([low, *inner, high])]
    positive = all(sign * prod((x - root) ** order for root, order in roots) > 0 for x in between)
    at = {root for root, _ in roots if low <= root <= high}
    claimed = {zero for zero in zeros if low <= zero <= high}
    return positive and at == claimed, positive and claimed < at and (at - claimed) <= {*inner}


@pytest.mark.campaign
def test_products_of_linear_factors_on_pieces() -> None:
    """By their roots: what is not true is never shown, what is true is never refused, and only roots without a change of sign stay open."""
    rng, seen = Random(5), dict.fromkeys(Verdict, 0)
    places = [Fraction(k, 6) for k in range(-4, 9)]
    for _ in range(60):
        low, middle, high = sorted(rng.sample(places, 3))
        chosen = sorted(rng.sample(places, 2))
        formulas, hand = [], []
        zeros = {place for place in chosen if rng.random() < 0.8} | ({rng.choice(places)} if rng.random() < 0.1 else set())
        for a, b in ((low, middle), (middle, high)):
            roots = [(root, 2 if a < root < b and rng.random() < 0.9 else rng.choice([1, 1, 2, 3])) for root in chosen]
            x = (a + b) / 2 + Fraction(1, 100)
            sign = 1 if prod((x - root) ** order for root, order in roots) > 0 or rng.random() < 0.1 else -1
            hand.append(by_hand(roots, sign, zeros, a, b))
            formulas.append(f"({sign})" + "".join(f"*(x - ({root}))**{order}" for root, order in roots))
        parts = [(str(low), str(middle), {"y": formulas[0]}), (str(middle), str(high), {"y": formulas[1]})]
        verdict = asked("y", ", ".join(map(str, zeros)), str(low), str(high), parts).verdict
        shown = all(true for true, _ in hand)
        possible = (
            {Verdict.VERIFIED} if shown else {Verdict.REFUTED, Verdict.OPEN} if any(touch for _, touch in hand) else {Verdict.REFUTED}
        )
        assert verdict in possible, (formulas, zeros, low, middle, high, verdict)
        seen[verdict] += 1
    assert min(seen[Verdict.VERIFIED], seen[Verdict.REFUTED]) >= 15


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("sqrt(2)*(1 + sqrt(2)) - sqrt(2)", "2", True),
        ("sqrt(2)*(1 + sqrt(2)) - sqrt(2)", "1", False),
        ("1/(1 + sqrt(2))", "sqrt(2) - 1", True),
        ("1/(1 + sqrt(2))", "sqrt(2) - 2", False),
        ("log(6)", "log(2) + log(3)", True),
        ("exp(1 + log(2))", "2*exp(1)", True),
        ("3/2", "1.5", True),
        ("3/2", "1/2", False),
    ],
)
def test_numbers_are_compared_as_symbols(left: str, right: str, same: bool) -> None:
    assert equal(inlined_text(left, {}), inlined_text(right, {}), {}) is same


def test_pieces_cover_the_interval() -> None:
    parts = [("0", "1/2", {"y": "1 + x"}), ("1/2", "1", {"y": "2*x + half"})]
    assert asked("y", pieces=parts, half="1/2").verdict is Verdict.VERIFIED
    assert asked("y", pieces=parts, half="-1").verdict is Verdict.REFUTED
    for gap in ([parts[0], ("3/4", "1", {"y": "x"})], parts[:1], parts[1:]):
        with pytest.raises(InputError, match="without a gap"):
            asked("y", pieces=gap, half="1/2")
    with pytest.raises(InputError, match="no name 'z'"):
        asked("z + x")


def test_a_let_of_the_same_name_as_the_real_is_another() -> None:
    assert asked("x", "0", x="3").verdict is Verdict.VERIFIED
