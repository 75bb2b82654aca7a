"""The effect of one token on a transformer's two running sums, the denominator and a numerator that is a single sum.

A token holds one bit and adds a product to the numerator and its weight, an exponential, to the denominator, each rounded. The numerator's
sums determine how the two are coupled: it sums one product of weight and value, or several of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

from verifier.arithmetic.enclosure import round_power_of_two
from verifier.arithmetic.machine import Machine
from verifier.arithmetic.numbers import INF, NAN, NEG_INF, ZERO, Number
from verifier.arithmetic.semantics import Semantics

Coupling = Literal["product", "any", "independent", "score"]
"""The products that a token of weight w can add. product: round(w·v) for a value v of the format: one column that W^V uses, with weight 1.
score:       the same, where w is 0 or a rounded power 2^s of a score s of the format: what a token with ideal ln 2 can add.
any:         every value and ±inf where w ≠ 0, and 0 where w = 0: more than any number of products of that weight, values that overflow,
             entries that the format lacks, or the entry N.
independent: every value and ±inf for every w, which no transformer can do.
"""
COUPLINGS: tuple[Coupling, ...] = get_args(Coupling)

Sums = tuple[Number, Number]
"""The running sums of the numerator and the denominator; or what a token adds to them, its product and its weight."""

START: Sums = (ZERO, ZERO)


def numerators(machine: Machine) -> list[Number]:
    """Every possible value of a running numerator, without NaN, ascending. A machine has both infinities or none."""
    values = list(machine.form.values())
    return [NEG_INF, *values, INF] if machine.holds(INF) else [*values]


def denominators(machine: Machine) -> list[Number]:
    """Every value that a sum of exponentials can have, ascending. A single token's weight has the same values."""
    return [x for x in numerators(machine) if x is INF or (x is not NEG_INF and x >= 0)]  # type: ignore[operator]  # only ±inf cannot be compared


def products(machine: Machine, weight: Number, coupling: Coupling) -> list[Number]:
    """The values that a token of this weight can add to the numerator."""
    if coupling in ("product", "score"):
        made = (machine.multiply(weight, v) for v in machine.form.values())
        return [*dict.fromkeys(x for x in made if x is not NAN)]
    return [ZERO] if weight == 0 and coupling == "any" else numerators(machine)


def moves(machine: Machine, coupling: Coupling) -> list[Sums]:
    """Every (product, weight) that one token can add. Whatever the rounded value of ln 2 is, e^s is one of the weights."""
    powers = (ZERO, *(round_power_of_two(machine, s) for s in machine.form.values()))
    weights = dict.fromkeys(powers) if coupling == "score" else denominators(machine)
    return [(x, w) for w in weights for x in products(machine, w, coupling)]


@dataclass(frozen=True)
class RunningSums:
    """The two running sums of a semantics with numbers of this many bits, and their maps by one token of a coupling."""

    semantics: Semantics
    bits: int
    coupling: Coupling

    @cached_property
    def machine(self) -> Machine:
        return self.semantics.machine(self.bits)

    @cached_property
    def _added(self) -> dict[Sums, Number]:
        """A cache of rounded sums."""
        return {}

    def _add(self, x: Number, y: Number) -> Number:
        if (x, y) not in self._added:
            self._added[x, y] = self.machine.add(x, y)
        return self._added[x, y]

    def moved(self, sums: Sums, move: Sums) -> Sums:
        """The sums after one more token."""
        return self._add(sums[0], move[0]), self._add(sums[1], move[1])

    @cached_property
    def moves(self) -> list[Sums]:
        return moves(self.machine, self.coupling)

    @cached_property
    def states(self) -> list[Sums]:
        """The states that one of Alice's strings can reach from (0, 0) and that lead to an output other than NaN.

        A string y whose outputs are all NaN is rejected with z = y. Outputs are taken with W^V = 1: another weight makes NaN where
        this one does, and perhaps elsewhere.
        """
        above, below = numerators(self.machine), denominators(self.machine)
        before = self._before(above, below)
        kept = {(a, d) for a, d in before if self.machine.divide(above[a], below[d]) is not NAN}
        frontier = list(kept)
        while frontier:
            new = before[frontier.pop()] - kept
            kept |= new
            frontier += new
        return [(above[a], below[d]) for a, d in sorted(kept)]

    def _before(self, above: Sequence[Number], below: Sequence[Number]) -> dict[tuple[int, int], set[tuple[int, int]]]:
        """The states that tokens reach from (0, 0) without NaN, each with the states one token before it, by their places in the list."""
        of_number = {x: i for i, x in enumerate(above)}
        of_weight = {x: i for i, x in enumerate(below)}
        numerator = [[of_number.get(self._add(x, move)) for move, _ in self.moves] for x in above]
        denominator = [[of_weight.get(self._add(x, move)) for _, move in self.moves] for x in below]
        start = of_number[ZERO], of_weight[ZERO]
        frontier, before = [start], {start: set[tuple[int, int]]()}
        while frontier:
            state = frontier.pop()
            for a, d in {*zip(numerator[state[0]], denominator[state[1]], strict=True)}:
                if a is not None and d is not None:
                    if (a, d) not in before:
                        before[a, d] = set()
                        frontier.append((a, d))
                    before[a, d].add(state)
        return before

    @cached_property
    def maps(self) -> dict[tuple[int | None, ...], Sums]:
        """List the maps of the states by one token, each as the numbers of the images (None if the image is not a state), with a move."""
        number = {s: i for i, s in enumerate(self.states)}
        found: dict[tuple[int | None, ...], Sums] = {}
        for move in self.moves:
            image = tuple(number.get(self.moved(s, move)) for s in self.states)
            found.setdefault(image, move)
        return found

    @cached_property
    def first(self) -> frozenset[Sums]:
        """The states that y_1's token reaches."""
        return frozenset(self.states).intersection(self.moved(START, move) for move in self.moves)
