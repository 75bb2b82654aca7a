"""``verify import WEIGHTS FILE``: the network file of a transformer whose weights are in an archive or an ONNX model."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import click

from verifier.claims.verdicts import EXIT_VERIFIED
from verifier.commands.options import Integer, write
from verifier.running.errors import InputError, MissingExtraError
from verifier.transformers.records import Mask
from verifier.weights.frame import KNOWN_ACTIVATIONS, Frame
from verifier.weights.network_files import from_tensors
from verifier.weights.onnx_files import from_onnx


@click.command("import")
@click.argument("weights", type=click.Path(path_type=Path))
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--function", help="The right answer: a formula in the string w, its length n, and for --steps the symbol's number k.")
@click.option("--yes", help="The model says yes where this holds of coordinates, such as 'x3 > 0'; else it chooses a symbol.")
@click.option("--at", help="The token that answers: a word, first, last, or a formula for its position.  [default: last]")
@click.option("--steps", help="So many symbols are appended, one after the other: a formula in n.")
@click.option("--answer", help="The residual labels NAME:symbol of a compiled model are its logits.", metavar="NAME")
@click.option("--vocabulary", help="The words of the embedding's rows, with commas.  [default: 0,1,…]", metavar="WORDS")
@click.option("--tokens", help="The tokens that are read: words, and w for the string, such as BOS,w. [default: w]", metavar="WORDS")
@click.option("--letters", help="The words that strings are made of.  [default: all but those in --tokens]", metavar="WORDS")
@click.option("--heads", type=Integer(1), help="The number of heads.")
@click.option("--groups", type=Integer(1), help="The number of heads of keys and values, if it is smaller.")
@click.option("--eps", help="The number that norms add to the variance, such as 1/100000.")
@click.option("--activation", help=f"One of {KNOWN_ACTIVATIONS}.")
@click.option("--rotary", help="The base of rotary positions, 10000 if it is not given.")
@click.option("--mask", type=click.Choice(get_args(Mask)), help="Another mask than that of the model's family.")
def command(weights: Path, file: Path, **given: Any) -> int:
    """Write FILE.toml, a network file with the weights of WEIGHTS as exact fractions, for `verify precision FILE.toml`.

    WEIGHTS is an archive (.npz, .safetensors) of a small transformer with the tensor names of GPT-2, LLaMA or Tracr, or a model that
    `verify export` wrote (.onnx). Heads, eps and activation are read from a config.json beside a .safetensors file, if there is one.
    """
    if file.suffix != ".toml":
        raise InputError(f"{file}: a name that ends in .toml was expected")
    if file.exists():
        raise InputError(f"{file}: there is a file of this name; another name was expected")
    if weights.suffix == ".onnx":
        try:
            text = from_onnx(weights, file.name, _frame(given) if any(given.values()) else None)
        except ImportError:
            raise MissingExtraError("reading .onnx", "onnx") from None
    else:
        text = from_tensors(weights, file.name, given, _frame(given))
    write(file, text)
    click.echo(f"{file} is written; try: verify precision {file}")
    return EXIT_VERIFIED


def _frame(given: dict[str, Any]) -> Frame:
    if not given["function"]:
        raise InputError("--function was expected: what the right answer is, such as 'popcount(w) % 2'")
    listed = {name: _listed(given[name]) for name in ("vocabulary", "letters", "tokens")}
    listed["tokens"] = listed["tokens"] or ["w"]
    return Frame(
        given["function"],
        **listed,
        at=given["at"] or "last",
        yes=given["yes"] or "",
        steps=given["steps"] or "",
        answer=given["answer"] or "",
    )


def _listed(words: str | None) -> list[str]:
    return [word.strip() for word in words.split(",")] if words else []
