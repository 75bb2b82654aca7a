"""The network of a certificate: reading one, and running it on tokens, one rounded operation after another.

To be believed, if this file is right: ``run`` computes what the record of the network says, in the certificate's arithmetic; and for a head
whose tokens hold any contents, ``Asking`` has what each content adds to the sums from which ``Attention`` computes what the head gives.

A token reads some symbols of the strings and has a vector for each of their contents, the first symbol the most significant; a vector has a
state for each coordinate. A map is the sum of the products of its coefficients with coordinates, in their order, its constant last. A layer
is heads, a network on each position, or nothing, with a norm before or after it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from operator import add, itemgetter
from typing import Any, NamedTuple

from .recheck_numbers import INF, NAN, Numbers, chain
from .recheck_reading import At, Rejected

Vector = list[Any]
Symbol = tuple[str, int]  # a place of a string, from 0
KINDS = ("softmax", "softmax-plus-one", "linear", "leftmost", "rightmost", "average-hard")
SOFTMAX = ("softmax", "softmax-plus-one")
ACTIVATIONS = ("relu", "clipped-relu", "step", "identity", "silu")
MOST_TOKENS, MOST_COORDINATES, MOST_CONTENTS, MOST_SYMBOLS = 4200, 256, 1 << 16, 64


class Map(NamedTuple):
    """Coefficients by index, and the constant, if there is one."""

    terms: list[tuple[int, Any]]
    constant: list[Any]


class Norm(NamedTuple):
    """(x - mean)/sqrt(variance + eps), or x/sqrt(mean square + eps), times the gain, plus the shift; of the coordinates ``only``."""

    layer: bool
    eps: Any
    only: list[int]
    gain: dict[int, Any]
    shift: dict[int, Any]


class Head(NamedTuple):
    """A head.

    columns: the coordinates that its values read; turns: for each pair of entries the cosine and sine by position; bias, seen: rows, or
    none, by position; power: whether weights are powers of 2, the scores being in units of an exact ln 2.
    """

    kind: str
    negative: bool
    power: bool
    query: list[Map]
    key: list[Map]
    value: list[Map]
    columns: list[int]
    scale: list[Any]
    seen: list[str]
    masked: list[Any]
    bias: list[list[Any]]
    turns: list[list[tuple[Any, Any]]]
    norm: list[Norm]

    def sees(self, i: int, j: int) -> bool:
        return not self.seen or self.seen[i][j] == "1"

    @property
    def uniform(self) -> bool:
        """Whether all scores are 0 and every token takes part."""
        return not self.query and not self.bias and not self.seen and self.kind not in ("linear", "leftmost", "rightmost")


class Units(NamedTuple):
    """The network on each position: hidden units, their gates, and maps of them into coordinates, each times a factor."""

    activation: str
    hidden: list[Map]
    gate: list[Map]
    into: dict[int, Map]
    factor: list[Any]


class Layer(NamedTuple):
    """Heads, or units: what they read may be normed ``before``, and what they leave ``after``.

    combine: for each coordinate that heads set, (head, value, coefficient). residual: what is set is added to what was there; otherwise
    coordinates that are not set become 0.
    """

    before: list[Norm]
    heads: list[Head]
    combine: dict[int, list[tuple[int, int, Any]]]
    units: list[Units]
    residual: bool
    after: list[Norm]


class Token(NamedTuple):
    """reads: the symbols that it holds; vectors: by their content, none where the token takes no part."""

    reads: list[Symbol]
    vectors: list[Vector]


class Network:
    """A network of a certificate, in an arithmetic."""

    def __init__(self, given: At, numbers: Numbers) -> None:
        self.numbers, self.limits = numbers, numbers.limits
        parts = given.record("coordinates", "symbols", "letters", "strings", "tokens", "outputs", "layers", "output")
        self.coordinates = [x.text() for x in parts["coordinates"].items()]
        if len(set(self.coordinates)) != len(self.coordinates) or not 0 < len(self.coordinates) <= MOST_COORDINATES:
            parts["coordinates"].refuse(f"a list of up to {MOST_COORDINATES} different names")
        self.index = {name: k for k, name in enumerate(self.coordinates)}
        self.symbols = [x.text() for x in parts["symbols"].items()]
        named = {x for x in self.symbols if x.split() == [x] and x != "nan"}  # an answer is these words, each of one meaning
        if not 2 <= len(self.symbols) <= MOST_SYMBOLS or len(named) != len(self.symbols):
            parts["symbols"].refuse(f"2 to {MOST_SYMBOLS} different symbols without spaces, none of them nan,")
        self.letters = parts["letters"].integer(2, len(self.symbols))
        self.strings = {name: x.integer(0, MOST_TOKENS) for name, x in parts["strings"].names().items()}
        if any(not name.isidentifier() or not name.isascii() for name in self.strings):
            parts["strings"].refuse("strings with names of letters and digits")
        self.tokens = [self.token(x) for x in parts["tokens"].items()]
        self.outputs = [[self.vector(x) for x in each.items(len(self.symbols))] for each in parts["outputs"].items()]
        if not len(self.tokens) > 0 or len(self.tokens) + len(self.outputs) > MOST_TOKENS:
            parts["tokens"].refuse(f"up to {MOST_TOKENS} tokens")
        self.embedding = [token.vectors for token in self.tokens] + self.outputs
        self.positions = len(self.embedding)
        self.layers = [self.layer(x) for x in parts["layers"].items()]
        self.output = parts["output"]
        self.check_absent(parts["tokens"])

    # ---- reading

    def token(self, given: At) -> Token:
        reads, vectors = given.items(2)
        found: list[Symbol] = []
        for each in reads.items():
            name, place = each.items(2)
            found.append((name.one_of(*self.strings), place.integer(0, self.strings[name.text()] - 1)))
        if self.letters ** len(found) > MOST_CONTENTS:
            reads.refuse(f"symbols of at most {MOST_CONTENTS} contents")
        return Token(found, [self.vector(x) if x.data != [] else [] for x in vectors.items(self.letters ** len(found))])

    def vector(self, given: At) -> Vector:
        return [self.numbers.constant(x) for x in given.items(len(self.coordinates))]

    def check_absent(self, given: At) -> None:
        """A token that takes no part stands before heads in the first layer, and no others."""
        if any(not x for token in self.tokens for x in token.vectors) and [k for k, layer in enumerate(self.layers) if layer.heads] != [0]:
            given.refuse("no token without a vector, but before heads in the first layer alone,")

    def coordinate(self, given: At) -> int:
        return self.index[given.one_of(*self.coordinates)]

    def map(self, given: At, most: int | None = None) -> Map:
        """Of coordinates, or of so many hidden units; indices ascend."""
        terms, constant = given.items(2)
        found: list[tuple[int, Any]] = []
        for each in terms.items():
            place, coefficient = each.items(2)
            lowest = found[-1][0] + 1 if found else 0
            found.append((place.integer(lowest, (len(self.coordinates) if most is None else most) - 1), self.numbers.constant(coefficient)))
        return Map(found, self.optional(constant))

    def maps(self, given: At, most: int | None = None) -> list[Map]:
        return [self.map(x, most) for x in given.items()]

    def norm(self, given: At) -> Norm:
        parts = given.record("kind", "eps", "only", "gain", "shift")
        only = sorted(self.coordinate(x) for x in parts["only"].items())
        gain, shift = (self.by_coordinate(parts[part], self.numbers.constant) for part in ("gain", "shift"))
        if len(set(only)) != len(only) or (only and not {*gain, *shift} <= set(only)):
            parts["only"].refuse("different coordinates, those of gain and shift among them,")
        layer, eps = parts["kind"].one_of("layer", "rms") == "layer", self.numbers.constant(parts["eps"])
        return Norm(layer, eps, only or list(range(len(self.coordinates))), gain, shift)

    def norms(self, given: At) -> list[Norm]:
        return [self.norm(x) for x in given.optional()]

    def by_coordinate(self, given: At, read: Callable[[At], Any]) -> dict[int, Any]:
        """A list of [coordinate, what is said of it], of different coordinates."""
        found: dict[int, Any] = {}
        for each in given.items():
            name, x = each.items(2)
            if self.coordinate(name) in found:
                given.refuse("different coordinates")
            found[self.coordinate(name)] = read(x)
        return found

    def by_position(self, given: At, read: Callable[[At], Any], rows: tuple[int, ...]) -> list[list[Any]]:
        """So many rows, with an entry for each position."""
        found = [[read(x) for x in row.items(self.positions)] for row in given.items()]
        if len(found) not in rows:
            given.refuse(f"{' or '.join(map(str, rows))} rows, one for each that it is about,")
        return found

    def optional(self, given: At) -> list[Any]:
        return [self.numbers.constant(x) for x in given.optional()]

    def pair(self, given: At) -> tuple[Any, Any]:
        cosine, sine = given.items(2)
        return self.numbers.constant(cosine), self.numbers.constant(sine)

    def head(self, given: At) -> Head:
        parts = given.record(
            "kind", "score", "base", "query", "key", "value", "scale", "seen", "masked", "bias", "turns", "normed"
        )  # fmt: skip
        query, key, value = self.maps(parts["query"]), self.maps(parts["key"]), self.maps(parts["value"])
        if len(query) != len(key):
            parts["key"].refuse("as many maps as of the query")
        if not value:
            parts["value"].refuse("a value or more")
        seen = [x.text() for x in parts["seen"].items()]
        if len(seen) not in (0, self.positions) or any(len(row) != self.positions or set(row) - {"0", "1"} for row in seen):
            parts["seen"].refuse(f"none or {self.positions} texts of as many characters 0 and 1")
        bias = self.by_position(parts["bias"], self.numbers.constant, (0, self.positions))
        turns = self.by_position(parts["turns"], self.pair, (0, len(query) // 2) if len(query) % 2 == 0 else (0,))
        norm = [Norm(False, eps, list(range(len(query))), {}, {}) for eps in self.optional(parts["normed"])]
        negative, power = parts["score"].one_of("product", "minus-absolute") != "product", parts["base"].one_of("e", "2") == "2"
        kind, scale, masked = parts["kind"].one_of(*KINDS), self.optional(parts["scale"]), self.optional(parts["masked"])
        if power and kind not in ("softmax", "linear"):
            parts["base"].refuse("base e, but of softmax and linear attention,")
        columns = sorted({c for form in value for c, _ in form.terms})
        if self.numbers.knobs["attention"] != "values" and any(form.constant for form in value):
            parts["value"].refuse("values without constants, where coordinates are summed,")
        return Head(kind, negative, power, query, key, value, columns, scale, seen, masked, bias, turns, norm)

    def layer(self, given: At) -> Layer:
        parts = given.record("before", "heads", "combine", "units", "residual", "after")
        heads, units = [self.head(x) for x in parts["heads"].items()], [self.units(x) for x in parts["units"].optional()]
        combine = self.by_coordinate(parts["combine"], lambda sources: [self.source(source, heads) for source in sources.items()])
        if units and (heads or combine):
            parts["units"].refuse("no units beside heads")
        before, after = self.norms(parts["before"]), self.norms(parts["after"])
        return Layer(before, heads, combine, units, parts["residual"].flag(), after)

    def source(self, given: At, heads: list[Head]) -> tuple[int, int, Any]:
        """What a coordinate is made of: a head, which of its values, and a coefficient."""
        head, value, coefficient = given.items(3)
        h = head.integer(0, len(heads) - 1)
        return h, value.integer(0, len(heads[h].value) - 1), self.numbers.constant(coefficient)

    def units(self, given: At) -> Units:
        parts = given.record("activation", "hidden", "gate", "into", "factor")
        hidden, gate = self.maps(parts["hidden"]), self.maps(parts["gate"])
        if len(gate) not in (0, len(hidden)):
            parts["gate"].refuse("a gate for each hidden unit, or none")
        into = self.by_coordinate(parts["into"], lambda form: self.map(form, len(hidden)))
        return Units(parts["activation"].one_of(*ACTIVATIONS), hidden, gate, into, self.optional(parts["factor"]))

    # ---- running

    def content(self, j: int, symbols: Sequence[int]) -> int:
        """The number of a token's vector, for the symbols that it reads."""
        total = 0
        for symbol in symbols:
            total = total * self.letters + symbol
        return total

    def run(self, vectors: list[Vector], at: int) -> Vector:
        """The coordinates at a position at the end, for tokens with these vectors."""
        self.limits.spend(2 * len(vectors) * (1 + len(self.layers)))
        for k, layer in enumerate(self.layers):
            read = self.read(layer, vectors) if layer.heads else vectors
            keyed = [[self.keys(head, x, j) for j, x in enumerate(read)] for head in layer.heads]
            asked = range(len(vectors)) if any(later.heads for later in self.layers[k + 1 :]) else range(at, at + 1)
            vectors, at = [self.after(layer, vectors[i], self.gathered(layer, i, read[i], keyed)) for i in asked], asked.index(at)
        return vectors[at]

    def applied(self, form: Map, x: Vector) -> Any:
        numbers = self.numbers
        terms: list[tuple[Any, Any] | None] = [(c, x[k]) for k, c in form.terms]
        if form.constant and numbers.knobs["constants"] == "added":
            return numbers.add(numbers.dot(terms), form.constant[0])
        if not numbers.in_order:  # then a term that is 0 has its place
            given = dict(form.terms)
            terms = [(given[k], value) if k in given else None for k, value in enumerate(x)]
        return numbers.dot([*terms, *((c, numbers.one) for c in form.constant)])

    def read(self, layer: Layer, vectors: list[Vector]) -> list[Vector]:
        """What a layer reads."""
        return [self.normed(x, layer.before[0]) if layer.before and x else x for x in vectors]

    def keys(self, head: Head, x: Vector, j: int) -> tuple[tuple[Any, ...] | None, Vector]:
        """The key of a token that takes part, and what its weight multiplies: values, or the coordinates that values read."""
        if not x:
            return None, []
        key = tuple(self.turned(head, [self.applied(form, x) for form in head.key], j))
        if self.numbers.knobs["attention"] == "values":
            return key, [self.applied(form, x) for form in head.value]
        return key, [x[c] for c in head.columns]

    def turned(self, head: Head, entries: Vector, place: int) -> Vector:
        numbers = self.numbers
        entries = self.normed(entries, head.norm[0]) if head.norm else entries
        turned = list(entries)
        for k, by_place in enumerate(head.turns):
            (cosine, sine), (x, y) = by_place[place], entries[2 * k : 2 * k + 2]
            turned[2 * k] = numbers.subtract(numbers.multiply(x, cosine), numbers.multiply(y, sine))
            turned[2 * k + 1] = numbers.add(numbers.multiply(x, sine), numbers.multiply(y, cosine))
        return turned

    def queried(self, head: Head, x: Vector, i: int) -> Vector:
        """The query, scaled where the knob says so."""
        query = self.turned(head, [self.applied(form, x) for form in head.query], i)
        scaled = head.scale and self.numbers.knobs["scaling"] == "query"
        return [self.numbers.multiply(q, head.scale[0]) for q in query] if scaled else query

    def score(self, head: Head, query: Sequence[Any], key: Sequence[Any] | None, i: int, j: int) -> Any:
        """None where the token takes no part, or the mask hides it."""
        if key is None:
            return None
        if not head.sees(i, j):
            return head.masked[0] if head.masked else None
        found = self.matched(head, query, key)
        return self.numbers.add(found, head.bias[i][j]) if head.bias else found

    def matched(self, head: Head, query: Sequence[Any], key: Sequence[Any]) -> Any:
        """A score before its bias."""
        numbers = self.numbers
        found = numbers.dot(list(zip(query, key, strict=True))) if query else 0
        if query and numbers.knobs["scaling"] == "scores":
            for scale in head.scale:
                found = numbers.multiply(found, scale)
        return -found if head.negative and found > 0 and found != NAN else found

    def told(
        self, head: Head, keyed: Sequence[list[tuple[Any, Vector]]], x: Vector, at: int, content: int
    ) -> list[list[tuple[Any, Vector]]]:
        """The score and the values of each content of each token, of which keys and values are given, for the token at a position, which
        has this content and reads x. A score is None where the token takes no part."""
        query, found = self.queried(head, x, at), list[list[tuple[Any, Vector]]]()
        for j, each in enumerate(keyed):
            scores = [(self.score(head, query, key, at, j), values) for key, values in each]
            found.append([scores[content]] * len(scores) if j == at else scores)
        return found

    def gathered(self, layer: Layer, i: int, x: Vector, keyed: list[list[tuple[Any, Vector]]]) -> list[Vector]:
        """What each head of a layer gives at a position."""
        found = []
        for head, tokens in zip(layer.heads, keyed, strict=True):
            query = self.queried(head, x, i)
            found.append(Attention(self, head).of([(self.score(head, query, key, i, j), values) for j, (key, values) in enumerate(tokens)]))
        return found

    def after(self, layer: Layer, x: Vector, given: Sequence[Sequence[Any]]) -> Vector:
        """A position after a layer, for what the heads give there."""
        numbers, found = self.numbers, self.combined(layer, given)
        for units in layer.units:
            (read,) = self.read(layer, [x])
            inside = [self.applied(form, read) for form in units.hidden]
            hidden = [self.activation(units.activation, value) for value in inside]
            if units.gate:
                hidden = [numbers.multiply(u, self.applied(form, read)) for u, form in zip(hidden, units.gate, strict=True)]
            found = {name: self.of_units(units, form, read, inside, hidden) for name, form in units.into.items()}
            for factor in units.factor:
                found = {name: numbers.multiply(value, factor) for name, value in found.items()}
        if layer.residual:
            x = [numbers.add(value, found[k]) if k in found else value for k, value in enumerate(x)]
        else:
            x = [found.get(k, 0) for k in range(len(x))]
        return self.normed(x, layer.after[0]) if layer.after else x

    def combined(self, layer: Layer, given: Sequence[Sequence[Any]]) -> dict[int, Any]:
        """What the heads of a layer give to coordinates."""
        return {name: self.numbers.dot([(c, given[h][v]) for h, v, c in sources]) for name, sources in layer.combine.items()}

    def of_units(self, units: Units, form: Map, read: Vector, inside: Vector, hidden: Vector) -> Any:
        """A map of hidden units, which are ``inside`` before their activation."""
        return self.applied(form, hidden)

    def activation(self, kind: str, x: Any) -> Any:
        numbers = self.numbers
        if kind == "identity":
            return x
        if kind == "silu":
            return numbers.divide(x, numbers.add(numbers.one, numbers.exp(numbers.subtract(0, x))))
        if kind == "step":
            return numbers.stepped(x)
        return numbers.clipped(x, numbers.one if kind == "clipped-relu" else None)

    def normed(self, x: Vector, norm: Norm) -> Vector:
        """The norm of the coordinates that it keeps; the others become 0."""
        numbers = self.numbers
        kept = [x[k] for k in norm.only]
        size = numbers.fraction(len(kept))
        if norm.layer:
            mean = numbers.divide(numbers.total(kept), size)
            kept = [numbers.subtract(value, mean) for value in kept]
        inside = numbers.add(numbers.divide(numbers.squares(kept), size), norm.eps)
        inverse = numbers.knobs["root"] == "multiply"
        root = numbers.root(inside, inverse)
        kept = [numbers.multiply(value, root) if inverse else numbers.divide(value, root) for value in kept]
        found: Vector = [0] * len(x)
        for k, value in zip(norm.only, kept, strict=True):
            value = numbers.multiply(value, norm.gain[k]) if k in norm.gain else value
            found[k] = numbers.add(value, norm.shift[k]) if k in norm.shift else value
        return found


