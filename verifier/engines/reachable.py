"""The engine that runs all inputs at once: EQ under y ≤ z, by the sets of states reachable after each position of z.

Exhaustive and exact: every pair of the promise is counted, in whichever merged state it lies. Where the sums separate into two blocks
of positions, each block is run on its own and their outcomes are combined (:mod:`verifier.engines.blocks`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial

import numpy as np

from verifier.arithmetic.arrays import States
from verifier.engines.answer_runs import Run, answers_by
from verifier.engines.blocks import RIGHT, WRONG, Block, Crossing, Cut, Side, census, kept_sides, split
from verifier.engines.by_states import Question, by_states
from verifier.engines.failure_counts import Census
from verifier.engines.program import INVALID, Faults, Program, program_of
from verifier.engines.search import Budget, NotApplicableError
from verifier.engines.table_states import EQUAL, LESS, TableStates
from verifier.networks.indices import Bit
from verifier.running.errors import LimitError
from verifier.transformers.tables import Execution

METHOD = "reachable-sets"
DEFAULT_LIMIT = 1 << 31
WIDEST_BLOCK = 28
WIDEST_STAGE = 8
Advance = Callable[[int, int], None]


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
    found = None
    if len(blocks) == 2:
        with suppress(NotApplicableError):
            found = _two_blocks(program, Cut(*blocks), limit, advance, runs, smallest)
    if found is None:
        question = Question(execution, Program.faults if runs is None else partial(_faults, runs))
        states = states_of(program, Block(1, problem.length, tuple(program.sums.values())), (EQUAL, LESS))
        found = by_states(question, states, METHOD, limit, smallest)
        advance(1, 1)
    assert found.cases == promised_pairs(problem.length), "pairs were lost or counted twice"
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
    found = block.states(program, kinds, fixed)
    together = max(sum(bit.string == "z" for bit in here.held) for here in found.positions)
    if together >= WIDEST_STAGE:
        raise NotApplicableError(f"z is not read in ascending order; at most {WIDEST_STAGE} positions are taken together")
    return found


def _faults(runs: tuple[Run, ...], program: Program, attention: States) -> Faults:
    """Where runs of outputs are right or wrong as YES and as NO."""
    answers = answers_by(runs, attention)
    return Faults(np.isin(answers, WRONG), ~np.isin(answers, RIGHT), answers == INVALID)


def side(program: Program, block: Block, budget: Budget, with_every: bool) -> Side:
    """A block run to its end. with_every: also run the pairs behind a y′ < z′.

    Raises:
        NotApplicableError: another arithmetic than fixed point, or z is read in another order than ascending.
        LimitError: more states than the budget has left.
    """
    states_of(program, block, (EQUAL,))
    (found,) = kept_sides(program, block, budget, with_every)
    return found


def _two_blocks(program: Program, cut: Cut, limit: int, advance: Advance, runs: tuple[Run, ...] | None, smallest: bool) -> Census:
    if not all(block.sums for block in (cut.high, cut.low)):
        raise NotApplicableError("one of the two blocks holds every sum")
    budget = Budget(limit)
    advance(0, 3)
    first = side(program, cut.high, budget, with_every=False)
    advance(1, 3)
    second = side(program, cut.low, budget, with_every=True)
    advance(2, 3)
    crossing = Crossing(program, (cut.high, cut.low), (first.table, second.table), runs)
    found = census([first], [second], lambda first, second: crossing, METHOD, smallest)
    advance(3, 3)
    return replace(found, work=budget.spent)
