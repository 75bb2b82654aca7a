"""Inequalities for every real: what is shown, what is refused and where, and what stays open."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from verifier.arithmetic.rationals import Fraction
from verifier.errors import InputError
from verifier.judges.fields import Reals
from verifier.judges.reals import judge
from verifier.statements.model import Question
from verifier.verdicts import Finding, Verdict


def asked(formula: str, zeros: str = "", low: str = "0", high: str = "1", pieces: Any = (), **lets: str) -> Finding:
    claim = SimpleNamespace(lets=lets, name="toy")
    question = SimpleNamespace(claim=claim, names={"c": Fraction(2)}, parameters={"c": 2}, at="")
    return judge(cast(Question, question), Reals(("x", low, high), [(formula, zeros)], list(pieces)))


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
]
OPEN = [("(x - 1/3)**2", ""), ("(x - 1/3)**6", "1/3"), ("exp(floor(x))", ""), ("(x - 1/3)**2 + 1/10**40", "1/3")]


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


@pytest.mark.parametrize(("formula", "zeros"), OPEN[:3], ids=str)
def test_open(formula: str, zeros: str) -> None:
    assert asked(formula, zeros).verdict is Verdict.OPEN


def test_a_value_near_0_is_not_0() -> None:
    assert asked(*OPEN[3]).verdict is Verdict.OPEN


def test_pieces_cover_the_interval() -> None:
    parts = [("0", "1/2", {"y": "1 + x"}), ("1/2", "1", {"y": "2*x + half"})]
    assert asked("y", pieces=parts, half="1/2").verdict is Verdict.VERIFIED
    assert asked("y", pieces=parts, half="-1").verdict is Verdict.REFUTED
    with pytest.raises(InputError, match="without a gap"):
        asked("y", pieces=[parts[0], ("3/4", "1", {"y": "x"})])
    with pytest.raises(InputError, match="no name 'z'"):
        asked("z + x")
