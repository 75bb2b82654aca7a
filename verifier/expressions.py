"""The small, safe, exact language of index ranges and table entries.

Integers, names, ``+ − * / **``, ``ceil``, ``floor``, ``log2`` (of a power of two), ``min``, ``max``, ``abs``, comparisons and
``and``/``or``. Values are rationals; there is no ``eval`` and no float. The symbol ``N`` is the papers' "large enough" number.
"""

from __future__ import annotations

import ast
import operator
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from verifier.errors import InputError


@dataclass(frozen=True)
class Large:
    """±N: a number so large that e^−N is 0. Nothing but its sign is known."""

    positive: bool = True

    def __str__(self) -> str:
        return "N" if self.positive else "-N"


Entry: TypeAlias = Fraction | Large
Names: TypeAlias = Mapping[str, Fraction]

LONGEST = 2000
DEEPEST = 60
LARGEST = 4096  # bits of a numerator or denominator


def _log2(x: Fraction) -> Fraction:
    for value, side in ((x, 1), (1 / x if x else x, -1)):
        if value >= 1 and value.denominator == 1 and value.numerator & (value.numerator - 1) == 0:
            return Fraction(side * (value.numerator.bit_length() - 1))
    raise InputError(f"log2({x}) is not an integer; write ceil(log2(…)) or floor(log2(…)) of a positive number")


def _rounded_log2(x: Fraction, up: bool) -> Fraction:
    """⌈log₂ x⌉ or ⌊log₂ x⌋, exactly, for x > 0."""
    if x <= 0:
        raise InputError(f"log2({x}): the logarithm of a positive number was expected")
    k = x.numerator.bit_length() - x.denominator.bit_length() - 1
    while Fraction(2) ** (k + 1) <= x:
        k += 1
    return Fraction(k + 1 if up and Fraction(2) ** k != x else k)


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1:
        raise InputError(f"{base}**{exponent}: an integer exponent was expected")
    widest = max(abs(base.numerator), base.denominator)
    if abs(exponent) * (widest - 1).bit_length() > LARGEST:
        raise InputError(f"a power of more than {LARGEST} bits")
    if base == 0 and exponent < 0:
        raise InputError(f"0**{exponent} divides by zero")
    return base**exponent.numerator


def _bounded(value: Fraction) -> Fraction:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > LARGEST:
        raise InputError(f"a number of more than {LARGEST} bits")
    return value


def _divide(x: Fraction, y: Fraction) -> Fraction:
    if y == 0:
        raise InputError(f"{x}/0 divides by zero")
    return x / y


BINARY: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: _divide,
    ast.Pow: _power,
}
COMPARISONS: dict[type[ast.cmpop], Callable[[Fraction, Fraction], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
FUNCTIONS: dict[str, Callable[..., Fraction]] = {
    "ceil": lambda x: Fraction(-((-x.numerator) // x.denominator)),
    "floor": lambda x: Fraction(x.numerator // x.denominator),
    "log2": _log2,
    "min": min,
    "max": max,
    "abs": abs,
}


@lru_cache(maxsize=4096)
def _parse(text: str) -> ast.expr:
    if len(text) > LONGEST:
        raise InputError(f"an expression of {len(text)} characters; at most {LONGEST} were expected")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # 2and 3: a literal run into a word, which Python means to refuse
            tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, Warning, ValueError, RecursionError, MemoryError):
        raise InputError(f"{text!r} is no expression such as 2*ceil(m/2) - i - 1") from None
    if _depth(tree) > DEEPEST:
        raise InputError(f"{text[:40]!r}… is nested deeper than {DEEPEST}")
    return tree


def _depth(tree: ast.AST) -> int:
    depth, layer = 0, [tree]
    while layer and depth <= DEEPEST:
        depth, layer = depth + 1, [child for node in layer for child in ast.iter_child_nodes(node)]
    return depth


def _call(node: ast.Call, names: Names) -> Fraction:
    if not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS or node.keywords:
        raise InputError(f"{ast.unparse(node)!r}: the functions are {', '.join(FUNCTIONS)}")
    inner = node.args[0] if len(node.args) == 1 else None
    if node.func.id in ("ceil", "floor") and isinstance(inner, ast.Call) and ast.unparse(inner.func) == "log2" and len(inner.args) == 1:
        return _rounded_log2(_rational(inner.args[0], names), up=node.func.id == "ceil")
    arity_ok = len(node.args) == 1 if node.func.id not in ("min", "max") else len(node.args) >= 2
    if not arity_ok:
        raise InputError(f"{ast.unparse(node)!r}: {node.func.id} was given {len(node.args)} arguments")
    return FUNCTIONS[node.func.id](*(_rational(a, names) for a in node.args))


def _rational(node: ast.expr, names: Names) -> Fraction:
    match node:
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            return _bounded(Fraction(value))
        case ast.Name(id="N"):
            raise InputError("N stands for itself or as -N; it takes no part in arithmetic")
        case ast.Name(id=name):
            if name not in names:
                raise InputError(f"no name {name!r} here; the names are {', '.join(names) or 'none'}")
            return names[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_rational(operand, names)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _rational(operand, names)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in BINARY:
            return _bounded(BINARY[type(op)](_rational(left, names), _rational(right, names)))
        case ast.Call():
            return _call(node, names)
    raise InputError(f"{ast.unparse(node)!r} is outside the expression language (integers, names, + - * / **, {', '.join(FUNCTIONS)})")


def _truth(node: ast.expr, names: Names) -> bool:
    match node:
        case ast.BoolOp(op=ast.And(), values=conditions):
            return all(_truth(c, names) for c in conditions)
        case ast.BoolOp(op=ast.Or(), values=conditions):
            return any(_truth(c, names) for c in conditions)
        case ast.Compare(left=left, ops=ops, comparators=comparators) if all(type(op) in COMPARISONS for op in ops):
            values = [_rational(v, names) for v in (left, *comparators)]
            return all(COMPARISONS[type(op)](a, b) for op, a, b in zip(ops, values, values[1:], strict=False))
    raise InputError(f"{ast.unparse(node)!r} is no condition such as p >= 8 and n > 4*p")


def names_in(text: str | int) -> frozenset[str]:
    """The names that an expression uses, functions left out."""
    if isinstance(text, int):
        return frozenset()
    return frozenset(node.id for node in ast.walk(_parse(text)) if isinstance(node, ast.Name)) - FUNCTIONS.keys()


def rational(text: str | int, names: Names) -> Fraction:
    """The value of an expression.

    Raises:
        InputError: for anything outside the language, an unknown name, a division by zero, or a number of more than 4096 bits.
    """
    return _bounded(Fraction(text)) if isinstance(text, int) else _rational(_parse(text), names)


def integer(text: str | int, names: Names) -> int:
    """The value of an expression that must be an integer."""
    value = rational(text, names)
    if value.denominator != 1:
        raise InputError(f"{text!r} is {value}, an integer was expected")
    return value.numerator


def condition(text: str, names: Names) -> bool:
    """Whether a condition such as ``p >= 8 and n > 4*p`` holds."""
    return _truth(_parse(text), names)


def entry(text: str | int, names: Names) -> Entry:
    """A table entry: a rational, or ±N."""
    if isinstance(text, str):
        match _parse(text):
            case ast.Name(id="N"):
                return Large()
            case ast.UnaryOp(op=ast.USub(), operand=ast.Name(id="N")):
                return Large(positive=False)
    return rational(text, names)
