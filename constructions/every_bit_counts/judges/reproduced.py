"""Measured runs against Tables 1 to 4, under each choice that the paper leaves open; a trained network against equality."""

from __future__ import annotations

from collections.abc import Sequence

from constructions.every_bit_counts.mathematics import measured, printed_accuracies
from verifier.claims.finite_cases import Cases, Over
from verifier.claims.model import Query, declined
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.judges.declaring import Integer, Rational, judge

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
    undecided, it is open.

    margin: the difference of means, in points of per cent, that counts as none; level: of all choices together; choices: what has to be
    measured before a cell is refuted; instead: a mean and a deviation in place of the printed ones.
    """
    printed = printed_accuracies.cells(of).get((m, heading))
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
    return Outcome(Verdict.OPEN, scope, reason=reason)


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
