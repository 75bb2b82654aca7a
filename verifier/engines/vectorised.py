"""The interface of a vectorised machine, and the machine for a format."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from verifier.arithmetic.machine import Machine
from verifier.arithmetic.numbers import Number
from verifier.engines.fixed_point_arrays import Lattice, States, Truths
from verifier.engines.floating_point_arrays import Codes


class Arithmetic(Protocol):
    """A bounded-precision machine on arrays of states; each operation is that of the scalar machine, on every element."""

    machine: Machine
    largest: int

    def encode(self, x: Number) -> np.int64: ...

    def decode(self, state: int | np.int64) -> Number: ...

    def finite(self, states: States) -> Truths: ...

    def add(self, a: States, b: States) -> States: ...

    def add_constant(self, a: States, constant: Number) -> States: ...

    def multiply_constant(self, a: States, constant: Number) -> States: ...

    def divide(self, a: States, b: States) -> States: ...

    def rectify(self, a: States) -> States: ...


def vectorised(machine: Machine) -> Arithmetic:
    """The vectorised machine for a scalar one: multiples of a unit for fixed point, codes for floating point."""
    return Lattice(machine) if machine.form.fixed_point else Codes(machine)
