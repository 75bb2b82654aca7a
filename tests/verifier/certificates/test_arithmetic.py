"""Each operation of the checker against the machine that defines it; infinities, NaN, and N, of which nothing but the sign is known."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as F
from functools import partial
from itertools import product

import flint
import pytest

from tests.verifier.certificates.samples import small, transformer
from verifier.arithmetic.enclosure import ends, round_exp, round_multiple_of_ln2, round_power_of_two
from verifier.arithmetic.machine import Machine
from verifier.arithmetic.numbers import INF, NAN, NEG_INF, Number, Special, show
from verifier.arithmetic.semantics import TURNED, read_semantics
from verifier.certificates import recheck_arithmetic, recheck_rounding
from verifier.certificates.recheck_reading import Unknown, Value
from verifier.networks.instance import Matrix

RULES = list(product(*(TURNED[knob] for knob in ("rounding", "ties", "overflow"))))

POINTS = ("point=free", "scale=1", "scale=2/3")

EXPONENTS = [F(k, 3) for k in range(-30, 31)] + [F(k) for k in (*range(-140, -10), *range(11, 140))] + [F(1, 10**9), F(-1, 10**9), F(10**6)]


def machines(bits: int, point: str, rounding: str, ties: str, overflow: str) -> tuple[recheck_arithmetic.Machine, Machine]:
    """The checker's machine, and the definition's."""
    semantics = read_semantics(f"a4+{point}+rounding={rounding}+ties={ties}+overflow={overflow}")
    return recheck_arithmetic.Machine(bits, {knob: getattr(semantics, knob) for knob in TURNED}, semantics.scale), semantics.machine(bits)


def plain(x: Number) -> Value:
    return show(x) if isinstance(x, Special) else F(x)


def shown(machine: recheck_arithmetic.Machine, state: int) -> str:
    return str(machine.value(state))


HALVES = {  # of 0, 1, 2, 3: 0.5, 1.5, 2.5, 3.5
    ("nearest", "zero"): (0, 1, 2, 3),
    ("nearest", "even"): (0, 2, 2, recheck_rounding.INF),
    ("nearest", "away"): (1, 2, 3, recheck_rounding.INF),
    ("truncate", "zero"): (0, 1, 2, 3),
    ("truncate", "even"): (0, 1, 2, 3),
    ("truncate", "away"): (0, 1, 2, 3),
}


@pytest.mark.parametrize(("rounding", "ties"), HALVES, ids="-".join)
def test_halves_go_where_the_rule_says(rounding: str, ties: str) -> None:
    knobs = {knob: settings[0] for knob, settings in TURNED.items()} | {"point": "grid", "rounding": rounding, "ties": ties}
    for overflow, beyond in (("after", recheck_rounding.INF), ("before", recheck_rounding.INF), ("saturate", 3)):
        machine = recheck_arithmetic.Machine(3, knobs | {"overflow": overflow}, F(1))
        wanted = [min(state, beyond) for state in HALVES[rounding, ties]]
        wanted[-1] = beyond if overflow == "before" else wanted[-1]
        for sign in (1, -1):
            assert [machine.rounded(sign * k, 2) for k in (1, 3, 5, 7)] == [sign * state for state in wanted]


@pytest.mark.parametrize("rule", RULES, ids="-".join)
@pytest.mark.parametrize("point", POINTS)
def test_operations(point: str, rule: tuple[str, str, str]) -> None:
    for bits in (1, 2, 3):
        mine, theirs = machines(bits, point, *rule)
        special = [NAN] if rule[-1] == "saturate" else [NAN, INF, NEG_INF]
        values: list[Number] = [*theirs.form.values(), *special]
        for x, y in product(values, values):
            a, b = mine.state(plain(x)), mine.state(plain(y))
            where = f"{bits} bits, {show(x)}, {show(y)}"
            assert shown(mine, mine.add(a, b)) == show(theirs.add(x, y)), where
            assert shown(mine, mine.divide(a, b)) == show(theirs.divide(x, y)), where
            assert shown(mine, mine.times(plain(x), plain(y))) == show(theirs.multiply(x, y)), where


@pytest.mark.parametrize("rule", RULES, ids="-".join)
@pytest.mark.parametrize("point", POINTS)
def test_rounding(point: str, rule: tuple[str, str, str]) -> None:
    for bits in (1, 2, 3, 4):
        mine, theirs = machines(bits, point, *rule)
        for k in range(-300, 301):
            x = F(k, 24)
            assert shown(mine, mine.state(x)) == show(theirs.round(x)), f"{bits} bits, {x}"


def test_which_rationals_are_values() -> None:
    for point, bits in product(POINTS, (1, 2, 3, 4)):
        mine, theirs = machines(bits, point, *RULES[0])
        for x in (F(k, 24) for k in range(-100, 301)):
            assert mine.holds(x) == theirs.holds(x), f"{point}, {bits} bits, {x}"


@pytest.mark.parametrize(("ties", "state"), [("zero", 0), ("even", 0), ("away", 1)])
def test_e_to_the_0_is_1_where_1_is_halfway(ties: str, state: int) -> None:
    """No enclosure decides that."""
    mine, _ = machines(3, "scale=2", "nearest", ties, "after")
    assert [mine.exp(F(0), ln2) for ln2 in (True, False)] == [state, state]


@pytest.mark.parametrize("overflow", TURNED["overflow"])
@pytest.mark.parametrize("rounding", TURNED["rounding"])
@pytest.mark.parametrize("point", [*POINTS, "scale=1/1000000", "scale=1000000"])
def test_exponentials_and_where_they_are_cut_off(point: str, rounding: str, overflow: str) -> None:
    """e^x and 2^x from far below the smallest value to far beyond the largest, and multiples of ln 2."""
    for bits in (1, 2, 3, 8, 31, 64):
        mine, theirs = machines(bits, point, rounding, "even", overflow)
        for x in EXPONENTS[:: 2 if bits in (3, 31) else 9]:
            assert shown(mine, mine.exp(x, False)) == show(round_exp(theirs, x)), f"{bits} bits, e^{x}"
            assert shown(mine, mine.exp(x, True)) == show(round_power_of_two(theirs, x)), f"{bits} bits, 2^{x}"
            multiple = mine.real(partial(recheck_arithmetic.multiple_of_ln2, x)) if x else 0
            assert shown(mine, multiple) == show(round_multiple_of_ln2(theirs, x)), f"{bits} bits, {x} ln 2"


@pytest.mark.parametrize("rounding", TURNED["rounding"])
@pytest.mark.parametrize("scale", ["3", "2/3", "1/7", "50"])
def test_exponentials_near_the_largest_value_of_a_grid(scale: str, rounding: str) -> None:
    """Few values, so that a power of two comes between the largest and what overflows; and exponents that nobody could write out."""
    for bits in (1, 2, 3):
        mine, theirs = machines(bits, f"scale={scale}", rounding, "zero", "after")
        for x in (F(k, 2) for k in range(-10, 17)):
            assert shown(mine, mine.exp(x, False)) == show(round_exp(theirs, x)), f"{bits} bits, e^{x}"
            assert shown(mine, mine.exp(x, True)) == show(round_power_of_two(theirs, x)), f"{bits} bits, 2^{x}"
        assert [mine.exp(F(x), ln2) for x in (10**40, -(10**40)) for ln2 in (True, False)] == [recheck_rounding.INF] * 2 + [0] * 2


@pytest.mark.parametrize("scale", [F(10**100), F(1, 10**100)])
def test_infinities_are_beyond_the_values_of_every_scale(scale: F) -> None:
    """The states that stand for them are numbers, which a quotient in units of such a scale could fall short of, or reach."""
    machine = recheck_arithmetic.Machine(3, {knob: settings[0] for knob, settings in TURNED.items()} | {"point": "grid"}, scale)
    for state, sign in product(range(-machine.largest, machine.largest + 1), (1, -1)):
        assert machine.divide(state, sign * recheck_rounding.INF) == 0
        assert machine.divide(sign * recheck_rounding.INF, state) == (-sign if state < 0 else sign) * recheck_rounding.INF


def test_enclosures_of_few_bits_hold() -> None:
    """A bound that is cut the wrong way shows where it is wide."""
    with flint.ctx.workprec(200):
        for x in (*(F(k, 12) for k in range(-30, 31)), *(F(k, 7) for k in range(-100, 101, 10))):
            ball = flint.arb(x.numerator) / x.denominator
            power, multiple = ends(ball.exp()), ends(ball * flint.arb(2).log())
            for bits in (8, 12, 20):
                for found, (least, greatest) in (
                    (recheck_arithmetic.power_of_e(x, bits), power),
                    (recheck_arithmetic.multiple_of_ln2(x, bits), multiple),
                    ((recheck_arithmetic.exponential((x, x + 1), bits)[0], recheck_arithmetic.exponential((x - 1, x), bits)[1]), power),
                ):
                    assert found[0] <= least <= greatest <= found[1], f"{x}, {bits} bits"


def test_the_enclosures_hold_and_shrink() -> None:
    """Bounds at few bits contain those at many, which are far closer together."""
    for x in (F(0), F(1), F(-1), F(1, 3), F(-50), F(77, 2), F(1, 10**30), F(20)):
        for low, high in (
            (recheck_arithmetic.power_of_e(x, 32), recheck_arithmetic.power_of_e(x, 256)),
            (recheck_arithmetic.multiple_of_ln2(x, 32), recheck_arithmetic.multiple_of_ln2(x, 256)),
        ):
            assert low[0] <= high[0] <= high[1] <= low[1]
            assert high[1] - high[0] <= (low[1] - low[0]) / 2**100
    assert recheck_arithmetic.multiple_of_ln2(F(1), 256)[0] > F(693147, 10**6)
    assert recheck_arithmetic.power_of_e(F(1), 256)[1] < F(2718282, 10**6)


OVERFLOWS = {name: read_semantics(f"a4+overflow={name}") for name in ("after", "saturate")}

ONE = 1 << 2
"""The state of 1 in three bits; the largest is that of 3."""

PRODUCTS: list[tuple[Value, Value, Value]] = [
    ("N", F(2), "N"),
    ("-N", F(2), "-N"),
    ("N", F(-1, 3), "-N"),
    ("-N", "-N", "N"),
    ("N", "-N", "-N"),
    ("N", F(0), F(0)),
    ("inf", "-N", "-N"),
    ("inf", F(0), "nan"),
    ("nan", "N", "nan"),
    ("nan", F(0), "nan"),
    ("-inf", F(2), "-inf"),
    ("-inf", "-inf", "inf"),
    (F(1, 3), F(1), F(1, 4)),
    (F(-2), F(2), "-inf"),
]


def test_products() -> None:
    t = transformer(small(3), OVERFLOWS["after"])
    for x, y, found in PRODUCTS:
        assert t.product(x, y) == t.product(y, x) == found, (x, y)


SUMS: list[tuple[Value, Value, Value | None]] = [
    ("N", "N", "N"),
    ("-N", "-N", "-N"),
    ("N", F(-3), "N"),
    ("-N", F(3), "-N"),
    ("N", "-N", None),
    ("N", "inf", None),
    ("N", "-inf", None),
    ("-N", "nan", None),
    ("inf", F(-3), "inf"),
    ("inf", "-inf", "nan"),
    (F(1), F(1, 4), F(1)),
]


def test_sums() -> None:
    t = transformer(small(3), OVERFLOWS["after"])
    for x, y, total in SUMS + [(y, x, total) for x, y, total in SUMS]:
        if total is None:
            with pytest.raises(Unknown, match="N combines with nothing"):
                t.plus(x, y)
        else:
            assert t.plus(x, y) == total, (x, y)


WEIGHTS: list[tuple[Value, Value, int | None]] = [
    ("N", F(1), recheck_rounding.INF),
    ("N", F(-1), 0),
    ("-N", F(1), 0),
    ("-N", F(-1), recheck_rounding.INF),
    ("N", F(0), ONE),
    ("N", "N", None),
    ("-N", "N", None),
]


@pytest.mark.parametrize("overflow", OVERFLOWS)
def test_the_weight_of_one_column(overflow: str) -> None:
    """Whichever of query and key is N; e^-N is 0 also where the machine saturates, which holds no number as small as -N."""
    t = transformer(small(3), OVERFLOWS[overflow])
    for key, query, weight in WEIGHTS + [(y, x, weight) for x, y, weight in WEIGHTS]:
        t.query = [query]
        if weight is None:
            with pytest.raises(Unknown, match="N combines with nothing"):
                t.weight([key])
        else:
            assert t.weight([key]) == (3 * ONE if weight == recheck_rounding.INF and overflow == "saturate" else weight), (key, query)


def test_beside_other_terms_nothing_is_known() -> None:
    t = transformer(small(3, d=2), OVERFLOWS["after"])
    zero: list[Value] = [F(0), F(0)]
    given: list[tuple[list[Value], list[Value]]] = [(["N", F(0)], [F(1), F(1)]), (zero, ["N", F(1)]), (zero, [F(1), "N"])]
    for vector, t.query in given:
        with pytest.raises(Unknown, match="N meets other terms"):
            t.weight(vector)


BIASES: list[tuple[int, Value, int]] = [
    (ONE, "inf", recheck_rounding.INF),
    (ONE, "-inf", -recheck_rounding.INF),
    (-recheck_rounding.INF, "inf", recheck_rounding.NAN),
    (recheck_rounding.INF, F(-3), recheck_rounding.INF),
    (recheck_rounding.NAN, F(1), recheck_rounding.NAN),
    (ONE, F(1, 3), 6),  # 4/3 lies between 1 and 3/2, and is rounded once
    (-ONE, F(1), 0),
]


def test_a_bias() -> None:
    """Infinite where an entry that is too large was rounded; otherwise exact, of the format or not."""
    t = transformer(small(3), OVERFLOWS["after"])
    for total, bias, found in BIASES:
        assert t.biased(total, bias) == found, (total, bias)


@pytest.mark.parametrize(
    ("ln2", "semantics", "weight"), [(False, "a4", 12), (False, "ln2=rounded", 12), (True, "a4", 8), (True, "ln2=rounded", 8)]
)
def test_a_weight_of_score_1(ln2: bool, semantics: str, weight: int) -> None:
    """e rounds to 3 and 2 is itself; ln 2 rounds to 3/4, and e^(3/4) to 2."""
    with_factor, without = Matrix(((F(1),),), ln2=ln2), Matrix(((F(1),),))
    for query, key in ((with_factor, without), (without, with_factor)):
        t = transformer(replace(small(3), query=query, key=key), read_semantics(semantics))
        assert t.weight([F(1)]) == weight
