"""The second reading of the operations, from float bits: against doubling and halving, and what it disagrees with is refuted."""

from __future__ import annotations

import pytest

from constructions.piecewise_affine.mathematics import exact, formulas
from verifier.arithmetic.rationals import Fraction
from verifier.claims.model import DEFAULT_SEMANTICS
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Verdict

CASES = [(Fraction(n), Fraction(E), Fraction(k)) for n in (1, 2, 3, 5, 8) for E in (-3, -1, 0, 2) for k in range(n)]


@pytest.mark.parametrize("machine", [True, False], ids=["float32", "doubling"])
def test_bits_and_numbers_are_what_the_fields_say(machine: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not machine:
        monkeypatch.setattr(formulas, "_of_float32", lambda n: False)
    for n, E, k in CASES:
        assert formulas.bits(n, E, k) == n * E + k
        assert formulas.number_of(n, n * E + k) == Fraction(2) ** int(E) * (1 + k / n)
    assert formulas.number_of(Fraction(4), Fraction(600)) == Fraction(2) ** 150


def verdict(name: str) -> Verdict:
    claim = find_claim(f"piecewise-affine/{name}")
    at = {"n": 2, "w": 1} if {p.name for p in claim.parameters} == {"n", "w"} else {"n": 2}
    return Session().outcome(claim, Edition.STATEMENT, at, DEFAULT_SEMANTICS)[0].verdict


@pytest.mark.parametrize("name", ["equation-5", "equation-7", "equation-8", "equation-12"])
def test_equations_move_with_the_bits(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert verdict(name) is Verdict.VERIFIED
    monkeypatch.setattr(formulas, "ONE", formulas.ONE + formulas.UNIT)
    assert verdict(name) is Verdict.REFUTED


def without_carry(x: Fraction, y: Fraction) -> Fraction:
    a, b = exact.parts(x), exact.parts(y)
    return exact.Parts((a.S + b.S) % 2, a.E + b.E, (a.M + b.M) % 1).value


@pytest.mark.parametrize(
    ("name", "before"), [("equation-5", Verdict.VERIFIED), ("section-2.4:product-is-jointly-affine", Verdict.VERIFIED)]
)
def test_a_product_without_its_carry_is_refuted(name: str, before: Verdict, monkeypatch: pytest.MonkeyPatch) -> None:
    assert verdict(name) is before
    monkeypatch.setattr(exact, "product", without_carry)
    assert verdict(name) is Verdict.REFUTED


def test_the_approximate_derivative_calls_the_product(monkeypatch: pytest.MonkeyPatch) -> None:
    assert verdict("table-1:product-approximate") is Verdict.VERIFIED
    monkeypatch.setattr(exact, "product", lambda x, y: x * y + 1)
    assert verdict("table-1:product-approximate") is Verdict.REFUTED


@pytest.mark.parametrize(("name", "function"), [("equation-9", "exp2"), ("equation-10", "log2")])
def test_powers_and_logarithms_are_held_against_bits(name: str, function: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert verdict(name) is Verdict.VERIFIED
    right = getattr(exact, function)
    monkeypatch.setattr(exact, function, lambda x: right(x) + (x != 0))
    assert verdict(name) is Verdict.REFUTED
