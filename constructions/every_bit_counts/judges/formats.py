"""Definition A.7: its values, by the definition, by the closed form and in the format of every verdict; rounding to them; and Examples A.8
and A.9, sums and products worked by hand, in binary.

The numbers of p bits of Definition A.7, listed by its own formula, and consequences of the list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, zip_longest

from verifier.arithmetic.formats import Digits, Format, free_point
from verifier.arithmetic.machine import exact_product, exact_sum
from verifier.arithmetic.numbers import Number, less, show, show_binary
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Cases, Over, side_by_side
from verifier.claims.model import Claim, Query
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges import fields
from verifier.judges.declaring import Formula, Reduction, judge
from verifier.judges.evaluation import Reader
from verifier.judges.formula import assignments
from verifier.language import exact
from verifier.language.definitions import with_meanings, written
from verifier.language.printer import printed
from verifier.language.syntax import parse
from verifier.language.tree import Node, Numeral, Operation
from verifier.running.errors import InputError, LimitError
from verifier.running.limits import strings_of


def _every_precision(claim: Claim, fixed: Mapping[str, int], *, magnitude: str, each: Mapping[str, str]) -> Reduction | None:
    """Definition A.7 for every p: a + 2^-|b| b is the closed form at k = a 2^|b| + b, and each of its k is such a number."""
    if tuple(each) != ("f", "k"):
        return None
    (f_first, f_last), (k_first, k_last) = (fields.members(text) for text in each.values())
    k = "(a*2**f + b)"
    value = printed(with_meanings(parse(magnitude), {"k": parse(k)}))
    said = (
        f"({f_first}) <= f <= ({f_last})",
        f"({k_first}) <= {k} <= ({k_last})",
        f"({value}) == a + 2**-f*b",
        "0 <= g <= p - 1",
        "0 <= i < 2**(p - 1)",
    )
    digits = {"f": "0 <= f <= p - 1", "a": "0 <= a <= 2**(p - 1 - f) - 1", "b": "0 <= b <= 2**f - 1"}
    closed = {"g": f"({f_first}) <= g <= ({f_last})", "i": f"({k_first}) <= i <= ({k_last})"}
    because = "with f = |b|, k = a 2^f + b; each k < 2^(p-1) is such a sum by division with remainder, with a < 2^(p-1-f)"
    return Reduction(said, because, digits | closed)


@judge(for_every=_every_precision)
def same_numbers(query: Query, *, magnitude: Formula, each: dict[str, str]) -> Cases:
    """The definition's numbers of p bits, those of the closed form, and those of the verdicts' format are one list.

    magnitude: the absolute values, in the names of ``each``.
    """
    listed = sorted(numbers(query["p"]))
    form = fields.Formula(holds="1 == 1", each=each)
    magnitudes = {exact.rational(magnitude.text, names) for names in assignments(query, form, Reader({}))}
    closed = sorted(magnitudes | {-x for x in magnitudes})
    yield Over("all values")
    for row in zip_longest(listed, closed, free_point(query["p"]).values()):
        yield len(set(row)) == 1 or dict(zip(("definition", "closed form", "format"), row, strict=True))


@judge
def monotone(query: Query) -> Cases:
    """Rounding keeps order: on the neighbours among the values, the midpoints, points beside both, and some beyond the largest value.

    This covers every pair of reals: a rule that compares with the values and their midpoints is constant between neighbouring points.
    """
    if "t" in query.parameters:
        query.within(strings_of(query["t"] + query["e"]), "values")
        machine = query.semantics.machine(Digits(query["t"], query["e"]))
        form = machine.form
        points = probes(form, [form.largest * k for k in (1 + form.unit, 2, 3)], form.unit / 1024)
    else:
        machine = query.semantics.machine(query["p"])
        form = machine.form
        points = probes(form, [form.largest + k for k in (1, 2)])
    yield Over(f"every two reals, by {len(points):,} points between which rounding is constant")
    for x, y in pairwise(points):
        one, other = machine.round(x), machine.round(y)
        yield not less(other, one) or {"x": x, "y": y, "rounded": f"{show(one)}, {show(other)}"}


def probes(form: Format, beyond: Sequence[Fraction], nudge: Fraction | None = None) -> list[Fraction]:
    """Values, midpoints between them, points just beside both, and those beyond the largest value, with either sign; ascending."""
    found = sorted([*form.values(), *beyond, *(-x for x in beyond)])
    nudge = nudge or min(b - a for a, b in pairwise(found)) / 1024
    middles = [(a + b) / 2 for a, b in pairwise(found)]
    return sorted({x + side * nudge for x in (*found, *middles) for side in (-1, 0, 1)})


Arithmetic = Callable[[Number, Number], Number]


@judge
def worked(query: Query, *, of: str, is_: str, digits: int | None = None) -> Outcome:
    """Whether ``of`` gives ``is``: sums and products of binary numbers, ``(10.0 + 1.01) + 1.11``, in the order of the brackets.

    digits: the number of digits of each result, without its sign; exact if it is not given.
    """
    found = show_binary(evaluated(query, of, digits))
    return side_by_side(f"{of}{_in(digits)}", show_binary(binary(is_)), found, "enumeration")


@judge
def differ(query: Query, *, left: str, right: str, digits: int) -> Outcome:
    """Whether two orders of the same operations, with this many digits beside the sign, give different numbers."""
    one, other = (show_binary(evaluated(query, text, digits)) for text in (left, right))
    scope = Scope(f"{left} and {right}{_in(digits)}", 1, "enumeration")
    if one != other:
        return Outcome(Verdict.VERIFIED, scope, reason=f"{one} and {other}")
    return Outcome(Verdict.REFUTED, scope, reason=f"both orders give {one}", counterexample={"left": one, "right": other})


@judge
def fewest_bits(query: Query, *, bits: dict[str, int]) -> Outcome:
    """Whether this many bits, as the format counts them with the sign, are the fewest that can represent the number."""

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
    """The value of a sum or product of binary numbers, each operation exact, then rounded to this many digits beside a sign; a single
    number is rounded."""
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


MOST_BITS = 14


@lru_cache(maxsize=MOST_BITS)
def numbers(p: int | Fraction) -> frozenset[Fraction]:
    """±(a + 2^−|b|·b) over all splits of p − 1 binary digits into |a| before and |b| after the point.

    Raises:
        LimitError: more than :data:`MOST_BITS` bits.
    """
    if p > MOST_BITS:
        raise LimitError(f"p = {p}: the numbers are listed for at most {MOST_BITS} bits", "a smaller --p")
    found: set[Fraction] = set()
    for after in range(int(p)):
        before = int(p) - 1 - after
        for a in range(2**before):
            found |= {sign * (a + Fraction(b, 2**after)) for b in range(2**after) for sign in (1, -1)}
    return frozenset(found)


@written("1 + 2*(2**(p - 1) - 1) + sum(2*2**(p - 2) for after in (1, p - 1))")
def how_many(p: Fraction) -> Fraction:
    """The number of different numbers of p bits in the list.

    The formula counts each number with its fewest digits after the point: 0, the other integers, and for each number of digits the odd
    numerators.
    """
    return Fraction(len(numbers(p)))


@written("max((2**(p - 1) - 1)/2**after for after in (0, p - 1))")
def largest(p: Fraction) -> Fraction:
    """The largest number of p bits."""
    return max(numbers(p))


@written("min(-(2**(p - 1) - 1)/2**after for after in (0, p - 1))")
def smallest(p: Fraction) -> Fraction:
    """The smallest number of p bits, the one of largest magnitude below zero."""
    return min(numbers(p))
