"""What a certificate of symbols says at small parameters, by exact values: an evaluator that shares nothing with the checker."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction as F
from itertools import product
from typing import Any


class Undefined(Exception):  # noqa: N818
    """A formula that has no value there."""


def integer(x: F) -> int:
    if x.denominator != 1:
        raise Undefined
    return int(x)


def divided(x: F, y: F) -> F:
    if y == 0:
        raise Undefined
    return x / y


def power(x: F, y: F) -> F:
    if x == 0 and y < 0:
        raise Undefined
    return F(x ** integer(y))


def log2(x: F) -> F:
    """The logarithm of a power of two."""
    k = x.numerator.bit_length() - x.denominator.bit_length()
    if x <= 0 or F(2) ** k != x:
        raise Undefined
    return F(k)


def floor_log2(x: F) -> int:
    if x <= 0:
        raise Undefined
    k = x.numerator.bit_length() - x.denominator.bit_length()
    return k if F(2) ** k <= x else k - 1


def binomial(n: F, k: F) -> F:
    if n < 0 or k < 0:
        raise Undefined
    return F(math.comb(integer(n), integer(k)))


CALLED: dict[str, Callable[..., Any]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": divided,
    "//": lambda x, y: F(divided(x, y).__floor__()),
    "%": lambda x, y: x - y * divided(x, y).__floor__(),
    "**": power,
    "neg": lambda x: -x,
    "floor": lambda x: F(math.floor(x)),
    "ceil": lambda x: F(math.ceil(x)),
    "abs": abs,
    "min": min,
    "max": max,
    "log2": log2,
    "gcd": lambda *xs: F(math.gcd(*map(integer, xs))),
    "binom": binomial,
    "popcount": lambda x: F(integer(x).bit_count()),
    "==": lambda x, y: x == y,
    "!=": lambda x, y: x != y,
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y,
    ">=": lambda x, y: x >= y,
}


def value(node: Any, names: dict[str, F]) -> Any:
    """A fraction or a truth value."""
    if isinstance(node, str):
        return names[node] if node in names else F(node)
    word, *parts = node
    if word in ("sum", "least", "greatest", "all", "any"):
        body, name, first, last, tests = parts
        ends = range(integer(value(first, names)), integer(value(last, names)) + 1)
        inside = [{**names, name: F(j)} for j in ends]
        chosen = [value(body, each) for each in inside if all(value(test, each) for test in tests)]
        if word in ("least", "greatest") and not chosen:
            raise Undefined
        gather: dict[str, Any] = {"sum": lambda xs: sum(xs, F(0)), "least": min, "greatest": max, "all": all, "any": any}
        return gather[word](chosen)
    if word == "if":
        return value(parts[1] if value(parts[0], names) else parts[2], names)
    if word == "not":
        return not value(parts[0], names)
    if word in ("and", "or"):
        return (all if word == "and" else any)(value(part, names) for part in parts)
    if word in ("floor", "ceil") and parts[0][0] == "log2":
        x = value(parts[0][1], names)
        below = floor_log2(x)
        return F(below if word == "floor" or F(2) ** below == x else below + 1)
    return CALLED[word](*(value(part, names) for part in parts))


def false_at(theorem: dict[str, Any], width: int = 7) -> dict[str, F] | None:
    """A small point of the domain at which a theorem is false; None where there is none."""
    for values in product(range(-2, width), repeat=len(theorem["parameters"])):
        names = dict(zip(theorem["parameters"], map(F, values), strict=True))
        try:
            if not all(value(condition, names) for condition in theorem["given"]):
                continue
        except Undefined:
            continue
        try:
            if not all(value(condition, names) for condition in theorem["holds"]):
                return names
        except Undefined:
            return names
    return None
