"""Which hypotheses Theorem 21 needs: Condition 1, S = Q_{p,s}, continuity of f*, ε > 0 (Sections 4.3, 5.16).

s ≤ 2^p − 1 is theorem-21:one-in-q, and p ≥ 3, which Lemma 19 brings in, theorem-21:from-lemma-19. The number of parameters is judged only
where it decides the case: P = 1 is a constant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise, product

from verifier.claims.chapter import Chapter
from verifier.claims.model import Parameter, Part, Question

from constructions.fixed_point_networks.claims.hypothesis import buildable, without_condition
from constructions.fixed_point_networks.claims.necessary import swap_target
from constructions.fixed_point_networks.mathematics.condition_1 import normal_form
from constructions.fixed_point_networks.mathematics.coverings import covering, stretches
from constructions.fixed_point_networks.mathematics.grid import FixedPoint, fixed_points
from constructions.fixed_point_networks.mathematics.networks.any_activation import unconditional_representator
from constructions.fixed_point_networks.mathematics.networks.batch import run_all
from constructions.fixed_point_networks.mathematics.networks.network import Network, all_inputs
from constructions.fixed_point_networks.mathematics.networks.representator import representator
from constructions.fixed_point_networks.mathematics.rounded_activations import Table
from constructions.fixed_point_networks.mathematics.samples import tables
from constructions.fixed_point_networks.mathematics.sets import reach
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, grid_of, p_and_s, within_limit
from verifier.arithmetic.numbers import HALF
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim

Values = Sequence[Fraction]
"""f* at the inputs (d = 1), in levels."""


def continuous_targets(grid: FixedPoint) -> list[Values]:
    """The values of a line, a parabola and a zigzag at the inputs; linear between them."""
    line = [Fraction(3, 4) * k + Fraction(1, 3) for k in grid.levels()]
    parabola = [Fraction(k * k, grid.top) - Fraction(3, 8) for k in grid.levels()]
    zigzag = [Fraction(5, 8) * grid.top * (1 - 2 * (k % 2)) for k in grid.levels()]
    return [line, parabola, zigzag]


def too_far(grid: FixedPoint, outputs: Sequence[int], values: Values, epsilon: Fraction) -> int | None:
    """The first input with |f − f*| > |f* − ⌈f*⌉| + ε (Eq. 20), in levels; None where Eq. (20) holds."""
    for x, f, wanted in zip(grid.levels(), outputs, values, strict=True):
        if abs(f - wanted) > abs(wanted - grid.rounded(wanted)) + epsilon:
            return x
    return None


def outputs_of(network: Network) -> list[int]:
    found: list[int] = run_all(network, all_inputs(network.grid, 1))[:, 0].tolist()
    return found


@claim(
    "theorem-21:condition-1",
    statement="the error bound of Theorem 21 does not need Condition 1",
    place="Section 4.3, Theorem 21",
    checks="activations without it with S = Q_(p,s) for some bias: the four-layer network of three continuous f*, run on every input, "
    "against Eq. (20) with epsilon = 0",
    parameters=p_and_s("1..2", "1"),
    bounded=False,
)
def without_condition_1(question: Question) -> Finding:
    grid = grid_of(question)

    usable = [t for t in without_condition(grid) if reach("S", t).full_bias() is not None]
    buildable(question, usable, 1, grid.size**2)

    def trials() -> Iterator[Failure]:
        for table in usable:
            yield from _within(grid, table, False)

    return decide(f"the activations of theorem-6:hypotheses without Condition 1 and three f* {at(question)}", trials())


def _within(grid: FixedPoint, table: Table, conditional: bool) -> Iterator[Failure]:
    for values in continuous_targets(grid):
        target = [grid.rounded(v) for v in values]
        network = representator(table, target, 1) if conditional else unconditional_representator(table, target, 1)
        x = too_far(grid, outputs_of(network), values, Fraction(0)) if network.depth == 4 else network.depth
        yield None if x is None else {"activation": table.levels, "f*": values, "x": grid.show(x)}


@claim(
    "theorem-21:epsilon",
    statement="Theorem 21 does not need epsilon > 0",
    place="Section 4.3, Theorem 21",
    checks="epsilon = 0: f* constant is the first case, by a constant of Q_(p,s); any other continuous f* has a modulus 0 at 0 only, "
    "the third case: three f* and every activation tried, run on every input",
    parameters=p_and_s("1..2", "1"),
    bounded=False,
)
def without_epsilon(question: Question) -> Finding:
    grid = grid_of(question)

    def trials() -> Iterator[Failure]:
        for k in range(-4 * grid.top - 4, 4 * grid.top + 5):
            values = [Fraction(k, 4)] * grid.size
            yield None if constants_within(grid, values, Fraction(0)) else {"f*": values[0] / grid.s}
        for _, table, _ in tables(grid):
            if reach("S", table).full_bias() is not None:
                yield from _within(grid, table, True)

    return decide(f"constants in quarters of 1/s, three other f* and the activations tried {at(question)}", trials())


def short_of_s(grid: FixedPoint) -> Iterator[Table]:
    """Activations with Condition 1 and S never Q_{p,s}: of all tables at p = 1, else of the steps from 0 to a level g, g = 1, 2, …."""
    if grid.p == 1:
        candidates = [Table(grid, v) for v in product(grid.levels(), repeat=grid.size)]
    else:
        candidates = [Table(grid, tuple(g if k >= 0 else 0 for k in grid.levels())) for g in range(1, grid.top + 1)]
    return (t for t in candidates if normal_form(t) is not None and reach("S", t).full_bias() is None)


@claim(
    "theorem-21:s-set",
    statement="Theorem 21 needs S = Q_(p,s) for some bias: an f* and an epsilon that no network serves without it",
    place="Section 4.3, Theorem 21",
    checks="the smallest (p, s), with an activation that has Condition 1, for which N (and S) is never Q_(p,s); f* is the target of "
    "Theorem 1, linear between the inputs, epsilon = 1/(4s): onto, not monotone, so within epsilon of no network",
    parameters=(Parameter("p", "the largest p tried", "p >= 1", "2"),),
    bounded=False,
)
def without_s(question: Question) -> Finding:
    p = question["p"]
    within_limit(question, 64**p)
    tried, found = 0, None
    for grid in (g for q in range(1, p + 1) for g in fixed_points(q)):
        for table in short_of_s(grid):
            tried += 1
            found = found or (table if reach("N", table).full_bias() is None else None)
    trials: list[Failure] = [None if found else {"activations without S = Q_(p,s)": tried}]
    witness = None
    if found:
        trials += _unreachable(found)
        g = found.grid
        witness = (
            f"first at p = {g.p}, s = {g.s}: [sigma] = {g.show(max(found.image))} from 0 on and 0 below, whose S lacks a value for every b"
        )
    return decide(f"all activations at p = 1, steps of every height from p = 2 on, p <= {p} and s <= 2^p - 1", trials, witness=witness)


def _unreachable(table: Table) -> Iterator[Failure]:
    """f* takes every value, N none of its biases; one layer is monotone and f* is not; values of Q_{p,s} within 1/(4s) are equal."""
    grid = table.grid
    values = [swap_target(grid, k) for k in grid.levels()]
    yield None if set(values) == set(grid.levels()) else {"values": values}
    rises = [b - a for a, b in pairwise(values)]
    yield None if max(rises) > 0 > min(rises) else {"steps": rises}
    near = [(u, v) for u, v in product(grid.levels(), repeat=2) if u != v and abs(u - v) <= Fraction(1, 4)]
    yield None if not near else {"values": near}
    sets = reach("N", table)
    for beta in range(sets.classes):
        yield None if len(sets.reached(beta)) < grid.size else {"b": grid.show(beta)}


@dataclass(frozen=True)
class Piece:
    """f* = ``value`` on the interval from ``low`` to ``high``; ``closed``: whether the ends belong to it. All in levels."""

    low: Fraction
    high: Fraction
    closed: bool
    value: Fraction


JUMPING = (
    Piece(Fraction(-1), Fraction(-1), True, Fraction(0)),
    Piece(Fraction(-1), Fraction(1), False, HALF),
    Piece(Fraction(1), Fraction(1), True, Fraction(1)),
)
"""On [−1, 1], at p = s = 1: 0 and 1 at the ends and 1/2 between."""


def inverse_modulus(pieces: Sequence[Piece], epsilon: Fraction) -> Fraction | None:
    """ω⁻¹(ε) = sup{δ : ω(δ) ≤ ε} of a piecewise constant f*: the least distance of two pieces whose values differ by more than ε; None: ∞.

    Points of two pieces come as near as the pieces are, up to the ends that do not belong; the supremum is the same.
    """
    apart = (max(b.low - a.high, a.low - b.high, Fraction(0)) for a, b in combinations(pieces, 2) if abs(a.value - b.value) > epsilon)
    return min(apart, default=None)


def constants_within(grid: FixedPoint, values: Values, epsilon: Fraction) -> list[int]:
    """The constants of Q_{p,s} that satisfy Eq. (20)."""
    return [c for c in grid.levels() if too_far(grid, [c] * grid.size, values, epsilon) is None]


@claim(
    "theorem-21:continuity",
    statement="the first case of Theorem 21 needs f* continuous, and the other two cases do not",
    place="Section 4.3, Theorem 21; proof in 5.16",
    checks="p = s = 1, f* = 0 at -1, 1 at 1 and 1/2 between, epsilon = 1/2: the modulus, and every constant; the other cases: any two "
    "inputs of a cube are less than delta apart, for every real delta, so that the modulus below delta is enough",
    parameters=(Parameter("p", "the largest p at which cubes are tried", "p >= 1", "3"),),
    bounded=False,
)
def without_continuity(question: Question) -> Finding:
    p = question["p"]
    within_limit(question, 128**p)
    one, values = FixedPoint(1, 1), [JUMPING[0].value, JUMPING[1].value, JUMPING[2].value]

    def trials() -> Iterator[Failure]:
        delta = inverse_modulus(JUMPING, HALF)
        yield None if delta == 2 * one.largest else {"delta": delta, "2 q_max": 2 * one.largest}
        fitting = constants_within(one, values, HALF)
        yield None if not fitting else {"constants": fitting}
        for grid in (g for q in range(1, p + 1) for g in fixed_points(q)):
            for stretch in stretches(grid):
                for low, high in covering(grid, stretch.sample):
                    apart = Fraction(high - low, grid.s)
                    near = apart < stretch.low if stretch.closed else apart <= stretch.low
                    yield None if near else {"s": grid.s, "delta": stretch.sample, "inputs": (grid.show(low), grid.show(high))}

    return decide(
        f"the f* named, and every cube of every real delta with 1/s < delta < 2 q_max at p <= {p} and s <= 2^p - 1",
        trials(),
        witness="needed in the first case: omega(delta) <= 1/2 for delta < 2 and omega(2) = 1, so omega^-1(1/2) = 2 = 2 q_max, P = 1, and "
        "none of the constants -1, 0, 1 is within |f* - [f*]| + 1/2 at both ends (p = s = 1 is the smallest there is)",
    )


chapter.composite(
    "theorem-21:hypotheses",
    statement="Theorem 21 needs S = Q_(p,s) for some bias, and f* continuous in its first case; its error bound needs neither Condition 1 "
    "nor epsilon > 0",
    place="Section 4.3, Theorem 21",
    parts=(
        Part("theorem-21:condition-1"),
        Part("theorem-21:epsilon"),
        Part("theorem-21:s-set", {"p": "max(p, 2)"}),
        Part("theorem-21:continuity", {"p": "p"}),
    ),
    parameters=p_and_s("1..2", "1"),
    bounded=False,
)
