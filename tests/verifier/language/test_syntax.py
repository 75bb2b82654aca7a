"""Which texts are formulas, what they leave open, and what is refused when a text is read."""

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifier.arithmetic.rationals import Fraction as F
from verifier.arithmetic.rationals import rational
from verifier.language.syntax import RESERVED, calls_in, constant, kind, names_in, parse, printed
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
LANGUAGE = "is outside the formula language"
REFUSED = [
    ("nothing", "", "is not a formula such as"),
    ("blanks", "   ", "is not a formula such as"),
    ("an unclosed bracket", "(p + 1", "is not a formula such as"),
    ("two formulas", "p; m", "is not a formula such as"),
    ("two lines", "p\nm", "is not a formula such as"),
    ("an assignment", "p = 3", "; write == for equality"),
    ("a choice as in other languages", "if p > 3 then 1 else q", "; write 1 if p > 3 else q"),
    ("and of other languages", "p > 3 && q", "; write and"),
    ("or of other languages", "p > 3 || q", "; write or"),
    ("not of other languages", "!p", "; write not"),
    ("a power as papers print it", "2^m", r"; write \*\* for a power"),
    ("a product as papers print it", "2m", r"; write \* for a product"),
    ("a product of brackets", "(m + 1)(m - 1)", r"; write \* for a product"),
    ("a comparison as papers print it", "p ≤ 3", "; write <=, >= or !="),
    ("a minus sign as papers print it", "p − 3", r"; write \*, - or /"),
    ("a range with dots", "sum(j for j in 1 : m)", r"; write \[1 : m\] for a range"),
    ("a range with a step", "sum(j for j in [1 : 2 : m])", r"; write \[1 : m\] for a range"),
    ("a statement", "import os", "is not a formula such as"),
    ("a null character", "p\0", "is not a formula such as"),
    ("a prime", "y' > 0", "is not a formula such as"),
    ("a number that runs into a word", "8or p", "is not a formula such as"),
    ("deep brackets", "(" * 150 + "1" + ")" * 150 + "+" + "(" * 250 + "1" + ")" * 250, "is not a formula such as"),
    ("a comment", "p # and q > 3", "holds a comment"),
    ("a number with an exponent", "1e3", "'1e3' is not a decimal such as 0.45"),
    ("an imaginary number", "2j", LANGUAGE),
    ("a truth value", "True", LANGUAGE),
    ("nothing at all, by its name", "None", LANGUAGE),
    ("a string", "'p'", LANGUAGE),
    ("an f-string", "f'{p}'", LANGUAGE),
    ("a bitwise operation", "p | 2", LANGUAGE),
    ("a shift", "1 << p", LANGUAGE),
    ("a negation of bits", "~p", LANGUAGE),
    ("a matrix product", "p @ 2", LANGUAGE),
    ("an assignment inside", "(x := 3)", LANGUAGE),
    ("an attribute", "p.numerator", LANGUAGE),
    ("a list", "[1, 2]", LANGUAGE),
    ("a range as the papers print it", "sum(j for j in (6..h))", "one range was expected"),
    ("a tuple", "(p, m)", LANGUAGE),
    ("a starred argument", "max(*p, 1)", LANGUAGE),
    ("a set of values", "{j for j in (1, 2)}", LANGUAGE),
    ("a function without name", "(lambda: 1)()", "the functions are floor, ceil"),
    ("a method", "p.limit_denominator(1)", "the functions are"),
    ("a way out of the language", "().__class__.__base__.__subclasses__()", "the functions are"),
    ("the import function", "__import__('os').system('true')", "the functions are"),
    ("a keyword", "max(1, 2, key=3)", "the functions are"),
    ("no argument", "ceil()", "ceil was given 0 arguments"),
    ("too many arguments", "floor(1, 2)", "floor was given 2 arguments"),
    ("one argument for a maximum", "max(3)", "max was given 1 arguments"),
    ("one argument for a binomial coefficient", "binom(3)", "binom was given 1 arguments"),
    ("a condition where a number is due", "(p > 3) + 1", "'p > 3': a number was expected, not a condition"),
    ("a condition compared", "(p > 3) == (m > 3)", "'p > 3': a number was expected"),
    ("a condition as an argument", "f(p > 3)", "'p > 3': a number was expected"),
    ("a condition as an end of a range", "sum(j for j in (1, p > 3))", "'p > 3': a number was expected"),
    ("a number where a condition is due", "not p + 1", r"'p \+ 1' is not a condition such as p >= 8"),
    ("a number within a conjunction", "p > 3 and 1", "'1' is not a condition such as"),
    ("a number as a test", "1 if p + 1 else 2", r"'p \+ 1' is not a condition such as"),
    ("a number or a condition", "v == 1 if y <= z else 2", "two numbers or two conditions were expected"),
    ("a number for every value", "all(j for j in (1, 2)) and any(j + 1 for j in (1, 2))", r"'j \+ 1' is not a condition"),
    ("identity", "p is 8", "is not a condition such as"),
    ("membership in a number", "p in m", r"values in brackets were expected, as in x in \(1, 2\)"),
    ("membership in brackets without a comma", "p in (8)", "values in brackets were expected"),
    ("membership in nothing", "p in ()", "values in brackets were expected"),
    ("membership in a chain", "1 < p in (8, 9)", "is not a condition such as"),
    ("infinity in arithmetic", "v == inf + 1", "inf stands in comparisons only"),
    ("infinity as an argument", "max(v, inf)", "inf stands in comparisons only"),
    ("a function as a name", "floor + 1", "floor is a function"),
    ("a sum of arguments", "sum(1, 2)", r"sum\(… for j in \[a : b\]\) was expected"),
    ("a quantifier over arguments", "all(p > 3, m > 3)", r"all\(… for j in \[a : b\]\) was expected"),
    ("a range of three values", "sum(j for j in (1, 2, 3))", "one range was expected"),
    ("a range that is a name", "sum(j for j in y)", "one range was expected"),
    ("a range that is a call", "sum(j for j in range(3))", "one range was expected"),
    ("two ranges", "sum(j*k for j in (1, 2) for k in (1, 2))", "one range was expected"),
    ("two bound names", "sum(j for j, k in (1, 2))", "one range was expected"),
    ("a range for another function", "floor(j for j in (1, 2))", "one range was expected"),
    ("a bound name that is a function", "sum(max for max in (1, 2))", "one range was expected"),
    ("bits without a first", "y[: 3]", r"both ends were expected, as in y\[1 : 3\]"),
    ("bits without a last", "y[2 :]", "both ends were expected"),
    ("bits in steps", "y[1 : 5 : 2]", LANGUAGE),
    ("bits of a number", "12[1]", LANGUAGE),
    ("bits of a sum", "(y + z)[1]", LANGUAGE),
    ("bits of a function", "max[1]", LANGUAGE),
    ("two indices", "y[1, 2]", LANGUAGE),
    ("deep signs", "-" * 1500 + "1", "deeper than 60|is not a formula"),
    ("a long sum", "+".join(["1"] * 500), "nested deeper than 60"),
    ("a long text", "1" * 2001, "a formula of 2001 characters; at most 2000 were expected"),
    ("a number of too many digits", "9" * 1990, "a number of more than 4096 bits"),
    ("a decimal of too many digits", "0." + "3" * 1900, "a number of more than 4096 bits"),
]


