"""Variants of a printed table: what each gets wrong, which groups of errata it needs, on which strings it is right (our questions)."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from fnmatch import fnmatch

from msgspec.structs import replace

from constructions.every_bit_counts.judges.repairs import left_without, repaired_table
from verifier.claims.model import Query, declined
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.errata.tables import Source, apply
from verifier.judges.declaring import judge
from verifier.judges.editions import table_parameters
from verifier.judges.tables import wrong_by_answer
from verifier.networks.evaluate import evaluate
from verifier.networks.execution import Execution, execution_of
from verifier.networks.instantiate import instantiate
from verifier.networks.record_base import Expression
from verifier.networks.records import ConstructionFile
from verifier.networks.transformer import Entries

MOST_STRINGS = 1 << 7
"""Strings whose pairs are run one by one."""


def variant(source: Source, errata: Sequence[str], change: Mapping[str, Expression], power: bool) -> ConstructionFile:
    """The printed table with its indices repaired and with some errata.

    errata: patterns of the names of those that are applied besides; change: another repaired expression of some of them;
    power: a token's weight is 2^⟨Q,K⟩, as the proof says of linear attention, not ⟨Q,K⟩.
    """
    assert source.errata is not None
    chosen = [e for e in source.errata.erratum if e.ranges or any(fnmatch(e.name, pattern) for pattern in errata)]
    file = apply(source.raw, [replace(e, repaired=change.get(e.name, e.repaired)) for e in chosen], source.file.id)
    if not power:
        return file
    rows = [replace(row, zero=_powers(row.zero), one=None if row.one is None else _powers(row.one)) for row in file.row]
    return replace(file, row=rows, weights=replace(file.weights, query=replace(file.weights.query, times="1")))


def _powers(vector: Entries) -> Entries:
    """A row's vector with the power of two of its second entry, the key."""
    return [vector[0], f"2**({vector[1]})", *vector[2:]]


def _execution(query: Query, file: ConstructionFile, rounded: bool) -> Execution | Outcome:
    assert query.claim.table is not None
    instance = instantiate(file, table_parameters(query.claim, query.parameters))
    if instance.defects:
        return declined(f"ill-formed {query.at}: {instance.defects[0]}")
    return execution_of(instance, dataclasses.replace(query.semantics, entries="rounded") if rounded else query.semantics)


@judge
def wrong_answers(
    query: Query,
    *,
    errata: Sequence[str] = (),
    change: Mapping[str, str] | None = None,
    power: bool = False,
    rounded: bool = False,
) -> Outcome:
    """On how many YES and NO inputs a variant of the table is wrong (:func:`variant`); the answer of a question, never refuted.

    rounded: entries that the precision lacks are rounded to it; they are taken exactly otherwise.
    """
    assert query.claim.table is not None
    made = _execution(query, variant(query.claim.table.source, errata, change or {}, power), rounded)
    if isinstance(made, Outcome):
        return made
    counts = wrong_by_answer(made, query.limits.states)
    lacking = "; entries that the precision lacks are taken exactly" if "exact-entries" in made.assumptions else ""
    answer = f"wrong on {counts.wrong_on_yes:,} of {counts.yes:,} YES and {counts.wrong_on_no:,} of {counts.no:,} NO inputs{lacking}"
    cases = counts.yes + counts.no
    return Outcome(Verdict.VERIFIED, Scope(f"all {cases:,} pairs of the printed promise {query.at}", cases, "enumeration"), answer)


@judge
def groups_needed(query: Query, *, groups: Mapping[str, list[str]]) -> Outcome:
    """Which groups of errata and promises the repaired table needs: each left out as a whole, every pair of the remaining promise run.

    groups: patterns of names, by what the group is called. Outside the errata's domain the table with all of them is asked first.
    """
    source, point, _ = repaired_table(query)
    assert source.errata is not None
    names = [*(e.name for e in source.errata.erratum), *(p.name for p in source.errata.promise)]
    try:
        whole = left_without(source, [], point, query.semantics, query.limits.states)
    except ValueError:  # no pair keeps the promise
        left = left_without(source, [p.name for p in source.errata.promise], point, query.semantics, query.limits.states)
        scope = Scope(f"every pair of the printed promise {query.at}", max(left.pairs, 1), "enumeration")
        return Outcome(Verdict.VERIFIED, scope, f"no pair keeps the added promise; without it the corrected table is wrong on {left}")
    if not whole.right:
        scope = Scope(f"the table with all corrections {query.at}", max(whole.pairs, 1), "enumeration")
        return Outcome(Verdict.VERIFIED, scope, f"all of them together are not enough: {whole}")
    needed, runs = [], 0
    for called, patterns in groups.items():
        left = left_without(source, [n for n in names if any(fnmatch(n, p) for p in patterns)], point, query.semantics, query.limits.states)
        runs += max(left.pairs, 1)
        if not left.right:
            needed.append(f"{called} ({left})")
    scope = Scope(f"{len(groups)} groups {query.at}, each left out as a whole, every promise pair", runs, "enumeration")
    return Outcome(Verdict.VERIFIED, scope, f"needed: {'; '.join(needed) or 'none'}")


@judge
def largest_right_set(query: Query, *, errata: Sequence[str] = (), power: bool = False, rounded: bool = False) -> Outcome:
    """The largest set of strings on whose promised pairs a variant of the table is always right, by MaxSAT on the wrong pairs."""
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF

    assert query.claim.table is not None
    made = _execution(query, variant(query.claim.table.source, errata, {}, power), rounded)
    if isinstance(made, Outcome):
        return made
    problem = made.instance.problem
    strings = range(1 << problem.length)
    query.within(max(len(strings) - MOST_STRINGS, 0) * query.limits.states, "strings: at most 128 are run pair by pair")
    wrong = [(y, z) for y in strings for z in strings if problem.promised(y, z) and not evaluate(made, y, z).correct]
    alone = [x for x in strings if problem.promised(x, x) and (x, x) not in set(wrong)]
    formula = WCNF()
    for x in alone:
        formula.append([x + 1], weight=1)
    for y, z in wrong:
        if y in alone and z in alone:
            formula.append([-y - 1, -z - 1])
    formula.append([-len(strings) - 1])
    with RC2(formula) as solver:
        model = set(solver.compute() or ())
    chosen = [x for x in alone if x + 1 in model]
    assert not any(y in chosen and z in chosen for y, z in wrong)
    promised = sum(problem.promised(x, x) for x in strings)
    shown = ", ".join(format(x, f"0{problem.length}b") for x in chosen[:4]) + (", ..." if len(chosen) > 4 else "")
    answer = f"{len(chosen)} of the {promised} strings that keep the promise" + (f": {shown}" if chosen else "")
    pairs = sum(problem.promised(y, z) for y in strings for z in strings)
    return Outcome(Verdict.VERIFIED, Scope(f"all {pairs:,} promise pairs {query.at}", pairs, "enumeration, MaxSAT"), answer)
