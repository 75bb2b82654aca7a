"""``verify convert``: weights in an archive or an ONNX model into a network file, a network into an ONNX model or a NumPy module."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, get_args

import click

from verifier.claims.verdicts import EXIT_REFUTED, EXIT_VERIFIED
from verifier.commands.options import Integer, write
from verifier.commands.subjects import SubjectCommand, named_in
from verifier.interface.subjects import ClaimSubject, NetworkSubject, PaperSubject, Subject, TableSubject
from verifier.running.errors import InputError, MissingExtraError
from verifier.show.streams import written
from verifier.transformers.exports import Compared, compared, numpy_module, onnx_model, runner
from verifier.transformers.network import network
from verifier.transformers.operations import FLOATS, Operations
from verifier.transformers.records import Mask
from verifier.weights.frame import KNOWN_ACTIVATIONS, Frame
from verifier.weights.network_files import from_tensors
from verifier.weights.onnx_files import from_onnx

MOST_INPUTS = 1 << 12
NETWORKS_TO = (".onnx", ".py")
"""What a network is written as."""


WITHOUT: dict[type[Subject], str] = {
    kind: f"only networks are written as ONNX or NumPy; `{instead}` has the numbers of a {kind.kind}"
    for kind, instead in (
        (TableSubject, "verify trace NAME --format json"),
        (ClaimSubject, "verify trace NAME --format json"),
        (PaperSubject, "verify NAME --format json"),
    )
}


class ConvertCommand(SubjectCommand):
    """A command on weights or on a network: only a network is a subject, whose parameters are options."""

    def words_of(self, args: Sequence[str], options: Iterable[click.Parameter]) -> list[str]:
        words = super().words_of(args, options)
        network = words[:1] and (words[0].startswith("gallery/") or words[0].endswith(".toml"))
        target = words[1] if len(words) > 1 else ""
        return words if target.endswith(NETWORKS_TO) or (network and not target.endswith(".toml")) else []


@click.command("convert", cls=ConvertCommand, most=1, without=WITHOUT)
@click.argument("source", type=click.Path(path_type=Path), metavar="SOURCE")
@click.argument("target", type=click.Path(dir_okay=False, path_type=Path), metavar="TARGET")
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
@click.option("--arithmetic", type=click.Choice(list(FLOATS)), help="The number format of TARGET.onnx or TARGET.py.  [default: float64]")
@click.option("--inputs", type=Integer(0), help=f"Compare the answers to at most so many inputs.  [default: {MOST_INPUTS}]")
@click.option("--force", is_flag=True, help="Write TARGET although there is a file of this name.")
@click.pass_context
def command(
    context: click.Context, /, source: Path, target: Path, arithmetic: str | None, inputs: int | None, force: bool, **given: Any
) -> int:
    """Write weights as a network file, or a network as an ONNX model or a NumPy module, as TARGET's ending says.

    \b
    verify convert WEIGHTS TARGET.toml   a network file, its weights as exact fractions
    verify convert NETWORK TARGET.onnx   an ONNX model; TARGET.py: a NumPy module

    WEIGHTS is an archive (.npz, .safetensors) of a small transformer with the tensor names of GPT-2, LLaMA or Tracr, or a model that this
    command wrote (.onnx); it needs --function. Heads, eps and activation are read from a config.json beside a .safetensors file.

    NETWORK is a network file or gallery/ID, at parameters such as --n 4. What is written is run on the first inputs, in order, and compared
    with this program's run in the same format, bit for bit. Sums in another order or another exp can make a difference. Exit status: 0 no
    answer differs; 1 an answer differs.
    """
    if target.suffix not in (*NETWORKS_TO, ".toml"):
        raise InputError(f"{target}: a name that ends in .toml, .onnx or .py was expected")
    if target.exists() and not force:
        raise InputError(f"{target}: there is a file of this name; another name was expected, or --force")
    if target.suffix == ".toml":
        if arithmetic or inputs is not None:
            raise InputError("--arithmetic and --inputs are for TARGET.onnx and TARGET.py")
        return _from_weights(source, target, given)
    named = named_in(context, NetworkSubject)
    if not named:
        raise InputError(f"{source}: a network file was expected, or one of the gallery, such as gallery/parity")
    weights = {option.name for option in command.params}
    if foreign := [f"--{name}" for name in weights & given.keys() if given[name] is not None]:
        raise InputError(f"{min(foreign)} is for weights; {source} is a network")
    own = {name: text for name, text in given.items() if name not in weights and text is not None}
    return _of_network(named[0], target, arithmetic or "float64", MOST_INPUTS if inputs is None else inputs, own)


def _from_weights(weights: Path, file: Path, given: dict[str, Any]) -> int:
    """Write weights as a network file."""
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


def _of_network(subject: NetworkSubject, output: Path, form: str, inputs: int, given: dict[str, str]) -> int:
    """Write a network as an ONNX model or a NumPy module, and compare its answers."""
    operations = Operations(network(subject.file, subject.integers(given)), form)
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
