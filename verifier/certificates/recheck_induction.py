"""Decoding by induction: a network that appends the digits of a sum. If all earlier outputs are right, the next one is.

To be believed, if this file is right: for every input, and each output, the right symbol has the first of the largest logits if the
earlier outputs are right.

At a step the tokens are digits of columns, earlier outputs, which are right, and special tokens. A *group* is what an input leads to: the
query (the last token), the carry into this column and the total of its digits, and the symbols that heads copy. For heads that sum, each
group has ends of their sums: exact extremes, by dynamic programming over columns and carries, and what the rounding of partial sums may
add. What follows is computed on *boxes*: for each coordinate the least and the largest value that its computed number may have.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from operator import add
from typing import Any, NamedTuple

from .recheck_answers import Answers
from .recheck_network import SOFTMAX, Head, Layer, Map, Network, Units, Vector, finite
from .recheck_numbers import ANY_DIGITS, INF, Between, Format, Numbers, ends
from .recheck_reading import Open, Rejected, demand

Box = tuple[int, int]
Key = tuple[int, ...]
Row = tuple[Any, ...]
Extremes = tuple[int, ...]  # of each sum the least value and the negative of the largest, so that both are minima
Table = list[dict[int, Box]]  # for each token and content the ends of what it adds to a sum
Watch = tuple[str, int]  # a string, or "" for the outputs, and a column
MOST_STRINGS = 4


class Summed(NamedTuple):
    """products: for each value, token and word the two ends; divisor: what the sum is divided by, or None."""

    products: list[Table]
    divisor: Any


class Copied(NamedTuple):
    """values: of the token that is copied, by its word."""

    token: int
    values: dict[int, Row]


class LastToken:
    """Keys and values of every word at every position, of the heads of one layer; ``vectors`` are what they read."""

    def __init__(self, network: Network, heads: list[Head], vectors: list[dict[int, Vector]]) -> None:
        self.t, self.heads, self.vectors = network, heads, vectors
        self.keyed = [[{word: network.keys(head, x, j) for word, x in each.items()} for j, each in enumerate(vectors)] for head in heads]
        self.matched: list[dict[tuple[Row, Row], Any]] = [{} for _ in heads]
        finite((x for of_head in self.keyed for each in of_head for _, values in each.values() for x in values), "a value is not finite")

    def scores(self, h: int, words: Sequence[Sequence[int]], query: int) -> list[dict[int, int] | None]:
        """The score of each word at each token; None where the token takes no part."""
        head, i = self.heads[h], len(words) - 1
        queried = self.t.queried(head, self.vectors[i][query], i)
        found: list[dict[int, int] | None] = []
        for j, choices in enumerate(words):
            if not head.sees(i, j) and not head.masked:
                found.append(None)
                continue
            each = {}
            for word in choices if j < i else [query]:
                score = self.score(h, tuple(queried), tuple(self.keyed[h][j][word][0]), i, j)
                demand(score is not None and -INF < score < INF, "a score is not finite")
                each[word] = score or 0
            found.append(each)
        demand(any(each is not None for each in found), "a head sees no token")
        return found

    def score(self, h: int, query: Row, key: Row, i: int, j: int) -> Any:
        """A score, of which the product of query and key is worked out once."""
        head, known = self.heads[h], self.matched[h]
        if not head.sees(i, j):
            return head.masked[0]
        if (query, key) not in known:
            known[query, key] = self.t.matched(head, query, key)
        return self.t.numbers.add(known[query, key], head.bias[i][j]) if head.bias else known[query, key]

    def copied(self, h: int, words: Sequence[Sequence[int]], query: int) -> Copied | None:
        """The token that a head copies, if it copies one."""
        self.t.limits.spend(8 * sum(map(len, words)))
        head, scores, numbers = self.heads[h], self.scores(h, words, query), self.t.numbers
        seen = [j for j, each in enumerate(scores) if each is not None]
        ahead = -1 if head.kind == "leftmost" else 1
        token = max(seen, key=lambda j: (min((scores[j] or {}).values()), ahead * j))
        chosen = scores[token] or {}
        low = min(chosen.values())
        for j in seen:
            high = max((scores[j] or {}).values())
            if j != token and not self.weightless(head.kind, high, low, j > token):
                return None
        if head.kind not in ("leftmost", "rightmost", "average-hard") and (head.kind, numbers.knobs["maximum"]) != (
            "softmax",
            "subtracted",
        ):
            return None
        values = {
            word: tuple(numbers.settle(numbers.product(numbers.into, numbers.one, x)) for x in self.keyed[h][token][word][1])
            for word in chosen
        }
        return Copied(token, values)

    def weightless(self, kind: str, high: int, low: int, behind: bool) -> bool:
        """Whether a token with at most this score has no weight beside one with at least that score, which it stands behind or not."""
        if kind == "softmax":
            difference = self.t.numbers.subtract(high, low)
            return bool(difference < 0 and self.t.numbers.exp(difference) == 0)
        return high < low or (high == low and (kind, behind) in (("leftmost", True), ("rightmost", False)))

    def summed(self, h: int, words: Sequence[Sequence[int]], query: int) -> Summed:
        """What each word may add; an input's largest score lies between the largest of the least and the largest scores of its tokens."""
        head, boxes, scores = self.heads[h], self.t.numbers, self.scores(h, words, query)
        if head.kind not in SOFTMAX or head.power:
            raise Rejected(f"head {h + 1} neither copies one token nor has weights that are bounded here")
        seen = ([{0: 0}] if head.kind == "softmax-plus-one" else []) + [each for each in scores if each is not None]
        largest = between(max(min(each.values()) for each in seen), max(max(each.values()) for each in seen))

        @cache
        def exponential(score: int) -> Any:
            if boxes.knobs["maximum"] == "kept":
                return boxes.exp(score)
            below = ends(boxes.subtract(score, largest))
            return boxes.exp(between(below[0], min(below[1], 0)))  # no score is above the largest

        total = boxes.total([hull(exponential(score) for score in each.values()) for each in seen])
        demand(ends(total)[0] > 0 and ends(total)[1] < INF, "a sum of exponentials may be 0 or beyond the format")
        divided = boxes.knobs["division"] == "weights"

        @cache
        def products(score: int, values: tuple[int, ...]) -> list[Box]:
            weight = boxes.divide(exponential(score), total) if divided else exponential(score)
            found = [ends(boxes.product(boxes.into, weight, value)) for value in values]
            finite((end for both in found for end in both), "a weight times a value is not finite")
            return found

        tables: list[Table] = [[] for _ in head.value]
        for keyed, each in zip(self.keyed[h], scores, strict=False):
            of_words = {word: products(score, tuple(keyed[word][1])) for word, score in (each or {}).items()}
            for v, table in enumerate(tables):
                table.append({word: found[v] for word, found in of_words.items()})
        return Summed(tables, None if divided else total)


