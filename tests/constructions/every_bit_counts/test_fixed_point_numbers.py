"""Definition A.7: its numbers by hand, and judges that see a number or a rounding changed."""

from __future__ import annotations

from typing import Any

import pytest

from constructions.every_bit_counts.judges import formats
from constructions.every_bit_counts.judges.formats import numbers
from tests.constructions.every_bit_counts.changed_table import judged
from verifier.arithmetic.machine import Machine
from verifier.arithmetic.rationals import Fraction
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition, Verdict


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
