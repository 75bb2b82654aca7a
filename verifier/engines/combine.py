"""Two blocks of positions whose sums share a few input bits: for each setting of these, enumerate each block, count outcomes by value, and
decide each combination once.

With y = (y′, y″) and z = (z′, z″), y ≤ z is y′ < z′, or y′ = z′ and y″ ≤ z″; and y = z is y′ = z′ and y″ = z″.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
import numpy.typing as npt

from verifier.arithmetic.arrays import States, Truths
from verifier.engines.failure_counts import Census
from verifier.engines.position_blocks import Block
from verifier.engines.program import Criterion, Faults, Program, RunningSum
from verifier.engines.search import Columns, Rows, locate, merge
from verifier.engines.sum_values import by_position
from verifier.networks.indices import Bit

MOST_SHARED = 6

Setting = Mapping[Bit, int]


@dataclass(frozen=True)
class Sharing:
    """A prefix and the suffix behind it, and the bits of one block on which a sum of the other depends."""

    high: Block
    low: Block
    shared: tuple[Bit, ...]

    @property
    def work(self) -> int:
        """How many states the two blocks have together, over all settings."""
        return int(4**self.high.width + 4**self.low.width) << len(self.shared)

    def settings(self) -> Iterator[Setting]:
        """Every assignment of the shared bits."""
        for values in product((0, 1), repeat=len(self.shared)):
            yield dict(zip(self.shared, values, strict=True))


def share(program: Program) -> Sharing | None:
    """The cheapest cut with at most six shared bits; None where none is cheaper than all positions together."""
    length = program.execution.instance.m
    found = [s for cut in range(1, length) if (s := _at(program, cut)) is not None]
    best = min(found, key=lambda s: s.work, default=None)
    return best if best is not None and best.work < 4**length else None


def _at(program: Program, cut: int) -> Sharing | None:
    length, conditions = program.execution.instance.m, program.execution.instance.problem.conditions.parts
    if not all(p.last <= cut or p.first > cut for p in conditions):
        return None
    high: list[RunningSum] = []
    low: list[RunningSum] = []
    shared: set[Bit] = set()
    for total in program.sums.values():
        before = {b for b in total.bits if b.index <= cut}
        behind = total.bits - before
        (high if len(before) >= len(behind) else low).append(total)
        shared |= behind if len(before) >= len(behind) else before
    if len(shared) > MOST_SHARED:
        return None
    return Sharing(Block(1, cut, tuple(high)), Block(cut + 1, length, tuple(low)), tuple(sorted(shared)))


Counts = npt.NDArray[np.object_]
ROWS_AT_ONCE = 1 << 20
PIECE_BITS = 18


class Outcomes:
    """A block's outcomes: the distinct values of its sums, the class of every pair, and how often each class is <, = and >.

    ``sides`` are the contents of the block in y and in z that keep the promise's conditions; only their pairs are counted.
    """

    def __init__(self, program: Program, block: Block, setting: Setting) -> None:
        self.program, self.block, self.size = program, block, 1 << block.width
        self._outside = {b: v for b, v in setting.items() if not block.first <= b.index <= block.last}
        inside = {b: v for b, v in setting.items() if b not in self._outside}
        problem = program.execution.instance.problem
        self.sides = [problem.admitted_block(string, block.first, block.last) & _agrees(string, block, inside) for string in "yz"]
        z = np.arange(self.size)
        found: Rows | None = None
        for y, values in self._pieces():
            admitted = self.sides[0][y, None] & self.sides[1]
            kinds = np.stack([admitted & (y[:, None] < z), admitted & (y[:, None] == z), admitted & (y[:, None] > z)], axis=-1)
            here, _ = merge(Rows(values, kinds.reshape(-1, 3).astype(np.int64)), placed=False)
            found = here if found is None else merge(found.beside(here), placed=False)[0]
        assert found is not None
        self.values = found.columns
        self.less, self.equal, self.greater = found.count.T

    def _pieces(self) -> Iterator[tuple[States, Columns]]:
        """Some y, ascending, and the values of the sums for each of them with every z."""
        prefix = min(self.block.width, max(0, 2 * self.block.width - PIECE_BITS))
        rest = self.block.width - prefix
        for value in range(1 << prefix):
            fixed = {Bit("y", self.block.first + k): value >> (prefix - 1 - k) & 1 for k in range(prefix)}
            sums = {s.name: self._sum(s, fixed, (1 << rest, self.size)) for s in self.block.sums}
            yield np.arange(value << rest, value + 1 << rest, dtype=np.int64), sums

    def _sum(self, total: RunningSum, fixed: Setting, shape: tuple[int, int]) -> States:
        states = by_position(self.program.lattice, total, self.block.first, self.block.last, {**self._outside, **fixed})
        return np.broadcast_to(states, shape).reshape(-1)

    @cached_property
    def classes(self) -> npt.NDArray[np.int32]:
        """The class of each y (rows) with each z (columns)."""
        found = np.empty((self.size, self.size), dtype=np.int32)
        for y, values in self._pieces():
            found[y] = locate(self.values, values).reshape(len(y), self.size) if values else 0
        return found

    @cached_property
    def admitted(self) -> npt.NDArray[np.bool_]:
        return self.sides[0][:, None] & self.sides[1][None, :]


def _agrees(string: str, block: Block, setting: Setting) -> Truths:
    """Which contents of the block's positions have the bits of the setting."""
    values: States = np.arange(1 << block.width, dtype=np.int64)
    kept: Truths = np.ones(len(values), dtype=np.bool_)
    for bit, value in setting.items():
        if bit.string == string:
            kept &= (values >> (block.last - bit.index) & 1) == value
    return kept


