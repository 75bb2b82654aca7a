"""How much work a decision for all parameters may take: what is not decided within it is open, and the reason names the limit.

Work is counted in steps, never in seconds, so that every machine answers alike. A step is about a part of a formula that is evaluated at
a point; a monomial that computer algebra handles is :data:`MONOMIAL` of them. Both are counted before the work is done, by its size.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping

from verifier.language import exact
from verifier.language.syntax import FUNCTIONS, OVER_RANGES, range_of
from verifier.running.errors import InputError

MONOMIAL = 25
"""Steps for a monomial of an expression that is expanded, reduced or compared."""
CALL = 200
"""Steps for a function of a paper that is called at a point."""
KNOWN = frozenset((*FUNCTIONS, *OVER_RANGES))


class Exhausted(InputError):  # noqa: N818  # as a number that is too large
    """The work allowed is done."""


class Effort:
    """Steps that may be taken, and how many were ``spent``."""

    def __init__(self, steps: float = math.inf) -> None:
        self.steps, self.spent = steps, 0

    def spend(self, steps: int) -> None:
        """Asked before work is done.

        Raises:
            Exhausted: it is more than is left.
        """
        self.spent += steps
        if self.spent > self.steps:
            raise Exhausted(f"more than {self.steps:,.0f} steps of work")


def steps_at(condition: ast.AST, point: Mapping[str, int]) -> int:
    """About how many steps it takes to evaluate a condition at a point: its parts, those under a bound name once for each of its values."""
    match condition:
        case ast.GeneratorExp():
            name, ends = range_of(condition)
            try:
                first, last = (math.floor(exact.rational(end, point)) for end in ends)
            except InputError:
                return 1
            inner = {**point, name: last}
            each = steps_at(condition.elt, inner) + sum(steps_at(test, inner) for test in condition.generators[0].ifs)
            return 1 + max(0, last - first + 1) * each
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return (1 if name in KNOWN else CALL) + sum(steps_at(argument, point) for argument in arguments)
        case ast.Constant() | ast.Name():
            return 1
    return isinstance(condition, ast.expr) + sum(steps_at(part, point) for part in ast.iter_child_nodes(condition))
