"""Certificates in files: JSON, compressed where the file's name ends with .gz."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from verifier.attention.terms import Reading
from verifier.certificates.refuted import refuted_certificate
from verifier.certificates.statement import Certificate, Subject
from verifier.certificates.verified import verified_certificate
from verifier.engines.dispatch import decide
from verifier.engines.reachable import DEFAULT_LIMIT
from verifier.engines.stages import StagingError
from verifier.errors import InputError


def certify(subject: Subject, reading: Reading, limit: int = DEFAULT_LIMIT) -> Certificate:
    """Decide the construction and write down why: the smallest failing input, or the states reached.

    Raises:
        InputError: an ill-formed construction, or one right construction that reachable sets cannot handle.
        LimitError: more work than ``limit``.
    """
    if reading.instance.defects:
        raise InputError(f"{subject.claim}: an ill-formed construction has no certificate ({reading.instance.defects[0]})")
    if not isinstance(reading.instance.precision, int) or reading.instance.attention != "softmax":
        raise InputError(f"{subject.claim}: certificates are of softmax attention in fixed point only")
    problem = reading.instance.problem
    if (problem.function, problem.promise) != ("EQ", "y <= z"):
        raise InputError(f"{subject.claim}: certificates are of EQ under y <= z, not of {problem.function} under {problem.promise}")
    census = decide(reading, "auto", limit)
    if census.smallest is not None:
        return refuted_certificate(subject, reading, *census.smallest)
    try:
        return verified_certificate(subject, reading, limit)
    except StagingError as reason:
        raise InputError(f"{subject.claim}: no certificate, {reason}") from None


def write_certificate(certificate: Certificate, path: Path) -> int:
    """Write the file; its size in bytes. The same certificate gives the same bytes."""
    data = json.dumps(certificate, separators=(",", ":"), ensure_ascii=False).encode()
    if path.suffix == ".gz":
        data = gzip.compress(data, mtime=0)
    try:
        path.write_bytes(data)
    except OSError as error:
        raise InputError(f"--certificate {path}: {error.strerror}") from None
    return len(data)
