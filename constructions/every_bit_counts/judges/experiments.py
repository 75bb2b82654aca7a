"""Judges of Section 3 and Appendix D: printed means and deviations, what the test inputs ask for, a network set by hand; measured
runs against Tables 1 to 4, under each choice that the paper leaves open, and a trained network against equality.
"""

from __future__ import annotations

from collections.abc import Sequence

from constructions.every_bit_counts.mathematics import measured, printed_spreads, test_inputs
from constructions.every_bit_counts.mathematics.four_bit_network import Comparer
from constructions.every_bit_counts.mathematics.printed_spreads import Batches, Divisor, Printed, fewest_wrong_of_the_worst, witness
from verifier.arithmetic.rationals import Fraction, rational
from verifier.claims.finite_cases import Cases, Over, shown, side_by_side
from verifier.claims.model import Query, declined
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.declaring import Formula, Integer, Rational, judge

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
    listed = cells if of is None else [(*where, *what) for where, what in printed_spreads.cells(of).items()]
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


ASSUMED = ("sampling", "normal-accuracies")
METHOD = "measured runs, Welch's intervals"


@judge
def cell(
    query: Query,
    *,
    of: int,
    m: Integer,
    heading: str,
    seeds: int,
    margin: Rational,
    level: Rational,
    choices: Sequence[str] = (),
    instead: Sequence[str] = (),
) -> Outcome:
    """Whether a printed cell comes out of the runs measured at m: conditional where it does with some choice, refuted where with none.

    The cell is below the heading in table ``of`` (0: before quantization), a mean over so many seeds. Where no choice agrees and some are
    undecided, it is declined if these deviations need more seeds than the table has, and open if not all choices are measured.

    margin: the difference of means, in points of per cent, that counts as none; level: of all choices together; choices: what has to be
    measured before a cell is refuted; instead: a mean and a deviation in place of the printed ones.
    """
    printed = printed_spreads.cells(of).get((m, heading))
    if printed is None:
        return declined(f"table {of} has no cell {heading} at m = {m}")
    printed = (instead[0], instead[1]) if instead else printed
    found = measured.over_choices(m, of, heading, printed, seeds, margin, level)
    if not found:
        return declined(f"no measured run has the cell {heading} at m = {m} of table {of}")
    scope = Scope(f"{heading}, m = {m}: {len(found)} choices, within {margin} points at level {level}", len(found), METHOD)
    agreements = {each.agreement for each in found.values()}
    missing = [name for name in choices if name not in found]
    if agreements == {"not consistent"} and not missing:
        return Outcome(
            Verdict.REFUTED, scope, counterexample={"printed": " ± ".join(printed), **{name: str(each) for name, each in found.items()}}
        )
    groups = [
        f"{said}: {', '.join(f'{name} {each}' for name, each in found.items() if each.agreement == said)}"
        for said in ("consistent", "undecided", "not consistent")
        if said in agreements
    ]
    groups += [f"not measured: {', '.join(missing)}"] if missing else []
    reason = f"printed {' ± '.join(printed)}; {'; '.join(groups)}"
    if "consistent" in agreements:
        return Outcome(Verdict.CONDITIONAL, scope, assumptions=ASSUMED, reason=reason)
    if missing:
        return Outcome(Verdict.OPEN, scope, reason=reason)
    undecided = [each.ours for each in found.values() if each.agreement == "undecided"]
    least = min(
        measured.seeds_to_decide(ours, measured.Sample.printed(*printed, seeds), margin, 1 - (1 - level) / len(found)) for ours in undecided
    )
    if least <= seeds:
        return Outcome(Verdict.OPEN, scope, reason=reason)
    return declined(f"not decidable from {seeds} seeds: with these deviations {least} would decide within {margin} points; {reason}")


@judge
def smallest_wrong_pair(query: Query, *, record: str, y: str, z: str) -> Cases:
    """Whether the network is right on every pair before this one, in the order of y and then of z, and wrong on it.

    record: a file of ``verify tool every-pair`` in ``measured``; y, z: the smallest pair that its network answers wrongly.
    """
    network = measured.network(record)
    m, pair = network.m, (int(y, 2), int(z, 2))
    query.within(100 * ((pair[0] << m) + pair[1]), "hundredths of pairs in balls")
    yield Over(f"the pairs up to y = {y}, z = {z}, weights of {record}", "enclosure in balls")
    for number in range((pair[0] << m) + pair[1] + 1):
        one, other = number >> m, number & (1 << m) - 1
        says = network.says_equal(one, other)
        if (says != (one == other)) != ((one, other) == pair):
            yield {"y": format(one, f"0{m}b"), "z": format(other, f"0{m}b"), "answer": "equal" if says else "unequal"}
        yield True
