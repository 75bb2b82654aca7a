"""``verify tool every-pair RUN.json --seed 0 --bits 8``: a trained network with integer weights on all 4^m pairs of strings."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from constructions.every_bit_counts.experiments.choices import RUNS, read_results
from verifier.claims.verdicts import EXIT_REFUTED, EXIT_VERIFIED
from verifier.commands.options import Integer
from verifier.commands.progress import Progress
from verifier.running.errors import InputError
from verifier.running.printable import json_text
from verifier.show.streams import write_whole

if TYPE_CHECKING:
    from constructions.every_bit_counts.experiments.every_pair import Count, IntegerNetwork

SCHEMA = "bitreferee-every-pair-1"
MOST = 16
"""Bits of a string: beyond it the pairs are too many."""
KEPT = 256
"""Rows after which the results are kept."""


@click.command("every-pair")
@click.argument("results", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--seed", type=Integer(0), default=0, show_default=True, help="The number of the network in a run.")
@click.option(
    "--bits", type=Integer(2, 24), default=8, show_default=True, help="The number of bits of the integers to which its weights are rounded."
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A JSON file with the network and the results so far; a later run continues it.",
)
def command(results: Path, seed: int, bits: int, output: Path | None) -> int:
    """Count the pairs of strings that a trained network answers wrongly, with its weights rounded to integers and a scale for each array.

    RESULTS is a file that `verify tool experiment --output` or this command wrote; its network is used. The activations
    are real numbers: every answer is certain, by an error bound or in balls. Exit status 1 if an answer is wrong.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # its threads wait for each other longer than such small products take
    from constructions.every_bit_counts.experiments.every_pair import counted

    network, about = taken(results, seed, bits)
    count = begun(output, network, about)
    rows = 1 << network.m
    with Progress() as advance:

        def keep(count: Count) -> None:
            advance("strings y", count.rows, rows)
            if output is not None and (count.rows % KEPT == 0 or count.rows == rows):
                write_whole(output, json_text(document(network, about, count)).encode())

        counted(network, count, keep)
    show(network, count)
    return EXIT_REFUTED if count.smallest is not None else EXIT_VERIFIED


def taken(results: Path, seed: int, bits: int) -> tuple[IntegerNetwork, dict[str, Any]]:
    """The network, and where it comes from.

    Raises:
        InputError: the file has no results, the architecture has more than is printed, or the strings are too long to enumerate.
    """
    from constructions.every_bit_counts.experiments.every_pair import IntegerNetwork
    from verifier.weights.tensors import Checkpoint

    found = read_results(results, RUNS, SCHEMA)
    if found["schema"] == SCHEMA:
        made = IntegerNetwork.of(found["network"])
        about = found["about"]
    else:
        network = found["choices"]["network"]
        if network["residual"] or network["biases"] or network["scaled"]:
            raise InputError(f"{results}: a network without residual, biases and scaling was expected")
        if not 0 <= seed < len(found["seeds"]):
            raise InputError(f"--seed {seed}: one of 0..{len(found['seeds']) - 1} was expected")
        networks = Checkpoint(results.with_suffix(".npz"))
        parameters = {name.partition("/")[2]: networks[name][seed] for name in networks if name.startswith("parameters/")}
        made = IntegerNetwork.rounded(parameters, bits, network["m"], network["heads"])
        right = {sort: found["float32"][sort][seed] for sort in found["float32"]}
        about = {"seed": seed, "bits": bits, "choices": found["choices"], "versions": found["versions"], "of": found["of"], "right": right}
    if made.m > MOST:
        raise InputError(f"m = {made.m}: at most {MOST} was expected, because the command goes through 4^m pairs")
    return made, about


def begun(output: Path | None, network: IntegerNetwork, about: dict[str, Any]) -> Count:
    """The pairs of this network that a file has counted.

    Raises:
        InputError: a file of another network.
    """
    from constructions.every_bit_counts.experiments.every_pair import Count

    if output is None or not output.exists():
        return Count.begun(network.m)
    found = read_results(output, SCHEMA)
    if (found.get("network"), found.get("about")) != (network.document(), about):
        raise InputError(f"{output}: results of another network; the same or another file were expected")
    try:
        smallest = found["smallest wrong"]
        return Count(found["strings y"], found["decided in"], found["wrong by distance"], None if smallest is None else tuple(smallest))
    except (KeyError, TypeError) as error:
        raise InputError(f"{output}: results of verify tool every-pair were expected ({error!r})") from None


def document(network: IntegerNetwork, about: dict[str, Any], count: Count) -> dict[str, Any]:
    """The network and the results: the strings as numbers, the first bit the most significant."""
    return {
        "schema": SCHEMA,
        "about": about,
        "strings y": count.rows,
        "pairs": count.rows << network.m,
        "wrong": sum(count.wrong),
        "wrong by distance": count.wrong,
        "smallest wrong": count.smallest,
        "decided in": count.decided,
        "network": network.document(),
    }


def show(network: IntegerNetwork, count: Count) -> None:
    """Print the number of wrong pairs, the smallest, and the number at each distance."""
    from constructions.every_bit_counts.experiments.every_pair import distances

    m, wrong = network.m, sum(count.wrong)
    decided = ", ".join(f"{many:,} in {name}" for name, many in count.decided.items())
    click.echo(f"{wrong:,} of {4**m:,} pairs are answered wrongly, m = {m} ({decided})")
    if count.smallest is not None:
        y, z = (format(k, f"0{m}b") for k in count.smallest)
        click.echo(f"the smallest: y = {y}, z = {z}")
    for k, (bad, many) in enumerate(zip(count.wrong, distances(m), strict=True)):
        click.echo(f"{k:>3} bits differ: {bad:>13,} of {many:>13,} wrong")
