"""Judges of our questions on repairs: which errata a table needs, on how many pairs a repaired design can be right at all, what each
variant of a printed table gets wrong, which groups of errata it needs, and on which strings it is right.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch

import numpy as np
from msgspec.structs import replace

from constructions.every_bit_counts.judges.floating import problem_of
from verifier.arithmetic.formats import Digits
from verifier.arithmetic.machine import Machine
from verifier.arithmetic.numbers import Number, negate
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import Semantics
from verifier.claims.finite_cases import at_point
from verifier.claims.model import Query, declined
from verifier.claims.verdicts import Outcome, Scope, Verdict
from verifier.engines.dispatch import decide
from verifier.engines.enumerate import wrong_on
from verifier.engines.program import Program, program_of
from verifier.errata.tables import Source, apply
from verifier.judges.declaring import judge
from verifier.judges.editions import table_parameters
from verifier.judges.tables import wrong_text
from verifier.language.definitions import inlined_text
from verifier.language.exact import integer
from verifier.networks.instantiate import instantiate
from verifier.networks.problems import Integers, Problem, bits_of
from verifier.networks.record_base import Expression
from verifier.networks.records import ConstructionFile, Entries
from verifier.running.errors import InputError
from verifier.transformers.tables import Execution, execution_of


def resting_on(source: Source, name: str) -> list[str]:
    """The erratum or promise of this name, with the later errata that change the same place."""
    assert source.errata is not None
    names = [e.name for e in source.errata.erratum]
    if name not in names:
        return [name]
    first = source.errata.erratum[names.index(name)]
    return [name, *(e.name for e in source.errata.erratum[names.index(name) + 1 :] if e.at == first.at)]


@dataclass(frozen=True)
class Left:
    """A table without some of its errata: its defect, or its number of failing promise pairs."""

    defect: str | None
    failures: int
    pairs: int

    @property
    def right(self) -> bool:
        return self.defect is None and not self.failures

    def __str__(self) -> str:
        return f"ill-formed: {self.defect}" if self.defect else f"{self.failures:,} of {self.pairs:,} pairs"


def left_without(source: Source, names: list[str], point: dict[str, int], semantics: Semantics, states: int) -> Left:
    """The table with all its errata but these, on every pair of its promise."""
    try:
        instance = instantiate(source.repaired(names), point)
    except InputError as error:
        return Left(str(error), 0, 0)
    if instance.defects:
        return Left(str(instance.defects[0]), 0, 0)
    census = decide(execution_of(instance, semantics), limit=states)
    return Left(None, census.failures, census.cases)


def repaired_table(query: Query) -> tuple[Source, dict[str, int], str | None]:
    """The table of the claim with its errata, its parameters here, and a sentence if they lie outside the domain of the errata."""
    assert query.claim.table is not None
    source, point = query.claim.table.source, table_parameters(query.claim, query.parameters)
    return source, point, source.outside_errata(point)


def left_out(query: Query, groups: Mapping[str, Sequence[str]]) -> dict[str, Left]:
    """The claim's table without each of these groups of errata, by the group's name."""
    source, point, _ = repaired_table(query)
    return {name: left_without(source, list(errata), point, query.semantics, query.limits.states) for name, errata in groups.items()}


@judge
def needed(query: Query, *, unneeded: Sequence[str] = ()) -> Outcome:
    """Leave out each erratum, run the table on every pair, and compare the errata without which it is still right with the named ones.

    unneeded: the errata each of which can be left out without making the repaired table wrong on any pair.
    """
    source, _, outside = repaired_table(query)
    if outside or source.errata is None:
        return declined(outside or f"{source.file.id} has no errata")
    names = [*(e.name for e in source.errata.erratum), *(p.name for p in source.errata.promise)]
    left = left_out(query, {name: resting_on(source, name) for name in names})
    values = {name: str(found) for name, found in left.items()}
    runs = sum(found.pairs for found in left.values())
    scope = Scope(f"{len(names)} errata and promises {query.at}, each left out by itself, every promise pair", runs, "enumeration")
    spare = [name for name, found in left.items() if found.right]
    wrong = sorted(set(spare) ^ set(unneeded))
    if not wrong:
        return Outcome(Verdict.VERIFIED, scope, values=values)
    shown = at_point(query)
    return Outcome(Verdict.REFUTED, scope, reason=f"unneeded are {', '.join(spare)}", counterexample={**shown, wrong[0]: values[wrong[0]]})


def number_of(machine: Machine, problem: Problem, x: int, t: int, e: int) -> Number:
    """(−1)^x_1 · 1.x_(e+2) … x_m · 2^(x_(2:e+1) − q) in the format: the number into which Table 7 should turn a string."""
    bits = bits_of(x, problem.length)
    mantissa = 1 + Fraction(int(bits[e + 1 :], 2), 1 << t - 1)
    return machine.round((-1) ** int(bits[0]) * mantissa * Fraction(2) ** (int(bits[1 : e + 1], 2) - (1 << e - 1) + 1))


def failing_by_design(machine: Machine, problem: Problem, t: int, e: int) -> Iterator[tuple[int, int]]:
    """The promise pairs on which the difference v(y) − v(z), rounded, is 0 for y ≠ z, or is not 0 for y = z."""
    number = [number_of(machine, problem, x, t, e) for x in range(1 << problem.length)]
    for y in map(int, problem.occurring("y")):
        for z in range(y, 1 << problem.length):
            if problem.promised(y, z) and (machine.add(number[y], negate(number[z])) == 0) != (y == z):
                yield y, z


@judge
def largest_set(query: Query, *, promises: list[str]) -> Outcome:
    """The number of pairs of the printed promise on which a table that computes v(y) − v(z) fails, and the number for our table without our
    promises.

    promises: those of the errata that are removed again, so that the printed promise applies.
    """
    _, _, outside = repaired_table(query)
    if outside:
        return declined(outside)
    t, e = query["t"], query["e"]
    problem, machine = problem_of(query), query.semantics.machine(Digits(t, e))
    query.within(4**problem.length, "pairs")
    failing = list(failing_by_design(machine, problem, t, e))
    ours, kept = left_out(query, {"ours": promises, "kept": []}).values()
    yes = sum(y == z for y, z in failing)
    values = {
        "promise pairs": f"{ours.pairs:,}",
        "fail by design": f"{yes:,} with y = z and {len(failing) - yes:,} with y < z",
        "repaired table fails on": str(ours),
        "pairs of the added promises": f"{kept.pairs:,}",
    }
    scope = Scope(f"all {ours.pairs:,} pairs of the printed promise {query.at}", ours.pairs, "enumeration")
    if ours.defect is None and kept.right and 1 <= len(failing) <= ours.failures <= ours.pairs - kept.pairs:
        return Outcome(Verdict.VERIFIED, scope, values=values)
    shown = at_point(query)
    return Outcome(Verdict.REFUTED, scope, reason=f"{len(failing):,} pairs fail by design, the table on {ours}", counterexample=shown)


@judge
def key_window(query: Query, *, least: str, most: str, key: str, undone: str, by: str) -> Outcome:
    """Judge the table with every key −k of the window and the nearest key on either side: it is right exactly within the window.

    least, most: formulas in the table's parameters; the keys −k between them are those that work.
    key: the corrected key of the tokens that the denominator must neglect; it is changed to −k.
    undone: the erratum of W^V, and in ``by`` the formula of k that undoes their weight.
    """
    source, point, outside = repaired_table(query)
    if outside:
        return declined(outside)
    names = {k: Fraction(v) for k, v in point.items()}
    first, last = (integer(inlined_text(text, query.claim.lets), names) for text in (least, most))
    form = query.semantics.form(Digits(point["t"], point["e"]))
    keys = [k for k in range(1, 2 * last + 2) if form.contains(Fraction(k))]
    below, inside, above = [k for k in keys if k < first][-1:], [k for k in keys if first <= k <= last], [k for k in keys if k > last][:1]
    assert source.errata is not None
    keys_of = [erratum.name for erratum in source.errata.erratum if erratum.repaired == key]
    failures = {}
    pairs = 0
    for k in (*below, *inside, *above):
        file = variant(source, ["*"], {**dict.fromkeys(keys_of, f"-{k}"), undone: by.replace("k", str(k))}, power=False)
        census = decide(Execution(instantiate(file, point), query.semantics), limit=query.limits.states)
        failures[k], pairs = census.failures, pairs + census.cases
    scope = Scope(f"the keys -{', -'.join(map(str, failures))} {query.at}, every promise pair for each", pairs, "enumeration")
    values = {f"key -{k}": f"{n:,} pairs fail" for k, n in failures.items()}
    wrong = [k for k, n in failures.items() if (n == 0) != (k in inside)]
    if inside and not wrong:
        return Outcome(Verdict.VERIFIED, scope, values=values)
    shown = at_point(query)
    k = wrong[0] if wrong else last
    reason = f"the window is {first} to {last}" + (
        f"; with the key -{k} {failures[k]:,} pairs fail" if wrong else ", without a key of the format"
    )
    return Outcome(Verdict.REFUTED, scope, reason=reason, counterexample={**shown, "key": f"-{k}"})


def variant(source: Source, errata: Sequence[str], change: Mapping[str, Expression], power: bool) -> ConstructionFile:
    """The printed table with its indices repaired and with some errata.

    errata: patterns of the names of additional errata that are applied; change: another repaired expression of some of them;
    power: whether a token's weight is 2^⟨Q,K⟩, as the proof says of linear attention, not ⟨Q,K⟩.
    """
    assert source.errata is not None
    chosen = [e for e in source.errata.erratum if e.ranges or any(fnmatch(e.name, pattern) for pattern in errata)]
    file = apply(source.raw, [replace(e, repaired=change.get(e.name, e.repaired)) for e in chosen], source.file.id)
    if not power:
        return file
    rows = [replace(row, zero=_powers(row.zero), one=None if row.one is None else _powers(row.one)) for row in file.row]
    return replace(file, row=rows, weights=replace(file.weights, query=replace(file.weights.query, times="1")))


def _powers(vector: Entries) -> Entries:
    """A row's vector with the power of two in place of its second entry, the key."""
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
    """The number of YES and NO inputs on which a variant of the table is wrong (:func:`variant`); the answer to a question, never refuted.

    rounded: entries that the precision lacks are rounded to it; they are taken exactly otherwise.
    """
    assert query.claim.table is not None
    made = _execution(query, variant(query.claim.table.source, errata, change or {}, power), rounded)
    if isinstance(made, Outcome):
        return made
    census = decide(made, "enumerate", query.limits.states)
    scope = Scope(f"all {census.cases:,} pairs of the printed promise {query.at}", census.cases, "enumeration")
    return Outcome(Verdict.VERIFIED, scope, wrong_text(census) + _lacking(made))


