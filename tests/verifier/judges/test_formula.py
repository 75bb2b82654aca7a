"""The judge of formulas: ranges, and many assignments at once against one by one."""

from __future__ import annotations

from itertools import product

import pytest

from verifier.arithmetic.rationals import Fraction
from verifier.formulas.exact import Given
from verifier.formulas.syntax import parse
from verifier.judges import evaluation
from verifier.judges.evaluation import FEW, Reader

READER = Reader({})
SIDE = 16
ASSIGNMENTS: list[dict[str, Given]] = [{"j": Fraction(j), "k": Fraction(k)} for j, k in product(range(SIDE), repeat=2)]


@pytest.mark.parametrize(
    ("conditions", "when"),
    [
        (["j + k >= 0"], None),
        (["j < 9", "j + k < 20"], None),
        (["j + k < 20", "j < 9"], None),
        (["k < 15", "k < 15"], None),
        (["j < 9", "j + k < 20"], "j > 12 and k > 2"),
        (["j != k"], "j == 15"),
        (["1 > 2"], "j > 99"),
    ],
)
def test_many_assignments_at_once_are_judged_and_counted_as_one_by_one(
    monkeypatch: pytest.MonkeyPatch, conditions: list[str], when: str | None
) -> None:
    asked, restriction = [parse(text) for text in conditions], parse(when) if when else None

    def found() -> object:
        kept, wrong = READER.first_wrong(asked, restriction, ASSIGNMENTS, ("j", "k"))
        return kept, wrong and (asked.index(wrong[0]), wrong[1])

    assert len(ASSIGNMENTS) >= FEW
    together = found()
    monkeypatch.setattr(evaluation, "FEW", len(ASSIGNMENTS) + 1)
    assert together == found()


def test_a_range_keeps_to_the_integers_between_its_ends() -> None:
    names = {"p": Fraction(7)}
    assert READER.range("p/2 .. p/2 + 2", names, {}) == range(4, 6)
    assert READER.range("h, 1/2", names, {"h": "p + 1"}) == [8, Fraction(1, 2)]


def test_every_function_of_the_paper_can_be_written_out() -> None:
    names = ["double", "twice"]
    assert list(Reader(dict.fromkeys(names, "fractions:Fraction")).written) == names
