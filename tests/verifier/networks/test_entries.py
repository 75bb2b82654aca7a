"""Entries of tables: formulas, or the papers' N, which combines with nothing."""

import pytest

from verifier.arithmetic.rationals import Fraction as F
from verifier.networks.entries import Entry, Large, entry, integer, rational
from verifier.running.errors import InputError

NAMES = {"p": F(8), "q": F(1, 2)}


@pytest.mark.parametrize(
    ("text", "value"), [("N", Large()), (" N ", Large()), ("-N", Large(positive=False)), ("-2**6", F(-64)), (3, F(3)), ("p*q", F(4))]
)
def test_entries(text: str | int, value: Entry) -> None:
    assert entry(text, NAMES) == value


def test_it_is_written_as_it_is_read() -> None:
    assert [str(entry(text, NAMES)) for text in ("N", "-N")] == ["N", "-N"]


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("a multiple", "2*N"),
        ("a difference", "N - N"),
        ("a positive sign", "+N"),
        ("two negative signs", "-(-N)"),
        ("an argument", "max(N, 1)"),
        ("a branch that is not taken", "1 if p > 3 else N"),
    ],
)
def test_large_numbers_take_no_part_in_arithmetic(title: str, text: str) -> None:
    for read in (entry, rational, integer):
        with pytest.raises(InputError, match="N stands for itself or as -N"):
            read(text, NAMES)


def test_large_numbers_are_no_numbers() -> None:
    for read in (rational, integer):
        with pytest.raises(InputError, match="N stands for itself"):
            read("N", NAMES)
