"""The network of a certificate: reading one, and running it on tokens, one rounded operation after another.

If this file is right, you may believe: ``run`` computes what the network's record says, in the certificate's arithmetic; and for a head
whose tokens hold any contents, ``Attention`` has each content's terms of the sums from which it computes the output of the head.

A token reads some symbols of the strings and has a vector for each of their contents, the first symbol the most significant; a vector has a
state for each coordinate. A map is the sum of the products of its coefficients with coordinates, in their order, its constant last. A layer
is heads, a network on each position, or nothing, with a norm before or after it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache, partial, reduce
from operator import add, itemgetter
from types import SimpleNamespace
from typing import Any, NamedTuple

from .recheck_numbers import INF, NAN, Numbers, chain, ends
from .recheck_reading import At, demand, list_of, one_or_none, word

Vector = list[Any]
Symbol = tuple[str, int]  # a place of a string, from 0
Told = list[list[tuple[Any, Vector]]]  # for each token and content a score, None where the token takes no part, and values
KINDS = ("softmax", "linear", "leftmost", "rightmost", "average-hard")
ACTIVATIONS = ("relu", "clipped-relu", "step", "identity", "silu")
MOST_TOKENS, MOST_COORDINATES, MOST_CONTENTS, MOST_SYMBOLS = 4200, 256, 1 << 16, 64


class Map(NamedTuple):
    """Coefficients by index, and the constant, if there is one."""

    terms: list[tuple[int, Any]]
    constant: list[Any]


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
        self.outputs = [[self.vector(x) for x in of_output.items(len(self.symbols))] for of_output in parts["outputs"].items()]
        if not len(self.tokens) > 0 or len(self.tokens) + len(self.outputs) > MOST_TOKENS:
            parts["tokens"].refuse(f"up to {MOST_TOKENS} tokens")
        self.embedding = [token.vectors for token in self.tokens] + self.outputs
        self.positions = len(self.embedding)
        self.layers = [self.layer(x) for x in parts["layers"].items()]
        self.output = parts["output"]
        attending = [k for k, layer in enumerate(self.layers) if layer.heads]
        if any(not x for token in self.tokens for x in token.vectors) and attending != [0]:
            parts["tokens"].refuse("no token without a vector, but before heads in the first layer alone,")

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

    def coordinate(self, given: At) -> int:
        return self.index[given.one_of(*self.coordinates)]

    def by_coordinate(self, read: Callable[[At], Any]) -> Callable[[At], dict[int, Any]]:
        """A list of [coordinate, entry] with different coordinates."""

        def found(given: At) -> dict[int, Any]:
            pairs = [each.items(2) for each in given.items()]
            if len({self.coordinate(name) for name, _ in pairs}) < len(pairs):
                given.refuse("different coordinates")
            return {self.coordinate(name): read(x) for name, x in pairs}

        return found

    def map(self, given: At, most: int | None = None) -> Map:
        """A map of coordinates, or of this many hidden units; its indices increase."""
        terms, constant = given.items(2)
        found: list[tuple[int, Any]] = []
        for each in terms.items():
            place, coefficient = each.items(2)
            lowest = found[-1][0] + 1 if found else 0
            found.append((place.integer(lowest, (len(self.coordinates) if most is None else most) - 1), self.numbers.constant(coefficient)))
        return Map(found, one_or_none(self.numbers.constant)(constant))

    def norm(self, given: At) -> Any:
        """(x - mean)/sqrt(variance + eps), or x/sqrt(mean square + eps), times the gain, plus the shift; of the coordinates ``only``."""
        by_coordinate = self.by_coordinate(self.numbers.constant)
        norm = given.fields(
            kind=word("layer", "rms"), eps=self.numbers.constant, only=list_of(self.coordinate), gain=by_coordinate, shift=by_coordinate
        )
        if len({*norm.only}) != len(norm.only) or (norm.only and not {*norm.gain, *norm.shift} <= {*norm.only}):
            given.names()["only"].refuse("different coordinates, those of gain and shift among them,")
        norm.only = sorted(norm.only) or [*range(len(self.coordinates))]
        return norm

    def head(self, given: At) -> Any:
        """A head.

        columns: the coordinates that its values read; turns: for each pair of entries the cosine and sine by position; bias, seen: rows, or
        none, by position; power: whether weights are powers of 2, the scores being in units of an exact ln 2.
        """
        number, maps = self.numbers.constant, list_of(self.map)

        def by_position(read: Callable[[At], Any]) -> Callable[[At], Any]:
            return list_of(lambda row: [read(x) for x in row.items(self.positions)])

        head = given.fields(
            kind=word(*KINDS),
            score=word("product", "minus-absolute"),
            base=word("e", "2"),
            query=maps,
            key=maps,
            value=maps,
            scale=one_or_none(number),
            seen=list_of(At.text),
            bias=by_position(number),
            turns=by_position(lambda pair: [number(x) for x in pair.items(2)]),
            normed=one_or_none(number),
        )
        parts, entries, values = given.names(), len(head.query), self.numbers.knobs["attention"]
        if entries != len(head.key):
            parts["key"].refuse("as many maps as of the query")
        if not head.value:
            parts["value"].refuse("a value or more")
        if len(head.seen) not in (0, self.positions) or any(len(row) != self.positions or {*row} - {"0", "1"} for row in head.seen):
            parts["seen"].refuse(f"none or {self.positions} texts of as many characters 0 and 1")
        for key, rows in ("bias", (0, self.positions)), ("turns", (0, entries // 2) if entries % 2 == 0 else (0,)):
            if len(parts[key].data) not in rows:
                parts[key].refuse(f"{' or '.join(map(str, rows))} rows, one for each that it is about,")
        head.power = head.base == "2"
        self.numbers.powers = self.numbers.powers or head.power
        if head.power and head.kind != "softmax":
            parts["base"].refuse("base e, but of softmax,")
        if values != "values" and any(form.constant for form in head.value):
            parts["value"].refuse("values without constants, where coordinates are summed,")
        matched = partial(self.matched, head)
        head.matched = matched if self.numbers.real else lru_cache(1024)(matched)  # ends of a number are no key
        head.columns = sorted({c for form in head.value for c, _ in form.terms})
        head.norm = [SimpleNamespace(kind="rms", eps=eps, only=[*range(entries)], gain={}, shift={}) for eps in head.normed]
        return head

    def units(self, given: At) -> Any:
        """The network on each position: hidden units, their gates, and maps of them into coordinates, each times a factor."""
        maps = list_of(self.map)
        units = given.fields(
            activation=word(*ACTIVATIONS), hidden=maps, gate=maps, into=lambda x: x, factor=one_or_none(self.numbers.constant)
        )
        if len(units.gate) not in (0, len(units.hidden)):
            given.names()["gate"].refuse("a gate for each hidden unit, or none")
        units.into = self.by_coordinate(lambda form: self.map(form, len(units.hidden)))(units.into)
        return units

    def layer(self, given: At) -> Any:
        """Heads, or units: what they read may be normed ``before``, and what they leave ``after``.

        combine: for each coordinate that heads set, (head, value, coefficient). residual: what is set is added to what was there; otherwise
        coordinates that are not set become 0.
        """
        norms, heads, units = one_or_none(self.norm), list_of(self.head), one_or_none(self.units)
        layer = given.fields(before=norms, heads=heads, combine=lambda x: x, units=units, residual=At.flag, after=norms)

        def source(of: At) -> tuple[int, int, Any]:
            head, value, coefficient = of.items(3)
            h = head.integer(0, len(layer.heads) - 1)
            return h, value.integer(0, len(layer.heads[h].value) - 1), self.numbers.constant(coefficient)

        layer.combine = self.by_coordinate(list_of(source))(layer.combine)
        if layer.units and (layer.heads or layer.combine):
            given.names()["units"].refuse("no units beside heads")
        return layer

    # ---- running

    def run(self, vectors: list[Vector], at: int) -> Vector:
        """The coordinates at a position after the last layer, for tokens with these vectors."""
        self.limits.spend(2 * len(vectors) * (1 + len(self.layers)))
        for k, layer in enumerate(self.layers):
            read = [self.read(layer, [x]) for x in vectors] if layer.heads else []
            tokens = [self.keyed(head, read) for head in layer.heads]
            asked = range(len(vectors)) if any(later.heads for later in self.layers[k + 1 :]) else range(at, at + 1)
            found = []
            for i in asked:
                told = [self.told(head, each, read[i][0], i, 0) for head, each in zip(layer.heads, tokens, strict=True)]
                given = [Attention(self, head, each).of_one_input() for head, each in zip(layer.heads, told, strict=True)]
                found.append(self.after(layer, vectors[i], self.combined(layer, given)))
            vectors, at = found, asked.index(at)
        return vectors[at]

    def applied(self, form: Map, x: Vector) -> Any:
        numbers = self.numbers
        terms = [(c, x[k]) for k, c in form.terms]
        if form.constant and numbers.knobs["constants"] == "added":
            return numbers.add(numbers.dot(terms), form.constant[0])
        return numbers.dot([*terms, *((c, numbers.one) for c in form.constant)])

    def read(self, layer: Any, vectors: list[Vector]) -> list[Vector]:
        """The input of a layer."""
        return [self.normed(x, layer.before[0]) if layer.before and x else x for x in vectors]

    def keyed(self, head: Any, read: Sequence[list[Vector]]) -> list[list[tuple[Any, Vector]]]:
        """The key of each content of each token, None where it takes no part; and what its weight multiplies: values, or the coordinates
        that values read."""
        summed = self.numbers.knobs["attention"] != "values"

        def keys(x: Vector, j: int) -> tuple[Any, Vector]:
            key = self.turned(head, [self.applied(form, x) for form in head.key], j)
            return key, [x[c] for c in head.columns] if summed else [self.applied(form, x) for form in head.value]

        return [[keys(x, j) if x else (None, []) for x in contents] for j, contents in enumerate(read)]

    def turned(self, head: Any, entries: Vector, place: int) -> tuple[Any, ...]:
        numbers = self.numbers
        entries = self.normed(entries, head.norm[0]) if head.norm else entries
        turned = list(entries)
        for k, by_place in enumerate(head.turns):
            (cosine, sine), (x, y) = by_place[place], entries[2 * k : 2 * k + 2]
            turned[2 * k] = numbers.subtract(numbers.multiply(x, cosine), numbers.multiply(y, sine))
            turned[2 * k + 1] = numbers.add(numbers.multiply(x, sine), numbers.multiply(y, cosine))
        return tuple(turned)

    def matched(self, head: Any, query: Vector, key: Vector) -> Any:
        """The score of a key, before a bias."""
        numbers = self.numbers
        found = numbers.dot(list(zip(query, key, strict=True)))
        if query and head.scale:
            found = numbers.multiply(found, head.scale[0])
        return -found if head.score == "minus-absolute" and found > 0 and found != NAN else found

    def told(self, head: Any, tokens: Sequence[list[tuple[Any, Vector]]], x: Vector, at: int, content: int) -> Told:
        """What a head learns of tokens of which keys and values are given, for the token at a position, which has this content and reads
        x. A token takes part if it has a vector and the mask shows it."""
        query = self.turned(head, [self.applied(form, x) for form in head.query], at)

        def score(key: Vector | None, j: int) -> Any:
            if key is None or (head.seen and head.seen[at][j] == "0"):
                return None
            found = head.matched(query, key)
            return self.numbers.add(found, head.bias[at][j]) if head.bias else found

        found: Told = []
        for j, each in enumerate(tokens):
            scored = [(score(key, j), values) for key, values in each]
            found.append([scored[content]] * len(scored) if j == at else scored)
        return found

    def after(self, layer: Any, x: Vector, found: dict[int, Any]) -> Vector:
        """A position after a layer, whose heads give this to coordinates."""
        numbers = self.numbers
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

    def behind(self, layers: Sequence[Any], x: Vector) -> Vector:
        """A position after layers without heads."""
        for layer in layers:
            x = self.after(layer, x, {})
        return x

    def combined(self, layer: Any, given: Sequence[Sequence[Any]]) -> dict[int, Any]:
        """The coordinates that the heads of a layer set."""
        return {name: self.numbers.dot([(c, given[h][v]) for h, v, c in sources]) for name, sources in layer.combine.items()}

    def of_units(self, units: Any, form: Map, read: Vector, inside: Vector, hidden: Vector) -> Any:
        """A map of hidden units, whose values before activation are ``inside``."""
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

    def normed(self, x: Vector, norm: Any) -> Vector:
        """The norm of the coordinates that it keeps; the others become 0."""
        numbers = self.numbers
        kept = [x[k] for k in norm.only]
        size = numbers.fraction(len(kept))
        if norm.kind == "layer":
            mean = numbers.divide(numbers.total(kept), size)
            kept = [numbers.subtract(value, mean) for value in kept]
        squares = numbers.total([numbers.clipped(numbers.multiply(value, value), None) for value in kept])
        inside = numbers.add(numbers.divide(squares, size), norm.eps)
        inverse = numbers.knobs["root"] == "multiply"
        root = numbers.root(inside, inverse)
        kept = [numbers.multiply(value, root) if inverse else numbers.divide(value, root) for value in kept]
        found: Vector = [0] * len(x)
        for k, value in zip(norm.only, kept, strict=True):
            value = numbers.multiply(value, norm.gain[k]) if k in norm.gain else value
            found[k] = numbers.add(value, norm.shift[k]) if k in norm.shift else value
        return found


class Attention:
    """A head at the token that asks, of what it is told of all tokens.

    What it gives is worked out in three turns, each of what the tokens add: the largest score, ``top``; a ``divisor``; and sums. Weights
    may depend on the first, and results on the second; a turn that the head does not need has no sums.
    """

    def __init__(self, t: Network, head: Any, told: Told) -> None:
        self.t, self.head, self.told, self.numbers, knobs, kind = t, head, told, t.numbers, t.numbers.knobs, head.kind
        self.top: Any = None
        self.divisor: Any = None
        self.softmax, self.counted, self.chooses = kind == "softmax", kind == "average-hard", kind in ("leftmost", "rightmost")
        self.topped = self.counted or (self.softmax and knobs["maximum"] == "subtracted")
        self.early = (self.softmax or self.counted) and knobs["division"] == "weights"  # weights are divided, not sums of values
        self.late = (self.softmax or self.counted) and not self.early
        self.width = len(head.columns if knobs["attention"] == "inputs" else head.value)

    def exponential(self, score: Any) -> Any:
        """e^score or 2^score, after the largest score is subtracted; for linear attention the score itself."""
        score = self.numbers.subtract(score, self.top) if self.topped else score
        return self.numbers.exp(score, self.head.power) if self.softmax else score

    def by(self, total: Any) -> Any:
        """The divisor, from the terms of the tokens; None if no token takes part."""
        return self.numbers.fraction(total) if self.counted and total is not None else total

    def weight(self, score: Any) -> Any:
        """The weight of a token; None where it is an exact 0. Attention that chooses by scores has no number where a score is none."""
        if self.counted and score != self.top:
            return None
        chosen = NAN if score == NAN else self.numbers.one
        weight = self.exponential(score) if self.softmax or self.head.kind == "linear" else chosen
        return self.numbers.divide(weight, self.divisor) if self.early else weight

    def added(self, weight: Any, values: Vector) -> Any:
        """What a token with this weight adds to each sum."""
        if weight is None:
            return [None] * self.width
        products = [self.numbers.multiply(weight, x) for x in values]
        return self.of_columns(products) if self.numbers.knobs["attention"] == "products" else products

    def of_columns(self, given: Vector) -> Vector:
        """The head's values, computed for each column that they read."""
        by_column = dict(zip(self.head.columns, given, strict=True))
        return [self.numbers.dot([(by_column[c], x) for c, x in form.terms]) for form in self.head.value]

    def of_one_input(self) -> Vector:
        """What the head gives, of tokens of one content each."""
        self.numbers.limits.spend(4 * len(self.told) * self.numbers.cost)
        found: Vector = []
        for turn in range(3):
            found = self.heard(turn, iter([each.fixed() for each in self.asked(turn)]))
        return found

    # ---- the turns, of all contents at once

    def each(self, what: Callable[..., Any]) -> list[list[Any]]:
        """The entry of each token that takes part, by its content; contents with the same score and values share one."""
        known = cache(what) if any(len(token) > 1 for token in self.told) else what
        return [[None if score is None else known(score, *values) for score, values in token] for token in self.told]

    def asked(self, turn: int) -> "list[Sum]":
        """The sums of a turn, counted from 0."""
        if turn == 0:
            return [Sum(None, self.numbers.larger, self.each(lambda score, *_: score))] if self.topped else []
        return self.sums() if turn == 2 else [self.total()] if self.early else []

    def heard(self, turn: int, read: Iterator[Any]) -> Vector:
        """What the sums of a turn come to; after the last one what the head gives."""
        if turn == 0:
            self.top = ends(next(read))[0] if self.topped else None
        if turn == 1:
            self.divisor = self.by(next(read)) if self.early else None
        if turn < 2:
            return []
        sums = [*(next(read) or [0] * (1 + self.width))[1:]] if self.chooses else [next(read) or 0 for _ in range(self.width)]
        found = self.of_columns(sums) if self.numbers.knobs["attention"] == "inputs" else sums
        divisor = self.by(next(read)) if self.late else None
        return found if divisor is None else [self.numbers.divide(x, divisor) for x in found]

    def total(self) -> "Sum":
        """The number of tokens with the largest score, or the sum of exponentials."""
        if self.counted:
            return Sum(None, add, self.each(lambda score, *_: int(score == self.top)))
        return Sum(None, self.numbers.add, self.each(lambda score, *_: self.exponential(score)))

    def sums(self) -> "list[Sum]":
        """The sums of the head, and then the divisor if these sums are divided; for attention that chooses the largest score, with the
        token's terms. x + 0 is x, so that 0 adds nothing."""
        added = self.each(lambda score, *values: self.added(self.weight(score), [*values]))
        if self.chooses:
            leftmost, scores = self.head.kind == "leftmost", self.each(lambda score, *_: score)
            both = [[x and (score, *x) for score, x in zip(*each, strict=True)] for each in zip(scores, added, strict=True)]
            return [Sum(None, lambda x, y: max((x, y) if leftmost else (y, x), key=itemgetter(0)), both)]
        columns = [[[x and (x[k] or None) for x in token] for token in added] for k in range(self.width)]
        return [*(Sum(0, self.numbers.add, each) for each in columns), *([self.total()] if self.late else [])]


class Sum(NamedTuple):
    """A sum that grows token by token: ``grow`` adds the term of a token with its content; a term None adds nothing.

    A sum whose start is None begins with its first term.
    """

    start: Any
    grow: Callable[[Any, Any], Any]
    adds: list[list[Any]]

    def alike(self) -> bool:
        """Whether it is the same for all contents."""
        return all(x == contents[0] for contents in self.adds for x in contents)

    def fixed(self) -> Any:
        """Its value, if all contents give the same."""
        return chain([self.start, *(x for x, *_ in self.adds)], self.grow)


def spelled(symbols: Iterable[int], letters: int) -> int:
    """The number that symbols spell, the first one the most significant."""
    return reduce(lambda total, symbol: total * letters + symbol, symbols, 0)


def finite(values: Iterable[Any], why: str) -> None:
    """Refuse infinities and NaN."""
    demand(all(-INF < x < INF for x in values), why)
