"""``verify represent`` for one user: an activation, a target, a network, and its outputs on every input."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from constructions.fixed_point_networks.mathematics.activations import NAMED
from constructions.fixed_point_networks.mathematics.condition_1 import normal_form
from constructions.fixed_point_networks.mathematics.grid import FixedPoint, admitted
from constructions.fixed_point_networks.mathematics.networks.cube_indicator import PRINTED, REPAIRED
from constructions.fixed_point_networks.mathematics.networks.json_files import read_target
from constructions.fixed_point_networks.mathematics.networks.network import Network
from constructions.fixed_point_networks.mathematics.networks.representator import first_difference, plan, representator
from constructions.fixed_point_networks.mathematics.networks.three_layers import short_representator
from constructions.fixed_point_networks.mathematics.rounded_activations import Table, rounded
from verifier.running.errors import InputError, LimitError, amount


@dataclass(frozen=True)
class Wish:
    """What is asked for. ``activation``: a name, or a file with the value at every input. ``target``: a file, or ``random`` with a seed."""

    activation: str
    p: int
    s: int
    d: int
    target: str
    seed: int = 0
    binary: bool = False
    layers: int = 4
    edition: str = "repaired"
    limit: int = 1 << 31


@dataclass(frozen=True)
class Answer:
    """The network, the target, how it was planned, and the first input at which the two differ (None: equal on every input)."""

    network: Network
    target: tuple[int, ...]
    facts: dict[str, str]
    difference: tuple[tuple[int, ...], int, int] | None


def represent(wish: Wish) -> Answer:
    """Build the network and run it on every input.

    Raises:
        InputError: the activation or target cannot be used; LimitError: too many inputs and neurons for ``limit``.
    """
    if wish.p > wish.limit.bit_length() or wish.d > wish.limit.bit_length():
        raise LimitError(f"p = {amount(wish.p)}, d = {amount(wish.d)}: more than 2^max(p, d) products", "--limit")
    grid = admitted(wish.p, wish.s)
    if wish.d < 1:
        raise InputError(f"--d {wish.d}: at least 1 was expected")
    work = grid.size ** (2 * wish.d) * 8 * wish.d
    if work > wish.limit:
        raise LimitError(f"{amount(grid.size**wish.d)} inputs through as many indicators, {amount(work)} products", "--limit")
    table = activation_table(wish.activation, grid)
    if normal_form(table) is None:
        raise InputError(f"--activation {wish.activation}: the table does not satisfy Condition 1, which the construction needs")
    made = plan(table, wish.binary)
    target = _target(wish, grid)
    if wish.layers == 3:
        if wish.edition == "printed":
            raise InputError("--layers 3 is not the paper's construction and has no printed edition")
        network = short_representator(table, target, wish.d, wish.binary)
    else:
        network = representator(table, target, wish.d, PRINTED if wish.edition == "printed" else REPAIRED, wish.binary)
    normal = made.normal
    facts = {
        "Condition 1": f"alpha = {normal.alpha}, beta = {normal.beta}, z = {grid.show(normal.z)}",
        "bias": f"b = {grid.show(made.bias)}",
        "terms": f"at most {max(len(t) for t in made.terms.values())} for a value",
        "layers": str(network.depth),
        "neurons": " + ".join(f"{len(layer):,}" for layer in network.layers),
        "parameters": f"{network.parameters:,}",
    }
    return Answer(network, target, facts, first_difference(network, target))


def activation_table(text: str, grid: FixedPoint) -> Table:
    """The rounded activation of this name, or of a file with its value at every input of Q_{p,s}, ascending.

    Raises:
        InputError: neither, or the file is no such table.
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
