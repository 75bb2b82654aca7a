"""Decoding by induction, in a network certificate: if all earlier outputs are right, the next one is.

The right outputs are digits of a sum S = c + c_1·s_1 + … of the strings, read as numbers in the base of the alphabet, from the last one.
With carry 0 = c and t = carry i + the sum of c_s times digit i of s, output i is t mod base and carry i + 1 is the quotient. At a step the
tokens are digits of columns, earlier outputs, which are right, and special tokens. A *group* is what an input leads to: the query (the last
token), the carry into this column and the total of its digits, and the symbols that heads copy. For heads that sum, each group has ends of
their sums: exact extremes, by dynamic programming over columns and carries, and what the rounding of partial sums may add. What follows is
computed on these boxes.
"""

import ast
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import reduce
from operator import add
from typing import Any

from .recheck_answers import Answers
from .recheck_arithmetic import At, Rejected, demand
from .recheck_boxes import Box, Boxes, Open, spacing
from .recheck_floats import INF
from .recheck_last_token import Copied, LastToken, Summed
from .recheck_layers import Layer, Vector

Key = tuple[int, ...]
Extremes = tuple[int, ...]  # of each sum the least value and the negative of the largest, so that both are minima
Table = list[dict[int, tuple[int, int]]]  # for each token and word the ends of what it adds to a sum
Watch = tuple[str, int]  # a string, or "" for the outputs, and a column
MOST_STRINGS, DEEPEST = 4, 60


def check_induction(evidence: dict[str, At], answers: Answers) -> int:
    """How many inputs are answered rightly, by induction over the outputs."""
    induction = Induction(answers, evidence["steps"].place)
    for step, each in enumerate(evidence["steps"].items(answers.steps)):
        induction.check(step, each.record("heads", "groups", "boxes"))
    return int(induction.base ** sum(answers.transformer.strings.values()))