class Digits:
    """The digits of the strings and of the right outputs, by column from the last one."""

    def __init__(self, answers: Answers, place: str) -> None:
        self.t, self.where = answers.network, place
        self.base, self.strings, self.prompt = len(self.t.symbols), list(self.t.strings), len(self.t.tokens)
        demand(self.t.letters == self.base and len(self.t.tokens) > 0, f"{place}: strings of all symbols were expected")
        widths = set(self.t.strings.values())
        demand(len(widths) == 1 and len(self.strings) <= MOST_STRINGS, f"{place}: strings of one length were expected")
        self.width = widths.pop()
        self.first, self.coefficients = digit_sum(answers, place)
        self.tokens: dict[Watch, list[int]] = {}
        for j, token in enumerate(self.t.tokens):
            demand(len(token.reads) <= 1, f"{place}: tokens of one symbol were expected")
            for name, where in token.reads:
                self.tokens.setdefault((name, self.width - 1 - where), []).append(j)
        self.words = [list(range(len(vectors))) for vectors in self.t.embedding]

    def watched(self, step: int, copied: set[int]) -> Iterator[Watch]:
        """The symbols that heads copy, by column."""
        for column in range(step + 1):
            for name in self.strings:
                if copied.intersection(self.tokens.get((name, column), ())):
                    yield name, column
            if column < step - 1 and self.prompt + column in copied:
                yield "", column

    def groups(self, step: int, query: int, heads: list[Copied | Summed], watched: list[Watch]) -> dict[Key, Extremes]:
        """Every group of a query: (carry, total, symbols watched), with the exact extremes of the sums."""
        tables = [products for head in heads if isinstance(head, Summed) for products in head.products]
        last = self.prompt + step - 1
        self.t.limits.spend(len(self.words) * self.base * len(tables))
        start: Extremes = (0, 0) * len(tables)
        for j, token in enumerate(self.t.tokens):
            if not token.reads and j != last:
                start = added(start, tables, j, [0])
        start = added(start, tables, last, [query])
        for column in range(step + 1, self.width):
            for name in self.strings:
                for j in self.tokens.get((name, column), ()):
                    start = added(start, tables, j, range(self.base))
        states: dict[Key, Extremes] = {(self.first,): start}
        for column in range(step + 1):
            grown: dict[Key, Extremes] = {}
            choices = self.choices(column, tables, watched)
            self.t.limits.spend(2 * len(states) * len(choices) * (1 + len(tables)))
            for (carry, *seen), extremes in states.items():
                for (total, *symbols), more in choices.items():
                    right, following = (carry + total) % self.base, (carry + total) // self.base
                    if column == step - 1 and right != query:
                        continue
                    both = tuple(map(add, extremes, more))
                    key = (*seen, *symbols)
                    if column < step - 1:
                        both = added(both, tables, self.prompt + column, [right])
                        key = (*key, right) if ("", column) in watched else key
                    merge(grown, (carry, total, *key) if column == step else (following, *key), both)
            self.t.limits.keep("states", len(grown))
            states = grown
        return states

    def choices(self, column: int, tables: list[Table], watched: list[Watch]) -> dict[Key, Extremes]:
        """What the digits of a column add: by their total, and by those that are watched."""
        found: dict[Key, Extremes] = {(0,): (0, 0) * len(tables)}
        for name, coefficient in zip(self.strings, self.coefficients, strict=True):
            if column >= self.width:
                break
            grown: dict[Key, Extremes] = {}
            self.t.limits.spend(len(found) * self.base * (1 + len(tables)))
            of_digit: list[tuple[Key, Extremes]] = []
            for digit in range(self.base):
                more: Extremes = (0, 0) * len(tables)
                for j in self.tokens.get((name, column), ()):
                    more = added(more, tables, j, [digit])
                of_digit.append(((digit,) if (name, column) in watched else (), more))
            for (total, *symbols), extremes in found.items():
                for digit, (key, more) in enumerate(of_digit):
                    merge(grown, (total + coefficient * digit, *symbols, *key), tuple(map(add, extremes, more)))
                self.t.limits.keep("states", len(grown))
            found = grown
        return found

    def place(self, token: int, step: int, watched: list[Watch]) -> int:
        """Where the word of a token that a head copies stands in the key of a group, behind which stand the query and a 0."""
        if token == self.prompt + step - 1:
            return -2
        if token < self.prompt and not self.t.tokens[token].reads:
            return -1
        watch = "", token - self.prompt
        for name, where in self.t.tokens[token].reads if token < self.prompt else []:
            watch = name, self.width - 1 - where
        if watch not in watched:
            raise Rejected(f"{self.where}, step {step + 1}: a head copies a digit of a later column")
        return 2 + watched.index(watch)


