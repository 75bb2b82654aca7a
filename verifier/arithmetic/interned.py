"""The machine on arrays for any number of digits: a state is the number under which a value is known.

Each operation is the scalar machine's, once for each pair of values that meet. Made for few values: a format of a thousand digits, whose
sums take a thousand values.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from verifier.arithmetic.arrays import SAFE, SPECIALS, ArrayMachine, States
from verifier.arithmetic.machine import Machine, rectified
from verifier.arithmetic.numbers import ZERO, Number, Special
from verifier.arithmetic.rationals import Fraction


class Interned(ArrayMachine):
    """States are 0 for the value 0 and numbers in the order in which values are met for others; they are not in the order of values."""

    def __init__(self, machine: Machine) -> None:
        super().__init__(machine, SAFE)
        self._values: list[Number] = [ZERO]
        self._states: dict[Number, int] = {ZERO: 0}
        self._made: dict[tuple[str, int, int], int] = {}

    def encode(self, x: Number) -> np.int64:
        if isinstance(x, Special):
            return SPECIALS[x]
        if x not in self._states:
            self._states[x] = len(self._values)
            self._values.append(x)
        return np.int64(self._states[x])

    def decoded(self, states: States) -> list[Number]:
        named = {int(code): special for special, code in SPECIALS.items()}
        return [named[s] if s in named else self._values[s] for s in states.tolist()]

    def rectify(self, a: States) -> States:
        return self._on_distinct(a, rectified)

    def _sum(self, a: States, b: States) -> States:
        return self._of_pairs("sum", self.machine.add, a, b)

    def _divide(self, a: States, b: States) -> States:
        return self._of_pairs("quotient", self.machine.divide, a, b)

    def _sum_with(self, a: States, constant: Fraction) -> States:
        return self._of_pairs("sum with", self.machine.add, a, np.asarray(self.encode(constant)))

    def _product(self, a: States, constant: Fraction) -> States:
        return self._of_pairs("product", self.machine.multiply, a, np.asarray(self.encode(constant)))

    def _quotient(self, a: States, b: States) -> States:
        return self._divide(a, b)

    def _of_pairs(self, name: str, operation: Callable[[Number, Number], Number], a: States, b: States) -> States:
        a, b = np.broadcast_arrays(a, b)
        found, known = [], self._made
        for pair in zip(a.ravel().tolist(), b.ravel().tolist(), strict=True):
            state = known.get((name, *pair))
            if state is None:
                x, y = self.decoded(np.array(pair, np.int64))
                state = known[name, *pair] = int(self.encode(operation(x, y)))
            found.append(state)
        return np.array(found, np.int64).reshape(a.shape)
