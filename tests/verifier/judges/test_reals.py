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


def asked(formula: str, zeros: str = "", low: str = "0", high: str = "1", pieces: Any = (), **lets: str) -> Outcome:
    claim = SimpleNamespace(lets=lets, name="toy")
    query = SimpleNamespace(claim=claim, names={"c": Fraction(2)}, parameters={"c": 2}, at="")
    return judge(cast(Query, query), Reals(("x", low, high), [(formula, zeros)], list(pieces)))


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
