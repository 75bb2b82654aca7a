"""The engine that runs all inputs at once: EQ under y ≤ z, by the sets of states reachable after each position of z.

Exhaustive and exact: every pair of the promise is counted, in whichever merged state it lies. Where the sums separate into two blocks
of positions, each block is run on its own and their outcomes are combined (:mod:`verifier.engines.block_products`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from verifier.arithmetic.arrays import States, Truths
from verifier.arithmetic.machine import Machine
from verifier.engines.answer_runs import Run, answers_by
from verifier.engines.backward import Failing, earliest
from verifier.engines.block_products import Crossing, exact_dot
from verifier.engines.failure_counts import Census
from verifier.engines.forward import Budget, Layer, Walk
from verifier.engines.multiset import Indices, Multiset, locate, merged
from verifier.engines.position_blocks import Block, split
from verifier.engines.program import EITHER, INVALID, NEITHER, YES, Program, program_of
from verifier.engines.stages import StagingError, plan
from verifier.networks.execution import Execution
from verifier.networks.indices import Bit

METHOD = "reachable-sets"
DEFAULT_LIMIT = 1 << 31
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
        StagingError: a construction that this engine cannot handle; enumeration can.
        LimitError: more work than ``limit``.
        ValueError: an ill-formed instance.
    """
    if execution.instance.defects:
        raise ValueError(f"{execution.instance.id} is ill-formed: {execution.instance.defects[0]}")
    problem = execution.instance.problem
    if (problem.function, problem.promise) != ("EQ", "y <= z"):
        raise StagingError(f"reachable sets decide EQ under y <= z, not {problem.function} under {problem.promise}")
    program = program_of(execution)
    if not program.sums:
        raise StagingError("reachable sets are of sums; linear attention with W^V = 0 has none")
    blocks = split(program)
    if len(blocks) == 2:
        try:
            return _two_blocks(program, (blocks[0], blocks[1]), limit, advance, runs, smallest)
        except StagingError:
            pass
    return _one_block(program, Block(1, problem.length, tuple(program.sums.values())), Budget(limit), advance, runs, smallest)


def promised_pairs(length: int) -> int:
    """How many pairs of ``length``-bit strings keep y ≤ z: 2^(length−1)·(2^length + 1)."""
    return (1 << length) * ((1 << length) + 1) // 2


def _one_block(
    program: Program, block: Block, budget: Budget, advance: Advance, runs: tuple[Run, ...] | None = None, smallest: bool = True
) -> Census:
    """All sums together."""
    walk = Walk(program.lattice, plan(block), budget)
    advance(0, 2)
    layer = walk.last(with_every=False)
    advance(1, 2)
    equal, of_each = _answers(program, block, layer.equal.flat(), runs), layer.equal.counts
    less = _answers(program, block, layer.less.states, runs)
    wrong = np.isin(less, WRONG)
    cases = int(of_each.sum()) + layer.less.total
    assert cases == promised_pairs(block.width), "pairs were lost or counted twice"
    failures = int(of_each[~np.isin(equal, RIGHT)].sum()) + int(layer.less.counts[wrong].sum())
    nans = int(of_each[equal == INVALID].sum()) + int(layer.less.counts[less == INVALID].sum())
    first = _smallest_of_one(program, walk, block, runs) if failures and smallest else None
    advance(2, 2)
    return Census(cases, failures, nans, first, METHOD, f"one block, {len(layer.less):,} merged states at the end ({block})")


def _answers(program: Program, block: Block, rows: States, runs: tuple[Run, ...] | None) -> States:
    output = program.attention({s.name: rows[:, k] for k, s in enumerate(block.sums)})
    return np.broadcast_to(program.answers(output) if runs is None else answers_by(runs, output), (len(rows),))


