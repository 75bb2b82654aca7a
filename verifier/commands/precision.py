"""``verify precision FILE --lengths 1..16 --formats float16,bfloat16``: from which length on a network is wrong in which arithmetic.

A cell is decided here as a whole or as a shard, or merged from the journals of shards.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from verifier.arithmetic.semantics import EXACT, KNOBS, Arithmetic, arithmetic
from verifier.claims.verdicts import EXIT_REFUTED, EXIT_UNDECIDED, EXIT_VERIFIED
from verifier.commands.options import Integer, write
from verifier.commands.progress import Progress
from verifier.running.errors import InputError, placed
from verifier.running.limits import Advance, Limits
from verifier.running.processes import processes_when_needed
from verifier.show.precision_screen import knob_lines, precision_lines
from verifier.show.streams import written
from verifier.transformers.causes import Cause, cause
from verifier.transformers.cells import Cell
from verifier.transformers.enumeration import WHOLE, Part
from verifier.transformers.expectations import Expected, judged_expectations
from verifier.transformers.files import find_network
from verifier.transformers.journal import Journal
from verifier.transformers.network import network
from verifier.transformers.precision import decided_lengths, document, merged
from verifier.transformers.records import NetworkFile


@dataclass(frozen=True)
class Deciding:
    """The task of one command: a network at these lengths.

    part:   of the inputs, kept in the ``journal``; shards: journals that hold all parts, if their cells are merged instead.
    pool:   gives so many ``workers``, processes, when they are needed.
    """

    name: str
    file: NetworkFile
    lengths: range
    given: Mapping[str, int]
    limits: Limits
    journal: Journal
    part: Part
    shards: Sequence[Journal]
    pool: Callable[[], Executor]
    workers: int

    def cell(self, how: Arithmetic, advance: Advance) -> Cell:
        """The network in one arithmetic.

        Raises:
            InputError: a shard is in no journal.
        """
        if self.shards:
            return merged([self._of_shard(Part(k, len(self.shards)), how) for k in range(1, len(self.shards) + 1)], self.file, self.lengths)
        known = self.journal.known(self.file, how, self.lengths, self.given, self.name, self.part)
        about = (self.name, self.file, how, self.lengths, self.given, self.limits)
        for cell in decided_lengths(*about, advance, known, self.part, self.pool if self.workers > 1 else None):
            if cell is not known and not cell.stopped:
                self.journal.keep(self.file, self.lengths, cell, self.part)
        return cell

    def _of_shard(self, part: Part, how: Arithmetic) -> Cell:
        for journal in self.shards:
            found = journal.known(self.file, how, self.lengths, self.given, self.name, part)
            if found is not None:
                return found
        given = "1 journal was given, but it lacks" if part.of == 1 else f"{part.of} journals were given, but none has"
        raise InputError(f"--merge: {given} shard {part} of {self.name} in {how} at these lengths")


def part_of(shard: str | None, journal: Path | None, others: bool) -> Part:
    """The part that ``--shard`` names; ``others``: whether options are given that speak of all inputs.

    Raises:
        InputError: it names none, or nothing keeps what is decided.
    """
    if shard is None:
        return WHOLE
    if journal is None or others:
        raise InputError("--shard: --journal was expected, and no --vary, --certificate, --picture or --merge")
    return Part.read(shard)


FORMATS = "float32,float16,bfloat16,e5m2,e4m3,e2m1"
VARIED = ("sums", "rounding", "scaling", "maximum", "division", "root", "products", "underflow")
EXPECTATIONS = 4
"""A part of --limit as large as one in so many is for the expectations beside a table: real numbers take longer than a format."""
LONGEST = 4096


@click.command("precision")
@click.argument("file")
@click.option("--lengths", metavar="A..B", help="Values of the file's first parameter; by default those that the file calls typical.")
@click.option(
    "--formats", default=FORMATS, show_default=True, help="Arithmetics, such as `float16` or `float16+sums=pairwise`; or `exact`."
)
@click.option("--with", "given", multiple=True, metavar="NAME=VALUE", help="Set another parameter to this value.")
@click.option("--vary", metavar="KNOB,…", help=f"Instead show which of these properties of the arithmetic matters: {', '.join(VARIED)}.")
@click.option("--journal", type=click.Path(dir_okay=False, path_type=Path), help="Keep results in this file, and continue from them.")
@click.option("--workers", type=Integer(1, 1024), default=1, show_default=True, help="Processes that enumerate the inputs of a length.")
@click.option("--shard", metavar="K/N", help="Decide only the K-th of N parts of all inputs, and keep that with --journal.")
@click.option(
    "--merge",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A journal of one of N shards; give it N times.",
)
@click.option("--picture", type=click.Path(dir_okay=False, path_type=Path), help="Draw lengths against arithmetics to this SVG file.")
@click.option(
    "--certificate",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a certificate for `verify recheck`; needs one arithmetic. NAME.gz is compressed.",
)
@click.option(
    "--format", "form", type=click.Choice(("screen", "json")), default="screen", show_default=True, help="How to show the results."
)
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Write the results to this file.")
@click.option(
    "--limit",
    type=Integer(1),
    default=1 << 24,
    show_default=True,
    help="The most work on each arithmetic; for inputs that are enumerated, inputs times tokens squared. Expectations get a quarter.",
)
def command(
    file: str,
    lengths: str | None,
    formats: str,
    given: tuple[str, ...],
    vary: str | None,
    journal: Path | None,
    workers: int,
    shard: str | None,
    merge: tuple[Path, ...],
    picture: Path | None,
    certificate: Path | None,
    form: str,
    output: Path | None,
    limit: int,
) -> int:
    """Try every input of every length in each arithmetic; show the first wrong input and the cause.

    FILE is a network file, or one of the gallery, such as gallery/parity. The file's expectations about coordinates are judged over real
    numbers. On a cluster, --shard 1/8 to --shard 8/8 each decide a part of the inputs, and --merge shows what their journals say together.

    Exit status: 0 all is right, and every expectation holds, at every length asked for; 1 something is wrong; 3 nothing is wrong, but
    an arithmetic or an expectation is not decided to the last length.
    """
    read = find_network(file)
    parameters = _given(read, given)
    chosen = list(dict.fromkeys(arithmetic(text.strip()) for text in formats.split(",")))
    among = length_range(lengths or read.parameters[read.length].typical or "1..8", "--lengths")
    if certificate is not None and (vary is not None or len(chosen) != 1):
        raise InputError("--certificate: one arithmetic in --formats was expected, and no --vary")
    part = part_of(shard, journal, bool(vary or certificate or picture or merge))
    shards = [Journal(path, "--merge") for path in merge]
    if vary is not None and (form == "json" or picture is not None):
        raise InputError("--vary is shown on the screen; no --format json and no --picture was expected")
    with processes_when_needed(workers) as pool, Progress() as advance:
        deciding = Deciding(file, read, among, parameters, Limits(limit), Journal(journal), part, shards, pool, workers)
        if shard is not None:
            return _status([_shard(deciding, how, advance) for how in chosen], [])
        if vary is not None:
            varied = {knob: _varied(knob, chosen, lambda how: deciding.cell(how, advance)) for knob in vary.split(",")}
            cells, expectations = [cell for rows in varied.values() for row in rows.values() for cell in row.values()], list[Expected]()
        else:
            cells = [deciding.cell(how, advance) for how in chosen]
            expectations = judged_expectations(read, among, parameters, Limits(max(1, limit // EXPECTATIONS)), advance)
    if vary is not None:
        text = "\n\n".join("\n".join(knob_lines(file, read, among, knob, rows)) for knob, rows in varied.items()) + "\n"
    else:
        if certificate is not None:
            _certify(read, cells[0], among, certificate)
        causes = {str(cell.arithmetic): found for cell in cells if (found := cause_of(read, cell)) is not None}
        if picture is not None:
            from verifier.show.pictures.lengths import picture as drawn

            write(picture, drawn(f"{file}: {read.title}", among, cells).file())
        if form == "json":
            text = json.dumps(as_document(file, among, cells, causes, expectations), indent=2) + "\n"
        else:
            replay = f"verify construction {file} --{read.length} {among[0]}..{among[-1]}"
            text = "\n".join(precision_lines(file, read, among, cells, causes, expectations, replay)) + "\n"
    if output is None:
        written(text)
    else:
        write(output, text)
    return _status(cells, expectations)


def _shard(deciding: Deciding, how: Arithmetic, advance: Advance) -> Cell:
    """Decide a shard in one arithmetic and print a line about it. A shard gives no verdict on all inputs."""
    cell = deciding.cell(how, advance)
    about = f"shard {deciding.part} in {how}: {cell.cases:,} inputs, {cell.length} up to {cell.decided_to or 'none'}"
    wrong = cell.first_wrong
    found = f"its first wrong one has {cell.length} = {wrong.length}" if wrong else cell.stopped or "none is wrong"
    written(f"{about}; {found}\n")
    return cell


def _certify(file: NetworkFile, cell: Cell, lengths: range, path: Path) -> None:
    """Write the certificate of what was decided.

    Raises:
        InputError: there is none; nothing is written.
    """
    from verifier.certificates.files import write_certificate
    from verifier.certificates.network_evidence import certify_network

    with placed("--certificate: nothing was written"), Progress() as advance:
        write_certificate(certify_network(file, cell, lengths, advance), path)


def _status(cells: Sequence[Cell], expectations: Sequence[Expected]) -> int:
    if any(cell.first_wrong for cell in cells) or any(each.broken for each in expectations):
        return EXIT_REFUTED
    stopped = [*(cell.stopped for cell in cells), *(each.stopped for each in expectations)]
    return EXIT_UNDECIDED if any(stopped) else EXIT_VERIFIED


def as_document(
    name: str, lengths: range, cells: Sequence[Cell], causes: Mapping[str, Cause], expectations: Sequence[Expected]
) -> dict[str, Any]:
    """``bitreferee/precision/1``, with what happened at each first wrong input, and the expectations."""
    found = document(name, lengths, cells)
    for entry in found["cells"]:
        if entry["first_wrong"] and entry["arithmetic"] in causes:
            why = causes[entry["arithmetic"]]
            entry["first_wrong"] |= {"kind": why.kind, "happens": why.says, "over_real_numbers": why.answered[1]}
    found["expectations"] = [
        {
            "name": each.name,
            "holds": each.holds,
            "first_failure": each.broken
            and {
                "length": each.broken.length,
                "input": " ".join(each.broken.strings.values()),
                "position": each.broken.position,
                "values": each.broken.shown,
            },
            "decided_to": each.decided_to,
        }
        for each in expectations
    ]
    return found


def cause_of(file: NetworkFile, cell: Cell) -> Cause | None:
    """The event at a cell's first wrong input."""
    wrong = cell.first_wrong
    if wrong is None:
        return None
    built = network(file, {**cell.given, file.length: wrong.length})
    return cause(built, {name: built.input.read(name, text) for name, text in wrong.strings.items()}, cell.arithmetic)


