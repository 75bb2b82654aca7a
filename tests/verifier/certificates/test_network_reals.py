"""Certificates of exact networks with e^x, roots and cosines: ends that hold the numbers, and comparisons that they leave open."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import flint
import pytest

from tests.verifier.certificates.mutations import at
from tests.verifier.certificates.samples import titled
from tests.verifier.certificates.test_network_certificates import Certificate, good, sealed
from verifier.arithmetic.enclosure import ball_around
from verifier.certificates import recheck_network
from verifier.certificates.recheck_between import Between, clipped, power, square_root
from verifier.certificates.recheck_exact import EXACT, floats_of
from verifier.certificates.recheck_floats import KNOBS
from verifier.certificates.recheck_reading import At, Limits, Rejected, Unknown

F = Fraction
PROVED = [
    ("parity", 3, 5, "inputs", "right on all 56 inputs with n = 3 .. 5; in exact arithmetic, "),
    ("parity-layer-norm", 2, 2, "inputs", "right on all 4 inputs with n = 2, inverse = 0; in exact arithmetic, "),
    ("tracr-frac-prevs", 2, 3, "inputs", "right on all 12 inputs with n = 2 .. 3; in exact arithmetic, "),
    ("lookup-hadamard", 3, 3, "inputs", "right on all 8 inputs with n = 3, k = 3; in exact arithmetic, "),
]


@pytest.mark.parametrize(("name", "first", "last", "kind", "fact"), PROVED, ids=titled)
def test_what_ends_prove(name: str, first: int, last: int, kind: str, fact: str) -> None:
    certificate = good(name, first, last, EXACT)
    assert certificate["cases"][-1]["evidence"]["kind"] == kind
    assert recheck_network.recheck(certificate, Limits()).startswith(fact)


SCALE, COMBINE = ("layers", 1, "heads", 0, "scale"), ("layers", 1, "combine", 0, 1)
BELOW, ABOVE = ["-7/12", "-1/2"], ["1/2", "7/12"]
SAME, TURNED = [["0", "0", BELOW], ["1", "0", ABOVE]], [["0", "0", ABOVE], ["1", "0", BELOW]]
FORGED: list[tuple[str, tuple[Any, ...], Any, str]] = [
    ("an answer of another sign", COMBINE, TURNED, "is answered with yes, no was expected"),
    ("ends with 0 between them", SCALE, ["-1/2", "1/2"], "a comparison of real numbers that their ends, of 256 digits, leave open"),
    ("ends that are equal", SCALE, ["1/2", "1/2"], "two numbers, the first below the second, was expected"),
    ("ends in the wrong order", SCALE, ["1/2", "1/3"], "two numbers, the first below the second, was expected"),
    ("three ends", SCALE, ["1/4", "1/3", "1/2"], "3 entries where 2 were expected"),
    ("an infinite end", SCALE, ["1/4", "inf"], "where an exact number was expected"),
    ("another right answer", ("output", "function"), "popcount(w) % 2 == 0", "is answered with no, yes was expected"),
    ("an answer that is 0", ("output", "yes"), "answer*0 > 0", "is answered with neither, yes was expected"),
    ("a remainder of the answer", ("output", "yes"), "answer % 1 > 0", "a remainder of what is not a fraction"),
]


@pytest.mark.parametrize(("title", "path", "value", "why"), FORGED, ids=titled)
def test_another_network_is_refused(title: str, path: tuple[Any, ...], value: Any, why: str) -> None:
    certificate = good("parity", 2, 2, EXACT)
    at(certificate["cases"][0]["network"], path[:-1])[path[-1]] = value
    with pytest.raises(Rejected, match="digest"):
        recheck_network.recheck(certificate, Limits())
    with pytest.raises((Rejected, Unknown)) as refused:
        recheck_network.recheck(sealed(certificate), Limits())
    assert why in str(refused.value)


def test_a_forged_count_is_refused() -> None:
    certificate = good("parity", 2, 2, EXACT)
    at(certificate, ("cases", 0, "evidence"))["count"] = "5"
    with pytest.raises(Rejected, match="4 inputs were expected"):
        recheck_network.recheck(certificate, Limits())


def test_wide_ends_prove_what_holds_for_every_number_between_them() -> None:
    certificate = good("parity", 2, 2, EXACT)
    at(certificate["cases"][0]["network"], COMBINE[:-1])[COMBINE[-1]] = SAME
    assert recheck_network.recheck(sealed(certificate), Limits()).startswith("right on all 4 inputs with n = 2; in exact arithmetic, ")


def with_answer(certificate: Certificate, yes: str) -> Certificate:
    certificate["cases"][0]["network"]["output"] |= {"yes": yes, "no": ""}
    return sealed(certificate)


@pytest.mark.parametrize("yes", ["2*answer > 0", "answer + answer > 0", "-answer < 0", "1/answer > 0", "answer - 1/10**70 > 0"])
def test_conditions_compute_with_ends(yes: str) -> None:
    assert "right on all 4 inputs" in recheck_network.recheck(with_answer(good("parity", 2, 2, EXACT), yes), Limits())


def arithmetic() -> Any:
    knobs = {knob: settings[0] for knob, settings in KNOBS.items()}
    return floats_of(At({"format": EXACT, "accumulate": "", "overflow": "", "sums": "left-to-right", **knobs}), Limits(work=1 << 40))


def test_operations_hold_the_results() -> None:
    """Of any two numbers between the ends, at the ends above all."""
    random, floats = Random(1), arithmetic()

    def number() -> Fraction:
        return F(random.randint(-20, 20), random.choice([1, 2, 3, 7, 3**80])) * F(2) ** random.choice([-300, -1, 0, 1, 200])

    checked = 0
    for _ in range(400):
        (a, b), (c, d) = sorted([number(), number()]), sorted([number(), number()])
        x, y = Between(a, b), Between(c, d)
        places = [(s, t) for s in (a, (a + b) / 2, b) for t in (c, (2 * c + d) / 3, d)]
        results: list[tuple[Any, Any]] = [(floats.sum(None, x, y), lambda s, t: s + t), (floats.product(None, x, y), lambda s, t: s * t)]
        results += [
            (x * x, lambda s, t: s * s),
            (abs(x), lambda s, t: abs(s)),
            (x - y, lambda s, t: s - t),
            (c - x, lambda s, t, c=c: c - s),
        ]
        results += [(clipped(x, None), lambda s, t: max(s, F(0))), (clipped(x, F(1)), lambda s, t: min(max(s, F(0)), F(1)))]
        if not c <= 0 <= d:
            results.append((floats.divide(x, y), lambda s, t: s / t))
        for found, of in results:
            for s, t in places:
                checked += 1
                assert (found == of(s, t)) if isinstance(found, Fraction) else found.low <= of(s, t) <= found.high
        if b < c:
            assert (x < y, x <= y, x > y, x >= y, x == y) == (True, True, False, False, False)
    assert checked > 10_000


def test_powers_and_roots_hold_those_of_balls() -> None:
    random = Random(2)
    for _ in range(150):
        x = F(random.randint(1, 10**6), random.choice([1, 3, 10**4, 7**60])) % 2900 * random.choice([1, -1])
        with flint.ctx.workprec(9000):
            for found, ball in (
                (power(x, lambda work: None), ball_around(flint, x).exp()),
                (square_root(abs(x)), ball_around(flint, abs(x)).sqrt()),
            ):
                if isinstance(found, Between):
                    assert ball_around(flint, found.low) < ball < ball_around(flint, found.high)
                    assert (found.high - found.low) * 2**200 < found.high
                else:
                    assert found * found == abs(x)
    assert (square_root(F(4, 9)), square_root(F(0))) == (F(2, 3), 0)
    tiny = power(F(-10_000), lambda work: None)
    assert (tiny.low, tiny.high) == (0, F(1, 1 << 4000))


X = Between(F(1), F(2))
OPEN = [
    ("below", lambda: F(3, 2) > X),
    ("not above", lambda: Between(F(2), F(3)) <= X),
    ("equal", lambda: Between(F(1), F(2)) == X),
    ("equal to an end", lambda: X == 2),
    ("the larger of two", lambda: max(X, Between(F(1), F(2)))),
    ("the sign", lambda: Between(F(-1), F(1)) > 0),
    ("a quotient", lambda: 1 / Between(F(-1), F(1))),
    ("a quotient by what may be 0", lambda: X / Between(F(0), F(1))),
    ("a root", lambda: square_root(Between(F(-1), F(1)))),
    ("a negative root", lambda: square_root(F(-1))),
    ("a steep power", lambda: power(F(3001), lambda work: None)),
    ("a case", lambda: {X}),
    ("a number like the word for what is none", lambda: arithmetic().product(None, F(1 << 4000), F(1 << 1001))),
    ("a real number beyond", lambda: arithmetic().product(None, Between(F(1), F(2)) * F(1 << 4000), F(1 << 1001))),
]


@pytest.mark.parametrize(("title", "compute"), OPEN, ids=titled)
def test_what_stays_open_is_refused(title: str, compute: Any) -> None:
    with pytest.raises(Unknown):
        compute()


def test_what_is_seen_to_be_equal() -> None:
    """A number is itself; its difference from itself is 0; 0 times any number is 0."""
    assert (X == X, X - X, X * F(0), 0 * X) == (True, 0, 0, 0)
