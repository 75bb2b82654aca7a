"""Which texts are formulas, what they leave open, and what is refused when a text is read."""

import warnings

import pytest

from tests.verifier.language.meanings import FORMULAS
from verifier.arithmetic.rationals import Fraction as F
from verifier.arithmetic.rationals import rational
from verifier.language.printer import printed
from verifier.language.syntax import RESERVED, kind, names_in, parse
from verifier.language.tree import Numeral
from verifier.proofs.certificate_check import value_of
from verifier.running.errors import InputError


@pytest.mark.parametrize(("title", "text", "what", "names"), FORMULAS["accepted"])
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
