"""Whether the representation theorems need 1 ∈ Q_{p,s}: Lemmas 5 and 20, Theorems 6 and 21, Corollary 9 (Sections 3.2, 4.2, 4.3).

They hold as far as q_max ≥ 1/2, by the networks of :mod:`..networks.separation`, and fail beyond: for s > 2(2^p − 1) no weight takes 0
and 1/s to products half a level apart, so the first layer, and with it the network, has the same value at both, whatever σ is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from verifier.claims.chapter import Chapter
from verifier.claims.model import Parameter, Question

from constructions.fixed_point_networks.mathematics.activations import NAMED
from constructions.fixed_point_networks.mathematics.condition_1 import normal_form
from constructions.fixed_point_networks.mathematics.grid import FixedPoint, beyond
from constructions.fixed_point_networks.mathematics.networks.any_scaling_factor import (
    gap_pair,
    separating_representator,
    separating_sum,
    unseparated,
)
from constructions.fixed_point_networks.mathematics.networks.batch import run_all
from constructions.fixed_point_networks.mathematics.networks.cube_indicator import indicator
from constructions.fixed_point_networks.mathematics.networks.network import Network, all_inputs
from constructions.fixed_point_networks.mathematics.networks.representator import first_difference
from constructions.fixed_point_networks.mathematics.rounded_activations import Table, rounded
from constructions.fixed_point_networks.mathematics.samples import tables, targets
from constructions.fixed_point_networks.mathematics.sets import reach
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, within_limit
from verifier.verdicts import Finding, Verdict

chapter = Chapter(PAPER_ID)
claim = chapter.claim

THREE = ("x1", "drawn 1", "drawn 2")
P = (Parameter("p", "magnitude bits", "p >= 1", "1..2"),)
Trials = Callable[[FixedPoint], Iterator[Failure]]


def half(p: int) -> int:
    """The greatest s with q_max ≥ 1/2."""
    return 2 * ((1 << p) - 1)


def constant_from(p: int) -> int:
    """The least s with |w·x| < 1/(2s) for all w, x ∈ Q_{p,s}: from there on every first layer is constant."""
    top = (1 << p) - 1
    return 2 * top * top + 1


def threshold_table(grid: FixedPoint, z: int) -> Table:
    """1/s from z on and 0 below: what every σ with Condition 1 at z tells apart, this one does, and this one no more."""
    return Table(grid, tuple(int(k >= z) for k in grid.levels()))


def told_apart(grid: FixedPoint) -> Iterator[Failure]:
    """Every σ with Condition 1 (signs α, β mirror the neurons with it): its z, and two inputs that the first layer cannot tell apart."""
    for z in range(-grid.top + 1, grid.top + 1):
        pair = unseparated(threshold_table(grid, z))
        yield None if pair is None else {"s": grid.s, "z": grid.show(z), "not told apart": [grid.show(x) for x in pair]}


def stuck(grid: FixedPoint) -> tuple[int, int] | None:
    """Two inputs with equal values under every first layer, although Condition 1, S = Q_{p,s} and N = S hold: the identity's."""
    table = rounded(NAMED["identity"], grid)
    n, s = reach("N", table), reach("S", table)
    holds = normal_form(table) is not None and s.full_for_every_bias() is None and n.same_for_every_bias(s) is None
    return unseparated(table) if holds else None


def _sound(network: Network) -> bool:
    return network.quantized and network.depth == 4


def represented(grid: FixedPoint) -> Iterator[Failure]:
    for name, table, _ in tables(grid):
        if reach("S", table).full_bias() is not None:
            for text, target in ((text, targets(grid, 1)[text]) for text in THREE):
                network = separating_representator(table, target, 1)
                found = first_difference(network, target) if _sound(network) else "layers or weights"
                yield None if found is None else {"s": grid.s, "activation": name, "target": text, "x, computed, f*": found}


def indicators(grid: FixedPoint) -> Iterator[Failure]:
    """q_max·(a gap)·1_{v} for every v, not rounded."""
    inputs = all_inputs(grid, 1)
    for name, table, _ in tables(grid):
        high, low = gap_pair(table)
        gamma = grid.top * (table(high) - table(low))
        for v in inputs:
            network = separating_sum(table, [(v, [(grid.top, high, low)])], 1)
            values = run_all(network, inputs, rounded=False)[:, 0].tolist()
            ok = _sound(network) and values == [gamma * (x == v) for x in inputs]
            yield None if ok else {"s": grid.s, "activation": name, "x": v, "values in 1/s^2": values}


def two_values(grid: FixedPoint) -> Iterator[Failure]:
    """−1/s and 0 have equal values under every network: no target that differs there is represented."""
    pair = stuck(grid)
    yield None if pair == (-1, 0) else {"s": grid.s, "not told apart": pair and [grid.show(x) for x in pair]}


def line_missed(grid: FixedPoint) -> Iterator[Failure]:
    """f*(x) = x with ε = 1/(4s), the third case of P: a common value of two inputs is more than ε from one of them."""
    pair, epsilon = stuck(grid), Fraction(1, 4)
    far = pair is not None and min(max(abs(v - pair[0]), abs(v - pair[1])) for v in grid.levels()) > epsilon
    yield None if far else {"s": grid.s, "two inputs": pair}


