"""Sets of states as runs: start, step and count. Reachable sets of additive tables are mostly arithmetic progressions."""

from __future__ import annotations

import numpy as np

from verifier.arithmetic.arrays import ArrayMachine, States, Truths
from verifier.arithmetic.numbers import Special, show

Run = list[object]


def runs(lattice: ArrayMachine, rows: States, late: int) -> list[Run]:
    """Distinct rows in lexicographic order as ``[start, step, count]``, each a list with one exact string for every column.

    A column is in units of the format. late: how many bits of y the last column packs, where there are any; each becomes a column.
    """
    found: list[Run] = []
    sums = rows.shape[1] - bool(late)
    finite: Truths = np.all(lattice.finite(rows[:, :sums]), axis=1)
    start = 0
    while start < len(rows):
        end = start + 1
        if end < len(rows) and finite[start] and finite[end] and (not late or rows[start, -1] == rows[end, -1]):
            step = rows[end] - rows[start]
            end = _end_of_run(rows, finite, start, step)
        else:
            step = np.zeros_like(rows[start])
        first = [_text(lattice, x) for x in rows[start, :sums]]
        bits = [str(int(rows[start, -1]) >> (late - 1 - k) & 1) for k in range(late)]
        found.append([first + bits, [str(int(x)) for x in step[:sums]] + ["0"] * late, str(end - start)])
        start = end
    return found


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
