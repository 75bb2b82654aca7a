"""Prefix states of a network certificate: one token reads the answer from all others, and prefixes that it cannot tell apart are one case.

What the last layer of heads reads of a token depends on that token's word and, where the first layer attends uniformly, on the sums of
that layer at the end. A *guess* assumes these sums, the word of the token that reads, and for each of its heads the largest score and the
sum of exponentials (the number of tokens with the largest score). Under a guess each token's weight is known, and the sums of the heads
grow token by token. The inputs that fulfil a guess are counted; each input fulfils one at most, so that guesses whose counts add up to
all inputs leave none out.
"""

from collections.abc import Sequence
from typing import NamedTuple

from .recheck_answers import Answers
from .recheck_formulas import Text
from .recheck_layers import Head, Layer, Vector
from .recheck_reading import At, demand
from .recheck_rounding import INF
from .recheck_states import State, added_by_tokens, read_by_function, uniform_results
from .recheck_transformer import Transformer

Sums = tuple[int, ...]
Read = tuple[int | None, ...]  # of a head: its largest score so far, what it divides by, and the sum of each value; None: nothing yet


class Guess(NamedTuple):
    """sums: of the first layer at the end; query: the word of the token that reads; heads: the largest score and the divisor."""

    sums: Sums
    query: int
    heads: tuple[Sums, ...]


class Prefix(NamedTuple):
    """sums: of the first layer so far; heads: what each head has read; ones, symbols: what the right answer reads."""

    sums: Sums
    heads: tuple[Read, ...]
    ones: int
    symbols: Sums


def check_prefixes(evidence: dict[str, At], answers: Answers) -> int:
    """How many inputs are answered rightly, by the states of their prefixes."""
    place, total = evidence["guesses"].place, 0
    prefixes = Prefixes(answers, place)
    seen: set[Guess] = set()
    for each in evidence["guesses"].items():
        parts = each.record("sums", "query", "heads", "count")
        states = [tuple(answers.floats.state(x) for x in part.items()) for part in (parts["sums"], *parts["heads"].items())]
        guess = Guess(states[0], parts["query"].integer(), tuple(states[1:]))
        demand(guess not in seen, f"{each.place}: this guess is listed twice")
        seen.add(guess)
        count = prefixes.right(guess, each.place)
        demand(parts["count"].integer() == count, f"{parts['count'].place}: {count} inputs fulfil this guess")
        total += count
    every: int = 1 << prefixes.length
    demand(total == every, f"{place}: the guesses hold {total} of {every} inputs")
    return total


