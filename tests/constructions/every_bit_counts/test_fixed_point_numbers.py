"""Definition A.7: its numbers by hand, and judges that see a number or a rounding changed."""

from __future__ import annotations

from typing import Any

import pytest

from constructions.every_bit_counts.judges import formats
from constructions.every_bit_counts.judges.formats import numbers
from tests.constructions.every_bit_counts.changed_table import judged
from verifier.arithmetic.formats import free_point
from verifier.arithmetic.machine import Machine
from verifier.arithmetic.rationals import Fraction
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition, Verdict
from verifier.running.errors import LimitError

THREE_BITS = ["-3", "-2", "-3/2", "-1", "-3/4", "-1/2", "-1/4", "0", "1/4", "1/2", "3/4", "1", "3/2", "2", "3"]


def test_the_numbers_of_three_bits() -> None:
    assert [str(v) for v in sorted(numbers(3))] == THREE_BITS
    assert [str(v) for v in free_point(3).values()] == THREE_BITS


def test_a_definition_with_a_number_missing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    literal = numbers(4)
    monkeypatch.setattr(formats, "numbers", lambda p: literal - {Fraction(3, 4)})
    found = judged(find_claim("every-bit-counts/definition-a.7"), p=4)
    assert found.verdict is Verdict.REFUTED
    assert found.counterexample == {"definition": "7/8", "closed form": "3/4", "format": "3/4"}
    assert judged(find_claim("every-bit-counts/definition-a.7:value-count"), p=4).verdict is Verdict.REFUTED


def test_a_definition_that_ends_elsewhere_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    literal = numbers(4)
    monkeypatch.setattr(formats, "numbers", lambda p: literal - {Fraction(-7)})
    assert judged(find_claim("every-bit-counts/definition-a.7:range"), p=4).verdict is Verdict.REFUTED


def test_a_definition_with_fewer_numbers_fits_p_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    claim = find_claim("every-bit-counts/section-a.3:p-bits-per-number")
    assert judged(claim, Edition.PRINTED, p=4).verdict is Verdict.REFUTED
    monkeypatch.setattr(formats, "numbers", lambda p: frozenset(map(Fraction, range(16))))
    assert judged(claim, Edition.PRINTED, p=4).verdict is Verdict.VERIFIED


def test_a_rounding_that_loses_order_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    straight = Machine.round

    def crooked(self: Machine, x: Any) -> Any:
        return Fraction(0) if x == Fraction(1, 2) else straight(self, x)

    monkeypatch.setattr(Machine, "round", crooked)
    found = judged(find_claim("every-bit-counts/definition-a.7:monotone-rounding"), p=3)
    assert found.verdict is Verdict.REFUTED
    assert found.counterexample is not None
    assert found.counterexample["y"] == "1/2"


def test_probes_stand_on_both_sides_of_every_value_and_midpoint() -> None:
    form = free_point(3)
    points = formats.probes(form)
    assert points == sorted(points)
    assert {*form.values(), Fraction(5, 8), Fraction(7, 2), form.largest + 2} <= set(points)
    assert all(any(abs(p - v) < Fraction(1, 1000) and p != v for p in points) for v in form.values())


def test_longer_lists_name_their_limit() -> None:
    with pytest.raises(LimitError, match="at most 14 bits"):
        numbers(15)