class Attention:
    """A head, at a position, of tokens that each have a score, None where the token takes no part, and values.

    Weights may depend on the largest score, ``top``, and the results on a ``divisor``: these are worked out first, in this order, from what
    each token adds to them. Then each token adds to some sums, from which the results follow.
    """

    def __init__(self, t: Network, head: Head) -> None:
        self.t, self.head, self.numbers, knobs = t, head, t.numbers, t.numbers.knobs
        self.top: Any = None
        self.divisor: Any = None
        self.softmax, self.counted = head.kind in SOFTMAX, head.kind == "average-hard"
        self.topped = self.counted or (self.softmax and knobs["maximum"] == "subtracted")
        self.early = (self.softmax or self.counted) and knobs["division"] == "weights"  # weights are divided, not sums of values
        self.late = (self.softmax or self.counted) and not self.early
        self.more = [0] if head.kind == "softmax-plus-one" else []  # scores of no token
        self.width = len(head.columns if knobs["attention"] == "inputs" else head.value)

    def exponential(self, score: Any) -> Any:
        """e^score or 2^score, of the largest score subtracted; the score itself, of linear attention."""
        score = self.numbers.subtract(score, self.top) if self.topped else score
        if self.softmax:
            return self.numbers.exp(score, self.head.power)
        return self.numbers.times_ln2(score) if self.head.power else score

    def divides(self, score: Any) -> Any:
        """What a token adds to the divisor: 1, if it has the largest score, or its exponential."""
        return int(score == self.top) if self.counted else self.exponential(score)

    def by(self, total: Any) -> Any:
        """The divisor, of what tokens add to it; None where none takes part."""
        if total is None:
            return None
        return self.numbers.fraction(total) if self.counted else self.numbers.settle(total)

    def weight(self, score: Any) -> Any:
        """The weight of a token; None where it is an exact 0."""
        if self.counted and score != self.top:
            return None
        weight = self.exponential(score) if self.softmax or self.head.kind == "linear" else self.numbers.one
        return self.numbers.divide(weight, self.divisor) if self.early else weight

    def added(self, weight: Any, values: Vector) -> Any:
        """What a token with this weight adds to each sum."""
        numbers = self.numbers
        if weight is None:
            return [None] * self.width
        products = [numbers.product(numbers.into, weight, x) for x in values]
        return self.of_columns(products) if numbers.knobs["attention"] == "products" else products

    def of_columns(self, given: Vector) -> Vector:
        """The head's values of what there is for each column that they read."""
        by_column = dict(zip(self.head.columns, given, strict=True))
        return [self.numbers.dot([(by_column[c], x) for c, x in form.terms]) for form in self.head.value]

    def results(self, sums: Vector, divisor: Any) -> Vector:
        """What the head gives, of its sums."""
        found = self.of_columns(sums) if self.numbers.knobs["attention"] == "inputs" else sums
        return [self.numbers.divide(x, divisor) for x in found] if self.late and divisor is not None else found

    def weights(self, scores: list[Any]) -> list[Any]:
        """The weight of each token, of the scores of all; None where it is an exact 0."""
        numbers, seen = self.numbers, [score for score in scores if score is not None]
        numbers.limits.spend(4 * len(scores) * numbers.cost)
        total = None
        if self.topped:
            self.top = numbers.largest(self.more + seen)
        if seen and self.counted:
            total = sum(map(self.divides, seen))
        elif seen and self.softmax:
            total = numbers.total([None if score is None else self.divides(score) for score in self.more + scores])
        self.divisor = self.by(total)
        if not self.softmax and self.head.kind != "linear" and NAN in seen:
            return [None if score is None else NAN for score in scores]
        best = self.chosen(scores)
        return [None if score is None or best not in (None, j) else self.weight(score) for j, score in enumerate(scores)]

    def of(self, tokens: list[tuple[Any, Vector]]) -> Vector:
        """What the head gives, of all its tokens."""
        numbers, weights = self.numbers, self.weights([score for score, _ in tokens])
        if numbers.knobs["attention"] == "values":
            sums = []
            for v in range(self.width):
                sums.append(numbers.dot([None if w is None else (w, values[v]) for w, (_, values) in zip(weights, tokens, strict=True)]))
            return self.results(sums, self.divisor)
        added = [self.added(w, values) for w, (_, values) in zip(weights, tokens, strict=True)]
        return self.results([numbers.total([each[k] for each in added]) for k in range(self.width)], self.divisor)

    def chosen(self, scores: Vector) -> int | None:
        """The token that one-hot attention chooses."""
        if self.head.kind not in ("leftmost", "rightmost"):
            return None
        seen = [j for j, score in enumerate(scores) if score is not None]
        return max(seen, key=lambda j: (scores[j], -j if self.head.kind == "leftmost" else j), default=None)


