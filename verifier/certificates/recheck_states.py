"""Finite sets of states: they contain the first one, are closed under every step that the promise allows, and are right at every end.

If this file is right, you may believe: every input that keeps the promise leads to one of the states that the file computes, and the
network answers rightly in each of them. No state is listed in a certificate. Two inputs share a state if they agree in the known symbols
that are still of use and in the running sums: those of the problem (ones of a string, the order of two strings) and those of the network. A
step is a token: it may hold any symbols that are not known yet, and each sum grows by what it adds. In order:
  Heads    what the heads at the token that answers add up, turn by turn, and the answer where their sums come to some numbers
  Walk     the states of all inputs, or of a block of their positions, and how many inputs lead to each: the one closure
  OneHead  blocks whose sums are apart: their states are computed apart, and any two of them meet; positions that add alike, of every length
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, reduce
from itertools import compress, product
from operator import add
from typing import Any

from .recheck_answers import Answers, Formula
from .recheck_network import MOST_TOKENS, Attention, Sum, Symbol, Vector, finite, spelled
from .recheck_numbers import between, ends
from .recheck_reading import At, Open, closed, demand

Row = tuple[Any, ...]
Inputs = dict[Row, int]  # inputs that end alike, by the symbols known and the sums of the problem, and how many they are
Past = list[tuple[Sum, Any]]  # sums, and what is assumed that each comes to


class Heads:
    """The first layer of heads of those layers, at the token that answers and holds this content; ``behind`` are the layers after it."""

    def __init__(self, answers: Answers, place: str, layers: list[Any], vectors: list[list[Vector]], content: int) -> None:
        t = self.t = answers.network
        self.answers, self.place, self.content = answers, place, content
        attending = [k for k, layer in enumerate(layers) if layer.heads]
        demand(attending, f"{place}: layers of heads were expected")
        first, self.last = attending[0], len(attending) == 1
        heads = layers[first].heads
        scored = any(head.query or head.bias or head.seen or head.kind in ("linear", "leftmost", "rightmost") for head in heads)
        demand(self.last or not scored, f"{place}: layers of heads that attend uniformly, but for the last, were expected")
        for layer in layers[:first]:
            vectors = self.after(layer, vectors, [])
        self.layer, self.behind, self.vectors = layers[first], layers[first + 1 :], vectors
        t.limits.spend(16 * len(heads) * sum(map(len, vectors)))
        read = [t.read(self.layer, each) for each in vectors]
        self.heads: list[Attention] = []
        for head in heads:
            told = t.told(head, t.keyed(head, read), read[answers.at][content], answers.at, content)
            self.heads.append(Attention(t, head, told))
            if self.heads[-1].topped or self.heads[-1].chooses:
                finite((score for each in told for score, _ in each if score is not None), f"{place}: a score is not finite")
        self.known: dict[tuple[Any, ...], str] = {}

    def after(self, layer: Any, vectors: list[list[Vector]], given: list[Vector]) -> list[list[Vector]]:
        """The vectors behind a layer, where its heads, if it has any, give this at every token."""
        self.t.limits.spend(8 * len(vectors))
        found = self.t.combined(layer, given)
        return [[self.t.after(layer, x, found) for x in each] for each in vectors]

    def answer(self, given: list[Vector]) -> str:
        """The answer, where the heads give this, or numbers of which the ends are these."""
        key = tuple([ends(x) for each in given for x in each])
        if key not in self.known:
            self.t.limits.spend(64 * self.t.numbers.cost)
            x = self.vectors[self.answers.at][self.content]
            self.known[key] = self.answers.of(self.t.behind(self.behind, self.t.after(self.layer, x, self.t.combined(self.layer, given))))
        return self.known[key]


class Walk:
    """The inputs, or their symbols at some places, token by token; a last step reads the symbols that no token reads.

    A state is (symbols known and still of use, row), a row the sums of the problem and then those of the network. A symbol is known from
    the step ``first`` on, and of use to the step ``last``. An order is (place, sign) of the first difference of two strings so far; it
    comes before all others if no place ahead is left to compare, and is (MOST_TOKENS, 0) without a difference.
    """

    def __init__(self, answers: Answers, place: str, formulas: list[Formula], within: range = range(MOST_TOKENS)) -> None:
        t = self.t = answers.network
        self.answers, self.place, self.limits = answers, place, answers.numbers.limits
        self.counts = sorted({name for formula in formulas for name in formula.counts})
        self.orders = sorted({pair for formula in formulas for pair in formula.orders})
        inside = {(name, k) for name, length in t.strings.items() for k in range(length) if k in within}
        reads = [[symbol for symbol in token.reads if symbol in inside] for token in t.tokens]
        asked = {symbol for formula in formulas for symbol in formula.symbols}
        whole = {*self.counts, *(name for pair in self.orders for name in pair)}
        unread = (asked | {symbol for symbol in inside if symbol[0] in whole}) - {symbol for each in reads for symbol in each}
        reads.append(sorted(unread))
        first: dict[Symbol, int] = {}
        last = dict.fromkeys(asked, len(reads))
        for j, symbols in enumerate(reads):
            for symbol in symbols:
                first.setdefault(symbol, j)
                last[symbol] = max(last.get(symbol, 0), j)
        uses = [{*symbols} for symbols in reads]
        self.compared: list[dict[int, int]] = []  # for each pair of strings and place the step that compares them there
        for x, y in self.orders:
            self.compared.append({k: max(first[x, k], first[y, k]) for k in range(t.strings[x]) if k in within})
            for k, j in self.compared[-1].items():
                uses[j] |= {(x, k), (y, k)}
                last |= {symbol: max(last[symbol], j) for symbol in ((x, k), (y, k))}
        self.limits.spend(len(first) * len(reads) // 16)
        self.known = [[symbol for symbol, j in first.items() if j < step <= last[symbol]] for step in range(len(reads) + 1)]
        self.fresh = [[symbol for symbol in dict.fromkeys(each) if first[symbol] == j] for j, each in enumerate(reads)]
        self.used = [[symbol for symbol in self.known[j] if symbol in uses[j]] for j in range(len(reads))]
        self.every, self.unused = t.letters ** len(first), len(inside) - len(first)
        self.start: Row = (0,) * len(self.counts) + ((MOST_TOKENS, 0),) * len(self.orders)
        self.expected: dict[Row, str | None] = {}

    def moves(self, j: int, used: Row, sums: list[Sum]) -> Iterator[tuple[Row, Row]]:
        """What a step may hold, given the known symbols that it uses: the new ones that stay known, and the growth of each sum."""
        told, tokens = dict(zip(self.used[j], used, strict=True)), self.t.tokens
        for symbols in product(range(self.t.letters), repeat=len(self.fresh[j])):
            told.update(zip(self.fresh[j], symbols, strict=True))
            adds = self.of_problem(j, told) + [None] * len(sums)
            if j < len(tokens):
                content = spelled([told.get(symbol, 0) for symbol in tokens[j].reads], self.t.letters)
                adds[len(self.start) :] = [each.adds[j][content] for each in sums]
            yield tuple([told[symbol] for symbol in self.fresh[j] if symbol in self.known[j + 1]]), tuple(adds)

    def of_problem(self, j: int, told: dict[Symbol, int]) -> list[Any]:
        """The terms that a step adds to the sums of the problem."""
        adds: list[Any] = [sum(told[symbol] for symbol in self.fresh[j] if symbol[0] == name) for name in self.counts]
        for (x, y), compared in zip(self.orders, self.compared, strict=True):
            here = [(place, told[x, place] - told[y, place]) for place, step in compared.items() if step == j]
            ahead = min((place for place, step in compared.items() if step > j), default=MOST_TOKENS)
            first = min([(place, 1 if more > 0 else -1) for place, more in here if more], default=(MOST_TOKENS, 0))
            adds.append((first, ahead) if here else None)
        return adds

    def closure(self, sums: list[Sum], assumed: Row = (), broken: Row = ()) -> dict[Row, Inputs]:
        """Every state at the end, by the symbols known, and how many inputs lead there; only where the first sums come to ``assumed``, and
        without states whose first sum of the problem is one of ``broken``."""
        grow = [*map(cache, [add] * len(self.counts) + [ordered] * len(self.orders) + [each.grow for each in sums])]
        states: dict[Row, Inputs] = {(): {self.start + tuple(each.start for each in sums): 1}}
        for j in range(len(self.fresh)):
            after: dict[Row, Inputs] = {}
            used, kept = ([symbol in each for symbol in self.known[j]] for each in (self.used[j], self.known[j + 1]))
            if not self.fresh[j] and all(kept) and not any(used) and all(x is None for _, adds in self.moves(j, (), sums) for x in adds):
                continue  # nothing is read, and nothing grows
            moves: dict[Row, list[Any]] = {}
            for known, rows in states.items():
                of_use, stay = tuple(compress(known, used)), tuple(compress(known, kept))
                if of_use not in moves:
                    every = self.moves(j, of_use, sums)
                    moves[of_use] = [(more, [(k, grow[k], x) for k, x in enumerate(adds) if x is not None]) for more, adds in every]
                self.limits.spend(2 * len(moves[of_use]) * len(rows))
                for fresh, changes in moves[of_use]:
                    into = after.setdefault(stay + fresh, {})
                    for row, count in rows.items():
                        if changes:
                            grown = [*row]
                            for k, put, x in changes:
                                grown[k] = x if grown[k] is None else put(grown[k], x)
                            row = tuple(grown)
                        if row[:1] not in broken:
                            into[row] = into.get(row, 0) + count
            self.limits.keep("states", sum(map(len, after.values())))
            states = after
        at = slice(len(self.start), len(self.start) + len(assumed))
        return {known: {row: count for row, count in rows.items() if row[at] == assumed} for known, rows in states.items()}

    def come_to(self, past: Past, more: list[Sum], inputs: Inputs | None) -> Iterator[tuple[Row, Past, Inputs | None]]:
        """The values of ``more`` if other sums have the assumed values, the assumption that results, and the inputs that lead there.

        A sum that does not depend on contents needs no assumption; no inputs are given where nothing is assumed yet.
        """
        fixed = [[each.fixed()] if each.alike() else [] for each in more]
        moving = [each for each, value in zip(more, fixed, strict=True) if not value]
        found: dict[Row, Any] = {} if moving else {(): inputs}
        if moving:
            at = len(self.start)
            for known, rows in self.closure([*(each for each, _ in past), *moving], tuple(value for _, value in past)).items():
                for row, count in rows.items():
                    found.setdefault(row[at + len(past) :], {})[known, row[:at]] = count
        for row, of_row in found.items():
            values = iter(row)
            yield tuple([value[0] if value else next(values) for value in fixed]), [*past, *zip(moving, row, strict=True)], of_row

    def check(self) -> int:
        """How many inputs are answered rightly.

        A token's term may depend on quantities of all tokens: on the content of the token that reads, on the sums of earlier layers, on the
        largest score, on the divisor. The checker assumes each possible value in turn, and counts that every input fulfils one assumption.
        """
        demand(self.answers.kind != "decode", f"{self.place}: an answer at one token was expected")
        tokens, at = self.t.tokens, self.answers.at
        contents = [[*range(len(token.vectors))] if j == at else [None] * len(token.vectors) for j, token in enumerate(tokens)]
        held = promised = 0
        for (content,), past, inputs in self.come_to([], [Sum(None, max, contents)], None):
            heads = Heads(self.answers, self.place, self.t.layers, self.t.embedding, content)
            for found, ended in self.ends(heads, 0, past, inputs):
                if ended is None:  # no sum depends on the input
                    ended = {(known, row): count for known, rows in self.closure([]).items() for row, count in rows.items()}
                total, kept = self.right(found, ended)
                held, promised = held + total, promised + kept
        demand(held == self.every, f"{self.place}: the states hold {held} of {self.every} inputs")
        return promised * int(self.t.letters**self.unused)

    def ends(self, heads: Heads, turn: int, past: Past, inputs: Inputs | None) -> Iterator[tuple[str, Inputs | None]]:
        """The answers, and the inputs that lead to each, from a turn of these heads on."""
        for read, assumed, some in self.come_to(past, [each for head in heads.heads for each in head.asked(turn)], inputs):
            left = iter(read)
            given = [head.heard(turn, left) for head in heads.heads]
            if turn < 2:
                yield from self.ends(heads, turn + 1, assumed, some)
            elif heads.last:
                yield heads.answer(given), some
            else:
                behind = Heads(self.answers, self.place, heads.behind, heads.after(heads.layer, heads.vectors, given), heads.content)
                yield from self.ends(behind, 0, assumed, some)

    def right(self, found: str, inputs: Inputs) -> tuple[int, int]:
        """How many inputs end alike, and how many of them keep the promise, which are answered rightly."""
        total, promised = sum(inputs.values()), 0
        for (known, of_problem), count in inputs.items():
            if (known, of_problem) not in self.expected:
                orders = [sign for _, sign in of_problem[len(self.counts) :]]
                values = [*known, *of_problem[: len(self.counts)], *orders]
                told = dict(zip([*self.known[-1], *self.counts, *self.orders], values, strict=True))
                self.expected[known, of_problem] = self.answers.expected(told) if self.answers.promised(told) else None
            right = self.expected[known, of_problem]
            if right is not None:
                promised += count
                demand(found == right, f"{self.place}: {count} inputs are answered with {found}, {right} was expected")
        return total, promised


def ordered(before: tuple[int, int], more: tuple[tuple[int, int], int]) -> tuple[int, int]:
    """The order of two strings, where ``more`` is the first difference of those compared now, and the first place not yet compared."""
    place, sign = min(before, more[0])
    return (-1, sign) if place < more[1] else (place, sign)


# ---- one head, of which each sum depends on few positions


class OneHead:
    """A network of one head with one value, whose weights depend on nothing but their own token; it compares two strings."""

    def __init__(self, answers: Answers, place: str) -> None:
        t = self.t = answers.network
        self.answers, self.numbers, self.place = answers, answers.numbers, place
        usual = len(t.tokens[answers.at].vectors) == 1 and answers.kind == "accept"
        demand(usual, f"{place}: a token that answers and reads nothing was expected")
        self.heads = Heads(answers, place, t.layers, t.embedding, 0)
        head, function = self.heads.heads[0], answers.functions[0]
        usual = self.heads.last and len(self.heads.heads) == 1 and head.head.kind in ("softmax", "linear")
        usual = usual and len(head.head.value) == 1 and not head.topped and not head.early
        demand(usual, f"{place}: one head with one value, whose sums are divided at the end, was expected")
        alone = len(function.orders) == 1 and not function.symbols and not function.counts
        demand(alone and len(t.strings) == 2, f"{place}: a right answer that compares two strings was expected")
        (self.pair,) = function.orders
        self.length = t.strings[self.pair[0]]
        self.sums, self.linear = head.sums(), head.head.kind == "linear"
        self.columns = len(self.sums) - (not self.linear)
        self.places = [self.depends(each) for each in self.sums]
        self.coefficients = [c for _, c in head.head.value[0].terms] if self.numbers.knobs["attention"] == "inputs" else []

    def depends(self, each: Sum) -> set[int]:
        """The places of the symbols that change a sum."""
        found: set[int] = set()
        for token, adds in zip(self.t.tokens, each.adds, strict=True):
            for i, (_, place) in enumerate(reversed(token.reads)):
                step = self.t.letters**i  # between contents that differ in this symbol by one
                if any(x != adds[c - c // step % self.t.letters * step] for c, x in enumerate(adds)):
                    found.add(place)
        return found

    def ends(self, within: range, sums: list[int], broken: Row = ()) -> dict[int, dict[Row, int]]:
        """What sums that depend on these places only contribute to the numerator, or are as a denominator, by the order of the strings
        there; and the number of inputs that lead to each."""
        found: dict[int, dict[Row, int]] = {}
        (rows,) = Walk(self.answers, self.place, self.answers.functions, within).closure([self.sums[k] for k in sums], (), broken).values()
        for ((_, sign), *row), count in rows.items():
            scaled = [k for k in sums if k < self.columns] if self.coefficients else []
            parts = [self.numbers.multiply(x or 0, self.coefficients[k]) if k in scaled else x or 0 for k, x in zip(sums, row, strict=True)]
            of_sign, end = found.setdefault(sign, {}), tuple(parts)
            of_sign[end] = of_sign.get(end, 0) + count
        return found

    def answer(self, tops: list[Any], bottoms: list[Any]) -> str:
        """The answer to each quotient of numbers in order; nothing where their ends leave that open."""
        x, d = (between(each[0], each[-1]) for each in (tops, bottoms))
        try:
            return self.heads.answer([[x if self.linear else self.numbers.divide(x, d)]])
        except Open:
            return ""


def check_blocks(answers: Answers, place: str, cut: int) -> int:
    """Count the inputs that are answered rightly, if each sum depends either on positions before the cut only, or on those behind it
    only."""
    t, promise = OneHead(answers, place), answers.promise
    compares = promise.orders <= {t.pair} and not promise.symbols and not promise.counts and not t.linear
    demand(compares, f"{place}: softmax, and a promise that compares the two strings, were expected")
    before = [k for k, places in enumerate(t.places) if all(place < cut for place in places)]
    behind = [k for k, places in enumerate(t.places) if places and min(places) >= cut]
    demand(len(before) + len(behind) == len(t.places), f"{place}: each sum depends on positions of one block")
    broken = tuple(((-1, sign),) for sign in (-1, 1) if not answers.promised({t.pair: sign}))  # once the first difference is before the cut
    blocks, promised = (t.ends(range(cut), before, broken), t.ends(range(cut, t.length), behind)), 0
    for sign, rows in blocks[0].items():
        for other, others in blocks[1].items():
            order = {t.pair: sign or other}
            if answers.promised(order):
                promised += sum(rows.values()) * sum(others.values())
                check_ends(t, (before, behind), (rows, others), answers.expected(order))
    return promised


def check_ends(t: OneHead, sums: tuple[list[int], list[int]], blocks: tuple[dict[Row, int], dict[Row, int]], wanted: str) -> None:
    """Any two ends of the blocks together are answered with ``wanted``; the denominator is the last of all sums."""
    holds = t.columns in sums[1]  # whether the second block has it
    own, beside = sums[holds], sums[not holds]
    bottoms: dict[Row, set[Any]] = {}
    for end in blocks[holds]:
        bottoms.setdefault(end[:-1], set()).add(end[-1])
    order = sorted(range(t.columns), key=[k for k in own + beside if k < t.columns].__getitem__)
    tops: dict[frozenset[Any], set[Any]] = {}
    for parts, each in bottoms.items():
        found = tops.setdefault(frozenset(each), set())
        for other in blocks[not holds]:
            both = parts + other
            found.add(t.numbers.total([both[k] for k in order]))
    for denominators, numerators in tops.items():
        check_quotients(t, numerators, denominators, wanted)


def check_quotients(t: OneHead, tops: Iterable[Any], bottoms: Iterable[Any], wanted: str) -> None:
    """Every quotient is answered with ``wanted``: all together, if their ends show it, or those of either half."""
    waiting = [(sorted(tops), sorted(bottoms))]
    while waiting:
        some, over = waiting.pop()
        t.t.limits.spend(16 * t.numbers.cost)
        found = t.answer(some, over)
        if found != wanted:
            what = f"{t.numbers.value(some[0])} over {t.numbers.value(over[0])} is answered with {found}"
            wrong = f"{t.place}: where {' and '.join(t.pair)} are to be answered with {wanted}, {what}"
            demand(len(some) > 1 or len(over) > 1, wrong)
            k, m = (len(some) // 2, 0) if len(some) >= len(over) else (0, len(over) // 2)
            waiting += [(some[:k] or some, over[:m] or over), (some[k:], over[m:])]


def check_positions(answers: Answers, place: str) -> str:
    """The states reached from the empty strings' by what any position adds, over each denominator, are answered rightly, promised or not.

    So it is for the strings of every length, if each position has the columns of a position here, beside one another, and each token one
    of the weights here: further tokens add 0 to a column, and the numerator adds the columns from left to right.
    """
    t = OneHead(answers, place)
    demand(t.coefficients and t.t.letters == 2, f"{place}: strings of bits, and coordinates summed first, were expected")
    position, limits = of_any_position(t), t.t.limits

    def further(state: tuple[Any, int]) -> set[tuple[Any, int]]:
        limits.spend(sum(map(len, position.values())) * t.numbers.cost * t.columns)
        return {(reduce(t.numbers.add, row, state[0]), state[1] or sign) for sign, rows in position.items() for row in rows}

    reached = closed({(0, 0)}, further, limits)
    bottoms = denominators(t)
    for total, sign in reached:
        check_quotients(t, [total], bottoms, answers.expected({t.pair: sign}))
    return f"{' and '.join(t.pair)} of every length: {len(reached)} states, where positions add as these and tokens have weights of these"


def of_any_position(t: OneHead) -> dict[int, set[Row]]:
    """The column sums that some position can give, by the order of its two symbols."""
    columns = [[k for k in range(t.columns) if t.places[k] == {at}] for at in range(t.length)]
    demand(sum(map(len, columns)) == t.columns, f"{t.place}: a column depends on several positions, or on none")
    found: dict[int, set[Row]] = {}
    for at, of_position in enumerate(columns):
        beside = of_position and of_position == [*range(of_position[0], of_position[-1] + 1)]
        demand(beside, f"{t.place}: the columns of a position are not beside one another")
        for sign, rows in t.ends(range(at, at + 1), of_position).items():
            found.setdefault(sign, set()).update(rows)
    return found


def denominators(t: OneHead) -> set[Any]:
    """The sums that as many weights as there are tokens here, or more, can have; 1 if nothing is divided."""
    if t.linear:
        return {t.numbers.one}
    weights = {x for each in t.sums[-1].adds for x in each}
    demand(None not in weights, f"{t.place}: a token takes no part in the divisor")

    def further(d: Any) -> set[Any]:
        t.t.limits.spend(len(weights) * t.numbers.cost)
        return {t.sums[-1].grow(d, w) for w in weights}

    found = weights
    for _ in t.t.tokens[1:]:
        found = {x for d in found for x in further(d)}
    return closed(found, further, t.t.limits)


def check_states(evidence: Mapping[str, At], answers: Answers, place: str) -> int | str:
    """How many inputs are answered rightly, by their states; or the fact about strings of every length."""
    if evidence["cut"].data == "each":
        return check_positions(answers, place)
    cut = evidence["cut"].integer(0, max([1, *answers.network.strings.values()]) - 1)
    return check_blocks(answers, place, cut) if cut else Walk(answers, place, [*answers.functions, answers.promise]).check()
