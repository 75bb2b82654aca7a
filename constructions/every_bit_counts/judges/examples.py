"""Examples A.8 and A.9: sums and products worked by hand, in binary."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from verifier.arithmetic.machine import exact_product, exact_sum
from verifier.arithmetic.numbers import Number, show_binary
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import side_by_side
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.language.syntax import parse, printed
from verifier.language.tree import Node, Numeral, Operation
from verifier.running.errors import InputError

Arithmetic = Callable[[Number, Number], Number]


class Worked(Struct, frozen=True, forbid_unknown_fields=True, rename={"is_": "is"}):
    """``of`` is ``is``: sums and products of binary numbers such as ``(10.0 + 1.01) + 1.11``, formed in the order of the brackets.

    digits: how many digits the result of an operation has, its sign not counted; exact where none is given.
    """

    of: str
    is_: str
    digits: int | None = None


def worked(query: Query, given: Worked) -> Outcome:
    """Whether the left side comes to the right side."""
    found = show_binary(evaluated(query, given.of, given.digits))
    return side_by_side(f"{given.of}{_in(given.digits)}", show_binary(binary(given.is_)), found, "enumeration")


class Orders(Struct, frozen=True, forbid_unknown_fields=True):
    """Two expressions, each an order of the same operations, in so many digits beside the sign."""

    left: str
    right: str
    digits: int


def differ(query: Query, given: Orders) -> Outcome:
    """Whether two orders of the same operations come to different numbers."""
    left, right = (show_binary(evaluated(query, text, given.digits)) for text in (given.left, given.right))
    scope = Scope(f"{given.left} and {given.right}{_in(given.digits)}", 1, "enumeration")
    if left != right:
        return Outcome(Verdict.VERIFIED, scope, reason=f"{left} and {right}")
    return Outcome(Verdict.REFUTED, scope, reason=f"both orders give {left}", counterexample={"left": left, "right": right})


class Representable(Struct, frozen=True, forbid_unknown_fields=True):
    """Binary numbers, each with its bits of precision."""

    bits: dict[str, int]


def fewest_bits(query: Query, given: Representable) -> Outcome:
    """Whether so many bits, as the format counts them with the sign, are the fewest that have the number."""

    def has(text: str, bits: int) -> bool:
        return bits > 0 and query.semantics.format(bits).contains(binary(text))

    wrong = {text: bits for text, bits in given.bits.items() if not has(text, bits) or has(text, bits - 1)}
    scope = Scope(", ".join(f"{text} with {bits} bits" for text, bits in given.bits.items()), len(given.bits), "enumeration")
    if not wrong:
        return Outcome(Verdict.VERIFIED, scope)
    text, bits = next(iter(wrong.items()))
    said = "has fewer bits than" if has(text, bits) else "is no number of"
    return Outcome(Verdict.REFUTED, scope, reason=f"{text} {said} {bits} bits", counterexample={"number": text, "bits": str(bits)})


def _in(digits: int | None) -> str:
    return "" if digits is None else f" in {digits} digits"


def binary(text: str) -> Fraction:
    """``10.111`` as a fraction.

    Raises:
        InputError: other digits than 0 and 1.
    """
    before, _, after = text.partition(".")
    if set(before + after) - {"0", "1"}:
        raise InputError(f"{text!r} is no binary number such as 10.111")
    return Fraction(int(before + after, 2), 2 ** len(after))


def evaluated(query: Query, text: str, digits: int | None) -> Number:
    """The value of a sum or product of binary numbers, each operation exact, then rounded to so many digits beside a sign; a number
    alone is rounded."""
    if digits is None:
        return _value(parse(text), exact_sum, exact_product)
    machine, tree = query.semantics.machine(digits + 1), parse(text)
    value = _value(tree, machine.add, machine.multiply)
    return machine.round(value) if isinstance(tree, Numeral) else value


def _value(tree: Node, add: Arithmetic, multiply: Arithmetic) -> Number:
    match tree:
        case Numeral(literal):
            return binary(repr(literal))
        case Operation(left, "+", right):
            return add(_value(left, add, multiply), _value(right, add, multiply))
        case Operation(left, "*", right):
            return multiply(_value(left, add, multiply), _value(right, add, multiply))
    raise InputError(f"{printed(tree)!r} is no sum or product of binary numbers")
