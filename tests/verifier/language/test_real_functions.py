"""Formulas in x as real functions: against flint's own power series, and with what is rational recognised as such."""

from typing import Any

import flint
import pytest

from verifier.arithmetic.enclosure import ball_around
from verifier.arithmetic.rationals import Fraction
from verifier.language.real_functions import RealFunction, derivative, escape, four_digits, open_range
from verifier.running.errors import InputError

ZERO, HALF, ONE, TWO = Fraction(0), Fraction(1, 2), Fraction(1), Fraction(2)
RELU, ELU = RealFunction("max(0, x)"), RealFunction("x if x >= 0 else exp(x) - 1")
MISH, SIGMOID = RealFunction("x * tanh(log(1 + exp(x)))"), RealFunction("1 / (1 + exp(-x))")
SOFTPLUS = RealFunction("log(1 + exp(x))")

WRITTEN = {
    "1 / (1 + exp(-x))": lambda x: 1 / (1 + (-x).exp()),
    "log(1 + exp(x))": lambda x: (1 + x.exp()).log(),
    "x * (1 + erf(x / sqrt(2))) / 2": lambda x: x * (1 + (x / flint.arb(2).sqrt()).erf()) / 2,
    "x * tanh(log(1 + exp(x)))": lambda x: x * (1 - 2 / ((1 + x.exp()) ** 2 + 1)),
    "sqrt(2 + x) * tanh(x)**3": lambda x: (2 + x).sqrt() * (1 - 2 / ((2 * x).exp() + 1)) ** 3,
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("text", WRITTEN)
@pytest.mark.parametrize("order", [0, 1, 2, 3])
def test_derivatives_are_those_of_flints_series(text: str, order: int) -> None:
    with flint.ctx.workprec(128):
        for x in (Fraction(k, 3) for k in range(-5, 6)):
            series: Any = WRITTEN[text](flint.arb_series([ball_around(flint, x), 1], order + 1))
            expected = series[order] * (1, 1, 2, 6)[order]
            low, high = RealFunction(text).at(order, x)
            assert expected.overlaps(ball_around(flint, low).union(ball_around(flint, high)))
            assert high - low < Fraction(1, 2**80)


def test_what_is_rational_is_recognised() -> None:
    assert MISH.at(1, ZERO) == (Fraction(3, 5), Fraction(3, 5))
    assert SIGMOID.at(1, ZERO) == (Fraction(1, 4), Fraction(1, 4))
    assert RealFunction("x * (1 + erf(x / sqrt(2))) / 2").at(1, ZERO) == (HALF, HALF)
    assert RealFunction("x / 3").exact(Fraction(1, 7)) == Fraction(1, 21)
    assert SOFTPLUS.exact(ZERO) is None


@pytest.mark.parametrize("text", ["log(x)", "tanh(log(x))", "x - log(x)", "sqrt(x)", "1 / (x + 1)", "(x + 1)**2 / (x + 1)"])
@pytest.mark.parametrize("order", [0, 1])
def test_where_a_function_has_no_value_it_has_no_derivative(text: str, order: int) -> None:
    function = RealFunction(text)
    assert function.exact(-ONE) is None
    assert not function.over(order, (-ONE, -ONE)).is_finite()
    with pytest.raises(InputError, match="at x = -1"):
        function.at(order, -ONE)


@pytest.mark.parametrize(
    ("formula", "x", "order", "expected"),
    [("x**5", TWO, 3, 240), ("1/x", HALF, 1, -4), ("x*p - 7", ONE, 1, 3), ("p", ONE, 1, 0), ("tanh(x)*exp(-p*x)", ZERO, 2, -6)],
)
def test_derivatives_beside_other_names(formula: str, x: Fraction, order: int, expected: int) -> None:
    assert derivative(formula, "x", {"x": x, "p": Fraction(3)}, order, 64) == expected


@pytest.mark.parametrize("formula", ["1/x", "x/x", "sqrt(x)", "x*log(x)", "x*x + log(x - 1)", "abs(x)", "x if x > 0 else 2*x"])
def test_no_derivative_at_zero(formula: str) -> None:
    assert not derivative(formula, "x", {"x": ZERO}, 1, 64).is_finite()


def test_branches_are_decided_by_the_piece() -> None:
    leaky = RealFunction("x if x >= 0 else x / 100")
    assert leaky.at(1, ZERO, (-ONE, ZERO)) == (Fraction(1, 100), Fraction(1, 100))
    assert leaky.at(1, ZERO, (ZERO, ONE)) == (ONE, ONE)
    assert RealFunction("abs(x - 1)").at(1, ONE, (ZERO, ONE)) == (-ONE, -ONE)
    bounded = RealFunction("min(max(0, x), 6)")
    assert [bounded.at(1, x)[0] for x in (-ONE, TWO, Fraction(7))] == [0, 1, 0]
    assert bounded.over(0, (-ONE, TWO)).contains(2)
    assert not bounded.over(1, (-ONE, TWO)).is_finite()
    for kinked in (leaky, RELU, bounded, RealFunction("abs(x)")):
        with pytest.raises(InputError, match="no derivative at x = 0"):
            kinked.at(1, ZERO)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x + p", "leaves p open"),
        ("floor(x)", "not a part of a function of x with derivatives"),
        ("x ** x", "not a part of a function"),
        ("1 if x * x > 2 else 0", "affine expression"),
        ("max(x * x, 1)", "affine expression"),
    ],
)
def test_other_formulas_are_refused(text: str, expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        RealFunction(text).at(0, ONE)


@pytest.mark.long("low0-high0-x * tanh(log(1 + exp(x)))", "low1-high1-x * tanh(log(1 + exp(x)))", "low2-high2-x * tanh(log(1 + exp(x)))")
@pytest.mark.one_in(2)
@pytest.mark.parametrize("function", [MISH, SIGMOID, SOFTPLUS, ELU], ids=lambda f: f.formula)
@pytest.mark.parametrize(("low", "high"), [(ZERO, Fraction(2, 3)), (Fraction(3, 2), Fraction(5, 2)), (-TWO, -HALF)])
def test_a_narrower_interval_is_refused_at_a_point_that_escapes(function: RealFunction, low: Fraction, high: Fraction) -> None:
    for order in (0, 1):
        true = open_range(function, order, (low, high))
        first, last = true.infimum[0], true.supremum[1]
        hair = (last - first) / 100 or Fraction(1, 100)
        assert escape(function, order, (low, high), (first - hair, last + hair)) is None
        for narrower in ((first + hair, last + hair), (first - hair, last - hair)):
            found = escape(function, order, (low, high), narrower)
            assert found is not None
            least, most = function.at(order, found.x)
            assert most <= narrower[0] or least >= narrower[1]


def test_ranges_over_a_kink() -> None:
    assert str(open_range(ELU, 0, (-ONE, TWO))) == "(-0.6321, 2.0000)"
    assert str(open_range(RELU, 1, (ZERO, TWO))) == "(1.0000, 1.0000)"
    with pytest.raises(ArithmeticError, match="not enclosed"):
        open_range(RELU, 1, (-ONE, TWO))
    with pytest.raises(ArithmeticError, match="no known derivative at x = 0"):
        open_range(RELU, 1, (-ONE, ONE))
    with pytest.raises(ArithmeticError, match="not decided"):
        escape(RELU, 1, (-ONE, ONE), (-ONE, TWO))
    beside = escape(RELU, 1, (-ONE, ONE), (ZERO, TWO))
    assert beside is not None
    assert beside.value == "0"


def test_an_end_that_is_only_approached_is_not_taken() -> None:
    assert escape(SOFTPLUS, 1, (ZERO, ONE), (HALF, ONE)) is None
    assert escape(MISH, 1, (ZERO, ONE), (Fraction(3, 5), TWO)) is None
    found = escape(SIGMOID, 1, (-ONE, ONE), (ZERO, Fraction(1, 4)))
    assert found is not None
    assert (found.x, found.value) == (0, "1/4")
    constant = escape(RELU, 1, (ZERO, ONE), (ONE, TWO))
    assert constant is not None
    assert constant.value == "1"


def test_four_digits_and_too_wide() -> None:
    assert four_digits(Fraction(-1, 3), Fraction(-1, 3)) == "-0.3333"
    with pytest.raises(ArithmeticError, match="too wide"):
        four_digits(ZERO, ONE)


@pytest.mark.parametrize("text", ["log(x)**0", "(1/x)**0", "1 + sqrt(x - 1)**0", "log(x)**0 * x"])
@pytest.mark.parametrize("order", [0, 1, 2])
def test_a_power_of_what_has_no_value_has_none(text: str, order: int) -> None:
    assert not derivative(text, "x", {"x": ZERO}, order, 64).is_finite()
    assert derivative(text, "x", {"x": TWO}, order, 64).is_finite()
