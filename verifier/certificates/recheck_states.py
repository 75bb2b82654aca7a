"""Finite sets of states: they contain the first one, are closed under every step that the promise allows, and are right at every end.

To be believed, if this file is right: every input that keeps the promise leads to one of the states that the file computes, and the network
answers rightly in each of them. No state is listed in a certificate. A state is computed in one of two ways:
  states   what tokens, from left to right, add up to; the strings may be cut into two blocks whose positions share no sum
  length   strings of every length, whose positions add alike: the numerator and whether the strings are equal so far
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from functools import reduce
from itertools import product
from operator import itemgetter
from typing import Any, NamedTuple

from .recheck_answers import Answers, Text
from .recheck_network import MOST_TOKENS, SOFTMAX, Head, Layer, Symbol, Vector, finite
from .recheck_numbers import INF, Between, Enclosed, Numbers
from .recheck_reading import At, Open, demand

Row = tuple[Any, ...]
Inputs = dict[Row, int]  # inputs that end alike: (symbols known, ones of strings, orders of strings), and how many they are


class Sum(NamedTuple):
    """What grows token by token: ``grow`` puts what a token adds, by its content, to what was there; None takes no part."""

    start: Any
    grow: Callable[[Any, Any], Any]
    adds: list[list[Any]]

    def alike(self) -> bool:
        """Whether no content changes it."""
        return all(x == contents[0] for contents in self.adds for x in contents)

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


class Grown(dict[Any, Any]):
    """What a sum becomes when a token adds ``x``, by what it was; worked out once."""

    def __init__(self, grow: Callable[[Any, Any], Any], x: Any) -> None:
        super().__init__()
        self.grow, self.x = grow, x

    def __missing__(self, before: Any) -> Any:
        self[before] = after = self.grow(before, self.x)
        return after


class Step(NamedTuple):
    """A token: the symbols read for the first time, and all that it reads (None: one of another block).

    used: the known symbols that are used here; kept: those of use later; picks: how used and kept are taken from what was known.
    compared: (pair, place) of two strings, both of whose symbols are known here first; ahead: for each pair the first place that is not yet
    compared then, before which a difference is final; idle: whether nothing becomes known or forgotten.
    """

    fresh: list[Symbol]
    reads: list[Symbol | None]
    used: list[Symbol]
    kept: list[Symbol]
    picks: tuple[Callable[[Row], Row], Callable[[Row], Row]]
    compared: list[tuple[int, int]]
    ahead: list[int]
    idle: bool


def picker(names: list[Symbol], wanted: list[Symbol]) -> Callable[[Row], Row]:
    """Takes the entries of some names."""
    places = [names.index(name) for name in wanted]
    if places == [*range(len(names))]:
        return lambda row: row
    return itemgetter(*places) if len(places) > 1 else lambda row: tuple(row[place] for place in places)


class Walk:
    """The inputs, or what they have at some places of the strings, token by token.

    A state is (symbols known and still of use, numbers of ones, orders of strings, what the sums have come to). An order is (place, sign)
    of the first difference so far; there is no place where it is final, and no sign without a difference.
    """

    def __init__(self, answers: Answers, place: str, within: range = range(MOST_TOKENS)) -> None:
        t = self.t = answers.network
        self.answers, self.place, self.numbers = answers, place, answers.numbers
        formulas = answers.formulas
        self.counts = sorted({name for formula in formulas for name in formula.counts})
        self.orders = sorted({pair for formula in formulas for pair in formula.orders})
        asked = {symbol for formula in formulas for symbol in formula.symbols}
        whole = {*self.counts, *(name for pair in self.orders for name in pair)}
        inside = {(name, k) for name, length in t.strings.items() for k in range(length) if k in within}
        reads = [[symbol if symbol in inside else None for symbol in token.reads] for token in t.tokens]
        unread = asked | {symbol for symbol in inside if symbol[0] in whole}
        reads.append([*sorted(unread - {symbol for each in reads for symbol in each})])
        self.steps = self.walked(reads, asked, [{k for k in range(t.strings[x]) if k in within} for x, _ in self.orders])
        seen = sum(len(step.fresh) for step in self.steps)
        self.unused, self.every = len(inside) - seen, t.letters**seen
        self.ways: list[dict[Row, list[Row]]] = [{} for _ in self.steps]
        promise = answers.promise
        self.drops = bool(promise.orders) and not promise.symbols and not promise.counts and within.start == 0
        self.broken = 0
        self.expected: dict[Row, str | None] = {}

    def walked(self, reads: list[list[Symbol | None]], asked: set[Symbol], left: list[set[int]]) -> list[Step]:
        """The steps; ``left`` are the places of each pair of strings that are to be compared."""
        later: list[set[Symbol | None]] = [{*asked}]
        for each in reads[:0:-1]:
            later.append(later[-1] | {*each})
        steps, seen, known = list[Step](), set[Symbol](), list[Symbol]()
        for each, needed in zip(reads, later[::-1], strict=True):
            fresh = [symbol for symbol in dict.fromkeys(each) if symbol is not None and symbol not in seen]
            seen |= set(fresh)
            compared = [(p, k) for p, (x, y) in enumerate(self.orders) for k in sorted(left[p]) if {(x, k), (y, k)} <= seen]
            for p, k in compared:
                left[p].remove(k)
            needed = needed | {(name, k) for p, pair in enumerate(self.orders) for k in left[p] for name in pair}
            kept = [symbol for symbol in known + fresh if symbol in needed]
            both = [(name, k) for p, k in compared for name in self.orders[p]]
            used = [symbol for symbol in dict.fromkeys([*each, *both]) if symbol is not None and symbol not in fresh]
            picks = picker(known, used), picker(known, [symbol for symbol in kept if symbol in known])
            ahead = [min(places, default=MOST_TOKENS) for places in left]
            steps.append(Step(fresh, each, used, kept, picks, compared, ahead, idle=not fresh and kept == known))
            known = kept
        return steps

    def choices(self, j: int, used: Row, orders: Row) -> list[Row]:
        """What a token may hold: its content, the new symbols that are kept, how many ones are new in each string that is counted, the
        orders, and whether the promise is kept so far."""
        if (used, orders) not in self.ways[j]:
            step, found = self.steps[j], list[Row]()
            for symbols in product(range(self.t.letters), repeat=len(step.fresh)):
                told: dict[Any, int] = {None: 0, **dict(zip(step.used, used, strict=True))}
                told |= dict(zip(step.fresh, symbols, strict=True))
                ones = tuple(sum(told[s] for s in step.fresh if s[0] == name) for name in self.counts)
                after = self.compared(step, orders, told)
                kept = tuple(told[s] for s in step.kept if s in step.fresh)
                signs = {pair: sign for pair, (_, sign) in zip(self.orders, after, strict=True)}
                keeps = not self.drops or any(place >= 0 for place, _ in after) or self.answers.promised(signs)
                content = self.t.content(j, [told[s] for s in step.reads]) if j < len(self.t.tokens) else 0
                found.append((content, kept, ones, after, keeps))
            self.ways[j][used, orders] = found
        return self.ways[j][used, orders]

    def compared(self, step: Step, orders: Row, told: Mapping[Symbol, int]) -> Row:
        """The orders after a step."""
        found = list(orders)
        for p, place in step.compared:
            if found[p][0] >= 0:
                x, y = (told[name, place] for name in self.orders[p])
                if x != y and (found[p][1] == 0 or place < found[p][0]):
                    found[p] = place, -1 if x < y else 1
        return tuple(
            (-1, sign) if sign and place < ahead else (place, sign) for (place, sign), ahead in zip(found, step.ahead, strict=True)
        )

    def closure(self, sums: list[Sum], assumed: Row = ()) -> dict[Row, dict[Row, int]]:
        """What the sums come to, for each (symbols known, ones, orders) at the end, and how many inputs lead there; only where the first
        sums come to ``assumed``."""
        limits, width = self.numbers.limits, len(assumed)
        added, alive = self.added(sums), self.alive(sums[:width], assumed)
        start: Row = (), (0,) * len(self.counts), ((0, 0),) * len(self.orders)
        states: dict[Row, dict[Row, int]] = {start: {tuple(each.start for each in sums): 1}}
        rest = sum(len(step.fresh) for step in self.steps)
        for j, step in enumerate(self.steps):
            after: dict[Row, dict[Row, int]] = {}
            rest -= len(step.fresh)
            if step.idle and not any(added[j]):
                continue
            for (known, ones, orders), rows in states.items():
                used, kept = step.picks
                before = kept(known)
                choices = self.choices(j, used(known), orders)
                limits.spend(2 * len(choices) * len(rows))
                for content, fresh, more, order, keeps in choices:
                    if not keeps and not assumed:
                        self.broken += sum(rows.values()) * self.t.letters**rest
                        continue
                    adds = added[j][content]
                    into = after.setdefault((before + fresh, tuple(map(int.__add__, ones, more)) if more else ones, order), {})
                    for row, count in rows.items():
                        if adds:
                            row = grown(row, adds)
                        if not assumed or row[:width] in alive[j + 1]:
                            into[row] = into.get(row, 0) + count
            limits.keep("states", sum(map(len, after.values())))
            states = after
        return states

    def added(self, sums: list[Sum]) -> list[list[Row]]:
        """What each token does to sums, by its content: (sum, what it becomes); x + 0 is x."""
        tables = [{x: Grown(each.grow, x) for x in dict.fromkeys(x for of in each.adds for x in of)} for each in sums]
        found = []
        for j, token in enumerate(self.t.tokens):
            found.append([tuple[Any, ...]()] * len(token.vectors))
            for k, each in enumerate(sums):
                for content, x in enumerate(each.adds[j]):
                    if x is not None and (x != 0 or each.start != 0):
                        found[-1][content] += ((k, tables[k][x]),)
        return [*found, [()]]

    def alive(self, sums: list[Sum], assumed: Row) -> list[set[Row]]:
        """Before each token what the sums may have come to, if some contents then lead to ``assumed``."""
        if not assumed:
            return []
        start, added = tuple(each.start for each in sums), self.added(sums)
        forward = [{start}]
        for each in added:
            self.numbers.limits.spend(2 * len(forward[-1]) * len(each))
            forward.append({grown(row, adds) for row in forward[-1] for adds in each})
        found = [{assumed}]
        for each, rows in zip(added[::-1], forward[-2::-1], strict=True):
            found.append({row for row in rows if any(grown(row, adds) in found[-1] for adds in each)})
        return found[::-1]

    def come_to(self, past: list[Sum], assumed: Row, more: list[Sum], inputs: Inputs | None) -> Iterator[tuple[Row, Inputs | None]]:
        """What ``more`` come to where ``past`` come to ``assumed``, and the inputs of each; None: all inputs, not looked at yet."""
        if all(each.alike() for each in more) and (inputs is not None or not more):
            yield tuple(reduce(each.grow, (x for x, *_ in each.adds if x is not None), each.start) for each in more), inputs
            return
        found: dict[Row, Inputs] = {}
        for key, rows in self.closure(past + more, assumed).items():
            for row, count in rows.items():
                if row[: len(assumed)] == assumed:
                    found.setdefault(row[len(assumed) :], {})[key] = count
        yield from found.items()

    def check(self) -> int:
        """How many inputs are answered rightly.

        What a token adds may depend on what all tokens come to: on the sums of a first layer, on the content of the token that reads, on
        the largest score, on the divisor. Each is assumed in turn; each input fulfils one assumption, and that all are held is counted.
        """
        held = promised = 0
        first = first_sums(self)
        for content, inputs in self.come_to([], (), first, None):
            heads = Heads(self, content)
            highest = heads.highest()
            for tops, inputs_1 in self.come_to(first, content, highest, inputs):
                divisors = heads.divisors(tops)
                for divided, inputs_2 in self.come_to(first + highest, content + tops, divisors, inputs_1):
                    past, sums = first + highest + divisors, heads.sums(divided)
                    for read, ended in self.come_to(past, content + tops + divided, sums, inputs_2):
                        total, kept = self.right(heads.answer(heads.given(read)), ended or {})
                        held, promised = held + total, promised + kept
        demand(held + self.broken == self.every, f"{self.place}: the states hold {held + self.broken} of {self.every} inputs")
        return promised * int(self.t.letters**self.unused)

    def right(self, found: str, inputs: Inputs) -> tuple[int, int]:
        """How many inputs end alike, and how many of them keep the promise, which are answered rightly."""
        total = promised = 0
        for ended, count in inputs.items():
            total += count
            if ended not in self.expected:
                texts = self.texts(*ended)
                self.expected[ended] = self.answers.expected(texts) if self.answers.promised(texts) else None
            right = self.expected[ended]
            if right is not None:
                promised += count
                demand(found == right, f"{self.place}: {count} inputs are answered with {found}, {right} was expected")
        return total, promised

    def texts(self, known: Row, ones: Row, orders: Row) -> dict[Any, Any]:
        """What is known of the strings, and of the order of two."""
        found: dict[str, dict[int, int]] = {name: {} for name in self.t.strings}
        for (name, k), symbol in zip(self.steps[-1].kept, known, strict=True):
            found[name][k] = symbol
        total = dict(zip(self.counts, ones, strict=True))
        texts: dict[Any, Any] = {name: Text(self.t.letters, self.t.strings[name], each, total.get(name)) for name, each in found.items()}
        return texts | {pair: sign for pair, (_, sign) in zip(self.orders, orders, strict=True)}


def grown(row: Row, adds: Row) -> Row:
    changed = [*row]
    for k, table in adds:
        changed[k] = table[changed[k]]
    return tuple(changed)


def layers_of_heads(walk: Walk) -> tuple[int, int]:
    """The first layer of heads, which attend uniformly, or -1, and the last one."""
    at = [k for k, layer in enumerate(walk.t.layers) if any(head.value for head in layer.heads)]
    usual = 1 <= len(at) <= 2 and walk.answers.kind != "decode" and walk.numbers.in_order
    demand(usual, f"{walk.place}: an answer at one token, one or two layers of heads, and sums from left to right were expected")
    if len(at) == 1:
        return -1, at[0]
    uniform = at[0] == 0 and all(head.uniform for head in walk.t.layers[0].heads) and walk.numbers.knobs["attention"] == "values"
    demand(uniform, f"{walk.place}: heads of the first layer that attend uniformly were expected")
    return 0, at[1]


def first_sums(walk: Walk) -> list[Sum]:
    """The sums of a first layer, and the content of the token that reads."""
    t, numbers, found = walk.t, walk.numbers, list[Sum]()
    for head in t.layers[0].heads if layers_of_heads(walk)[0] == 0 else ():
        weight = t.weights(head, [0] * len(t.tokens))[0][0] or 0
        values = [[t.keys(head, x, 0)[1] for x in t.read(t.layers[0], token.vectors)] for token in t.tokens]
        for v in range(len(head.value)):
            adds = [[numbers.product(numbers.into, weight, value[v]) for value in of_token] for of_token in values]
            found.append(Sum(None, added_from_none(numbers), adds))
    at = walk.answers.at
    if len(t.tokens[at].vectors) > 1:
        contents = [[*range(len(token.vectors))] if j == at else [None] * len(token.vectors) for j, token in enumerate(t.tokens)]
        found.append(Sum(None, lambda _, content: content, contents))
    return found


def added_from_none(numbers: Numbers) -> Callable[[Any, Any], Any]:
    """Sums in the format of sums, which begin with their first term."""
    return lambda x, y: y if x is None else numbers.sum(numbers.wide, x, y)


def higher(x: Any, y: Any) -> Any:
    return y if x is None else max(x, y)


def earlier(x: Any, y: Any) -> Any:
    """The first of the largest scores, with its values."""
    return y if x is None or y[0] > x[0] else x


def later(x: Any, y: Any) -> Any:
    """The last of the largest scores."""
    return y if x is None or y[0] >= x[0] else x


class Heads:
    """The heads of the last layer at the token that reads, where the first layer has these sums and that token this content."""

    def __init__(self, walk: Walk, content: Row) -> None:
        t = self.t = walk.t
        self.walk, self.numbers, self.add = walk, walk.numbers, added_from_none(walk.numbers)
        first, last = layers_of_heads(walk)
        at = walk.answers.at
        sums, self.query = [*content], content[-1] if len(t.tokens[at].vectors) > 1 else 0
        self.layer, self.behind = t.layers[last], t.layers[last + 1 :]
        self.heads: list[Head] = self.layer.heads
        self.vectors = [list(token.vectors) for token in t.tokens]
        for k, layer in enumerate(t.layers[:last]):
            t.limits.spend(8 * len(self.vectors))
            given = self.uniform_results(layer, sums) if k == first else [[] for _ in layer.heads]
            self.vectors = [[t.after(layer, x, given) for x in each] for each in self.vectors]
        read = [t.read(self.layer, each) for each in self.vectors]
        self.told = [self.of_head(head, read, at) if head.value else [] for head in self.heads]
        knobs = self.numbers.knobs
        softmax, weights = [bool(h.value) and h.kind in SOFTMAX for h in self.heads], knobs["division"] == "weights"
        counted = [bool(h.value) and h.kind == "average-hard" for h in self.heads]
        self.topped = [c or (s and knobs["maximum"] == "subtracted") for s, c in zip(softmax, counted, strict=True)]
        self.early = [weights and (s or c) for s, c in zip(softmax, counted, strict=True)]  # the divisor is needed for the weights
        self.late = [not weights and (s or c) for s, c in zip(softmax, counted, strict=True)]
        self.known: dict[Row, str] = {}
        self.top: list[Any] = [None] * len(self.heads)
        self.divisor: list[Any] = [None] * len(self.heads)

    def uniform_results(self, layer: Layer, sums: list[Any]) -> list[Vector]:
        """What each head of the first layer gives, at every position."""
        found = []
        for head in layer.heads:
            mine, sums = sums[: len(head.value)], sums[len(head.value) :]
            divisor = self.t.weights(head, [0] * len(self.t.tokens))[1]
            results = [self.numbers.settle(x) for x in mine]
            found.append(results if divisor is None else [self.numbers.divide(x, divisor) for x in results])
        return found

    def of_head(self, head: Head, read: list[list[Vector]], at: int) -> list[list[tuple[Any, Vector]]]:
        """The score and the values of each content of each token; the score is None where the token takes no part."""
        query = self.t.queried(head, read[at][self.query], at)
        found = []
        for j, each in enumerate(read):
            self.t.limits.spend(8 * len(each))
            tokens, seen = [self.t.keys(head, x, j) for x in each], dict[tuple[Any, ...], Any]()
            for key, _ in tokens:
                if tuple(key) not in seen:
                    seen[tuple(key)] = self.t.score(head, query, key, at, j)
            told = [(seen[tuple(key)], values) for key, values in tokens]
            found.append([told[self.query]] * len(told) if j == at else told)
        return found

    def each(self, h: int, what: Callable[[int, Any, Vector], Any]) -> list[list[Any]]:
        """Of each token that takes part, by its content; of those with the same score and values once."""
        known: dict[Row, Any] = {}
        for token in self.told[h]:
            for score, values in token:
                if score is not None and (score, *values) not in known:
                    known[score, *values] = what(h, score, values)
        return [[None if score is None else known[score, *values] for score, values in token] for token in self.told[h]]

    def highest(self) -> list[Sum]:
        """The largest score of each head whose weights depend on it."""
        found = []
        for h, head in enumerate(self.heads):
            if self.topped[h]:
                finite((s for token in self.told[h] for s, _ in token if s is not None), f"{self.walk.place}: a score is not finite")
                found.append(Sum(0 if head.kind == "softmax-plus-one" else None, higher, self.each(h, lambda _, score, values: score)))
        return found

    def divisors(self, tops: Row) -> list[Sum]:
        """The divisors of weights, under the largest scores."""
        left = iter(tops)
        self.top = [next(left) if topped else None for topped in self.topped]
        return [self.total(h) for h, early in enumerate(self.early) if early]

    def total(self, h: int) -> Sum:
        """The number of tokens with the largest score, or the sum of exponentials."""
        head = self.heads[h]
        if head.kind == "average-hard":
            return Sum(0, int.__add__, self.each(h, lambda h, score, _: int(score == self.top[h])))
        start = self.exponential(h, 0) if head.kind == "softmax-plus-one" else None
        return Sum(start, self.add, self.each(h, lambda h, score, _: self.exponential(h, score)))

    def exponential(self, h: int, score: Any) -> Any:
        return self.t.weight(self.heads[h], self.numbers.subtract(score, self.top[h]) if self.topped[h] else score)

    def sums(self, divided: Row) -> list[Sum]:
        """What the heads add up, under the largest scores and the divisors; behind a head's sums the divisor by which they are divided."""
        left, found = iter(divided), list[Sum]()
        self.divisor = [next(left) if early else None for early in self.early]
        for h, head in enumerate(self.heads):
            if head.kind in ("leftmost", "rightmost"):
                finite((s for token in self.told[h] for s, _ in token if s is not None), f"{self.walk.place}: a score is not finite")
                ahead = earlier if head.kind == "leftmost" else later
                found.append(Sum(None, ahead, self.each(h, lambda h, score, values: (score, *self.products(h, score, values)))))
            elif head.value:
                products = self.each(h, self.products)
                start = 0 if self.numbers.into is self.numbers.wide else None
                for k in range(self.width(head)):
                    found.append(Sum(start, self.add, [[None if x is None else x[k] for x in token] for token in products]))
                if self.late[h]:
                    found.append(self.total(h))
        return found

    def width(self, head: Head) -> int:
        return len(head.columns if self.numbers.knobs["attention"] == "inputs" else head.value)

    def products(self, h: int, score: Any, values: Vector) -> Any:
        """What a token adds to each sum."""
        head, numbers, divided = self.heads[h], self.numbers, self.divisor[h]
        weight = numbers.one
        if head.kind == "linear":
            weight = self.t.weight(head, score)
        elif head.kind in SOFTMAX:
            weight = self.exponential(h, score)
            weight = numbers.divide(weight, numbers.settle(divided)) if self.early[h] else weight
        elif head.kind == "average-hard":
            if score != self.top[h]:
                return [None] * self.width(head)
            weight = numbers.divide(weight, numbers.count(divided)) if self.early[h] else weight
        return self.t.weighed(head, weight, values)

    def given(self, read: Row) -> list[Vector]:
        """What each head gives, of what its sums came to."""
        found, left = list[Vector](), list(read)
        for h, head in enumerate(self.heads):
            if head.kind in ("leftmost", "rightmost"):
                sums = list((left.pop(0) or (None, *[0] * self.width(head)))[1:])
            else:
                sums, left = left[: self.width(head)], left[self.width(head) :]
            results = self.t.finished(head, [self.numbers.settle(x or 0) for x in sums]) if head.value else []
            divisor = left.pop(0) if self.late[h] else None
            if divisor:
                by = self.numbers.settle(divisor) if head.kind in SOFTMAX else self.numbers.count(divisor)
                results = [self.numbers.divide(x, by) for x in results]
            elif divisor == 0 and head.kind in SOFTMAX:
                results = [self.numbers.divide(x, 0) for x in results]
            found.append(results)
        return found

    def answer(self, given: list[Vector]) -> str:
        """The answer, where the heads give this."""
        key = tuple(map(tuple, given))
        if key not in self.known:
            self.known[key] = self.walk.answers.of(self.end(given))
        return self.known[key]

    def end(self, given: list[Vector]) -> Vector:
        """The coordinates of the token that reads, at the end."""
        x = self.t.after(self.layer, self.vectors[self.walk.answers.at][self.query], given)
        for layer in self.behind:
            x = self.t.after(layer, x, [[] for _ in layer.heads])
        return self.t.ended(x)