def added(extremes: Extremes, tables: list[Table], j: int, words: Iterable[int]) -> Extremes:
    """Extremes with what one of some words adds at a token; one that takes no part adds nothing."""
    more: list[int] = []
    for table in tables:
        found = [table[j][word] for word in words if word in table[j]] or [(0, 0)]
        more += min(low for low, _ in found), min(-high for _, high in found)
    return tuple(map(add, extremes, more))


def merge(states: dict[Key, Extremes], key: Key, extremes: Extremes) -> None:
    """Put a state beside the others of its key."""
    states[key] = tuple(map(min, states[key], extremes)) if key in states else extremes


def digit_sum(answers: Answers, place: str) -> tuple[int, list[int]]:
    """The constant and the coefficients of S, where the k-th right output is S//B**(k - 1) % B."""
    base, given = len(answers.network.symbols), answers.network.output.names()["function"].items()
    total = given[0].data[1][1] if _is(given[0].data, "%") and _is(given[0].data[1], "//") else None
    for k, each in enumerate(given):
        right = each.data == ["%", ["//", total, str(base**k)], str(base)]
        demand(total is not None and right, f"{place}: right outputs S//B**(k - 1) % B were expected, where S is a sum of the strings")
    constant, terms = linear(total, answers, place)
    numbers = [constant, *(terms.get(name, 0) for name in answers.network.strings)]
    demand(all(0 <= x < 1 << 20 for x in numbers), f"{place}: a sum with small coefficients was expected")
    return numbers[0], numbers[1:]


