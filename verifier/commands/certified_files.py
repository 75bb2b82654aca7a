"""``verify construction FILE --certificate``: evidence for one construction file at one point, under one reading."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from verifier.claims.verdicts import Edition
from verifier.errata.tables import Source
from verifier.judges.own_files import claim_names, file_points, file_readings, in_file
from verifier.networks.execution import Execution
from verifier.networks.instantiate import complete, instantiate
from verifier.running.errors import InputError, placed


def certify_file(sources: Mapping[str, Source], ranges: Mapping[str, str], semantics: str | None, path: Path, limit: int) -> None:
    """The certificate of the one construction that the run is about.

    Raises:
        InputError: several files, points or readings, or a construction without a certificate; nothing is written.
    """
    from verifier.certificates.files import certify, write_certificate
    from verifier.certificates.statement import Subject

    (file, source), *more = sources.items()
    with in_file(source, file):
        points, readings = file_points(source, ranges), file_readings(source, semantics)
    if more or len(points) != 1 or len(readings) != 1:
        raise InputError("--certificate: one file, one point and one reading were expected")
    with placed(f"--certificate: nothing was written: {file}"):
        values = complete(source.file, points[0])
        subject = Subject(claim_names(sources)[file], Edition.PRINTED.value, values)
        write_certificate(certify(subject, Execution(instantiate(source.file, values), readings[0]), limit), path)
