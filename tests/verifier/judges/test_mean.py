"""Means over all reals of a box: bounds that hold the mean, what is shown, refuted and left open."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from verifier.arithmetic.rationals import Fraction
from verifier.errors import InputError
from verifier.judges import mean
from verifier.judges.fields import Mean
from verifier.judges.mean import judge
from verifier.statements.model import Question
from verifier.verdicts import Finding, Verdict

SQUARE = [("x", "0", "1"), ("y", "0", "1")]


def asked(formula: str, over: list[tuple[str, str, str]] = SQUARE, **lets: str) -> Finding:
    claim = SimpleNamespace(lets=lets, name="toy", functions={})
    question = SimpleNamespace(claim=claim, names={"c": Fraction(2)}, parameters={"c": 2}, at="", advance=lambda *said: None)
    return judge(cast(Question, question), Mean(over, formula))


MEANS = [
    ("x*y", "1/4"),
    ("x**2", "1/3"),
    ("abs(x - y)", "1/3"),
    ("min(x, y)", "1/3"),
    ("max(x, 1/2)", "5/8"),
    ("1/(1 + x)", "log(2)"),
    ("1 if x + y < 1 else 0", "1/2"),
    ("floor(x + y)", "1/2"),
    ("c*x if x*y < 1/4 else 0", "7/16"),
]
"""A formula and its mean over the unit square, by hand: ∫ 2x min(1, 1/(4x)) dx = 1/16 + 3/8 for the last."""


@pytest.mark.parametrize(("formula", "true"), MEANS, ids=[formula for formula, _ in MEANS])
def test_above_what_is_less_and_not_above_what_is_more(formula: str, true: str) -> None:
    assert asked(f"({formula}) - ({true}) + 1/20").verdict is Verdict.VERIFIED
    assert asked(f"({formula}) - ({true}) - 1/20").verdict is Verdict.REFUTED


def test_over_another_box() -> None:
    assert asked("x - 1", [("x", "0", "c + 1/100")]).verdict is Verdict.VERIFIED
    assert asked("x - 1", [("x", "0", "c - 1/100")]).verdict is Verdict.REFUTED


def test_a_mean_of_0_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mean, "MOST_PARTS", 100)
    assert asked("abs(x - y) - 1/3").verdict is Verdict.OPEN


@pytest.mark.parametrize(("formula", "said"), [("z - x", "no name 'z'"), ("1/x", "no bounds")])
def test_refused(formula: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        asked(formula)


def test_bounds_hold_the_mean_on_every_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """x² + y² on a part, against its mean there: (a² + ab + b²)/3 for each side."""
    seen: list[tuple[Any, Fraction, Fraction]] = []
    real = mean.Part.bounds
    monkeypatch.setattr(mean.Part, "bounds", lambda self: seen.append((self.sides, *real(self)[1:])) or real(self))
    monkeypatch.setattr(mean, "MOST_PARTS", 40)
    asked("x**2 + y**2 - 2/3 if x < y else x**2 + y**2 - 2/3")
    assert len(seen) > 40
    for sides, low, high in seen:
        assert low <= sum((a * a + a * b + b * b) / 3 for a, b in sides) - Fraction(2, 3) <= high
