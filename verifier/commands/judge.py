"""``judge`` and ``verify SUBJECT…``: verdicts on claims, papers, table files and networks, several at once, over ranges of parameters."""

from __future__ import annotations

import copy
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from verifier.arithmetic.semantics import EXACT, Semantics, chosen_semantics, read_semantics
from verifier.arithmetic.semantics import arithmetic as number_format
from verifier.claims.model import DEFAULT_SEMANTICS, Claim
from verifier.claims.papers import Paper, claims_called, find_claim
from verifier.claims.parameters import ALL, Named, Parameter
from verifier.claims.points import asked_points
from verifier.claims.request import ALL_READINGS, Request
from verifier.claims.session import Session
from verifier.claims.verdicts import EXIT_INPUT, EXIT_VERIFIED, Edition, Result, Verdict, exit_status, worst
from verifier.commands.options import (
    arithmetic_option,
    certificate_option,
    edition_option,
    errata_option,
    format_option,
    limit_option,
    method_option,
    output_option,
    put,
    rendered,
    worst_status,
)
from verifier.commands.progress import Progress
from verifier.commands.subjects import (
    REFUSED,
    ClaimSubject,
    NetworkSubject,
    PaperSubject,
    Subject,
    SubjectCommand,
    TableSubject,
    complain,
    given_subject,
    names_of,
)
from verifier.engines import METHODS
from verifier.errata.tables import Source, read_with_errata, with_errata
from verifier.interface.arguments import Values, joined, of_arguments, one_of, texts
from verifier.networks.errata import errata_beside
from verifier.networks.instantiate import expectation_path, instantiate
from verifier.networks.record_base import parameter_outside
from verifier.networks.records import SEMANTICS
from verifier.running.errors import FileDefect, FileDefects, InputError, LimitError, defects_of, placed
from verifier.running.errors import Path as FilePath
from verifier.running.grouping import grouped
from verifier.running.limits import CLOCK, Advance, Limits, silent
from verifier.running.notebooks import INTEGER, OBJECT, TEXT, Listed, in_python
from verifier.running.printable import many, shell_line
from verifier.show.answer_screen import answerable, answers, show_answer, whole_line
from verifier.show.documents import run_document
from verifier.show.notation.plain import shown
from verifier.show.places import Document, Place, Placed, in_paper
from verifier.show.screen import EDITIONS, folded, notice, other_reading, say, show_overview, show_ranges, show_readings, show_results

if TYPE_CHECKING:
    from verifier.interface.constructions import Construction


