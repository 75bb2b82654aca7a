"""What fails the necessary condition: Lemma 2 with the steps of its proof, and Corollary 3 (Sections 3.1, 5.2).

Lemmas 2 and 12 speak of every σ with a divisibility property. N and BN depend on σ only through the gcd of its outputs, so every
possible gcd is tried, with every class of biases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from constructions.fixed_point_networks.mathematics.activations import scaled_hardtanh
from constructions.fixed_point_networks.mathematics.grid import FixedPoint, fixed_points
from constructions.fixed_point_networks.mathematics.rounded_activations import rounded
from constructions.fixed_point_networks.mathematics.sets import Reach, reach
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, chosen, decide, divisor_parameter, grid_of, p_and_s
from verifier.claims.chapter import Chapter
from verifier.claims.model import Parameter, Question
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim

SMALL = (p_and_s("2..6")[0], Parameter("s", "scaling factor, 3s^2 <= 2^p - 1", "s >= 1 and 3*s*s <= 2**p - 1", "1..3"))
"""Where there is an r ≥ 3 with s·r ∈ Q_{p,s}."""
ADMITTED = (
    SMALL[0],
    Parameter(
        "s",
        "scaling factor, with an r >= 3 (r >= 4 for odd p) and s^2 r <= 2^p - 1",
        "s >= 1 and (4*s*s <= 2**p - 1 or 2*floor(p/2) == p and 3*s*s <= 2**p - 1)",
        "1..3",
    ),
)
"""Where Lemmas 2 and 12 have an r."""
ODD = " and (r >= 4 or 2*floor(p/2) == p)"


def first_says(condition: Callable[[FixedPoint], bool]) -> str:
    """The smallest p, then s, at which a statement has a case."""
    grid = next(g for p in range(1, 16) for g in fixed_points(p) if condition(g))
    return f"it first says something at p = {grid.p}, s = {grid.s}"


def divisible_case(grid: FixedPoint) -> bool:
    """Whether Lemmas 2 and 12 have an r."""
    return any(r > 3 or grid.p % 2 == 0 for r in moduli(grid, 3))


def moduli(grid: FixedPoint, from_r: int, only: int = 0) -> Iterator[int]:
    """The r ≥ from_r with s·r ∈ Q_{p,s}, that is s²r ≤ 2^p − 1; or only one."""
    return iter((only,) if only else range(from_r, grid.top // grid.s**2 + 1))


def _outputs(grid: FixedPoint, unit: int, factor: int) -> Iterator[tuple[int, int | None, Reach]]:
    """For every gcd of outputs that are multiples of ``unit`` levels: (gcd, a bias that reaches everything or None, the sets)."""
    for step in (0, *range(unit, grid.top + 1, unit)):
        sets = Reach(grid, step * factor)
        yield step, sets.full_bias(), sets


def every_r(question: Question) -> str:
    """``every r`` or ``r = 5``."""
    return f"r = {chosen(question, 'r')}" if chosen(question, "r") else "every r"


def never_full(question: Question, binary: bool, from_r: int, parity: bool, limit: bool = True) -> Iterator[Failure]:
    grid = grid_of(question)
    for r in moduli(grid, from_r, chosen(question, "r")) if limit else range(from_r, grid.top + 1):
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
    parameters=(*ADMITTED, divisor_parameter(ODD)),
    bounded=False,
)
def lemma_2(question: Question) -> Finding:
    return decide(
        f"{every_r(question)}, every activation and every bias {at(question)}",
        never_full(question, False, 3, True),
        "gcd of the outputs",
        first_says(divisible_case),
    )


@claim(
    "lemma-2:hypotheses",
    statement="which hypotheses of Lemma 2 its conclusion needs",
    place="Section 3.1, Lemma 2",
    checks="the conclusion for every r >= 2, for r = 3 at odd p too, and without s*r in Q_(p,s); that it fails at r = 1",
    parameters=p_and_s("1..6", "1..3"),
    bounded=False,
)
def lemma_2_hypotheses(question: Question) -> Finding:
    grid = grid_of(question)

    def trials() -> Iterator[Failure]:
        if grid.top > 1:
            yield from never_full(question, False, 2, False, limit=False)
        yield None if Reach(grid, 1).full_bias() == 0 else {"r": 1}

    return decide(
        f"every r <= 2^p - 1 (beyond, the outputs are 0), every activation and every bias {at(question)}",
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
    parameters=(*SMALL, divisor_parameter("")),
    bounded=False,
)
def case_split(question: Question) -> Finding:
    grid = grid_of(question)

    def trials() -> Iterator[Failure]:
        for r in moduli(grid, 3, chosen(question, "r")):
            for beta in range(r):
                for k in range(-2 * grid.size // r - 1, 2 * grid.size // r + 2):
                    total = beta + r * k
                    level = grid.nearest(grid.s * total)
                    end = grid.top if total >= grid.top + 1 else -grid.top if total <= -grid.top - 1 else beta
                    yield None if (level - end) % r == 0 else {"r": r, "s*b": beta, "sum": grid.show(total)}

    return decide(f"{every_r(question)}, biases modulo r and sums of magnitude up to 2|Q|/s {at(question)}", trials())


@claim(
    "equation-22",
    statement="0..r-1 is not contained in {2^p - 1, -2^p + 1, s*b} modulo r, for r >= 4, and for r = 3 at even p, whatever b",
    place="Section 5.2, Eq. (22) and the lines below it",
    checks="every r with s*r in Q_(p,s) and every s*b modulo r",
    parameters=(*ADMITTED, divisor_parameter(ODD)),
    bounded=False,
)
def equation_22(question: Question) -> Finding:
    grid = grid_of(question)

    def trials() -> Iterator[Failure]:
        for r in moduli(grid, 3, chosen(question, "r")):
            if r == 3 and grid.p % 2:
                continue
            for beta in range(r):
                residues = {grid.top % r, -grid.top % r, beta}
                yield None if set(range(r)) - residues else {"r": r, "s*b": beta}

    return decide(f"{every_r(question)} and all s*b modulo r {at(question)}", trials())


@claim(
    "corollary-3",
    statement="5s in Q_(p,s) and sigma = 5s*Hardtanh: N differs from Q_(p,s) for every bias",
    place="Section 3.1, Corollary 3",
    checks="Lemma 2's hypotheses with r = 5 on every input, and N itself for every class of biases",
    parameters=(
        Parameter("p", "magnitude bits", "p >= 2", "3..8"),
        Parameter("s", "scaling factor, 5*s^2 <= 2^p - 1", "s >= 1 and 5*s*s <= 2**p - 1", "1..3"),
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
