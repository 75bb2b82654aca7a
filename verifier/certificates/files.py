"""Certificates in files: JSON, compressed where the file's name ends with .gz."""

from __future__ import annotations

import gzip
import json
import os
import stat
from pathlib import Path

from verifier.certificates import recheck
from verifier.certificates.any_function import MOST_BITS, table_certificate
from verifier.certificates.recheck_reading import Limits, Rejected, Unknown
from verifier.certificates.refuted import refuted_certificate
from verifier.certificates.statement import Certificate, Subject
from verifier.certificates.verified import verified_certificate
from verifier.engines.dispatch import decide
from verifier.engines.reachable import DEFAULT_LIMIT
from verifier.engines.search import NotApplicableError
from verifier.networks.instance import Instance
from verifier.networks.problems import Problem
from verifier.running.errors import InputError
from verifier.transformers.tables import Execution


def certify(subject: Subject, execution: Execution, limit: int = DEFAULT_LIMIT) -> Certificate:
    """Decide the construction and write down why: the smallest failing input, the states reached, or the outcomes on all inputs.

    Raises:
        InputError: an ill-formed construction, a right one that has neither states nor few enough inputs, or one that the checker
            does not read.
        LimitError: more work than ``limit``.
    """
    if execution.instance.defects:
        raise InputError(f"{subject.claim}: an ill-formed construction has no certificate ({execution.instance.defects[0]})")
    if not of_pairs(execution.instance):
        return readable(table_certificate(subject, execution, limit))
    census = decide(execution, "auto", limit)
    if census.smallest is not None:
        return readable(refuted_certificate(subject, execution, *census.smallest))
    try:
        return readable(verified_certificate(subject, execution, limit))
    except NotApplicableError as reason:
        if execution.instance.task.bits <= MOST_BITS:
            return readable(table_certificate(subject, execution, limit))
        raise InputError(f"{subject.claim}: no certificate, {reason}") from None


def of_pairs(instance: Instance) -> bool:
    """Whether the kinds for EQ under y <= z are made for it: softmax in fixed point, one value column, answers 1 and 0."""
    task = instance.task
    return (
        isinstance(instance.precision, int)
        and (instance.attention, instance.outputs, instance.accept.usual) == ("softmax", 1, True)
        and isinstance(task, Problem)
        and (task.function, task.promise) == ("EQ", "y <= z")
    )


def readable(certificate: Certificate) -> Certificate:
    """The certificate, whose statement the checker reads and finds to agree with itself.

    Raises:
        InputError: the checker knows no such constructions or parameters.
    """
    try:
        recheck.Statement(certificate, Limits(work=1 << 60))
    except (Unknown, Rejected) as reason:
        raise InputError(f"{certificate['claim']}: no certificate, as the checker would not read it: {reason}") from None
    return certificate


def write_certificate(certificate: Certificate, path: Path) -> int:
    """Write the file, whole or not at all; its size in bytes. The same certificate gives the same bytes.

    Raises:
        InputError: the file cannot be written; there is then no file, or the one that was there before.
    """
    data = json.dumps(certificate, separators=(",", ":"), ensure_ascii=False).encode()
    if path.suffix == ".gz":
        data = gzip.compress(data, mtime=0)
    try:
        _write_whole(path, data)
    except OSError as error:
        raise InputError(f"--certificate {path}: {error.strerror}") from None
    return len(data)


def _write_whole(path: Path, data: bytes) -> None:
    """A file takes the place of the old one when all of it is written, behind a link where there is one; a device is written to."""
    if path.exists() and not stat.S_ISREG(path.stat().st_mode):
        path.write_bytes(data)
        return
    target = path.resolve()
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with part.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
