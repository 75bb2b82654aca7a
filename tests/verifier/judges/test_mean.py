"""Means over all reals of a box: bounds that hold the mean, what is shown, refuted and left open."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from verifier.arithmetic.rationals import Fraction, rational
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome, Verdict
from verifier.judges import mean
from verifier.judges.fields import Mean
from verifier.judges.mean import judge
from verifier.language.tree import Numeral
from verifier.running.errors import InputError

SQUARE = [("x", "0", "1"), ("y", "0", "1")]


def asked(formula: str, over: list[tuple[str, str, str]] = SQUARE, **lets: str) -> Outcome:
    claim = SimpleNamespace(lets=lets, name="toy", functions={})
    query = SimpleNamespace(claim=claim, names={"c": Fraction(2)}, parameters={"c": 2}, at="", advance=lambda *said: None)
    return judge(cast(Query, query), Mean(over, formula))


MEANS = [
    ("x*y", "1/4"),
    ("c*x", "1"),
    ("x**2", "1/3"),
    ("abs(x - y)", "1/3"),
    ("min(x, y)", "1/3"),
    ("max(x, 1/2)", "5/8"),
    ("1/(1 + x)", "log(2)"),
    ("1 if x + y < 1 else 0", "1/2"),
    ("floor(x + y)", "1/2"),
    ("c*x if x*y < 1/4 else 0", "7/16"),
    ("x - abs(y - x)", "1/6"),
    ("x*floor(y + 1/2)", "1/4"),
]
"""A formula and its mean over the unit square, by hand: ∫ 2x min(1, 1/(4x)) dx = 1/16 + 3/8 for the last."""


@pytest.mark.long("c*x if x*y < 1/4 else 0")
@pytest.mark.parametrize(("formula", "true"), MEANS, ids=[formula for formula, _ in MEANS])
def test_above_what_is_less_and_not_above_what_is_more(formula: str, true: str) -> None:
    assert asked(f"({formula}) - ({true}) + 1/20").verdict is Verdict.VERIFIED
    assert asked(f"({formula}) - ({true}) - 1/20").verdict is Verdict.REFUTED


def test_over_another_box() -> None:
    assert asked("x - 1", [("x", "0", "c + 1/100")]).verdict is Verdict.VERIFIED
    assert asked("x - 1", [("x", "0", "c - 1/100")]).verdict is Verdict.REFUTED


BOX = [("x", "1", "3/2"), ("y", "-1", "1/4")]
AT_ONCE = [
    ("x**2 + 3*x*y - y**2", [(1, 2, 0), (3, 1, 1), (-1, 0, 2)]),
    ("y**2 - x*y", [(1, 0, 2), (-1, 1, 1)]),
    ("x*abs(x) + abs(x - 2)", [(1, 2, 0), (2, 0, 0), (-1, 1, 0)]),
    ("max(x, y)**2 - min(x, y)", [(1, 2, 0), (-1, 0, 1)]),
    ("x**2 if x < y else y**2", [(1, 0, 2)]),
    ("sqrt(4 if x > 0 else y)*(x - 3*y**2)", [(2, 1, 0), (-6, 0, 2)]),
    ("y*(x if y < 1 else 7)", [(1, 1, 1)]),
]
"""Formulas that are polynomials of degree 2 on the box: what stands before x^i y^j."""


@pytest.mark.parametrize(("formula", "terms"), AT_ONCE, ids=[formula for formula, _ in AT_ONCE])
def test_degree_2_is_known_without_a_cut(formula: str, terms: list[tuple[int, int, int]], monkeypatch: pytest.MonkeyPatch) -> None:
    """The midpoint rule with its second derivatives is exact there; the mean is the product of means of powers."""

    def power(low: str, high: str, k: int) -> Fraction:
        a, b = rational(low), rational(high)
        return (b ** (k + 1) - a ** (k + 1)) / ((k + 1) * (b - a))

    true = sum(c * power(*BOX[0][1:], i) * power(*BOX[1][1:], j) for c, i, j in terms)
    monkeypatch.setattr(mean, "MOST_PARTS", 0)
    assert asked(f"({formula}) - ({true}) + 1/10**9", BOX).verdict is Verdict.VERIFIED
    assert asked(f"({formula}) - ({true}) - 1/10**9", BOX).verdict is Verdict.REFUTED


def test_a_box_is_cut_where_it_is_longest_of_the_whole() -> None:
    def box(*sides: tuple[Fraction | int, Fraction | int]) -> mean.Part:
        return mean.Part(Numeral(1), ("x", "y"), tuple((Fraction(a), Fraction(b)) for a, b in sides), {})

    part, whole, middle = box((0, 2), (100, 101)), box((0, 8), (100, 101)), Fraction(201, 2)
    assert [half.sides for half in part.halves(whole)] == [box((0, 2), (100, middle)).sides, box((0, 2), (middle, 101)).sides]
    assert [half.sides for half in whole.halves(whole)] == [box((0, 4), (100, 101)).sides, box((4, 8), (100, 101)).sides]


@pytest.mark.parametrize(("most", "boxes"), [(0, 1), (101, 52), (102, 52)])
def test_a_mean_of_0_is_open(monkeypatch: pytest.MonkeyPatch, most: int, boxes: int) -> None:
    """Each cut makes two boxes of one, and none is made once there were as many as may be."""
    monkeypatch.setattr(mean, "MOST_PARTS", most)
    found = asked("abs(x - y) - 1/3")
    assert found.verdict is Verdict.OPEN
    assert (found.reason or "").endswith(f" by {boxes} boxes of balls")


@pytest.mark.parametrize(
    ("low", "high", "verdict", "said"),
    [(0, 1, Verdict.OPEN, "from 0 to 1 by 3 "), (-1, 0, Verdict.REFUTED, "at most 0, by 1 "), (0, 0, Verdict.REFUTED, "at most 0, by 1 ")],
)
def test_bounds_that_are_0(low: int, high: int, verdict: Verdict, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mean that may be 0 is not above it, and one that is at most 0 is decided."""
    monkeypatch.setattr(mean, "MOST_PARTS", 4)
    monkeypatch.setattr(mean.Part, "bounds", lambda self: (self, Fraction(low), Fraction(high)))
    found = asked("x")
    assert found.verdict is verdict
    assert said in f"{found.reason} {(found.counterexample or {}).get('mean')}"


def test_a_finding_names_every_real_and_parameter() -> None:
    found = asked("x - y - 2")
    assert found.scope.statement == "the mean of x - y - 2 over all reals x from 0 to 1, y from 0 to 1 is above 0"
    assert (found.counterexample or {}).keys() == {"c", "mean"}


@pytest.mark.parametrize(("formula", "said"), [("z - x", "toy: no name 'z' in z - x"), ("1/x", "no bounds")])
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
