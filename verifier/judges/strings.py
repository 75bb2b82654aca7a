"""Conditions on the strings y and z: the pairs that a condition speaks of, and where it fails, as arrays over parts of the strings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from verifier.arithmetic.numbers import Number
from verifier.arithmetic.rationals import Fraction
from verifier.engines.fixed_point_arrays import States, Truths
from verifier.judges.evaluation import Functions
from verifier.language import arrays, exact
from verifier.language.definitions import inlined_text
from verifier.language.integer_arrays import Index
from verifier.language.rational_arrays import Quantity
from verifier.language.strings import Strings
from verifier.language.tree import Name, Node, walk
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

    def allowed(self) -> Truths:
        """The pairs of contents that a pair of strings can have that keeps the promise, over (y, z).

        Raises:
            InputError: a promise other than y <= z on strings too long to go through.
        """
        y, z = np.arange(self.size)[:, None], np.arange(self.size)[None, :]
        if self.problem.promise.replace(" ", "") == "y<=z":
            return np.asarray(y <= z if self.first == 1 else np.ones((self.size, self.size), dtype=bool))
        if self.problem.length > LONGEST:
            raise InputError(f"the promise {self.problem.promise} on parts of strings of more than {LONGEST} bits")
        ys, zs = self._admitted("y"), self._admitted("z")
        least, most = np.full(self.size, 1 << self.problem.length), np.full(self.size, -1)
        np.minimum.at(least, self.content(ys), ys)
        np.maximum.at(most, self.content(zs), zs)
        if not self.problem.conditions.ordered:
            return np.asarray((least < 1 << self.problem.length)[:, None] & (most >= 0)[None, :])
        return np.asarray(least[:, None] <= most[None, :])

    def _admitted(self, string: str) -> np.ndarray:
        """The values of one string that keep the promise's conditions on it alone, ascending."""
        every = np.arange(1 << self.problem.length, dtype=np.int64)
        return np.asarray(every[self.problem.admitted(string, every)])

    def content(self, strings: np.ndarray) -> np.ndarray:
        """What whole strings have at the positions first … last."""
        return np.asarray(strings >> self.problem.length - self.last & self.size - 1)

    def smallest(self, asked: Truths, wrong: Truths) -> tuple[int, int]:
        """The smallest promised pair of strings, y first, whose contents fail."""
        for y in range(self.size) if self.problem.promise.replace(" ", "") == "y<=z" else ():
            columns = np.flatnonzero(wrong[y])
            if columns.size:
                return self._completed(y, columns)
        zs = self._admitted("z")
        contents, ordered = self.content(zs), self.problem.conditions.ordered
        ys = self._admitted("y")
        for y, content in zip(map(int, ys), map(int, self.content(ys)), strict=True):
            failing = zs[np.asarray(wrong[content])[contents] & (zs >= (y if ordered else 0))]
            if failing.size:
                return y, int(failing[0])
        raise ValueError("no pair of strings that keeps the promise has contents that fail")

    def _completed(self, y: int, columns: np.ndarray) -> tuple[int, int]:
        """Under y <= z: z with the least content of those that need no larger bit in front, else with a 1 in front."""
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


def truths(
    text: str,
    lets: Mapping[str, str],
    names: Names,
    halves: Halves,
    asked: Truths,
    value: Callable[[Truths], Quantity] | None,
    functions: Functions,
) -> Truths:
    """Where a condition holds, over the contents of y and z that are asked for; ``value`` is what ``v`` stands for there.

    Raises:
        InputError: the condition reads bits outside the positions.
    """
    tree = inlined_text(text, lets)
    if halves.width < halves.problem.length and (whole := _whole(tree)):
        raise InputError(f"{text!r} reads all of {whole}; bits of {halves.first} : {halves.last} were expected")
    y, z = np.nonzero(asked)
    known = {"v": value(asked)} if value else {}
    found = np.zeros_like(asked)
    with placed(repr(text)):
        found[asked] = arrays.truth(tree, {**names, **known, "y": halves.strings(y), "z": halves.strings(z)}, functions)
    return found


def _whole(tree: Node) -> str | None:
    """One of y and z that is read as a whole, not by its bits."""
    return next((node.name for node in walk(tree) if isinstance(node, Name) and node.name in ("y", "z")), None)


def decoded(states: States, decode: Callable[[np.int64], Number], asked: Truths) -> Quantity:
    """The machine values of the states asked for, each state decoded once."""
    distinct, places = np.unique(states[asked], return_inverse=True)
    return Quantity.listed(decode(state) for state in distinct).picked(distinct.shape, places)
