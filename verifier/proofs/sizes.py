"""How large an expression may become when it is multiplied out, counted before it is."""

from __future__ import annotations

from collections.abc import Mapping
from math import comb, prod
from typing import Any


def monomials(expression: Any) -> int:
    """At most how many monomials a sympy expression has, numerator and denominator together, over one denominator and multiplied out."""
    above, below = _size(expression)
    return above + _product(below)


def _size(expression: Any) -> tuple[int, dict[Any, int]]:
    """Monomials of the numerator, and the denominator as factors with their exponents."""
    if expression.is_Add:
        parts = [_size(part) for part in expression.args]
        common = {factor: max(below.get(factor, 0) for _, below in parts) for _, below in parts for factor in below}
        return sum(n * _product({f: e - below.get(f, 0) for f, e in common.items()}) for n, below in parts), common
    if expression.is_Mul:
        sizes = [_size(part) for part in expression.args]
        factors = dict.fromkeys(factor for _, below in sizes for factor in below)
        return prod(n for n, _ in sizes), {f: sum(below.get(f, 0) for _, below in sizes) for f in factors}
    if expression.is_Pow and expression.exp.is_Integer:
        times, (above, below) = abs(int(expression.exp)), _size(expression.base)
        if expression.exp < 0:
            return _product({f: e * times for f, e in below.items()}), {expression.base: times} if expression.base.free_symbols else {}
        return _power(above, times), {f: e * times for f, e in below.items()}
    return 1, {}


def _product(factors: Mapping[Any, int]) -> int:
    return prod(_power(_size(factor)[0], exponent) for factor, exponent in factors.items())


def _power(terms: int, exponent: int) -> int:
    """Monomials of a power of a sum of so many terms: with repetition, of ``exponent`` of them."""
    return comb(terms + exponent - 1, exponent)
