"""Weights of states that leave no room for many disjoint sets of them: a certificate that linear programming finds and a sum checks.

Where every set has at least ``least`` of the weight, at most (sum of all weights)/least of the sets are disjoint.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from verifier.running.errors import MissingExtraError

HEAVIEST = 35
"""The largest weight that is given: certificates write a weight as one letter or digit."""


@dataclass(frozen=True)
class Cover:
    """A weight for each state, by number, under which the sets that are covered have at least ``least``."""

    least: int
    weights: tuple[int, ...]

    @property
    def room(self) -> int:
        """How many disjoint sets can be covered."""
        return sum(self.weights) // self.least

    def covers(self, sets: Collection[tuple[int, ...]]) -> bool:
        """Whether each of the sets has the weight."""
        return all(sum(self.weights[s] for s in one) >= self.least for one in sets)


def tight_cover(sets: Collection[tuple[int, ...]], states: int, needed: int) -> Cover | None:
    """Whole weights, of states 0 … ``states`` − 1, that leave room for fewer than ``needed`` of the sets; None where none were found.

    Linear programming in floating point proposes the weights; that they cover the sets and how much room they leave is exact. None is more
    than ``least``, so that a set of one state has enough. Where it proposes no less than ``needed``, no whole weights leave less room.

    Raises:
        MissingExtraError: scipy is not installed.
    """
    try:
        from scipy.optimize import linprog
        from scipy.sparse import csr_matrix
    except ImportError:
        raise MissingExtraError("the search for weights needs scipy", "search") from None
    rows = [k for k, one in enumerate(sets) for _ in one]
    columns = [s for one in sets for s in one]
    matrix: Any = csr_matrix(([-1.0] * len(rows), (rows, columns)), shape=(len(sets), states))
    solved: Any = linprog([1.0] * states, A_ub=matrix, b_ub=[-1.0] * len(sets), bounds=(0, None), method="highs")
    if solved.status != 0 or solved.fun >= needed:
        return None
    for least in range(1, HEAVIEST + 1):
        for up in (0.5, 0.999):
            cover = Cover(least, tuple(int(w * least + up) for w in solved.x))
            if cover.room < needed and cover.covers(sets):
                return cover
    return None
