"""Finite sets of states: they contain the first one, are closed under every step that the promise allows, and are right at every end.

To be believed, if this file is right: every input that keeps the promise leads to one of the states that the file computes, and the network
answers rightly in each of them. No state is listed in a certificate. Inputs are one state where the same symbols are known that are still
of use and the same running sums have been reached: those of the problem (ones of a string, the order of two strings) and those of the
network. A step is a token: it may hold any symbols that are not known yet, and each sum grows by what it adds. In order:
  Walk    the states of all inputs, or of a block of their positions, and how many inputs lead to each: the one closure
  Asking, Heads   the sums of a layer of heads at the token that answers, and the answer of what they come to
  OneHead  blocks whose sums are apart: their states are computed apart, and any two of them meet; positions that add alike, of every length
"""

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from itertools import product
from operator import add
from typing import Any, NamedTuple

from .recheck_answers import Answers, Formula, Text
from .recheck_network import MOST_TOKENS, Attention, Head, Layer, Network, Symbol, Vector, finite
from .recheck_numbers import INF, Between, chain
from .recheck_reading import At, Open, demand

Row = tuple[Any, ...]
Inputs = dict[Row, int]  # inputs that end alike, by the symbols known and the sums of the problem, and how many they are


class Sum(NamedTuple):
    """What grows token by token: ``grow`` puts what a token adds, by its content, to what was there; None takes no part.

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
                if any((x or 0) != (contents[c - c // step % letters * step] or 0) for c, x in enumerate(contents)):
                    found.add(symbol)
                step *= letters
        return found


Past = list[tuple[Sum, Any]]  # sums, and what is assumed that each comes to


class Grown(dict[Any, Any]):
    """What a sum becomes when ``x`` is added, by what it was; worked out once."""

    def __init__(self, grow: Callable[[Any, Any], Any], x: Any) -> None:
        super().__init__()
        self.grow, self.x = grow, x

    def __missing__(self, before: Any) -> Any:
        self[before] = after = self.x if before is None else self.grow(before, self.x)
        return after


def grown(row: Row, adds: Row) -> Row:
    changed = [*row]
    for k, table in adds:
        changed[k] = table[changed[k]]
    return tuple(changed)


class Walk:
    """The inputs, or what they have at some places of the strings, token by token; a last step reads what no token reads.

    A state is (symbols known and still of use, row), a row the sums of the problem and then those of the network. A symbol is known from
    the step ``first`` on, and of use to the step ``last``. An order is (place, sign) of the first difference of two strings so far; before
    all others where no place ahead of it is left to compare, and (MOST_TOKENS, 0) without a difference.
    """

    def __init__(self, answers: Answers, place: str, formulas: list[Formula], within: range = range(MOST_TOKENS)) -> None:
        t = self.t = answers.network
        self.answers, self.place, self.numbers = answers, place, answers.numbers
        self.counts = sorted({name for formula in formulas for name in formula.counts})
        self.orders = sorted({pair for formula in formulas for pair in formula.orders})
        inside = {(name, k) for name, length in t.strings.items() for k in range(length) if k in within}
        self.reads = [[symbol for symbol in token.reads if symbol in inside] for token in t.tokens]
        asked = {symbol for formula in formulas for symbol in formula.symbols}
        whole = {*self.counts, *(name for pair in self.orders for name in pair)}
        unread = asked | {symbol for symbol in inside if symbol[0] in whole}
        self.reads.append(sorted(unread - {symbol for each in self.reads for symbol in each}))
        end = len(self.reads)
        self.first: dict[Symbol, int] = {}
        last: dict[Symbol, int] = {}
        for j, symbols in enumerate(self.reads):
            for symbol in symbols:
                self.first.setdefault(symbol, j)
                last[symbol] = j
        last |= dict.fromkeys(asked, end)
        self.compared: list[dict[int, int]] = []  # for each pair of strings and place the step that compares them there
        for x, y in self.orders:
            self.compared.append({k: max(self.first[x, k], self.first[y, k]) for k in range(t.strings[x]) if k in within})
            for k, j in self.compared[-1].items():
                last |= {symbol: max(last[symbol], j) for symbol in ((x, k), (y, k))}
        self.numbers.limits.spend(1 + len(self.first) * end // 16)
        self.known = [[symbol for symbol, j in self.first.items() if j < step <= last[symbol]] for step in range(end + 1)]
        self.fresh = [[symbol for symbol in dict.fromkeys(each) if self.first[symbol] == j] for j, each in enumerate(self.reads)]
        uses = [{*symbols} for symbols in self.reads]
        for pair, compared in zip(self.orders, self.compared, strict=True):
            for k, j in compared.items():
                uses[j] |= {(name, k) for name in pair}
        self.used = [[k for k, symbol in enumerate(self.known[j]) if symbol in uses[j]] for j in range(end)]  # places in what is known
        self.kept = [[k for k, symbol in enumerate(self.known[j]) if last[symbol] > j] for j in range(end)]
        self.every, self.unused = t.letters ** len(self.first), len(inside) - len(self.first)
        self.start: Row = (0,) * len(self.counts) + ((MOST_TOKENS, 0),) * len(self.orders)
        self.grow: dict[Any, Grown] = {}
        self.expected: dict[Row, str | None] = {}
        self.chosen: dict[tuple[int, Row], list[Row]] = {}

    def choices(self, j: int, used: Row) -> list[Row]:
        """What a step may hold, where this is known of what it uses: the content of its token, the new symbols that stay known, and what
        it adds to the sums of the problem."""
        if (j, used) not in self.chosen:
            found = self.chosen[j, used] = []
            fresh = self.fresh[j]
            for symbols in product(range(self.t.letters), repeat=len(fresh)):
                told = dict(zip([self.known[j][k] for k in self.used[j]] + fresh, used + symbols, strict=True))
                content = self.t.content(j, [told.get(s, 0) for s in self.t.tokens[j].reads]) if j < len(self.t.tokens) else 0
                stay = tuple([told[s] for s in fresh if s in self.known[j + 1]])
                found.append((content, stay, self.of_problem(j, fresh, told)))
        return self.chosen[j, used]

    def of_problem(self, j: int, fresh: list[Symbol], told: dict[Symbol, int]) -> Row:
        adds: list[Any] = []
        for k, name in enumerate(self.counts):
            ones = sum(told[symbol] for symbol in fresh if symbol[0] == name)
            adds += [(k, self.grow.setdefault(ones, Grown(add, ones)))] if ones else []
        for k, (pair, compared) in enumerate(zip(self.orders, self.compared, strict=True), len(self.counts)):
            here = [(place, told[pair[0], place] - told[pair[1], place]) for place, step in compared.items() if step == j]
            ahead = min((place for place, step in compared.items() if step > j), default=MOST_TOKENS)
            more = min([(place, 1 if x > 0 else -1) for place, x in here if x], default=(MOST_TOKENS, 0)), ahead
            adds += [(k, self.grow.setdefault(more, Grown(ordered, more)))] if here else []
        return tuple(adds)

    def closure(self, sums: list[Sum], assumed: Row = (), broken: Row = ()) -> dict[Row, Inputs]:
        """Every state at the end, by the symbols known, and how many inputs lead there; only where the first sums come to ``assumed``, and
        without states whose first sum of the problem is one of ``broken``."""
        limits, at, alive = self.numbers.limits, len(self.start), self.alive(sums, assumed)
        added, ends = self.added(sums, at), slice(at, at + len(assumed))
        states: dict[Row, Inputs] = {(): {self.start + tuple(each.start for each in sums): 1}}
        for j in range(len(self.reads)):
            if not self.fresh[j] and self.known[j] == self.known[j + 1] and not any(added[j]):
                continue
            after: dict[Row, Inputs] = {}
            for known, rows in states.items():
                choices = self.choices(j, tuple([known[k] for k in self.used[j]]))
                before = tuple([known[k] for k in self.kept[j]])
                limits.spend(2 * len(choices) * len(rows))
                for content, stay, of_problem in choices:
                    adds, into = of_problem + added[j][content], after.setdefault(before + stay, {})
                    for row, count in rows.items():
                        if adds:
                            row = grown(row, adds)
                        if (not assumed or row[ends] in alive[j + 1]) and (not broken or row[0] not in broken):
                            into[row] = into.get(row, 0) + count
            limits.keep("states", sum(map(len, after.values())))
            states = after
        return states

    def added(self, sums: list[Sum], at: int) -> list[list[Row]]:
        """What each token does to sums, which stand in a row from there on: by its content (place, what it becomes); x + 0 is x."""
        found = [[tuple[Any, ...]()] * len(token.vectors) for token in self.t.tokens]
        for k, each in enumerate(sums, at):
            tables: dict[Any, Grown] = {}
            for contents, adds in zip(found, each.adds, strict=True):
                for content, x in enumerate(adds):
                    if x is not None and (x != 0 or each.start != 0):
                        contents[content] += ((k, tables.setdefault(x, Grown(each.grow, x))),)
        return [*found, [()]]

    def alive(self, sums: list[Sum], assumed: Row) -> list[set[Row]]:
        """Before each step what the first sums may have come to, if some contents then lead to ``assumed``."""
        if not assumed:
            return []
        past = sums[: len(assumed)]
        added, forward = self.added(past, 0), [{tuple(each.start for each in past)}]
        for each in added:
            self.numbers.limits.spend(2 * len(forward[-1]) * len(each))
            forward.append({grown(row, adds) for row in forward[-1] for adds in each})
        found = [{assumed}]
        for each, rows in zip(added[::-1], forward[-2::-1], strict=True):
            found.append({row for row in rows if any(grown(row, adds) in found[-1] for adds in each)})
        return found[::-1]

    def come_to(self, past: Past, more: list[Sum], inputs: Inputs) -> Iterator[tuple[Row, Past, Inputs]]:
        """What ``more`` come to where other sums come to what is assumed, what is then assumed, and the inputs that lead there.

        Of a sum that no content changes nothing has to be assumed.
        """
        moving = [each for each in more if not each.alike()]
        found: dict[Row, Inputs] = {} if moving else {(): inputs}
        if moving:
            at = len(self.start)
            for known, rows in self.closure([*(each for each, _ in past), *moving], tuple(value for _, value in past)).items():
                for row, count in rows.items():
                    found.setdefault(row[at + len(past) :], {})[known, row[:at]] = count
        for row, of_row in found.items():
            values = iter(row)
            yield tuple(each.fixed() if each.alike() else next(values) for each in more), [*past, *zip(moving, row, strict=True)], of_row

    def check(self) -> int:
        """How many inputs are answered rightly.

        What a token adds may depend on what all tokens come to: on the content of the token that reads, on the sums of earlier layers, on
        the largest score, on the divisor. Each is assumed in turn; each input fulfils one assumption, and that all are held is counted.
        """
        usual = self.answers.kind != "decode" and self.numbers.in_order
        demand(usual, f"{self.place}: an answer at one token and sums from left to right were expected")
        tokens, at = self.t.tokens, self.answers.at
        contents = [[*range(len(token.vectors))] if j == at else [None] * len(token.vectors) for j, token in enumerate(tokens)]
        whole = {(known, row): count for known, rows in self.closure([]).items() for row, count in rows.items()}
        held = promised = 0
        for (content,), past, inputs in self.come_to([], [Sum(None, max, contents)], whole):
            for found, ended in self.ends(self.t.layers, [token.vectors for token in tokens], content, past, inputs):
                total, kept = self.right(found, ended)
                held, promised = held + total, promised + kept
        demand(held == self.every, f"{self.place}: the states hold {held} of {self.every} inputs")
        return promised * int(self.t.letters**self.unused)

    def ends(
        self, layers: list[Layer], vectors: list[list[Vector]], content: int, past: Past, inputs: Inputs
    ) -> Iterator[tuple[str, Inputs]]:
        """The answers, and the inputs that lead to each, where the tokens have these vectors before the layers that are left."""
        heads = Heads(self.answers, self.place, layers, vectors, content)
        for tops, topped, inputs_1 in self.come_to(past, heads.highest(), inputs):
            for divisors, divided, inputs_2 in self.come_to(topped, heads.divisors(tops), inputs_1):
                for read, summed, inputs_3 in self.come_to(divided, heads.sums(divisors), inputs_2):
                    given = heads.given(read)
                    if heads.last:
                        yield heads.answer(given), inputs_3
                    else:
                        yield from self.ends(heads.behind, heads.after(heads.layer, heads.vectors, given), content, summed, inputs_3)

    def right(self, found: str, inputs: Inputs) -> tuple[int, int]:
        """How many inputs end alike, and how many of them keep the promise, which are answered rightly."""
        total = promised = 0
        for ended, count in inputs.items():
            total += count
            if ended not in self.expected:
                told = self.told(*ended)
                self.expected[ended] = self.answers.expected(told) if self.answers.promised(told) else None
            right = self.expected[ended]
            if right is not None:
                promised += count
                demand(found == right, f"{self.place}: {count} inputs are answered with {found}, {right} was expected")
        return total, promised

    def told(self, known: Row, of_problem: Row) -> dict[Any, Any]:
        """What is known of the strings at the end, and of the order of two."""
        symbols = dict(zip(self.known[-1], known, strict=True))
        ones, orders = dict(zip(self.counts, of_problem, strict=False)), of_problem[len(self.counts) :]
        texts = {}
        for name, length in self.t.strings.items():
            texts[name] = Text(self.t.letters, length, {k: x for (of, k), x in symbols.items() if of == name}, ones.get(name))
        return texts | {pair: sign for pair, (_, sign) in zip(self.orders, orders, strict=True)}


def ordered(before: tuple[int, int], more: tuple[tuple[int, int], int]) -> tuple[int, int]:
    """The order of two strings, where ``more`` is the first difference of those compared now, and the first place not yet compared."""
    place, sign = min(before, more[0])
    return (-1, sign) if place < more[1] else (place, sign)


# ---- the sums of a network


def earlier(x: Any, y: Any) -> Any:
    """The first of the largest scores, with its values."""
    return y if y[0] > x[0] else x


def later(x: Any, y: Any) -> Any:
    """The last of the largest scores."""
    return y if y[0] >= x[0] else x


class Asking(Attention):
    """A head at the token that reads: ``told`` has the score and the values of each content of each token."""

    def __init__(self, t: Network, head: Head, told: list[list[tuple[Any, Vector]]], place: str) -> None:
        super().__init__(t, head)
        self.told, self.place = told, place

    def each(self, what: Callable[[Any, Vector], Any]) -> list[list[Any]]:
        """Of each token that takes part, by its content; of those with the same score and values once."""
        known: dict[Row, Any] = {}
        for token in self.told:
            for score, values in token:
                if score is not None and (score, *values) not in known:
                    known[score, *values] = what(score, values)
        return [[None if score is None else known[score, *values] for score, values in token] for token in self.told]

    def finite(self) -> None:
        finite((score for token in self.told for score, _ in token if score is not None), f"{self.place}: a score is not finite")

    def highest(self) -> Sum:
        self.finite()
        return Sum(0 if self.more else None, max, self.each(lambda score, _: score))

    def total(self) -> Sum:
        """The number of tokens with the largest score, or the sum of exponentials."""
        start = self.exponential(0) if self.more else None
        return Sum(start, add if self.counted else self.numbers.widened(), self.each(lambda score, _: self.divides(score)))

    def sums(self) -> list[Sum]:
        """What the head adds up, and behind it the divisor where these sums are divided."""
        if self.head.kind in ("leftmost", "rightmost"):
            self.finite()
            ahead = earlier if self.head.kind == "leftmost" else later
            return [Sum(None, ahead, self.each(lambda score, values: (score, *self.added(self.weight(score), values))))]
        added, start = self.each(lambda score, values: self.added(self.weight(score), values)), None
        if self.numbers.into is self.numbers.wide:
            start = 0
        found = [Sum(start, self.numbers.widened(), [[x and x[k] for x in token] for token in added]) for k in range(self.width)]
        return [*found, self.total()] if self.late else found

    def given(self, read: Iterator[Any]) -> Vector:
        """What the head gives, of what its sums came to."""
        if self.head.kind in ("leftmost", "rightmost"):
            sums = (next(read) or (None, *[0] * self.width))[1:]
        else:
            sums = tuple(next(read) for _ in range(self.width))
        return self.results([self.numbers.settle(x or 0) for x in sums], self.by(next(read)) if self.late else None)


class Heads:
    """The first layer of heads of those layers, at the token that reads and holds this content; ``behind`` are the layers after it."""

    def __init__(self, answers: Answers, place: str, layers: list[Layer], vectors: list[list[Vector]], content: int) -> None:
        t = self.t = answers.network
        self.answers, self.content = answers, content
        first, *others = [k for k, layer in enumerate(layers) if any(head.value for head in layer.heads)] or [-1]
        self.last = not others
        usual = first >= 0 and (self.last or all(head.uniform for head in layers[first].heads))
        demand(usual, f"{place}: layers of heads, all but the last attending uniformly, were expected")
        for layer in layers[:first]:
            vectors = self.after(layer, vectors, [[] for _ in layer.heads])
        self.layer, self.behind, self.vectors = layers[first], layers[first + 1 :], vectors
        read = [t.read(self.layer, each) for each in vectors]
        self.all = [Asking(t, head, self.of_head(head, read), place) if head.value else None for head in self.layer.heads]
        self.heads = [head for head in self.all if head]
        self.known: dict[Row, str] = {}

    def after(self, layer: Layer, vectors: list[list[Vector]], given: list[Vector]) -> list[list[Vector]]:
        """The vectors behind a layer, where its heads give this at every token."""
        self.t.limits.spend(8 * len(vectors))
        return [[self.t.after(layer, x, given) for x in each] for each in vectors]

    def of_head(self, head: Head, read: list[list[Vector]]) -> list[list[tuple[Any, Vector]]]:
        """The score and the values of each content of each token; the score is None where the token takes no part."""
        t, at = self.t, self.answers.at
        query = t.queried(head, read[at][self.content], at)
        found = []
        for j, each in enumerate(read):
            t.limits.spend(8 * len(each))
            tokens, seen = [t.keys(head, x, j) for x in each], dict[Any, Any]()
            for key, _ in tokens:
                if key not in seen:
                    seen[key] = t.score(head, query, key, at, j)
            told = [(seen[key], values) for key, values in tokens]
            found.append([told[self.content]] * len(told) if j == at else told)
        return found

    def highest(self) -> list[Sum]:
        """The largest score of each head whose weights depend on it."""
        return [head.highest() for head in self.heads if head.topped]

    def divisors(self, tops: Row) -> list[Sum]:
        """The divisors of weights, under the largest scores."""
        for head, top in zip((head for head in self.heads if head.topped), tops, strict=True):
            head.top = top
        return [head.total() for head in self.heads if head.early]

    def sums(self, divisors: Row) -> list[Sum]:
        """What the heads add up, under the largest scores and the divisors."""
        for head, divisor in zip((head for head in self.heads if head.early), divisors, strict=True):
            head.divisor = head.by(divisor)
        return [each for head in self.heads for each in head.sums()]

    def given(self, read: Row) -> list[Vector]:
        """What each head gives, of what its sums came to."""
        left = iter(read)
        return [head.given(left) if head else [] for head in self.all]

    def answer(self, given: list[Vector]) -> str:
        """The answer, where the heads give this."""
        key = tuple(map(tuple, given))
        if key not in self.known:
            self.known[key] = self.answers.of(self.end(given))
        return self.known[key]

    def end(self, given: list[Vector]) -> Vector:
        """The coordinates of the token that reads, at the end, where the heads give this."""
        self.t.limits.spend(64 * self.t.numbers.cost)
        x = self.t.after(self.layer, self.vectors[self.answers.at][self.content], given)
        for layer in self.behind:
            x = self.t.after(layer, x, [[] for _ in layer.heads])
        return x


# ---- one head, of which each sum depends on few positions


class OneHead:
    """A network of one head with one value, whose weights depend on nothing but their own token; it compares two strings."""

    def __init__(self, answers: Answers, place: str) -> None:
        self.answers, self.t, self.numbers, self.place = answers, answers.network, answers.numbers, place
        t = self.t
        usual = len(t.tokens[answers.at].vectors) == 1 and answers.kind == "accept" and self.numbers.in_order and not self.numbers.real
        demand(usual, f"{place}: a token that answers and reads nothing was expected")
        self.heads = Heads(answers, place, t.layers, [token.vectors for token in t.tokens], 0)
        demand(self.heads.last and len(self.heads.heads) == len(self.heads.all) == 1, f"{place}: one head was expected")
        (head,) = self.heads.heads
        self.head = head
        usual = len(head.head.value) == 1 and head.head.kind in ("softmax", "linear") and not head.topped and not head.early
        demand(usual, f"{place}: a head with one value, whose sums are divided at the end, was expected")
        (function,), strings = answers.functions, t.strings
        alone = len(function.orders) == 1 and not function.symbols and not function.counts
        demand(alone and len(strings) == 2, f"{place}: a right answer that compares two strings was expected")
        (self.pair,) = function.orders
        self.length = strings[self.pair[0]]
        self.known: dict[tuple[Any, Any], str] = {}
        self.sums, self.linear = head.sums(), head.head.kind == "linear"
        self.columns = len(self.sums) - (not self.linear)
        reads = [token.reads for token in self.t.tokens]
        self.places = [{k for _, k in each.depends(reads, self.t.letters)} for each in self.sums]
        form = head.head.value[0]
        self.coefficients = [c for _, c in form.terms] if self.numbers.knobs["attention"] == "inputs" else []
        demand(not self.coefficients or len(form.terms) == self.columns, f"{place}: a coefficient of each sum was expected")

    def ends(self, within: range, sums: list[int], broken: Row = ()) -> dict[int, dict[Row, int]]:
        """What sums that depend on these places alone come to, by the order of the strings there, and how many inputs lead to it."""
        found: dict[int, dict[Row, int]] = {}
        (rows,) = Walk(self.answers, self.place, self.answers.functions, within).closure([self.sums[k] for k in sums], (), broken).values()
        for ((_, sign), *row), count in rows.items():
            of_sign, end = found.setdefault(sign, {}), tuple(map(self.part, sums, row))
            of_sign[end] = of_sign.get(end, 0) + count
        return found

    def part(self, k: int, x: Any) -> Any:
        """What the k-th sum contributes to the numerator; or the denominator."""
        total = self.numbers.settle(x or 0)
        return self.numbers.product(self.numbers.into, total, self.coefficients[k]) if self.coefficients and k < self.columns else total

    def answer(self, low: Any, high: Any) -> str:
        """The answer to every attention from low to high; nothing where that is open."""
        if (low, high) not in self.known:
            try:
                self.known[low, high] = self.answers.of(self.heads.end([[low if low == high else Between(low, high)]]))
            except Open:
                self.known[low, high] = ""
        return self.known[low, high]


def check_blocks(answers: Answers, place: str, cut: int) -> int:
    """How many inputs are answered rightly, where each sum depends on positions before the cut, or on those behind it alone."""
    t, promise = OneHead(answers, place), answers.promise
    compares = promise.orders <= {t.pair} and not promise.symbols and not promise.counts
    demand(compares, f"{place}: a promise that compares the two strings was expected")
    before = [k for k, places in enumerate(t.places) if max(places, default=-1) < cut]
    behind = [k for k, places in enumerate(t.places) if min(places, default=-1) >= cut]
    demand(len(before) + len(behind) == len(t.places), f"{place}: each sum depends on positions of one block")
    broken = tuple((-1, sign) for sign in (-1, 1) if not answers.promised({t.pair: sign}))  # once the first difference is before the cut
    ends, promised = (t.ends(range(cut), before, broken), t.ends(range(cut, t.length), behind)), 0
    for sign, rows in ends[0].items():
        for other, others in ends[1].items():
            order = {t.pair: sign or other}
            if answers.promised(order):
                promised += sum(rows.values()) * sum(others.values())
                check_ends(t, (before, behind), (rows, others), answers.expected(order))
    return promised


def check_ends(t: OneHead, sums: tuple[list[int], list[int]], ends: tuple[dict[Row, int], dict[Row, int]], wanted: str) -> None:
    """Any two ends of the blocks together are answered with ``wanted``; the denominator is the last of all sums."""
    holds = not t.linear and t.columns in sums[1]  # whether the second block has it
    own, beside = sums[holds], sums[not holds]
    bottoms: dict[Row, set[Any]] = {}
    for end in ends[holds]:
        parts, bottom = (end, 1) if t.linear else (end[:-1], end[-1])
        bottoms.setdefault(parts, set()).add(bottom)
    order = sorted(range(t.columns), key=[k for k in own + beside if k < t.columns].__getitem__)
    tops: dict[frozenset[Any], set[Any]] = {}
    for parts, each in bottoms.items():
        t.t.limits.spend(2 * len(ends[not holds]) * (1 + t.columns))
        found = tops.setdefault(frozenset(each), set())
        for other in ends[not holds]:
            both = parts + other
            found.add(t.numbers.settle(chain([both[k] for k in order], t.numbers.widened()) or 0))
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
        corners = [x if t.linear else t.numbers.divide(x, d) for x in {some[0], some[-1]} for d in {over[0], over[-1]}]
        if t.answer(min(corners), max(corners)) == wanted:
            continue
        found = f"{t.numbers.value(some[0])} over {t.numbers.value(over[0])} is answered with {t.answer(corners[0], corners[0])}"
        demand(len(some) > 1 or len(over) > 1, f"{where}, {found}")
        if len(some) >= len(over):
            waiting += [(some[: len(some) // 2], over), (some[len(some) // 2 :], over)]
        else:
            waiting += [(some, over[: len(over) // 2]), (some, over[len(over) // 2 :])]


def check_positions(answers: Answers, place: str) -> str:
    """The states reached from the empty strings' by what any position adds, over each denominator, are answered rightly, promised or not.

    So it is for the strings of every length, if each position has the columns of a position here, beside one another, and each token one
    of the weights here: further tokens add 0 to a column, and the numerator adds the columns from left to right.
    """
    t = OneHead(answers, place)
    demand(t.coefficients and t.t.letters == 2, f"{place}: strings of bits, and coordinates summed first, were expected")
    position, limits = position_of_all(t), t.t.limits
    reached, waiting = {(0, 0)}, [(0, 0)]
    while waiting:
        total, sign = waiting.pop()
        for more, ends in position.items():
            limits.spend(4 * len(ends) * t.numbers.cost * t.columns)
            fresh = {(reduce(t.numbers.widened(), end, total), sign or more) for end in ends} - reached
            reached |= fresh
            waiting += fresh
        limits.keep("states", len(reached))
    bottoms = [t.numbers.settle(d) for d in denominators(t)]
    for total, sign in reached:
        check_quotients(t, [t.numbers.settle(total)], bottoms, answers.expected({t.pair: sign}))
    told = f"{len(reached)} states, where positions add as these and tokens have weights of these"
    return f"{' and '.join(t.pair)} of every length: {told}"


def position_of_all(t: OneHead) -> dict[int, set[Row]]:
    """What the columns of a position come to, by the order of its two symbols; it is the same at each."""
    columns = [[k for k in range(t.columns) if t.places[k] == {at}] for at in range(t.length)]
    demand(sum(map(len, columns)) == t.columns, f"{t.place}: a column depends on several positions, or on none")
    for of_position in columns:
        beside = of_position and of_position == [*range(of_position[0], of_position[-1] + 1)]
        demand(beside, f"{t.place}: the columns of a position are not beside one another")
    found = []
    for at, of_position in enumerate(columns):
        found.append({sign: set(ends) for sign, ends in t.ends(range(at, at + 1), of_position).items()})
    demand(all(each == found[0] for each in found), f"{t.place}: two positions of the strings do not have the same columns")
    return found[0]


def denominators(t: OneHead) -> set[Any]:
    """What as many weights as there are tokens here, or more, may add up to; 1 where nothing is divided."""
    if t.linear:
        return {1}
    weights = {x for each in t.sums[-1].adds for x in each}
    demand(None not in weights, f"{t.place}: a token takes no part in the divisor")
    now, count, found = set(weights), 1, set[Any]()
    while now:
        now, count = {t.sums[-1].grow(d, w) for d in now for w in weights} - found, count + 1
        found |= now if count >= len(t.t.tokens) else set()
        t.t.limits.spend(4 * len(weights) * len(now) * t.numbers.cost)
        t.t.limits.keep("states", len(found))
    return found


def check_states(evidence: dict[str, At], answers: Answers, place: str) -> int:
    """How many inputs are answered rightly, by their states."""
    cut = evidence["cut"].integer(0, max([1, *answers.network.strings.values()]) - 1)
    return check_blocks(answers, place, cut) if cut else Walk(answers, place, answers.formulas).check()
