"""The exact reading: what formulas mean, and what has no value, each with its one line."""

import ast
from collections.abc import Callable
from fractions import Fraction as F
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.arithmetic.numbers import INF, NAN, NEG_INF
from verifier.errors import InputError
from verifier.formulas.exact import Bits, Irrational, integer, rational, truth, value, with_numbers
from verifier.formulas.syntax import parse

NAMES = {"p": F(8), "m": F(15), "h": F(8), "i": F(-3), "q": F(1, 2), "e": 4}
CASE: dict[str, Any] = {**NAMES, "y": Bits(0b10110, 5), "v": INF, "u": NEG_INF, "w": NAN, "b": True}
FUNCTIONS: dict[str, Any] = {
    "double": lambda x: 2 * x,
    "length": lambda string: string.length,
    "even": lambda x: x % 2 == 0,
    "half": lambda x: 0.5,
}
VALUES = [
    ("7", F(7)),
    (7, F(7)),
    ("0.45", F(9, 20)),
    ("0.1 + 0.2", F(3, 10)),
    ("-(i - 2)", F(5)),
    ("2*ceil(m/2) - i - 1", F(18)),
    ("2 - 2**(-(h - 2))", F(127, 64)),
    ("1/2**(h - 1)", F(1, 128)),
    ("-2**2", F(-4)),
    ("2**-1**2", F(1, 2)),
    ("2**3**2", F(512)),
    ("(-2)**3", F(-8)),
    ("0**0", F(1)),
    ("1/3 + 1/6", F(1, 2)),
    ("10 - 4 - 3", F(3)),
    ("64/4/4", F(4)),
    ("+p", F(8)),
    ("2**e - 1", F(15)),
    ("7 // 2", F(3)),
    ("-7 // 2", F(-4)),
    ("-7 % 3", F(2)),
    ("7 % -3", F(-2)),
    ("7/2 % 1", F(1, 2)),
    ("ceil(-1/2)", F(0)),
    ("floor(-1/2)", F(-1)),
    ("floor(7)", F(7)),
    ("log2(1/8)", F(-3)),
    ("log2(2**40)", F(40)),
    ("ceil(log2(5))", F(3)),
    ("ceil(log2(4))", F(2)),
    ("floor(log2(5))", F(2)),
    ("floor(log2(1/5))", F(-3)),
    ("ceil(log2(1/5))", F(-2)),
    ("sqrt(9/4)", F(3, 2)),
    ("floor(sqrt(2))", F(1)),
    ("ceil(sqrt(17/4))", F(3)),
    ("ceil(sqrt(0))", F(0)),
    ("exp(0) + log(1) + erf(0) + tanh(0)", F(1)),
    ("max(1, q, -3)", F(1)),
    ("min(p, 3)", F(3)),
    ("abs(i)", F(3)),
    ("gcd(12, 18, 4)", F(2)),
    ("binom(10, 3)", F(120)),
    ("binom(3, 10) + binom(3, -1)", F(0)),
    ("binom(4096, 2)", F(4096 * 4095, 2)),
    ("2**4095 - 2**4095 + 1", F(1)),
    ("1**100000", F(1)),
    ("(-1)**99999", F(-1)),
    (" ( p ) ", F(8)),
    ("1 if p > 3 else 1/0", F(1)),
    ("1/0 if p < 3 else 2", F(2)),
    ("y", F(22)),
    ("y[1]", F(1)),
    ("y[2]", F(0)),
    ("y[2 : 4]", F(3)),
    ("y[1 : 5]", F(22)),
    ("y[3 : 2]", F(0)),
    ("y[6 : 5]", F(0)),
    ("sum(y[j] for j in (1, 5))", F(3)),
    ("sum(2**-j for j in (6, h))", F(7, 256)),
    ("sum(1/0 for j in (2, 1))", F(0)),
    ("sum(1/(j - 3) for j in (1, 5) if j != 3)", F(0)),
    ("sum(sum(j*k for k in (1, j)) for j in (1, 3))", F(25)),
    ("sum(p for p in (1, 3)) + p", F(14)),
    ("min(j*j for j in (-3, 2))", F(0)),
    ("max(j*j for j in (-3, 2) if j % 2 == 0)", F(4)),
    ("double(3) + length(y)", F(11)),
]
SPECIAL = [
    ("v - 1", INF),
    ("-v", NEG_INF),
    ("v + u", NAN),
    ("v*0", NAN),
    ("v/u", NAN),
    ("1/v", F(0)),
    ("-1 // v", F(0)),
    ("v % 2", NAN),
    ("u**3", NEG_INF),
    ("u**2", INF),
    ("w**0", F(1)),
    ("floor(v)", INF),
    ("abs(u)", INF),
    ("min(3, u)", NEG_INF),
    ("max(3, w)", NAN),
    ("sum(v for j in (1, 3))", INF),
]
NO_VALUE = [
    ("an unknown name", "x + 1", "no name 'x' here; the names are p, m, h, i, q, e"),
    ("an unknown name in a part that is not asked", "p if p > 3 else x", "no name 'x' here"),
    ("an unknown function", "cos(4)", "no function 'cos' here; the functions are floor, ceil"),
    ("a function given too much", "double(1, 2)", "double was given 2 arguments"),
    ("a condition", "p > 3", "'p > 3' is a condition, a number was expected"),
    ("a name that is a condition, in arithmetic", "b + 1", "'b' is a condition, a number was expected"),
    ("a division by zero", "1/(p - 8)", r"'1 / \(p - 8\)': 1/0 divides by zero"),
    ("a whole division by zero", "1 // (p - 8)", "1/0 divides by zero"),
    ("a remainder by zero", "w % (p - 8)", "nan/0 divides by zero"),
    ("zero to a negative power", "0**-1", "divides by zero"),
    ("a root written as a power", "4**(1/2)", "an integer exponent was expected"),
    ("an infinite exponent", "2**v", "a finite number was expected, not inf"),
    ("a power of a power", "2**(2**(2**100))", "a power of more than 4096 bits"),
    ("a vanishing power", "2**-(2**100)", "a power of more than 4096 bits"),
    ("the logarithm of zero", "log2(0)", "logarithm of a positive number was expected"),
    ("the rounded logarithm of zero", "ceil(log2(0))", "logarithm of a positive number was expected"),
    ("the rounded logarithm of a negative number", "floor(log2(-4))", "logarithm of a positive number was expected"),
    ("the natural logarithm of zero", "log(0)", "logarithm of a positive number was expected"),
    ("the root of a negative number", "floor(sqrt(-1))", "the root of a number >= 0 was expected"),
    ("a divisor of a fraction", "gcd(1/2, 3)", "an integer was expected, not 1/2"),
    ("half a binomial coefficient", "binom(3, 1/2)", "an integer was expected, not 1/2"),
    ("a binomial coefficient of a negative number", "binom(-1, 2)", "n >= 0 was expected"),
    ("an endless binomial coefficient", "binom(10**9, 5*10**8)", "a binomial coefficient of more than 4096 bits"),
    ("a wide binomial coefficient", "binom(2**4000, 3)", "more than 4096 bits"),
    ("a large product", "*".join(["2**4000"] * 5), "a number of more than 4096 bits"),
    ("a large product by zero", "*".join(["2**4000"] * 5) + "/0", "a number of more than 4096 bits"),
    ("a large sum of fractions", "1/(2**4000 + 1) + 1/(2**4000 + 3)", "a number of more than 4096 bits"),
    ("a sum of large fractions over a range", "sum(1/(2**4000 + j) for j in (1, 2))", "a number of more than 4096 bits"),
    ("bit 0", "y[0]", r"'y\[0\]': bits 0 to 0 were asked for; the string has bits 1 … 5"),
    ("a bit too far", "y[6]", "the string has bits 1 … 5"),
    ("bits too far", "y[2 : 6]", "the string has bits 1 … 5"),
    ("bits from behind", "y[4 : 2]", "bits 4 to 2 were asked for"),
    ("no bits of a place that is none", "y[7 : 6]", "bits 7 to 6 were asked for"),
    ("half a bit", "y[q]", "an integer was expected, not 1/2"),
    ("bits of a number", "p[1]", "bits of a string were asked for, and this is none"),
    ("bits of a bound name", "sum(y[1] for y in (1, 2))", "and this is none"),
    ("half an end of a range", "sum(j for j in (1, q))", "'q': an integer was expected, not 1/2"),
    ("an infinite end of a range", "sum(j for j in (1, v))", "'v': a finite number was expected, not inf"),
    ("the least of nothing", "min(j for j in (2, 1))", "no value at all"),
    ("the greatest of what no value passes", "max(j for j in (1, 4) if j > 4)", "no value at all"),
    ("a term that has no value", "sum(1/(j - 3) for j in (1, 5))", "divides by zero"),
    ("a function that refuses", "double(1/0)", "divides by zero"),
]
IRRATIONAL = ["sqrt(2)", "log2(3)", "log2(q + 1/6) > 1", "exp(1) < 3", "floor(exp(1))", "log(2)", "erf(1)", "tanh(1/3) == 1", "-sqrt(1/2)"]


