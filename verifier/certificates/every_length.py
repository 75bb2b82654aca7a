"""Certificates that a table with alike positions computes EQ on strings of every length."""

from __future__ import annotations

from verifier.certificates.statement import Certificate, Subject
from verifier.certificates.tables import of_table
from verifier.running.errors import InputError
from verifier.transformers.tables import Execution


def every_length(subject: Subject, execution: Execution) -> Certificate:
    """The certificate of such a table; the checker computes the states.

    Raises:
        InputError: a construction that is answered by a condition.
    """
    if not execution.instance.accept.usual:
        raise InputError("certificates of every length are of answers 1 and 0, not of [accept]")
    return of_table(subject, execution, {"kind": "length"})
