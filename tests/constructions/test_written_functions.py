"""A function of a paper's mathematics that has a formula is that formula, at everything small."""

from collections.abc import Iterable
from itertools import product

import pytest

from constructions.fixed_point_networks.mathematics.activations import Activation
from tests.papers_of_tests import the_paper
from verifier.arithmetic.rationals import Fraction
from verifier.claims.judge_names import imported
from verifier.claims.papers import papers
from verifier.language.definitions import formula_of
from verifier.language.exact import rational, truth
from verifier.running.errors import InputError

WHOLE: dict[str, Iterable[int | Fraction]] = {
    "p": range(1, 4),
    "s": range(1, 8),
    "numerator": range(-60, 61),
    "d": range(1, 4),
    "table": (5, 6),
    "m": range(3, 24),
    "e": range(2, 13),
}
HALVES = [Fraction(k, 12) for k in range(-50, 51)]
MANTISSAS = [Fraction(k, 2) for k in range(8)]
FIELDS = {"n": (1, 2, 4), "S": (0, 1), "E": (-1, 0, 1), "k": MANTISSAS, "T": (0, 1), "F": (0, 1), "l": MANTISSAS}
FORMULAS = [
    ("every-bit-counts", "mlp_looks_for", {}),
    ("every-bit-counts", "bits_of_table_8", {}),
    ("every-bit-counts", "value_weight_of_table_8", {}),
    ("every-bit-counts", "how_many_numbers", {"p": range(1, 11)}),
    ("every-bit-counts", "largest_number", {"p": range(1, 11)}),
    ("every-bit-counts", "smallest_number", {"p": range(1, 11)}),
    ("every-bit-counts", "holds_on_t0", {"p": range(2, 9), "i": range(-3, 45)}),
    ("every-bit-counts", "holds_on_t1", {"p": range(1, 9), "i": range(-3, 45)}),
    ("every-bit-counts", "bit_on_t1", {"p": range(1, 9), "i": range(-3, 45)}),
    ("fixed-point-networks", "nearest", {}),
    ("fixed-point-networks", "number_of_inputs", {"s": (1, 2)}),
    ("fixed-point-networks", "rounded", {"x": HALVES}),
    ("fixed-point-networks", "rounded_relu", {"x": HALVES}),
    ("fixed-point-networks", "rounded_elu", {"x": (0, 1, 2)}),
    ("fixed-point-networks", "rounded_sigmoid", {"x": (0,)}),
    ("fixed-point-networks", "rounded_by", {"x": HALVES, "s": (1, 2, 4), "ties": range(3)}),
    ("fixed-point-networks", "parameters_of_phi", {}),
    ("fixed-point-networks", "parameters_of_g", {}),
    ("fixed-point-networks", "parameters_of_f", {"drop": range(1, 6)}),
    ("fixed-point-networks", "copies_of_g", {"drop": range(1, 6)}),
    ("fixed-point-networks", "most_gaps", {}),
    ("fixed-point-networks", "everything", {"step": range(30)}),
    ("fixed-point-networks", "divisor_of_hardtanh", {"factor": range(1, 9)}),
    ("piecewise-affine", "bits", {"n": (4, 5, 8), "E": range(-3, 4), "k": MANTISSAS}),
    ("piecewise-affine", "number_of", {"n": (1, 3, 4), "P": HALVES}),
    ("piecewise-affine", "product", FIELDS),
    ("piecewise-affine", "quotient", FIELDS),
    ("piecewise-affine", "palog2", FIELDS),
    ("piecewise-affine", "paexp2", {"x": HALVES}),
    ("piecewise-affine", "pasqrt_of", FIELDS),
    ("piecewise-affine", "palog_of_power", {**FIELDS, "c": (0, Fraction(1, 2))}),
]


@pytest.mark.parametrize(("paper", "name", "box"), FORMULAS, ids=[name for _, name, _ in FORMULAS])
def test_the_function_is_its_formula(paper: str, name: str, box: dict[str, Iterable[int | Fraction]]) -> None:
    """Where the function refuses, outside its domain, the formula may have a value."""
    found = the_paper(paper)
    function = imported(f"{found.package}.{found.raw['functions'][name]}")
    written = formula_of(function)
    assert written is not None
    names, formula = written
    agreed = 0
    for given in product(*({**WHOLE, **box}[n] for n in names)):
        values = [Fraction(x) for x in given]
        try:
            value = function(*values)
        except InputError:
            continue
        read = truth if isinstance(value, bool) else rational
        assert read(formula, dict(zip(names, values, strict=True))) == value, values
        agreed += 1
    assert agreed >= 5


def test_every_formula_is_held_against_its_function() -> None:
    """But those of activations, which have no other definition."""
    known = {
        (paper.id, name)
        for paper in papers()
        for name, place in paper.raw.get("functions", {}).items()
        if formula_of(function := imported(f"{paper.package}.{place}")) is not None and not isinstance(function, Activation)
    }
    assert known == {(paper, name) for paper, name, _ in FORMULAS}
