"""Judges about the sets N, S, BN, BS: when they are everything, when two of them are equal; and about Condition 1 (Sections 3.1–3.3).

N and BN depend on σ only through the gcd of its outputs, S and BS through the gcd of their gaps; so *every activation* is every set of
outputs, or every gcd, with every class of biases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Literal

from constructions.fixed_point_networks.judges.query_objects import Tried, chosen, every_image, grid_of, outputs_tried
from constructions.fixed_point_networks.mathematics.activations import scaled_hardtanh
from constructions.fixed_point_networks.mathematics.condition_1 import normal_form, threshold
from constructions.fixed_point_networks.mathematics.images import divides_its_outputs, gaps, images, monotone_tables
from constructions.fixed_point_networks.mathematics.rounded_activations import Table, rounded
from constructions.fixed_point_networks.mathematics.sets import Reach, reach, reach_of_image, weights_of
from constructions.fixed_point_networks.mathematics.sharp_criterion import full_for_no_bias
from verifier.claims.finite_cases import Cases, Over
from verifier.claims.model import Claim, Query
from verifier.judges.declaring import Condition, Formula, Integer, Reduction, judge
from verifier.language.definitions import with_meanings
from verifier.language.syntax import printed, tree_of
from verifier.language.tree import Name


def moduli(query: Query, condition: Condition) -> list[int]:
    """The r ≤ 2^p − 1 that satisfy the condition, or the one that was asked for."""
    only, top = chosen(query, "r"), grid_of(query).top
    return [r for r in ([only] if only else range(1, top + 1)) if condition(r=r)]


def _without_a_short_divisor(
    claim: Claim, fixed: Mapping[str, int], *, set: str, divisors: str, multiple: str, name: str = "r", many: str = "j"
) -> Reduction:
    """The gcd of the outputs is 0 or ``many`` times what divides them; the criterion is denied for every such number."""
    del claim
    only = fixed.get("r", 0)
    of_name = with_meanings(tree_of(divisors), {"r": Name(name)})
    step = f"{many}*({printed(with_meanings(tree_of(multiple), {'r': Name(name)}))}){'*s' if set == 'BN' else ''}"
    asked = f" and {name} == {only}" if only else ""
    over = {name: f"{name} >= 1 and ({printed(of_name)}){asked}", many: f"{many} >= 1"}
    return Reduction(full_for_no_bias(step), f"sums that are multiples of {step} leave {set} short of everything (sharp criterion)", over)


@judge(for_every=_without_a_short_divisor)
def never_everything(query: Query, *, set: Literal["N", "BN"], divisors: Condition, multiple: Formula) -> Cases:
    """Lemmas 2 and 12: outputs that are all multiples of something leave N (BN) short of everything, whatever the bias.

    divisors: the condition on r; multiple: what divides every output, in levels, in r.
    """
    grid = grid_of(query)
    which = f"r = {chosen(query, 'r')}" if chosen(query, "r") else "every r"
    yield Over(f"{which}, every activation and every bias", "gcd of the outputs")
    for r in moduli(query, divisors):
        unit = multiple.integer(r=r)
        for gcd in (0, *range(unit, grid.top + 1, unit)):
            bias = Reach(grid, gcd * (grid.s if set == "BN" else 1)).full_bias()
            yield bias is None or {"r": r, "gcd of outputs": grid.show(gcd), "b": grid.show(bias)}


def _multiples_of_the_factor(claim: Claim, fixed: Mapping[str, int], *, set: str, factor: str, multiple: str) -> Reduction:
    """In levels the outputs are factor·k for 0 ≤ k ≤ s, none of them beyond the end; so what divides the factor divides them all."""
    del claim, fixed
    step = f"j*({multiple}){'*s' if set == 'BN' else ''}"
    conditions = (f"({factor})*s <= 2**p - 1", f"({factor}) % ({multiple}) == 0", *full_for_no_bias(step))
    return Reduction(
        conditions, f"the outputs are multiples of {multiple} levels, which leave {set} short (sharp criterion)", {"j": "j >= 1"}
    )


@judge(for_every=_multiples_of_the_factor)
def scaled_hardtanh_never_everything(query: Query, *, set: Literal["N", "BN"], factor: Integer, multiple: Integer) -> Cases:
    """Corollaries 3 and 13: N (BN) of factor·Hardtanh is never everything, and its outputs are the multiples named.

    multiple: what divides every output, in levels.
    """
    grid = grid_of(query)
    table = rounded(scaled_hardtanh(factor), grid)
    yield Over("every input and every bias", "gcd of the outputs")
    for k in grid.levels():
        yield table(k) % multiple == 0 or {"x": grid.show(k), "rounded": grid.show(table(k))}
    bias = reach(set, table).full_bias()
    yield bias is None or {"b": grid.show(bias)}


HYPOTHESES: Mapping[str, Callable[[frozenset[int]], bool]] = {
    "zero-output": lambda image: 0 in image,
    "output-is-gap": lambda image: bool(image & gaps(image)),
}
"""The hypotheses of Lemmas 10 and 18 on the outputs."""


def _one_divisor(claim: Claim, fixed: Mapping[str, int], *, sets: list[str], of: Sequence[str] = ()) -> Reduction | None:
    """The gcd g of the gaps is the gcd of the outputs, so the two sets have the same sums.

    All outputs are low + g·k. Where one of them, k = i, is the gap of two others, j and l, low is g(j − l) − g·i: g divides every output.
    What divides every output divides every gap; a zero output is the gap of two equal ones.
    """
    del fixed
    first, second = sets
    if first.startswith("B") != second.startswith("B") or not {*claim.assuming, *of} & HYPOTHESES.keys():
        return None
    low = "(g*(j - l) - g*i)"
    conditions = (f"({low} + g*k) % g == 0", "(g*k - g*i) % g == 0")
    over = {"g": "g >= 1", **{name: f"{name} >= 0" for name in "ijkl"}}
    return Reduction(conditions, "an output that is a gap makes the gcd of the gaps divide every output", over)


@judge(for_every=_one_divisor)
def equal_sets(query: Query, *, sets: list[str], of: Sequence[str] = ()) -> Cases:
    """Lemmas 10 and 18: the two sets are equal for every bias, for every set of outputs that keeps the hypotheses.

    of: hypotheses on the outputs, by name, besides those assumed.
    """
    grid, hypotheses = grid_of(query), (*query.assuming, *of)
    found, short, how = outputs_tried(query, grid)
    which = f"every activation with {', '.join(hypotheses)}" if hypotheses else "every activation"
    yield Over(f"{which}, {how}, and every bias", "gcd")
    for image in found:
        if all(divides_its_outputs(image) if short else HYPOTHESES[name](image) for name in hypotheses):
            first, second = (reach_of_image(kind, grid, image) for kind in sets)
            bias = first.same_for_every_bias(second)
            yield bias is None or {"outputs": [grid.show(v) for v in sorted(image)], "b": grid.show(bias)}


@judge
def sums_of_gaps(query: Query) -> Cases:
    """Section 5.8: where an output x is a gap y − z, each output w is the sum of the gaps w − x and y − z, which makes N part of S.

    And S is part of N: each product of a weight and a gap is a sum of products of a weight and an output.
    """
    weights = weights_of("N", grid_of(query))
    yield Over("every set of outputs, and every output that is a gap")
    for image in every_image(query):
        found, outputs = gaps(image), sorted(image)
        for x, y, z in ((x, y, z) for x in image for y in image for z in image if x == y - z):
            wrong = next((w for w in outputs if not (w - x in found and y - z in found and (w - x) + (y - z) == w)), None)
            yield wrong is None or {"outputs": outputs, "x, y, z": (x, y, z), "no such sum of gaps": wrong}
        sums = {u * a + v * b for u in weights for v in weights for a in image for b in image}
        beyond = {w * gap for w in weights for gap in found} - sums
        yield not beyond or {"outputs": outputs, "no sum of two products": min(beyond)}


@judge
def everything_together(query: Query, *, zero_among_outputs: bool) -> Cases:
    """Section 1: with a zero of σ, N is everything for some bias if and only if S is. A zero between two inputs is not an output.

    zero_among_outputs: whether the zero of σ is asked for at one of its inputs in Q_(p,s), or anywhere.
    """
    grid = grid_of(query)
    yield Over("every activation with two or more outputs, by its set of outputs,")
    for image in sorted(every_image(query), key=lambda i: (len(i), sum(map(abs, i)), sorted(i))):
        if len(image) < 2 or (zero_among_outputs and 0 not in image):
            continue
        n, s = (reach_of_image(kind, grid, image).full_bias() is not None for kind in ("N", "S"))
        shown = {"outputs on Q_(p,s)": [grid.show(v) for v in sorted(image)], "N = Q_(p,s)": n, "S = Q_(p,s)": s}
        yield n == s or {**shown, "sigma is 0 at": f"1/{2 * grid.s}"}


@judge
def weaker_than_lemma_2(query: Query) -> Cases:
    """The sentence after Lemma 12: what it asks of the outputs follows from what Lemma 2 asks, and BN lies in N for every bias."""
    grid = grid_of(query)
    query.within(2**grid.size * grid.size, "sets of outputs and biases")
    yield Over("every activation, by its set of outputs, every r <= 2^p - 1 and bias up to 2 q_max,")
    for image in images(grid):
        n, bn = (reach_of_image(kind, grid, image) for kind in ("N", "BN"))
        outputs = [grid.show(v) for v in sorted(image)]
        for r in range(1, grid.top + 1):
            follows = all(v % r == 0 for v in image) or any(v % (grid.s * r) for v in image)
            yield follows or {"outputs": outputs, "r": r}
        for beta in range(-2 * grid.top, 2 * grid.top + 1):
            yield bn.reached(beta) <= n.reached(beta) or {"outputs": outputs, "b": grid.show(beta)}


@judge
def monotone_has_condition_1(query: Query) -> Cases:
    """Lemma 4, by every table; where they are too many, by which inputs share the last value (an upper interval)."""
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
        if len(table.image) > 1:
            yield normal_form(table) is not None or {"table": table.levels}


@judge
def extremal_interval(query: Query, *, end: Literal["z", "-z"]) -> Cases:
    """The sentence after Condition 1: where each table is extremal, for its alpha, beta and z.

    end: of the interval from min Q_(p,s) on, where beta = -1.
    """
    grid, tried, sign = grid_of(query), Tried(query), {"z": 1, "-z": -1}[end]
    yield tried.over("every input")
    for name, table, normal in tried:
        extreme = max(table.levels) if normal.alpha == 1 else min(table.levels)
        found = [k for k in grid.levels() if table(k) == extreme]
        named = [k for k in grid.levels() if (k >= normal.z if normal.beta == 1 else k <= sign * normal.z)]
        shown = {"activation": name, "alpha": normal.alpha, "beta": normal.beta, "z": grid.show(normal.z)}
        up_to = grid.show(named[-1]) if named else "no input"
        yield found == named or {**shown, "extremal up to": grid.show(found[-1]), "interval up to": up_to}
