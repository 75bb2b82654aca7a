"""The one formula language: its words and limits, from a text to the syntax tree that every reading shares, and how messages quote it.

    condition := e (== != < <= > >=) e … | e in (e, …) | e not in (e, …) | not, and, or | condition if condition else condition
               | all/any(condition for j in [a : b] if condition …) | finite(e) | nan(e)
    e         := 12 | 0.45 | name | - + | + - * / // % ** | e if condition else e | sum/min/max(e for j in [a : b] if condition …)
               | y[i] (bit i of a string, from 1) | y[a : b] (the number that these bits spell) | y, value(y) (that of all of them)
               | a function of :data:`FUNCTIONS`, or one that the caller supplies

Both ends of ``(a, b)`` and ``a : b`` are included; ``inf`` and ``-inf`` stand in comparisons only. :mod:`verifier.language.tree` defines
the tree, and :mod:`verifier.language.printer` prints it. Python parses a text once; its tree is converted immediately. The reader uses no
``eval`` and no float: it reads a decimal from the text itself.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NoReturn, TypeAlias

from verifier.arithmetic.rationals import Fraction
from verifier.language.printer import printed
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
    Slice,
    fold,
    negative,
    walk,
)
from verifier.running.errors import BeyondError, InputError
from verifier.running.identifiers import meant

LONGEST = 2000
DEEPEST = 60
LARGEST = 4096  # bits of a numerator or denominator
MANY = LONGEST

FUNCTIONS: dict[str, tuple[int, int]] = {
    **dict.fromkeys(("floor", "ceil", "abs", "log2", "sqrt", "exp", "log", "erf", "tanh", "finite", "nan"), (1, 1)),
    **dict.fromkeys(("popcount", "value"), (1, 1)),
    "binom": (2, 2),
    **dict.fromkeys(("min", "max", "gcd"), (2, MANY)),
}
"""The functions of the language, each with its least and its largest number of arguments."""
OVER_RANGES = ("sum", "min", "max", "all", "any")
"""The ways to combine a part over all values of a bound name."""
CONDITIONS = ("finite", "nan", "all", "any")
"""The functions whose values are conditions."""
RESERVED = frozenset({*FUNCTIONS, *OVER_RANGES, "inf"} - {"value"})
"""The words that have a meaning in formulas and so cannot be parameters. ``value`` is a function, and free as a name."""
SIGNS: dict[str, frozenset[int]] = {
    "==": frozenset({0}),
    "!=": frozenset({-1, 1}),
    "<": frozenset({-1}),
    "<=": frozenset({-1, 0}),
    ">": frozenset({1}),
    ">=": frozenset({0, 1}),
}
"""The signs of left − right with which a comparison is true."""
DENIED = {op: next(other for other in SIGNS if SIGNS[other] == {-1, 0, 1} - SIGNS[op]) for op in SIGNS}
"""The comparison that is true where this one is false."""
FLIPPED = {op: next(other for other in SIGNS if SIGNS[other] == {-sign for sign in SIGNS[op]}) for op in SIGNS}
"""The comparison with its sides exchanged."""
WORDS = ", ".join(dict.fromkeys((*FUNCTIONS, *OVER_RANGES)))
_EXPECTED: dict[type[ast.AST], str] = {
    ast.BinOp: "+ - * / // % ** or a comparison",
    ast.UnaryOp: "-, + or not",
    ast.Subscript: "a bit y[i], or bits y[a : b] of a string,",
}
"""What a formula may have in place of a part of Python that it may not have."""


class Decimal(Fraction):
    """A decimal literal, which is an exact fraction."""

    def __repr__(self) -> str:
        places = next(k for k in range(LONGEST) if 10**k % self.denominator == 0)
        digits = str(self.numerator * 10**places // self.denominator).rjust(places + 1, "0")
        return f"{digits[: len(digits) - places]}.{digits[len(digits) - places :] or '0'}"


Kind = Literal["number", "condition", "either"]
NO_CONDITION = "not a condition such as p >= 8 and n > 4*p"


def kind(node: Node) -> Kind:
    """Whether a part is a number or a condition; a name and a function of the caller's may be either.

    Raises:
        InputError: a number stands in place of a condition, or the reverse; a word is not a name; a number is too large.
    """
    return fold(node, _KINDS)


def condition(formula: Formula, expected: str) -> Node:
    """The tree of a formula that is a condition.

    Raises:
        InputError: it is a number, or a name that may be one; ``expected`` gives an example, as in ``such as p >= 8``.
    """
    tree = tree_of(formula)
    if kind(tree) != "condition":
        raise InputError(f"{quoted(formula)} is not a condition {expected}")
    return tree


def quoted(formula: str | int | Node) -> str:
    """A formula, or a part of one, as messages quote it: at most eighty characters."""
    text = printed(formula) if isinstance(formula, Node) else str(formula)
    return repr(text) if len(text) <= 80 else f"{text[:79]!r}…"


def refuse(node: Node, why: str) -> NoReturn:
    raise InputError(f"{quoted(node)}: {why}")


def no_condition(node: Node) -> NoReturn:
    raise InputError(f"{quoted(node)} is {NO_CONDITION}")


def bounded_literal(number: int) -> int:
    if number.bit_length() > LARGEST:
        raise BeyondError(f"a number has more than {LARGEST} bits")
    return number


def infinite(node: Node) -> int | None:
    """1 for ``inf``, −1 for ``-inf``; None for any other part."""
    match node:
        case Name("inf") | Signed("+", Name("inf")):
            return 1
        case Signed("-", Name("inf")):
            return -1
    return None


def _numbers(*nodes: Node) -> Kind:
    for node in nodes:
        if fold(node, _KINDS) == "condition":
            refuse(node, "a number was expected, not a condition")
    return "number"


def _conditions(*nodes: Node) -> Kind:
    for node in nodes:
        if fold(node, _KINDS) == "number":
            no_condition(node)
    return "condition"


def _compared(*nodes: Node) -> Kind:
    for node in nodes:
        if infinite(node) is None:
            _numbers(node)
    return "condition"


class _Kinds(Algebra[Kind]):
    def numeral(self, node: Numeral) -> Kind:
        for part in Fraction(node.value).as_integer_ratio():
            bounded_literal(part)
        return "number"

    def name(self, node: Name) -> Kind:
        if node.name == "inf":
            refuse(node, "inf stands in comparisons only, as in v == inf")
        if node.name in RESERVED:
            refuse(node, f"{node.name} is a function; a name or a number was expected")
        return "either"

    def signed(self, node: Signed) -> Kind:
        return _numbers(node.operand)

    def operation(self, node: Operation) -> Kind:
        return _numbers(node.left, node.right)

    def comparison(self, node: Comparison) -> Kind:
        return _compared(node.left, *node.others)

    def membership(self, node: Membership) -> Kind:
        return _compared(node.left, *node.values)

    def logic(self, node: Logic) -> Kind:
        return _conditions(*node.parts)

    def choice(self, node: Choice) -> Kind:
        _conditions(node.test)
        found = {kind(node.body), kind(node.orelse)} - {"either"}
        if len(found) == 2:
            refuse(node, "two numbers or two conditions were expected")
        return found.pop() if found else "either"

    def call(self, node: Call) -> Kind:
        if node.function in FUNCTIONS:
            least, most = FUNCTIONS[node.function]
            if not least <= len(node.arguments) <= most:
                refuse(node, f"{node.function} was given {len(node.arguments)} arguments")
        elif node.function in RESERVED:
            refuse(node, f"{node.function}(… for j in [a : b]) was expected")
        _numbers(*node.arguments)
        return "either" if node.function not in FUNCTIONS else "condition" if node.function in CONDITIONS else "number"

    def ranged(self, node: Ranged) -> Kind:
        _numbers(*node.ends)
        _conditions(*node.tests)
        return _conditions(node.body) if node.function in CONDITIONS else _numbers(node.body)

    def slice(self, node: Slice) -> Kind:
        return _numbers(*node.ends)


_KINDS = _Kinds()


_RANGE = re.compile(r"\bin\s*(\[)")
_IF_THEN = re.compile(r"\s*if\b(.+)\bthen\b(.+)\belse\b(.+)", re.DOTALL)
_OTHERS = (
    ("=<|=>", "write <= or >="),
    (r"[=<>!]\s+=", "write <=, >=, == or != without a space"),
    (r"(?<![=<>!:])=(?!=)", "write == for equality"),
    (r"&&", "write and"),
    (r"\|\|", "write or"),
    (r"!(?!=)", "write not, or != for inequality"),
    (r"\^", "write ** for a power"),
    ("[≤≥≠]", "write <=, >= or !="),
    ("[·×−÷]", "write *, - or /"),
    (r"\bin\b.*(\.\.|:)", "write [1 : m] for a range, such as sum(j for j in [1 : m])"),
    (r"""(?:'|")\d\b""", "write a bit or a token as a number without quotes: token == 1"),
    (r"'|\"|(?<![\w.])0\d", "strings are compared as numbers: write 3 for 011"),
    (r"\d(?!(and|else|if|in|not|or)\b)[A-Za-z(]", "write * for a product"),
)
"""Parts of texts that are not formulas, and what their author probably meant."""


