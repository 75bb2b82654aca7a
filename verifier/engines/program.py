"""A reading of an instance as a program for the vectorised machine: running sums, and each token's terms.

The scalar definition computes a token's terms once, for every content of the token; the engines only add, and the definition finishes on
arrays. Inputs are given by their bits, in arrays that broadcast. With an axis of length 2 for every bit (:func:`axes`), reading a new bit
doubles the array of a running sum, so inputs that agree so far share their work.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Protocol

import numpy as np

from verifier.arithmetic.arrays import INFINITE, NOT_A_NUMBER, ArrayMachine, Interned, States, Truths, vectorised
from verifier.arithmetic.numbers import ONE, Number
from verifier.arithmetic.semantics import Arithmetic
from verifier.networks.indices import Bit
from verifier.networks.instance import Token
from verifier.running.errors import LimitError
from verifier.transformers.contexts import Rounded
from verifier.transformers.evaluate import after, weighed
from verifier.transformers.formulas import Constant
from verifier.transformers.tables import OUTPUT, Execution

NO, YES, NEITHER, INVALID, EITHER = 0, 1, 2, 3, 4
"""Answers of the transformer: 0, 1, an output node that is neither, and NaN (which counts as 0); or what is right as 0 and as 1."""

DENOMINATOR = "denominator"


class Known(Protocol):
    """The values of bits, as numbers or arrays."""

    def __getitem__(self, bit: Bit, /) -> States | int: ...


@dataclass(frozen=True)
class Addend:
    """A token's term in one running sum: ``table[pattern]`` for the bits ``reads``, only those that matter."""

    reads: tuple[Bit, ...]
    table: States

    def at(self, bits: Known) -> States:
        """The token's term for each of some inputs. bits: the inputs' bits, in arrays that broadcast."""
        pattern: States = np.zeros((), np.int64)
        for bit in self.reads:
            pattern = 2 * pattern + bits[bit]
        return np.asarray(self.table.reshape(-1)[pattern])

    def given(self, known: Mapping[Bit, int]) -> Addend:
        """The addend if some bits are known."""
        table, left = self.table, list(self.reads)
        for bit in self.reads:
            if bit in known:
                table = np.asarray(table.take(known[bit], left.index(bit)))
                left.remove(bit)
        return Addend(tuple(left), table)


@dataclass(frozen=True)
class RunningSum:
    """A sum over the tokens in their order, and the input bits on which it depends."""

    name: str
    addends: tuple[Addend, ...]

    @property
    def bits(self) -> frozenset[Bit]:
        return frozenset(bit for a in self.addends for bit in a.reads)


@dataclass(frozen=True)
class Faults:
    """For each output of the attention: whether it is wrong on a NO input, wrong on a YES input, or leads to NaN."""

    on_no: Truths
    on_yes: Truths
    invalid: Truths


Criterion = Callable[..., Faults]
"""The test that an engine applies to the attention's outputs. By default it is :meth:`Program.faults`, the transformer's answers."""


