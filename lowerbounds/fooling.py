"""Fooling sets, checked pair by pair (*Every Bit Counts*, Definition A.5): which cross entry separates each pair.

A pair i ≠ j of a fooling set needs f(x_i, y_j) or f(x_j, y_i) to be defined and different from the common value. An undefined entry, one
outside the promise, separates nothing: a protocol may give any answer there (Section A.2). Alice holds the string y, Bob z; a string is its
number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from verifier.networks.problems import NO_PROMISE, Problem, bits_of
from verifier.running.errors import InputError

Integers = npt.NDArray[np.int64]
Values = npt.NDArray[np.int8]
Codes = npt.NDArray[np.uint8]

UNDEFINED = -1
"""The value of a pair that breaks the promise: any answer is right there."""

NEITHER = 0
"""The code of a pair i < j that no cross entry separates: 1 is for f(x_i, y_j), 2 for f(x_j, y_i), 3 for both."""

CELLS_AT_ONCE = 1 << 20


@dataclass(frozen=True)
class BadPair:
    """The reason why a set is not a fooling set: two members by name (one member twice if its own value is wrong) and their entries."""

    first: tuple[str, str]
    second: tuple[str, str]
    reason: str

    def __str__(self) -> str:
        return f"({', '.join(self.first)}) and ({', '.join(self.second)}): {self.reason}"


@dataclass(frozen=True)
class FoolingSet:
    """The outcome of a check, with the number of pairs that each cross entry separates, and the first pair that none separates.

    ``bits`` is the lower bound ⌈log₂ size⌉ on the bits that Alice sends; it has a meaning only if ``bad`` is None.
    """

    problem: str
    size: int
    pairs: int
    first: int
    second: int
    both: int
    bad: BadPair | None

    @property
    def bits(self) -> int:
        return (self.size - 1).bit_length()


def entries(problem: Problem, y: Integers, z: Integers) -> Values:
    """The function on broadcast arrays of strings, UNDEFINED outside the promise."""
    return np.where(problem.promises(y, z), problem.values(y, z), UNDEFINED).astype(np.int8)


def cross_entries(problem: Problem, xs: Integers, ys: Integers, value: int) -> Iterator[tuple[int, Codes]]:
    """For each pair i < j of members (xs[i], ys[i]), the cross entries that differ from ``value``.

    Yields blocks (i, codes): row r of ``codes`` belongs to member i + r, and column c to member i + c; only entries with c > r count, the
    others are 0.
    """
    size = len(xs)
    start = 0
    while start < size:
        rows = max(1, min(size - start, CELLS_AT_ONCE // (size - start)))
        here = slice(start, start + rows)
        forth = entries(problem, xs[here, None], ys[None, start:])
        back = entries(problem, xs[None, start:], ys[here, None])
        codes = ((forth != value) & (forth != UNDEFINED)).view(np.uint8)
        codes = codes | ((back != value) & (back != UNDEFINED)).view(np.uint8) << np.uint8(1)
        codes[:, :rows][np.tri(rows, dtype=bool)] = NEITHER
        yield start, codes
        start += rows


def check_fooling_set(problem: Problem, members: Sequence[tuple[int, int]]) -> FoolingSet:
    """Check every pair of ``members``, each (Alice's input, Bob's input); no sampling.

    Raises:
        InputError: no members, or a string that the problem lacks.
    """
    if not members:
        raise InputError("an empty fooling set; at least one member was expected")
    size = 1 << problem.length
    for x, y in members:
        if not (0 <= x < size and 0 <= y < size):
            raise InputError(f"({x}, {y}) is not a pair of inputs of {title(problem)}, which has {size} × {size}")
    xs, ys = (np.array(side, dtype=np.int64) for side in zip(*members, strict=True))
    values = np.broadcast_to(entries(problem, xs, ys), xs.shape)
    bad = _bad_member(problem, xs, ys, values)
    counts = np.zeros(4, dtype=np.int64)
    if bad is None:
        value = int(values[0])
        for start, codes in cross_entries(problem, xs, ys, value):
            rows, width = codes.shape
            tally = np.bincount(codes.ravel(), minlength=4)
            meant = rows * width - rows * (rows + 1) // 2
            counts += [meant - int(tally[1:].sum()), *tally[1:]]
            if counts[NEITHER]:
                bad = _bad_pair(problem, xs, ys, start, codes, value)
                break
    neither, first, second, both = (int(c) for c in counts)
    return FoolingSet(title(problem), len(xs), first + second + both + neither, first, second, both, bad)


def _bad_member(problem: Problem, xs: Integers, ys: Integers, values: npt.NDArray[np.int8]) -> BadPair | None:
    """The first member whose own value is undefined or differs from that of member 0."""
    wrong = (values == UNDEFINED) | (values != values[0])
    if not wrong.any():
        return None
    k = int(wrong.argmax())
    own = "breaks the promise" if values[k] == UNDEFINED else f"has the value {values[k]}"
    return BadPair(_names(problem, xs, ys, 0), _names(problem, xs, ys, k), f"the members need one value; the second {own}")


def _bad_pair(problem: Problem, xs: Integers, ys: Integers, start: int, codes: Codes, value: int) -> BadPair:
    rows, width = codes.shape
    empty = (codes == NEITHER) & (np.arange(width)[None, :] > np.arange(rows)[:, None])
    row, column = np.unravel_index(int(empty.argmax()), empty.shape)
    i, j = start + int(row), start + int(column)
    forth, back = (int(entries(problem, xs[a : a + 1], ys[b : b + 1])[0]) for a, b in ((i, j), (j, i)))
    shown = " and ".join("undefined" if v == UNDEFINED else str(v) for v in (forth, back))
    return BadPair(_names(problem, xs, ys, i), _names(problem, xs, ys, j), f"the cross entries are {shown}, the common value is {value}")


def _names(problem: Problem, xs: Integers, ys: Integers, k: int) -> tuple[str, str]:
    return bits_of(int(xs[k]), problem.length), bits_of(int(ys[k]), problem.length)


def title(problem: Problem) -> str:
    """``EQ_3 (y <= z)``."""
    return f"{problem.function}_{problem.length} ({problem.promise})"


def by_order(problem: Problem, members: Sequence[int] | None = None) -> FoolingSet:
    """Check the (x, x) of these strings (None: of all strings, of any length) without going through their pairs.

    The functions of :mod:`verifier.networks.problems`, and promises apart from their conditions on each string, depend on two strings only
    through their order. So if the members satisfy these conditions, the entries of one pair x < x′ tell which cross entry separates all.

    Raises:
        InputError: no members, or repeated or unordered members; all strings under a promise with conditions on bits.
    """
    if members is None and problem.conditions.parts:
        raise InputError(f"the promise {problem.promise}; one of the order alone was expected, all strings are not counted under others")
    if members is not None and (not members or list(members) != sorted(set(members))):
        raise InputError("the members of a fooling set; one at least, each once and ascending, was expected")
    size = 1 << problem.length if members is None else len(members)
    small = Problem(problem.function, "y <= z" if problem.conditions.ordered else NO_PROMISE, 1)
    value = small.value(0, 0)
    forth, back = (small.promised(x, y) and small.value(x, y) != value for x, y in ((0, 1), (1, 0)))
    pairs, listed, broken = size * (size - 1) // 2, (0, 1) if members is None else members, None
    if members is not None:
        kept = problem.promises(np.asarray(members), np.asarray(members))
        broken = None if kept.all() else int(kept.argmin())
    if broken is not None or (pairs and not forth and not back):
        why = f"no cross entry differs from the common value {value}"
        if broken is not None:
            why = "the members need one value; the second breaks the promise"
        low, high = (bits_of(listed[k], problem.length) for k in (0, 1 if broken is None else broken))
        return FoolingSet(title(problem), size, 0, 0, 0, 0, BadPair((low, low), (high, high), why))
    return FoolingSet(
        title(problem), size, pairs, pairs * (forth and not back), pairs * (back and not forth), pairs * (forth and back), None
    )
