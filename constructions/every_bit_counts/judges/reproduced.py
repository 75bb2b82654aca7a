"""Measured runs against Tables 1 to 4, under each choice that the paper leaves open; a trained network against equality."""

from __future__ import annotations

from collections.abc import Mapping

from constructions.every_bit_counts.mathematics import measured, printed_accuracies
from verifier.claims.finite_cases import Cases, Over
from verifier.claims.model import Query, declined
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.declaring import Integer, Rational, judge
from verifier.language.enclosed_ranges import four_digits

ASSUMED = ("sampling", "normal-accuracies")


@judge
def row(
    query: Query,
    *,
    of: int,
    m: Integer,
    seeds: int,
    margin: Rational,
    level: Rational,
    instead: Mapping[str, tuple[str, str]] = {},
    every_choice: bool = False,
) -> Outcome:
    """Conditional where some run agrees with each cell, open where that is undecided or other choices are left.

    The row of the table ``of`` (0: before quantization) at m, of so many seeds.

    margin: the difference of means, in points of per cent, that is none; level: of the whole row, so that each cell has a higher one.
    instead: printed cells, by heading, in place of the table's; every_choice: the runs are all that the sentence can mean, so that a row
    that comes out of none of them is refuted.
    """
    shown = {heading: cell for (row_m, heading), cell in printed_accuracies.cells(of).items() if row_m == m}
    shown |= instead
    if not shown:
        return declined(f"table {of} has no row m = {m}")
    against: dict[str, str] = {}
    undecided: list[str] = []
    scope_text = f"table {of}, m = {m}: within {margin} points at level {level}"
    for name, document in measured.runs(m).items():
        found = measured.compared(document, of, shown, seeds, margin, level)
        if not found:
            continue
        for heading, (ours, interval, outcome) in found.items():
            if outcome == "not consistent" and name not in against:
                mean = four_digits(ours.mean, ours.mean)
                against[name] = f"{heading}: printed {shown[heading][0]}, measured {mean}, difference in {interval}"
        if all(outcome == "consistent" for _, _, outcome in found.values()):
            scope = Scope(scope_text, len(shown), "measured runs, Welch's intervals")
            return Outcome(Verdict.CONDITIONAL, scope, assumptions=ASSUMED, reason=f"comes out with {name}")
        if name not in against:
            cells = ", ".join(heading for heading, (_, _, outcome) in found.items() if outcome == "undecided")
            undecided.append(f"{name} ({cells})")
    scope = Scope(scope_text, len(shown), "measured runs, Welch's intervals")
    if not against and not undecided:
        return declined(f"no measured run has the row m = {m} of table {of}")
    if every_choice and not undecided:
        return Outcome(Verdict.REFUTED, scope, reason="comes out of no run", counterexample=against)
    said = [f"undecided with {'; '.join(undecided)}"] if undecided else []
    said += [f"not with {name}: {why}" for name, why in against.items()]
    return Outcome(Verdict.OPEN, scope, reason="; ".join(said))


@judge
def smallest_wrong_pair(query: Query, *, record: str, y: str, z: str) -> Cases:
    """Whether the network is right on every pair before this one, in the order of y and then of z, and wrong on it.

    record: a file of ``verify every-pair`` in ``measured``; y, z: the smallest pair that its network answers wrongly.
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
