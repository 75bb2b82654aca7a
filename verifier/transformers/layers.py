"""The layers of a network at given parameters, with every map and number worked out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import msgspec

from verifier.transformers import records
from verifier.transformers.formulas import Constant, Map

Position = int


@dataclass(frozen=True)
class Norm:
    entry: records.Norm
    eps: Constant
    gain: Mapping[str, Constant]
    shift: Mapping[str, Constant]


@dataclass(frozen=True)
class Head:
    """A head. masked: the score of a masked token; None: it takes no part."""

    entry: records.Head
    query: tuple[Map, ...]
    key: tuple[Map, ...]
    value: Mapping[str, Map]
    scale: Constant
    masked: Constant | None
    angles: tuple[Constant, ...]
    norm: Norm | None = None
    visible: Callable[[Position, Position], bool] | None = field(default=None, compare=False)

    @property
    def uniform(self) -> bool:
        """Whether all scores are equal, whatever the input is."""
        return not self.query and self.entry.bias is None and not self.entry.where

    def sees(self, i: Position, j: Position) -> bool:
        """Whether the mask lets position i attend to j."""
        allowed = {"none": True, "causal": j <= i, "strictly-causal": j < i}[self.entry.mask]
        return allowed and (self.visible is None or self.visible(i, j))


@dataclass(frozen=True)
class FeedForward:
    entry: records.FeedForward
    hidden: Mapping[str, Map]
    gate: Mapping[str, Map]
    into: Mapping[str, Map]
    factor: Constant | None = None


@dataclass(frozen=True)
class Layer:
    """combine: for each coordinate that attention sets, a map of what the heads give (``(h, name)``: head h, from 0)."""

    entry: records.Layer
    heads: tuple[Head, ...]
    combine: Mapping[str, tuple[tuple[tuple[int, str], Constant], ...]]
    network: FeedForward | None
    norms: Mapping[str, Norm]


def whole(norm: records.Norm) -> records.Norm:
    """A norm of all the coordinates that it is given."""
    return msgspec.structs.replace(norm, only=[])
