"""Sets of states as runs: start, step and count. Reachable sets of additive tables are mostly arithmetic progressions."""

from __future__ import annotations

import numpy as np

from verifier.arithmetic.arrays import ArrayMachine, States, Truths
from verifier.arithmetic.numbers import Special, show
from verifier.engines.forward import Walk

Run = list[object]


def runs(walk: Walk, rows: States) -> list[Run]:
    """Distinct rows in lexicographic order as ``[start, step, count]``, each a list with one exact string for every column.

    A column is in units of the format; the packed bits of y, where the walk keeps them, become a column for each bit.
    """
    found: list[Run] = []
    width = len(walk.plan.late)
    finite: Truths = np.all(walk.lattice.finite(rows[:, : walk.sums]), axis=1)
    start = 0
    while start < len(rows):
        end = start + 1
        if end < len(rows) and finite[start] and finite[end] and _same_late(walk, rows[start], rows[end]):
            step = rows[end] - rows[start]
            end = _end_of_run(rows, finite, start, step)
        else:
            step = np.zeros_like(rows[start])
        first = [_text(walk.lattice, x) for x in rows[start, : walk.sums]]
        late = [str(int(rows[start, -1]) >> (width - 1 - k) & 1) for k in range(width)]
        found.append([first + late, [str(int(x)) for x in step[: walk.sums]] + ["0"] * width, str(end - start)])
        start = end
    return found


def _same_late(walk: Walk, one: States, other: States) -> bool:
    return not walk.plan.late or bool(one[-1] == other[-1])


def _end_of_run(rows: States, finite: Truths, start: int, step: States) -> int:
    """The end of the progression with ``step`` from ``start``, looked for in growing strides."""
    stride, end = 64, start + 2
    while end < len(rows):
        behind = rows[end : end + stride]
        expected = rows[start] + step * np.arange(end - start, end - start + len(behind), dtype=np.int64)[:, None]
        breaks = np.flatnonzero((behind != expected).any(axis=1) | ~finite[end : end + stride])
        if len(breaks):
            return end + int(breaks[0])
        end += len(behind)
        stride *= 4
    return end


def _text(lattice: ArrayMachine, state: np.int64) -> str:
    value = lattice.decode(state)
    return show(value) if isinstance(value, Special) else str(int(state))
