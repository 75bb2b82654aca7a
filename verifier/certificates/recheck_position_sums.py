"""Position-only weights in a network certificate: the sums of heads whose scores do not depend on symbols lie between two ends.

One token reads the answer from all others, by heads whose weights are the same for all inputs. Each token adds one of a few numbers to a
sum. A *group* has the word of the token that reads, the number of ones and the symbols that the right answer reads. The exact extremes of
its sums are found token by token; a computed sum, in whatever order, is as near to the exact one as its roundings allow. What follows is
computed on these boxes.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from math import gcd
from operator import add

from .recheck_answers import Answers
from .recheck_box_conditions import Ends, truth_on
from .recheck_boxes import Box, Open
from .recheck_formulas import Text
from .recheck_layers import Vector
from .recheck_logits import Logits
from .recheck_reading import At, Rejected, demand
from .recheck_rounding import INF
from .recheck_states import read_by_function

Key = tuple[int, ...]  # the query, the ones (-1 where nothing reads them), the symbols
DEEPEST = 12


def check_position_sums(evidence: dict[str, At], answers: Answers) -> int:
    """How many inputs are answered rightly, by the ends of sums."""
    sums = PositionSums(answers, evidence["groups"].place)
    listed: dict[Key, list[Box]] = {}
    for each in evidence["groups"].items():
        key, *ends = each.items(1 + 2 * sums.count)
        group = tuple(x.integer() for x in key.items())
        demand(group not in listed, f"{each.place}: this group is listed twice")
        states = [answers.floats.state(x) for x in ends]
        listed[group] = list(zip(states[::2], states[1::2], strict=True))
    groups = dict(sums.groups())
    demand(listed.keys() == groups.keys(), f"{sums.place}: {len(groups)} groups of inputs were expected")
    for group, boxes in groups.items():
        for (low, high), (least, most) in zip(listed[group], boxes, strict=True):
            demand(-INF < low <= least and most <= high < INF, f"{sums.place}: a sum may be beyond its box")
        demand(sums.right(group, listed[group]), f"{sums.place}: the answer to group {list(group)} is not certainly right")
    return 1 << sums.length


class PositionSums:
    """The sums of a network's heads at the token that is asked for."""

    def __init__(self, answers: Answers, place: str) -> None:
        self.answers, self.t, self.place = answers, answers.transformer, place
        floats = answers.floats
        demand(answers.kind != "decode", f"{place}: an answer at one token was expected")
        self.ones, self.watched = read_by_function(answers, place)
        ((self.string, self.length),) = self.t.strings.items()
        single = floats.knobs["rounding"] == "operation" and floats.knobs["products"] != "fused" and floats.knobs["subnormals"] == "kept"
        demand(single and floats.narrow.largest, f"{place}: rounded products, and subnormal numbers, were expected")
        at = [k for k, layer in enumerate(self.t.layers) if layer.heads]
        demand(len(at) == 1, f"{place}: one layer with heads was expected")
        self.layer = self.t.layers[at[0]]
        self.logits = Logits(answers, self.layer, self.t.layers[at[0] + 1 :])
        self.words: list[list[int]] = [[entry] if isinstance(entry, int) else [0, 1] for entry in self.t.layout]
        there = all(set(words) <= set(each) for words, each in zip(self.words, self.t.embedding, strict=True))
        demand(there, f"{place}: a word has no vector")
        self.vectors: list[dict[int, Vector]] = []
        for words, each in zip(self.words, self.t.embedding, strict=True):
            self.vectors.append({word: each[word] for word in words})
            for layer in self.t.layers[: at[0]]:
                self.vectors[-1] = {word: self.t.after(layer, x, []) for word, x in self.vectors[-1].items()}
        self.count = sum(len(head.value) for head in self.layer.heads)

    @cached_property
    def keyed(self) -> list[list[dict[int, tuple[Vector, Vector]]]]:
        """Of each head, for each token and word: key and values."""
        read = [dict(zip(each, self.t.read(self.layer, list(each.values())), strict=True)) for each in self.vectors]
        return [[{w: self.t.keys(head, x, j) for w, x in each.items()} for j, each in enumerate(read)] for head in self.layer.heads]

    def weighted(self, query: int) -> tuple[list[list[dict[int, int]]], list[int | None]]:
        """For each sum, token and word what is added; and for each head what it is divided by."""
        t, at, tables, divisors = self.t, self.answers.at, list[list[dict[int, int]]](), list[int | None]()
        (x,) = t.read(self.layer, [self.vectors[at][query]])
        for head, keyed in zip(self.layer.heads, self.keyed, strict=True):
            queried, scores = t.queried(head, x, at), list[int | None]()
            for j, each in enumerate(keyed):
                t.limits.spend(8 * len(each))
                found = {t.score(head, queried, each[w][0], at, j) for w in ([query] if j == at else each)}
                demand(len(found) == 1, f"{self.place}: a score that depends on the symbol at position {j}")
                scores += found
            demand(all(s is None or -INF < s < INF for s in scores), f"{self.place}: a score is not finite")
            weights, divisor = t.weights(head.kind, scores)
            divisors.append(divisor)
            for v in range(len(head.value)):
                table = [
                    {w: 0 if weight is None else t.floats.product(t.floats.into, weight, values[v]) for w, (_, values) in each.items()}
                    for weight, each in zip(weights, keyed, strict=True)
                ]
                table[at] = {query: table[at][query]}
                demand(all(-INF < x < INF for each in table for x in each.values()), f"{self.place}: a product is not finite")
                tables.append(table)
        return tables, divisors

    def rounding(self, table: list[dict[int, int]]) -> int:
        """How far a sum of such products, in any order, may be from the exact one, in half units.

        m terms are added m - 1 times. No partial sum is beyond the sum of the largest sizes and of all errors; there neighbours are
        farthest apart, and an addition moves a number by half of that. Where all products are multiples of that distance, none is moved.
        """
        floats, sizes = self.t.floats, [max(map(abs, each.values())) for each in table]
        terms = sum(size > 0 for size in sizes) if floats.knobs["products"] == "rounded" else len(sizes)
        total, step = sum(sizes), 0
        exact = gcd(*(x for each in table for x in each.values())) % (1 << floats.wide.shift(total)) == 0
        while not exact and 1 << floats.wide.shift(total + terms * step) > step and total + terms * step <= floats.wide.largest:
            step = 1 << floats.wide.shift(total + terms * step)
        demand(total + terms * step <= floats.wide.largest, f"{self.place}: a sum may be beyond the format")
        return max(0, terms - 1) * step

    def groups(self) -> Iterator[tuple[Key, list[Box]]]:
        """Every group with the ends of its sums."""
        settle = self.t.floats.narrow.settle
        for query in self.words[self.answers.at]:
            tables, _ = self.weighted(query)
            errors = [self.rounding(table) for table in tables]
            states: dict[Key, Key] = {(0,) if self.ones else (-1,): (0, 0) * len(tables)}
            for j, entry in enumerate(self.t.layout):
                grown: dict[Key, Key] = {}
                words = [query] if j == self.answers.at else self.words[j]
                added = {w: tuple(x for table in tables for x in (table[j][w], -table[j][w])) for w in words}
                self.t.limits.spend(len(states) * len(words) * (2 + len(tables)))
                for (ones, *symbols), ends in states.items():
                    for w in words:
                        of_string = not isinstance(entry, int)
                        marks = (w,) if not isinstance(entry, int) and entry[1] + 1 in self.watched else ()
                        key = (ones + (w if of_string and self.ones else 0), *symbols, *marks)
                        both = tuple(map(add, ends, added[w]))
                        grown[key] = tuple(map(min, grown[key], both)) if key in grown else both
                self.t.limits.keep("states", len(grown))
                states = grown
            for key, ends in states.items():
                pairs = zip(ends[::2], ends[1::2], errors, strict=True)
                yield (query, *key), [(settle(2 * low - error, 1), settle(-2 * high + error, 1)) for low, high, error in pairs]

    def right(self, group: Key, sums: list[Box]) -> bool:
        """Whether every input of a group is answered rightly."""
        query, ones, *symbols = group
        _, divisors = self.weighted(query) if query not in self.divisors else (None, self.divisors[query])
        self.divisors[query] = divisors
        boxes, given = list(sums), list[list[Box]]()
        for head, divisor in zip(self.layer.heads, divisors, strict=True):
            of_head, boxes = boxes[: len(head.value)], boxes[len(head.value) :]
            try:
                given.append([box if divisor is None else self.logits.boxes.divide(box, (divisor, divisor)) for box in of_head])
            except Open:
                raise Rejected(f"{self.place}: a sum that is divided by what may be 0") from None
        known = dict(zip(self.watched, symbols, strict=True))
        right = self.answers.expected({self.string: Text(None, 2, self.length, known, ones if self.ones else None)})
        x = self.vectors[self.answers.at][query]
        if self.answers.kind == "choose":
            chosen = self.t.symbols.index(right) if right in self.t.symbols else -1
            return chosen >= 0 and self.logits.decided(x, chosen, given)
        return self.accepted(x, right, given, 0)

    @cached_property
    def divisors(self) -> dict[int, list[int | None]]:
        """Of each query."""
        return {}

    def accepted(self, x: Vector, right: str, given: list[list[Box]], depth: int) -> bool:
        """Whether the answer is right everywhere in a box, which is halved where that is open."""
        self.t.limits.spend(16)
        try:
            found = self.answer(x, given)
        except Open:
            found = None
        if found is not None or depth == DEEPEST or all(low == high for each in given for low, high in each):
            return found == right
        return all(self.accepted(x, right, half, depth + 1) for half in self.logits.halves(given))

    def answer(self, x: Vector, given: list[list[Box]]) -> str | None:
        """The answer on a box; None where it is open."""
        floats, answers = self.t.floats, self.answers
        y = self.logits.at_end(x, given)
        unit = 1 << floats.unit
        names: dict[str, Ends] = {name: (value, value) for name, value in answers.names.items()}
        names |= {name: (Fraction(y[k][0], unit), Fraction(y[k][1], unit)) for name, k in self.t.index.items()}
        yes = truth_on(answers.yes, answers.yes.tree, names)
        if yes is None or yes:
            return "yes" if yes else None
        no = truth_on(answers.no, answers.no.tree, names) if answers.no else True
        return None if no is None else "no" if no else "neither"
