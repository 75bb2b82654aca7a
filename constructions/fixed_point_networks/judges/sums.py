"""Judges about the sets N, S, BN, BS: when they are everything, for some bias and for every bias, and when two of them are equal; about
Condition 1 (Sections 3.1–3.3); about the sums of S°, their necessary range and number of terms (Sections 4.2, 5.14), the integers of Lemma
26 (Section 5.15), and Equations (21), (22), (31), each with its consequence at every p; which of the sets networks that represent every
function need, and which suffice (Theorems 1 and 11, Corollaries 9 and 17).

N and BN depend on σ only through the gcd of its outputs, S and BS through the gcd of their gaps; so *every activation* is every set of
outputs, or every gcd, with every class of biases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, product
from math import floor, gcd, lcm
from typing import Literal

from constructions.fixed_point_networks.judges.query_objects import Tried, Weights, chosen, every_image, grid_of, targets
from constructions.fixed_point_networks.mathematics import weighted_sums
from constructions.fixed_point_networks.mathematics.activations import SIGNS, Table, normal_form, rounded, scaled_hardtanh, threshold
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.network import (
    Plan,
    assembled,
    first_difference,
    points_of,
    representator,
)
from constructions.fixed_point_networks.mathematics.sets import (
    Reach,
    Sums,
    closure,
    full_biases,
    images,
    monotone_tables,
    reach,
    reach_of_image,
    shapes,
    sums_of,
    swap_target,
)
from constructions.fixed_point_networks.mathematics.weighted_sums import Numbers, combination, outcomes, within
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Cases, Over, Trial
from verifier.claims.model import Claim, Query, by_edition, declined
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict
from verifier.judges.declaring import Condition, Formula, Integer, Rational, Reduction, judge


@judge
def monotone_has_condition_1(query: Query, *, outputs: int = 2) -> Cases:
    """Judge Lemma 4 on every table; if these are too many, on every upper interval of inputs that share the last value.

    outputs: the least number of outputs of a table, if all tables are enumerated.
    """
    grid = grid_of(query)
    if "monotone" not in query.assuming:
        query.within(grid.size**grid.size, "tables")
        yield Over("all non-constant activation tables")
        tables: Iterator[Table] = (Table(grid, levels) for levels in product(grid.levels(), repeat=grid.size))
    elif grid.p <= 2:
        yield Over("all monotone, non-constant activation tables")
        tables = monotone_tables(grid)
    else:
        yield Over("all monotone, non-constant activations, by the first input with the last value,", "case split on z")
        for z in range(-grid.top + 1, grid.top + 1):
            levels = tuple(1 if k >= z else 0 for k in grid.levels())
            ok = threshold(Table(grid, levels)) == z and normal_form(Table(grid, tuple(-v for v in levels))) is not None
            yield ok or {"z": grid.show(z)}
        return
    for table in tables:
        if len(table.image) >= outputs:
            yield normal_form(table) is not None or {"table": table.levels}


@judge
def extremal_interval(query: Query, *, end: Literal["z", "-z"]) -> Cases:
    """The sentence after Condition 1: whether each table is extremal, for its alpha, beta and z.

    end: the end of the interval from min Q_(p,s) on, if beta = -1.
    """
    grid, tried, sign = grid_of(query), Tried(query), {"z": 1, "-z": -1}[end]
    yield tried.over("every alpha, beta and z of Condition 1, every input")
    for (name, table, _), (alpha, beta) in product(tried, SIGNS):
        z = threshold(Table(grid, tuple(alpha * v for v in table.levels[::beta])))
        if z is None:
            continue  # Condition 1 holds with other signs
        extreme = max(table.levels) if alpha == 1 else min(table.levels)
        found = [k for k in grid.levels() if table(k) == extreme]
        named = [k for k in grid.levels() if (k >= z if beta == 1 else k <= sign * z)]
        shown = {"activation": name, "alpha": alpha, "beta": beta, "z": grid.show(z)}
        up_to = grid.show(named[-1]) if named else "no input"
        yield found == named or {**shown, "extremal up to": grid.show(found[-1]), "interval up to": up_to}


BY_HAND = 2
"""The largest p at which every activation is gone through, with every sum walked."""


@judge
def sharp_criterion(query: Query, *, set: Literal["N", "S", "BN", "BS"], some: Condition, every: Condition) -> Cases:
    """The criterion of :mod:`..mathematics.sets`: each g by the numerators of each level; up to p = 2 also each set of outputs by every
    sum.

    some, every: conditions for the set to be everything for some bias, and for every bias, in g, the gcd in levels of the outputs (N, BN)
    or of their gaps (S, BS).
    """
    grid = grid_of(query)
    unit, most = grid.s if set.startswith("B") else 1, (2 if set.endswith("S") else 1) * grid.top
    besides: list[str] = []

    def said(g: int) -> tuple[bool, bool]:
        return some(g=g), every(g=g)

    where = f"every g up to {most}" + (", and every set of outputs by its sums" if grid.p <= BY_HAND else "")
    yield Over(f"{set} by {where}, every class of biases,", "numerators of each level")
    for g in range(1, most + 1):
        full = full_biases(grid, unit * g)
        found = any(full), all(full)
        ok = said(g) == found and (full[0] or not any(full))
        yield ok or {"g": g, "some bias, every bias": found, "expected": said(g)}
        if any(full) and not all(full):
            besides.append(f"g = {g} at b = {', '.join(grid.show(b) for b, ok in enumerate(full) if ok)}")
    for image in images(grid) if grid.p <= BY_HAND else ():
        sets, table = reach_of_image(set, grid, image), Table(grid, (*image, *[max(image)] * (grid.size - len(image))))
        walked = [len(closure(set, table, b, 4 * grid.top * max(grid.s, grid.top))) == grid.size for b in range(sets.classes)]
        shown = {"outputs": [grid.show(v) for v in sorted(image)], "some bias, every bias": (any(walked), all(walked))}
        yield (any(walked), all(walked)) == said(sets.step // unit) or shown
    exceptions = f"besides for {'; '.join(besides)}" if besides else "for one bias where for all"
    return f"for every bias exactly where {every}; {exceptions}"


@judge
def values_of_hardtanh(query: Query, *, set: Literal["N", "BN"], factor: Integer) -> Cases:
    """All values of N (BN) for factor·Hardtanh, for each class of biases modulo the group of the sums."""
    grid = grid_of(query)
    sets = reach(set, rounded(scaled_hardtanh(factor), grid))
    yield Over(f"{sets.classes} classes of biases, every value of Q_(p,s)", "gcd of the outputs")
    said = []
    for beta in range(sets.classes):
        values = sorted(sets.reached(beta))
        said.append(f"b = {grid.show(beta)}: {grid.show_all(values)} ({len(values)} of {grid.size})")
        yield True
    return "; ".join(said)


@judge
def bounded(
    query: Query,
    *,
    lengths: list[Formula],
    largest: Integer,
    first: Formula,
    rest: Formula,
    numbers: Literal["ascending", "unordered", "repetitions", "integers"] = "ascending",
) -> Cases:
    """Lemma 26: some integers c have Σ cᵢxᵢ = d within the bounds, found by the repaired recipe, or else by search.

    lengths: the numbers of integers; largest: the greatest integer tried; first, rest: bounds of |c₁| and of the others, in x1, xn and d,
    the gcd;
    numbers: ``ascending`` naturals, in other orders (``unordered``), with ``repetitions``, or ``integers`` in ascending order.
    """
    yield Over(f"all {numbers} tuples of {', '.join(map(str, lengths))} numbers up to {largest}")
    for n in (length.integer() for length in lengths):
        for xs in weighted_sums.numbers(numbers, n, largest) if n else ():
            names = {"x1": xs[0], "xn": xs[-1], "d": gcd(*xs)}
            one, others = floor(first(**names)), floor(rest(**names))
            ok = within(xs, one, others)
            yield ok or {"x": xs, "d": gcd(*xs), "|c_1| at most": one, "|c_i| at most": others}


OUTCOMES = "outcomes of the recipe, from Euclidean coefficients, for coprime ascending tuples above 1"


@judge
def recipe_bounds(query: Query, *, sign_of: Literal["next", "sum"], sums: Formula, first: Formula) -> Cases:
    """Whatever the recipe picks, the sums of the later terms and the first coefficient stay within the bounds.

    sign_of: the number from whose sign the next choice must differ: ``next``, the coefficient c_(j+1), or ``sum``, of all so far; sums,
    first: bounds of |Σ_(i≥j) cᵢxᵢ| for j ≥ 2, and of |c₁|, in x1 and xn.
    """
    yield Over(f"all {OUTCOMES}")
    for xs, _, picked in outcomes(query["n"], query["x"], sign_of == "sum"):
        ends = {"x1": xs[0], "xn": xs[-1]}
        most, one = floor(sums(**ends)), floor(first(**ends))
        for cs in picked:
            yield _beyond(xs, cs, most, one)


def _beyond(xs: Numbers, cs: list[int], sums: int, first: int) -> Trial:
    for j in range(1, len(xs)):
        total = sum(c * x for c, x in zip(cs[j:], xs[j:], strict=True))
        if abs(total) > sums:
            return {"x": xs, "c": tuple(cs), "j": j + 1, "sum": total, "bound": sums}
    return abs(cs[0]) <= first or {"x": xs, "c": tuple(cs), "|c_1|": abs(cs[0]), "bound": first}


@judge
def recipe_choices(query: Query, *, sign_of: Literal["next", "sum"], c1: Formula) -> Cases:
    """The kᵢ can be picked as required, and the given first coefficient keeps the sum at 1.

    sign_of: as for a recipe; c1: the first coefficient, in b1 and moved = Σ kᵢxᵢ.
    """
    yield Over(f"all {OUTCOMES}")
    for xs, b, picked in outcomes(query["n"], query["x"], sign_of == "sum"):
        yield bool(picked) or {"x": xs, "outcomes": 0}
        for cs in picked:
            whole = all((new - old) % xs[0] == 0 for old, new in zip(b[1:], cs[1:], strict=True))
            moved = sum((new - old) // xs[0] * x for old, new, x in zip(b[1:], cs[1:], xs[1:], strict=True))
            one = c1(b1=b[0], moved=moved)
            total = one * xs[0] + sum(c * x for c, x in zip(cs[1:], xs[1:], strict=True))
            yield (whole and total == 1) or {"x": xs, "b": tuple(b), "c": (one, *cs[1:]), "sum": total}


FULL_BIAS = "every activation with S = Q_(p,s) for some bias, by the gcd of its gaps,"


@judge
def small_sums_suffice(query: Query, *, furthest: Rational, in_q: bool = False, full_bias: bool = True) -> Cases:
    """Lemma 19: from some bias in [−q_max, q_max] the sums of S° up to ``furthest`` reach every value.

    furthest: the greatest magnitude of a sum; in_q: only sums in Q_(p,s); full_bias: only if S = Q_(p,s) for some bias.
    """
    grid = grid_of(query)
    yield Over(FULL_BIAS if full_bias else "every activation, by the gcd of its gaps,", "gcd of the gaps")
    for gap in range(1, 2 * grid.top + 1):
        bias = Reach(grid, gap).full_bias()
        if full_bias and bias is None:
            continue
        sums = Reach(grid, lcm(gap, grid.s) if in_q else gap)
        good = any(sums.missing_within(beta, furthest) is None for beta in grid.levels())
        missed = sums.missing_within(0, furthest)
        yield good or {"gcd of the gaps": grid.show(gap), "at b' = 0 missed": grid.show(missed or 0)}


@judge
def applies(query: Query, *, of: str) -> Cases:
    """Whether the parameters are in the domain of the statement used, as its own file states it."""
    used = find_claim(f"{query.claim.paper}/{of}")
    outside = used.outside({p.name: query[p.name] for p in used.parameters})
    yield Over(f"the domain of {of}")
    yield outside is None or {"outside": outside}


def show_outputs(grid: FixedPoint, image: frozenset[int]) -> list[str]:
    return [grid.show(v) for v in sorted(image)]


@judge
def few_terms(query: Query, *, at_most: Formula, furthest: Rational | None = None, sums_only: bool = True) -> Cases:
    """Lemma 25: each γ > 0 is a sum of at most this many products of a weight and a gap; the sums found are added up again.

    at_most: the largest number of terms of γ, in |V|, here ``gaps``; furthest: the greatest magnitude of γ, if there is one;
    sums_only: whether γ is in S°, rather than any multiple of 1/s².
    """
    grid = grid_of(query)
    limit = int((furthest or 0) * grid.s**2)
    which = "one sum too large for the bound" if furthest is None else f"every positive sum up to {Fraction(limit, grid.s**2)}"
    yield Over(f"every set of two or more outputs and {which}")
    for image in every_image(query):
        if len(image) < 2:
            continue
        levels = sorted(image)
        table = Table(grid, tuple(levels + levels[-1:] * (grid.size - len(levels))))
        step, most = reach("S", table).step, int(at_most(gaps=len(table.gaps)))
        shown = {"outputs": show_outputs(grid, image)}
        if step > 1 and not sums_only:
            yield {**shown, "gamma": Fraction(1, grid.s**2), "S° is the multiples of": Fraction(step, grid.s**2)}
        for t in range(step, limit + 1, step):
            terms = combination(table, t, False)
            ok = sum(w * (table(a) - table(b)) for w, a, b in terms) == t and len(terms) <= most
            yield ok or {**shown, "gamma": Fraction(t, grid.s**2), "terms": len(terms), "bound": most}
        if furthest is None:
            yield _too_many_terms(table, step, most)


def _too_many_terms(table: Table, step: int, most: int) -> Trial:
    """A γ that needs more terms, because each product is at most q_max times the greatest gap."""
    grid, largest = table.grid, table.grid.top * max(table.gaps)
    gamma = (most * largest // step + 1) * step
    terms = -(-gamma // largest)
    shown = {"outputs": show_outputs(grid, table.image), "gamma": Fraction(gamma, grid.s**2)}
    return terms <= most or {**shown, "terms at least": terms, "bound": most}


TOP = "(2**p - 1)"


def _too_few(claim: Claim, fixed: Mapping[str, int], *, even: bool = True) -> Reduction | None:
    """Three numbers have at most three remainders; for r = 3 and p = 2q, 2^p − 1 and its negative both have the remainder 0."""
    del claim, fixed
    if not even:
        return None
    condition = "2**(2*q) - 1 == 3*sum(4**i for i in (0, q - 1))"
    return Reduction(
        (condition,), "three numbers have three remainders; 3 divides 2^p - 1 for p = 2q, which leaves two", {"r": "r >= 3", "q": "q >= 1"}
    )


@judge(for_every=_too_few)
def missing_remainder(query: Query, *, even: bool = True) -> Cases:
    """Eq. (22): {2^p − 1, −2^p + 1, s·b} modulo r misses a remainder for every b; r >= 4, or r = 3 for even p.

    even: whether r = 3 is claimed for even p only.
    """
    grid, only = grid_of(query), chosen(query, "r")
    most = grid.top // grid.s**2
    query.within(most * most, "divisors and biases")
    yield Over("every r and every class of s*b modulo r")
    for r in [only] if only else range(3, most + 1):
        if r > 3 or grid.p % 2 == 0 or not even:
            for beta in range(r):
                found = {grid.top % r, -grid.top % r, beta}
                yield len(found) < r or {"r": r, "s*b modulo r": beta, "remainders": sorted(found)}


def _triangle(claim: Claim, fixed: Mapping[str, int], *, most: str) -> Reduction:
    """A number that rounds to an inner level is less than top − 1/2 levels from 0; b′ is top − c levels, and the sum is the difference."""
    del claim, fixed
    conditions = tuple(f"2*{TOP} - 1 {sign} 2*({TOP} - c) <= 2*({most})" for sign in "-+")
    return Reduction(conditions, "the triangle inequality; c = top - b in levels", {"c": f"c >= 0 and c <= 2*{TOP}"})


@judge(for_every=_triangle)
def sums_of_inner_levels(query: Query, *, most: Formula) -> Cases:
    """Eq. (31), in units of 1/s²: if t = s·b + sum rounds to a level other than ±top, b in −top .. top, then \\|sum\\| <= most·s.

    most: the greatest magnitude, in levels. Every t of magnitude above (top + 1)s rounds to ±top.
    """
    grid = grid_of(query)
    yield Over("every level b and every sum plus b that rounds to an inner level")
    bound = most() * grid.s
    for t in range(-(grid.top + 1) * grid.s, (grid.top + 1) * grid.s + 1):
        if abs(grid.nearest(t)) == grid.top:
            continue
        yield abs(2 * t) < (2 * grid.top - 1) * grid.s or {"sum plus b'": str(Fraction(t, grid.s**2))}
        for b in grid.levels():
            yield abs(t - grid.s * b) <= bound or {"b'": grid.show(b), "sum": Fraction(t - grid.s * b, grid.s**2)}


@judge
def necessary(query: Query, *, set: Literal["N", "BN"], weights: Weights) -> Cases:
    """Theorems 1 and 11, from both directions, with the proof's target, which is onto and not monotone.

    Networks that are built, run and found to equal the target have a last bias with which the set is everything (Eq. 10). Conversely, if no
    bias makes the set everything, no network is the target: with more than one layer because each bias misses a value; with one layer
    because x₁ ↦ ⌈wx₁ + b⌉ is monotone. If neither situation occurs, the theorem is empty.

    weights: of the networks; set: the set that is then everything.
    """
    grid, binary = grid_of(query), weights.binary
    tried = Tried(query, weights.set)
    target = tuple(swap_target(grid, k) for k in grid.levels())
    steps = [b - a for a, b in pairwise(target)]
    found = {"built": 0, "out of reach": 0}

    def what() -> str:
        counted = ", ".join(f"{number} {which}" for which, number in found.items())
        return f"the proof's target with every activation, by the gcd of its outputs, and every class of biases ({counted}),"

    yield Over(what, "networks run; gcd of the outputs, and monotony")
    yield max(steps) > 0 > min(steps) or {"target": target, "steps": steps}
    for name, table in tried.named_tables:
        network = representator(table, target, 1, binary=binary)
        if first_difference(network, target) is None:
            found["built"] += 1
            bias = network.layers[-1][0].bias
            missing = reach(set, table).missing(bias)
            shown = {"activation": name, "network with every value, b": grid.show(bias), f"{set} lacks": str(missing)}
            yield missing is None or shown
    for outputs in ({step} for step in range(grid.top + 1)):
        sets = reach_of_image(set, grid, outputs)
        if sets.full_bias() is None:
            found["out of reach"] += 1
            for beta in range(sets.classes):
                shown = {"gcd of outputs": grid.show_all(outputs), "b": grid.show(beta), "target": str(target)}
                yield sets.missing(beta) in target or shown
    return None if all(found.values()) else declined(f"the theorem says nothing here: {what()} {query.at}")


@judge
def equivalent(query: Query, *, necessary: str, sufficient: str, weights: Weights, rests_on: list[str], of: Sequence[str] = ()) -> Cases:
    """Judge Corollaries 9 and 17 with their hypotheses. Networks represent every function if and only if ``sufficient`` is everything for
    some bias.

    The starts of the networks' sums (:mod:`..mathematics.sets`) decide what networks represent, not the sets. Both depend only on the set
    of outputs (on two numbers of it), and every set of two or more is that of an activation with Condition 1 (Lemma 4). The theorems that
    the corollary combines are judged at these parameters: they build the networks, and show which targets have none.

    necessary, sufficient: the sets; weights: of the networks; rests_on: the theorems that give the two directions;
    of: further hypotheses, by name, besides the assumed ones.
    """
    grid, hypotheses = grid_of(query), (*query.assuming, *of)
    not_shown: list[str] = []
    for theorem in rests_on:
        asked = query.ask(theorem, Edition.STATEMENT, p=grid.p, s=grid.s, d=1)
        if asked.verdict is Verdict.REFUTED:
            reason = f"{theorem}, which it follows from, is {asked.verdict.value}: {asked.counterexample}"
            return Outcome(Verdict.OPEN, Scope(f"{theorem} {query.at}"), reason=reason)
        if asked.verdict is not Verdict.VERIFIED:
            not_shown.append(theorem)
    sample_of = f"every activation, and {' and '.join(not_shown)}, from which it follows, is not verified here" if not_shown else ""
    if "condition-1" not in hypotheses:
        sample_of = "every activation, also without Condition 1"
    having = f" and {necessary} = {sufficient} for every bias" if "equal-sets" in hypotheses else ""
    query.within(grid.size**2, "shapes of outputs")
    which = f"every activation with Condition 1{having}, by its least output and the gcd of its gaps,"
    yield Over(which, f"starts of sums (gcds); {', '.join(rests_on)}", sample_of=sample_of)
    for outputs in sorted(shapes(grid), key=lambda i: (sum(map(abs, i)), sorted(i))):
        sets = reach_of_image(sufficient, grid, outputs)
        if "equal-sets" in hypotheses and reach_of_image(necessary, grid, outputs).same_for_every_bias(sets) is not None:
            continue
        sums = sums_of(grid, outputs, weights.binary)
        yield sums.everything() == (sets.full_bias() is not None) or _counterexample(grid, outputs, sums, sufficient, sets)


def _counterexample(grid: FixedPoint, outputs: frozenset[int], sums: Sums, name: str, sets: Reach) -> dict[str, object]:
    start, missing, bias = sums.start_for(grid.levels()), sets.missing(0), sets.full_bias()
    lacks = f"never Q_(p,s); at b = 0 it lacks {grid.show(missing or 0)}"
    return {
        "outputs": [grid.show(v) for v in sorted(outputs)],
        "values of networks": "never all" if start is None else f"all, by sums from {Fraction(start, grid.s**2)}",
        name: lacks if bias is None else f"Q_(p,s) at b = {grid.show(bias)}",
    }


@judge
def sums_of_indicators(query: Query) -> Cases:
    """Section 3.2, not rounded: if every γ ∈ Q_(p,s) is a sum, the indicators γ·1_{v} of points are combined and run."""
    grid = grid_of(query)
    tried = Tried(query, only=("with every value among the sums", lambda table: grid.s % reach("S", table).step == 0))
    yield tried.over(f"{len(targets(grid, 1))} targets on every input")
    for name, table, normal in tried:
        made = Plan(normal, 0, {q: combination(normal.rho, grid.s * q, False) for q in grid.levels()}, False)
        for text, target in targets(grid, 1).items():
            found = first_difference(assembled(made, table, 1, points_of(table, target, 1)), target)
            yield found is None or {"activation": name, "target": text, "x, computed, f*": found}


@judge
@by_edition
def differences_are_sums(query: Query) -> Cases:
    """Section 4.2's b + Σ (f*(z) − b)·1_z by Lemma 5: whether for some b every f*(z) − b is in S°, for an f* with every value.

    As a statement, that some network equals f*, it follows from Theorem 6.
    """
    grid = grid_of(query)
    if query.edition is Edition.STATEMENT:
        return query.ask("theorem-6", p=grid.p, s=grid.s, d=1)
    yield Over("every activation with S = Q_(p,s) for some bias, by the gcd of its gaps,", "gcd of the gaps")
    for sets in (Reach(grid, gap) for gap in range(1, 2 * grid.top + 1)):
        if sets.full_bias() is None:
            continue
        shown = {"gcd of the gaps": grid.show(sets.step), "S° is the multiples of": Fraction(sets.step, grid.s**2)}
        ok = any(all(grid.s * (q - beta) % sets.step == 0 for q in grid.levels()) for beta in range(sets.classes))
        yield ok or {**shown, "values of f*": f"0 and {grid.show(1)}"}
