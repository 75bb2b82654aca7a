"""Recheck a certificate of what holds for all integers. Needs the files named below beside it, and nothing but Python:

    python recheck_symbols.py FILE [--claim DIGEST] [--bytes N] [--entries N] [--work N]

exit 0: accepted · 1: rejected, with the reason · 2: not a certificate that this program reads · 3: larger than the limits, which the
options raise, or accepted but of another statement than --claim asks for.

A certificate is JSON (or gzipped JSON) with the keys format, claim, edition, parameters, theorems, proofs, digest. A theorem says that
conditions hold for all integers, the parameters, for which others do. Its proof gives each parameter a least value, and cases that cover
what lies above: in a case a parameter is its least value + offset + step·k for the integers k >= 0 (its slack), or with step 0 one number.
In a case the conditions are read as polynomials in slacks and powers; each has to be seen to hold, or the case to lie outside. Where the
signs of coefficients do not show a sign, the certificate writes the polynomial as a sum with numbers > 0 of what is >= 0. The digest is
the SHA-256 of all but the proofs. docs/certificate-format.md specifies the format.

  recheck_trees        formulas, and their texts      recheck_conditions   formulas, ranges and conditions in a case
  recheck_polynomials  polynomials and quotients      recheck_terms        polynomials in files
  recheck_quantities   signs, powers and roundings    recheck_hints        what a certificate guesses, checked
  recheck_reading, recheck_command as for recheck.py
"""

import os
import sys
from collections.abc import Sequence
from itertools import product
from math import floor, lcm
from types import ModuleType
from typing import Any

if not __package__:  # run as a file: the others are those beside it, whatever Python's path is
    __package__ = "recheck_alone"
    sys.modules[__package__] = alone = ModuleType(__package__)
    alone.__path__ = [os.path.dirname(os.path.realpath(__file__))]

try:
    from .recheck_command import main
    from .recheck_conditions import Reading
    from .recheck_hints import Given
    from .recheck_polynomials import ONE, Algebra, Polynomial, Quotient, Undecided, constant, is_constant, value_of, variable
    from .recheck_reading import At, Limits, Rejected, TooMuch, demand, digest_of
    from .recheck_trees import Node, bound_names, brief, read_formula, read_name, shown
except ModuleNotFoundError as missing:
    if __package__ != "recheck_alone":
        raise
    print(f"recheck_symbols.py needs {str(missing.name).rpartition('.')[2]}.py beside it")
    sys.exit(70)

VERSION = "bitreferee/symbols-certificate/1"
STATEMENT = ("format", "claim", "edition", "parameters", "theorems")


class Theorem:
    """``holds``, for all integers ``names`` for which the ``given`` conditions hold."""

    def __init__(self, given: At) -> None:
        parts = given.record("parameters", "given", "holds")
        self.names = [read_name(each) for each in parts["parameters"].items()]
        demand(len(set(self.names)) == len(self.names), f"{parts['parameters'].place}: names, none twice, were expected")
        self.given = [read_formula(each, self.names, True) for each in parts["given"].items()]
        self.holds = [read_formula(each, self.names, True) for each in parts["holds"].items()]
        demand(self.holds, f"{parts['holds'].place}: a condition was expected")

    def __str__(self) -> str:
        where = f" with {', '.join(map(shown, self.given))}" if self.given else ""
        return " and ".join(map(shown, self.holds)) + (f" for all integers {', '.join(self.names)}{where}" if self.names else where)


# ---- proofs


