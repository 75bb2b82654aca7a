"""One value column of two bits, decided backwards from the output without a solver: it can decide EQ_2, but not EQ_3 (T0, n = 2m)."""

from functools import cache
from itertools import combinations, product

import pytest

from lowerbounds.one_column import Sums, choices
from verifier.arithmetic.machine import Machine
from verifier.arithmetic.numbers import NAN, ZERO, Number, sign
from verifier.arithmetic.semantics import read_semantics

DEAD = 0
"""The number of a sum that is NaN: it stays NaN, and is rejected."""
Family = tuple[tuple[int, ...], int]


class Backwards:
    """Sets of states, as masks: before some token, one for each string y that must still be accepted, and one that must be rejected."""

    def __init__(self, machine: Machine) -> None:
        moves: list[Sums] = list(choices(machine))
        states: list[Sums] = [(ZERO, ZERO)]
        for a, d in states:  # which grows
            after = {(machine.add(a, x), machine.add(d, w)) for x, w in moves}
            states += sorted((s for s in after if NAN not in s and s not in states), key=str)
        number = {state: k for k, state in enumerate(states, 1)}
        self.maps = {(DEAD, *(number.get((machine.add(a, x), machine.add(d, w)), DEAD) for a, d in states)) for x, w in moves}
        values = [x for x in machine.form.values() if sign(x) > 0]
        self.outputs = [[NAN, *(machine.divide(machine.multiply(a, w), d) for a, d in states)] for w in values]
        self.start = 1 << number[ZERO, ZERO]
        self.every = (2 << len(states)) - 1
        self.before = cache(self._before)

    def _before(self, token: tuple[int, ...], after: int) -> int:
        return sum(1 << k for k, x in enumerate(token) if after >> x & 1)

    def last(self) -> set[Family]:
        """Before the last token: by each weight of the column, each map, and each set of accepted outputs."""
        found: set[Family] = set()
        for output, token in product(self.outputs, self.maps):
            values: list[Number] = sorted({output[x] for x in token} - {NAN}, key=str)
            for accepted in (each for size in range(len(values)) for each in combinations(values, size + 1)):
                yes = sum(1 << k for k, x in enumerate(token) if output[x] in accepted)
                found.add(((yes,), self.every & ~yes))
        return found

    def bit_of_z(self, after: set[Family]) -> set[Family]:
        """A y that goes on with 0, as z does, is accepted after this 0 and rejected after 1; for a y that goes on with 1 only 1 counts."""
        found: set[Family] = set()
        for own, other in after:
            zeros = {(*(self.before(token, x) for x in own), self.before(token, other)) for token in self.maps}
            for (*low, rejected), (*high, smaller) in product(zeros, repeat=2):
                both = (*(x & smaller for x in low), *high)
                if 0 not in both:
                    found.add((both, rejected & smaller))
        return found

    def bit_of_y(self, after: set[tuple[int, ...]]) -> set[tuple[int, ...]]:
        """Each beginning of y leads to the set of its continuation by 0, and to that by 1."""
        found = set()
        for own in after:
            lists = [{tuple(self.before(token, x) for x in own[bit::2]) for token in self.maps} for bit in (0, 1)]
            found |= {tuple(x & y for x, y in zip(*pair, strict=True)) for pair in product(*lists)}
        return {own for own in found if 0 not in own}

    def decides(self, length: int) -> bool:
        families = self.last()
        for _ in range(length):
            families = self.bit_of_z(families)
        strings = {own for own, _ in families}
        for _ in range(length):
            strings = self.bit_of_y(strings)
        return any(own & self.start for (own,) in strings)


@pytest.mark.campaign
def test_two_bits_decide_strings_of_two_bits_and_not_of_three() -> None:
    two_bits = Backwards(read_semantics("a4").machine(2))
    assert two_bits.decides(2)
    assert not two_bits.decides(3)


@pytest.mark.parametrize("bits", [1, 2])
def test_strings_of_one_bit_take_two_bits(bits: int) -> None:
    assert Backwards(read_semantics("a4").machine(bits)).decides(1) is (bits == 2)
