"""The verdict of induction on a decoding network. The network is right on every input, or has a wrong input, perhaps the smallest.

The smallest is found by induction on classes of inputs with the same first symbols.

**Fixed digits.** If sums depend mainly on a few columns, every choice of the digits of these columns is tried, with boxes for the others.
At a step
of :mod:`induction`, the columns are chosen whose tokens change a head's sum most. For each choice of their digits the products of their
tokens are numbers, and those of other tokens have two ends; the sums of the ends, rounded as in the network, enclose the rounded sum,
because rounding is monotone. The carry into a run of chosen columns takes each value that an input may give. The rest is judged on boxes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np

from verifier.arithmetic.floats import Array, Box
from verifier.arithmetic.semantics import Arithmetic
from verifier.running.errors import LimitError
from verifier.running.limits import Advance, silent
from verifier.transformers.answers import wrong_by_arrays
from verifier.transformers.induction import Cases, Copied, Induction, Known, Summed
from verifier.transformers.inputs import Strings
from verifier.transformers.logit_boxes import same
from verifier.transformers.network import Network
from verifier.transformers.outputs import Answer

MOST_TRIED = 32
"""The number of groups of a step whose smallest inputs are tried if boxes leave them open."""


@dataclass(frozen=True)
class Decided:
    """wrong: a wrong input and its answer, or None if every input is right. smallest: whether no smaller input is wrong."""

    wrong: tuple[Strings, Answer] | None
    smallest: bool = True
    groups: int = 0


def decide(
    network: Network, arithmetic: Arithmetic, advance: Advance = silent, fixed: Mapping[tuple[str, int], int] | None = None
) -> Decided:
    """Decide every input of a decoding network, by induction over its outputs; with ``fixed`` digits, every input that has them.

    A wrong group contains only wrong inputs: if an earlier output is wrong, the answer is already wrong. If no group is left open,
    the smallest of the smallest inputs of wrong groups is the smallest wrong input.

    Raises:
        LimitError: some groups stay open, and no wrong input was found among them.
    """
    induction = Induction(network, arithmetic, fixed)
    wrong: list[Strings] = []
    tried: list[Strings] = []
    open_groups = groups = 0
    for step in range(induction.steps):
        advance(f"output {step + 1} of {induction.steps}", step, induction.steps)
        cases, verdict = induction.judge(step)
        groups += len(verdict)
        wrong += [_strings(induction, row) for row in _first(cases, np.flatnonzero(verdict < 0))]
        left = np.flatnonzero(verdict == 0)
        open_groups += len(left)
        tried += [_strings(induction, numbers) for numbers in cases.last.smallest[left[:MOST_TRIED]]]
    order = list(network.input.lengths)
    candidates = sorted({tuple(each[name] for name in order): each for each in (*wrong, *tried)}.items())
    for start in range(0, len(candidates), 1024):
        found = wrong_by_arrays(network, arithmetic, [each for _, each in candidates[start : start + 1024]])
        if found:
            return Decided(found[0], not open_groups, groups)
    if wrong:
        raise AssertionError("a group counted as wrong has a right input")
    if open_groups:
        raise LimitError(f"{open_groups:,} of {groups:,} groups of inputs are left open", "another arithmetic")
    return Decided(None, groups=groups)


def _first(cases: Cases, rows: np.ndarray) -> list[np.ndarray]:
    """The smallest input of these groups."""
    smallest = cases.last.smallest[rows]
    return [smallest[np.lexsort(tuple(reversed(smallest.T)))[0]]] if len(rows) else []


def _strings(induction: Induction, numbers: np.ndarray) -> Strings:
    """Strings from the numbers that they spell."""
    base, width = induction.sum.base, induction.width
    names = induction.sum.strings
    return {
        name: tuple(int(x) // base ** (width - 1 - k) % base for k in range(width)) for name, x in zip(names, numbers.tolist(), strict=True)
    }


MOST_CHOICES = 1 << 15


def right_by_columns(induction: Induction) -> bool:
    """Whether every output is proved right, for all inputs with the fixed digits. False means nothing."""
    try:
        with np.errstate(all="ignore"):
            return all(_Step(induction, step).right() for step in range(induction.steps))
    except LimitError:
        return False


class _Step:
    def __init__(self, induction: Induction, step: int) -> None:
        self.induction, self.digits, self.step = induction, induction.digits, step
        self.choices, self.queries = self.digits.choices(step), self.digits.queries(step)
        self.given = [induction.keys.given(h, self.choices, self.queries) for h in range(len(induction.layer.heads))]

    def _column(self, j: int) -> int | None:
        """The column of a token; None for special tokens."""
        key = self.digits.key(j)
        return None if key is None else key[1]

    def right(self) -> bool:
        """Whether the right symbol is chosen for all inputs."""
        table = self._table(self._chosen())
        query, right = table["right", self.step - 1], table["right", self.step]
        row = np.zeros(len(right), np.int64) if self.step == 0 else query
        word = np.asarray(self.queries)[row]
        boxes: dict[tuple[int, str], Box] = {}
        for h, given in enumerate(self.given):
            if isinstance(given, Copied):
                symbols = self.digits.symbols(given.token, self.step, row, table)
                boxes |= {(h, name): same(values[row, symbols]) for name, values in given.values.items()}
            else:
                boxes |= {(h, name): self._sum(given, name, row, table) for name in given.low}
        place = self.digits.prompt + self.step - 1
        return bool((self.induction.logits.decided(place, word, right, boxes) == 1).all())

    def _chosen(self) -> list[int]:
        """Columns, beginning with those that must be known, as many as keep the number of choices of digits small."""
        induction, width = self.induction, self.induction.width
        known = {self.step, self.step - 1} - {-1}
        for given in self.given:
            if isinstance(given, Copied):
                known |= {c for c in map(self._column, given.token.tolist()) if c is not None}
        moves = np.zeros(width + 1)
        for j in range(len(self.choices) - (self.step > 0)):
            if (column := self._column(j)) is not None:
                moves[column] = max(moves[column], self._moved(j))
        order = sorted(known) + [c for c in np.argsort(-moves, kind="stable").tolist() if c not in known and moves[c] > 0]
        chosen, count = list[int](), 2
        for column in order:
            count *= len(induction.digits.every(column))
            if count > MOST_CHOICES:
                if column in known:
                    raise LimitError("the columns have too many choices of digits", "more fixed digits")
                break
            chosen.append(column)
        return sorted(chosen)

    def _moved(self, j: int) -> float:
        """A bound on a token's change of a head's sum, before rounding."""
        summed = [given for given in self.given if isinstance(given, Summed)]
        ends = [(given.low[name][:, self.choices[j], j], given.high[name][:, self.choices[j], j]) for given in summed for name in given.low]
        return max((float((high.max(axis=1) - low.min(axis=1)).max()) for low, high in ends), default=0.0)

    def _table(self, chosen: list[int]) -> dict[tuple[str, int], Array]:
        """Map each choice to the digits of these columns and the right outputs, by (string or "right", column)."""
        induction = self.induction
        carries = self._carries()
        rows: list[tuple[dict[tuple[str, int], int], int]] = [({}, 0)]
        for k, column in enumerate(chosen):
            grown = []
            digits = induction.digits.every(column)
            for known, carry in rows:
                for into in carries[column] if k == 0 or chosen[k - 1] != column - 1 else (carry,):
                    output, after = (x.tolist() for x in induction.sum.column(np.full(len(digits), into), digits))
                    for choice, symbol, following in zip(digits.tolist(), output, after, strict=True):
                        here = {(name, column): digit for name, digit in zip(induction.sum.strings, choice, strict=True)}
                        grown.append(({**known, **here, ("right", column): symbol}, following))
            rows = grown
        table = {key: np.array([known[key] for known, _ in rows]) for key in rows[0][0]}
        return {**table, ("right", -1): np.zeros(len(rows), np.int64)}

    def _carries(self) -> list[list[int]]:
        """The carries that inputs may have into each column."""
        induction = self.induction
        found = [[induction.sum.first]]
        for column in range(self.step):
            after = {
                int(c)
                for into, digits in product(found[-1], [induction.digits.every(column)])
                for c in induction.sum.column(np.full(len(digits), into), digits)[1]
            }
            found.append(sorted(after))
        return found + [list(range(sum(induction.sum.coefficients.values()) + 1))] * (induction.width + 1)

    def _sum(self, given: Summed, name: str, row: Array, table: Known) -> Box:
        """The two ends of a head's rounded sum, divided if that remains to be done."""
        arrays, ends = self.induction.arrays, []
        for end, extreme in ((given.low[name], np.min), (given.high[name], np.max)):
            terms = []
            for j, words in enumerate(self.choices):
                known = j == len(self.choices) - 1 or self.digits.key(j) in (None, *table)
                term = end[row, self.digits.words(j, self.step, row, table), j] if known else extreme(end[:, words, j], axis=1)[row]
                terms.append(term[:, None])
            ends.append(arrays.sum_of_terms(terms))
        return self.induction.divided((ends[0], ends[1]), given, row, len(self.queries))


