"""What a construction is to compute: a function of two bit strings, under a promise. Scalar and vectorised forms of each.

Strings are integers: y₁ is the most significant of ``length`` bits.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from verifier.errors import InputError
from verifier.expressions import Names, integer

Integers = npt.NDArray[np.int64]
Truths = npt.NDArray[np.bool_]

COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "!=": operator.ne,
    "==": operator.eq,
}
_SIGNS = "|".join(sorted(COMPARISONS, key=len, reverse=True))
_PART = re.compile(rf"^([yz])\[(\d+)(?::(\d+))?\] ({_SIGNS}) (-?\d+)$")
_GENERAL = re.compile(rf"^([yz])\s*\[([^\]]*)\]\s*({_SIGNS})\s*(.+)$")

FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "EQ": lambda y, z: y == z,
    "GT": lambda y, z: y > z,
}


@dataclass(frozen=True)
class Part:
    """A condition on one string: the bits first … last (1-based), as a number, compared with a constant."""

    string: str
    first: int
    last: int
    comparison: str
    bound: int

    def holds(self, strings: Any, length: int) -> Any:
        """Whether it holds, for one string or an array of them."""
        part = (strings >> (length - self.last)) & ((1 << self.last - self.first + 1) - 1)
        return COMPARISONS[self.comparison](part, self.bound)


@dataclass(frozen=True)
class Promise:
    """Which pairs count: y ≤ z where ``ordered``, and conditions on the bits of either string."""

    ordered: bool
    parts: tuple[Part, ...]

    def of(self, string: str) -> tuple[Part, ...]:
        return tuple(p for p in self.parts if p.string == string)


@lru_cache(maxsize=256)
def read_promise(text: str) -> Promise:
    """``none``, ``y <= z``, or conditions joined by ``and``: ``y <= z and y[2:5] > 0 and z[8:9] != 2``.

    Raises:
        InputError: for any other form.
    """
    if text == "none":
        return Promise(ordered=False, parts=())
    conditions = [c.strip() for c in text.split(" and ")]
    parts = []
    for c in conditions:
        match = _PART.match(c)
        if match:
            string, first, last, comparison, bound = match.groups()
            parts.append(Part(string, int(first), int(last or first), comparison, int(bound)))
        elif c != "y <= z":
            raise InputError(f"no promise {c!r}; there are none, y <= z, and conditions on bits such as y[2:5] > 0")
    return Promise(ordered="y <= z" in conditions, parts=tuple(parts))


def promise_at(text: str, names: Names) -> str:
    """A promise of a construction file with its indices and bounds put in: ``y[2 : e+1] > 0`` is ``y[2:6] > 0`` at e = 5."""
    done = []
    for condition in text.split(" and "):
        match = _GENERAL.match(condition.strip())
        if match is None:
            done.append(condition.strip())
            continue
        string, inside, comparison, bound = match.groups()
        first, colon, last = inside.partition(":")
        start = integer(first, names)
        done.append(f"{string}[{start}:{integer(last, names) if colon else start}] {comparison} {integer(bound, names)}")
    return " and ".join(done)


@dataclass(frozen=True)
class Problem:
    """A named function on pairs of ``length``-bit strings that keep a promise (:func:`read_promise`)."""

    function: str
    promise: str
    length: int

    def __post_init__(self) -> None:
        if self.function not in FUNCTIONS:
            raise InputError(f"problem: no function {self.function!r}; there are {', '.join(FUNCTIONS)}")
        for part in self.conditions.parts:
            if not 1 <= part.first <= part.last <= self.length:
                raise InputError(f"promise on {part.string}[{part.first}:{part.last}]: the strings have bits 1 … {self.length}")

    @property
    def conditions(self) -> Promise:
        return read_promise(self.promise)

    def value(self, y: int, z: int) -> int:
        return int(FUNCTIONS[self.function](y, z))

    def promised(self, y: int, z: int) -> bool:
        return bool(self.promises(np.int64(y), np.int64(z)))  # type: ignore[arg-type]  # a scalar broadcasts

    def values(self, y: Integers, z: Integers) -> Truths:
        """The function on broadcast arrays of inputs."""
        result: Truths = FUNCTIONS[self.function](y, z)
        return result

    def promises(self, y: Integers, z: Integers) -> Truths:
        """Where broadcast arrays of inputs keep the promise."""
        kept: Truths = (y <= z) if self.conditions.ordered else (y == y) & (z == z)
        return kept & self.admitted("y", y) & self.admitted("z", z)

    def admitted(self, string: str, values: Integers) -> Truths:
        """Where the conditions on one string alone hold."""
        kept: Truths = np.ones(np.shape(values), dtype=np.bool_)
        for part in self.conditions.of(string):
            kept = kept & part.holds(values, self.length)
        return kept

    def admitted_block(self, string: str, first: int, last: int) -> Truths:
        """Which contents of the positions first … last keep the conditions on that string that lie within them."""
        values: Integers = np.arange(1 << last - first + 1, dtype=np.int64)
        kept: Truths = np.ones(len(values), dtype=np.bool_)
        for part in self.conditions.of(string):
            if first <= part.first and part.last <= last:
                kept = kept & part.holds(values << (self.length - last), self.length)
        return kept

    def pairs(self) -> int:
        """How many pairs keep the promise; conditions on bits are tabulated, over 2^length values."""
        if not self.conditions.parts:
            return (1 << self.length) * ((1 << self.length) + 1) // 2 if self.conditions.ordered else 4**self.length
        every: Integers = np.arange(1 << self.length, dtype=np.int64)
        ys, zs = (every[self.admitted(string, every)] for string in "yz")
        if not self.conditions.ordered:
            return len(ys) * len(zs)
        return int((len(zs) - np.searchsorted(zs, ys)).sum())

    def occurring(self, string: str) -> Integers:
        """The values of one string that some promised pair has, ascending; of 2^length values."""
        every: Integers = np.arange(1 << self.length, dtype=np.int64)
        mine: Integers = every[self.admitted(string, every)]
        other: Integers = every[self.admitted("z" if string == "y" else "y", every)]
        if not len(other):
            return other
        if self.conditions.ordered:
            mine = mine[mine <= other[-1]] if string == "y" else mine[mine >= other[0]]
        return mine


def bits_of(value: int, length: int) -> str:
    """``value`` as a string of ``length`` binary digits."""
    return format(value, f"0{length}b") if length else ""


def read_bits(text: str, length: int, name: str) -> int:
    """A string of exactly ``length`` binary digits.

    Raises:
        InputError: for any other text.
    """
    if len(text) != length or set(text) - {"0", "1"}:
        raise InputError(f"--{name} {text}: a string of {length} binary digits was expected")
    return int(text, 2) if text else 0
