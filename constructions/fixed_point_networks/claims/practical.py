"""Practical activations in passing: where N = S, where Condition 1 holds, and copies instead of a weight 1 (Section 3)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from verifier.claims.chapter import Chapter
from verifier.claims.model import Parameter, Question

from constructions.fixed_point_networks.claims.beyond import furthest
from constructions.fixed_point_networks.claims.equality import gaps
from constructions.fixed_point_networks.claims.remark import PRACTICAL
from constructions.fixed_point_networks.mathematics.activations import NAMED
from constructions.fixed_point_networks.mathematics.condition_1 import normal_form
from constructions.fixed_point_networks.mathematics.grid import FixedPoint, beyond, fixed_points
from constructions.fixed_point_networks.mathematics.networks.batch import run_all
from constructions.fixed_point_networks.mathematics.networks.network import Network, Neuron, all_inputs
from constructions.fixed_point_networks.mathematics.rounded_activations import rounded
from constructions.fixed_point_networks.mathematics.sets import reach
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, within_limit
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim

P = (Parameter("p", "magnitude bits", "p >= 1", "1..5"),)
ZERO_AT_ZERO = ("relu", "leaky-relu", "elu", "silu", "mish", "gelu", "hardtanh", "identity")
MONOTONE = ("relu", "leaky-relu", "softplus", "sigmoid")
PAIRS = {"N": "S", "BN": "BS"}


def first_beyond(p: int, names: tuple[str, ...], fails: str) -> str:
    """For each activation the least s from 2^p to 2^(p+2) at which its rounding is constant, or N is not S (``fails``)."""
    found = {}
    for grid in beyond(p, 2 ** (p + 2)):
        for name in names:
            table = rounded(NAMED[name], grid)
            constant = len(table.image) == 1
            differ = fails == "equal" and reach("N", table).same_for_every_bias(reach("S", table)) is not None
            if name not in found and (differ if fails == "equal" else constant):
                found[name] = grid.s
    return ", ".join(f"{name} from s = {s}" for name, s in found.items()) or "none up to s = 2^(p+2)"


@claim(
    "section-3:coincides",
    statement="for Sigmoid, ReLU, ELU, SoftPlus, SiLU, Mish and GELU the necessary and the sufficient condition coincide: N = S, and "
    "BN = BS, for every bias",
    place="Section 3, introduction; Section 3.2.4 (read for every Q_(p,s), p < 3 too)",
    checks="the gcd of the outputs and of the gaps of each at every s, and the sets at every class of biases",
    parameters=P,
    bounded=False,
)
def coincides(question: Question) -> Finding:
    p = question["p"]
    within_limit(question, 8 * 4**p)

    def trials() -> Iterator[Failure]:
        for grid in fixed_points(p):
            for name in PRACTICAL:
                table = rounded(NAMED[name], grid)
                for n, s in PAIRS.items():
                    bias = reach(n, table).same_for_every_bias(reach(s, table))
                    yield None if bias is None else {"activation": name, "s": grid.s, "sets": f"{n}, {s}", "b": grid.show(bias)}

    return decide(
        f"seven activations at every s <= 2^p - 1, and every bias, {at(question)}",
        trials(),
        "gcd of the outputs and of the gaps",
        f"for s >= 2^p it fails first for {first_beyond(p, PRACTICAL, 'equal')}",
    )


def _practical(name: str, n: str) -> None:
    s, text = PAIRS[n], name.replace("-", " ").capitalize()

    @claim(
        f"{name}:practical",
        statement=f"activations that are 0 at 0 satisfy the assumption of {text}, and so {n} = {s} for every bias",
        place="Section 3.2.4, after Lemma 10" if n == "N" else "Section 3.3, as after Lemma 10",
        checks="the eight named activations that are 0 at 0: the value, 0 as an output and as a gap, and the sets, at every s",
        parameters=P,
        bounded=False,
    )
    def judge(question: Question) -> Finding:
        p = question["p"]
        within_limit(question, 8 * 4**p)
        others = [a for a in PRACTICAL if a not in ZERO_AT_ZERO]
        without = [f"{a} at s = {g.s}" for g in fixed_points(p) for a in others if not _assumption(a, g)]
        return decide(
            f"eight activations at every s <= 2^p - 1, and every bias, {at(question)}",
            _zero_at_zero(p, n, s),
            "gcd of the outputs and of the gaps",
            f"{' and '.join(others)}, not 0 at 0, lack the assumption {'at: ' + ', '.join(without) if without else 'nowhere'}",
        )

    del judge


def _assumption(name: str, grid: FixedPoint) -> bool:
    image = rounded(NAMED[name], grid).image
    return bool(image & gaps(image))


def _zero_at_zero(p: int, n: str, s: str) -> Iterator[Failure]:
    for grid in fixed_points(p):
        for name in ZERO_AT_ZERO:
            table, value = rounded(NAMED[name], grid), NAMED[name].exact(Fraction(0))
            failure = {"activation": name, "s": grid.s, "at 0": value}
            yield None if value == 0 and table(0) == 0 and _assumption(name, grid) else failure
            yield None if reach(n, table).same_for_every_bias(reach(s, table)) is None else failure


_practical("lemma-10", "N")
_practical("lemma-18", "BN")


@claim(
    "lemma-4:practical",
    statement="ReLU, leaky ReLU, SoftPlus and Sigmoid satisfy Condition 1 on every Q_(p,s): they are monotone, and no rounding is constant",
    place="Section 3.2.1, before Lemma 4",
    checks="each at every s: the rounded activation rises, is not constant, and has Condition 1's form",
    parameters=P,
    bounded=False,
)
def monotone(question: Question) -> Finding:
    p = question["p"]
    within_limit(question, 8 * 4**p)

    def trials() -> Iterator[Failure]:
        for grid in fixed_points(p):
            for name in MONOTONE:
                table = rounded(NAMED[name], grid)
                ok = list(table.levels) == sorted(table.levels) and len(table.image) > 1 and normal_form(table) is not None
                yield None if ok else {"activation": name, "s": grid.s, "levels": list(table.levels)}

    return decide(
        f"four activations at every s <= 2^p - 1 {at(question)}",
        trials(),
        witness=f"for s >= 2^p the rounding is constant first for {first_beyond(p, MONOTONE, 'constant')}",
    )


@claim(
    "lemma-8:copies",
    statement="from the second layer on, s copies of a neuron with weight 1/s each have the effect of a weight 1, exactly, and k*s copies "
    "that of k, where 1 is not in Q_(p,s)",
    place="Section 3.2.3, after Lemma 8",
    checks="GELU networks of one input with a weight k, and with copies, all weights in Q_(p,s): unrounded values on every input",
    parameters=(Parameter("p", "magnitude bits", "p >= 1", "1..2"),),
    bounded=False,
)
def copies(question: Question) -> Finding:
    p = question["p"]
    within_limit(question, 64**p)

    def trials() -> Iterator[Failure]:
        for grid in beyond(p, furthest(p)):
            for w in grid.levels():
                for b in grid.levels():
                    for k in (1, 2):
                        yield _copied(grid, Neuron((0,), (w,), b), k)

    return decide(
        f"all first-layer weights and biases in Q_(p,s), k = 1, 2, at every s from 2^p to 2^(p+1) + 1, {at(question)}",
        trials(),
        witness="in the first layer there is nothing to copy, and a weight 1 is needed as far as theorem-6:one-in-q says",
    )


def _copied(grid: FixedPoint, hidden: Neuron, k: int) -> Failure:
    """k times the hidden value in units of 1/s, by a network with copies."""
    table, unit = rounded(NAMED["gelu"], grid), 1
    last = Neuron(tuple(range(k * grid.s)), (unit,) * (k * grid.s), 0)
    network = Network(table, 1, ((hidden,) * (k * grid.s), (last,)))
    for x, value in zip(grid.levels(), run_all(network, all_inputs(grid, 1), rounded=False)[:, 0].tolist(), strict=True):
        wanted = k * table(grid.nearest(grid.s * hidden.bias + hidden.weights[0] * x)) * grid.s
        if value != wanted or not network.quantized:
            return {"s": grid.s, "k": k, "x": grid.show(x), "value in 1/s^2": value, "wanted": wanted}
    return None