@dataclass(frozen=True, repr=False)
class Judgement(Listed[Result]):
    """The results of a request, for each point, reading and edition, for the claim's parts, and for its overview. The object is a sequence
    of its results.

    A result has ``claim``, ``edition``, ``parameters``, ``semantics``, ``verdict``, ``replay`` and ``outcome``; the outcome has ``scope``,
    ``reason``, ``counterexample`` (exact strings by name), ``assumptions`` and ``failures``.
    """

    claim: str
    listed: tuple[Result, ...]

    @property
    def verdicts(self) -> dict[str, str]:
        """The worst verdict of the claim over the points and readings, by edition; its parts and the file's expectations have their own
        results. A paper, or several subjects, have the worst verdict of all.
        """
        own = [r for r in self.listed if r.claim == self.claim] or self.listed
        return {e.value: worst(listed).value for e in Edition if (listed := [r.verdict for r in own if r.edition is e])}

    @property
    def status(self) -> int:
        """The exit status of the command line: 0 verified, 1 refuted, 3 undecided."""
        return exit_status(self.listed)

    @property
    def verified(self) -> bool:
        """Whether everything in the request is verified, as stated and printed; as repaired only if nothing else was requested."""
        return self.status == EXIT_VERIFIED

    def to_dict(self) -> dict[str, Any]:
        """The document of ``--format json``, ``bitreferee/run/1``."""
        return run_document(self.listed)

    @property
    def columns(self) -> dict[str, str | Sequence[str]]:
        """A column for each parameter, of texts if values have names, and the others."""
        claims = [claim for name in dict.fromkeys(result.claim for result in self.listed) for claim in claims_called(name)]
        named = {each.name for claim in claims for each in claim.parameters if each.names}
        return {
            "claim": TEXT,
            "edition": [each.value for each in Edition],
            **{name: TEXT if name in named else INTEGER for result in self.listed for name in result.parameters},
            "semantics": TEXT,
            "verdict": [each.value for each in Verdict],
            **dict.fromkeys(("cases", "failures"), OBJECT),
            "scope": TEXT,
            "counterexample": OBJECT,
            **dict.fromkeys(("reason", "replay"), TEXT),
        }

    def caption(self) -> str:
        if any(r.claim == self.claim for r in self.listed):
            return f"{self.claim}: {', '.join(f'{edition} {verdict}' for edition, verdict in self.verdicts.items())}"
        counts = Counter(r.verdict.value for r in self.listed)
        return f"{self.claim}: {many(len(self), 'result')}, {', '.join(f'{count} {verdict}' for verdict, count in counts.items())}"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each result: claim, edition, parameters, semantics, verdict, cases, failures, scope, counterexample, reason, replay."""
        return [
            {
                "claim": result.claim,
                "edition": result.edition.value,
                **{name: str(value) if isinstance(value, Named) else int(value) for name, value in result.parameters.items()},
                "semantics": result.semantics,
                "verdict": result.verdict.value,
                "cases": result.outcome.scope.cases,
                "failures": 0 if result.verdict is Verdict.VERIFIED and result.outcome.scope.cases else result.outcome.failures,
                "scope": result.outcome.scope.statement,
                "counterexample": None if result.outcome.counterexample is None else dict(result.outcome.counterexample),
                "reason": result.outcome.reason and in_python(result.outcome.reason),
                "replay": result.replay,
            }
            for result in self.listed
        ]


@dataclass(frozen=True)
class Asked:
    """The options of a request about subjects.

    ranges: of parameters, by name; semantics: readings or arithmetics, by default those of the subject; limit: the largest amount of work
    for one result, by default that of the subject's kind; words: whether statements at one point are answered in words.
    """

    ranges: Mapping[str, str] = field(default_factory=dict)
    edition: Edition | None = None
    semantics: str | None = None
    method: str = "auto"
    limit: int | None = None
    steps: bool = False
    form: str = "json"
    verbose: bool = False
    words: bool = False

    @property
    def screen(self) -> bool:
        return self.form == "screen"

    @property
    def in_places(self) -> bool:
        """Whether the document names the file and the line of every result."""
        return self.form in ("sarif", "junit")

    @property
    def states(self) -> int:
        """The most states that an engine visits for one result."""
        return self.limit or Limits().states

    def own(self, subject: Subject) -> dict[str, str]:
        """The ranges of a subject's parameters."""
        known = {option.name for option in subject.parameters(self.steps)}
        return {name: text for name, text in self.ranges.items() if name in known}


@dataclass(frozen=True)
class Judged:
    """The results of the subjects of one kind. show: prints the remaining lines of the screen; placed: the file places of results.

    For documents, beside: the results under the default reading for files that name another one; they do not change the status. mended: by
    file, the place that its first repair edits.
    """

    results: Sequence[Result]
    show: Callable[[], None] = lambda: None
    placed: Placed = in_paper
    beside: Sequence[Result] = ()
    mended: Mapping[str, Place] = field(default_factory=dict)


