"""The sets N, S, BN and BS of one activation for every bias: the answers that ``verify sets`` prints, as plain data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from constructions.fixed_point_networks.mathematics.rounded_activations import Table
from constructions.fixed_point_networks.mathematics.sets import reach
from constructions.fixed_point_networks.mathematics.weighted_sums import sums_reaching
from verifier.arithmetic.rationals import Fraction


@dataclass(frozen=True)
class SetAnswer:
    """One of the sets of a rounded activation: its sums run over ``step``/s² · Z, and biases that differ by ``period`` levels (0: any two)
    behave alike. ``lacks``: for each bias asked for, in levels, the missing level nearest 0, or None where the set is everything."""

    kind: str
    table: Table
    step: int
    period: int
    lacks: Mapping[int, int | None]

    @property
    def full(self) -> list[int]:
        """The biases for which the set is Q_{p,s}."""
        return [beta for beta, level in self.lacks.items() if level is None]

    @property
    def missing(self) -> dict[int, int]:
        """For every other bias the level nearest 0 that is missing."""
        return {beta: level for beta, level in self.lacks.items() if level is not None}

    @property
    def group(self) -> str:
        """Over which numbers the sums run."""
        return f"multiples of {Fraction(self.step, self.table.grid.s**2)}" if self.step else "0"

    def values(self, beta: int) -> list[int]:
        """The set at a bias, in levels, ascending."""
        return sorted(reach(self.kind, self.table).reached(beta))

    def sums(self, beta: int) -> dict[str, list[list[str]]]:
        """For each value (times, weight, output or gap) of a sum that reaches it, at a bias where the set is everything."""
        found, show = sums_reaching(self.kind, self.table, beta), self.table.grid.show
        assert found is not None
        return {show(q): [[str(n), show(w), show(x)] for (w, x), n in Counter(terms).items()] for q, terms in found.items()}

    def data(self) -> dict[str, Any]:
        """The answer with every number as an exact string."""
        show = self.table.grid.show
        return {
            "set": self.kind,
            "sums": self.group,
            "period": show(self.period) if self.period else None,
            "biases": [
                {"b": show(beta), "everything": True, "sums": self.sums(beta)}
                if level is None
                else {"b": show(beta), "everything": False, "missing": show(level), "values": list(map(show, self.values(beta)))}
                for beta, level in self.lacks.items()
            ],
        }


def set_answer(kind: str, table: Table, betas: Iterable[int] | None = None) -> SetAnswer:
    """One of the sets at these biases (in levels); at one bias of every class where none are given."""
    sets = reach(kind, table)
    period = sets.classes if sets.step else 0
    chosen = range(period or 1) if betas is None else betas
    return SetAnswer(kind, table, sets.step, period, {beta: sets.missing(beta) for beta in chosen})
