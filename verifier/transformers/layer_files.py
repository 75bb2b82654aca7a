"""The layers of a network file worked out, and their defects gathered."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from verifier.arithmetic.numbers import ZERO
from verifier.arithmetic.rationals import Fraction
from verifier.networks.collected_defects import Checked
from verifier.networks.record_base import Expression
from verifier.running.errors import Path
from verifier.transformers import records
from verifier.transformers.formulas import Constant, Map, linear, number, truth
from verifier.transformers.layers import FeedForward, Head, Layer, Norm, Position


class LayerReader:
    """Works out the layers of a file, and gathers their defects.

    names: what a formula may read, beside coordinates.
    """

    file: records.NetworkFile
    checked: Checked
    names: dict[str, Any]
    coordinates: tuple[str, ...]

    def _known(self, assigned: Mapping[str, object], path: Path) -> None:
        for name in assigned:
            if name not in self.coordinates:
                self.checked.add((*path, name), f"no coordinate {name!r}; one of {', '.join(self.coordinates)} was expected")

    def _map(self, formula: Expression, order: Sequence[str], path: Path) -> Map:
        return self.checked(path, lambda: linear(formula, order, self.names)) or Map(())

    def _maps(self, formulas: Mapping[str, Expression], order: Sequence[str], path: Path) -> dict[str, Map]:
        return {name: self._map(formula, order, (*path, name)) for name, formula in formulas.items()}

    def _number(self, formula: Expression, path: Path) -> Constant:
        found = self.checked(path, lambda: number(formula, self.names))
        return ZERO if found is None else found

    def _layer(self, entry: records.Layer, path: Path) -> Layer:
        heads = tuple(self._head(head, entry, (*path, "head", k)) for k, head in enumerate(entry.head))
        given: dict[str, list[tuple[int, str]]] = {}
        for h, head in enumerate(heads):
            for name in head.value:
                given.setdefault(name, []).append((h, name))
        if entry.combine:
            self._known(entry.combine, (*path, "combine"))
            maps = self._maps(entry.combine, list(given), (*path, "combine"))
            for name, form in maps.items():
                if form.constant != 0:
                    self.checked.add((*path, "combine", name), "a constant; a map of what the heads give was expected, without one")
            combine = {
                name: tuple((source, c) for source_name, c in form.terms for source in given[source_name]) for name, form in maps.items()
            }
        else:
            for h, head in enumerate(heads):
                self._known(head.value, (*path, "head", h, "value"))
            combine = {name: tuple((source, Fraction(1)) for source in sources) for name, sources in given.items()}
        norm = entry.norm or self.file.norm
        norm_path: Path = (*path, "norm") if entry.norm else ("norm",)
        norms = {str(block): self._norm(norm, norm_path) for block in norm.of} if norm is not None else {}
        return Layer(entry, heads, combine, self._network(entry.network, (*path, "network")), norms)

    def _head(self, entry: records.Head, layer: records.Layer, path: Path) -> Head:
        query, key = (
            tuple(self._map(formula, self.coordinates, (*path, part, k)) for k, formula in enumerate(formulas))
            for part, formulas in (("query", entry.query), ("key", entry.key))
        )
        if len(query) != len(key):
            self.checked.add((*path, "key"), f"{len(key)} maps; {len(query)} were expected, as many as of the query")
        if entry.rotary and len(entry.rotary) * 2 != len(query):
            self.checked.add(
                (*path, "rotary"), f"{len(entry.rotary)} angles; one for each two of the query's {len(query)} entries was expected"
            )
        if entry.bias is not None:
            at = {**self.names, "i": ZERO, "j": ZERO}
            self.checked((*path, "bias"), lambda: number(entry.bias, at))  # type: ignore[arg-type]
        scale = self._number(layer.scale, (*path[:-2], "scale")) if entry.scale is None else self._number(entry.scale, (*path, "scale"))
        masked = None if entry.masked == "-inf" else self._number(entry.masked, (*path, "masked"))
        angles = tuple(self._number(angle, (*path, "rotary", k)) for k, angle in enumerate(entry.rotary))
        norm = None
        if entry.normed is not None:
            norm = self._norm(records.Norm(eps=entry.normed, kind="rms"), (*path, "normed"))
        value = self._maps(entry.value, self.coordinates, (*path, "value"))
        return Head(entry, query, key, value, scale, masked, angles, norm, self._visible(entry, (*path, "where")))

    def _visible(self, entry: records.Head, path: Path) -> Callable[[Position, Position], bool] | None:
        """The condition ``where`` on two positions; each pair is worked out once."""
        if not entry.where:
            return None
        first = self.file.input.first
        self.checked(path, lambda: truth(entry.where, {**self.names, "i": ZERO, "j": ZERO}))

        @cache
        def visible(i: Position, j: Position) -> bool:
            return truth(entry.where, {**self.names, "i": Fraction(i + first), "j": Fraction(j + first)})

        return visible

    def _network(self, entry: records.FeedForward | None, path: Path) -> FeedForward | None:
        if entry is None:
            return None
        self._known(entry.into, (*path, "into"))
        if entry.gate and entry.gate.keys() != entry.hidden.keys():
            self.checked.add((*path, "gate"), f"gates of {', '.join(entry.gate)}; those of {', '.join(entry.hidden)} were expected")
        factor = None if entry.factor is None else self._number(entry.factor, (*path, "factor"))
        hidden, gate = (
            self._maps(each, self.coordinates, (*path, part)) for part, each in (("hidden", entry.hidden), ("gate", entry.gate))
        )
        return FeedForward(entry, hidden, gate, self._maps(entry.into, list(entry.hidden), (*path, "into")), factor)

    def _norm(self, entry: records.Norm, path: Path) -> Norm:
        for part in ("gain", "shift"):
            self._known(getattr(entry, part), (*path, part))
            if entry.only and (others := getattr(entry, part).keys() - set(entry.only)):
                self.checked.add((*path, part, min(others)), f"one of {', '.join(entry.only)} was expected, which the norm keeps")
        self._known(dict.fromkeys(entry.only), (*path, "only"))
        gain, shift = (
            {name: self._number(formula, (*path, part, name)) for name, formula in getattr(entry, part).items()}
            for part in ("gain", "shift")
        )
        return Norm(entry, self._number(entry.eps, (*path, "eps")), gain, shift)
