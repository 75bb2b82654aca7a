"""The symbolic reading piece by piece: lower bounds, closed sums, what has no meaning somewhere, what is refused, and the alarm."""

import subprocess
import sys
from collections.abc import Mapping

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from verifier.arithmetic.rationals import Fraction
from verifier.language.exact import integer, truth
from verifier.language.printer import printed
from verifier.language.syntax import parse
from verifier.language.tree import Node
from verifier.proofs.cover import FalseAt, Stuck
from verifier.proofs.domain import Domain, conjuncts, domain_of
from verifier.proofs.for_all import Disproof, Proof, Undecided, decide_for_all, proof
from verifier.proofs.signs import first_terms
from verifier.proofs.symbolic_numbers import antidifference
from verifier.running.errors import InputError

FROM_1 = {"p": "p >= 1"}


def domain(given_domain: Mapping[str, str]) -> Domain:
    return domain_of(given_domain, [atom for c in given_domain.values() for atom in conjuncts(parse(c))])


LOWER_BOUNDS = [
    "p >= 3",
    "p > 3",
    "3 < p",
    "-5 <= p",
    "2*p > 7",
    "p*2 >= 7",
    "p/3 >= 5/2",
    "3 - p < 1/2",
    "-p <= 4",
    "4 - 2*p <= -9",
    "p - 1/2 > 6",
    "7 + p >= 0",
    "ceil(p/2) >= 6",
    "ceil(p/2) > 6",
    "floor(p/2) >= 6",
    "floor(p/2) > 11/2",
    "ceil((2*p - 1)/2) >= 6",
    "floor((p + 5)/3) - 1 > 2",
    "p == 7",
    "2*p == 8",
    "p + 1 == 2**3",
    "p in (9, 4, 6)",
    "p in (5,)",
    "p >= 2 and p > 5 and 3*p > 4",
    "2 < p <= 20",
]


@pytest.mark.parametrize("condition", LOWER_BOUNDS)
def test_a_lower_bound_is_the_least_integer(condition: str) -> None:
    (parameter,) = domain({"p": condition}).parameters
    assert integer(parameter.low, {}) == next(p for p in range(-60, 60) if truth(condition, {"p": p}))


UNBOUNDED = [
    ("above only", {"p": "p <= 3"}),
    ("not affine", {"p": "p*p >= 4"}),
    ("twice the name", {"p": "p == 2*floor(p/2) + 1"}),
    ("by a later parameter", {"p": "p >= q", "q": "q >= 1"}),
    ("a floor from above", {"p": "floor(p/2) <= 4"}),
    ("unequal", {"p": "p != 1"}),
]


@pytest.mark.parametrize("given_domain", [d for _, d in UNBOUNDED], ids=[name for name, _ in UNBOUNDED])
def test_without_a_lower_bound_nothing_is_decided(given_domain: dict[str, str]) -> None:
    found = decide_for_all(["p == p"], given_domain)
    assert isinstance(found, Undecided)
    assert "no lower bound such as p >= 1" in found.reason


@given(st.integers(0, 5), st.sampled_from([Fraction(1), Fraction(2), Fraction(1, 2), Fraction(3), Fraction(4, 3)]), st.integers(0, 9))
def test_antidifferences_sum_up(degree: int, ratio: Fraction, count: int) -> None:
    i = sympy.Symbol("i")
    found = antidifference(degree, sympy.Rational(ratio.numerator, ratio.denominator), i)
    at = [Fraction(int(v.p), int(v.q)) for v in (found.subs(i, 0), found.subs(i, count))]
    assert sum((k**degree * ratio**k for k in range(count)), Fraction(0)) == ratio**count * at[1] - at[0]


@given(st.integers(2, 9), st.integers(0, 12), st.integers(0, 8))
def test_first_terms_are_a_lower_bound(base: int, exponent: int, level: int) -> None:
    assert first_terms(base, sympy.Integer(exponent), level) <= base**exponent


