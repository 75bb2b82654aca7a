"""The engine that visits every pair of the promise: no Python in the inner loop, exact, in chunks of bounded size.

Where the construction shows that its sums split into two blocks of positions (:mod:`verifier.engines.combine`), every pair is
still covered: each block is enumerated, its outcomes are counted by value, and each combination of values is decided once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from verifier.arithmetic.arrays import Truths
from verifier.engines.combine import combine, share
from verifier.engines.failure_counts import Census
from verifier.engines.position_blocks import Block
from verifier.engines.program import Criterion, Program, program_of
from verifier.engines.sum_values import by_position
from verifier.networks.execution import Execution
from verifier.networks.indices import Bit
from verifier.running.errors import LimitError, amount

Strings = npt.NDArray[np.int64]
CHUNK_BITS = 20
DEFAULT_LIMIT = 1 << 31
Advance = Callable[[int, int], None]
"""Told of progress: steps done, steps in all."""


def enumerate_pairs(
    execution: Execution,
    limit: int = DEFAULT_LIMIT,
    advance: Advance = lambda done, total: None,
    criterion: Criterion = Program.faults,
) -> Census:
    """Every promise pair of a well-formed instance.

    Args:
        limit: the largest number of states to visit; an enumeration that needs more is declined.
        criterion: what counts as a failure; by default a wrong answer of the transformer.

    Raises:
        LimitError: more work than ``limit``.
        ValueError: an ill-formed instance, or a promise that no pair keeps.
    """
    if execution.instance.defects:
        raise ValueError(f"{execution.instance.id} is ill-formed: {execution.instance.defects[0]}")
    program = program_of(execution)
    problem = execution.instance.problem
    sharing = share(program) if problem.conditions.ordered and problem.function == "EQ" else None
    if sharing is not None:
        _within(sharing.work, limit, max(sharing.high.width, sharing.low.width))
        return combine(program, sharing, advance, criterion)
    length = execution.instance.m
    _within(4**length, limit, length)
    return _joint(program, Block(1, length, tuple(program.sums.values())), advance, criterion)


def _within(work: int, limit: int, width: int) -> None:
    if work > limit:
        raise LimitError(f"enumeration visits {amount(work)} states ({width} positions together), the limit is {limit:,}", "--limit")


def _chunks(length: int, bits: int) -> Iterator[tuple[int, int]]:
    """Prefixes of y that keep a chunk within 2^bits pairs: (how many bits, their value)."""
    prefix = min(length, max(0, 2 * length - bits))
    for value in range(1 << prefix):
        yield prefix, value


def first_failure(execution: Execution, most: int) -> tuple[int, int] | None:
    """The first pair of the promise with a wrong answer among the first ``most`` pairs or fewer, y ascending, those with y = 0 in any case;
    None where none of these fails.

    Raises:
        ValueError: an ill-formed instance.
    """
    program = program_of(execution)
    length = execution.instance.m
    block = Block(1, length, tuple(program.sums.values()))
    part = next(_parts(program, block, Program.faults, most.bit_length() - 1))
    return part.first if part.wrong.any() else None


class _Part(NamedTuple):
    """A chunk of pairs: the strings y of its rows, and of each row with each z what was found."""

    y: Strings
    promised: Truths
    yes: Truths
    wrong: Truths
    invalid: Truths

    @property
    def first(self) -> tuple[int, int]:
        row, column = np.unravel_index(int(self.wrong.argmax()), self.wrong.shape)
        return int(self.y[row, 0]), int(column)


def _parts(program: Program, block: Block, criterion: Criterion, bits: int) -> Iterator[_Part]:
    """All sums together, chunk by chunk, y ascending; nothing is computed for a chunk without a promised pair."""
    problem, length = program.execution.instance.problem, block.last
    z = np.arange(1 << length, dtype=np.int64)[None, :]
    for prefix, value in _chunks(length, bits):
        fixed = {Bit("y", k): value >> (prefix - k) & 1 for k in range(1, prefix + 1)}
        rest = length - prefix
        y = (np.arange(1 << rest, dtype=np.int64) + (value << rest))[:, None]
        promised = problem.promises(y, z)
        values, wrong, invalid = problem.values(y, z), promised, promised
        if promised.any():
            sums = {s.name: by_position(program.lattice, s, 1, length, fixed) for s in block.sums}
            faults = criterion(program, program.attention(sums))
            wrong = promised & np.where(values, faults.on_yes, faults.on_no)
            invalid = promised & faults.invalid
        yield _Part(y, promised, promised & values, wrong, invalid)


def _joint(program: Program, block: Block, advance: Advance, criterion: Criterion = Program.faults) -> Census:
    """The census over all pairs together."""
    problem, length = program.execution.instance.problem, block.last
    cases = failures = nans = yes = missed = 0
    smallest: tuple[int, int] | None = None
    chunks = sum(1 for _ in _chunks(length, CHUNK_BITS))
    for number, part in enumerate(_parts(program, block, criterion, CHUNK_BITS), 1):
        cases += int(part.promised.sum())
        failures += int(part.wrong.sum())
        yes += int(part.yes.sum())
        missed += int((part.wrong & part.yes).sum())
        nans += int(part.invalid.sum())
        if smallest is None and part.wrong.any():
            smallest = part.first
        advance(number, chunks)
    if not cases:
        raise ValueError(f"no pair of length {length} keeps the promise {problem.promise}")
    return Census(cases, failures, nans, smallest, "enumeration", "every pair on its own", yes, missed)
