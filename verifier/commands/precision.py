"""``precision`` and ``verify precision NETWORK``: from which length on a network is wrong in which arithmetic.

A cell is decided here, as a whole or as a shard, or merged from the journals of shards.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import click

from verifier.arithmetic.semantics import EXACT, KNOBS, Arithmetic
from verifier.arithmetic.semantics import arithmetic as number_format
from verifier.commands.options import Integer, complete_formats, output_option, put, screen_or_json_option, worst_status
from verifier.commands.progress import Progress
from verifier.commands.subjects import (
    ClaimSubject,
    NetworkSubject,
    PaperSubject,
    Subject,
    SubjectCommand,
    TableSubject,
    given_subject,
    names_of,
)
from verifier.interface.arguments import Values, joined, of_arguments, texts
from verifier.running.errors import InputError, placed
from verifier.running.identifiers import meant
from verifier.running.limits import Advance, Limits, silent
from verifier.running.processes import processes_when_needed
from verifier.show.precision_screen import Precision, knob_lines
from verifier.show.streams import written
from verifier.transformers.answers import WHOLE, Part
from verifier.transformers.cells import Cell
from verifier.transformers.expectations import judged_expectations
from verifier.transformers.journal import Journal
from verifier.transformers.precision import decided_lengths, merged
from verifier.transformers.records import NetworkFile

if TYPE_CHECKING:
    from concurrent.futures import Executor

FORMATS = "float32,float16,bfloat16,e5m2,e4m3,e2m1"
LIMIT = 1 << 24
"""The most work on each arithmetic, where nobody says otherwise."""
EXPECTATIONS = 4
"""A part of the limit as large as one in so many is for the expectations beside a table: real numbers take longer than a format."""


@of_arguments
def precision(
    network: str | PathLike[str], *, arithmetic: str | Sequence[str] = FORMATS, limit: int = LIMIT, **parameters: Values
) -> Precision:
    """Find the first length at which a network is wrong, in each arithmetic, as ``verify precision`` does.

    Args:
        network: a network file, or one of the gallery, such as ``gallery/parity``.
        arithmetic: such as ``float16,bfloat16+sums=pairwise``, or ``exact``; or a list of them.
        limit: the most work on each arithmetic.
        parameters: the lengths, by the name of the file's length, such as ``n="1..16"``; other parameters have a single value.

    Raises:
        InputError: no network, no such arithmetic, or no range of lengths.

    >>> [row["first_wrong"] for row in precision("gallery/parity", n="1..9", arithmetic="float32,e4m3").rows()]
    [None, 9]
    """
    subject = given_subject(network)
    if not isinstance(subject, NetworkSubject):
        raise InputError(f"{subject.name} is a {subject.kind}; a network file was expected, or one of the gallery, such as gallery/parity")
    subject.refuse_unknown(parameters, others=("arithmetic", "limit"))
    return Deciding.of(subject, texts(parameters), limit).precision(joined(arithmetic))


@dataclass(frozen=True)
class Deciding:
    """The task of one command: a network at these lengths.

    part: the part of the inputs, kept in the ``journal``; shards: journals that together hold all parts, if their cells are merged instead.
    pool: supplies processes on demand.
    """

    name: str
    file: NetworkFile
    lengths: range
    given: Mapping[str, int]
    limits: Limits
    journal: Journal = field(default_factory=partial(Journal, None))
    part: Part = WHOLE
    shards: Sequence[Journal] = ()
    pool: Callable[[], Executor] | None = None

    @classmethod
    def of(cls, subject: NetworkSubject, ranges: Mapping[str, str], limit: int = LIMIT) -> Deciding:
        """A network at the lengths of the request.

        Raises:
            InputError: no range of lengths, or another parameter that is not an integer.
        """
        asked = dict(ranges)
        lengths = subject.lengths(asked.pop(subject.file.length, None))
        return cls(subject.name, subject.file, lengths, subject.integers(asked), Limits(limit))

    def precision(self, arithmetics: str, advance: Advance = silent) -> Precision:
        """Decide every input of every length in each arithmetic, and the expectations over real numbers."""
        cells = tuple(self.cell(how, advance) for how in formats(arithmetics))
        work = Limits(max(1, self.limits.states // EXPECTATIONS))
        expectations = judged_expectations(self.file, self.lengths, self.given, work, advance)
        return Precision(self.name, self.file, self.lengths, cells, tuple(expectations))

    def cell(self, how: Arithmetic, advance: Advance) -> Cell:
        """The network in one arithmetic.

        Raises:
            InputError: a shard is in no journal.
        """
        if self.shards:
            return merged([self._of_shard(Part(k, len(self.shards)), how) for k in range(1, len(self.shards) + 1)], self.file, self.lengths)
        known = self.journal.known(self.file, how, self.lengths, self.given, self.name, self.part)
        about = (self.name, self.file, how, self.lengths, self.given, self.limits)
        for cell in decided_lengths(*about, advance, known, self.part, self.pool):
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


def formats(arithmetics: str) -> list[Arithmetic]:
    """The arithmetics of a text such as ``float16,bfloat16``, each once."""
    return list(dict.fromkeys(number_format(text.strip()) for text in arithmetics.split(",")))


def part_of(shard: str | None, journal: Path | None, others: bool) -> Part:
    """The part that ``--shard`` names; ``others``: whether the options include some that apply to all inputs only.

    Raises:
        InputError: it names none, or nothing keeps what is decided.
    """
    if shard is None:
        return WHOLE
    if journal is None or others:
        raise InputError("--shard: --journal was expected, and no --vary, --certificate or --merge")
    return Part.read(shard)


VARIED = ("sums", "rounding", "scaling", "maximum", "division", "root", "products", "underflow")
WITHOUT: dict[type[Subject], str] = {
    kind: f"only a network has a first wrong length; for a {kind.kind}, `verify NAME {options}` judges a range under each reading"
    for kind, options in ((TableSubject, "--m 1..8 --arithmetic all"), (ClaimSubject, "--p 1..8 --arithmetic all"))
}
WITHOUT[PaperSubject] = "a network has a first wrong length; `verify list gallery` names those of the gallery"


@click.command("precision", cls=SubjectCommand, without=WITHOUT)
@click.argument("words", nargs=-1, required=True, metavar="NETWORK...")
@click.option(
    "--arithmetic",
    "--semantics",
    default=FORMATS,
    show_default=True,
    shell_complete=complete_formats,
    help="Arithmetics, such as `float16` or `float16+sums=pairwise`; or `exact`.",
)
@click.option("--lengths", hidden=True)  # scripts of users name these two, other spellings of --n and of --arithmetic
@click.option("--formats", "same_arithmetic", hidden=True)
@click.option("--vary", metavar="KNOB,…", help=f"Instead show which of these properties of the arithmetic matters: {', '.join(VARIED)}.")
@click.option("--journal", type=click.Path(dir_okay=False, path_type=Path), help="Keep results in this file, and continue from them.")
@click.option("--jobs", type=Integer(1, 1024), default=1, show_default=True, help="Processes that enumerate the inputs of a length.")
@click.option("--shard", metavar="K/N", help="Decide only the K-th of N parts of all inputs, and keep that with --journal.")
@click.option(
    "--merge",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The journal of one shard; repeat the option for each shard.",
)
@click.option(
    "--certificate",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a certificate for `verify recheck`; needs one arithmetic. NAME.gz is compressed.",
)
@screen_or_json_option
@output_option
@click.option(
    "--limit",
    type=Integer(1),
    default=LIMIT,
    show_default=True,
    help="The most work on each arithmetic; for inputs that are enumerated, inputs times tokens squared. Expectations get a quarter.",
)
def command(
    subjects: Sequence[NetworkSubject],
    arithmetic: str,
    lengths: str | None,
    same_arithmetic: str | None,
    vary: str | None,
    journal: Path | None,
    jobs: int,
    shard: str | None,
    merge: tuple[Path, ...],
    certificate: Path | None,
    form: str,
    output: Path | None,
    limit: int,
    **given: str,
) -> int:
    """Try every input of every length in each arithmetic; show the first wrong input and the cause.

    NETWORK is a network file, or one of the gallery, such as gallery/parity; its length takes a range, such as --n 1..16. The file's
    expectations about coordinates are judged over real numbers. `verify plot NETWORK` draws the lengths. On a cluster, --shard 1/8 to
    --shard 8/8 each decide a part of the inputs, and --merge shows what their journals say together. `verify precision gallery` runs the
    whole gallery.

    Exit status: 0 all is right, and every expectation holds, at every length asked for; 1 something is wrong; 3 nothing is wrong, but
    an arithmetic or an expectation is not decided to the last length.
    """
    if len(subjects) > 1 and (form == "json" or output is not None or certificate is not None):
        raise InputError(f"--format json, --output and --certificate: one network was expected; {names_of(subjects)} were named")
    arithmetic = same_arithmetic or arithmetic
    chosen = formats(arithmetic)
    if certificate is not None and (vary is not None or len(chosen) != 1):
        raise InputError("--certificate: one arithmetic was expected, and no --vary")
    part = part_of(shard, journal, bool(vary or certificate or merge))
    shards = [Journal(path, "--merge") for path in merge]
    if vary is not None and form == "json":
        raise InputError("--vary has no JSON output; leave out --format json")
    statuses = []
    for number, subject in enumerate(subjects):
        with processes_when_needed(jobs) as pool, Progress() as advance:
            values = given | ({} if lengths is None else {subject.file.length: lengths})
            task = replace(
                Deciding.of(subject, values, limit), journal=Journal(journal), part=part, shards=shards, pool=pool if jobs > 1 else None
            )
            if shard is not None:
                cells = tuple(_shard(task, how, advance) for how in chosen)
                statuses.append(Precision(task.name, task.file, task.lengths, cells, ()).status)
                continue
            if vary is not None:
                found, text = _varied(vary, chosen, task, advance)
            else:
                found = task.precision(arithmetic, advance)
                text = json.dumps(found.to_dict(), indent=2) + "\n" if form == "json" else "".join(f"{line}\n" for line in found.lines())
        if certificate is not None:
            _certify(subject.file, found.cells[0], found.lengths, certificate)
        put(("\n" if number and output is None else "") + text, output)
        statuses.append(found.status)
    return worst_status(statuses)


def _shard(deciding: Deciding, how: Arithmetic, advance: Advance) -> Cell:
    """Decide a shard in one arithmetic and print a line about it. A shard gives no verdict on all inputs."""
    cell = deciding.cell(how, advance)
    about = f"shard {deciding.part} in {how}: {cell.cases:,} inputs, {cell.length} up to {cell.decided_to or 'none'}"
    wrong = cell.first_wrong
    found = f"its first wrong one has {cell.length} = {wrong.length}" if wrong else cell.stopped or "none is wrong"
    written(f"{about}; {found}\n")
    return cell


def _certify(file: NetworkFile, cell: Cell, lengths: range, path: Path) -> None:
    """Write the certificate of the decided lengths.

    Raises:
        InputError: there is none; nothing is written.
    """
    from verifier.certificates.files import write_certificate
    from verifier.certificates.network_evidence import certify_network

    with placed("--certificate: nothing was written"), Progress() as advance:
        write_certificate(certify_network(file, cell, lengths, advance), path)


def _varied(knobs: str, chosen: Sequence[Arithmetic], deciding: Deciding, advance: Advance) -> tuple[Precision, str]:
    """The cells of all values of each knob, by arithmetic, and their lines on the screen."""
    cells: list[Cell] = []
    texts: list[str] = []
    for knob in ("underflow" if word.strip() == "subnormals" else word.strip() for word in knobs.split(",")):
        if knob not in VARIED:
            raise InputError(f"--vary {knob}: {meant(knob, VARIED, 'one of ' + ', '.join(VARIED) + ' was expected')}")
        rows: dict[str, dict[str, Cell]] = {}
        for how in chosen:
            if how.exact:
                raise InputError(f"--vary {knob}: {EXACT} rounds nothing; another --arithmetic was expected")
            for value in KNOBS[knob]:
                if not (value in ("pairwise", "numpy") and how.products == "fused"):
                    rows.setdefault(str(how), {})[value] = deciding.cell(how.with_knob(knob, value), advance)
        cells += [cell for row in rows.values() for cell in row.values()]
        texts.append("\n".join(knob_lines(deciding.name, deciding.file, deciding.lengths, knob, rows)))
    return Precision(deciding.name, deciding.file, deciding.lengths, tuple(cells), ()), "\n\n".join(texts) + "\n"
