"""``verify precision FILE --lengths 1..16 --formats float16,bfloat16``: from which length on a network is wrong in which arithmetic."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from verifier.claims.verdicts import EXIT_REFUTED, EXIT_UNDECIDED, EXIT_VERIFIED
from verifier.commands.options import limit_option, write
from verifier.commands.progress import Progress
from verifier.running.errors import InputError
from verifier.running.limits import Limits
from verifier.show.streams import written
from verifier.transformers.arithmetic import Arithmetic, arithmetic
from verifier.transformers.contexts import context
from verifier.transformers.files import find_network
from verifier.transformers.network import network
from verifier.transformers.outputs import judged
from verifier.transformers.precision import Cell, document, first_wrong
from verifier.transformers.records import NetworkFile
from verifier.transformers.trace import trace_lines

FORMATS = "float32,float16,bfloat16,e5m2,e4m3,e2m1"


@click.command("precision")
@click.argument("file")
@click.option("--lengths", metavar="A..B", help="Values of the file's first parameter; else those that it calls typical.")
@click.option("--formats", default=FORMATS, show_default=True, help="Arithmetics, as `float16` or `float16+sums=pairwise`; or `exact`.")
@click.option(
    "--with", "given", multiple=True, metavar="NAME=VALUE", help="A parameter; or a string: then this input is shown step by step."
)
@click.option("--format", "form", type=click.Choice(("screen", "json")), default="screen", show_default=True)
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Write there instead.")
@limit_option
def command(file: str, lengths: str | None, formats: str, given: tuple[str, ...], form: str, output: Path | None, limit: int) -> int:
    """Try every input of every length in each arithmetic, and show the first wrong one.

    FILE is a network file, or one of the gallery, such as gallery/parity. Exit status: 0 all is right; 1 something is wrong; 3 something
    is larger than the limits.
    """
    read = find_network(file)
    parameters, strings = _given(read, given)
    chosen = [arithmetic(text) for text in formats.split(",")]
    if strings:
        return _one_input(read, chosen, parameters, strings)
    among = _range(lengths or read.parameters[read.length].typical or "1..8")
    with Progress() as advance:
        cells = [first_wrong(file, read, how, among, parameters, Limits(limit), advance) for how in chosen]
    text = json.dumps(document(file, among, cells), indent=2) + "\n" if form == "json" else _screen(file, read, cells)
    if output is None:
        written(text)
    else:
        write(output, text)
    if any(cell.first_wrong for cell in cells):
        return EXIT_REFUTED
    return EXIT_UNDECIDED if any(cell.stopped for cell in cells) else EXIT_VERIFIED


def _given(file: NetworkFile, given: Sequence[str]) -> tuple[dict[str, int], dict[str, str]]:
    """Parameters and strings."""
    parameters: dict[str, int] = {}
    strings: dict[str, str] = {}
    for text in given:
        name, _, value = text.partition("=")
        if name in file.input.strings:
            strings[name] = value
        elif name in file.parameters and value.lstrip("-").isdecimal():
            parameters[name] = int(value)
        else:
            known = ", ".join((*file.parameters, *file.input.strings))
            raise InputError(f"--with {text}: NAME=VALUE was expected, with one of {known}")
    return parameters, strings


def _range(text: str) -> range:
    first, dots, last = text.partition("..")
    if not first.isdecimal() or (dots and not last.isdecimal()):
        raise InputError(f"--lengths {text}: a range such as 1..16 was expected")
    return range(int(first), int(last if dots else first) + 1)


def _one_input(file: NetworkFile, chosen: Sequence[Arithmetic], parameters: Mapping[str, int], strings: Mapping[str, str]) -> int:
    """Every step of the network on one input."""
    right = True
    for how in chosen:
        built = network(file, parameters)
        if strings.keys() != built.input.lengths.keys():
            raise InputError(f"every string was expected: {', '.join(built.input.lengths)}")
        made = judged(built, {name: built.input.read(name, text) for name, text in strings.items()}, context(how))
        written("\n".join([f"{file.id} in {how}", *trace_lines(built, made)]) + "\n")
        right &= made.answer.right
    return EXIT_VERIFIED if right else EXIT_REFUTED


def _screen(name: str, file: NetworkFile, cells: Sequence[Cell]) -> str:
    """A line for each arithmetic, and the replay of each wrong input below all of them."""
    lines = [f"{name}  {file.title}", f"assumes {file.assumes}" if file.assumes else "", ""]
    width = max(len("arithmetic"), *(len(str(cell.arithmetic)) for cell in cells))
    lines.append(f"{'arithmetic':{width}}  {'right up to':>11}  first wrong input")
    for cell in cells:
        wrong = cell.first_wrong
        right = "none" if cell.decided_to is None else str(cell.decided_to if wrong is None else wrong.length - 1)
        shown = cell.stopped or "none"
        if wrong is not None:
            texts = ", ".join(f"{key} = {_short(text)}" for key, text in wrong.strings.items())
            shown = f"{cell.length} = {wrong.length}, {texts}: {wrong.answer.found}, not {wrong.answer.expected}"
        lines.append(f"{cell.arithmetic!s:{width}}  {right:>11}  {shown}")
    replays = [f"  {cell.replay}" for cell in cells if cell.replay]
    return "\n".join([*lines, *(["", "replay:", *replays] if replays else [])]) + "\n"


def _short(text: str) -> str:
    """A string, its long runs of one symbol with their lengths: 0 1^40."""
    if len(text) <= 16:
        return text
    runs: list[tuple[str, int]] = []
    for symbol in text:
        runs = [*runs[:-1], (symbol, runs[-1][1] + 1)] if runs and runs[-1][0] == symbol else [*runs, (symbol, 1)]
    found = " ".join(symbol if count == 1 else f"{symbol}^{count}" for symbol, count in runs)
    return found if len(found) < len(text) else text
