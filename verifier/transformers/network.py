"""A network at given parameters: its file with every map and number evaluated, and all its defects together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

import msgspec

from verifier.arithmetic.numbers import ZERO
from verifier.arithmetic.rationals import Fraction
from verifier.language.operands import check_given
from verifier.language.syntax import condition, tree_of
from verifier.networks.files import Checked
from verifier.networks.record_base import Expression, inside
from verifier.running.errors import LimitError, Path
from verifier.running.identifiers import meant
from verifier.transformers import formulas, records
from verifier.transformers.formulas import Constant, Map, linear, number, truth
from verifier.transformers.inputs import InputShape

Position = int
MOST_LAYERS = 1 << 10


@dataclass(frozen=True)
class Norm:
    entry: records.Norm
    eps: Constant
    gain: Mapping[str, Constant]
    shift: Mapping[str, Constant]

    @property
    def whole(self) -> Norm:
        """The norm of all its input coordinates."""
        return replace(self, entry=msgspec.structs.replace(self.entry, only=[]))


@dataclass(frozen=True)
class Head:
    """A head.

    masked: the score of a masked token; None: it takes no part.
    scaled: whether its scores are multiplied by ``scale``; a missing factor is no operation. ln2: whether its scores are in units of ln 2.
    """

    entry: records.Head
    query: tuple[Map, ...]
    key: tuple[Map, ...]
    value: Mapping[str, Map]
    scale: Constant
    masked: Constant | None
    angles: tuple[Constant, ...]
    norm: Norm | None = None
    visible: Callable[[Position, Position], bool] | None = field(default=None, compare=False)
    scaled: bool = True
    ln2: bool = False

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
    """A layer.

    combine: for each coordinate that attention sets, a map of the heads' outputs (``(h, name)``: head h, from 0).
    last_asks: whether only the last token asks and continues; its coordinates are the outputs of the heads, and then those of the network.
    """

    entry: records.Layer
    heads: tuple[Head, ...]
    combine: Mapping[str, tuple[tuple[tuple[int, str], Constant], ...]]
    network: FeedForward | None
    norms: Mapping[str, Norm]
    last_asks: bool = False


class Model:
    """The data that the definition runs. They are the names of coordinates, a vector for each token and position, layers, and a last
    norm.
    """

    coordinates: tuple[str, ...]
    layers: tuple[Layer, ...]
    final_norm: Norm | None

    def embedding(self, token: int, i: Position) -> Mapping[str, Any]:
        """The coordinates of a token at a position, before any rounding."""
        raise NotImplementedError

    def bias(self, head: Head, i: Position, j: Position) -> Constant:
        """A head's bias for the score of position j at i."""
        return ZERO

    def turn(self, angle: Constant, i: Position) -> tuple[Constant, Constant]:
        """The cosine and the sine of i times an angle."""
        raise NotImplementedError


@dataclass(frozen=True)
class Network(Model):
    """A file at a point of its parameters."""

    file: records.NetworkFile
    parameters: Mapping[str, int]
    names: Mapping[str, Any]
    coordinates: tuple[str, ...]
    input: InputShape
    layers: tuple[Layer, ...]
    final_norm: Norm | None
    logits: tuple[Map, ...]
    known: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def not_by_arrays(self) -> str:
        """Why only the definition runs the network, or empty if arrays, abstractions and exports know its kinds of attention."""
        others = sorted({head.entry.kind for layer in self.layers for head in layer.heads if head.entry.kind not in records.BY_ARRAYS})
        return f"attention of kind {others[0]}, which the definition alone computes" if others else ""

    def embedding(self, token: int, i: Position) -> dict[str, Constant]:
        """The coordinates of a token at a position, before any rounding."""
        if (token, i) not in self.known:
            self.known[token, i] = {name: self.coordinate(name, token, i) for name in self.file.embedding}
        found: dict[str, Constant] = self.known[token, i]
        return found

    @property
    def embedding_names(self) -> tuple[str, ...]:
        """The coordinates that the embedding sets."""
        return tuple(self.file.embedding)

    def bias(self, head: Head, i: Position, j: Position) -> Constant:
        """A head's bias for the score of position j at i."""
        first = self.file.input.first
        return (
            ZERO if head.entry.bias is None else number(head.entry.bias, {**self.names, "i": Fraction(i + first), "j": Fraction(j + first)})
        )

    def coordinate(self, name: str, token: int, i: Position) -> Constant:
        """A coordinate of a token, computed once for all tokens or positions that its formula does not distinguish."""
        formula = self.file.embedding[name]
        read = formulas.reads(formula, ("token", "i"))
        key = (name, token if "token" in read else None, i if "i" in read else None)
        if key not in self.known:
            names = {**self.names, "token": Fraction(token), "i": Fraction(i + self.file.input.first)}
            self.known[key] = number(formula, names)
        found: Constant = self.known[key]
        return found

    def turn(self, angle: Constant, i: Position) -> tuple[Constant, Constant]:
        """The cosine and the sine of i times an angle."""
        if ("turn", angle, i) not in self.known:
            self.known["turn", angle, i] = formulas.turn(angle, i + self.file.input.first)
        found: tuple[Constant, Constant] = self.known["turn", angle, i]
        return found


def network(file: records.NetworkFile, given: Mapping[str, int], name: str = "") -> Network:
    """The network at these parameters.

    Raises:
        FileDefects: all mistakes that show at this point.
        LimitError: too many layers.
    """
    if len(file.layer) > MOST_LAYERS:
        raise LimitError(f"{name or file.id}: {len(file.layer):,} layers, the limit is {MOST_LAYERS:,}", "fewer layers")
    return _Builder(file, inside(file, given)).network(name or file.id)


