"""The modulus of continuity against brute force, its inverse against its definition, and whole networks for given f* and ε."""

import random
from itertools import product

import pytest

from constructions.fixed_point_networks.judges.query_objects import continuous_targets
from constructions.fixed_point_networks.mathematics.activations import NAMED, rounded
from constructions.fixed_point_networks.mathematics.continuous_functions import PiecewiseLinear, approximator
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.network import all_inputs, parameters_of, plan, run_rounded
from verifier.arithmetic.rationals import Fraction

SOURCE = random.Random(21)
DRAWN = [PiecewiseLinear(tuple(Fraction(SOURCE.randint(-6, 6), 2) for _ in range(n))) for n in (3, 3, 4, 5, 7) for _ in range(3)]


def brute(f: PiecewiseLinear, delta: Fraction, parts: int) -> Fraction:
    """max |h(x) − h(x′)| over all multiples of 1/parts at most δ apart; ω(δ) itself where parts·δ is whole."""
    places = [Fraction(n, parts) for n in range(f.end * parts + 1)]
    values = [f.h(x) for x in places]
    return max(abs(a - b) for x, a in zip(places, values, strict=True) for y, b in zip(places, values, strict=True) if abs(x - y) <= delta)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("f", DRAWN, ids=lambda f: ",".join(map(str, f.values)))
def test_the_modulus_is_that_of_a_fine_grid(f: PiecewiseLinear) -> None:
    assert [f.modulus(Fraction(n)) for n in range(f.end + 1)] == [brute(f, Fraction(n), 1) for n in range(f.end + 1)]
    for n, parts in product(range(1, 3 * f.end), (3,)):
        delta = Fraction(n, parts)
        assert f.modulus(delta) == brute(f, delta, parts)
        assert f.modulus(delta) >= brute(f, delta, 2)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("f", DRAWN, ids=lambda f: ",".join(map(str, f.values)))
@pytest.mark.parametrize("epsilon", [Fraction(1, 3), Fraction(1), Fraction(5, 2), Fraction(4)])
def test_the_inverse_is_the_last_delta_within_epsilon(f: PiecewiseLinear, epsilon: Fraction) -> None:
    delta = f.inverse(epsilon)
    if delta is None:
        assert f.modulus(Fraction(f.end)) <= epsilon
    else:
        assert f.modulus(delta) == epsilon
        assert f.modulus(delta - Fraction(1, 999)) <= epsilon < f.modulus(delta + Fraction(1, 10**6))


@pytest.mark.parametrize(("p", "s", "d", "name"), [(1, 1, 1, "relu"), (2, 1, 1, "gelu"), (2, 3, 1, "sigmoid"), (1, 1, 2, "identity")])
def test_networks_by_the_definition(p: int, s: int, d: int, name: str) -> None:
    """One input at a time: all three cases of P, the error within Eq. (20), the parameters those of the cubes."""
    grid = FixedPoint(p, s)
    table = rounded(NAMED[name], grid)
    made, cases, costs = plan(table), set(), set(parameters_of(plan(table), d))
    for f, epsilon in product(continuous_targets(grid), (Fraction(1, 8), Fraction(1), Fraction(2), Fraction(30))):
        delta = f.inverse(epsilon)
        network = approximator(made, table, f, delta, d)
        case = "first" if delta is None or delta >= 2 * grid.top else "third" if delta <= 1 else "second"
        cases.add(case)
        assert network.depth == (1 if case == "first" else 4)
        assert network.parameters == 2 or case != "first"
        if case == "second":
            assert network.parameters <= 1 + max(costs) * len(all_inputs(grid, d))
        for x in all_inputs(grid, d):
            value = f.at(grid, x)
            error, level = abs(value - grid.rounded(value)), run_rounded(network, x)[0]
            assert abs(level - value) <= error + epsilon
            if case == "third":
                assert abs(level - value) == error
    assert cases == {"first", "second", "third"}
