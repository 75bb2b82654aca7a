"""The orders in which the checker forms a sum. A term that is None has its place in the order and adds nothing."""

from collections.abc import Callable, Sequence

Term = int | None
Add = Callable[[int, int], int]


def folded(terms: Sequence[Term], order: str, add: Add) -> Term:
    """The sum: ``left-to-right``; ``split:k``, of every k-th term, then of these sums; ``pairwise``; ``numpy``, as np.add.reduce."""
    if order == "pairwise":
        return halved(terms, add)
    if order == "numpy":
        return in_eights(terms, add)
    parts = int(order.removeprefix("split:")) if order.startswith("split:") else 1
    return chain([chain(terms[start::parts], add) for start in range(parts)], add)


def chain(terms: Sequence[Term], add: Add) -> Term:
    """The sum from left to right, which begins with its first term."""
    total: Term = None
    for term in terms:
        total = both(total, term, add)
    return total


def both(x: Term, y: Term, add: Add) -> Term:
    return y if x is None else x if y is None else add(x, y)


def halved(terms: Sequence[Term], add: Add) -> Term:
    """The sum of both halves, the first of which is not the shorter one."""
    if len(terms) < 2:
        return chain(terms, add)
    middle = (len(terms) + 1) // 2
    return both(halved(terms[:middle], add), halved(terms[middle:], add), add)


def in_eights(terms: Sequence[Term], add: Add) -> Term:
    """Up to 7 terms from left to right; up to 128 in eight sums, which are added in pairs, and then the rest; more in two parts."""
    count = len(terms)
    if count < 8:
        return chain(terms, add)
    if count > 128:
        middle = count // 2 - count // 2 % 8
        return both(in_eights(terms[:middle], add), in_eights(terms[middle:], add), add)
    whole = count // 8 * 8
    sums = [chain(terms[k:whole:8], add) for k in range(8)]
    while len(sums) > 1:
        sums = [both(x, y, add) for x, y in zip(sums[::2], sums[1::2], strict=True)]
    return chain([sums[0], *terms[whole:]], add)