def _is(data: Any, word: str) -> bool:
    return isinstance(data, list) and len(data) == 3 and data[0] == word


def linear(data: Any, answers: Answers, place: str) -> tuple[int, Mapping[str, int]]:
    """The constant and the coefficients of a sum of strings."""
    if isinstance(data, str) and data in answers.network.strings:
        return 0, {data: 1}
    if isinstance(data, str) and data.isascii() and data.isdigit():
        return int(data), {}
    if isinstance(data, list) and len(data) > 1 and data[0] == "+":
        constant, terms = 0, dict[str, int]()
        for part in data[1:]:
            more, of_part = linear(part, answers, place)
            constant, terms = constant + more, {name: terms.get(name, 0) + of_part.get(name, 0) for name in {*terms, *of_part}}
        return constant, terms
    if _is(data, "*"):
        (x, left), (y, right) = linear(data[1], answers, place), linear(data[2], answers, place)
        if not left or not right:
            return x * y, {name: c * (x if right else y) for name, c in {**left, **right}.items()}
    raise Rejected(f"{place}: a sum of strings was expected")


class Boxes(Network):
    """A network whose numbers may be known by their ends only, which cuts maps of hinges by what is known of differences of hinges."""

    def __init__(self, network: Network) -> None:
        self.__dict__.update(network.__dict__)
        self.apart: dict[tuple[int, int], tuple[list[tuple[int, int]], int, tuple[Map, Map]]] = {}  # holds the maps: ids stay theirs

    def of_units(self, units: Units, form: Map, read: Vector, inside: Vector, hidden: Vector) -> Any:
        """A map of hidden units, of which those of opposite coefficients may be nearer to each other than their ends say."""
        found = self.applied(form, hidden)
        if type(found) is not Between or form.constant:
            return found
        behind, total, alone = 3 * self.numbers.unit + 1, [0, 0], dict(form.terms)
        for first, second in opposite(form):
            low, high = self.between_units(units, first, second, read, inside, hidden)
            weight = alone.pop(first)
            del alone[second]
            total = [total[0] + weight * low, total[1] + weight * high]
        for k, weight in alone.items():
            products = [weight * end << behind - self.numbers.unit for end in ends(hidden[k])]
            total = [total[0] + min(products), total[1] + max(products)]
        error = self.rounding([abs(w) * largest(hidden[k]) for k, w in form.terms]) << 2 * self.numbers.unit
        settle = self.numbers.narrow.settle
        return between(max(found.low, settle(total[0] - error, behind)), min(found.high, settle(total[1] + error, behind)))

    def between_units(self, units: Units, first: int, second: int, read: Vector, inside: Vector, hidden: Vector) -> Box:
        """The ends of the difference of two hidden units, in units * 2^-(2 unit + 1).

        Where both activations are straight it is that of what is inside, times their gate; of relu it lies else between that and 0.
        """
        unit, ((least, most), (low, high)) = self.numbers.unit, (ends(hidden[k]) for k in (first, second))
        low, high = least - high << 2 * unit + 1, most - low << 2 * unit + 1
        straight = self.straight(units.activation, min(ends(inside[first])[0], ends(inside[second])[0]))
        if not (straight or units.activation == "relu") or (units.gate and units.gate[first] != units.gate[second]):
            return low, high
        maps, gate, error = (units.hidden[first], units.hidden[second]), [1 << unit], 0
        least, most = self.difference(*maps, read, sum(self.error(each, read) for each in maps))
        least, most = (least, most) if straight else (min(least, 0), max(most, 0))
        if units.gate:
            gate = [*ends(self.applied(units.gate[first], read))]
            error = sum(1 << self.numbers.narrow.shift(largest(hidden[k])) for k in (first, second)) << 2 * unit
        products = [end * factor for end in (least, most) for factor in gate]
        return max(low, min(products) - error), min(high, max(products) + error)

    def straight(self, activation: str, low: Any) -> bool:
        """Whether an activation leaves every number from this one on as it is."""
        numbers = self.numbers
        if activation == "silu":
            return bool(numbers.add(numbers.one, numbers.exp(-low)) == numbers.one)
        return activation == "identity" or bool(activation == "relu" and low >= 0)

    def difference(self, first: Map, second: Map, read: Vector, error: int) -> Box:
        """The ends of the difference of two computed maps, in units * 2^-(unit + 1); error: of both maps."""
        self.numbers.limits.spend(4 * (len(first.terms) + len(second.terms)) * self.numbers.cost)
        if (id(first), id(second)) not in self.apart:
            coefficients = dict(first.terms)
            for k, c in second.terms:
                coefficients[k] = coefficients.get(k, 0) - c
            constant = sum(first.constant) - sum(second.constant) << self.numbers.unit
            self.apart[id(first), id(second)] = [(k, c) for k, c in coefficients.items() if c], constant, (first, second)
        terms, low, _ = self.apart[id(first), id(second)]
        high = low
        for k, c in terms:
            least, most = ends(read[k])
            low, high = (low + c * least, high + c * most) if c > 0 else (low + c * most, high + c * least)
        return 2 * low - error, 2 * high + error

    def error(self, form: Map, read: Vector) -> int:
        """How far a computed map of values in a box may be from the exact one, in units * 2^-(unit + 1)."""
        self.numbers.limits.spend(4 * len(form.terms) * self.numbers.cost)
        sizes = [abs(c) * largest(read[k]) for k, c in form.terms]
        return self.rounding([*sizes, *(abs(c) << self.numbers.unit for c in form.constant)])

    def rounding(self, sizes: list[int]) -> int:
        """How far a dot product of products of at most these sizes, in units * 2^-unit, may be from the exact one, twice over."""
        numbers, behind = self.numbers, self.numbers.unit
        total, twice = rounding_of_sum(numbers, sizes, behind, numbers.into)
        if numbers.narrow != numbers.wide:
            step = 1 << numbers.narrow.shift(total, behind)
            total, twice = total + step, twice + step
        if total > min(numbers.narrow.largest, numbers.wide.largest) << behind:
            raise Open("a number that may lie outside the format")
        return twice


