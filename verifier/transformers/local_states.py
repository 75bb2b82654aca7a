"""One-hot attention. A token depends on few symbols of the input, so that a few cases decide any number of inputs.

A *case* of a token is a vector and the symbols that lead to it; the cases of a token part all inputs. At a layer, for a head and a case,
every other token has a least and a largest score over its cases that agree with this one. Let t be the largest of the least scores. A
token whose largest score is s weighs exactly nothing if e^(s − t), as the format rounds it, is 0; for hard attention if s < t. The head
*reads* the other tokens. The case is divided by their cases, and the head is computed on each part. A head that reads one token cuts a case
into the cases of both tokens. Rounding, exp and division are monotone, so that nothing of this depends on the order of sums.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from verifier.arithmetic.numbers import ZERO, Special
from verifier.arithmetic.semantics import Arithmetic
from verifier.language.string_use import use_of_string
from verifier.running.errors import LimitError
from verifier.transformers.contexts import Value, context
from verifier.transformers.evaluate import (
    Vector,
    after,
    applied,
    attended,
    embedded,
    keyed,
    normed,
    queried,
    read_by_heads,
    scaled,
    score,
    valued,
)
from verifier.transformers.inputs import Strings
from verifier.transformers.network import Head, Layer, Network
from verifier.transformers.outputs import Answer, accepted, argmax, expected, place, written
from verifier.transformers.records import SOFTMAX

METHOD = "one-hot attention"
MOST_CASES = 1 << 6
"""Cases of one token."""
MOST_SCORES = 1 << 17
"""Scores that are computed or read, in all."""

Keys = Sequence[Sequence[tuple[list[Value], Vector]]]
"""The key and the values of a head, for each token and case."""
Symbols = Mapping[tuple[str, int], int]
"""Symbols of the input that are known, by string and by place from 0."""


@dataclass(frozen=True)
class Case:
    """A vector of a token, and the symbols that lead to it."""

    known: Symbols
    vector: Vector

    def agrees(self, known: Symbols) -> bool:
        """Whether an input may have both."""
        return all(known.get(where, symbol) == symbol for where, symbol in self.known.items())


@dataclass(frozen=True)
class Told:
    """The input of a head from one token: for each case the score (None where the mask hides the token) and the values."""

    cases: Sequence[Case]
    scores: list[Value | None]
    values: list[Vector]


def not_applicable(network: Network) -> str:
    """Why cases are not made, or empty if they may be."""
    if network.file.decode is not None:
        return "an answer at one token was expected"
    return "" if network.file.input.promise == "none" else "a network without a promise was expected"


def _asked(network: Network) -> list[tuple[str, int]]:
    """The symbols that the right answer reads: all of a string that it does not read by single ones."""
    entry, asked = network.file.accept or network.file.choose, list[tuple[str, int]]()
    assert entry is not None
    for name, length in network.input.lengths.items():
        use = use_of_string(entry.function, name, network.names)
        alone = use is not None and not use.ones and all(1 <= bit <= length for bit in use.bits)
        asked += [(name, bit - 1) for bit in (use.bits if use and alone else range(1, length + 1))]
    return asked


class LocalStates:
    """The cases of the token that is asked for."""

    def __init__(self, network: Network, arithmetic: Arithmetic, most: int = MOST_CASES) -> None:
        self.network, self.context, self.most = network, context(arithmetic), most
        self.layout, self.scores = network.input.layout, 0
        entry = network.file.accept or network.file.choose
        assert entry is not None
        self.at = place(network, entry.at, len(self.layout))

    def layers(self) -> Iterator[list[list[Case]]]:
        """The cases of every token in the embedding and after each layer; after the last one with heads, of one token alone.

        Raises:
            LimitError: more than 64 cases of a token by default, or a score that is not a number.
        """
        cases = [list(self._first(j)) for j in range(len(self.layout))]
        yield cases
        last = max((k for k, layer in enumerate(self.network.layers) if layer.heads), default=-1)
        for k, layer in enumerate(self.network.layers):
            places = range(len(cases)) if k < last else range(self.at, self.at + 1)
            keys = [[self._keys(layer, head, j, each) for j, each in enumerate(cases)] for head in layer.heads]
            cases = [list(self._after(layer, i, each, cases, keys)) if i in places else [] for i, each in enumerate(cases)]
            if any(len(each) > self.most for each in cases):
                raise LimitError(f"a token has more than {self.most:,} cases", "heads that read fewer tokens")
            yield cases

    def _first(self, j: int) -> Iterator[Case]:
        entry = self.layout[j]
        if isinstance(entry, int):
            yield Case({}, embedded(self.network, entry, j, self.context))
            return
        for symbol in range(len(self.network.input.letters)):
            yield Case({entry: symbol}, embedded(self.network, symbol, j, self.context))

    def _keys(self, layer: Layer, head: Head, j: int, cases: Sequence[Case]) -> list[tuple[list[Value], Vector]]:
        """The key and the values of a token, in each case."""
        read = [read_by_heads(layer, case.vector, self.context) for case in cases]
        return [(keyed(self.network, head, j, x, self.context), valued(head, x, self.context)) for x in read]

    def _after(
        self, layer: Layer, i: int, cases: Sequence[Case], all_cases: Sequence[Sequence[Case]], keys: Sequence[Keys]
    ) -> Iterator[Case]:
        """The cases of a token after a layer."""
        for case in cases:
            x = read_by_heads(layer, case.vector, self.context)
            told = [self._told(head, i, x, case, all_cases, each) for head, each in zip(layer.heads, keys, strict=True)]
            reads = [self._reads(head, each) for head, each in zip(layer.heads, told, strict=True)]
            for known, chosen in self._parts(case, sorted({j for each in reads for j in each}), all_cases):
                self._count(4 * len(all_cases) * len(layer.heads))
                given = [self._given(*each, chosen) for each in zip(layer.heads, told, reads, strict=True)]
                yield Case(known, after(layer, case.vector, given, self.context)[2])

    def _count(self, scores: int) -> None:
        self.scores += scores
        if self.scores > MOST_SCORES:
            raise LimitError(f"a head has more than {MOST_SCORES:,} scores", "a smaller length")

    def _parts(self, case: Case, places: Sequence[int], cases: Sequence[Sequence[Case]]) -> list[tuple[Symbols, dict[int, Case]]]:
        """A case, cut by the cases of tokens at some places: the symbols of each part, and the case of each of these tokens."""
        parts: list[tuple[Symbols, dict[int, Case]]] = [(case.known, {})]
        for j in places:
            parts = [
                ({**known, **other.known}, {**chosen, j: other}) for known, chosen in parts for other in cases[j] if other.agrees(known)
            ]
            if len(parts) > self.most:
                raise LimitError(f"a token has more than {self.most:,} cases", "heads that read fewer tokens")
        return parts

    def _told(self, head: Head, i: int, x: Vector, case: Case, cases: Sequence[Sequence[Case]], keys: Keys) -> list[Told]:
        """The scores and values of every token at position i, for the cases that are possible together with the given one."""
        query = scaled(head, queried(self.network, head, i, x, self.context), self.context)
        told = []
        for j, each in enumerate(cases):
            agreeing = [k for k, other in enumerate(each) if other.agrees(case.known)]
            self._count(len(agreeing))
            scores = [score(self.network, head, i, j, query, keys[j][k][0], self.context) for k in agreeing]
            if any(isinstance(s, Special) for s in scores):
                raise LimitError("a score is not a number", "another arithmetic")
            told.append(Told([each[k] for k in agreeing], scores, [keys[j][k][1] for k in agreeing]))
        return told

    def _reads(self, head: Head, told: Sequence[Told]) -> list[int]:
        """The tokens that may have a weight."""
        seen = [j for j, each in enumerate(told) if each.scores[0] is not None]
        if not seen:
            return []
        least, most = ({j: self._end(told[j].scores, end) for j in seen} for end in (-1, 1))
        if head.entry.kind == "linear":
            reads = [j for j in seen if any(s != ZERO for s in told[j].scores)]
        elif head.entry.kind in SOFTMAX:
            floor = self._end([*least.values(), *([ZERO] if head.entry.kind == "softmax-plus-one" else [])], 1)
            reads = [j for j in seen if not self._weightless(most[j], floor)]
        else:
            reads = [j for j in seen if not any(self._beaten(head.entry.kind, j, most[j], t, least[t]) for t in seen if t != j)]
        mixed = head.entry.kind == "linear" or head.entry.kind in SOFTMAX
        if mixed and any(isinstance(x, Special) for j in seen if j not in reads for each in told[j].values for x in each.values()):
            raise LimitError("0 times a value that is not a number", "another arithmetic")
        return reads

    def _end(self, scores: Sequence[Value | None], sign: int) -> Value:
        """The least or the largest."""
        found, *others = scores
        for x in others:
            found = x if (self.context.less(found, x) if sign > 0 else self.context.less(x, found)) else found
        return found

    def _weightless(self, most: Value, floor: Value) -> bool:
        """Whether e^score is rounded to 0 if the largest score is at least ``floor``."""
        context = self.context
        if context.arithmetic.exact:
            return False
        if context.arithmetic.maximum == "kept":
            return bool(context.exp(most) == ZERO)
        difference = context.subtract(most, floor)
        return bool(context.less(difference, ZERO) and context.exp(difference) == ZERO)

    def _beaten(self, kind: str, j: int, most: Value, t: int, least: Value) -> bool:
        """Whether hard attention never takes token j, since token t has a larger score, or the same and goes first."""
        if self.context.less(most, least):
            return True
        first = t < j if kind == "leftmost" else t > j if kind == "rightmost" else False
        return first and not self.context.less(least, most)

    def _given(self, head: Head, told: Sequence[Told], reads: Sequence[int], chosen: Mapping[int, Case]) -> Vector:
        """A head's output for a part. A token that the part does not read has its largest score, with weight 0, and the values 0."""
        scores, values = list[Value | None](), list[Vector]()
        nothing: Vector = dict.fromkeys(head.value, ZERO)
        for j, each in enumerate(told):
            if j in reads:
                k = next(k for k, case in enumerate(each.cases) if case is chosen[j])
                scores.append(each.scores[k])
                values.append(each.values[k])
            else:
                scores.append(None if each.scores[0] is None else self._end(each.scores, 1))
                values.append(nothing)
        return attended(head, scores, values, self.context)[1]

    def answers(self) -> Iterator[tuple[Strings, Answer]]:
        """Every case of the answer, split by the symbols on which the right answer depends, with its smallest input and its answer.

        Raises:
            LimitError: as :meth:`layers`.
        """
        *_, cases = self.layers()
        asked, letters = _asked(self.network), range(len(self.network.input.letters))
        for case in cases[self.at]:
            x = case.vector
            found = self._found(normed(x, self.network.final_norm, self.context) if self.network.final_norm else x)
            open_ = [where for where in asked if where not in case.known]
            if len(letters) ** len(open_) > MOST_CASES:
                raise LimitError(f"the right answer reads {len(open_)} more symbols", "a right answer that reads fewer")
            for symbols in product(letters, repeat=len(open_)):
                known = {**case.known, **dict(zip(open_, symbols, strict=True))}
                strings = {
                    name: tuple(known.get((name, k), 0) for k in range(length)) for name, length in self.network.input.lengths.items()
                }
                yield strings, Answer(expected(self.network, strings), *found)

    def _found(self, x: Vector) -> tuple[str, str]:
        if self.network.file.accept is not None:
            return accepted(self.network, x)
        logits = [applied(form, x, self.context) for form in self.network.logits]
        chosen = argmax(logits, self.context)
        return "nan" if chosen is None else self.network.input.alphabet[chosen], ", ".join(map(written, logits))


def smallest_wrong(network: Network, arithmetic: Arithmetic, most: int = MOST_CASES) -> tuple[Strings, Answer] | None:
    """The first wrong input, in lexicographic order: the smallest of the smallest inputs of wrong cases. most: cases of one token.

    Raises:
        LimitError: the cases are too many, or a score is not a number.
    """
    wrong = ((strings, answer) for strings, answer in LocalStates(network, arithmetic, most).answers() if not answer.right)
    return min(wrong, key=lambda each: tuple(each[0].values()), default=None)