@pytest.mark.parametrize(("text", "expected"), VALUES)
def test_values(text: str | int, expected: F) -> None:
    assert rational(text, CASE, FUNCTIONS) == expected


@pytest.mark.parametrize(("text", "expected"), SPECIAL)
def test_infinities_and_nan_go_on(text: str, expected: Any) -> None:
    assert value(text, CASE) == expected


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("title", "text", "message"), NO_VALUE, ids=[r[0] for r in NO_VALUE])
def test_no_value(title: str, text: str, message: str) -> None:
    for read in (rational, integer):
        with pytest.raises(InputError, match=message) as refusal:
            read(text, CASE if "x" not in text else NAMES, FUNCTIONS)
        assert str(refusal.value).isprintable()


@pytest.mark.parametrize("text", IRRATIONAL)
def test_values_for_balls(text: str) -> None:
    with pytest.raises(Irrational):
        value(text, NAMES)


def test_a_float_is_no_exact_value() -> None:
    with pytest.raises(TypeError, match="no exact value"):
        value("half(1)", {}, FUNCTIONS)
    with pytest.raises(TypeError, match="no exact value"):
        value("p", {"p": 0.5})  # type: ignore[dict-item]


def test_only_integers_are_integers() -> None:
    assert integer("2*q", NAMES) == 1
    with pytest.raises(InputError, match=r"'q' is 1/2, an integer was expected"):
        integer("q", NAMES)
    with pytest.raises(InputError, match=r"'v' is inf, a finite number was expected"):
        integer("v", CASE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("p >= 8", True),
        ("p > 8", False),
        ("p == 8 and m != 8", True),
        ("p < 8 or m >= 15", True),
        ("not p < 8", True),
        ("1 <= q*2 <= 1", True),
        ("1 < 2 > 5", False),
        ("p == 8 and (m == 1 or h == 8)", True),
        ("p < 3 and 1/0 == 1", False),
        ("p > 3 or 1/0 == 1", True),
        ("p in (1, 8)", True),
        ("p not in (1, 8)", False),
        ("p == 8 if b else 1/0 == 1", True),
        ("b and p > 3", True),
        ("0.1 + 0.2 == 0.3", True),
        ("v == inf and u == -inf and v > 10**9 and u < v", True),
        ("v in (3, inf)", True),
        ("w == w or w < 1 or w >= 1 or w in (w, 1) or w == inf", False),
        ("w != w and w != 1 and w not in (w, inf) and nan(w)", True),
        ("finite(p) and not finite(v) and not finite(w) and not nan(v)", True),
        ("nan(v - v) and v - v != 0", True),
        ("y == 22 and y <= 22 and y[1] + y[3] == 2", True),
        ("all(y[j] <= 1 for j in (1, 5))", True),
        ("any(y[j] > 1 for j in (1, 5))", False),
        ("all(1/0 == 1 for j in (1, 0)) and not any(1/0 == 1 for j in (1, 0))", True),
        ("any(1 % (j - 3) == 0 for j in (1, 5))", True),
        ("not all(1 % (j - 3) > 0 for j in (2, 5))", True),
        ("all(j != 3 for j in (1, 5) if j != 3)", True),
        ("even(p) and not even(m)", True),
    ],
)
def test_conditions(text: str, expected: bool) -> None:
    assert truth(text, CASE, FUNCTIONS) is expected