def with_ranges(text: str) -> str:
    """The text with ``in (a, b)`` for ``in [a : b]``; every other character keeps its place.

    >>> with_ranges("sum(x[j] for j in [1 : x[2 : 3]])")
    'sum(x[j] for j in (1 , x[2 : 3]))'
    """
    letters = list(text)
    for found in _RANGE.finditer(text):
        depth, colons = 0, []
        for at in range(found.start(1), len(text)):
            depth += (text[at] in "([{") - (text[at] in ")]}")
            if text[at] == ":" and depth == 1:
                colons.append(at)
            if depth == 0:
                if text[at] == "]" and len(colons) == 1:
                    letters[found.start(1)], letters[colons[0]], letters[at] = "(", ",", ")"
                break
    return "".join(letters)


def instead(text: str) -> str:
    """``; write … `` for a text that is not a formula but a recognised notation of another language; else nothing."""
    if found := _IF_THEN.fullmatch(text):
        condition, chosen, other = (part.strip() for part in found.groups())
        return f"; write {chosen} if {condition} else {other}"
    return next((f"; {write}" for pattern, write in _OTHERS if re.search(pattern, text)), "")


OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.UAdd: "+",
    ast.USub: "-",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
"""The operators of the language."""
_DECIMAL = re.compile(r"\d+\.\d*|\.\d+")


