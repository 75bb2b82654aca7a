"""The interface that the parts of the symbolic reading use of the whole (:class:`verifier.proofs.reader.Reader`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from verifier.language.tree import Node
from verifier.proofs.nonnegative import Expr, Quantities
from verifier.proofs.symbolic_truth import Asked, Judgement, Line


class Reading(Protocol):
    """Formulas over named expressions, read as symbols in one case. ``lines``: what was shown for it on the way."""

    quantities: Quantities
    names: dict[str, Expr]
    lines: list[Line]

    def where(self, name: str, value: Expr) -> Reading:
        """The reading for which one more name has a value."""
        ...

    def number(self, node: Node) -> Expr:
        """The value of a formula."""
        ...

    def decided(self, test: Node) -> bool:
        """A condition that must be decided before something else is read."""
        ...

    def truth(self, node: Node) -> Judgement:
        """Whether a condition holds for all slacks."""
        ...

    def in_turn(self, parts: Sequence[Node], op: str) -> list[Asked]:
        """The parts of a conjunction (disjunction), each asked where those before it hold (fail)."""
        ...

    def supposing(self, given: Sequence[Node], asked: Node) -> Judgement:
        """Whether a condition holds for all slacks for which the given ones do."""
        ...
