"""``verify tool experiment every-bit-counts --m 15 --seeds 10``: Tables 1 to 4 measured again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar, get_args, get_type_hints

import click

from constructions.every_bit_counts.experiments.choices import (
    FORMATS,
    Quantization,
    kind_of,
    printed,
)
from verifier.arithmetic.rationals import Fraction
from verifier.claims.verdicts import EXIT_VERIFIED
from verifier.commands.options import Integer
from verifier.commands.progress import Progress
from verifier.running.errors import MissingExtraError
from verifier.show.screen import console, plain_table

DEFAULT = Quantization()
PRINTED_SEEDS = 10
MARGIN, LEVEL = Fraction(5), Fraction(95, 100)

Command = TypeVar("Command", bound=Callable[..., Any])


def _choice(name: str, help: str) -> Callable[[Command], Command]:
    field = name.lstrip("-").replace("-", "_")
    words = click.Choice(get_args(get_type_hints(Quantization)[field]))
    return click.option(name, type=words, default=getattr(DEFAULT, field), show_default=True, help=help)


@click.command("experiment")
@click.argument("paper", type=click.Choice(["every-bit-counts"]))
@click.option("--m", type=Integer(2, 1000), default=15, show_default=True, help="Length of the strings.")
@click.option("--seeds", type=Integer(1, 1000), default=10, show_default=True, help="Number of networks; the seeds are 0, 1, …")
@click.option("--parts", type=Integer(1, 64), default=2, show_default=True, help="Number of threads; each trains a part of the seeds.")
@click.option("--steps", type=Integer(1, 10**7), show_default="the paper's", help="Training steps of each network, of 512 pairs each.")
@click.option(
    "--fine-tuning-steps",
    type=Integer(0, 10**6),
    default=500,
    show_default=True,
    help="Steps of fine-tuning in each format; 0: no second table.",
)
@click.option("--test", type=Integer(1, 10**6), default=5120, show_default=True, help="Number of pairs on which each accuracy is measured.")
@click.option(
    "--arithmetic",
    "formats",
    multiple=True,
    metavar="NAME",
    help="A format to quantize to: INT2 to INT24, E2M1 to E7M22 or one of the tables. May be repeated.",
)
@click.option("--residual", is_flag=True, help="Add the inputs of attention and MLP to their outputs.")
@click.option("--biases", is_flag=True, help="Add biases to queries, keys and values.")
@click.option("--scaled", is_flag=True, help="Divide <Q,K> by the square root of a head's dimension.")
@_choice("--scale", "Integer formats have one scale for each array, or for each output of a weight matrix.")
@click.option(
    "--clip",
    type=click.FloatRange(0, 1, min_open=True),
    default=1.0,
    show_default=True,
    help="Clip values at this share of the largest magnitude.",
)
@_choice("--activations", "Round the activations as well, or only the weights.")
@_choice("--attention", "Round each token's share of the attention, or its numerator and denominator.")
@_choice("--shift", "Subtract the maximum of a head's scores before e^score is rounded, or not.")
@_choice("--overflow", "The result for values beyond the largest one of a format.")
@_choice("--e4m3", "Whether the largest exponent of FP8_E4M3 stands for numbers (fn) or for infinity and NaN (ieee).")
@_choice("--no-number", "How an output of NaN is counted.")
@_choice("--fine-tuning", "Round the weights after each float32 step, or keep float weights and round them in use.")
@click.option(
    "--trained", type=click.Path(dir_okay=False, path_type=Path), help="Take the trained networks of this run, a file that --output wrote."
)
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write results to this JSON file and the networks beside it; a stopped run continues from it.",
)
def command(
    paper: str,
    m: int,
    seeds: int,
    parts: int,
    steps: int | None,
    fine_tuning_steps: int,
    test: int,
    formats: tuple[str, ...],
    residual: bool,
    biases: bool,
    scaled: bool,
    trained: Path | None,
    output: Path | None,
    **quantization: Any,
) -> int:
    """Train one-layer transformers on equality as Section 3 and Appendix D describe it, quantize them, and print Tables 1 to 4 for this m.

    Each accuracy is measured on pairs as the paper draws them; the number beside it is the accuracy on pairs that are equal or differ in
    one bit. Options fix what the paper leaves open.

    Below the tables, each printed cell of this m is compared: it is consistent if Welch's interval for the difference, at level 95 % for
    each cell, lies within 5 points, and not consistent if the whole interval lies outside. This is not a verdict; verdicts rest on
    committed runs.

    --arithmetic asks for formats of your own, which are not compared with the paper. With --trained FILE --fine-tuning-steps 0 the program
    only quantizes the networks of another run.
    """
    del paper
    if find_spec("jax") is None:
        raise MissingExtraError("verify tool experiment needs jax", "experiments")
    from constructions.every_bit_counts.experiments.training import Run

    for name in formats:
        kind_of(name)
    choices = printed(m, seeds)
    training = replace(choices.training, steps=steps or choices.training.steps, fine_tuning=fine_tuning_steps, test=test)
    network = replace(choices.network, residual=residual, biases=biases, scaled=scaled)
    quantized = Quantization(**quantization)
    named = tuple(dict.fromkeys(formats)) or FORMATS
    asked = replace(choices, network=network, training=training, quantization=quantized, parts=parts, formats=named)
    with Progress() as advance:
        document = Run(asked, output, advance, trained).complete()
    show(document)
    compare(document)
    return EXIT_VERIFIED


def show(document: dict[str, Any]) -> None:
    """Mean and standard deviation over the seeds of every accuracy, in per cent."""
    from constructions.every_bit_counts.experiments.training import SORTS

    m, seeds = document["choices"]["network"]["m"], document["seeds"]
    about = f"{document['steps']} steps, {document['parameters']} parameters, jax {document['versions']['jax']}"
    click.echo(f"m = {m}, seeds 0..{len(seeds) - 1}, {about}")
    table = plain_table()
    for title in ("format", *(f"{when}{sort}" for when in ("after training: ", "fine-tuned: ") for sort in ("as drawn", "one bit apart"))):
        table.add_column(title, justify="left" if title == "format" else "right")
    for name in ("float32", *document["choices"].get("formats", FORMATS)):
        cells = [document[name]] if name == "float32" else [document.get(t, {}).get(name) for t in ("after training", "after fine-tuning")]
        shown = [spread(cell[sort], document["of"]) if cell else "" for cell in cells for sort in SORTS]
        table.add_row(name, *shown, *[""] * (4 - len(shown)))
    console().print(table)


def compare(document: dict[str, Any]) -> None:
    """Print the printed rows of this m, cell by cell, if they exist and at least two seeds were run."""
    from constructions.every_bit_counts.mathematics import measured

    if len(document["seeds"]) < 2:
        return
    m = document["choices"]["network"]["m"]
    for table in (measured.FLOAT32, 1, 2, 3, 4):
        row = {heading: cell for (of, heading), cell in measured.printed_cells(table).items() if of == m}
        samples = dict(measured.cells(document, table, list(row)))
        said = [f"{h} {measured.compared(ours, row[h], PRINTED_SEEDS, MARGIN, LEVEL).agreement}" for h, ours in samples.items()]
        if said:
            click.echo(f"{f'Table {table}' if table else 'Section 3'}, m = {m}: {', '.join(said)}")


def spread(right: list[int], of: int) -> str:
    """``94.95 ± 15.98``, the deviation with n - 1."""
    from statistics import mean, stdev

    shares = [100 * k / of for k in right]
    return f"{mean(shares):.2f} ± {stdev(shares):.2f}" if len(shares) > 1 else f"{shares[0]:.2f}"
