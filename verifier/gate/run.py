"""One run of the claims, from which everything committed is made. The run judges every claim at its typical parameters, in every edition,
under ``a4``.

The table of verdicts, the findings and the pages come from this run; for them the run also judges the statements under the paper's other
readings, and applies each finding's errata alone. Runs are kept between commands (:func:`kept_runs`); ``verify gate`` and ``verify check``
never read one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from verifier.arithmetic.semantics import read_semantics
from verifier.claims.model import DEFAULT_SEMANTICS, Claim
from verifier.claims.papers import Paper, claims_called, find_claim, find_paper
from verifier.claims.points import asked_points
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Result
from verifier.errata.by_name import errata_of_tables
from verifier.errata.findings import Finding, findings
from verifier.errata.listings import Consequences, Failure, TableErratum, consequences, failures
from verifier.gate.by_symbols import Reach, proved
from verifier.running.grouping import grouped
from verifier.running.limits import Advance, silent
from verifier.running.results import READ, Store

if TYPE_CHECKING:
    from concurrent.futures import Executor

MAIN = ("theorem", "corollary")
"""The kinds of statements that a page begins with, under every reading."""


def main_claims(paper: Paper) -> list[Claim]:
    """The statements of :attr:`Paper.main`."""
    return [paper.statement(name) for name in paper.main]


@dataclass(frozen=True, eq=False)
class Run:
    """Results by claim, each claim without its parts' results, point by point; the errata of tables by the claim that has them.

    readings: by reading, whether the theorems and the claims on which they are built are true, if bounded arithmetic matters.
    follows: the consequences of each finding. symbols: the extent to which symbols prove the statements and the main results,
    edition by edition.
    """

    results: Mapping[str, Sequence[Result]] = field(default_factory=dict)
    errata: Mapping[str, Sequence[TableErratum]] = field(default_factory=dict)
    readings: Mapping[str, Mapping[str, Sequence[Result]]] = field(default_factory=dict)
    follows: Mapping[str, Consequences] = field(default_factory=dict)
    symbols: Mapping[str, Mapping[str, Reach]] = field(default_factory=dict)

    @property
    def every_result(self) -> list[Result]:
        return [result for listed in self.results.values() for result in listed]

    @cached_property
    def needs(self) -> dict[str, tuple[str, ...]]:
        """The extras that are not installed, by the claim that cannot be compared without them."""
        missing = {claim: {extra for r in listed for extra in r.outcome.needs} for claim, listed in self.results.items()}
        return {claim: tuple(sorted(extras)) for claim, extras in missing.items() if extras}


def run_claims(claims: Iterable[Claim], jobs: int = 1, advance: Advance = silent, errata: bool = True) -> Run:
    """Judge the claims, and run their tables without each erratum if ``errata``; the same whatever the number of processes.

    Args:
        jobs: how many processes; for more than one, the claims are those of the catalogue.
    """
    from verifier.running.processes import workers

    listed = list(claims)
    with workers(min(jobs, len(listed))) as pool:
        return _begun_judged(listed, pool, errata)(advance)


def run_papers(papers: Sequence[Paper], jobs: int = 1, advance: Advance = silent) -> tuple[Run, dict[str, Run]]:
    """All claims of the papers, and by paper all data of its findings and pages; the number of processes, which keep their results, does
    not matter.
    """
    from verifier.running.processes import workers

    with workers(min(jobs, sum(len(list(paper)) for paper in papers))) as pool:
        made = _runs(papers, pool, advance)
    parts = {name: {claim: each for run in made.values() for claim, each in getattr(run, name).items()} for name in _OF_CLAIMS}
    return Run(**parts), made


def kept_run(paper: Paper) -> Run | None:
    """The run of the paper from this process or a kept one, or None if some of it must be computed."""
    made = next((run for of, run in _MADE if of is paper), None)
    if made is None and (claims := _found(Store.usual(), "claims", paper, Run())) is not None:
        return _found(Store.usual(), "findings", paper, claims)
    return made


def kept_runs(papers: Sequence[Paper], jobs: int = 1, advance: Advance = silent) -> dict[str, Run]:
    """Find or make the runs of papers, and keep them in two parts, of which the second depends on more files."""
    from verifier.running.processes import workers

    found = {paper.id: run for paper in papers if (run := kept_run(paper)) is not None}
    with workers(jobs if len(found) < len(papers) else 1) as pool:
        return found | _runs([paper for paper in papers if paper.id not in found], pool, advance, Store.usual())


def _runs(papers: Sequence[Paper], pool: Executor | None, advance: Advance, store: Store | None = None) -> dict[str, Run]:
    """The runs of papers, found and kept in a store. The work on all is begun at once: else processes wait for the last claims of each."""
    begun = [(paper, _begun_claims(paper, pool, store)) for paper in papers]
    judged = [(paper, run := claims(advance), _begun_findings(paper, run, pool)) for paper, claims in begun]
    made = {}
    for paper, run, follows in judged:
        made[paper.id] = replace(run, follows=follows(advance))
        if store is not None:
            _keep(store, "findings", paper, made[paper.id])
    return made


def _begun_claims(paper: Paper, pool: Executor | None, store: Store | None) -> Begun[Run]:
    """Begin to judge the claims of a paper, unless the store has this part of its run."""
    kept = None if store is None else _found(store, "claims", paper, Run())
    if kept is not None:
        return lambda advance: kept
    readings = _begun_readings(paper, pool)
    judged = _begun_judged(list(paper), pool, symbols=list(asked_of_symbols(paper).values()))

    def made(advance: Advance) -> Run:
        run = replace(judged(advance), readings=readings(advance))
        if store is not None:
            _keep(store, "claims", paper, run)
        return run

    return made


def run_of(paper: Paper, claim: Claim, jobs: int = 1, advance: Advance = silent) -> Run:
    """Find or make, and keep, the part of the paper's run on which the standing of one claim rests: the claim, its halves and parts, and
    the steps of these."""
    from verifier.running.processes import workers

    store = Store.usual()
    if (kept := _found(store, "claim", paper, Run(), claim.id)) is not None:
        return kept
    walked: dict[str, Claim] = {}

    def walk(each: Claim) -> None:
        if each.id not in walked:
            walked[each.id] = each
            tables = [each.table.claim] if each.table is not None and each.table.claim is not None else []
            for name in (*(row.claim for row in each.rows), *(part.claim for part in each.parts), *(s.id for s in each.steps), *tables):
                walk(find_claim(name))

    walk(claim)
    with workers(min(jobs, len(walked))) as pool:
        readings = _begun_readings(paper, pool, walked)
        asked = [each for each in asked_of_symbols(paper).values() if each.id in walked]
        run = _begun_judged(list(walked.values()), pool, errata=False, symbols=asked)(advance)
        run = replace(run, readings=readings(advance))
        run = replace(run, follows=_begun_findings(paper, run, pool)(advance))
    _keep(store, "claim", paper, run, claim.id)
    return run


_MADE: list[tuple[Paper, Run]] = []
"""Runs that this process made for :func:`keep_run`."""


def keep_run(paper: Paper, run: Run) -> None:
    """Keep a run for this process and for later commands."""
    _MADE.append((paper, run))
    for part in ("claims", "findings"):
        _keep(Store.usual(), part, paper, run)


_OF_CLAIMS = ("results", "errata", "symbols")
_PARTS = {"claims": (*_OF_CLAIMS, "readings"), "findings": ("follows",)}
_PARTS["claim"] = _PARTS["claims"] + _PARTS["findings"]
"""The fields of a run that are kept together: of a paper in two parts, of a claim in one."""


def _found(store: Store, part: str, paper: Paper, run: Run, of: str = "") -> Run | None:
    """Add a kept part to a run, or None if the part is not kept. of: the claim, if it is not the run of the whole paper."""
    content = store.find(["run", part, of or paper.id])
    if content is None:
        return None
    kept = msgspec.json.decode(content, type=Run)
    found = replace(run, **{name: getattr(kept, name) for name in _PARTS[part]})
    if part == "findings":
        return found
    claims = {claim.id: claim for claim in paper}
    return _with_parameters(found, lambda r: claims[r.claim].complete(r.parameters))


def _keep(store: Store, part: str, paper: Paper, run: Run, of: str = "") -> None:
    plain = _with_parameters(run, lambda r: {name: int(value) for name, value in r.parameters.items()})
    kept = {name: getattr(plain, name) for name in _PARTS[part]}
    store.keep(["run", part, of or paper.id], msgspec.json.encode(kept), READ.manifest(paper.id))


def _with_parameters(run: Run, given: Callable[[Result], Mapping[str, Any]]) -> Run:
    def each(results: Mapping[str, Sequence[Result]]) -> dict[str, list[Result]]:
        return {claim: [replace(result, parameters=given(result)) for result in listed] for claim, listed in results.items()}

    return replace(run, results=each(run.results), readings={name: each(results) for name, results in run.readings.items()})


def _begun_judged(listed: Sequence[Claim], pool: Executor | None, errata: bool = True, symbols: Sequence[Claim] = ()) -> Begun[Run]:
    """Begin to judge claims, and to ask of some how far symbols prove them: the process that judges a claim has its proof."""
    of_tables = list(errata_of_tables(listed if errata else ()))
    wanted = [{claim.id: claim for claim in claims} for claims in (listed, symbols)]
    groups = _together(list((wanted[0] | wanted[1]).values()))
    asked: list[Job] = [(_group, tuple([_sent(c, pool) for c in group if c.id in ids] for ids in wanted)) for group in groups]
    asked += [(_erratum, (_sent(claim, pool), name)) for claim, name in of_tables]
    begun = _begun(asked, pool, "statements and errata")

    def found(advance: Advance) -> Run:
        _session.cache_clear()
        if pool is None:
            _session().advance = advance  # how far it is within a claim
        done = begun(advance)
        results, reaches = ({claim: made for each in done[: len(groups)] for claim, made in each[k].items()} for k in range(2))
        without = grouped((claim.id, each) for (claim, _), each in zip(of_tables, done[len(groups) :], strict=True))
        return Run({claim.id: results[claim.id] for claim in listed}, without, symbols={claim.id: reaches[claim.id] for claim in symbols})

    return found


Readings = dict[str, dict[str, list[Result]]]
T = TypeVar("T")
Begun = Callable[[Advance], T]
"""Work that other processes have begun; a call waits for it and returns the results."""


def _begun_readings(paper: Paper, pool: Executor | None, among: Mapping[str, Claim] | None = None) -> Begun[Readings]:
    """Begin to judge the main statements and their parts under the paper's other readings, if bounded arithmetic concerns them.

    among: only these, by id; by default all.
    """
    shown = {name for claim in paper.statements() if claim.name.startswith(MAIN) for name in (claim.id, *(p.claim for p in claim.parts))}
    shown &= among.keys() if among is not None else shown
    bounded = [claim for claim in paper.statements() if claim.bounded and claim.id in shown]
    others = [name for name in paper.readings if name != DEFAULT_SEMANTICS.label] if bounded else []
    groups = _together(bounded)
    asked: list[Job] = [
        (_results, ([_sent(claim, pool) for claim in group], name, (Edition.STATEMENT,))) for name in others for group in groups
    ]
    begun = _begun(asked, pool, "readings")

    def found(advance: Advance) -> Readings:
        each = iter(begun(advance))
        judged = {name: {claim: results for _ in groups for claim, results in next(each).items()} for name in others}
        return {name: {claim.id: judged[name][claim.id] for claim in bounded} for name in others}

    return found


def _begun_findings(paper: Paper, run: Run, pool: Executor | None) -> Begun[dict[str, Consequences]]:
    """Begin to compute the consequences of each finding."""
    _findings_of.cache_clear()
    failing, listed = failures(run.results), findings(paper)
    begun = _begun([(_follows_there, (paper.id, finding.entry.id, failing)) for finding in listed], pool, "findings")
    return lambda advance: {finding.id: each for finding, each in zip(listed, begun(advance), strict=True)}


def asked_of_symbols(paper: Paper) -> dict[str, Claim]:
    """Collect the statements and main results, with the parts and halves of each, and the steps that the paper's file lists.

    An unknown part is left out here. The judge refuses it later, with the line of the file.
    """
    listed = [find_claim(f"{paper.id}/{name}") for name in paper.raw.get("proved", ())]
    claims = {claim.id: claim for claim in (*paper.statements(), *main_claims(paper), *listed)}
    named = (name for claim in list(claims.values()) for name in (*(p.claim for p in claim.parts), *(r.claim for r in claim.rows)))
    return claims | {name: find_claim(name) for name in named if name not in claims and claims_called(name)}


def _sent(claim: Claim, pool: Executor | None) -> Claim | str:
    """The argument of a job: the claim, or its id if another process does the job."""
    return claim if pool is None else claim.id


def _received(claim: Claim | str) -> Claim:
    return find_claim(claim) if isinstance(claim, str) else claim


Job = tuple[Callable[..., Any], tuple[Any, ...]]


def _begun(work: Sequence[Job], pool: Executor | None, label: str) -> Begun[list[Any]]:
    """Call these functions at once in other processes, or on demand in this one. The results keep their order."""
    waiting = [partial(function, *words) if pool is None else pool.submit(function, *words).result for function, words in work]

    def found(advance: Advance) -> list[Any]:
        done: list[Any] = []
        for each in waiting:
            advance(label, len(done), len(waiting))
            done.append(each())
        if waiting:
            advance(label, len(waiting), len(waiting))
        return done

    return found


def _together(claims: Sequence[Claim]) -> list[list[Claim]]:
    """Group each statement with its steps and parts, which need the same outcomes; the largest groups come first."""
    import networkx as nx

    def owner(claim: str) -> tuple[str, str]:
        paper, _, name = claim.partition("/")
        return paper, name.partition(":")[0]

    linked = nx.Graph((owner(claim.id), owner(part)) for claim in claims for part in (claim.id, *(each.claim for each in claim.parts)))
    number = {name: k for k, names in enumerate(nx.connected_components(linked)) for name in names}
    groups = grouped((number[owner(claim.id)], claim) for claim in claims)
    return sorted(groups.values(), key=len, reverse=True)


def _follows_there(paper: str, outcome: str, failing: Mapping[str, Sequence[Failure]]) -> Consequences:
    found = find_paper(paper)
    assert found is not None
    with READ.on_behalf_of(paper):
        finding = next(m for m in _findings_of(found) if m.entry.id == outcome)
        return consequences(found, finding, failing)


def _group(judged: Sequence[Claim | str], asked: Sequence[Claim | str]) -> tuple[dict[str, list[Result]], dict[str, dict[str, Reach]]]:
    """The results of some claims, and how far symbols prove others among them; no verdict needs this."""
    results, reaches = _results(judged), {}
    for claim in map(_received, asked):
        with READ.on_behalf_of(claim.paper):
            reaches[claim.id] = proved(claim, _session())
    return results, reaches


@lru_cache(maxsize=1)
def _findings_of(paper: Paper) -> tuple[Finding, ...]:
    """The findings of a paper, read once by each process of a run."""
    return findings(paper)


@lru_cache(maxsize=1)
def _session() -> Session:
    """The session of a process, which keeps its results for later claims."""
    return Session()


def _erratum(given: Claim | str, name: str) -> TableErratum:
    from verifier.errata.smallest_failures import table_erratum

    claim = _received(given)
    with READ.on_behalf_of(claim.paper):
        return table_erratum(claim, name)


def _results(
    claims: Sequence[Claim | str], reading: str = DEFAULT_SEMANTICS.label, editions: tuple[Edition, ...] = tuple(Edition)
) -> dict[str, list[Result]]:
    """Judge claims at their typical points in one process, because they share outcomes."""
    session, semantics = _session(), read_semantics(reading)
    return {
        claim.id: [session.result(point, edition, semantics) for point in asked_points(claim, {}) for edition in editions]
        for claim in map(_received, claims)
    }