def combine(program: Program, split: Sharing, advance: Callable[[int, int], None], criterion: Criterion = Program.faults) -> Census:
    """The census over all promised y ≤ z for EQ, setting by setting of the shared bits."""
    settings = list(split.settings())
    cases = failures = nans = yes = missed = 0
    smallest: tuple[int, int] | None = None
    for number, setting in enumerate(settings):
        advance(number, len(settings))
        first, second = (Outcomes(program, block, setting) for block in (split.high, split.low))
        faults = _faults(program, first, second, criterion)
        less, equal = first.less.astype(object), first.equal.astype(object)
        every = (second.less + second.equal + second.greater).astype(object)
        wrong = _weighted(faults.on_no, less, every) + _weighted(faults.on_no, equal, second.less.astype(object))
        wrong_on_yes = _weighted(faults.on_yes, equal, second.equal.astype(object))
        wrong, missed, yes = wrong + wrong_on_yes, missed + wrong_on_yes, yes + int(equal.sum()) * int(second.equal.sum())
        nans += _weighted(faults.invalid, less, every) + _weighted(faults.invalid, equal, (second.less + second.equal).astype(object))
        cases += int(less.sum()) * int(every.sum()) + int(equal.sum()) * int((second.less + second.equal).sum())
        failures += wrong
        if wrong:
            pair = _smallest(first, second, faults.on_no, faults.on_yes)
            smallest = pair if smallest is None else min(smallest, pair)
    advance(len(settings), len(settings))
    bits = ", ".join(str(b) for b in split.shared)
    blocks = f"({split.high}; {split.low})"
    how = f"two blocks {blocks} for each setting of {bits}" if bits else f"two independent blocks {blocks}"
    return Census(cases, failures, nans, smallest, "enumeration", how, yes, missed)


def _faults(program: Program, first: Outcomes, second: Outcomes, criterion: Criterion) -> Faults:
    """The criterion on every combination of a class of the first block (rows) with one of the second (columns)."""
    rows, columns = len(first.less), len(second.less)
    step = max(1, ROWS_AT_ONCE // columns)
    parts = []
    for start in range(0, rows, step):
        sums = {name: v[start : start + step, None] for name, v in first.values.items()}
        sums |= {name: v[None, :] for name, v in second.values.items()}
        shape = (min(step, rows - start), columns)
        faults = criterion(program, *program.attentions(sums))
        parts.append([np.broadcast_to(each, shape) for each in (faults.on_no, faults.on_yes, faults.invalid)])
    return Faults(*(np.concatenate(each) for each in zip(*parts, strict=True)))


def _weighted(mask: npt.NDArray[np.bool_], rows: Counts, columns: Counts) -> int:
    """Σ rows[a]·columns[b] over the true entries of ``mask``, in exact integers."""
    used = np.flatnonzero(rows)
    return sum(int(rows[a]) * int(columns[mask[a]].sum()) for a in used if mask[a].any())


def _smallest(first: Outcomes, second: Outcomes, wrong_no: npt.NDArray[np.bool_], wrong_yes: npt.NDArray[np.bool_]) -> tuple[int, int]:
    """The first failing pair: y′, y″, z′, z″ in this order of importance."""
    size, rest = len(first.classes), len(second.classes)
    any_second = np.zeros((rest, wrong_no.shape[1]), dtype=bool)
    rows, columns = np.nonzero(second.admitted)
    any_second[rows, second.classes[rows, columns]] = True
    fails_somewhere = wrong_no.max(axis=1)
    for y1 in range(size):
        greater_z = [int(z) for z in range(y1 + 1, size) if first.admitted[y1, z] and fails_somewhere[first.classes[y1, z]]]
        reachable = np.zeros(wrong_no.shape[1], dtype=bool)
        reachable[np.flatnonzero(wrong_no[first.classes[y1, greater_z]].max(axis=0, initial=False))] = True
        same = first.classes[y1, y1]
        for y2 in range(rest):
            equal_z = _equal_failure(second, wrong_no[same], wrong_yes[same], y2) if first.admitted[y1, y1] else None
            if equal_z is not None:
                return (y1 * rest + y2, y1 * rest + equal_z)
            if (any_second[y2] & reachable).any():
                return (y1 * rest + y2, _greater_failure(first, second, wrong_no, y1, y2, greater_z, rest))
    raise AssertionError("failures were counted, none was found")


def _equal_failure(second: Outcomes, wrong_no: npt.NDArray[np.bool_], wrong_yes: npt.NDArray[np.bool_], y2: int) -> int | None:
    """The least z″ ≥ y″ that fails while the first blocks are equal."""
    row = second.classes[y2]
    fails = wrong_no[row]
    fails[y2] = wrong_yes[row[y2]]
    fails[:y2] = False
    fails &= second.admitted[y2]
    return int(fails.argmax()) if fails.any() else None


def _greater_failure(
    first: Outcomes, second: Outcomes, wrong_no: npt.NDArray[np.bool_], y1: int, y2: int, greater_z: list[int], rest: int
) -> int:
    """The least z with z′ > y′ that fails, at y″."""
    for z1 in greater_z:
        fails = wrong_no[first.classes[y1, z1]][second.classes[y2]] & second.admitted[y2]
        if fails.any():
            return z1 * rest + int(fails.argmax())
    raise AssertionError("a failing combination was found, no pair shows it")
