"""``verify precision NETWORK --n 1..16 --arithmetic float16,bfloat16``: from which length on a network is wrong in which arithmetic.

A cell is decided here as a whole or as a shard, or merged from the journals of shards.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

import click

from verifier.arithmetic.semantics import EXACT, KNOBS, Arithmetic
from verifier.arithmetic.semantics import arithmetic as number_format
from verifier.claims.verdicts import EXIT_REFUTED, EXIT_UNDECIDED, EXIT_VERIFIED
from verifier.commands.options import Integer, write
from verifier.commands.progress import Progress
from verifier.commands.subjects import SubjectCommand, named_in, texts
from verifier.interface.precision import EXPECTATIONS, FORMATS, LIMIT, Precision
from verifier.interface.subjects import ClaimSubject, NetworkSubject, PaperSubject, Subject, TableSubject, length_range, names_of
from verifier.running.errors import InputError, placed
from verifier.running.limits import Advance, Limits
from verifier.running.processes import processes_when_needed
from verifier.show.precision_screen import knob_lines, precision_lines
from verifier.show.streams import written
from verifier.transformers.cells import Cell
from verifier.transformers.enumeration import WHOLE, Part
from verifier.transformers.expectations import judged_expectations
from verifier.transformers.journal import Journal
from verifier.transformers.precision import decided_lengths, merged
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
        raise InputError("--shard: --journal was expected, and no --vary, --certificate or --merge")
    return Part.read(shard)


VARIED = ("sums", "rounding", "scaling", "maximum", "division", "root", "products", "underflow")
WITHOUT: dict[type[Subject], str] = {
    kind: f"a network has a first wrong length; of a {kind.kind}, `verify NAME {options}` judges a range under each reading"
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
    help="Arithmetics, such as `float16` or `float16+sums=pairwise`; or `exact`.",
)
@click.option("--lengths", hidden=True)
@click.option("--formats", hidden=True)
@click.option("--vary", metavar="KNOB,…", help=f"Instead show which of these properties of the arithmetic matters: {', '.join(VARIED)}.")
@click.option("--journal", type=click.Path(dir_okay=False, path_type=Path), help="Keep results in this file, and continue from them.")
@click.option("--jobs", type=Integer(1, 1024), default=1, show_default=True, help="Processes that enumerate the inputs of a length.")
@click.option("--shard", metavar="K/N", help="Decide only the K-th of N parts of all inputs, and keep that with --journal.")
@click.option(
    "--merge",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A journal of one of N shards; give it N times.",
)
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
    default=LIMIT,
    show_default=True,
    help="The most work on each arithmetic; for inputs that are enumerated, inputs times tokens squared. Expectations get a quarter.",
)
@click.pass_context
def command(
    context: click.Context,
    /,
    words: tuple[str, ...],
    arithmetic: str,
    lengths: str | None,
    formats: str | None,
    vary: str | None,
    journal: Path | None,
    jobs: int,
    shard: str | None,
    merge: tuple[Path, ...],
    certificate: Path | None,
    form: str,
    output: Path | None,
    limit: int,
    **given: str | None,
) -> int:
    """Try every input of every length in each arithmetic; show the first wrong input and the cause.

    NETWORK is a network file, or one of the gallery, such as gallery/parity; its length takes a range, such as --n 1..16. The file's
    expectations about coordinates are judged over real numbers. `verify plot NETWORK` draws the lengths. On a cluster, --shard 1/8 to
    --shard 8/8 each decide a part of the inputs, and --merge shows what their journals say together. `verify precision gallery` runs the
    whole gallery.

    Exit status: 0 all is right, and every expectation holds, at every length asked for; 1 something is wrong; 3 nothing is wrong, but
    an arithmetic or an expectation is not decided to the last length.
    """
    named = named_in(context, NetworkSubject)
    if len(named) > 1 and (form == "json" or output is not None or certificate is not None):
        raise InputError(f"--format json, --output and --certificate: one network was expected; {names_of(named)} were named")
    chosen = list(dict.fromkeys(number_format(text.strip()) for text in (formats or arithmetic).split(",")))
    if certificate is not None and (vary is not None or len(chosen) != 1):
        raise InputError("--certificate: one arithmetic was expected, and no --vary")
    part = part_of(shard, journal, bool(vary or certificate or merge))
    shards = [Journal(path, "--merge") for path in merge]
    if vary is not None and form == "json":
        raise InputError("--vary is shown on the screen; no --format json was expected")
    statuses = []
    for number, subject in enumerate(named):
        asked = texts(given)
        among = subject.lengths(asked.pop(subject.file.length, None)) if lengths is None else length_range(lengths, "--lengths")
        parameters = subject.integers(asked)
        with processes_when_needed(jobs) as pool, Progress() as advance:
            deciding = Deciding(subject.name, subject.file, among, parameters, Limits(limit), Journal(journal), part, shards, pool, jobs)
            about = subject.name, subject.file, among
            if shard is not None:
                statuses.append(Precision(*about, tuple(_shard(deciding, how, advance) for how in chosen), ()).status)
                continue
            if vary is not None:
                varied = {knob: _varied(knob, chosen, deciding, advance) for knob in vary.split(",")}
                found = Precision(*about, tuple(cell for rows in varied.values() for row in rows.values() for cell in row.values()), ())
                text = "\n\n".join("\n".join(knob_lines(*about, knob, rows)) for knob, rows in varied.items()) + "\n"
            else:
                cells = tuple(deciding.cell(how, advance) for how in chosen)
                work = Limits(max(1, limit // EXPECTATIONS))
                found = Precision(*about, cells, tuple(judged_expectations(subject.file, among, parameters, work, advance)))
                text = _text(found, form)
        if certificate is not None:
            _certify(subject.file, found.cells[0], among, certificate)
        if output is None:
            written(("\n" if number else "") + text)
        else:
            write(output, text)
        statuses.append(found.status)
    return max(statuses, key=STATUSES.index)


STATUSES = (EXIT_VERIFIED, EXIT_UNDECIDED, EXIT_REFUTED)
"""From the best to the worst."""


def _text(found: Precision, form: str) -> str:
    """What was found of a network, for the screen or as JSON."""
    if form == "json":
        return json.dumps(found.to_dict(), indent=2) + "\n"
    name, file, lengths = found.name, found.file, found.lengths
    replay = f"verify {name} --{file.length} {lengths[0]}..{lengths[-1]}"
    return "\n".join(precision_lines(name, file, lengths, found.cells, found.causes, found.expectations, replay)) + "\n"


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


def _varied(knob: str, chosen: Sequence[Arithmetic], deciding: Deciding, advance: Advance) -> dict[str, dict[str, Cell]]:
    """For each arithmetic the cells of all values of a knob."""
    knob = "underflow" if knob.strip() == "subnormals" else knob.strip()
    if knob not in VARIED:
        raise InputError(f"--vary {knob}: one of {', '.join(VARIED)} was expected")
    rows: dict[str, dict[str, Cell]] = {}
    for how in chosen:
        if how.exact:
            raise InputError(f"--vary {knob}: {EXACT} rounds nothing; another --arithmetic was expected")
        for value in KNOBS[knob]:
            if not (value in ("pairwise", "numpy") and how.products == "fused"):
                rows.setdefault(str(how), {})[value] = deciding.cell(how.with_knob(knob, value), advance)
    return rows