class Prefixes:
    """The inputs of a network, read from left to right."""

    def __init__(self, answers: Answers, place: str) -> None:
        self.answers, self.t, self.place = answers, answers.transformer, place
        demand(self.t.floats.in_order, f"{place}: sums of rounded products from left to right were expected")
        self.ones, self.watched = read_by_function(answers, place)
        demand(answers.kind != "decode", f"{place}: an answer at one token was expected")
        ((self.string, self.length),) = self.t.strings.items()
        at = [k for k, layer in enumerate(self.t.layers) if any(head.value for head in layer.heads)]
        demand(1 <= len(at) <= 2, f"{place}: one or two layers of heads were expected")
        self.last, self.first = at[-1], at[0] if len(at) == 2 else -1
        self.words: list[list[int]] = [[entry] if isinstance(entry, int) else [0, 1] for entry in self.t.layout]
        there = all(set(words) <= set(each) for words, each in zip(self.words, self.t.embedding, strict=True))
        demand(there, f"{place}: a word has no vector")
        self.sums = self.grown_sums()

    def grown_sums(self) -> list[dict[Sums, dict[int, Sums]]]:
        """The sums of the first layer: before each token those that there may be, and what they become with each word."""
        t = self.t
        added: list[list[Sums]] = [[()] * len(words) for words in self.words]
        if self.first >= 0:
            demand(self.first == 0, f"{self.place}: a first layer with heads that attend uniformly was expected")
            added = added_by_tokens(t, t.layers[0])
        states: set[Sums] = {(0,) * len(added[0][0])}
        found = []
        for j, (words, terms) in enumerate(zip(self.words, added, strict=True)):
            t.limits.spend(len(states) * len(words) * (1 + len(terms[0]) * t.floats.cost))
            table = {}
            for state in states:
                table[state] = {w: self.sum_of(state, more) if j else more for w, more in zip(words, terms, strict=True)}
            found.append(table)
            states = {after for each in table.values() for after in each.values()}
            t.limits.keep("states", len(states))
        return found

    def sum_of(self, state: Sums, more: Sums) -> Sums:
        return tuple(self.t.floats.sum(self.t.floats.wide, x, y) for x, y in zip(state, more, strict=True))

    def leading_to(self, sums: Sums) -> list[set[Sums]]:
        """Before each token the sums from which some words lead to these at the end."""
        alive = [{sums}]
        for table in reversed(self.sums):
            self.t.limits.spend(2 * len(table))
            alive.append({state for state, each in table.items() if not alive[-1].isdisjoint(each.values())})
        return alive[::-1]

    def read(self, guess: Guess) -> list[dict[int, Vector]]:
        """The coordinates of each word at each token before the last layer of heads."""
        t, found = self.t, [{word: each[word] for word in words} for words, each in zip(self.words, self.t.embedding, strict=True)]
        for k, layer in enumerate(t.layers[: self.last]):
            t.limits.spend(8 * len(found))
            given = uniform_results(t, layer, State(guess.sums, -1, ())) if k == self.first else [[] for _ in layer.heads]
            found = [{word: t.after(layer, x, given) for word, x in each.items()} for each in found]
        return found

    def right(self, guess: Guess, place: str) -> int:
        """How many inputs fulfil a guess; each has to be answered rightly."""
        t, answers, layer = self.t, self.answers, self.t.layers[self.last]
        demand(guess.query in self.words[answers.at], f"{place}: the token that reads has another word")
        ends = {after for each in self.sums[-1].values() for after in each.values()}
        demand(guess.sums in ends, f"{place}: no input leads to these sums of the first layer")
        vectors = self.read(guess)
        heads = Heads(t, layer, vectors, answers.at, guess, place)
        fulfilled = 0
        for prefix, count in self.ends(guess, heads, self.leading_to(guess.sums)).items():
            if not heads.fulfilled(prefix.heads):
                continue
            fulfilled += count
            x = t.after(layer, vectors[answers.at][guess.query], [heads.given(h, each) for h, each in enumerate(prefix.heads)])
            for following in t.layers[self.last + 1 :]:
                x = t.after(following, x, [[] for _ in following.heads])
            found = answers.of(t.normed(x, t.final_norm[0]) if t.final_norm else x)
            known = dict(zip(self.watched, prefix.symbols, strict=True))
            right = answers.expected({self.string: Text(None, 2, self.length, known, prefix.ones if self.ones else None)})
            demand(found == right, f"{place}: {count} inputs are answered with {found}, {right} was expected")
        demand(fulfilled, f"{place}: no input fulfils this guess")
        return fulfilled

    def ends(self, guess: Guess, heads: "Heads", alive: list[set[Sums]]) -> dict[Prefix, int]:
        """All inputs, as far as they may fulfil a guess, token by token."""
        (start,) = self.sums[0]
        prefixes = {Prefix(start, heads.start(), 0, ()): 1} if start in alive[0] else {}
        for j, entry in enumerate(self.t.layout):
            grown: dict[Prefix, int] = {}
            words = [guess.query] if j == self.answers.at else self.words[j]
            self.t.limits.spend(len(prefixes) * len(words) * (4 + heads.cost))
            for prefix, count in prefixes.items():
                for word in words:
                    sums = self.sums[j][prefix.sums][word]
                    if sums not in alive[j + 1]:
                        continue
                    ones, symbols = prefix.ones, prefix.symbols
                    if not isinstance(entry, int):
                        ones += word if self.ones else 0
                        symbols += (word,) if entry[1] + 1 in self.watched else ()
                    new = Prefix(sums, heads.grown(prefix.heads, j, word), ones, symbols)
                    grown[new] = grown.get(new, 0) + count
            self.t.limits.keep("states", len(grown))
            prefixes = grown
        return prefixes


