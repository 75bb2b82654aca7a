"""``verify tool represent --activation gelu --p 3 --s 2 --d 1 --target FILE|random``: a quantized network for any target, built and run.

``verify tool represent`` for one user: an activation, a target, a network, and its outputs on every input.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np

from constructions.fixed_point_networks.mathematics.activations import NAMED, Table, normal_form, rounded
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.files import read_target
from constructions.fixed_point_networks.mathematics.networks.network import (
    PRINTED,
    REPAIRED,
    Network,
    Signs,
    all_inputs,
    bias_of,
    by_ones,
    constant_network,
    copies_of,
    first_difference,
    least_number_of_tellers,
    plan,
    representator,
    run_all,
    separating_representator,
    tellers,
)
from verifier.claims.verdicts import EXIT_REFUTED, EXIT_VERIFIED
from verifier.commands.options import Integer, write
from verifier.commands.progress import Progress
from verifier.running.errors import InputError, LimitError, amount
from verifier.running.limits import Advance, Limits, silent
from verifier.show.streams import write_whole


@click.command("represent")
@click.option("--activation", required=True, metavar="NAME|FILE", help="relu, gelu, … or a file with the rounded value at every input.")
@click.option("--p", type=Integer(), required=True, help="Magnitude bits of Q_(p,s).")
@click.option("--s", type=Integer(), required=True, help="Scaling factor: the values are q/s.")
@click.option("--d", type=Integer(), default=1, show_default=True, help="Input dimension.")
@click.option(
    "--target", required=True, metavar="FILE|random", help="The values of f* at every input in lexicographic order; or a random target."
)
@click.option("--seed", type=Integer(), default=0, show_default=True, help="The seed of a random target.")
@click.option("--binary", is_flag=True, help="Use only the weights 1 and -1.")
@click.option(
    "--edition",
    type=click.Choice(["repaired", "printed"]),
    default="repaired",
    show_default=True,
    help="Use the printed or the corrected signs of the proof.",
)
@click.option("--network", type=click.Path(dir_okay=False, path_type=Path), help="Write the network to this file (JSON, exact).")
@click.option("--onnx", type=click.Path(dir_okay=False, path_type=Path), help="Write the network as an ONNX model (extra onnx).")
@click.option("--limit", type=Integer(1), default=Limits().states, show_default=True, help="The largest number of products to compute.")
def command(network: Path | None, onnx: Path | None, **given: Any) -> int:
    """Build the network of the fixed-point universal representation theorem for a target, and run it on every input.

    If the activation fails Condition 1 or s > 2^p - 1, the theorem's construction cannot be built; then our own construction is used. Our
    construction has to reach only the values that the target takes, not all of Q_(p,s).

    Exit status: 0 it equals the target on every input; 1 it does not; 2 the activation, target or parameters cannot be used.
    """

    with Progress() as advance:
        answer = represent(**given, advance=advance)
    grid, total = answer.network.grid, len(answer.target)
    for name, text in answer.facts.items():
        click.echo(f"{name}: {text}")
    if network is not None:
        from constructions.fixed_point_networks.mathematics.networks.files import to_json

        write(network, to_json(answer.network))
        click.echo(f"written: {network}")
    if onnx is not None:
        _write_onnx(onnx, answer.network, total)
    if answer.difference is None:
        click.echo(f"equal to the target on all {total:,} inputs")
        return EXIT_VERIFIED
    x, got, want = answer.difference
    click.echo(f"differs from the target: f({', '.join(map(grid.show, x))}) = {grid.show(got)}, f* = {grid.show(want)}")
    return EXIT_REFUTED


def _write_onnx(path: Path, network: Network, total: int) -> None:
    """Write the model, run it, and compare it with the network on every input."""
    from constructions.fixed_point_networks.mathematics.networks.files import to_onnx
    from verifier.transformers.exports import runner

    try:
        write_whole(path, to_onnx(network))
        run = runner(path)
    except ImportError:
        raise InputError("ONNX files need the extra onnx: pip install 'bitreferee[onnx]'") from None
    inputs = all_inputs(network.grid, network.dimension)
    same = bool((run(np.array(inputs))["result"] == run_all(network, inputs)).all())
    click.echo(f"written: {path}; onnxruntime {'reproduces the network' if same else 'DIFFERS from the network'} on all {total:,} inputs")


AT_ONCE = 1 << 10
"""Inputs that are run between two reports of progress."""


@dataclass(frozen=True)
class Answer:
    """The network, the target, its plan, and the first input at which network and target differ (None: equal on every input)."""

    network: Network
    target: tuple[int, ...]
    facts: dict[str, str]
    difference: tuple[tuple[int, ...], int, int] | None


def represent(
    activation: str,
    p: int,
    s: int,
    d: int,
    target: str,
    seed: int,
    binary: bool,
    edition: str,
    limit: int,
    advance: Advance = silent,
) -> Answer:
    """Build the network and run it on every input.

    activation: a name, or a file with the value at every input; target: a file, or ``random``, drawn with the seed.
    The network is the paper's if that can be built: with Condition 1, and with weights ±1 or 1 in Q_{p,s}. Otherwise it is one of ours.

    Raises:
        InputError: the activation or target cannot be used; LimitError: too many inputs and neurons for ``limit``.
    """
    if max(p, d) > limit.bit_length():
        raise LimitError(f"p = {amount(p)}, d = {amount(d)}: more than 2^max(p, d) products", "--limit")
    grid = FixedPoint(p, s)
    if d < 1:
        raise InputError(f"--d {d}: at least 1 was expected")
    inputs = grid.size**d

    def within(weights: int) -> None:
        """Raises: LimitError: more products than the limit, if each input has a part with this many weights."""
        if inputs * inputs * weights > limit:
            raise LimitError(f"{amount(inputs)} inputs through as many indicators, {amount(inputs * inputs * weights)} products", "--limit")

    within(8 * d)
    table = activation_table(activation, grid)
    source = random.Random(seed)
    wanted = tuple(source.randint(-grid.top, grid.top) for _ in range(inputs)) if target == "random" else read_target(Path(target), grid, d)
    advance("building the network", 0, 0)
    if normal_form(table) is not None and (binary or s <= grid.top):
        network, facts = _paper_network(table, wanted, d, PRINTED if edition == "printed" else REPAIRED, binary)
    elif edition == "printed":
        why = "1 is not in Q_(p,s)" if normal_form(table) is not None else f"--activation {activation} does not satisfy Condition 1"
        raise InputError(f"--edition printed cannot be built: {why}; without it our own network is built")
    else:
        network, facts = _own_network(table, wanted, d, binary, limit, within)
    advance("building the network", 1, 1)
    facts |= {
        "layers": str(network.depth),
        "neurons": " + ".join(f"{len(layer):,}" for layer in network.layers),
        "parameters": f"{network.parameters:,}",
    }
    return Answer(network, wanted, facts, first_difference(network, wanted, advance, AT_ONCE))


def _paper_network(table: Table, target: tuple[int, ...], d: int, signs: Signs, binary: bool) -> tuple[Network, dict[str, str]]:
    made = plan(table, binary, target)
    normal = made.normal
    return representator(table, target, d, signs, binary), {
        "Condition 1": f"alpha = {normal.alpha}, beta = {normal.beta}, z = {table.grid.show(normal.z)}",
        "bias": f"b = {table.grid.show(made.bias)}",
        "terms": f"at most {max(len(t) for t in made.terms.values())} for a value",
    }


def _own_network(
    table: Table, target: tuple[int, ...], d: int, binary: bool, limit: int, within: Callable[[int], None]
) -> tuple[Network, dict[str, str]]:
    """Our network without Condition 1, or with weights in a Q_{p,s} without 1; ``within`` checks the number of weights of a part."""
    grid = table.grid
    condition = {"Condition 1": "holds" if normal_form(table) is not None else "fails"}
    if len(set(target)) == 1:
        return constant_network(table, target[0], d, binary), {**condition, "construction": "ours, a constant"}
    bias_of("BS" if binary else "S", table, target)  # whether there is a network at all, before its size
    ones = by_ones(grid, binary)
    compared = grid.size ** (3 if ones else 4) * 8
    if compared > limit:
        raise LimitError(f"{amount(compared)} comparisons of what a first layer tells apart", "--limit")
    weights = 4 * d * copies_of(grid, binary) ** 2
    within(weights * least_number_of_tellers(table))  # at once; the number itself takes a while
    within(weights * len(tellers(table, binary)))
    which = "ours, which needs no Condition 1" if ones else "ours, for a scaling factor s > 2^p - 1"
    return separating_representator(table, target, d, binary), {**condition, "construction": which}


def activation_table(text: str, grid: FixedPoint) -> Table:
    """The rounded activation of this name, or of a file with its value at every input of Q_{p,s}, ascending.

    Raises:
        InputError: the name is neither an activation nor a file with such a table.
    """
    if text in NAMED:
        return rounded(NAMED[text], grid)
    path = Path(text)
    if not path.is_file():
        raise InputError(f"--activation {text}: neither a file nor one of {', '.join(NAMED)}")
    return Table(grid, read_target(path, grid, 1))
