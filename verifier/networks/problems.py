"""The task of a construction: a truth value of bit strings, under a promise.

A task is a condition on any strings of any lengths; a :class:`Problem` is one on pairs: EQ or GT of two strings of one length, with a
promise of a known shape: ``none``, or ``y <= z`` and conditions on the bits of one string, joined by ``and``. Strings are integers, the
first bit the most significant.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce

import numpy as np
import numpy.typing as npt

from verifier.language import arrays, exact
from verifier.language.array_values import Strings
from verifier.language.definitions import with_numbers
from verifier.language.exact import Bits, Given
from verifier.language.printer import printed
from verifier.language.syntax import condition, kind, parse, quoted
from verifier.language.tree import Call, Name, Node, Numeral, Ranged, Slice, walk
from verifier.networks.record_base import NO_PROMISE as NO_PROMISE
from verifier.networks.record_base import conditions_of, promise_of
from verifier.running.errors import InputError, misplaced, placed
from verifier.running.identifiers import meant
from verifier.running.printable import many

Integers = npt.NDArray[np.int64]
Truths = npt.NDArray[np.bool_]
Inputs = Mapping[str, int]
"""One input: a string for each name."""


@dataclass(frozen=True)
class Task:
    """A truth value of an input, on the inputs that keep a promise; both are evaluated on promised inputs only.

    function: a condition on the strings, or a name of :data:`FUNCTIONS`; promise: another condition, or ``none``.
    lengths: the strings' names and lengths, in the order in which inputs are counted.
    """

    function: str
    promise: str
    lengths: tuple[tuple[str, int], ...]

    @property
    def strings(self) -> Mapping[str, int]:
        """The input strings by name, in their order, each with its length."""
        return dict(self.lengths)

    @property
    def bits(self) -> int:
        """The number of bits of an input, all strings together; the inputs are 2^bits."""
        return sum(self.strings.values())

    @property
    def restricted(self) -> bool:
        """Whether the task has a promise."""
        return self.promise != NO_PROMISE

    @property
    def applied(self) -> str:
        """The function in its notation, applied to an input: ``EQ(y, z)``, or the formula itself."""
        return f"{self.function}(y, z)" if self.function in FUNCTIONS else self.function

    @property
    def described(self) -> str:
        """``strings x, y of 3 bits`` or ``strings x of 3 bits, y of 2 bits``."""
        lengths = set(self.strings.values())
        if len(lengths) == 1:
            return f"{', '.join(self.strings)} of {many(lengths.pop(), 'bit')}"
        return ", ".join(f"{name} of {many(length, 'bit')}" for name, length in self.strings.items())

    def value_at(self, inputs: Inputs) -> int:
        """The function at one input, 0 or 1."""
        with placed("problem.function", ("problem", "function")):
            return int(exact.truth(self._formula, self._one(inputs)))

    def promised_at(self, inputs: Inputs) -> bool:
        """Whether one input keeps the promise."""
        if not self.restricted:
            return True
        with placed("problem.promise", ("problem", "promise")):
            return exact.truth(self.promise, self._one(inputs))

    def values_at(self, inputs: Mapping[str, Integers]) -> Truths:
        """The function on arrays of inputs, which broadcast."""
        with placed("problem.function", ("problem", "function")):
            return arrays.truth(self._formula, self._all(inputs))

    def promises_at(self, inputs: Mapping[str, Integers]) -> Truths:
        """The inputs in these arrays that keep the promise."""
        if not self.restricted:
            return np.ones(np.broadcast_shapes(*(np.shape(x) for x in inputs.values())), dtype=np.bool_)
        with placed("problem.promise", ("problem", "promise")):
            return arrays.truth(self.promise, self._all(inputs))

    @property
    def _formula(self) -> str:
        return FUNCTIONS.get(self.function, self.function)

    def _one(self, inputs: Inputs) -> dict[str, Bits]:
        return {name: Bits(inputs[name], length) for name, length in self.lengths}

    def _all(self, inputs: Mapping[str, Integers]) -> dict[str, Strings]:
        return {name: Strings.of(inputs[name], length) for name, length in self.lengths}


def formula_task(function: str, promise: str, lengths: Mapping[str, int], names: Mapping[str, Given]) -> Task:
    """The task of a construction file, with the parameters put into its formulas.

    Raises:
        InputError: a formula is not a condition, or a name is neither a string nor a quantity of the file.
    """
    found = []
    for place, text in (("function", function), ("promise", promise)):
        with placed(f"problem.{place}", ("problem", place)):
            found.append(text if text == NO_PROMISE and place == "promise" else _numbered(text, names, lengths))
    return Task(found[0], found[1], tuple(lengths.items()))


def _numbered(text: str, names: Mapping[str, Given], lengths: Mapping[str, int]) -> str:
    condition(text, "such as popcount(x) % 2 == 1; numbers and words as answers are for bitreferee/network/1 (docs/format.md, Answers)")
    return printed(with_numbers(text, names, open_names=lengths))


def split_inputs(task: Task, numbers: Integers) -> dict[str, Integers]:
    """The strings of inputs given as numbers of ``bits`` digits, the first string in front."""
    found, behind = {}, task.bits
    for name, length in task.strings.items():
        behind -= length
        found[name] = numbers >> behind & (1 << length) - 1
    return found


FUNCTIONS = {"EQ": "y == z", "GT": "y > z"}
"""The functions that have a name, as formulas."""

BLOCK = 1 << 16
"""The number of strings in one array, if strings are judged one by one."""

WRITTEN: dict[str, str] = {"y == z": "EQ", "z == y": "EQ", "y > z": "GT", "z < y": "GT"}
"""All formulas that are these functions."""


@dataclass(frozen=True)
class Part:
    """A condition on one string that reads some of the bits first … last (1-based)."""

    string: str
    first: int
    last: int
    formula: str

    def holds(self, strings: Strings) -> Truths:
        """The strings for which it holds."""
        return arrays.truth(self.formula, {self.string: strings})

    def contents(self) -> Truths:
        """The contents of the bits first … last that satisfy it, of 2^(last − first + 1)."""
        inside = Strings.every(self.last - self.first + 1)
        return self.holds(Strings(inside.numbers, self.last))


@dataclass(frozen=True)
class Promise:
    """The admitted pairs: y ≤ z if ``ordered``, and conditions on the bits of either string."""

    ordered: bool
    parts: tuple[Part, ...]

    def of(self, string: str) -> tuple[Part, ...]:
        return tuple(p for p in self.parts if p.string == string)


@lru_cache(maxsize=256)
def read_promise(text: str) -> Promise:
    """``none``, ``y <= z``, or conditions joined by ``and``: ``y <= z and y[2:5] > 0 and z[8:9] not in (0, 2)``.

    Raises:
        InputError: for any other form.
    """
    read = [_condition(each) for each in conditions_of(parse(text))]
    return Promise(ordered=None in read, parts=tuple(part for part in read if part is not None))


def _condition(tree: Node) -> Part | None:
    """A condition on bits, or None for ``y <= z``."""
    text = printed(tree)
    if text == "y <= z":
        return None
    nodes = list(walk(tree))
    spans = [_span(node) for node in nodes if isinstance(node, Slice)]
    names = {node.name for node in nodes if isinstance(node, Slice)}
    known = [span for span in spans if span is not None]
    applied = any(isinstance(node, Name | Call | Ranged) for node in nodes)
    alone = not applied and len(known) == len(spans) and names in ({"y"}, {"z"})
    if not alone or kind(tree) != "condition":
        raise InputError(f"unknown promise {text!r}; none, y <= z, or a condition on bits such as y[2:5] > 0 was expected")
    for first, last in known:
        if last < first:
            raise InputError(f"promise {text!r}: bits from the first to the last were expected")
    return Part(names.pop(), min(first for first, _ in known), max(last for _, last in known), text)


def _span(node: Slice) -> tuple[int, int] | None:
    """The first and last bit that are read, if they are numbers."""
    match node.ends:
        case (Numeral(int(k)),):
            return k, k
        case Numeral(int(first)), Numeral(int(last)):
            return first, last
    return None


def promise_at(text: str, names: Mapping[str, Given], strings: Collection[str] = ("y", "z")) -> str:
    """A promise of a construction file with its indices and bounds put in: ``y[2 : e+1] > 0`` is ``y[2:6] > 0`` at e = 5."""
    return promise_of(conditions_of(with_numbers(text, names, open_names=(*strings, NO_PROMISE))))


class Problem(Task):
    """A named function on pairs of ``length``-bit strings that keep a promise (:func:`read_promise`)."""

    def __init__(self, function: str, promise: str, length: int) -> None:
        super().__init__(function, promise, (("y", length), ("z", length)))
        if self.function not in FUNCTIONS:
            raise misplaced(
                f"no function {self.function!r}; {meant(self.function, FUNCTIONS, 'the functions are ' + ', '.join(FUNCTIONS))}", "problem"
            )
        for part in self.conditions.parts:
            if not 1 <= part.first <= part.last <= self.length:
                bits = f"{part.string}[{part.first}:{part.last}] is read"
                raise misplaced(f"{bits}; the strings have bits 1 … {self.length}", "problem", "promise")

    @property
    def length(self) -> int:
        return self.strings["y"]

    @property
    def conditions(self) -> Promise:
        return read_promise(self.promise)

    def value(self, y: int, z: int) -> int:
        return self.value_at({"y": y, "z": z})

    def promised(self, y: int, z: int) -> bool:
        """Whether one pair of inputs keeps the promise."""
        return self.promised_at({"y": y, "z": z})

    def values(self, y: Integers, z: Integers) -> Truths:
        """The function on broadcast arrays of inputs."""
        return self.values_at({"y": y, "z": z})

    def promises(self, y: Integers, z: Integers) -> Truths:
        """The pairs in these broadcast arrays that keep the promise."""
        return self.promises_at({"y": y, "z": z})

    def admitted(self, string: str, values: Integers) -> Truths:
        """The strings that satisfy the conditions on one string alone."""
        return all_hold(self.conditions.of(string), Strings.of(values, self.length))

    def pairs(self) -> int:
        """The number of pairs that keep the promise; conditions on bits are tabulated, over 2^length values."""
        if not self.conditions.parts:
            return (1 << self.length) * ((1 << self.length) + 1) // 2 if self.conditions.ordered else 4**self.length
        ys, zs = (self._kept(string) for string in "yz")
        if not self.conditions.ordered:
            return len(ys) * len(zs)
        return int((len(zs) - np.searchsorted(zs, ys)).sum())

    def _kept(self, string: str) -> Integers:
        """The values of one string that satisfy the conditions on it alone, ascending."""
        every = np.arange(1 << self.length, dtype=np.int64)
        return every[self.admitted(string, every)]

    def occurring(self, string: str) -> Integers:
        """The values of one string in promised pairs, ascending; of 2^length values."""
        mine, other = self._kept(string), self._kept("z" if string == "y" else "y")
        if not len(other):
            return other
        if self.conditions.ordered:
            mine = mine[mine <= other[-1]] if string == "y" else mine[mine >= other[0]]
        return mine

    def each(self, string: str) -> Iterator[int]:
        """The values of :meth:`occurring` one by one, ascending: one block of them is in memory at a time, whatever the length."""
        other = "z" if string == "y" else "y"
        bound = next(self._one_by_one(other, descending=string == "y"), None)
        if bound is None:
            return
        for value in self._one_by_one(string):
            if self.conditions.ordered and string == "y" and value > bound:
                return
            if not self.conditions.ordered or string == "y" or value >= bound:
                yield value

    def _one_by_one(self, string: str, descending: bool = False) -> Iterator[int]:
        """The values of one string that satisfy the conditions on it alone, one by one."""
        starts = range(0, 1 << self.length, BLOCK)
        for start in reversed(starts) if descending else starts:
            values = np.arange(start, min(start + BLOCK, 1 << self.length), dtype=np.int64)
            kept = values[self.admitted(string, values)].tolist()
            yield from reversed(kept) if descending else kept


def all_hold(parts: Sequence[Part], strings: Strings) -> Truths:
    """The inputs on which all of these conditions hold."""
    return reduce(operator.and_, [part.holds(strings) for part in parts], np.ones(strings.shape, dtype=np.bool_))


def as_problem(function: str, promise: str, strings: Mapping[str, int]) -> Problem | None:
    """The problem on pairs that equals a task, however it is written: EQ is ``y == z``, GT is ``y > z``; The result is None if the task is
    not one.

    It is also None for a promise whose shape :func:`read_promise` does not know.
    """
    named = function if function in FUNCTIONS else WRITTEN.get(printed(parse(function)))
    if named is None or list(strings) != ["y", "z"] or len(set(strings.values())) != 1:
        return None
    try:
        read_promise(promise)
    except InputError:
        return None
    return Problem(named, promise, strings["y"])


def bits_of(value: int, length: int) -> str:
    """``value`` as a string of ``length`` binary digits."""
    return format(value, f"0{length}b") if length else ""


def read_bits(text: str, length: int, name: str) -> int:
    """A string of exactly ``length`` binary digits.

    Raises:
        InputError: for any other text.
    """
    if len(text) != length or set(text) - {"0", "1"}:
        raise InputError(f"--{name} {text}: a string of {length} binary digits was expected")
    return int(text, 2) if text else 0


def as_pairs(task: Task, subject: str) -> Problem:
    """A task as a problem on pairs.

    Raises:
        InputError: it is none; ``subject`` is what needs one.
    """
    if not isinstance(task, Problem):
        said = f"EQ or GT of two strings y, z of one length was expected, not {quoted(task.function)}"
        raise InputError(f"{subject}: {said}; [[expect]] in the table is for any function")
    return task