class Program:
    """The running sums of a reading and the computation of an answer from them."""

    def __init__(self, execution: Execution, steps: range | None = None, lattice: ArrayMachine | None = None) -> None:
        """Make the program of a reading.

        Args:
            steps: only the tokens of these rows take part (all rows by default).
            lattice: the machine that runs it; by default the one of 64-bit integers.

        Raises:
            LimitError: an arithmetic in which a token's terms depend on other tokens, or a format that 64-bit integers do not hold.
        """
        if not execution.semantics.of_tables:
            raise LimitError(
                f"{execution.semantics}: running sums in the manner of a4 were expected", "a4 with a format, such as a4+format=float16"
            )
        self.execution = execution
        self.tokens = tuple(t for t in execution.instance.tokens if steps is None or t.step in steps)
        self.lattice = lattice or vectorised(execution.machine)
        self._operations: Any = OnStates(execution.context, self.lattice)
        names = [f"sum {k}" for k in range(1, execution.sums + 1)]
        self.numerator_sums = tuple(names)
        self._encoded = lru_cache(maxsize=None)(self.lattice.encode)

    @cached_property
    def sums(self) -> Mapping[str, RunningSum]:
        """The running sums by name; the tokens' terms are tabulated at the first request."""
        names = [*self.numerator_sums, DENOMINATOR] if self.execution.normalised else [*self.numerator_sums]
        return self._tabulate(names)

    def _tabulate(self, names: list[str]) -> dict[str, RunningSum]:
        found = [self._addends(token, names) for token in self.tokens]
        return {name: RunningSum(name, tuple(each[name] for each in found if name in each)) for name in names}

    def _addends(self, token: Token, names: list[str]) -> dict[str, Addend]:
        terms = [self.execution.term(token, pattern) for pattern in range(len(token.vectors))]
        addends = {}
        for k, name in enumerate(names):
            column = [t.weight if name == DENOMINATOR else t.products[k] for t in terms]
            addend = _essential(token.reads, np.array([self._encoded(x) for x in column], dtype=np.int64))
            if addend.table.any():
                addends[name] = addend
        return addends

    def sum_at(self, total: RunningSum, bits: Known) -> States:
        """The final values of a running sum for some inputs. bits: theirs, in arrays that broadcast."""
        states: States = np.zeros((), np.int64)
        for addend in total.addends:
            states = self.lattice.add(states, addend.at(bits))
        return states

    def sums_at(self, bits: Known) -> dict[str, States]:
        """Compute every running sum for some inputs."""
        return {name: self.sum_at(total, bits) for name, total in self.sums.items()}

    def by_token(self) -> list[dict[str, Addend]]:
        """The terms of each token, by the name of the sum; tokens whose term is always 0 are left out."""
        names = list(self.sums)
        return [self._addends(token, names) for token in self.tokens]

    def weighted(self, name: str, states: States) -> States:
        """A sum's term in the numerator: times its value weight if the columns of A X were summed, else the sum itself."""
        if self.execution.semantics.order != "ax":
            return states
        column = self.execution.columns[self.numerator_sums.index(name)]
        return self.lattice.multiply_constant(states, self.execution.value_weights[column])

    def total(self, parts: Mapping[str, States]) -> States:
        """The numerator, added from left to right from the terms of the sums."""
        if self.execution.semantics.order != "ax":
            return parts[self.numerator_sums[0]]
        total: States = np.zeros((), dtype=np.int64)
        for name in self.numerator_sums:
            total = self.lattice.add(total, parts[name])
        return total

    def numerators(self, sums: Mapping[str, States]) -> list[States]:
        """(A X) W^V for each column of W^V; if products or V were summed, the sums themselves."""
        named = {name: sums[own] for name, own in zip(self.execution.sum_names, self.numerator_sums, strict=True)}
        return list(weighed(self.execution.head, named, self._operations).values())

    def attentions(self, sums: Mapping[str, States]) -> list[States]:
        """The attention's outputs, one for each column of W^V."""
        found = self.numerators(sums)
        return [self.lattice.divide(x, sums[DENOMINATOR]) for x in found] if self.execution.normalised else found

    def outputs(self, *attentions: States) -> States:
        """The output node for the outputs of the attention."""
        execution, shape = self.execution, np.broadcast_shapes(*(np.shape(x) for x in attentions))
        given = dict(zip(execution.head.value, attentions, strict=True))
        output = np.broadcast_to(after(execution.layer, {}, [given], self._operations)[2][OUTPUT], shape)
        return self.lattice.rectify(output) if execution.instance.accept.rectified else output

    def answers(self, *attentions: States) -> States:
        """NO, YES, NEITHER or INVALID for the outputs of the attention; by a table of answers if the table is smaller."""
        largest = self.lattice.largest
        if len(attentions) > 1 or attentions[0].size < 4 * largest + 8:
            return self._answers(*attentions)
        places = np.clip(attentions[0], -largest - 1, largest + 1)
        places[attentions[0] == NOT_A_NUMBER] = largest + 2
        return self._answer_of_every_state[places + largest + 1]

    @cached_property
    def _answer_of_every_state(self) -> States:
        """The answers to −inf, every multiple of the unit or code from −largest to largest, inf and NaN."""
        finite = np.arange(-self.lattice.largest, self.lattice.largest + 1)
        return self._answers(np.concatenate([[-INFINITE], finite, [INFINITE, NOT_A_NUMBER]]))

    def _answers(self, *attentions: States) -> States:
        output = self.outputs(*attentions)
        if not self.execution.instance.accept.usual:
            return self.accepted(output)
        answers = np.full(output.shape, NEITHER, dtype=np.int64)
        answers[output == 0] = NO
        if self.execution.machine.form.contains(ONE):
            answers[output == self.lattice.encode(ONE)] = YES
        answers[output == NOT_A_NUMBER] = INVALID
        return answers

    def faults(self, *attentions: States) -> Faults:
        """The outputs whose answer is wrong if the function's value is 0 or 1, and those that lead to NaN."""
        answers = self.answers(*attentions)
        return Faults((answers == YES) | (answers == NEITHER), answers != YES, answers == INVALID)

    def accepted(self, output: States) -> States:
        """The answers to output nodes by the file's conditions, evaluated once for each distinct node."""
        accept = self.execution.instance.accept
        distinct, places = np.unique(output, return_inverse=True)
        said = {1: YES, 0: NO, None: NEITHER}
        found = [INVALID if x == NOT_A_NUMBER else said[accept.answer(self.lattice.decode(x))] for x in distinct]
        return np.array(found, dtype=np.int64)[places].reshape(output.shape)