# ---- one head, of which each sum depends on few positions


class OneHead:
    """A network of one head with one value, whose weights depend on nothing but their own token; it compares two strings."""

    def __init__(self, answers: Answers, place: str) -> None:
        self.answers, self.t, self.numbers, self.place = answers, answers.network, answers.numbers, place
        strings, walk = list(self.t.strings.items()), Walk(answers, place)
        usual = len(self.t.layers) == 1 and not first_sums(walk) and not self.numbers.real and answers.kind == "accept"
        demand(usual, f"{place}: one layer of heads, and a token that answers and reads nothing, were expected")
        heads = self.heads = Heads(walk, ())
        (head,) = heads.heads if len(heads.heads) == 1 else (None,)
        usual = (
            head is not None and len(head.value) == 1 and head.kind in ("softmax", "linear") and not heads.topped[0] and not heads.early[0]
        )
        demand(usual, f"{place}: one head with one value, whose sums are divided at the end, was expected")
        function = answers.functions[0]
        alone = len(function.orders) == 1 and not function.symbols and not function.counts
        demand(alone and len(strings) == 2, f"{place}: a right answer that compares two strings was expected")
        (self.pair,) = function.orders
        self.length = strings[0][1]
        self.sums, self.linear = heads.sums(()), heads.heads[0].kind == "linear"
        self.columns = len(self.sums) - (not self.linear)
        reads = [token.reads for token in self.t.tokens]
        self.places = [{k for _, k in each.depends(reads, self.t.letters)} for each in self.sums]
        form = heads.heads[0].value[0]
        self.coefficients = [c for _, c in form.terms] if self.numbers.knobs["attention"] == "inputs" else []
        demand(not self.coefficients or len(form.terms) == self.columns, f"{place}: a coefficient of each sum was expected")
        self.known: dict[Any, str] = {}
        self.parts: list[dict[Any, Any]] = [{} for _ in self.sums]

    def part(self, k: int, x: Any) -> Any:
        """What the k-th sum contributes to the numerator."""
        if x not in self.parts[k]:
            total = self.numbers.settle(x or 0)
            self.parts[k][x] = self.numbers.product(self.numbers.into, total, self.coefficients[k]) if self.coefficients else total
        return self.parts[k][x]

    def quotient(self, top: Any, bottom: Any) -> Any:
        return top if self.linear else self.numbers.divide(top, bottom)

    def answer(self, attention: Any) -> str:
        if attention not in self.known:
            self.t.limits.spend(64 * self.numbers.cost)
            self.known[attention] = self.heads.answer([[attention]])
        return self.known[attention]

    def expected(self, sign: int) -> str:
        return self.answers.expected({self.pair: sign})

    def answered(self, low: Any, high: Any, wanted: str) -> bool:
        """Whether every value from low to high is answered with ``wanted``; False where that is open."""
        if low == high:
            return self.answer(low) == wanted
        self.t.limits.spend(64 * self.numbers.cost)
        return self.enclosed(low, high) == wanted

    def enclosed(self, low: Any, high: Any) -> str:
        """The answer to every value from low to high, or nothing."""
        heads = copy(self.heads)
        heads.t = copy(self.t)
        heads.t.numbers = Enclosed(self.numbers)
        try:
            return self.answers.of(heads.end([[Between(low, high)]]))
        except Open:
            return ""


