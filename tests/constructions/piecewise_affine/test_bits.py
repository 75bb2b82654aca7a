"""The second reading of the operations, from float bits, against doubling and halving."""

from __future__ import annotations

import pytest

from constructions.piecewise_affine.mathematics import formulas
from verifier.arithmetic.rationals import Fraction

CASES = [(Fraction(n), Fraction(E), Fraction(k)) for n in (1, 2, 3, 5, 8) for E in (-3, -1, 0, 2) for k in range(n)]


@pytest.mark.parametrize("machine", [True, False], ids=["float32", "doubling"])
def test_bits_and_numbers_are_what_the_fields_say(machine: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not machine:
        monkeypatch.setattr(formulas, "_of_float32", lambda n: False)
    for n, E, k in CASES:
        assert formulas.bits(n, E, k) == n * E + k
        assert formulas.number_of(n, n * E + k) == Fraction(2) ** int(E) * (1 + k / n)
    assert formulas.number_of(Fraction(4), Fraction(600)) == Fraction(2) ** 150
