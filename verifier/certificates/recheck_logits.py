"""Decide which symbol a network chooses, on boxes of the heads' results at the last token. A box is halved where that is open."""

from fractions import Fraction
from typing import Any

from .recheck_answers import Answers
from .recheck_boxes import Box, Boxes, Open
from .recheck_layers import Layer, Vector

DEEPEST = 60


class Logits:
    """The last token from the layer with heads, ``layer``, on; ``behind`` are the others. ``x`` is what it has before."""

    def __init__(self, answers: Answers, layer: Layer, behind: list[Layer]) -> None:
        self.answers, self.t, self.layer, self.behind = answers, answers.transformer, layer, behind
        self.boxes = Boxes(self.t)
        self.sums: dict[Any, Box] = {}  # by coordinate and boxes

    def combined(self, given: list[list[Box]]) -> dict[int, Box]:
        """What attention adds to coordinates."""
        found = {}
        for name, sources in self.layer.combine:
            asked = (name, *(given[h][v] for h, v, _ in sources))
            if asked not in self.sums:
                self.sums[asked] = self.boxes.dot([((c, c), given[h][v]) for h, v, c in sources])
            found[name] = self.sums[asked]
        return found

    def decided(self, x: Vector, right: int, given: list[list[Box]], depth: int = 0) -> bool:
        """Whether the right symbol is chosen everywhere in a box, which is halved where that is open."""
        self.t.limits.spend(16)
        if all(low == high for each in given for low, high in each):
            return self.chosen_at(x, right, [[low for low, _ in each] for each in given])
        if self.certain(x, right, given):
            return True
        if depth == DEEPEST:
            return False
        return all(self.decided(x, right, half, depth + 1) for half in self.halves(given))

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

    def chosen_at(self, x: Vector, right: int, given: list[list[int]]) -> bool:
        t = self.t
        x = t.after(self.layer, x, given)
        for layer in self.behind:
            x = t.after(layer, x, [])
        x = t.normed(x, t.final_norm[0]) if t.final_norm else x
        return self.answers.chosen(x) == right

    def certain(self, x: Vector, right: int, given: list[list[Box]]) -> bool:
        """Whether the logit of the right symbol is above every other one, everywhere in a box."""
        try:
            return self.above(x, right, given)
        except Open:
            return False

    def at_end(self, x: Vector, given: list[list[Box]]) -> list[Box]:
        """The coordinates at the end.

        Raises:
            Open: nothing is known of one.
        """
        boxes, layer = self.boxes, self.layer
        y = boxes.added([(value, value) for value in x], self.combined(given), layer.residual)
        if layer.attention_norm and not layer.attention_norm[0].before:
            y = boxes.normed(y, layer.attention_norm[0])
        for each in (layer, *self.behind):
            y = boxes.network(each, y)
        return boxes.normed(y, self.t.final_norm[0]) if self.t.final_norm else y

    def above(self, x: Vector, right: int, given: list[list[Box]]) -> bool:
        boxes, y = self.boxes, self.at_end(x, given)
        logits = self.answers.logits
        errors, low = [boxes.error(form, y) for form in logits], None
        for other, form in enumerate(logits):
            if other == right or boxes.difference(logits[right], form, y, errors[right] + errors[other])[0] > 0:
                continue
            low = boxes.applied(logits[right], y)[0] if low is None else low
            high = boxes.applied(form, y)[1]
            if low < high or (low == high and other < right):
                return False
        return True


def hull(x: list[list[Box]], y: list[list[Box]]) -> list[list[Box]]:
    """The boxes around two."""
    return [[(min(a, c), max(b, d)) for (a, b), (c, d) in zip(one, other, strict=True)] for one, other in zip(x, y, strict=True)]
