"""Judges of Section 3 and Appendix D: printed means and deviations, the test inputs, a network set by hand, measured runs against Tables 1
to 4 under each choice that the paper leaves open, and a trained network against equality.

A transformer of the experiments' size, its weights set by hand in four bits, that compares the strings' beginnings.

H = 2 heads of value dimension 4, embedding dimension 8, at most 32 hidden nodes (Appendix D), with softmax attention as in Definition A.2,
numbers of Definition A.7 and the arithmetic of Section A.4; e^(k ln 2) is 2^k. Columns 0 to 6 of an embedding carry the bits, three
positions to a column, with the weights 1, 2, 4 and for z -1, -2, -4; column 7 is 1. Every key is -3, so that a token's share is 1/8: the
denominator reaches 1 and stays there, and a column's numerator is (y' - z')/8 for the three bits that it compares.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import product

from constructions.every_bit_counts.mathematics import measured
from constructions.every_bit_counts.mathematics.measured import Batches, Divisor, Printed, fewest_wrong_of_the_worst, witness
from verifier.arithmetic.formats import power_of_two
from verifier.arithmetic.machine import Machine, rectified
from verifier.arithmetic.numbers import Number
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


@judge
def hand_set(query: Query, *, bits: int, misled: Formula) -> Cases:
    """Whether the network's numbers are in the format, it compares its positions on all inputs, and its accuracies are as claimed.

    bits: of every number; misled: the share of unequal test strings that are called equal, in m and ``flips``.
    """
    m = query["m"]
    network = Comparer(m, query.semantics.machine(bits))
    found, claimed = measured.misled(m, network.compared), misled(flips=measured.flips(m))
    yield Over(f"numbers, columns and running sums of {bits} bits", "enumeration, reachable sums")
    for value in sorted(network.constants()):
        yield network.machine.holds(value) or {"number": value, "bits": bits}
    for failure in network.wrong():
        yield {str(failure[k]): failure[k + 1] for k in range(0, len(failure), 2)}
    yield found == claimed or {"claimed": claimed, "found": found}
    exactly = f"all but {found / 2} of the test inputs" if found else "every test input"
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


COLUMNS = 7
PLACES = 3
KEY = -3
HIDDEN_WEIGHTS = (Fraction(1), Fraction(-1))
"""Of the two hidden nodes that look at a column."""
OUTPUT_WEIGHT = Fraction(-1)
OUTPUT_BIAS = Fraction(1, 8)


@dataclass(frozen=True)
class Comparer:
    """The network for strings of m bits, run by a machine of its precision."""

    m: int
    machine: Machine

    @property
    def compared(self) -> int:
        """The number of positions that it compares."""
        return min(self.m, COLUMNS * PLACES)

    def places(self, column: int) -> range:
        """The positions that a column compares."""
        return range(PLACES * column, min(PLACES * (column + 1), self.m))

    def entry(self, token: int, bit: int, column: int) -> Fraction:
        """An entry of the embedding: token 0 … m - 1 holds y, m … 2m - 1 holds z, the last one nothing."""
        position = token % self.m if token < 2 * self.m else -1
        if bit == 0 or position not in self.places(column):
            return Fraction(0)
        return Fraction((1 if token < self.m else -1) << position % PLACES)

    def constants(self) -> set[Fraction]:
        """Every number of the network."""
        entries = {self.entry(t, 1, c) for t in range(2 * self.m + 1) for c in range(COLUMNS)}
        return entries | {Fraction(1), Fraction(KEY), *HIDDEN_WEIGHTS, OUTPUT_WEIGHT, OUTPUT_BIAS}

    @cached_property
    def weight(self) -> Number:
        """e^<Q,K> of every token."""
        return self.machine.round(power_of_two(KEY))

    @cached_property
    def denominator(self) -> Number:
        """The sum of the attention weights, from left to right."""
        return self.total([self.weight] * (2 * self.m + 1))

    def total(self, terms: Iterable[Number]) -> Number:
        """The sum from left to right."""
        start: Number = Fraction(0)
        return reduce(self.machine.add, terms, start)

    def column(self, column: int, y: tuple[int, ...], z: tuple[int, ...]) -> Number:
        """The attention's output in a column; tokens with the entry 0 add nothing."""
        entries = (self.entry(token, bit, column) for token, bit in enumerate((*y, *z)) if bit)
        numerator = self.total(self.machine.multiply(self.weight, entry) for entry in entries if entry)
        return self.machine.divide(self.machine.multiply(numerator, Fraction(1)), self.denominator)

    def after(self, total: Number, seen: Number) -> Number:
        """The output node's running sum with the two hidden nodes of one more column."""
        for weight in HIDDEN_WEIGHTS:
            node = rectified(self.machine.multiply(weight, seen))
            total = self.machine.add(total, self.machine.multiply(OUTPUT_WEIGHT, node))
        return total

    def says_equal(self, y: tuple[int, ...], z: tuple[int, ...]) -> bool:
        """The answer: whether the output is positive."""
        output: Number = OUTPUT_BIAS
        for c in range(COLUMNS):
            output = self.after(output, self.column(c, y, z))
        return isinstance(output, Fraction) and output > 0

    def wrong(self) -> Iterator[tuple[object, ...]]:
        """The values of the columns for which the answer does not say whether the compared positions are equal.

        A column depends only on its own bits: all of them are tried, with the others 0. The output node's running sums are tracked as a
        set: they equal the bias as long as every column was 0, and are at most 0 afterwards.
        """
        unequal: set[Number] = set()
        for c in range(COLUMNS):
            found: set[Number] = set()
            width = len(self.places(c))
            for bits in product((0, 1), repeat=2 * width):
                value = self.column(c, self._string(c, bits[:width]), self._string(c, bits[width:]))
                if (value == 0) != (bits[:width] == bits[width:]):
                    yield ("column", c, "bits", bits, "value", value)
                found.add(value)
            unequal = {self.after(t, v) for t in unequal for v in found} | {self.after(OUTPUT_BIAS, v) for v in found if v != 0}
            yield from (("column", c, "running sum", total) for total in unequal if not isinstance(total, Fraction) or total > 0)
        if self.after(OUTPUT_BIAS, Fraction(0)) != OUTPUT_BIAS:
            yield ("running sum", self.after(OUTPUT_BIAS, Fraction(0)))

    def _string(self, column: int, bits: tuple[int, ...]) -> tuple[int, ...]:
        chosen = dict(zip(self.places(column), bits, strict=True))
        return tuple(chosen.get(i, 0) for i in range(self.m))
