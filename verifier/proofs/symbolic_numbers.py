"""Numbers as symbols: each method gives a part of a formula the one form that it has for all slacks, or refuses it."""

from __future__ import annotations

from verifier.language.tree import Algebra, Call, Choice, Name, Node, Numeral, Operation, Ranged, Signed
from verifier.language.words import SIGNS
from verifier.proofs import symbolic_functions as functions
from verifier.proofs import symbolic_ranges as ranges
from verifier.proofs.nonnegative import Expr, Unread
from verifier.proofs.printing import text
from verifier.proofs.rational_numbers import sympy
from verifier.proofs.reading import Reading
from verifier.proofs.signs import borders, sign
from verifier.proofs.symbolic_truth import Line


class Numbers(Algebra[Expr]):
    """The values of formulas, for :meth:`verifier.proofs.reader.Reader.number`."""

    def __init__(self, reader: Reading) -> None:
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
                return functions.power(self.quantities, x, y)
        self._divides(y, node.right)
        match node.operator:
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
            self.reader.lines.append(Line(text(node), form))

    def choice(self, node: Choice) -> Expr:
        return self.reader.number(node.body if self.reader.decided(node.test) else node.orelse)

    def ranged(self, node: Ranged) -> Expr:
        match node.function:
            case "sum":
                return ranges.total(node, self.reader)
            case "min" | "max":
                return ranges.end(node, self.reader, greatest=node.function == "max")
        return self.outside(node)

    def call(self, node: Call) -> Expr:
        number = self.reader.number
        match node:
            case Call("floor" | "ceil" as name, (Call("log2", (x,)),)):
                return functions.rounded_log2(self.quantities, number(x), up=name == "ceil")
            case Call(name, arguments) if name in functions.FUNCTIONS:
                return functions.FUNCTIONS[name](self.quantities, *map(number, arguments))
            case Call(name, (of,)) if name in functions.EXACT:
                return functions.at_number(name, number(of))
        return self.outside(node)
