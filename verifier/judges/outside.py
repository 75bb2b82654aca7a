"""Claims that lie outside what computation decides: they are listed, and declined with the reason."""

from __future__ import annotations

from verifier.judges.fields import Declined
from verifier.statements.model import Question, declined
from verifier.verdicts import Finding


def judge(question: Question, fields: Declined) -> Finding:
    """Declined, for the reason that the statement file gives."""
    del question
    return declined(fields.reason)
