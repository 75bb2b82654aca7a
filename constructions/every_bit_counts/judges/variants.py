"""Variants of a printed table: what each gets wrong, which groups of errata it needs, on which strings it is right (our questions)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatch

import numpy as np
from msgspec.structs import replace

from constructions.every_bit_counts.judges.repairs import left_without, repaired_table
from verifier.claims.model import Query, declined
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.engines.chosen_inputs import wrong_on
from verifier.engines.program import Program, program_of
from verifier.errata.tables import Source, apply
from verifier.judges.declaring import judge
from verifier.judges.editions import table_parameters
from verifier.judges.tables import wrong_by_answer
from verifier.networks.execution import Execution, execution_of
from verifier.networks.instantiate import instantiate
from verifier.networks.record_base import Expression
from verifier.networks.records import ConstructionFile
from verifier.networks.tasks import Integers
from verifier.networks.transformer import Entries


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


def _lacking(execution: Execution) -> str:
    return "; entries that are not representable are taken exactly" if "exact-entries" in execution.assumptions else ""


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
    answer = f"wrong on {counts.wrong_on_yes:,} of {counts.yes:,} YES and {counts.wrong_on_no:,} of {counts.no:,} NO inputs{_lacking(made)}"
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
    """The largest set of strings on whose promised pairs a variant of the table is always right.

    A string belongs to no such set if the table is wrong on it and itself. If no NO input is answered wrongly, all others do together;
    otherwise MaxSAT leaves out as few as possible, so that no wrong pair remains.
    """
    assert query.claim.table is not None
    made = _execution(query, variant(query.claim.table.source, errata, {}, power), rounded)
    if isinstance(made, Outcome):
        return made
    problem, program = made.instance.problem, program_of(made)
    counts = wrong_by_answer(made, query.limits.states)
    every = np.arange(1 << problem.length, dtype=np.int64)
    strings = every[problem.promises(every, every)]
    alone = strings[~wrong_on(program, strings, strings)]
    query.within(len(alone) ** 2 // 2 * bool(counts.wrong_on_no), "pairs of strings that are right with themselves")
    wrong = list(_wrong_pairs(program, alone)) if counts.wrong_on_no else []
    chosen = _largest_independent(alone.tolist(), wrong) if wrong else alone.tolist()
    shown = ", ".join(format(x, f"0{problem.length}b") for x in chosen[:4]) + (", ..." if len(chosen) > 4 else "")
    answer = f"{len(chosen):,} of the {len(strings):,} strings that keep the promise" + (f": {shown}" if chosen else "") + _lacking(made)
    pairs = counts.yes + counts.no
    return Outcome(Verdict.VERIFIED, Scope(f"all {pairs:,} promise pairs {query.at}", pairs, "enumeration, MaxSAT"), answer)


def _wrong_pairs(program: Program, strings: Integers) -> Iterator[tuple[int, int]]:
    """Pairs of two of the strings, in either order, that keep the promise and are answered wrongly."""
    for y in strings:
        for z in strings[wrong_on(program, np.full_like(strings, y), strings)]:
            yield int(y), int(z)


def _largest_independent(strings: list[int], wrong: list[tuple[int, int]]) -> list[int]:
    """As many of the strings as possible without both strings of a wrong pair."""
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF

    name = {x: k for k, x in enumerate(strings, 1)}
    formula = WCNF()
    for x in strings:
        formula.append([name[x]], weight=1)
    for y, z in wrong:
        formula.append([-name[y], -name[z]])
    with RC2(formula) as solver:
        model = set(solver.compute() or ())
    chosen = [x for x in strings if name[x] in model]
    if any(y in chosen and z in chosen for y, z in wrong):
        raise AssertionError("the solver's set contains a wrong pair")
    return chosen
