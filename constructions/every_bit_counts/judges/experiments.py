"""Judges of Section 3 and Appendix D: printed means and deviations, the test inputs, a network set by hand, measured runs against Tables 1
to 4 under each choice that the paper leaves open, and a trained network against equality.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

import numpy as np

from constructions.every_bit_counts.mathematics import measured
from constructions.every_bit_counts.mathematics.measured import Batches, Divisor, Printed, fewest_wrong_of_the_worst, witness
from verifier.arithmetic.machine import rectified
from verifier.arithmetic.numbers import Number
from verifier.arithmetic.rationals import Fraction, rational
from verifier.claims.finite_cases import Cases, Over, shown, side_by_side
from verifier.claims.model import Query, declined
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.engines.program import axes, program_of
from verifier.errata.tables import read_construction
from verifier.judges.declaring import Formula, Integer, Rational, judge
from verifier.networks.instance import Instance
from verifier.networks.instantiate import instantiate
from verifier.transformers.tables import Execution, execution_of

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
    """Whether each cell follows from some numbers of right answers, except for the listed cells, which follow from none.

    Printed accuracies of this many seeds on this many inputs each; deviation: the divisor of the sum of squares.
    cells: the cells, or else those of the table ``of``; impossible: the cells, by m and heading, that no accuracies give.
    """
    batches = Batches(seeds, items, deviation)
    listed = cells if of is None else [(*where, *what) for where, what in measured.printed_cells(of).items()]
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
    """The best possible accuracy of the worst seed, given the printed cell.

    at_most: the accuracy, in per cent, that the worst seed of a cell does not exceed; the least such number with two digits.
    """
    m, heading, mean, deviation = cell
    wrong = fewest_wrong_of_the_worst(Batches(seeds, items), Printed(mean), Printed(deviation))
    best = None if wrong is None else Fraction(100 * (items - wrong), items)
    found = "none is possible" if best is None else str(Fraction(-(-100 * best // 1), 100))
    what = f"the worst of {seeds} seeds in {heading} at m = {m}, {mean} +- {deviation}, in per cent, rounded up to two digits"
    return side_by_side(what, str(rational(at_most)), found, "sums of integers and of squares, searched")


FOUR_BITS = Path(__file__).parents[1] / "tables" / "four-bits.toml"


@judge
def hand_set(query: Query, *, bits: int, misled: Formula) -> Cases:
    """Whether the numbers of ``four-bits.toml`` are in the format, it compares its positions on all inputs, and is as accurate as claimed.

    bits: of every number; misled: the share of unequal test strings that are called equal, in m and ``flips``.
    """
    m = query["m"]
    instance = instantiate(read_construction(FOUR_BITS).file, {"m": m, "bits": bits})
    execution = execution_of(instance, query.semantics)
    found, claimed = measured.misled(m, instance.m), misled(flips=measured.flips(m))
    yield Over(f"numbers, columns and running sums of {bits} bits", "enumeration, reachable sums")
    for value in sorted(numbers_of(instance)):
        yield execution.machine.holds(value) or {"number": value, "bits": bits}
    yield from wrong_columns(execution)
    yield found == claimed or {"claimed": claimed, "found": found}
    exactly = f"all but {found / 2} of the test inputs" if found else "every test input"
    return f"compares {instance.m} positions, right on {exactly}"


def numbers_of(instance: Instance) -> set[Fraction]:
    """Every number of a table without N."""
    rows = [vector for token in instance.tokens for vector in token.vectors if vector is not None]
    rows += [row for matrix in (instance.query, instance.key, instance.value) for row in matrix.rows]
    rows += [(*node.weights, node.bias) for node in (*instance.hidden, instance.output)]
    return {x for row in rows for x in row if isinstance(x, Fraction)}


def wrong_columns(execution: Execution) -> Iterator[dict[str, object]]:
    """The values of the columns of W^V for which the answer does not say whether the compared positions are equal.

    A column depends only on its own bits: all of them are tried, with the others 0. The output node's running sums are tracked as a set:
    they equal the bias as long as every column was 0, and are at most 0 afterwards.
    """
    instance, machine, program = execution.instance, execution.machine, program_of(execution)
    every = [program.sums[name].bits for name in program.numerator_sums]
    zeros = dict.fromkeys((bit for bits in every for bit in bits), 0)
    bias: Number = instance.output.bias

    def after(total: Number, column: int, seen: Number) -> Number:
        """The running sum with the hidden nodes of one more column."""
        for node, weight in zip(instance.hidden, instance.output.weights, strict=True):
            if node.weights[column]:
                hidden = rectified(machine.multiply(node.weights[column], seen))
                total = machine.add(total, machine.multiply(weight, hidden))
        return total

    unequal: set[Number] = set()
    for c, of_column in enumerate(every):
        read = sorted(of_column, key=lambda bit: (bit.string, bit.index))
        states = np.broadcast_to(program.attentions(program.sums_at({**zeros, **axes(read)}))[c], (2,) * len(read))
        found: set[Number] = set()
        for bits in product((0, 1), repeat=len(read)):
            value = program.lattice.decode(states[bits])
            if (value == 0) != (bits[: len(read) // 2] == bits[len(read) // 2 :]):
                yield {"column": c, "bits": bits, "value": value}
            found.add(value)
        unequal = {after(t, c, v) for t in unequal for v in found} | {after(bias, c, v) for v in found if v != 0}
        for total in unequal:
            if not isinstance(total, Fraction) or total > 0:
                yield {"column": c, "running sum": total}
        if after(bias, c, Fraction(0)) != bias:
            yield {"running sum": after(bias, c, Fraction(0))}


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
    """Whether the runs measured at m give a printed cell: conditional if some choice gives it, refuted if none does.

    The cell is below the heading in table ``of`` (0: before quantization), and is a mean over this many seeds. If no choice agrees and some
    are undecided, the cell is open if not all choices are measured, and otherwise declined with the number of seeds that would decide it.

    margin: the difference of means, in points of per cent, that still counts as agreement; level: of all choices together; choices: the
    choices that must be measured before a cell is refuted; instead: a mean and a deviation in place of the printed ones.
    """
    printed = measured.printed_cells(of).get((m, heading))
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
    theirs = measured.Sample.printed(*printed, seeds)
    fewest = measured.seeds_to_decide([each.ours for each in found.values()], theirs, margin, 1 - (1 - level) / len(found))
    enough = f"{fewest} seeds of each" if fewest else f"more than {measured.MOST_SEEDS} seeds of each"
    return declined(f"not decidable from {seeds} seeds: with these means and deviations {enough} would decide; {reason}")


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
