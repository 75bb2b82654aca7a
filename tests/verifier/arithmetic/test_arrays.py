"""The vectorised machine against the scalar one: every operation on every pair of values, and random pairs where p is large."""

from collections.abc import Callable
from itertools import product
from random import Random

import numpy as np
import pytest

from verifier.arithmetic.arrays import SAFE, ArrayMachine, Codes, Lattice, States, bit_lengths, vectorised
from verifier.arithmetic.bit_patterns import BFLOAT16, FLOAT16
from verifier.arithmetic.formats import Format, Underflow, fixed_grid, floating_point, free_point
from verifier.arithmetic.machine import Machine, Overflow, RoundingRule, rectified
from verifier.arithmetic.numbers import INF, NAN, NEG_INF, Number
from verifier.arithmetic.rationals import Fraction as F
from verifier.running.errors import LimitError

RULES = [RoundingRule(r, t, o) for r, t, o in product(("nearest", "truncate"), ("zero", "even", "away"), ("after", "before", "saturate"))]
SMALL: list[Format] = [free_point(p) for p in (1, 2, 3, 4, 5)] + [fixed_grid(p, s) for p in (1, 3, 5) for s in (F(1), F(1, 8), F(5, 3))]
UNDERFLOWS: tuple[Underflow, ...] = ("nearest", "flush", "subnormals")
SMALL += [floating_point(t, e, underflow) for (t, e), underflow in product([(1, 1), (1, 3), (2, 2), (3, 2)], UNDERFLOWS)]
LARGE: list[Format] = [free_point(p) for p in (7, 12, 16, 20, 21, 22, 26, 27, 30)] + [
    fixed_grid(p, F(1, 2**k)) for p in (12, 27) for k in (0, 9, 26)
]
LARGE += [floating_point(t, e, underflow) for (t, e), underflow in product([(12, 5), (27, 4), (28, 5), (5, 9)], UNDERFLOWS)]
LARGE += [FLOAT16.form, BFLOAT16.form]
CONSTANTS: list[Number] = [
    F(0),
    F(1),
    F(-2),
    F(1, 3),
    F(-7, 8),
    F(64),
    F(1, 2**70),
    F(2**58),
    -F(2**61),
    F(2**63),
    F(2**90),
    -F(3**50, 2**75),
    F(1, 3**60),
    INF,
    NEG_INF,
    NAN,
]


def specials(rule: RoundingRule) -> list[Number]:
    return [NAN] if rule.overflow == "saturate" else [INF, NEG_INF, NAN]


def encoded(lattice: ArrayMachine, values: list[Number]) -> States:
    return np.array([lattice.encode(v) for v in values], dtype=np.int64)


def decoded(lattice: ArrayMachine, states: States) -> list[Number]:
    return [lattice.decode(s) for s in np.ravel(states)]


