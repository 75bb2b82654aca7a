"""``judge`` and ``claims``: verdicts on claims and constructions, and the claims that there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, overload

from verifier.arithmetic.semantics import EXACT, arithmetic
from verifier.claims.model import DEFAULT_SEMANTICS, Claim
from verifier.claims.papers import catalogue, find_paper, papers
from verifier.claims.parameters import ALL
from verifier.claims.request import ALL_READINGS, Request
from verifier.claims.session import Session
from verifier.claims.verdicts import EXIT_VERIFIED, Edition, Result, exit_status, worst
from verifier.engines import METHODS
from verifier.errata.tables import Source, with_errata
from verifier.interface.arguments import Values, integer, of_arguments, texts
from verifier.interface.constructions import Construction
from verifier.interface.notebooks import Shown, table
from verifier.interface.subjects import ClaimSubject, NetworkSubject, PaperSubject, Subject, TableSubject, errata_of, given_subject
from verifier.judges.own_files import claim_names, judged
from verifier.running.errors import InputError, lines_of
from verifier.running.limits import Advance, Limits, silent
from verifier.show.run_document import document

CLAIMS_SHOWN = 60


@dataclass(frozen=True, repr=False)
class Judgement(Shown):
    """The results of a request: of each point, reading and edition, of the claim's parts, and of its overview. It is a sequence of them.

    A result has ``claim``, ``edition``, ``parameters``, ``semantics``, ``verdict``, ``replay`` and ``outcome``, which has ``scope``,
    ``reason``, ``counterexample`` (exact strings by name), ``assumptions`` and ``failures``.
    """

    claim: str
    results: tuple[Result, ...]

    def __iter__(self) -> Iterator[Result]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    @overload
    def __getitem__(self, at: int) -> Result: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Result, ...]: ...
    def __getitem__(self, at: int | slice) -> Result | tuple[Result, ...]:
        return self.results[at]

    @property
    def verdicts(self) -> dict[str, str]:
        """The worst verdict of the claim over the points and readings, by edition; its parts, and what a file expects, have results."""
        own = [r for r in self.results if r.claim == self.claim]
        return {e.value: worst(listed).value for e in Edition if (listed := [r.verdict for r in own if r.edition is e])}

    @property
    def status(self) -> int:
        """The exit status of the command line: 0 verified, 1 refuted, 3 undecided."""
        return exit_status(self.results)

    @property
    def verified(self) -> bool:
        """Whether everything that was asked is verified, as stated and printed; as repaired only where nothing else was asked."""
        return self.status == EXIT_VERIFIED

    def to_dict(self) -> dict[str, Any]:
        """The document of ``--format json``, ``bitreferee/run/1``."""
        return document(self.results)

    def caption(self) -> str:
        return f"{self.claim}: {', '.join(f'{edition} {verdict}' for edition, verdict in self.verdicts.items())}"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each result: claim, edition, parameters, semantics, verdict, cases, failures, counterexample, reason and replay."""
        return [_row(result) for result in self.results]


def _row(result: Result) -> dict[str, Any]:
    found = result.outcome
    return {
        "claim": result.claim,
        "edition": result.edition.value,
        **{name: int(value) if value is not ALL else "all" for name, value in result.parameters.items()},
        "semantics": result.semantics,
        "verdict": result.verdict.value,
        "cases": found.scope.cases,
        "failures": found.failures,
        "counterexample": None if found.counterexample is None else dict(found.counterexample),
        "reason": found.reason,
        "replay": result.replay,
    }


@dataclass(frozen=True)
class ClaimEntry:
    """A claim as :func:`claims` lists it. role: of a step, ``argument`` or ``aside``; None of a statement.

    parameters: by name, what each means, its domain, and what is taken where it is left out.
    """

    id: str
    statement: str
    place: str
    role: str | None
    parameters: dict[str, str]
    construction: bool

    def to_dict(self) -> dict[str, Any]:
        """Its fields by name."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


class Claims(tuple[ClaimEntry, ...]):
    """The claims found, in the papers' order."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """``{"claims": [...]}``, an entry for each."""
        return {"claims": [entry.to_dict() for entry in self]}

    def _repr_html_(self) -> str:
        more = f"; the first {CLAIMS_SHOWN} are shown" if len(self) > CLAIMS_SHOWN else ""
        return table(f"{len(self)} claims{more}", ("claim", "says", "place"), [[c.id, c.statement, c.place] for c in self[:CLAIMS_SHOWN]])


