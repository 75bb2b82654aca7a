"""Claims outside the reach of computation: they are listed, and declined with the reason."""

from __future__ import annotations

from verifier.claims.model import Query, declined
from verifier.claims.verdicts import Outcome
from verifier.judges.fields import Declined


def judge(query: Query, fields: Declined) -> Outcome:
    """Declined, for the reason that the statement file gives."""
    del query
    return declined(fields.reason)
