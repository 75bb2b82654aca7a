"""The expression language: what it computes, exactly, and what it refuses, each with its one line."""

import warnings
from fractions import Fraction as F

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.errors import InputError
from verifier.expressions import Large, condition, entry, integer, rational

NAMES = {"p": F(8), "m": F(15), "h": F(8), "i": F(-3), "q": F(1, 2)}
VALUES = [
    ("7", F(7)),
    (7, F(7)),
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
    ("max(1, q, -3)", F(1)),
    ("min(p, 3)", F(3)),
    ("abs(i)", F(3)),
    ("2**4095 - 2**4095 + 1", F(1)),
    ("1**100000", F(1)),
    ("(-1)**99999", F(-1)),
    (" ( p ) ", F(8)),
]
REFUSED = [
    ("an unknown name", "x + 1", "no name 'x' here; the names are p, m, h, i, q"),
    ("nothing", "", "is no expression such as"),
    ("blanks", "   ", "is no expression such as"),
    ("an unclosed bracket", "(p + 1", "is no expression such as"),
    ("two expressions", "p; m", "is no expression such as"),
    ("an assignment", "p = 3", "is no expression such as"),
    ("a statement", "import os", "is no expression such as"),
    ("a null character", "p\0", "is no expression such as"),
    ("a float", "0.5", "'0.5' is outside the expression language"),
    ("a float without a fraction", "1e3", "outside the expression language"),
    ("an imaginary number", "2j", "outside the expression language"),
    ("a truth value", "True", "outside the expression language"),
    ("a string", "'p'", "outside the expression language"),
    ("integer division", "p // 2", "outside the expression language"),
    ("a remainder", "p % 2", "outside the expression language"),
    ("a bitwise operation", "p | 2", "outside the expression language"),
    ("a shift", "1 << p", "outside the expression language"),
    ("a negation of bits", "~p", "outside the expression language"),
    ("a condition where a number is due", "p > 3", "outside the expression language"),
    ("a choice", "1 if p else 2", "outside the expression language"),
    ("an assignment inside", "(x := 3)", "outside the expression language"),
    ("a function without name", "(lambda: 1)()", "the functions are ceil, floor, log2, min, max, abs"),
    ("an attribute", "p.numerator", "outside the expression language"),
    ("a method", "p.limit_denominator(1)", "the functions are ceil"),
    ("a way out of the language", "().__class__.__base__.__subclasses__()", "the functions are ceil"),
    ("the import function", "__import__('os').system('true')", "the functions are ceil"),
    ("a list", "[1, 2]", "outside the expression language"),
    ("an index", "p[0]", "outside the expression language"),
    ("an f-string", "f'{p}'", "outside the expression language"),
    ("an unknown function", "sqrt(4)", "the functions are ceil"),
    ("no argument", "ceil()", "ceil was given 0 arguments"),
    ("too many arguments", "floor(1, 2)", "floor was given 2 arguments"),
    ("one argument for a maximum", "max(3)", "max was given 1 arguments"),
    ("a keyword", "max(1, 2, key=3)", "the functions are ceil"),
    ("a starred argument", "max(*p, 1)", "outside the expression language"),
    ("a division by zero", "1/(p - 8)", "1/0 divides by zero"),
    ("zero to a negative power", "0**-1", "divides by zero"),
    ("a root", "4**(1/2)", "an integer exponent was expected"),
    ("a power of a power", "2**(2**(2**100))", "a power of more than 4096 bits"),
    ("a vanishing power", "2**-(2**100)", "a power of more than 4096 bits"),
    ("a logarithm that is no integer", "log2(3)", "is not an integer; write ceil"),
    ("the logarithm of zero", "log2(0)", "is not an integer"),
    ("the rounded logarithm of zero", "ceil(log2(0))", "logarithm of a positive number was expected"),
    ("the rounded logarithm of a negative number", "floor(log2(-4))", "logarithm of a positive number was expected"),
    ("N in arithmetic", "2*N", "N stands for itself or as -N"),
    ("N in a function", "max(N, 1)", "N stands for itself or as -N"),
    ("deep brackets", "(" * 150 + "1" + ")" * 150 + "+" + "(" * 250 + "1" + ")" * 250, "is no expression"),
    ("deep signs", "-" * 1500 + "1", "deeper than 60|is no expression"),
    ("a long sum", "+".join(["1"] * 500), "nested deeper than 60"),
    ("a long text", "1" * 2001, "an expression of 2001 characters; at most 2000 were expected"),
    ("a number of too many digits", "9" * 1990 + "*9", "more than 4096 bits"),
    ("a large product by zero", "*".join(["2**4000"] * 5) + "/0", "a number of more than 4096 bits"),
    ("a large sum of fractions", "1/(2**4000 + 1) + 1/(2**4000 + 3)", "a number of more than 4096 bits"),
]


