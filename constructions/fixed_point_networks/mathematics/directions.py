"""Signs and directions of activations, read from their formulas: which parts are positive, and which rise with x on all of a half-line.

Only what follows part by part is said: e^x is positive and rises, 1/u falls where u is positive and rises, a product of two positive
rising parts rises, and so on. What does not follow is left open.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from verifier.language.syntax import tree_of
from verifier.language.tree import Algebra, Call, Name, Node, Numeral, Operation, Signed, fold

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
