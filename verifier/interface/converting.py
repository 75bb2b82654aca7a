"""``convert``: weights into a network file, a network into an ONNX model or a NumPy module."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from verifier.interface.arguments import Values, of_arguments, texts
from verifier.interface.subjects import NetworkSubject, given_subject
from verifier.running.errors import InputError
from verifier.running.printable import visible
from verifier.show.streams import write_whole
from verifier.transformers.exports import Compared, compared, numpy_module, onnx_model, runner
from verifier.transformers.network import network
from verifier.transformers.operations import FLOATS, Operations
from verifier.weights.frame import Frame
from verifier.weights.network_files import from_tensors

MOST_INPUTS = 1 << 12
NETWORKS_TO = (".onnx", ".py")
"""What a network is written as."""
ENDINGS = (".toml", *NETWORKS_TO)


@dataclass(frozen=True)
class Written:
    """A file that was written. compared: of a network, how its answers compare with this program's in the same format."""

    path: str
    inputs: int = 0
    format: str = ""
    compared: Compared | None = None

    def lines(self) -> list[str]:
        """What is told of it."""
        if self.compared is None:
            return [f"{self.path} is written; try: verify precision {self.path}"]
        found = self.compared
        lines = [f"{self.path} is written; compared on {found.inputs:,} of {self.inputs:,} inputs in {self.format}"]
        if found.first is None:
            return [*lines, "every coordinate is the same, bit for bit"]
        where = ", ".join(f"{name} = {text}" for name, text in found.first.strings.items())
        lines.append(f"coordinates differ on {found.coordinates:,} inputs, first at {where}: {found.first.shown}")
        return [*lines, f"answers differ on {found.answers:,}" if found.answers else "every answer is the same"]


def target_of(path: Path, force: bool) -> None:
    """Refuse a target before any work.

    Raises:
        InputError: its name says no kind of file, or there is a file of this name.
    """
    if path.suffix not in ENDINGS:
        raise InputError(f"{path}: a name that ends in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]} was expected")
    if path.exists() and not force:
        raise InputError(f"{path}: there is a file of this name; another name was expected, or --force")


def weights_written(weights: Path, target: Path, given: Mapping[str, Any]) -> Written:
    """Write weights as a network file.

    Raises:
        InputError: weights that cannot be read, or no function.
    """
    text = from_tensors(weights, target.name, dict(given), _frame(given))
    write_whole(target, visible(text).encode())
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
            write_whole(target, visible(numpy_module(operations)).encode())
        else:
            target.write_bytes(onnx_model(operations).SerializeToString())
        run = runner(target)
    except ImportError:
        raise InputError("an ONNX model needs the packages onnx and onnxruntime: install bitreferee[onnx]") from None
    except OSError as error:
        raise InputError(f"{target}: {error.strerror}") from None
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
        inputs: the answers are compared on at most so many inputs.
        force: whether a file of this name is replaced.
        weights: for weights, the options of ``verify convert`` by name, such as ``{"function": "popcount(w) % 2"}``.
        parameters: of a network, such as ``n=4``.

    Raises:
        InputError: what is wrong with the source, the target or a parameter.
    """
    path = Path(target)
    target_of(path, force)
    if path.suffix == ".toml":
        return weights_written(Path(source), path, weights or {})
    subject = given_subject(source)
    if not isinstance(subject, NetworkSubject):
        raise InputError(f"{subject.name} is a {subject.kind}; a network file was expected, or one of the gallery, such as gallery/parity")
    if arithmetic not in FLOATS:
        raise InputError(f"arithmetic is {arithmetic!r}; {', '.join(FLOATS)} was expected")
    return network_written(subject, path, arithmetic, inputs, texts(parameters))
