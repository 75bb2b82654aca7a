"""Why an activation has a gap of one level on Q_{p,s} for every s: its slopes beside 0 where s is large, two neighbours where s is small.

Source: Section 5.7, where this is done for each activation by (A4) to (A7).

Signs and directions are read from the formulas: which parts are positive, and which rise with x on all of a half-line. Only what follows
part by part is said: e^x is positive and rises, 1/u falls where u is positive and rises, a product of two positive rising parts rises, and
so on. What does not follow is left open.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil
from typing import Literal

from constructions.fixed_point_networks.mathematics.activations import Activation, unclamped
from verifier.arithmetic.rationals import Fraction
from verifier.language.enclosed_ranges import escape
from verifier.language.syntax import tree_of
from verifier.language.tree import Algebra, Call, Name, Node, Numeral, Operation, Signed, fold

ENDS = {"(A4)": (0, 2), "(A5)": (-3, 3)}
"""q₁ and q₂ of the conditions on slopes in (1/(q₂ − q₁), 1) on an interval with 0 in it or at its end."""
SMALL = 3
"""Up to this s slopes are asked for from s on, and neighbours below it."""
FURTHEST = 7
"""The greatest level of an input or output, which is in Q_{p,s} from p = 3 on."""


@dataclass(frozen=True)
class OneLevel:
    """The two parts of the reason.

    condition, ends: a condition on slopes, with q₁ and q₂; from_s: from which s on it holds, by enclosures of the slopes on all of
    (q₁/from_s, q₂/from_s). neighbours: for each smaller s the k for which the outputs at k/s and (k + 1)/s are one level apart.
    at_zero: a number that |σ(0)| does not exceed; furthest: the greatest level of the neighbours and of their outputs.
    """

    condition: str
    ends: tuple[int, int]
    from_s: int
    neighbours: dict[int, int]
    at_zero: Fraction
    furthest: int

    @property
    def reach(self) -> int:
        """max |q|: |σ(x)| ≤ |σ(0)| + reach/s on the interval, as the slopes there are between 0 and 1."""
        return max(map(abs, self.ends))

    def __str__(self) -> str:
        low, high = (Fraction(q, self.from_s) for q in self.ends)
        said = f"slopes in (1/{self.ends[1] - self.ends[0]}, 1) on ({low}, {high}), as {self.condition} asks for s >= {self.from_s}"
        small = [f"the outputs at {Fraction(k, s)} and {Fraction(k + 1, s)} for s = {s}" for s, k in self.neighbours.items()]
        return "; ".join([said, *small])


@lru_cache(maxsize=64)
def one_level(sigma: Activation) -> OneLevel | None:
    """The reason for an activation; None where none of this kind is found."""
    for from_s in range(1, SMALL + 1):
        for condition, ends in ENDS.items():
            if not _slopes(sigma, ends, from_s):
                continue
            neighbours = {s: _neighbours(sigma, s) for s in range(1, from_s)}
            known = {s: k for s, k in neighbours.items() if k is not None}
            if known.keys() == neighbours.keys():
                levels = [abs(unclamped(sigma, j, s)) for s, k in known.items() for j in (k, k + 1)]
                furthest = max([*levels, *(max(abs(k), abs(k + 1)) for k in known.values())], default=0)
                return OneLevel(condition, ends, from_s, known, _at_zero(sigma), furthest)
    return None


def _slopes(sigma: Activation, ends: tuple[int, int], s: int) -> bool:
    """Whether the slopes on all of (q₁/s, q₂/s), and so on every smaller such interval, lie in (1/(q₂ − q₁), 1)."""
    try:
        domain = Fraction(ends[0], s), Fraction(ends[1], s)
        return escape(sigma.real, 1, domain, (Fraction(1, ends[1] - ends[0]), Fraction(1))) is None
    except ArithmeticError:
        return False


def _neighbours(sigma: Activation, s: int) -> int | None:
    """The k nearest to 0 with outputs at k/s and (k + 1)/s one level apart, none of the four levels above :data:`FURTHEST`."""
    for k in sorted(range(-FURTHEST, FURTHEST), key=lambda k: (abs(k), k)):
        first, second = unclamped(sigma, k, s), unclamped(sigma, k + 1, s)
        if abs(first - second) == 1 and max(abs(first), abs(second)) <= FURTHEST:
            return k
    return None


def _at_zero(sigma: Activation) -> Fraction:
    """|σ(0)|, or the next hundredth above it where it is enclosed."""
    value = sigma.exact(Fraction(0))
    if value is not None:
        return abs(value)
    return Fraction(ceil(100 * max(map(abs, sigma.real.at(0, Fraction(0))))), 100)


Sign = Literal["positive", "not negative", "not positive", "any"]
Direction = Literal["constant", "rising", "falling", "any"]
"""Rising and falling in the wide sense, on the half-line."""

TURNED: dict[Direction, Direction] = {"constant": "constant", "rising": "falling", "falling": "rising", "any": "any"}


@dataclass(frozen=True)
class Course:
    """The known behaviour of a part on a half-line. above_minus_one: its values are greater than −1."""

    sign: Sign
    direction: Direction
    above_minus_one: bool = False


UNKNOWN = Course("any", "any")


def course(formula: str, side: Literal["x >= 0", "x <= 0"]) -> Course:
    """Derive the behaviour of a formula in x on a half-line."""
    return fold(tree_of(formula), _Reading("not negative" if side == "x >= 0" else "not positive"))


@dataclass(frozen=True)
class _Reading(Algebra[Course]):
    x: Sign

    def outside(self, node: Node) -> Course:
        return UNKNOWN

    def numeral(self, node: Numeral) -> Course:
        return Course("positive" if node.value > 0 else "not negative" if node.value == 0 else "not positive", "constant", node.value > -1)

    def name(self, node: Name) -> Course:
        return Course(self.x, "rising", self.x == "not negative") if node.name == "x" else UNKNOWN

    def signed(self, node: Signed) -> Course:
        return _negative(fold(node.operand, self)) if node.sign == "-" else fold(node.operand, self)

    def operation(self, node: Operation) -> Course:
        left, right = fold(node.left, self), fold(node.right, self)
        match node.operator:
            case "+":
                return _sum(node, left, right)
            case "*":
                return _product(left, right)
            case "/":
                return _product(left, _inverse(right))
        return UNKNOWN

    def call(self, node: Call) -> Course:
        if len(node.arguments) != 1:
            return UNKNOWN
        of = fold(node.arguments[0], self)
        match node.function:
            case "sqrt" if of.direction == "constant" and of.sign == "positive":
                return of
            case "exp":
                return Course("positive", of.direction, True)
            case "tanh" | "erf":
                return replace(of, above_minus_one=True)
            case "log" if _above_one(node.arguments[0], self):
                return Course("positive", of.direction, True)
        return UNKNOWN


def _above_one(node: Node, reading: _Reading) -> bool:
    """Whether a part is 1 plus something positive."""
    if not isinstance(node, Operation) or node.operator != "+":
        return False
    return node.left == Numeral(1) and fold(node.right, reading).sign == "positive"


def _negative(of: Course) -> Course:
    signs: dict[Sign, Sign] = {"positive": "not positive", "not negative": "not positive", "not positive": "not negative", "any": "any"}
    return Course(signs[of.sign], TURNED[of.direction], signs[of.sign] == "not negative")


def _sum(node: Operation, left: Course, right: Course) -> Course:
    signs = {left.sign, right.sign}
    sign: Sign = "any"
    if signs <= {"positive", "not negative"}:
        sign = "positive" if "positive" in signs else "not negative"
    elif signs == {"not positive"}:
        sign = "not positive"
    elif node.left == Numeral(1) and right.above_minus_one:
        sign = "positive"
    moving = {left.direction, right.direction} - {"constant"}
    direction = moving.pop() if len(moving) == 1 else "any" if moving else "constant"
    return Course(sign, direction, sign in ("positive", "not negative"))


def _product(left: Course, right: Course) -> Course:
    signs = {left.sign, right.sign}
    if signs == {"positive"}:
        sign: Sign = "positive"
    elif signs <= {"positive", "not negative"}:
        sign = "not negative"
    elif signs <= {"positive", "not negative", "not positive"} and [left.sign, right.sign].count("not positive") == 1:
        sign = "not positive"
    else:
        sign = "any"
    moving = {left.direction, right.direction} - {"constant"}
    if sign not in ("positive", "not negative") or len(moving) > 1:
        return Course(sign, "any", sign in ("positive", "not negative"))
    return Course(sign, moving.pop() if moving else "constant", True)


def _inverse(of: Course) -> Course:
    return Course("positive", TURNED[of.direction], True) if of.sign == "positive" else UNKNOWN
