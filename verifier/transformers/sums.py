"""The orders in which sums are formed. A term that is None is an exact 0: it has its place in the order and adds nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from verifier.arithmetic.numbers import ZERO

Add = Callable[[Any, Any], Any]


def fold(terms: Sequence[Any], order: str, take: Add, add: Add, first: Any = None, zero: Any = ZERO) -> Any:
    """The sum of the terms.

    order: as :class:`verifier.arithmetic.semantics.Arithmetic` names them.
    take:  a chain's sum with its next term.
    add:   the sum of two sums.
    first: what a chain begins with; if None, its first term.
    """

    def both(x: Any, y: Any) -> Any:
        return y if x is None else x if y is None else add(x, y)

    def chain(part: Sequence[Any]) -> Any:
        sum = None
        for term in part:
            if term is not None:
                sum = term if sum is None and first is None else take(first if sum is None else sum, term)
        return sum

    def left_to_right(part: Sequence[Any]) -> Any:
        sum = None
        for term in part:
            sum = both(sum, term)
        return sum

    def pairwise(part: Sequence[Any]) -> Any:
        half = (len(part) + 1) // 2
        return chain(part) if len(part) <= 1 else both(pairwise(part[:half]), pairwise(part[half:]))

    def numpy(part: Sequence[Any]) -> Any:
        """np.add.reduce: up to 7 terms left to right; up to 128 in eight chains; more in two parts, the first a multiple of 8 long."""
        if len(part) < 8:
            return chain(part)
        if len(part) > 128:
            half = len(part) // 2 - len(part) // 2 % 8
            return both(numpy(part[:half]), numpy(part[half:]))
        whole = len(part) - len(part) % 8
        r = [chain(part[k:whole:8]) for k in range(8)]
        eight = both(both(both(r[0], r[1]), both(r[2], r[3])), both(both(r[4], r[5]), both(r[6], r[7])))
        return left_to_right([eight, *part[whole:]])

    if order.startswith("split:"):
        k = int(order.removeprefix("split:"))
        found = left_to_right([chain(terms[start::k]) for start in range(k)])
    else:
        found = {"left-to-right": chain, "pairwise": pairwise, "numpy": numpy}[order](terms)
    return zero if found is None else found