def rounding_of_sum(numbers: Numbers, sizes: Iterable[int], behind: int, into: Format | None = None) -> tuple[int, int]:
    """How large a sum from left to right of terms of these sizes may be, in units * 2^-behind, and twice how far from the exact one; each
    term is rounded ``into`` a format first, where one is given.

    Each rounding moves a number by at most half the distance of neighbours at the largest size that it may have.
    """
    total = twice = 0
    for size in filter(None, sizes):
        for form, before in ((into, 0), (numbers.wide if total else None, total)):
            step = 1 << form.shift(before + size, behind) if form else 0
            size, twice = size + step, twice + step
        total += size
    return total, twice


def between(low: int, high: int) -> Any:
    if low > high:
        raise Open("ends that are out of order")
    return low if low == high else Between(low, high)


def largest(x: Any) -> int:
    """The largest size that a number may have."""
    return int(max(map(abs, ends(x))))


def opposite(form: Map) -> list[tuple[int, int]]:
    """Pairs of units with opposite coefficients, the first one's positive."""
    left, found = {k: c for k, c in form.terms if c > 0}, list[tuple[int, int]]()
    for k, c in form.terms:
        partner = next((other for other, weight in left.items() if weight == -c), None)
        if partner is not None:
            del left[partner]
            found.append((partner, k))
    return found


