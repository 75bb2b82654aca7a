"""Conditions on the strings y and z: the pairs that a condition speaks of, and where it fails, as arrays over parts of the strings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

from verifier.arithmetic.arrays import States, Truths
from verifier.arithmetic.numbers import Number
from verifier.arithmetic.rationals import Fraction
from verifier.judges.evaluation import Functions
from verifier.language import arrays, exact
from verifier.language.array_values import Index, Quantity, Strings
from verifier.language.definitions import inlined_text
from verifier.language.tree import Name, Node, Slice, walk
from verifier.networks.problems import Problem
from verifier.running.errors import InputError, placed

Names = Mapping[str, Fraction]


Contents = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Halves:
    """The contents of the positions ``first … last`` of y and of z, each a number of ``width`` bits."""

    problem: Problem
    first: int
    last: int

    @property
    def width(self) -> int:
        return self.last - self.first + 1

    @property
    def size(self) -> int:
        return 1 << self.width

    def strings(self, contents: Contents) -> Partial:
        """Strings with these contents; a condition that reads other bits of them is refused."""
        length = self.problem.length
        return Partial(Strings.of(contents << length - self.last, length).numbers, length, self.first, self.last)

    @cached_property
    def bounds(self) -> tuple[Contents, Contents]:
        """A number for each content of y and for each content of z. Some promised pair of strings has two contents exactly if y's number is
        at most z's.

        Raises:
            InputError: the promise is not y <= z and the strings are too long to enumerate.
        """
        if self.promises_order:
            every = np.arange(self.size) if self.first == 1 else np.zeros(self.size, dtype=np.int64)
            return every, every
        if self.problem.length > LONGEST:
            raise InputError(f"strings of more than {LONGEST} bits are too long for the promise {self.problem.promise} on parts")
        ys, zs = self._admitted("y"), self._admitted("z")
        least, most = np.full(self.size, 1 << self.problem.length), np.full(self.size, -1)
        np.minimum.at(least, self.content(ys), ys)
        np.maximum.at(most, self.content(zs), zs)
        if not self.problem.conditions.ordered:
            return np.where(least < 1 << self.problem.length, 0, 1), np.where(most >= 0, 0, -1)
        return least, most

    @property
    def promises_order(self) -> bool:
        """Whether the promise is exactly y <= z."""
        return self.problem.promise.replace(" ", "") == "y<=z"

    def _admitted(self, string: str) -> np.ndarray:
        """The values of one string that keep the promise's conditions on it alone, ascending."""
        every = np.arange(1 << self.problem.length, dtype=np.int64)
        return np.asarray(every[self.problem.admitted(string, every)])

    def content(self, strings: np.ndarray) -> np.ndarray:
        """The content of whole strings at the positions first … last."""
        return np.asarray(strings >> self.problem.length - self.last & self.size - 1)

    def smallest(self, first: int, failing: Callable[[int], Truths]) -> tuple[int, int]:
        """The smallest promised pair of strings, y first, whose contents fail.

        Args:
            first: the smallest content of y that fails with some content of z.
            failing: for a content of y, the allowed contents of z that fail with it.
        """
        if self.promises_order:
            return self._completed(first, np.flatnonzero(failing(first)))
        rows = cache(failing)
        zs = self._admitted("z")
        contents, ordered = self.content(zs), self.problem.conditions.ordered
        ys = self._admitted("y")
        for y, content in zip(map(int, ys), map(int, self.content(ys)), strict=True):
            found = zs[rows(content)[contents] & (zs >= (y if ordered else 0))]
            if found.size:
                return y, int(found[0])
        raise ValueError("no pair of strings that keeps the promise has contents that fail")

    def _completed(self, y: int, columns: np.ndarray) -> tuple[int, int]:
        """The least z under y <= z. It has the least content that needs no larger bit in front, or else a 1 in front."""
        behind = self.problem.length - self.last
        at_least = columns[columns >= y]
        if at_least.size:
            return y << behind, int(at_least[0]) << behind
        return y << behind, int(columns[0]) << behind | 1 << self.problem.length - self.first + 1


LONGEST = 20


@dataclass(frozen=True)
class Partial(Strings):
    """Strings of which only the bits ``first … last`` are known."""

    first: int
    last: int

    def picked(self, shape: tuple[int, ...], index: Index) -> Partial:
        return replace(self, numbers=self.numbers.picked(shape, index))

    def part(self, first: Quantity, last: Quantity) -> Quantity:
        """The numbers that bits first … last spell.

        Raises:
            InputError: bits that are not known.
        """
        a, b = first.integers().values, last.integers().values
        if ((a <= b) & ((a < self.first) | (b > self.last))).any():
            raise InputError(f"bits outside {self.first} : {self.last} are read")
        return super().part(first, last)


def positions(text: str, names: Names) -> tuple[int, int]:
    """``1 : h``.

    Raises:
        InputError: no two ends with a colon between.
    """
    first, colon, last = text.partition(":")
    if not colon:
        raise InputError(f"over is {text!r}; positions such as 1 : h were expected")
    return exact.integer(first, names), exact.integer(last, names)


@dataclass(frozen=True)
class Condition:
    """A condition on the parts of y and z that halves have, and on a value ``v``.

    Raises:
        InputError: it reads all of a string of which only some bits are known.
    """

    text: str
    tree: Node
    halves: Halves
    names: Names
    functions: Functions

    @classmethod
    def of(cls, text: str, lets: Mapping[str, str], halves: Halves, names: Names, functions: Functions) -> Condition:
        tree = inlined_text(text, lets)
        if halves.width < halves.problem.length and (read := wholes(tree)):
            raise InputError(f"{text!r} reads all of {read[0]}; bits of {halves.first} : {halves.last} were expected")
        return cls(text, tree, halves, names, functions)

    def reads(self, string: str) -> frozenset[int]:
        """The positions of the halves whose bits of a string the condition can depend on; all if they follow from bound names."""
        every = frozenset(range(self.halves.first, self.halves.last + 1))
        if string in wholes(self.tree):
            return every
        found: set[int] = set()
        for node in walk(self.tree):
            if isinstance(node, Slice) and node.name == string:
                ends = (node.first, node.first if node.last is None else node.last)
                try:
                    first, last = (exact.integer(end, self.names, self.functions) for end in ends)
                except InputError:  # of a bound name, or in a case that is not met
                    return every
                found.update(range(first, last + 1))
        return every & found

    def truths(self, y: Contents, z: Contents, v: Quantity | None = None) -> Truths:
        """The cases in which the condition holds, each with the contents of y and of z and the value ``v``.

        Raises:
            InputError: it reads bits outside the positions.
        """
        if not y.size:
            return np.zeros(0, dtype=bool)
        known = {} if v is None else {"v": v}
        with placed(repr(self.text)):
            found = arrays.truth(
                self.tree, {**self.names, **known, "y": self.halves.strings(y), "z": self.halves.strings(z)}, self.functions
            )
        return np.broadcast_to(found, y.shape)


def wholes(tree: Node) -> list[str]:
    """The strings among y and z that are read as a whole, not by their bits."""
    return [node.name for node in walk(tree) if isinstance(node, Name) and node.name in ("y", "z")]


def decoded(states: States, decode: Callable[[np.int64], Number], asked: Truths) -> Quantity:
    """The machine values of the states asked for, each state decoded once."""
    distinct, places = np.unique(states[asked], return_inverse=True)
    return Quantity.listed(decode(state) for state in distinct).picked(distinct.shape, places)
