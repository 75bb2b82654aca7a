"""Conditions on the strings y and z: the pairs that a condition speaks of, and where it fails, as arrays over parts of the strings.

The judge of such a condition takes every pair y, z (or every y) of a length that keeps a promise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from verifier.arithmetic.arrays import States, Truths
from verifier.arithmetic.numbers import Number
from verifier.arithmetic.rationals import Fraction
from verifier.claims.model import Query, declined
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.evaluation import Functions, Reader
from verifier.judges.fields import Pairs
from verifier.language import arrays, exact
from verifier.language.array_values import WORD_BITS, Index, Quantity, Strings
from verifier.language.definitions import inlined_text
from verifier.language.exact import Bits, Given, Irrational
from verifier.language.tree import Name, Node, Slice, walk
from verifier.networks.problems import Problem, bits_of
from verifier.running.errors import InputError, placed
from verifier.running.limits import strings_of

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


MOST_FIRST = 8
"""If pairs are too many, they are grouped by up to this many first bits of both strings."""
TOGETHER = 8
"""Strings are judged in arrays. For the limit of work, this many of them count as one case that is judged alone."""


def judge(query: Query, fields: Pairs) -> Outcome:
    """Judge all conditions on every string or pair, y first; the first that fails is the counterexample."""
    lets, reader = query.claim.lets, Reader(query.claim.functions)
    length = exact.integer(inlined_text(fields.length, lets), query.names, reader.functions)
    if length < 1:
        return declined(f"there are no strings of {length} bits {query.at}")
    both = fields.strings == "y, z"
    every = strings_of(2 * length if both else length)
    if both and query.limits.cases * TOGETHER < every and (counted := by_first_bits(reader, query, fields, length)) is not None:
        return counted
    query.within(every // TOGETHER, "pairs" if both else "strings")
    numbers = _every(length, both)
    asked = _where(reader, query, inlined_text(fields.promise, lets), numbers, length)
    numbers = {name: column[asked] for name, column in numbers.items()}
    cases = int(asked.sum())
    what = f"{'pairs' if both else 'strings'} of {length} bits with {fields.promise}"
    if cases == 0:
        return declined(f"there are no {what}")
    texts = [fields.holds] if isinstance(fields.holds, str) else fields.holds
    holds = np.ones(cases, dtype=bool)
    for text in texts:
        holds &= _where(reader, query, inlined_text(text, lets), numbers, length)
    scope = _scope(query, what, texts, cases, "enumeration")
    failures = int((~holds).sum())
    if not failures:
        return Outcome(Verdict.VERIFIED, scope, failures=0)
    first = {name: int(column[np.argmin(holds)]) for name, column in numbers.items()}
    names: dict[str, Given] = {**query.names, **{name: Bits(x, length) for name, x in first.items()}}
    found = {name: bits_of(x, length) for name, x in first.items()}
    found |= {name: reader.shown(inlined_text(name, lets), names) for name in fields.shows}
    return _refuted(query, scope, failures, found)


def by_first_bits(reader: Reader, query: Query, fields: Pairs, length: int) -> Outcome | None:
    """All pairs y <= z by the first few bits of both, if the conditions read no others and nothing else is shown, or else None.

    For first bits a < b, every rest of y goes with every rest of z; for a = b, rests in order; for a > b, none.
    """
    lets = query.claim.lets
    texts = [fields.holds] if isinstance(fields.holds, str) else fields.holds
    trees = [inlined_text(text, lets) for text in texts]
    if fields.promise.replace(" ", "") != "y<=z" or fields.shows or length > WORD_BITS or any(map(wholes, trees)):
        return None
    for width in range(1, min(length - 1, MOST_FIRST) + 1):
        contents = np.array([(a, b) for a in range(1 << width) for b in range(a, 1 << width)], dtype=np.int64).T
        known = {n: Partial(Strings.of(x << length - width, length).numbers, length, 1, width) for n, x in zip("yz", contents, strict=True)}
        try:
            holds = np.all([arrays.truth(tree, {**query.names, **known}, reader.functions) for tree in trees], axis=0)
        except Irrational:
            return None
        except InputError:  # other bits are read
            continue
        rest = 1 << length - width
        of_each = [rest * (rest + 1) // 2 if a == b else rest * rest for a, b in contents.T.tolist()]
        whole = 1 << length
        assert sum(of_each) == whole * (whole + 1) // 2, "pairs were lost or counted twice"
        failures = sum(many for many, held in zip(of_each, np.broadcast_to(holds, len(of_each)).tolist(), strict=True) if not held)
        scope = _scope(
            query, f"pairs of {length} bits with {fields.promise}", texts, sum(of_each), f"enumeration of the first {width} bits"
        )
        if not failures:
            return Outcome(Verdict.VERIFIED, scope, failures=0)
        first = {name: int(x[np.argmin(holds)]) << length - width for name, x in zip("yz", contents, strict=True)}
        return _refuted(query, scope, failures, {name: bits_of(x, length) for name, x in first.items()})
    return None


def _scope(query: Query, what: str, texts: list[str], cases: int, method: str) -> Scope:
    return Scope(f"all {cases:,} {what} {query.at}: {' and '.join(texts)}", cases, method)


def _refuted(query: Query, scope: Scope, failures: int, found: dict[str, str]) -> Outcome:
    point = {k: str(v) for k, v in query.parameters.items()}
    reason = f"fails on {failures:,} of {scope.cases:,}"
    return Outcome(Verdict.REFUTED, scope, reason=reason, counterexample=point | found, failures=failures)


def _every(length: int, both: bool) -> dict[str, np.ndarray]:
    """All strings y, or all pairs, as numbers, ascending."""
    every = np.arange(1 << (2 * length if both else length), dtype=np.int64)
    return {"y": every >> length, "z": every & (1 << length) - 1} if both else {"y": every}


def _where(reader: Reader, query: Query, condition: Node, numbers: Mapping[str, np.ndarray], length: int) -> Truths:
    """The strings or pairs for which a condition holds. Cases are judged in arrays, or one by one if values are irrational."""
    names: dict[str, Any] = {**query.names, **{name: Strings.of(column, length) for name, column in numbers.items()}}
    size = len(numbers["y"])
    try:
        return np.broadcast_to(arrays.truth(condition, names, reader.functions), size)
    except Irrational:
        rows = zip(*(column.tolist() for column in numbers.values()), strict=True)
        strings = (dict(zip(numbers, (Bits(x, length) for x in row), strict=True)) for row in rows)
        return np.asarray([reader.truth(condition, {**query.names, **case}) for case in strings])
