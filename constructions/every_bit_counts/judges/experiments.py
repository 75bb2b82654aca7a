"""Judges of Section 3 and Appendix D: printed means and deviations, what the test inputs ask for, a network set by hand."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from constructions.every_bit_counts.mathematics import test_inputs
from constructions.every_bit_counts.mathematics.four_bit_network import Comparer
from constructions.every_bit_counts.mathematics.printed_accuracies import cells
from constructions.every_bit_counts.mathematics.printed_spreads import Batches, Divisor, Printed, fewest_wrong_of_the_worst, witness
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Trial, decide, shown, side_by_side
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.language import exact

Cell = tuple[int, str, str, str]
"""m, the column's heading, mean, standard deviation."""


class Cells(Struct, frozen=True, forbid_unknown_fields=True):
    """Printed accuracies of so many seeds on so many inputs each; deviation: what the sum of squares is divided by.

    cells: themselves, or else those of the table ``of``; impossible: those, by m and heading, that no accuracies give.
    """

    seeds: int
    items: int
    cells: list[Cell] = []
    of: int | None = None
    deviation: Divisor = "sample"
    impossible: list[tuple[int, str]] = []


def possible(query: Query, given: Cells) -> Outcome:
    """Whether each cell is what some numbers of right answers give, but for those that are listed, which none do."""
    batches = Batches(given.seeds, given.items, given.deviation)
    listed = given.cells if given.of is None else [(*where, *what) for where, what in cells(given.of).items()]
    found: dict[str, tuple[int, ...]] = {}

    def trials() -> Iterator[Trial]:
        for m, heading, mean, deviation in listed:
            right = witness(batches, Printed(mean), Printed(deviation))
            name = f"{heading} at m = {m}"
            if (right is None) != ((m, heading) in given.impossible):
                said = f"no {given.seeds} accuracies on {given.items} inputs" if right is None else f"right answers {shown(right)}"
                yield {"cell": name, "printed": f"{mean} +- {deviation}", "found": said}
                continue
            if right is not None:
                found[name] = right
            yield None

    what = f"{len(listed)} cells, {given.seeds} accuracies on {given.items} inputs, the {given.deviation} standard deviation"
    made = decide(query, what, trials(), "sums of integers and of squares, searched")
    last = next(reversed(found), None)
    return made if last is None or made.verdict is not Verdict.VERIFIED else _with(made, f"{last}: right answers {shown(found[last])}")


def _with(made: Outcome, witness: str) -> Outcome:
    return Outcome(made.verdict, made.scope, witness, made.assumptions, made.reason, made.counterexample)


class Worst(Struct, frozen=True, forbid_unknown_fields=True):
    """at_most: the accuracy, in per cent, that the worst seed of a cell does not exceed; the least such number with two digits."""

    cell: Cell
    seeds: int
    items: int
    at_most: str


def worst_seed(query: Query, given: Worst) -> Outcome:
    """How good the worst of the seeds can have been at best, as the cell is printed."""
    m, heading, mean, deviation = given.cell
    wrong = fewest_wrong_of_the_worst(Batches(given.seeds, given.items), Printed(mean), Printed(deviation))
    best = None if wrong is None else Fraction(100 * (given.items - wrong), given.items)
    found = "none is possible" if best is None else str(Fraction(-(-100 * best // 1), 100))
    what = f"the worst of {given.seeds} seeds in {heading} at m = {m}, {mean} +- {deviation}, in per cent, rounded up to two digits"
    return side_by_side(what, str(Fraction(given.at_most)), found, "sums of integers and of squares, searched")


class Bits(Struct, frozen=True, forbid_unknown_fields=True):
    """bits: a formula in m and ``flips``, the number of positions in which unequal test strings differ."""

    bits: str


def cheapest_feature(query: Query, given: Bits) -> Outcome:
    """The fewest bits about y, among beginnings and counts, that are enough to be right on every test input."""
    m = query["m"]
    claimed = exact.integer(given.bits, {"m": Fraction(m), "flips": Fraction(test_inputs.flips(m))})
    bits, feature = test_inputs.cheapest(m)
    scope = Scope(f"beginnings and counts modulo q at m = {m}", sum(1 for _ in test_inputs.features(m)), "enumeration")
    if claimed == bits:
        return Outcome(Verdict.VERIFIED, scope, witness=str(feature), reason=f"{bits} of {m} bits: {feature}")
    return Outcome(Verdict.REFUTED, scope, counterexample={"claimed": str(claimed), "found": str(bits), "feature": str(feature)})


class HandSet(Struct, frozen=True, forbid_unknown_fields=True):
    """bits: of every number; misled: how likely unequal test strings are called equal, a formula in m and ``flips``."""

    bits: int
    misled: str


def hand_set(query: Query, given: HandSet) -> Outcome:
    """Whether the network has its numbers in the format, compares its positions on all inputs, and scores what is claimed."""
    m = query["m"]
    network = Comparer(m, query.semantics.machine(given.bits))
    compares = test_inputs.SameBeginning(network.compared)
    claimed = exact.rational(given.misled, {"m": Fraction(m), "flips": Fraction(test_inputs.flips(m))})

    def trials() -> Iterator[Trial]:
        for value in sorted(network.constants()):
            yield None if network.machine.holds(value) else {"number": value, "bits": given.bits}
        for failure in network.wrong():
            yield {str(failure[k]): failure[k + 1] for k in range(0, len(failure), 2)}
        misled = compares.misled(m)
        yield None if misled == claimed else {"claimed": claimed, "found": misled}

    made = decide(query, f"numbers, columns and running sums of {given.bits} bits", trials(), "enumeration, reachable sums")
    if made.verdict is not Verdict.VERIFIED:
        return made
    score = test_inputs.score(compares, m)
    exactly = "every test input" if score == 1 else f"all but {1 - score} of the test inputs"
    return _with(made, f"compares {network.compared} positions, right on {exactly}")
