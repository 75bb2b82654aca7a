"""Judges of networks for a continuous function: their coverings, values and parameters, and Theorem 21 (Sections 4.3, 5.16).

The modulus of continuity enters only through δ = ω⁻¹(ε), and the judge covers every real δ. A cube has one level v, so the network for any
f* is ⌈b′ + Σ_C γ_v·1_C⌉ on one of them: each is run for every v.

Without one of its hypotheses (Condition 1, S = Q_(p,s), continuity, ε > 0, 1 ∈ Q_(p,s)) Eq. (20) is tried at d = 1, for given f* and
networks: which values are too far from f*? A case is None if it holds, else the values that refute it. The number of parameters matters
only if it decides the case: P = 1 is a constant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, pairwise, product

from constructions.fixed_point_networks.judges.networks import levels_reached, shown
from constructions.fixed_point_networks.judges.query_objects import Tried, continuous_targets, grid_of, usable, without_condition_1
from constructions.fixed_point_networks.mathematics.activations import NAMED, Table, normal_form, rounded
from constructions.fixed_point_networks.mathematics.continuous_functions import (
    Stretch,
    approximator,
    corners,
    covering,
    fewest_cubes,
    stretches,
)
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.network import (
    Network,
    all_inputs,
    first_wrong,
    parameters_of,
    plan,
    representator,
    run_all,
)
from constructions.fixed_point_networks.mathematics.networks.without_hypotheses import separating_representator, unseparated
from constructions.fixed_point_networks.mathematics.sets import reach, swap_target
from verifier.arithmetic.rationals import Fraction
from verifier.claims.finite_cases import Cases, Over, Trial
from verifier.claims.model import Query
from verifier.judges.declaring import Condition, Formula, judge
from verifier.language.syntax import names_in


def _most(grid: FixedPoint, second: Formula, third: Formula, delta: Fraction) -> Fraction:
    """P, by one formula for 1/s < δ < 2q_max and another for δ ≤ 1/s; both fall, or stay, as δ grows."""
    return third(delta=delta) if delta * grid.s <= 1 else second(delta=delta)


def _coverings(grid: FixedPoint) -> str:
    found = stretches(grid)
    different = len({covering(grid, stretch.sample) for stretch in found})
    return f"every real delta below 2 q_max (one case for delta <= 1/s, {len(found)} above, with {different} coverings)"


@judge
def networks(query: Query, *, second: Formula, third: Formula) -> Cases:
    """Second and third case: the proof's network has any given value on each cube, points of a cube are near each other, and P is kept.

    second, third: P in each of the cases, in delta.
    """
    grid, d, tried = grid_of(query), query["d"], Tried(query, "S")
    method = (
        "each cube's sub-network, unrounded, is gamma_v on it and 0 off it, and [b' + gamma_v] = v; between breakpoints of delta the "
        "covering is constant and P falls"
    )
    yield tried.over(f"{_coverings(grid)}, every cube, value and input", method)
    allowed = partial(_most, grid, second, third)
    points = Stretch(Fraction(1, grid.s), Fraction(1, grid.s))  # for all delta <= 1/s, where the cubes are points
    widths = [(stretch, covering(grid, stretch.sample)) for stretch in (points, *stretches(grid))]
    query.within(sum(len(sides) ** d for sides in {sides for _, sides in widths}) * grid.size**d, "cubes and inputs")
    cubes = list(dict.fromkeys(cube for _, sides in widths for cube in product(sides, repeat=d)))
    for stretch, sides in widths:
        longest = max(grid.value(high - low) for low, high in sides)
        near = longest < stretch.low or (longest == stretch.low and not stretch.closed)
        yield near or {"delta": stretch.sample, "points of a cube differ by": longest}
    for name, table in tried.named_tables:
        made = plan(table)
        yield from levels_reached(name, made)
        for wrong in first_wrong(made, table, cubes, all_inputs(grid, d)):
            yield wrong is None or {"activation": name, **shown(grid, wrong)}
        each = max(parameters_of(made, d))
        for stretch, sides in widths:
            total = each * len(sides) ** d + 1
            delta = stretch.violation(lambda delta, total=total: total <= allowed(delta))  # type: ignore[misc]
            yield delta is None or {"activation": name, "delta": delta, "parameters": total, "P": allowed(delta)}


@judge
def equation_20(query: Query, *, second: Formula, third: Formula, allowed: Formula, epsilons: list[Formula]) -> Cases:
    """The proof's network for given f* and ε, built and run on every input: its error, its layers, its parameters.

    allowed: the right-hand side of Eq. (20), in error, |f* − ⌈f*⌉|, and epsilon; epsilons: those tried, in units of 1/s;
    second, third: P in each of the cases, in delta.
    """
    grid, d, tried = grid_of(query), query["d"], Tried(query, "S")
    functions = continuous_targets(grid)
    yield tried.over(f"one of {len(functions)} f* for each, epsilon = {', '.join(map(str, epsilons))} over s, all inputs")
    inputs = all_inputs(grid, d)
    query.within(len(inputs) ** 2, "pairs of a point and an input")
    asked = [[(f, epsilon, f.inverse(epsilon)) for epsilon in (each() for each in epsilons)] for f in functions]
    for n, (name, table) in enumerate(tried.named_tables):
        made = plan(table)
        for f, epsilon, delta in asked[n % len(asked)]:
            network = approximator(made, table, f, delta, d)
            first = delta is None or delta >= 2 * grid.top
            depth, most = (1, None) if first or delta is None else (4, _most(grid, second, third, delta / grid.s))
            about = {"activation": name, "f*": f.values, "epsilon": epsilon, "delta": "infinite" if delta is None else delta}
            small = network.depth == depth and (most is None or network.parameters <= most)
            yield small or {**about, "layers": network.depth, "parameters": network.parameters, "P": most}
            for x, level in zip(inputs, run_all(network, inputs)[:, 0].tolist(), strict=True):
                value = f.at(grid, x)
                error = allowed(error=abs(value - grid.rounded(value)), epsilon=epsilon)
                yield abs(level - value) <= error or {**about, "x": x, "f": level, "f*(x)": value}


def _every_width(query: Query, what: str = "") -> str:
    found = stretches(grid_of(query))
    points = sum(stretch.closed for stretch in found)
    return f"every real delta with 1/s < delta < 2 q_max ({points} points and the {len(found) - points} intervals between them){what}"


@judge
def every_width(query: Query, *, holds: list[Condition]) -> Cases:
    """Each inequality for every real δ with 1/s < δ < 2q_max: between breakpoints the counts are constant.

    holds: inequalities in delta, one side of which is continuous in it and falls or rises, as :meth:`Stretch.violation` needs. Their names:
    ``corners``, |G|; ``cubes``, the nonempty intervals of one coordinate; ``fewest``, the least possible number.
    """
    grid = grid_of(query)
    yield Over(_every_width(query, ","))
    for stretch in stretches(grid):
        delta = stretch.sample
        counts = {
            "corners": len(corners(grid, delta)),
            "cubes": len(covering(grid, delta)),
            "fewest": fewest_cubes(grid, int(delta * grid.s)),
        }
        for condition in holds:
            wrong = stretch.violation(partial(_at, condition, counts))
            counted = {k: v for k, v in counts.items() if k in names_in(condition.text)}
            yield wrong is None or {"delta": wrong, **counted}


def _at(condition: Condition, counts: Mapping[str, int], delta: Fraction) -> bool:
    return condition(delta=delta, **counts)


EACH = Condition("1 == 1")


def _places(query: Query, cube: Condition, of: Condition) -> Iterator[tuple[Fraction, list[Fraction], list[set[int]]]]:
    """For every covering δ, the corners of G that the claim covers, and the levels in the interval of each.

    cube: the condition that x is in the interval of a corner, in corner, x and delta; of: the corners that are covered, in corner.
    """
    grid = grid_of(query)
    for stretch in stretches(grid):
        delta = stretch.sample
        places = [corner for corner in corners(grid, delta) if of(corner=corner, delta=delta)]
        query.within(len(places) * grid.size, "corners and values")
        inside = [{k for k in grid.levels() if cube(corner=c, x=grid.value(k), delta=delta)} for c in places]
        yield delta, places, inside


@judge
def partition(query: Query, *, cube: Condition, of: Condition = EACH) -> Cases:
    """One coordinate (cubes are products): every value of Q_(p,s) lies in exactly one interval of a corner of G."""
    grid = grid_of(query)
    yield Over(_every_width(query, ", and all x,"))
    for delta, places, inside in _places(query, cube, of):
        for k in grid.levels():
            held = [corner for corner, levels in zip(places, inside, strict=True) if k in levels]
            yield len(held) == 1 or {"delta": delta, "x": grid.show(k), "cubes": held}


@judge
def no_cube_is_empty(query: Query, *, cube: Condition, of: Condition = EACH) -> Cases:
    """One coordinate: the interval of each covered corner contains a value of Q_(p,s)."""
    q_max = grid_of(query).largest
    yield Over(_every_width(query, ", and all corners,"))
    for delta, places, inside in _places(query, cube, of):
        for corner, levels in zip(places, inside, strict=True):
            yield bool(levels) or {"delta": delta, "p": corner, "q_max": q_max}


Build = Callable[[Table, Sequence[int], int], Network]


Values = Sequence[Fraction]
"""f* at the inputs, in levels."""


def too_far(grid: FixedPoint, outputs: Sequence[int], values: Values, epsilon: Fraction) -> int | None:
    """The first input with |f − f*| > |f* − ⌈f*⌉| + ε (Eq. 20), in levels; None if Eq. (20) holds."""
    for x, f, wanted in zip(grid.levels(), outputs, values, strict=True):
        if abs(f - wanted) > abs(wanted - grid.rounded(wanted)) + epsilon:
            return x
    return None


def exactly(table: Table, build: Build) -> Iterator[Trial]:
    """Eq. (20) with ε = 0, and so with any ε, by a four-layer network for the rounding of each f*."""
    grid = table.grid
    for f in continuous_targets(grid):
        network = build(table, [grid.rounded(v) for v in f.values], 1)
        outputs = run_all(network, all_inputs(grid, 1))[:, 0].tolist()
        x = too_far(grid, outputs, f.values, Fraction(0)) if network.depth == 4 and network.quantized else 0
        yield x is None or {"activation": table.levels, "f*": f.values, "x": grid.show(x)}


def without_condition(grid: FixedPoint) -> Iterator[Trial]:
    """Activations without Condition 1 for which some bias reaches every value."""
    for table in without_condition_1(grid):
        if reach("S", table).full_bias() is not None:
            yield from exactly(table, separating_representator)


def without_epsilon(grid: FixedPoint) -> Iterator[Trial]:
    """ε = 0: a constant f* is the first case, by a constant; for any other f*, ω is 0 only at 0, the third case."""
    for k in range(-4 * grid.top - 4, 4 * grid.top + 5):
        values = [Fraction(k, 4)] * grid.size
        fitting = any(too_far(grid, [c] * grid.size, values, Fraction(0)) is None for c in grid.levels())
        yield fitting or {"f*": values[0] / grid.s}
    for _, table in usable(grid, False):
        yield from exactly(table, representator)


def without_full_bias(grid: FixedPoint) -> Iterator[Trial]:
    """Steps from 0 to a level with Condition 1 and N never Q_(p,s): f* interpolates the target of Theorem 1, ε = 1/(4s), which is onto and
    not monotone; the values of Q_(p,s) within ε of its values are exactly these, a network lacks one, and one layer is monotone."""
    target = [swap_target(grid, k) for k in grid.levels()]
    steps = [b - a for a, b in pairwise(target)]
    for height in range(1, grid.top + 1):
        table = Table(grid, tuple(height if k >= 0 else 0 for k in grid.levels()))
        out_of_reach = reach("N", table).full_bias() is None and set(target) == set(grid.levels()) and max(steps) > 0 > min(steps)
        shown = {"activation": f"{grid.show(height)} from 0 on, else 0", "f*": "Theorem 1's target", "epsilon": Fraction(1, 4 * grid.s)}
        yield not (out_of_reach and normal_form(table) is not None) or shown


def without_continuity(grid: FixedPoint) -> Iterator[Trial]:
    """f* = 0 at −q_max, 1/s at q_max and 1/(2s) between, ε = 1/(2s): ω⁻¹(ε) = 2q_max, so P = 1, and no constant is near enough."""
    half = Fraction(1, 2)
    pieces = [(-grid.top, -grid.top, Fraction(0)), (-grid.top, grid.top, half), (grid.top, grid.top, Fraction(1))]
    apart = [max(low - up, 0) for (_, up, a), (low, _, b) in combinations(pieces, 2) if abs(a - b) > half]
    values = [Fraction(0), *[half] * (grid.size - 2), Fraction(1)]
    fitting = [c for c in grid.levels() if too_far(grid, [c] * grid.size, values, half) is None]
    delta = Fraction(min(apart), grid.s)
    shown = {"f*": [v / grid.s for v in values], "epsilon": half / grid.s, "delta": delta, "2 q_max": 2 * grid.largest}
    yield delta < 2 * grid.largest or bool(fitting) or shown


def without_one(grid: FixedPoint) -> Iterator[Trial]:
    """s ≥ 2^p: if no first layer separates two inputs of the identity, f*(x) = x with ε = 1/(4s) is missed at one of them.

    Otherwise networks without weights ±1 suffice (:mod:`..mathematics.networks.without_hypotheses`).
    """
    pair = unseparated(rounded(NAMED["identity"], grid))
    if pair is not None:
        nearest = min(max(abs(v - x) for x in pair) for v in grid.levels())
        yield 4 * nearest <= 1 or {"f*": "x", "epsilon": Fraction(1, 4 * grid.s), "not told apart": [grid.show(x) for x in pair]}
    for _, table in usable(grid, False) if pair is None else ():
        yield from exactly(table, separating_representator)


DROPPED: Mapping[str, Callable[[FixedPoint], Iterator[Trial]]] = {
    "condition-1": without_condition,
    "full-bias": without_full_bias,
    "continuity": without_continuity,
    "epsilon": without_epsilon,
    "one-in-Q": without_one,
}
"""By the name of a hypothesis: Eq. (20) for what the others admit without it."""


@judge
def error_bound(query: Query) -> Cases:
    """Eq. (20), for cases that become possible without the hypotheses that are not assumed."""
    dropped = [name for name in DROPPED if name not in query.assuming]
    yield Over(f"Eq. (20), d = 1, without {', '.join(dropped)}")
    for name in dropped:
        yield from DROPPED[name](grid_of(query))