@pytest.mark.parametrize(
    ("title", "text", "message"),
    [
        ("a number", "p", "'p' is no condition such as"),
        ("a number by its operation", "p + 1", "is no condition such as"),
        ("a number among conditions", "p > 3 and q", "'q' is no condition such as"),
        ("a number for a test", "1 if q else 2", "'q' is no condition such as"),
        ("a number of a function", "double(p)", "is no condition such as"),
        ("an unknown name", "x > 3", "no name 'x' here"),
        ("a part of a chain, though decided before", "2 < 1 < 1/0", "divides by zero"),
        ("a member, though found before", "1 in (1, 1/0)", "divides by zero"),
    ],
)
def test_no_conditions(title: str, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        truth(text, NAMES, FUNCTIONS)


def test_more_values_than_one_formula_may_ask_for() -> None:
    with pytest.raises(InputError, match="more than 1,048,576 values of bound names such as j"):
        truth("all(b for j in (1, 10**12))", {"b": True})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("y[2 : e+1] > 0", "y[2:5] > 0"),
        ("y <= z and y[m-1 : m] != 2**e - 1", "y <= z and y[14:15] != 15"),
        ("y[1] >= -q", "y[1] >= -(1 / 2)"),
        ("sum(y[j]*p for j in (1, e) if j > q) < inf", "sum((y[j] * 8 for j in (1, 4) if j > 1 / 2)) < inf"),
        ("max(p, y[e]) in (p, 1) and p > 3", "max(8, y[4]) in (8, 1) and 8 > 3"),
    ],
)
def test_numbers_put_in(text: str, expected: str) -> None:
    before = ast.unparse(parse(text))
    assert ast.unparse(with_numbers(text, NAMES, ("y", "z"))) == expected
    assert ast.unparse(parse(text)) == before, "the tree that all readings share was changed"


