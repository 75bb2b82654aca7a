"""Judges of what Lemmas 7, 8 and 16 and their proofs say of activations that have a name: sets, slopes, values (Sections 3.2.3, 3.3, 5.7).

An activation is its formula; everything here is rounded or enclosed from that text.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache, partial

from msgspec import Struct

from constructions.fixed_point_networks.judges.given import grid_of
from constructions.fixed_point_networks.judges.slopes import names_of, slope_condition, stated
from constructions.fixed_point_networks.mathematics.activations import NAMED, Activation
from constructions.fixed_point_networks.mathematics.grid import FixedPoint, beyond, fixed_points
from constructions.fixed_point_networks.mathematics.intervals import Reals
from constructions.fixed_point_networks.mathematics.networks.batch import run_all
from constructions.fixed_point_networks.mathematics.networks.network import Network, Neuron, all_inputs
from constructions.fixed_point_networks.mathematics.rounded_activations import has_unit_gap, rounded
from constructions.fixed_point_networks.mathematics.sets import Reach, reach
from constructions.fixed_point_networks.mathematics.slope_conditions import SlopeCondition
from verifier.formulas import exact
from verifier.formulas.ranges import OpenRange, four_digits, open_range
from verifier.statements.findings import Failure, decide
from verifier.statements.model import Question
from verifier.verdicts import Edition, Finding, Scope, Verdict

GAPS, BALLS = "gcd of the gaps", "ball arithmetic"


class Full(Struct, frozen=True, forbid_unknown_fields=True):
    """The activations that are meant, by name, and the set, S or BS, that is to be everything."""

    activations: list[str]
    set: str = "S"


def everything(question: Question, given: Full) -> Finding:
    """The set is Q_(p,s) for every bias: two neighbouring inputs one level apart show it, or the gcd of all gaps decides."""
    grid = grid_of(question)
    trials = (_short(grid, name, given.set) for name in given.activations)
    return decide(question, f"{given.set} of {', '.join(given.activations)}, every bias and every value of Q_(p,s),", trials, GAPS)


def _short(grid: FixedPoint, name: str, kind: str) -> Failure:
    """A bias and a value that the set of an activation misses; None where there are none."""
    gap = has_unit_gap(NAMED[name], grid)
    sets = Reach(grid, grid.s if kind == "BS" else 1) if gap else reach(kind, rounded(NAMED[name], grid))
    bias = sets.full_for_every_bias()
    if bias is None:
        return None
    missing = sets.missing(bias)
    return {"activation": name, "s": grid.s, "b": grid.show(bias), "missing": None if missing is None else grid.show(missing)}


class Admitted(Struct, frozen=True, forbid_unknown_fields=True):
    """of: a statement with a step for each activation, at which its bounds on p and s stand; admits: one bound in their place."""

    of: str
    activations: list[str]
    admits: str | None = None


def every_scaling_factor(question: Question, given: Admitted) -> Finding:
    """Each activation is admitted at every s with 1 in Q_(p,s), and its set is everything there."""

    def trials() -> Iterator[Failure]:
        for grid in fixed_points(question["p"]):
            for name in given.activations:
                if given.admits is None:
                    found = question.ask(f"{given.of}:{name}", Edition.STATEMENT, p=grid.p, s=grid.s)
                    yield None if found.verdict is Verdict.VERIFIED else {"activation": name, "s": grid.s, given.of: found.reason}
                elif exact.truth(given.admits, {"p": grid.p, "s": grid.s}):
                    yield _short(grid, name, "S")
                else:
                    yield {"activation": name, "s": grid.s, "not admitted by": given.admits}

    return decide(question, f"{', '.join(given.activations)} at every s <= 2^p - 1,", trials(), GAPS)


class Bound(Struct, frozen=True, forbid_unknown_fields=True):
    """The chain σ(x) ≤ σ(0) + x ≤ greatest: x and greatest are formulas in p and s."""

    activations: list[str]
    x: str
    greatest: str


def value_bound(question: Question, given: Bound) -> Finding:
    """Both inequalities of the chain, the values enclosed; the enclosures decide."""
    x, greatest = (exact.rational(text, question.names) for text in (given.x, given.greatest))

    def trials() -> Iterator[Failure]:
        for name in given.activations:
            zero, value = (NAMED[name].real.at(0, place) for place in (Fraction(0), x))
            holds = value[1] <= zero[0] + x and zero[1] + x <= greatest
            shown = {"activation": name, "x": x, "sigma(x)": four_digits(*value), "sigma(0)": four_digits(*zero), "greatest": greatest}
            yield None if holds else shown

    return decide(
        question, f"sigma({given.x}) <= sigma(0) + {given.x} <= {given.greatest} for {', '.join(given.activations)}", trials(), BALLS
    )


class Step(Struct, frozen=True, forbid_unknown_fields=True):
    """Intervals: of slopes, and of the difference of σ over one step of the grid, in levels."""

    activations: list[str]
    slope: str
    rise: str


def rise_over_a_step(question: Question, given: Step) -> Finding:
    """On every step of the grid whose slopes are all such, the ends differ as named: instances of the mean value theorem."""
    grid = grid_of(question)
    slopes, rises = (Reals.read(text, names_of(grid)) for text in (given.slope, given.rise))

    def trials() -> Iterator[Failure]:
        for name in given.activations:
            sigma = NAMED[name]
            for k in range(-grid.top, grid.top):
                found = _slopes_between(sigma, grid.value(k), grid.value(k + 1))
                if found is not None and _hull(found) <= slopes:
                    rise = _difference(sigma, grid, k, k + 1)
                    yield None if rise <= rises else {"activation": name, "k": k, "slopes": found, "rise in levels": rise}

    what = f"{', '.join(given.activations)} on every step of Q_(p,s) with slopes in {given.slope}"
    return decide(question, what, trials(), BALLS)


def _slopes_between(sigma: Activation, low: Fraction, high: Fraction) -> OpenRange | None:
    """The slopes on an open interval; None where they are not enclosed, as where σ has none at some point."""
    try:
        return open_range(sigma.real, 1, (low, high))
    except ArithmeticError:
        return None


def _hull(found: OpenRange, factor: int = 1) -> Reals:
    """Bounds of a range, both included, as the enclosures of its ends have them."""
    return Reals(found.infimum[0], found.supremum[1]) * factor


def _difference(sigma: Activation, grid: FixedPoint, first: int, last: int) -> Reals:
    """An enclosure of s(σ(last/s) − σ(first/s)); a point where both values are rational."""
    before, after = (Reals(*sigma.real.at(0, grid.value(k))) for k in (first, last))
    return (after - before) * grid.s


def _magnitude(difference: Reals) -> Reals:
    """An enclosure of |d| for an enclosure of d."""
    assert difference.low is not None
    assert difference.high is not None
    if difference.low >= 0:
        return difference
    return -difference if difference.high <= 0 else Reals(Fraction(0), max(-difference.low, difference.high))


class Listed(Struct, frozen=True, forbid_unknown_fields=True):
    """The activations, the statements of the conditions; reach: how far from 0 q₁ and q₂ are tried, in levels.

    excepted: for an activation the parameters, a condition on p and s, at which it is not meant.
    """

    activations: list[str]
    conditions: list[str]
    reach: int
    excepted: dict[str, str] = {}


def satisfy_one_of(question: Question, given: Listed) -> Finding:
    """Each activation at every s: q₁ and q₂ and one of the conditions enclosed between them, or each excluded for all q₁ and q₂."""
    undecided = []
    scope = f"{', '.join(given.activations)} at every s <= 2^p - 1"

    def trials() -> Iterator[Failure]:
        for grid in fixed_points(question["p"]):
            question.advance("scaling factors", grid.s, grid.top)
            conditions = {name: slope_condition(grid, stated(question, name)) for name in given.conditions}
            for name in given.activations:
                where = given.excepted.get(name)
                if where is not None and exact.truth(where, {"p": grid.p, "s": grid.s}):
                    continue
                if next(satisfied(NAMED[name], grid, conditions, given.reach), None) is not None:
                    yield None
                elif all(excluded(NAMED[name], grid, asked) for asked in conditions.values()):
                    yield {"activation": name, "s": grid.s}
                else:
                    undecided.append(f"{name} at s = {grid.s}")

    found = decide(question, scope, trials(), BALLS)
    if found.verdict is Verdict.VERIFIED and undecided:
        return Finding(Verdict.OPEN, Scope(f"{scope} {question.at}", None, BALLS), reason=f"no q1, q2 found for {', '.join(undecided)}")
    return found


def satisfied(
    sigma: Activation, grid: FixedPoint, conditions: dict[str, SlopeCondition], reach: int
) -> Iterator[tuple[str, tuple[int, int]]]:
    """Conditions that σ satisfies, each with its q₁ and q₂, near ones first."""
    near = min(grid.top, reach)
    for width in range(1, 2 * near + 1):
        for first in sorted(range(-near, near - width + 1), key=abs):
            ends = first, first + width
            for name, asked in conditions.items():
                if satisfies(sigma, grid, ends, asked):
                    yield name, ends


def satisfies(sigma: Activation, grid: FixedPoint, ends: tuple[int, int], asked: SlopeCondition) -> bool:
    """Whether enclosures show the condition for these q₁ and q₂."""
    first, last = ends
    if not _magnitude(_difference(sigma, grid, first, last)) <= asked.ends(last - first):
        return False
    if any(_slope_inside(sigma, grid.s, k) & asked.slope is None for k in range(first, last)):
        return False  # at one point already
    between = partial(open_range, sigma.real, domain=(grid.value(first), grid.value(last)))
    try:
        return _hull(between(order=0), grid.s) <= asked.values and _hull(between(order=1)) <= asked.slope
    except ArithmeticError:  # no derivative at some point between
        return False


@lru_cache(maxsize=1 << 12)
def _slope_inside(sigma: Activation, s: int, k: int) -> Reals:
    """σ′ halfway between k/s and (k + 1)/s, enclosed."""
    step = Fraction(k, s), Fraction(k + 1, s)
    return Reals(*sigma.real.near(1, (step[0] + step[1]) / 2, step))


def excluded(sigma: Activation, grid: FixedPoint, asked: SlopeCondition) -> bool:
    """Whether the ranges of σ and σ′ over all of Q_(p,s) leave the condition to no q₁ and q₂: no such slope, or no such ends."""
    between = partial(open_range, sigma.real, domain=(-grid.largest, grid.largest))
    try:
        slopes, values = _hull(between(order=1)), _hull(between(order=0), grid.s)
    except ArithmeticError:
        return False
    most = values - values
    return slopes & asked.slope is None or all(most & asked.ends(n) is None for n in range(1, 2 * grid.top + 1))


class Copies(Struct, frozen=True, forbid_unknown_fields=True):
    """How many copies stand for a weight k: a formula in k and s."""

    copies: str


def copies_for_a_weight(question: Question, given: Copies) -> Finding:
    """Section 3.2.3: copies of a hidden neuron, each with weight 1/s, add up to k times its value, where 1 is not in Q_(p,s)."""

    def trials() -> Iterator[Failure]:
        for grid in beyond(question["p"], (2 << question["p"]) + 1):
            for w in grid.levels():
                for b in grid.levels():
                    for k in (1, 2):
                        yield _copied(grid, Neuron((0,), (w,), b), k, exact.integer(given.copies, {"k": k, "s": grid.s}))

    what = "all first-layer weights and biases in Q_(p,s), k = 1, 2, GELU, at every s from 2^p to 2^(p+1) + 1,"
    return decide(question, what, trials())


def _copied(grid: FixedPoint, hidden: Neuron, k: int, copies: int) -> Failure:
    """k times the hidden value, in units of 1/s², by a network with copies."""
    table = rounded(NAMED["gelu"], grid)
    network = Network(table, 1, ((hidden,) * copies, (Neuron(tuple(range(copies)), (1,) * copies, 0),)))
    for x, value in zip(grid.levels(), run_all(network, all_inputs(grid, 1), rounded=False)[:, 0].tolist(), strict=True):
        wanted = k * table(grid.nearest(grid.s * hidden.bias + hidden.weights[0] * x)) * grid.s
        if value != wanted or not network.quantized:
            return {"s": grid.s, "k": k, "x": grid.show(x), "value in 1/s^2": value, "wanted": wanted}
    return None