class Logits:
    """The last token from the layer with heads, ``layer``, on; ``behind`` are the others. ``x`` is what it has before."""

    def __init__(self, answers: Answers, layer: Layer, behind: list[Layer]) -> None:
        self.answers, self.t, self.layer, self.behind = answers, answers.network, layer, behind
        self.boxes = Boxes(self.t)
        self.sums: dict[Any, Row] = {}
        self.symbols: dict[tuple[Row, Row], int | None] = {}

    def decided(self, x: Vector, right: int, boxes: list[Row]) -> bool:
        """Whether the right symbol is chosen everywhere in some boxes; one that holds them all may do for each of them."""
        self.t.limits.spend(16 * len(boxes))
        whole = [[*map(hull, zip(*each, strict=True))] for each in zip(*boxes, strict=True)] if len(boxes) > 1 else []
        return bool(whole and self.certain(x, right, whole)) or all(self.decided_alone(x, right, given) for given in boxes)

    def decided_alone(self, x: Vector, right: int, given: Row) -> bool:
        if any(type(value) is Between for each in given for value in each):
            return self.certain(x, right, given)
        return self.chosen(x, given) == right

    def chosen(self, x: Vector, given: Row) -> int | None:
        """The symbol that is chosen where all numbers are known; what heads add to x, and then the symbol, is worked out once."""
        if given not in self.sums:
            self.sums[given] = tuple(self.t.combined(self.layer, given).values())
        key = tuple(x), self.sums[given]
        if key not in self.symbols:
            self.symbols[key] = self.answers.chosen(self.at_end(self.t, x, given))
            self.t.limits.keep("states", len(self.sums) + len(self.symbols))
        return self.symbols[key]

    def at_end(self, t: Network, x: Vector, given: Sequence[Sequence[Any]]) -> Vector:
        x = t.after(self.layer, x, given)
        for layer in self.behind:
            x = t.after(layer, x, [])
        return x

    def certain(self, x: Vector, right: int, given: Sequence[Sequence[Any]]) -> bool:
        """Whether the logit of the right symbol is above every other one, everywhere in a box."""
        try:
            return self.above(x, right, given)
        except Open:
            return False

    def above(self, x: Vector, right: int, given: Sequence[Sequence[Any]]) -> bool:
        boxes, y = self.boxes, self.at_end(self.boxes, x, given)
        logits = self.answers.logits
        errors, low = [boxes.error(form, y) for form in logits], None
        for other, form in enumerate(logits):
            if other == right or boxes.difference(logits[right], form, y, errors[right] + errors[other])[0] > 0:
                continue
            low = ends(boxes.applied(logits[right], y))[0] if low is None else low
            high = ends(boxes.applied(form, y))[1]
            if (low, -right) < (high, -other):
                return False
        return True


def hull(boxes: Iterable[Any]) -> Any:
    """What holds all of some boxes."""
    both = [*map(ends, boxes)]
    return between(min(low for low, _ in both), max(high for _, high in both))


def check_induction(answers: Answers, place: str) -> int:
    """How many inputs are answered rightly, by induction over the outputs."""
    induction = Induction(answers, place)
    for step in range(answers.steps):
        induction.check(step)
    return answers.inputs


def plain(numbers: Numbers) -> bool:
    """Whether sums are in order, in rounded formats with digits and subnormal numbers, ties to even, as boxes need it."""
    usual = {"subnormals": "kept", "ties": "even", "entries": "rounded", "attention": "values", "constants": "multiplied"}
    digits = max(numbers.narrow.digits, numbers.wide.digits)
    known = numbers.in_order and not numbers.real and all(numbers.knobs[knob] == setting for knob, setting in usual.items())
    return known and numbers.narrow.overflow != "before" and digits < ANY_DIGITS