def _smallest_of_one(program: Program, walk: Walk, block: Block, runs: tuple[Run, ...] | None) -> tuple[int, int]:
    layers = list(walk.layers(with_every=False))
    final = layers[-1].less.states[:, : walk.sums]
    outcomes = merged(final, np.zeros(len(final), dtype=np.int64)).states
    less = np.isin(_answers(program, block, outcomes, runs), WRONG)
    equal = ~np.isin(_answers(program, block, layers[-1].equal.flat(), runs), RIGHT)[layers[-1].equal.of_each_y()]
    y = earliest(walk, layers, Failing(outcomes, equal, less, np.zeros_like(less)))
    assert y is not None, "failures were counted, none was found"
    fails = np.isin(_answers(program, block, walk.of_y(y), runs), WRONG)
    fails[:y] = False
    fails[y] = equal[y]
    return y, int(fails.argmax())


@dataclass(frozen=True)
class Side:
    """A block run to its end: its outcomes with how often each is <, = and of any kind, and the outcome of each y with z = y.

    kept: every layer of the walk, where they are at hand.
    """

    walk: Walk
    outcomes: Multiset
    diagonal: Indices
    kept: tuple[Layer, ...] = ()

    def layers(self, with_every: bool) -> tuple[Layer, ...]:
        """The states after each stage, the start first."""
        return self.kept or tuple(self.walk.layers(with_every))

    @property
    def less(self) -> States:
        return self.outcomes.counts[:, 0]

    @property
    def equal(self) -> States:
        return self.outcomes.counts[:, 1]

    @property
    def every(self) -> States:
        return self.outcomes.counts[:, 2]

    def of_y(self, y: int) -> Indices:
        """The outcome for one y and each z."""
        return locate(self.outcomes.states, self.walk.of_y(y)[:, : self.walk.sums])


def _side(program: Program, block: Block, budget: Budget, with_every: bool) -> Side:
    walk = Walk(program.lattice, plan(block), budget)
    kept = tuple(walk.layers(with_every)) if walk.size <= MOST_KEPT else ()
    layer = kept[-1] if kept else walk.last(with_every)
    rows = [layer.less.states, layer.equal.flat(), layer.every.states]
    counts = [layer.less.counts, layer.equal.counts, layer.every.counts]
    kinds = [np.zeros((len(c), 3), dtype=np.int64) for c in counts]
    for k, (kind, count) in enumerate(zip(kinds, counts, strict=True)):
        kind[:, k] = count
    outcomes = merged(np.concatenate(rows)[:, : walk.sums], np.concatenate(kinds))
    expected = [promised_pairs(block.width) - walk.size, walk.size, 4**block.width if with_every else 0]
    assert outcomes.counts.sum(axis=0).tolist() == expected, "pairs were lost or counted twice"
    return Side(walk, outcomes, locate(outcomes.states, layer.equal.flat()[:, : walk.sums])[layer.equal.of_each_y()], kept)


_SIDES: dict[_BlockKey, tuple[int, Side]] = {}
"""Blocks run last, with the states that each took: several claims ask about the outputs of one table, and a table with its errata, or
under another order of evaluation, often has a block in common with the table as printed."""
MOST_SIDES = 4
MOST_KEPT = 1 << 16
"""The layers of a block of so many strings y stay until its smallest failure is found; larger blocks are run once more for it."""


def _kept_side(program: Program, block: Block, budget: Budget, with_every: bool) -> Side:
    """A block run to its end, or taken from those run last.

    Raises:
        LimitError: more states than the budget has left.
    """
    key = _key(program, block, with_every)
    if key in _SIDES:
        spent, side = _SIDES[key]
        budget.spend(spent)
        return side
    before = budget.spent
    side = _side(program, block, budget, with_every)
    while len(_SIDES) >= MOST_SIDES:
        del _SIDES[next(iter(_SIDES))]
    _SIDES[key] = budget.spent - before, replace(side, kept=())
    return side


def _key(program: Program, block: Block, with_every: bool) -> _BlockKey:
    """All that a block's outcomes depend on: the machine, the positions, and what each token adds to each sum; not the sums' names."""
    sums = tuple(tuple((a.reads, a.table.shape, a.table.tobytes()) for a in total.addends) for total in block.sums)
    return program.lattice.machine, block.first, block.last, sums, with_every


