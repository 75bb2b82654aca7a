"""``verify export FILE OUTPUT --n 8``: a network as an ONNX model or a NumPy module, compared with this program."""

from __future__ import annotations

from pathlib import Path

import click

from verifier.claims.verdicts import EXIT_REFUTED, EXIT_VERIFIED
from verifier.commands.networks import READ, NetworkCommand, given_integers
from verifier.commands.options import Integer, write
from verifier.running.errors import InputError
from verifier.show.streams import written
from verifier.transformers.export_check import Compared, compared, runner
from verifier.transformers.exports import numpy_module, onnx_model
from verifier.transformers.network import network
from verifier.transformers.operations import FLOATS, Operations
from verifier.transformers.records import NetworkFile

MOST_INPUTS = 1 << 12


@click.command("export", cls=NetworkCommand)
@click.argument("file")
@click.argument("output", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--floats", "form", type=click.Choice(list(FLOATS)), default="float64", show_default=True, help="The format of all numbers.")
@click.option("--inputs", type=Integer(0), default=MOST_INPUTS, show_default=True, help="Compare the answers to at most so many inputs.")
@click.pass_context
def command(context: click.Context, /, file: str, output: Path, form: str, inputs: int, **given: str | None) -> int:
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
