"""Every input of a table at once, in columns, and formulas on strings.

A *column* is what a quantity is on every input: the input bits that it depends on, in the order of the input, and a list with an entry for
each of their contents, the first bit the most significant. Operations on columns are operations on their entries.
"""

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any

from .recheck_arithmetic import Machine
from .recheck_reading import WHOLE, At, Limits

Strings = Mapping[str, int]  # the strings by name, each with its length; their bits stand in this order, the first string in front
Column = tuple[tuple[int, ...], list[Any]]
MOST_BITS, MOST_NUMBER, MOST_EXPONENT = 24, 1 << 62, 62
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
COMPUTED: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "min": min,
    "max": max,
}


class Inputs:
    """All inputs of some strings: columns, and how many steps they take."""

    def __init__(self, given: At, limits: Limits) -> None:
        self.limits = limits
        self.lengths: dict[str, int] = {}
        for each in given.items():
            name, length = each.items(2)
            if name.text() in self.lengths or not NAME.fullmatch(name.text()):
                name.refuse("a name of letters and digits that no other string has")
            self.lengths[name.text()] = length.integer(1, MOST_BITS)
        if not 1 <= sum(self.lengths.values()) <= MOST_BITS:
            given.refuse(f"strings of at most {MOST_BITS} bits together")
        ends = list(accumulate(self.lengths.values()))
        self.first = dict(zip(self.lengths, [0, *ends], strict=False))
        self.bits = ends[-1]

    def bit(self, name: str, k: int) -> int:
        """The place of bit k (from 1) of a string among all bits."""
        return self.first[name] + k - 1

    def spread(self, column: Column, bits: Sequence[int]) -> list[Any]:
        """A column's entries for every content of more bits."""
        own, entries = set(column[0]), column[1]
        self.hold(bits)
        if len(bits) == len(own):
            return entries
        places = [0]
        for bit in bits:
            places = [2 * p + b for p in places for b in (0, 1)] if bit in own else [p for p in places for _ in (0, 1)]
        return [entries[p] for p in places]

    def each(self, function: Callable[[Any], Any], column: Column, steps: int = 1) -> Column:
        """A function of one quantity, computed once for each value, in so many steps."""
        values = set(column[1])
        self.limits.spend(steps * len(values))
        known = {x: function(x) for x in values}
        self.limits.spend(len(column[1]) // 8)
        return column[0], [known[x] for x in column[1]]

    def both(self, function: Callable[[Any, Any], Any], one: Column, other: Column, steps: int = 1) -> Column:
        """A function of two quantities, in so many steps; where they have few values, computed once for each two of them."""
        bits = tuple(sorted({*one[0], *other[0]}))
        lefts, rights = set(one[1]), set(other[1])
        few = len(lefts) * len(rights) < 1 << len(bits)
        self.limits.spend(steps * (len(lefts) * len(rights) if few else 1 << len(bits)))
        left, right = self.spread(one, bits), self.spread(other, bits)
        if few:
            known = {x: {y: function(x, y) for y in rights} for x in lefts}
            return bits, [known[x][y] for x, y in zip(left, right, strict=True)]
        return bits, list(map(function, left, right))

    def hold(self, bits: Iterable[int]) -> None:
        """Ask for a column that depends on these bits."""
        entries = 1 << len(tuple(bits))
        self.limits.keep("states", entries)
        self.limits.spend(entries // 8 + 1)

    # ---- formulas: lists, an operation and what it is of; texts are integers or strings, which stand for the numbers that they spell

    def number(self, given: At) -> Column:
        """A formula that is a number."""
        column = self._number(given)
        if any(not -MOST_NUMBER < x < MOST_NUMBER for x in set(column[1])):
            given.refuse("numbers of at most 62 bits")
        return column

    def _number(self, given: At) -> Column:
        if not isinstance(given.data, list):
            text = given.text()
            if WHOLE.fullmatch(text):
                return (), [given.integer(1 - MOST_NUMBER, MOST_NUMBER - 1)]
            return self.part(given, text, 1, self.lengths.get(text, 0))
        word, *parts = given.items() or [given]
        match word.text(), len(parts):
            case "bits", 3:
                name, first, last = parts
                low = first.integer(1)
                return self.part(name, name.text(), low, last.integer(low, self.lengths.get(name.text(), 0)))
            case "popcount", 1:
                return self.each(lambda x: x.bit_count() if x >= 0 else parts[0].refuse("a number from 0 on"), self.number(parts[0]))
            case "abs", 1:
                return self.each(abs, self.number(parts[0]))
            case "if", 3:
                test, (bits, chosen) = (
                    self.condition(parts[0]),
                    self.both(lambda x, y: (x, y), self.number(parts[1]), self.number(parts[2])),
                )
                return self.both(lambda holds, pair: pair[0 if holds else 1], test, (bits, chosen))
            case ("//" | "%") as named, 2:
                if parts[1].integer() == 0:
                    parts[1].refuse("a divisor other than 0")
                return self.both(COMPUTED[named], self.number(parts[0]), self.number(parts[1]))
            case "**", 2:
                exponent = parts[1].integer(0, MOST_EXPONENT)
                return self.each(lambda x: x**exponent, self.number(parts[0]))
            case ("+" | "-" | "*" | "min" | "max") as named, count if count:
                found = self.number(parts[0])
                for part in parts[1:]:
                    found = self.both(COMPUTED[named], found, self.number(part))
                    if any(not -MOST_NUMBER < x < MOST_NUMBER for x in set(found[1])):
                        given.refuse("numbers of at most 62 bits")
                return found
        return word.refuse("an operation on numbers, of as many as it takes,")

    def part(self, given: At, name: str, first: int, last: int) -> Column:
        """The number that some bits of a string spell."""
        if name not in self.lengths:
            given.refuse("an integer or a string")
        bits = tuple(self.bit(name, k) for k in range(first, last + 1))
        self.hold(bits)
        return bits, list(range(1 << len(bits)))

    def condition(self, given: At) -> Column:
        """A formula that is true or false."""
        if not isinstance(given.data, list):
            return (), [given.one_of("true", "false") == "true"]
        word, *parts = given.items() or [given]
        named = word.text()
        if named in COMPARED and len(parts) == 2:
            return self.both(COMPARED[named], self.number(parts[0]), self.number(parts[1]))
        if named == "not" and len(parts) == 1:
            return self.each(operator.not_, self.condition(parts[0]))
        if named in ("and", "or") and parts:
            found = self.condition(parts[0])
            for part in parts[1:]:
                found = self.both(operator.and_ if named == "and" else operator.or_, found, self.condition(part))
            return found
        return word.refuse("a condition, of as many parts as it takes,")

    def one(self, column: Column, strings: Mapping[str, str]) -> Any:
        """The entry of a column for one input."""
        text = "".join(strings[name] for name in self.lengths)
        return column[1][int("".join(text[bit] for bit in column[0]) or "0", 2)]


def summed(inputs: Inputs, machine: Machine, columns: Iterable[Column]) -> Column:
    """The rounded sum of columns, left to right."""
    found: Column = ((), [0])
    for column in columns:
        found = inputs.both(machine.add, found, column, 2)
    return found


def reduced(column: Column) -> Column:
    """A column without the bits that make no difference to it."""
    bits, entries = list(column[0]), column[1]
    for place in reversed(range(len(bits))):
        width = 1 << len(bits) - 1 - place
        halves = [entries[k : k + width] for k in range(0, len(entries), width)]
        if halves[::2] == halves[1::2]:
            entries = [x for half in halves[::2] for x in half]
            del bits[place]
    return tuple(bits), entries


def of_token(reads: Sequence[int], terms: Sequence[Sequence[int]], k: int) -> Column:
    """What a token adds to the k-th sum, by the bits that matter; a bit that it reads twice has one value."""
    bits = tuple(sorted(set(reads)))
    entries = []
    for content in range(1 << len(bits)):
        value = {bit: content >> (len(bits) - 1 - place) & 1 for place, bit in enumerate(bits)}
        entries.append(terms[int("".join(str(value[bit]) for bit in reads) or "0", 2)][k])
    return reduced((bits, entries))