class Proof:
    """The proof of one condition of a theorem: its parameters with their least values, and the cases."""

    def __init__(self, given: At, theorem: Theorem, condition: Node, limits: Limits) -> None:
        parts = given.record("least", "cases")
        self.theorem, self.limits, self.place = theorem, limits, given.place
        self.names, self.ranges = list(theorem.names), list[Node]()
        least = parts["least"].items()
        while len(self.names) < len(least):  # the names of an outer ``all`` are parameters as well
            demand(condition[0] == "all", f"{parts['least'].place}: {len(self.names)} entries were expected")
            self.ranges.append(condition)
            self.names.append(condition[2])
            condition = condition[1]
        demand(len(least) == len(self.names), f"{parts['least'].place}: {len(self.names)} entries were expected")
        self.condition, self.least, self.fixed = condition, list[Node](), list[bool]()
        self.by = list[Node | None]()
        for k, each in enumerate(least):
            if k >= len(theorem.names):
                low, fixed, because = ["ceil", self.ranges[k - len(theorem.names)][3]], False, None
                each.items(0)
            else:
                formula, alone, number = each.items(3)
                low, fixed = read_formula(formula, self.names[:k], False), alone.flag()
                because = theorem.given[number.integer(1, len(theorem.given)) - 1]
            self.least.append(low)
            self.fixed.append(fixed)
            self.by.append(because)
        self.bound = [*theorem.names, *(name for tree in (*theorem.given, *theorem.holds, *self.least) for name in bound_names(tree))]
        outer = [each[2] for each in self.ranges]
        inside = [name for each in self.ranges for tree in (*each[3:5], *each[5]) for name in bound_names(tree)]
        inside += [name for tree in (*theorem.given, *self.least, condition) for name in bound_names(tree)]
        demand(len(set(outer)) == len(outer) and not {*outer} & {*inside}, f"{self.place}: a name of the outer ranges is bound again")
        self.cases = [case.record("at", "roundings", "signs") for case in parts["cases"].items()]

    def check(self) -> int:
        """How many cases there are, each of which is decided; they cover the domain."""
        slacks = [self.slacks(case["at"]) for case in self.cases]
        self.cover(slacks)
        for case, at in zip(self.cases, slacks, strict=True):
            hints = Given(case, self.bound, Algebra(self.limits))
            self.decide(hints, at, case["at"].place)
            unused = hints.count - len(hints.used)
            demand(not unused, f"{case['signs'].place}: {unused} hints are not used")
        return len(self.cases)

    def slacks(self, given: At) -> list[tuple[int, int]]:
        """The offset and step of each parameter; a step of 0 is one number."""
        found = [
            (pair[0].integer(0, 1 << 16), pair[1].integer(0, 1 << 10)) for pair in (each.items(2) for each in given.items(len(self.names)))
        ]
        for fixed, pair in zip(self.fixed, found, strict=True):
            demand(not fixed or pair == (0, 0), f"{given.place}: a parameter that has one value")
        return found

    def cover(self, cases: Sequence[Sequence[tuple[int, int]]]) -> None:
        """Every assignment of numbers >= 0 to the slacks belongs to a case: beyond all offsets the cases repeat."""
        sizes = []
        for k, fixed in enumerate(self.fixed):
            period = lcm(*(step for offset, step in (case[k] for case in cases) if step))
            sizes.append(1 if fixed else max((case[k][0] for case in cases), default=0) + period + 1)
        count = 1
        for size in sizes:
            count *= size
            self.limits.spend(count * max(1, len(cases)))
        for values in product(*map(range, sizes)):
            covered = any(all(map(belongs, values, case)) for case in cases)
            if not covered:
                above = ", ".join(f"{name} = {shown(low)} + {v}" for name, low, v in zip(self.names, self.least, values, strict=True))
                raise Rejected(f"{self.place}: no case has {above}")

    def decide(self, hints: Given, slacks: Sequence[tuple[int, int]], place: str) -> None:
        """Shows the condition in a case, or that the case lies outside the domain."""
        reading = Reading(hints.algebra, hints, {}, [])
        try:
            if not self.outside(reading, slacks):
                demand(reading.truth(self.condition), f"{place}: {brief(shown(self.condition))} is not shown")
        except Undecided as reason:
            raise Rejected(f"{place}: {reason}") from None

    def outside(self, reading: Reading, slacks: Sequence[tuple[int, int]]) -> bool:
        """Gives the parameters their values and notes what the domain says; whether no point of the case belongs to it."""
        algebra = reading.algebra
        for k, (name, (offset, step)) in enumerate(zip(self.names, slacks, strict=True)):
            slack: Polynomial = variable(name)
            low = reading.number(self.least[k])
            if self.fixed[k] and is_constant(low.above) and low.below == ONE and value_of(low.above).denominator != 1:
                below = algebra.reduced(constant(floor(value_of(low.above))), ONE)
                self.fails(reading, k, below, algebra.plus({}, slack, -1))
                self.fails(reading, k, below, algebra.plus(ONE, slack))
                return True
            algebra.whole(low)
            if self.by[k] is not None:
                for side in (-1, 1) if self.fixed[k] else (-1,):
                    self.fails(reading, k, low, algebra.plus(constant(side), slack, side))
            more = algebra.plus(constant(offset), slack, step) if step else constant(offset)
            reading.names[name] = algebra.add(low, Quotient(more, ONE))
        for condition in self.theorem.given:
            try:
                if self.noted(reading, condition):
                    return True
            except Undecided:
                continue  # nothing is known of it
        for _, _, name, first, last, tests in self.ranges:
            for end in (first, last):
                algebra.whole(reading.number(end))
            if any(self.noted(reading, condition) for condition in (["<=", first, name], ["<=", name, last], *tests)):
                return True
        return False

    @staticmethod
    def noted(reading: Reading, condition: Node) -> bool:
        """Whether a condition is false throughout a case; what it says is known from now on."""
        found = reading.truth(condition)
        if found is None:
            reading.assume(condition)
        return found is False

    def fails(self, reading: Reading, k: int, value: Quotient, away: Polynomial) -> None:
        """The condition that bounds parameter k fails where it has this value and so much more, for all slacks."""
        inside = reading.at(self.names[k], reading.algebra.add(value, Quotient(away, ONE)))
        bound = f"{'' if self.fixed[k] else 'at least '}{brief(shown(self.least[k]))}"
        demand(inside.truth(self.by[k]) is False, f"{self.place}: {brief(shown(self.by[k]))} does not show that {self.names[k]} is {bound}")


def belongs(value: int, slack: tuple[int, int]) -> bool:
    """Whether a number is offset + step·k for an integer k >= 0."""
    offset, step = slack
    return value == offset if not step else value >= offset and (value - offset) % step == 0


def recheck(certificate: Any, limits: Limits | None = None) -> str:
    """Check a certificate and return what it proves.

    Raises:
        Rejected, Unknown, TooMuch
    """
    limits = limits or Limits()
    parts = At(certificate).record(*STATEMENT, "proofs", "digest")
    parts["format"].one_of(VERSION)
    parts["claim"].text()
    parts["edition"].one_of("statement", "printed", "repaired")
    for value in parts["parameters"].names().values():
        value.integer()
    demand(parts["digest"].text() == digest_of({key: certificate[key] for key in STATEMENT}), "the digest is not that of the statement")
    theorems = [Theorem(each) for each in parts["theorems"].items()]
    demand(theorems, f"{parts['theorems'].place}: a theorem was expected")
    cases = 0
    try:
        for theorem, proofs in zip(theorems, parts["proofs"].items(len(theorems)), strict=True):
            for condition, proof in zip(theorem.holds, proofs.items(len(theorem.holds)), strict=True):
                cases += Proof(proof, theorem, condition, limits).check()
    except RecursionError:
        raise TooMuch("formulas that stand too deep in each other") from None
    return f"{brief('; '.join(map(str, theorems)), 4000)}; {cases} case{'s' * (cases > 1)}; statement {parts['digest'].data}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], recheck, "recheck_symbols.py"))