@of_arguments
def judge(
    subject: str | PathLike[str] | Construction | Sequence[str | PathLike[str] | Construction],
    *,
    edition: str | None = None,
    arithmetic: str | Sequence[str] | None = None,
    method: str = "auto",
    limit: int | None = None,
    **parameters: Values,
) -> Judgement:
    """Judge a claim, every statement of a paper, or whether a construction or network answers every input rightly and as its file expects.

    Args:
        subject: a claim such as ``lemma-2.6``, a paper such as ``every-bit-counts``, a construction or its file, or a network (a file, or
        ``gallery/parity``); or a list of them. The answers and expectations of a network are judged over real numbers, or its answers in
        the arithmetics that ``arithmetic`` names.
        edition: ``statement``, ``printed`` or ``repaired``; all of them by default. A file has ``printed``, and also ``repaired`` if
        ``FILE.errata.toml`` is beside ``FILE.toml``.
        arithmetic: one reading, or ``all``; by default that of the file's ``[check]``, or ``a4``. A network takes several arithmetics.
        method: the engine: ``auto``, ``enumerate`` or ``reachable``.
        limit: the most states that an engine may visit for one result; by default the command line's.
        parameters: by name: an int, a range, or a text such as ``"4..6"`` or ``"all"``. Missing parameters take their typical values; for a
        file, the values in its ``[check]``.

    Raises:
        TypeError: a parameter or a limit that is not an integer, or a subject that is not one of these.
        InputError: the claim, edition, reading or parameter does not exist, or the file is bad.

    >>> found = judge("lemma-2.6", p=6)
    >>> found.verdicts
    {'statement': 'verified', 'printed': 'refuted', 'repaired': 'declined'}
    >>> found[1].outcome.counterexample["z"], found[1].outcome.failures
    ('00000100000', 931392)
    """
    from verifier.interface.constructions import Construction

    one_of("edition", edition, [e.value for e in Edition])
    one_of("method", method, METHODS)
    if isinstance(subject, Construction) and subject.claim is not None:
        edition = edition or subject.edition
    found = [given_subject(each) for each in (subject if isinstance(subject, list | tuple) else [subject])]
    known = [option for each in found for option in each.parameters()]
    if not found:
        raise InputError("no subject was given; a claim, a paper, a path or a Construction was expected")
    found[0].refuse_unknown(parameters, known, ("edition", "arithmetic", "method", "limit"))
    reading = None if arithmetic is None else joined(arithmetic)
    if reading and "," in reading and (one := next((each for each in found if not isinstance(each, NetworkSubject)), None)):
        raise InputError(f"{one.name} is a {one.kind}, which takes one arithmetic{', or all' * (one.kind != 'paper')}; {reading} was given")
    asked = Asked(texts(parameters), Edition(edition) if edition else None, reading, method, limit)
    kinds = grouped((type(each), each) for each in _statements(found, asked))
    return Judgement(
        ", ".join(map(_called, found)), tuple(result for kind, each in kinds.items() for result in JUDGES[kind](each, asked).results)
    )


