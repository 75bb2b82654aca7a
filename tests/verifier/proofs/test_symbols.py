"""The symbolic reading piece by piece: lower bounds, closed sums, what has no meaning somewhere, what is refused, and the alarm."""

import subprocess
import sys
from collections.abc import Mapping

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from verifier.arithmetic.rationals import Fraction
from verifier.language.exact import truth
from verifier.language.printer import printed
from verifier.language.syntax import parse
from verifier.language.tree import Node
from verifier.proofs.domain import Domain, conjuncts, domain_of
from verifier.proofs.for_all import Disproof, Proof, Undecided, decide_for_all
from verifier.proofs.reader import antidifference
from verifier.proofs.signs import first_terms
from verifier.running.errors import InputError

FROM_1 = {"p": "p >= 1"}


def domain(given_domain: Mapping[str, str]) -> Domain:
    return domain_of(given_domain, [atom for c in given_domain.values() for atom in conjuncts(parse(c))])


@given(st.integers(0, 5), st.sampled_from([Fraction(1), Fraction(2), Fraction(1, 2), Fraction(3), Fraction(4, 3)]), st.integers(0, 9))
def test_antidifferences_sum_up(degree: int, ratio: Fraction, count: int) -> None:
    i = sympy.Symbol("i")
    found = antidifference(degree, sympy.Rational(ratio.numerator, ratio.denominator), i)
    at = [Fraction(int(v.p), int(v.q)) for v in (found.subs(i, 0), found.subs(i, count))]
    assert sum((k**degree * ratio**k for k in range(count)), Fraction(0)) == ratio**count * at[1] - at[0]


@given(st.integers(2, 9), st.integers(0, 12), st.integers(0, 8))
def test_first_terms_are_a_lower_bound(base: int, exponent: int, level: int) -> None:
    assert first_terms(base, sympy.Integer(exponent), level) <= base**exponent


OPEN = [
    ("an irrational value", "exp(p) > p", FROM_1, "exp(1) is not known to be rational"),
    ("a function of one's own", "f(p) > p", FROM_1, "no function 'f' here"),
    ("a square", "(p - q)**2 >= 0", {"p": "p >= 1", "q": "q >= 1"}, "k**2 - 2*k*k1 + k1**2"),
    ("thirds of a power", "2**p % 3 != 0", FROM_1, "floor(2*2**k/3)"),
    ("a power of a variable", "(p + 1)**p >= 2", FROM_1, "P = (k + 2)**(k + 1) - 1 >= 0 may have either sign"),
    ("no point in the domain", "p >= 1", {"p": "p >= 1 and p % 2 == 2"}, "no parameters of the domain were found"),
    ("undefined at a small parameter", "1/(p - 3) < 2", FROM_1, "at p = 3: "),
]


@pytest.mark.parametrize(("formula", "given_domain", "reason"), [row[1:] for row in OPEN], ids=[row[0] for row in OPEN])
def test_what_is_left_open_says_why(formula: str, given_domain: dict[str, str], reason: str) -> None:
    found = decide_for_all([formula], given_domain)
    assert isinstance(found, Undecided), found
    assert reason in found.reason


def test_small_parameters_are_decided_by_exact_values() -> None:
    """n(n + 1)/2 counts down to n = −1, where the sum is empty and n(n + 1) = 0; at n = −2 it is 1."""
    found = decide_for_all(["sum(j for j in (1, n)) == n*(n + 1)/2"], {"n": "n >= -1"})
    assert isinstance(found, Proof)
    assert found.points == ({"n": -1},)
    assert found.border == {"n": -1}
    assert decide_for_all(["sum(j for j in (1, n)) == n*(n + 1)/2"], {"n": "n >= -2"}) == Disproof("n >= -2; n integers", {"n": -2}, 1)


def test_the_smallest_counterexample_comes_first() -> None:
    found = decide_for_all(["p*q != 12"], {"p": "p >= 1", "q": "q >= 1"})
    assert isinstance(found, Disproof)
    assert found.point == {"p": 2, "q": 6}, "q = 12 at p = 1 lies outside the first box"


def test_where() -> None:
    assert isinstance(decide_for_all(["2*p - 3 >= 11"], FROM_1, "ceil((2*p - 3)/2) >= 6"), Proof)
    assert isinstance(decide_for_all(["2*p - 3 >= 12"], FROM_1, "ceil((2*p - 3)/2) >= 6"), Disproof)


def test_a_proof_that_exact_values_contradict_is_a_fault() -> None:
    def lies(condition: Node, point: Mapping[str, int]) -> bool:
        return truth(condition, point) and not (printed(condition) == "p + 1 > p" and point["p"] == 5)

    with pytest.raises(AssertionError, match="proved for all parameters, and false at p = 5"):
        decide_for_all(["p + 1 > p"], FROM_1, check=lies)


REFUSED = [
    ("an unknown name", ["x > 1"], "no name 'x' here; the names are p"),
    ("no formula", ["p >"], "is not a formula such as"),
    ("a number", ["p + 1"], "is not a condition such as"),
    ("a bound name with a meaning", ["all(p > 0 for p in (1, 3))"], "binds p, which has a meaning already"),
]


@pytest.mark.parametrize(("conditions", "message"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_what_is_refused(conditions: list[str], message: str) -> None:
    with pytest.raises(InputError) as error:
        decide_for_all(conditions, FROM_1)
    assert message in str(error.value)


HEAVY = [
    "2**2**2**2**p > p",
    "(p + 1)**4000 > p",
    "((p + 2)**30)**30 > p",
    "2**(2**100*p) > p",
    "2**p**30 > p",
    "sum(j**40 for j in (1, p)) >= p",
    "all(all(all(i + j + k >= 3 for i in (1, 2**p)) for j in (1, 2**p)) for k in (1, 2**p))",
    " and ".join(["(p > 1 or p < 9)"] * 60),
    " or ".join(["p % 7 == 3"] * 60),
]


@pytest.mark.long("((p + 2)**30)**30 > p", "sum(j**40 for j in (1, p", "(p > 1 or p < 9) and (p ", "p % 7 == 3 or p % 7 == 3")
@pytest.mark.parametrize("formula", HEAVY, ids=lambda formula: formula[:24])
def test_heavy_formulas_come_to_an_end(formula: str) -> None:
    assert isinstance(decide_for_all([formula], FROM_1), Proof | Disproof | Undecided)


def test_sympy_is_imported_for_a_decision_only() -> None:
    code = "import sys, verifier.proofs.for_all; assert not any(name.split('.')[0] == 'sympy' for name in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
