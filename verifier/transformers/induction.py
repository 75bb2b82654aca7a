"""Decoding by induction: if all earlier outputs are right, the next one is; then every output is right, on every input.

The right outputs are digits of a sum (:mod:`digit_sums`), so that a column of digits and a carry give the output and the next carry. At
step k the tokens are digits of columns, earlier outputs, which are right, and special tokens. One pass over the columns lists every state
that an input may lead to: the carry, the symbols that heads copy, and for heads that sum over tokens the extremes of their sums, by dynamic
programming over carries. What follows at the last token is computed on these boxes (:mod:`boxes`), which are halved until the largest logit
is certain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from verifier.running.errors import LimitError
from verifier.transformers import formulas
from verifier.transformers.arithmetic import Arithmetic
from verifier.transformers.arrays import Arrays
from verifier.transformers.boxes import BoxColumns, Boxes
from verifier.transformers.carriers import Array, Box
from verifier.transformers.digit_sums import DigitSum, digit_sum
from verifier.transformers.hinges import difference
from verifier.transformers.last_token import Copied, Keys, Summed
from verifier.transformers.network import Layer, Network
from verifier.transformers.token_sums import outward, rounding_of_sum

METHOD = "induction"
MOST_STATES = 1 << 20
MOST_BOXES = 1 << 15
MOST_COMPARED = 1 << 17
"""Boxes of a step, over all halvings; what is left then stays open."""
DEEPEST = 80
MOST_BITS = 60


def not_applicable(network: Network, arithmetic: Arithmetic) -> str:
    """Why induction does not apply; empty if it may."""
    file = network.file
    if file.decode is None or file.decode.until:
        return "a network that appends symbols up to a length was expected"
    if arithmetic.exact or arithmetic.rounding != "operation":
        return "operations that are rounded each were expected"
    if max(network.input.lengths.values(), default=0) * len(network.input.alphabet).bit_length() > MOST_BITS:
        return f"strings of at most {MOST_BITS} bits were expected"
    if sum(bool(layer.heads) for layer in network.layers) != 1:
        return "one layer with heads was expected"
    if file.input.promise != "none" or digit_sum(network) is None:
        return "right outputs S//B**(k - 1) % B, S a sum of the strings, B the number of symbols, without a promise were expected"
    return ""


@dataclass
class States:
    """Inputs up to a column, in groups. A row of an array is a group.

    carry: into the next column. watched: symbols, by (string or "", column). low, high: of the sums so far, of the shape (row, query, sum).
    smallest: the smallest input of a row, each string as a number. before: for each end of each sum the row and the choice of digits that
    it came from, of the shape (row, query).
    """

    carry: Array
    watched: dict[tuple[str, int], Array]
    low: Array
    high: Array
    smallest: Array
    query: Array | None = None
    before: list[tuple[Array, Array]] = field(default_factory=list)


@dataclass(frozen=True)
class Cases:
    """The groups at a step: query and right symbol of each, what heads give as boxes, by head and name.

    heads: how each head gives it; sums: the boxes of sums, before they are divided.
    """

    query: Array
    right: Array
    given: dict[tuple[int, str], Box]
    heads: list[Copied | Summed]
    sums: list[Box]
    path: list[States]
    rows: Array


class Induction:
    """A decoding network in an arithmetic, step by step.

    fixed: digits that every input has, by string and column; all inputs if it is empty.
    """

    def __init__(self, network: Network, arithmetic: Arithmetic, fixed: Mapping[tuple[str, int], int] | None = None) -> None:
        self.fixed = fixed or {}
        self.network, self.arrays = network, Arrays(network, arithmetic)
        self.boxes = Boxes(self.arrays)
        decode = network.file.decode
        assert decode is not None
        self.steps = formulas.integer(decode.steps, network.names)
        self.prompt = len(network.input.layout)
        found = digit_sum(network)
        assert found is not None
        self.sum: DigitSum = found
        self.width = next(iter(network.input.lengths.values()))
        self.words = len(network.input.words)
        self.before, self.layer, self.after = self._parts()
        length = self.prompt + self.steps - 1
        tokens = np.repeat(np.arange(self.words)[:, None], length, axis=1)
        with np.errstate(all="ignore"):
            columns = self.arrays.embedded(tokens)
            for layer in self.before:
                columns = self.arrays._layer(layer, columns, length, None)
            norm = self.layer.norms.get("attention")
            self.columns = {name: np.broadcast_to(x, tokens.shape) for name, x in columns.items()}
            read = self.arrays.normed(columns, norm) if norm and norm.entry.place == "before" else columns
            self.keys = Keys(self.arrays, self.layer.heads, read, self.words, length)

    def _parts(self) -> tuple[list[Layer], Layer, list[Layer]]:
        layers = list(self.network.layers)
        at = next(k for k, layer in enumerate(layers) if layer.heads)
        return layers[:at], layers[at], layers[at + 1 :]

    @cached_property
    def places(self) -> dict[tuple[str, int], list[int]]:
        """Where a digit stands in the input: (string, column), columns from the last symbol of a string."""
        found: dict[tuple[str, int], list[int]] = {}
        for j, entry in enumerate(self.network.input.layout):
            if not isinstance(entry, int):
                found.setdefault((entry[0], self.width - 1 - entry[1]), []).append(j)
        return found

    def choices(self, step: int) -> list[list[int]]:
        """The words that each token may be at a step, from 0."""
        layout = [
            [entry] if isinstance(entry, int) else self.symbols(entry[0], self.width - 1 - entry[1]) for entry in self.network.input.layout
        ]
        return layout + [list(range(self.sum.base))] * step

    def symbols(self, string: str, column: int) -> list[int]:
        """The digits that a string may have in a column."""
        return [self.fixed[string, column]] if (string, column) in self.fixed else list(range(self.sum.base))

    def digits(self, column: int) -> Array:
        """Every choice of the digits of a column, a row each."""
        if column >= self.width:
            return np.zeros((1, len(self.sum.strings)), np.int64)
        every = self.sum.digits
        held = [every[:, which] == self.fixed[name, column] for which, name in enumerate(self.sum.strings) if (name, column) in self.fixed]
        return every[np.logical_and.reduce(held)] if held else every

    def rest(self, columns: Iterable[int]) -> Array:
        """The fixed digits of these columns, of each string as a number."""
        return np.array([sum(self.fixed.get((name, c), 0) * self.sum.base**c for c in columns) for name in self.sum.strings], np.int64)

    def queries(self, step: int) -> list[int]:
        if step == 0 and not isinstance(self.network.input.layout[-1], int):
            raise LimitError("the input ends with a digit", "a special token at its end")
        return self.choices(step)[-1]

    def cases(self, step: int) -> Cases:
        """Every group of inputs at a step, if all earlier outputs are right."""
        choices, queries = self.choices(step), self.queries(step)
        given = [self.keys.given(h, choices, queries) for h in range(len(self.layer.heads))]
        sums = [(h, name) for h, each in enumerate(given) if isinstance(each, Summed) for name in each.low]
        tables = [(_part(given[h]).low[name], _part(given[h]).high[name]) for h, name in sums]
        copied = {j for each in given if isinstance(each, Copied) for j in each.token.tolist()}
        path = list(self._columns(step, tables, copied, len(queries)))
        last = path[-1]
        rows = np.arange(len(last.carry))
        assert last.query is not None
        found: dict[tuple[int, str], Box] = {}
        for h, each in enumerate(given):
            if isinstance(each, Copied):
                symbols = self._symbols(each.token, step, last)
                found |= {(h, name): _same(table[last.query, symbols]) for name, table in each.values.items()}
        boxes = [self._sum_box(last, s, table, choices) for s, table in enumerate(tables)]
        for box, (h, name) in zip(boxes, sums, strict=True):
            found[h, name] = self._divided(box, _part(given[h]), last)
        query = np.asarray(queries)[last.query]
        return Cases(query, last.watched["right", step], found, given, boxes, path, rows)

    def _sum_box(self, last: States, s: int, table: tuple[Array, Array], choices: list[list[int]]) -> Box:
        """The rounded sums of a head, from the extremes of the exact ones."""
        queries = len(table[0])
        errors = []
        for q in range(queries):
            largest = [max(np.abs(end[q][list(words), j]).max() for end in table) for j, words in enumerate(choices)]
            largest[-1] = max(np.abs(end[q][:, -1]).max() for end in table)
            error = float(rounding_of_sum(self.arrays, [float(x) for x in largest]))
            errors.append(error if error == 0 else float(np.nextafter(error, np.inf)))
        bound = np.array(errors)[last.query]
        low, high = last.low[:, 0, s], last.high[:, 0, s]
        wide_low, wide_high = outward(low - bound, high + bound)
        low, high = np.where(bound == 0, low, wide_low), np.where(bound == 0, high, wide_high)
        return self._settled(low), self._settled(high)

    def groups(self, step: int, cases: Cases) -> list[tuple[int, ...]]:
        """Each group: its query, the carry into the column, the sum of its digits, and the symbols that heads copy, by column."""
        last = cases.path[-1]
        order = [(name, column) for column in range(step + 1) for name in (*self.sum.strings, "right") if (name, column) != ("right", step)]
        keys = [cases.query, *(last.watched[key] for key in (("carry", step), ("sum", step), *order) if key in last.watched)]
        return list(zip(*(key.tolist() for key in keys), strict=True))

    def _divided(self, box: Box, given: Summed, last: States) -> Box:
        """The boxes of sums over the divisors of their queries."""
        if given.divisor is None:
            return box
        low, high = (np.broadcast_to(x, (len(x), 1))[last.query] for x in given.divisor)
        return self.boxes.divide(box, (low, high))

    def _settled(self, x: Array) -> Array:
        """An end of a box of sums as a value of the format: sums are rounded into it, and rounding is monotone."""
        return self.arrays.carrier.rounded(x.astype(self.arrays.carrier.dtype))[:, None]

    def _symbols(self, token: Array, step: int, last: States) -> Array:
        """The word of the token that a head copies, for each row."""
        assert last.query is not None
        layout = self.network.input.layout
        found = np.zeros(len(last.query), np.int64)
        for q, j in enumerate(token.tolist()):
            rows = last.query == q
            if j == self.prompt + step - 1:
                found[rows] = self.queries(step)[q]
            elif j >= self.prompt:
                found[rows] = last.watched["right", j - self.prompt][rows]
            else:
                entry = layout[j]
                if not isinstance(entry, int) and (entry[0], self.width - 1 - entry[1]) not in last.watched:
                    raise LimitError("a head copies a digit of a later column", "a head that copies digits of columns so far")
                found[rows] = entry if isinstance(entry, int) else last.watched[entry[0], self.width - 1 - entry[1]][rows]
        return found

    def _columns(self, step: int, tables: list[tuple[Array, Array]], copied: set[int], queries: int) -> Iterator[States]:
        """The groups after each column, those of the right output of this step at the end."""
        fixed = [j for j, entry in enumerate(self.network.input.layout) if isinstance(entry, int) and j != self.prompt + step - 1]
        low, high = (np.zeros((1, queries, len(tables))) for _ in range(2))
        for s, table in enumerate(tables):
            for j in fixed:
                word = self.network.input.layout[j]
                low[0, :, s], high[0, :, s] = _sum(low[0, :, s], high[0, :, s], *(end[:, word, j] for end in table))
            at = np.array(self.queries(step))
            own = [end[np.arange(queries), at, -1] for end in table]
            low[0, :, s], high[0, :, s] = _sum(low[0, :, s], high[0, :, s], *own)
        smallest = self.rest(range(step + 1, self.width))[None]
        state = States(np.array([self.sum.first]), {}, low, high, smallest, np.zeros(1, np.int64) if step == 0 else None)
        yield state
        free = list(range(step + 1, self.width))
        for column in range(step + 1):
            state = self._grown(state, step, column, tables, copied, free if column == step else [])
            if len(state.carry) > MOST_STATES:
                raise LimitError(f"more than {MOST_STATES:,} states", "a head that copies fewer tokens")
            yield state

    def _grown(self, state: States, step: int, column: int, tables: list[tuple[Array, Array]], copied: set[int], free: list[int]) -> States:
        """The groups after one more column."""
        digits = self.digits(column)
        rows, choices = len(state.carry), len(digits)
        right, carry = self.sum.column(state.carry[:, None], digits[None])
        low, high = (np.repeat(x[:, None], choices, axis=1) for x in (state.low, state.high))
        for s, table in enumerate(tables):
            for ends in self._added(state, step, column, table, digits, right, free):
                low[..., s], high[..., s] = _sum(low[..., s], high[..., s], *ends)
        flat = rows * choices
        low, high = low.reshape(flat, *low.shape[2:]), high.reshape(flat, *high.shape[2:])
        source, choice = np.repeat(np.arange(rows), choices), np.tile(np.arange(choices), rows)
        query = None if state.query is None else state.query[source]
        if column == step - 1:
            query = right.reshape(flat)
            low, high = (x[np.arange(flat), query][:, None] for x in (low, high))
        watched = {key: x[source] for key, x in state.watched.items()}
        for which, name in enumerate(self.sum.strings):
            if copied.intersection(self.places.get((name, column), ())):
                watched[name, column] = digits[choice, which]
        if column == step or (column < step - 1 and self.prompt + column in copied):
            watched["right", column] = right.reshape(flat)
        if column == step:
            watched["carry", column] = state.carry[source]
            watched["sum", column] = (digits @ np.array(list(self.sum.coefficients.values()), np.int64))[choice]
        smallest = state.smallest[source] + digits[choice] * self.sum.base**column if column < self.width else state.smallest[source]
        return _merged(States(carry.reshape(flat), watched, low, high, smallest, query), source, choice)

    def _added(
        self, state: States, step: int, column: int, table: tuple[Array, Array], digits: Array, right: Array, free: list[int]
    ) -> Iterator[list[Array]]:
        """The ends of what each token of a column adds to a sum, of the shape (row, choice, query), and those of free columns."""

        def by_query(x: Array) -> Array:
            return x.T[None] if state.query is None else x[state.query][:, :, None]

        for which, name in enumerate(self.sum.strings):
            for j in self.places.get((name, column), ()):
                yield [by_query(end[:, digits[:, which], j]) for end in table]
            for other in free:
                symbols = self.symbols(name, other)
                for j in self.places.get((name, other), ()):
                    yield [by_query(x[:, None]) for x in (table[0][:, symbols, j].min(axis=1), table[1][:, symbols, j].max(axis=1))]
        if column < step - 1:
            yield [np.moveaxis(end[:, right, self.prompt + column], 0, -1) for end in table]

    def judge(self, step: int) -> tuple[Cases, Array]:
        """The groups at a step, and of each whether its symbol is right (1), wrong for every value of its boxes (−1), or neither (0)."""
        with np.errstate(all="ignore"):
            cases = self.cases(step)
            ends = [np.broadcast_to(end, (len(cases.rows), 1)) for box in cases.given.values() for end in box]
            table = np.concatenate([np.stack([cases.query, cases.right], axis=1), *(end.astype(np.float64) for end in ends)], axis=1)
            _, first, inverse = np.unique(table + 0.0, axis=0, return_index=True, return_inverse=True)
            given = {key: (ends[2 * k][first], ends[2 * k + 1][first]) for k, key in enumerate(cases.given)}
            return cases, self._decided(step, cases.query[first], cases.right[first], given)[inverse.reshape(-1)]

    def _decided(self, step: int, query: Array, right: Array, given: dict[tuple[int, str], Box]) -> Array:
        """1 where the right symbol is chosen in all of a box, −1 where it is nowhere, 0 where neither is shown."""
        found = self._compared(step, query, right, given)
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
            found = self._compared(step, query[owner], right[owner], given)
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

    def _compared(self, step: int, query: Array, right: Array, given: dict[tuple[int, str], Box]) -> Array:
        """1 where the right symbol's logit is certainly chosen, −1 where another one is, else 0."""
        columns = self.last(step, query, given)
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

    def last(self, step: int, query: Array, given: dict[tuple[int, str], Box]) -> BoxColumns:
        """The coordinates of the last token at the end, for its word and what heads give."""
        boxes, place = self.boxes, self.prompt + step - 1
        columns: BoxColumns = {name: _same(x[query, place]) for name, x in self.columns.items()}
        constant = self.arrays._constant
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


