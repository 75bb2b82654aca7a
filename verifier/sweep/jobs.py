"""A job: one claim in one edition at one point under one reading; and the folder that remembers which are done."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from verifier.errors import InputError
from verifier.semantics import Semantics, read_semantics
from verifier.statements.papers import find_claim
from verifier.statements.points import points
from verifier.verdicts import Edition

RECORD = "bitreferee/sweep-job/1"


@dataclass(frozen=True)
class Job:
    """What is asked, in plain text, so that it travels to other processes and machines. ``memory`` is in bytes, None for no bound."""

    claim: str
    edition: str
    parameters: tuple[tuple[str, int], ...]
    semantics: str
    method: str = "auto"
    limit: int = 1 << 31
    memory: int | None = None

    @property
    def key(self) -> str:
        """A short name of everything that the answer may depend on, for the file."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:24]

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
    """Judge: the results of the claim and its parts, as records. A job that would pass its memory bound is declined."""
    from verifier.output.document import result_record
    from verifier.statements.model import Limits, declined
    from verifier.statements.session import Session
    from verifier.sweep.memory import bounded
    from verifier.verdicts import Result

    claim, edition, point = find_claim(job.claim), Edition(job.edition), dict(job.parameters)
    semantics = read_semantics(job.semantics)
    try:
        with bounded(job.memory):
            results = list(Session(Limits(job.limit), method=job.method).results(claim, (edition,), point, semantics))
    except MemoryError:
        finding = declined(f"needs more than {job.memory:,} bytes of memory; --memory lifts the limit")
        results = [Result(claim.id, edition, point, semantics.label, finding)]
    return {"format": RECORD, "job": asdict(job), "results": [result_record(r) for r in results]}


class Folder:
    """Finished jobs, a file each. A file is there whole or not at all, so that a killed run loses at most what was running."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"--folder {path}: cannot be used: {error.strerror}") from None

    def file(self, job: Job) -> Path:
        return self.path / f"{job.key}.json"

    def record(self, job: Job) -> dict[str, Any] | None:
        """The record of a finished job; None where it is not finished."""
        try:
            record: dict[str, Any] = json.loads(self.file(job).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError):
            raise InputError(f"{self.file(job)}: not a record of a job; remove it to run the job again") from None
        return record

    def keep(self, job: Job, record: Mapping[str, Any]) -> None:
        beside = self.path / f".{job.key}.{os.getpid()}.part"
        beside.write_text(json.dumps(record, indent=1, ensure_ascii=False), encoding="utf-8")
        beside.replace(self.file(job))
