"""The engine that visits every pair of the promise: no Python in the inner loop, exact, in chunks of bounded size.

Where the construction shows that its sums split into two blocks of positions (:mod:`verifier.engines.blocks`), every pair is
still covered: each block is enumerated, its outcomes are counted by value, and each combination of values is decided once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from verifier.attention.terms import Reading
from verifier.construction.indices import Bit
from verifier.engines.blocks import Block, split
from verifier.engines.census import Census
from verifier.engines.combine import combine
from verifier.engines.program import Criterion, Program, program_of
from verifier.engines.sharing import Sharing, share
from verifier.engines.tree import by_position
from verifier.errors import LimitError, amount

CHUNK_BITS = 20
DEFAULT_LIMIT = 1 << 31
Advance = Callable[[int, int], None]
"""Told of progress: steps done, steps in all."""


def enumerate_pairs(
    reading: Reading,
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
    if reading.instance.defects:
        raise ValueError(f"{reading.instance.id} is ill-formed: {reading.instance.defects[0]}")
    program = program_of(reading)
    problem = reading.instance.problem
    blocks = split(program) if problem.conditions.ordered and problem.function == "EQ" else ()
    if len(blocks) == 2:
        _within(sum(4**b.width for b in blocks), limit, max(b.width for b in blocks))
        return combine(program, Sharing(blocks[0], blocks[1], ()), advance, criterion)
    sharing = share(program) if problem.conditions.ordered and problem.function == "EQ" else None
    if sharing is not None:
        _within(sharing.work, limit, max(sharing.high.width, sharing.low.width))
        return combine(program, sharing, advance, criterion)
    length = reading.instance.m
    _within(4**length, limit, length)
    return _joint(program, Block(1, length, tuple(program.sums.values())), advance, criterion)


def _within(work: int, limit: int, width: int) -> None:
    if work > limit:
        raise LimitError(f"enumeration visits {amount(work)} states ({width} positions together), the limit is {limit:,}", "--limit")


def _chunks(length: int) -> Iterator[tuple[int, int]]:
    """Prefixes of y that keep a chunk within 2^20 pairs: (how many bits, their value)."""
    prefix = min(length, max(0, 2 * length - CHUNK_BITS))
    for value in range(1 << prefix):
        yield prefix, value


def _joint(program: Program, block: Block, advance: Advance, criterion: Criterion = Program.faults) -> Census:
    """All sums together, chunk by chunk, y ascending."""
    problem, length = program.reading.instance.problem, block.last
    cases = failures = nans = yes = missed = 0
    smallest: tuple[int, ...] | None = None
    z = np.arange(1 << length, dtype=np.int64)[None, :]
    for prefix, value in _chunks(length):
        fixed = {Bit("y", k): value >> (prefix - k) & 1 for k in range(1, prefix + 1)}
        rest = length - prefix
        y = (np.arange(1 << rest, dtype=np.int64) + (value << rest))[:, None]
        promised = problem.promises(y, z)
        if promised.any():
            sums = {s.name: by_position(program.lattice, s, 1, length, fixed) for s in block.sums}
            faults = criterion(program, program.attention(sums))
            values = problem.values(y, z)
            wrong = promised & np.where(values, faults.on_yes, faults.on_no)
            cases += int(promised.sum())
            failures += int(wrong.sum())
            yes += int((promised & values).sum())
            missed += int((wrong & values).sum())
            nans += int((promised & faults.invalid).sum())
            if smallest is None and wrong.any():
                row, column = np.unravel_index(int(wrong.argmax()), wrong.shape)
                smallest = (int(y[row, 0]), int(column))
        advance(value + 1, 1 << prefix)
    if not cases:
        raise ValueError(f"no pair of length {length} keeps the promise {problem.promise}")
    return Census(cases, failures, nans, smallest, "enumeration", "every pair on its own", yes, missed)
