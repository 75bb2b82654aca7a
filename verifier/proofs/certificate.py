"""The cases of a proof, as a reader checks them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from verifier.arithmetic.rationals import Fraction
from verifier.language.tree import Node
from verifier.proofs.symbolic_truth import Line

Point: TypeAlias = Mapping[str, int]
Check: TypeAlias = Callable[[Node, Point], bool]
"""The truth of a condition at a point."""


@dataclass(frozen=True)
class Where:
    """A case: the parameters as formulas in slacks, and what the slacks are in terms of the parameters, all integers ≥ 0."""

    text: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    slacks: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Part:
    """A condition in one case: lines that show it, or a point that exact values decide, or neither where the case is outside the domain."""

    condition: str
    where: Where
    lines: tuple[Line, ...] = ()
    point: Point | None = None

    def __str__(self) -> str:
        if self.point is not None:
            return f"{self.where.text}: exact values"
        return f"{self.where.text}: " + ("; ".join(map(str, self.lines)) or "outside the domain")


def at_point(point: Point) -> Where:
    """The case of one assignment."""
    return Where(shown(point), {name: str(value) for name, value in point.items()})


def shown(point: Mapping[str, int | Fraction]) -> str:
    """An assignment as ``p = 3, s = 1``."""
    return ", ".join(f"{name} = {value}" for name, value in point.items())
