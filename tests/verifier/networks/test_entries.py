"""Entries of tables: formulas, or the papers' N, which combines with nothing; and index sets as the papers print them."""

import pytest

from verifier.arithmetic.rationals import Fraction as F
from verifier.networks.entries import Entry, Large, entry
from verifier.networks.indices import index_set

NAMES = {"p": F(8), "q": F(1, 2)}


@pytest.mark.parametrize(
    ("text", "value"), [("N", Large()), (" N ", Large()), ("-N", Large(positive=False)), ("-2**6", F(-64)), (3, F(3)), ("p*q", F(4))]
)
def test_entries(text: str | int, value: Entry) -> None:
    assert entry(text, NAMES) == value


def test_it_is_written_as_it_is_read() -> None:
    assert [str(entry(text, NAMES)) for text in ("N", "-N")] == ["N", "-N"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("{2, 4, ..., 8}", (2, 4, 6, 8)), ("{3, 5, ..., 1}", ()), ("[1 : 3] | {7, 9, ..., 11} | 5", (1, 2, 3, 7, 9, 11, 5)), ("[1 : 0]", ())],
)
def test_index_sets(text: str, wanted: tuple[int, ...]) -> None:
    assert index_set(text, {}) == wanted
