"""The judge of what cannot be decided as it is stated, such as a bound up to a constant that nobody names."""

from __future__ import annotations

from verifier.judges.fields import Declines
from verifier.statements.model import Question, declined
from verifier.verdicts import Finding


def judge(question: Question, fields: Declines) -> Finding:
    """Declined, for the reason that the statement file gives."""
    del question
    return declined(fields.because)
