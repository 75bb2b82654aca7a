"""Formulas in balls: what they decide and leave open, enclosures of activations against decimals, derivatives against the paper's own."""

from collections.abc import Callable
from decimal import Decimal, localcontext
from typing import Any

import flint
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from constructions.fixed_point_networks.mathematics.activations import NAMED, unclamped
from tests.verifier.language import meanings
from tests.verifier.language.random_formulas import CONSTANTS, FUNCTIONS, Cases, cases, formulas
from verifier.arithmetic.numbers import INF, NAN
from verifier.arithmetic.rationals import Fraction as F
from verifier.language import balls, exact
from verifier.language.balls import Undecided, enclosure, truth
from verifier.language.operands import exact_value
from verifier.language.syntax import kind, parse
from verifier.running.errors import InputError

NAMES: dict[str, Any] = {"p": F(3), "pi": balls.pi, "v": INF, "w": NAN, "y": exact.Bits(0b101, 3)}


@pytest.mark.parametrize(("formula", "expected"), meanings.FORMULAS["decided_by_balls"])
def test_decided(formula: str, expected: bool) -> None:
    assert truth(formula, {**NAMES, "inf_": INF}, {"double": lambda x: 2 * x}) is expected


@pytest.mark.parametrize(("title", "formula"), meanings.FORMULAS["open_in_balls"])
def test_balls_that_touch_decide_nothing(title: str, formula: str) -> None:
    with pytest.raises(Undecided, match="is not decided at 65536 bits"):
        truth(formula, NAMES)


