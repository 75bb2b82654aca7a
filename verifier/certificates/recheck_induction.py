"""Decoding by induction: a network that appends the digits of a sum. If all earlier outputs are right, the next one is.

If this file is right, you may believe: for every input and each output, the right symbol has the first of the largest logits if the earlier
outputs are right.

At a step the tokens are digits of columns, earlier outputs (assumed right), and special tokens. A *group* is what an input leads to: the
query (the last token), the carry into this column with its digits, and the digits that are watched, because one token alone adds to a sum.
Each group has bounds on the sums of the heads: exact extremes, by dynamic programming over columns and carries, and a bound on the rounding
of partial sums. The rest is computed with numbers known by their ends, for many groups with one right symbol at once.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from operator import add
from typing import Any

from .recheck_answers import Answers
from .recheck_network import Attention, Map, Network, Vector, finite
from .recheck_numbers import ANY_DIGITS, INF, Between, Numbers, between, ends
from .recheck_reading import At, Open, Rejected, demand

Box = tuple[int, int]
Key = tuple[int, ...]
Extremes = tuple[int, ...]  # of each sum the least value and the negative of the largest, so that both are minima
Table = list[list[Box]]  # for each token and word the ends of what it adds to a sum; a token that takes no part has no words
Given = tuple[Box, ...]  # the ends of what heads give to the coordinates that they set
Summed = tuple[list[Table], Any]  # for each value of a head what is added to its sum, and what the sum is divided by, or None


class Induction:
    """A network that appends the digits of a sum."""

    def __init__(self, answers: Answers, place: str) -> None:
        self.numbers, self.place = answers.numbers, place
        usual = {"subnormals": "kept", "ties": "even", "entries": "rounded", "attention": "values", "constants": "multiplied"}
        digits = not self.numbers.real and self.numbers.overflow != "before" and self.numbers.digits < ANY_DIGITS
        demand(digits and usual.items() <= self.numbers.knobs.items(), f"{place}: ties to even and subnormal numbers were expected")
        appends = answers.kind == "decode" and answers.until == "" and answers.promise.words == "true"
        demand(appends, f"{place}: outputs up to a length were expected")
        self.digits = Digits(answers, place)
        t = self.t = answers.network
        layers = [k for k, layer in enumerate(t.layers) if layer.heads]
        demand(len(layers) == 1, f"{place}: one layer with heads was expected")
        demand(not t.tokens[-1].reads, f"{place}: the input ends with a digit")
        before, last = t.layers[: layers[0]], t.layers[layers[0] :]
        self.boxes, self.heads, self.combine = Boxes(answers, last), last[0].heads, last[0].combine
        self.vectors = [[t.behind(before, x) for x in each] for each in t.embedding]
        self.read = [t.read(last[0], each) for each in self.vectors]
        self.keyed = [t.keyed(head, self.read) for head in self.heads]
        finite((x for of_head in self.keyed for each in of_head for _, values in each for x in values), f"{place}: a value is not finite")
        self.known_share, self.known_total, self.known_given = cache(self.share), cache(self.total), cache(self.given)
        self.cases: dict[int, dict[tuple[tuple[Any, ...], Given], Key]] = {}

    def gather(self, step: int) -> None:
        """The vector that asks, and what heads give, in every group at a step if all earlier outputs are right, by the right symbol."""
        at = self.digits.prompt + step - 1
        for query, x in enumerate(self.vectors[at]):
            heads = [self.summed(h, at, query) for h in range(len(self.heads))]
            tables = [table for products, _ in heads for table in products]
            errors, groups = tuple(map(self.rounding_of_sum, tables)), self.digits.groups(step, query, tables)
            divisors = tuple([divisor and ends(divisor) for products, divisor in heads for _ in products])
            for total, given in {(total, self.known_given(divisors, errors, exact)) for (total, *_), exact in groups.items()}:
                self.cases.setdefault(total % self.digits.base, {})[tuple(x), given] = (step + 1, query, total)

    def check(self) -> None:
        """The right symbol is certainly chosen in some cases, if the ends of all show it, or in either of two parts of them: they are cut
        where neighbours are farthest apart, in the coordinate that differs most."""
        for right, cases in self.cases.items():
            self.t.limits.spend(len(cases) * len(self.t.coordinates))
            waiting = [[(self.boxes.left(x, given), which) for (x, given), which in cases.items()]]
            while waiting:
                some = waiting.pop()
                self.t.limits.spend(16 * len(some))
                whole = [(min(low for low, _ in each), max(high for _, high in each)) for each in zip(*[y for y, _ in some], strict=True)]
                if not self.boxes.certain(whole, right):
                    which = "output {}: query {}, carry and digits {}".format(*some[0][1])
                    demand(len(some) > 1, f"{self.place}, {which}: {right} is not certainly chosen")
                    widest = max(range(len(whole)), key=lambda k: whole[k][1] - whole[k][0])
                    some.sort(key=lambda case: case[0][widest])
                    gaps = [after[widest][0] - before[widest][0] for (before, _), (after, _) in pairwise(some)]
                    middle = 1 + gaps.index(max(gaps))
                    waiting += [some[:middle], some[middle:]]

    def given(self, divisors: Sequence[Box | None], errors: Sequence[int], exact: Extremes) -> Given:
        """The ends of what heads give to coordinates, from the exact extremes of their sums."""
        left = map(self.known_share, exact[::2], exact[1::2], errors, divisors)
        found = [[next(left) for _ in head.value] for head in self.heads]
        return tuple([self.known_total(name, *[found[h][v] for h, v, _ in sources]) for name, sources in self.combine.items()])

    def share(self, least: int, opposite: int, error: int, divisor: Box | None) -> Box:
        """A computed sum, from the extremes of the exact sum and the rounding of partial sums; divided, if that is given."""
        low, high = (self.numbers.settle(x, 1) for x in (2 * least - error, -2 * opposite + error))
        demand(-INF < low <= high < INF, f"{self.place}: a sum may be beyond the format")
        return (low, high) if divisor is None else ends(self.numbers.divide(between(low, high), between(*divisor)))

    def total(self, name: int, *values: Box) -> Box:
        """What a coordinate is given, where the values that it combines are these."""
        return ends(self.numbers.dot([(c, between(*box)) for (_, _, c), box in zip(self.combine[name], values, strict=True)]))

    def summed(self, h: int, at: int, query: int) -> Summed:
        """The terms that each word may add to the sums of a head, if the token at this position asks and holds this word.

        If a token has a score, the largest score is that score, or lies between the largest lower bound of the others and the largest of
        their upper bounds.
        """
        head, numbers = self.heads[h], self.numbers
        self.t.limits.spend(8 * sum(map(len, self.keyed[h][: at + 1])))
        told = self.t.told(head, self.keyed[h][: at + 1], self.read[at][query], at, query)
        attention = Attention(self.t, head, told)
        scores = [[score for score, _ in each if score is not None] for each in told]
        finite((score for each in scores for score in each), f"{self.place}: a score is not finite")
        demand(any(scores), f"{self.place}: a head sees no token")
        demand(head.kind != "linear" and not head.power, f"{self.place}: head {h + 1} does not have weights that are bounded here")
        ranges = [(min(each, default=-INF), max(each, default=-INF)) for each in scores]
        others = [tuple(max(each) for each in zip(*ranges[:j], (-INF, -INF), *ranges[j + 1 :], strict=True)) for j in range(len(ranges))]

        @cache
        def weight(score: int, low: int, high: int) -> Any:
            """The weight before the division; it increases with the score."""
            if not attention.softmax:
                demand(score < low or score > high, f"{self.place}: head {h + 1} does not certainly choose one token")
                return numbers.one if score > high else 0
            attention.top = between(max(score, low), max(score, high))
            return attention.exponential(score)

        of_tokens = [
            between(ends(weight(min(each), *of))[0], ends(weight(max(each), *of))[1]) if each else 0
            for each, of in zip(scores, others, strict=True)
        ]
        divisor = numbers.total([x for x, each in zip(of_tokens, scores, strict=True) if each]) if attention.softmax else None
        bounded = divisor is None or (ends(divisor)[0] > 0 and ends(divisor)[1] < INF)
        demand(bounded, "a sum of exponentials may be 0 or beyond the format")
        divided = attention.softmax and attention.early
        share = cache(lambda *of: numbers.divide(weight(*of), divisor) if divided else weight(*of))

        @cache
        def product(score: int, low: int, high: int, value: int) -> Box:
            found = ends(numbers.multiply(share(score, low, high), value))
            finite(found, "a weight times a value is not finite")
            return found

        products: list[Table] = [[] for _ in head.value]
        for each, of, of_token in zip(told, others, of_tokens, strict=True):
            for v, table in enumerate(products):
                taking = [(score, values[v]) for score, values in each if score is not None]
                table.append([(0, 0) if ends(of_token) == (0, 0) else product(score, *of, value) for score, value in taking])
        return products, None if divided else divisor

    def rounding_of_sum(self, products: Table) -> int:
        """A bound on the distance of a sum of such products from the exact one, in half units."""
        sizes = (max((max(abs(low), abs(high)) for low, high in each), default=0) for each in products)
        return rounding_of_sum(self.numbers, sizes, 0, False)


class Digits:
    """The digits of the strings and of the right outputs, by column from the last one."""

    def __init__(self, answers: Answers, place: str) -> None:
        self.t = answers.network
        self.base, self.strings, self.prompt = len(self.t.symbols), list(self.t.strings), len(self.t.tokens)
        demand(self.t.letters == self.base and len(self.t.tokens) > 0, f"{place}: strings of all symbols were expected")
        widths = set(self.t.strings.values())
        demand(len(widths) == 1, f"{place}: strings of one length were expected")
        self.width = widths.pop()
        total = ["+", *self.strings] if len(self.strings) > 1 else self.strings[0]
        digits = [["%", ["//", total, str(self.base**k)], str(self.base)] for k in range(answers.steps)]
        right = answers.network.output.names()["function"].data == digits
        demand(right, f"{place}: right outputs S//B**(k - 1) % B were expected, where S is the sum of the strings")
        self.tokens: dict[tuple[str, int], list[int]] = {}
        for j, token in enumerate(self.t.tokens):
            demand(len(token.reads) <= 1, f"{place}: tokens of one symbol were expected")
            for name, where in token.reads:
                self.tokens.setdefault((name, self.width - 1 - where), []).append(j)

    def groups(self, step: int, query: int, tables: list[Table]) -> dict[Key, Extremes]:
        """Every group of a query: (carry and total, carry, digits watched), with the exact extremes of the sums."""
        limits, start = self.t.limits, (0, 0) * len(tables)
        limits.spend((len(self.t.tokens) + step) * self.base * len(tables))
        adding = [[j for j, each in enumerate(table) if any(map(any, each))] for table in tables]
        watched = {j for alone in adding if len(alone) == 1 for j in alone}
        for j, token in enumerate(self.t.tokens):
            if all(self.width - 1 - where > step for _, where in token.reads):
                start = added(start, tables, j, range(len(token.vectors)))
        start = added(start, tables, self.prompt + step - 1, [query]) if step else start
        states: dict[Key, Extremes] = {(0, 0): start}  # by carry, total of the column so far, and digits watched
        for column in range(step + 1):
            for name in self.strings if column < self.width else ():
                tokens, grown = self.tokens.get((name, column), []), dict[Key, Extremes]()
                limits.spend(self.base * (len(states) + len(tables) * len(tokens)))
                for digit in range(self.base):
                    more: Extremes = (0, 0) * len(tables)
                    for j in tokens:
                        more = added(more, tables, j, [digit])
                    symbols = [digit] if watched.intersection(tokens) else []
                    for (carry, total, *seen), extremes in states.items():
                        merge(grown, (carry, total + digit, *seen, *symbols), tuple(map(add, extremes, more)))
                limits.keep("states", len(grown))
                states = grown
            if column == step:
                break
            output, grown = self.prompt + column, {}
            for (carry, total, *seen), extremes in states.items():
                following, right = divmod(carry + total, self.base)
                if column < step - 1:
                    symbols = [right] if output in watched else []
                    merge(grown, (following, 0, *seen, *symbols), added(extremes, tables, output, [right]))
                elif right == query:
                    merge(grown, (following, 0, *seen), extremes)
            states = grown
        return {(carry + total, carry, *seen): extremes for (carry, total, *seen), extremes in states.items()}


def added(extremes: Extremes, tables: list[Table], j: int, words: Iterable[int]) -> Extremes:
    """The extremes after the term of one of some words at a token; a token that takes no part adds nothing."""
    more: list[int] = []
    for table in tables:
        found = [table[j][word] for word in words] if table[j] else [(0, 0)]
        more += min(low for low, _ in found), min(-high for _, high in found)
    return tuple(map(add, extremes, more))


def merge(states: dict[Key, Extremes], key: Key, extremes: Extremes) -> None:
    """Put a state beside the others of its key."""
    states[key] = tuple(map(min, states[key], extremes)) if key in states else extremes


class Boxes(Network):
    """A network whose numbers may be known by their ends only; for sums of hidden units it knows more than the ends of each."""

    def __init__(self, answers: Answers, last: list[Any]) -> None:
        self.__dict__.update(answers.network.__dict__)
        self.answers, self.last = answers, last  # the layer with heads, and those behind it

    def left(self, x: Sequence[Any], given: Given) -> tuple[Box, ...]:
        """The ends of what the layer with heads leaves of x, where the heads give this to the coordinates that they set."""
        found = {name: between(*box) for name, box in zip(self.last[0].combine, given, strict=True)}
        return tuple([ends(value) for value in self.after(self.last[0], [*x], found)])

    def certain(self, whole: Sequence[Box], right: int) -> bool:
        """Whether the right symbol is chosen, or its logit is above every other one everywhere between the ends behind that layer."""
        try:
            y = self.behind(self.last[1:], [between(*box) for box in whole])
            return self.above(y, right) if Between in map(type, y) else self.answers.chosen(y) == right
        except (Open, Rejected):
            return False

    def above(self, y: Vector, right: int) -> bool:
        """Whether the right logit is the first of the largest: by the computed logits, or by the exact ones and their errors."""
        logits = self.answers.logits
        found, errors = [ends(self.applied(form, y)) for form in logits], [self.error(form, y) for form in logits]
        finite((end for each in found for end in each), "a logit is not finite")
        for other, form in enumerate(logits):
            above = other == right or (found[right][0], -right) > (found[other][1], -other)
            if not above and 2 * self.together([(1, logits[right]), (-1, form)], y)[0] <= errors[right] + errors[other]:
                return False
        return True

    def of_units(self, units: Any, form: Map, read: Vector, inside: Vector, hidden: Vector) -> Any:
        """A map of hidden units; units with one gate that pass their inputs unchanged are merged into one map of those inputs."""
        found, unit = self.applied(form, hidden), self.numbers.unit
        if type(found) is not Between or form.constant:
            return found
        sizes = [abs(w) * largest(hidden[k]) for k, w in form.terms]
        error = rounding_of_sum(self.numbers, sizes, unit, True) << 2 * unit  # in units * 2^-(3 unit + 1)
        low = high = 0  # in units * 2^-3 unit
        maps: dict[int, list[tuple[int, Map]]] = {}  # by the first unit with the same gate
        for k, w in form.terms:
            if self.straight(units.activation, ends(inside[k])[0]):
                gate = units.gate.index(units.gate[k]) if units.gate else 0
                maps.setdefault(gate, []).append((w, units.hidden[k]))
                error += abs(w) << 2 * unit + self.numbers.shift(largest(hidden[k])) if units.gate else 0
            else:
                products = [w * end << 2 * unit for end in ends(hidden[k])]
                low, high = low + min(products), high + max(products)
        for first, weighted in maps.items():
            factors = [*ends(self.applied(units.gate[first], read))] if units.gate else [1 << unit]
            products = [factor * end for factor in factors for end in self.together(weighted, read)]
            low, high = low + min(products), high + max(products)
            error += max(map(abs, factors)) * sum(abs(w) * self.error(inner, read) for w, inner in weighted)
        settle, behind = self.numbers.settle, 3 * unit + 1
        return between(max(found.low, settle(2 * low - error, behind)), min(found.high, settle(2 * high + error, behind)))

    def straight(self, activation: str, low: Any) -> bool:
        """Whether an activation leaves every number from this one on unchanged."""
        numbers = self.numbers
        if activation == "silu":
            return bool(numbers.add(numbers.one, numbers.exp(-low)) == numbers.one)
        return activation == "identity" or bool(activation == "relu" and low >= 0)

    def together(self, weighted: Sequence[tuple[int, Map]], read: Vector) -> Box:
        """The ends of the exact sum of several maps, each times a number, in units of the product."""
        coefficients: dict[int, int] = {}
        low = sum(w * sum(form.constant) for w, form in weighted) << self.numbers.unit
        for w, form in weighted:
            self.numbers.limits.spend(4 * len(form.terms) * self.numbers.cost)
            for k, c in form.terms:
                coefficients[k] = coefficients.get(k, 0) + w * c
        high = low
        for k, c in coefficients.items():
            products = [c * end for end in ends(read[k])]
            low, high = low + min(products), high + max(products)
        return low, high

    def error(self, form: Map, read: Vector) -> int:
        """A bound on the error of a computed map of values in a box, in units * 2^-(unit + 1)."""
        self.numbers.limits.spend(4 * len(form.terms) * self.numbers.cost)
        sizes = [abs(c) * largest(read[k]) for k, c in form.terms]
        sizes += [abs(c) << self.numbers.unit for c in form.constant]
        return rounding_of_sum(self.numbers, sizes, self.numbers.unit, True)


def rounding_of_sum(numbers: Numbers, sizes: Iterable[int], behind: int, products: bool) -> int:
    """Twice a bound on the error of a sum from left to right of terms of at most these sizes, in units * 2^-behind; products are rounded
    before they are added.

    Each rounding moves a number by at most half the distance of neighbours at the largest size that it may have.
    """
    total = twice = 0
    for size in filter(None, sizes):
        for rounds, before in ((products, 0), (total > 0, total)):
            step = 1 << numbers.shift(before + size, behind) if rounds else 0
            size, twice = size + step, twice + step
        total += size
    demand(total <= numbers.largest << behind, "a sum may be beyond the format")
    return twice


def largest(x: Any) -> int:
    """The largest size that a number can have."""
    return int(max(map(abs, ends(x))))


def check_induction(_: Mapping[str, At], answers: Answers, place: str) -> int:
    """Count the inputs that are answered rightly, by induction over the outputs."""
    induction = Induction(answers, place)
    for step in range(answers.steps):
        induction.gather(step)
    induction.check()
    return int(answers.network.letters ** sum(answers.network.strings.values()))
