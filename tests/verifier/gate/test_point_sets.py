"""Sets of parameter points as text: what is written, what is refused, and that nothing is lost."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.gate.point_sets import MOST_POINTS, Point, as_text, from_text


def points(names: str, *values: tuple[object, ...]) -> list[Point]:
    return [tuple(zip(names.split(), map(str, each), strict=True)) for each in values]


WRITTEN = [
    ("no parameters", points("", ()), "-"),
    ("one point", points("p s", (2, 5)), "p=2 s=5"),
    ("a range", points("p", (2,), (3,), (4,)), "p=2..4"),
    ("a range across zero", points("x", (-1,), (0,), (1,)), "x=-1..1"),
    ("values that do not follow one another", points("p", (1,), (2,), (4,), (8,)), "p=1..2,4,8"),
    ("descending values", points("p", (3,), (2,), (1,)), "p=3,2,1"),
    ("names of values", points("p sigma", (1, "gelu"), (1, "every"), (2, "gelu"), (2, "every")), "p=1..2 sigma=gelu,every"),
    ("rationals", points("d", ("1/40",), ("1/41",)), "d=1/40,1/41"),
    ("a product", points("p s", *product((1, 2), (1, 2, 3))), "p=1..2 s=1..3"),
    ("the product with the other parameter slowest", points("p s", (1, 1), (2, 1), (1, 2), (2, 2)), "p=1..2 s=1; p=1..2 s=2"),
    ("a product with a corner missing", points("p s", (1, 1), (2, 1), (2, 2)), "p=1 s=1; p=2 s=1..2"),
    ("n beside p is not a range of its own", points("p n", (2, 9), (3, 13)), "p=2 n=9; p=3 n=13"),
]


@pytest.mark.parametrize(("listed", "text"), [row[1:] for row in WRITTEN], ids=[row[0] for row in WRITTEN])
def test_written(listed: list[Point], text: str) -> None:
    assert as_text(listed) == text
    assert from_text(text) == tuple(listed)


REFUSED = [
    ("nothing", ""),
    ("a name without values", "p"),
    ("a value without a name", "=3"),
    ("no values", "p="),
    ("a name twice", "p=1 p=2"),
    ("a value twice", "p=1,1"),
    ("a point twice", "p=1..3; p=2 "),
    ("a point twice, in two products", "p=1..3 s=1; p=2 s=1"),
    ("an empty range", "p=3..2"),
    ("a range of one", "p=3..3"),
    ("a range of two, listed", "p=2,3"),
    ("ranges that join", "p=1..2,3..4"),
    ("products that join", "p=1 s=1..2; p=2 s=1..2"),
    ("a range without an end", "p=2.."),
    ("a range of names", "p=a..c"),
    ("a range with a leading zero", "p=01..3"),
    ("digits of another script", "p=١..٣"),
    ("an underscore in a range", "p=1_0..2_0"),
    ("two spaces", "p=1  s=2"),
    ("a space at the end", "p=1 "),
    ("a carriage return", "p=1\r"),
    ("a semicolon without a space", "p=1;p=3"),
    ("other parameters in another product", "p=1; q=1"),
    ("more points than can be listed", f"p=1..{MOST_POINTS + 1}"),
    ("a range as long as memory", "p=1..999999999999999999"),
    ("a product of more points than can be listed", "p=1..101 s=1..100"),
    ("many long ranges", "p=" + ",".join(["1..9999"] * 1000)),
]


@pytest.mark.parametrize("text", [row[1] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        from_text(text)


@pytest.mark.parametrize("listed", [[], points("p", (1,), (1,)), [*points("p", (1,)), *points("q", (1,))], points("p", ("a b",))])
def test_what_the_text_cannot_hold_is_not_written(listed: list[Point]) -> None:
    with pytest.raises(ValueError, match=r"."):
        as_text(listed)


@given(st.integers(0, 3).flatmap(lambda k: st.lists(st.tuples(*[st.integers(-2, 3)] * k), min_size=1, max_size=30, unique=True)))
def test_any_points_come_back_in_their_order(listed: list[tuple[int, ...]]) -> None:
    given_points = points(" ".join("psd"[: len(listed[0])]), *listed)
    assert from_text(as_text(given_points)) == tuple(given_points)
