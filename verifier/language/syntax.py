"""The one formula language: from a text to the syntax tree that every reading shares.

    condition := e (== != < <= > >=) e … | e in (e, …) | e not in (e, …) | not, and, or | condition if condition else condition
               | all/any(condition for j in (a, b) if condition …) | finite(e) | nan(e)
    e         := 12 | 0.45 | name | - + | + - * / // % ** | e if condition else e | sum/min/max(e for j in (a, b) if condition …)
               | y[i] (bit i of a string, from 1) | y[a : b] (the number that these bits spell) | y, value(y) (that of all of them)
               | a function of :data:`FUNCTIONS`, or one that the caller supplies

Both ends of ``(a, b)`` and ``a : b`` are included; ``inf`` and ``-inf`` stand in comparisons only. The tree is made of Python's own
nodes (:mod:`ast`): Constant (an int, or a Fraction for a decimal), Name, UnaryOp, BinOp, BoolOp, Compare, IfExp, Call with one
GeneratorExp or with arguments, Subscript. There is no ``eval`` and no float.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal, NoReturn, TypeAlias

from verifier.arithmetic.rationals import Fraction
from verifier.running.errors import InputError

Formula: TypeAlias = str | int | ast.expr
"""A formula as a file has it, or its tree."""
Kind = Literal["number", "condition", "either"]

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
"""The functions of the language: how many arguments they take, at least and at most."""
OVER_RANGES = ("sum", "min", "max", "all", "any")
"""What can be formed of a part for every value of a bound name."""
CONDITIONS = ("finite", "nan", "all", "any")
"""The functions whose values are conditions."""
RESERVED = frozenset({*FUNCTIONS, *OVER_RANGES, "inf"} - {"value"})
"""The words that have a meaning here: nobody's parameters. ``value`` is a function, and free as a name."""
ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
COMPARISONS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)

_DECIMAL = re.compile(r"\d+\.\d*|\.\d+")
WORDS = ", ".join(dict.fromkeys((*FUNCTIONS, *OVER_RANGES)))
_CONDITION = "no condition such as p >= 8 and n > 4*p"


