"""The necessary condition and what fails it: Theorem 1, Lemma 2, Corollary 3, and with weights ±1 Theorem 11, Lemma 12, Corollary 13.

Lemmas 2 and 12 speak of every σ with a divisibility property. N and BN depend on σ only through the gcd of its outputs, so every
possible gcd is tried, with every class of biases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise, product

from constructions.fixed_point_networks.activations import rounded, scaled_hardtanh
from constructions.fixed_point_networks.grid import FixedPoint, fixed_points
from constructions.fixed_point_networks.sets import Reach, reach
from constructions.fixed_point_networks.trials import (
    PAPER_ID,
    Failure,
    at,
    decide,
    dimension,
    grid_of,
    p_and_s,
    uses_errata,
    within_limit,
)
from verifier.claims.model import Chapter, Erratum, Parameter, Question
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim

SMALL = p_and_s("2..6", "1")


def swap_target(grid: FixedPoint, level: int) -> int:
    """Section 5.1's f as a function of x₁: i + 1 for odd i, i − 1 for even i, and 2^p − 1 at 2^p − 1."""
    if level == grid.top:
        return grid.top
    return level + 1 if level % 2 else level - 1


def _no_one_layer(grid: FixedPoint) -> Iterator[Failure]:
    """f is onto, and neither rises nor falls throughout, as every rounded affine map of x₁ does."""
    values = [swap_target(grid, i) for i in grid.levels()]
    rises = [b - a for a, b in pairwise(values)]
    yield None if set(values) == set(grid.levels()) else {"missing": set(grid.levels()) - set(values)}
    yield None if max(rises) > 0 > min(rises) else {"steps": rises}


@claim(
    "theorem-1",
    statement="if networks with weights in Q_(p,s) represent every function, then N = Q_(p,s) for some bias",
    place="Section 3.1, Theorem 1; proof in 5.1",
    checks="the proof's target: onto, and not monotone in x1, so one layer cannot compute it; deeper networks "
    "have outputs in N by definition",
    parameters=p_and_s(),
    bounded=False,
)
def theorem_1(question: Question) -> Finding:
    grid = grid_of(question, 1)
    return decide(
        f"every activation, and the proof's target on every x1, {at(question)}", _no_one_layer(grid), "containment in N, and monotony"
    )


@claim(
    "theorem-11",
    statement="if networks with weights +-1 represent every function, then BN = Q_(p,s) for some bias",
    place="Section 3.3, Theorem 11; proof in 5.9",
    checks="as Theorem 1, with BN",
    parameters=p_and_s(),
    bounded=False,
)
def theorem_11(question: Question) -> Finding:
    grid = grid_of(question, 1)
    return decide(
        f"every activation, and the proof's target on every x1, {at(question)}", _no_one_layer(grid), "containment in BN, and monotony"
    )


@claim(
    "theorem-1:bijection",
    statement="the proof's target, a function of x1, is a bijection of Q_(p,s)^d with Q_(p,s)",
    place="Section 5.1",
    checks="its values on every input",
    parameters=(*p_and_s("1..2", "1"), dimension("1..2")),
    errata=(
        Erratum(
            printed="a bijective function f on Q_(p,s)^d",
            repaired="a surjective function f on Q_(p,s)^d",
            why="f looks at x1 only, so for d >= 2 inputs that agree there share a value; the proof uses only that f is onto",
        ),
    ),
    bounded=False,
)
def bijection(question: Question) -> Finding:
    grid, d = grid_of(question), question["d"]
    within_limit(question, grid.size**d)

    def trials() -> Iterator[Failure]:
        seen: dict[int, tuple[int, ...]] = {}
        for x in product(grid.levels(), repeat=d):
            value = swap_target(grid, x[0])
            same = seen.setdefault(value, x)
            clash = same != x and not uses_errata(question)
            yield {"x": _show(grid, same), "x'": _show(grid, x), "f": grid.show(value)} if clash else None
        yield None if set(seen) == set(grid.levels()) else {"missing": set(grid.levels()) - set(seen)}

    return decide(f"all inputs {at(question)}", trials())


def _show(grid: FixedPoint, x: tuple[int, ...]) -> str:
    return "(" + ", ".join(grid.show(v) for v in x) + ")"


def first_says(condition: Callable[[FixedPoint], bool]) -> str:
    """The smallest p, then s, at which a statement has a case."""
    grid = next(g for p in range(1, 16) for g in fixed_points(p) if condition(g))
    return f"it first says something at p = {grid.p}, s = {grid.s}"


def divisible_case(grid: FixedPoint) -> bool:
    """Whether Lemmas 2 and 12 have an r."""
    return any(r > 3 or grid.p % 2 == 0 for r in moduli(grid, 3))