FEW = 1000
"""Inputs of a class that are tried one by one."""
MOST_CLASSES = 40

Found = tuple[Strings, Answer]


def smallest_wrong(network: Network, arithmetic: Arithmetic, wrong: Strings, advance: Advance = silent) -> Found:
    """The first wrong input in lexicographic order.

    wrong: a wrong input; classes that contain it are cut by their next symbol at once. Induction decides the other classes. Right ones are
    skipped, and open ones are cut.

    Raises:
        LimitError: more than 40 classes.
    """
    found = _Search(network, arithmetic, wrong, advance).first(())
    assert found is not None, "an input that was wrong is right"
    return found


class _Search:
    def __init__(self, network: Network, arithmetic: Arithmetic, wrong: Strings, advance: Advance) -> None:
        self.network, self.arithmetic, self.advance = network, arithmetic, advance
        self.places = [(name, k) for name, length in network.input.lengths.items() for k in range(length)]
        self.base = len(network.input.letters)
        self.known = tuple(wrong[name][k] for name, k in self.places)
        self.classes = 0

    def first(self, prefix: tuple[int, ...]) -> Found | None:
        """The first wrong input that begins with these symbols."""
        size = self.base ** (len(self.places) - len(prefix))
        if size <= FEW:
            number = 0
            for symbol in prefix:
                number = number * self.base + symbol
            inputs = [self.network.input.nth(number * size + k) for k in range(size)]
            return next(iter(wrong_by_arrays(self.network, self.arithmetic, inputs)), None)
        if prefix != self.known[: len(prefix)]:
            decided = self._decided(prefix)
            if decided is not None and (decided.wrong is None or decided.smallest):
                return decided.wrong
        for symbol in range(self.base):
            found = self.first((*prefix, symbol))
            if found is not None:
                return found
        return None

    def _decided(self, prefix: tuple[int, ...]) -> Decided | None:
        """The result of induction on the inputs that begin with these symbols, None if it leaves them open."""
        self.classes += 1
        if self.classes > MOST_CLASSES:
            raise LimitError(f"the search needs more than {MOST_CLASSES} classes of inputs", "another arithmetic")
        self.advance(f"{self.network.file.id} {self.arithmetic}, inputs that begin with {''.join(map(str, prefix))}", 0, 0)
        lengths = self.network.input.lengths
        fixed = {(name, lengths[name] - 1 - k): symbol for (name, k), symbol in zip(self.places, prefix, strict=False)}
        try:
            return decide(self.network, self.arithmetic, fixed=fixed)
        except LimitError:
            return Decided(None) if right_by_columns(Induction(self.network, self.arithmetic, fixed)) else None
