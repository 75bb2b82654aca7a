"""Decoding by induction, in a network certificate: if all earlier outputs are right, the next one is.

At a step the tokens are digits of columns, earlier outputs, which are right, and special tokens. A *group* is what an input leads to: the
query (the last token), the carry into this column and the total of its digits, and the symbols that heads copy. For heads that sum, each
group has ends of their sums: exact extremes, by dynamic programming over columns and carries, and what the rounding of partial sums may
add. What follows is computed on these boxes.
"""

from functools import reduce
from typing import Any

from .recheck_answers import Answers
from .recheck_boxes import Box
from .recheck_digits import Digits, Extremes, Key, Table, Watch
from .recheck_last_token import Copied, LastToken, Summed
from .recheck_layers import Layer, Vector
from .recheck_logits import Logits, hull
from .recheck_reading import At, demand
from .recheck_rounding import INF


def check_induction(evidence: dict[str, At], answers: Answers) -> int:
    """How many inputs are answered rightly, by induction over the outputs."""
    induction = Induction(answers, evidence["steps"].place)
    for step, each in enumerate(evidence["steps"].items(answers.steps)):
        induction.check(step, each.record("heads", "groups", "boxes"))
    return int(induction.digits.base ** sum(answers.transformer.strings.values()))


class Induction:
    """A network that appends the digits of a sum."""

    def __init__(self, answers: Answers, place: str) -> None:
        self.answers, self.t, self.place = answers, answers.transformer, place
        demand(self.t.floats.plain, f"{place}: sums of rounded products from left to right, and subnormal numbers, were expected")
        t, appends = self.t, answers.kind == "decode" and answers.until == "" and answers.promise is None
        demand(appends, f"{place}: outputs up to a length were expected")
        self.digits = Digits(answers, place)
        self.prompt = self.digits.prompt
        layers = [k for k, layer in enumerate(t.layers) if layer.heads]
        demand(len(layers) == 1, f"{place}: one layer with heads was expected")
        self.layer = t.layers[layers[0]]
        self.logits = Logits(answers, self.layer, t.layers[layers[0] + 1 :])
        self.vectors = [{word: self.earlier(t.layers[: layers[0]], x) for word, x in each.items()} for each in t.embedding]
        read = [dict(zip(each, t.read(self.layer, list(each.values())), strict=True)) for each in self.vectors]
        self.last = LastToken(t, self.layer.heads, read)
        self.errors: dict[tuple[int, int], int] = {}
        possible = all(set(words) <= set(each) for words, each in zip(self.digits.words, t.embedding, strict=True))
        demand(possible, f"{place}: a word has no vector")

    def earlier(self, layers: list[Layer], x: Vector) -> Vector:
        for layer in layers:
            x = self.t.after(layer, x, [])
        return x

    def check(self, step: int, parts: dict[str, At]) -> None:
        """Every group at a step, if all earlier outputs are right."""
        words = self.digits.words[: self.prompt + step]
        queries = words[-1]
        demand(step > 0 or isinstance(self.t.layout[-1], int), f"{self.place}: the input ends with a digit")
        given: dict[int, list[Copied | Summed]] = {query: [] for query in queries}
        for h, each in enumerate(parts["heads"].items(len(self.layer.heads))):
            tokens = each.items(len(queries)) if each.data != [] else []
            for k, query in enumerate(queries):
                token = tokens[k].integer(0, len(words) - 1) if tokens else None
                given[query].append(self.last.given(h, words, query, token))
        copied = {head.token for heads in given.values() for head in heads if isinstance(head, Copied)}
        watched = list(self.digits.watched(step, copied))
        groups = {query: self.digits.groups(step, query, given[query], watched) for query in queries}
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
                    cases.setdefault((query, total, *self.logits.combined(boxes).values()), [boxes])
        for (query, total, *_), alike in cases.items():
            x, right = self.vectors[len(words) - 1][query], total % self.digits.base
            where = f"{self.place}, step {step + 1}: query {query}, carry and digits {total}"
            if len(alike) > 1 and self.logits.certain(x, right, reduce(hull, alike)):
                continue
            for boxes in alike:
                demand(self.logits.decided(x, right, boxes), f"{where}: {right} is not certainly chosen")

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
                word = self.digits.word(head.token, step, query, key, watched)
                found.append([(x, x) for x in head.values[word]])
                continue
            found.append([])
            for products in head.products:
                if (query, sums) not in self.errors:
                    self.errors[query, sums] = self.rounding_of_sum(products)
                box = self.sum_box(exact[2 * sums], -exact[2 * sums + 1], self.errors[query, sums])
                low, high = ends[sums]
                demand(-INF < low <= box[0] and box[1] <= high < INF, f"{self.place}, step {step + 1}: a sum may be beyond its box")
                found[-1].append((low, high) if head.divisor is None else self.logits.boxes.divide((low, high), head.divisor))
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
            rounding = (1 << self.t.floats.wide.shift(total + size, 1)) // 2 if size and total else 0
            total, error = total + size + rounding, error + rounding
            demand(total <= 2 * self.t.floats.wide.largest, f"{self.place}: a sum may be beyond the format")
        return error
