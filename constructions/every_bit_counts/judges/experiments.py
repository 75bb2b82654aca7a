"""Judges of Section 3 and Appendix D: printed means and deviations, what the test inputs ask for, a network set by hand."""

from __future__ import annotations

from collections.abc import Sequence

from constructions.every_bit_counts.mathematics import printed_accuracies, test_inputs
from constructions.every_bit_counts.mathematics.four_bit_network import Comparer
from constructions.every_bit_counts.mathematics.printed_spreads import Batches, Divisor, Printed, fewest_wrong_of_the_worst, witness
from verifier.arithmetic.rationals import Fraction, rational
from verifier.claims.finite_cases import Cases, Over, shown, side_by_side
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.declaring import Formula, judge

Cell = tuple[int, str, str, str]
"""m, the column's heading, mean, standard deviation."""


@judge
def possible(
    query: Query,
    *,
    seeds: int,
    items: int,
    cells: Sequence[Cell] = (),
    of: int | None = None,
    deviation: Divisor = "sample",
    impossible: Sequence[tuple[int, str]] = (),
) -> Cases:
    """Whether each cell is what some numbers of right answers give, but for those that are listed, which none do.

    Printed accuracies of so many seeds on so many inputs each; deviation: what the sum of squares is divided by.
    cells: themselves, or else those of the table ``of``; impossible: those, by m and heading, that no accuracies give.
    """
    batches = Batches(seeds, items, deviation)
    listed = cells if of is None else [(*where, *what) for where, what in printed_accuracies.cells(of).items()]
    last: str | None = None
    what = f"{len(listed)} cells, {seeds} accuracies on {items} inputs, the {deviation} standard deviation"
    yield Over(what, "sums of integers and of squares, searched")
    for m, heading, mean, spread in listed:
        right = witness(batches, Printed(mean), Printed(spread))
        name = f"{heading} at m = {m}"
        said = f"no {seeds} accuracies on {items} inputs" if right is None else f"right answers {shown(right)}"
        expected = (right is None) == ((m, heading) in impossible)
        yield expected or {"cell": name, "printed": f"{mean} +- {spread}", "found": said}
        last = last if right is None else f"{name}: {said}"
    return last


@judge
def worst_seed(query: Query, *, cell: Cell, seeds: int, items: int, at_most: str) -> Outcome:
    """How good the worst of the seeds can have been at best, as the cell is printed.

    at_most: the accuracy, in per cent, that the worst seed of a cell does not exceed; the least such number with two digits.
    """
    m, heading, mean, deviation = cell
    wrong = fewest_wrong_of_the_worst(Batches(seeds, items), Printed(mean), Printed(deviation))
    best = None if wrong is None else Fraction(100 * (items - wrong), items)
    found = "none is possible" if best is None else str(Fraction(-(-100 * best // 1), 100))
    what = f"the worst of {seeds} seeds in {heading} at m = {m}, {mean} +- {deviation}, in per cent, rounded up to two digits"
    return side_by_side(what, str(rational(at_most)), found, "sums of integers and of squares, searched")


@judge
def cheapest_feature(query: Query, *, bits: Formula) -> Outcome:
    """The fewest bits about y, among beginnings and counts, that are enough to be right on every test input.

    bits: in m and ``flips``, the number of positions in which unequal test strings differ.
    """
    m = query["m"]
    claimed = bits.integer(flips=test_inputs.flips(m))
    found, feature = test_inputs.cheapest(m)
    scope = Scope(f"beginnings and counts modulo q at m = {m}", sum(1 for _ in test_inputs.features(m)), "enumeration")
    if claimed == found:
        return Outcome(Verdict.VERIFIED, scope, witness=str(feature), reason=f"{found} of {m} bits: {feature}")
    return Outcome(Verdict.REFUTED, scope, counterexample={"claimed": str(claimed), "found": str(found), "feature": str(feature)})


@judge
def hand_set(query: Query, *, bits: int, misled: Formula) -> Cases:
    """Whether the network has its numbers in the format, compares its positions on all inputs, and scores what is claimed.

    bits: of every number; misled: how likely unequal test strings are called equal, in m and ``flips``.
    """
    m = query["m"]
    network = Comparer(m, query.semantics.machine(bits))
    compares = test_inputs.SameBeginning(network.compared)
    claimed = misled(flips=test_inputs.flips(m))
    yield Over(f"numbers, columns and running sums of {bits} bits", "enumeration, reachable sums")
    for value in sorted(network.constants()):
        yield network.machine.holds(value) or {"number": value, "bits": bits}
    for failure in network.wrong():
        yield {str(failure[k]): failure[k + 1] for k in range(0, len(failure), 2)}
    found = compares.misled(m)
    yield found == claimed or {"claimed": claimed, "found": found}
    score = test_inputs.score(compares, m)
    exactly = "every test input" if score == 1 else f"all but {1 - score} of the test inputs"
    return f"compares {network.compared} positions, right on {exactly}"