class Decimal(Fraction):
    """A decimal literal: an exact fraction that is written as a decimal."""

    def __repr__(self) -> str:
        places = next(k for k in range(LONGEST) if 10**k % self.denominator == 0)
        digits = str(self.numerator * 10**places // self.denominator).rjust(places + 1, "0")
        return f"{digits[: len(digits) - places]}.{digits[len(digits) - places :] or '0'}"


@lru_cache(maxsize=1 << 14)
def parse(text: str) -> ast.expr:
    """The tree of a formula. It is shared: nobody changes it.

    Raises:
        InputError: anything outside the language; the line quotes the part and says what was expected.
    """
    if len(text) > LONGEST:
        raise InputError(f"a formula of {len(text)} characters; at most {LONGEST} were expected")
    body = text.strip()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # 2and 3: a literal run into a word, which Python means to refuse
            tree = ast.parse(body, mode="eval").body
    except (SyntaxError, Warning, ValueError, RecursionError, MemoryError):
        raise InputError(f"{quoted(text)} is no formula such as 2*ceil(m/2) - i - 1") from None
    parts = _parts(tree)
    if parts is None:
        raise InputError(f"{quoted(text)} is nested deeper than {DEEPEST}")
    if "#" in body:
        raise InputError(f"{quoted(text)} holds a comment; a formula alone was expected")
    _exact_decimals(parts, body)
    kind(tree)
    return tree


def parse_written(text: str) -> ast.expr:
    """The tree of a formula that the program wrote itself, as in a certificate: of any length and depth."""
    tree = ast.parse(text, mode="eval").body
    _exact_decimals(ast.walk(tree), text)
    return tree


def _exact_decimals(parts: Iterable[ast.AST], text: str) -> None:
    """Python's floats among the parts give way to the decimals that the text has."""
    for node in parts:
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            literal = ast.get_source_segment(text, node) or ""
            if not _DECIMAL.fullmatch(literal):
                raise InputError(f"{literal!r} is no decimal such as 0.45")
            node.value = Decimal(literal)  # type: ignore[assignment]  # no float ever


def _parts(tree: ast.AST) -> list[ast.AST] | None:
    """Every node of a tree, layer by layer; None where it is deeper than is allowed."""
    every, layer = [tree], [tree]
    for _ in range(DEEPEST):
        layer = [child for node in layer for child in ast.iter_child_nodes(node)]
        if not layer:
            return every
        every += layer
    return None


def tree_of(formula: Formula) -> ast.expr:
    """The tree of a formula in any of its forms."""
    if isinstance(formula, ast.expr):
        return formula
    return constant(Fraction(formula)) if isinstance(formula, int) else parse(formula)


def constant(value: Fraction) -> ast.expr:
    """A number as a tree."""
    if value < 0:
        return ast.UnaryOp(ast.USub(), constant(-value))
    numerator = ast.Constant(_bounded(value.numerator))
    return numerator if value.denominator == 1 else ast.BinOp(numerator, ast.Div(), ast.Constant(_bounded(value.denominator)))


def _bounded(number: int) -> int:
    if number.bit_length() > LARGEST:
        raise InputError(f"a number of more than {LARGEST} bits")
    return number


def quoted(formula: Formula) -> str:
    """A formula, or a part of one, as messages quote it: at most eighty characters."""
    text = ast.unparse(formula) if isinstance(formula, ast.AST) else str(formula)
    return repr(text) if len(text) <= 80 else f"{text[:79]!r}…"


def _refuse(node: ast.AST, why: str) -> NoReturn:
    raise InputError(f"{quoted(node)}: {why}")  # type: ignore[arg-type]  # any part can be quoted


def kind(node: ast.expr) -> Kind:
    """Whether a part is a number or a condition; a name and a function of the caller's may be either.

    Raises:
        InputError: a part outside the language, or a number where a condition is due, or the reverse.
    """
    match node:
        case ast.Constant(value=int() | Fraction() as value) if not isinstance(value, bool):
            for part in value.as_integer_ratio():
                _bounded(part)
            return "number"
        case ast.Name(id=name):
            if name == "inf":
                _refuse(node, "inf stands in comparisons only, as in v == inf")
            if name in RESERVED:
                _refuse(node, f"{name} is a function; a name or a number was expected")
            return "either"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _conditions(operand)
        case ast.UnaryOp(op=ast.UAdd() | ast.USub(), operand=operand):
            return _numbers(operand)
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, ARITHMETIC):
            return _numbers(left, right)
        case ast.BoolOp(values=values):
            return _conditions(*values)
        case ast.Compare():
            return _comparison(node)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            _conditions(test)
            match {kind(body), kind(orelse)} - {"either"}:
                case found if len(found) == 2:
                    _refuse(node, "two numbers or two conditions were expected")
                case found:
                    return found.pop() if found else "either"
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Slice(lower=first, upper=last, step=None)) if name not in RESERVED:
            if first is None or last is None:
                _refuse(node, f"both ends were expected, as in {name}[1 : 3]")
            return _numbers(first, last)
        case ast.Subscript(value=ast.Name(id=name), slice=index) if name not in RESERVED and not isinstance(index, ast.Slice | ast.Tuple):
            return _numbers(index)
        case ast.Call():
            return _call(node)
    _refuse(node, f"is outside the formula language (numbers, names, + - * / // % **, y[i], y[a : b], if, and, or, not, {WORDS})")


def _numbers(*nodes: ast.expr) -> Kind:
    for node in nodes:
        if kind(node) == "condition":
            _refuse(node, "a number was expected, not a condition")
    return "number"


def _conditions(*nodes: ast.expr) -> Kind:
    for node in nodes:
        if kind(node) == "number":
            raise InputError(f"{quoted(node)} is {_CONDITION}")
    return "condition"


