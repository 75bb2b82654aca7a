"""Alphabets: closed forms against enumeration, and what a count proves."""

from __future__ import annotations

from itertools import product

import pytest

from lowerbounds.alphabets import Alphabet, exclusion, largest_excluded
from verifier.arithmetic.formats import fixed_grid, floating_point, free_point
from verifier.arithmetic.numbers import INF, NAN, NEG_INF
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import read_semantics
from verifier.running.errors import LimitError

A4, GRID = read_semantics("a4"), read_semantics("point=grid")


def messages(alphabet):
    """Every message, by the definition of the count."""
    values = [value for value in alphabet.form.values() if value >= 0 or not alphabet.nonnegative]
    infinities = [INF] if alphabet.nonnegative else [NEG_INF, INF]
    return values + infinities * alphabet.infinities + [NAN] * alphabet.nan


@pytest.mark.one_in(4)
@pytest.mark.parametrize("bits", range(1, 11))
@pytest.mark.parametrize("make", [free_point, fixed_grid, lambda p: fixed_grid(p, Fraction(1, 3))])
def test_closed_form_is_the_enumeration(bits, make):
    for sides in product((False, True), repeat=3):
        alphabet = Alphabet(make(bits), *sides)
        listed = messages(alphabet)
        assert alphabet.count() == len(set(listed)) == len(listed)


def test_no_bits_carry_nothing():
    assert exclusion(A4, 0, 1).proves
    assert not exclusion(A4, 0, 0).proves
    assert exclusion(A4, 1, 2).messages == 3 * 2, "0 and ±inf, 0 and inf"
    assert [largest_excluded(A4, length) for length in (2, 3)] == [0, 1]


@pytest.mark.parametrize(("bits", "length"), [(4096, 1), (1, 4096)])
def test_messages_are_counted_up_to_the_limit_that_is_named(bits, length):
    assert exclusion(GRID, bits, length).proves is (bits < length)
    with pytest.raises(LimitError, match="up to 4,096 bits"):
        exclusion(GRID, bits + (bits > 1), length + (length > 1))


@pytest.mark.parametrize("underflow", ["nearest", "flush", "subnormals"])
def test_floating_point_alphabets(underflow):
    for t, e in product(range(1, 6), range(1, 5)):
        for sides in product((False, True), repeat=3):
            alphabet = Alphabet(floating_point(t, e, underflow), *sides)
            assert alphabet.count() == len(messages(alphabet))
