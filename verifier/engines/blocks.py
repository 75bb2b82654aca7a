"""Two blocks of positions: each is run to its end by states, then each outcome of one is combined with each outcome of the other once.

Nothing is assumed: a sum depends on a bit exactly when some token's addend differs for its two values
(:func:`verifier.engines.program._essential`). The blocks are a prefix and a suffix of the positions, since the promise compares strings
lexicographically: with y = (y′, y″) and z = (z′, z″), y ≤ z is y′ < z′, or y′ = z′ and y″ ≤ z″; and y = z is y′ = z′ and y″ = z″. If the
sums of one block read a few bits of the other, states hold these bits to the end, and each setting of them is decided separately.

**Spans.** Rounded division is monotone: for one numerator, the quotient falls or rises along the denominators of one sign. So the
denominators that bring the quotient into a run of equal answers are neighbours, and two binary searches find them; each probe is the
machine's own division. Along the numerators these places move in one direction, so every sixteenth search bounds those between.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from itertools import product
from typing import Literal

import numpy as np
import numpy.typing as npt

from verifier.arithmetic.arrays import NOT_A_NUMBER, ArrayMachine, Interned, States, Truths
from verifier.arithmetic.machine import Machine
from verifier.engines.answer_runs import Run, answer_runs
from verifier.engines.failure_counts import Census
from verifier.engines.program import DENOMINATOR, EITHER, INVALID, NEITHER, YES, Criterion, Faults, Program, RunningSum, axes
from verifier.engines.search import Budget, Indices, NotApplicableError, Rows, locate, merge, search
from verifier.engines.table_states import EQUAL, EVERY, HELD, LESS, Asked, TableStates
from verifier.language.array_values import Strings
from verifier.networks.indices import Bit
from verifier.networks.problems import Part, all_hold
from verifier.running.errors import LimitError

METHOD = "reachable-sets"
MOST_SHARED = 6
MOST_SUMS = 12
WIDEST_BLOCK = 28
WIDEST_STAGE = 8
Setting = Mapping[Bit, int]
_NONE = np.zeros(0, np.int64)


@dataclass(frozen=True)
class Block:
    """Positions first … last of both strings (1-based, inclusive), and the sums that belong to them.

    shared: the bits that states hold to the end, of this block or another; parts: the promise's conditions on bits of the block.
    """

    first: int
    last: int
    sums: tuple[RunningSum, ...]
    shared: tuple[Bit, ...] = ()
    parts: tuple[Part, ...] = ()

    @property
    def width(self) -> int:
        return self.last - self.first + 1

    @property
    def outside(self) -> tuple[Bit, ...]:
        """The shared bits of another block."""
        return tuple(bit for bit in self.shared if not self.first <= bit.index <= self.last)

    def settings(self) -> Iterator[Setting]:
        """Every assignment of the shared bits."""
        for values in product((0, 1), repeat=len(self.shared)):
            yield dict(zip(self.shared, values, strict=True))

    def states(self, program: Program, kinds: Collection[str], fixed: Setting | None = None) -> TableStates:
        """The states of its sums: shared bits outside the block are read first, then its bits of y, then those of z.

        kinds: the kinds to follow; fixed: bits with one value, so that no shared bits are held.
        """
        order = [*self.outside, *(Bit(string, k) for string in "yz" for k in range(self.first, self.last + 1))]
        held = frozenset(self.shared if fixed is None else ())
        asked = Asked((self.first, self.last), ordered=True, every=EVERY in kinds, bits=held, parts=self.parts)
        return TableStates(program, order, asked, self.sums, fixed, kinds)

    def sides(self, program: Program, budget: Budget, with_every: bool) -> list[Side]:
        """The block run to its end: a side for each of its settings. with_every: also run the pairs after a y′ < z′.

        Raises:
            NotApplicableError: z is not read in ascending order.
            LimitError: too many positions for exact counts in 64 bits, or more states than the budget has left.
        """
        if self.width > WIDEST_BLOCK:
            raise LimitError(f"the search takes {self.width} positions together; the limit is {WIDEST_BLOCK}", "a smaller precision")
        kinds = (LESS, EQUAL, EVERY) if with_every else (LESS, EQUAL)
        states = self.states(program, kinds)
        together = max(sum(bit.string == "z" for bit in here.held) for here in states.positions)
        if together >= WIDEST_STAGE:
            raise NotApplicableError(f"z is not read in ascending order; at most {WIDEST_STAGE} positions are taken together")
        numbers, values, count = [_NONE], [[_NONE] for _ in self.sums], [np.zeros((0, 3), np.int64)]
        for kind, rows in search(states, budget).ends.items():
            numbers.append(_number_of_setting(rows, states.held(len(states.order), kind), self.shared))
            count.append(np.outer(rows.count, [kind == each for each in (LESS, EQUAL, EVERY)]))
            for total, parts in zip(self.sums, values, strict=True):
                parts.append(rows.columns[total.name])
        found = []
        for number, setting in enumerate(self.settings()):
            mine = np.concatenate(numbers) == number
            columns = {s.name: np.concatenate(parts)[mine] for s, parts in zip(self.sums, values, strict=True)}
            found.append(Side(program, self, setting, merge(Rows(columns, np.concatenate(count)[mine]), placed=False)[0]))
        return found


@dataclass(frozen=True)
class Cut:
    """A prefix and the suffix behind it; they share the bits of one on which sums of the other depend."""

    high: Block
    low: Block

    @property
    def shared(self) -> tuple[Bit, ...]:
        return self.high.shared

    @property
    def work(self) -> int:
        """The number of states of the two blocks together, over all settings."""
        return int(4**self.high.width + 4**self.low.width) << len(self.shared)


def share(program: Program) -> Cut | None:
    """The cheapest cut, one without shared bits if possible, else one with at most six, or None if no cut is cheaper than running all
    positions together."""
    length = program.execution.instance.m
    found = [s for cut in range(1, length) if (s := _at(program, cut)) is not None]
    best = min(found, key=lambda s: (bool(s.shared), s.work), default=None)
    return best if best is not None and best.work < 4**length else None


def _at(program: Program, cut: int) -> Cut | None:
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
    bits, parts = tuple(sorted(shared)), [tuple(p for p in conditions if (p.last <= cut) == early) for early in (True, False)]
    return Cut(Block(1, cut, tuple(high), bits, parts[0]), Block(cut + 1, length, tuple(low), bits, parts[1]))


def _number_of_setting(rows: Rows, held: Sequence[Bit], shared: Sequence[Bit]) -> States:
    """The number of the setting of each state."""
    number = np.zeros(len(rows), np.int64)
    for bit in shared:
        number = 2 * number + (rows.columns[HELD] >> (len(held) - 1 - held.index(bit)) & 1)
    return number


@dataclass(frozen=True)
class Side:
    """A block run to its end, for one setting of the shared bits: its outcomes, with the number of strings of each kind (<, =, any)."""

    program: Program
    block: Block
    setting: Setting
    outcomes: Rows

    @property
    def size(self) -> int:
        """The number of strings of the block."""
        return 1 << self.block.width

    @property
    def table(self) -> States:
        """The outcomes, a row each, a column for each sum."""
        columns = [self.outcomes.columns[total.name] for total in self.block.sums]
        return np.stack(columns, axis=1) if columns else np.zeros((len(self.outcomes), 0), np.int64)

    @property
    def less(self) -> States:
        return np.asarray(self.outcomes.count[:, 0])

    @property
    def equal(self) -> States:
        return np.asarray(self.outcomes.count[:, 1])

    @property
    def every(self) -> States:
        return np.asarray(self.outcomes.count[:, 2])

    def of_y(self, y: int) -> Indices:
        """The outcome for one y and each z; −1 if z is not promised, or lacks the setting's bits."""
        positions = range(self.block.first, self.block.last + 1)
        bits = {Bit("y", k): np.asarray(y >> (self.block.last - k) & 1) for k in positions} | axes([Bit("z", k) for k in positions])
        bits |= {bit: np.asarray(self.setting[bit]) for bit in self.block.outside}
        rows = {total.name: self.program.sum_at(total, bits) for total in self.block.sums}
        full = (2,) * self.block.width
        found = locate(self.outcomes.columns, {name: np.broadcast_to(x, full).reshape(-1) for name, x in rows.items()})
        return np.where(self._admitted, found, -1)

    @cached_property
    def _admitted(self) -> Truths:
        """The z that are promised and have the setting's bits."""
        values: States = np.arange(self.size, dtype=np.int64)
        strings = Strings(Strings.every(self.block.width).numbers, self.block.last)
        admitted = all_hold([part for part in self.block.parts if part.string == "z"], strings)
        for bit, value in self.setting.items():
            if bit.string == "z" and bit not in self.block.outside:
                admitted &= (values >> (self.block.last - bit.index) & 1) == value
        return admitted

    def weights(self, outcomes: Indices) -> States:
        """The number of times that each outcome is listed."""
        return np.bincount(outcomes[outcomes >= 0], minlength=len(self.outcomes))

    def earliest(self, failing: Mapping[str, Truths]) -> int:
        """The smallest y that reaches a failing outcome of a kind. failing: for each kind, the failing outcomes; some exist.

        Failures with z = y are found first, because these pairs are few; the others are sought among smaller y.
        """
        alone = self._earliest({EQUAL: failing[EQUAL]}, {})
        count = {LESS: self.less, EVERY: self.every}
        others = [kind for kind, fails in failing.items() if kind != EQUAL and (fails & (count[kind] > 0)).any()]
        found = None
        if alone != 0 and others:
            zeros = 0 if alone is None else self.block.width - (alone - 1).bit_length()
            fixed = {Bit("y", k): 0 for k in range(self.block.first, self.block.first + zeros)}
            found = self._earliest({kind: failing[kind] for kind in (EQUAL, *others)}, fixed)
        return min(y for y in (alone, found) if y is not None)

    def _earliest(self, failing: Mapping[str, Truths], fixed: Setting) -> int | None:
        reached = search(self.block.states(self.program, failing, {**fixed, **self.setting}), keep=True)
        ends = {kind: failing[kind][locate(self.outcomes.columns, rows.columns)] for kind, rows in reached.ends.items()}
        outside = len(self.block.outside)
        bits = reached.smallest(ends, outside + self.block.width)
        return None if bits is None else int("0" + "".join(map(str, bits[outside:])), 2)