@dataclass(frozen=True)
class OnStates:
    """The operations that the definition needs after the sums over tokens, on arrays of states; coefficients are numbers."""

    context: Rounded
    lattice: ArrayMachine

    @property
    def arithmetic(self) -> Arithmetic:
        return self.context.arithmetic

    def constant(self, x: Constant) -> Number:
        found: Number = self.context.constant(x)
        return found

    def unbounded(self, x: Any) -> bool:
        return True

    def dot(self, terms: Sequence[tuple[Number, Any] | None], constant: Constant | None = None, name: str = "") -> Any:
        total: States = np.zeros((), dtype=np.int64)
        for coefficient, x in filter(None, terms):
            total = self.lattice.add(total, self.lattice.multiply_constant(x, coefficient))
        return total if constant is None else self.lattice.add_constant(total, self.constant(constant))

    def rectified(self, x: Any) -> Any:
        return self.lattice.rectify(x)


def _essential(reads: tuple[Bit, ...], table: States) -> Addend:
    """The addend without the bits on which it does not depend; a bit read twice by one token is kept once."""
    cube = table.reshape((2,) * len(reads))
    distinct: list[Bit] = []
    for bit in reads:
        if bit in distinct:
            axis = distinct.index(bit)
            cube = np.moveaxis(np.diagonal(cube, axis1=axis, axis2=len(distinct)), -1, axis)
        else:
            distinct.append(bit)
    kept: list[Bit] = []
    for bit in distinct:
        if np.array_equal(cube.take(0, len(kept)), cube.take(1, len(kept))):
            cube = np.asarray(cube.take(0, len(kept)))
        else:
            kept.append(bit)
    return Addend(tuple(kept), cube.copy())


@lru_cache(maxsize=8)
def program_of(execution: Execution) -> Program:
    """The running sums of all rows, tabulated once for the engines and claims that ask for them."""
    return Program(execution)


@lru_cache(maxsize=8)
def sums_of(execution: Execution) -> Program:
    """The running sums of a table; if 64 bits do not hold the format, on values that are looked up.

    Raises:
        LimitError: an arithmetic in which a token's terms depend on other tokens.
    """
    try:
        return program_of(execution)
    except LimitError:
        if not execution.semantics.of_tables:
            raise
        return Program(execution, lattice=Interned(execution.machine))


def axes(bits: Sequence[Bit]) -> dict[Bit, States]:
    """Every setting of some bits in one array. Each bit has an axis, along which it is 0 and then 1."""
    return {bit: np.arange(2).reshape((2,) + (1,) * (len(bits) - k)) for k, bit in enumerate(bits, 1)}


def bits_of(strings: Mapping[str, States], lengths: Mapping[str, int]) -> dict[Bit, States]:
    """The bits of strings that are given as integers."""
    return {Bit(name, k): strings[name] >> length - k & 1 for name, length in lengths.items() for k in range(1, length + 1)}