@pytest.mark.one_in(6)
@pytest.mark.long(
    "3 digits from 1/8, 2 binades2",
    "3 digits from 1/8, 3 binades",
    "4 digits from 1/16, 4 binades",
    "4 digits from 1, 0 binades",
    "4 digits from 1/8, 0 binades",
    "4 digits from 5/3, 0 binades",
)
@pytest.mark.parametrize("form", SMALL, ids=str)
def test_every_pair_under_every_rule(form: Format) -> None:
    for rule in RULES:
        machine = Machine(form, rule)
        lattice = vectorised(machine)
        values = [*form.values(), *specials(rule)]
        states = encoded(lattice, values)
        pairs = list(product(values, values))
        rows, columns = states[:, None], states[None, :]
        assert decoded(lattice, lattice.add(rows, columns)) == [machine.add(x, y) for x, y in pairs], rule
        assert decoded(lattice, lattice.divide(rows, columns)) == [machine.divide(x, y) for x, y in pairs], rule
        assert decoded(lattice, lattice.rectify(states)) == [rectified(x) for x in values]
        for constant in [*values[:: max(1, len(values) // 9)], *CONSTANTS]:
            assert decoded(lattice, lattice.add_constant(states, constant)) == [machine.add(x, constant) for x in values], (rule, constant)
            assert decoded(lattice, lattice.multiply_constant(states, constant)) == [machine.multiply(x, constant) for x in values], (
                rule,
                constant,
            )


@pytest.mark.parametrize("form", [free_point(3), fixed_grid(3), fixed_grid(4, F(1, 8))], ids=str)
def test_pair_by_pair_nothing_large_stands_beside_a_sum(form: Format) -> None:
    """An array of small sums takes a shorter way."""
    for overflow in ("after", "before", "saturate"):
        machine = Machine(form, RoundingRule(overflow=overflow))  # type: ignore[arg-type]
        lattice = Lattice(machine)
        for x, y in product(form.values(), repeat=2):
            total = lattice.add(encoded(lattice, [x]), encoded(lattice, [y]))
            assert decoded(lattice, total) == [machine.add(x, y)], f"{x} + {y}, {overflow}"


@pytest.mark.one_in(12)
@pytest.mark.long(
    "15 digits from 1/32768, 15 binades",
    "19 digits from 1/524288, 19 binades",
    "20 digits from 1/1048576, 20 binades",
    "26 digits from 1/67108864, 26 binades",
)
@pytest.mark.parametrize("form", LARGE, ids=str)
def test_random_pairs_of_large_formats(form: Format) -> None:
    rng = Random(str(form))
    for rule in rng.sample(RULES, 5):
        machine = Machine(form, rule)
        lattice = vectorised(machine)
        x, y = _random_values(form, rule, rng), _random_values(form, rule, rng)
        a, b = encoded(lattice, x), encoded(lattice, y)
        assert decoded(lattice, lattice.add(a, b)) == [machine.add(u, v) for u, v in zip(x, y, strict=True)], rule
        assert decoded(lattice, lattice.divide(a, b)) == [machine.divide(u, v) for u, v in zip(x, y, strict=True)], rule
        for constant in [*CONSTANTS, x[0], y[1], form.largest]:
            assert decoded(lattice, lattice.multiply_constant(a, constant)) == [machine.multiply(u, constant) for u in x], (rule, constant)
            assert decoded(lattice, lattice.add_constant(a, constant)) == [machine.add(u, constant) for u in x], (rule, constant)


def _random_values(form: Format, rule: RoundingRule, rng: Random) -> list[Number]:
    """Values of every size, many on the edge of a binade, with special values among them."""
    machine = Machine(form, RoundingRule(overflow="saturate"))
    exponents = [rng.uniform(0, form.top.bit_length() + 2) for _ in range(120)]
    sizes = [form.unit * (1 << int(k)) + rng.choice([0, 0, 1, -1, rng.randrange(1 << int(k))]) * form.unit for k in exponents]
    values = [machine.round(s * rng.choice([1, -1])) for s in sizes]
    return [*values, F(0), form.largest, -form.largest, *(rng.choice(specials(rule)) for _ in range(6))]


ALONE: list[tuple[str, Callable[[Lattice], States]]] = [
    ("zeros divided", lambda m: m.divide(np.zeros(2, dtype=np.int64), np.ones(2, dtype=np.int64))),
    ("zeros divided by zeros", lambda m: m.divide(np.zeros(2, dtype=np.int64), np.zeros(2, dtype=np.int64))),
    ("zeros times a large number", lambda m: m.multiply_constant(np.zeros(2, dtype=np.int64), F(10**30))),
    ("zeros times a small number", lambda m: m.multiply_constant(np.zeros(2, dtype=np.int64), F(1, 10**30))),
    ("NaN alone times a small number", lambda m: m.multiply_constant(encoded(m, [NAN, NAN]), F(1, 10**30))),
    ("zeros plus a small number", lambda m: m.add_constant(np.zeros(2, dtype=np.int64), F(1, 10**80))),
]


@pytest.mark.parametrize(
    "form", [fixed_grid(5, F(1, 10**25)), fixed_grid(5, F(10**25)), fixed_grid(5, F(10**20, 7**25)), free_point(30)], ids=str
)
@pytest.mark.parametrize(("title", "operation"), ALONE, ids=[a[0] for a in ALONE])
def test_nothing_leaves_64_bits(title: str, operation: Callable[[Lattice], States], form: Format) -> None:
    """Scales and constants that no 64-bit integer holds, met by arrays without a single large element."""
    assert set(decoded(Lattice(Machine(form)), operation(Lattice(Machine(form))))) <= {F(0), NAN}


@pytest.mark.one_in(5)
@pytest.mark.parametrize("p", [20, 22, 24, 28])
@pytest.mark.parametrize("rule", RULES[::3], ids=str)
def test_products_beyond_64_bits_are_not_left_to_the_scalar_machine(p: int, rule: RoundingRule, monkeypatch: pytest.MonkeyPatch) -> None:
    """Quotients and products by powers of two of a free point, at every magnitude; one value at a time would take minutes at p = 22."""
    machine, source = Machine(free_point(p), rule), Random(p)
    lattice = Lattice(machine)
    monkeypatch.setattr(Lattice, "_by_values", None)
    top = (1 << p - 1) - 1
    numbers = [F(source.choice((-1, 1)) * source.choice((1, top, source.randint(1, top))), 1 << k % p) for k in range(150)]
    others = source.sample(numbers, len(numbers))
    quotients = lattice.divide(encoded(lattice, numbers), encoded(lattice, others))
    assert decoded(lattice, quotients) == [machine.divide(x, y) for x, y in zip(numbers, others, strict=True)]
    for constant in (F(2) ** (p - 2), F(-3), F(top), F(1, 2 ** (p - 1)), F(5, 3)):
        products = lattice.multiply_constant(encoded(lattice, numbers), constant)
        assert decoded(lattice, products) == [machine.multiply(x, constant) for x in numbers], constant


NEAR_62_BITS = [SAFE // k + d for k in (1, 2, 3, 4) for d in (-1, 0, 1)]


@pytest.mark.parametrize(
    ("form", "overflow"),
    [(fixed_grid(12), "saturate"), (free_point(8), "after"), (fixed_grid(20, F(1, 2**19)), "before")],
    ids=["whole", "free", "grid"],
)
def test_constants_at_the_edge_of_64_bits(form: Format, overflow: Overflow) -> None:
    """Sums and products that barely fit, and those that barely do not; and halves of a unit."""
    lattice = Lattice(Machine(form, RoundingRule(overflow=overflow)))
    top = lattice.largest
    values = [*decoded(lattice, np.array([0, 1, -2, 3, (top + 1) // 2, -top], dtype=np.int64)), *specials(lattice.rule)]
    states = encoded(lattice, values)
    others = [1, *(SAFE // ((top + 1) * k) + d for k in (1, 2, 4) for d in (-1, 0, 1)), *(SAFE // each for each in (4 * top - 4, top + 9))]
    constants = [F(n, m) for n in NEAR_62_BITS for m in others] + [F(1, m) for m in NEAR_62_BITS] + [F(-m, 3) for m in others]
    for constant in [*constants, F(1, 2), F(-5, 2)]:
        for c in (constant, constant * form.unit):
            assert decoded(lattice, lattice.multiply_constant(states, c)) == [lattice.machine.multiply(x, c) for x in values], c
            assert decoded(lattice, lattice.add_constant(states, c)) == [lattice.machine.add(x, c) for x in values], c


@pytest.mark.one_in(3)
@pytest.mark.parametrize("up", [1, 3, 2**40, 2**55, 2**59, 2**60, 2**70, SAFE // 7, SAFE // 7 + 1, SAFE // 3])
def test_quotients_at_the_edge_of_64_bits(up: int) -> None:
    """Grids of seven levels whose scale has a large numerator or denominator: a quotient of levels is divided by it."""
    for down in (1, 5, 2**30 - 1, *(SAFE // (2 * k) + d for k in (7, 4, 1) for d in (-1, 0, 1))):
        lattice = Lattice(Machine(fixed_grid(4, F(down, up))))
        levels = np.arange(-7, 8)
        values = decoded(lattice, levels)
        quotients = [lattice.machine.divide(x, y) for x, y in product(values, values)]
        assert decoded(lattice, lattice.divide(levels[:, None], levels)) == quotients, down


@pytest.mark.parametrize(
    ("title", "bits", "accepted"), [("thirty bits are taken", 30, True), ("thirty-one would meet the sentinels", 31, False)]
)
def test_width(title: str, bits: int, accepted: bool) -> None:
    if accepted:
        assert Lattice(Machine(free_point(bits))).largest == (2 ** (bits - 1) - 1) << (bits - 1)
    else:
        with pytest.raises(LimitError, match="numbers of 31 bits; arrays hold at most 30"):
            Lattice(Machine(free_point(bits)))


def test_only_values_of_the_format_are_encoded() -> None:
    lattice = Lattice(Machine(free_point(4)))
    for x in (F(1, 16), F(8), F(1, 3)):
        with pytest.raises(ValueError, match="is not a value of"):
            lattice.encode(x)


@pytest.mark.parametrize("underflow", UNDERFLOWS)
def test_codes_are_in_the_order_of_values(underflow: Underflow) -> None:
    form = floating_point(4, 3, underflow)
    codes, values = Codes(Machine(form)), [*form.values()]
    assert encoded(codes, list(values)).tolist() == list(range(-codes.largest, codes.largest + 1))
    assert decoded(codes, np.arange(-codes.largest, codes.largest + 1)) == values


@pytest.mark.parametrize(("t", "e", "accepted"), [(28, 6, True), (29, 6, False), (1, 20, True), (1, 21, False)])
def test_widths_of_floating_point(t: int, e: int, accepted: bool) -> None:
    if accepted:
        assert vectorised(Machine(floating_point(t, e))).largest == (2**e - 1) * 2 ** (t - 1)
    else:
        with pytest.raises(LimitError, match=f"t = {t}, e = {e} digits; arrays hold t <= 28, e <= 20"):
            vectorised(Machine(floating_point(t, e)))


def test_bit_lengths_around_every_power_of_two() -> None:
    numbers = [max(0, (1 << k) + d) for k in range(63) for d in (-2, -1, 0, 1, 2)]
    assert bit_lengths(np.array(numbers, dtype=np.int64)).tolist() == [n.bit_length() for n in numbers]
