"""Whether a part of a formula is a number or a condition, and how messages quote it."""

from __future__ import annotations

from typing import Literal, NoReturn

from verifier.arithmetic.rationals import Fraction
from verifier.language.printer import printed
from verifier.language.tree import (
    Algebra,
    Call,
    Choice,
    Comparison,
    Logic,
    Membership,
    Name,
    Node,
    Numeral,
    Operation,
    Ranged,
    Signed,
    Slice,
    fold,
)
from verifier.language.words import CONDITIONS, FUNCTIONS, LARGEST, RESERVED
from verifier.running.errors import InputError

Kind = Literal["number", "condition", "either"]
NO_CONDITION = "not a condition such as p >= 8 and n > 4*p"


def kind(node: Node) -> Kind:
    """Whether a part is a number or a condition; a name and a function of the caller's may be either.

    Raises:
        InputError: a number where a condition is due, or the reverse; a word that is not a name; a number that is too large.
    """
    return fold(node, _KINDS)


def quoted(formula: str | int | Node) -> str:
    """A formula, or a part of one, as messages quote it: at most eighty characters."""
    text = printed(formula) if isinstance(formula, Node) else str(formula)
    return repr(text) if len(text) <= 80 else f"{text[:79]!r}…"


def refuse(node: Node, why: str) -> NoReturn:
    raise InputError(f"{quoted(node)}: {why}")


def bounded_literal(number: int) -> int:
    if number.bit_length() > LARGEST:
        raise InputError(f"a number of more than {LARGEST} bits")
    return number


def infinite(node: Node) -> int | None:
    """1 for ``inf``, −1 for ``-inf``; None for any other part."""
    match node:
        case Name("inf") | Signed("+", Name("inf")):
            return 1
        case Signed("-", Name("inf")):
            return -1
    return None


def _numbers(*nodes: Node) -> Kind:
    for node in nodes:
        if fold(node, _KINDS) == "condition":
            refuse(node, "a number was expected, not a condition")
    return "number"


def _conditions(*nodes: Node) -> Kind:
    for node in nodes:
        if fold(node, _KINDS) == "number":
            raise InputError(f"{quoted(node)} is {NO_CONDITION}")
    return "condition"


def _compared(*nodes: Node) -> Kind:
    for node in nodes:
        if infinite(node) is None:
            _numbers(node)
    return "condition"


class _Kinds(Algebra[Kind]):
    def numeral(self, node: Numeral) -> Kind:
        for part in Fraction(node.value).as_integer_ratio():
            bounded_literal(part)
        return "number"

    def name(self, node: Name) -> Kind:
        if node.name == "inf":
            refuse(node, "inf stands in comparisons only, as in v == inf")
        if node.name in RESERVED:
            refuse(node, f"{node.name} is a function; a name or a number was expected")
        return "either"

    def signed(self, node: Signed) -> Kind:
        return _numbers(node.operand)

    def operation(self, node: Operation) -> Kind:
        return _numbers(node.left, node.right)

    def comparison(self, node: Comparison) -> Kind:
        return _compared(node.left, *node.others)

    def membership(self, node: Membership) -> Kind:
        return _compared(node.left, *node.values)

    def logic(self, node: Logic) -> Kind:
        return _conditions(*node.parts)

    def choice(self, node: Choice) -> Kind:
        _conditions(node.test)
        found = {kind(node.body), kind(node.orelse)} - {"either"}
        if len(found) == 2:
            refuse(node, "two numbers or two conditions were expected")
        return found.pop() if found else "either"

    def call(self, node: Call) -> Kind:
        if node.function in FUNCTIONS:
            least, most = FUNCTIONS[node.function]
            if not least <= len(node.arguments) <= most:
                refuse(node, f"{node.function} was given {len(node.arguments)} arguments")
        elif node.function in RESERVED:
            refuse(node, f"{node.function}(… for j in [a : b]) was expected")
        _numbers(*node.arguments)
        return "either" if node.function not in FUNCTIONS else "condition" if node.function in CONDITIONS else "number"

    def ranged(self, node: Ranged) -> Kind:
        _numbers(*node.ends)
        _conditions(*node.tests)
        return _conditions(node.body) if node.function in CONDITIONS else _numbers(node.body)

    def slice(self, node: Slice) -> Kind:
        return _numbers(*node.ends)


_KINDS = _Kinds()
