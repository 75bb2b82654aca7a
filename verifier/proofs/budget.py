"""The limit of work for a decision for all parameters: a condition that is not decided within it is open, and the reason names the limit.

Work is counted in steps, never in seconds, so that every machine gives the same answer. A step is roughly one part of a formula evaluated
at a point; a monomial in computer algebra counts as :data:`MONOMIAL` steps. Both are counted, by their size, before the work is done.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from verifier.language import exact
from verifier.language.syntax import FUNCTIONS, OVER_RANGES
from verifier.language.tree import Call, Membership, Node, Ranged, Slice
from verifier.running.errors import InputError

MONOMIAL = 25
"""Steps for a monomial of an expression that is expanded, reduced or compared."""
CALL = 200
"""Steps for a function of a paper that is called at a point."""
KNOWN = frozenset((*FUNCTIONS, *OVER_RANGES))


class Exhausted(InputError):  # noqa: N818  # as a number that is too large
    """The allowed work is used up."""


class Effort:
    """The allowed steps, and the steps ``spent``."""

    def __init__(self, steps: float = math.inf) -> None:
        self.steps, self.spent = steps, 0

    def spend(self, steps: int) -> None:
        """Reserve work before it is done.

        Raises:
            Exhausted: it is more than is left.
        """
        self.spent += steps
        if self.spent > self.steps:
            raise Exhausted(f"more than {self.steps:,.0f} steps of work")


def steps_at(condition: Node, point: Mapping[str, int]) -> int:
    """The approximate number of steps to evaluate a condition at a point: its parts, with those under a bound name once for each of its
    values."""
    match condition:
        case Ranged():
            try:
                first, last = (math.floor(exact.rational(end, point)) for end in condition.ends)
            except InputError:
                return 2
            inner = {**point, condition.name: last}
            each = steps_at(condition.body, inner) + sum(steps_at(test, inner) for test in condition.tests)
            return 2 + max(0, last - first + 1) * each
        case Call(name, arguments):
            return (1 if name in KNOWN else CALL) + sum(steps_at(argument, point) for argument in arguments)
        case Slice() | Membership():
            own = 3 if isinstance(condition, Slice) and condition.last is not None else 2
        case _:
            own = 1
    return own + sum(steps_at(part, point) for part in condition.children)
