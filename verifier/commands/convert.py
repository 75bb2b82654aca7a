"""``convert`` and ``verify convert``: weights into a network file, a network into an ONNX model or a NumPy module."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, get_args

import click

from verifier.claims.verdicts import EXIT_REFUTED, EXIT_VERIFIED
from verifier.commands.options import Integer, write
from verifier.commands.progress import Progress
from verifier.commands.subjects import (
    SUBJECTS,
    ClaimSubject,
    NetworkSubject,
    PaperSubject,
    Subject,
    SubjectCommand,
    TableSubject,
    given_subject,
)
from verifier.interface.arguments import Values, of_arguments, one_of, texts
from verifier.running.errors import InputError
from verifier.running.identifiers import meant
from verifier.running.notebooks import INTEGER, OBJECT, TEXT, Columns, Shown
from verifier.running.printable import assignment
from verifier.show.streams import write_whole, written
from verifier.transformers.exports import FLOATS, Compared, Operations, compared, numpy_module, onnx_model, runner
from verifier.transformers.network import network
from verifier.transformers.records import Mask
from verifier.weights.families import KNOWN_ACTIVATIONS, Frame, from_tensors

MOST_INPUTS = 1 << 12
NETWORKS_TO = (".onnx", ".py")
"""The formats in which a network is written."""
ENDINGS = (".toml", *NETWORKS_TO)


@dataclass(frozen=True, repr=False)
class Written(Shown):
    """A file that was written. compared: for a network, the comparison of its answers with this program's in the same format."""

    path: str
    inputs: int = 0
    format: str = ""
    compared: Compared | None = None
    columns: ClassVar[Columns] = {
        "format": TEXT,
        "inputs": OBJECT,
        **dict.fromkeys(("compared", "coordinates_differ", "answers_differ"), INTEGER),
    }

    @property
    def status(self) -> int:
        """The exit status of the command line: 1 if an answer differs."""
        return EXIT_REFUTED if self.compared is not None and self.compared.answers else EXIT_VERIFIED

    def caption(self) -> str:
        return self.lines()[0]

    def rows(self) -> list[dict[str, Any]]:
        """A row for a comparison: the format, the inputs, how many were compared, and on how many coordinates or answers differ."""
        found = self.compared
        return [] if found is None else [self.row(self.format, self.inputs, found.inputs, found.coordinates, found.answers)]

    def to_dict(self) -> dict[str, Any]:
        """The file, and the row of the comparison; the command line has no such document."""
        return {"file": self.path, **{name: str(value) for row in self.rows() for name, value in row.items()}}

    def lines(self) -> list[str]:
        """The lines of the comparison."""
        if self.compared is None:
            return [f"{self.path} is written; try: verify precision {self.path}"]
        found = self.compared
        if not found.inputs:
            return [f"{self.path} is written, and was not compared with the network"]
        lines = [f"{self.path} is written; compared on {found.inputs:,} of {self.inputs:,} inputs in {self.format}"]
        if found.first is None:
            return [*lines, "every coordinate is the same, bit for bit"]
        where = assignment(found.first.strings)
        lines.append(f"coordinates differ on {found.coordinates:,} inputs, first at {where}: {found.first.shown}")
        return [*lines, f"answers differ on {found.answers:,}" if found.answers else "every answer is the same"]


def target_of(source: Path, path: Path, force: bool) -> None:
    """Check a target before any work.

    Raises:
        InputError: the name's ending says no kind of file, or that of the source itself, or the file exists.
    """
    if path.suffix == ".toml" and (source.suffix == ".toml" or source.parts[:1] == ("gallery",)):
        raise InputError(f"{path}: {source} is a network file already; a name that ends in {' or '.join(NETWORKS_TO)} was expected")
    if path.suffix not in ENDINGS:
        raise InputError(f"{path}: a name that ends in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]} was expected")
    if path.exists() and not force:
        raise InputError(f"{path}: the file exists; another name was expected, or --force")