class Induction:
    """A network that appends the digits of a sum."""

    def __init__(self, answers: Answers, place: str) -> None:
        self.answers, self.t, self.place = answers, answers.network, place
        demand(plain(answers.numbers), f"{place}: sums of rounded products from left to right, and subnormal numbers, were expected")
        t, appends = self.t, answers.kind == "decode" and answers.until == "" and answers.promise.words == "true"
        demand(appends, f"{place}: outputs up to a length were expected")
        self.digits = Digits(answers, place)
        self.prompt = self.digits.prompt
        layers = [k for k, layer in enumerate(t.layers) if layer.heads]
        demand(len(layers) == 1, f"{place}: one layer with heads was expected")
        demand(not t.tokens[-1].reads, f"{place}: the input ends with a digit")
        self.layer = t.layers[layers[0]]
        self.logits = Logits(answers, self.layer, t.layers[layers[0] + 1 :])
        self.vectors = [{word: self.earlier(t.layers[: layers[0]], x) for word, x in enumerate(each)} for each in t.embedding]
        read = [dict(zip(each, t.read(self.layer, list(each.values())), strict=True)) for each in self.vectors]
        self.last = LastToken(t, self.layer.heads, read)

    def earlier(self, layers: list[Layer], x: Vector) -> Vector:
        for layer in layers:
            x = self.t.after(layer, x, [])
        return x

    def check(self, step: int) -> None:
        """Every group at a step, if all earlier outputs are right."""
        words = self.digits.words[: self.prompt + step]
        queries = words[-1]
        given: dict[int, list[Copied | Summed]] = {query: [] for query in queries}
        for h in range(len(self.layer.heads)):
            copied = [self.last.copied(h, words, query) for query in queries]
            for query, copy in zip(queries, copied, strict=True):
                given[query].append(copy if copy and all(copied) else self.last.summed(h, words, query))
        copies = {head.token for heads in given.values() for head in heads if isinstance(head, Copied)}
        watched = list(self.digits.watched(step, copies))
        for query in queries:
            heads, x = given[query], self.vectors[len(words) - 1][query]
            groups = self.digits.groups(step, query, heads, watched)
            self.t.limits.spend(8 * len(groups))
            sources = [(self.digits.place(head.token, step, watched), head.values) for head in heads if isinstance(head, Copied)]
            errors = [self.rounding_of_sum(products) for head in heads if isinstance(head, Summed) for products in head.products]
            cases: dict[tuple[int, Row], set[Extremes]] = {}  # by the total, and what is copied
            for key, exact in groups.items():
                of_key = (*key, query, 0)
                copied_values = tuple([values[of_key[place]] for place, values in sources])
                cases.setdefault((key[0] + key[1], copied_values), set()).add(exact)
            for (total, copied_values), alike in cases.items():
                right = total % self.digits.base
                sure = self.logits.decided(x, right, [self.results(heads, copied_values, exact, errors) for exact in alike])
                demand(sure, f"{self.place}, output {step + 1}: query {query}, carry and digits {total}: {right} is not certainly chosen")

    def results(self, heads: list[Copied | Summed], copied: Row, exact: Extremes, errors: list[int]) -> Row:
        """What each head gives to a group, of the values that are copied and the exact extremes of the sums."""
        values, sums, found = iter(copied), iter(zip(exact[::2], exact[1::2], errors, strict=True)), list[Row]()
        for head in heads:
            if isinstance(head, Copied):
                found.append(next(values))
                continue
            boxes: list[Any] = []
            for _ in head.products:
                least, most, error = next(sums)
                low, high = self.sum_box(least, -most, error)
                demand(-INF < low <= high < INF, f"{self.place}: a sum may be beyond the format")
                total = between(low, high)
                boxes.append(total if head.divisor is None else self.t.numbers.divide(total, head.divisor))
            found.append(tuple(boxes))
        return tuple(found)

    def sum_box(self, least: int, largest: int, error: int) -> Box:
        """The ends of a computed sum, from the extremes of the exact one, and what the rounding of partial sums may add."""
        settle = self.t.numbers.narrow.settle
        return settle(2 * least - error, 1), settle(2 * largest + error, 1)

    def rounding_of_sum(self, products: Table) -> int:
        """How far a sum of such products may be from the exact one, in half units."""
        sizes = (max((max(abs(low), abs(high)) for low, high in each.values()), default=0) for each in products)
        total, twice = rounding_of_sum(self.t.numbers, sizes, 0)
        demand(total <= self.t.numbers.wide.largest, f"{self.place}: a sum may be beyond the format")
        return twice