def _part(given: Copied | Summed) -> Summed:
    assert isinstance(given, Summed)
    return given


def _same(x: Array) -> Box:
    return x[:, None], x[:, None]


def _sum(low: Array, high: Array, more: Array, most: Array) -> tuple[Array, Array]:
    """The ends of a sum, in float64, moved outwards where something is added."""
    wide = outward(low + more, high + most)
    return np.where(more == 0, low, wide[0]), np.where(most == 0, high, wide[1])


def _merged(state: States, source: Array, choice: Array) -> States:
    """Groups with the same carry, query and watched symbols as one."""
    keys = [state.carry, *([] if state.query is None else [state.query]), *state.watched.values()]
    if len(keys) > 10:
        raise LimitError("heads that copy more than eight symbols", "a head that copies fewer tokens")
    packed = np.zeros(len(state.carry), np.int64)
    for key in keys:
        packed = packed * 64 + key
    _, inverse = np.unique(packed, return_inverse=True)
    order = np.lexsort((*reversed(state.smallest.T), inverse))
    starts = np.flatnonzero(np.diff(inverse[order], prepend=-1))
    first = order[starts]
    low, high = np.minimum.reduceat(state.low[order], starts), np.maximum.reduceat(state.high[order], starts)
    before = []
    for s in range(state.low.shape[2]):
        for values, extreme in ((state.low, low), (state.high, high)):
            chosen = np.zeros((len(first), state.low.shape[1]), np.int64)
            row, query = np.nonzero(values[:, :, s] == extreme[inverse, :, s])
            chosen[inverse[row], query] = row
            before.append((source[chosen], choice[chosen]))
    before = before or [(source[first][:, None], choice[first][:, None])]
    watched = {key: x[first] for key, x in state.watched.items()}
    last = None if state.query is None else state.query[first]
    return States(state.carry[first], watched, low, high, state.smallest[first], last, before)
