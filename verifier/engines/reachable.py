"""The engine that runs all inputs at once: EQ under y ≤ z, by the sets of states reachable after each position of z.

Exhaustive and exact: every pair of the promise is counted, in whichever merged state it lies. Where the sums separate into two blocks
of positions, each block is run on its own and their outcomes are combined (:mod:`verifier.engines.block_products`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from verifier.arithmetic.arrays import States, Truths
from verifier.arithmetic.machine import Machine
from verifier.engines.answer_runs import Run, answers_by
from verifier.engines.block_products import Crossing, exact_dot
from verifier.engines.by_states import Question, by_states
from verifier.engines.failure_counts import Census
from verifier.engines.position_blocks import Block, split
from verifier.engines.program import EITHER, INVALID, NEITHER, YES, Faults, Program, program_of
from verifier.engines.search import Budget, Indices, NotApplicableError, Rows, locate, merge, search
from verifier.engines.sum_values import by_position
from verifier.engines.table_states import EQUAL, EVERY, LESS, Asked, TableStates
from verifier.networks.indices import Bit
from verifier.running.errors import LimitError
from verifier.transformers.tables import Execution

METHOD = "reachable-sets"
DEFAULT_LIMIT = 1 << 31
WIDEST_BLOCK = 28
WIDEST_STAGE = 8
WRONG = (YES, NEITHER)
"""The answers that are wrong for y < z."""
RIGHT = (YES, EITHER)
"""The answers that are right for y = z."""
Advance = Callable[[int, int], None]
_Sum = tuple[tuple[tuple[Bit, ...], tuple[int, ...], bytes], ...]
_BlockKey = tuple[Machine, int, int, tuple[_Sum, ...], bool]


def reachable_sets(
    execution: Execution,
    limit: int = DEFAULT_LIMIT,
    advance: Advance = lambda done, total: None,
    runs: tuple[Run, ...] | None = None,
    smallest: bool = True,
) -> Census:
    """Every promise pair of a well-formed instance of EQ under y ≤ z.

    Args:
        limit: the largest number of states to visit.
        runs: how the attention's outputs are answered; by default as the transformer does.
        smallest: whether to look for the smallest failure, which takes longer than to count them.

    Raises:
        NotApplicableError: a construction that this engine cannot handle; enumeration can.
        LimitError: more work than ``limit``.
        ValueError: an ill-formed instance.
    """
    if execution.instance.defects:
        raise ValueError(f"{execution.instance.id} is ill-formed: {execution.instance.defects[0]}")
    problem = execution.instance.problem
    if (problem.function, problem.promise) != ("EQ", "y <= z"):
        raise NotApplicableError(f"reachable sets decide EQ under y <= z, not {problem.function} under {problem.promise}")
    program = program_of(execution)
    if not program.sums:
        raise NotApplicableError("reachable sets are of sums; linear attention with W^V = 0 has none")
    blocks = split(program)
    if len(blocks) == 2:
        try:
            return _two_blocks(program, (blocks[0], blocks[1]), limit, advance, runs, smallest)
        except NotApplicableError:
            pass
    question = Question(execution, Program.faults if runs is None else partial(_faults, runs))
    states = states_of(program, Block(1, problem.length, tuple(program.sums.values())), (EQUAL, LESS))
    found = by_states(question, states, METHOD, limit, smallest)
    assert found.cases == promised_pairs(problem.length), "pairs were lost or counted twice"
    advance(1, 1)
    return found


def promised_pairs(length: int) -> int:
    """How many pairs of ``length``-bit strings keep y ≤ z: 2^(length−1)·(2^length + 1)."""
    return (1 << length) * ((1 << length) + 1) // 2


def states_of(program: Program, block: Block, kinds: Collection[str], fixed: Mapping[Bit, int] | None = None) -> TableStates:
    """The sums of a block; its bits of y are read first, then those of z.

    kinds: which states are followed; fixed: bits that have one value.

    Raises:
        NotApplicableError: another arithmetic than fixed point, or z is not read in ascending order.
        LimitError: too many positions for exact counts of 64 bits.
    """
    if not program.lattice.machine.form.fixed_point:
        raise NotApplicableError("reachable sets are held for fixed point, not for floating point")
    if block.width > WIDEST_BLOCK:
        raise LimitError(f"{block.width} positions together; reachable sets take at most {WIDEST_BLOCK}", "a smaller precision")
    order = [Bit(string, k) for string in "yz" for k in range(block.first, block.last + 1)]
    asked = Asked((block.first, block.last), ordered=True, every=EVERY in kinds)
    found = TableStates(program, order, asked, block.sums, fixed, kinds)
    together = max(sum(bit.string == "z" for bit in here.held) for here in found.positions)
    if together >= WIDEST_STAGE:
        raise NotApplicableError(f"z is not read in ascending order; at most {WIDEST_STAGE} positions are taken together")
    return found


def _number(bits: Sequence[int]) -> int:
    """The string of these bits."""
    return int("0" + "".join(map(str, bits)), 2)


def _faults(runs: tuple[Run, ...], program: Program, attention: States) -> Faults:
    """Where runs of outputs are right or wrong as YES and as NO."""
    answers = answers_by(runs, attention)
    return Faults(np.isin(answers, WRONG), ~np.isin(answers, RIGHT), answers == INVALID)


@dataclass(frozen=True)
class Side:
    """A block run to its end: its outcomes, with how often each is <, = and of any kind."""

    program: Program
    block: Block
    outcomes: Rows

    @property
    def size(self) -> int:
        """How many strings the block has."""
        return 1 << self.block.width

    @property
    def table(self) -> States:
        """The outcomes, a row each, a column for each sum."""
        return np.stack([self.outcomes.columns[total.name] for total in self.block.sums], axis=1)

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
        """The outcome for one y and each z."""
        fixed = {Bit("y", k): y >> (self.block.last - k) & 1 for k in range(self.block.first, self.block.last + 1)}
        rows = {s.name: by_position(self.program.lattice, s, self.block.first, self.block.last, fixed).reshape(-1) for s in self.block.sums}
        return locate(self.outcomes.columns, {name: np.broadcast_to(x, (self.size,)) for name, x in rows.items()})

    def earliest(self, failing: Mapping[str, Truths]) -> int | None:
        """The smallest y from which a failing outcome of a kind is reached. failing: for each kind, which outcomes fail.

        One that fails with z = y is found first, since these pairs are few; the others are looked for among smaller y.
        """
        alone = self._earliest({EQUAL: failing[EQUAL]}, {})
        count = {LESS: self.less, EVERY: self.every}
        others = [kind for kind, fails in failing.items() if kind != EQUAL and (fails & (count[kind] > 0)).any()]
        if alone == 0 or not others:
            return alone
        zeros = 0 if alone is None else self.block.width - (alone - 1).bit_length()
        fixed = {Bit("y", k): 0 for k in range(self.block.first, self.block.first + zeros)}
        found = self._earliest({kind: failing[kind] for kind in (EQUAL, *others)}, fixed)
        return alone if found is None else found

    def _earliest(self, failing: Mapping[str, Truths], fixed: Mapping[Bit, int]) -> int | None:
        reached = search(states_of(self.program, self.block, failing, fixed), Budget(1 << 62), keep=True)
        ends = {kind: failing[kind][locate(self.outcomes.columns, rows.columns)] for kind, rows in reached.ends.items()}
        bits = reached.smallest(ends, self.block.width)
        return None if bits is None else _number(bits)


def side(program: Program, block: Block, budget: Budget, with_every: bool) -> Side:
    """A block run to its end. with_every: also run the pairs behind a y′ < z′.

    Raises:
        NotApplicableError: another arithmetic than fixed point, or z is read in another order than ascending.
        LimitError: more states than the budget has left.
    """
    kinds = (LESS, EQUAL, EVERY) if with_every else (LESS, EQUAL)
    ends = search(states_of(program, block, kinds), budget).ends
    parts = [(kinds.index(kind), rows) for kind, rows in ends.items()]
    counts = [np.zeros((len(rows), 3), np.int64) for _, rows in parts]
    for count, (k, rows) in zip(counts, parts, strict=True):
        count[:, k] = rows.count
    columns = {s.name: np.concatenate([rows.columns[s.name] for _, rows in parts]) for s in block.sums}
    outcomes, _ = merge(Rows(columns, np.concatenate(counts)))
    expected = [promised_pairs(block.width) - (1 << block.width), 1 << block.width, 4**block.width if with_every else 0]
    assert outcomes.count.sum(axis=0).tolist() == expected, "pairs were lost or counted twice"
    return Side(program, block, outcomes)


_SIDES: dict[_BlockKey, tuple[int, Side]] = {}
"""Blocks run last, with the states that each took: several claims ask about the outputs of one table, and a table with its errata, or
under another order of evaluation, often has a block in common with the table as printed."""
MOST_SIDES = 4


def _kept_side(program: Program, block: Block, budget: Budget, with_every: bool) -> Side:
    """A block run to its end, or taken from those run last.

    Raises:
        LimitError: more states than the budget has left.
    """
    key = _key(program, block, with_every)
    if key in _SIDES:
        spent, made = _SIDES[key]
        budget.spend(spent)
        return made
    before = budget.spent
    made = side(program, block, budget, with_every)
    while len(_SIDES) >= MOST_SIDES:
        del _SIDES[next(iter(_SIDES))]
    _SIDES[key] = budget.spent - before, made
    return made


def _key(program: Program, block: Block, with_every: bool) -> _BlockKey:
    """All that a block's outcomes depend on: the machine, the positions, and what each token adds to each sum; not the sums' names."""
    sums = tuple(tuple((a.reads, a.table.shape, a.table.tobytes()) for a in total.addends) for total in block.sums)
    return program.lattice.machine, block.first, block.last, sums, with_every


def _two_blocks(
    program: Program, blocks: tuple[Block, Block], limit: int, advance: Advance, runs: tuple[Run, ...] | None, smallest: bool
) -> Census:
    """y ≤ z is y′ < z′ with any y″, z″, or y′ = z′ with y″ ≤ z″."""
    if not all(block.sums for block in blocks):
        raise NotApplicableError("one of the two blocks holds every sum")
    budget = Budget(limit)
    advance(0, 3)
    first = _kept_side(program, blocks[0], budget, with_every=False)
    advance(1, 3)
    second = _kept_side(program, blocks[1], budget, with_every=True)
    advance(2, 3)
    crossing = Crossing(program, blocks, (first.table, second.table), runs)
    failures = exact_dot(first.less, crossing.sums(0, WRONG, second.every)) + exact_dot(first.equal, crossing.sums(0, WRONG, second.less))
    failures += first.size * second.size - exact_dot(first.equal, crossing.sums(0, RIGHT, second.equal))
    nans = exact_dot(first.less, crossing.sums(0, (INVALID,), second.every))
    nans += exact_dot(first.equal, crossing.sums(0, (INVALID,), second.less + second.equal))
    found = _smallest_of_two(first, second, crossing) if failures and smallest else None
    advance(3, 3)
    how = f"two independent blocks ({blocks[0]}; {blocks[1]}), {len(first.outcomes):,} and {len(second.outcomes):,} outcomes"
    return Census(promised_pairs(blocks[0].width + blocks[1].width), failures, nans, found, METHOD, how, work=budget.spent)


def _smallest_of_two(first: Side, second: Side, crossing: Crossing) -> tuple[int, int]:
    """The first failing pair: y′, y″, z′, z″ in this order of importance."""
    wrong_behind_less = crossing.sums(0, WRONG, second.every) > 0
    wrong_behind_equal = crossing.sums(0, WRONG, second.less) > 0
    wrong_behind_equal |= crossing.sums(0, RIGHT, second.equal) < second.size
    y1 = first.earliest({EQUAL: wrong_behind_equal, LESS: wrong_behind_less})
    assert y1 is not None, "failures were counted, none was found"
    of_y1 = first.of_y(y1)
    here = _one_hot(first, of_y1[y1])
    greater = np.bincount(of_y1[y1 + 1 :], minlength=len(first.outcomes))
    wrong_if_equal = crossing.sums(1, WRONG, here) > 0
    wrong_if_same = crossing.sums(1, RIGHT, here) == 0
    wrong_if_greater = crossing.sums(1, WRONG, greater) > 0
    y2 = second.earliest({EQUAL: wrong_if_same, LESS: wrong_if_equal, EVERY: wrong_if_greater})
    assert y2 is not None, "a failing first block was found, no second block fails with it"
    of_y2 = second.of_y(y2)
    fails = wrong_if_equal[of_y2]
    fails[:y2] = False
    fails[y2] = wrong_if_same[of_y2[y2]]
    rest = second.size
    if fails.any():
        return y1 * rest + y2, y1 * rest + int(fails.argmax())
    partners = np.bincount(of_y2, minlength=len(second.outcomes))
    fails_with_z1: Truths = (crossing.sums(0, WRONG, partners) > 0)[of_y1]
    fails_with_z1[: y1 + 1] = False
    z1 = int(fails_with_z1.argmax())
    z2 = int((crossing.sums(1, WRONG, _one_hot(first, of_y1[z1])) > 0)[of_y2].argmax())
    return y1 * rest + y2, z1 * rest + z2


def _one_hot(side: Side, outcome: int) -> States:
    """Weight 1 for one outcome of a block."""
    weights = np.zeros(len(side.outcomes), dtype=np.int64)
    weights[outcome] = 1
    return weights