@dataclass(frozen=True)
class Asked:
    """What is asked of subjects.

    ranges: of parameters, by name; semantics: readings or arithmetics, by default those of the subject; limit: the largest amount of work
    for one result, by default that of the subject's kind.
    """

    ranges: Mapping[str, str] = field(default_factory=dict)
    edition: Edition | None = None
    semantics: str | None = None
    method: str = "auto"
    limit: int | None = None
    steps: bool = False

    @property
    def states(self) -> int:
        """The most states that an engine visits for one result."""
        return self.limit or Limits().states

    def own(self, subject: Subject) -> dict[str, str]:
        """The ranges of a subject's parameters."""
        known = {option.name for option in subject.parameters(self.steps)}
        return {name: text for name, text in self.ranges.items() if name in known}


def request_of(subjects: Sequence[ClaimSubject], asked: Asked) -> Request:
    """The request about these claims."""
    known = {name for each in subjects for name in asked.own(each)}
    ranges = {name: text for name, text in asked.ranges.items() if name in known}
    return Request(tuple(s.claim for s in subjects), ranges, asked.semantics or DEFAULT_SEMANTICS.label, asked.edition, asked.steps)


@dataclass(frozen=True)
class Tables:
    """Construction files: as they are judged, and those of them that are judged with their errata as well."""

    written: dict[str, Source]
    repaired: dict[str, Source]

    @classmethod
    def of(cls, sources: Mapping[str, Source], asked: Asked, errata: Mapping[str, Path], refused: list[str] | None = None) -> Tables:
        """The editions that are asked for.

        Args:
            errata: those of files that have some.
            refused: where what is wrong with errata goes, so that the files are judged all the same; raised if None.

        Raises:
            InputError: an edition that a file has not.
        """
        wanted = asked.edition
        for name in sources:
            if wanted is Edition.STATEMENT or (wanted is Edition.REPAIRED and name not in errata):
                without = "" if wanted is Edition.STATEMENT else "; no errata are beside it"
                raise InputError(f"{name}: a file has no edition {wanted.value}; the table of a claim has{without}")
        found: dict[str, Source] = {}
        for name, path in errata.items() if wanted is not Edition.PRINTED else ():
            try:
                found[name] = with_errata(sources[name], path)
            except InputError as error:
                if refused is None:
                    raise
                refused += lines_of(error)
        if wanted is Edition.REPAIRED:
            return cls(found, {})
        return cls(dict(sources), {name: source for name, source in found.items() if source.names})

    def results(self, asked: Asked, advance: Advance = silent, refused: list[str] | None = None) -> Iterator[Result]:
        """The results of every file; refused: where the errors of a file go, so that the others are judged all the same."""
        yield from judged(self.written, asked.ranges, asked.semantics, asked.method, asked.states, advance, refused, self.repaired)


def network_editions(subject: NetworkSubject, asked: Asked) -> list[NetworkSubject]:
    """The editions of a network that are asked for: as written, and after the errata beside its file.

    Raises:
        InputError: an edition that it has not, or errata that do not fit.
    """
    from verifier.transformers.files import read_repaired

    found = [subject]
    errata = errata_of(subject)
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
    wanted = given.pop(subject.file.length, "")
    arithmetics = [arithmetic(text.strip()) for text in (EXACT if asked.semantics is None else asked.semantics).split(",")]
    lengths, others, limits = subject.lengths(wanted), subject.integers(given), Limits(asked.limit or INPUTS.states)
    yield from judged_network(subject.name, subject.file, lengths, arithmetics, others, limits, advance, subject.edition, bool(wanted))


