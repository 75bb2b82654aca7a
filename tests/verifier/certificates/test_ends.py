"""Numbers of which only ends are known: a result holds that of every number between, and what the ends leave open is refused."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

from verifier.certificates.recheck_numbers import INF, NAN, Between, Numbers, cut, ends, power_of_e
from verifier.certificates.recheck_reading import At, Limits, Open, Unknown
from verifier.certificates.statement import USUAL, arithmetic_record

ONE: dict[str, Callable[[Any, Any], Any]] = {
    "exp": lambda n, x: n.exp(x),
    "root": lambda n, x: n.root(x, False),
    "1/root": lambda n, x: n.root(x, True),
    "clipped": lambda n, x: n.clipped(x, n.one),
    "max(x, 0)": lambda n, x: n.clipped(x, None),
    "stepped": lambda n, x: n.stepped(x),
}
TWO: dict[str, Callable[[Any, Any, Any], Any]] = {
    "add": lambda n, x, y: n.add(x, y),
    "subtract": lambda n, x, y: n.subtract(x, y),
    "multiply": lambda n, x, y: n.multiply(x, y),
    "divide": lambda n, x, y: n.divide(x, y),
    "dot": lambda n, x, y: n.dot([(x, y), (n.one, x)]),
    "total": lambda n, x, y: n.total([x, None, y]),
}
SMALL = Numbers(At(arithmetic_record({"format": "float:3:2", "overflow": "infinity"})), Limits(work=1 << 60))
VALUES = [-INF, *(x for x in range(-SMALL.largest, SMALL.largest + 1) if SMALL.settle(x) == x), INF]


def boxes(rng: Random, count: int) -> list[tuple[Any, list[Any]]]:
    """Numbers, or pairs of ends, and what lies between."""
    found = []
    for _ in range(count):
        i, j = sorted((rng.randrange(len(VALUES)), min(len(VALUES) - 1, rng.randrange(len(VALUES)))))
        j = min(j, i + rng.choice([0, 1, 3, 9]))
        found.append((VALUES[i] if i == j else Between(VALUES[i], VALUES[j]), VALUES[i : j + 1]))
    return found


@pytest.mark.parametrize("name", [*ONE, *TWO])
def test_ends_hold_the_result_of_every_number_between(name: str) -> None:
    known = opened = 0
    for box, inside in boxes(Random(name), 60):
        for other, beside in boxes(Random(f"second {name}"), 12) if name in TWO else [(None, [None])]:
            try:
                found = TWO[name](SMALL, box, other) if name in TWO else ONE[name](SMALL, box)
            except Open:
                opened += 1
                continue
            low, high = ends(found)
            for x, y in product(inside, beside):
                exact = TWO[name](SMALL, x, y) if name in TWO else ONE[name](SMALL, x)
                assert low <= exact <= high, (name, x, y)
            known += type(found) is Between
    assert known > 5


@pytest.mark.parametrize(
    ("name", "x", "y"),
    [
        ("add", (-INF, 0), INF),
        ("add", INF, (-INF, 0)),
        ("subtract", (0, INF), INF),
        ("multiply", (-1, 1), INF),
        ("multiply", (0, 1), -INF),
        ("multiply", -INF, (0, 1)),
        ("multiply", (0, 1), (1, INF)),
        ("divide", 1, (0, 1)),
        ("divide", 1, (-1, 1)),
        ("divide", 1, (-1, 0)),
        ("divide", (1, INF), (1, INF)),
    ],
)
def test_what_may_come_to_no_number_is_open(name: str, x: Any, y: Any) -> None:
    given = [Between(*each) if isinstance(each, tuple) else each for each in (x, y)]
    with pytest.raises(Open):
        TWO[name](SMALL, *given)


def test_an_end_may_be_an_infinity() -> None:
    large = SMALL.largest
    assert ends(SMALL.add(Between(-large, 0), -large)) == (-INF, -large)
    assert ends(SMALL.add(Between(0, large), large)) == (large, INF)


def test_nan_stays_nan_beside_ends() -> None:
    assert SMALL.subtract(1, NAN) == NAN
    assert SMALL.larger(Between(0, 1), NAN) == NAN
    assert SMALL.subtract(Between(0, 1), NAN) == NAN
    assert real().larger(Between(0, 3), Between(1, 2)) == 1
    with pytest.raises(Open):
        SMALL.larger(Between(0, 3), Between(1, 2))


COMPARED = [
    ("<", (0, 1), (2, 3), True),
    ("<", (0, 1), (1, 2), None),
    ("<", (1, 2), (0, 1), False),
    ("<", (1, 2), 0, False),
    ("<", (1, 2), 1, False),
    ("<", (1, 2), 2, None),
    ("<=", (0, 1), (1, 2), True),
    ("<=", (0, 1), (0, 1), None),
    ("<=", (1, 2), 0, False),
    ("<=", (1, 2), 1, None),
    (">", (1, 2), 0, True),
    (">", (1, 2), 1, None),
    (">", (1, 2), 2, False),
    (">=", (1, 2), 1, True),
    (">=", (1, 2), 2, None),
    (">=", (1, 2), 3, False),
    ("==", (1, 2), 3, False),
    ("==", (1, 2), 0, False),
    ("==", (1, 2), 2, None),
    ("==", (1, 2), 1, None),
    ("==", (1, 2), (2, 3), None),
    ("==", (1, 2), "what adds nothing", False),
]


@pytest.mark.parametrize(("named", "x", "y", "holds"), COMPARED)
def test_a_comparison_that_ends_leave_open_is_refused(named: str, x: Any, y: Any, holds: bool | None) -> None:
    one, other = Between(*x), Between(*y) if isinstance(y, tuple) else None if isinstance(y, str) else y
    ask: dict[str, Callable[[], bool]] = {
        "<": lambda: one < other,
        "<=": lambda: one <= other,
        ">": lambda: one > other,
        ">=": lambda: one >= other,
        "==": lambda: one == other,
    }
    if holds is None:
        with pytest.raises(Open):
            ask[named]()
    else:
        assert ask[named]() is holds


def test_a_number_is_itself_and_no_key() -> None:
    x = Between(1, 2)
    assert x == x
    assert ends(3) == (3, 3)
    with pytest.raises(Open):
        hash(x)


def real() -> Any:
    return Numbers(At({**USUAL, "format": "exact", "overflow": ""}), Limits(work=1 << 60))


@pytest.mark.parametrize("x", [Fraction(1, 3), Fraction(-7, 2), Fraction(20), Fraction(1, 1 << 70), Fraction(3, 1 << 601), Fraction(-2999)])
def test_real_powers_and_roots_lie_between_their_ends(x: Fraction) -> None:
    """Both ends are near each other, and roots squared, and powers of halves squared, meet."""
    low, high = ends(real().exp(x))
    assert low < high < low * (1 + Fraction(1, 1 << 240))
    least, most = power_of_e(x, 1500)
    assert low <= least
    assert most <= high
    half_low, half_high = ends(real().exp(x / 2))
    assert half_low**2 <= high
    assert low <= half_high**2
    low, high = ends(real().root(abs(x), False))
    assert low**2 <= abs(x) <= high**2
    assert high - low <= high / (1 << 200)


def test_real_numbers_that_are_known_stay_known() -> None:
    n = real()
    assert (n.exp(Fraction(0)), n.root(Fraction(9, 4), False), n.root(Fraction(0), False)) == (1, Fraction(3, 2), 0)
    assert (n.divide(Fraction(1), Fraction(3)), n.divide(Fraction(1), 0), n.exp(NAN)) == (Fraction(1, 3), NAN, NAN)
    assert ends(n.exp(Fraction(-3001))) == (0, Fraction(1, 1 << 4000))
    assert ends(n.exp(Fraction(-3000)))[0] > 0
    assert ends(n.exp(Fraction(3000)))[0] > 1
    for powers_of_two, x in ((False, Fraction(3001)), (True, Fraction(1))):
        with pytest.raises(Unknown):
            n.exp(x, powers_of_two)
    with pytest.raises(Open, match="may come to no number"):
        n.divide(Between(Fraction(1), Fraction(2)), Fraction(0))
    for inverse, x in ((False, Fraction(-1)), (True, Fraction(1))):
        with pytest.raises(Unknown):
            n.root(x, inverse)
    assert n.multiply(Fraction(1, 3**2000), Fraction(1, 3**2000)) == Fraction(1, 3**4000)
    with pytest.raises(Unknown, match="too large"):
        n.multiply(Fraction(1 << 3000), Fraction(1 << 3000))
    with pytest.raises(Unknown, match="too large"):
        n.multiply(Fraction(1, 3 ** (1 << 19)), Fraction(1, 3 ** (1 << 19)))


@pytest.mark.parametrize("x", [Fraction(1, 3), Fraction(-1, 3), Fraction(1 << 300, 7), Fraction(5), Fraction(-(1 << 400) - 1)])
def test_a_cut_number_lies_on_the_side_that_is_asked(x: Fraction) -> None:
    below, above = cut(x, False), cut(x, True)
    assert below <= x <= above
    assert above - below <= abs(x) / (1 << 254)
    assert (below.numerator // (below.numerator & -below.numerator)).bit_length() <= 258


CUT = [  # a number, and the binary digits that are left of it, from below and from above
    (Fraction((1 << 257) - 1), 257, 257),
    (Fraction((1 << 258) - 1), 257, 1),
    (Fraction(1, 3), 255, 256),
    (Fraction(5, 3), 256, 255),
    (Fraction(4, 5), 254, 256),
]


@pytest.mark.parametrize(("x", "below", "above"), CUT)
def test_a_cut_number_has_256_digits_or_one_more(x: Fraction, below: int, above: int) -> None:
    """Zeros at their end are not counted."""
    tops = [end.numerator for end in (cut(x, False), cut(x, True))]
    assert [(top // (top & -top)).bit_length() for top in tops] == [below, above]
