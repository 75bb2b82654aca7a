"""The part of a session that a judge uses: it answers what the outcomes of other claims are."""

from __future__ import annotations

from typing import Protocol

from verifier.arithmetic.semantics import Semantics
from verifier.claims.points import Point
from verifier.claims.verdicts import Edition, Outcome


class Asking(Protocol):
    """Anything that answers what the outcomes of other claims are."""

    def at(self, point: Point, edition: Edition, semantics: Semantics) -> Outcome:
        """The outcome at a point."""