def test_a_name_that_is_neither_open_nor_given() -> None:
    with pytest.raises(InputError, match="no name 'k' here"):
        with_numbers("y[k] > 0", NAMES, ("y",))


small = st.one_of(st.integers(0, 40).map(lambda n: (str(n), F(n))), st.sampled_from([(k, F(x)) for k, x in NAMES.items()]))


def combined(parts: st.SearchStrategy[tuple[str, F]]) -> st.SearchStrategy[tuple[str, F]]:
    def join(left: tuple[str, F], op: str, right: tuple[str, F]) -> tuple[str, F]:
        (a, x), (b, y) = left, right
        if op in "/%" and y == 0:
            op = "-"
        exact = {"+": x + y, "-": x - y, "*": x * y}
        return f"({a} {op} {b})", exact[op] if op in exact else x / y if op == "/" else x - y * (x // y)

    def apply(part: tuple[str, F], name: str) -> tuple[str, F]:
        a, x = part
        found = {"abs": abs(x), "floor": F(x // 1), "ceil": F(-(-x // 1)), "-": -x}[name]
        return f"{name}({a})", found

    return st.one_of(
        st.builds(join, parts, st.sampled_from("+-*/%"), parts), st.builds(apply, parts, st.sampled_from(["abs", "floor", "ceil", "-"]))
    )


@given(st.recursive(small, combined, max_leaves=12))
def test_exact_as_fractions(pair: tuple[str, F]) -> None:
    text, expected = pair
    assert rational(text, NAMES) == expected
    assert truth(f"{text} == {expected.numerator}/{expected.denominator}", NAMES)


def refused(read: Callable[..., object], *given: object) -> str | None:
    """The line that refuses a text, if one does."""
    try:
        read(*given)
    except InputError as refusal:
        return str(refusal)
    return None


@given(st.text(alphabet="pmhiqN0123456789+-*/(). ,<>=:[]{}'\"\\\n\x00abcelotxmind_²²é", max_size=60))
def test_any_text_is_a_value_or_a_refusal(text: str) -> None:
    for read in (rational, integer, truth):
        assert (refusal := refused(read, text, NAMES)) is None or refusal.isprintable()


@given(st.integers(1, 10**40), st.integers(1, 10**40))
def test_rounded_logarithms_and_roots(a: int, b: int) -> None:
    up, down = integer(f"ceil(log2({a}/{b}))", {}), integer(f"floor(log2({a}/{b}))", {})
    assert F(2) ** (up - 1) < F(a, b) <= F(2) ** up
    assert F(2) ** down <= F(a, b) < F(2) ** (down + 1)
    over, under = integer(f"ceil(sqrt({a}/{b}))", {}), integer(f"floor(sqrt({a}/{b}))", {})
    assert (over - 1) ** 2 < F(a, b) <= over**2
    assert under**2 <= F(a, b) < (under + 1) ** 2