@judge
def groups_needed(query: Query, *, groups: Mapping[str, list[str]]) -> Outcome:
    """The groups of errata and promises that the repaired table needs: each is left out as a whole, and every pair of the remaining promise
    is run.

    groups: patterns of names, by the name of the group. Outside the errata's domain the table with all of them is judged first.
    """
    source, _, _ = repaired_table(query)
    assert source.errata is not None
    promises = [p.name for p in source.errata.promise]
    names = [*(e.name for e in source.errata.erratum), *promises]
    try:
        (whole,) = left_out(query, {"nothing": []}).values()
    except InputError:  # no pair keeps the promise
        (left,) = left_out(query, {"promises": promises}).values()
        scope = Scope(f"every pair of the printed promise {query.at}", max(left.pairs, 1), "enumeration")
        return Outcome(Verdict.VERIFIED, scope, f"no pair keeps the added promise; without it the corrected table is wrong on {left}")
    if not whole.right:
        scope = Scope(f"the table with all corrections {query.at}", max(whole.pairs, 1), "enumeration")
        return Outcome(Verdict.VERIFIED, scope, f"all of them together are not enough: {whole}")
    without = left_out(query, {called: [n for n in names if any(fnmatch(n, p) for p in patterns)] for called, patterns in groups.items()})
    runs = sum(max(left.pairs, 1) for left in without.values())
    needed = [f"{called} ({left})" for called, left in without.items() if not left.right]
    scope = Scope(f"{len(groups)} groups {query.at}, each left out as a whole, every promise pair", runs, "enumeration")
    return Outcome(Verdict.VERIFIED, scope, f"needed: {'; '.join(needed) or 'none'}")


