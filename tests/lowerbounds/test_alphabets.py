"""Alphabets: closed forms against enumeration, and what a count proves."""

from __future__ import annotations

from itertools import product

import pytest

from lowerbounds.alphabets import Alphabet, Exclusion, exclusion, largest_excluded
from verifier.arithmetic.formats import fixed_grid, floating_point, free_point
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import read_semantics
from verifier.running.errors import LimitError

A4, GRID = read_semantics("a4"), read_semantics("point=grid")


@pytest.mark.parametrize("bits", range(1, 11))
@pytest.mark.parametrize("make", [free_point, fixed_grid, lambda p: fixed_grid(p, Fraction(1, 3))])
def test_closed_form_is_the_enumeration(bits, make):
    for sides in product((False, True), repeat=3):
        alphabet = Alphabet(make(bits), *sides)
        listed = list(alphabet.messages())
        assert alphabet.count() == alphabet.enumerated() == len(set(listed)) == len(listed)


def test_free_point_values_by_their_definition():
    for bits in range(1, 9):
        values = {s * Fraction(k, 2**f) for k in range(2 ** (bits - 1)) for f in range(bits) for s in (1, -1)}
        assert len(values) == free_point(bits).size
        assert values == set(free_point(bits).values())


def test_a_free_point_number_is_more_than_its_bits():
    exceeds = [Alphabet(free_point(p), infinities=False).exceeds_its_bits(p) for p in range(1, 9)]
    assert exceeds == [False, True, True, True, True, True, True, True]
    for nan in (False, True):  # 2^p − 1 numbers, and with NaN just as many messages as p bits are
        assert not any(Alphabet(fixed_grid(p), infinities=False, nan=nan).exceeds_its_bits(p) for p in range(1, 9))


@pytest.mark.parametrize(("bits", "proves"), [(1, True), (2, True), (3, False), (4, False)])
def test_counting_under_a_free_point_proves_only_few_bits(bits, proves):
    found = exclusion(A4, bits, 2 * bits + 1)
    assert found.proves is proves
    assert found.messages == Alphabet(free_point(bits)).enumerated() * Alphabet(free_point(bits), nonnegative=True).enumerated()


def test_the_infinities_make_the_difference_at_three_bits():
    assert not exclusion(A4, 3, 7).proves
    assert exclusion(read_semantics("overflow=saturate"), 3, 7).proves


def test_a_grid_proves_the_printed_bound():
    assert all(exclusion(GRID, bits, 2 * bits + 1).proves for bits in range(1, 40))
    assert [largest_excluded(GRID, 2 * p - 1) for p in range(2, 12)] == list(range(1, 11))
    assert not exclusion(GRID, 5, 9).proves


def test_no_bits_carry_nothing():
    assert exclusion(A4, 0, 1).proves
    assert not exclusion(A4, 0, 0).proves
    assert exclusion(A4, 1, 2).messages == 3 * 2, "0 and ±inf, 0 and inf"
    assert [largest_excluded(A4, length) for length in (2, 3)] == [0, 1]


def test_a_count_in_words():
    assert str(Exclusion(2, 5, 7, 4)) == "7 · 4 = 28 pairs of 2-bit numbers < 2^5 = 32"
    assert str(Exclusion(2, 5, 8, 4)) == "8 · 4 = 32 pairs of 2-bit numbers ≥ 2^5 = 32"


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
            assert alphabet.count() == alphabet.enumerated()