_BlockKey = tuple[Machine, int, int, tuple[tuple[tuple[tuple[Bit, ...], tuple[int, ...], bytes], ...], ...], tuple[object, ...]]
_KEPT: dict[_BlockKey, tuple[int, list[Side]]] = {}
"""Blocks run last, with the states that each took: several claims ask about the outputs of one table, and a table with its errata, or
under another order of evaluation, often has a block in common with the table as printed."""
MOST_KEPT = 4


def kept_sides(program: Program, block: Block, budget: Budget, with_every: bool) -> list[Side]:
    """A block run to its end, or taken from the most recent runs; errors as of :meth:`Block.sides`."""
    key = _key(program, block, with_every)
    if key in _KEPT:
        spent, made = _KEPT[key] = _KEPT.pop(key)  # the one used last goes last
        budget.spend(spent)
        return made
    before = budget.spent
    made = block.sides(program, budget, with_every)
    while len(_KEPT) >= MOST_KEPT:
        del _KEPT[next(iter(_KEPT))]
    _KEPT[key] = budget.spent - before, made
    return made


def _key(program: Program, block: Block, with_every: bool) -> _BlockKey:
    """All data on which a block's outcomes depend: the machine, the positions, and each token's terms; not the sums' names."""
    sums = tuple(tuple((a.reads, a.table.shape, a.table.tobytes()) for a in total.addends) for total in block.sums)
    return program.lattice.machine, block.first, block.last, sums, (block.shared, block.parts, with_every)


