"""Whether γ ∈ S° is needed in Lemmas 5 and 14, and S = Q_{p,s} for some bias in Theorems 6 and 15 and Lemma 19 (Sections 3.2, 3.3, 4.2).

The answer is the smallest (p, s) with an activation that keeps Condition 1, and violates the hypothesis and the conclusion. The sets depend
on ⌈σ⌉ only through its outputs, and any two or more outputs are those of a monotone ⌈σ⌉, which has Condition 1 (Lemma 4). So at p ≤ 2
every activation is tried, and from p = 3 on those with two outputs.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from verifier.claims.chapter import Chapter
from verifier.claims.model import Parameter, Question

from constructions.fixed_point_networks.claims.first_network import one_layer_cannot
from constructions.fixed_point_networks.claims.first_set import names, never_full, of_outputs, small_images
from constructions.fixed_point_networks.claims.small_sum import small_sums
from constructions.fixed_point_networks.mathematics.grid import fixed_points
from constructions.fixed_point_networks.mathematics.networks.batch import run_all
from constructions.fixed_point_networks.mathematics.networks.network import Network, Neuron, all_inputs
from constructions.fixed_point_networks.mathematics.rounded_activations import Table
from constructions.fixed_point_networks.mathematics.sets import reach, weights_of
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, grid_of, p_and_s, within_limit
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim


def activations(p: int, from_p: int = 1) -> Iterator[Table]:
    """p and s first, then few outputs before many and small before large."""
    return (of_outputs(g, image) for q in range(from_p, p + 1) for g in fixed_points(q) for image in small_images(g))


def scope(p: int, from_p: int = 1) -> str:
    return f"{from_p} <= p <= {p} and s <= 2^p - 1 ascending, every set of outputs at p <= 2, every two outputs beyond, until one is found"


def at_table(table: Table) -> str:
    return f"p = {table.grid.p}, s = {table.grid.s}, {names(table)}"


def _s_set(name: str, binary: bool, place: str) -> None:
    s, n = ("BS", "BN") if binary else ("S", "N")

    @claim(
        f"{name}:s-set",
        statement=f"{name.replace('-', ' ').capitalize()} needs {s} = Q_(p,s) for some bias",
        place=place,
        checks=f"the smallest activation for which {s} is never Q_(p,s): {n} is never Q_(p,s) either, by walking the sums, so deeper "
        "networks lack a value, and one layer cannot compute the target of Theorem 1",
        parameters=(Parameter("p", "the largest p tried", "p >= 1", "2"),),
        bounded=False,
    )
    def judge(question: Question) -> Finding:
        within_limit(question, 16 ** question["p"])
        found = next((t for t in activations(question["p"]) if reach(s, t).full_bias() is None), None)

        def trials() -> Iterator[Failure]:
            yield None if found is not None else {"no activation": f"{s} is Q_(p,s) for some bias for each"}
            if found is not None:
                yield None if never_full(n, found) and one_layer_cannot(found.grid) else {"activation": at_table(found)}

        return decide(scope(question["p"]), trials(), witness=f"needed, first at {at_table(found)}" if found else None)

    del judge


_s_set("theorem-6", False, "Section 3.2.3, Theorem 6")
_s_set("theorem-15", True, "Section 3.3, Theorem 15 (networks with weights +-1)")


@claim(
    "lemma-19:s-set",
    statement="Lemma 19 needs S = Q_(p,s) for some bias",
    place="Section 4.2, Lemma 19",
    checks="the smallest activation for which S is never Q_(p,s): no bias in [-q_max, q_max] reaches everything by small sums",
    parameters=(Parameter("p", "the largest p tried", "p >= 3", "3"),),
    bounded=False,
)
def lemma_19(question: Question) -> Finding:
    within_limit(question, 16 ** question["p"])
    found = next((t for t in activations(question["p"], 3) if reach("S", t).full_bias() is None), None)

    def trials() -> Iterator[Failure]:
        yield None if found is not None else {"no activation": "S is Q_(p,s) for some bias for each"}
        if found is not None:
            for beta in found.grid.levels():
                short = small_sums(found.grid, reach("S", found), beta)
                yield None if short is not None else {"activation": at_table(found), "b'": found.grid.show(beta)}

    return decide(scope(question["p"], 3), trials(), witness=f"needed, first at {at_table(found)}" if found else None)


def outside_group(table: Table, binary: bool) -> int | None:
    """The least γ > 0, in units of 1/s², that no sum of products of a weight and a gap takes; None where there is none."""
    weights = weights_of("BS" if binary else "S", table.grid)
    products = {w * gap for w in weights for gap in table.gaps}
    step = reach("BS" if binary else "S", table).step
    return next((t for t in range(1, step) if all(product % step == 0 for product in products)), None)


def _gamma(name: str, binary: bool, place: str) -> None:
    group = "BS°" if binary else "S°"

    @claim(
        f"{name}:gamma",
        statement=f"{name.replace('-', ' ').capitalize()} needs gamma in {group}, for a cube that is neither empty nor everything",
        place=place,
        checks="the value on the cube minus that off it is a sum of products of weights and gaps: the smallest activation, and multiple "
        "gamma of 1/s^2, that no such sum takes, all products being multiples of a step that gamma is none of",
        parameters=(Parameter("p", "the largest p tried", "p >= 1", "2"),),
        bounded=False,
    )
    def judge(question: Question) -> Finding:
        within_limit(question, 16 ** question["p"])
        tables = activations(question["p"])
        found = next(((t, gamma) for t in tables if (gamma := outside_group(t, binary)) is not None), None)
        shown = f"needed, first at {at_table(found[0])}, gamma = {Fraction(found[1], found[0].grid.s ** 2)}" if found else None
        return decide(scope(question["p"]), [None if found else {"no gamma": f"every multiple of 1/s^2 is in {group}"}], witness=shown)

    del judge


_gamma("lemma-5", False, "Section 3.2.2, Lemma 5")
_gamma("lemma-14", True, "Section 3.3, Lemma 14")


def _cube(name: str, place: str) -> None:
    @claim(
        f"{name}:cube",
        statement=f"{name.replace('-', ' ').capitalize()} does not need alpha_i <= beta_i, nor corners in Q_(p,s)",
        place=place,
        checks="one coordinate (cubes are products): for all corners in halves of a level, beyond the ends too, what lies between "
        "them is a cube with corners in Q_(p,s), or nothing, for which a network without weights is gamma times the indicator, 0",
        parameters=p_and_s("1..2", "1"),
        bounded=False,
    )
    def judge(question: Question) -> Finding:
        grid = grid_of(question)
        corners = [Fraction(k, 2) for k in range(-2 * grid.top - 2, 2 * grid.top + 3)]
        idle = (Neuron((), (), 0),)
        nothing = run_all(Network(Table(grid, tuple(grid.levels())), 1, (idle,) * 4), all_inputs(grid, 1), rounded=False)[:, 0].tolist()

        def trials() -> Iterator[Failure]:
            for low, high in product(corners, repeat=2):
                held = [k for k in grid.levels() if low <= k <= high]
                same = held == list(range(held[0], held[-1] + 1)) if held else nothing == [0] * grid.size
                yield None if same else {"alpha": low / grid.s, "beta": high / grid.s}

        return decide(f"all pairs of corners in halves of 1/s up to q_max + 1/s {at(question)}", trials())

    del judge


_cube("lemma-5", "Section 3.2.2, Lemma 5")
_cube("lemma-14", "Section 3.3, Lemma 14")
