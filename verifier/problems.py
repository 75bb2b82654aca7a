"""What a construction is to compute: a function of two bit strings, under a promise. Scalar and vectorised forms of each.

Strings are integers: y₁ is the most significant of ``length`` bits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from verifier.errors import InputError

Integers = npt.NDArray[np.int64]
Truths = npt.NDArray[np.bool_]

FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "EQ": lambda y, z: y == z,
    "GT": lambda y, z: y > z,
}
PROMISES: dict[str, Callable[[Any, Any], Any]] = {
    "y <= z": lambda y, z: y <= z,
    "none": lambda y, z: (y == y) & (z == z),
}


@dataclass(frozen=True)
class Problem:
    """A named function on pairs of ``length``-bit strings that keep a named promise."""

    function: str
    promise: str
    length: int

    def __post_init__(self) -> None:
        if self.function not in FUNCTIONS:
            raise InputError(f"problem: no function {self.function!r}; there are {', '.join(FUNCTIONS)}")
        if self.promise not in PROMISES:
            raise InputError(f"problem: no promise {self.promise!r}; there are {', '.join(PROMISES)}")

    def value(self, y: int, z: int) -> int:
        return int(FUNCTIONS[self.function](y, z))

    def promised(self, y: int, z: int) -> bool:
        return bool(PROMISES[self.promise](y, z))

    def values(self, y: Integers, z: Integers) -> Truths:
        """The function on broadcast arrays of inputs."""
        result: Truths = FUNCTIONS[self.function](y, z)
        return result

    def promises(self, y: Integers, z: Integers) -> Truths:
        """Where broadcast arrays of inputs keep the promise."""
        result: Truths = PROMISES[self.promise](y, z)
        return result


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
