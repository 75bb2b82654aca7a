"""The product of two arrays in one pass over the memory, compiled by numba (the extra ``fast``): bit for bit that of :mod:`.arrays`.

A pass of NumPy over arrays that are in the cache costs as much as an ordinary product of them, and the product of patterns needs six.
Compiled code is kept in ``__pycache__`` beside this file (or in the user's cache directory where that cannot be written, or where
NUMBA_CACHE_DIR says): the first load on a machine takes one to two seconds, the next ones half a second, most of it the import of numba.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from importlib import import_module
from typing import Any

from constructions.piecewise_affine.mathematics.arrays import Arrays, Patterns

WORTH = 1 << 27
"""Elements multiplied by NumPy that take about as long as to load what is compiled."""
A_CALL = 1 << 11
"""Elements whose product takes as long as the rest of a call."""


class Products:
    """The products of a format: :attr:`multiply` is NumPy's until :data:`WORTH` elements are multiplied, and what is compiled from then on.

    A process that multiplies little thus never imports numba, and one that goes on loses about as long as it has multiplied so far.
    """

    def __init__(self, of: Arrays) -> None:
        self.of = of
        self.multiply: Callable[[Patterns, Patterns], Patterns] = self._counted
        self._so_far = 0

    def _counted(self, a: Patterns, b: Patterns) -> Patterns:
        found = self.of.multiply(a, b)
        self._so_far += found.size + A_CALL
        if self._so_far >= WORTH:
            self.load()
        return found

    def load(self) -> bool:
        """Goes over to what is compiled, now; whether there is numba to compile it."""
        try:
            self.multiply = self.compiled
        except ImportError:  # not installed, or too old for this NumPy
            self.multiply = self.of.multiply
            return False
        return True

    @cached_property
    def compiled(self) -> Callable[[Patterns, Patterns], Patterns]:
        """The product as a universal function.

        Raises:
            ImportError: there is no numba.
        """
        numba: Any = import_module("numba")
        signature = [f"{self.of.dtype}({self.of.dtype}, {self.of.dtype})"]
        try:
            self._kept = numba.vectorize(signature, cache=True)(element(self.of))
        except RuntimeError:  # no directory in which to keep it
            self._kept = numba.vectorize(signature)(element(self.of))
        return self._kept.ufunc  # type: ignore[no-any-return]  # the object around it takes as long as 1,000 elements


def element(of: Arrays) -> Callable[[Any, Any], Any]:
    """The product of two patterns: every choice is one between two values, so that many are made at once.

    Every sum is cut to the width of a pattern, for those of numba have 64 bits.
    """
    word, f, scalars = of.dtype.type, of.format, of.scalars
    sign_bit, last, unit, largest, zero, bias = (word(x) for x in (f.sign_bit, f.last, f.unit, f.largest, 0, of.bias))
    low, high = word(of.bias + f.unit), word(of.bias + f.largest)
    mantissa, top = word(f.unit - 1), word(f.largest - f.largest % f.unit)
    special, first_nan = word(f.largest + 1), word(f.largest + 1 + (f.infinity is not None))
    infinity, nan = word(scalars._infinity(0)), word(scalars._nan())
    stays = of.overflow == "exponent"  # the mantissa of a product beyond the largest
    end = infinity if of.overflow == "infinity" else largest

    def product(a: Any, b: Any) -> Any:
        x, y = word(a & last), word(b & last)
        least, most = (x, y) if x < y else (y, x)
        total = word(x + y)
        magnitude = word(total - bias)
        if total > high:
            kept = word((magnitude & mantissa) | top)
            magnitude = (largest if kept > largest else kept) if stays else end
        if (total < low) | (least < unit):
            magnitude = zero
        magnitude = infinity if most >= special else magnitude
        found = word(magnitude | word((a ^ b) & sign_bit))
        return nan if (most >= first_nan) | ((most >= special) & (least < unit)) else found

    return product
