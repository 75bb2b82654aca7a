"""Formulas read as symbols: numbers become rational functions of slacks and powers, conditions are decided for all slacks at once.

A number is read only where the formula has one form, and a value, for all slacks for which the facts hold: a divisor is shown to be
nonzero, an exponent to be an integer, a range to have terms, before anything is simplified. Nothing here evaluates a text.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from verifier.arithmetic.rationals import Fraction
from verifier.proofs import symbolic_functions as functions
from verifier.proofs import symbolic_ranges as ranges
from verifier.proofs.by_cases import in_cases, joined
from verifier.proofs.nonnegative import Expr, Quantities, Unread, terms_of
from verifier.proofs.printing import difference, text
from verifier.proofs.rational_numbers import sympy
from verifier.proofs.signs import borders, sign
from verifier.proofs.symbolic_truth import Asked, Judgement, Line, conjunction, denied, disjunction

SIGNS: dict[type[ast.cmpop], frozenset[int]] = {
    ast.Eq: frozenset({0}),
    ast.NotEq: frozenset({-1, 1}),
    ast.Lt: frozenset({-1}),
    ast.LtE: frozenset({-1, 0}),
    ast.Gt: frozenset({1}),
    ast.GtE: frozenset({0, 1}),
}
"""The signs of left − right with which a comparison is true."""
DENIED: dict[type[ast.cmpop], ast.cmpop] = {
    ast.Eq: ast.NotEq(),
    ast.NotEq: ast.Eq(),
    ast.Lt: ast.GtE(),
    ast.LtE: ast.Gt(),
    ast.Gt: ast.LtE(),
    ast.GtE: ast.Lt(),
}


class Reader:
    """The reading of formulas over named expressions, in one case. ``lines``: what was shown for it on the way."""

    def __init__(self, quantities: Quantities, names: dict[str, Expr], lines: list[Line]) -> None:
        self.quantities, self.names, self.lines = quantities, names, lines

    def where(self, name: str, value: Expr) -> Reader:
        """The reader for which one more name has a value."""
        return Reader(self.quantities, self.names | {name: value}, self.lines)

    def number(self, node: ast.expr) -> Expr:
        """The value of a formula.

        Raises:
            Unread: it has not one form, or not everywhere a value, or no reading as symbols.
        """
        match node:
            case ast.Constant(value=int() | Fraction() as value):
                return sympy.Rational(*value.as_integer_ratio())
            case ast.Name(id=name) if name in self.names:
                return self.names[name]
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() as op, operand=operand):
                return -self.number(operand) if isinstance(op, ast.USub) else self.number(operand)
            case ast.BinOp(left=left, op=op, right=right):
                return self._binary(self.number(left), op, right)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self.number(body if self.decided(test) else orelse)
            case ast.Call(func=ast.Name(id="sum"), args=[ast.GeneratorExp() as terms]):
                return ranges.total(terms, self)
            case ast.Call(func=ast.Name(id="min" | "max" as name), args=[ast.GeneratorExp() as terms]):
                return ranges.end(terms, self, greatest=name == "max")
            case ast.Call(func=ast.Name(id="floor" | "ceil" as name), args=[ast.Call(func=ast.Name(id="log2"), args=[x])]):
                return functions.rounded_log2(self.quantities, self.number(x), up=name == "ceil")
            case ast.Call(func=ast.Name(id=name), args=arguments) if name in functions.FUNCTIONS:
                return functions.FUNCTIONS[name](self.quantities, *map(self.number, arguments))
            case ast.Call(func=ast.Name(id=name), args=[of]) if name in functions.EXACT:
                return functions.at_number(name, self.number(of))
        raise Unread(f"{text(node)} has no reading as symbols")

    def _binary(self, x: Expr, op: ast.operator, right: ast.expr) -> Expr:
        y = self.number(right)
        match op:
            case ast.Add():
                return self.quantities.expand(x + y)
            case ast.Sub():
                return self.quantities.expand(x - y)
            case ast.Mult():
                return self.quantities.expand(x * y)
            case ast.Pow():
                return functions.power(self.quantities, x, y)
        self._divides(y, right)
        match op:
            case ast.FloorDiv():
                return functions.floor(self.quantities, x / y)
            case ast.Mod():
                return self.quantities.expand(x - y * functions.floor(self.quantities, x / y))
        return self.quantities.cancel(x / y)

    def _divides(self, divisor: Expr, node: ast.expr) -> None:
        """Shows that a divisor is not 0."""
        form = sign(divisor, self.quantities, SIGNS[ast.NotEq])
        if 0 in form.signs:
            raise Unread(f"{text(node)} = {form.text} may be 0", borders(divisor, self.quantities))
        if not divisor.is_Rational:
            self.lines.append(Line(text(node), form))

    def decided(self, test: ast.expr) -> bool:
        """A condition that must be decided before something else is read.

        Raises:
            Unread: it is not.
        """
        found = self.truth(test)
        if found.value is None:
            raise Unread(found.reason, found.wants)
        self.lines.extend(found.lines)
        return found.value

    def truth(self, node: ast.expr) -> Judgement:
        """Whether a condition holds for all slacks.

        Raises:
            Unread: a number that it needs for some slacks is not read.
        """
        match node:
            case ast.Compare(left=left, ops=[ast.In() | ast.NotIn() as op], comparators=[ast.Tuple(elts=values)]):
                found = self._among(left, values)
                return found if isinstance(op, ast.In) else denied(found)
            case ast.Compare(left=left, ops=ops, comparators=rights):
                pairs = zip((left, *rights), ops, rights, strict=False)
                return conjunction([partial(self._comparison, a, op, b) for a, op, b in pairs])
            case ast.BoolOp(op=ast.And(), values=parts):
                return conjunction(self.in_turn(parts, ast.And()))
            case ast.BoolOp(op=ast.Or(), values=parts):
                return disjunction(self.in_turn(parts, ast.Or()))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return denied(self.truth(operand))
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self._either(test, body, orelse)
            case ast.Call(func=ast.Name(id="all"), args=[ast.GeneratorExp() as terms]):
                return ranges.every(terms, self)
            case ast.Call(func=ast.Name(id="any"), args=[ast.GeneratorExp() as terms]):
                return denied(ranges.every(terms, self, negated=True))
        raise Unread(f"{text(node)} has no reading as symbols")

    def in_turn(self, parts: Sequence[ast.expr], op: ast.boolop) -> list[Asked]:
        """The parts of a conjunction (disjunction), each asked where those before it hold (fail)."""
        before = [part if isinstance(op, ast.And) else ast.UnaryOp(ast.Not(), part) for part in parts]
        return [partial(self.supposing, before[:k], part) for k, part in enumerate(parts)]

    def supposing(self, given: Sequence[ast.expr], asked: ast.expr) -> Judgement:
        """Whether a condition holds for all slacks for which the given ones do; they have been read."""
        known = len(self.lines)
        with self.quantities.supposed():
            for condition in given:
                self.assume(condition)
            found = self.truth(asked)
        supposed = tuple(text(condition) for condition in given)
        self.lines[known:] = [replace(line, given=(*supposed, *line.given)) for line in self.lines[known:]]
        return replace(found, lines=tuple(replace(line, given=(*supposed, *line.given)) for line in found.lines))

    def _either(self, test: ast.expr, body: ast.expr, orelse: ast.expr) -> Judgement:
        """A condition by cases: one for the slacks for which the test holds, the other for the rest.

        A test that joins others is asked one of them at a time, so that each, or its denial, is a fact; a chain of comparisons only where
        all its numbers are read, since it has a meaning only where they have.
        """
        chain = [test.left, *test.comparators] if isinstance(test, ast.Compare) else []
        if (parts := joined(test)) and self._is_read(chain):
            op, first, others = parts
            if isinstance(op, ast.And):
                return self._either(first, ast.IfExp(others, body, orelse), orelse)
            return self._either(first, body, ast.IfExp(others, body, orelse))
        found = self.truth(test)
        if found.value is not None:
            self.lines.extend(found.lines)
            return self.truth(body if found.value else orelse)
        sides = [self.supposing([test], body), self.supposing([ast.UnaryOp(ast.Not(), test)], orelse)]
        if sides[0].value is not None and sides[0].value == sides[1].value:
            return Judgement(sides[0].value, (*sides[0].lines, *sides[1].lines))
        unknown = next((side for side in sides if side.value is None), found)
        return Judgement(None, (), unknown.reason, (*unknown.wants, *found.wants))

    def _is_read(self, numbers: Sequence[ast.expr]) -> bool:
        """Whether numbers have one form each."""
        try:
            for node in numbers:
                self.number(node)
        except Unread:
            return False
        return True

    def _among(self, left: ast.expr, values: Sequence[ast.expr]) -> Judgement:
        """Whether a number is one of several; where it has one form here and another there, by cases."""
        known = len(self.lines)
        found = disjunction([partial(self._comparison, left, ast.Eq(), v) for v in values])
        cases = in_cases(ast.Compare(left, [ast.In()], [ast.Tuple(list(values))])) if found.value is None else None
        if cases is None:
            return found
        del self.lines[known:]
        return self._either(*cases)

    def _comparison(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> Judgement:
        """A comparison; where a number in it has one form here and another there, by cases."""
        known = len(self.lines)
        try:
            return self._compared(left, op, right)
        except Unread:
            cases = in_cases(ast.Compare(left, [op], [right]))
            if cases is None:
                raise
            del self.lines[known:]
        return self._either(*cases)

    def _compared(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> Judgement:
        value = self.number(left) - self.number(right)
        wanted = SIGNS[type(op)]
        form = sign(value, self.quantities, wanted)
        line = Line(difference(left, right), form)
        if form.signs <= wanted or not form.signs & wanted:
            return Judgement(form.signs <= wanted, (line,))
        return Judgement(None, (), f"{line} may have either sign", borders(value, self.quantities))

    def assume(self, condition: ast.expr) -> None:
        """Adds what a condition says to the facts, as far as it says that something is >= 0 or > 0 or = 0."""
        match condition:
            case ast.BoolOp(op=ast.And(), values=parts):
                for part in parts:
                    self.assume(part)
            case ast.UnaryOp(op=ast.Not(), operand=ast.BoolOp(op=ast.Or(), values=parts)):
                for part in parts:
                    self.assume(ast.UnaryOp(ast.Not(), part))
            case ast.UnaryOp(op=ast.Not(), operand=ast.UnaryOp(op=ast.Not(), operand=part)):
                self.assume(part)
            case ast.UnaryOp(op=ast.Not(), operand=ast.Compare(left=left, ops=[op], comparators=[right])) if type(op) in DENIED:
                self.assume(ast.Compare(left, [DENIED[type(op)]], [right]))
            case ast.Compare(left=left, ops=[_, _, *_] as ops, comparators=rights):
                for a, op, b in zip((left, *rights), ops, rights, strict=False):
                    self.assume(ast.Compare(a, [op], [b]))
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in SIGNS:
                above, below = sympy.fraction(self.quantities.cancel(self.number(left) - self.number(right)))
                if above.free_symbols and sign(below, self.quantities).signs == {1}:
                    whole = terms_of(above).clear_denoms(convert=True)[1].as_expr()
                    signs = SIGNS[type(op)]
                    for side in (1, -1):
                        if -side not in signs:
                            self.quantities.assume(self.quantities.expand(side * whole) - int(0 not in signs))  # if not 0, it is 1 at least
