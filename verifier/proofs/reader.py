"""Formulas read as symbols: numbers become rational functions of slacks and powers, conditions are decided for all slacks at once.

A number is read only where the formula has one form, and a value, for all slacks for which the facts hold: a divisor is shown to be
nonzero, an exponent to be an integer, a range to have terms, before anything is simplified. Nothing here evaluates a text.

A range is written out where it has few values; else its bound name is first + i with an integer i, 0 ≤ i ≤ count − 1. No closed form is
used before count ≥ 0 is shown, and conclusions from i ≤ count − 1 are forgotten afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

from verifier.language.syntax import DENIED, SIGNS
from verifier.language.tree import (
    Algebra,
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
    children,
    comparison,
    denial,
    fold,
    negative,
    rebuilt,
)
from verifier.proofs.certificate import (
    TRUE,
    Asked,
    Judgement,
    Line,
    above,
    conjunction,
    count,
    denied,
    difference,
    disjunction,
    listed,
    text,
)
from verifier.proofs.nonnegative import Expr, Quantities, Symbol, Unread, terms_of
from verifier.proofs.rational_numbers import sympy
from verifier.proofs.signs import borders, sign, signs_of
from verifier.proofs.symbolic_numbers import EXACT, FUNCTIONS, at_number, closed_sum, floor, power, rounded_log2

MOST_CHOICES = 8
"""Numbers in a comparison that are told apart by cases, one after the other."""


def in_cases(condition: Comparison | Membership) -> tuple[Node, Node, Node] | None:
    """Split a test at the first number with several forms: the test, the comparison if it holds, and the comparison if it fails.

    Choices are conditional numbers, ``max`` and ``min`` of numbers, and ``abs``. None without a choice, or with too many.
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
    """How a condition joins others (a chain of comparisons by ``and``), the first of them, and the rest; None if it joins none."""
    match test:
        case Logic("and" | "or" as operator, (first, *others)):
            return operator, first, others[0] if len(others) == 1 else Logic(operator, tuple(others))
        case Comparison(left, (operator, *more), (right, *rights)) if more:
            return "and", comparison(left, operator, right), Comparison(right, tuple(more), tuple(rights))
    return None


class Numbers(Algebra[Expr]):
    """The values of formulas, for :meth:`Reader.number`."""

    def __init__(self, reader: Reader) -> None:
        self.reader, self.quantities = reader, reader.quantities

    def outside(self, node: Node) -> Expr:
        raise Unread(f"{text(node)} has no reading as symbols")

    def numeral(self, node: Numeral) -> Expr:
        return sympy.Rational(*node.value.as_integer_ratio())

    def name(self, node: Name) -> Expr:
        return self.reader.names[node.name] if node.name in self.reader.names else self.outside(node)

    def signed(self, node: Signed) -> Expr:
        found = self.reader.number(node.operand)
        return -found if node.sign == "-" else found

    def operation(self, node: Operation) -> Expr:
        x, y = self.reader.number(node.left), self.reader.number(node.right)
        match node.operator:
            case "+":
                return self.quantities.expand(x + y)
            case "-":
                return self.quantities.expand(x - y)
            case "*":
                return self.quantities.expand(x * y)
            case "**":
                return power(self.quantities, x, y)
        self._divides(y, node.right)
        match node.operator:
            case "//":
                return floor(self.quantities, x / y)
            case "%":
                return self.quantities.expand(x - y * floor(self.quantities, x / y))
        return self.quantities.cancel(x / y)

    def _divides(self, divisor: Expr, node: Node) -> None:
        """Show that a divisor is not 0."""
        form = sign(divisor, self.quantities, SIGNS["!="])
        if 0 in form.signs:
            raise Unread(f"{text(node)} = {form.text} may be 0", borders(divisor, self.quantities))
        if not divisor.is_Rational:
            self.reader.lines.append(Line(text(node), form))

    def choice(self, node: Choice) -> Expr:
        return self.reader.number(node.body if self.reader.decided(node.test) else node.orelse)

    def ranged(self, node: Ranged) -> Expr:
        match node.function:
            case "sum":
                return total(node, self.reader)
            case "min" | "max":
                return end(node, self.reader, greatest=node.function == "max")
        return self.outside(node)

    def call(self, node: Call) -> Expr:
        number = self.reader.number
        match node:
            case Call("floor" | "ceil" as name, (Call("log2", (x,)),)):
                return rounded_log2(self.quantities, number(x), up=name == "ceil")
            case Call(name, arguments) if name in FUNCTIONS:
                return FUNCTIONS[name](self.quantities, *map(number, arguments))
            case Call(name, (of,)) if name in EXACT:
                return at_number(name, number(of))
        return self.outside(node)


