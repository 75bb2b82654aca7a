"""The input of a network: strings over an alphabet, laid out as tokens with special tokens between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice, product
from typing import Any, TypeAlias

import numpy as np

from verifier.running.errors import InputError, LimitError, amount, misplaced, placed
from verifier.running.identifiers import meant
from verifier.transformers import formulas, records

Strings: TypeAlias = dict[str, tuple[int, ...]]
"""An input: for each string its symbols."""
MOST_SYMBOLS = 1 << 12
MOST_TOKENS = 1 << 16
BEHIND = 10
"""Symbols at the end of an input that are counted through at once, so that any part of all inputs begins soon."""


@dataclass(frozen=True)
class InputShape:
    """The inputs at given parameters.

    lengths: of the strings.
    words:   the number of each symbol and special token; symbols come first.
    layout:  the tokens: a number, or a string with the place of its symbol, from 0.
    letters: the symbols of the strings; the other symbols are only appended.
    """

    alphabet: tuple[str, ...]
    lengths: Mapping[str, int]
    words: Mapping[str, int]
    layout: tuple[int | tuple[str, int], ...]
    letters: tuple[str, ...]

    @classmethod
    def of(cls, entry: records.Input, names: Mapping[str, Any]) -> InputShape:
        """The inputs that a file describes.

        Raises:
            FileDefects: the mistake of a field.
        """
        if len(entry.alphabet) < 2 or len(set(entry.alphabet)) < len(entry.alphabet):
            raise misplaced("two or more symbols, no two alike, were expected", "input", "alphabet")
        if len(entry.alphabet) > MOST_SYMBOLS:
            raise misplaced(f"{len(entry.alphabet):,} symbols; at most {MOST_SYMBOLS:,} were expected", "input", "alphabet")
        letters = len(entry.alphabet) if entry.letters is None else entry.letters
        if not 2 <= letters <= len(entry.alphabet):
            raise misplaced(f"{letters}; 2 to {len(entry.alphabet)}, the symbols of the alphabet, were expected", "input", "letters")
        lengths: dict[str, int] = {}
        for name, text in entry.strings.items():
            with placed(f"input.strings.{name}", ("input", "strings", name)):
                length = lengths[name] = formulas.integer(text, names)
            if length < 0:
                raise misplaced(f"the length of {name} is {length}", "input", "strings", name)
            if length > MOST_TOKENS:
                raise LimitError(f"input.strings: {name} has {amount(length)} symbols, more than {MOST_TOKENS:,}", "a smaller length")
        words = {symbol: k for k, symbol in enumerate(entry.alphabet)}
        layout: list[int | tuple[str, int]] = []
        for text in entry.tokens:
            piece = formulas.piece(text)
            if piece.word not in lengths:
                if piece.ends is not None:
                    hint = meant(piece.word, lengths, f"the strings are {', '.join(lengths)}")
                    raise misplaced(f"{text!r} names no string; {hint}", "input", "tokens")
                layout.append(words.setdefault(piece.word, len(words)))
                continue
            with placed(f"input.tokens: {text!r}", ("input", "tokens")):
                first, last = (formulas.integer(end, names) for end in piece.ends) if piece.ends else (1, lengths[piece.word])
            if not 1 <= first <= last + 1 <= lengths[piece.word] + 1:
                asked = f"{text!r} is {first} to {last}"
                raise misplaced(f"{asked}; {piece.word} has symbols 1 to {lengths[piece.word]}", "input", "tokens")
            part = [(piece.word, k) for k in range(first - 1, last)]
            layout += reversed(part) if piece.backwards else part
            if len(layout) > MOST_TOKENS:
                raise LimitError(f"input.tokens: more than {MOST_TOKENS:,} tokens", "a smaller length")
        return cls(tuple(entry.alphabet), lengths, words, tuple(layout), tuple(entry.alphabet[:letters]))

    @property
    def count(self) -> int:
        """The number of inputs, whether they keep the promise or not."""
        symbols: int = len(self.letters) ** sum(self.lengths.values())
        return symbols

    def every(self) -> Iterator[Strings]:
        """Every input, in lexicographic order."""
        return self.between(0, self.count)

    def between(self, first: int, last: int) -> Iterator[Strings]:
        """The inputs with these numbers, from 0, without the last; one at a time."""
        symbols, total = range(len(self.letters)), sum(self.lengths.values())
        behind = min(total, BEHIND)
        size = len(self.letters) ** behind
        ends = list(accumulate(self.lengths.values(), initial=0))
        parts = [(name, slice(*ends[k : k + 2])) for k, name in enumerate(self.lengths)]
        for block in range(first // size, -(-last // size)):
            before = self._digits(block, total - behind)
            for after in islice(product(symbols, repeat=behind), max(0, first - block * size), min(size, last - block * size)):
                choice = before + after
                yield {name: choice[part] for name, part in parts}

    def _digits(self, number: int, count: int) -> tuple[int, ...]:
        """Symbols of this count that spell a number."""
        digits: list[int] = []
        for _ in range(count):
            number, digit = divmod(number, len(self.letters))
            digits.append(digit)
        return tuple(reversed(digits))

    def nth(self, number: int) -> Strings:
        """The input of this number in lexicographic order, from 0."""
        digits = self._digits(number, sum(self.lengths.values()))
        found: Strings = {}
        for name, length in self.lengths.items():
            found[name], digits = digits[:length], digits[length:]
        return found

    def tokens(self, strings: Strings) -> list[int]:
        """The tokens of an input."""
        return [entry if isinstance(entry, int) else strings[entry[0]][entry[1]] for entry in self.layout]

    def token_table(self, inputs: Sequence[Strings]) -> Any:
        """The tokens of many inputs, as integers of the shape (inputs, positions)."""
        symbols = {name: np.asfortranarray(self._symbols([strings[name] for strings in inputs])) for name in self.lengths}
        table = np.empty((len(inputs), len(self.layout)), np.int64, order="F")  # a position is read for all inputs together
        for place, entry in enumerate(self.layout):
            table[:, place] = entry if isinstance(entry, int) else symbols[entry[0]][:, entry[1]]
        return table

    def _symbols(self, strings: Sequence[tuple[int, ...]]) -> Any:
        if len(self.letters) <= 256:
            return np.frombuffer(b"".join(map(bytes, strings)), np.uint8).reshape(len(strings), -1)
        return np.array(strings, np.int64).reshape(len(strings), -1)

    def written(self, strings: Strings) -> dict[str, str]:
        """The strings as texts. Symbols of one character stand side by side, and others have spaces between them."""
        apart = "" if all(len(symbol) == 1 for symbol in self.letters) else " "
        return {name: apart.join(self.alphabet[k] for k in string) for name, string in strings.items()}

    def read(self, name: str, text: str) -> tuple[int, ...]:
        """A string from its text.

        Raises:
            InputError: other symbols, or another length.
        """
        parts = list(text) if all(len(symbol) == 1 for symbol in self.letters) else text.split()
        if any(part not in self.letters for part in parts) or len(parts) != self.lengths[name]:
            raise InputError(f"{name} is {text!r}; {self.lengths[name]} symbols of {', '.join(self.letters)} were expected")
        return tuple(self.letters.index(part) for part in parts)

    def place(self, at: str, names: Mapping[str, Any], length: int, first: int) -> int:
        """The index, from 0, of the token that ``at`` means: a special token, ``first``, ``last``, or a formula for the position i."""
        if at in ("first", "last"):
            return 0 if at == "first" else length - 1
        if at in self.words:
            places = [k for k, entry in enumerate(self.layout) if entry == self.words[at]]
            if len(places) == 1:
                return places[0]
            raise InputError(f"{at!r} occurs {len(places)} times in the input; once was expected")
        found = formulas.integer(at, names) - first
        if not 0 <= found < length:
            raise InputError(f"position {at} is outside the input")
        return found
