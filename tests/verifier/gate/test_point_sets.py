"""Sets of parameter points as text."""

from __future__ import annotations

from itertools import product

import pytest

from verifier.claims.model import Claim
from verifier.claims.parameters import Parameter
from verifier.claims.verdicts import Edition, Outcome, Result, Scope, Verdict
from verifier.gate.point_sets import points_texts

WRITTEN = [
    ("no parameters", "", [()], ()),
    ("one point", "p s", [(2, 5)], ("p=2 s=5",)),
    ("a range across zero", "x", [(-1,), (0,), (1,)], ("x=-1..1",)),
    ("values that do not follow one another", "p", [(1,), (2,), (4,), (8,)], ("p=1..2,4,8",)),
    ("descending values", "p", [(3,), (2,), (1,)], ("p=3,2,1",)),
    ("a product", "p s", list(product((1, 2), (1, 2, 3))), ("p=1..2 s=1..3",)),
    ("the product with the other parameter slowest", "p s", [(1, 1), (2, 1), (1, 2), (2, 2)], ("p=1..2 s=1", "p=1..2 s=2")),
    ("a product with a corner missing", "p s", [(1, 1), (2, 1), (2, 2)], ("p=1 s=1", "p=2 s=1..2")),
    ("n beside p is not a range of its own", "p n", [(2, 9), (3, 13)], ("p=2 n=9", "p=3 n=13")),
]


def shown(names: str, points: list[tuple[int, ...]], default: str | None = None) -> tuple[str, ...]:
    claim = Claim("a/b", "", "", "", tuple(Parameter(name, name, "", default=default if name == "n" else None) for name in names.split()))
    outcome = Outcome(Verdict.OPEN, Scope("-"))
    results = [Result("a/b", Edition.STATEMENT, dict(zip(names.split(), values, strict=True)), None, outcome) for values in points]
    return points_texts(claim, results)


@pytest.mark.parametrize(("names", "points", "texts"), [row[1:] for row in WRITTEN], ids=[row[0] for row in WRITTEN])
def test_written(names: str, points: list[tuple[int, ...]], texts: tuple[str, ...]) -> None:
    assert shown(names, points) == texts


def test_a_parameter_is_left_out_only_where_it_has_its_default_at_every_point() -> None:
    assert shown("p n", [(1, 3), (2, 5)], "2*p + 1") == ("p=1..2",)
    assert shown("p n", [(1, 3), (2, 3)], "2*p + 1") == ("p=1..2 n=3",)
