"""Judge an intermediate claim of a proof: the value of a partial numerator or denominator, on every input that it covers.

A sum and its conditions read some bits of y and some of z; pairs that differ only in unread bits are one case. A step that reads one string
has as many classes as that string has contents, one that reads none has one, and only a step that reads all bits of both goes through all
pairs. Every class counts with its number of pairs; blocks of classes keep the memory bounded.

If a condition depends only on whether y < z, y = z or y > z, the pairs need not be formed: reachable sets count, for each of the three, how
often the sums have each value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce

import numpy as np

from verifier.arithmetic.arrays import INFINITE, NOT_A_NUMBER, ArrayMachine, Lattice, States, Truths
from verifier.arithmetic.numbers import INF, NAN, NEG_INF
from verifier.arithmetic.rationals import Fraction
from verifier.claims.model import Query, by_edition, declined
from verifier.claims.verdicts import Outcome, Scope
from verifier.engines.blocks import Block as PositionBlock
from verifier.engines.blocks import Side, kept_sides
from verifier.engines.program import DENOMINATOR, Program, RunningSum, axes
from verifier.engines.search import Budget, NotApplicableError
from verifier.engines.table_states import EQUAL, GREATER, LESS
from verifier.judges.evaluation import supplied
from verifier.judges.fields import PartialSum
from verifier.judges.strings import Condition, Contents, Halves, Names, decoded, positions
from verifier.judges.tables import well_formed
from verifier.judges.wording import contradicted, failing, held, located
from verifier.language.array_values import CODES, Quantity
from verifier.language.tree import Comparison, Node, Slice
from verifier.networks.indices import Bit
from verifier.networks.instance import Instance
from verifier.networks.instantiate import names_at
from verifier.running.errors import LimitError
from verifier.running.limits import Limits
from verifier.transformers.tables import Execution

BLOCK_BITS = 18
"""The number of bits whose classes are formed in one array."""
NONE = -2
"""A value below every bound, where no content of z fails."""


@dataclass(frozen=True)
class Classes:
    """The classes of one string. Contents in one class agree on the positions that are read."""

    halves: Halves
    reads: tuple[int, ...]

    @property
    def count(self) -> int:
        return 1 << len(self.reads)

    @cached_property
    def of_content(self) -> Contents:
        """The class of each content."""
        found = np.zeros(self.halves.size, dtype=np.int64)
        for position in self.reads:
            found = 2 * found + (np.arange(self.halves.size) >> self.halves.last - position & 1)
        return found

    @cached_property
    def members(self) -> Contents:
        """The contents of each class, a row for each, ascending; the first has 0 at every position that is not read."""
        return np.argsort(self.of_content, kind="stable").reshape(self.count, -1)


@dataclass(frozen=True)
class Block:
    """Some classes of y (``rows``, from ``start`` on) with all classes of z.

    pairs: the number of allowed pairs of each class; asked: whether the conditions cover it; wrong: whether they fail; states: the sum's
    value.
    """

    start: int
    pairs: Contents
    asked: Truths
    wrong: Truths
    states: States


@dataclass(frozen=True)
class PairClasses:
    """The subject of a search, with sums of a program by name, the formula for a value, and the condition on it if ``when`` holds."""

    halves: Halves
    program: Program
    names: tuple[str, ...]
    value: Callable[[Mapping[str, States]], States]
    says: Condition
    when: Condition | None

    @property
    def lattice(self) -> ArrayMachine:
        return self.program.lattice

    @property
    def sums(self) -> Mapping[str, RunningSum]:
        return {name: self.program.sums[name] for name in self.names}

    def _classes(self, string: str) -> Classes:
        reads = {bit.index for total in self.sums.values() for bit in total.bits if bit.string == string}
        for condition in (self.says, self.when):
            reads |= condition.reads(string) if condition is not None else set()
        return Classes(self.halves, tuple(sorted(reads)))

    @cached_property
    def ys(self) -> Classes:
        return self._classes("y")

    @cached_property
    def zs(self) -> Classes:
        return self._classes("z")

    @property
    def count(self) -> int:
        """The number of classes of pairs."""
        return self.ys.count * self.zs.count

    def blocks(self) -> Iterator[Block]:
        """All classes, those of y ascending."""
        width = max(0, min(len(self.ys.reads), BLOCK_BITS - len(self.zs.reads)))
        for start in range(0, self.ys.count, 1 << width):
            yield self.block(start, width)

    def block(self, start: int, width: int) -> Block:
        """The 2^width classes of y from ``start`` on; ``start`` is a multiple of their number."""
        rows, columns = self.ys.members[start : start + (1 << width)], self.zs.members
        states = self._states(start, width)
        pairs = self._pairs(rows, columns)
        asked = pairs > 0
        if self.when is not None:
            asked[asked] = self.when.truths(*self._contents(rows, columns, asked))
        wrong = np.zeros_like(asked)
        wrong[asked] = ~self.says.truths(*self._contents(rows, columns, asked), quantities(self.lattice, states, asked))
        return Block(start, pairs, asked, wrong, states)

    @staticmethod
    def _contents(rows: Contents, columns: Contents, asked: Truths) -> tuple[Contents, Contents]:
        y, z = np.nonzero(asked)
        return rows[y, 0], columns[z, 0]

    def _states(self, start: int, width: int) -> States:
        """The value of the sums for each class of the block, as an array over (y, z)."""
        ys, zs = [Bit("y", k) for k in self.ys.reads], [Bit("z", k) for k in self.zs.reads]
        ahead = len(ys) - width
        fixed = {bit: np.asarray(start >> len(ys) - 1 - k & 1) for k, bit in enumerate(ys[:ahead])}
        bits, free = fixed | axes(ys[ahead:] + zs), width + len(zs)
        states = self.value({name: self.program.sum_at(total, bits) for name, total in self.sums.items()})
        return np.broadcast_to(states, (2,) * free).reshape(1 << width, -1)

    def _pairs(self, rows: Contents, columns: Contents) -> Contents:
        """The number of allowed pairs of each class, by binary search in sorted bounds."""
        least, most = self.halves.bounds
        low, high = np.sort(least[rows], axis=1), np.sort(most[columns], axis=1)
        if low.shape[1] == high.shape[1] == 1:
            return (low <= high.T).astype(np.int64)
        if len(low) <= len(high):
            found = [np.searchsorted(each, high.reshape(-1), "right").reshape(high.shape).sum(axis=1) for each in low]
            return np.array(found, dtype=np.int64)
        found = [(high.shape[1] - np.searchsorted(each, low.reshape(-1), "left")).reshape(low.shape).sum(axis=1) for each in high]
        return np.array(found, dtype=np.int64).T.copy()

    def judged(self) -> Judged:
        """All classes, block by block."""
        cases = failures = 0
        _, most = self.halves.bounds
        reach = most[self.zs.members].max(axis=1)
        failing = np.full(self.ys.count, NONE, dtype=np.int64)
        for block in self.blocks():
            cases += int(block.pairs[block.asked].sum())
            failures += int(block.pairs[block.wrong].sum())
            if block.wrong.any():
                failing[block.start : block.start + len(block.wrong)] = np.where(block.wrong, reach, NONE).max(axis=1)
        return Judged(cases, failures, None if not failures else self._first(failing), self.row, self.state)

    def _first(self, failing: Contents) -> int:
        """The smallest content of y that fails with an allowed content of z: ``failing`` has the greatest bound of these, by class."""
        least, _ = self.halves.bounds
        return int((least <= failing[self.ys.of_content]).argmax())

    def row(self, y: int) -> Truths:
        """The contents of z that fail with a content of y, among those allowed."""
        least, most = self.halves.bounds
        wrong = self.block(int(self.ys.of_content[y]), 0).wrong[0]
        return np.asarray(wrong[self.zs.of_content] & (least[y] <= most))

    def state(self, y: int, z: int) -> np.int64:
        """The value of the sums at contents of y and z."""
        return np.int64(self.block(int(self.ys.of_content[y]), 0).states[0, self.zs.of_content[z]])


@dataclass(frozen=True)
class Judged:
    """The numbers of pairs covered and of pairs that fail; ``first``: the smallest content of y that fails, if any does.

    row: the contents of z that fail with a content of y; state: the value at contents of y and z.
    """

    cases: int
    failures: int
    first: int | None
    row: Callable[[int], Truths]
    state: Callable[[int, int], np.int64]
    method: str = "enumeration"


def quantities(lattice: ArrayMachine, states: States, asked: Truths) -> Quantity:
    """The exact numbers of the requested states."""
    if not isinstance(lattice, Lattice):
        return decoded(states, lattice.decode, asked)
    counts = states[asked]
    special = np.zeros(counts.shape, dtype=np.int8)
    special[counts == INFINITE], special[counts == -INFINITE], special[counts == NOT_A_NUMBER] = CODES[INF], CODES[NEG_INF], CODES[NAN]
    if not special.any():
        return Quantity.of(counts, lattice.unit)
    return Quantity.of(np.where(special == 0, counts, 0), lattice.unit, special)


METHOD = "reachable-sets"
KINDS: Mapping[str, frozenset[str]] = {
    "<": frozenset({LESS}),
    "<=": frozenset({LESS, EQUAL}),
    "==": frozenset({EQUAL}),
    "!=": frozenset({LESS, GREATER}),
    ">": frozenset({GREATER}),
    ">=": frozenset({GREATER, EQUAL}),
}


@dataclass(frozen=True)
class ComparedHalves:
    """The classes to judge, and the kinds of pairs (y < z, y = z, y > z) that are covered."""

    classes: PairClasses
    kinds: frozenset[str]
    limit: int

    @classmethod
    def of(cls, classes: PairClasses, limit: int) -> ComparedHalves | None:
        """The result is None if the conditions depend on more of y and z, if the promise is not y <= z, or if reachable sets do not
        apply.
        """
        halves = classes.halves
        kinds = _kinds(classes.when)
        if kinds is None or not halves.promises_order or any(classes.says.reads(string) for string in "yz") or not classes.names:
            return None
        allowed = frozenset({LESS, EQUAL}) if halves.first == 1 else frozenset({LESS, EQUAL, GREATER})
        made = cls(classes, kinds & allowed, limit)
        try:
            made._side  # noqa: B018  # whether its states can be reached is what is asked
        except NotApplicableError:
            return None
        return made

    @cached_property
    def _side(self) -> Side:
        halves = self.classes.halves
        return _side(self.classes.program, self.classes.names, halves.first, halves.last, self.limit)

    def _states(self, rows: States) -> States:
        return np.broadcast_to(self.classes.value({name: rows[:, k] for k, name in enumerate(self.classes.names)}), (len(rows),))

    def _wrong(self, states: States) -> Truths:
        """The distinct values at which the condition fails; it reads no string."""
        distinct, places = np.unique(states, return_inverse=True)
        nothing = np.zeros(len(distinct), dtype=np.int64)
        values = quantities(self.classes.lattice, distinct, np.ones(len(distinct), dtype=bool))
        return np.asarray(~self.classes.says.truths(nothing, nothing, values)[places])

    @cached_property
    def _counts(self) -> States:
        """The number of covered pairs, for each outcome of the sums."""
        side = self._side
        found = side.less * self._times(LESS) + side.equal * self._times(EQUAL)
        return found + side.every if GREATER in self.kinds else found

    @cached_property
    def _fails(self) -> Truths:
        """Whether the condition fails, for each outcome."""
        return self._wrong(self._states(self._side.table))

    def _times(self, kind: str) -> int:
        """The multiple of a kind that joins the pairs of any kind, if those with y > z are covered, or of none."""
        return int(kind in self.kinds) - int(GREATER in self.kinds)

    def judged(self, smallest: bool = True) -> Judged:
        """The number of pairs covered and the number of failures. If ``smallest``, also the smallest failing y."""
        failures = int(self._counts[self._fails].sum())
        first = self._first() if failures and smallest else None
        return Judged(int(self._counts.sum()), failures, first, self.row, self.state, METHOD)

    def _first(self) -> int:
        """Find the smallest y that fails with a z of a covered kind. The search walks back, or tries each y if y > z is covered.

        Raises:
            LimitError: more work than the limit, y by y.
        """
        size = self._side.size
        if GREATER not in self.kinds:
            nothing = np.zeros_like(self._fails)
            return self._side.earliest({kind: self._fails if kind in self.kinds else nothing for kind in (EQUAL, LESS)})
        for y in range(size):
            if (y + 1) * size > self.limit:
                raise LimitError(f"the first {self.limit:,} pairs hold, and some of the others fail", "--limit")
            if self.row(y).any():
                return y
        raise AssertionError("failures were counted, none was found")

    def row(self, y: int) -> Truths:
        """The contents of z that fail with a content of y, among those allowed."""
        z = np.arange(self._side.size)
        kinds: dict[str, Truths] = {LESS: z > y, EQUAL: np.asarray(z == y), GREATER: z < y}
        asked = np.any(np.stack([kinds[kind] for kind in self.kinds]), axis=0)
        return np.asarray(self._fails[self._side.of_y(y)] & asked)

    def state(self, y: int, z: int) -> np.int64:
        """The value of the sums at contents of y and z."""
        return np.int64(self._states(self._side.table)[self._side.of_y(y)[z]])


def _kinds(when: Condition | None) -> frozenset[str] | None:
    """The kinds of pairs that a condition selects by comparing all of one half with all of the other; None for another condition."""
    if when is None:
        return frozenset({LESS, EQUAL, GREATER})
    match when.tree:
        case Comparison(left=left, operators=(op,), others=(right,)) if op in KINDS:
            sides = [_half(side, when) for side in (left, right)]
            if sides == ["y", "z"]:
                return KINDS[op]
    return None


def _half(side: Node, condition: Condition) -> str | None:
    """The string of which this is the whole half."""
    halves = condition.halves
    match side:
        case Slice(name=name, last=Node()) if name in ("y", "z"):
            return name if len(condition.reads(name)) == halves.width else None
    return None


@lru_cache(maxsize=2)
def _side(program: Program, names: tuple[str, ...], first: int, last: int, limit: int) -> Side:
    """Run the sums over all pairs of contents; equal and different halves take about the same time."""
    block = PositionBlock(first, last, tuple(program.sums[name] for name in names))
    (found,) = kept_sides(program, block, Budget(limit), with_every=first > 1)
    return found


FEW_CLASSES = 1 << 18
"""Up to this number, classes of pairs are always judged one by one."""


@by_edition
def judge(query: Query, fields: PartialSum) -> Outcome:
    """Judge the condition on the edition's table, for every pair of contents of the positions that the promise allows."""
    prepared = well_formed(query)
    if isinstance(prepared, Outcome):
        return prepared
    execution, witness = prepared
    instance = execution.instance
    names = {**table_names(query, instance), "applied": applied(execution)}
    halves = Halves(instance.problem, *positions(fields.over, names))
    if halves.width < 1:
        return declined(f"there are no positions {fields.over} {query.at}")
    if fields.of == "column" and execution.sums > 1:
        return declined(f"W^V uses {execution.sums} columns; of = column is about one")
    first, last = steps(fields.steps)
    program = _program(execution, first, last)
    read = {bit.index for name in _sums(program, fields.of) for bit in program.sums[name].bits}
    others = sorted(read - set(range(halves.first, halves.last + 1)))
    if others:
        return declined(f"the {fields.of} also depends on positions {others}; it is judged only on {halves.first} … {halves.last}")
    says = fields.holds or f"v == {fields.is_}"
    functions, lets = supplied(query.claim.functions), query.claim.lets
    holds = Condition.of(says, lets, halves, names, functions)
    when = None if fields.when is None else Condition.of(fields.when, lets, halves, names, functions)
    names_of_sums = tuple(_sums(program, fields.of))
    found = judged(PairClasses(halves, program, names_of_sums, _value(program, fields.of), holds, when), query.limits)
    at = located(instance)
    speaks = f" with {fields.when}" if fields.when else ""
    if not found.cases:
        return declined(f"no pairs of y[{fields.over}] and z[{fields.over}]{speaks} at {at}")
    scope = Scope(f"all {found.cases:,} pairs of y[{fields.over}] and z[{fields.over}]{speaks} at {at}: {says}", found.cases, found.method)
    if not found.failures:
        return held(execution, scope, witness, execution.unrepresentable_in_sums(range(first, last + 1), fields.of != "denominator"))
    if found.first is None:  # nobody asked for it
        return failing(scope, witness, found.failures)
    pair = halves.smallest(found.first, found.row)
    y, z = (int(halves.content(np.array(x))) for x in pair)
    value = program.lattice.decode(found.state(y, z))
    subject = f"the {fields.of} of {f'steps {first}–{last}' if first != last else f'step {first}'}"
    return contradicted(query, execution, scope, witness, pair, value, subject, fields.is_ or says, found.failures)


