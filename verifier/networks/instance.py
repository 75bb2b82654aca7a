"""A construction at given parameters: tokens with vectors, weights, MLP, and the defects that make it ill-formed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from verifier.arithmetic.formats import Precision
from verifier.arithmetic.rationals import Fraction
from verifier.networks.acceptance import USUAL, Acceptance
from verifier.networks.entries import Entry
from verifier.networks.indices import Bit, Field
from verifier.networks.problems import Inputs, Integers, Problem, Task, as_pairs, split_inputs
from verifier.running.errors import Path
from verifier.running.printable import assignment, many

Vector = tuple[Entry, ...]
LONGEST_TABULATED = 22


@dataclass(frozen=True)
class Defect:
    """A reason why a construction is ill-formed at these parameters, with its kind, its place and a sentence. path: the place in the file,
    if it is a single one.
    """

    kind: str
    place: str
    message: str
    path: Path = field(default=(), compare=False)

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


@dataclass(frozen=True)
class Token:
    """One token: its content and the vector for each content.

    ``vectors`` has 2^k entries for the k bits of all fields together, indexed by the bits as a binary number, first field most significant;
    an entry is None if the row prints NA.
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
        """The number of the vector that the pair (y, z) of strings of one length selects."""
        return self.pattern_at({"y": y, "z": z}, {"y": length, "z": length})

    def pattern_at(self, inputs: Inputs, lengths: Mapping[str, int]) -> int:
        """The number of the vector that an input selects."""
        result = 0
        for bit in self.reads:
            result = 2 * result + (inputs[bit.string] >> (lengths[bit.string] - bit.index) & 1)
        return result


@dataclass(frozen=True)
class Matrix:
    """A weight matrix, rows of exact rationals; ``ln2`` if it has the factor ln 2."""

    rows: tuple[tuple[Fraction, ...], ...]
    ln2: bool = False


@dataclass(frozen=True)
class Node:
    """A node of the MLP: max{0, Σ weights·inputs + bias}."""

    weights: tuple[Fraction, ...]
    bias: Fraction


@dataclass(frozen=True)
class Expectation:
    """An expectation about a quantity after some tokens, on every promised input that meets ``where``.

    of: numerator, column, denominator or output; column: its number, from 0 (of the vectors' coordinates, or of W^V).
    after: the tokens after which it is checked; the last one for the output.
    formula: a condition on the strings, the file's names, ``i`` (the token) and ``v`` (the computed value).
    says: the expectation in the file's words.
    """

    name: str
    of: str
    column: int
    after: tuple[int, ...]
    formula: str
    where: str
    says: str
    path: Path


@dataclass(frozen=True, eq=False, repr=False)
class Instance:
    """A construction at given parameters. An instance with defects cannot be evaluated. An instance equals only itself."""

    id: str
    parameters: Mapping[str, int]
    names: Mapping[str, Fraction]
    precision: Precision
    task: Task
    tokens: tuple[Token, ...]
    query: Matrix
    key: Matrix
    value: Matrix
    hidden: tuple[Node, ...]
    output: Node
    attention: str = "softmax"
    accept: Acceptance = USUAL
    defects: tuple[Defect, ...] = field(default=())
    expectations: tuple[Expectation, ...] = field(default=())

    def __post_init__(self) -> None:
        if self.value.ln2 or (self.query.ln2 and self.key.ln2):
            raise ValueError("the factor ln 2 was expected in one of W^Q and W^K at most")

    def __repr__(self) -> str:
        asked = f"{self.task.function} of {self.task.described}"
        return f"{self.id} at {assignment(self.parameters)}: {asked}, {many(len(self.tokens), 'token')}"

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

        All contents if the promise has no conditions on bits, or if the strings are too long to tabulate.
        """
        if not isinstance(self.task, Problem):
            return self._occurring_among_promised(token)
        strings = {bit.string for bit in token.reads}
        if not self.problem.conditions.parts or len(strings) != 1 or self.m > LONGEST_TABULATED:
            return range(len(token.vectors))
        values = self.problem.occurring(strings.pop())
        pattern = np.zeros_like(values)
        for bit in token.reads:
            pattern = 2 * pattern + (values >> (self.m - bit.index) & 1)
        return [int(k) for k in np.unique(pattern)]

    def _occurring_among_promised(self, token: Token) -> Sequence[int]:
        if not self.task.restricted or self.task.bits > LONGEST_TABULATED:
            return range(len(token.vectors))
        pattern = np.zeros_like(next(iter(self._promised.values())))
        for bit in token.reads:
            pattern = 2 * pattern + (self._promised[bit.string] >> (self.task.strings[bit.string] - bit.index) & 1)
        return [int(k) for k in np.unique(pattern)]

    @cached_property
    def _promised(self) -> Mapping[str, Integers]:
        """The inputs that keep the promise, of 2^bits."""
        inputs = split_inputs(self.task, np.arange(1 << self.task.bits, dtype=np.int64))
        kept = self.task.promises_at(inputs)
        return {name: values[kept] for name, values in inputs.items()}

    @property
    def problem(self) -> Problem:
        """The task as a problem on pairs, as the engines for EQ need it.

        Raises:
            InputError: it is none.
        """
        return as_pairs(self.task, self.id)

    @property
    def scores_in_ln2(self) -> bool:
        """Whether W^Q or W^K, never both, has the factor ln 2, which every score ⟨Q, K⟩ then has."""
        return self.query.ln2 or self.key.ln2

    @property
    def outputs(self) -> int:
        """The number of columns of W^V, which is the number of the attention's outputs."""
        return len(self.value.rows[0])

    @property
    def m(self) -> int:
        """Length of the two input strings."""
        return self.problem.length