WITHOUT_A_MEANING_SOMEWHERE = [
    ("a divisor that is 0 at 100", "1/(p - 100) < 2"),
    ("that cancels", "(p - 100)/(p - 100) == 1"),
    ("in a term that is multiplied by 0", "0*(1/(p - 100)) == 0"),
    ("a remainder by 0 at 100", "p % (p - 100) >= 0 - p"),
    ("a quotient by 0 at 100", "p // (p - 100) <= p"),
    ("a negative power of 0 at 100", "(p - 100)**-2 >= 0"),
    ("a power of 0", "0**(100 - p) == 0"),
    ("half an exponent", "2**(p/2) > 0"),
    ("half an exponent, and its square", "(2**(p/2))**2 == 2**p"),
    ("half an end", "sum(1 for j in (1, p/2)) >= 0"),
    ("half an end of a quantifier", "all(j == j for j in (1, p/2))"),
    ("half an end inside", "p >= 1 and not any(j != j for j in (1/2, p))"),
    ("no term at 1", "max(j for j in (2, p)) == p"),
    ("no term at 100", "max(p + 0*j for j in (101, p)) == p"),
    ("no term from 100 on", "min(j for j in (p, 99)) == p"),
    ("a logarithm of 0 at 100", "floor(log2(abs(p - 100))) >= 0"),
    ("a logarithm that is not an integer", "log2(p) >= 0"),
    ("a binomial coefficient from below 0", "binom(p - 100, 2) >= 0"),
    ("a divisor of half", "gcd(p/2, 2) <= 2"),
    ("a divisor behind an or", "p >= 200 or 1/(p - 100) < 2"),
    ("a divisor in a branch", "(p if p <= 99 else 1/(p - 100)) > 0"),
    ("a divisor in a term", "sum(1/(j - 50) for j in (1, p)) <= p"),
    ("a divisor in a test", "all(j == j for j in (1, p) if 1/(j - 50) <= 1)"),
    ("a divisor in a test, denied", "not any(j != j for j in (1, p) if 1/(j - 50) <= 1)"),
    ("a divisor in a range", "all(1/(j - 50) <= 1 for j in (1, p))"),
]


@pytest.mark.long(
    "a divisor behind an or", "a divisor in a branch", "a divisor in a range", "a divisor in a test", "a logarithm of 0 at 100"
)
@pytest.mark.parametrize("formula", [f for _, f in WITHOUT_A_MEANING_SOMEWHERE], ids=[name for name, _ in WITHOUT_A_MEANING_SOMEWHERE])
def test_what_has_no_meaning_somewhere_is_not_proved(formula: str) -> None:
    with pytest.raises((Stuck, FalseAt)):
        proof(domain(FROM_1), [parse(formula)])


NOT_ASKED = [
    ("behind an or", "p == 3 or 1/(p - 3) <= 1"),
    ("in the other branch", "(0 if p == 3 else 1/(p - 3)) <= 1"),
    ("behind a false and", "not (p != 3 and 1/(p - 3) > 1)"),
    ("in an empty range", "p > 2 or sum(1/(j - 1) for j in (2, p)) <= 1"),
    ("behind a test", "all(1/(j - 1) <= 1 for j in (1, p) if j > 1)"),
]


@pytest.mark.parametrize("formula", [f for _, f in NOT_ASKED], ids=[name for name, _ in NOT_ASKED])
def test_what_is_not_asked_needs_no_meaning(formula: str) -> None:
    assert isinstance(decide_for_all([formula], FROM_1), Proof)


FALSE_SOMEWHERE = [
    ("a closed sum below its first term", "sum(2**-j for j in (6, h - 1)) + 2**-(h - 1) == 2**-5", {"h": "h >= 1"}),
    ("a divisor that is 0 where there are no terms", "sum(1/(p - 3) for j in (1, p - 3)) == 1", {"p": "p >= 3"}),
    ("a range that may be empty", "any(j > p + 5 for j in (1, p)) or p >= 1", {"p": "p >= 0"}),
    ("a bound between integers", "p <= 3", {"p": "p >= 1 and p/2 < 5/2"}),
    ("a logarithm of 1", "2**ceil(log2(p)) <= 2*p - 2", {"p": "p >= 1"}),
    ("far out", "p != 83", {"p": "p >= 1"}),
    ("far out, of two", "p + q != 171", {"p": "p >= 1", "q": "q >= 1"}),
    ("at odd numbers", "floor(p/2) + floor(p/2) == p", {"p": "p >= 2"}),
    ("where 2^p is small", "2**p > 1000*p", {"p": "p >= 10"}),
    ("at the upper end", "s != 2**p - 1", {"p": "p >= 7", "s": "s >= 1 and s <= 2**p - 1"}),
    ("for one of a range", "all(j != 70 for j in (1, p))", {"p": "p >= 1"}),
    ("for none of a range", "any(j == 2*p for j in (1, p))", {"p": "p >= 1"}),
    ("for nothing at all", "any(j == j for j in (1, p - 20))", {"p": "p >= 1"}),
    ("in one branch", "(1 if p < 90 else 0) == 1", {"p": "p >= 1"}),
    ("modulo 3", "p*p % 3 == 1", {"p": "p >= 1"}),
]


