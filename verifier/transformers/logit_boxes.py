"""Decide which symbol a decoding network chooses, for boxes of its heads' results at the last token.

What follows at the last token is computed on these boxes (:mod:`boxes`), which are halved until the largest logit is certain.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from verifier.transformers.arrays import Arrays
from verifier.transformers.boxes import BoxColumns, Boxes
from verifier.transformers.carriers import Array, Box
from verifier.transformers.hinges import difference
from verifier.transformers.layers import Layer

MOST_BOXES = 1 << 15
MOST_COMPARED = 1 << 17
"""Boxes of a step, over all halvings; what is left then stays open."""
DEEPEST = 80


class LogitBoxes:
    """The last token from the layer with heads on. ``place`` is its index in the tokens.

    columns: the coordinates that each word has before that layer, of the shape (word, token). layer: the one with heads. after: the
    layers behind it.
    """

    def __init__(self, arrays: Arrays, columns: dict[str, Array], layer: Layer, after: Sequence[Layer]) -> None:
        self.arrays, self.network, self.boxes = arrays, arrays.network, Boxes(arrays)
        self.columns, self.layer, self.after = columns, layer, after

    def decided(self, place: int, query: Array, right: Array, given: dict[tuple[int, str], Box]) -> Array:
        """1 where the right symbol is chosen in all of a box, −1 where it is nowhere, 0 where neither is shown."""
        found = self._compared(place, query, right, given)
        verdict, owner = found.copy(), np.flatnonzero(found == 0)
        given = {key: (low[owner], high[owner]) for key, (low, high) in given.items()}
        verdict[owner] = 1
        compared = 0
        for _ in range(DEEPEST):
            if not len(owner):
                return verdict
            given, owner = self._halved(given, owner)
            compared += len(owner)
            if len(owner) > MOST_BOXES or compared > MOST_COMPARED:
                break
            found = self._compared(place, query[owner], right[owner], given)
            points = np.all([low[:, 0] == high[:, 0] for low, high in given.values()], axis=0)
            verdict[owner[(found < 0) | ((found == 0) & points)]] = 0
            keep = (found == 0) & (verdict[owner] == 1)
            given, owner = {key: (low[keep], high[keep]) for key, (low, high) in given.items()}, owner[keep]
        verdict[owner] = 0
        return verdict

    def _halved(self, given: dict[tuple[int, str], Box], owner: Array) -> tuple[dict[tuple[int, str], Box], Array]:
        """Each box in two, along the coordinate that is widest for its size; a box of two neighbouring values in these values."""
        names = list(given)
        width = np.stack([(given[key][1] - given[key][0])[:, 0] for key in names], axis=1)
        scale = np.stack([np.maximum(np.abs(given[key][0]), np.abs(given[key][1]))[:, 0] for key in names], axis=1) + 1e-300
        widest = np.argmax(np.where(width > 0, width / scale, -1), axis=1)
        made: dict[tuple[int, str], Box] = {}
        for k, key in enumerate(names):
            low, high = given[key]
            middle = self.arrays.carrier.rounded((low / 2 + high / 2).astype(low.dtype))
            middle = np.clip(middle, low, high)
            here = (widest == k)[:, None]
            neighbours = (middle <= low) | (middle >= high)
            top = np.where(here, np.where(neighbours, low, middle), high)
            bottom = np.where(here, np.where(neighbours, high, middle), low)
            made[key] = (np.concatenate([low, bottom]), np.concatenate([top, high]))
        return made, np.concatenate([owner, owner])

    def _compared(self, place: int, query: Array, right: Array, given: dict[tuple[int, str], Box]) -> Array:
        """1 where the right symbol's logit is certainly chosen, −1 where another one is, else 0."""
        columns = self.last(place, query, given)
        logits = [self.boxes.applied(form, columns) for form in self.network.logits]
        low, high = (np.concatenate([np.broadcast_to(x[end], (len(query), 1)) for x in logits], axis=1) for end in (0, 1))
        symbols = np.arange(low.shape[1])[None]
        rows = np.arange(len(query))
        finite = ~(np.isnan(low) | np.isnan(high)).any(axis=1)
        first = symbols < right[:, None]
        least, most = low[rows, right][:, None], high[rows, right][:, None]
        above = np.where(first, least > high, least >= high) | (symbols == right[:, None])
        above |= self._apart(right, columns, ~above.all(axis=1))
        chosen = above.all(axis=1)
        beaten = (np.where(first, low >= most, low > most) & (symbols != right[:, None])).any(axis=1)
        return np.where(~finite, 0, np.where(chosen, 1, np.where(beaten, -1, 0)))

    def _apart(self, right: Array, columns: BoxColumns, asked: Array) -> Array:
        """Whether the right symbol's logit is above another one by their difference, in the rows that are asked for."""
        found = np.zeros((len(right), len(self.network.logits)), bool)
        wide = {name: tuple(np.broadcast_to(end, (len(right), 1)) for end in box) for name, box in columns.items()}
        for symbol in np.unique(right[asked]).tolist():
            rows = np.flatnonzero(asked & (right == symbol))
            read: BoxColumns = {name: (low[rows], high[rows]) for name, (low, high) in wide.items()}
            for other, form in enumerate(self.network.logits):
                if other != symbol:
                    found[rows, other] = difference(self.boxes, self.network.logits[symbol], form, read)[0][:, 0] > 0
        return found

    def last(self, place: int, query: Array, given: dict[tuple[int, str], Box]) -> BoxColumns:
        """The coordinates of the last token at the end, for its word and what heads give."""
        boxes = self.boxes
        columns: BoxColumns = {name: same(x[query, place]) for name, x in self.columns.items()}
        constant = self.arrays.constant
        combined = {
            name: boxes.dot([(boxes.point(constant(c)), given[source]) for source, c in sources])
            for name, sources in self.layer.combine.items()
        }
        columns = boxes.added(columns, combined, self.layer.entry.residual)
        norm = self.layer.norms.get("attention")
        if norm and norm.entry.place == "after":
            columns = boxes.normed(columns, norm)
        for layer in (self.layer, *self.after):
            columns = boxes.layer(layer, columns)
        if self.network.final_norm is not None:
            columns = boxes.normed(columns, self.network.final_norm)
        return columns


def same(x: Array) -> Box:
    """The boxes that hold these values alone."""
    return x[:, None], x[:, None]