@judge
def largest_right_set(query: Query, *, power: bool = False) -> Outcome:
    """The largest set of strings on whose promised pairs a variant of the table is always right.

    A string belongs to no such set if the table is wrong on it and itself. If no NO input is answered wrongly, all other strings together
    form such a set; otherwise MaxSAT leaves out as few as possible, so that no wrong pair remains.
    """
    assert query.claim.table is not None
    made = _execution(query, variant(query.claim.table.source, (), {}, power), rounded=False)
    if isinstance(made, Outcome):
        return made
    problem, program = made.instance.problem, program_of(made)
    census = decide(made, "enumerate", query.limits.states)
    every = np.arange(1 << problem.length, dtype=np.int64)
    strings = every[problem.promises(every, every)]
    alone = strings[~wrong_on(program, strings, strings)]
    wrong_on_no = census.failures > census.missed
    query.within(len(alone) ** 2 // 2 * wrong_on_no, "pairs of strings that are right with themselves")
    wrong = list(_wrong_pairs(program, alone)) if wrong_on_no else []
    chosen = _largest_independent(alone.tolist(), wrong) if wrong else alone.tolist()
    shown = ", ".join(format(x, f"0{problem.length}b") for x in chosen[:4]) + (", ..." if len(chosen) > 4 else "")
    answer = f"{len(chosen):,} of the {len(strings):,} strings that keep the promise" + (f": {shown}" if chosen else "") + _lacking(made)
    scope = Scope(f"all {census.cases:,} promise pairs {query.at}", census.cases, "enumeration, MaxSAT")
    return Outcome(Verdict.VERIFIED, scope, answer)


def _wrong_pairs(program: Program, strings: Integers) -> Iterator[tuple[int, int]]:
    """Pairs of two of the strings, in either order, that keep the promise and are answered wrongly."""
    for y in strings:
        for z in strings[wrong_on(program, np.full_like(strings, y), strings)]:
            yield int(y), int(z)


def _largest_independent(strings: list[int], wrong: list[tuple[int, int]]) -> list[int]:
    """The largest number of the strings without both strings of a wrong pair."""
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
