"""Sentences inside the proofs and in Section 4 that a machine can decide (Sections 2.1, 4.3, 5.4, 5.14–5.16)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Question

from constructions.fixed_point_networks.judges.sampling import scope_of
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.cube_indicator import cubes, indicator, show_cube
from constructions.fixed_point_networks.mathematics.networks.network import Network, Neuron
from constructions.fixed_point_networks.mathematics.rounded_activations import Table
from constructions.fixed_point_networks.mathematics.samples import tables
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, dimension, grid_of, p_and_s, uses_errata, within_limit
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim


@claim(
    "lemma-19:any-gap",
    statement="whatever gap v is taken, some multiple of it brings every bias into [-q_max, q_max]",
    place="Section 5.14, first paragraph",
    checks="every gap that some activation has, and every bias of magnitude up to 4 q_max",
    parameters=p_and_s("1..3", "1"),
    errata=(
        Erratum(
            printed="for v in V (and some m with |b + m v| <= q_max)",
            repaired="for v in V other than 0",
            why="0 = [sigma](x) - [sigma](x) is in V; where S = Q_(p,s) there is another gap",
        ),
    ),
    bounded=False,
)
def any_gap(question: Question) -> Finding:
    grid = grid_of(question)

    def trials() -> Iterator[Failure]:
        for gap in range(1 if uses_errata(question) else 0, 2 * grid.top + 1):
            for size in range(4 * grid.top + 1):
                moved = size <= grid.top if gap == 0 else any((b - size) % gap == 0 for b in grid.levels())
                yield None if moved else {"v": grid.show(gap), "b": grid.show(size), "q_max": grid.largest}

    return decide(f"all gaps, and all biases from 0 to 4 q_max (the others by symmetry), {at(question)}", trials())


@claim(
    "lemma-20:terms",
    statement="each gamma in S° is a sum of n <= s 2^(2p+4) products of a weight and a gap",
    place="Section 5.15, the use of Lemma 25",
    checks="as printed, a gamma in S° of the identity that takes more products of magnitude at most q_max * 2 q_max; as repaired, Lemma 25",
    parameters=p_and_s("1..2", "1"),
    errata=(
        Erratum(
            printed="for each gamma in S°",
            repaired="for each gamma in S° with |gamma| <= 2 q_max + 3/(2s)",
            why="Lemma 25 bounds gamma, and Lemma 20 speaks of such gamma only",
        ),
    ),
    bounded=False,
)
def terms(question: Question) -> Finding:
    grid = grid_of(question)
    if uses_errata(question):
        return question.ask("fixed-point-networks/lemma-25")
    bound, largest = grid.s * 4 ** (grid.p + 2), 2 * grid.top**2
    gamma = bound * largest + 1
    needed = -(-gamma // largest)
    shown = {"activation": "identity", "gamma": Fraction(gamma, grid.s**2), "terms needed": needed, "bound": bound}
    return decide(f"the identity {at(question)}", [None if needed <= bound else shown])


@claim(
    "theorem-21:from-lemma-20",
    statement="Lemma 20, which counts the parameters for a point, gives the number for each cube C_p",
    place="Section 5.16, second case, the count for one indicator",
    checks="as printed, whether every cube is a point; as repaired, that the proof's network has the same parameters for every cube",
    parameters=(*p_and_s("1..2", "1"), dimension()),
    errata=(
        Erratum(
            printed="gamma times the indicator of {z} (Lemma 20)",
            repaired="gamma times the indicator of a cube",
            why="the cubes of the second case hold several points; the ends of a cube are biases, so that the number is the same",
        ),
    ),
    bounded=False,
)
def from_lemma_20(question: Question) -> Finding:
    grid, d = grid_of(question), question["d"]
    within_limit(question, (grid.size * (grid.size + 1) // 2) ** d * 22)

    def trials() -> Iterator[Failure]:
        for name, _, normal in tables(grid):
            term = [(grid.top, normal.z, normal.z - 1)]
            point = indicator(normal, ((0, 0),) * d, term).parameters
            for cube in cubes(grid, d):
                same = indicator(normal, cube, term).parameters == point
                ok = same if uses_errata(question) else all(a == b for a, b in cube)
                yield None if ok else {"activation": name, "cube": show_cube(grid, cube), "parameters as for a point": same}

    return decide(scope_of(question, "every cube"), trials())


@claim(
    "theorem-21:one-parameter",
    statement="a constant is a one-layer network of a single parameter, its bias, by Eq. (3) and the count of Section 2.3",
    place="Section 5.16, first case; Eq. (3) and the number of parameters in Sections 2.1, 2.3",
    checks="the least number of parameters of one neuron: a bias, and as many weights as Eq. (3) asks for at least",
    errata=(
        Erratum(
            printed="k in [n]",
            repaired="k in [n] or k = 0",
            why="with k >= 1 weights every neuron has at least two parameters, a constant one too, and P = 1 is out of reach",
        ),
    ),
    bounded=False,
)
def one_parameter(question: Question) -> Finding:
    inputs = () if uses_errata(question) else (0,)
    table = Table(FixedPoint(1, 1), (0, 0, 1))
    constant = Network(table, 1, ((Neuron(inputs, (0,) * len(inputs), 1),),))
    least = constant.parameters
    return decide("one neuron", [None if least == 1 else {"least weights": len(inputs), "least parameters": least, "P": 1}])


@claim(
    "section-4.3:intrinsic",
    statement="no value of Q_(p,s) is nearer to f*(x) than its rounding",
    place="Section 4.3, after its first display",
    checks="every level against every value in eighths of a level up to 2/s beyond the ends",
    parameters=p_and_s("1..3", "1"),
    bounded=False,
)
def intrinsic(question: Question) -> Finding:
    grid = grid_of(question)

    def trials() -> Iterator[Failure]:
        for k in range(-8 * grid.top - 16, 8 * grid.top + 17):
            value = Fraction(k, 8)
            least = abs(value - grid.rounded(value))
            closer = next((q for q in grid.levels() if abs(value - q) < least), None)
            yield None if closer is None else {"f*(x)": value / grid.s, "closer": grid.show(closer)}

    return decide(f"all values in eighths of 1/s up to q_max + 2/s {at(question)}", trials())