@lru_cache(maxsize=1 << 14)
def parse(text: str) -> Node:
    """The tree of a formula.

    Raises:
        InputError: the text has a part outside the language; the line quotes it and says what was expected.
    """
    if len(text) > LONGEST:
        raise InputError(f"the formula has {len(text)} characters; at most {LONGEST} were expected")
    body = with_ranges(written := text.strip())
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # 2and 3: a literal run into a word, which Python means to refuse
            foreign = ast.parse(body, mode="eval").body
    except (SyntaxError, Warning, ValueError, RecursionError, MemoryError) as error:
        hint = instead(text)
        if isinstance(error, SyntaxError) and error.msg.endswith("was never closed"):
            hint = f"; {error.msg[1]} in column {error.offset} is not closed"
        raise InputError(f"{quoted(text)} is not a formula such as 2*ceil(m/2) - i - 1{hint}") from None
    if _too_deep(foreign):
        raise InputError(f"{quoted(text)} is nested deeper than {DEEPEST}")
    if "#" in body:
        raise InputError(f"{quoted(text)} holds a comment; a formula alone was expected")
    tree = _Ours(written).of(foreign)
    kind(tree)
    return tree


def parse_written(text: str) -> Node:
    """The tree of a formula that the program wrote itself, as in a certificate: of any length and depth."""
    return _Ours(text).of(ast.parse(text, mode="eval").body)


def _too_deep(tree: ast.AST) -> bool:
    layer = [tree]
    for _ in range(DEEPEST):
        layer = [child for node in layer for child in ast.iter_child_nodes(node)]
        if not layer:
            return False
    return True