class Conditions(Algebra[Judgement]):
    """The truth of formulas, for :meth:`Reader.truth`."""

    def __init__(self, reader: Reader) -> None:
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
                return every(node, self.reader)
            case "any":
                return denied(every(node, self.reader, negated=True))
        return self.outside(node)

    def by_cases(self, test: Node, body: Node, orelse: Node) -> Judgement:
        """A condition by cases: one for the slacks for which the test holds, the other for the rest.

        A test that joins others is split into them, so that each, or its negation, becomes a fact; a chain of comparisons only if all its
        numbers are read, because it has a meaning only then.
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
        """Whether a number is one of several. If its form differs from case to case, each case is decided by itself."""
        known = len(self.reader.lines)
        found = disjunction([partial(self._two_numbers, comparison(node.left, "==", value)) for value in node.values])
        cases = in_cases(Membership(node.left, node.values)) if found.value is None else None
        if cases is None:
            return found
        del self.reader.lines[known:]
        return self.by_cases(*cases)

    def _two_numbers(self, node: Comparison) -> Judgement:
        """A comparison of two numbers. If a number has several forms, each case is compared by itself."""
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


class Reader:
    """The reading of formulas over named expressions, in one case. ``lines``: the lines shown during the reading."""

    def __init__(self, quantities: Quantities, names: dict[str, Expr], lines: list[Line]) -> None:
        self.quantities, self.names, self.lines = quantities, names, lines
        self._numbers, self._conditions = Numbers(self), Conditions(self)

    def where(self, name: str, value: Expr) -> Reader:
        """The reader with a value for one more name."""
        return Reader(self.quantities, self.names | {name: value}, self.lines)

    def number(self, node: Node) -> Expr:
        """The value of a formula.

        Raises:
            Unread: it has no single form, no value for some slacks, or no symbolic reading.
        """
        return fold(node, self._numbers)

    def decided(self, test: Node) -> bool:
        """A condition that must be decided before the reading continues.

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
        """The parts of a conjunction (disjunction), each evaluated under the assumption that those before it hold (fail)."""
        before = [part if op == "and" else denial(part) for part in parts]
        return [partial(self.supposing, before[:k], part) for k, part in enumerate(parts)]

    def supposing(self, given: Sequence[Node], asked: Node) -> Judgement:
        """Whether a condition holds for all slacks for which the given conditions do; these have been read."""
        known = len(self.lines)
        with self.quantities.supposed():
            for condition in given:
                self.assume(condition)
            found = self.truth(asked)
        supposed = tuple(text(condition) for condition in given)
        self.lines[known:] = [replace(line, given=(*supposed, *line.given)) for line in self.lines[known:]]
        return replace(found, lines=tuple(replace(line, given=(*supposed, *line.given)) for line in found.lines))

    def assume(self, condition: Node) -> None:
        """Add the consequences of a condition of the form >= 0, > 0 or = 0 to the facts."""
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
                if above.free_symbols and signs_of(below, self.quantities) == {1}:
                    whole = terms_of(above).clear_denoms(convert=True)[1].as_expr()
                    signs = SIGNS[op]
                    for side in (1, -1):
                        if -side not in signs:
                            self.quantities.assume(self.quantities.expand(side * whole) - int(0 not in signs))  # if not 0, it is 1 at least


MOST_TERMS = 64
"""Values of a bound name that are written out."""
MOST_APART = 2
"""Terms of a sum that are taken out of it."""