def check_blocks(answers: Answers, place: str, cut: int) -> int:
    """How many inputs are answered rightly, where each sum depends on positions before the cut, or on those behind it alone."""
    t, promise = OneHead(answers, place), answers.promise
    demand(promise.orders <= {t.pair} and not promise.symbols and not promise.counts, f"{place}: a promise that compares them was expected")
    before = [max(places, default=-1) < cut for places in t.places]
    demand(
        all(first or min(places) >= cut for first, places in zip(before, t.places, strict=True)),
        f"{place}: each sum depends on positions of one block",
    )
    ends: list[dict[int, set[Row]]] = []
    sizes: list[dict[int, int]] = []
    for first, within in ((True, range(cut)), (False, range(cut, t.length))):
        walk = Walk(answers, place, within)
        sums = [k for k, each in enumerate(before) if each is first]
        rows, counts = dict[int, set[Row]](), dict[int, int]()
        for (_, _, ((_, sign),)), ended in walk.closure([t.sums[k] for k in sums]).items():
            rows.setdefault(sign, set()).update(ended)
            counts[sign] = counts.get(sign, 0) + sum(ended.values())
        demand(sum(counts.values()) + walk.broken == walk.every and not walk.unused, f"{place}: the states do not hold all inputs")
        ends.append(rows)
        sizes.append(counts)
    promised = 0
    for sign, some in ends[0].items():
        for other, others in [(0, set[Row]().union(*ends[1].values()))] if sign else ends[1].items():
            if answers.promised({t.pair: sign or other}):
                promised += sizes[0][sign] * (sum(sizes[1].values()) if sign else sizes[1][other])
                check_ends(t, (some, others), before, t.expected(sign or other))
    return promised