def judged(classes: PairClasses, limits: Limits) -> Judged:
    """Judge the pairs class by class. If the classes are many and reachable sets apply, these judge them.

    Raises:
        LimitError: more work than ``limit``.
    """
    if classes.count > FEW_CLASSES and (compared := ComparedHalves.of(classes, limits.states)) is not None:
        return compared.judged(limits.smallest)
    if classes.count > limits.states:
        raise LimitError(f"{classes.count:,} pairs of halves, the limit is {limits.states:,}", "--limit")
    return classes.judged()


def table_names(query: Query, instance: Instance) -> Names:
    """The parameters and the table's derived quantities, for formulas."""
    assert query.claim.table is not None
    return names_at(query.claim.table.source.file, instance.parameters)


def applied(execution: Execution) -> Fraction:
    """The weight that the sum of the one column used by W^V already contains: 1 if columns are summed, else the entry of W^V."""
    if execution.semantics.order == "ax" or not execution.columns:
        return Fraction(1)
    weight = execution.value_weights[execution.columns[0]]
    return weight if isinstance(weight, Fraction) else Fraction(1)


def steps(text: str) -> tuple[int, int]:
    """``1..8`` or ``9``."""
    first, dots, last = text.partition("..")
    return int(first), int(last if dots else first)


def _sums(program: Program, quantity: str) -> list[str]:
    return [DENOMINATOR] if quantity == "denominator" else list(program.numerator_sums)


@lru_cache(maxsize=8)
def _program(execution: Execution, first: int, last: int) -> Program:
    """The sums of these rows; the printed and the stated edition use the same."""
    return Program(execution, range(first, last + 1))


def _value(program: Program, quantity: str) -> Callable[[Mapping[str, States]], States]:
    """The formula for the quantity, from its sums."""
    if quantity == "columns":
        return lambda sums: reduce(np.maximum, map(np.abs, sums.values()))
    if quantity == "numerator":
        return lambda sums: program.numerators(sums)[0]
    return lambda sums: next(iter(sums.values()))
