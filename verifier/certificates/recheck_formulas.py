"""The conditions of a network certificate: a few operations of Python's syntax, read without running anything.

Numbers are exact. A string w of symbols is a name: w[j], or w(j), is symbol j, from 1, popcount(w) the number of its ones, w itself the
number that it spells in the base of the alphabet. all, any and sum go over whole numbers: sum(w[i] for i in (1, n)) includes both ends.
"""

import ast
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from .recheck_between import Between
from .recheck_reading import Limits, Unknown

LONGEST, DEEPEST, MOST_DIGITS, MOST_EXPONENT = 2000, 40, 20000, 4096
COMPARED: dict[type, Callable[[Any, Any], bool]] = {
    ast.Eq: lambda x, y: x == y,
    ast.NotEq: lambda x, y: x != y,
    ast.Lt: lambda x, y: x < y,
    ast.LtE: lambda x, y: x <= y,
    ast.Gt: lambda x, y: x > y,
    ast.GtE: lambda x, y: x >= y,
}
COMPUTED: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: lambda x, y: x + y,
    ast.Sub: lambda x, y: x - y,
    ast.Mult: lambda x, y: x * y,
    ast.Div: lambda x, y: x / y,
    ast.FloorDiv: lambda x, y: Fraction(x // y),
    ast.Mod: lambda x, y: x % y,
}
OF_REALS = (ast.Add, ast.Sub, ast.Mult, ast.Div)


def truths(values: list[Any], formula: "Formula") -> list[bool]:
    return values if all(isinstance(x, bool) for x in values) else formula.refuse("conditions were expected")


def total(values: list[Any], formula: "Formula") -> Any:
    return sum(values, Fraction(0)) if all(isinstance(x, Fraction) for x in values) else formula.refuse("numbers were expected")


GATHERED: dict[str, Callable[[list[Any], "Formula"], Any]] = {
    "all": lambda values, formula: all(truths(values, formula)),
    "any": lambda values, formula: any(truths(values, formula)),
    "sum": total,
}


