"""Means over all reals of a box: bounds that hold the mean, what is shown, refuted and left open."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from verifier.arithmetic.rationals import Fraction
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome, Verdict
from verifier.judges import reals
from verifier.judges.fields import Mean

SQUARE = [("x", "0", "1"), ("y", "0", "1")]


def asked(formula: str, over: list[tuple[str, str, str]] = SQUARE, **lets: str) -> Outcome:
    claim = SimpleNamespace(lets=lets, name="toy", functions={})
    query = SimpleNamespace(claim=claim, names={"c": Fraction(2)}, parameters={"c": 2}, at="", advance=lambda *said: None)
    return reals.mean(cast(Query, query), Mean(over, formula))


@pytest.mark.parametrize(("most", "boxes"), [(0, 1), (101, 52), (102, 52)])
def test_a_mean_of_0_is_open(monkeypatch: pytest.MonkeyPatch, most: int, boxes: int) -> None:
    """Each cut makes two boxes of one, and none is made once there were as many as may be."""
    monkeypatch.setattr(reals, "MOST_PARTS", most)
    found = asked("abs(x - y) - 1/3")
    assert found.verdict is Verdict.OPEN
    assert (found.reason or "").endswith(f" by {boxes} boxes of balls")


def test_bounds_hold_the_mean_on_every_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """x² + y² on a part, against its mean there: (a² + ab + b²)/3 for each side."""
    seen: list[tuple[Any, Fraction, Fraction]] = []
    real = reals.Part.bounds
    monkeypatch.setattr(reals.Part, "bounds", lambda self: seen.append((self.sides, *real(self)[1:])) or real(self))
    monkeypatch.setattr(reals, "MOST_PARTS", 40)
    asked("x**2 + y**2 - 2/3 if x < y else x**2 + y**2 - 2/3")
    assert len(seen) > 40
    for sides, low, high in seen:
        assert low <= sum((a * a + a * b + b * b) / 3 for a, b in sides) - Fraction(2, 3) <= high
