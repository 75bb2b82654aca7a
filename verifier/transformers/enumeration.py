"""Every input of one length, in order: in pieces with progress, on several processes, or only a part of them for a cluster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

import msgspec

from verifier.arithmetic.floats import carrier
from verifier.arithmetic.semantics import Arithmetic
from verifier.running.errors import InputError, LimitError
from verifier.running.limits import Advance, silent
from verifier.transformers.answers import chunk_size, wrong_by_arrays, wrong_by_definition
from verifier.transformers.arrays import Arrays
from verifier.transformers.inputs import Strings
from verifier.transformers.network import Network, network
from verifier.transformers.outputs import Answer
from verifier.transformers.records import NetworkFile

Found = tuple[Strings, Answer]
PIECES = 64
"""Into how many pieces the inputs of a length are cut at most."""
LEAST = 1 << 14
"""Inputs of a piece, at least."""


@dataclass(frozen=True)
class Part:
    """The k-th of n parts of the inputs of each length, of equal size up to one input, in lexicographic order."""

    number: int = 1
    of: int = 1

    @classmethod
    def read(cls, text: str) -> Part:
        """From ``2/8``.

        Raises:
            InputError: anything else.
        """
        number, _, of = text.partition("/")
        if number.isdecimal() and of.isdecimal() and len(text) < 20 and 1 <= int(number) <= int(of):
            return cls(int(number), int(of))
        raise InputError(f"--shard {text[:40]}: K/N with 1 <= K <= N was expected, such as 2/8")

    def span(self, count: int) -> tuple[int, int]:
        """The numbers of its inputs, from the first up to but not with the second."""
        return count * (self.number - 1) // self.of, count * self.number // self.of

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


WHOLE = Part()


def method_of(built: Network, arithmetic: Arithmetic) -> str:
    """Arrays where there are any, else the definition."""
    try:
        carrier(arithmetic)
    except LimitError:
        return "definition"
    return "definition" if built.not_by_arrays else "arrays"


def first_among(built: Network, arithmetic: Arithmetic, inputs: Iterator[Strings], arrays: Arrays | None = None) -> Found | None:
    """The first input that arrays find wrong. arrays: of the same network and arithmetic, with what they have looked up before."""
    arrays = arrays or Arrays(built, arithmetic)
    for chunk in _chunks(inputs, chunk_size(built)):
        wrong = wrong_by_arrays(built, arithmetic, chunk, arrays)
        if wrong:
            return wrong[0]
    return None


def first_in(
    file: NetworkFile,
    point: Mapping[str, int],
    arithmetic: Arithmetic,
    part: Part = WHOLE,
    advance: Advance = silent,
    pool: Executor | None = None,
) -> Found | None:
    """The first wrong input of a part of those of one length. pool: processes that the pieces are given to."""
    start, stop = part.span(network(file, point).input.count)
    size = max(LEAST, -(-(stop - start) // PIECES))
    pieces = [(first, min(first + size, stop)) for first in range(start, stop, size)]
    label = f"{arithmetic}, inputs of {file.length} = {point[file.length]}"
    if pool is None or len(pieces) == 1:
        answers = _here(network(file, point), arithmetic, pieces)
    else:
        answers = _there(msgspec.json.encode(file), point, arithmetic, pieces, pool)
    for (first, _), found in zip(pieces, answers, strict=False):
        advance(label, first - start, stop - start)
        if found is not None:
            return found
    advance(label, stop - start, stop - start)
    return None


def _here(built: Network, arithmetic: Arithmetic, pieces: Sequence[tuple[int, int]]) -> Iterator[Found | None]:
    for piece in pieces:
        yield _first_between(built, arithmetic, piece)


def _there(
    file: bytes, point: Mapping[str, int], arithmetic: Arithmetic, pieces: Sequence[tuple[int, int]], pool: Executor
) -> Iterator[Found | None]:
    """The pieces in their order; those behind the last one that is asked for are not begun."""
    named = tuple(sorted(point.items()))
    running = [pool.submit(_of_piece, file, named, arithmetic, piece) for piece in pieces]
    try:
        for each in running:
            yield each.result()
    finally:
        for each in running:
            each.cancel()


def _of_piece(file: bytes, point: tuple[tuple[str, int], ...], arithmetic: Arithmetic, piece: tuple[int, int]) -> Found | None:
    return _first_between(_built(file, point), arithmetic, piece)


@lru_cache(maxsize=1)
def _built(file: bytes, point: tuple[tuple[str, int], ...]) -> Network:
    return network(msgspec.json.decode(file, type=NetworkFile), dict(point))


def _first_between(built: Network, arithmetic: Arithmetic, piece: tuple[int, int]) -> Found | None:
    inputs = built.input.between(*piece)
    if method_of(built, arithmetic) == "arrays":
        return first_among(built, arithmetic, inputs)
    return next(wrong_by_definition(built, arithmetic, inputs), None)


def _chunks(inputs: Iterator[Strings], size: int) -> Iterator[Sequence[Strings]]:
    while chunk := list(islice(inputs, size)):
        yield chunk
