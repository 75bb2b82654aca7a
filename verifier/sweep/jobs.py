"""A job: one claim in one edition at one point under one reading, and the record of what came out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from verifier.arithmetic.semantics import Semantics, read_semantics
from verifier.claims.papers import find_claim
from verifier.claims.points import points
from verifier.claims.verdicts import Edition, Result
from verifier.sweep.job_records import sealed


@dataclass(frozen=True)
class Job:
    """A job in plain text, so that it can be sent to other processes and machines. ``memory`` is in bytes, None for no bound."""

    claim: str
    edition: str
    parameters: tuple[tuple[str, int], ...]
    semantics: str
    method: str = "auto"
    limit: int = 1 << 31
    memory: int | None = None

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Job:
        """The job of :meth:`data`."""
        return cls(**{**data, "parameters": tuple((name, value) for name, value in data["parameters"])})

    def data(self) -> dict[str, Any]:
        """As JSON has it."""
        return {**asdict(self), "parameters": [[name, value] for name, value in self.parameters]}

    @property
    def key(self) -> str:
        """A short name of everything that the answer may depend on, for the file."""
        return hashlib.sha256(json.dumps(self.data(), sort_keys=True).encode()).hexdigest()[:24]

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
    """Every combination, claims slowest, editions fastest. A claim without bounded arithmetic takes the first reading only."""
    chosen = list(semantics)
    for name in claims:
        claim = find_claim(name)
        known = {p.name for p in claim.parameters}
        for point in points(claim, {k: v for k, v in ranges.items() if k in known}):
            for reading in chosen if claim.bounded else chosen[:1]:
                for edition in editions:
                    yield Job(claim.id, edition.value, tuple(point.items()), reading.label, method, limit, memory)


def run(job: Job) -> dict[str, Any]:
    """Judge, in this process: the results of the claim and its parts. A job that would pass its memory bound is declined."""
    from verifier.claims.points import Point
    from verifier.claims.session import Session
    from verifier.running.limits import Limits
    from verifier.running.memory import bounded

    claim, edition, point = find_claim(job.claim), Edition(job.edition), dict(job.parameters)
    try:
        with bounded(job.memory):
            session = Session(Limits(job.limit, job.memory), method=job.method)
            return _record(job, session.results(Point.of(claim, point), (edition,), read_semantics(job.semantics)))
    except MemoryError:
        return declined_for_memory(job, "")


def declined_for_memory(job: Job, how: str) -> dict[str, Any]:
    """The record of a job that did not have the memory it needs; ``how`` that was met, if not by an allocation that failed."""
    from verifier.claims.model import declined

    bound = "needs more memory than there is" if job.memory is None else f"needs more than {job.memory:,} bytes of memory"
    lifted = "--memory SIZE makes each job's memory its own" if job.memory is None else "--memory lifts the limit"
    outcome = declined(f"{bound}{how}; {lifted}")
    return _record(job, [Result(job.claim, Edition(job.edition), dict(job.parameters), job.semantics, outcome)])


def _record(job: Job, results: Iterable[Result]) -> dict[str, Any]:
    return sealed(job.claim, job.data(), [result.to_dict() for result in results])