def set_coordinates(file: records.NetworkFile) -> list[str]:
    """The coordinates that a file sets, in its order."""
    found = dict.fromkeys(file.embedding)
    for layer in file.layer:
        found |= dict.fromkeys(layer.combine or [name for head in layer.head for name in head.value])
        found |= dict.fromkeys(layer.network.into if layer.network else ())
    return list(found)


class _Builder:
    """Evaluate a file, and collect its mistakes."""

    def __init__(self, file: records.NetworkFile, parameters: Mapping[str, int]) -> None:
        self.file, self.parameters = file, parameters
        self.checked = Checked()
        self.names = {name: Fraction(value) for name, value in parameters.items()}
        for key, formula in file.constants.items():
            found = self.checked(("constants", key), partial(number, formula, self.names))
            if isinstance(found, Fraction):
                self.names[key] = found
            elif found is not None:
                self.checked.add(("constants", key), "an irrational number; a rational one was expected, or the formula where it is used")
        self.coordinates = tuple(file.coordinates or set_coordinates(file))

    def network(self, name: str) -> Network:
        shape = self.checked(("input",), lambda: InputShape.of(self.file.input, self.names))
        if shape is None:
            self.checked.done(name)
            raise AssertionError
        self.names |= {word: Fraction(k) for word, k in shape.words.items() if word.isidentifier()}
        self._known(self.file.embedding, ("embedding",))
        layers = tuple(self._layer(entry, ("layer", k)) for k, entry in enumerate(self.file.layer))
        final = self.file.final_norm
        built = Network(
            self.file,
            self.parameters,
            self.names,
            self.coordinates,
            shape,
            layers,
            self._norm(final, ("final_norm",)) if final is not None else None,
            self._logits(shape),
        )
        at = {**self.names, "token": ZERO, "i": Fraction(self.file.input.first)}
        for coordinate, formula in self.file.embedding.items():
            self.checked(("embedding", coordinate), partial(number, formula, at))
        self._conditions(shape, len(layers))
        self.checked.done(name)
        return built

    def _conditions(self, shape: InputShape, layers: int) -> None:
        """Check that the conditions on inputs and on coordinates read existing names."""
        strings, output = {*shape.lengths, *self.names}, {*self.coordinates, *self.names}
        entry: Any = self.file.accept or self.file.choose or self.file.decode
        part = "accept" if self.file.accept else "choose" if self.file.choose else "decode"
        of_inputs, of_outputs = "such as popcount(w) % 2 == 1", "such as answer > 0"
        named = strings | ({"k"} if self.file.decode else set())
        self._reads(entry.function, named, (part, "function"), of_inputs if self.file.accept else "")
        if self.file.input.promise != "none":
            self._reads(self.file.input.promise, strings, ("input", "promise"), of_inputs)
        for name in shape.lengths:
            if name not in {entry[0] for entry in shape.layout if not isinstance(entry, int)} and shape.lengths[name]:
                self.checked.add(("input", "tokens"), f"the string {name} is never read")
        if self.file.decode is None:
            self.checked((part, "at"), lambda: shape.place(entry.at, self.names, len(shape.layout), self.file.input.first))
        if self.file.accept:
            self._reads(self.file.accept.yes, output, ("accept", "yes"), of_outputs)
            if self.file.accept.no:
                self._reads(self.file.accept.no, output, ("accept", "no"), of_outputs)
        for k, expected in enumerate(self.file.expect):
            if not 0 <= expected.after <= layers:
                self.checked.add(("expect", k, "after"), f"{expected.after}; a layer from 1 to {layers}, or 0, was expected")
            self._reads(expected.holds, {*strings, *output, "i", "token"}, ("expect", k, "holds"), of_outputs)

    def _reads(self, formula: Expression, known: set[str], path: Path, expected: str) -> None:
        """Check the names that a formula reads. expected: an example if it is a condition, else empty."""
        functions = {**formulas.of_strings(dict.fromkeys(self.file.input.strings, ()), 2)[1], **formulas.ANGLES}

        def check() -> None:
            tree = condition(formula, expected) if expected else tree_of(formula)
            check_given(tree, dict.fromkeys(sorted(known | {"pi"})), functions)

        self.checked(path, check)

    def _logits(self, shape: InputShape) -> tuple[Map, ...]:
        """The map of each symbol's logit."""
        part = "choose" if self.file.choose else "decode"
        entry = self.file.choose or self.file.decode
        if entry is None:
            return ()
        if bool(entry.logit) == bool(entry.logits):
            self.checked.add((part,), "one of logit and logits was expected")
            return ()
        if entry.logits:
            if list(entry.logits) != list(shape.alphabet):
                self.checked.add((part, "logits"), f"a logit of each symbol, {', '.join(shape.alphabet)}, was expected in this order")
            return tuple(self._maps(entry.logits, self.coordinates, (part, "logits")).values())
        maps = []
        for c in range(len(shape.alphabet)):
            names = {**self.names, "c": Fraction(c)}
            maps.append(self.checked((part, "logit"), partial(linear, entry.logit, self.coordinates, names)) or Map(()))
        return tuple(maps)

    def _known(self, assigned: Mapping[str, object], path: Path) -> None:
        for name in assigned:
            if name not in self.coordinates:
                hint = meant(name, self.coordinates, f"one of {', '.join(self.coordinates)} was expected")
                self.checked.add((*path, name), f"no coordinate {name!r}; {hint}")

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
        """The condition ``where`` on two positions; each pair is evaluated once."""
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