class _Ours:
    """A text, and the parts of its tree as our nodes."""

    def __init__(self, text: str) -> None:
        self.text = text

    def written(self, node: ast.expr) -> str:
        return ast.get_source_segment(self.text, node) or self.text

    def refused(self, node: ast.expr, why: str) -> InputError:
        return InputError(f"{quoted(self.written(node))}: {why}")

    def all(self, nodes: list[ast.expr]) -> tuple[Node, ...]:
        return tuple(map(self.of, nodes))

    def of(self, node: ast.expr) -> Node:
        match node:
            case ast.Constant(value=int() as value) if not isinstance(value, bool):
                return Numeral(value)
            case ast.Constant(value=float()):
                return self.decimal(node)
            case ast.Name(id=name):
                return Name(name)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return Logic("not", (self.of(operand),))
            case ast.UnaryOp(op=op, operand=operand) if type(op) in OPERATORS:
                return Signed(OPERATORS[type(op)], self.of(operand))
            case ast.BinOp(op=op) if type(op) in OPERATORS:
                return self.operation(node)
            case ast.BoolOp(op=op, values=values):
                return Logic("and" if isinstance(op, ast.And) else "or", self.all(values))
            case ast.Compare():
                return self.comparison(node)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return Choice(self.of(test), self.of(body), self.of(orelse))
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Slice(lower=first, upper=last, step=None)) if name not in RESERVED:
                if first is None or last is None:
                    raise self.refused(node, f"both ends were expected, as in {name}[1 : 3]")
                return Slice(name, self.of(first), self.of(last))
            case ast.Subscript(value=ast.Name(), slice=ast.Slice() | ast.Tuple()):
                pass
            case ast.Subscript(value=ast.Name(id=name), slice=index) if name not in RESERVED:
                return Slice(name, self.of(index))
            case ast.Call():
                return self.call(node)
        expected = _EXPECTED.get(type(node), "a number, a name or a function")
        raise self.refused(node, f"{expected} was expected{instead(self.written(node))}")

    def decimal(self, node: ast.Constant) -> Node:
        literal = self.written(node)
        if not _DECIMAL.fullmatch(literal):
            raise InputError(f"{literal!r} is not a decimal such as 0.45")
        return Numeral(Decimal(literal))

    def operation(self, node: ast.expr) -> Node:
        """A sum of any number of terms, or another operation, built from left to right."""
        after: list[tuple[str, ast.expr]] = []
        while isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            after.append((OPERATORS[type(node.op)], node.right))
            node = node.left
        found = self.of(node)
        for operator, right in reversed(after):
            found = Operation(found, operator, self.of(right))
        return found

    def comparison(self, node: ast.Compare) -> Node:
        first, *more = node.ops
        if not more and isinstance(first, ast.In | ast.NotIn):
            values = node.comparators[0]
            if not isinstance(values, ast.Tuple) or not values.elts:
                raise self.refused(node, "values in brackets were expected, as in x in (1, 2) or x in (1,)")
            return Membership(self.of(node.left), self.all(values.elts), isinstance(first, ast.In))
        if not all(type(op) in OPERATORS for op in node.ops):
            raise self.refused(node, f"is {NO_CONDITION}")
        return Comparison(self.of(node.left), tuple(OPERATORS[type(op)] for op in node.ops), self.all(node.comparators))

    def call(self, node: ast.Call) -> Node:
        if not isinstance(node.func, ast.Name):
            raise self.refused(node, "a function has a name before its brackets; write * for a product")
        if node.keywords:
            raise self.refused(node, "arguments without names were expected")
        name = node.func.id
        if not any(isinstance(argument, ast.GeneratorExp) for argument in node.args):
            return Call(name, self.all(node.args))
        match node.args:
            case [
                ast.GeneratorExp(
                    elt=body,
                    generators=[ast.comprehension(target=ast.Name(id=bound), iter=ast.Tuple(elts=[first, last]), ifs=tests, is_async=0)],
                )
            ] if name in OVER_RANGES and bound not in RESERVED:
                return Ranged(name, self.of(body), bound, (self.of(first), self.of(last)), self.all(tests))
        which = meant(name, OVER_RANGES, f"it is for {', '.join(OVER_RANGES)}")
        raise self.refused(node, f"one range was expected, as in sum(2**j for j in [1 : m]); {which}")


Formula: TypeAlias = str | int | Node
"""A formula as a file has it, or its tree."""


def tree_of(formula: Formula) -> Node:
    """The tree of a formula in any of its forms."""
    if isinstance(formula, Node):
        return formula
    return constant(Fraction(formula)) if isinstance(formula, int) else parse(formula)


def constant(value: Fraction) -> Node:
    """A number as a tree."""
    if value < 0:
        return negative(constant(-value))
    numerator = Numeral(bounded_literal(value.numerator))
    return numerator if value.denominator == 1 else Operation(numerator, "/", Numeral(bounded_literal(value.denominator)))


@lru_cache(maxsize=1 << 14)
def names_in(formula: Formula) -> frozenset[str]:
    """The free names of a formula, which are neither bound in it nor names of functions."""
    return frozenset(_free(tree_of(formula), frozenset({"inf"})))


def _free(node: Node, bound: frozenset[str]) -> Iterator[str]:
    match node:
        case Name(name):
            yield from {name} - bound
        case Ranged():
            for end in node.ends:
                yield from _free(end, bound)
            for part in (*node.tests, node.body):
                yield from _free(part, bound | {node.name})
        case _:
            if isinstance(node, Slice):
                yield from {node.name} - bound
            for child in node.children:
                yield from _free(child, bound)


@lru_cache(maxsize=1 << 14)
def calls_in(formula: Formula) -> frozenset[tuple[str, int]]:
    """The caller's functions that a formula calls, each with its number of arguments."""
    asked = {(node.function, len(node.arguments)) for node in walk(tree_of(formula)) if isinstance(node, Call)}
    return frozenset((name, count) for name, count in asked if name not in RESERVED and name not in FUNCTIONS)
