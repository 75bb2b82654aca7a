"""``verify convert``: weights in an archive or an ONNX model into a network file, a network into an ONNX model or a NumPy module."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import click

from verifier.claims.verdicts import EXIT_REFUTED, EXIT_VERIFIED
from verifier.commands.networks import READ, NetworkCommand, given_integers
from verifier.commands.options import Integer, write
from verifier.running.errors import InputError, MissingExtraError
from verifier.show.streams import written
from verifier.transformers.exports import Compared, compared, numpy_module, onnx_model, runner
from verifier.transformers.network import network
from verifier.transformers.operations import FLOATS, Operations
from verifier.transformers.records import Mask, NetworkFile
from verifier.weights.frame import KNOWN_ACTIVATIONS, Frame
from verifier.weights.network_files import from_tensors
from verifier.weights.onnx_files import from_onnx

MOST_INPUTS = 1 << 12


@click.command("convert")
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

    WEIGHTS is an archive (.npz, .safetensors) of a small transformer with the tensor names of GPT-2, LLaMA or Tracr, or a model that this
    command wrote (.onnx). Heads, eps and activation are read from a config.json beside a .safetensors file, if there is one.

    The other way: `verify convert NETWORK FILE.onnx`, or FILE.py, writes a network, such as gallery/parity, as an ONNX model or a NumPy
    module.
    """
    if file.suffix in (".onnx", ".py"):
        raise InputError(f"{weights}: a network file was expected, or one of the gallery, such as gallery/parity")
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


@click.command("convert", cls=NetworkCommand)
@click.argument("file")
@click.argument("output", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--floats", "form", type=click.Choice(list(FLOATS)), default="float64", show_default=True, help="The format of all numbers.")
@click.option("--inputs", type=Integer(0), default=MOST_INPUTS, show_default=True, help="Compare the answers to at most so many inputs.")
@click.pass_context
def of_network(context: click.Context, /, file: str, output: Path, form: str, inputs: int, **given: str | None) -> int:
    """Write the network of FILE at the given parameters to OUTPUT: an ONNX model (NAME.onnx) or a NumPy module (NAME.py).

    The written file is run on the first inputs, in order, and compared with this program's run in the same format, bit for bit. Sums in
    another order or another exp can make a difference. Exit status: 0 no answer differs; 1 an answer differs.
    """
    if output.suffix not in (".onnx", ".py"):
        raise InputError(f"{output}: a name that ends in .onnx or .py was expected")
    read: dict[str, NetworkFile] = context.meta[READ]
    if file not in read:
        raise InputError(f"{file}: a network file was expected, or one of the gallery, such as gallery/parity")
    texts = {key: value for key, value in given.items() if value is not None}
    operations = Operations(network(read[file], given_integers(read[file], texts)), form)
    try:
        if output.suffix == ".py":
            write(output, numpy_module(operations))
        else:
            output.write_bytes(onnx_model(operations).SerializeToString())
        run = runner(output)
    except ImportError:
        raise InputError("an ONNX model needs the packages onnx and onnxruntime: install bitreferee[onnx]") from None
    except OSError as error:
        raise InputError(f"{output}: {error.strerror}") from None
    found = compared(operations, run, inputs)
    written("\n".join(_said(output, operations, found)) + "\n")
    return EXIT_REFUTED if found.answers else EXIT_VERIFIED


def _said(output: Path, operations: Operations, found: Compared) -> list[str]:
    """What is told of the comparison."""
    of = f"{found.inputs:,} of {operations.network.input.count:,} inputs in {operations.format}"
    lines = [f"{output} is written; compared on {of}"]
    if found.first is None:
        return [*lines, "every coordinate is the same, bit for bit"]
    where = ", ".join(f"{name} = {text}" for name, text in found.first.strings.items())
    lines.append(f"coordinates differ on {found.coordinates:,} inputs, first at {where}: {found.first.shown}")
    return [*lines, f"answers differ on {found.answers:,}" if found.answers else "every answer is the same"]