def weights_written(weights: Path, target: Path, given: Mapping[str, Any]) -> Written:
    """Write weights as a network file.

    Raises:
        InputError: weights that cannot be read, or no function.
    """
    text = from_tensors(weights, target.name, dict(given), _frame(given))
    write(target, text)
    return Written(str(target))


def _frame(given: Mapping[str, Any]) -> Frame:
    if not given.get("function"):
        raise InputError("--function was expected: what the right answer is, such as 'popcount(w) % 2'")
    listed = {name: [word.strip() for word in (given.get(name) or "").split(",") if word] for name in ("vocabulary", "letters", "tokens")}
    listed["tokens"] = listed["tokens"] or ["w"]
    yes, steps, answer = (given.get(name) or "" for name in ("yes", "steps", "answer"))
    return Frame(given["function"], **listed, at=given.get("at") or "last", yes=yes, steps=steps, answer=answer)


def network_written(subject: NetworkSubject, target: Path, form: str, inputs: int, given: Mapping[str, str]) -> Written:
    """Write a network as an ONNX model or a NumPy module, and compare its answers on the first inputs.

    Raises:
        InputError: a parameter that is missing, or a file that cannot be written.
    """
    operations = Operations(network(subject.file, subject.integers(given)), form)
    try:
        if target.suffix == ".py":
            write(target, numpy_module(operations))
        else:
            write_whole(target, onnx_model(operations).SerializeToString())
        run = runner(target)
    except ImportError:
        raise InputError("an ONNX model needs the packages onnx and onnxruntime: install bitreferee[onnx]") from None
    return Written(str(target), operations.network.input.count, operations.format, compared(operations, run, inputs))


@of_arguments
def convert(
    source: str | PathLike[str],
    target: str | PathLike[str],
    *,
    arithmetic: str = "float64",
    inputs: int = MOST_INPUTS,
    force: bool = False,
    weights: Mapping[str, Any] | None = None,
    **parameters: Values,
) -> Written:
    """Write weights as a network file (``.toml``), or a network as an ONNX model (``.onnx``) or a NumPy module (``.py``).

    Args:
        source: weights (``.npz``, ``.safetensors``), or a network such as ``gallery/parity``.
        target: the file to write.
        arithmetic: the number format of a network that is written.
        inputs: the largest number of inputs on which the answers are compared.
        force: whether an existing file is replaced.
        weights: for weights, the options of ``verify convert`` by name, such as ``{"function": "popcount(w) % 2"}``.
        parameters: of a network, such as ``n=4``.

    Raises:
        InputError: what is wrong with the source, the target or a parameter.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     convert("gallery/parity", f"{folder}/parity.py", n=4).rows()
    [{'format': 'float64', 'inputs': 16, 'compared': 16, 'coordinates_differ': 0, 'answers_differ': 0}]
    """
    path = Path(target)
    target_of(Path(source), path, force)
    if path.suffix == ".toml":
        options = [option.name or "" for option in command.params]
        for name in (weights or {}).keys() - {*options}:
            raise InputError(f"weights: no option {name!r}; {meant(name, options, '`verify convert --help` has them')}")
        for name in parameters:
            raise InputError(f"{name} is a parameter of a network; for {path} the options of weights were expected, as weights={{…}}")
        return weights_written(Path(source), path, weights or {})
    if weights:
        raise InputError("weights: a TARGET that ends with .toml was expected")
    subject = given_subject(source)
    if not isinstance(subject, NetworkSubject):
        raise InputError(f"{subject.name} is a {subject.kind}; a network file was expected, or one of the gallery, such as gallery/parity")
    one_of("arithmetic", arithmetic, list(FLOATS))
    subject.refuse_unknown(parameters, others=("arithmetic", "inputs", "force", "weights"))
    return network_written(subject, path, arithmetic, inputs, texts(parameters))


