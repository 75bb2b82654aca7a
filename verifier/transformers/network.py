"""A network at given parameters: its file with every map and number worked out, and its mistakes all told at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from verifier.arithmetic.numbers import ZERO
from verifier.arithmetic.rationals import Fraction
from verifier.language.syntax import names_in
from verifier.networks.collected_defects import Checked
from verifier.networks.record_base import Expression
from verifier.running.errors import InputError, Path
from verifier.transformers import formulas, records
from verifier.transformers.formulas import Constant, Map, linear, number
from verifier.transformers.inputs import InputShape
from verifier.transformers.layer_files import LayerReader
from verifier.transformers.layers import Head, Layer, Norm, Position


@dataclass(frozen=True)
class Network:
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

    def embedding(self, token: int, i: Position) -> dict[str, Constant]:
        """The coordinates that a token has at a position, before any rounding."""
        if (token, i) not in self.known:
            self.known[token, i] = {name: self.coordinate(name, token, i) for name in self.file.embedding}
        found: dict[str, Constant] = self.known[token, i]
        return found

    @property
    def embedding_names(self) -> tuple[str, ...]:
        """The coordinates that the embedding sets."""
        return tuple(self.file.embedding)

    def bias(self, head: Head, i: Position, j: Position) -> Constant:
        """What a head adds to the score of position j at i."""
        first = self.file.input.first
        return (
            ZERO if head.entry.bias is None else number(head.entry.bias, {**self.names, "i": Fraction(i + first), "j": Fraction(j + first)})
        )

    def coordinate(self, name: str, token: int, i: Position) -> Constant:
        """A coordinate of a token, worked out once for all tokens or positions that its formula does not tell apart."""
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


def complete(file: records.NetworkFile, given: Mapping[str, int]) -> dict[str, int]:
    """The parameters with their defaults.

    Raises:
        InputError: one is missing, unknown, or outside its condition.
    """
    values: dict[str, int] = {}
    for name, entry in file.parameters.items():
        if name not in given and entry.default is None:
            raise InputError(f"{file.id}: a value of {name} was expected")
        known = {key: Fraction(value) for key, value in values.items()}
        values[name] = given[name] if name in given else formulas.integer(entry.default or 0, known)
        if not formulas.truth(entry.where, {**known, name: Fraction(values[name])}):
            raise InputError(f"{file.id}: {name} = {values[name]}, {entry.where} was expected")
    if unknown := given.keys() - values.keys():
        raise InputError(f"{file.id} has no parameter {min(unknown)}; it has {', '.join(values)}")
    return values


def admits(file: records.NetworkFile, given: Mapping[str, int]) -> bool:
    """Whether a file has a network at these parameters."""
    try:
        complete(file, given)
    except InputError:
        return False
    return True


def network(file: records.NetworkFile, given: Mapping[str, int], name: str = "") -> Network:
    """The network at these parameters.

    Raises:
        FileDefects: all mistakes that show at this point.
    """
    return _Builder(file, complete(file, given)).network(name or file.id)


def set_coordinates(file: records.NetworkFile) -> list[str]:
    """The coordinates that a file sets, in its order."""
    found = dict.fromkeys(file.embedding)
    for layer in file.layer:
        found |= dict.fromkeys(layer.combine or [name for head in layer.head for name in head.value])
        found |= dict.fromkeys(layer.network.into if layer.network else ())
    return list(found)


class _Builder(LayerReader):
    """Works a file out, and gathers its mistakes."""

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
        shape = self.checked(("input",), lambda: InputShape.of(self.file.input, self.names), "")
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
        """The conditions on inputs and on coordinates read names that there are."""
        strings, output = {*shape.lengths, *self.names}, {*self.coordinates, *self.names}
        entry: Any = self.file.accept or self.file.choose or self.file.decode
        part = "accept" if self.file.accept else "choose" if self.file.choose else "decode"
        self._reads(entry.function, strings | ({"k"} if self.file.decode else set()), (part, "function"))
        if self.file.input.promise != "none":
            self._reads(self.file.input.promise, strings, ("input", "promise"))
        for name in shape.lengths:
            if name not in {entry[0] for entry in shape.layout if not isinstance(entry, int)} and shape.lengths[name]:
                self.checked.add(("input", "tokens"), f"the string {name} is never read")
        if self.file.decode is None:
            self.checked((part, "at"), lambda: shape.place(entry.at, self.names, len(shape.layout), self.file.input.first))
        if self.file.accept:
            self._reads(self.file.accept.yes, output, ("accept", "yes"))
            if self.file.accept.no:
                self._reads(self.file.accept.no, output, ("accept", "no"))
        for k, expected in enumerate(self.file.expect):
            if not 0 <= expected.after <= layers:
                self.checked.add(("expect", k, "after"), f"{expected.after}; a layer from 1 to {layers}, or 0, was expected")
            self._reads(expected.holds, {*strings, *output, "i", "token"}, ("expect", k, "holds"))

    def _reads(self, formula: Expression, known: set[str], path: Path) -> None:
        free = self.checked(path, lambda: names_in(formula)) or frozenset()
        if unknown := free - known - {"pi"}:
            self.checked.add(path, f"no name {min(unknown)!r}; one of {', '.join(sorted(known))} was expected")

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