@pytest.mark.parametrize(("text", "value"), VALUES)
def test_values(text: str | int, value: F) -> None:
    assert rational(text, NAMES) == value


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("title", "text", "message"), REFUSED, ids=[r[0] for r in REFUSED])
def test_refused(title: str, text: str, message: str) -> None:
    for read in (rational, integer, entry):
        with pytest.raises(InputError, match=message) as refusal:
            read(text, NAMES)
        assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(("text", "value"), [("N", Large()), ("-N", Large(positive=False)), ("-2**6", F(-64)), (3, F(3))])
def test_entries(text: str | int, value: F | Large) -> None:
    assert entry(text, NAMES) == value
    assert str(Large(positive=False)) == "-N"


def test_only_integers_are_integers() -> None:
    assert integer("2*q", NAMES) == 1
    with pytest.raises(InputError, match=r"'q' is 1/2, an integer was expected"):
        integer("q", NAMES)


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("p >= 8", True),
        ("p > 8", False),
        ("p == 8 and m != 8", True),
        ("p < 8 or m >= 15", True),
        ("1 <= q*2 <= 1", True),
        ("1 < 2 > 5", False),
        ("p == 8 and (m == 1 or h == 8)", True),
        ("p < 3 and 1/0 == 1", False),
    ],
)
def test_conditions(text: str, truth: bool) -> None:
    assert condition(text, NAMES) is truth


@pytest.mark.parametrize(
    ("title", "text", "message"),
    [
        ("a number", "p", "is no condition such as"),
        ("a truth value", "True", "is no condition such as"),
        ("a negation", "not p > 3", "is no condition such as"),
        ("identity", "p is 8", "is no condition such as"),
        ("membership", "p in m", "is no condition such as"),
        ("an unknown name", "x > 3", "no name 'x' here"),
        ("a number within a conjunction", "p > 3 and m", "is no condition such as"),
        ("a condition within a number", "(p > 3) + 1 > 0", "outside the expression language"),
    ],
)
def test_refused_conditions(title: str, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        condition(text, NAMES)


small = st.one_of(st.integers(0, 40).map(lambda n: (str(n), F(n))), st.sampled_from(list(NAMES.items())))


def combined(parts: st.SearchStrategy[tuple[str, F]]) -> st.SearchStrategy[tuple[str, F]]:
    def join(left: tuple[str, F], op: str, right: tuple[str, F]) -> tuple[str, F]:
        (a, x), (b, y) = left, right
        if op == "/" and y == 0:
            op = "-"
        return f"({a} {op} {b})", {"+": x + y, "-": x - y, "*": x * y}[op] if op != "/" else x / y

    def apply(part: tuple[str, F], name: str) -> tuple[str, F]:
        a, x = part
        value = {"abs": abs(x), "floor": F(x // 1), "ceil": F(-(-x // 1)), "-": -x}[name]
        return f"{name}({a})", value

    return st.one_of(
        st.builds(join, parts, st.sampled_from("+-*/"), parts), st.builds(apply, parts, st.sampled_from(["abs", "floor", "ceil", "-"]))
    )


@given(st.recursive(small, combined, max_leaves=12))
def test_exact_as_fractions(pair: tuple[str, F]) -> None:
    text, value = pair
    assert rational(text, NAMES) == value
    assert condition(f"{text} == {value.numerator}/{value.denominator}", NAMES)


@given(st.text(alphabet="pmhiqN0123456789+-*/(). ,<>=:[]{}'\"\\\n\x00abcelotxmind_²²é", max_size=60))
def test_any_text_is_a_value_or_a_refusal(text: str) -> None:
    for read in (rational, entry, condition):
        try:
            read(text, NAMES)
        except InputError as error:
            line = str(error)
        else:
            continue
        assert line.isprintable()


def test_a_number_that_runs_into_a_word_is_refused_in_one_line() -> None:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        with pytest.raises(InputError, match="no expression"):
            condition("p == 8or p == 9", NAMES)
    assert not seen


@given(st.integers(1, 10**40), st.integers(1, 10**40))
def test_rounded_logarithms(a: int, b: int) -> None:
    up, down = integer(f"ceil(log2({a}/{b}))", {}), integer(f"floor(log2({a}/{b}))", {})
    assert F(2) ** (up - 1) < F(a, b) <= F(2) ** up
    assert F(2) ** down <= F(a, b) < F(2) ** (down + 1)
