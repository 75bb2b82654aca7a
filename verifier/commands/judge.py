"""``verify SUBJECT…``: judge claims, papers, table files and networks, several at once, over ranges of their parameters."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click

from verifier.arithmetic.semantics import Semantics, chosen_semantics, read_semantics
from verifier.claims.model import DEFAULT_SEMANTICS, Claim
from verifier.claims.papers import Paper, find_claim
from verifier.claims.parameters import ALL, Parameter
from verifier.claims.points import asked_points
from verifier.claims.request import ALL_READINGS, Request
from verifier.claims.session import Session
from verifier.claims.verdicts import EXIT_INPUT, EXIT_REFUTED, EXIT_UNDECIDED, EXIT_VERIFIED, Edition, Result, Verdict, exit_status
from verifier.commands.options import (
    arithmetic_option,
    certificate_option,
    deliver,
    edition_option,
    format_option,
    limit_option,
    method_option,
    output_option,
)
from verifier.commands.progress import Progress
from verifier.commands.subjects import REFUSED, SUBJECTS, SubjectCommand, complain, texts
from verifier.errata.tables import Source, read_with_errata
from verifier.interface.judging import Asked, Tables, network_editions, network_results, request_of
from verifier.interface.subjects import ClaimSubject, NetworkSubject, PaperSubject, Subject, TableSubject, errata_of
from verifier.judges.own_files import claim_names, file_points, file_readings, in_file
from verifier.networks.errata import errata_beside
from verifier.networks.instantiate import complete, expectation_path, instantiate
from verifier.networks.records import SEMANTICS
from verifier.running.errors import InputError, LimitError, lines_of, placed
from verifier.running.limits import Limits
from verifier.show.answer_screen import answers, show_answer
from verifier.show.places import Place, Placed, in_construction, in_paper
from verifier.show.screen import folded, notice, other_reading, show_overview, show_ranges, show_readings, show_results
from verifier.show.unreadable import unreadable
from verifier.transformers.tables import Execution

STATUSES = (EXIT_VERIFIED, EXIT_UNDECIDED, EXIT_REFUTED, EXIT_INPUT)
"""From the best to the worst."""


@dataclass(frozen=True)
class Judged:
    """The results of the subjects of one kind. show: prints what is not on the screen yet; placed: where results belong."""

    results: Sequence[Result]
    show: Callable[[], None] = lambda: None
    placed: Placed = in_paper


@dataclass(frozen=True)
class Shown:
    """How results are shown. words: whether statements at one point are answered in words."""

    form: str
    verbose: bool
    asked: Asked
    words: bool = False

    @property
    def screen(self) -> bool:
        return self.form == "screen"


@click.command("SUBJECT", cls=SubjectCommand, documents=True)
@click.argument("words", nargs=-1, required=True, metavar="[SUBJECT]...")
@edition_option
@arithmetic_option
@click.option("--steps", is_flag=True, help="Also judge the steps of the statements' proofs.")
@click.option("--editions", is_flag=True, help="Show the verdicts behind an answer: as a statement, as printed, after our corrections.")
@click.option("--verbose", is_flag=True, help="Show every point of a range in full, and every case of a proof for all parameters.")
@format_option
@output_option
@method_option
@limit_option
@certificate_option
@click.option(
    "--errata", type=click.Path(dir_okay=False, path_type=Path), help="Apply these errata to the file before it is judged; needs one file."
)
@click.pass_context
def command(
    context: click.Context,
    /,
    words: tuple[str, ...],
    edition: str | None,
    arithmetic: str | None,
    steps: bool,
    editions: bool,
    verbose: bool,
    form: str,
    output: Path | None,
    method: str,
    limit: int | None,
    certificate: Path | None,
    errata: Path | None,
    **given: str | None,
) -> int:
    """Judge SUBJECTs: claims (theorem-2.4, every-bit-counts/lemma-2.6), papers, table files, network files, gallery/ID, mixed as you like.

    Parameters are options of their own name and take an integer or a range, or for claims every value: --p 5, --p 2..12, --p all.

    Of a claim two questions are answered in words: Is it true, half by half? Does the printed argument or table work, or our corrected one?
    Of a file: does it answer every input rightly, and does what it expects hold? Parameters and the reading that are not given come from
    the file's [check]; the lengths of a network, from the file. If FILE.errata.toml lies beside FILE.toml, both are judged, as written and
    with the errata; the exit status is that of the file as written.
    """
    if output is not None and form == "screen":
        raise InputError("--output needs a --format other than screen")
    asked = Asked(texts(given), Edition(edition) if edition else None, arithmetic, method, limit, steps)
    refused: list[str] = list(context.meta[REFUSED])
    named: list[Subject] = context.meta[SUBJECTS]
    beside = [*words, *([str(errata)] if errata else [])]
    if errata is not None:
        named = _with_errata(named, errata, certificate, refused)
    if certificate is not None:
        _certify(named, asked, certificate)
    how = Shown(form, verbose, asked, form == "screen" and not (editions or verbose or steps or edition))
    made: list[Judged] = []
    for kind, listed in _by_kind(_statements(named, asked)).items():
        found = JUDGES[kind](listed, how, refused, len(words) > 1 or form in ("sarif", "junit"))
        if form == "screen":
            found.show()
        made.append(found)
    complain(refused)
    if form != "screen":
        places = {result.claim: found.placed for found in made for result in found.results}
        results = [result for found in made for result in found.results]
        beside += [str(path) for word in words if (path := errata_beside(Path(word)))]
        deliver(results, form, output, lambda: None, lambda result: places[result.claim](result), unreadable(refused, beside))
    statuses = [exit_status(found.results) for found in made if found.results]
    return EXIT_INPUT if refused else max(statuses, key=STATUSES.index, default=EXIT_VERIFIED)


construction = copy.copy(command)
"""``verify construction FILE…``, a spelling that files of CI systems use: a word that is no network is a table file."""
construction.name, construction.files = "construction", True


def _statements(named: Sequence[Subject], asked: Asked) -> list[Subject]:
    """The subjects, a paper as the statements that have the parameters given, where it has some of them."""
    found: list[Subject] = []
    for subject in named:
        ranges = asked.own(subject) if isinstance(subject, PaperSubject) and asked.ranges else {}
        found += subject.with_parameters(ranges) if ranges and isinstance(subject, PaperSubject) else [subject]
    return found


def _by_kind(named: Sequence[Subject]) -> dict[type[Subject], list[Subject]]:
    """The subjects of each kind; each paper is by itself."""
    kinds: dict[type[Subject], list[Subject]] = {}
    for subject in named:
        kinds.setdefault(type(subject), []).append(subject)
    return kinds


def _with_errata(named: Sequence[Subject], errata: Path, certificate: Path | None, refused: list[str]) -> list[Subject]:
    """The one table with these errata; none where they do not fit, which is told in ``refused``."""
    if len(named) != 1 or not isinstance(named[0], TableSubject) or certificate is not None:
        raise InputError("--errata: one file was expected, and no --certificate")
    try:
        return [TableSubject(named[0].name, read_with_errata(Path(named[0].name), errata))]
    except InputError as error:
        refused += lines_of(error)
        return []


# --- claims and papers


def _claims(listed: Sequence[ClaimSubject], how: Shown, refused: list[str], gather: bool) -> Judged:
    """The results of claims; on the screen with the lines about their proofs, other readings, and overviews."""
    asked, request = how.asked, request_of(listed, how.asked)
    proofs: list[str | None] = []
    with Progress() as advance:
        session = Session(Limits(asked.states), advance, asked.method)
        several = request.semantics == ALL_READINGS
        session.count_slips = how.form == "json" and not several
        in_rows = not several and request.is_range and how.screen and not how.verbose
        results = request.results(session)
        made = show_ranges(results, find_claim, request.editions) if in_rows else list(results)
        rows = list(request.overviews(session))
        said = answers(request, session, made) if how.words and not several and not request.is_range else []
        if how.screen and not several and not in_rows and not said:
            if asked.edition is None:
                proofs = [proof.line for proof in request.proofs(session)]
            proofs += [other_reading(found) for found in request.elsewhere(session)]

    def show() -> None:
        if several:
            show_readings(made, how.verbose)
        elif not in_rows and not said:
            show_results(made, how.verbose)
        for answered in said:
            show_answer(answered)
        for line in proofs:
            if line is not None:
                click.echo("\n".join(folded(line, 2, 0)))
        show_overview(rows, how.verbose)

    return Judged([*made, *rows], show)


def _papers(listed: Sequence[PaperSubject], how: Shown, refused: list[str], gather: bool) -> Judged:
    """The results of every statement of papers, at typical parameters."""
    asked = how.asked
    semantics = asked.semantics or DEFAULT_SEMANTICS.label
    if semantics == ALL_READINGS:
        raise InputError(
            f"{listed[0].name}: a paper is judged under one reading; `verify CLAIM --arithmetic all` judges a claim under each"
        )
    results: list[Result] = []
    for paper in (each.paper for each in listed):
        if how.screen and (asked.edition, semantics, asked.steps, asked.limit, asked.method) == (None, "a4", False, None, "auto"):
            results += _in_small(paper)
        else:
            results += _paper(paper, how, read_semantics(semantics))
    return Judged(results)


def _in_small(paper: Paper) -> list[Result]:
    """The referee's page on the screen, from the paper's run, which is kept as long as neither the paper nor the program changes."""
    from verifier.gate.run import kept_runs
    from verifier.show.paper_screen import show_page

    with Progress() as advance:
        run = kept_runs([paper], os.cpu_count() or 1, advance)[paper.id]
    show_page(paper, run)
    return [r for claim in paper.statements() for r in run.results[claim.id]]


def _paper(paper: Paper, how: Shown, semantics: Semantics) -> list[Result]:
    """Every statement of a paper at its typical parameters, on the screen a line each as it comes."""
    from verifier.show.paper_screen import Lines

    asked = how.asked
    editions = (asked.edition,) if asked.edition else tuple(Edition)
    lines = Lines(paper, asked.steps) if how.screen else None
    results: list[Result] = []
    others = [name for name in paper.readings if name != semantics.label]
    with Progress() as advance:
        session = Session(Limits(asked.states), advance, asked.method)
        for statement in paper.statements():
            for claim in (statement, *(statement.steps if asked.steps else ())):
                made = [
                    Result(claim.id, e, point.values, semantics.label if claim.bounded else None, *session.at(point, e, semantics))
                    for point in asked_points(claim, {})
                    for e in editions
                ]
                elsewhere = {
                    name: [session.outcome(claim, e, r, read_semantics(name))[0] for r in _at(made) for e in editions]
                    for name in (others if claim.bounded and claim.role is None and lines is not None else ())
                }
                results += made
                if lines is not None:
                    lines.claim(claim, made, elsewhere)
    if lines is not None:
        lines.end()
    return results


def _at(made: list[Result]) -> list[dict[str, int]]:
    """The points of results, each once."""
    return [dict(point) for point in dict.fromkeys(tuple(r.parameters.items()) for r in made)]


# --- table files


def _tables(listed: Sequence[TableSubject], how: Shown, refused: list[str], gather: bool) -> Judged:
    """The results of construction files, with the errata beside them, which a line names.

    refused: takes what is wrong with errata; gather: with files, too, so that the others are judged all the same.
    """
    asked, sources = how.asked, {each.name: each.source for each in listed}
    beside = {each.name: path for each in listed if not each.source.errata and (path := errata_of(each))}
    tables = Tables.of(sources, asked, beside, refused)
    for name, source in tables.repaired.items():
        notice(
            f"{name}: as written, and repaired with {len(source.names)} errata of {beside[name].name}: {', '.join(sorted(source.names))}"
        )
    readings = any((asked.semantics or source.file.check.get(SEMANTICS)) == ALL_READINGS for source in sources.values())
    in_rows = how.screen and not (readings or how.verbose) and _are_rows(tables, asked)
    with Progress() as advance:
        made = tables.results(asked, advance, refused if gather else None)
        results = _rows(made, tables) if in_rows else list(made)
    show = partial(show_readings, results, how.verbose) if readings else partial(show_results, results)
    return Judged(results, (lambda: None) if in_rows else show, placed_in(listed, results if how.form in ("sarif", "junit") else []))


def _are_rows(tables: Tables, asked: Asked) -> bool:
    """Whether a range is asked for, which is a table as for a claim; files of which only some have errata are shown point by point."""
    alike = {path in tables.repaired for path in tables.written}
    return len(alike) == 1 and any(_has_several(source, asked.ranges) for source in tables.written.values())


def _has_several(source: Source, ranges: Mapping[str, str]) -> bool:
    """Whether a file is judged at several points; what is wrong with its values is told when it is judged."""
    try:
        return len(file_points(source, ranges)) > 1
    except (InputError, LimitError):
        return False


def _rows(made: Iterator[Result], tables: Tables) -> list[Result]:
    """The table of a range, whose rows appear as they are finished."""
    owners = {name: tables.written[file].file for file, name in claim_names(tables.written).items()}

    def own(claim: str) -> Claim:
        parameters = owners[claim.partition(":")[0]].parameters
        defaults = {name: None if spec.default is None else str(spec.default) for name, spec in parameters.items()}
        return Claim(claim, "", "", "", tuple(Parameter(name, name, "1 == 1", default=text) for name, text in defaults.items()))

    first = Edition.REPAIRED if any(source.errata for source in tables.written.values()) else Edition.PRINTED
    return show_ranges(made, own, (first, Edition.REPAIRED) if tables.repaired else (first,))


def placed_in(subjects: Sequence[TableSubject], results: Sequence[Result]) -> Placed:
    """Where results of these files belong: where the first repair edits the file, of those given that are refuted; else where the file
    says what is claimed.
    """
    sources = {each.name: each.source for each in subjects}
    names = claim_names(sources)
    files = {name: file for file, name in names.items()}
    mended = {}
    for each in subjects:
        own = [result for result in results if result.claim.partition(":")[0] == names[each.name]]
        if own and each.source.errata is None and (found := _suggested(each, own)):
            mended[each.name] = found

    def place(result: Result) -> Place:
        owner, _, expectation = result.claim.partition(":")
        file, source = files[owner], sources[files[owner]]
        if file in mended and result.verdict is Verdict.REFUTED and result.edition is Edition.PRINTED:
            return mended[file]
        line = source.lines.of(expectation_path(source.file, expectation)) if expectation and source.lines else None
        return Place(Path(file), line, source.file.title) if line else in_construction(Path(file), source.file.title, result)

    return place


def _suggested(subject: TableSubject, results: Sequence[Result]) -> Place | None:
    from verifier.interface.repairing import suggested

    return suggested(subject, results)


# --- networks


def _networks(listed: Sequence[NetworkSubject], how: Shown, refused: list[str], gather: bool) -> Judged:
    """The results of networks, each followed by those of the network after the errata beside its file, which a line names."""
    results: list[Result] = []
    owners: dict[str, NetworkSubject] = {}
    with Progress() as advance:
        for each in listed:
            for edition in network_editions(each, how.asked):
                if edition.errata:
                    said = f"repaired with {len(edition.errata)} errata of {Path(edition.name).name}: {', '.join(edition.errata)}"
                    notice(f"{each.name}: as written, and {said}")
                found = list(network_results(edition, how.asked, advance))
                owners |= {result.claim: each for result in found if result.claim not in owners}
                results += found

    def place(result: Result) -> Place:
        owner = owners[result.claim]
        return Place(Path(owner.name), 1, owner.file.title)

    return Judged(results, partial(show_results, results), place)


JUDGES: Mapping[type[Subject], Callable[..., Judged]] = {
    ClaimSubject: _claims,
    PaperSubject: _papers,
    TableSubject: _tables,
    NetworkSubject: _networks,
}


# --- certificates


def _certify(named: Sequence[Subject], asked: Asked, path: Path) -> None:
    """The certificate of the one construction that the run is about.

    Raises:
        InputError: several subjects, points, readings or editions, or a subject that has no certificate; nothing is written.
    """
    kinds = {type(subject) for subject in named}
    if kinds == {ClaimSubject}:
        claims = [subject for subject in named if isinstance(subject, ClaimSubject)]
        _certify_claim(request_of(claims, asked), asked, path)
    elif kinds == {TableSubject}:
        _certify_file({each.name: each.source for each in named if isinstance(each, TableSubject)}, asked, path)
    elif kinds == {NetworkSubject}:
        raise InputError(
            f"--certificate: `verify precision {named[0].name} --certificate {path}` writes that of a network in one arithmetic"
        )
    else:
        raise InputError("--certificate: one claim or one file was expected")


def _certify_claim(request: Request, asked: Asked, path: Path) -> None:
    chosen = chosen_semantics(request.semantics)
    at = request.points[0] if len(request.claims) == 1 else []
    if len(at) != 1 or len(chosen) != 1 or request.edition is None:
        raise InputError("--certificate: one claim, one point, one reading and one edition (such as --edition repaired) were expected")
    if ALL in at[0].values.values():
        every = ", ".join(name for name, value in at[0].values.items() if value is ALL)
        raise InputError(f"--certificate: {at[0].claim.name} for every {every} is decided by symbols, and there is no certificate for it")
    from verifier.certificates.catalogue import certify_claim

    certify_claim(at[0].claim, request.edition, dict(at[0].values), chosen[0], path, asked.states)


def _certify_file(sources: Mapping[str, Source], asked: Asked, path: Path) -> None:
    from verifier.certificates.files import checked, write_certificate
    from verifier.certificates.statement import Subject as Certified
    from verifier.certificates.tables import table_certificate

    (file, source), *more = sources.items()
    with in_file(source, file):
        points, readings = file_points(source, asked.ranges), file_readings(source, asked.semantics)
    if more or len(points) != 1 or len(readings) != 1:
        raise InputError("--certificate: one file, one point and one reading were expected")
    with placed(f"--certificate: nothing was written: {file}"):
        values = complete(source.file, points[0])
        subject = Certified(claim_names(sources)[file], Edition.PRINTED.value, values)
        execution = Execution(instantiate(source.file, values), readings[0])
        write_certificate(checked(table_certificate(subject, execution, asked.states)), path)