class Induction:
    """A network that appends the digits of a sum."""

    def __init__(self, answers: Answers, place: str) -> None:
        self.answers, self.t, self.place = answers, answers.transformer, place
        t = self.t
        demand(
            answers.kind == "decode" and answers.until == "" and answers.promise is None, f"{place}: outputs up to a length were expected"
        )
        self.base, self.strings, self.prompt = len(t.symbols), list(t.strings), len(t.layout)
        demand(t.letters == self.base, f"{place}: strings of all symbols were expected")
        widths = set(t.strings.values())
        demand(len(widths) == 1 and len(self.strings) <= MOST_STRINGS, f"{place}: strings of one length were expected")
        self.width = widths.pop()
        self.first, self.coefficients = digit_sum(answers, place)
        layers = [k for k, layer in enumerate(t.layers) if layer.heads]
        demand(len(layers) == 1, f"{place}: one layer with heads was expected")
        self.layer, self.behind = t.layers[layers[0]], t.layers[layers[0] + 1 :]
        self.vectors = [{word: self.earlier(t.layers[: layers[0]], x) for word, x in each.items()} for each in t.embedding]
        read = [dict(zip(each, t.read(self.layer, list(each.values())), strict=True)) for each in self.vectors]
        self.last = LastToken(t, self.layer.heads, read)
        self.boxes = Boxes(t)
        self.errors: dict[tuple[int, int], int] = {}
        self.sums: dict[Any, Box] = {}
        self.digits: dict[Watch, list[int]] = {}
        for j, entry in enumerate(t.layout):
            if not isinstance(entry, int):
                self.digits.setdefault((entry[0], self.width - 1 - entry[1]), []).append(j)
        symbols = list(range(self.base))
        self.words = [[entry] if isinstance(entry, int) else symbols for entry in t.layout] + [symbols] * (answers.steps - 1)
        demand(all(set(words) <= set(each) for words, each in zip(self.words, t.embedding, strict=True)), f"{place}: a word has no vector")

    def earlier(self, layers: list[Layer], x: Vector) -> Vector:
        for layer in layers:
            x = self.t.after(layer, x, [])
        return x

    def check(self, step: int, parts: dict[str, At]) -> None:
        """Every group at a step, if all earlier outputs are right."""
        words = self.words[: self.prompt + step]
        queries = words[-1]
        demand(step > 0 or isinstance(self.t.layout[-1], int), f"{self.place}: the input ends with a digit")
        given: dict[int, list[Copied | Summed]] = {query: [] for query in queries}
        for h, each in enumerate(parts["heads"].items(len(self.layer.heads))):
            tokens = each.items(len(queries)) if each.data != [] else []
            for k, query in enumerate(queries):
                token = tokens[k].integer(0, len(words) - 1) if tokens else None
                given[query].append(self.last.given(h, words, query, token))
        copied = {head.token for heads in given.values() for head in heads if isinstance(head, Copied)}
        watched = list(self.watched(step, copied))
        groups = {query: self.groups(step, query, given[query], watched) for query in queries}
        count = sum(map(len, groups.values()))
        demand(parts["groups"].integer() == count, f"{parts['groups'].place}: {count} groups were expected")
        sums = sum(len(head.products) for head in given[queries[0]] if isinstance(head, Summed))
        listed = self.listed(parts["boxes"], sums, groups) if sums else {}
        if not sums:
            parts["boxes"].items(0)
        self.errors = {}
        cases: dict[Any, list[list[list[Box]]]] = {}
        for query, of_query in groups.items():
            for key, exact in of_query.items():
                self.t.limits.spend(8)
                ends = listed[query, key] if sums else []
                boxes = self.results(step, query, given[query], key, watched, exact, ends)
                total = key[0] + key[1]
                if sums:  # one box may do for all of one total, as their right symbol is the same
                    copies = (tuple(box) for head, box in zip(given[query], boxes, strict=True) if isinstance(head, Copied))
                    cases.setdefault((query, total, *copies), []).append(boxes)
                else:
                    cases.setdefault((query, total, *self.combined(boxes).values()), [boxes])
        for (query, total, *_), alike in cases.items():
            right = total % self.base
            where = f"{self.place}, step {step + 1}: query {query}, carry and digits {total}"
            if len(alike) > 1 and self.certain(step, query, right, reduce(hull, alike)):
                continue
            for boxes in alike:
                demand(self.decided(step, query, right, boxes), f"{where}: {right} is not certainly chosen")

    def watched(self, step: int, copied: set[int]) -> Iterator[Watch]:
        """The symbols that heads copy, by column."""
        for column in range(step + 1):
            for name in self.strings:
                if copied.intersection(self.digits.get((name, column), ())):
                    yield name, column
            if column < step - 1 and self.prompt + column in copied:
                yield "", column

    def groups(self, step: int, query: int, heads: list[Copied | Summed], watched: list[Watch]) -> dict[Key, Extremes]:
        """Every group of a query: (carry, total, symbols watched), with the exact extremes of the sums."""
        tables = [products for head in heads if isinstance(head, Summed) for products in head.products]
        last = self.prompt + step - 1
        self.t.limits.spend(len(self.words) * self.base * len(tables))
        start: Extremes = (0, 0) * len(tables)
        for j, entry in enumerate(self.t.layout):
            if isinstance(entry, int) and j != last:
                start = added(start, tables, j, [entry])
        start = added(start, tables, last, [query])
        for column in range(step + 1, self.width):
            for name in self.strings:
                for j in self.digits.get((name, column), ()):
                    start = added(start, tables, j, range(self.base))
        states: dict[Key, Extremes] = {(self.first,): start}
        for column in range(step + 1):
            grown: dict[Key, Extremes] = {}
            choices = self.choices(column, tables, watched)
            self.t.limits.spend(2 * len(states) * len(choices) * (1 + len(tables)))
            for (carry, *seen), ends in states.items():
                for (total, *symbols), more in choices.items():
                    right, following = (carry + total) % self.base, (carry + total) // self.base
                    if column == step - 1 and right != query:
                        continue
                    both = tuple(map(add, ends, more))
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
                for j in self.digits.get((name, column), ()):
                    more = added(more, tables, j, [digit])
                of_digit.append(((digit,) if (name, column) in watched else (), more))
            for (total, *symbols), ends in found.items():
                for digit, (key, more) in enumerate(of_digit):
                    merge(grown, (total + coefficient * digit, *symbols, *key), tuple(map(add, ends, more)))
                self.t.limits.keep("states", len(grown))
            found = grown
        return found

    def listed(self, given: At, sums: int, groups: dict[int, dict[Key, Extremes]]) -> dict[tuple[int, Key], list[Box]]:
        """The boxes of a certificate: for each group the ends of each sum, before it is divided."""
        found: dict[tuple[int, Key], list[Box]] = {}
        for each in given.items():
            key, *ends = each.items(1 + 2 * sums)
            numbers = [x.integer() for x in key.items()]
            group = numbers[0] if numbers else -1, tuple(numbers[1:])
            demand(group[1] in groups.get(group[0], {}), f"{each.place}: no input leads to this group")
            demand(group not in found, f"{each.place}: this group is listed twice")
            states = [self.t.floats.state(x) for x in ends]
            found[group] = list(zip(states[::2], states[1::2], strict=True))
        demand(len(found) == sum(map(len, groups.values())), f"{given.place}: a group is not listed")
        return found

    def results(
        self, step: int, query: int, heads: list[Copied | Summed], key: Key, watched: list[Watch], exact: Extremes, ends: list[Box]
    ) -> list[list[Box]]:
        """What each head gives to a group."""
        found: list[list[Box]] = []
        sums = 0
        for head in heads:
            if isinstance(head, Copied):
                word = self.word(head.token, step, query, key, watched)
                found.append([(x, x) for x in head.values[word]])
                continue
            found.append([])
            for products in head.products:
                if (query, sums) not in self.errors:
                    self.errors[query, sums] = self.rounding_of_sum(products)
                box = self.sum_box(exact[2 * sums], -exact[2 * sums + 1], self.errors[query, sums])
                low, high = ends[sums]
                demand(-INF < low <= box[0] and box[1] <= high < INF, f"{self.place}, step {step + 1}: a sum may be beyond its box")
                found[-1].append((low, high) if head.divisor is None else self.boxes.divide((low, high), head.divisor))
                sums += 1
        return found

    def sum_box(self, least: int, largest: int, error: int) -> Box:
        """The ends of a computed sum, from the extremes of the exact one, and what the rounding of partial sums may add."""
        settle = self.t.floats.narrow.settle
        return settle(2 * least - error, 1), settle(2 * largest + error, 1)

    def rounding_of_sum(self, products: Table) -> int:
        """How far a sum of such products may be from the exact one, in half units: half a spacing for each addition."""
        total, error = 0, 0
        for each in products:
            size = 2 * max((max(abs(low), abs(high)) for low, high in each.values()), default=0)
            rounding = spacing(self.t.floats.wide, total + size, 1) // 2 if size and total else 0
            total, error = total + size + rounding, error + rounding
            demand(total <= 2 * self.t.floats.wide.largest, f"{self.place}: a sum may be beyond the format")
        return error

    def word(self, token: int, step: int, query: int, key: Key, watched: list[Watch]) -> int:
        """The word of a token that a head copies, in a group."""
        if token == self.prompt + step - 1:
            return query
        if token >= self.prompt:
            return key[2 + watched.index(("", token - self.prompt))]
        entry = self.t.layout[token]
        if isinstance(entry, int):
            return entry
        watch = entry[0], self.width - 1 - entry[1]
        if watch not in watched:
            raise Rejected(f"{self.place}, step {step + 1}: a head copies a digit of a later column")
        return key[2 + watched.index(watch)]

    def combined(self, given: list[list[Box]]) -> dict[int, Box]:
        """What attention adds to coordinates."""
        found = {}
        for name, sources in self.layer.combine:
            asked = (name, *(given[h][v] for h, v, _ in sources))
            if asked not in self.sums:
                self.sums[asked] = self.boxes.dot([((c, c), given[h][v]) for h, v, c in sources])
            found[name] = self.sums[asked]
        return found

    def decided(self, step: int, query: int, right: int, given: list[list[Box]], depth: int = 0) -> bool:
        """Whether the right symbol is chosen everywhere in a box, which is halved where that is open."""
        self.t.limits.spend(16)
        if all(low == high for each in given for low, high in each):
            return self.chosen_at(step, query, right, [[low for low, _ in each] for each in given])
        if self.certain(step, query, right, given):
            return True
        if depth == DEEPEST:
            return False
        return all(self.decided(step, query, right, half, depth + 1) for half in self.halves(given))

    def halves(self, given: list[list[Box]]) -> list[list[list[Box]]]:
        """A box in two, along the coordinate that is widest for its size."""
        widths = {
            (h, v): Fraction(high - low, 1 + max(abs(low), abs(high))) for h, each in enumerate(given) for v, (low, high) in enumerate(each)
        }
        h, v = max(widths, key=lambda at: widths[at])
        low, high = given[h][v]
        middle = self.t.floats.narrow.settle((low + high) // 2)
        middle = middle if low <= middle < high else low
        parts = [(low, middle), (middle if middle > low else high, high)]
        return [[[part if (h, v) == (i, j) else box for j, box in enumerate(each)] for i, each in enumerate(given)] for part in parts]

    def chosen_at(self, step: int, query: int, right: int, given: list[list[int]]) -> bool:
        t = self.t
        x = t.after(self.layer, self.vectors[self.prompt + step - 1][query], given)
        x = self.earlier(self.behind, x)
        x = t.normed(x, t.final_norm[0]) if t.final_norm else x
        return self.answers.chosen(x) == right

    def certain(self, step: int, query: int, right: int, given: list[list[Box]]) -> bool:
        """Whether the logit of the right symbol is above every other one, everywhere in a box."""
        try:
            return self.above(step, query, right, given)
        except Open:
            return False

    def above(self, step: int, query: int, right: int, given: list[list[Box]]) -> bool:
        boxes, layer = self.boxes, self.layer
        x: list[Box] = [(value, value) for value in self.vectors[self.prompt + step - 1][query]]
        x = boxes.added(x, self.combined(given), layer.residual)
        if layer.attention_norm and not layer.attention_norm[0].before:
            x = boxes.normed(x, layer.attention_norm[0])
        for each in (layer, *self.behind):
            x = boxes.network(each, x)
        x = boxes.normed(x, self.t.final_norm[0]) if self.t.final_norm else x
        logits = self.answers.logits
        errors, low = [boxes.error(form, x) for form in logits], None
        for other, form in enumerate(logits):
            if other == right or boxes.difference(logits[right], form, x, errors[right] + errors[other])[0] > 0:
                continue
            low = boxes.applied(logits[right], x)[0] if low is None else low
            high = boxes.applied(form, x)[1]
            if low < high or (low == high and other < right):
                return False
        return True


def added(ends: Extremes, tables: list[Table], j: int, words: Iterable[int]) -> Extremes:
    """Extremes with what one of some words adds at a token; one that takes no part adds nothing."""
    more: list[int] = []
    for table in tables:
        found = [table[j][word] for word in words if word in table[j]] or [(0, 0)]
        more += min(low for low, _ in found), min(-high for _, high in found)
    return tuple(map(add, ends, more))


def size_of(low: int, high: int) -> Fraction:
    """How wide a box is for its size."""
    return Fraction(high - low, 1 + max(abs(low), abs(high)))


def hull(x: list[list[Box]], y: list[list[Box]]) -> list[list[Box]]:
    """The boxes around two."""
    return [[(min(a, c), max(b, d)) for (a, b), (c, d) in zip(one, other, strict=True)] for one, other in zip(x, y, strict=True)]


def merge(states: dict[Key, Extremes], key: Key, ends: Extremes) -> None:
    """Put a state beside the others of its key."""
    states[key] = tuple(map(min, states[key], ends)) if key in states else ends


def digit_sum(answers: Answers, place: str) -> tuple[int, list[int]]:
    """The constant and the coefficients of S, where the right outputs are S//B**(k - 1) % B."""
    base = len(answers.transformer.symbols)
    match answers.function.tree:
        case ast.BinOp(
            left=ast.BinOp(
                left=total,
                op=ast.FloorDiv(),
                right=ast.BinOp(left=power, op=ast.Pow(), right=ast.BinOp(left=ast.Name("k"), op=ast.Sub(), right=ast.Constant(1))),
            ),
            op=ast.Mod(),
            right=modulus,
        ):
            if answers.function.number(power, answers.names, {}) == base == answers.function.number(modulus, answers.names, {}):
                constant, terms = linear(total, answers, place)
                numbers = [constant, *(terms.get(name, Fraction(0)) for name in answers.transformer.strings)]
                if all(x.denominator == 1 and 0 <= x < 1 << 20 for x in numbers):
                    return int(numbers[0]), [int(x) for x in numbers[1:]]
    raise Rejected(f"{place}: right outputs S//B**(k - 1) % B were expected, where S is a sum of the strings")


def linear(tree: ast.AST, answers: Answers, place: str) -> tuple[Fraction, dict[str, Fraction]]:
    """The constant and the coefficients of a sum of strings."""
    match tree:
        case ast.Name(id=name) if name in answers.transformer.strings:
            return Fraction(0), {name: Fraction(1)}
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            (x, terms), (y, more) = linear(left, answers, place), linear(right, answers, place)
            return x + y, {name: terms.get(name, Fraction(0)) + more.get(name, Fraction(0)) for name in {*terms, *more}}
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            (x, terms), (y, more) = linear(left, answers, place), linear(right, answers, place)
            if not terms or not more:
                return x * y, {name: c * (x if more else y) for name, c in {**terms, **more}.items()}
        case ast.Constant() | ast.Name():
            found = answers.function.number(tree, answers.names, {})
            return found, {}
    raise Rejected(f"{place}: a sum of strings was expected")
