"""One-hot attention in a network certificate: what a token holds depends on few symbols of the input.

A *case* of a token is a vector and the symbols that lead to it; the cases of a token part all inputs. For each layer, token, case and head
the certificate lists the tokens that the head *reads*. The case is cut by all their cases, and the head computed on each part. A token that
is not listed has no weight in any input of the case: with t the largest of the least scores of those that are read, and s its own largest
score, s - t rounded is negative and e^(s - t) is 0 in the format; in hard attention s < t, or s = t where the other one goes first.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from .recheck_answers import Answers
from .recheck_formulas import Text
from .recheck_layers import Head, Layer, Vector
from .recheck_reading import At, demand
from .recheck_rounding import INF

Symbols = Mapping[tuple[str, int], int]  # by string and place, from 0


class Case(NamedTuple):
    """A vector of a token, and the symbols that lead to it."""

    known: Symbols
    vector: Vector

    def agrees(self, known: Symbols) -> bool:
        return all(known.get(where, symbol) == symbol for where, symbol in self.known.items())


class Told(NamedTuple):
    """The scores of a token in the cases that agree with another one, by their number; none where the mask hides it. Its values, too."""

    scores: dict[int, int]
    values: dict[int, Vector]


def check_local(evidence: dict[str, At], answers: Answers) -> int:
    """How many inputs are answered rightly, by the cases of one token."""
    local = Local(answers, evidence["reads"].place)
    for case in local.last(evidence["reads"]):
        for strings in local.inputs(case):
            right, found = answers.expected(strings), answers.of(local.normed(case.vector))
            shown = ", ".join(f"{name}[{k + 1}] = {symbol}" for (name, k), symbol in sorted(case.known.items()))
            demand(found == right, f"{local.place}: inputs with {shown} are answered with {found}, {right} was expected")
    return int(answers.transformer.letters ** sum(answers.transformer.strings.values()))


class Local:
    """The cases of the tokens of a network."""

    def __init__(self, answers: Answers, place: str) -> None:
        self.answers, self.t, self.place = answers, answers.transformer, place
        demand(answers.kind != "decode", f"{place}: an answer at one token was expected")
        demand(answers.promise is None, f"{place}: a network without a promise was expected")

    def normed(self, x: Vector) -> Vector:
        return self.t.normed(x, self.t.final_norm[0]) if self.t.final_norm else x

    def last(self, given: At) -> list[Case]:
        """The cases of the token that is asked for, after the last layer."""
        t = self.t
        cases = [list(self.first(j)) for j in range(len(t.layout))]
        behind = max((k for k, layer in enumerate(t.layers) if layer.heads), default=-1)
        for k, (layer, each) in enumerate(zip(t.layers, given.items(len(t.layers)), strict=True)):
            places = range(len(cases)) if k < behind else range(self.answers.at, self.answers.at + 1)
            keyed = [[self.keyed(layer, h, j, of_token) for j, of_token in enumerate(cases)] for h in range(len(layer.heads))]
            following: list[list[Case]] = []
            for i, reads in enumerate(each.items(len(cases))):
                following.append([])
                for case, of_case in zip(cases[i], reads.items(len(cases[i]) if i in places else 0), strict=i in places):
                    listed = [[x.integer(0, len(cases) - 1) for x in head.items()] for head in of_case.items(len(layer.heads))]
                    following[-1] += self.after(layer, i, case, listed, cases, keyed)
                    t.limits.keep("states", len(following[-1]))
            cases = following
        return cases[self.answers.at]

    def first(self, j: int) -> Iterator[Case]:
        entry = self.t.layout[j]
        for word in [entry] if isinstance(entry, int) else range(self.t.letters):
            demand(word in self.t.embedding[j], f"{self.place}: a word has no vector")
            yield Case({} if isinstance(entry, int) else {entry: word}, self.t.embedding[j][word])

    def keyed(self, layer: Layer, h: int, j: int, cases: Sequence[Case]) -> list[tuple[Vector, Vector]]:
        return [self.t.keys(layer.heads[h], x, j) for x in self.t.read(layer, [case.vector for case in cases])]

    def after(
        self,
        layer: Layer,
        i: int,
        case: Case,
        listed: list[list[int]],
        cases: list[list[Case]],
        keyed: list[list[list[tuple[Vector, Vector]]]],
    ) -> Iterator[Case]:
        """A case after a layer, cut by the cases of the tokens that its heads read."""
        (x,) = self.t.read(layer, [case.vector])
        told = [self.told(head, i, x, case, cases, each) for head, each in zip(layer.heads, keyed, strict=True)]
        for head, each, reads in zip(layer.heads, told, listed, strict=True):
            self.check(head, each, reads)
        for known, chosen in self.parts(case, sorted({j for reads in listed for j in reads}), cases):
            given = [self.given(*each, chosen) for each in zip(layer.heads, told, listed, strict=True)]
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
            demand(all(-INF < s < INF for s in scores.values()), f"{self.place}: a score is not finite")
            found.append(Told(scores, {k: keyed[j][k][1] for k in agreeing}))
        return found

    def check(self, head: Head, told: list[Told], reads: list[int]) -> None:
        """Every token that is not listed has no weight."""
        seen = [j for j, each in enumerate(told) if each.scores]
        demand(sorted(set(reads)) == reads and set(reads) <= set(seen), f"{self.place}: tokens that take part were expected, in order")
        self.t.limits.spend(4 * len(seen))
        least = {j: min(told[j].scores.values()) for j in reads}
        floor = max([*least.values(), *([0] if head.kind == "softmax-plus-one" else [])], default=None)
        for j in seen:
            if j in least:
                continue
            most, place = max(told[j].scores.values()), f"{self.place}: token {j} may have a weight"
            if head.kind in ("leftmost", "rightmost", "average-hard"):
                demand(any(self.beaten(head.kind, j, most, t, low) for t, low in least.items()), place)
                continue
            demand(all(s == 0 for s in told[j].scores.values()) if head.kind == "linear" else self.weightless(most, floor), place)
            finite = all(-INF < x < INF for each in told[j].values.values() for x in each)
            demand(finite, f"{self.place}: a value is not finite")

    def weightless(self, most: int, floor: int | None) -> bool:
        """Whether e^score is 0 where the largest score is at least ``floor``."""
        floats = self.t.floats
        if floats.knobs["maximum"] == "kept":
            return floats.exp(most) == 0
        if floor is None:
            return False
        difference = floats.subtract(most, floor)
        return difference < 0 and floats.exp(difference) == 0

    @staticmethod
    def beaten(kind: str, j: int, most: int, t: int, low: int) -> bool:
        return most < low or (most == low and (kind, t < j) in (("leftmost", True), ("rightmost", False)))

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
        scores: list[int | None] = []
        values: list[Vector] = []
        for j, each in enumerate(told):
            if j in reads:
                scores.append(each.scores[chosen[j]])
                values.append(each.values[chosen[j]])
            else:
                scores.append(max(each.scores.values()) if each.scores else None)
                values.append([0] * len(head.value))
        return self.t.given(*self.t.weights(head.kind, scores), values, len(head.value))

    def inputs(self, case: Case) -> Iterator[dict[str, Text]]:
        """What the right answer may read of the inputs of a case: symbols that it asks for, or whole strings."""
        base, asked, alone = self.t.letters, list[tuple[str, int]](), set[str]()
        for name, length in self.t.strings.items():
            uses = self.answers.function.symbols(name, self.answers.names)
            if uses is not None and not uses[0]:
                alone.add(name)
                asked += [(name, k - 1) for k in sorted(uses[1]) if 1 <= k <= length]
            else:
                asked += [(name, k) for k in range(length)]
        left = [where for where in asked if where not in case.known]
        self.t.limits.keep("states", base ** len(left))
        for symbols in product(range(base), repeat=len(left)):
            self.t.limits.spend(4 * len(asked))
            known = {**case.known, **dict(zip(left, symbols, strict=True))}
            texts: dict[str, Text] = {}
            for name, length in self.t.strings.items():
                of_string = {k + 1: symbol for (other, k), symbol in known.items() if other == name}
                if name in alone:
                    texts[name] = Text(None, base, length, of_string, None)
                else:
                    texts[name] = Text.whole([of_string[k + 1] for k in range(length)], base)
            yield texts
