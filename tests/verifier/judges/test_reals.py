"""The reals in judges: numbers compared as symbols; bounds that hold a mean, and where it stays open; the net below combinations.

The cases of combinations are in ``tests/cases/combinations.toml``.
"""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.command_line import CommandLine
from tests.papers_of_tests import empty_shelf
from verifier.arithmetic.rationals import Fraction
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome, Verdict
from verifier.judges import reals
from verifier.judges.fields import Mean
from verifier.language.definitions import inlined_text


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
    assert reals.equal(inlined_text(left, {}), inlined_text(right, {}), {}) is same


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


PAPER = 'id = "mine"\ntitle = "t"\nauthors = "a"\n[[section]]\ntitle = "s"\nstatements = ["lemma-1"]\n'
LEMMA = 'id = "lemma-1"\nplace = "here"\nsays = "u is at least 1"\njudge = "combination"\nfrom = {}\npositive = [["u - 1", "1"]]\n'


def test_what_is_shown_and_false_at_the_point_is_a_fault(verify: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "statements").mkdir()
    (tmp_path / "paper.toml").write_text(PAPER)
    (tmp_path / "statements" / "lemma-1.toml").write_text(LEMMA + 'given = []\nat = { u = "1/3" }\n')
    monkeypatch.setattr(reals, "_same", lambda left, right: True)
    with empty_shelf():
        done = verify(f"--papers {tmp_path} mine/lemma-1")
    assert (done.status, "u - 1 is shown, and false" in done.err) == (70, True), done.err
