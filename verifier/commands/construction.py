"""``verify FILE… --p 8``: judge construction files, without a paper, or certify one at one point under one reading."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import click
from click.core import ParameterSource

from verifier.arithmetic.semantics import ALL_READINGS
from verifier.claims.model import Claim
from verifier.claims.parameters import Parameter
from verifier.claims.verdicts import EXIT_INPUT, Edition, Result, exit_status
from verifier.commands.files_named import REFUSED, SOURCES, DocumentCommand, complain
from verifier.commands.options import (
    deliver,
    format_option,
    limit_option,
    method_option,
    output_option,
    semantics_option,
)
from verifier.commands.progress import Progress
from verifier.commands.trace import run_trace
from verifier.errata.tables import Source, read_with_errata, with_errata
from verifier.judges.own_files import claim_names, file_points, file_readings, file_semantics, in_file, judged
from verifier.networks.errata import errata_beside
from verifier.networks.execution import Execution
from verifier.networks.instantiate import complete, expectation_path, instantiate
from verifier.networks.records import SEMANTICS
from verifier.running.errors import InputError, LimitError, lines_of, placed
from verifier.show.places import Place, Placed, in_construction, in_paper
from verifier.show.screen import notice, show_ranges, show_readings, show_results
from verifier.show.unreadable import unreadable


def certify_file(sources: Mapping[str, Source], ranges: Mapping[str, str], semantics: str | None, path: Path, limit: int) -> None:
    """The certificate of the one construction that the run is about.

    Raises:
        InputError: several files, points or readings, or a construction without a certificate; nothing is written.
    """
    from verifier.certificates.files import certify, write_certificate
    from verifier.certificates.statement import Subject

    (file, source), *more = sources.items()
    with in_file(source, file):
        points, readings = file_points(source, ranges), file_readings(source, semantics)
    if more or len(points) != 1 or len(readings) != 1:
        raise InputError("--certificate: one file, one point and one reading were expected")
    with placed(f"--certificate: nothing was written: {file}"):
        values = complete(source.file, points[0])
        subject = Subject(claim_names(sources)[file], Edition.PRINTED.value, values)
        write_certificate(certify(subject, Execution(instantiate(source.file, values), readings[0]), limit), path)


@click.command("construction", cls=DocumentCommand)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@semantics_option
@format_option
@output_option
@method_option
@limit_option
@click.option(
    "--certificate",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a certificate for `verify recheck`; needs one file, one point and one reading. NAME.gz is compressed.",
)
@click.option(
    "--errata", type=click.Path(dir_okay=False, path_type=Path), help="Apply these errata to the file before it is judged; needs one file."
)
@click.option("--verbose", is_flag=True, help="Show every point of a range in full, and for each reading what decides it.")
@click.pass_context
def command(
    context: click.Context,
    /,
    files: tuple[str, ...],
    semantics: str,
    form: str,
    output: Path | None,
    method: str,
    limit: int,
    certificate: Path | None,
    errata: Path | None,
    verbose: bool,
    **given: str | None,
) -> int:
    """Check the construction in each FILE (TOML): is it well-formed, and does it compute its function on every promised input?

    Parameters and the reading come from the command line, or else from the file's [check], such as p = "4..6". If FILE.errata.toml lies
    beside FILE.toml, both editions are judged, as written and with the errata; the exit status is that of the file as written.
    """
    sources: dict[str, Source] = context.meta[SOURCES]
    if not sources:
        return _nothing_judged(context.meta[REFUSED], files, form, output)
    if errata is not None:
        if len(files) > 1 or certificate is not None:
            raise InputError("--errata: one file was expected, and no --certificate")
        try:
            sources = {path: read_with_errata(Path(path), errata) for path in sources}
        except InputError as error:
            return _nothing_judged(lines_of(error), [*files, str(errata)], form, output)
    strings = dict.fromkeys(name for source in sources.values() for name in source.file.string_names)
    ranges = {k: v for k, v in given.items() if v is not None and k not in strings}
    digits = {name: str(given[name]) for name in strings if given[name] is not None}
    chosen = semantics if context.get_parameter_source("semantics") is not ParameterSource.DEFAULT else None
    if digits:
        named = _options(strings)
        if len(sources) > 1:
            raise InputError(f"{named}: one file is traced; several were named")
        if len(digits) < len(strings):
            raise InputError(f"{named} belong together")
        if form not in ("screen", "json") or (form == "screen" and output is not None):
            raise InputError(f"{named}: one input is traced on the screen, or with --format json, for which --output is")
        return _trace(*next(iter(sources.items())), ranges, chosen, digits, form, output)
    if certificate is not None:
        certify_file(sources, ranges, chosen, certificate, limit)
    refused: list[str] = list(context.meta[REFUSED])
    repaired = {} if errata is not None else with_errata_beside(sources, refused)
    gathered = refused if len(sources) + len(refused) > 1 or form in ("sarif", "junit") else None
    readings = any((chosen or source.file.check.get(SEMANTICS)) == ALL_READINGS for source in sources.values())
    in_rows = form == "screen" and output is None and not (readings or verbose) and _are_rows(sources, ranges, repaired)
    with Progress() as advance:
        made = judged(sources, ranges, chosen, method, limit, advance, gathered, repaired)
        results = _rows(made, sources, repaired) if in_rows else list(made)
    complain(refused)
    show = (lambda: show_readings(results, verbose)) if readings else (lambda: None) if in_rows else partial(show_results, results)
    beside = [str(found) for file in files if (found := errata_beside(Path(file)))]
    deliver(results, form, output, show, placed_in(sources), unreadable(refused, [*files, *beside]))
    return EXIT_INPUT if refused else exit_status(results)


def _nothing_judged(refused: Sequence[str], named: Sequence[str], form: str, output: Path | None) -> int:
    """What is wrong with the files that were named, on standard error and in the document that was asked for."""
    complain(refused)
    if form != "screen":
        deliver([], form, output, lambda: None, in_paper, unreadable(refused, named))
    return EXIT_INPUT


def _are_rows(sources: Mapping[str, Source], ranges: Mapping[str, str], repaired: Mapping[str, Source]) -> bool:
    """Whether a range is asked for, which is a table as for a claim; files of which only some have errata are shown point by point."""
    return len({path in repaired for path in sources}) == 1 and any(_has_several(each, ranges) for each in sources.values())


def _has_several(source: Source, ranges: Mapping[str, str]) -> bool:
    """Whether a file is judged at several points; what is wrong with its values is told when it is judged."""
    try:
        return len(file_points(source, ranges)) > 1
    except (InputError, LimitError):
        return False


def _rows(made: Iterator[Result], sources: Mapping[str, Source], repaired: Mapping[str, Source]) -> list[Result]:
    """The table of a range, whose rows appear as they are finished."""
    owners = {name: sources[file].file for file, name in claim_names(sources).items()}

    def own(claim: str) -> Claim:
        parameters = owners[claim.partition(":")[0]].parameters
        defaults = {name: None if spec.default is None else str(spec.default) for name, spec in parameters.items()}
        return Claim(claim, "", "", "", tuple(Parameter(name, name, "1 == 1", default=text) for name, text in defaults.items()))

    return show_ranges(made, own, (Edition.PRINTED, Edition.REPAIRED) if repaired else (Edition.PRINTED,))


def with_errata_beside(sources: Mapping[str, Source], refused: list[str]) -> dict[str, Source]:
    """The files that have errata beside them, ``FILE.errata.toml`` for ``FILE.toml``, with these; a line says of each what is applied.

    What is wrong with errata is added to ``refused``.
    """
    found = {}
    for path in sources:
        if errata := errata_beside(Path(path)):
            try:
                source = with_errata(sources[path], errata)
            except InputError as error:
                refused += lines_of(error)
                continue
            names = source.names
            if not names:
                continue
            found[path] = source
            notice(f"{path}: as written, and repaired with {len(names)} errata of {errata.name}: {', '.join(sorted(names))}")
    return found


def _options(names: Iterable[str]) -> str:
    """``--y and --z``."""
    *others, last = (f"--{name}" for name in names)
    return f"{', '.join(others)} and {last}" if others else last


def placed_in(sources: Mapping[str, Source]) -> Placed:
    """Where results of these files belong."""
    files = {name: file for file, name in claim_names(sources).items()}

    def place(result: Result) -> Place:
        owner, _, expectation = result.claim.partition(":")
        file, source = files[owner], sources[files[owner]]
        line = source.lines.of(expectation_path(source.file, expectation)) if expectation and source.lines else None
        return Place(Path(file), line, source.file.title) if line else in_construction(Path(file), source.file.title, result)

    return place


def _trace(
    file: str, source: Source, ranges: dict[str, str], semantics: str | None, digits: Mapping[str, str], form: str, output: Path | None
) -> int:
    with in_file(source, file):
        point, *more = file_points(source, ranges)
        if more:
            raise InputError(f"{_options(digits)}: one point is traced; a range was given")
        instance = instantiate(source.repaired() if source.errata else source.file, point)
    edition = "with its errata" if source.errata else "as written"
    return run_trace(instance, semantics or file_semantics(source), digits, edition, form, output)