def not_quantized(grid: FixedPoint) -> Iterator[Failure]:
    """The proof's indicator has weights ±1, so it is no network under Q_{p,s}; its copies m_q = 2s + 1 would be enough all the same."""
    normal = normal_form(rounded(NAMED["identity"], grid))
    assert normal is not None
    network = indicator(normal, ((0, 0),), [(1, normal.z, normal.z - 1)])
    enough = (2 * grid.s + 1) * grid.largest * grid.value(1) > 2 * grid.largest
    yield None if not network.quantized and enough else {"s": grid.s, "weights": "all in Q_(p,s)" if enough else "too few copies"}


def _judge(question: Question, near: tuple[Trials, ...], far: Trials, witness: str, taken: str | None) -> Finding:
    p = question["p"]
    within_limit(question, 32 ** (p + 1))

    def trials() -> Iterator[Failure]:
        if taken is not None:
            found = question.ask(f"{PAPER_ID}/{taken}")
            yield None if found.verdict is Verdict.VERIFIED else {"from": taken}
        for grid in beyond(p, half(p)):
            for part in near:
                yield from part(grid)
        for s in range(half(p) + 1, constant_from(p) + 1):
            yield from far(FixedPoint(p, s))

    first = f"p = {p}, s = {half(p) + 1}"
    return decide(
        f"d = 1, the activations tried, every s from 2^p to {constant_from(p)}, from where every first layer is constant, {at(question)}",
        trials(),
        "every weight and bias of a first layer",
        witness.format(first=first, half=half(p)),
    )


def _claim(
    name: str, text: str, place: str, near: tuple[Trials, ...], far: Trials, checks: str, witness: str, taken: str | None = None
) -> None:
    @claim(
        f"{name}:one-in-q",
        statement=f"{text} needs q_max >= 1/2 (s <= 2^(p+1) - 2), and not the q_max >= 1 that it assumes",
        place=place,
        checks=checks,
        parameters=P,
        bounded=False,
    )
    def judge(question: Question) -> Finding:
        return _judge(question, near, far, witness, taken)

    del judge


IDENTITY = (
    "needed in part. It fails at {first} and every larger s: for the identity Condition 1, N = S and S = Q_(p,s) hold, but |w|/s < 1/(2s) "
    "for every weight, so every network has one value at 0 and -1/s"
)
BUILT = "s <= {half}: other networks do it, whose second and third layers compare u(x) with u(v) by copies with weights up to q_max"
FAR = "beyond, for every weight and bias, that two inputs are not told apart"

_claim(
    "lemma-5",
    "Lemma 5",
    "Section 3.2.2, Lemma 5",
    (told_apart, indicators),
    two_values,
    f"up to there, that the first layer tells all inputs apart for every z of Condition 1, and the indicators built and run; {FAR}",
    f"{IDENTITY}, and no gamma 1_C with gamma = 1/s^2, C = {{{{0}}}} exists. For {BUILT}",
)
_claim(
    "theorem-6",
    "Theorem 6",
    "Section 3.2.3, Theorem 6",
    (told_apart, represented),
    two_values,
    f"up to there, that the first layer tells all inputs apart for every z of Condition 1, and three targets built and run; {FAR}",
    f"{IDENTITY}. For {BUILT}",
)
_claim(
    "corollary-9",
    "Corollary 9",
    "Section 3.2.4, Corollary 9",
    (told_apart,),
    two_values,
    f"if: as Theorem 6, with N = S where it fails; only if: Theorem 1, which does not assume it; {FAR}",
    f"{IDENTITY}: the right side holds and the left does not. For {BUILT}",
    "theorem-6:one-in-q",
)
_claim(
    "theorem-21",
    "the error bound of Theorem 21",
    "Section 4.3, Theorem 21 (Eq. 20; the number of parameters is not judged here)",
    (told_apart,),
    line_missed,
    f"up to there, networks of Theorem 6 for the rounded f*; beyond, f*(x) = x with epsilon = 1/(4s); {FAR}",
    f"{IDENTITY}; with f*(x) = x and epsilon = 1/(4s) no common value is within epsilon of both. For {BUILT}",
    "theorem-6:one-in-q",
)


@claim(
    "lemma-20:one-in-q",
    statement="Lemma 20 needs 1 in Q_(p,s): it counts the parameters of the network in the proof of Lemma 5, which has weights 1",
    place="Section 4.2, Lemma 20; proof in 5.15",
    checks="the proof's indicator for the identity at every s from 2^p on: not all weights are in Q_(p,s); and m_q = 2s + 1",
    parameters=P,
    bounded=False,
)
def lemma_20(question: Question) -> Finding:
    p = question["p"]
    within_limit(question, 32 ** (p + 1))
    return decide(
        f"every s from 2^p to {constant_from(p)} {at(question)}",
        (failure for grid in beyond(p, constant_from(p)) for failure in not_quantized(grid)),
        witness=f"needed, from p = {p}, s = {2**p} on (from s = {half(p) + 1} on no network is such an indicator: lemma-5:one-in-q). "
        "The number of copies m_q = 2s + 1 does not use it: q_max is on both sides of its inequality",
    )