def _comparison(node: ast.Compare) -> Kind:
    first, *others = node.ops
    if not others and isinstance(first, ast.In | ast.NotIn):
        values = node.comparators[0]
        if not isinstance(values, ast.Tuple) or not values.elts:
            _refuse(node, "values in brackets were expected, as in x in (1, 2) or x in (1,)")
        compared = [node.left, *values.elts]
    elif all(isinstance(op, COMPARISONS) for op in node.ops):
        compared = [node.left, *node.comparators]
    else:
        _refuse(node, f"is {_CONDITION}")
    for value in compared:
        if infinite(value) is None:
            _numbers(value)
    return "condition"


def infinite(node: ast.expr) -> int | None:
    """1 for ``inf``, −1 for ``-inf``; None for any other part."""
    match node:
        case ast.Name(id="inf") | ast.UnaryOp(op=ast.UAdd(), operand=ast.Name(id="inf")):
            return 1
        case ast.UnaryOp(op=ast.USub(), operand=ast.Name(id="inf")):
            return -1
    return None


def _call(node: ast.Call) -> Kind:
    if not isinstance(node.func, ast.Name) or node.keywords:
        _refuse(node, f"the functions are {WORDS}")
    name = node.func.id
    if any(isinstance(a, ast.GeneratorExp) for a in node.args):
        return _over_range(node, name)
    if name in FUNCTIONS:
        least, most = FUNCTIONS[name]
        if not least <= len(node.args) <= most:
            _refuse(node, f"{name} was given {len(node.args)} arguments")
    elif name in RESERVED:
        _refuse(node, f"{name}(… for j in (a, b)) was expected")
    _numbers(*node.args)
    return "either" if name not in FUNCTIONS else "condition" if name in CONDITIONS else "number"


def _over_range(node: ast.Call, name: str) -> Kind:
    match node.args:
        case [
            ast.GeneratorExp(elt=body, generators=[ast.comprehension(target=ast.Name(id=bound), iter=ast.Tuple(elts=[a, b]), ifs=ifs)])
        ] if name in OVER_RANGES and bound not in RESERVED:
            _numbers(a, b)
            _conditions(*ifs)
            return _conditions(body) if name in CONDITIONS else _numbers(body)
    _refuse(node, f"one range was expected, as in sum(2**j for j in (1, m)); it is for {', '.join(OVER_RANGES)}")


def range_of(node: ast.GeneratorExp) -> tuple[str, tuple[ast.expr, ast.expr]]:
    """The name that a part binds, and the two ends of its range."""
    each = node.generators[0]
    assert isinstance(each.target, ast.Name)
    assert isinstance(each.iter, ast.Tuple)
    first, last = each.iter.elts
    return each.target.id, (first, last)


@lru_cache(maxsize=1 << 14)
def names_in(formula: Formula) -> frozenset[str]:
    """The names that a formula leaves open: neither bound in it nor those of functions."""
    return frozenset(_free(tree_of(formula), frozenset({"inf"})))


def _free(node: ast.AST, bound: frozenset[str]) -> Iterator[str]:
    match node:
        case ast.Name(id=name):
            yield from {name} - bound
        case ast.Call(args=args):
            for each in args:
                yield from _free(each, bound)
        case ast.GeneratorExp():
            name, ends = range_of(node)
            for end in ends:
                yield from _free(end, bound)
            for part in (*node.generators[0].ifs, node.elt):
                yield from _free(part, bound | {name})
        case _:
            for child in ast.iter_child_nodes(node):
                yield from _free(child, bound)


@lru_cache(maxsize=1 << 14)
def calls_in(formula: Formula) -> frozenset[tuple[str, int]]:
    """The caller's functions that a formula asks for, each with the number of its arguments."""
    calls = [node for node in ast.walk(tree_of(formula)) if isinstance(node, ast.Call)]
    asked = {(c.func.id, len(c.args)) for c in calls if isinstance(c.func, ast.Name)}
    return frozenset((name, count) for name, count in asked if name not in RESERVED and name not in FUNCTIONS)
