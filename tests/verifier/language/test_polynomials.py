"""Formulas over polynomials: against the exact reading at numbers; absolute values; and why small sizes are enough."""

from itertools import product

import pytest

from verifier.arithmetic.rationals import Fraction
from verifier.judges.expectation import sufficient
from verifier.language import exact
from verifier.language.polynomials import NoPolynomialError, Ring, Unknown, value
from verifier.language.syntax import parse
from verifier.running.errors import InputError

ENTRIES = [Unknown("Q", (i, j)) for i in (1, 2) for j in (1, 2)]
NUMBERS = {"m": Fraction(2), "i": Fraction(1)}


def ring() -> Ring:
    return Ring([*ENTRIES, Unknown("r")], ["r"])


@pytest.mark.parametrize(
    "text",
    [
        "sum(Q(i, u) for u in (1, m))**2/3 - r",
        "sum(sum(Q(i, u)*Q(u, v) for v in (1, m) if u != v) for u in (1, m))",
        "abs(Q(1, 1)*Q(1, 2)*r)*abs(-2*Q(1, 1))",
        "abs(Q(1, 1) - Q(2, 2))**2 + 0*abs(Q(1, 1) + r)",
        "-m**3*Q(2, 1) if m > 1 else Q(1, 1)/0",
    ],
)
def test_polynomials_have_the_values_of_the_formula(text: str) -> None:
    made = ring()
    polynomial = made.normal(made.polynomial(parse(text), NUMBERS))
    for chosen in product((-1, 0, 2), repeat=4):
        at = {u: Fraction(x) for u, x in zip(ENTRIES, chosen, strict=True)}
        functions = {"Q": lambda i, j, at=at: at[Unknown("Q", (int(i), int(j)))]}
        assert value(made, polynomial, at | {Unknown("r"): Fraction(3)}) == exact.rational(parse(text), {**NUMBERS, "r": 3}, functions)


@pytest.mark.parametrize(
    "text", ["abs(Q(1, 1) + r)", "1/Q(1, 1)", "Q(1, 1)**r", "floor(Q(1, 1))", "Q(3, 1)", "2**Q(1, 1)", "Q(1, 1)/(m - 2)"]
)
def test_what_is_no_polynomial_is_refused(text: str) -> None:
    with pytest.raises(InputError) as caught:
        ring().polynomial(parse(text), NUMBERS)
    assert isinstance(caught.value, NoPolynomialError) == text.startswith("abs")


QUANTIFIED = {"i": "n"}


@pytest.mark.parametrize(
    ("text", "n", "m"),
    [
        ("sum(Q(i, u) for u in (1, m))**2", 1, 3),
        ("sum(sum(Q(j, u) for u in (1, m)) for j in (1, n))/n**2 + m**3", 4, 4),
        ("sum(sum(Q(i, u)*Q(i, v) for v in (1, m) if u != v) for u in (1, m))", 1, 3),
    ],
)
def test_sizes_that_suffice(text: str, n: int, m: int) -> None:
    assert [sufficient([parse(text)], size, ["n", "m"], QUANTIFIED) for size in ("n", "m")] == [n, m]


@pytest.mark.parametrize(
    "text",
    [
        "sum(Q(i, u + 1) for u in (1, m))",
        "sum(Q(i, u) for u in (1, m - 1))",
        "sum(Q(i, u)*Q(u, i) for u in (1, m))",
        "sum(Q(i, u) for u in (1, m) if u != i)",
        "sum(Q(i, u) for u in (1, m) if u > 1)",
        "sum(Q(i, u)*u for u in (1, m))",
        "Q(i, i)/(n + 1)",
        "2**m",
    ],
)
def test_nothing_is_concluded_for_other_sums(text: str) -> None:
    """Each depends on the size in another way: a difference can begin at a size that was not compared."""
    with pytest.raises(InputError):
        sufficient([parse(text)], "m", ["n", "m"], QUANTIFIED)


@pytest.mark.parametrize(
    ("of", "is_"), [("sum(1 for u in (1, m))", "1"), ("m**2", "3*m - 2"), ("m**2 + 11", "6*m + 6/m"), ("r*m**3 + 11*r*m", "6*r*m**2 + 6*r")]
)
def test_one_size_less_would_not_do(of: str, is_: str) -> None:
    """Polynomials in m that agree at every size below the last of those that suffice, and differ there."""
    sides = [parse(of), parse(is_)]
    every = [{"m": Fraction(m), "r": Fraction(2)} for m in range(1, sufficient(sides, "m", ["m"], {}) + 1)]
    differ = [exact.rational(sides[0], names) != exact.rational(sides[1], names) for names in every]
    assert differ == [*[False] * (len(every) - 1), True]


def test_a_vector_over_the_rows_stands_for_the_range_of_a_claim() -> None:
    """For each i in 1 .. m: every monomial has a place, and one size less is enough."""
    sides = [parse("sum(Q(i, u) for u in (1, n))"), parse("m*sum(Q(i, u) for u in (1, n))")]
    assert sufficient(sides, "m", ["n", "m"], {"i": "m"}) == 2