class Formula:
    """A formula of a certificate, and what it reads."""

    def __init__(self, text: str, place: str, limits: Limits) -> None:
        self.text, self.place, self.limits = text, place, limits
        if len(text) > LONGEST or not text.isascii() or text.count("(") + text.count("[") + text.count("-") + text.count("~") > 200:
            self.refuse("too long")
        try:
            self.tree = ast.parse(text, mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            self.refuse("not a formula")
        self.nodes = list(self.walk(self.tree, 0))

    def refuse(self, why: str) -> Any:
        raise Unknown(f"{self.place}: {why}")

    def walk(self, node: ast.AST, depth: int) -> list[ast.AST]:
        if depth > DEEPEST:
            self.refuse("a formula too deep")
        found = [node]
        for child in ast.iter_child_nodes(node):
            found += self.walk(child, depth + 1)
        return found

    def names(self) -> set[str]:
        return {node.id for node in self.nodes if isinstance(node, ast.Name)}

    def symbols(self, string: str, names: Mapping[str, Any]) -> tuple[bool, set[int]] | None:
        """Whether it reads the number of ones, and which symbols, of a string; None where it reads it in another way."""
        ones, places, allowed = False, set[int](), 0
        for node in self.nodes:
            if isinstance(node, ast.Call) and self.counted(node) == string:
                ones, allowed = True, allowed + 1
            if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == string:
                if any(isinstance(part, ast.Name) and part.id not in names for part in ast.walk(node.slice)):
                    return None
                index = self.number(node.slice, names, {})
                places.add(int(index) if index.denominator == 1 else 0)
                allowed += 1
        uses = sum(isinstance(node, ast.Name) and node.id == string for node in self.nodes)
        return (ones, places) if uses == allowed else None

    @staticmethod
    def counted(node: ast.AST) -> str:
        """The string of popcount(w)."""
        match node:
            case ast.Call(func=ast.Name(id="popcount"), args=[ast.Name(id=string)], keywords=[]):
                return string
        return ""

    def over(self, target: str, ends: Sequence[Any], of: ast.AST, names: Mapping[str, Any], strings: Mapping[str, "Text"]) -> list[Any]:
        """A part of the formula for every whole number between two."""
        first, last = ends
        if first.denominator != 1 or last.denominator != 1 or last - first > MOST_EXPONENT or target in names or target in strings:
            self.refuse("a short range of whole numbers, with a name of its own, was expected")
        self.limits.spend(2 * len(self.nodes) * max(0, int(last - first) + 1))
        return [self.of(of, {**names, target: Fraction(j)}, strings) for j in range(int(first), int(last) + 1)]

    def value(self, names: Mapping[str, Any], strings: Mapping[str, "Text"]) -> Any:
        """A fraction, or a truth value."""
        self.limits.spend(2 * len(self.nodes))
        return self.of(self.tree, names, strings)

    def truth(self, names: Mapping[str, Any], strings: Mapping[str, "Text"]) -> bool:
        found = self.value(names, strings)
        return found if isinstance(found, bool) else bool(self.refuse("a condition was expected"))

    def number(self, node: ast.AST, names: Mapping[str, Any], strings: Mapping[str, "Text"]) -> Any:
        found = self.of(node, names, strings)
        if isinstance(found, bool):
            self.refuse("a number was expected")
        if isinstance(found, Fraction):
            size = found.numerator.bit_length() + found.denominator.bit_length()
            self.limits.spend(size // 64)
            if size > MOST_DIGITS:
                self.refuse("a number too large")
        return found

    def of(self, node: ast.AST, names: Mapping[str, Any], strings: Mapping[str, "Text"]) -> Any:
        def number(part: ast.AST) -> Any:
            return self.number(part, names, strings)

        def truth(part: ast.AST) -> bool:
            found = self.of(part, names, strings)
            return found if isinstance(found, bool) else bool(self.refuse("a condition was expected"))

        match node:
            case ast.Constant(value=int(whole)) if type(whole) is int:
                return Fraction(whole)
            case ast.Name(id=name) if name in names:
                return names[name]
            case ast.Name(id=name) if name in strings:
                self.limits.spend(strings[name].length)
                return Fraction(strings[name].number())
            case ast.Subscript(value=ast.Name(id=name), slice=index) if name in strings:
                return Fraction(strings[name].symbol(number(index), self))
            case ast.Call(func=ast.Name(id=name), args=[index], keywords=[]) if name in strings:
                return Fraction(strings[name].symbol(number(index), self))
            case ast.Call() if self.counted(node) in strings:
                return Fraction(strings[self.counted(node)].ones(self))
            case ast.Call(
                func=ast.Name(id=name),
                args=[ast.GeneratorExp(elt=of, generators=[ast.comprehension(target=ast.Name(id=j), iter=ast.Tuple(elts=[a, b]), ifs=[])])],
                keywords=[],
            ) if name in GATHERED:
                return GATHERED[name](self.over(j, [number(a), number(b)], of, names, strings), self)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -number(operand)
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return number(operand)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return not truth(operand)
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                return self.power(number(left), number(right))
            case ast.BinOp(left=left, op=operator, right=right) if type(operator) in COMPUTED:
                x, y = number(left), number(right)
                if not {type(x), type(y)} <= ({Fraction, Between} if type(operator) in OF_REALS else {Fraction}):
                    self.refuse("a sum or product of an infinity, or a remainder of what is not a fraction")
                if y == 0 and not isinstance(operator, ast.Add | ast.Sub | ast.Mult):
                    self.refuse("a division by 0")
                return COMPUTED[type(operator)](x, y)
            case ast.Compare(left=left, ops=operators, comparators=others) if all(type(each) in COMPARED for each in operators):
                values = [number(part) for part in (left, *others)]
                return all(COMPARED[type(each)](x, y) for each, x, y in zip(operators, values, values[1:], strict=False))
            case ast.BoolOp(op=ast.And(), values=parts):
                return all(truth(part) for part in parts)
            case ast.BoolOp(op=ast.Or(), values=parts):
                return any(truth(part) for part in parts)
            case ast.IfExp(test=test, body=yes, orelse=no):
                return self.of(yes if truth(test) else no, names, strings)
        return self.refuse(f"{ast.unparse(node)[:40]!a} is not known here")

    def power(self, base: Any, exponent: Any) -> Any:
        if not isinstance(base, Fraction) or not isinstance(exponent, Fraction) or exponent.denominator != 1:
            self.refuse("only a whole exponent is known here")
        size = max(base.numerator.bit_length(), base.denominator.bit_length(), 1)
        if abs(exponent) * size > MOST_EXPONENT or (base == 0 and exponent < 0):
            self.refuse("a power too large")
        return base ** int(exponent)


class Text:
    """A string: its symbols, or of strings that have the same ones and some symbols alike, these alone."""

    def __init__(self, symbols: Sequence[int] | None, base: int, length: int, known: Mapping[int, int], ones: int | None) -> None:
        self.symbols, self.base, self.length, self.known, self.count = symbols, base, length, known, ones

    @classmethod
    def whole(cls, symbols: Sequence[int], base: int) -> "Text":
        return cls(symbols, base, len(symbols), dict(enumerate(symbols, 1)), sum(symbols) if base == 2 else None)

    def number(self) -> int:
        total = 0
        if self.symbols is None:
            raise Unknown("a string of which not every symbol is known has no number")
        for symbol in self.symbols:
            total = total * self.base + symbol
        return total

    def symbol(self, index: Any, formula: Formula) -> int:
        if not isinstance(index, Fraction) or index.denominator != 1 or int(index) not in self.known:
            formula.refuse(f"no symbol of this number; the string has {self.length}")
        return self.known[int(index)]

    def ones(self, formula: Formula) -> int:
        if self.count is None:
            formula.refuse("popcount is of strings of bits")
        return self.count or 0