def moduli(grid: FixedPoint, from_r: int) -> Iterator[int]:
    """The r ≥ from_r with s·r ∈ Q_{p,s}, that is s²r ≤ 2^p − 1."""
    return iter(range(from_r, grid.top // grid.s**2 + 1))


def _outputs(grid: FixedPoint, unit: int, factor: int) -> Iterator[tuple[int, int | None, Reach]]:
    """For every gcd of outputs that are multiples of ``unit`` levels: (gcd, a bias that reaches everything or None, the sets)."""
    for step in (0, *range(unit, grid.top + 1, unit)):
        sets = Reach(grid, step * factor)
        yield step, sets.full_bias(), sets


def never_full(question: Question, binary: bool, from_r: int, parity: bool, limit: bool = True) -> Iterator[Failure]:
    grid = grid_of(question)
    for r in moduli(grid, from_r) if limit else range(from_r, grid.top + 1):
        if parity and r == 3 and grid.p % 2:
            continue
        unit, factor = (r, grid.s) if binary else (grid.s * r, 1)
        for step, bias, _ in _outputs(grid, unit, factor):
            yield None if bias is None else {"r": r, "gcd of outputs": grid.show(step), "b": grid.show(bias)}


LEMMA_2 = "s*r in Q_(p,s), r >= 3 (3 only for even p), all outputs integers divisible by r"


@claim(
    "lemma-2",
    statement=f"{LEMMA_2}: then N differs from Q_(p,s) for every bias",
    place="Section 3.1, Lemma 2; proof in 5.2",
    checks="every r, every gcd that the outputs can have, every class of biases",
    parameters=SMALL,
    bounded=False,
)
def lemma_2(question: Question) -> Finding:
    return decide(
        f"every r, every activation and every bias {at(question)}",
        never_full(question, False, 3, True),
        "gcd of the outputs",
        first_says(divisible_case),
    )


@claim(
    "lemma-2:hypotheses",
    statement="which hypotheses of Lemma 2 its conclusion needs",
    place="Section 3.1, Lemma 2",
    checks="the conclusion for every r >= 2, for r = 3 at odd p too, and without s*r in Q_(p,s); that it fails at r = 1",
    parameters=SMALL,
    bounded=False,
)
def lemma_2_hypotheses(question: Question) -> Finding:
    grid = grid_of(question)

    def trials() -> Iterator[Failure]:
        if grid.top > 1:
            yield from never_full(question, False, 2, False, limit=False)
        yield None if Reach(grid, 1).full_bias() == 0 else {"r": 1}

    return decide(
        f"every r >= 1, every activation and every bias {at(question)}",
        trials(),
        "gcd of the outputs",
        "not needed: r >= 3 (r = 2 is enough), the parity of p, s*r in Q_(p,s): a bias reaches, short of the "
        "ends, only one class modulo r, "
        "and for p >= 2 there are three values in a row there. Needed: r > 1, for the identity reaches everything",
    )


@claim(
    "lemma-2:case-split",
    statement="with outputs in s*r*Z levels, s times a value of N is 2^p - 1, -2^p + 1 or s*b modulo r, by "
    "whether the sum is >= 2^p/s, <= -2^p/s or between",
    place="Section 5.2, the display before Eq. (22)",
    checks="every r, every bias modulo r, every sum up to twice the range",
    parameters=SMALL,
    bounded=False,
)
def case_split(question: Question) -> Finding:
    grid = grid_of(question)

    def trials() -> Iterator[Failure]:
        for r in moduli(grid, 3):
            for beta in range(r):
                for k in range(-2 * grid.size // r - 1, 2 * grid.size // r + 2):
                    total = beta + r * k
                    level = grid.nearest(grid.s * total)
                    end = grid.top if total >= grid.top + 1 else -grid.top if total <= -grid.top - 1 else beta
                    yield None if (level - end) % r == 0 else {"r": r, "s*b": beta, "sum": grid.show(total)}

    return decide(f"all r, biases modulo r and sums of magnitude up to 2|Q|/s {at(question)}", trials())


@claim(
    "equation-22",
    statement="0..r-1 is not contained in {2^p - 1, -2^p + 1, s*b} modulo r, for r >= 4, and for r = 3 at even p, whatever b",
    place="Section 5.2, Eq. (22) and the lines below it",
    checks="every r with s*r in Q_(p,s) and every s*b modulo r",
    parameters=SMALL,
    bounded=False,
)
def equation_22(question: Question) -> Finding:
    grid = grid_of(question)

    def trials() -> Iterator[Failure]:
        for r in moduli(grid, 3):
            if r == 3 and grid.p % 2:
                continue
            for beta in range(r):
                residues = {grid.top % r, -grid.top % r, beta}
                yield None if set(range(r)) - residues else {"r": r, "s*b": beta}

    return decide(f"all r and all s*b modulo r {at(question)}", trials())


@claim(
    "corollary-3",
    statement="5s in Q_(p,s) and sigma = 5s*Hardtanh: N differs from Q_(p,s) for every bias",
    place="Section 3.1, Corollary 3",
    checks="Lemma 2's hypotheses with r = 5 on every input, and N itself for every class of biases",
    parameters=(
        Parameter("p", "magnitude bits", "p >= 2", "3..8"),
        Parameter("s", "scaling factor, 5*s^2 <= 2^p - 1", "s >= 1 and 5*s*s <= 2**p - 1", "1"),
    ),
    bounded=False,
)
def corollary_3(question: Question) -> Finding:
    grid = grid_of(question)
    table = rounded(scaled_hardtanh(5 * grid.s), grid)

    def trials() -> Iterator[Failure]:
        for k in grid.levels():
            yield None if table(k) % (5 * grid.s) == 0 else {"x": grid.show(k), "rounded": grid.show(table(k))}
        bias = reach("N", table).full_bias()
        yield None if bias is None else {"b": grid.show(bias)}

    return decide(f"every input and every bias {at(question)}", trials(), "gcd of the outputs", first_says(lambda g: 5 * g.s**2 <= g.top))
