"""Finite sets of states: they contain the first one, are closed under every step that the promise allows, and are right at every end.

To be believed, if this file is right: every input that keeps the promise leads to one of the states that the file computes, and the network
answers rightly in each of them. No state is listed in a certificate. How a state is computed from sums is one of five ways:
  prefixes   tokens from left to right; inputs of which all sums, the symbols still read and what the right answer depends on are alike
  columns    every input at once, of one head whose coordinates are summed first: each column is a function of few bits
  pairs      two equal strings, under y <= z: position by position, the sums that depend on it; blocks of positions share no sum
  positions  strings of every length, whose positions add alike: the numerator and whether the strings are equal so far
  local      tokens, by the few symbols that lead to each, where heads have all their weight on few tokens
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import product, repeat
from operator import or_
from typing import Any, NamedTuple

from .recheck_answers import Answers, Text
from .recheck_network import MOST_TOKENS, SOFTMAX, Head, Layer, Symbol, Vector, finite
from .recheck_numbers import ANY_DIGITS, INF, NAN, Numbers
from .recheck_reading import At, Rejected, demand

Row = tuple[Any, ...]

# ---- prefixes


class Step(NamedTuple):
    """A token in a walk: the symbols known before it and still of use, those read for the first time, and those of use after it.

    compared: (pair, place) of two strings, both of whose symbols are known here first; ahead: for each pair the first place that is not yet
    compared then, before which a difference is final.
    """

    before: list[Symbol]
    fresh: list[Symbol]
    after: list[Symbol]
    reads: list[Symbol]
    compared: list[tuple[int, int]]
    ahead: list[int]


class Prefixes:
    """The inputs of a network, of which one token reads the answer from all others, from left to right.

    What the last layer of heads reads of a token depends on that token's content and, where the first layer attends uniformly, on the sums
    of that layer at the end. A *guess* assumes these sums, the content of the token that reads, and for each of its heads the largest score
    and the divisor, where they change weights. Under a guess each token's weight is known, and the sums of the heads grow token by token.
    Each input fulfils one guess; that those tried hold all inputs is counted.
    """

    def __init__(self, answers: Answers, place: str) -> None:
        self.answers, self.t, self.place = answers, answers.network, place
        self.numbers: Numbers = answers.numbers
        demand(self.numbers.in_order, f"{place}: sums of rounded products from left to right were expected")
        demand(answers.kind != "decode", f"{place}: an answer at one token was expected")
        at = [k for k, layer in enumerate(self.t.layers) if any(head.value for head in layer.heads)]
        demand(1 <= len(at) <= 2, f"{place}: one or two layers of heads were expected")
        self.last, self.first = at[-1], at[0] if len(at) == 2 else -1
        demand(self.first < 1, f"{place}: a first layer with heads that attend uniformly was expected")
        self.steps = self.walked([token.reads for token in self.t.tokens], set(self.t.tokens[answers.at].reads))
        self.added = self.added_by_tokens() if self.first == 0 else [[()] * len(vectors) for vectors in self.t.embedding]
        self.promised = 0

    def walked(self, reads: list[list[Symbol]], asked: set[Symbol]) -> list[Step]:
        """The tokens with these symbols, and last the symbols that no token reads and the right answer does; some are kept to the end."""
        t, answers = self.t, self.answers
        self.counts = sorted({name for formula in answers.formulas for name in formula.counts})
        self.orders = sorted({pair for formula in answers.formulas for pair in formula.orders})
        asked |= {symbol for formula in answers.formulas for symbol in formula.symbols}
        whole = {*self.counts, *(name for pair in self.orders for name in pair)}
        unread = asked | {(name, k) for name in whole for k in range(t.strings[name])}
        reads.append(sorted(unread - {symbol for each in reads for symbol in each}))
        later = [asked]
        for each in reads[:0:-1]:
            later.append(later[-1] | set(each))
        steps: list[Step] = []
        known: list[Symbol] = []
        seen: set[Symbol] = set()
        left = [set(range(t.strings[x])) for x, _ in self.orders]
        for each, needed in zip(reads, later[::-1], strict=True):
            fresh = [symbol for symbol in dict.fromkeys(each) if symbol not in seen]
            seen |= set(fresh)
            compared = [(p, k) for p, (x, y) in enumerate(self.orders) for k in sorted(left[p]) if {(x, k), (y, k)} <= seen]
            for p, k in compared:
                left[p].remove(k)
            waiting = {(name, k) for p, pair in enumerate(self.orders) for k in left[p] for name in pair}
            after = [symbol for symbol in known + fresh if symbol in needed or symbol in waiting]
            ahead = [min(each, default=MOST_TOKENS) for each in left]
            steps.append(Step(known, fresh, after, each, compared, ahead))
            known = after
        self.unused = sum(t.strings.values()) - len(seen)
        self.ways: list[dict[Row, list[tuple[int, Row, Row, Row]]]] = [{} for _ in steps]
        return steps

    def added_by_tokens(self) -> list[list[Row]]:
        """For each token and content what it adds to the sum of each value of the first layer, which is uniform."""
        t, layer = self.t, self.t.layers[0]
        demand(all(head.uniform for head in layer.heads), f"{self.place}: heads of the first layer that attend uniformly were expected")
        demand(self.numbers.knobs["attention"] == "values", f"{self.place}: sums of values in the first layer were expected")
        weights = [t.weights(head, [0] * len(t.tokens))[0][0] or 0 for head in layer.heads]
        found = []
        for token in t.tokens:
            values = [[t.keys(head, x, 0)[1] for head in layer.heads] for x in t.read(layer, token.vectors)]
            found.append(
                [
                    tuple(self.numbers.product(self.numbers.into, w, v) for w, own in zip(weights, of, strict=True) for v in own)
                    for of in values
                ]
            )
        return found

    def choices(self, j: int, known: Row) -> list[tuple[int, Row, Row, Row]]:
        """The contents that a step may have, with the symbols known after it, how many ones are new in each string that is counted, and
        where two strings that are compared differ: (pair, place, sign)."""
        if known not in self.ways[j]:
            step, found = self.steps[j], []
            for symbols in product(range(self.t.letters), repeat=len(step.fresh)):
                told = {**dict(zip(step.before, known, strict=True)), **dict(zip(step.fresh, symbols, strict=True))}
                ones = tuple(sum(told[s] for s in step.fresh if s[0] == name) for name in self.counts)
                both = [(p, k, *(told[name, k] for name in self.orders[p])) for p, k in step.compared]
                differ = tuple((p, k, -1 if x < y else 1) for p, k, x, y in both if x != y)
                content = self.t.content(j, [told[s] for s in step.reads])
                found.append((content, tuple(told[s] for s in step.after), ones, differ))
            self.ways[j][known] = found
        return self.ways[j][known]

    def ordered(self, j: int, orders: Row, differ: Row) -> Row:
        """For each pair of strings (place, sign) of the first difference so far; no place where it is final, and no sign without one."""
        found = list(orders)
        for p, place, sign in differ:
            if found[p][1] == 0 or place < found[p][0]:
                found[p] = place, sign
        ahead = self.steps[j].ahead
        return tuple((-1, sign) if sign and place < ahead[p] else (place, sign) for p, (place, sign) in enumerate(found))

    def closure(self, start: Any, grown: Callable[[Any, int, int], Any], leading: list[set[Row]] | None, query: int) -> dict[Row, int]:
        """All inputs with a query, or with any where it is -1, token by token: how many lead to each state.

        A state has the first layer's sums, what ``grown`` makes of ``start``, the numbers of ones, the orders, and the symbols known.
        """
        numbers = self.numbers
        states = {((), start, (0,) * len(self.counts), ((0, 0),) * len(self.orders), ()): 1}
        for j in range(len(self.steps)):
            after: dict[Row, int] = {}
            for (sums, read, ones, orders, known), count in states.items():
                choices = self.choices(j, known)
                numbers.limits.spend(4 * len(choices))
                for content, following, more, differ in choices:
                    new: Row = sums
                    heads = read
                    if j < len(self.added):
                        if j == self.answers.at and query not in (-1, content):
                            continue
                        new = self.grown_sums(j, sums, self.added[j][content])
                        if leading is not None and new not in leading[j + 1]:
                            continue
                        heads = grown(read, j, content)
                    if more:
                        more = tuple(x + y for x, y in zip(ones, more, strict=True))
                    state = new, heads, more, self.ordered(j, orders, differ) if orders else orders, following
                    after[state] = after.get(state, 0) + count
            numbers.limits.keep("states", len(after))
            states = after
        return states

    def leading_to(self, sums: Row) -> list[set[Row]]:
        """Before each token the sums of the first layer from which some contents lead to these at the end."""
        if self.first < 0:
            return [{()} for _ in range(len(self.added) + 1)]
        numbers, forward = self.numbers, [set[Row]({()})]
        for j, contents in enumerate(self.added):
            numbers.limits.spend(len(forward[-1]) * len(contents))
            forward.append({self.grown_sums(j, before, terms) for before in forward[-1] for terms in contents})
        alive = [{sums}]
        for j in reversed(range(len(self.added))):
            alive.append({x for x in forward[j] if any(self.grown_sums(j, x, terms) in alive[-1] for terms in self.added[j])})
        return alive[::-1]

    def grown_sums(self, j: int, sums: Row, terms: Row) -> Row:
        return tuple(self.numbers.sum(self.numbers.wide, x, y) for x, y in zip(sums, terms, strict=True)) if j else terms

    def query_of(self, known: Row) -> int:
        told = dict(zip(self.steps[-1].after, known, strict=True))
        return self.t.content(self.answers.at, [told[s] for s in self.t.tokens[self.answers.at].reads])

    def check(self) -> int:
        """How many inputs are answered rightly."""
        groups: dict[tuple[Row, int], dict[Row, int]] = {((), query): {} for query in range(len(self.t.tokens[self.answers.at].vectors))}
        if self.first == 0:
            groups = {}
            for (sums, _, ones, orders, known), count in self.closure((), lambda read, j, content: read, None, -1).items():
                groups.setdefault((sums, self.query_of(known)), {})[ones, orders, known] = count
        held = 0
        for (sums, query), inputs in groups.items():
            heads = Heads(self, sums, query)
            if heads.alike:  # then all of them give the same
                x = heads.end(heads.at_once())
                held += self.right(x, inputs)
                continue
            leading = self.leading_to(sums)
            for guess in heads.guesses(leading):
                heads.assume(guess)
                by_end: dict[Row, dict[Row, int]] = {}
                for (_, read, ones, orders, known), count in self.closure(heads.start(), heads.grown, leading, query).items():
                    if heads.fulfilled(read):
                        by_end.setdefault(read, {})[ones, orders, known] = count
                for read, alike in by_end.items():
                    held += self.right(heads.end([heads.given(h, each) for h, each in enumerate(read)]), alike)
        return self.held(held)

    def held(self, held: int) -> int:
        """How many inputs keep the promise, if the states hold all inputs."""
        every = self.t.letters ** (sum(self.t.strings.values()) - self.unused)
        demand(held == every, f"{self.place}: the states hold {held} of {every} inputs")
        return self.promised * int(self.t.letters**self.unused)

    def right(self, x: Vector, inputs: dict[Row, int]) -> int:
        """How many inputs end alike; those that keep the promise are answered rightly."""
        return self.counted(self.answers.of(x), inputs)

    def counted(self, found: str, inputs: dict[Row, int]) -> int:
        """The same of an answer."""
        total = 0
        for (ones, orders, known), count in inputs.items():
            total += count
            texts = self.texts(ones, orders, known)
            if self.answers.promised(texts):
                self.promised += count
                right = self.answers.expected(texts)
                demand(found == right, f"{self.place}: {count} inputs are answered with {found}, {right} was expected")
        return total

    def texts(self, ones: Row, orders: Row, known: Row) -> dict[Any, Any]:
        """What is known of the strings, and of the order of two."""
        found: dict[str, dict[int, int]] = {name: {} for name in self.t.strings}
        for (name, k), symbol in zip(self.steps[-1].after, known, strict=True):
            found[name][k] = symbol
        total = dict(zip(self.counts, ones, strict=True))
        texts: dict[Any, Any] = {name: Text(self.t.letters, self.t.strings[name], each, total.get(name)) for name, each in found.items()}
        return texts | {pair: sign for pair, (_, sign) in zip(self.orders, orders, strict=True)}


class Heads:
    """The heads of the last layer at the token that reads, where the first layer has these sums and that token this content."""

    def __init__(self, walk: Prefixes, sums: Row, query: int) -> None:
        self.walk, self.t, self.numbers, self.query = walk, walk.t, walk.numbers, query
        self.layer: Layer = self.t.layers[walk.last]
        self.heads = self.layer.heads
        self.vectors = [list(each) for each in self.t.embedding]
        for k, layer in enumerate(self.t.layers[: walk.last]):
            self.t.limits.spend(8 * len(self.vectors))
            given = self.uniform_results(layer, sums) if k == walk.first else [[] for _ in layer.heads]
            self.vectors = [[self.t.after(layer, x, given) for x in each] for each in self.vectors]
        read, at = [self.t.read(self.layer, each) for each in self.vectors], walk.answers.at
        self.scored = [self.of_head(head, read, at) if head.value else [] for head in self.heads]
        self.alike = walk.first == 0 and all(each == tokens[0] for of_head in self.scored for tokens in of_head for each in tokens)
        changed = {knob: self.numbers.knobs[knob] for knob in ("maximum", "division")} != {"maximum": "kept", "division": "output"}
        self.guessed = [bool(h.value) and (h.kind == "average-hard" or (h.kind in SOFTMAX and changed)) for h in self.heads]
        self.guess: tuple[Row, ...] = ()
        self.known: list[list[list[tuple[Any, Any, Vector] | None]]] = []

    def uniform_results(self, layer: Layer, sums: Row) -> list[Vector]:
        """What each head of the first layer gives, at every position."""
        found, rest = [], list(sums)
        for head in layer.heads:
            mine, rest = rest[: len(head.value)], rest[len(head.value) :]
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

    def at_once(self) -> list[Vector]:
        """What heads give where no content changes anything."""
        found = []
        for head, tokens in zip(self.heads, self.scored, strict=True):
            weights: tuple[Vector, Any] = self.t.weights(head, [each[0][0] for each in tokens]) if head.value else ([], None)
            found.append(self.t.given(head, weights[0], weights[1], [each[0][1] for each in tokens]))
        return found

    def end(self, given: list[Vector]) -> Vector:
        """The coordinates of the token that reads, at the end."""
        x = self.t.after(self.layer, self.vectors[self.walk.answers.at][self.query], given)
        for layer in self.t.layers[self.walk.last + 1 :]:
            x = self.t.after(layer, x, [[] for _ in layer.heads])
        return self.t.ended(x)

    def guesses(self, leading: list[set[Row]]) -> list[tuple[Row, ...]]:
        """All that inputs may fulfil: first the largest scores, then, with each of them, the divisors."""
        if not any(self.guessed):
            return [()]
        scores = [[[s for s, _ in token] for token in of_head] for of_head in self.scored]

        def higher(tops: Row, j: int, content: int) -> Row:
            return tuple(
                top if not self.guessed[h] or (s := scores[h][j][content]) is None else s if top is None else max(top, s)
                for h, top in enumerate(tops)
            )

        start = tuple(0 if head.kind == "softmax-plus-one" and self.guessed[h] else None for h, head in enumerate(self.heads))
        for score in {s for h, of_head in enumerate(scores) if self.guessed[h] for token in of_head for s in token if s is not None}:
            finite([score], f"{self.walk.place}: a score is not finite")
        found: list[tuple[Row, ...]] = []
        for tops in dict.fromkeys(state[1] for state in self.walk.closure(start, higher, leading, self.query)):
            self.assume(tuple((top, None) for top in tops))

            def more(read: Row, j: int, content: int) -> Row:
                return higher(read[0], j, content), tuple(
                    total if not self.guessed[h] or (each := self.known[h][j][content]) is None else self.total(h, total, each[1])
                    for h, total in enumerate(read[1])
                )

            first = start, tuple(each[1] for each in self.start())
            ends = self.walk.closure(first, more, leading, self.query)
            totals = dict.fromkeys(state[1][1] for state in ends if state[1][0] == tops)
            found += [tuple(zip(tops, each, strict=True)) for each in totals]
        return found

    def assume(self, guess: tuple[Row, ...]) -> None:
        """What each token adds under a guess, of (largest score, divisor) for each head."""
        self.guess = guess or tuple((None, None) for _ in self.heads)
        self.known = [
            [[self.token(h, score, values) for score, values in token] for token in of_head] for h, of_head in enumerate(self.scored)
        ]

    def token(self, h: int, score: Any, values: Vector) -> tuple[Any, Any, Vector] | None:
        """A token that takes part: its score, what it adds to the divisor, and to each sum."""
        if score is None:
            return None
        head, numbers, adds = self.heads[h], self.numbers, self.adds(h, score)
        top, divisor = self.guess[h]
        weight = self.t.weight(head, score) if head.kind == "linear" else numbers.one
        if head.kind in SOFTMAX:
            weight = adds
            if numbers.knobs["division"] == "weights":
                weight = 0 if divisor is None else numbers.divide(adds, numbers.settle(divisor))
        elif head.kind == "average-hard":
            if score != top:
                return score, adds, [0] * len(values)
            weight = numbers.one if divisor is None else self.t.divided([numbers.one], numbers.count(divisor))[0][0]
        return score, adds, self.t.weighed(head, weight, values)

    def adds(self, h: int, score: Any) -> Any:
        """What a token adds to the divisor: its exponential, or one token where it has the largest score."""
        head, top = self.heads[h], self.guess[h][0]
        if head.kind == "average-hard":
            return int(score == top)
        if head.kind not in SOFTMAX:
            return 0
        subtracted = self.numbers.knobs["maximum"] == "subtracted"
        return self.t.weight(head, self.numbers.subtract(score, top) if subtracted else score)

    def start(self) -> tuple[Row, ...]:
        """Before the first token; softmax with +1 has a token of score 0 in front."""
        first = [bool(head.value) and head.kind == "softmax-plus-one" for head in self.heads]
        tops = [(0, self.adds(h, 0)) if one else (None, None) for h, one in enumerate(first)]
        widths = [len(head.columns if self.numbers.knobs["attention"] == "inputs" else head.value) for head in self.heads]
        return tuple((*top, *[None] * width) for top, width in zip(tops, widths, strict=True))

    def grown(self, read: tuple[Row, ...], j: int, content: int) -> tuple[Row, ...]:
        """With one more token."""
        return tuple(
            self.with_token(h, each, *token) if self.known[h] and (token := self.known[h][j][content]) is not None else each
            for h, each in enumerate(read)
        )

    def total(self, h: int, total: Any, adds: Any) -> Any:
        """Tokens are counted exactly, exponentials added up."""
        if total is None or self.heads[h].kind == "average-hard":
            return adds + (total or 0)
        return self.numbers.sum(self.numbers.wide, total, adds)

    def with_token(self, h: int, read: Row, score: Any, adds: Any, products: Vector) -> Row:
        numbers, head, (top, divisor, *sums) = self.numbers, self.heads[h], read
        if head.kind in ("leftmost", "rightmost"):
            finite([score], f"{self.walk.place}: a score is not finite")
            taken = top is None or score > top or (score == top and head.kind == "rightmost")
            return (score, None, *products) if taken else read
        if head.kind != "average-hard" or adds:
            grown, kept = numbers.sum, numbers.into is numbers.wide  # then x + 0 is x
            sums = [y if x is None else x if kept and y == 0 else grown(numbers.wide, x, y) for x, y in zip(sums, products, strict=True)]
        if head.kind == "linear":
            return (None, None, *sums)
        if self.guessed[h]:
            top = score if top is None else max(top, score)
        return (top, self.total(h, divisor, adds), *sums)

    def fulfilled(self, read: tuple[Row, ...]) -> bool:
        """Whether what was read is what the guess assumes."""
        return all(not guessed or each[:2] == self.guess[h] for h, (guessed, each) in enumerate(zip(self.guessed, read, strict=True)))

    def given(self, h: int, read: Row) -> Vector:
        """What a head gives at the end."""
        numbers, head, divisor = self.numbers, self.heads[h], read[1]
        results = self.t.finished(head, [numbers.settle(x or 0) for x in read[2:]])
        if numbers.knobs["division"] == "weights" or divisor is None or head.kind == "linear":
            return results
        by = numbers.settle(divisor) if head.kind in SOFTMAX else numbers.count(divisor)
        return [numbers.divide(x, by) for x in results]


# ---- one head that a special token reads


class OneHead:
    """A network of one head that its last token, which holds no symbol, reads; weights depend on nothing but their own token."""

    def __init__(self, answers: Answers, place: str) -> None:
        t, numbers = answers.network, answers.numbers
        self.answers, self.t, self.numbers, self.place = answers, t, numbers, place
        usual = numbers.in_order and numbers.knobs["maximum"] == "kept" and numbers.knobs["division"] == "output"
        demand(usual and answers.kind == "accept" and not numbers.real, f"{place}: sums in order, divided at the end, were expected")
        demand(len(t.layers) == 1 and len(t.layers[0].heads) == 1, f"{place}: one layer with one head was expected")
        self.layer, (self.head,) = t.layers[0], t.layers[0].heads
        self.linear = self.head.kind == "linear"
        demand(self.head.kind in ("softmax", "linear") and len(self.head.value) == 1, f"{place}: softmax or linear attention was expected")
        demand(answers.at == len(t.tokens) - 1 and not t.tokens[-1].reads, f"{place}: an answer at a last token of no symbols was expected")
        self.asking = t.tokens[-1].vectors[0]
        read = [t.read(self.layer, token.vectors) for token in t.tokens]
        query, cache = t.queried(self.head, read[-1][0], answers.at), dict[tuple[int, Row], Row]()
        self.addends: list[list[Row]] = []
        for j, vectors in enumerate(read):
            self.addends.append([])
            for x in vectors:
                where = (j if self.head.bias or self.head.turns or self.head.mask != "none" else 0, tuple(x))
                if where not in cache:
                    key, values = t.keys(self.head, x, j)
                    score = t.score(self.head, query, key, answers.at, j)
                    demand(score is not None, f"{place}: a token is hidden")
                    weight = t.weight(self.head, score)
                    cache[where] = (*t.weighed(self.head, weight, values), weight)
                self.addends[-1].append(cache[where])
        self.inputs = numbers.knobs["attention"] == "inputs"
        self.sums = len(self.head.columns) if self.inputs else 1
        self.coefficients = dict(self.head.value[0].terms)
        self.known: dict[Any, str] = {}
        self.add = adder(numbers)

    def weighted(self, k: int, state: Any) -> Any:
        """What the k-th sum contributes to the numerator."""
        return self.numbers.multiply(self.coefficients[self.head.columns[k]], state) if self.inputs else state

    def numerator(self, parts: Sequence[Any]) -> Any:
        """The contributions added left to right."""
        return reduce(self.add, parts, 0)

    def quotient(self, top: Any, bottom: Any) -> Any:
        return top if self.linear else self.numbers.divide(top, bottom)

    def answer(self, attention: Any) -> str:
        if attention not in self.known:
            self.t.limits.spend(64 * self.numbers.cost)
            self.known[attention] = self.answers.of(self.t.ended(self.t.after(self.layer, self.asking, [[attention]])))
        return self.known[attention]

    def equality(self) -> tuple[str, str, int]:
        """The two strings, and their length, of EQ under y <= z."""
        strings = list(self.t.strings.items())
        demand(
            len(strings) == 2 and strings[0][1] == strings[1][1] and self.t.letters == 2, f"{self.place}: two strings of bits were expected"
        )
        (y, length), (z, _) = strings
        parts = self.t.output.names()
        demand(parts["function"].data == ["==", y, z], f"{self.place}: whether {y} == {z} was expected")
        return y, z, length


def adder(numbers: Numbers) -> Callable[[Any, Any], Any]:
    """Rounded sums of two states; most need no rounding, which is seen from the digits that no number of their length has."""
    form = numbers.narrow
    if form.flushed or form.largest.bit_length() > 4000:
        return numbers.add
    largest, settle = form.largest, form.settle
    below = [(1 << max(form.shift(1 << n >> 1), 0)) - 1 for n in range(largest.bit_length() + 1)]

    def add(x: Any, y: Any) -> Any:
        if -INF < x < INF and -INF < y < INF:
            total = x + y
            size = -total if total < 0 else total
            return total if size <= largest and not size & below[size.bit_length()] else settle(total)
        return numbers.add(x, y)

    return add


# ---- columns

Column = tuple[list[Symbol], list[Any]]  # the bits that a quantity depends on, and what it is for each of their contents


class Bits(Text):
    """A whole string of bits, as a number."""

    __slots__ = ("value",)

    def __init__(self, length: int, value: int) -> None:
        super().__init__(2, length, {})
        self.value = value

    def number(self, first: int, last: int) -> int:
        return self.value >> self.length - 1 - last & (1 << last - first + 1) - 1


class Columns:
    """Every input at once, of one head whose coordinates are summed first: each column is a function of few bits.

    A column's sum, weighted, is added to the numerator; then a token after another, whose weights are added.
    """

    def __init__(self, answers: Answers, place: str) -> None:
        self.answers, self.t, self.place, self.head = answers, answers.network, place, OneHead(answers, place)
        self.lengths = self.t.strings
        demand(self.head.inputs and self.t.letters == 2, f"{place}: coordinates summed first, of bits, were expected")
        self.t.limits.keep("states", answers.inputs)

    def check(self) -> int:
        """How many inputs are answered rightly."""
        every, head = [(name, k) for name in self.lengths for k in range(self.lengths[name])], self.head
        tops = self.spread(self.total(self.column(k) for k in range(head.sums)), every)
        tokens = zip((token.reads for token in self.t.tokens), head.addends, strict=True)
        weights = (self.of_token(reads, terms, head.sums) for reads, terms in tokens)
        bottoms = [1] * len(tops) if head.linear else self.spread(self.total(weights), every)
        words = ([Bits(length, value) for value in range(1 << length)] for length in self.lengths.values())
        promised, names, known = 0, list(self.lengths), dict[tuple[Any, Any], str]()
        for strings, pair in zip(product(*words), zip(tops, bottoms, strict=True), strict=True):
            texts = dict(zip(names, strings, strict=True))
            if self.answers.promised(texts):
                promised += 1
                if pair not in known:
                    known[pair] = head.answer(head.quotient(*pair))
                right = self.answers.expected(texts)
                demand(known[pair] == right, f"{self.place}: an input is answered with {known[pair]}, {right} was expected")
        return promised

    def of_token(self, reads: list[Symbol], terms: list[Row], k: int) -> Column:
        """What a token adds to the k-th sum, by the bits that matter."""
        if all(term[k] == terms[0][k] for term in terms):
            return [], [terms[0][k]]
        bits = sorted(set(reads), key=self.order)
        contents = (dict(zip(bits, values, strict=True)) for values in product((0, 1), repeat=len(bits)))
        return bits, [terms[self.t.content(0, [told[s] for s in reads])][k] for told in contents]

    def column(self, k: int) -> Column:
        """What the k-th sum adds to the numerator."""
        tokens = zip((token.reads for token in self.t.tokens), self.head.addends, strict=True)
        added = (self.of_token(reads, terms, k) for reads, terms in tokens if any(term[k] for term in terms))
        bits, sums = self.total(added)
        return bits, [self.head.weighted(k, x) for x in sums]

    def total(self, columns: Iterable[Column]) -> Column:
        """The rounded sum of columns, left to right."""
        found: Column = ([], [0])
        for column in columns:
            bits = sorted({*found[0], *column[0]}, key=self.order)
            found = bits, self.added(self.spread(found, bits), self.spread(column, bits))
        return found

    def added(self, left: list[Any], right: list[Any]) -> list[Any]:
        """The sums of two quantities on every input; where they have few values, computed once for each two of them."""
        xs, ys, add = set(left), set(right), self.head.add
        if len(xs) * len(ys) >= len(left):
            return list(map(add, left, right))
        known = {x: {y: add(x, y) for y in ys} for x in xs}
        return [known[x][y] for x, y in zip(left, right, strict=True)]

    def order(self, bit: Symbol) -> tuple[int, int]:
        return list(self.lengths).index(bit[0]), bit[1]

    def spread(self, column: Column, bits: list[Symbol]) -> list[Any]:
        """A column's entries for every content of more bits."""
        own, places = set(column[0]), [0]
        self.t.limits.keep("states", 1 << len(bits))
        self.t.limits.spend(1 + (1 << len(bits)) // 2)
        for bit in bits:
            places = [2 * p + b for p in places for b in (0, 1)] if bit in own else [p for p in places for _ in (0, 1)]
        return [column[1][p] for p in places]


# ---- pairs


WIDEST_STAGE = 8


class Addend(NamedTuple):
    """What one token adds to one sum of a block: a state for each content of the bits of y and z that matter, as masks of the block."""

    of_y: int
    of_z: int
    table: dict[tuple[int, int], Any]


Queues = list[list[Addend]]  # for each sum of a block, what is still to be added


class Block:
    """Positions first … last, the sums that depend on no others, and the states that they reach, stage by stage.

    A row has a state for each sum, and then the bits of y that are still needed: those that tokens read once z is being read (late), and
    as long as z agrees with y those behind the positions read. Rows that are alike are one. After a stage, ``equal`` are the rows of pairs
    with y = z so far, ``less`` those with y < z, ``every`` those of all pairs.
    """

    def __init__(self, t: OneHead, first: int, last: int, wants_every: bool) -> None:
        self.t, self.where, self.first, self.last = t, f"{t.place}, positions {first} to {last}", first, last
        self.y, self.z, self.length = t.equality()
        queues = {k: self.addends(k) for k in range(t.sums + (not t.linear))}
        self.sums = [k for k, queue in queues.items() if queue is not None]
        t.t.limits.keep("states", len(self.sums) + 1 << last - first + 1)
        self.starts, rest = self.taken([queues[k] or [] for k in self.sums], first - 1)
        self.stages: list[tuple[int, int, Queues]] = []
        while first <= last:
            end = next((c for c in range(first, last) if all(self.parted(queue, c) for queue in rest)), last)
            demand(end - first < WIDEST_STAGE, f"{self.where}: positions {first} to {end} of {self.z} are read together")
            step, rest = self.taken(rest, end)
            self.stages.append((first, end, step))
            first = end + 1
        self.late = reduce(or_, (addend.of_y for _, _, step in self.stages for each in step for addend in each), 0)
        self.wants_every = wants_every
        self.equal: set[Row] = set()
        self.less: set[Row] = set()
        self.every: set[Row] = set()

    def addends(self, k: int) -> list[Addend] | None:
        """For each token that adds something to the k-th sum: the bits that matter, and a state for each of their contents; None where the
        sum belongs to another block. A sum that reads nothing belongs to the first one."""
        found: list[Addend] = []
        inside, outside = self.first == 1, False
        for token, terms in zip(self.t.t.tokens, self.t.addends, strict=True):
            bits, table = sorted(set(token.reads)), {}
            self.t.t.limits.spend(len(terms) * (1 + len(bits)) ** 2 + 4 * len(token.reads) + 4)
            for values in product((0, 1), repeat=len(bits)):
                table[values] = terms[self.t.t.content(0, [values[bits.index(b)] for b in token.reads])][k]
            for place in reversed(range(len(bits))):
                if all(table[v] == table[(*v[:place], 1 - v[place], *v[place + 1 :])] for v in table):
                    table = {(*v[:place], *v[place + 1 :]): x for v, x in table.items() if not v[place]}
                    del bits[place]
            for _, place in bits:
                inside, outside = (inside, True) if not self.first <= place + 1 <= self.last else (True, outside)
            if any(table.values()) and not outside:
                packed = {(self.packed(self.y, bits, v), self.packed(self.z, bits, v)): x for v, x in table.items()}
                ones = [1] * len(bits)
                found.append(Addend(self.packed(self.y, bits, ones), self.packed(self.z, bits, ones), packed))
        return None if outside or not inside else found

    def packed(self, string: str, bits: list[Symbol], values: Sequence[int]) -> int:
        """The bits of one string, as a number that has the block's last position as its lowest bit."""
        return sum(value << self.last - 1 - k for (s, k), value in zip(bits, values, strict=True) if s == string)

    def reading_beyond(self, queue: list[Addend], last: int) -> int:
        """How many addends stand before the first that reads z behind ``last``."""
        behind = (1 << self.last - last) - 1
        return next((k for k, addend in enumerate(queue) if addend.of_z & behind), len(queue))

    def parted(self, queue: list[Addend], last: int) -> bool:
        """Whether nothing reads z up to ``last`` again, once z is read behind it."""
        return not any(addend.of_z >> self.last - last for addend in queue[self.reading_beyond(queue, last) :])

    def taken(self, queues: Queues, last: int) -> tuple[Queues, Queues]:
        """The addends of each sum up to the first that reads z behind ``last``, and the others."""
        ends = [self.reading_beyond(queue, last) for queue in queues]
        return [queue[:end] for queue, end in zip(queues, ends, strict=True)], [
            queue[end:] for queue, end in zip(queues, ends, strict=True)
        ]

    def walk(self) -> None:
        """Walk through the stages."""
        sums = [self.sums_of_y(each) for each in self.starts]
        self.equal = {(*(known[y & seen] for known, seen in sums), y) for y in range(1 << self.last - self.first + 1)}
        self.every = set(map(self.forgotten, self.equal)) if self.wants_every else set()
        for first, last, step in self.stages:
            self.stage(first, last, step)

    def sums_of_y(self, addends: list[Addend]) -> tuple[dict[int, Any], int]:
        """What the addends, which read y only, come to for each content of the bits that they read, and those bits."""
        known, seen = {0: 0}, 0
        for of_y, _, table in addends:
            for bit in (1 << k for k in range(of_y.bit_length()) if of_y >> k & ~seen >> k & 1):
                known |= {y | bit: total for y, total in known.items()}
            seen |= of_y
            self.t.t.limits.spend(len(known))
            known = {y: self.t.add(total, table[y & of_y, 0]) for y, total in known.items()}
        return known, seen

    def forgotten(self, row: Row) -> Row:
        """The row with the late bits of y only."""
        return (*row[:-1], row[-1] & self.late)

    def stage(self, first: int, last: int, step: Queues) -> None:
        """One stage: z's bits at first … last become known."""
        behind, contents = self.last - last, range(1 << last - first + 1)
        self.t.t.limits.spend(len(self.equal))
        parts: list[list[Row]] = [[] for _ in contents]  # the rows where z agrees with y so far, by y's bits at this stage
        for row in self.equal:
            parts[row[-1] >> behind & len(contents) - 1].append(row)
        smaller: set[Row] = set()  # those whose y is smaller there than z
        equal, less, every = set(smaller), set(smaller), set(smaller)
        for z, part in enumerate(parts):
            same, fewer = set(map(self.forgotten, part)), self.less | smaller
            after = self.after(same | fewer | self.every, z << behind, step)
            equal.update((*after[self.forgotten(row)][:-1], row[-1] & (self.late | (1 << behind) - 1)) for row in part)
            less.update(map(after.__getitem__, fewer))
            every.update(map(after.__getitem__, self.every))
            smaller |= same
            self.t.t.limits.keep("states", (len(equal) + len(less) + len(every)) * (len(self.sums) + 1))
        self.equal, self.less, self.every = equal, less, every

    def after(self, rows: set[Row], z: int, step: Queues) -> dict[Row, Row]:
        """What each row becomes when z has these bits."""
        self.t.t.limits.spend(len(rows) * (1 + sum(1 + len(each) for each in step)))
        add, added, found = repeat(self.t.add), dict[int, list[list[Any]]](), {}
        for row in rows:
            y = row[-1]
            if y not in added:
                every = [[table[y & of_y, z & of_z] for of_y, of_z, table in each] for each in step]
                added[y] = [[state for state in each if state] for each in every]  # x + 0 is x
            found[row] = (*map(reduce, add, added[y], row), y)
        return found


def check_pairs(given: At, answers: Answers, place: str) -> int:
    """Every pair y <= z lies in a set of states that the stages reach, and the ends are right."""
    t = OneHead(answers, place)
    y, z, length = t.equality()
    demand(t.t.output.names()["promise"].data == ["<=", y, z], f"{place}: the promise {y} <= {z} was expected")
    cut = given.integer(0, length - 1)
    ranges = [(1, length)] if not cut else [(1, cut), (cut + 1, length)]
    blocks = [Block(t, first, last, wants_every=first > 1) for first, last in ranges]
    sums = sorted(k for block in blocks for k in block.sums)
    demand(sums == list(range(t.sums + (not t.linear))), f"{place}: each sum depends on positions of one block")
    for block in blocks:
        block.walk()
    ends = Ends(t, blocks)
    if len(blocks) == 1:
        ends.check([blocks[0].equal], "yes", f"{y} = {z}")
        ends.check([blocks[0].less], "no", f"{y} < {z}")
    else:
        first, second = blocks
        ends.check([first.equal, second.equal], "yes", f"{y} = {z}")
        ends.check([first.less, second.every], "no", f"{y} < {z} in the first block")
        ends.check([first.equal, second.less], "no", f"{y} < {z} in the second block")
    return (1 << length) * ((1 << length) + 1) // 2


class Ends:
    """What the network answers at the end, for every combination of final states."""

    def __init__(self, t: OneHead, blocks: list[Block]) -> None:
        self.t, self.names = t, [block.sums for block in blocks]
        self.holder = next((k for k, names in enumerate(self.names) if t.sums in names), 0)  # the block that has the denominator
        self.live = live_runs(t)

    def check(self, sets: Sequence[set[Row]], wanted: str, when: str) -> None:
        """Every combination is answered with ``wanted``; sets has the final states of each block."""
        shown = self.t.numbers.value
        for tops, bottoms in self.products([{row[:-1] for row in each} for each in sets]):
            for denominators in signs(bottoms):
                for top in tops:
                    self.t.t.limits.spend(4 * self.t.numbers.cost)
                    for bottom in (self.not_yes if wanted == "yes" else self.not_no)(top, denominators):
                        raise Rejected(f"{self.t.place}: where {when}, {shown(top)} over {shown(bottom)} is not answered with {wanted}")

    def products(self, rows: list[set[Row]]) -> Iterator[tuple[set[Any], set[Any]]]:
        """The combinations as (numerators, denominators): where the numerator's parts beside the denominator are equal, any with any."""
        t, own = self.t, self.names[self.holder]
        others = [k for place, names in enumerate(self.names) for k in names if place != self.holder]
        t.t.limits.spend(sum(8 * len(names) * len(each) for names, each in zip(self.names, rows, strict=True)))
        above = {()} if len(rows) == 1 else {self.weigh(others, row) for row in rows[1 - self.holder]}
        beside: dict[Row, set[Any]] = {}
        for row in rows[self.holder]:
            bottom = 1 if t.linear else row[own.index(t.sums)]
            beside.setdefault(self.weigh(own, row), set()).add(bottom)
        inner = [k for k in own if k != t.sums]
        for key, denominators in beside.items():
            t.t.limits.spend(4 * len(above) * (1 + t.sums))
            parts = (dict(zip(inner + others, key + row, strict=True)) for row in above)
            yield {t.numerator([part[k] for k in range(t.sums)]) for part in parts}, denominators

    def weigh(self, names: list[int], row: Row) -> Row:
        """What the sums of a row contribute to the numerator, the denominator left out."""
        return tuple(self.t.weighted(k, x) for k, x in zip(names, row, strict=True) if k != self.t.sums)

    def not_yes(self, top: Any, ordered: list[Any]) -> Iterator[Any]:
        """Denominators of one sign that break the answer yes. Rounded division is monotone: equal at both ends is equal in between."""
        divide = self.t.quotient
        tried = ordered[:1] if divide(top, ordered[0]) == divide(top, ordered[-1]) else ordered
        self.t.t.limits.spend(4 * self.t.numbers.cost * len(tried))
        return (bottom for bottom in tried if self.t.answer(divide(top, bottom)) != "yes")

    def not_no(self, top: Any, ordered: list[Any]) -> Iterator[Any]:
        """Denominators of one sign whose quotient lies in a run of values that are not answered with no.

        The quotients of 0 are all alike: they neither fall nor rise.
        """
        divide, falling = self.t.quotient, top >= 0
        lowest, highest = sorted((divide(top, ordered[0]), divide(top, ordered[-1])))
        for place in range(bisect_left(self.live, lowest, key=lambda run: run[1]), len(self.live)):
            low, high = self.live[place]
            if low > highest:
                break
            self.t.t.limits.spend(2 * self.t.numbers.cost * (1 + len(ordered).bit_length()))
            # look for the first quotient that has passed the run's near end
            passed = (lambda d, x=high: divide(top, d) <= x) if falling else (lambda d, x=low: divide(top, d) >= x)
            found = bisect_left(ordered, True, key=passed)
            if found < len(ordered) and low <= divide(top, ordered[found]) <= high:
                yield ordered[found]


def signs(denominators: set[Any]) -> list[list[Any]]:
    """Finite denominators of one sign, ascending; zero, infinities and NaN each on their own."""
    ordered = sorted(denominators)
    zero, one = bisect_left(ordered, 0), bisect_left(ordered, 1)
    start, end = bisect_left(ordered, 1 - INF), bisect_left(ordered, INF)
    return [s for s in (ordered[start:zero], ordered[one:end], *([x] for x in (*ordered[:start], *ordered[zero:one], *ordered[end:]))) if s]


def live_runs(t: OneHead) -> list[tuple[Any, Any]]:
    """The values of the attention that are not answered with no, as runs (first, last) of states.

    Each hidden node is monotone in the attention on either side of 0, and the output in each hidden node. Where the output is the same
    with all its terms at their lowest and at their highest over an interval, it is the same on all of it; other intervals are halved.
    """
    form = t.numbers.narrow
    digits = form.largest.bit_length() if form.digits >= ANY_DIGITS else form.digits
    demand(form.step == form.gap == form.flushed == 0, f"{t.place}: a format with subnormal numbers was expected")
    half = 1 << max(digits - 1, 0)
    binades = max(0, form.largest.bit_length() - digits)
    count = (1 << digits) + half * binades if form.largest else 1  # magnitudes, 0 among them

    def state(index: int) -> int:
        """The states ascending: 0 is in the middle; 2^digits with spacing 1, then binades that double the spacing."""
        size = abs(index)
        if size < 1 << digits:
            return index
        binade, rest = divmod(size - (1 << digits), half)
        size = (half + rest) << (binade + 1)
        return size if index > 0 else -size

    live = [(s, s) for s in (-INF, 0, INF, NAN) if t.answer(s) != "no"]
    waiting = [(-count + 1, -1), (1, count - 1)] if count > 1 else []
    while waiting:
        first, last = waiting.pop()
        constant, answer = box(t, state(first), state(last))
        if not constant and first < last:
            middle = (first + last) // 2
            waiting += [(first, middle), (middle + 1, last)]
        elif (answer if constant else t.answer(state(first))) != "no":
            live.append((state(first), state(last)))
    return sorted(live)


def box(t: OneHead, first: int, last: int) -> tuple[bool, str]:
    """Whether the output is surely the same for all attention values from ``first`` to ``last``, and the answer then."""
    numbers, network, layer = t.numbers, t.t, t.layer
    (units,) = layer.units if len(layer.units) == 1 else (None,)
    simple = (
        units is not None and units.activation == "relu" and len(units.into) == 1 and not (units.gate or units.factor or units.residual)
    )
    if not simple or layer.residual or layer.attention_norm or layer.network_norm or network.final_norm or len(layer.combine) != 1:
        return first == last, t.answer(first)
    (name, sources), (into, form) = layer.combine[0], units.into[0]  # type: ignore[union-attr]
    if sources[0][2] or numbers.knobs["constants"] != "added":
        return first == last, t.answer(first)
    t.t.limits.spend((32 * len(units.hidden) + 32) * numbers.cost)  # type: ignore[union-attr]
    ends = []
    for attention in (first, last):
        x: Vector = [0] * len(network.coordinates)
        x[name] = attention
        ends.append([numbers.clipped(network.applied(each, x), None) for each in units.hidden])  # type: ignore[union-attr]
    low = high = 0
    for k, w in form.terms:
        products = [numbers.multiply(w, hidden[k]) for hidden in ends]
        if NAN in products:
            return False, ""
        low, high = t.add(low, min(products)), t.add(high, max(products))
        if NAN in (low, high):
            return False, ""
    ends_of = [numbers.add(end, c) for end in (low, high) for c in form.constant or [0]]
    if units.rectified:  # type: ignore[union-attr]
        ends_of = [max(0, end) for end in ends_of]
    if ends_of[0] != ends_of[1] or NAN in ends_of:
        return False, ""
    return True, t.answers.of([ends_of[0] if k == into else 0 for k in range(len(network.coordinates))])


# ---- positions


def check_positions(answers: Answers, place: str) -> str:
    """The states reached from the empty strings' by any bits of any position, over each denominator, are answered rightly.

    So it is for the strings of every length, if each position has the columns of a position here, beside one another, and each token one
    of the weights here: further tokens add 0 to a column, and the numerator adds the columns from left to right.
    """
    t = OneHead(answers, place)
    y, z, length = t.equality()
    columns = columns_of_position(t, y, z, length)
    reached, waiting = {(0, True)}, [(0, True)]
    while waiting:
        total, equal = waiting.pop()
        t.t.limits.spend(16 * (len(columns) + 1) * t.numbers.cost)
        for at in PAIRS:
            parts = [t.numbers.multiply(weight, of[at]) for of, weight in columns]
            state = reduce(t.add, [total, *parts]), equal and at[0] == at[1]
            if state not in reached:
                reached.add(state)
                waiting.append(state)
        t.t.limits.keep("states", len(reached))
    bottoms, now = {1}, {0}
    if not t.linear:
        weights = {terms[-1] for each in t.addends for terms in each}
        for _ in t.t.tokens:
            t.t.limits.spend(4 * len(weights) * len(now) * t.numbers.cost)
            now = {t.add(d, w) for d in now for w in weights}
        bottoms = set(now)
        while now:
            now = {t.add(d, w) for d in now for w in weights} - bottoms
            bottoms |= now
            t.t.limits.spend(4 * len(weights) * len(now) * t.numbers.cost)
            t.t.limits.keep("states", len(bottoms))
    for total, equal in reached:
        for d in bottoms:
            right, found = "yes" if equal else "no", t.answer(t.quotient(total, d))
            demand(found == right, f"{place}: {t.numbers.value(total)} over {t.numbers.value(d)} is not answered with {right}")
    return f"EQ of two strings of every length: {len(reached)} states, where positions add as these and tokens have weights of these"


def columns_of_position(t: OneHead, y: str, z: str, length: int) -> list[tuple[dict[tuple[int, int], Any], Any]]:
    """The columns of a position, alike at all: what each adds up to at the bits y and z, and what the value multiplies it with."""
    demand(t.inputs, f"{t.place}: coordinates summed first were expected")
    where, found = list[int](), list[tuple[dict[tuple[int, int], Any], Any]]()
    for k, column in enumerate(t.head.columns):
        t.t.limits.spend(4 * sum((1 + len(token.reads)) << len(token.reads) for token in t.t.tokens) * t.numbers.cost)
        places = {
            place
            for token, terms in zip(t.t.tokens, t.addends, strict=True)
            for flip, (_, place) in zip([1 << at for at in reversed(range(len(token.reads)))], token.reads, strict=True)
            if any(added[k] != terms[content ^ flip][k] for content, added in enumerate(terms))
        }
        demand(len(places) == 1, f"{t.place}: column {column + 1} depends on {len(places)} positions, one was expected")
        (place,) = places
        where.append(place)
        sums = {at: column_sum(t, k, dict(zip((y, z), at, strict=True)), place) for at in PAIRS}
        found.append((sums, t.coefficients[column]))
    order = list(dict.fromkeys(where))
    groups = [[each for at, each in zip(where, found, strict=True) if at == place] for place in order]
    alone = where == [at for at in order for each in where if each == at]
    demand(alone, f"{t.place}: the columns of a position are not beside one another")
    demand(set(order) == set(range(length)), f"{t.place}: a position of the strings has no column")
    demand(all(group == groups[0] for group in groups), f"{t.place}: two positions of the strings do not have the same columns")
    return groups[0]


PAIRS = ((0, 0), (0, 1), (1, 0), (1, 1))


def column_sum(t: OneHead, k: int, bits: Mapping[str, int], place: int) -> Any:
    """The k-th sum over all tokens where this position has these bits; no other position adds anything to it."""
    added = []
    for token, terms in zip(t.t.tokens, t.addends, strict=True):
        content = t.t.content(0, [bits[string] if at == place else 0 for string, at in token.reads])
        added.append(terms[content][k])
    return reduce(t.add, added, 0)


# ---- local states

Symbols = Mapping[Symbol, int]


class Case(NamedTuple):
    """A vector of a token, and the symbols that lead to it."""

    known: Symbols
    vector: Vector

    def agrees(self, known: Symbols) -> bool:
        return all(known.get(where, symbol) == symbol for where, symbol in self.known.items())


class Told(NamedTuple):
    """The scores of a token in the cases that agree with another one, by their number; none where the mask hides it. Its values, too."""

    scores: dict[int, Any]
    values: dict[int, Vector]


class Local:
    """The cases of the tokens of a network, which part all inputs: for each token, a vector and the few symbols that lead to it.

    For each layer, token and case each head *reads* some tokens. The case is cut by all their cases, and the head computed on each part. A
    token that is not read has no weight in any input of the case: with t the largest of the least scores of those that are read, and s its
    own largest score, s - t rounded is negative and e^(s - t) is 0 in the format; in hard attention s < t, or s = t where the other one
    goes first. Which tokens are read is found by trying: first that with the largest least score, then those that are not without weight.
    """

    def __init__(self, answers: Answers, place: str) -> None:
        self.answers, self.t, self.numbers, self.place = answers, answers.network, answers.numbers, place
        demand(answers.kind != "decode", f"{place}: an answer at one token was expected")
        demand(self.numbers.knobs["attention"] == "values", f"{place}: sums of values were expected")

    def check(self) -> int:
        """How many inputs are answered rightly, by the cases of one token."""
        formulas = self.answers.formulas
        whole = {name for each in formulas for name in (*each.counts, *(name for pair in each.orders for name in pair))}
        asked = {symbol for each in formulas for symbol in each.symbols} | {
            (name, k) for name in whole for k in range(self.t.strings[name])
        }
        held = promised = 0
        letters, total = self.t.letters, sum(self.t.strings.values())
        for case in self.last():
            found = self.answers.of(self.t.ended(case.vector))
            left = sorted(asked - case.known.keys())
            self.t.limits.keep("states", letters ** len(left))
            each = letters ** (total - len(case.known) - len(left))
            for symbols in product(range(letters), repeat=len(left)):
                self.t.limits.spend(4 * len(asked))
                known = {**case.known, **dict(zip(left, symbols, strict=True))}
                texts = {name: Text(letters, length, {}) for name, length in self.t.strings.items()}
                for name in texts:
                    texts[name].known = {k: symbol for (other, k), symbol in known.items() if other == name}
                held += each
                if self.answers.promised(texts):
                    promised += each
                    right = self.answers.expected(texts)
                    demand(found == right, f"{self.place}: {each} inputs are answered with {found}, {right} was expected")
        demand(held == letters**total, f"{self.place}: the cases hold {held} of {letters**total} inputs")
        return promised

    def last(self) -> list[Case]:
        """The cases of the token that is asked for, after the last layer."""
        t = self.t
        cases = [[Case(known, x) for known, x in self.first(j)] for j in range(len(t.tokens))]
        behind = max((k for k, layer in enumerate(t.layers) if layer.heads), default=-1)
        for k, layer in enumerate(t.layers):
            places = range(len(cases)) if k < behind else range(self.answers.at, self.answers.at + 1)
            keyed = [
                [[t.keys(head, x, j) for x in t.read(layer, [case.vector for case in of])] for j, of in enumerate(cases)]
                for head in layer.heads
            ]
            following: list[list[Case]] = [[] for _ in cases]
            for i in places:
                for case in cases[i]:
                    following[i] += self.after(layer, i, case, cases, keyed)
                    t.limits.keep("states", len(following[i]))
            cases = following
        return cases[self.answers.at]

    def first(self, j: int) -> Iterator[tuple[Symbols, Vector]]:
        token = self.t.tokens[j]
        for content, symbols in enumerate(product(range(self.t.letters), repeat=len(token.reads))):
            known = dict(zip(token.reads, symbols, strict=True))
            if tuple(known[where] for where in token.reads) == symbols:
                yield known, token.vectors[content]

    def after(
        self, layer: Layer, i: int, case: Case, cases: list[list[Case]], keyed: list[list[list[tuple[Vector, Vector]]]]
    ) -> Iterator[Case]:
        """A case after a layer, cut by the cases of the tokens that its heads read."""
        (x,) = self.t.read(layer, [case.vector])
        told = [self.told(head, i, x, case, cases, each) for head, each in zip(layer.heads, keyed, strict=True)]
        read = [self.tokens_read(head, each) for head, each in zip(layer.heads, told, strict=True)]
        for known, chosen in self.parts(case, sorted({j for reads in read for j in reads}), cases):
            given = [self.given(*each, chosen) for each in zip(layer.heads, told, read, strict=True)]
            yield Case(known, self.t.after(layer, case.vector, given))

    def told(
        self, head: Head, i: int, x: Vector, case: Case, cases: list[list[Case]], keyed: list[list[tuple[Vector, Vector]]]
    ) -> list[Told]:
        """What a head is told of every token at position i, in the cases that agree with one there."""
        query, found = self.t.queried(head, x, i), list[Told]()
        for j, each in enumerate(cases):
            self.t.limits.spend(8 * len(each) * (1 + len(case.known)))
            agreeing = [k for k, other in enumerate(each) if other.agrees(case.known)]
            scores = {k: s for k in agreeing if (s := self.t.score(head, query, keyed[j][k][0], i, j)) is not None}
            finite(scores.values(), f"{self.place}: a score is not finite")
            found.append(Told(scores, {k: keyed[j][k][1] for k in agreeing}))
        return found

    def tokens_read(self, head: Head, told: list[Told]) -> list[int]:
        """Some tokens without which every other one has no weight."""
        seen = [j for j, each in enumerate(told) if each.scores]
        self.t.limits.spend(4 * len(seen))
        least = {j: min(told[j].scores.values()) for j in seen}
        if head.kind == "linear":
            read = [j for j in seen if any(told[j].scores.values())]
        else:
            ahead = -1 if head.kind == "leftmost" else 1
            best = max(seen, key=lambda j: (least[j], ahead * j), default=None)
            read = [j for j in seen if j == best or not self.weightless(head, j, max(told[j].scores.values()), best, least)]
        if head.kind not in ("leftmost", "rightmost", "average-hard"):
            for j in seen:
                if j not in read:
                    finite((x for each in told[j].values.values() for x in each), f"{self.place}: a value is not finite")
        return read

    def weightless(self, head: Head, j: int, most: Any, best: int | None, least: dict[int, Any]) -> bool:
        """Whether a token with at most this score has no weight beside the one with the largest least score."""
        if best is None:
            return False
        low = least[best]
        if head.kind not in SOFTMAX:
            return bool(most < low or (most == low and (head.kind, best < j) in (("leftmost", True), ("rightmost", False))))
        if self.numbers.knobs["maximum"] == "kept":
            return bool(self.t.weight(head, most) == 0)
        difference = self.numbers.subtract(most, max(low, 0) if head.kind == "softmax-plus-one" else low)
        return bool(difference < 0 and self.numbers.exp(difference) == 0)

    def parts(self, case: Case, places: list[int], cases: list[list[Case]]) -> list[tuple[Symbols, dict[int, int]]]:
        """A case, cut by the cases of these tokens: the symbols of each part, and the number of the case of each token."""
        parts: list[tuple[Symbols, dict[int, int]]] = [(case.known, {})]
        for j in places:
            self.t.limits.spend(8 * len(parts) * len(cases[j]))
            parts = [
                ({**known, **other.known}, {**chosen, j: k})
                for known, chosen in parts
                for k, other in enumerate(cases[j])
                if other.agrees(known)
            ]
            self.t.limits.keep("states", len(parts))
        return parts

    def given(self, head: Head, told: list[Told], reads: list[int], chosen: dict[int, int]) -> Vector:
        """What a head gives to a part. A token that is not read has its largest score, whose weight is nothing, and values 0."""
        scores: list[Any] = []
        values: list[Vector] = []
        for j, each in enumerate(told):
            if j in reads:
                scores.append(each.scores[chosen[j]])
                values.append(each.values[chosen[j]])
            else:
                scores.append(max(each.scores.values()) if each.scores else None)
                values.append([0] * len(head.value))
        return self.t.given(head, *self.t.weights(head, scores), values)


WAYS: dict[str, type[Prefixes] | type[Columns] | type[Local]] = {"prefixes": Prefixes, "columns": Columns, "local": Local}


def check_states(evidence: dict[str, At], answers: Answers, place: str) -> int:
    """How many inputs are answered rightly, by their states."""
    how = evidence["of"].one_of("pairs", *WAYS)
    if how == "pairs":
        return check_pairs(evidence["cut"], answers, place)
    evidence["cut"].integer(0, 0)
    return WAYS[how](answers, place).check()