WITHOUT: dict[type[Subject], str] = {
    kind: f"only networks are written as ONNX or NumPy; `verify NAME --format json` has the results on a {kind.kind}"
    for kind in (TableSubject, ClaimSubject, PaperSubject)
}


class ConvertCommand(SubjectCommand):
    """A command on weights or on a network; only a network's parameters are options."""

    def words_of(self, args: Sequence[str], options: Iterable[click.Parameter]) -> list[str]:
        words = super().words_of(args, options)
        network = words[:1] and (words[0].startswith("gallery/") or words[0].endswith(".toml"))
        target = words[1] if len(words) > 1 else ""
        return words if target.endswith(NETWORKS_TO) or (network and not target.endswith(".toml")) else []


@click.command("convert", cls=ConvertCommand, most=1, without=WITHOUT)
@click.argument("source", type=click.Path(path_type=Path), metavar="SOURCE")
@click.argument("target", type=click.Path(dir_okay=False, path_type=Path), metavar="TARGET")
@click.option("--function", help="The right answer: a formula in the string w, its length n, and for --steps the symbol's number k.")
@click.option("--yes", help="A condition on coordinates, such as 'x3 > 0', that means yes; without it the model chooses a symbol.")
@click.option("--at", help="The token that answers: a word, first, last, or a formula for its position.  [default: last]")
@click.option("--steps", help="How many symbols the network appends, a formula in n.")
@click.option("--answer", help="The residual labels NAME:symbol of a compiled model are its logits.", metavar="NAME")
@click.option("--vocabulary", help="The words of the embedding's rows, with commas.  [default: 0,1,…]", metavar="WORDS")
@click.option("--tokens", help="The tokens that are read: words, and w for the string, such as BOS,w. [default: w]", metavar="WORDS")
@click.option("--letters", help="The words that strings are made of.  [default: all but those in --tokens]", metavar="WORDS")
@click.option("--heads", type=Integer(1), help="The number of heads.")
@click.option("--groups", type=Integer(1), help="The number of heads of keys and values, if smaller than that of queries.")
@click.option("--eps", help="The number that norms add to the variance, such as 1/100000.")
@click.option("--activation", help=f"The activation: one of {KNOWN_ACTIVATIONS}.")
@click.option("--rotary", help="The base of rotary positions, 10000 if it is not given.")
@click.option("--mask", type=click.Choice(get_args(Mask)), help="The mask, if it differs from that of the model's family.")
@click.option("--arithmetic", type=click.Choice(list(FLOATS)), help="The number format of TARGET.onnx or TARGET.py.  [default: float64]")
@click.option("--inputs", type=Integer(0), help=f"Compare the answers on at most this many inputs.  [default: {MOST_INPUTS}]")
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

    NETWORK is a network file or gallery/ID, at parameters such as --n 4. The command runs the written file on the first inputs, in order,
    and compares every result, bit for bit, with this program's run in the same format. Sums in another order or another exp can make a
    difference. Exit status: 0 no answer differs; 1 an answer differs.
    """
    target_of(source, target, force)
    if target.suffix == ".toml":
        if arithmetic or inputs is not None:
            raise InputError("--arithmetic and --inputs are for TARGET.onnx and TARGET.py")
        with Progress(str(target)):
            found = weights_written(source, target, given)
    else:
        named: list[NetworkSubject] = context.meta[SUBJECTS]
        if not named:
            raise InputError(f"{source}: a network file was expected, or one of the gallery, such as gallery/parity")
        of_weights = {option.name for option in command.params}
        if foreign := [f"--{name}" for name in of_weights & given.keys() if given[name] is not None]:
            raise InputError(f"{min(foreign)} is for weights; {source} is a network")
        own = {name: text for name, text in given.items() if name not in of_weights and text is not None}
        with Progress(f"{target} and its comparison"):
            found = network_written(named[0], target, arithmetic or "float64", MOST_INPUTS if inputs is None else inputs, own)
    written("\n".join(found.lines()) + "\n")
    return found.status
