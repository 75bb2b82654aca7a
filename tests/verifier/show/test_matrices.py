"""Matrices and vectors among the values of a counterexample."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from verifier.show.notation.matrices import matrices


@pytest.mark.parametrize(
    ("name", "text", "rows"),
    [
        ("x", "((2, 1, -3), (1, 1, -2))", (("2", "1", "-3"), ("1", "1", "-2"))),
        ("g", "1 0; 0 -1", (("1", "0"), ("0", "-1"))),
        ("y", "(1, -1/2, 1)", (("1", "-1/2", "1"),)),
    ],
)
def test_a_matrix_is_found_and_drawn(name: str, text: str, rows: tuple[tuple[str, ...], ...]) -> None:
    (found,) = matrices({"d": "3", name: text})
    assert found.rows == rows
    drawn = ElementTree.fromstring(f"<p>{found.html}</p>")
    assert len(list(drawn.iter("mtr"))) == len(rows)
    assert len(list(drawn.iter("mtd"))) == sum(map(len, rows))


def test_entries_by_their_places_are_one_matrix() -> None:
    (found,) = matrices({"Q(1, 1)": "0", "Q(2, 2)": "5", "rk": "1"})
    assert found.rows == (("0", "·"), ("·", "5"))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("claimed", "(1, 2)"),
        ("true range", "(1, 2)"),
        ("y", "0101"),
        ("x", "(1, 0, ...)"),
        ("x", "((1, 2), (3))"),
        ("k", "7/96 to 289/4608"),
    ],
)
def test_what_is_none_is_not_drawn(name: str, text: str) -> None:
    assert matrices({name: text}) == []