class Sum(NamedTuple):
    """What grows token by token: ``grow`` puts what a token adds, by its content, to what was there; None adds nothing.

    A sum whose start is None begins with its first term.
    """

    start: Any
    grow: Callable[[Any, Any], Any]
    adds: list[list[Any]]

    def alike(self) -> bool:
        """Whether no content changes it."""
        return all(x == contents[0] for contents in self.adds for x in contents)

    def fixed(self) -> Any:
        """What it comes to, where no content changes it."""
        return chain([self.start, *(x for x, *_ in self.adds)], self.grow)

    def depends(self, reads: list[list[Symbol]], letters: int) -> set[Symbol]:
        """The symbols that change it, where the tokens read these."""
        found: set[Symbol] = set()
        for symbols, contents in zip(reads, self.adds, strict=True):
            step = 1
            for symbol in reversed(symbols):
                if any(x != contents[c - c // step % letters * step] for c, x in enumerate(contents)):
                    found.add(symbol)
                step *= letters
        return found


class Asking(Attention):
    """A head at the token that reads: ``told`` has the score and the values of each content of each token."""

    def __init__(self, t: Network, head: Head, told: list[list[tuple[Any, Vector]]], place: str) -> None:
        super().__init__(t, head)
        self.told, self.chooses = told, head.kind in ("leftmost", "rightmost")
        if self.topped or self.chooses:
            finite((score for token in told for score, _ in token if score is not None), f"{place}: a score is not finite")

    def each(self, what: Callable[[Any, Vector], Any]) -> list[list[Any]]:
        """Of each token that takes part, by its content; of those with the same score and values once."""
        known = cache(lambda score, *values: None if score is None else what(score, [*values]))
        return [[known(score, *values) for score, values in token] for token in self.told]

    def highest(self) -> Sum:
        return Sum(0 if self.more else None, max, self.each(lambda score, _: score))

    def total(self) -> Sum:
        """The number of tokens with the largest score, or the sum of exponentials."""
        start = self.exponential(0) if self.more else None
        return Sum(start, add if self.counted else self.numbers.widened(), self.each(lambda score, _: self.divides(score)))

    def sums(self) -> list[Sum]:
        """What the head adds up, and behind it the divisor where these sums are divided; of one that chooses the largest score with what
        its token adds. x + 0 is x, so that 0 adds nothing."""
        added = self.each(lambda score, values: self.added(self.weight(score), values))
        if self.chooses:
            leftmost, scores = self.head.kind == "leftmost", self.each(lambda score, _: score)
            both = [[x and (score, *x) for score, x in zip(*each, strict=True)] for each in zip(scores, added, strict=True)]
            return [Sum(None, lambda x, y: max((x, y) if leftmost else (y, x), key=itemgetter(0)), both)]
        start = 0 if self.numbers.into is self.numbers.wide else None
        columns = [[[x and (x[k] if x[k] != start else None) for x in token] for token in added] for k in range(self.width)]
        return [*(Sum(start, self.numbers.widened(), each) for each in columns), *([self.total()] if self.late else [])]

    def given(self, read: Iterator[Any]) -> Vector:
        """What the head gives, of what its sums came to."""
        sums = (next(read) or [0] * (1 + self.width))[1:] if self.chooses else [next(read) for _ in range(self.width)]
        return self.results([self.numbers.settle(x or 0) for x in sums], self.by(next(read)) if self.late else None)


def finite(values: Iterable[Any], why: str) -> None:
    """Refuse what is not a number."""
    if not all(-INF < x < INF for x in values):
        raise Rejected(why)
