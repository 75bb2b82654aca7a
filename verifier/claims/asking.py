"""Whom one judge asks what other claims are found to be: of a session, only that it answers."""

from __future__ import annotations

from typing import Protocol

from verifier.arithmetic.semantics import Semantics
from verifier.claims.points import Point
from verifier.claims.verdicts import Edition, Outcome


class Asking(Protocol):
    """Who says what other claims are found to be."""

    def at(self, point: Point, edition: Edition, semantics: Semantics) -> Outcome:
        """The outcome at a point."""
