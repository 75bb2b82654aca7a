"""The exact reading: what formulas mean, and what has no value, each with its one line."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.verifier.language.meanings import CASE, CONDITIONS, FUNCTIONS, IRRATIONAL, NAMES, NO_VALUE, SPECIAL, VALUES
from verifier.arithmetic.rationals import Fraction as F
from verifier.language.definitions import with_numbers
from verifier.language.exact import Irrational, integer, rational, truth, value
from verifier.language.printer import printed
from verifier.language.syntax import parse
from verifier.running.errors import InputError


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
    with pytest.raises(TypeError, match="not an exact value"):
        value("half(1)", {}, FUNCTIONS)
    with pytest.raises(TypeError, match="not an exact value"):
        value("p", {"p": 0.5})  # type: ignore[dict-item]


def test_only_integers_are_integers() -> None:
    assert integer("2*q", NAMES) == 1
    with pytest.raises(InputError, match=r"'q' is 1/2, an integer was expected"):
        integer("q", NAMES)
    with pytest.raises(InputError, match=r"'v' is inf, a finite number was expected"):
        integer("v", CASE)


@pytest.mark.parametrize(("text", "expected"), CONDITIONS)
def test_conditions(text: str, expected: bool) -> None:
    assert truth(text, CASE, FUNCTIONS) is expected


@pytest.mark.campaign
def test_more_values_than_one_formula_may_ask_for() -> None:
    with pytest.raises(InputError, match="bound names such as j take more than 1,048,576 values"):
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
    before = printed(parse(text))
    assert printed(with_numbers(text, NAMES, ("y", "z"))) == expected
    assert printed(parse(text)) == before, "the tree that all readings share was changed"


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


def test_the_exact_reading_starts_without_arrays_balls_or_symbols() -> None:
    program = "import sys, verifier.language.exact; print(sorted({'numpy', 'flint', 'sympy'} & sys.modules.keys()))"
    assert subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.strip() == "[]"
