"""``verify tool train piecewise-affine``: a network of two layers on scikit-learn's digits, without multiplications and with them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from verifier.claims.verdicts import EXIT_VERIFIED
from verifier.commands.options import Integer, output_option, put, screen_or_json_option
from verifier.commands.progress import Progress
from verifier.running.errors import MissingExtraError
from verifier.running.printable import json_text
from verifier.show.screen import console, plain_table

if TYPE_CHECKING:
    from constructions.piecewise_affine.mathematics.network import Breakdown, Epoch, Images

SCHEMA = "bitreferee-training-2"
CONFIDENCE = 0.95
EIGHT_BITS = {"e4m3": "float8_e4m3fn", "e5m2": "float8_e5m2"}
"""8-bit types, by their names in ml_dtypes."""
HELD_BACK = 597
"""The number of the last of the 1,797 images, which training does not see."""


@click.command("train")
@click.argument("what", type=click.Choice(["piecewise-affine"]))
@click.option("--seed", type=Integer(0), default=0, show_default=True, help="The seed of the first weights and of the order of the images.")
@click.option("--epochs", type=Integer(1, 1000), default=12, show_default=True)
@click.option("--hidden", type=Integer(1, 4096), default=32, show_default=True, help="Number of hidden units.")
@click.option(
    "--arithmetic", "dtype", type=click.Choice(["float32", "float16", "bfloat16", *EIGHT_BITS]), default="float32", show_default=True
)
@screen_or_json_option
@output_option
def command(what: str, seed: int, epochs: int, hidden: int, dtype: str, form: str, output: Path | None) -> int:
    """Train a network whose forward pass, backward pass and optimizer use piecewise affine operations, and the same network with ordinary
    ones.

    The accuracies are measurements on images that training did not see, each with its exact 95 % interval; they are not a verdict on
    the paper.
    """
    import numpy as np

    from constructions.piecewise_affine.mathematics.network import ORDINARY, PIECEWISE_AFFINE, Settings, train

    images = digits(dtype)
    settings = Settings(hidden=hidden, epochs=epochs)
    curves: dict[str, list[Epoch]] = {}
    broken: dict[str, list[Breakdown]] = {"piecewise affine": [], "ordinary": []}
    with Progress() as advance, np.errstate(all="ignore"):  # what is not finite is said below
        for name, arithmetic in (("piecewise affine", PIECEWISE_AFFINE), ("ordinary", ORDINARY)):
            label = f"training, {name}"
            advance(label, 0, epochs)
            curves[name] = list(train(arithmetic, images, settings, seed, partial(advance, label, total=epochs), broken[name].append))
    if form == "json" or output:
        put(json_text(document(curves, broken, seed, hidden, dtype)), output)
    if form == "screen":
        _show(curves, broken)
    return EXIT_VERIFIED


def digits(dtype: str) -> Images:
    """scikit-learn's 8 × 8 digits, their grey levels 0 … 16 in sixteenths.

    Raises:
        MissingExtraError: scikit-learn, or for bfloat16 ml_dtypes, is not installed.
    """
    import numpy as np

    from constructions.piecewise_affine.mathematics.network import Images

    try:
        from sklearn.datasets import load_digits
    except ImportError:
        raise MissingExtraError("verify tool train needs scikit-learn", "training") from None
    kind: Any = dtype
    if dtype not in ("float32", "float16"):
        try:
            import ml_dtypes
        except ImportError:
            raise MissingExtraError(f"--type {dtype} needs ml_dtypes", "training") from None
        kind = getattr(ml_dtypes, EIGHT_BITS.get(dtype, dtype))
    found = load_digits()
    x, labels = np.ldexp(found.data.astype(np.float32), -4).astype(kind), found.target.astype(np.int64)
    return Images(x[:-HELD_BACK], labels[:-HELD_BACK], x[-HELD_BACK:], labels[-HELD_BACK:])


def interval(right: int, of: int) -> tuple[float, float]:
    """The exact (Clopper–Pearson) interval of a proportion."""
    from scipy.stats import binomtest

    found = binomtest(right, of).proportion_ci(CONFIDENCE, method="exact")
    return float(found.low), float(found.high)


def document(curves: dict[str, list[Epoch]], broken: dict[str, list[Breakdown]], seed: int, hidden: int, dtype: str) -> dict[str, Any]:
    """The curves and the measurements as JSON."""
    made: dict[str, Any] = {"schema": SCHEMA, "seed": seed, "hidden": hidden, "type": dtype, "images held back": HELD_BACK}
    for name, epochs in curves.items():
        last = epochs[-1]
        made[name] = {
            "loss": [e.loss for e in epochs],
            "right": [e.right for e in epochs],
            "accuracy": f"{last.right}/{last.of}",
            "confidence": CONFIDENCE,
            "interval": interval(last.right, last.of),
            "not finite": [" ".join(str(where).split()) for where in broken[name]],
        }
    return made


def _show(curves: dict[str, list[Epoch]], broken: dict[str, list[Breakdown]]) -> None:
    table = plain_table()
    table.add_column("epoch", justify="right")
    for name in curves:
        table.add_column(f"{name}: loss", justify="right")
        table.add_column("accuracy", justify="right")
    for k, row in enumerate(zip(*curves.values(), strict=True)):
        table.add_row(
            str(k), *(text for e in row for text in ("no number" if e.loss is None else f"{e.loss:.4f}", f"{e.right / e.of:.1%}"))
        )
    console().print(table)
    for name, epochs in curves.items():
        low, high = interval(epochs[-1].right, epochs[-1].of)
        click.echo(f"{name}: {epochs[-1].right} of {epochs[-1].of} images right, {low:.1%} to {high:.1%} at {CONFIDENCE:.0%} confidence")
    for name, listed in broken.items():
        for where in listed:
            click.echo(f"{name}: steps are not finite {where}")
    click.echo("Measured on images that training did not see, for this seed; no verdict on the paper.")
