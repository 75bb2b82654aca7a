"""An object as a table: a transformer token by token, a network neuron by neuron, a sum term by term."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DrawnTable:
    """heading: what it is; title: of which parameters; heads and rows; ends: what comes of them, by name."""

    heading: str
    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    ends: tuple[tuple[str, str], ...] = ()