def _varied(knob: str, chosen: Sequence[Arithmetic], cell: Any) -> dict[str, dict[str, Cell]]:
    """For each arithmetic the cells of all values of a knob."""
    knob = "underflow" if knob.strip() == "subnormals" else knob.strip()
    if knob not in VARIED:
        raise InputError(f"--vary {knob}: one of {', '.join(VARIED)} was expected")
    rows: dict[str, dict[str, Cell]] = {}
    for how in chosen:
        if how.exact:
            raise InputError(f"--vary {knob}: {EXACT} rounds nothing; other --formats were expected")
        for value in KNOBS[knob]:
            if not (value in ("pairwise", "numpy") and how.products == "fused"):
                rows.setdefault(str(how), {})[value] = cell(how.with_knob(knob, value))
    return rows


def _given(file: NetworkFile, given: Sequence[str]) -> dict[str, int]:
    """The values of other parameters."""
    parameters: dict[str, int] = {}
    others = [name for name in file.parameters if name != file.length]
    for text in given:
        name, _, value = text.partition("=")
        if name not in others or not value.removeprefix("-").isdecimal() or not value.isascii():
            known = f"with one of {', '.join(others)}" if others else f"but {file.id} has no other parameters"
            raise InputError(f"--with {text}: NAME=VALUE was expected, {known}; `verify trace` runs one input")
        parameters[name] = int(value)
    return parameters


def length_range(text: str, option: str) -> range:
    """``1..16``, or one length.

    Raises:
        InputError: something else, or no length.
    """
    first, dots, last = text.partition("..")
    last = last if dots else first
    if not (first.isdecimal() and last.isdecimal() and text.isascii()) or len(text) > 12:
        raise InputError(f"{option} {text}: a range such as 1..16 was expected")
    if not int(first) <= int(last) <= LONGEST:
        raise InputError(f"{option} {text}: a range from a smaller to a larger length, at most {LONGEST}, was expected")
    return range(int(first), int(last) + 1)