@pytest.mark.parametrize(("title", "formula", "message"), meanings.FORMULAS["refused_in_balls"])
def test_refused(title: str, formula: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as refusal:
        truth(formula, NAMES)
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize(("text", "expected"), meanings.VALUES)
def test_the_meaning_of_numbers(text: str | int, expected: F) -> None:
    assert truth(f"({text}) == {expected}", meanings.CASE, meanings.FUNCTIONS)


@pytest.mark.parametrize(("text", "expected"), meanings.CONDITIONS)
def test_the_meaning_of_conditions(text: str, expected: bool) -> None:
    assert truth(text, meanings.CASE, meanings.FUNCTIONS) is expected


@pytest.mark.campaign
@settings(max_examples=300)
@given(formulas(), cases())
def test_what_is_rational_agrees_with_the_exact_reading(formula: str, every: Cases) -> None:
    for names in every.each:
        if kind(parse(formula)) == "condition":
            by_definition, found = (value_or_refusal(read, formula, names) for read in (exact.truth, truth))
            assert type(found) is type(by_definition)
            assert found == by_definition or isinstance(found, InputError)
        elif not isinstance(value := value_or_refusal(exact.rational, formula, names), InputError):
            assert truth(f"({formula}) == {value}", names, FUNCTIONS)


def value_or_refusal(read: Callable[..., Any], formula: str, names: dict[str, Any]) -> Any:
    try:
        return read(formula, names, FUNCTIONS)
    except InputError as refusal:
        return refusal


@pytest.mark.campaign
@settings(max_examples=300)
@given(formulas(), cases(), st.sampled_from(["v", "k", "w"]))
def test_a_ball_of_points_encloses_the_value_at_each(formula: str, every: Cases, name: str) -> None:
    """Over an interval around the value of one name, of conditions their decision, of numbers their enclosure."""
    names = every.each[0]
    given = exact_value(names[name])
    if not isinstance(given, F):
        return
    with flint.ctx.workprec(64):
        wide = flint.arb(flint.fmpq(given.numerator, given.denominator)) + flint.arb(0, 2)
    try:
        found = enclosure(formula, {**names, name: wide}, FUNCTIONS_OF_BALLS)
        expected = exact.rational(formula, names, FUNCTIONS)
    except InputError:
        return
    assert not found.is_finite() or holds(found, expected)


def holds(ball: Any, x: F) -> bool:
    """Whether a fraction lies between the ends of a ball of at most 256 bits."""
    with flint.ctx.workprec(1024):  # so that the ends are exact
        ends = [end.man_exp() for end in (ball.lower(), ball.upper())]
    low, high = (F(int(mantissa)) * F(2) ** int(exponent) for mantissa, exponent in ends)
    return low <= x <= high


def of_balls(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of exact values; of a ball it says nothing."""
    return lambda x: flint.arb("nan") if isinstance(x, flint.arb) else function(x)


FUNCTIONS_OF_BALLS = {name: of_balls(function) for name, function in FUNCTIONS.items()}
assert CONSTANTS.keys().isdisjoint(NAMES.keys() - {"p"})

ACTIVATIONS = {
    "relu": "max(0, x)",
    "leaky-relu": "x if x >= 0 else x/100",
    "elu": "x if x >= 0 else exp(x) - 1",
    "gelu": "x*(1 + erf(x/sqrt(2)))/2",
    "silu": "x/(1 + exp(-x))",
    "mish": "x*tanh(log(1 + exp(x)))",
    "softplus": "log(1 + exp(x))",
    "sigmoid": "1/(1 + exp(-x))",
    "hardtanh": "max(0, min(1, x))",
    "identity": "x",
}
TANH = "tanh(x)"
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798")


def erf(x: Decimal) -> Decimal:
    """2/√π · Σ (−1)ⁿ x^(2n+1) / (n!·(2n+1))."""
    power, total, n = x, Decimal(0), 0
    while abs(power) > Decimal(10) ** -95:
        total += power / (2 * n + 1)
        n += 1
        power *= -x * x / n
    return total * 2 / PI.sqrt()


DECIMALS: dict[str, Callable[[Decimal], Decimal]] = {
    "relu": lambda x: max(x, Decimal(0)),
    "elu": lambda x: x if x >= 0 else x.exp() - 1,
    "gelu": lambda x: x / 2 * (1 + erf(x / Decimal(2).sqrt())),
    "silu": lambda x: x / (1 + (-x).exp()),
    "mish": lambda x: x * tanh((1 + x.exp()).ln()),
    "softplus": lambda x: (1 + x.exp()).ln(),
    "sigmoid": lambda x: 1 / (1 + (-x).exp()),
    "tanh": lambda x: tanh(x),
}


def tanh(x: Decimal) -> Decimal:
    return 1 - 2 / ((2 * x).exp() + 1)


POINTS = [F(k, 8) for k in range(-40, 41, 7)] + [F(0), F(1, 3)]


@pytest.mark.parametrize("name", DECIMALS)
def test_enclosures_hold_values_in_a_hundred_digits(name: str) -> None:
    """Decimals carry 100 digits, of which the last few may be wrong; a ball of 192 bits is far wider than that."""
    formula = ACTIVATIONS.get(name, TANH)
    for x in POINTS:
        with localcontext() as context:
            context.prec = 100
            value = F(DECIMALS[name](Decimal(x.numerator) / x.denominator))
        found = enclosure(formula, {"x": x}, bits=192)
        assert found.is_finite()
        assert holds(found, value)
        assert found.rad() < flint.arb(2) ** -150


@pytest.mark.parametrize("name", NAMED)
def test_roundings_are_those_of_the_activations(name: str) -> None:
    """⌈σ⌉ on a grid: the nearest level, ties away from zero."""
    sigma = f"({ACTIVATIONS[name]})"
    level = f"floor(s*{sigma} + 1/2) if {sigma} >= 0 else -floor(1/2 - s*{sigma})"
    for s in (1, 6, 10):
        for k in range(-31, 32):
            assert truth(f"({level}) == {unclamped(NAMED[name], k, s)}", {"x": F(k, s), "s": F(s)})


def test_an_interval_that_a_test_cuts_holds_both_branches() -> None:
    with flint.ctx.workprec(64):
        wide = flint.arb(0, 1)
    found = enclosure("x if x >= 0 else exp(x) - 1", {"x": wide})
    assert found.contains(1)
    assert found.contains(flint.arb(-1).expm1())


def test_a_rounding_of_what_is_no_fraction() -> None:
    assert truth("floor(1000*exp(2) + 1/2) == 7389", {})
