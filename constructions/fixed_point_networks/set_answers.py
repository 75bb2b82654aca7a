"""What N, S, BN and BS of one activation are, for every bias: the answers that ``verify sets`` prints, as plain data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from constructions.fixed_point_networks.activations import Table
from constructions.fixed_point_networks.combination import Everything, Missing, answer
from constructions.fixed_point_networks.grid import FixedPoint
from constructions.fixed_point_networks.sets import Reach, reach


@dataclass(frozen=True)
class SetAnswer:
    """One of the sets: its sums run over ``step``/s² · Z, and biases that differ by ``period`` levels (0: any two) behave alike."""

    kind: str
    grid: FixedPoint
    step: int
    period: int
    answers: Mapping[int, Everything | Missing]

    @property
    def full(self) -> list[int]:
        """The classes of biases for which the set is Q_{p,s}, of those asked for."""
        return [beta for beta, found in self.answers.items() if isinstance(found, Everything)]

    @property
    def missing(self) -> dict[int, int]:
        """For every other class the level nearest 0 that is missing."""
        return {beta: found.level for beta, found in self.answers.items() if isinstance(found, Missing)}

    def data(self) -> dict[str, Any]:
        """The answer with every number as an exact string; ``sums`` has, for each value, (times, weight, output or gap) of its sum."""
        return {
            "set": self.kind,
            "sums": f"multiples of {Fraction(self.step, self.grid.s**2)}" if self.step else "0",
            "biases": [self._bias(beta, found) for beta, found in self.answers.items()],
            "period": self.grid.show(self.period) if self.period else None,
        }

    def _bias(self, beta: int, found: Everything | Missing) -> dict[str, Any]:
        show = self.grid.show
        if isinstance(found, Missing):
            return {"b": show(beta), "everything": False, "missing": show(found.level)}
        sums = {show(q): [[str(n), show(w), show(x)] for (w, x), n in Counter(terms).items()] for q, terms in found.reached.items()}
        return {"b": show(beta), "everything": True, "sums": sums}


def set_answer(kind: str, table: Table, betas: Iterable[int] | None = None) -> SetAnswer:
    """One of the sets at these biases (in levels); at one bias of every class where none are given."""
    sets = reach(kind, table)
    period = period_of(sets)
    chosen = range(period or 1) if betas is None else betas
    return SetAnswer(kind, table.grid, sets.step, period, {beta: answer(kind, table, beta) for beta in chosen})


def period_of(sets: Reach) -> int:
    """Biases that differ by a multiple of this many levels reach the same set; 0 where the sums are 0 alone, and every bias is another."""
    return sets.classes if sets.step else 0
