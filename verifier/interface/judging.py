"""``judge`` and ``claims``: verdicts on claims and constructions, and the claims that there are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, overload

from verifier.arithmetic.semantics import EXACT, arithmetic
from verifier.claims.model import DEFAULT_SEMANTICS, Claim
from verifier.claims.papers import catalogue, find_claim, find_paper, papers
from verifier.claims.parameters import ALL, Parameter
from verifier.claims.points import parse_values
from verifier.claims.request import ALL_READINGS, Request
from verifier.claims.session import Session
from verifier.claims.verdicts import EXIT_VERIFIED, Edition, Result, exit_status, worst
from verifier.errata.tables import with_errata
from verifier.interface.arguments import Values, integer, of_arguments, texts
from verifier.interface.constructions import Construction, of_file
from verifier.interface.notebooks import table
from verifier.judges.own_files import claim_names, judged
from verifier.judges.own_networks import INPUTS, judged_network
from verifier.running.errors import InputError, MissingExtraError
from verifier.running.limits import Limits, silent
from verifier.show.run_document import document
from verifier.show.screen import parameter_list
from verifier.transformers.files import find_network, is_network

if TYPE_CHECKING:
    import pandas

CLAIMS_SHOWN = 60


@dataclass(frozen=True)
class Judgement:
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

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each result: claim, edition, parameters, semantics, verdict, cases, failures, counterexample, reason and replay.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        try:
            from pandas import DataFrame
        except ImportError:
            raise MissingExtraError("a judgement as a pandas table needs pandas", "pandas") from None
        return DataFrame([_row(result) for result in self.results], dtype=object)

    def _repr_html_(self) -> str:
        rows = [
            [r.claim, parameter_list(r), r.edition.value, r.verdict.value, r.outcome.reason or r.outcome.scope.statement, r.replay or ""]
            for r in self.results
        ]
        return table(self.claim, ("claim", "parameters", "edition", "verdict", "why", "replay"), rows)


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


@of_arguments
def judge(
    subject: str | PathLike[str] | Construction,
    *,
    edition: str | None = None,
    semantics: str | None = None,
    method: str = "auto",
    limit: int = Limits().states,
    **parameters: Values,
) -> Judgement:
    """Judge a claim, or whether a construction computes its function on every promised input and is what its file expects.

    Args:
        subject: a claim such as ``lemma-2.6``, a construction or the file of one, or a network (a file, or ``gallery/parity``), whose
            answers are judged over real numbers, or in the arithmetics that ``semantics`` names, and whose expectations are.
        edition: ``statement``, ``printed`` or ``repaired``; all of them by default. A file has ``printed``, and ``repaired`` where
            ``FILE.errata.toml`` is beside ``FILE.toml``.
        semantics: a reading, or ``all``; by default that of the file's ``[check]``, or ``a4``.
        method: the engine: ``auto``, ``enumerate``, ``reachable`` or ``columns``.
        limit: most states that an engine may visit for one result.
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
    if integer(limit, "limit") < 1:
        raise InputError(f"limit is {limit}; at least 1 was expected")
    asked = texts(parameters)
    if isinstance(subject, Construction) and subject.claim is not None:
        edition = edition or subject.edition
        subject = subject.name
    if not isinstance(subject, Construction) and is_network(fspath(subject)):
        return _of_network(fspath(subject), asked, semantics, limit)
    if isinstance(subject, Construction) or not isinstance(subject, str) or subject.endswith(".toml"):
        construction = subject if isinstance(subject, Construction) else of_file(fspath(subject))
        return _of_file(construction, Edition(edition) if edition else None, asked, semantics, method, limit)
    claim = find_claim(subject)
    request = Request((claim,), asked, semantics or DEFAULT_SEMANTICS.label, Edition(edition) if edition else None)
    session = Session(Limits(limit), method=method)
    session.count_slips = request.semantics != ALL_READINGS
    return Judgement(claim.id, (*request.results(session), *request.overviews(session)))


def _of_network(name: str, asked: dict[str, str], semantics: str | None, limit: int) -> Judgement:
    """What ``verify construction FILE`` finds of a network: over real numbers, or in the arithmetics named, such as ``float16,exact``."""
    file = find_network(name)
    for key in asked:
        if key not in file.parameters:
            raise InputError(f"{name} has no parameter {key!r}; it takes {', '.join(file.parameters)}")
    values = {key: parse_values(text, Parameter(key, "", "")) for key, text in asked.items()}
    lengths = values.pop(file.length, None) or parse_values(file.parameters[file.length].typical or "1..8", Parameter(file.length, "", ""))
    if any(len(listed) > 1 for listed in values.values()) or lengths != list(range(lengths[0], lengths[-1] + 1)):
        raise InputError(f"{name}: a range of {file.length} and one value of each other parameter were expected")
    given = {key: listed[0] for key, listed in values.items()}
    arithmetics = [arithmetic(text.strip()) for text in (semantics or EXACT).split(",")]
    limits = Limits(min(limit, INPUTS.states))
    among = range(lengths[0], lengths[-1] + 1)
    found = judged_network(name, file, among, arithmetics, given, limits, every_length=file.length in asked)
    return Judgement(f"network/{file.id}", tuple(found))


def _of_file(
    construction: Construction, edition: Edition | None, asked: dict[str, str], semantics: str | None, method: str, limit: int
) -> Judgement:
    """What ``verify construction FILE`` finds: of the file as written and with the errata beside it, and of what it expects."""
    name = construction.name
    for key in asked:
        if key not in construction.file.parameters:
            raise InputError(f"{name} has no parameter {key!r}; it takes {', '.join(construction.file.parameters)}")
    repaired = {name: with_errata(construction.source, construction.errata)} if construction.errata else {}
    if edition is Edition.STATEMENT or (edition is Edition.REPAIRED and not repaired):
        errata = "" if edition is Edition.STATEMENT else "; no errata are beside it"
        raise InputError(f"{name}: a file has no edition {edition.value}; the table of a claim has{errata}")
    written = repaired if edition is Edition.REPAIRED else {name: construction.source}
    both = {file: source for file, source in repaired.items() if edition is None and source.names}
    results = judged(written, asked, semantics, method, limit, silent, repaired=both)
    return Judgement(claim_names(written)[name], tuple(results))


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
