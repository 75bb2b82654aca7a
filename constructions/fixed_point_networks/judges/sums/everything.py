"""Judges about the sets N, S, BN, BS: when they are everything, when two of them are equal; and about Condition 1 (Sections 3.1–3.3).

N and BN depend on σ only through the gcd of its outputs, S and BS through the gcd of their gaps; so *every activation* is every set of
outputs, or every gcd, with every class of biases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product

from msgspec import Struct

from constructions.fixed_point_networks.judges.given import Tried, chosen, grid_of, outputs_tried
from constructions.fixed_point_networks.mathematics.activations import scaled_hardtanh
from constructions.fixed_point_networks.mathematics.condition_1 import normal_form, threshold
from constructions.fixed_point_networks.mathematics.images import divides_its_outputs, gaps, images, monotone_tables
from constructions.fixed_point_networks.mathematics.rounded_activations import Table, rounded
from constructions.fixed_point_networks.mathematics.sets import Reach, reach, reach_of_image, weights_of
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Failure, decide
from verifier.claims.model import Query
from verifier.claims.verdicts import Outcome
from verifier.language import exact


class Divisors(Struct, frozen=True, forbid_unknown_fields=True):
    """set: N or BN; divisors: the condition on r, in r, p and s; multiple: what divides every output, in levels, in r and s."""

    set: str
    divisors: str
    multiple: str


def moduli(query: Query, condition: str) -> list[int]:
    """The r ≤ 2^p − 1 that satisfy the condition, or the one that was asked for."""
    only, top = chosen(query, "r"), grid_of(query).top
    return [r for r in ([only] if only else range(1, top + 1)) if exact.truth(condition, {**query.names, "r": Fraction(r)})]


def never_everything(query: Query, given: Divisors) -> Outcome:
    """Lemmas 2 and 12: outputs that are all multiples of something leave N (BN) short of everything, whatever the bias."""
    grid = grid_of(query)

    def trials() -> Iterator[Failure]:
        for r in moduli(query, given.divisors):
            unit = exact.integer(given.multiple, {**query.names, "r": Fraction(r)})
            for gcd in (0, *range(unit, grid.top + 1, unit)):
                bias = Reach(grid, gcd * (grid.s if given.set == "BN" else 1)).full_bias()
                yield None if bias is None else {"r": r, "gcd of outputs": grid.show(gcd), "b": grid.show(bias)}

    which = f"r = {chosen(query, 'r')}" if chosen(query, "r") else "every r"
    return decide(query, f"{which}, every activation and every bias", trials(), "gcd of the outputs")


class Hardtanh(Struct, frozen=True, forbid_unknown_fields=True):
    """set: N or BN; factor: σ = factor·Hardtanh, in s; multiple: what divides every output, in levels."""

    set: str
    factor: str
    multiple: str


def scaled_hardtanh_never_everything(query: Query, given: Hardtanh) -> Outcome:
    """Corollaries 3 and 13: N (BN) of factor·Hardtanh is never everything, and its outputs are the multiples named."""
    grid = grid_of(query)
    table = rounded(scaled_hardtanh(exact.integer(given.factor, query.names)), grid)
    unit = exact.integer(given.multiple, query.names)

    def trials() -> Iterator[Failure]:
        for k in grid.levels():
            yield None if table(k) % unit == 0 else {"x": grid.show(k), "rounded": grid.show(table(k))}
        bias = reach(given.set, table).full_bias()
        yield None if bias is None else {"b": grid.show(bias)}

    return decide(query, "every input and every bias", trials(), "gcd of the outputs")


class TwoKinds(Struct, frozen=True, forbid_unknown_fields=True):
    """Two of the sets, of which something is said together; of: hypotheses on the outputs, by name, besides those assumed."""

    sets: list[str]
    of: list[str] = []


HYPOTHESES: Mapping[str, Callable[[frozenset[int]], bool]] = {
    "zero-output": lambda image: 0 in image,
    "output-is-gap": lambda image: bool(image & gaps(image)),
}
"""The hypotheses of Lemmas 10 and 18 on the outputs."""


def equal_sets(query: Query, given: TwoKinds) -> Outcome:
    """Lemmas 10 and 18: the two sets are equal for every bias, for every set of outputs that keeps the hypotheses."""
    grid, hypotheses = grid_of(query), (*query.assuming, *given.of)
    found, short, how = outputs_tried(query, grid)

    def trials() -> Iterator[Failure]:
        for image in found:
            kept = all(divides_its_outputs(image) if short else HYPOTHESES[name](image) for name in hypotheses)
            if kept:
                first, second = (reach_of_image(kind, grid, image) for kind in given.sets)
                bias = first.same_for_every_bias(second)
                yield None if bias is None else {"outputs": [grid.show(v) for v in sorted(image)], "b": grid.show(bias)}

    which = f"every activation with {', '.join(hypotheses)}" if hypotheses else "every activation"
    return decide(query, f"{which}, {how}, and every bias", trials(), "gcd")


def sums_of_gaps(query: Query) -> Outcome:
    """Section 5.8: where an output x is a gap y − z, each output w is the sum of the gaps w − x and y − z, which makes N part of S.

    And S is part of N: each product of a weight and a gap is a sum of products of a weight and an output.
    """
    grid = grid_of(query)
    query.within(2**grid.size, "sets of outputs")
    weights = weights_of("N", grid)

    def trials() -> Iterator[Failure]:
        for image in images(grid):
            found, outputs = gaps(image), sorted(image)
            for x, y, z in ((x, y, z) for x in image for y in image for z in image if x == y - z):
                wrong = next((w for w in outputs if not (w - x in found and y - z in found and (w - x) + (y - z) == w)), None)
                yield None if wrong is None else {"outputs": outputs, "x, y, z": (x, y, z), "no such sum of gaps": wrong}
            sums = {u * a + v * b for u in weights for v in weights for a in image for b in image}
            beyond = {w * gap for w in weights for gap in found} - sums
            yield {"outputs": outputs, "no sum of two products": min(beyond)} if beyond else None

    return decide(query, "every set of outputs, and every output that is a gap", trials())


class Somewhere(Struct, frozen=True, forbid_unknown_fields=True):
    """zero_among_outputs: whether the zero of σ is asked for at one of its inputs in Q_(p,s), or anywhere."""

    zero_among_outputs: bool


def everything_together(query: Query, given: Somewhere) -> Outcome:
    """Section 1: with a zero of σ, N is everything for some bias if and only if S is. A zero between two inputs is no output."""
    grid = grid_of(query)
    query.within(2**grid.size, "sets of outputs")

    def trials() -> Iterator[Failure]:
        for image in sorted(images(grid), key=lambda i: (len(i), sum(map(abs, i)), sorted(i))):
            if len(image) < 2 or (given.zero_among_outputs and 0 not in image):
                continue
            n, s = (reach_of_image(kind, grid, image).full_bias() is not None for kind in ("N", "S"))
            shown = {"outputs on Q_(p,s)": [grid.show(v) for v in sorted(image)], "N = Q_(p,s)": n, "S = Q_(p,s)": s}
            yield None if n == s else {**shown, "sigma is 0 at": f"1/{2 * grid.s}"}

    return decide(query, "every activation with two or more outputs, by its set of outputs,", trials())


def weaker_than_lemma_2(query: Query) -> Outcome:
    """The sentence after Lemma 12: what it asks of the outputs follows from what Lemma 2 asks, and BN lies in N for every bias."""
    grid = grid_of(query)
    query.within(2**grid.size * grid.size, "sets of outputs and biases")

    def trials() -> Iterator[Failure]:
        for image in images(grid):
            n, bn = (reach_of_image(kind, grid, image) for kind in ("N", "BN"))
            outputs = [grid.show(v) for v in sorted(image)]
            for r in range(1, grid.top + 1):
                follows = all(v % r == 0 for v in image) or any(v % (grid.s * r) for v in image)
                yield None if follows else {"outputs": outputs, "r": r}
            for beta in range(-2 * grid.top, 2 * grid.top + 1):
                yield None if bn.reached(beta) <= n.reached(beta) else {"outputs": outputs, "b": grid.show(beta)}

    return decide(query, "every activation, by its set of outputs, every r <= 2^p - 1 and bias up to 2 q_max,", trials())


def monotone_has_condition_1(query: Query) -> Outcome:
    """Lemma 4, by every table; where they are too many, by which inputs share the last value (an upper interval)."""
    grid = grid_of(query)
    if grid.p <= 2 and "monotone" in query.assuming:
        trials = (None if normal_form(t) else {"table": t.levels} for t in monotone_tables(grid))
        return decide(query, "all monotone, non-constant activation tables", trials)
    if "monotone" not in query.assuming:
        query.within(grid.size**grid.size, "tables")
        every = (Table(grid, levels) for levels in product(grid.levels(), repeat=grid.size))
        found = (t for t in every if len(t.image) > 1)
        return decide(query, "all non-constant activation tables", (None if normal_form(t) else {"table": t.levels} for t in found))

    def by_last_value() -> Iterator[Failure]:
        for z in range(-grid.top + 1, grid.top + 1):
            levels = tuple(1 if k >= z else 0 for k in grid.levels())
            found = (threshold(Table(grid, levels)), normal_form(Table(grid, tuple(-v for v in levels))))
            yield None if found[0] == z and found[1] else {"z": grid.show(z)}

    what = "all monotone, non-constant activations, by the first input with the last value,"
    return decide(query, what, by_last_value(), "case split on z")


class Ends(Struct, frozen=True, forbid_unknown_fields=True):
    """end: of the interval from min Q_(p,s) on, where beta = -1: ``z`` or ``-z``."""

    end: str


def extremal_interval(query: Query, given: Ends) -> Outcome:
    """The sentence after Condition 1: where each table is extremal, for its alpha, beta and z."""
    grid, tried, sign = grid_of(query), Tried(query), {"z": 1, "-z": -1}[given.end]

    def trials() -> Iterator[Failure]:
        for name, table, normal in tried:
            extreme = max(table.levels) if normal.alpha == 1 else min(table.levels)
            found = [k for k in grid.levels() if table(k) == extreme]
            named = [k for k in grid.levels() if (k >= normal.z if normal.beta == 1 else k <= sign * normal.z)]
            shown = {"activation": name, "alpha": normal.alpha, "beta": normal.beta, "z": grid.show(normal.z)}
            up_to = grid.show(named[-1]) if named else "no input"
            yield None if found == named else {**shown, "extremal up to": grid.show(found[-1]), "interval up to": up_to}

    return decide(query, tried.scope("every input"), trials())
