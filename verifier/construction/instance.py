"""A construction at given parameters: tokens with vectors, weights, MLP, and the defects that make it ill-formed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np

from verifier.arithmetic.formats import Precision
from verifier.construction.entries import Entry
from verifier.construction.indices import Bit, Field
from verifier.problems import Problem

Vector = tuple[Entry, ...]
LONGEST_TABULATED = 22


@dataclass(frozen=True)
class Defect:
    """Why a construction is ill-formed at these parameters: kind, place and a sentence."""

    kind: str
    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


@dataclass(frozen=True)
class Token:
    """One token: what it holds and the vector for each content.

    ``vectors`` has 2^k entries for the k bits of all fields together, indexed by the bits as a binary number, first field
    most significant; an entry is None where the row prints NA.
    """

    index: int
    step: int
    fields: tuple[Field, ...]
    vectors: tuple[Vector | None, ...]

    @cached_property
    def reads(self) -> tuple[Bit, ...]:
        """The input bits that the token holds, in the order of ``vectors``."""
        return tuple(bit.plain for each in self.fields for bit in each)

    def pattern(self, y: int, z: int, length: int) -> int:
        """Which of ``vectors`` the input (y, z) selects."""
        strings = {"y": y, "z": z}
        result = 0
        for bit in self.reads:
            result = 2 * result + (strings[bit.string] >> (length - bit.index) & 1)
        return result


@dataclass(frozen=True)
class Matrix:
    """A weight matrix, rows of exact rationals; ``ln2`` where it carries the factor ln 2."""

    rows: tuple[tuple[Fraction, ...], ...]
    ln2: bool = False


@dataclass(frozen=True)
class Node:
    """A node of the MLP: max{0, Σ weights·inputs + bias}."""

    weights: tuple[Fraction, ...]
    bias: Fraction


@dataclass(frozen=True, eq=False)
class Instance:
    """A construction at given parameters. An instance with defects cannot be evaluated. Equal to nothing but itself."""

    id: str
    parameters: Mapping[str, int]
    names: Mapping[str, Fraction]
    precision: Precision
    problem: Problem
    tokens: tuple[Token, ...]
    query: Matrix
    key: Matrix
    value: Matrix
    hidden: tuple[Node, ...]
    output: Node
    attention: str = "softmax"
    defects: tuple[Defect, ...] = field(default=())

    @property
    def asking(self) -> Token:
        """The last token: its vector gives the query."""
        return self.tokens[-1]

    @property
    def bits(self) -> int:
        """The bits of a number: those of fixed point, or t + e."""
        return self.precision if isinstance(self.precision, int) else self.precision.bits

    def occurring(self, token: Token) -> Sequence[int]:
        """The contents (indices of ``token.vectors``) that some promised pair gives the token.

        All of them where the promise has no conditions on bits, and where the strings are too long to tabulate.
        """
        strings = {bit.string for bit in token.reads}
        if not self.problem.conditions.parts or len(strings) != 1 or self.m > LONGEST_TABULATED:
            return range(len(token.vectors))
        values = self.problem.occurring(strings.pop())
        pattern = np.zeros_like(values)
        for bit in token.reads:
            pattern = 2 * pattern + (values >> (self.m - bit.index) & 1)
        return [int(k) for k in np.unique(pattern)]

    @property
    def m(self) -> int:
        """Length of the two input strings."""
        return self.problem.length