def check_ends(t: OneHead, ends: tuple[set[Row], set[Row]], before: list[bool], wanted: str) -> None:
    """Any two ends of the blocks together are answered with ``wanted``; ``before``: whether a sum is one of the first block."""
    holds = not t.linear and not before[-1]  # whether the second block has the denominator, which is the last of its sums
    rows, others = ends[holds], ends[not holds]
    own, beside = ([k for k in range(t.columns) if before[k] is not (holds is first)] for first in (True, False))
    bottoms: dict[Row, set[Any]] = {}
    for row in rows:
        parts = tuple(map(t.part, own, row))
        bottoms.setdefault(parts, set()).add(1 if t.linear else t.numbers.settle(row[-1]))
    some = {tuple(map(t.part, beside, row)) for row in others}
    order = sorted(range(t.columns), key=(own + beside).__getitem__)
    tops: dict[frozenset[Any], set[Any]] = {}
    for parts, each in bottoms.items():
        t.t.limits.spend(2 * len(some) * (1 + t.columns))
        found = tops.setdefault(frozenset(each), set())
        for other in some:
            both = parts + other
            found.add(t.numbers.settle(reduce(t.heads.add, [both[k] for k in order], None) or 0))
    for denominators, numerators in tops.items():
        check_quotients(t, numerators, denominators, wanted)