class Heads:
    """The heads of the last layer at the token that reads, under a guess."""

    def __init__(self, t: Transformer, layer: Layer, vectors: Sequence[dict[int, Vector]], at: int, guess: Guess, place: str) -> None:
        self.t, self.heads, self.guess, self.place = t, layer.heads, guess, place
        guessed = [2 if head.value and (softmax(head) or head.kind == "average-hard") else 0 for head in self.heads]
        demand([len(each) for each in guess.heads] == guessed, f"{place}: the largest score and the divisor of each head were expected")
        read = [dict(zip(each, t.read(layer, list(each.values())), strict=True)) for each in vectors]
        self.tokens = [[self.token(h, j, at, read) for j in range(len(vectors))] for h in range(len(self.heads))]
        self.cost = sum(2 + len(head.value) for head in self.heads) * t.floats.cost

    def token(self, h: int, j: int, at: int, read: list[dict[int, Vector]]) -> dict[int, tuple[int, int, list[int]]]:
        """For each word at a token that takes part: its score, what it adds to the divisor, and weight times value."""
        t, head, found = self.t, self.heads[h], dict[int, tuple[int, int, list[int]]]()
        t.limits.spend(8 * len(read[j]))
        if not head.value:
            return found
        query = t.queried(head, read[at][self.guess.query], at)
        for word, x in read[j].items():
            key, values = t.keys(head, x, j)
            score = t.score(head, query, key, at, j)
            if score is None:
                continue
            demand(-INF < score < INF, f"{self.place}: a score is not finite")
            adds = self.adds(h, score)
            weight = score if head.kind == "linear" else t.floats.one
            if softmax(head) and t.floats.knobs["division"] == "weights":
                weight = t.floats.divide(adds, t.floats.settle(self.guess.heads[h][1]))
            elif softmax(head):
                weight = adds
            elif head.kind == "average-hard":
                weight = t.divided([t.floats.one], self.number(h))[0][0] or 0
            takes = head.kind != "average-hard" or score == self.guess.heads[h][0]
            found[word] = score, adds, [t.floats.product(t.floats.into, weight, value) if takes else 0 for value in values]
        return found

    def number(self, h: int) -> int:
        """What averaging hard attention divides by: how many tokens have the largest score."""
        return self.t.floats.count(int(self.guess.heads[h][1]) >> self.t.floats.unit)

    def adds(self, h: int, score: int) -> int:
        """What a token adds to the divisor: its exponential, or one token where it has the largest score."""
        floats, head = self.t.floats, self.heads[h]
        if head.kind == "average-hard":
            return int(score == self.guess.heads[h][0]) << floats.unit
        if not softmax(head):
            return 0
        return floats.exp(floats.subtract(score, self.guess.heads[h][0]) if floats.knobs["maximum"] == "subtracted" else score)

    def start(self) -> tuple[Read, ...]:
        """Before the first token; softmax with +1 has a token of score 0 in front."""
        first = [head.value and head.kind == "softmax-plus-one" for head in self.heads]
        tops = [(0, self.adds(h, 0)) if one else (None, None) for h, one in enumerate(first)]
        return tuple((*top, *[None] * len(head.value)) for top, head in zip(tops, self.heads, strict=True))

    def grown(self, read: tuple[Read, ...], j: int, word: int) -> tuple[Read, ...]:
        """With one more token."""
        return tuple(
            self.with_token(head, each, *token[word]) if (token := self.tokens[h][j]) and word in token else each
            for h, (head, each) in enumerate(zip(self.heads, read, strict=True))
        )

    def with_token(self, head: Head, read: Read, score: int, adds: int, products: list[int]) -> Read:
        floats, (top, divisor, *sums) = self.t.floats, read
        if head.kind in ("leftmost", "rightmost"):
            taken = top is None or score > top or (score == top and head.kind == "rightmost")
            return (score, None, *products) if taken else read
        if head.kind == "average-hard":
            return self.averaged(read, score, adds, products)
        summed = [y if x is None else floats.sum(floats.wide, x, y) for x, y in zip(sums, products, strict=True)]
        if head.kind == "linear":
            return (None, None, *summed)
        top = score if top is None else max(top, score)
        return (top, adds if divisor is None else floats.sum(floats.wide, divisor, adds), *summed)

    def averaged(self, read: Read, score: int, adds: int, products: list[int]) -> Read:
        """Tokens are counted exactly; those below the largest score add nothing."""
        floats, (top, divisor, *sums) = self.t.floats, read
        if adds:
            sums = [y if x is None else floats.sum(floats.wide, x, y) for x, y in zip(sums, products, strict=True)]
        return (score if top is None else max(top, score), (divisor or 0) + adds, *sums)

    def fulfilled(self, read: tuple[Read, ...]) -> bool:
        """Whether what was read is what the guess assumes; a head that sees no token has read -inf and 0."""
        ends = [(-INF if top is None else top, divisor or 0) for top, divisor, *_ in read]
        return all(not guessed or each == guessed for each, guessed in zip(ends, self.guess.heads, strict=True))

    def given(self, h: int, read: Read) -> Vector:
        """What a head gives at the end."""
        floats, head = self.t.floats, self.heads[h]
        results = [floats.settle(x or 0) for x in read[2:]]
        if floats.knobs["division"] == "weights" or not self.guess.heads[h] or not any(self.tokens[h]):
            return results
        divisor = floats.settle(self.guess.heads[h][1]) if softmax(head) else self.number(h)
        return [floats.divide(x, divisor) for x in results]


def softmax(head: Head) -> bool:
    return head.kind in ("softmax", "softmax-plus-one")
