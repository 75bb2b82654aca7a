"""Judges of sums of S°: how far they need reach, their terms, and the levels that they are of (Sections 4.2, 5.14, 5.15).

The sums depend on σ through the gcd of its gaps alone, so *every activation* is every gcd.
"""

from __future__ import annotations

from math import gcd, lcm

from constructions.fixed_point_networks.judges.query_objects import every_image, grid_of
from constructions.fixed_point_networks.mathematics.grid import FixedPoint, preimages
from constructions.fixed_point_networks.mathematics.images import gaps
from constructions.fixed_point_networks.mathematics.rounded_activations import Table
from constructions.fixed_point_networks.mathematics.sets import Reach, reach, with_everything
from constructions.fixed_point_networks.mathematics.weighted_sums import combination
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Cases, Failure, Over
from verifier.claims.model import Query
from verifier.claims.papers import find_claim
from verifier.judges.declaring import Formula, Integer, Rational, judge

FULL_BIAS = "every activation with S = Q_(p,s) for some bias, by the gcd of its gaps,"


@judge
def small_sums_suffice(query: Query, *, furthest: Rational, in_q: bool = False, full_bias: bool = True) -> Cases:
    """Lemma 19: from some bias in [−q_max, q_max] the sums of S° up to ``furthest`` reach every value.

    furthest: the greatest magnitude of a sum; in_q: only sums that are in Q_(p,s); full_bias: only where S = Q_(p,s) for some bias.
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
def values_are_sums(query: Query, *, rounded: bool) -> Cases:
    """Every value of Q_(p,s) is a sum of S°, as it is or rounded after the bias for which S = Q_(p,s).

    rounded: whether a value v is to be ⌈b′ + γ⌉ for some γ in S° and one b′, or to be in S° itself.
    """
    grid = grid_of(query)
    yield Over(f"{FULL_BIAS} and every value", "gcd of the gaps")
    for sums in with_everything(grid):
        bias, unit = sums.full_bias() or 0, Fraction(sums.step, grid.s**2)
        for q in grid.levels():
            taken = sums.sum_for(bias, q) is not None if rounded else grid.s * q % sums.step == 0
            yield taken or {"gcd of the gaps": grid.show(sums.step), "S° is the multiples of": unit, "q": grid.show(q)}


@judge
def applies(query: Query, *, of: str) -> Cases:
    """Whether the parameters are in the domain of the statement that is used, as its own file has it."""
    used = find_claim(f"{query.claim.paper}/{of}")
    outside = used.outside({p.name: query[p.name] for p in used.parameters})
    yield Over(f"the domain of {of}")
    yield outside is None or {"outside": outside}


@judge
def rounding_intervals(query: Query, *, intervals: list[tuple[Integer, Rational, Rational]], closed: bool = False) -> Cases:
    """The reals that round to each of the levels named are those of its interval, ends included.

    intervals: a level, and the ends of what rounds to it, in levels; the lower end belongs to it, the upper where ``closed``.
    """
    grid = grid_of(query)
    found = preimages(grid)
    yield Over("each value named")
    for level, low, high in intervals:
        i = found[level]
        same = (i.low, i.high, i.holds_low, i.holds_high) == (low, high, True, closed)
        yield same or {"level": grid.show(level), "preimage": i}


def show_outputs(grid: FixedPoint, image: frozenset[int]) -> list[str]:
    return [grid.show(v) for v in sorted(image)]


@judge
def few_terms(query: Query, *, at_most: Formula, furthest: Rational | None = None, sums_only: bool = True) -> Cases:
    """Lemma 25: each γ > 0 is a sum of at most so many products of a weight and a gap; the sums found are added up again.

    at_most: how many terms γ may take, in |V|, here ``gaps``; furthest: the greatest magnitude of γ, if there is one;
    sums_only: whether γ is in S°, and not any multiple of 1/s².
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


def _too_many_terms(table: Table, step: int, most: int) -> Failure:
    """A γ that takes more terms, each product being at most q_max times the greatest gap."""
    grid, largest = table.grid, table.grid.top * max(table.gaps)
    gamma = (most * largest // step + 1) * step
    terms = -(-gamma // largest)
    shown = {"outputs": show_outputs(grid, table.image), "gamma": Fraction(gamma, grid.s**2)}
    return None if terms <= most else {**shown, "terms at least": terms, "bound": most}


@judge
def gaps_as_numbers(query: Query, *, positive_only: bool) -> Cases:
    """The levels of V to which Lemma 26 is applied are natural numbers, distinct, with the gcd of all of V.

    positive_only: whether the x_i are the positive levels among the gaps, or all of them.
    """
    grid = grid_of(query)
    yield Over("every set of two or more outputs")
    for image in sorted(every_image(query), key=lambda i: (len(i), sorted(map(abs, i)), sorted(i))):
        if len(image) > 1:
            every = sorted(gaps(image))
            used = [x for x in every if x > 0 or not positive_only]
            natural = bool(used) and min(used) > 0 and gcd(*used) == gcd(*every)
            yield natural or {"outputs": show_outputs(grid, image), "x": used}