@dataclass(frozen=True)
class Range:
    """The values of a bound name: ``count`` values from ``first`` on; count may be negative; ``tests`` select among them.

    ``apart``: the number of values of the formula's range before them.
    """

    terms: Ranged
    reader: Reader
    first: Expr
    count: Expr
    apart: int = 0

    @staticmethod
    def of(terms: Ranged, reader: Reader) -> Range:
        if terms.name in reader.names:
            raise Unread(f"{listed(terms)} binds {terms.name} twice")
        first, last = (reader.quantities.whole(reader.number(end)) for end in terms.ends)
        return Range(terms, reader, first, reader.quantities.expand(last - first + 1))

    @property
    def tests(self) -> Sequence[Node]:
        return self.terms.tests

    @property
    def few(self) -> bool:
        """Whether the values can be written out."""
        return bool(self.count.is_Integer and self.count <= MOST_TERMS)

    def without_first(self) -> Range | None:
        """The range from its second value on, if it is shown to have a first one."""
        rest = self.reader.quantities.expand(self.count - 1)
        form = sign(rest, self.reader.quantities, frozenset({0, 1}))
        return replace(self, first=self.first + 1, count=rest, apart=self.apart + 1) if form.signs <= {0, 1} else None

    def signs(self) -> frozenset[int]:
        """The signs that the count can have; a line of the certificate if these are not all three."""
        form = sign(self.count, self.reader.quantities)
        if form.signs <= {0, 1} or form.signs <= {-1, 0}:
            self.reader.lines.append(Line(count(*self.terms.ends, self.apart), form))
        return form.signs

    def unknown(self) -> Unread:
        quantities = self.reader.quantities
        return Unread(f"a range of {quantities.shown(self.count)} values, which may be negative", borders(self.count, quantities))

    def at(self, value: Expr) -> Reader:
        """The reader with this value of the bound name."""
        return self.reader.where(self.terms.name, value)

    def each(self) -> list[Reader]:
        return [self.at(self.first + i) for i in range(int(self.count))]

    @contextmanager
    def general(self, count: Expr) -> Iterator[tuple[Symbol, Reader]]:
        """i with 0 ≤ i ≤ count − 1, and the reader for which the bound name is first + i."""
        quantities = self.reader.quantities
        index = quantities.slack(above(self.terms.name, self.first, quantities), self.first, "i")
        with quantities.supposed():
            quantities.assume(count - 1 - index)
            yield index, self.at(self.first + index)


def total(terms: Ranged, reader: Reader, rest: Range | None = None) -> Expr:
    """A sum over a range, or over the ``rest`` of it if the first terms differ in form from the others.

    Raises:
        Unread: its terms have no closed form, or their number may be negative.
    """
    over = rest or Range.of(terms, reader)
    if over.few:
        values = [inside.number(terms.body) for inside in over.each() if all(map(inside.decided, over.tests))]
        return reader.quantities.expand(sympy.Add(*values))
    signs = over.signs()
    if signs <= {-1, 0}:
        return sympy.Integer(0)
    if not signs <= {0, 1}:
        raise over.unknown()
    known = len(reader.lines)
    try:
        with over.general(over.count) as (index, inside):
            term = None if over.tests else inside.number(terms.body)
    except Unread:
        rest = None if over.apart == MOST_APART else over.without_first()
        if rest is None:
            raise
        del reader.lines[known:]
        first = over.at(over.first)
        taken = first.number(terms.body) if all(map(first.decided, over.tests)) else sympy.Integer(0)
        return reader.quantities.expand(taken + total(terms, reader, rest))
    # A divisor that is known to be nonzero for the terms only may be 0 where there are none.
    found = None if term is None else closed_sum(term, index, over.count, reader.quantities)
    if found is None:
        raise Unread(f"{listed(terms)} has no closed form here", borders(over.count, reader.quantities))
    return found


def end(terms: Ranged, reader: Reader, greatest: bool) -> Expr:
    """The least or greatest of the terms over a range, if they rise or fall throughout: the term at one end."""
    over = Range.of(terms, reader)
    if over.signs() != {1} or over.tests:
        raise Unread(f"{listed(terms)} may have no term", borders(over.count, reader.quantities))
    with over.general(over.count - 1) as (index, inside):
        step = over.at(over.first + index + 1).number(terms.body) - inside.number(terms.body)
        signs = signs_of(step, reader.quantities)
    if not signs <= {0, 1} and not signs <= {-1, 0}:
        raise Unread(f"{listed(terms)} neither rises nor falls throughout", borders(step, reader.quantities))
    last = (signs <= {0, 1}) == greatest
    return over.at(over.first + over.count - 1 if last else over.first).number(terms.body)


def every(terms: Ranged, reader: Reader, negated: bool = False) -> Judgement:
    """Whether a condition, or its negation, holds for all values of a range that pass its tests."""
    over = Range.of(terms, reader)

    def holds(inside: Reader) -> Judgement:
        def fails() -> Judgement:
            found = inside.supposing(over.tests, terms.body)
            return found if negated else denied(found)

        return denied(conjunction([*inside.in_turn(over.tests, "and"), fails]))

    if over.few:
        return conjunction([partial(holds, inside) for inside in over.each()])
    signs = over.signs()
    if signs <= {-1, 0}:
        return TRUE
    with over.general(over.count) as (_, inside):
        found = holds(inside)
    if signs != {1}:
        unknown = str(over.unknown())
        return Judgement(None, (), unknown, borders(over.count, reader.quantities)) if found.value is False else found
    if found.value is None:
        for value in (over.first, over.first + over.count - 1):
            at_end = holds(over.at(value))
            if at_end.value is False:
                return at_end
    return found
