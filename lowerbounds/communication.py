"""Communication problems: a partial function on Alice's × Bob's inputs, undefined where the promise is broken.

Source: *Every Bit Counts*, Section A.2 (one-way model: Alice sends one message, Bob answers).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from verifier.networks.problems import Problem, bits_of
from verifier.running.errors import InputError

Integers = npt.NDArray[np.int64]
Values = npt.NDArray[np.int8]

UNDEFINED = -1
"""The value of a pair that breaks the promise: any answer is right there."""

Entries = Callable[[Integers, Integers], Values]


def _decimal(k: int) -> str:
    return str(k)


@dataclass(frozen=True)
class CommunicationProblem:
    """Alice holds one of ``alice`` inputs, Bob one of ``bob``; both are numbered from 0.

    entries: the function on broadcast arrays of input numbers; UNDEFINED where the promise is broken.
    alice_name, bob_name: how an input is written.

    Raises:
        InputError: a problem without inputs.
    """

    name: str
    alice: int
    bob: int
    entries: Entries
    alice_name: Callable[[int], str] = _decimal
    bob_name: Callable[[int], str] = _decimal

    def __post_init__(self) -> None:
        if self.alice < 1 or self.bob < 1:
            raise InputError(f"{self.name}: Alice has {self.alice} inputs and Bob {self.bob}; at least one each was expected")

    def value(self, x: int, y: int) -> int:
        """The function at one pair of input numbers, or UNDEFINED."""
        return int(self.entries(np.array([x]), np.array([y]))[0])

    def matrix(self) -> Values:
        """All entries, Alice's inputs down, Bob's across."""
        return np.broadcast_to(self.entries(np.arange(self.alice)[:, None], np.arange(self.bob)[None, :]), (self.alice, self.bob))


def on_strings(problem: Problem) -> CommunicationProblem:
    """A function of two bit strings under a promise; Alice holds y, Bob z."""
    size = 1 << problem.length

    def entries(y: Integers, z: Integers) -> Values:
        return np.where(problem.promises(y, z), problem.values(y, z), UNDEFINED).astype(np.int8)

    def name(k: int) -> str:
        return bits_of(k, problem.length)

    return CommunicationProblem(f"{problem.function}_{problem.length} ({problem.promise})", size, size, entries, name, name)


def equality(length: int, promise: str = "y <= z") -> CommunicationProblem:
    """EQ on strings of ``length`` bits; by default under the promise of T⁰ and T¹."""
    return on_strings(Problem("EQ", promise, length))


def promise_of(representation: str, length: int, e: int = 0) -> str:
    """The promise of T0 … T3 on strings of ``length`` bits; ``e`` exponent digits for T2 and T3 (Appendices C.1 and C.2).

    Raises:
        InputError: another representation, or an e that leaves no room.
    """
    if representation in ("T0", "T1"):
        return "y <= z"
    if representation not in ("T2", "T3"):
        raise InputError(f"representation {representation!r}; T0, T1, T2 or T3 was expected")
    if not 1 <= e <= length - 1:
        raise InputError(f"e = {e}: {representation} on {length} bits needs 1 <= e <= {length - 1}")
    if representation == "T2":
        return f"y <= z and y[2:{e + 1}] > 0 and y[{length - 1}:{length}] != 2"
    return f"y <= z and z[1:{e}] != {2**e - 1}"


def from_matrix(rows: Sequence[Sequence[int | None]], name: str = "matrix") -> CommunicationProblem:
    """A function given by its matrix, None (or −1) where it is undefined.

    Raises:
        InputError: no rows, rows of different lengths, or an entry that is not in 0 … 127.
    """
    widths = sorted({len(row) for row in rows})
    if not widths or widths[0] == 0:
        raise InputError(f"{name}: an empty matrix; at least one row and one column were expected")
    if len(widths) > 1:
        lengths = " and ".join(map(str, widths))
        raise InputError(f"{name}: rows of {lengths} entries; a rectangular matrix was expected")
    for number, row in enumerate(rows, 1):
        for x in row:
            if x is not None and not -1 <= x <= 127:
                raise InputError(f"{name}, row {number}: entry {x}; a value 0 … 127 or None was expected")
    table = np.array([[UNDEFINED if x is None else x for x in row] for row in rows], dtype=np.int8)
    return CommunicationProblem(name, len(rows), widths[0], lambda x, y: table[x, y])


def from_callable(function: Callable[[int, int], int | None], alice: int, bob: int, name: str = "function") -> CommunicationProblem:
    """A function of two input numbers, tabulated; None where it is undefined."""
    return from_matrix([[function(x, y) for y in range(bob)] for x in range(alice)], name)


def greater_than(length: int) -> CommunicationProblem:
    """y > z on all pairs of strings."""
    return on_strings(Problem("GT", "none", length))


def index(length: int) -> CommunicationProblem:
    """Alice holds a string, Bob an index; Bob is to say the bit."""
    return CommunicationProblem(
        f"INDEX_{length}", 1 << length, length, lambda x, k: (x >> (length - 1 - k) & 1).astype(np.int8), lambda x: bits_of(x, length)
    )


def disjointness(length: int) -> CommunicationProblem:
    """1 where two subsets of ``length`` elements, as bit strings, do not meet."""

    def name(k: int) -> str:
        return bits_of(k, length)

    return CommunicationProblem(f"DISJ_{length}", 1 << length, 1 << length, lambda x, y: ((x & y) == 0).astype(np.int8), name, name)
