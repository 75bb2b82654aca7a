"""Sums and products of numbers of precision (t, e) that Appendix C's proofs write out, apart from any table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from constructions.every_bit_counts.judges.floating_bounds import problem_of, value_of
from verifier.arithmetic.formats import Digits
from verifier.arithmetic.numbers import Number, show
from verifier.formulas import exact
from verifier.formulas.definitions import inlined
from verifier.formulas.exact import Bits, Given
from verifier.formulas.syntax import names_in, parse
from verifier.judges.fields import Formula
from verifier.judges.formula import Reader, assignments
from verifier.problems import bits_of
from verifier.statements.findings import for_each
from verifier.statements.model import Question, declined
from verifier.verdicts import Finding, Scope

Names = Mapping[str, Given]


class Written(Struct, frozen=True, forbid_unknown_fields=True, rename={"is_": "is"}):
    """``of``, exact numbers that are added (or multiplied) from left to right, each result rounded, come to ``is``.

    Formulas in the parameters, the names of ``each`` (ranges, both ends included), the promised string y and a bit z_m.
    times: how often the last of them comes; when: the cases that are meant.
    """

    of: list[str]
    is_: str
    times: str = "1"
    each: dict[str, str] = {}
    when: str = "1 == 1"


def rounded_sum(question: Question, given: Written) -> Finding:
    """The sum in precision (t, e); the first number is rounded too."""
    return _judged(question, given, "+", question.semantics.machine(_digits(question)).add)


def rounded_product(question: Question, given: Written) -> Finding:
    """The product in precision (t, e); the first number is rounded too."""
    return _judged(question, given, "*", question.semantics.machine(_digits(question)).multiply)


def _digits(question: Question) -> Digits:
    return Digits(value_of(question, "t"), value_of(question, "e"))


def _judged(question: Question, given: Written, sign: str, operation: Callable[[Number, Number], Number]) -> Finding:
    lets, machine = question.claim.lets, question.semantics.machine(_digits(question))
    first, *others = [inlined(parse(x), lets) for x in given.of]
    if times := value_of(question, given.times) - 1:
        others += [others[-1] if others else first] * times
    claimed, when = inlined(parse(given.is_), lets), inlined(parse(given.when), lets)

    def found(names: Names) -> Number:
        result = machine.round(exact.rational(first, names))
        for number in others:
            result = operation(result, exact.rational(number, names))
        return result

    strings = bool({"y", "z_m"} & names_in(claimed).union(names_in(when), names_in(first), *map(names_in, others)))
    cases = [case for case in _cases(question, given, strings) if exact.truth(when, case)]
    if not cases:
        return declined(f"there is no case with {given.when} {question.at}")
    written = f" {sign} ".join(given.of) + (f" ({given.times} times)" if times else "")
    return for_each(
        cases,
        lambda c: found(c) == exact.rational(claimed, c),
        lambda c: {**_shown(question, c), "found": show(found(c)), "claimed": str(exact.rational(claimed, c))},
        lambda n: Scope(f"all {n:,} cases {question.at}: {written} is {given.is_}", n, "enumeration"),
        "rounded it is something else",
    )


def _cases(question: Question, given: Written, strings: bool) -> Iterator[Names]:
    """Every assignment of ``each``, with every promised y and either last bit of z where the formulas speak of them."""
    for names in assignments(question, Formula("1 == 1", given.each), Reader(question.claim.functions)):
        if strings:
            problem = problem_of(question)
            yield from ({**names, "y": Bits(int(y), problem.length), "z_m": bit} for y in problem.occurring("y") for bit in (0, 1))
        else:
            yield names


def _shown(question: Question, case: Names) -> dict[str, str]:
    own = {k: v for k, v in case.items() if k not in question.parameters}
    return {k: bits_of(v.number, v.length) if isinstance(v, Bits) else str(v) for k, v in own.items()}
