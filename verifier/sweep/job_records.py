"""The record of a finished job, and whether it answers the present question."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from verifier import __version__
from verifier.claims.papers import find_claim, papers

FORMAT = "bitreferee/sweep-job/2"


class Head(msgspec.Struct):
    """What every result has, of the fields of :meth:`verifier.claims.verdicts.Result.to_dict`."""

    claim: str
    edition: Literal["statement", "printed", "repaired"]
    parameters: dict[str, str]
    semantics: str | None
    verdict: Literal["verified", "refuted", "conditional", "open", "declined"]
    reason: str | None
    assumptions: list[str]
    seconds: str


class Record(msgspec.Struct, forbid_unknown_fields=True):
    """program: the version that judged; data: the digest of the paper's files; seal: the digest of the other fields."""

    format: Literal["bitreferee/sweep-job/2"]
    program: str
    data: str
    job: dict[str, Any]
    results: list[Head]
    seal: str


def sealed(claim: str, job: Mapping[str, Any], results: list[dict[str, Any]]) -> dict[str, Any]:
    """The record of a job's results."""
    record = {"format": FORMAT, "program": __version__, "data": data_of(claim), "job": dict(job), "results": results}
    return {**record, "seal": seal(record)}


def misfit(record: object, claim: str, job: Mapping[str, Any]) -> str | None:
    """Why a record cannot stand for this job; None where it does."""
    try:
        found = msgspec.convert(record, Record)
    except msgspec.ValidationError as error:
        return f"it is not a record of a job: {error}"
    assert isinstance(record, dict)
    if found.seal != seal({k: v for k, v in record.items() if k != "seal"}):
        return "it was changed after it was written"
    if found.job != job:
        return "it is of another job"
    if found.program != __version__:
        return f"it is of version {found.program}, this is {__version__}"
    if found.data != data_of(claim):
        return "the paper's files have changed since"
    asked = {name: str(value) for name, value in job["parameters"]}
    head = found.results[0] if found.results else None
    if head is None or (head.claim, head.edition) != (claim, job["edition"]) or not asked.items() <= head.parameters.items():
        return "its first result is of another claim, edition or point"
    return None


def seal(record: Mapping[str, Any]) -> str:
    """The digest of a record's other fields."""
    return hashlib.sha256(json.dumps(record, sort_keys=True, ensure_ascii=True).encode()).hexdigest()[:24]


def data_of(claim: str) -> str:
    """The digest of the files of the claim's paper: statements, constructions, errata and judges."""
    full = find_claim(claim).id
    return digest(next(paper.folder for paper in papers() if full.startswith(f"{paper.id}/")))


@lru_cache
def digest(folder: Path) -> str:
    """The digest of a paper's files."""
    made = hashlib.sha256()
    for file in sorted(f for f in folder.rglob("*") if f.suffix in (".toml", ".py") and f.is_file()):
        content = file.read_bytes()
        made.update(f"{file.relative_to(folder).as_posix()} {len(content)}\n".encode() + content)
    return made.hexdigest()[:24]
