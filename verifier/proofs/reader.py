"""Formulas read as symbols: numbers become rational functions of slacks and powers, conditions are decided for all slacks at once.

A number is read only where the formula has one form, and a value, for all slacks for which the facts hold: a divisor is shown to be
nonzero, an exponent to be an integer, a range to have terms, before anything is simplified. Nothing here evaluates a text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from verifier.language.tree import (
    Comparison,
    Logic,
    Node,
    comparison,
    denial,
    fold,
)
from verifier.language.words import SIGNS
from verifier.proofs.nonnegative import Expr, Quantities, Unread, terms_of
from verifier.proofs.printing import text
from verifier.proofs.rational_numbers import sympy
from verifier.proofs.signs import sign
from verifier.proofs.symbolic_conditions import Conditions
from verifier.proofs.symbolic_numbers import Numbers
from verifier.proofs.symbolic_truth import Asked, Judgement, Line

DENIED: dict[str, str] = {
    "==": "!=",
    "!=": "==",
    "<": ">=",
    "<=": ">",
    ">": "<=",
    ">=": "<",
}


class Reader:
    """The reading of formulas over named expressions, in one case. ``lines``: what was shown for it on the way."""

    def __init__(self, quantities: Quantities, names: dict[str, Expr], lines: list[Line]) -> None:
        self.quantities, self.names, self.lines = quantities, names, lines
        self._numbers, self._conditions = Numbers(self), Conditions(self)

    def where(self, name: str, value: Expr) -> Reader:
        """The reader for which one more name has a value."""
        return Reader(self.quantities, self.names | {name: value}, self.lines)

    def number(self, node: Node) -> Expr:
        """The value of a formula.

        Raises:
            Unread: it has not one form, or not everywhere a value, or no reading as symbols.
        """
        return fold(node, self._numbers)

    def decided(self, test: Node) -> bool:
        """A condition that must be decided before something else is read.

        Raises:
            Unread: it is not.
        """
        found = self.truth(test)
        if found.value is None:
            raise Unread(found.reason, found.wants)
        self.lines.extend(found.lines)
        return found.value

    def truth(self, node: Node) -> Judgement:
        """Whether a condition holds for all slacks.

        Raises:
            Unread: a number that it needs for some slacks is not read.
        """
        return fold(node, self._conditions)

    def in_turn(self, parts: Sequence[Node], op: str) -> list[Asked]:
        """The parts of a conjunction (disjunction), each asked where those before it hold (fail)."""
        before = [part if op == "and" else denial(part) for part in parts]
        return [partial(self.supposing, before[:k], part) for k, part in enumerate(parts)]

    def supposing(self, given: Sequence[Node], asked: Node) -> Judgement:
        """Whether a condition holds for all slacks for which the given ones do; they have been read."""
        known = len(self.lines)
        with self.quantities.supposed():
            for condition in given:
                self.assume(condition)
            found = self.truth(asked)
        supposed = tuple(text(condition) for condition in given)
        self.lines[known:] = [replace(line, given=(*supposed, *line.given)) for line in self.lines[known:]]
        return replace(found, lines=tuple(replace(line, given=(*supposed, *line.given)) for line in found.lines))

    def assume(self, condition: Node) -> None:
        """Adds what a condition says to the facts, as far as it says that something is >= 0 or > 0 or = 0."""
        match condition:
            case Logic("and", parts):
                for part in parts:
                    self.assume(part)
            case Logic("not", (Logic("or", parts),)):
                for part in parts:
                    self.assume(denial(part))
            case Logic("not", (Logic("not", (part,)),)):
                self.assume(part)
            case Logic("not", (Comparison(left, (op,), (right,)),)):
                self.assume(comparison(left, DENIED[op], right))
            case Comparison(_, (_, _, *_)):
                for link in condition.links():
                    self.assume(link)
            case Comparison(left, (op,), (right,)):
                above, below = sympy.fraction(self.quantities.cancel(self.number(left) - self.number(right)))
                if above.free_symbols and sign(below, self.quantities).signs == {1}:
                    whole = terms_of(above).clear_denoms(convert=True)[1].as_expr()
                    signs = SIGNS[op]
                    for side in (1, -1):
                        if -side not in signs:
                            self.quantities.assume(self.quantities.expand(side * whole) - int(0 not in signs))  # if not 0, it is 1 at least