@pytest.mark.long("at the upper end", "for one of a range")
@pytest.mark.parametrize(("formula", "given_domain"), [row[1:] for row in FALSE_SOMEWHERE], ids=[row[0] for row in FALSE_SOMEWHERE])
def test_what_is_false_somewhere_is_not_proved(formula: str, given_domain: dict[str, str]) -> None:
    with pytest.raises((Stuck, FalseAt)):
        proof(domain(given_domain), [parse(formula)])


PROVED = [
    ("parity", "floor(p/2) + ceil(p/2) == p", FROM_1),
    ("thirds", "3*(p//3) + p % 3 == p and p % 3 in (0, 1, 2)", FROM_1),
    ("Bernoulli's inequality", "2**p >= 1 + p", {"p": "p >= 0"}),
    ("a square", "2**p >= p**2", {"p": "p >= 4"}),
    ("a product of two powers", "2**(p + q) >= (p + 1)*(q + 1)", {"p": "p >= 0", "q": "q >= 0"}),
    ("a power of a product", "2**(p*q) > p*q", {"p": "p >= 0", "q": "q >= 0"}),
    ("a tower", "2**2**p >= 2**p + 1", {"p": "p >= 0"}),
    ("two bases", "3**p - 2**p >= p", {"p": "p >= 1"}),
    ("signs", "(-1)**p + (-1)**(p + 1) == 0", FROM_1),
    ("powers of powers", "(2**p)**q == 2**(p*q) and 4**p == 2**(2*p)", {"p": "p >= 0", "q": "q >= 0"}),
    ("arithmetic and geometric", "sum(j*2**j for j in (1, n)) == (n - 1)*2**(n + 1) + 2", {"n": "n >= 0"}),
    ("a sum of sums", "sum(sum(i for i in (1, j)) for j in (1, n)) == binom(n + 2, 3)", {"n": "n >= 0"}),
    ("few terms", "sum(j for j in (p, p + 3)) == 4*p + 6", FROM_1),
    ("terms that pass a test", "sum(j for j in (1, 6) if j % 2 == 0) == 12", FROM_1),
    ("an end of a range", "max(2**j - j for j in (1, p)) == 2**p - p and min(5 - j for j in (1, p)) == 5 - p", FROM_1),
    ("for all", "all(j*j <= p*p for j in (-1, p))", FROM_1),
    ("for some", "any(2*j >= p for j in (1, p))", FROM_1),
    ("not for some", "not any(j > p for j in (1, p))", FROM_1),
    ("logarithms", "ceil(log2(2**p + 1)) == p + 1 and floor(log2(3*2**p)) == p + 1 and log2(4**p) == 2*p", FROM_1),
    ("a logarithm of a variable", "h <= 2**ceil(log2(h)) and 2**ceil(log2(h)) < 2*h", {"h": "h >= 1"}),
    ("common divisors", "gcd(2*p + 1, 2) == 1 and gcd(3*p, 6) in (3, 6) and gcd(p, p + 1) == 1", FROM_1),
    ("absolute values", "abs(p - 5) == (5 - p if p < 5 else p - 5)", FROM_1),
    ("extremes", "max(p, 4) + min(p, 4) == p + 4", FROM_1),
    ("unequal by parity", "2*p + 1 != 2*q", {"p": "p >= 0", "q": "q >= 0"}),
    ("a finite domain", "p*p <= 7*p - 10 + 6", {"p": "p >= 1 and p <= 6"}),
    ("listed values", "p % 2 == 0", {"p": "p in (2, 4, 10)"}),
    ("a value by an equation", "t + e == h and t >= 1", {"h": "h >= 5", "e": "e >= 1 and e < h", "t": "t + e == h"}),
    ("both bounds of s", "s*(2**p - 1 - s) <= (2**p - 2)*(2**p - 1)", {"p": "p >= 1", "s": "1 <= s <= 2**p - 1"}),
    ("an alternative in the domain", "r*r >= r", {"r": "r == 0 or r >= 3"}),
]


@pytest.mark.long("a sum of sums")
@pytest.mark.parametrize(("formula", "given_domain"), [row[1:] for row in PROVED], ids=[row[0] for row in PROVED])
def test_what_is_proved(formula: str, given_domain: dict[str, str]) -> None:
    found = decide_for_all([formula], given_domain)
    assert isinstance(found, Proof), found


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