def _two_blocks(
    program: Program, blocks: tuple[Block, Block], limit: int, advance: Advance, runs: tuple[Run, ...] | None, smallest: bool
) -> Census:
    """y ≤ z is y′ < z′ with any y″, z″, or y′ = z′ with y″ ≤ z″."""
    if not all(block.sums for block in blocks):
        raise StagingError("one of the two blocks holds every sum")
    budget = Budget(limit)
    advance(0, 3)
    first = _kept_side(program, blocks[0], budget, with_every=False)
    advance(1, 3)
    second = _kept_side(program, blocks[1], budget, with_every=True)
    advance(2, 3)
    crossing = Crossing(program, blocks, (first.outcomes.states, second.outcomes.states), runs)
    failures = exact_dot(first.less, crossing.sums(0, WRONG, second.every)) + exact_dot(first.equal, crossing.sums(0, WRONG, second.less))
    failures += first.walk.size * second.walk.size - exact_dot(first.equal, crossing.sums(0, RIGHT, second.equal))
    nans = exact_dot(first.less, crossing.sums(0, (INVALID,), second.every))
    nans += exact_dot(first.equal, crossing.sums(0, (INVALID,), second.less + second.equal))
    found = _smallest_of_two(first, second, crossing) if failures and smallest else None
    advance(3, 3)
    how = f"two independent blocks ({blocks[0]}; {blocks[1]}), {len(first.outcomes):,} and {len(second.outcomes):,} outcomes"
    return Census(promised_pairs(blocks[0].width + blocks[1].width), failures, nans, found, METHOD, how, work=budget.spent)


def _smallest_of_two(first: Side, second: Side, crossing: Crossing) -> tuple[int, int]:
    """The first failing pair: y′, y″, z′, z″ in this order of importance."""
    y1 = _first_y(first, second, crossing)
    here = _one_hot(first, first.diagonal[y1])
    of_y1 = first.of_y(y1)
    greater = np.bincount(of_y1[y1 + 1 :], minlength=len(first.outcomes))
    wrong_if_equal = crossing.sums(1, WRONG, here) > 0
    wrong_if_same = crossing.sums(1, RIGHT, here) == 0
    wrong_if_greater = crossing.sums(1, WRONG, greater) > 0
    marked = Failing(second.outcomes.states, wrong_if_same[second.diagonal], wrong_if_equal, wrong_if_greater)
    y2 = earliest(second.walk, second.layers(with_every=True), marked)
    assert y2 is not None, "a failing first block was found, no second block fails with it"
    of_y2 = second.of_y(y2)
    fails = wrong_if_equal[of_y2]
    fails[:y2] = False
    fails[y2] = wrong_if_same[of_y2[y2]]
    rest = second.walk.size
    if fails.any():
        return y1 * rest + y2, y1 * rest + int(fails.argmax())
    partners = np.bincount(of_y2, minlength=len(second.outcomes))
    fails_with_z1: Truths = (crossing.sums(0, WRONG, partners) > 0)[of_y1]
    fails_with_z1[: y1 + 1] = False
    z1 = int(fails_with_z1.argmax())
    z2 = int((crossing.sums(1, WRONG, _one_hot(first, of_y1[z1])) > 0)[of_y2].argmax())
    return y1 * rest + y2, z1 * rest + z2


def _first_y(first: Side, second: Side, crossing: Crossing) -> int:
    """The smallest y′ that some y″, z′, z″ make fail."""
    wrong_behind_less = crossing.sums(0, WRONG, second.every) > 0
    wrong_behind_equal = crossing.sums(0, WRONG, second.less) > 0
    wrong_behind_equal |= crossing.sums(0, RIGHT, second.equal) < second.walk.size
    marked = Failing(first.outcomes.states, wrong_behind_equal[first.diagonal], wrong_behind_less, np.zeros_like(wrong_behind_less))
    y = earliest(first.walk, first.layers(with_every=False), marked)
    assert y is not None, "failures were counted, none was found"
    return y


def _one_hot(side: Side, outcome: int) -> States:
    """Weight 1 for one outcome of a block."""
    weights = np.zeros(len(side.outcomes), dtype=np.int64)
    weights[outcome] = 1
    return weights
