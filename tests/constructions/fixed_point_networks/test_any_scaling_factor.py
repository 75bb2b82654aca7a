"""Networks on Q_{p,s} without 1 in it: the first layers against one neuron run at a time, and what then can be built."""

from itertools import combinations, product

import pytest

from constructions.fixed_point_networks.mathematics.activations import NAMED, Table, normal_form, rounded
from constructions.fixed_point_networks.mathematics.grid import FixedPoint, beyond
from constructions.fixed_point_networks.mathematics.networks.network import Network, Neuron, first_difference, run_rounded
from constructions.fixed_point_networks.mathematics.networks.without_hypotheses import (
    first_layer_functions,
    separating_representator,
    unseparated,
)
from verifier.running.errors import InputError


@pytest.mark.parametrize("grid", [*beyond(1, 4), FixedPoint(2, 4), FixedPoint(2, 6), FixedPoint(2, 7)], ids=str)
def test_two_inputs_are_told_apart_as_one_neuron_run_at_a_time_says(grid: FixedPoint) -> None:
    table = rounded(NAMED["relu"], grid)
    seen = set()
    for w, b in product(grid.levels(), range(-3 * grid.top - 3, 3 * grid.top + 4)):
        network = Network(table, 1, ((Neuron((0,), (w,), b),),))
        seen.add(tuple(run_rounded(network, (x,))[0] for x in grid.levels()))
    assert set(first_layer_functions(grid)) == {values for values in seen if len(set(values)) > 1}
    alike = [
        (x, y)
        for x, y in combinations(grid.levels(), 2)
        if all(table(values[x + grid.top]) == table(values[y + grid.top]) for values in seen)
    ]
    assert (unseparated(table) is None) == (not alike)
    assert unseparated(table) in [*alike, None]


def test_at_p_1_s_2_condition_1_is_needed_where_it_was_not() -> None:
    grid = FixedPoint(1, 2)
    even = Table(grid, (1, 0, 1))
    assert normal_form(even) is None
    assert unseparated(even) == (-1, 1)
    with pytest.raises(InputError, match=r"tells -1/2 from 1/2"):
        separating_representator(even, (0, 1, 1), 1)
    for d in (1, 2):
        target = tuple(range(-1, 2)) * 3 ** (d - 1)
        network = separating_representator(Table(grid, (0, 0, 1)), target, d)
        assert network.quantized
        assert first_difference(network, target) is None
        assert first_difference(network, target[::-1]) is not None


def test_weights_beyond_q_are_refused_but_for_1() -> None:
    grid = FixedPoint(2, 5)
    table = rounded(NAMED["relu"], grid)
    assert Network(table, 1, ((Neuron((0,), (5,), 0),),)).binary
    assert not Network(table, 1, ((Neuron((0,), (-5,), 0),),)).quantized
    with pytest.raises(InputError, match="weight 4/5"):
        Network(table, 1, ((Neuron((0,), (4,), 0),),))
