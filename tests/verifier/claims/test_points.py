"""The points of a run: typical ranges keep to the domain, and what is asked for is always answered."""

import pytest

from verifier.claims.model import Claim, Parameter
from verifier.claims.session import points

CLAIM = Claim(
    "toy/lemma-1",
    "s is at most p",
    "Section 1",
    "both",
    (Parameter("p", "a number", "p >= 2", "2..3"), Parameter("s", "another", "s >= 1 and s <= p", "1..3")),
    bounded=False,
)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, [(2, 1), (2, 2), (3, 1), (3, 2), (3, 3)]),
        ({"s": "3"}, [(3, 3)]),
        ({"p": "1..2"}, [(1, 1), (2, 1), (2, 2)]),
        ({"s": "2,4"}, [(2, 2), (2, 4), (3, 2)]),
        ({"p": "2", "s": "2..3"}, [(2, 2), (2, 3)]),
        ({"p": "1", "s": "9"}, [(1, 9)]),
    ],
)
def test_points(given: dict[str, str], expected: list[tuple[int, int]]) -> None:
    assert [(point["p"], point["s"]) for point in points(CLAIM, given)] == expected
