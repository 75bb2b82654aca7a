"""Sums and products of numbers of precision (t, e) that Appendix C's proofs write out, apart from any table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from constructions.every_bit_counts.judges.floating_bounds import problem_of
from constructions.every_bit_counts.mathematics.entries import entry_at
from verifier.arithmetic.formats import Digits
from verifier.arithmetic.machine import Machine
from verifier.arithmetic.numbers import Number, show
from verifier.claims.finite_cases import for_each
from verifier.claims.model import Query, by_edition, declined
from verifier.claims.verdicts import Outcome, Scope
from verifier.judges import fields
from verifier.judges.declaring import DeclaredJudge, Formula, judge
from verifier.judges.editions import edition_file, table_parameters
from verifier.judges.evaluation import Reader
from verifier.judges.formula import assignments
from verifier.language import exact
from verifier.language.definitions import inlined_text
from verifier.language.exact import Bits, Given
from verifier.language.syntax import names_in
from verifier.language.tree import Node
from verifier.networks.indices import field
from verifier.networks.instantiate import names_at
from verifier.networks.problems import bits_of

Names = Mapping[str, Given]
Operation = Callable[[Number, Number], Number]
ONCE = Formula("1")


@dataclass(frozen=True)
class Written:
    """``of``, exact numbers that are added (or multiplied) from left to right, each result rounded, come to ``is``.

    Formulas in the parameters, the names of ``each`` (ranges, both ends included), the promised string y and a bit z_m.
    times: how often the last of them comes; when: the cases that are meant.
    entry: names for entries of the edition's table, by their places (``row.10.zero.3``); of several places each is a case.
    quantities: of the table, each with all the values that its bits can have.
    """

    of: list[str]
    is_: str
    times: Formula
    each: Mapping[str, str]
    when: str
    entry: Mapping[str, list[str]]
    quantities: Sequence[str]


def _rounded(sign: str, operation: Callable[[Machine], Operation]) -> DeclaredJudge:
    """The judge of sums or products in precision (t, e), the first number rounded too."""

    @judge
    @by_edition
    def rounded(
        query: Query,
        *,
        of: list[str],
        is_: str,
        times: Formula = ONCE,
        each: Mapping[str, str] = {},
        when: str = "1 == 1",
        entry: Mapping[str, list[str]] = {},
        quantities: Sequence[str] = (),
    ) -> Outcome:
        written = Written(of, is_, times, each, when, entry, quantities)
        return _judged(query, written, sign, operation(query.semantics.machine(_digits(query))))

    return rounded


def _digits(query: Query) -> Digits:
    return Digits(Formula("t", query).integer(), Formula("e", query).integer())


def _judged(query: Query, given: Written, sign: str, operation: Operation) -> Outcome:
    given, tables = _of_table(query, given)
    if isinstance(tables, Outcome):
        return tables
    machine = query.semantics.machine(_digits(query))
    lets = {name: text for name, text in query.claim.lets.items() if name not in given.quantities}
    sums = [_Sum.of(query, given, {**lets, **entries}) for entries in tables]
    cases = [(one, case) for one in sums for case in _cases(query, given, one) if exact.truth(one.when, case)]
    if not cases:
        return declined(f"there is no case with {given.when} {query.at}")
    written = f" {sign} ".join(given.of) + (f" ({sums[0].times} times)" if given.times.text != "1" else "")
    return for_each(
        cases,
        lambda c: c[0].found(machine, operation, c[1]) == exact.rational(c[0].claimed, c[1]),
        lambda c: {
            **{name: c[0].lets[name] for name in given.entry},
            **_shown(query, c[1]),
            "found": show(c[0].found(machine, operation, c[1])),
            "claimed": str(exact.rational(c[0].claimed, c[1])),
        },
        lambda n: Scope(f"all {n:,} cases {query.at}: {written} is {given.is_}", n, "enumeration"),
        "rounded it is something else",
    )


def _of_table(query: Query, given: Written) -> tuple[Written, list[dict[str, str]] | Outcome]:
    """What is read of the edition's table: the quantities as ranges of ``each``, and the entries as definitions, place by place."""
    if not given.entry and not given.quantities:
        return given, [{}]
    claim, edition = query.claim, query.edition
    assert claim.table is not None
    file, outside = edition_file(claim, edition, query.parameters)
    if outside:
        return given, declined(outside)
    names = names_at(file, table_parameters(claim, query.parameters))
    widths = {name: len(field(file.quantities[name], names, 0)) for name in given.quantities}
    each = {**given.each, **{name: f"0 .. {2**width - 1}" for name, width in widths.items()}}
    places = product(*([(name, place) for place in listed] for name, listed in given.entry.items()))
    return replace(given, each=each), [{name: str(entry_at(file, place)) for name, place in row} for row in places]


@dataclass(frozen=True)
class _Sum:
    """The numbers that are added, what they are said to come to, and the definitions that they use, entries of the table included."""

    lets: dict[str, str]
    numbers: list[Node]
    claimed: Node
    when: Node
    times: int

    @classmethod
    def of(cls, query: Query, given: Written, lets: Mapping[str, str]) -> _Sum:
        numbers = [inlined_text(x, lets) for x in given.of]
        times = given.times.integer()
        numbers += [numbers[-1]] * (times - 1)
        return cls(dict(lets), numbers, inlined_text(given.is_, lets), inlined_text(given.when, lets), times)

    @property
    def of_strings(self) -> bool:
        """Whether a string or the bit z_m occurs."""
        return bool({"y", "z_m"} & names_in(self.claimed).union(names_in(self.when), *map(names_in, self.numbers)))

    def found(self, machine: Machine, operation: Operation, names: Names) -> Number:
        """The numbers added (or multiplied) from left to right, the first rounded too."""
        result = machine.round(exact.rational(self.numbers[0], names))
        for number in self.numbers[1:]:
            result = operation(result, exact.rational(number, names))
        return result


def _cases(query: Query, given: Written, one: _Sum) -> Iterator[Names]:
    """Every assignment of ``each``, with every promised y and either last bit of z where the formulas speak of them."""
    for names in assignments(query, fields.Formula("1 == 1", dict(given.each)), Reader(query.claim.functions)):
        if one.of_strings:
            problem = problem_of(query)
            yield from ({**names, "y": Bits(int(y), problem.length), "z_m": bit} for y in problem.occurring("y") for bit in (0, 1))
        else:
            yield names


def _shown(query: Query, case: Names) -> dict[str, str]:
    own = {k: v for k, v in case.items() if k not in query.parameters}
    return {k: bits_of(v.number, v.length) if isinstance(v, Bits) else str(v) for k, v in own.items()}


rounded_sum = _rounded("+", lambda machine: machine.add)
rounded_product = _rounded("*", lambda machine: machine.multiply)
