"""``verify tool represent --activation gelu --p 3 --s 2 --d 1 --target FILE|random``: a quantized network for any target, built and run.

``verify tool represent`` for one user: an activation, a target, a network, and its outputs on every input.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from constructions.fixed_point_networks.mathematics.activations import NAMED, Table, normal_form, rounded
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.files import read_target
from constructions.fixed_point_networks.mathematics.networks.network import (
    PRINTED,
    REPAIRED,
    Network,
    bias_of,
    first_difference,
    plan,
    representator,
)
from constructions.fixed_point_networks.mathematics.networks.without_hypotheses import (
    constant_network,
    copies_of,
    least_number_of_tellers,
    number_of_tellers,
    separating_representator,
    unconditional_representator,
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

    If the activation fails Condition 1 or s > 2^p - 1, the theorem's construction cannot be built; then our own construction is used. It
    has to reach only the values that the target takes, not all of Q_(p,s).

    Exit status: 0 it equals the target on every input; 1 it does not; 2 the activation, target or parameters cannot be used.
    """

    with Progress() as advance:
        answer = represent(Wish(**given), advance)
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


def _write_onnx(path: Path, network: Any, total: int) -> None:
    """Write the model, run it, and compare it with the network on every input."""
    from constructions.fixed_point_networks.mathematics.networks.files import run_onnx, to_onnx
    from constructions.fixed_point_networks.mathematics.networks.network import all_inputs, run_all

    model = to_onnx(network)
    inputs = all_inputs(network.grid, network.dimension)
    same = run_onnx(model, inputs) == run_all(network, inputs).tolist()
    write_whole(path, model)
    click.echo(f"written: {path}; onnxruntime {'reproduces the network' if same else 'DIFFERS from the network'} on all {total:,} inputs")


AT_ONCE = 1 << 10
"""Inputs that are run between two reports of progress."""


@dataclass(frozen=True)
class Wish:
    """The network that is asked for. ``activation``: a name, or a file with the value at every input. ``target``: a file, or ``random``
    with a seed."""

    activation: str
    p: int
    s: int
    d: int
    target: str
    seed: int = 0
    binary: bool = False
    edition: str = "repaired"
    limit: int = 1 << 31


@dataclass(frozen=True)
class Answer:
    """The network, the target, how it was planned, and the first input at which the two differ (None: equal on every input)."""

    network: Network
    target: tuple[int, ...]
    facts: dict[str, str]
    difference: tuple[tuple[int, ...], int, int] | None


def represent(wish: Wish, advance: Advance = silent) -> Answer:
    """Build the network and run it on every input.

    It is the paper's wherever that can be built: with Condition 1, and with weights ±1 or 1 in Q_{p,s}. Elsewhere it is one of ours.

    Raises:
        InputError: the activation or target cannot be used; LimitError: too many inputs and neurons for ``limit``.
    """
    if wish.p > wish.limit.bit_length() or wish.d > wish.limit.bit_length():
        raise LimitError(f"p = {amount(wish.p)}, d = {amount(wish.d)}: more than 2^max(p, d) products", "--limit")
    grid = FixedPoint(wish.p, wish.s)
    if wish.d < 1:
        raise InputError(f"--d {wish.d}: at least 1 was expected")
    _within(wish, grid, 8 * wish.d)
    table = activation_table(wish.activation, grid)
    target = _target(wish, grid)
    advance("building the network", 0, 0)
    network, facts = _paper_network(wish, table, target) if _papers(wish, table) else _own_network(wish, table, target)
    advance("building the network", 1, 1)
    facts |= {
        "layers": str(network.depth),
        "neurons": " + ".join(f"{len(layer):,}" for layer in network.layers),
        "parameters": f"{network.parameters:,}",
    }
    return Answer(network, target, facts, first_difference(network, target, advance, AT_ONCE))


def _within(wish: Wish, grid: FixedPoint, weights: int) -> None:
    """Raises: LimitError: more products than the limit, where each input has a part of so many weights."""
    inputs = grid.size**wish.d
    if inputs * inputs * weights > wish.limit:
        raise LimitError(f"{amount(inputs)} inputs through as many indicators, {amount(inputs * inputs * weights)} products", "--limit")


def _papers(wish: Wish, table: Table) -> bool:
    """Whether the paper's construction can be built.

    Raises:
        InputError: it cannot, and was asked for.
    """
    possible = normal_form(table) is not None and (wish.binary or table.grid.s <= table.grid.top)
    if not possible and wish.edition == "printed":
        why = "1 is not in Q_(p,s)" if normal_form(table) is not None else f"--activation {wish.activation} does not satisfy Condition 1"
        raise InputError(f"--edition printed cannot be built: {why}; without it our own network is built")
    return possible


def _paper_network(wish: Wish, table: Table, target: tuple[int, ...]) -> tuple[Network, dict[str, str]]:
    made = plan(table, wish.binary, target)
    normal = made.normal
    network = representator(table, target, wish.d, PRINTED if wish.edition == "printed" else REPAIRED, wish.binary)
    return network, {
        "Condition 1": f"alpha = {normal.alpha}, beta = {normal.beta}, z = {table.grid.show(normal.z)}",
        "bias": f"b = {table.grid.show(made.bias)}",
        "terms": f"at most {max(len(t) for t in made.terms.values())} for a value",
    }


def _own_network(wish: Wish, table: Table, target: tuple[int, ...]) -> tuple[Network, dict[str, str]]:
    """Without Condition 1, or with weights in a Q_{p,s} without 1."""
    grid = table.grid
    condition = "holds" if normal_form(table) is not None else "fails"
    if len(set(target)) == 1:
        return constant_network(table, target[0], wish.d, wish.binary), {"Condition 1": condition, "construction": "ours, a constant"}
    if wish.binary or grid.s <= grid.top:
        bias_of("BS" if wish.binary else "S", table, target)  # whether there is a network at all, before its size
        _within(wish, grid, 4 * wish.d * copies_of(table))
        network = unconditional_representator(table, target, wish.d, wish.binary)
        return network, {"Condition 1": condition, "construction": "ours, which needs no Condition 1"}
    bias_of("S", table, target)
    if grid.size**4 * 8 > wish.limit:
        raise LimitError(f"{amount(grid.size**4 * 8)} comparisons of what a first layer tells apart", "--limit")
    weights = 16 * wish.d * grid.s**2
    _within(wish, grid, weights * least_number_of_tellers(table))  # at once; the number itself takes a while
    _within(wish, grid, weights * number_of_tellers(table))
    network = separating_representator(table, target, wish.d)
    return network, {"Condition 1": condition, "construction": "ours, for a scaling factor s > 2^p - 1"}


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


def _target(wish: Wish, grid: FixedPoint) -> tuple[int, ...]:
    if wish.target != "random":
        return read_target(Path(wish.target), grid, wish.d)
    source = random.Random(wish.seed)
    return tuple(source.randint(-grid.top, grid.top) for _ in range(grid.size**wish.d))
