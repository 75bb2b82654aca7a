"""How many numbers of Table 6's MLP have to change: four, whatever the numbers of p bits that they become.

The printed MLP is relu(1 + v1 relu(-x + s) + v2 relu(x - s)) with v1 = v2 = -2^(p-1) and s = 2^-(p-1). Neither v1 nor v2 is a number of
p bits, so both change. It has to answer 0 where x = 0 and 1 where x = s: strings with both outputs exist in either order of evaluation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest

from verifier.arithmetic.arrays import Lattice
from verifier.arithmetic.machine import rectified
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import read_semantics

MACHINES = {p: read_semantics("a4").machine(p) for p in (2, 3, 4, 5, 7)}


class Numbers(NamedTuple):
    """What stands in the MLP beside the two output weights."""

    weight_1: Fraction
    bias_1: Fraction
    weight_2: Fraction
    bias_2: Fraction
    output_bias: Fraction

    @classmethod
    def printed(cls, p: int) -> Numbers:
        s = Fraction(1, 2 ** (p - 1))
        return cls(Fraction(-1), s, Fraction(1), -s, Fraction(1))

    def changed_once(self, values: list[Fraction]) -> Iterator[Numbers]:
        yield from (self._replace(**{name: value}) for name in self._fields for value in values)


def suffices(numbers: Numbers, p: int) -> bool:
    """Whether some two output weights of p bits make the MLP right at 0 and at s."""
    machine = MACHINES[p]
    lattice = Lattice(machine)
    weights = np.array([lattice.encode(v) for v in machine.form.values()], dtype=np.int64)
    right = np.ones((len(weights), len(weights)), dtype=np.bool_)
    for x, answer in ((Fraction(0), 0), (Fraction(1, 2 ** (p - 1)), 1)):
        nodes = ((numbers.weight_1, numbers.bias_1), (numbers.weight_2, numbers.bias_2))
        hidden = [rectified(machine.add(machine.multiply(weight, x), bias)) for weight, bias in nodes]
        one, two = (lattice.multiply_constant(weights, node) for node in hidden)
        output = lattice.rectify(lattice.add_constant(lattice.add(one[:, None], two[None, :]), numbers.output_bias))
        right &= output == lattice.encode(Fraction(answer))
    return bool(right.any())


@pytest.mark.parametrize("p", [2, 3, *(pytest.param(p, marks=pytest.mark.campaign) for p in (4, 5))])
def test_no_three_edits_suffice(p: int) -> None:
    values = list(MACHINES[p].form.values())
    numbers = Numbers.printed(p)
    assert not MACHINES[p].form.contains(Fraction(2 ** (p - 1)))
    assert not [each for each in numbers.changed_once(values) if suffices(each, p)]


@pytest.mark.parametrize("p", [4, 7])
def test_our_four_edits_suffice(p: int) -> None:
    printed = Numbers.printed(p)
    assert suffices(printed._replace(weight_2=printed.weight_1, bias_2=printed.bias_1), p)
    assert not suffices(printed._replace(weight_2=printed.weight_1), p)
