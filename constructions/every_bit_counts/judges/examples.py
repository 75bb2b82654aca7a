"""Examples A.8 and A.9: sums and products worked by hand, in binary."""

from __future__ import annotations

from collections.abc import Callable

from verifier.arithmetic.machine import exact_product, exact_sum
from verifier.arithmetic.numbers import Number, show_binary
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import side_by_side
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.declaring import judge
from verifier.language.syntax import parse, printed
from verifier.language.tree import Node, Numeral, Operation
from verifier.running.errors import InputError

Arithmetic = Callable[[Number, Number], Number]


@judge
def worked(query: Query, *, of: str, is_: str, digits: int | None = None) -> Outcome:
    """Whether ``of`` comes to ``is``: sums and products of binary numbers, ``(10.0 + 1.01) + 1.11``, in the order of the brackets.

    digits: how many digits the result of an operation has, its sign not counted; exact where none is given.
    """
    found = show_binary(evaluated(query, of, digits))
    return side_by_side(f"{of}{_in(digits)}", show_binary(binary(is_)), found, "enumeration")


@judge
def differ(query: Query, *, left: str, right: str, digits: int) -> Outcome:
    """Whether two orders of the same operations, in so many digits beside the sign, come to different numbers."""
    one, other = (show_binary(evaluated(query, text, digits)) for text in (left, right))
    scope = Scope(f"{left} and {right}{_in(digits)}", 1, "enumeration")
    if one != other:
        return Outcome(Verdict.VERIFIED, scope, reason=f"{one} and {other}")
    return Outcome(Verdict.REFUTED, scope, reason=f"both orders give {one}", counterexample={"left": one, "right": other})


@judge
def fewest_bits(query: Query, *, bits: dict[str, int]) -> Outcome:
    """Whether so many bits, as the format counts them with the sign, are the fewest that have the number."""

    def has(text: str, bits: int) -> bool:
        return bits > 0 and query.semantics.form(bits).contains(binary(text))

    wrong = {text: n for text, n in bits.items() if not has(text, n) or has(text, n - 1)}
    scope = Scope(", ".join(f"{text} with {n} bits" for text, n in bits.items()), len(bits), "enumeration")
    if not wrong:
        return Outcome(Verdict.VERIFIED, scope)
    text, claimed = next(iter(wrong.items()))
    said = "has fewer bits than" if has(text, claimed) else "is not a number of"
    return Outcome(Verdict.REFUTED, scope, reason=f"{text} {said} {claimed} bits", counterexample={"number": text, "bits": str(claimed)})


def _in(digits: int | None) -> str:
    return "" if digits is None else f" in {digits} digits"


def binary(text: str) -> Fraction:
    """``10.111`` as a fraction.

    Raises:
        InputError: other digits than 0 and 1.
    """
    before, _, after = text.partition(".")
    if set(before + after) - {"0", "1"}:
        raise InputError(f"{text!r} is not a binary number such as 10.111")
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
    raise InputError(f"{printed(tree)!r} is not a sum or product of binary numbers")