Fault = Literal["on_no", "on_yes", "invalid"]
"""One of :class:`~verifier.engines.program.Faults`."""
Counted = Callable[[Fault, int, States], States]
"""The outcomes of two blocks against each other: for each outcome of block 0 or 1, the weights of those of the other with a fault."""
AT_ONCE = 1 << 20


class OneByOne:
    """A criterion decides every combination of outcomes of a program's blocks."""

    def __init__(self, program: Program, cut: Cut, first: Side, second: Side, criterion: Criterion) -> None:
        rows, columns = len(first.outcomes), len(second.outcomes)
        step, parts = max(1, AT_ONCE // columns), []
        for start in range(0, rows, step):
            sums = {s.name: x[start : start + step, None] for s, x in zip(cut.high.sums, first.table.T, strict=True)}
            sums |= {s.name: x[None, :] for s, x in zip(cut.low.sums, second.table.T, strict=True)}
            faults = criterion(program, *program.attentions(sums))
            shape = (min(step, rows - start), columns)
            parts.append([np.broadcast_to(each, shape) for each in (faults.on_no, faults.on_yes, faults.invalid)])
        self.faults = Faults(*(np.concatenate(each) for each in zip(*parts, strict=True)))

    def __call__(self, fault: Fault, of: int, weights: States) -> States:
        wrong: Truths = getattr(self.faults, fault)
        if of == 0:
            step = max(1, AT_ONCE // len(weights))
            return np.concatenate([wrong[k : k + step] @ weights for k in range(0, len(wrong), step)])
        total = np.zeros(wrong.shape[1], np.int64)
        for row in np.flatnonzero(weights).tolist():
            total[wrong[row]] += weights[row]
        return total


def of_two_blocks(
    program: Program,
    limit: int,
    advance: Callable[[int, int], None] = lambda done, total: None,
    criterion: Criterion | None = None,
    runs: tuple[Run, ...] | None = None,
    smallest: bool = True,
) -> Census:
    """The census of every promised pair of EQ for y ≤ z, from two blocks of positions.

    Args:
        limit: the largest number of states to visit.
        criterion: the test for a failure, asked for each combination of outcomes; None: a wrong answer of the transformer.
        runs: the same test as runs of outputs, which avoids asking for each combination.
        smallest: whether to look for the smallest failure, which takes longer than to count them.

    Raises:
        NotApplicableError: another function or promise, no two blocks, or one of more than twelve sums.
        LimitError: more work than ``limit``.
    """
    problem = program.execution.instance.problem
    if problem.function != "EQ" or not problem.conditions.ordered:
        raise NotApplicableError(f"two blocks decide EQ under y <= z, not {problem.function} under {problem.promise}")
    if isinstance(program.lattice, Interned):
        raise NotApplicableError("64 bits do not hold the format")
    cut, budget = share(program), Budget(limit)
    if cut is None:
        raise NotApplicableError("the positions do not fall into two blocks")
    if max(len(block.sums) for block in (cut.high, cut.low)) > MOST_SUMS:
        raise NotApplicableError(f"a block has more than {MOST_SUMS} sums, and no two of them can be merged")
    sides = [kept_sides(program, block, budget, with_every=block is cut.low) for block in (cut.high, cut.low)]

    def crossed(first: Side, second: Side) -> Counted:
        if runs is not None or criterion is None:
            with suppress(NotApplicableError):
                return Crossing(program, (cut.high, cut.low), (first.table, second.table), runs)
        budget.spend(len(first.outcomes) * len(second.outcomes))
        return OneByOne(program, cut, first, second, criterion or Program.faults)

    return replace(census(sides[0], sides[1], crossed, smallest, advance), work=budget.spent)


def census(
    firsts: Sequence[Side],
    seconds: Sequence[Side],
    crossed: Callable[[Side, Side], Counted],
    smallest: bool = True,
    advance: Callable[[int, int], None] = lambda done, total: None,
) -> Census:
    """The census over all promised y ≤ z for EQ, for each setting of the shared bits."""
    cases = failures = nans = yes = missed = 0
    found: tuple[int, int] | None = None
    for number, (first, second) in enumerate(zip(firsts, seconds, strict=True)):
        advance(number, len(firsts))
        if not (len(first.outcomes) and len(second.outcomes)):
            continue
        counted, up_to_equal = crossed(first, second), second.less + second.equal
        missed_here = exact_dot(first.equal, counted("on_yes", 0, second.equal))
        failed = exact_dot(first.less, counted("on_no", 0, second.every)) + exact_dot(first.equal, counted("on_no", 0, second.less))
        failed += missed_here
        nans += exact_dot(first.less, counted("invalid", 0, second.every)) + exact_dot(first.equal, counted("invalid", 0, up_to_equal))
        cases += int(first.less.sum()) * int(second.every.sum()) + int(first.equal.sum()) * int(up_to_equal.sum())
        failures, missed, yes = failures + failed, missed + missed_here, yes + int(first.equal.sum()) * int(second.equal.sum())
        if failed and smallest:
            pair = _smallest(first, second, counted)
            found = pair if found is None else min(found, pair)
    advance(len(firsts), len(firsts))
    return Census(cases, failures, nans, found, METHOD, yes, missed)


def _smallest(first: Side, second: Side, counted: Counted) -> tuple[int, int]:
    """The first failing pair: y′, y″, z′, z″ in this order of importance."""
    wrong_behind_less = counted("on_no", 0, second.every) > 0
    wrong_behind_equal = (counted("on_no", 0, second.less) > 0) | (counted("on_yes", 0, second.equal) > 0)
    y1 = first.earliest({EQUAL: wrong_behind_equal, LESS: wrong_behind_less})
    of_y1 = first.of_y(y1)
    here, greater = first.weights(of_y1[y1 : y1 + 1]), first.weights(of_y1[y1 + 1 :])
    wrong_if_equal, wrong_if_same = counted("on_no", 1, here) > 0, counted("on_yes", 1, here) > 0
    y2 = second.earliest({EQUAL: wrong_if_same, LESS: wrong_if_equal, EVERY: counted("on_no", 1, greater) > 0})
    of_y2 = second.of_y(y2)
    fails = wrong_if_equal[of_y2] & (of_y2 >= 0)
    fails[:y2] = False
    fails[y2] = of_y2[y2] >= 0 and wrong_if_same[of_y2[y2]]
    rest = second.size
    if fails.any():
        return y1 * rest + y2, y1 * rest + int(fails.argmax())
    fails_with_z1 = (counted("on_no", 0, second.weights(of_y2)) > 0)[of_y1] & (of_y1 >= 0)
    fails_with_z1[: y1 + 1] = False
    z1 = int(fails_with_z1.argmax())
    fails_with_z2 = (counted("on_no", 1, first.weights(of_y1[z1 : z1 + 1])) > 0)[of_y2] & (of_y2 >= 0)
    return y1 * rest + y2, z1 * rest + int(fails_with_z2.argmax())


DOT_AT_ONCE = 1 << 20


def exact_dot(a: npt.NDArray[np.int64], b: npt.NDArray[np.int64]) -> int:
    """Σ a·b in exact integers, for 0 ≤ a, b < 2^63: digits of 21 bits, whose products add up within 64 bits for 2^20 terms."""
    total = 0
    for start in range(0, len(a), DOT_AT_ONCE):
        digits = [[part[start : start + DOT_AT_ONCE] >> 21 * k & (1 << 21) - 1 for k in range(3)] for part in (a, b)]
        total += sum(int(x @ y) << 21 * (i + j) for i, x in enumerate(digits[0]) for j, y in enumerate(digits[1]))
    return total


STRIDE = 16
WRONG = (YES, NEITHER)
"""The answers that are wrong for y < z."""
RIGHT = (YES, EITHER)
"""The answers that are right for y = z."""


@dataclass(frozen=True)
class Span:
    """For row r, the denominators low[r] ≤ k < high[r] (in the order of ``columns``) get the answer ``answer``.

    rows: which rows; columns: the indices of the denominators, in the order that the span counts in.
    """

    answer: int
    rows: Indices
    columns: Indices
    low: Indices
    high: Indices


def spans(lattice: ArrayMachine, runs: Iterable[Run], numerators: States, denominators: States) -> list[Span]:
    """Every combination with another answer than NO, in exactly one span.

    Args:
        numerators: (a,) states; denominators: (b,) states, in any order.
    """
    distinct, which = np.unique(numerators, return_inverse=True)
    invalid = distinct == NOT_A_NUMBER
    found = []
    for columns in _classes(lattice, denominators):
        for part in (distinct < 0, (distinct >= 0) & ~invalid, invalid):
            if not part.any():
                continue
            first = cache(partial(_first, lattice, distinct[part], denominators[columns]))
            for run in runs:
                low, high = np.zeros((2, len(distinct)), dtype=np.intp)
                low[part], high[part] = _between(first, run, rising=bool(distinct[part][0] < 0))
                rows = np.flatnonzero((high > low)[which])
                if len(rows):
                    found.append(Span(run.answer, rows, columns, low[which[rows]], high[which[rows]]))
    return found


def _classes(lattice: ArrayMachine, denominators: States) -> list[Indices]:
    """Split the indices into classes: negative denominators, positive ones, and one class for zero and for each special value."""
    order = np.argsort(denominators, kind="stable")
    ordered = denominators[order]
    finite = lattice.finite(ordered)
    classes = [order[finite & (ordered < 0)], order[finite & (ordered > 0)]]
    alone = ordered[~finite | (ordered == 0)]
    classes += [order[ordered == value] for value in sorted(set(alone.tolist()))]
    return [c for c in classes if len(c)]


def _between(first: Callable[[int, bool], Indices], run: Run, rising: bool) -> tuple[Indices, Indices]:
    """The places along the denominators at which the quotient lies in the run: first, and one past the last."""
    ends = (run.first, run.last + 1) if rising else (run.last + 1, run.first)
    return first(ends[0], rising), first(ends[1], rising)


def _first(lattice: ArrayMachine, numerators: States, ordered: States, threshold: int, rising: bool) -> Indices:
    """For each numerator (ascending, of one sign) the first index where the quotient is ≥ threshold (rising) or < threshold (falling)."""
    low = np.zeros(len(numerators), dtype=np.intp)
    high = np.full(len(numerators), len(ordered), dtype=np.intp)
    if len(numerators) > STRIDE and len(ordered) > 1:
        known = np.append(np.arange(0, len(numerators), STRIDE), len(numerators) - 1)
        at = _first(lattice, numerators[known], ordered, threshold, rising)
        before = np.arange(len(numerators)) // STRIDE
        low, high = np.minimum(at[before], at[before + 1]), np.maximum(at[before], at[before + 1])
    searching = np.flatnonzero(low < high)
    while len(searching):
        middle = (low[searching] + high[searching]) // 2
        quotient = lattice.divide(numerators[searching], ordered[middle])
        passed: Truths = (quotient >= threshold) == rising
        high[searching] = np.where(passed, middle, high[searching])
        low[searching] = np.where(passed, low[searching], middle + 1)
        searching = searching[low[searching] < high[searching]]
    return low


def row_sums(span: Span, weights: States) -> States:
    """Return for each row of the span the sum of the weights of its denominators."""
    running = np.zeros(len(span.columns) + 1, dtype=np.int64)
    np.cumsum(weights[span.columns], out=running[1:])
    sums: States = running[span.high] - running[span.low]
    return sums


def column_sums(span: Span, weights: States) -> States:
    """Return for each of ``span.columns`` the sum of the weights of its rows. ``weights`` has an entry for every row."""
    edges = np.zeros(len(span.columns) + 1, dtype=np.int64)
    np.add.at(edges, span.low, weights[span.rows])
    np.add.at(edges, span.high, -weights[span.rows])
    sums: States = np.cumsum(edges)[:-1]
    return sums


MOST_GROUPS = 64


class Crossing:
    """The outcomes of two blocks combined: one block has the denominator, the other (part of) the numerator.

    Raises:
        NotApplicableError: one block holds every sum, no denominator exists, or the parts of the numerator in the denominator's block
            take more than 64 values.
    """

    def __init__(
        self, program: Program, blocks: tuple[Block, Block], outcomes: tuple[States, States], runs: tuple[Run, ...] | None = None
    ) -> None:
        """``runs``: the answers to outputs; by default the transformer's own."""
        self.program = program
        self._given = runs
        self.sizes = (len(outcomes[0]), len(outcomes[1]))
        names = [[s.name for s in block.sums] for block in blocks]
        if not all(names):
            raise NotApplicableError("one of the two blocks holds every sum")
        if DENOMINATOR not in program.sums:
            raise NotApplicableError("linear attention has no denominator")
        self.over = int(DENOMINATOR in names[0])
        """The number of the block, 0 or 1, that is the numerator."""
        self.spans = self._spans(names, outcomes)

    def _spans(self, names: Sequence[list[str]], outcomes: tuple[States, States]) -> list[Span]:
        top, bottom = outcomes[self.over], outcomes[1 - self.over]
        top_names, bottom_names = names[self.over], names[1 - self.over]
        beside = self._parts(bottom_names, bottom)
        groups, group_of = merge(Rows(beside, np.zeros(len(bottom), np.int64)))
        if len(groups) > MOST_GROUPS:
            raise NotApplicableError(f"the parts of the numerator that go with the denominator take {len(groups)} values")
        denominators = bottom[:, bottom_names.index(DENOMINATOR)]
        above = self._parts(top_names, top)
        found = []
        for group in range(len(groups)):
            fixed = {name: values[group] for name, values in groups.columns.items()}
            members = np.flatnonzero(group_of == group)
            numerators = np.broadcast_to(self.program.total({**above, **fixed}), (len(top),))
            for span in spans(self.program.lattice, self._runs, numerators, denominators[members]):
                found.append(Span(span.answer, span.rows, members[span.columns], span.low, span.high))
        return found

    @cached_property
    def _runs(self) -> tuple[Run, ...]:
        return answer_runs(self.program) if self._given is None else self._given

    def _parts(self, names: list[str], rows: States) -> dict[str, States]:
        """The terms of the numerator from the block's sums, by name."""
        return {n: self.program.weighted(n, rows[:, k]) for k, n in enumerate(names) if n != DENOMINATOR}

    def sums(self, of: int, answers: Collection[int], weights: States) -> States:
        """Add for each outcome of block ``of`` the weights of the other block's outcomes that give it one of the answers."""
        total = np.zeros(self.sizes[of], dtype=np.int64)
        for span in self.spans:
            if span.answer in answers and of == self.over:
                total[span.rows] += row_sums(span, weights)
            elif span.answer in answers:
                total[span.columns] += column_sums(span, weights)
        return total

    def __call__(self, fault: Fault, of: int, weights: States) -> States:
        if fault == "on_yes":
            return np.asarray(weights.sum() - self.sums(of, RIGHT, weights))
        return self.sums(of, WRONG if fault == "on_no" else (INVALID,), weights)