@pytest.mark.parametrize(("title", "text", "what", "names"), ACCEPTED, ids=[a[0] for a in ACCEPTED])
def test_accepted(title: str, text: str, what: str, names: str) -> None:
    tree = parse(text)
    assert kind(tree) == what
    assert sorted(names_in(text)) == sorted(names_in(tree)) == names.split()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("title", "text", "message"), REFUSED, ids=[r[0] for r in REFUSED])
def test_refused(title: str, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as refusal:
        parse(text)
    assert str(refusal.value).isprintable()


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


@given(st.fractions())
def test_a_number_as_a_tree_prints_as_a_formula_of_the_same_value(x: F) -> None:
    assert float(eval(printed(constant(x)), {})) == float(x)  # Python's own reading of the printed text


def test_nesting_that_doubles_the_work_would_not_end() -> None:
    choice = "1"
    for _ in range(50):
        choice = f"1 if p > 3 else {choice}"
    assert kind(parse(choice)) == "number"


def test_the_functions_that_a_caller_has_to_supply() -> None:
    assert calls_in("f(x, 2) + max(f(1), g(3)) - sum(h(j) for j in (1, 2))") == {("f", 2), ("f", 1), ("g", 1), ("h", 1)}


def test_the_names_of_the_papers_are_free() -> None:
    assert RESERVED.isdisjoint({"p", "s", "t", "e", "m", "h", "n", "q", "pi", "N", "y", "z", "v"})


@given(st.text(alphabet="pmhiqyz0123456789+-*/%(). ,<>=:[]{}'\"\\\n\x00abcelotxmindfr_²²é#", max_size=60))
def test_any_text_is_a_formula_or_a_refusal(text: str) -> None:
    refusal = None
    try:
        names_in(text)
    except InputError as found:
        refusal = str(found)
    assert parse(text) is parse(text) if refusal is None else refusal.isprintable()
