"""Every activation table at once: which satisfy Condition 1, and for which N, S, BN, BS are everything. For p ≤ 2 (7⁷ = 823,543 tables)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.sets import KINDS, Reach
from verifier.running.errors import LimitError

LARGEST = 1 << 22


@dataclass(frozen=True)
class TableCounts:
    """How many tables there are, satisfy Condition 1, and have each set everything for some bias and for every bias (all tables, and those
    that satisfy Condition 1)."""

    tables: int
    condition_1: int
    some_bias: dict[str, int]
    every_bias: dict[str, int]
    some_bias_condition_1: dict[str, int]
    every_bias_condition_1: dict[str, int]


def count_tables(grid: FixedPoint) -> TableCounts:
    """Count over all |Q|^|Q| tables.

    Raises:
        LimitError: more than four million tables (p ≥ 3).
    """
    import numpy as np

    total = grid.size**grid.size
    if total > LARGEST:
        raise LimitError(f"{total:.3g} activation tables, more than {LARGEST:,}", "a smaller p")
    tables = _tables(grid)
    condition = condition_1(tables)
    steps = {"N": np.gcd.reduce(tables, axis=1), "S": np.gcd.reduce(tables - tables[:, :1], axis=1)}
    some: dict[str, Any] = {}
    every: dict[str, Any] = {}
    for kind in KINDS:
        base = steps[kind[-1]]
        factor = grid.s if kind.startswith("B") else 1
        sets = [Reach(grid, factor * g) for g in range(2 * grid.top + 1)]
        some[kind] = np.array([r.full_bias() is not None for r in sets])[base]
        every[kind] = np.array([r.step > 0 and r.full_for_every_bias() is None for r in sets])[base]
    return TableCounts(
        total,
        int(condition.sum()),
        {k: int(v.sum()) for k, v in some.items()},
        {k: int(v.sum()) for k, v in every.items()},
        {k: int((v & condition).sum()) for k, v in some.items()},
        {k: int((v & condition).sum()) for k, v in every.items()},
    )


def _tables(grid: FixedPoint) -> Any:
    """All tables as rows of levels, in lexicographic order."""
    import numpy as np

    number = np.arange(grid.size**grid.size, dtype=np.int64)
    columns = [(number // grid.size ** (grid.size - 1 - i)) % grid.size - grid.top for i in range(grid.size)]
    return np.stack(columns, axis=1)


def condition_1(tables: Any) -> Any:
    """Whether each row satisfies Condition 1: the maxima, or the minima, fill an upper or a lower interval that is not everything."""
    import numpy as np

    found = np.zeros(len(tables), dtype=bool)
    for extreme in (tables.max(axis=1), tables.min(axis=1)):
        at = tables == extreme[:, None]
        proper = ~at.all(axis=1)
        upper = (np.diff(at.astype(np.int8), axis=1) >= 0).all(axis=1) & at[:, -1]
        lower = (np.diff(at.astype(np.int8), axis=1) <= 0).all(axis=1) & at[:, 0]
        found |= proper & (upper | lower)
    return found
