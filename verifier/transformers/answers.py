"""Answer many inputs at once by arrays, and compare the answers with the right ones. Yield every input of one length in order.

The inputs of a length are run in pieces with progress, on several processes, or only a part of them for a cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from verifier.arithmetic.floats import Array, carrier, to_number
from verifier.arithmetic.numbers import Number
from verifier.arithmetic.semantics import Arithmetic
from verifier.running.errors import InputError, LimitError
from verifier.running.limits import Advance, silent
from verifier.transformers import formulas
from verifier.transformers.arrays import Arrays, Columns
from verifier.transformers.contexts import context
from verifier.transformers.inputs import Strings
from verifier.transformers.network import Network, network
from verifier.transformers.outputs import Answer, accepted, expected, judged, place, promised, string_use, written
from verifier.transformers.records import NetworkFile

if TYPE_CHECKING:
    from concurrent.futures import Executor

LARGEST_CHUNK = 1 << 21
"""Elements of one array of scores."""
MOST_KNOWN = 1 << 16
"""Right answers that are remembered of one formula."""


def wrong_by_definition(network: Network, arithmetic: Arithmetic, inputs: Iterator[Strings]) -> Iterator[tuple[Strings, Answer]]:
    """The inputs that are answered wrongly, in their order."""
    carried = context(arithmetic)
    for strings in inputs:
        if promised(network, strings):
            answer = judged(network, strings, carried, whole=False).answer
            if not answer.right:
                yield strings, answer


def wrong_by_arrays(
    network: Network, arithmetic: Arithmetic, inputs: Sequence[Strings], arrays: Arrays | None = None
) -> list[tuple[Strings, Answer]]:
    """Do the same as :func:`wrong_by_definition` for all inputs in one run. arrays: of the same network and arithmetic, with their cached
    values.
    """
    kept = [strings for strings in inputs if promised(network, strings)]
    if not kept:
        return []
    arrays = arrays or Arrays(network, arithmetic)
    tokens = network.input.token_table(kept)
    found = _decoded(arrays, tokens) if network.file.decode else _found(arrays, tokens)
    right = _right_answers(network)
    answers = (Answer(right(strings), *each) for strings, each in zip(kept, found, strict=True))
    return [(strings, answer) for strings, answer in zip(kept, answers, strict=True) if not answer.right]


def _right_answers(network: Network) -> Callable[[Strings], str]:
    """The right answer to an input, computed once for all arithmetics and for inputs that its formula does not distinguish."""
    entry, use = network.file.accept or network.file.choose, string_use(network)
    if entry is None:
        return partial(expected, network)
    symbols = network.input.alphabet if network.file.choose else ()
    known = _known(str(entry.function), network.input.letters, symbols, tuple(network.names.items()))

    def right(strings: Strings) -> str:
        key: tuple[Any, ...] = tuple(strings.items())
        if use is not None:
            (string,) = strings.values()
            key = (sum(string) if use.ones else -1, *(string[bit - 1] for bit in use.bits))
        answer = known.get(key) or expected(network, strings)
        if len(known) < MOST_KNOWN:
            known[key] = answer
        return answer

    return right


@lru_cache(maxsize=64)
def _known(function: str, letters: tuple[str, ...], symbols: tuple[str, ...], names: tuple[tuple[str, Any], ...]) -> dict[Any, str]:
    """The known right answers of one formula."""
    return {}


def chunk_size(network: Network) -> int:
    """The number of inputs in one array. Scores of each pair of positions are held if a layer before the last one has a query."""
    length = len(network.input.layout) + (formulas.integer(network.file.decode.steps, network.names) if network.file.decode else 0)
    scored = any(head.query for layer in network.layers[:-1] for head in layer.heads)
    return max(1, LARGEST_CHUNK // max(1, length * (length if scored else 1)))


def _found(arrays: Arrays, tokens: Array) -> list[tuple[str, str]]:
    """Give for each input the answer and the numbers that decide it."""
    network = arrays.network
    entry = network.file.accept or network.file.choose
    assert entry is not None
    at = place(network, entry.at, tokens.shape[1])
    return found_at(arrays, arrays.run(tokens, at), len(tokens))


def found_at(arrays: Arrays, columns: Columns, count: int) -> list[tuple[str, str]]:
    """The answers, and the numbers that decide them, for this many rows of the coordinates at the answering token."""
    network = arrays.network
    if network.file.choose is not None:
        chosen, logits = _chosen(arrays, columns, count)
        return [(_symbol(network, k), ", ".join(map(_written, row))) for k, row in zip(chosen, logits, strict=True)]
    accept = network.file.accept
    assert accept is not None
    read = formulas.reads(accept.yes, columns) | (formulas.reads(accept.no, columns) if accept.no else set())
    names = [name for name in columns if name in read]
    rows = np.zeros((count, len(names)))
    for k, name in enumerate(names):
        rows[:, k] += np.broadcast_to(columns[name], (count, 1))[:, 0]
    known: dict[bytes, tuple[str, str]] = {}
    answers = []
    for row in rows:
        key = row.tobytes()
        if key not in known:
            vector: dict[str, Number] = {name: to_number(float(x)) for name, x in zip(names, row, strict=True)}
            known[key] = accepted(network, vector)
        answers.append(known[key])
    return answers


def _chosen(arrays: Arrays, columns: Columns, count: int) -> tuple[list[int], Array]:
    """The index of the first largest logit, which is −1 if a logit is NaN, and the logits."""
    with np.errstate(all="ignore"):
        logits = [np.broadcast_to(arrays.applied(form, columns), (count, 1))[:, 0] for form in arrays.network.logits]
    table = np.stack(logits, axis=1)
    best = np.where(np.isnan(table).any(axis=1), -1, np.where(np.isnan(table), -np.inf, table).argmax(axis=1))
    return best.tolist(), table


def _symbol(network: Network, k: int) -> str:
    return "nan" if k < 0 else network.input.alphabet[k]


def _written(x: Any) -> str:
    return written(to_number(float(x)))


def _decoded(arrays: Arrays, tokens: Array) -> list[tuple[str, str]]:
    """The symbols that are appended to each input."""
    network = arrays.network
    assert network.file.decode is not None
    symbols: list[list[str]] = [[] for _ in tokens]
    running = np.arange(len(tokens))
    for _ in range(formulas.integer(network.file.decode.steps, network.names)):
        columns = arrays.run(tokens, tokens.shape[1] - 1)
        chosen = np.array(_chosen(arrays, columns, len(tokens))[0])
        for which, k in zip(running, chosen.tolist(), strict=True):
            symbols[which].append(_symbol(network, k))
        goes_on = np.array([symbols[which][-1] not in ("nan", network.file.decode.until) for which in running], bool)
        if not goes_on.any():
            break
        tokens, running = np.column_stack([tokens, chosen])[goes_on], running[goes_on]
    return [(" ".join(each), "") for each in symbols]


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
        """The numbers of its inputs, from the first up to but not including the second."""
        return count * (self.number - 1) // self.of, count * self.number // self.of

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


WHOLE = Part()


def method_of(built: Network, arithmetic: Arithmetic) -> str:
    """Answer by arrays if the network has them, or else by the definition."""
    try:
        carrier(arithmetic)
    except LimitError:
        return "definition"
    return "definition" if built.not_by_arrays else "arrays"


def first_among(built: Network, arithmetic: Arithmetic, inputs: Iterator[Strings], arrays: Arrays | None = None) -> Found | None:
    """The first input that arrays find wrong. arrays: of the same network and arithmetic, with their cached values."""
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
    """The first wrong input of a part of those of one length. pool: processes for the pieces."""
    start, stop = part.span(network(file, point).input.count)
    size = max(LEAST, -(-(stop - start) // PIECES))
    pieces = [(first, min(first + size, stop)) for first in range(start, stop, size)]
    label = f"{arithmetic}, inputs of {file.length} = {point[file.length]}"
    answers: Iterator[Found | None]
    if pool is None or len(pieces) == 1:
        answers = map(partial(_first_between, network(file, point), arithmetic), pieces)
    else:
        answers = pool.map(partial(_of_piece, msgspec.json.encode(file), tuple(sorted(point.items())), arithmetic), pieces)
    for (first, _), found in zip(pieces, answers, strict=False):
        advance(label, first - start, stop - start)
        if found is not None:
            return found
    advance(label, stop - start, stop - start)
    return None


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
