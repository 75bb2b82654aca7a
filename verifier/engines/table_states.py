"""The running sums of a table as states: bits are read in some order, and a bit that is no longer used is forgotten.

A sum takes a token's term as soon as all bits of the token are known. A column of A X that is complete, and all those before it, goes
into the numerator. A bit is held until the tokens that read it, its partner in the other string, and the conditions on it have used it.
The task depends on the order of y and z, or on a string's number of ones and some of its bits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np

from verifier.arithmetic.arrays import States as Codes
from verifier.arithmetic.arrays import Truths
from verifier.engines.program import Addend, Program, RunningSum
from verifier.engines.search import Columns, States, Step, length
from verifier.networks.indices import Bit
from verifier.networks.problems import Part

EQUAL, LESS, GREATER, EVERY = "equal", "less", "greater", "every"
"""The order of y and z on the bits read so far, which an ``every`` state does not record."""
HELD, TOTAL, ONES = "bits", "total", "ones of "
"""Columns besides those of the sums. They have the bits that are held, as one number, the numerator so far, and the number of ones of a
string.
"""


@dataclass(frozen=True)
class Asked:
    """The facts about the strings on which the right answer and the promise depend.

    compared: the first and last position at which y is compared with z, or None without a comparison. ordered: whether y ≤ z is promised.
    every: also run pairs that are not compared.
    counted: strings whose ones are counted; bits: those needed at the end; parts: conditions on the bits of one string.
    """

    compared: tuple[int, int] | None = None
    ordered: bool = False
    every: bool = False
    counted: frozenset[str] = frozenset()
    bits: frozenset[Bit] = frozenset()
    parts: tuple[Part, ...] = ()


@dataclass
class _Position:
    """The updates when a bit is known. held: the bits held afterwards, in the order of their digits; and for states that still compare."""

    bit: Bit
    adds: list[tuple[str, Addend]] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    pair: int | None = None
    held: tuple[Bit, ...] = ()
    comparing: tuple[Bit, ...] = ()


class _Values:
    """The bits that some states hold, and the bit being read; a bit is extracted from the holding number on request."""

    def __init__(self, held: Sequence[Bit], packed: Codes | None, read: Bit, symbol: int) -> None:
        self.places = {bit: len(held) - 1 - k for k, bit in enumerate(held)}
        self.packed, self.known = packed, {read: symbol}

    def __getitem__(self, bit: Bit) -> Codes | int:
        if bit in self.known:
            return self.known[bit]
        assert self.packed is not None
        return self.packed >> self.places[bit] & 1


class TableStates(States):
    """The states of some sums of a program.

    order: the bits in the order in which they are read. sums: by default all, with their columns in the numerator.
    fixed: bits with one value. kinds: the kinds of states to follow.
    """

    def __init__(
        self,
        program: Program,
        order: Sequence[Bit],
        asked: Asked,
        sums: Sequence[RunningSum] | None = None,
        fixed: Mapping[Bit, int] | None = None,
        kinds: Collection[str] = (EQUAL, LESS, GREATER, EVERY),
    ) -> None:
        self.program, self.asked, self.order, self.kinds = program, asked, tuple(order), kinds
        self.sums = tuple(program.sums.values()) if sums is None else tuple(sums)
        one_numerator = program.execution.semantics.order == "ax" and program.execution.instance.outputs == 1
        self.folded = program.numerator_sums if sums is None and one_numerator else ()
        self.symbols = [(0, 1) if fixed is None or bit not in fixed else (fixed[bit],) for bit in self.order]

    @cached_property
    def positions(self) -> list[_Position]:
        """The updates before any bit is read, and at each position."""
        found = [_Position(bit) for bit in (Bit("", 0), *self.order)]
        place = {bit: k for k, bit in enumerate(self.order, 1)}
        until, compared = dict.fromkeys(self.asked.bits, len(found)), dict[Bit, int]()
        complete = 0
        for total in self.sums:
            at = 0
            for addend in total.addends:
                at = max([at, *(place[bit] for bit in addend.reads)])
                found[at].adds.append((total.name, addend))
                until |= {bit: max(until.get(bit, 0), at) for bit in addend.reads}
            if total.name in self.folded:
                complete = max(complete, at)
                found[complete].columns.append(total.name)
        for part in self.asked.parts:
            at = max(place[bit] for bit in _bits(part))
            found[at].parts.append(part)
            until |= {bit: max(until.get(bit, 0), at) for bit in _bits(part)}
        for k in range(self.asked.compared[0], self.asked.compared[1] + 1) if self.asked.compared else ():
            pair = Bit("y", k), Bit("z", k)
            at = max(place[bit] for bit in pair)
            found[at].pair = k
            compared |= dict.fromkeys(pair, at)
        for at, (before, here) in enumerate(pairwise(found), 1):
            here.held = tuple(b for b in (*before.held, here.bit) if until.get(b, 0) > at)
            here.comparing = tuple(b for b in (*before.comparing, here.bit) if max(until.get(b, 0), compared.get(b, 0)) > at)
        return found

    @cached_property
    def pairs(self) -> list[int]:
        """The positions that are compared, in the order in which both their bits are known."""
        return [each.pair for each in self.positions if each.pair is not None]

    @property
    def comparable(self) -> bool:
        """Whether positions are compared one after another, from the first or from the last."""
        return self.pairs in (sorted(self.pairs), sorted(self.pairs, reverse=True))

    @cached_property
    def descending(self) -> bool:
        """Whether the last positions are compared first, so that each position overrules the earlier ones."""
        return len(self.pairs) > 1 and self.pairs[0] > self.pairs[-1]

    def held(self, position: int, kind: str) -> tuple[Bit, ...]:
        """The bits that states of a kind hold after this many positions."""
        comparing = kind == EQUAL or (self.descending and kind != EVERY)
        return self.positions[position].comparing if comparing else self.positions[position].held

    @property
    def width(self) -> int:
        """The largest number of bits held at once, with the sums that have begun and are not complete."""
        begun, most = set[str](), 0
        for here in self.positions[1:]:
            begun = (begun | {name for name, _ in here.adds}) - {*here.columns}
            most = max(most, len(here.comparing) + len(begun))
        return most

    def start(self) -> dict[str, Columns]:
        names = [*(s.name for s in self.sums), *([TOTAL] if self.folded else []), *(ONES + string for string in sorted(self.asked.counted))]
        columns: dict[str, Codes] = {name: np.zeros(1, np.int64) for name in names}
        first = self.positions[0]
        columns = self._added(first, columns, _Values((), None, first.bit, 0))
        kinds = [EQUAL] if self.asked.compared else [EVERY]
        return {kind: columns for kind in (*kinds, *([EVERY] if self.asked.every else [])) if kind in self.kinds}

    def step(self, position: int, kind: str, symbol: int, columns: Columns) -> Iterator[Step]:
        here = self.positions[position + 1]
        values = _Values(self.held(position, kind), columns.get(HELD), here.bit, symbol)
        for to, kept in self._compared(here, kind, values):
            if to not in self.kinds:
                continue
            for part in here.parts:
                kept = kept & _holds(part, values)
            if np.ndim(kept) == 0:
                if kept:
                    yield to, None, self._after(position, kind, to, symbol, columns)
                continue
            source = np.flatnonzero(kept)
            if len(source):
                chosen = {name: x[source] for name, x in columns.items()}
                yield to, source, self._after(position, kind, to, symbol, chosen)

    def _compared(self, here: _Position, kind: str, values: _Values) -> Iterator[tuple[str, Truths]]:
        """The kinds that states reach, and the states that reach each."""
        every = np.ones((), bool)
        if here.pair is None or kind == EVERY or (kind != EQUAL and not self.descending):
            yield kind, every
            return
        y, z = np.asarray(values[Bit("y", here.pair)]), np.asarray(values[Bit("z", here.pair)])
        decided = self.asked.ordered and here.pair == self.pairs[-1] if self.descending else self.asked.ordered
        if not (decided and kind == GREATER):
            yield kind, y == z
        yield LESS, y < z
        if not decided:
            yield GREATER, y > z

    def _after(self, position: int, kind: str, to: str, symbol: int, columns: Columns) -> Columns:
        here, before, after = self.positions[position + 1], self.held(position, kind), self.held(position + 1, to)
        packed = columns.get(HELD)
        made = {name: x for name, x in columns.items() if name != HELD}
        made = self._added(here, made, _Values(before, packed, here.bit, symbol))
        counted = ONES + here.bit.string
        if symbol and counted in made:
            made[counted] = made[counted] + 1
        if after:
            size = length(columns)
            made[HELD] = _repacked((*before, here.bit), symbol if packed is None else packed << 1 | symbol, after, size)
        return made

    def _added(self, here: _Position, columns: dict[str, Codes], values: _Values) -> dict[str, Codes]:
        """The columns after the tokens' terms are added, with complete columns of A X moved into the numerator."""
        for name, addend in here.adds:
            left = addend.given(values.known)
            if left.table.any():
                columns[name] = self.program.lattice.add(columns[name], left.at(values))
        for name in here.columns:
            columns[TOTAL] = self.program.lattice.add(columns[TOTAL], self.program.weighted(name, columns.pop(name)))
        return columns


def _bits(part: Part) -> set[Bit]:
    return {Bit(part.string, k) for k in range(part.first, part.last + 1)}


def _holds(part: Part, values: _Values) -> Truths:
    content: Codes = np.zeros((), np.int64)
    for k in range(part.first, part.last + 1):
        content = 2 * content + values[Bit(part.string, k)]
    return np.asarray(part.contents()[content])


def _repacked(bits: Sequence[Bit], packed: Codes | int, kept: Sequence[Bit], size: int) -> Codes:
    """Extract some digits of a number in their order. Neighbouring digits are moved together."""
    found: Codes | int = 0
    places = [len(bits) - 1 - bits.index(b) for b in kept]
    k = 0
    while k < len(places):
        end = k + 1
        while end < len(places) and places[end] == places[end - 1] - 1:
            end += 1
        found = found << (end - k) | (packed >> places[end - 1]) & ((1 << end - k) - 1)
        k = end
    return np.broadcast_to(np.asarray(found, np.int64), (size,))
