"""The task of a construction: a truth value of bit strings, under a promise.

A task is a problem on pairs (:class:`verifier.networks.problems.Problem`: EQ or GT of two strings of one length), or
a condition on any strings, each of its own length (:class:`FormulaTask`). Strings are integers, the first bit the most significant.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from verifier.language import arrays, exact
from verifier.language.array_values import Strings
from verifier.language.definitions import with_numbers
from verifier.language.exact import Bits, Given
from verifier.language.printer import printed
from verifier.language.syntax import kind, parse, quoted
from verifier.running.errors import InputError, placed

Integers = npt.NDArray[np.int64]
Truths = npt.NDArray[np.bool_]
Inputs = Mapping[str, int]
"""One input: a string for each name."""
NO_PROMISE = "none"


class Task(ABC):
    """A truth value of an input, on the inputs that keep a promise."""

    function: str
    promise: str

    @property
    @abstractmethod
    def strings(self) -> Mapping[str, int]:
        """The input strings by name, in their order, each with its length."""

    @abstractmethod
    def value_at(self, inputs: Inputs) -> int:
        """The function at one input, 0 or 1."""

    @abstractmethod
    def promised_at(self, inputs: Inputs) -> bool:
        """Whether one input keeps the promise."""

    @abstractmethod
    def values_at(self, inputs: Mapping[str, Integers]) -> Truths:
        """The function on arrays of inputs, all of one shape."""

    @abstractmethod
    def promises_at(self, inputs: Mapping[str, Integers]) -> Truths:
        """Where arrays of inputs keep the promise."""

    @property
    def bits(self) -> int:
        """How many bits an input has, all strings together; there are 2^bits inputs."""
        return sum(self.strings.values())

    @property
    def restricted(self) -> bool:
        """Whether there is a promise."""
        return self.promise != NO_PROMISE

    @property
    def applied(self) -> str:
        """The function as it is written of an input: ``EQ(y, z)``, or the formula itself."""
        return self.function

    @property
    def described(self) -> str:
        """``strings x, y of 3 bits`` or ``strings x of 3 bits, y of 2 bits``."""
        lengths = set(self.strings.values())
        if len(lengths) == 1:
            return f"{', '.join(self.strings)} of {lengths.pop()} bits"
        return ", ".join(f"{name} of {length} bits" for name, length in self.strings.items())


@dataclass(frozen=True)
class FormulaTask(Task):
    """A condition on strings, the promise another (or ``none``). Both are asked of promised inputs only.

    lengths: the strings' names and lengths, in the order in which inputs are counted.
    """

    function: str
    promise: str
    lengths: tuple[tuple[str, int], ...]

    @property
    def strings(self) -> Mapping[str, int]:
        return dict(self.lengths)

    def value_at(self, inputs: Inputs) -> int:
        with placed("problem.function"):
            return int(exact.truth(self.function, self._one(inputs)))

    def promised_at(self, inputs: Inputs) -> bool:
        if not self.restricted:
            return True
        with placed("problem.promise"):
            return exact.truth(self.promise, self._one(inputs))

    def values_at(self, inputs: Mapping[str, Integers]) -> Truths:
        with placed("problem.function"):
            return arrays.truth(self.function, self._all(inputs))

    def promises_at(self, inputs: Mapping[str, Integers]) -> Truths:
        if not self.restricted:
            return np.ones(np.broadcast_shapes(*(x.shape for x in inputs.values())), dtype=np.bool_)
        with placed("problem.promise"):
            return arrays.truth(self.promise, self._all(inputs))

    def _one(self, inputs: Inputs) -> dict[str, Bits]:
        return {name: Bits(inputs[name], length) for name, length in self.lengths}

    def _all(self, inputs: Mapping[str, Integers]) -> dict[str, Strings]:
        return {name: Strings.of(inputs[name], length) for name, length in self.lengths}


def formula_task(function: str, promise: str, lengths: Mapping[str, int], names: Mapping[str, Given]) -> FormulaTask:
    """The task of a construction file, with the parameters put into its formulas.

    Raises:
        InputError: a formula that is not a condition, or a name that is neither a string nor a quantity of the file.
    """
    found = []
    for place, text in (("function", function), ("promise", promise)):
        with placed(f"problem.{place}"):
            found.append(text if text == NO_PROMISE and place == "promise" else _condition(text, names, lengths))
    return FormulaTask(found[0], found[1], tuple(lengths.items()))


def _condition(text: str, names: Mapping[str, Given], lengths: Mapping[str, int]) -> str:
    if kind(parse(text)) != "condition":
        expected = "popcount(x) % 2 == 1; numbers and words as answers are for bitreferee/network/1 (docs/format.md, Answers)"
        raise InputError(f"{quoted(text)} is not a condition such as {expected}")
    return printed(with_numbers(text, names, open_names=lengths))


def split_inputs(task: Task, numbers: Integers) -> dict[str, Integers]:
    """The strings of inputs that are given as numbers of ``bits`` digits, the first string in front."""
    found, behind = {}, task.bits
    for name, length in task.strings.items():
        behind -= length
        found[name] = numbers >> behind & (1 << length) - 1
    return found
