"""The checker's transformers: reading one from a certificate.

A vector has a state for each coordinate. A map is the sum of the products of its coefficients with coordinates, in their order, its
constant last. A layer is attention, then a network on each position; each block may have a norm before or after it.
"""

from typing import NamedTuple

from .recheck_floats import Floats
from .recheck_reading import At

Vector = list[int]
KINDS = ("softmax", "softmax-plus-one", "linear", "leftmost", "rightmost", "average-hard")
ACTIVATIONS = ("relu", "clipped-relu", "step", "identity", "silu")
MASKS = ("none", "causal", "strictly-causal", "listed")
MOST_TOKENS, MOST_COORDINATES, MOST_WORDS = 4200, 256, 64


class Map(NamedTuple):
    """Coefficients by index, and the constant, if there is one."""

    terms: list[tuple[int, int]]
    constant: list[int]


class Norm(NamedTuple):
    """(x - mean)/sqrt(variance + eps), or x/sqrt(mean square + eps), times the gain, plus the shift; of the coordinates ``only``."""

    layer: bool
    before: bool
    eps: int
    only: list[int]
    gain: dict[int, int]
    shift: dict[int, int]


class Head(NamedTuple):
    """A head. turns: for each pair of entries the cosine and sine by position; bias, listed: rows by position."""

    kind: str
    negative: bool
    query: list[Map]
    key: list[Map]
    value: list[Map]
    scale: int
    mask: str
    listed: list[str]
    masked: list[int]
    bias: list[list[int]]
    turns: list[list[tuple[int, int]]]
    norm: list[Norm]

    def sees(self, i: int, j: int) -> bool:
        if self.mask == "listed":
            return self.listed[i][j] == "1"
        return self.mask == "none" or j < i or (j == i and self.mask == "causal")

    @property
    def uniform(self) -> bool:
        """Whether all scores are 0 and every token takes part."""
        return not self.query and not self.bias and self.mask == "none" and self.kind not in ("linear", "leftmost", "rightmost")


class Units(NamedTuple):
    """The network on each position: hidden units, their gates, and maps of them into coordinates."""

    activation: str
    hidden: list[Map]
    gate: list[Map]
    into: list[tuple[int, Map]]
    factor: list[int]
    residual: bool


class Layer(NamedTuple):
    """combine: for each coordinate that attention sets, (head, value, coefficient)."""

    heads: list[Head]
    combine: list[tuple[int, list[tuple[int, int, int]]]]
    residual: bool
    units: list[Units]
    attention_norm: list[Norm]
    network_norm: list[Norm]