def check_quotients(t: OneHead, tops: Iterable[Any], bottoms: Iterable[Any], wanted: str) -> None:
    """A rounded quotient of a finite number by a positive one is monotone in each: over a rectangle its ends are at corners."""
    where = f"{t.place}: where {' and '.join(t.pair)} are to be answered with {wanted}"
    tops, bottoms = sorted(tops), sorted(bottoms)
    above, below = [x for x in tops if -INF < x < INF], [d for d in bottoms if 0 < d < INF]
    beyond, odd = [x for x in tops if not -INF < x < INF], [d for d in bottoms if not 0 < d < INF]
    waiting = [([x], [d]) for x, d in (*product(beyond, bottoms), *product(above, odd))]
    waiting += [(above, below)] if above and below else []
    while waiting:
        some, over = waiting.pop()
        t.t.limits.spend(16 * t.numbers.cost)
        corners = [t.quotient(x, d) for x in {some[0], some[-1]} for d in {over[0], over[-1]}]
        if t.answered(min(corners), max(corners), wanted):
            continue
        found = f"{t.numbers.value(some[0])} over {t.numbers.value(over[0])} is answered with {t.answer(corners[0])}"
        demand(len(some) > 1 or len(over) > 1, f"{where}, {found}")
        if len(some) >= len(over):
            waiting += [(some[: len(some) // 2], over), (some[len(some) // 2 :], over)]
        else:
            waiting += [(some, over[: len(over) // 2]), (some, over[len(over) // 2 :])]


# ---- strings of every length


PAIRS = ((0, 0), (0, 1), (1, 0), (1, 1))


def check_positions(answers: Answers, place: str) -> str:
    """The states reached from the empty strings' by any bits of any position, over each denominator, are answered rightly, promised or not.

    So it is for the strings of every length, if each position has the columns of a position here, beside one another, and each token one
    of the weights here: further tokens add 0 to a column, and the numerator adds the columns from left to right.
    """
    t = OneHead(answers, place)
    demand(t.coefficients and t.t.letters == 2, f"{place}: strings of bits, and coordinates summed first, were expected")
    columns, limits, add = columns_of_position(t), t.t.limits, t.heads.add
    reached, waiting = {(0, 0)}, [(0, 0)]
    while waiting:
        total, sign = waiting.pop()
        limits.spend(16 * (len(columns) + 1) * t.numbers.cost)
        for bits in PAIRS:
            state = reduce(add, [part[bits] for part in columns], total), sign or bits[0] - bits[1]
            if state not in reached:
                reached.add(state)
                waiting.append(state)
        limits.keep("states", len(reached))
    bottoms = [t.numbers.settle(d) for d in denominators(t)]
    for total, sign in reached:
        check_quotients(t, [t.numbers.settle(total)], bottoms, t.expected(sign))
    told = f"{len(reached)} states, where positions add as these and tokens have weights of these"
    return f"{' and '.join(t.pair)} of every length: {told}"


def denominators(t: OneHead) -> set[Any]:
    """What as many weights as there are tokens here, or more, may add up to; 1 where nothing is divided."""
    if t.linear:
        return {1}
    weights = {x for each in t.sums[-1].adds for x in each}
    now, count, found = set(weights), 1, set[Any]()
    while now:
        now, count = {t.heads.add(d, w) for d in now for w in weights} - found, count + 1
        found |= now if count >= len(t.t.tokens) else set()
        t.t.limits.spend(4 * len(weights) * len(now) * t.numbers.cost)
        t.t.limits.keep("states", len(found))
    return found


def columns_of_position(t: OneHead) -> list[dict[tuple[int, int], Any]]:
    """The columns of a position, alike at all: what each contributes to the numerator at the bits of both strings."""
    found: dict[int, list[dict[tuple[int, int], Any]]] = {}
    for k, places in enumerate(t.places[: t.columns]):
        demand(len(places) == 1, f"{t.place}: a column depends on {len(places)} positions, one was expected")
        (at,) = places
        demand(at not in found or at == [*found][-1], f"{t.place}: the columns of a position are not beside one another")
        part = {}
        for bits in PAIRS:
            told, added = dict(zip(t.pair, bits, strict=True)), list[Any]()
            for j, token in enumerate(t.t.tokens):
                added.append(t.sums[k].adds[j][t.t.content(j, [told[name] if place == at else 0 for name, place in token.reads])])
            part[bits] = t.part(k, reduce(t.heads.add, added, 0))
        found.setdefault(at, []).append(part)
    demand(set(found) == set(range(t.length)), f"{t.place}: a position of the strings has no column")
    columns = [*found.values()]
    demand(all(each == columns[0] for each in columns), f"{t.place}: two positions of the strings do not have the same columns")
    return columns[0]


def check_states(evidence: dict[str, At], answers: Answers, place: str) -> int:
    """How many inputs are answered rightly, by their states."""
    cut = evidence["cut"].integer(0, max(0, max(answers.network.strings.values(), default=0) - 1))
    return check_blocks(answers, place, cut) if cut else Walk(answers, place).check()
