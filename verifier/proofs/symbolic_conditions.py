"""Conditions as symbols: each method finds whether one holds for all slacks, for none, or that neither is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from verifier.language.tree import (
    Algebra,
    Call,
    Choice,
    Comparison,
    Logic,
    Membership,
    Node,
    Numeral,
    Ranged,
    children,
    comparison,
    denial,
    negative,
    rebuilt,
)
from verifier.language.words import SIGNS
from verifier.proofs import symbolic_ranges as ranges
from verifier.proofs.nonnegative import Unread
from verifier.proofs.printing import difference, text
from verifier.proofs.reading import Reading
from verifier.proofs.signs import borders, sign
from verifier.proofs.symbolic_truth import Judgement, Line, conjunction, denied, disjunction

MOST_CHOICES = 8
"""Numbers in a comparison that are told apart by cases, one after the other."""


def in_cases(condition: Comparison | Membership) -> tuple[Node, Node, Node] | None:
    """A test, the comparison where it holds, and the comparison where it fails: by the first number in it that is a choice.

    Choices are conditional numbers, ``max`` and ``min`` of numbers, and ``abs``. None where there is no choice, or too many.
    """
    choices = list(_choices(condition))
    if not 0 < len(choices) <= MOST_CHOICES:
        return None
    test, body, orelse = _alternatives(choices[0])
    return test, _replaced(condition, choices[0], body), _replaced(condition, choices[0], orelse)


def _choices(node: Node) -> Iterator[Node]:
    """The choices outside the ranges of bound names, the outermost first."""
    match node:
        case Ranged():
            return
        case Choice() | Call("abs") | Call("max" | "min"):
            yield node
    for child in children(node):
        yield from _choices(child)


def _alternatives(choice: Node) -> tuple[Node, Node, Node]:
    match choice:
        case Choice(test, body, orelse):
            return test, body, orelse
        case Call("abs", (x,)):
            return comparison(x, ">=", Numeral(0)), x, negative(x)
        case Call(name, (x, y, *others)):
            test = comparison(x, ">=" if name == "max" else "<=", y)
            x, y = (Call(name, (each, *others)) if others else each for each in (x, y))
            return test, x, y
    raise TypeError(f"{choice!r} is not a choice")


def _replaced(tree: Node, old: Node, new: Node) -> Node:
    """The tree with one part of it replaced."""
    return new if tree is old else rebuilt(tree, lambda part: _replaced(part, old, new))


def joined(test: Node) -> tuple[str, Node, Node] | None:
    """How a condition joins others (a chain of comparisons by ``and``), the first of them, and the rest; None where it joins none."""
    match test:
        case Logic("and" | "or" as operator, (first, *others)):
            return operator, first, others[0] if len(others) == 1 else Logic(operator, tuple(others))
        case Comparison(left, (operator, *more), (right, *rights)) if more:
            return "and", comparison(left, operator, right), Comparison(right, tuple(more), tuple(rights))
    return None


class Conditions(Algebra[Judgement]):
    """The truth of formulas, for :meth:`verifier.proofs.reader.Reader.truth`."""

    def __init__(self, reader: Reading) -> None:
        self.reader, self.quantities = reader, reader.quantities

    def outside(self, node: Node) -> Judgement:
        raise Unread(f"{text(node)} has no reading as symbols")

    def membership(self, node: Membership) -> Judgement:
        found = self._among(node)
        return found if node.inside else denied(found)

    def comparison(self, node: Comparison) -> Judgement:
        return conjunction([partial(self._two_numbers, link) for link in node.links()])

    def logic(self, node: Logic) -> Judgement:
        if node.operator == "not":
            return denied(self.reader.truth(node.parts[0]))
        joins = conjunction if node.operator == "and" else disjunction
        return joins(self.reader.in_turn(node.parts, node.operator))

    def choice(self, node: Choice) -> Judgement:
        return self.by_cases(node.test, node.body, node.orelse)

    def ranged(self, node: Ranged) -> Judgement:
        match node.function:
            case "all":
                return ranges.every(node, self.reader)
            case "any":
                return denied(ranges.every(node, self.reader, negated=True))
        return self.outside(node)

    def by_cases(self, test: Node, body: Node, orelse: Node) -> Judgement:
        """A condition by cases: one for the slacks for which the test holds, the other for the rest.

        A test that joins others is asked one of them at a time, so that each, or its denial, is a fact; a chain of comparisons only where
        all its numbers are read, since it has a meaning only where they have.
        """
        chain = [test.left, *test.others] if isinstance(test, Comparison) else []
        if (parts := joined(test)) and self._is_read(chain):
            op, first, others = parts
            if op == "and":
                return self.by_cases(first, Choice(others, body, orelse), orelse)
            return self.by_cases(first, body, Choice(others, body, orelse))
        found = self.reader.truth(test)
        if found.value is not None:
            self.reader.lines.extend(found.lines)
            return self.reader.truth(body if found.value else orelse)
        sides = [self.reader.supposing([test], body), self.reader.supposing([denial(test)], orelse)]
        if sides[0].value is not None and sides[0].value == sides[1].value:
            return Judgement(sides[0].value, (*sides[0].lines, *sides[1].lines))
        unknown = next((side for side in sides if side.value is None), found)
        return Judgement(None, (), unknown.reason, (*unknown.wants, *found.wants))

    def _is_read(self, numbers: Sequence[Node]) -> bool:
        """Whether numbers have one form each."""
        try:
            for node in numbers:
                self.reader.number(node)
        except Unread:
            return False
        return True

    def _among(self, node: Membership) -> Judgement:
        """Whether a number is one of several; where it has one form here and another there, by cases."""
        known = len(self.reader.lines)
        found = disjunction([partial(self._two_numbers, comparison(node.left, "==", value)) for value in node.values])
        cases = in_cases(Membership(node.left, node.values)) if found.value is None else None
        if cases is None:
            return found
        del self.reader.lines[known:]
        return self.by_cases(*cases)

    def _two_numbers(self, node: Comparison) -> Judgement:
        """A comparison; where a number in it has one form here and another there, by cases."""
        known = len(self.reader.lines)
        try:
            return self._compared(node)
        except Unread:
            cases = in_cases(node)
            if cases is None:
                raise
            del self.reader.lines[known:]
        return self.by_cases(*cases)

    def _compared(self, node: Comparison) -> Judgement:
        left, (operator,), (right,) = node.left, node.operators, node.others
        value = self.reader.number(left) - self.reader.number(right)
        wanted = SIGNS[operator]
        form = sign(value, self.quantities, wanted)
        line = Line(difference(left, right), form)
        if form.signs <= wanted or not form.signs & wanted:
            return Judgement(form.signs <= wanted, (line,))
        return Judgement(None, (), f"{line} may have either sign", borders(value, self.quantities))