class Layers:
    """A network as a certificate has it."""

    def __init__(self, given: At, floats: Floats) -> None:
        self.floats, self.limits = floats, floats.limits
        parts = given.record(
            "coordinates", "symbols", "letters", "words", "strings", "layout", "embedding", "layers", "final_norm", "output"
        )
        self.coordinates = [x.text() for x in parts["coordinates"].items()]
        if len(set(self.coordinates)) != len(self.coordinates) or not 0 < len(self.coordinates) <= MOST_COORDINATES:
            parts["coordinates"].refuse(f"a list of up to {MOST_COORDINATES} different names")
        self.index = {name: k for k, name in enumerate(self.coordinates)}
        self.symbols = [x.text() for x in parts["symbols"].items()]
        self.words = parts["words"].integer(2, MOST_WORDS)
        if not 2 <= len(self.symbols) <= self.words or len(set(self.symbols)) != len(self.symbols):
            parts["symbols"].refuse("two or more different symbols, no more than words,")
        self.letters = parts["letters"].integer(2, len(self.symbols))
        self.strings = {name: x.integer(0, MOST_TOKENS) for name, x in parts["strings"].names().items()}
        self.layout = [self.entry(x) for x in parts["layout"].items()]
        self.output = parts["output"]
        self.embedding = [self.vectors(x) for x in parts["embedding"].items()]
        self.positions = len(self.embedding)
        if not 0 < len(self.layout) <= self.positions <= MOST_TOKENS:
            parts["embedding"].refuse(f"a record for each token, up to {MOST_TOKENS},")
        self.layers = [self.layer(x) for x in parts["layers"].items()]
        self.final_norm = self.optional_norm(parts["final_norm"])

    def entry(self, given: At) -> int | tuple[str, int]:
        """A word, or a place of a string, ``[name, place]`` from 0."""
        if not isinstance(given.data, list):
            return given.integer(0, self.words - 1)
        name, place = given.items(2)
        return name.one_of(*self.strings), place.integer(0, self.strings[name.text()] - 1)

    def vectors(self, given: At) -> dict[int, Vector]:
        """The vector of each word that may stand at a position."""
        found: dict[int, Vector] = {}
        for each in given.items():
            word, vector = each.items(2)
            found[word.integer(0, self.words - 1)] = [self.floats.constant(x) for x in vector.items(len(self.coordinates))]
        return found

    def coordinate(self, given: At) -> int:
        return self.index[given.one_of(*self.coordinates)]

    def map(self, given: At, most: int | None = None) -> Map:
        """Of coordinates, or of so many hidden units; indices ascend."""
        terms, constant = (part.items() for part in given.items(2))
        found: list[tuple[int, int]] = []
        for each in terms:
            place, coefficient = each.items(2)
            lowest = found[-1][0] + 1 if found else 0
            found.append((place.integer(lowest, (len(self.coordinates) if most is None else most) - 1), self.floats.constant(coefficient)))
        if len(constant) > 1:
            given.refuse("at most one constant")
        return Map(found, [self.floats.constant(x) for x in constant])

    def maps(self, given: At, most: int | None = None) -> list[Map]:
        return [self.map(x, most) for x in given.items()]

    def optional_norm(self, given: At) -> list[Norm]:
        return [self.norm(x) for x in given.items(len(given.items()[:1]))]

    def norm(self, given: At) -> Norm:
        parts = given.record("kind", "place", "eps", "only", "gain", "shift")
        only = sorted(self.coordinate(x) for x in parts["only"].items())
        gain, shift = (self.by_coordinate(parts[part]) for part in ("gain", "shift"))
        layer, before = parts["kind"].one_of("layer", "rms") == "layer", parts["place"].one_of("before", "after") == "before"
        if len(set(only)) != len(only) or (only and not {*gain, *shift} <= set(only)):
            parts["only"].refuse("different coordinates, those of gain and shift among them,")
        return Norm(layer, before, self.floats.constant(parts["eps"]), only or list(range(len(self.coordinates))), gain, shift)

    def by_coordinate(self, given: At) -> dict[int, int]:
        found: dict[int, int] = {}
        for each in given.items():
            name, x = each.items(2)
            found[self.coordinate(name)] = self.floats.constant(x)
        if len(found) != len(given.data):
            given.refuse("different coordinates")
        return found

    def head(self, given: At) -> Head:
        parts = given.record(
            "kind", "score", "query", "key", "value", "scale", "mask", "listed", "masked", "bias", "turns", "normed"
        )  # fmt: skip
        constant = self.floats.constant
        query, key = self.maps(parts["query"]), self.maps(parts["key"])
        if len(query) != len(key):
            parts["key"].refuse("as many maps as of the query")
        mask = parts["mask"].one_of(*MASKS)
        listed = [x.text() for x in parts["listed"].items(self.positions if mask == "listed" else 0)]
        if any(len(row) != self.positions or set(row) - {"0", "1"} for row in listed):
            parts["listed"].refuse(f"texts of {self.positions} characters 0 and 1")
        masked = [constant(x) for x in parts["masked"].items(len(parts["masked"].items()[:1]))]
        bias = [[constant(x) for x in row.items(self.positions)] for row in parts["bias"].items()]
        if len(bias) not in (0, self.positions):
            parts["bias"].refuse("a row for each position, or none")
        turns = [[self.pair(x) for x in row.items(self.positions)] for row in parts["turns"].items()]
        if turns and 2 * len(turns) != len(query):
            parts["turns"].refuse("a turn for each two entries of the query")
        norm = []
        for eps in parts["normed"].items(len(parts["normed"].items()[:1])):
            norm = [Norm(False, True, constant(eps), list(range(len(query))), {}, {})]
        negative = parts["score"].one_of("product", "minus-absolute") != "product"
        value, scale = self.maps(parts["value"]), constant(parts["scale"])
        return Head(parts["kind"].one_of(*KINDS), negative, query, key, value, scale, mask, listed, masked, bias, turns, norm)

    def pair(self, given: At) -> tuple[int, int]:
        cosine, sine = given.items(2)
        return self.floats.constant(cosine), self.floats.constant(sine)

    def layer(self, given: At) -> Layer:
        parts = given.record("heads", "combine", "residual", "network", "attention_norm", "network_norm")
        heads = [self.head(x) for x in parts["heads"].items()]
        combine: list[tuple[int, list[tuple[int, int, int]]]] = []
        for each in parts["combine"].items():
            name, sources = each.items(2)
            combine.append((self.coordinate(name), []))
            for source in sources.items():
                h, value, c = source.items(3)
                which = h.integer(0, len(heads) - 1)
                combine[-1][1].append((which, value.integer(0, len(heads[which].value) - 1), self.floats.constant(c)))
        if len({c for c, _ in combine}) != len(combine) or (combine and not heads):
            parts["combine"].refuse("different coordinates, of some heads")
        units = [self.units(x) for x in parts["network"].items(len(parts["network"].items()[:1]))]
        norms = [self.optional_norm(parts[part]) for part in ("attention_norm", "network_norm")]
        return Layer(heads, combine, parts["residual"].flag(), units, *norms)

    def units(self, given: At) -> Units:
        parts = given.record("activation", "hidden", "gate", "into", "factor", "residual")
        hidden, gate = self.maps(parts["hidden"]), self.maps(parts["gate"])
        if len(gate) not in (0, len(hidden)):
            parts["gate"].refuse("a gate for each hidden unit, or none")
        into: list[tuple[int, Map]] = []
        for each in parts["into"].items():
            name, form = each.items(2)
            into.append((self.coordinate(name), self.map(form, len(hidden))))
        if len({c for c, _ in into}) != len(into):
            parts["into"].refuse("different coordinates")
        factor = [self.floats.constant(x) for x in parts["factor"].items(len(parts["factor"].items()[:1]))]
        return Units(parts["activation"].one_of(*ACTIVATIONS), hidden, gate, into, factor, parts["residual"].flag())
