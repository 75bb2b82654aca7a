"""Conditions on the strings y and z: the pairs that a condition speaks of, and where it fails, as arrays over parts of the strings."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from verifier.arithmetic.numbers import Number
from verifier.engines.lattice import Truths
from verifier.errors import InputError
from verifier.formulas import exact
from verifier.formulas.definitions import inlined
from verifier.formulas.exact import Bits
from verifier.formulas.syntax import parse
from verifier.judges.formula import Functions
from verifier.problems import Problem

Names = Mapping[str, Fraction]


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
        return 1 << max(self.width, 0)

    def filled(self, content: int, others: int) -> int:
        """The whole string with this content and all other bits 0 or all 1 (``others``)."""
        behind = self.problem.length - self.last
        rest = ((1 << self.problem.length) - 1) ^ ((self.size - 1) << behind) if others else 0
        return content << behind | rest

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
        every: np.ndarray = np.arange(1 << self.problem.length, dtype=np.int64)
        promised = self.problem.promises(every[:, None], every[None, :])
        within = (self.first - 1, self.width, self.problem.length - self.last)
        cube = promised.reshape([1 << bits for bits in (*within, *within)])
        return np.asarray(cube.any(axis=(0, 2, 3, 5)))

    def smallest(self, asked: Truths, wrong: Truths) -> tuple[int, int]:
        """The smallest promised pair of strings, y first, whose contents fail."""
        for y in range(self.size) if self.problem.promise.replace(" ", "") == "y<=z" else ():
            columns = np.flatnonzero(wrong[y])
            if columns.size:
                return self._completed(y, columns)
        length, behind, mask = self.problem.length, self.problem.length - self.last, self.size - 1
        return next(
            (a, b)
            for a in range(1 << length)
            for b in range(1 << length)
            if wrong[a >> behind & mask, b >> behind & mask] and self.problem.promised(a, b)
        )

    def _completed(self, y: int, columns: np.ndarray) -> tuple[int, int]:
        """Under y <= z: z with the least content of those that need no larger bit in front, else with a 1 in front."""
        behind = self.problem.length - self.last
        at_least = columns[columns >= y]
        if at_least.size:
            return y << behind, int(at_least[0]) << behind
        return y << behind, int(columns[0]) << behind | 1 << self.problem.length - self.first + 1


LONGEST = 10


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
    value: Callable[[int, int], Number] | None,
    functions: Functions,
) -> Truths:
    """Where a condition holds, over the contents of y and z that are asked for; ``value`` is what ``v`` stands for.

    Raises:
        InputError: the condition reads bits outside the positions.
    """
    tree = inlined(parse(text), lets)
    found = np.zeros_like(asked)
    for y, z in np.argwhere(asked):
        found[y, z] = _truth(tree, text, names, halves, int(y), int(z), value, functions)
    return found


def _truth(
    tree: ast.expr,
    text: str,
    names: Names,
    halves: Halves,
    y: int,
    z: int,
    value: Callable[[int, int], Number] | None,
    functions: Functions,
) -> bool:
    length = halves.problem.length
    known = {"v": value(y, z)} if value else {}
    both = {
        exact.truth(
            tree,
            {**names, **known, "y": Bits(halves.filled(y, others), length), "z": Bits(halves.filled(z, others), length)},
            functions,
        )
        for others in ((0, 1) if halves.width < length else (0,))
    }
    if len(both) > 1:
        raise InputError(f"{text!r} depends on bits outside {halves.first} : {halves.last}")
    return both.pop()
