"""Formulas read as symbols: numbers become rational functions of slacks and powers, conditions are decided for all slacks at once.

A number is read only where the formula has one form, and a value, for all slacks for which the facts hold: a divisor is shown to be
nonzero, an exponent to be an integer, a range to have terms, before anything is simplified. Nothing here evaluates a text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from verifier.language.tree import (
    Call,
    Choice,
    Comparison,
    Logic,
    Membership,
    Name,
    Node,
    Numeral,
    Operation,
    Ranged,
    Signed,
    comparison,
    denial,
)
from verifier.language.words import SIGNS
from verifier.proofs import symbolic_functions as functions
from verifier.proofs import symbolic_ranges as ranges
from verifier.proofs.by_cases import in_cases, joined
from verifier.proofs.nonnegative import Expr, Quantities, Unread, terms_of
from verifier.proofs.printing import difference, text
from verifier.proofs.rational_numbers import sympy
from verifier.proofs.signs import borders, sign
from verifier.proofs.symbolic_truth import Asked, Judgement, Line, conjunction, denied, disjunction

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

    def where(self, name: str, value: Expr) -> Reader:
        """The reader for which one more name has a value."""
        return Reader(self.quantities, self.names | {name: value}, self.lines)

    def number(self, node: Node) -> Expr:
        """The value of a formula.

        Raises:
            Unread: it has not one form, or not everywhere a value, or no reading as symbols.
        """
        match node:
            case Numeral(value):
                return sympy.Rational(*value.as_integer_ratio())
            case Name(name) if name in self.names:
                return self.names[name]
            case Signed("-" | "+" as op, operand):
                return -self.number(operand) if op == "-" else self.number(operand)
            case Operation(left, op, right):
                return self._binary(self.number(left), op, right)
            case Choice(test, body, orelse):
                return self.number(body if self.decided(test) else orelse)
            case Ranged("sum"):
                return ranges.total(node, self)
            case Ranged("min" | "max" as name):
                return ranges.end(node, self, greatest=name == "max")
            case Call("floor" | "ceil" as name, (Call("log2", (x,)),)):
                return functions.rounded_log2(self.quantities, self.number(x), up=name == "ceil")
            case Call(name, arguments) if name in functions.FUNCTIONS:
                return functions.FUNCTIONS[name](self.quantities, *map(self.number, arguments))
            case Call(name, (of,)) if name in functions.EXACT:
                return functions.at_number(name, self.number(of))
        raise Unread(f"{text(node)} has no reading as symbols")

    def _binary(self, x: Expr, op: str, right: Node) -> Expr:
        y = self.number(right)
        match op:
            case "+":
                return self.quantities.expand(x + y)
            case "-":
                return self.quantities.expand(x - y)
            case "*":
                return self.quantities.expand(x * y)
            case "**":
                return functions.power(self.quantities, x, y)
        self._divides(y, right)
        match op:
            case "//":
                return functions.floor(self.quantities, x / y)
            case "%":
                return self.quantities.expand(x - y * functions.floor(self.quantities, x / y))
        return self.quantities.cancel(x / y)

    def _divides(self, divisor: Expr, node: Node) -> None:
        """Shows that a divisor is not 0."""
        form = sign(divisor, self.quantities, SIGNS["!="])
        if 0 in form.signs:
            raise Unread(f"{text(node)} = {form.text} may be 0", borders(divisor, self.quantities))
        if not divisor.is_Rational:
            self.lines.append(Line(text(node), form))

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
        match node:
            case Membership():
                found = self._among(node)
                return found if node.inside else denied(found)
            case Comparison():
                return conjunction([partial(self._comparison, link) for link in node.links()])
            case Logic("and", parts):
                return conjunction(self.in_turn(parts, "and"))
            case Logic("or", parts):
                return disjunction(self.in_turn(parts, "or"))
            case Logic("not", (operand,)):
                return denied(self.truth(operand))
            case Choice(test, body, orelse):
                return self._either(test, body, orelse)
            case Ranged("all"):
                return ranges.every(node, self)
            case Ranged("any"):
                return denied(ranges.every(node, self, negated=True))
        raise Unread(f"{text(node)} has no reading as symbols")

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

    def _either(self, test: Node, body: Node, orelse: Node) -> Judgement:
        """A condition by cases: one for the slacks for which the test holds, the other for the rest.

        A test that joins others is asked one of them at a time, so that each, or its denial, is a fact; a chain of comparisons only where
        all its numbers are read, since it has a meaning only where they have.
        """
        chain = [test.left, *test.others] if isinstance(test, Comparison) else []
        if (parts := joined(test)) and self._is_read(chain):
            op, first, others = parts
            if op == "and":
                return self._either(first, Choice(others, body, orelse), orelse)
            return self._either(first, body, Choice(others, body, orelse))
        found = self.truth(test)
        if found.value is not None:
            self.lines.extend(found.lines)
            return self.truth(body if found.value else orelse)
        sides = [self.supposing([test], body), self.supposing([denial(test)], orelse)]
        if sides[0].value is not None and sides[0].value == sides[1].value:
            return Judgement(sides[0].value, (*sides[0].lines, *sides[1].lines))
        unknown = next((side for side in sides if side.value is None), found)
        return Judgement(None, (), unknown.reason, (*unknown.wants, *found.wants))

    def _is_read(self, numbers: Sequence[Node]) -> bool:
        """Whether numbers have one form each."""
        try:
            for node in numbers:
                self.number(node)
        except Unread:
            return False
        return True

    def _among(self, node: Membership) -> Judgement:
        """Whether a number is one of several; where it has one form here and another there, by cases."""
        known = len(self.lines)
        found = disjunction([partial(self._comparison, comparison(node.left, "==", value)) for value in node.values])
        cases = in_cases(Membership(node.left, node.values)) if found.value is None else None
        if cases is None:
            return found
        del self.lines[known:]
        return self._either(*cases)

    def _comparison(self, node: Comparison) -> Judgement:
        """A comparison; where a number in it has one form here and another there, by cases."""
        known = len(self.lines)
        try:
            return self._compared(node)
        except Unread:
            cases = in_cases(node)
            if cases is None:
                raise
            del self.lines[known:]
        return self._either(*cases)

    def _compared(self, node: Comparison) -> Judgement:
        left, (operator,), (right,) = node.left, node.operators, node.others
        value = self.number(left) - self.number(right)
        wanted = SIGNS[operator]
        form = sign(value, self.quantities, wanted)
        line = Line(difference(left, right), form)
        if form.signs <= wanted or not form.signs & wanted:
            return Judgement(form.signs <= wanted, (line,))
        return Judgement(None, (), f"{line} may have either sign", borders(value, self.quantities))

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
