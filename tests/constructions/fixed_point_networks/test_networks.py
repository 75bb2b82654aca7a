"""Networks: the definition against the batch, construction against target, files there and back, and what is refused."""

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from constructions.fixed_point_networks.mathematics.activations import NAMED, Table, normal_form, rounded
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.files import to_onnx
from constructions.fixed_point_networks.mathematics.networks.network import (
    Network,
    Neuron,
    all_inputs,
    first_difference,
    for_sigma,
    in_cube,
    indicator_network,
    representator,
    run,
    run_all,
    run_rounded,
    short_indicator,
)
from verifier.arithmetic.numbers import ONE
from verifier.arithmetic.semantics import Arithmetic
from verifier.running.errors import InputError
from verifier.transformers.contexts import Rounded
from verifier.transformers.exports import runner


def drawn_target(grid: FixedPoint, d: int, seed: int = 1) -> tuple[int, ...]:
    source = random.Random(seed)
    return tuple(source.randint(-grid.top, grid.top) for _ in range(grid.size**d))


def test_one_weight_changed_is_noticed_at_the_first_input_it_spoils() -> None:
    grid = FixedPoint(2, 1)
    table, target = rounded(NAMED["relu"], grid), (-3, 2, 1, 0, 3, -1, 2)
    network = representator(table, target, 1)
    last = network.layers[-1][0]
    spoilt = Neuron(last.inputs, (-last.weights[0], *last.weights[1:]), last.bias)
    changed = replace(network, layers=(*network.layers[:-1], (spoilt,)))
    found = first_difference(changed, target)
    wrong = [(x, run_rounded(changed, x)[0], want) for x, want in zip(all_inputs(grid, 1), target, strict=True)]
    assert found == next(w for w in wrong if w[1] != w[2])


def test_the_batch_is_the_definition_rounded_or_not() -> None:
    grid = FixedPoint(2, 3)
    table = rounded(NAMED["mish"], grid)
    network = representator(table, drawn_target(grid, 2), 2)
    inputs = all_inputs(grid, 2)
    assert run_all(network, inputs).tolist() == [list(run_rounded(network, x)) for x in inputs]
    assert run_all(network, inputs, rounded=False).tolist() == [list(run(network, x)) for x in inputs]


def by_the_core(network: Network, x: Sequence[int]) -> tuple[int, ...]:
    """Run the network in the core's arithmetic: a grid, with dot products rounded as a whole."""
    grid, levels = network.grid, list(x)
    context = Rounded(Arithmetic(f"fixed:{grid.p + 1}:1/{grid.s}", rounding="dot-product", ties="away", overflow="saturate"))
    for number, layer in enumerate(network.layers):
        values = [grid.value(network.table(level) if number else level) for level in levels]
        terms = [[(grid.value(w), values[i]) for i, w in zip(n.inputs, n.weights, strict=True)] for n in layer]
        levels = [int(context.dot([*each, (grid.value(n.bias), ONE)]) * grid.s) for each, n in zip(terms, layer, strict=True)]
    return tuple(levels)


@pytest.mark.parametrize("seed", range(6))
def test_drawn_networks_have_the_outputs_of_the_core_s_arithmetic(seed: int) -> None:
    """Any table, weights in Q_(p,s) and ±1, and biases beyond its ends."""
    source = random.Random(seed)
    for _ in range(50):
        grid = FixedPoint(source.randint(1, 4), source.randint(1, 20))
        widths = [source.randint(1, 4) for _ in range(source.randint(2, 5))]
        layers = []
        for before, width in pairwise(widths):
            drawn = []
            for _ in range(width):
                inputs = tuple(source.sample(range(before), source.randint(1, before)))
                weights = tuple(source.choices([*grid.levels(), grid.s, -grid.s], k=len(inputs)))
                drawn.append(Neuron(inputs, weights, source.randint(-3 * grid.top, 3 * grid.top)))
            layers.append(tuple(drawn))
        network = Network(Table(grid, tuple(source.choices(grid.levels(), k=grid.size))), widths[0], tuple(layers))
        some = [tuple(source.choices(grid.levels(), k=widths[0])) for _ in range(5)]
        expected = [by_the_core(network, x) for x in some]
        assert [run_rounded(network, x) for x in some] == expected
        assert run_all(network, some).tolist() == list(map(list, expected))


@pytest.mark.parametrize("build", [lambda normal, cube, terms: indicator_network(normal, cube, [terms]), short_indicator])
@pytest.mark.parametrize("name", ["relu", "gelu", "sigmoid"])
def test_an_indicator_is_gamma_on_its_cube_and_0_off_it(build, name: str) -> None:  # type: ignore[no-untyped-def]
    grid = FixedPoint(2, 2)
    table = rounded(NAMED[name], grid)
    normal = normal_form(table)
    assert normal is not None
    cube, terms = ((-2, 1), (0, 3)), [(2, 3, -3), (-1, 2, -2)]
    gamma = sum(w * (normal.rho(a) - normal.rho(b)) for w, a, b in terms)
    network = for_sigma(build(normal, cube, terms), normal, table)
    for x in all_inputs(grid, 2):
        assert run(network, x) == ((gamma if in_cube(x, cube) else 0),)


def test_parameters_are_counted_by_the_definition() -> None:
    table = rounded(NAMED["relu"], FixedPoint(1, 1))
    network = Network(table, 2, ((Neuron((0, 1), (1, -1), 3), Neuron((0,), (0,), 1)), (Neuron((1,), (1,), 0),)))
    assert network.parameters == 3 + 2 + 2
    assert run_rounded(network, (1, 1)) == (1,)


@pytest.mark.parametrize(
    ("neuron", "expected"),
    [
        (Neuron((0, 0), (1, 1), 0), "named twice"),
        (Neuron((1,), (1,), 0), "input 1; 0..0 were expected"),
        (Neuron((0,), (2,), 0), r"weight 2; \|w\| <= 1"),
        (Neuron((0,), (), 0), "1 inputs and 0 weights"),
        (Neuron((), (), 1), "no input; at least one"),
    ],
)
def test_bad_neurons_are_refused(neuron: Neuron, expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        Network(rounded(NAMED["relu"], FixedPoint(1, 1)), 1, ((neuron,),))


def test_onnxruntime_reproduces_a_network_bit_for_bit(tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    grid, file = FixedPoint(2, 3), tmp_path / "network.onnx"
    network = representator(rounded(NAMED["silu"], grid), drawn_target(grid, 2), 2)
    last = network.layers[-1][0]
    shifted = replace(network, layers=(*network.layers[:-1], (replace(last, bias=last.bias + 1),)))
    inputs = all_inputs(grid, 2)
    expected = [list(run_rounded(network, x)) for x in inputs]
    for each, same in ((network, True), (shifted, False)):
        file.write_bytes(to_onnx(each))
        assert (runner(file)(np.array(inputs))["result"].tolist() == expected) is same
