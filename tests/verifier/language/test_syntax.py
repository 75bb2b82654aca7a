"""Which texts are formulas, what they leave open, and what is refused when a text is read."""

import warnings

import pytest

from verifier.arithmetic.rationals import Fraction as F
from verifier.arithmetic.rationals import rational
from verifier.language.printer import printed
from verifier.language.syntax import RESERVED, kind, names_in, parse
from verifier.language.tree import Numeral
from verifier.proofs.certificate_check import value_of
from verifier.running.errors import InputError

ACCEPTED = [
    ("a number", "12", "number", ""),
    ("a decimal", "0.45 + .5 - 5.", "number", ""),
    ("a name", "p", "either", "p"),
    ("names and brackets", " ( 2*ceil(m/2) - i - 1 ) ", "number", "i m"),
    ("whole division and remainder", "-x // 2 % n", "number", "n x"),
    ("a chain of comparisons", "1 <= q*2 < p != 3", "condition", "p q"),
    ("an infinite side", "-inf < v or v == +inf", "condition", "v"),
    ("membership", "y[1] not in (0, k) and p in (8,)", "condition", "k p y"),
    ("a choice of numbers", "1 if p > 3 else q", "number", "p q"),
    ("a choice of conditions", "v == 1 if y <= z else nan(v)", "condition", "v y z"),
    ("a choice of names", "x if c else d", "either", "c d x"),
    ("bits", "y[i] + y[2 : e+1]", "number", "e i y"),
    ("a bound name", "sum(2**-j for j in (6, h - 1)) == 9/64", "condition", "h"),
    ("a range as index sets write it", "sum(2**-j for j in [6 : h - 1]) == 9/64", "condition", "h"),
    ("ranges within ranges", "all(any(x[k] == 1 for k in [1: x[j : m]]) for j in [ 1 :m ] if j in (1, 2))", "condition", "m x"),
    ("a bound name within another's range", "all(any(x[k] == j for k in (1, j)) for j in (1, m))", "condition", "m x"),
    ("a bound name that is free in its own range", "sum(j for j in (1, j))", "number", "j"),
    ("a range with conditions", "max(j for j in (1, m) if j % 2 == 0 if y[j] == 1)", "number", "m y"),
    ("a name that is spelled like an exponent width", "2**e - 1", "number", "e"),
    ("the caller's functions", "finite(f(g(x), 3)) and h(x)", "condition", "x"),
    ("a letter of another alphabet", "σ(é)", "either", "é"),
]


@pytest.mark.parametrize(("title", "text", "what", "names"), ACCEPTED, ids=[a[0] for a in ACCEPTED])
def test_accepted(title: str, text: str, what: str, names: str) -> None:
    tree = parse(text)
    assert kind(tree) == what
    assert sorted(names_in(text)) == sorted(names_in(tree)) == names.split()


def test_a_number_that_runs_into_a_word_is_refused_without_a_warning() -> None:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        with pytest.raises(InputError, match="not a formula"):
            parse("p == 8or p == 9")
    assert not seen


@pytest.mark.parametrize("text", ["0.45", "12.0", "0.0625", "1234.5", "0.1"])
def test_decimals_are_exact_and_print_as_decimals(text: str) -> None:
    tree = parse(text)
    assert isinstance(tree, Numeral)
    assert isinstance(tree.value, F)
    assert tree.value == rational(text)
    assert printed(tree) == text


def test_what_the_program_wrote_is_read_with_exact_decimals() -> None:
    """A certificate may be longer than a formula of a file."""
    assert value_of(" + ".join(["0.1"] * 400), {}) == 40
    assert value_of("0.1 + 0.2 - 0.3", {}) == 0
    with pytest.raises(InputError, match="'1e3' is not a decimal"):
        value_of("1e3", {})


def test_the_names_of_the_papers_are_free() -> None:
    assert RESERVED.isdisjoint({"p", "s", "t", "e", "m", "h", "n", "q", "pi", "N", "y", "z", "v"})
