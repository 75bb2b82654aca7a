"""Condition 1: up to the signs α and β, ⌈σ⌉ takes its maximum exactly on an upper interval that is not all of Q_{p,s}.

Source: Section 3.2.1. Rounding is odd (ties away from zero), so ⌈ρ⌉(x) = α⌈σ⌉(βx) where σ(x) = αρ(βx).
"""

from __future__ import annotations

from dataclasses import dataclass

from constructions.fixed_point_networks.mathematics.rounded_activations import Table


@dataclass(frozen=True)
class Normal:
    """σ(x) = αρ(βx), with ⌈ρ⌉ as a table and z, the level from which ⌈ρ⌉ is maximal."""

    alpha: int
    beta: int
    z: int
    rho: Table

    @property
    def drop(self) -> int:
        """⌈ρ⌉(q_max) − ⌈ρ⌉(z − 1/s) in levels; positive."""
        return self.rho(self.rho.grid.top) - self.rho(self.z - 1)


SIGNS = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def normal_form(table: Table) -> Normal | None:
    """Condition 1's α, β, z and ρ, the first signs that work; None where the condition fails."""
    for alpha, beta in SIGNS:
        rho = Table(table.grid, tuple(alpha * v for v in table.levels[::beta]))
        z = threshold(rho)
        if z is not None:
            return Normal(alpha, beta, z, rho)
    return None


def threshold(rho: Table) -> int | None:
    """The level z > −top with ⌈ρ⌉(x) = max ⌈ρ⌉ if and only if x ≥ z; None where there is none."""
    maximum = max(rho.levels)
    at_maximum = [k for k in rho.grid.levels() if rho(k) == maximum]
    z = at_maximum[0]
    return z if z > -rho.grid.top and len(at_maximum) == rho.grid.top - z + 1 else None
