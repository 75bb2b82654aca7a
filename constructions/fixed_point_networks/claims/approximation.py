"""Theorem 21: approximating a continuous function, and the covering by cubes of its proof (Sections 4.3, 5.16).

The modulus of continuity enters only through δ, and every real δ is judged, by the finitely many coverings that there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product

from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Question

from constructions.fixed_point_networks.mathematics.coverings import corners, stretches
from constructions.fixed_point_networks.mathematics.networks.network import Layer, Network, Neuron
from constructions.fixed_point_networks.mathematics.rounded_activations import Table
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, dimension, grid_of, p_and_s, uses_errata
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim

PARAMETERS = p_and_s("1..2", "1..3")
WITH_D = (*PARAMETERS, dimension("1..2"))
FEWER_LAYERS = Erratum(
    printed="a four-layer network of at most P parameters, P = 1 in the first case",
    repaired="a network of at most four layers and at most P parameters, P = 1 in the first case",
    why="four layers have at least four biases (Section 2.3); the proof's network for this case is one layer, a bias without weights "
    "(theorem-21:one-parameter)",
)


def every_width(question: Question, what: str) -> str:
    """The scope of a claim judged on :func:`..coverings.stretches`."""
    found = stretches(grid_of(question))
    points = sum(stretch.closed for stretch in found)
    return f"every real delta with 1/s < delta < 2 q_max ({points} points and the {len(found) - points} intervals between them){what}"


@claim(
    "theorem-21:first-case",
    statement="when the modulus allows delta >= 2 q_max, a network of the stated depth with P = 1 parameter suffices",
    place="Section 4.3, Theorem 21, first case of P",
    checks="the least number of parameters of a network of that depth: each layer has a neuron, and each neuron a bias; read so that a "
    "neuron may have no inputs",
    parameters=PARAMETERS,
    errata=(FEWER_LAYERS,),
    bounded=False,
)
def first_case(question: Question) -> Finding:
    depth = 1 if uses_errata(question) else 4
    grid = grid_of(question)
    layer: Layer = (Neuron((), (), 0),)
    least = Network(Table(grid, tuple(grid.levels())), 1, (layer,) * depth).parameters
    return decide(
        f"every network of that depth {at(question)}", [None if least <= 1 else {"layers": depth, "least parameters": least, "P": 1}]
    )


@claim(
    "theorem-21:constant",
    statement="when delta >= 2 q_max, the constant that rounds f* where it is nearest to Q_(p,s) is within |f* - [f*]| + epsilon of f*",
    place="Section 5.16, first case",
    checks="every f* with values in quarters of a level at the inputs, d = 1, epsilon the spread of its values",
    parameters=p_and_s("1", "1"),
    bounded=False,
)
def constant(question: Question) -> Finding:
    grid = grid_of(question)
    values = [Fraction(k, 4) for k in range(-5, 6)]
    rounding = {v: abs(v - grid.rounded(v)) for v in values}

    def trials() -> Iterator[Failure]:
        for f in product(values, repeat=min(grid.size, 4)):
            best = min(f, key=rounding.__getitem__)
            level, epsilon = grid.rounded(best), max(f) - min(f)
            bad = next((v for v in f if abs(level - v) > rounding[v] + epsilon), None)
            yield None if bad is None else {"f*": f, "at": bad}

    return decide(f"all value vectors of {min(grid.size, 4)} inputs, in quarters up to 5/4, {at(question)}", trials())


@claim(
    "theorem-21:grid-size",
    statement="|G| = N + 1 <= 2 q_max/delta + 2, and (2 q_max + 2 delta)^d <= (6 q_max)^d",
    place="Section 5.16, second case",
    checks="both for every real delta: between breakpoints |G| is constant, and both are tightest at the right end",
    parameters=WITH_D,
    bounded=False,
)
def grid_size(question: Question) -> Finding:
    grid, d = grid_of(question, 3), question["d"]
    ends = 2 * grid.largest

    def small(delta: Fraction, size: int) -> bool:
        return size <= ends / delta + 2

    def power(delta: Fraction) -> bool:
        return (ends + 2 * delta) ** d <= (3 * ends) ** d

    def trials() -> Iterator[Failure]:
        for stretch in stretches(grid):
            size = len(corners(grid, stretch.sample))
            for delta in (stretch.violation(partial(small, size=size)), stretch.violation(power)):
                yield None if delta is None else {"delta": delta, "|G|": size}

    return decide(every_width(question, f", {at(question)}"), trials())


@claim(
    "theorem-21:grid-power",
    statement="the bound used for the number of cubes: the size of G^d against 2 q_max/delta + 2",
    place="Section 5.16, the count of parameters in the second case",
    checks="the sizes for every real delta: between breakpoints |G| is constant, and the bound is least at the right end",
    parameters=WITH_D,
    errata=(
        Erratum(
            printed="|G^d| <= 2 q_max/delta + 2",
            repaired="|G| <= 2 q_max/delta + 2",
            why="G^d has |G|^d elements; the count before it raises the bound to the d-th power, as it should",
        ),
    ),
    bounded=False,
)
def grid_power(question: Question) -> Finding:
    grid, d = grid_of(question, 3), question["d"]
    power = 1 if uses_errata(question) else d

    def small(delta: Fraction, size: int) -> bool:
        return size <= 2 * grid.largest / delta + 2

    def trials() -> Iterator[Failure]:
        for stretch in stretches(grid):
            size = len(corners(grid, stretch.sample)) ** power
            delta = stretch.violation(partial(small, size=size))
            yield None if delta is None else {"delta": delta, "size": size, "bound": 2 * grid.largest / delta + 2}

    return decide(every_width(question, f", {at(question)}"), trials())


@claim(
    "theorem-21:partition",
    statement="the cubes C_p, p in G^d, partition Q_(p,s)^d",
    place="Section 5.16, second case",
    checks="one coordinate (the cubes are products): every value of Q_(p,s) lies in exactly one [p, p + delta), for every real delta",
    parameters=PARAMETERS,
    bounded=False,
)
def partition(question: Question) -> Finding:
    grid = grid_of(question, 3)

    def trials() -> Iterator[Failure]:
        for delta in (stretch.sample for stretch in stretches(grid)):
            places = corners(grid, delta)
            for k in grid.levels():
                holders = [p for p in places if p <= grid.value(k) < p + delta]
                yield None if len(holders) == 1 else {"delta": delta, "x": grid.show(k), "cubes": holders}

    return decide(every_width(question, f", and all x, {at(question)}"), trials())


@claim(
    "theorem-21:choice",
    statement="each cube C_p, p in G^d, holds a point, so that the best point of it can be chosen",
    place="Section 5.16, the choice of the point for each p in G^d",
    checks="one coordinate: whether each [p, p + delta) holds a value of Q_(p,s), for every real delta",
    parameters=PARAMETERS,
    errata=(
        Erratum(
            printed="for each p in G^d a point of C_p",
            repaired="for each p in G^d with C_p nonempty a point of C_p",
            why="where 2 q_max is no multiple of delta, the last corner of G lies beyond q_max and its cube is empty",
        ),
    ),
    bounded=False,
)
def choice(question: Question) -> Finding:
    grid = grid_of(question, 3)

    def trials() -> Iterator[Failure]:
        for delta in (stretch.sample for stretch in stretches(grid)):
            for p in corners(grid, delta):
                if uses_errata(question) and p > grid.largest:
                    continue
                holds = any(p <= grid.value(k) < p + delta for k in grid.levels())
                yield None if holds else {"delta": delta, "p": p, "q_max": grid.largest}

    return decide(every_width(question, f", and all corners, {at(question)}"), trials())


@claim(
    "theorem-21:last-case",
    statement="with f = [f*] on every input, |f - f*| equals the right-hand side, the rounding error of f*",
    place="Section 5.16, last display",
    checks="both sides for every value of f* in quarters of a level up to 1/s beyond the ends; as repaired, the right-hand side as the "
    "least distance of f* from a value of Q_(p,s)",
    parameters=PARAMETERS,
    errata=(
        Erratum(
            printed="|f(x) - f*(x)| = |f(x) - [f*(x)]|",
            repaired="|f(x) - f*(x)| = |f*(x) - [f*(x)]|",
            why="f is [f*], so the printed right-hand side is 0 for every f*; one symbol, f for f*",
        ),
    ),
    bounded=False,
)
def last_case(question: Question) -> Finding:
    grid, repaired = grid_of(question), uses_errata(question)

    def trials() -> Iterator[Failure]:
        for k in sorted(range(-4 * grid.top - 4, 4 * grid.top + 5), key=lambda k: (abs(k), k)):
            value = Fraction(k, 4)
            f = grid.rounded(value)
            left = abs(f - value)
            right = min(abs(value - q) for q in grid.levels()) if repaired else abs(Fraction(f - grid.rounded(value)))
            shown = {"f*(x)": value / grid.s, "f(x)": grid.show(f), "left": left / grid.s, "right": right / grid.s}
            yield None if left == right else shown

    return decide(f"all values in quarters of 1/s up to q_max + 1/s {at(question)}", trials())