@of_arguments
def judge(
    subject: str | PathLike[str] | Construction,
    *,
    edition: str | None = None,
    semantics: str | None = None,
    method: str = "auto",
    limit: int | None = None,
    **parameters: Values,
) -> Judgement:
    """Judge a claim, every statement of a paper, or whether a construction or network answers every input rightly and as its file expects.

    Args:
        subject: a claim such as ``lemma-2.6``, a paper such as ``every-bit-counts``, a construction or the file of one, or a network (a
            file, or ``gallery/parity``), whose answers are judged over real numbers, or in the arithmetics that ``semantics`` names, and
            whose expectations are.
        edition: ``statement``, ``printed`` or ``repaired``; all of them by default. A file has ``printed``, and ``repaired`` where
            ``FILE.errata.toml`` is beside ``FILE.toml``.
        semantics: a reading, or ``all``; by default that of the file's ``[check]``, or ``a4``.
        method: the engine: ``auto``, ``enumerate``, ``reachable`` or ``columns``.
        limit: most states that an engine may visit for one result; by default the command line's.
        parameters: by name: an int, a range, or a text such as ``"4..6"`` or ``"all"``. Those that are left out take their typical
            values; those of a file, what its ``[check]`` says.

    Raises:
        TypeError: a parameter or a limit that is not an integer, or a subject that is neither.
        InputError: no such claim, edition, reading or parameter, or a bad file.

    >>> found = judge("lemma-2.6", p=6)
    >>> found.verdicts
    {'statement': 'verified', 'printed': 'refuted', 'repaired': 'declined'}
    >>> found[1].outcome.counterexample["z"], found[1].outcome.failures
    ('00000100000', 931392)
    """
    if edition is not None and edition not in {e.value for e in Edition}:
        raise InputError(f"edition is {edition!r}; statement, printed or repaired was expected")
    if method not in METHODS:
        raise InputError(f"method is {method!r}; {', '.join(METHODS)} was expected")
    if limit is not None and integer(limit, "limit") < 1:
        raise InputError(f"limit is {limit}; at least 1 was expected")
    if isinstance(subject, Construction) and subject.claim is not None:
        edition = edition or subject.edition
        subject = subject.name
    asked = Asked(texts(parameters), Edition(edition) if edition else None, semantics, method, limit)
    found = given_subject(subject)
    _known(found, asked)
    match found:
        case TableSubject():
            errata = subject.errata if isinstance(subject, Construction) else errata_of(found)
            return _of_table(found, asked, errata)
        case NetworkSubject():
            results = (result for each in network_editions(found, asked) for result in network_results(each, asked))
            return Judgement(f"network/{found.file.id}", tuple(results))
        case PaperSubject():
            claims = [ClaimSubject(claim.id, claim) for claim in found.paper.statements()]
            claims = found.with_parameters(asked.ranges) if asked.ranges else claims
            return _of_claims(found.paper.id, claims, asked)
        case ClaimSubject():
            return _of_claims(found.claim.id, [found], asked)
    raise TypeError(f"a {found.kind} is not judged")


def _known(subject: Subject, asked: Asked) -> None:
    """Refuse a parameter that a file has not; of a claim its domain says so."""
    if isinstance(subject, TableSubject | NetworkSubject):
        known = [option.name for option in subject.parameters()]
        for key in asked.ranges:
            if key not in known:
                raise InputError(f"{subject.name} has no parameter {key!r}; it takes {', '.join(known)}")


def _of_claims(name: str, claims: Sequence[ClaimSubject], asked: Asked) -> Judgement:
    request = Request(
        tuple(each.claim for each in claims), asked.ranges, asked.semantics or DEFAULT_SEMANTICS.label, asked.edition, asked.steps
    )
    session = Session(Limits(asked.states), method=asked.method)
    session.count_slips = request.semantics != ALL_READINGS
    return Judgement(name, (*request.results(session), *request.overviews(session)))


def _of_table(subject: TableSubject, asked: Asked, errata: Path | None) -> Judgement:
    tables = Tables.of({subject.name: subject.source}, asked, {subject.name: errata} if errata else {})
    return Judgement(claim_names(tables.written)[subject.name], tuple(tables.results(asked)))


@of_arguments
def claims(paper: str | None = None, *words: str, steps: bool = False) -> Claims:
    """The statements of every paper, or of one, in its order.

    Args:
        paper: its id, such as ``every-bit-counts``.
        words: what an entry's id, statement or place must hold.
        steps: whether the steps of their proofs are judged as well.

    Raises:
        InputError: no such paper.

    >>> [c.id for c in claims("every-bit-counts", "fooling")]
    ['every-bit-counts/definition-a.5', 'every-bit-counts/lemma-a.6']
    """
    if paper is not None and find_paper(paper) is None:
        known = ", ".join(p.id for p in papers())
        raise InputError(f"no paper {paper!r}; there are {known}")
    of = None if paper is None else paper.lower()
    listed = [c for c in catalogue().values() if of in (None, c.paper) and (steps or c.role is None)]
    return Claims(_entry(c) for c in listed if all(w.lower() in f"{c.id} {c.statement} {c.place}".lower() for w in words))


def _entry(claim: Claim) -> ClaimEntry:
    described = {p.name: p.described for p in claim.parameters}
    return ClaimEntry(claim.id, claim.statement, claim.place, claim.role, described, claim.table is not None)
