"""A job: one claim in one edition at one point under one reading, and the record of what came out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from verifier.arithmetic.semantics import Semantics, read_semantics
from verifier.claims.papers import find_claim
from verifier.claims.points import points
from verifier.claims.verdicts import Edition, Result
from verifier.running.errors import InputError
from verifier.running.results import READ, Manifest, Store, key_of


class Job(msgspec.Struct, frozen=True):
    """A job in plain values, which can be sent to other machines. memory: in bytes, None for no bound."""

    claim: str
    edition: str
    parameters: tuple[tuple[str, int], ...]
    semantics: str
    method: str = "auto"
    limit: int = 1 << 31
    memory: int | None = None

    @property
    def question(self) -> list[Any]:
        """The key under which its results are kept."""
        return ["job", msgspec.to_builtins(self)]

    @property
    def key(self) -> str:
        """A short name, for a cluster."""
        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()[:24]

    def __str__(self) -> str:
        return " ".join([self.claim, *(f"{k} = {v}" for k, v in self.parameters), self.semantics, self.edition])


def jobs(
    claims: Iterable[str],
    ranges: Mapping[str, str],
    semantics: Iterable[Semantics],
    editions: Iterable[Edition],
    method: str,
    limit: int,
    memory: int | None,
) -> Iterator[Job]:
    """List every combination, claims slowest, editions fastest. A claim without bounded arithmetic has the first reading only."""
    chosen = list(semantics)
    for name in claims:
        claim = find_claim(name)
        known = {p.name for p in claim.parameters}
        for point in points(claim, {k: v for k, v in ranges.items() if k in known}):
            for reading in chosen if claim.bounded else chosen[:1]:
                for edition in editions:
                    yield Job(claim.id, edition.value, tuple(point.items()), reading.label, method, limit, memory)


def run(job: Job) -> dict[str, Any]:
    """Judge the claim and its parts in this process; decline a job that exceeds its memory bound."""
    READ.begin()
    from verifier.claims.points import Point
    from verifier.claims.session import Session
    from verifier.running.limits import Limits
    from verifier.running.memory import bounded

    claim, edition, point = find_claim(job.claim), Edition(job.edition), dict(job.parameters)
    try:
        with bounded(job.memory):
            session = Session(Limits(job.limit, job.memory), method=job.method)
            results = list(session.results(Point.of(claim, point), (edition,), read_semantics(job.semantics)))
            return _record(job, results, READ.manifest(claim.paper))
    except MemoryError:
        return declined_for_memory(job, "", READ.manifest(claim.paper) if job.memory is not None else None)


def declined_for_memory(job: Job, how: str, read: Manifest | None = None) -> dict[str, Any]:
    """The record of a job that did not have the memory it needs.

    Args:
        how: in which way that was met, if not by an allocation that failed.
        read: what it depends on, where the bound is the job's own, or else it depends on the machine, and is not kept.
    """
    from verifier.claims.model import declined

    bound = "needs more memory than there is" if job.memory is None else f"needs more than {job.memory:,} bytes of memory"
    lifted = "--memory SIZE makes each job's memory its own" if job.memory is None else "--memory lifts the limit"
    outcome = declined(f"{bound}{how}; {lifted}")
    return _record(job, [Result(job.claim, Edition(job.edition), dict(job.parameters), job.semantics, outcome)], read)


def _record(job: Job, results: Iterable[Result], read: Manifest | None) -> dict[str, Any]:
    """Results as they are kept. key: of the program that made them and of what it was asked; read: what else they depend on."""
    return {"key": key_of(job.question), "read": read, "results": [result.to_dict() for result in results]}


def keep(store: Store, job: Job, record: Mapping[str, Any]) -> None:
    """Keep the record of a job that may have been run elsewhere.

    Raises:
        InputError: it cannot be written, or it comes from a worker with another program or other files.
    """
    if record["key"] != key_of(job.question):
        raise InputError(f"{job}: the worker's record is not kept: its program, libraries or options differ from those here")
    if record["read"] is not None and not READ.holds(record["read"]):
        raise InputError(f"{job}: the worker's record is not kept: the paper's files differ from those here")
    store.keep(job.question, json.dumps(record["results"]).encode(), record["read"])