def _called(subject: Subject) -> str:
    """The name of a subject in its results."""
    match subject:
        case ClaimSubject():
            return subject.claim.id
        case TableSubject():
            return next(iter(_by_claim([subject])))
        case NetworkSubject():
            return f"network/{subject.file.id}"
    return subject.name


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
@errata_option
@click.pass_context
def command(
    context: click.Context,
    /,
    subjects: list[Subject],
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
    **given: str,
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
    words_too = form == "screen" and not (editions or verbose or steps or edition)
    chosen = Edition(edition) if edition else None
    asked = Asked(given, chosen, arithmetic, method, limit, steps, form, verbose, words_too)
    refused: list[FileDefect] = list(context.meta[REFUSED])
    if errata is not None:
        subjects = _with_errata(subjects, errata, certificate, refused)
    if certificate is not None and not refused:
        _certify(subjects, asked, certificate)
    made: list[Judged] = []
    for kind, listed in grouped((type(each), each) for each in _statements(subjects, asked)).items():
        found = JUDGES[kind](listed, asked, refused, len(subjects) + len(context.meta[REFUSED]) > 1 or asked.in_places)
        if asked.screen:
            found.show()
        made.append(found)
    complain(refused)
    if not asked.screen:
        places = {result.claim: found.placed for found in made for result in found.results}
        document = Document(
            [result for found in made for result in found.results],
            lambda result: places[result.claim](result),
            refused,
            [result for found in made for result in found.beside],
            {file: place for found in made for file, place in found.mended.items()},
        )
        put(rendered(document, form), output)
    statuses = [exit_status(found.results) for found in made if found.results]
    return EXIT_INPUT if refused else worst_status(statuses)


construction = copy.copy(command)
"""``verify construction FILE…``, a spelling that files of CI systems use: a word that is no network is a table file."""
construction.name, construction.files = "construction", True


def _statements(named: Sequence[Subject], asked: Asked) -> list[Subject]:
    """The subjects; a paper is replaced by its statements that have the given parameters, if it has some."""
    found: list[Subject] = []
    for subject in named:
        ranges = asked.own(subject) if isinstance(subject, PaperSubject) and asked.ranges else {}
        found += subject.with_parameters(ranges) if ranges and isinstance(subject, PaperSubject) else [subject]
    return found


def _with_errata(named: Sequence[Subject], errata: Path, certificate: Path | None, refused: list[FileDefect]) -> list[Subject]:
    """The one table with these errata, or none if they do not fit, with the reason in ``refused``."""
    if len(named) != 1 or not isinstance(named[0], TableSubject) or certificate is not None:
        raise InputError("--errata: one file was expected, and no --certificate")
    try:
        return [TableSubject(named[0].name, read_with_errata(Path(named[0].name), errata))]
    except InputError as error:
        refused += defects_of(error, str(errata))
        return []


# --- claims and papers


def request_of(subjects: Sequence[ClaimSubject], asked: Asked) -> Request:
    """The request about these claims."""
    known = {name for each in subjects for name in asked.own(each)}
    ranges = {name: text for name, text in asked.ranges.items() if name in known}
    return Request(tuple(s.claim for s in subjects), ranges, asked.semantics or DEFAULT_SEMANTICS.label, asked.edition, asked.steps)


def _claims(listed: Sequence[ClaimSubject], asked: Asked, *_: object) -> Judged:
    """The results of claims; on the screen also the lines about their proofs, other readings, and overviews."""
    request = request_of(listed, asked)
    proofs: list[str | None] = []
    with Progress() as advance:
        session = Session(Limits(asked.states), advance, asked.method)
        several = request.semantics == ALL_READINGS
        session.count_slips = asked.form == "json" and not several
        in_words = asked.words and answerable(request)
        in_rows = not several and request.is_range and asked.screen and not (asked.verbose or in_words)
        results = request.results(session)
        made = show_ranges(results, find_claim, request.editions) if in_rows else list(results)
        said = list(answers(request, session, made)) if in_words else []
        rows = [] if said else list(request.overviews(session))
        if asked.screen and not several and not in_rows and not said:
            if asked.edition is None and not asked.steps:
                proofs = [proof.line for proof in request.proofs(session)]
            proofs += [other_reading(found) for found in request.elsewhere(session)]

    def show() -> None:
        if several:
            show_readings(made, asked.verbose)
        elif not in_rows and not said:
            whole = [r for r in made if ALL in r.parameters.values() and r.edition is Edition.STATEMENT]
            say(folded(shown(whole_line(whole[0])), 2, 0) if asked.words and whole else (), "bold")
            show_results(made, asked.verbose)
        for answered in said:
            show_answer(answered)
        for line in proofs:
            if line is not None:
                click.echo("\n".join(folded(line, 2, 0)))
        if rows:
            show_overview(rows, asked.verbose)
        say(folded(EDITIONS, 2, 0) if not said and asked.edition is None else (), "dim")

    return Judged([*made, *rows], show, _placed_in_papers(made) if asked.in_places else in_paper)


def _placed_in_papers(results: Sequence[Result]) -> Placed:
    """The file places of claims: where a claim says that a table computes its function, the line of the table that its first repair edits,
    or the line of the mistake, or else the statement's line."""
    from verifier.commands.repair import suggested

    places: dict[tuple[str, Edition], Place] = {}
    for name, own in grouped((result.claim, result) for result in results if result.verdict is Verdict.REFUTED).items():
        claim = find_claim(name)
        table = ClaimSubject(name, claim).table()
        if table is not None and claim.table is not None and claim.table.claim == name:
            expectation = (own[0].outcome.values or {}).get("expectation")
            at = expectation_path(table.source.file, expectation) if expectation else _claimed(table.source, own[0])
            place = suggested(table, own, {}) or _place(table, at)
            places |= {(name, result.edition): place for result in own if result.edition is not Edition.REPAIRED or not claim.table.errata}
    return lambda result: places.get((result.claim, result.edition), in_paper(result))


def _papers(listed: Sequence[PaperSubject], asked: Asked, *_: object) -> Judged:
    """The results of every statement of papers, at typical parameters."""
    from verifier.gate.run import kept_run

    semantics = asked.semantics or DEFAULT_SEMANTICS.label
    if semantics == ALL_READINGS:
        raise InputError(
            f"{listed[0].name}: a paper is judged under one reading; `verify CLAIM --arithmetic all` judges a claim under each"
        )
    usual = (asked.edition, semantics, asked.steps, asked.limit, asked.method) == (None, DEFAULT_SEMANTICS.label, False, None, "auto")
    results: list[Result] = []
    for paper in (each.paper for each in listed):
        # within a --timeout the statements come one by one, each with what is decided of it
        run = kept_run(paper) if usual else None
        if run is not None and not asked.screen:
            results += [r for claim in paper.statements() for r in run.results[claim.id]]
            continue
        at_once = asked.screen and usual and (CLOCK.seconds is None or run is not None)
        results += _in_small(paper) if at_once else _paper(paper, asked, read_semantics(semantics))
    return Judged(results, placed=_placed_in_papers(results) if asked.in_places else in_paper)


def _in_small(paper: Paper) -> list[Result]:
    """The referee's page on the screen, from the paper's run, which is kept until the paper or the program changes."""
    from verifier.show.answer_screen import show_page
    from verifier.show.judged import judged_paper

    with Progress() as advance:
        judged = judged_paper(paper, os.cpu_count() or 1, advance)
    show_page(judged)
    return [r for claim in paper.statements() for r in judged.run.results[claim.id]]


def _paper(paper: Paper, asked: Asked, semantics: Semantics) -> list[Result]:
    """Judge every statement of a paper at its typical parameters; print a line for each on the screen at once."""
    from verifier.show.answer_screen import show_verdicts

    with Progress() as advance:
        session = Session(Limits(asked.states), advance, asked.method)
        made = (
            session.result(point, e, semantics)
            for statement in paper.statements()
            for claim in (statement, *(statement.steps if asked.steps else ()))
            for point in asked_points(claim, {})
            for e in ((asked.edition,) if asked.edition else Edition)
        )
        return show_verdicts(paper, made) if asked.screen else list(made)


# --- table files


def _by_claim(listed: Sequence[TableSubject]) -> dict[str, TableSubject]:
    """The files by the names of their results. The result of an expectation has a colon and the expectation's name behind it."""
    from verifier.judges.own_files import claim_names

    names = claim_names({each.name: each.source for each in listed})
    return {names[each.name]: each for each in listed}


Owners = Mapping[str, TableSubject]


def _owner(owners: Owners, result: Result) -> TableSubject:
    """The file that a result is about."""
    return owners[result.claim.partition(":")[0]]


def _tables(listed: Sequence[TableSubject], asked: Asked, refused: list[FileDefect] | None = None, gather: bool = False) -> Judged:
    """The results of construction files, also with the errata beside them, which a line names.

    refused: receives mistakes in errata, which are raised if it is None. gather: also receives mistakes in files, so that the others are
    judged anyway.
    """
    from verifier.judges.own_files import judged

    owners, sources = _by_claim(listed), {each.name: each.source for each in listed}
    names = {each.name: claim for claim, each in owners.items()}
    repaired = _repaired(listed, asked, refused)
    if asked.edition is Edition.REPAIRED:
        sources, repaired = repaired, {}
    for each in listed if refused is not None else ():
        if each.errata is not None and each.name in repaired:
            errata = sorted(repaired[each.name].names)
            notice(f"{each.name}: as written, and repaired with {len(errata)} errata of {each.errata.name}: {', '.join(errata)}")
    several = any((asked.semantics or source.file.check.get(SEMANTICS)) == ALL_READINGS for source in sources.values())
    alike = len({path in repaired for path in sources}) == 1  # else each point is shown by itself
    in_rows = (
        asked.screen and alike and not (several or asked.verbose) and any(_has_several(each, asked.ranges) for each in sources.values())
    )
    with Progress() as advance:
        kept = refused if gather else None
        made = judged(sources, asked.ranges, asked.semantics, asked.method, asked.states, advance, kept, repaired, names)
        results = _rows(made, owners, sources, bool(repaired)) if in_rows else list(made)
        beside = _under_the_default(owners, sources, results, asked, advance) if asked.in_places else []

    def show() -> None:
        if several:
            show_readings(results, asked.verbose)
        elif not in_rows:
            show_results(results)
        _name_repair(owners, results, asked, several)

    mended = _suggested(owners, results, asked) if asked.in_places else {}
    return Judged(results, show, placed_in(owners, mended, asked.ranges), beside, mended)


def _name_repair(owners: Owners, results: Sequence[Result], asked: Asked, several: bool) -> None:
    """For each file that is refuted as written and has no errata, name the command that searches for repairs. If it was judged under
    several readings, the command has the first that refutes it.
    """
    failing = [r for r in results if r.verdict is Verdict.REFUTED and r.edition is Edition.PRINTED]
    refuted = {_owner(owners, r).name: r.semantics for r in reversed(failing)}
    for each in owners.values():
        if each.name in refuted and each.errata is None and each.source.errata is None:
            words = [word for name, text in asked.own(each).items() for word in (f"--{name}", text)]
            words += ["--arithmetic", str(refuted[each.name])] if several else []
            say([f"  repair: {shell_line(['verify', 'repair', each.name, *words])}"])


def _under_the_default(
    owners: Owners, sources: Mapping[str, Source], results: Sequence[Result], asked: Asked, advance: Advance
) -> list[Result]:
    """The results under the default reading for files whose ``[check]`` names another, unless the request names a reading."""
    from verifier.judges.own_files import judged

    default, names = DEFAULT_SEMANTICS.label, {each.name: claim for claim, each in owners.items()}
    other = {_owner(owners, result).name for result in results if result.semantics != default}
    found = {file: each for file, each in sources.items() if file in other and each.file.check.get(SEMANTICS) != ALL_READINGS}
    return [] if asked.semantics else list(judged(found, asked.ranges, default, asked.method, asked.states, advance, [], names=names))


def _repaired(listed: Sequence[TableSubject], asked: Asked, refused: list[FileDefect] | None) -> dict[str, Source]:
    """The files that are judged also with the errata beside them, or only so.

    Raises:
        InputError: a file lacks the edition, or, if ``refused`` is None, its errata are wrong.
    """
    wanted, found = asked.edition, dict[str, Source]()
    for each in listed:
        if wanted is Edition.STATEMENT or (wanted is Edition.REPAIRED and each.errata is None):
            without = "" if wanted is Edition.STATEMENT else "; no errata are beside it"
            raise InputError(f"{each.name}: a file has no edition {wanted.value}; the table of a claim has{without}")
        if each.errata is None or wanted is Edition.PRINTED:
            continue
        try:
            source = with_errata(each.source, each.errata)
        except InputError as error:
            if refused is None:
                raise
            refused += defects_of(error, str(each.errata))
        else:
            found |= {each.name: source} if source.names or wanted is not None else {}
    return found


def _has_several(source: Source, ranges: Mapping[str, str]) -> bool:
    """Whether a file is judged at several points; mistakes in its values are reported when it is judged."""
    from verifier.judges.own_files import file_points

    try:
        return len(file_points(source, ranges)) > 1
    except (InputError, LimitError):
        return False


def _rows(made: Iterator[Result], owners: Owners, sources: Mapping[str, Source], both: bool) -> list[Result]:
    """The table of a range, whose rows appear when they are finished; both: files as written and repaired."""

    def own(claim: str) -> Claim:
        file = owners[claim.partition(":")[0]].name
        return as_claim(claim, sources[file], file)

    first = Edition.REPAIRED if any(source.errata for source in sources.values()) else Edition.PRINTED
    return show_ranges(made, own, (first, Edition.REPAIRED) if both else (first,))


def as_claim(name: str, source: Source, file: str) -> Claim:
    """The claim that the construction in a file computes its function."""
    parameters = tuple(
        Parameter(key, spec.meaning, spec.where, default=None if spec.default is None else str(spec.default))
        for key, spec in source.file.parameters.items()
    )
    return Claim(name, source.file.title, file, "", parameters)


def placed_in(owners: Owners, mended: Mapping[str, Place], ranges: Mapping[str, str]) -> Placed:
    """The file places of results: for a refuted file the place that the first repair edits, else the line of the claim; for a point outside
    the domain the range in ``[check]``, or the domain."""
    from verifier.commands.repair import clipped

    def place(result: Result) -> Place:
        subject, expectation = _owner(owners, result), result.claim.partition(":")[2]
        file, source = subject.name, subject.source
        if file in mended and result.verdict is Verdict.REFUTED and result.edition is Edition.PRINTED:
            return mended[file]
        if result.verdict is Verdict.DECLINED and (name := parameter_outside(source.file, result.parameters)):
            own = name in source.file.check and name not in ranges
            at: FilePath = ("check", name) if own else ("parameters", name, "where")
            if own and (part := clipped(subject, ranges)):
                return part
        else:
            at = expectation_path(source.file, expectation) if expectation else _claimed(source, result)
        return _place(subject, at)

    return place


def _place(subject: TableSubject, at: FilePath) -> Place:
    """The line of an entry of a table file."""
    source = subject.source
    return Place(Path(subject.name), (source.lines.of(at) if source.lines else None) or 1, source.file.title)


def _claimed(source: Source, result: Result) -> FilePath:
    """The place of the mistake in a file: the row or clause of its first defect, or the line of the function; of a right file the
    promise."""
    if "defect" in (result.outcome.counterexample or {}):
        written = source.repaired() if source.errata else source.file
        return instantiate(written, result.parameters).defects[0].path or ("problem", "function")
    return "problem", "promise" if result.verdict is Verdict.VERIFIED and source.file.problem.promise != "none" else "function"


def _suggested(owners: Owners, results: Sequence[Result], asked: Asked) -> dict[str, Place]:
    """The place that the first repair edits, for each file that is wrong as written or cannot be judged."""
    from verifier.commands.repair import suggested

    found = {}
    for each in owners.values() if asked.edition is not Edition.REPAIRED else ():
        own = [result for result in results if _owner(owners, result) is each]
        if place := suggested(each, own, asked.own(each)):
            found[each.name] = place
    return found


# --- networks


def network_editions(subject: NetworkSubject, asked: Asked) -> list[NetworkSubject]:
    """The editions of a network in the request: as written, and with the errata beside its file.

    Raises:
        InputError: an edition that it has not, or errata that do not fit.
    """
    from verifier.transformers.files import read_repaired

    found = [subject]
    errata = errata_beside(Path(subject.name))
    if errata is not None:
        file, record = read_repaired(errata)
        found.append(NetworkSubject(str(errata), file, tuple(each.name for each in record.erratum)))
    chosen = [each for each in found if asked.edition in (None, each.edition)]
    if not chosen and asked.edition is not None:
        without = "" if asked.edition is Edition.STATEMENT or errata else "; no errata are beside it"
        raise InputError(f"{subject.name}: a file has no edition {asked.edition.value}{without}")
    return chosen


def network_results(subject: NetworkSubject, asked: Asked, advance: Advance = silent) -> Iterator[Result]:
    """The results of a network over real numbers, or in the arithmetics named, such as ``float16,exact``.

    Raises:
        InputError: no range of lengths, no such arithmetic, or another parameter that is no integer.
    """
    from verifier.judges.own_networks import INPUTS, judged_network

    given = asked.own(subject)
    wanted = given.pop(subject.file.length, None)
    arithmetics = [number_format(text.strip()) for text in (EXACT if asked.semantics is None else asked.semantics).split(",")]
    lengths, others, limits = subject.lengths(wanted), subject.integers(given), Limits(asked.limit or INPUTS.states)
    yield from judged_network(subject.name, subject.file, lengths, arithmetics, others, limits, advance, subject.edition)


def _networks(listed: Sequence[NetworkSubject], asked: Asked, refused: list[FileDefect] | None = None, gather: bool = False) -> Judged:
    """The results of networks, each followed by those with the errata beside its file, which a line names.

    refused, gather: as of :func:`_tables`.
    """
    results: list[Result] = []
    owners: dict[str, NetworkSubject] = {}
    with Progress() as advance:
        for each in listed:
            try:
                for edition in network_editions(each, asked):
                    if edition.errata and refused is not None:
                        said = f"repaired with {len(edition.errata)} errata of {Path(edition.name).name}: {', '.join(edition.errata)}"
                        notice(f"{each.name}: as written, and {said}")
                    found = list(network_results(edition, asked, advance))
                    owners |= {result.claim: each for result in found if result.claim not in owners}
                    results += found
            except FileDefects as error:
                if refused is None or not gather:
                    raise
                refused += defects_of(error, each.name)

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
    """The certificate of the one construction of the run.

    Raises:
        InputError: the run has several subjects, points, readings or editions, or a subject without a certificate; nothing is written.
    """
    subject, *more = named
    if isinstance(subject, NetworkSubject):
        raise InputError(
            f"--certificate: `verify precision {subject.name} --certificate {path}` writes that of a network in one arithmetic"
        )
    if more or isinstance(subject, PaperSubject):
        raise InputError(f"--certificate: one claim or one file was expected, not {names_of(named)}")
    if isinstance(subject, ClaimSubject):
        _certify_claim(request_of([subject], asked), asked, path)
    elif isinstance(subject, TableSubject):
        _certify_file(subject, asked, path)


def _certify_claim(request: Request, asked: Asked, path: Path) -> None:
    chosen = chosen_semantics(request.semantics)
    (at,) = request.points
    if len(at) != 1 or len(chosen) != 1 or request.edition is None:
        raise InputError("--certificate: one claim, one point, one reading and one edition (such as --edition repaired) were expected")
    if ALL in at[0].values.values():
        every = ", ".join(name for name, value in at[0].values.items() if value is ALL)
        raise InputError(f"--certificate: {at[0].claim.name} for every {every} is decided by symbols, which have no certificate")
    from verifier.certificates.catalogue import certify_claim

    certify_claim(at[0].claim, request.edition, dict(at[0].values), chosen[0], path, asked.states)


def _certify_file(subject: TableSubject, asked: Asked, path: Path) -> None:
    from verifier.certificates.files import checked, write_certificate
    from verifier.certificates.statement import Subject as Certified
    from verifier.certificates.tables import table_certificate
    from verifier.interface.constructions import AtPoint

    with placed("--certificate: nothing was written"):
        at = AtPoint.of_file(subject.source, subject.name, asked.ranges, asked.semantics)
        certified = Certified(_called(subject), Edition.PRINTED.value, at.instance.parameters)
        write_certificate(checked(table_certificate(certified, at.execution(), asked.states)), path)
