"""``verify tool represent --activation gelu --p 3 --s 2 --d 1 --target FILE|random``: a quantized network for any target, built and run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from verifier.claims.verdicts import EXIT_REFUTED, EXIT_VERIFIED
from verifier.commands.options import Integer, write
from verifier.commands.progress import Progress
from verifier.running.limits import Limits
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
    "--layers",
    type=click.Choice(["4", "3"]),
    default="4",
    show_default=True,
    help="4: the paper's network; 3: our shorter one.",
)
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
def command(network: Path | None, onnx: Path | None, layers: str, **given: Any) -> int:
    """Build the network of the fixed-point universal representation theorem for a target, and run it on every input.

    If the activation fails Condition 1 or s > 2^p - 1, the theorem's construction cannot be built; then our own construction is used. It
    has to reach only the values that the target takes, not all of Q_(p,s).

    Exit status: 0 it equals the target on every input; 1 it does not; 2 the activation, target or parameters cannot be used.
    """
    from constructions.fixed_point_networks.commands.represent import Wish, represent

    with Progress() as advance:
        answer = represent(Wish(layers=int(layers), **given), advance)
    grid, total = answer.network.grid, len(answer.target)
    for name, text in answer.facts.items():
        click.echo(f"{name}: {text}")
    if network is not None:
        _write_json(network, answer.network)
    if onnx is not None:
        _write_onnx(onnx, answer.network, total)
    if answer.difference is None:
        click.echo(f"equal to the target on all {total:,} inputs")
        return EXIT_VERIFIED
    x, got, want = answer.difference
    click.echo(f"differs from the target: f({', '.join(map(grid.show, x))}) = {grid.show(got)}, f* = {grid.show(want)}")
    return EXIT_REFUTED


def _write_json(path: Path, network: Any) -> None:
    """Write the file, and read it back as a check."""
    from constructions.fixed_point_networks.mathematics.networks.files import from_json, to_json

    text = to_json(network)
    if from_json(text, str(path)) != network:
        raise AssertionError("the network read back is another one")
    write(path, text)
    click.echo(f"written: {path}")


def _write_onnx(path: Path, network: Any, total: int) -> None:
    """Write the model, run it, and compare it with the network on every input."""
    from constructions.fixed_point_networks.mathematics.networks.files import run_onnx, to_onnx
    from constructions.fixed_point_networks.mathematics.networks.network import all_inputs, run_all

    model = to_onnx(network)
    inputs = all_inputs(network.grid, network.dimension)
    same = run_onnx(model, inputs) == run_all(network, inputs).tolist()
    write_whole(path, model)
    click.echo(f"written: {path}; onnxruntime {'reproduces the network' if same else 'DIFFERS from the network'} on all {total:,} inputs")
