"""``verify convert``: weights in an archive into a network file, a network into an ONNX model or a NumPy module."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, get_args

import click

from verifier.claims.verdicts import EXIT_REFUTED, EXIT_VERIFIED
from verifier.commands.options import Integer
from verifier.commands.subjects import SubjectCommand, named_in
from verifier.interface.converting import MOST_INPUTS, NETWORKS_TO, network_written, target_of, weights_written
from verifier.interface.subjects import ClaimSubject, NetworkSubject, PaperSubject, Subject, TableSubject
from verifier.running.errors import InputError
from verifier.show.streams import written
from verifier.transformers.operations import FLOATS
from verifier.transformers.records import Mask
from verifier.weights.frame import KNOWN_ACTIVATIONS

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

    WEIGHTS is an archive (.npz, .safetensors) of a small transformer with the tensor names of GPT-2, LLaMA or Tracr; it needs --function.
    Heads, eps and activation are read from a config.json beside a .safetensors file.

    NETWORK is a network file or gallery/ID, at parameters such as --n 4. What is written is run on the first inputs, in order, and compared
    with this program's run in the same format, bit for bit. Sums in another order or another exp can make a difference. Exit status: 0 no
    answer differs; 1 an answer differs.
    """
    target_of(target, force)
    if target.suffix == ".toml":
        if arithmetic or inputs is not None:
            raise InputError("--arithmetic and --inputs are for TARGET.onnx and TARGET.py")
        found = weights_written(source, target, given)
    else:
        named = named_in(context, NetworkSubject)
        if not named:
            raise InputError(f"{source}: a network file was expected, or one of the gallery, such as gallery/parity")
        of_weights = {option.name for option in command.params}
        if foreign := [f"--{name}" for name in of_weights & given.keys() if given[name] is not None]:
            raise InputError(f"{min(foreign)} is for weights; {source} is a network")
        own = {name: text for name, text in given.items() if name not in of_weights and text is not None}
        found = network_written(named[0], target, arithmetic or "float64", MOST_INPUTS if inputs is None else inputs, own)
    written("\n".join(found.lines()) + "\n")
    return EXIT_REFUTED if found.compared is not None and found.compared.answers else EXIT_VERIFIED
