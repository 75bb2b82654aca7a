"""The certificate of a claim about a construction or by a fooling set: one edition, one parameter point, one reading."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from verifier.attention.terms import Reading
from verifier.certificates.files import certify, write_certificate
from verifier.certificates.fooling import fooling_certificate
from verifier.certificates.statement import Subject
from verifier.errors import InputError
from verifier.judges.tables import edition_instance, table_parameters
from verifier.problems import Problem
from verifier.semantics import Semantics
from verifier.statements.model import Claim
from verifier.verdicts import Edition


def certify_claim(claim: Claim, edition: Edition, point: Mapping[str, int], semantics: Semantics, path: Path, limit: int) -> int:
    """Write the certificate of the claim's construction or fooling set to ``path``; the file's size in bytes.

    Raises:
        InputError: a claim with neither, or a construction that has no certificate.
        LimitError: more work than ``limit``.
    """
    if claim.diagonal:
        values = claim.complete(point)
        problem = Problem("EQ", "y <= z", values["m"])
        return write_certificate(fooling_certificate(Subject(claim.id, edition.value, values), problem), path)
    if claim.table is None:
        raise InputError(f"--certificate: {claim.name} has no construction or fooling set of its own; a lemma that has one was expected")
    subject = Subject(claim.id, edition.value, table_parameters(claim, point))
    reading = Reading(edition_instance(claim, edition, point), semantics)
    return write_certificate(certify(subject, reading, limit), path)
