"""Between the numbered statements: practical activations, Eqs. (8), (10), (21), (31), and bounds on values."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Parameter, Question

from constructions.fixed_point_networks.mathematics.activations import NAMED
from constructions.fixed_point_networks.mathematics.condition_1 import normal_form
from constructions.fixed_point_networks.mathematics.enclosures import at_point, four_digits
from constructions.fixed_point_networks.mathematics.grid import FixedPoint, fixed_points
from constructions.fixed_point_networks.mathematics.networks.batch import run_all
from constructions.fixed_point_networks.mathematics.networks.network import Network, Neuron, all_inputs
from constructions.fixed_point_networks.mathematics.rounded_activations import has_unit_gap, rounded
from constructions.fixed_point_networks.mathematics.sets import Reach, reach
from constructions.fixed_point_networks.trials import PAPER_ID, Failure, at, decide, grid_of, p_and_s, printed, within_limit
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim

PRACTICAL = ("sigmoid", "relu", "elu", "softplus", "silu", "mish", "gelu")
FROM_3 = (Parameter("p", "magnitude bits", "p >= 3", "3..5"),)


def _practical(question: Question, kind: str) -> Iterator[Failure]:
    for grid in fixed_points(question["p"]):
        for name in PRACTICAL:
            failure = {"activation": name, "s": grid.s}
            yield None if normal_form(rounded(NAMED[name], grid)) is not None else failure
            gap = has_unit_gap(NAMED[name], grid) is not None
            sets = Reach(grid, grid.s if kind == "BS" else 1) if gap else reach(kind, rounded(NAMED[name], grid))
            yield None if sets.full_for_every_bias() is None else failure


@claim(
    "section-3:practical",
    statement="Sigmoid, ReLU, ELU, SoftPlus, SiLU, Mish and GELU satisfy the sufficient condition for every Q_(p,s) with p >= 3",
    place="Section 3, introduction (wider than Lemma 8, which bounds s for SoftPlus at p = 3)",
    checks="Condition 1 and S for each of the seven at every s",
    parameters=FROM_3,
    bounded=False,
)
def practical(question: Question) -> Finding:
    within_limit(question, 8 * 4 ** question["p"])
    return decide(f"seven activations at every s <= 2^p - 1, and every bias, {at(question)}", _practical(question, "S"), "gcd of the gaps")


@claim(
    "section-3.3:practical",
    statement="the same seven satisfy the sufficient condition for weights +-1",
    place="Section 1 and Section 3.3, after Lemma 16",
    checks="Condition 1 and BS for each of the seven at every s",
    parameters=FROM_3,
    bounded=False,
)
def practical_binary(question: Question) -> Finding:
    within_limit(question, 8 * 4 ** question["p"])
    return decide(f"seven activations at every s <= 2^p - 1, and every bias, {at(question)}", _practical(question, "BS"), "gcd of the gaps")


@claim(
    "equation-8",
    statement="m copies of the last hidden neurons, all added, give m times the network, at the same depth",
    place="Section 2.3, Eq. (8)",
    checks="small networks g of every listed first layer and their m-fold copies, unrounded, on every input; as printed, with the last map "
    "in words: the sum of the m copies' outputs, without the weights of rho_2",
    parameters=p_and_s("1..2", "1..3"),
    errata=(
        Erratum(
            printed="rho'_2 performs the summation of the m concatenated inputs",
            repaired="rho'_2 performs the summation of rho_2 of the m concatenated inputs",
            why="a sum of the copies alone is m times rho_1's outputs, added; Eq. (8) itself is right",
        ),
    ),
    bounded=False,
)
def copies(question: Question) -> Finding:
    grid = grid_of(question)
    table = rounded(NAMED["gelu"], grid)
    inputs = all_inputs(grid, 1)

    def trials() -> Iterator[Failure]:
        for w, b, m in product(grid.levels(), grid.levels(), (1, 2, 3)):
            hidden, single = (Neuron((0,), (w,), b), Neuron((0,), (-w,), 1)), Neuron((0, 1), (grid.top, -1), 0)
            one = Network(table, 1, (hidden, (single,)))
            weights = (grid.s,) * 2 if printed(question) else single.weights
            many = Network(table, 1, (hidden * m, (Neuron(tuple(range(2 * m)), weights * m, 0),)))
            same = (m * run_all(one, inputs, rounded=False) == run_all(many, inputs, rounded=False)).all() and one.depth == many.depth
            yield None if same else {"w": grid.show(w), "b": grid.show(b), "m": m}

    return decide(f"all first-layer weights and biases in Q_(p,s), m = 1, 2, 3, GELU, {at(question)}", trials())


@claim(
    "equation-10",
    statement="the outputs of a network of more than one layer lie in N for the bias of its last layer",
    place="Section 3.1, Eqs. (9)-(10)",
    checks="two-layer networks of every named activation, two last weights and bias in Q_(p,s), on every input",
    parameters=p_and_s("1..2", "1..3"),
    bounded=False,
)
def outputs_in_n(question: Question) -> Finding:
    grid = grid_of(question)
    inputs = all_inputs(grid, 1)

    def trials() -> Iterator[Failure]:
        for name, activation in NAMED.items():
            table = rounded(activation, grid)
            sets = reach("N", table)
            for w, v, beta in product((grid.top, -1), grid.levels(), grid.levels()):
                layers = ((Neuron((0,), (grid.s,), 0), Neuron((0,), (-1,), 1)), (Neuron((0, 1), (w, v), beta),))
                outputs = set(run_all(Network(table, 1, layers), inputs)[:, 0].tolist())
                yield None if outputs <= sets.reached(beta) else {"activation": name, "b": grid.show(beta)}

    return decide(f"the ten named activations and the networks listed {at(question)}", trials())


@claim(
    "equation-21",
    statement="for r <= 2^p - 1, the levels of Q_(p,s) leave every remainder modulo r; and s*r in Q_(p,s) gives r <= 2^p - 1",
    place="Section 5.2, first lines and Eq. (21)",
    checks="every r",
    parameters=p_and_s("1..6", "1..3"),
    bounded=False,
)
def remainders(question: Question) -> Finding:
    grid = grid_of(question)
    trials = (
        None if {q % r for q in grid.levels()} == set(range(r)) and (grid.s**2 * r > grid.top or r <= grid.top) else {"r": r}
        for r in range(1, grid.top + 1)
    )
    return decide(f"all r <= 2^p - 1 {at(question)}", trials)


@claim(
    "equation-31",
    statement="if b' is in [-q_max, q_max] and a sum plus b' rounds to neither end, the sum is at most 2 q_max in magnitude",
    place="Section 5.14, Eq. (31) and the line before it",
    checks="every bias of Q_(p,s) and every multiple of 1/s^2 that rounds to neither end",
    parameters=p_and_s(),
    bounded=False,
)
def inner_sums(question: Question) -> Finding:
    grid = grid_of(question)

    def trials() -> Iterator[Failure]:
        for beta in grid.levels():
            for t in range(-2 * grid.size * grid.s, 2 * grid.size * grid.s + 1):
                if abs(grid.nearest(t)) != grid.top:
                    total = t - grid.s * beta
                    ok = abs(total) <= 2 * grid.top * grid.s and abs(2 * t) < (2 * grid.top - 1) * grid.s
                    yield None if ok else {"b'": grid.show(beta), "sum": Fraction(total, grid.s**2)}

    return decide(f"all biases in Q_(p,s) and all such sums {at(question)}", trials())


BOUNDS = {
    "lemma-8:value-a4": (("silu", "mish", "gelu"), 2, "s >= 3 and s <= 2**p - 1", "3..4", "2/s"),
    "lemma-8:value-a5": (("sigmoid",), 3, "s >= 3 and s <= 2**p - 1", "3..4", "3/s"),
    "lemma-8:value-a7": (("softplus",), 3, "s >= 1 and s <= 2**p - 1 and (p >= 4 or s <= 5)", "1..5", "3/s"),
}
"""The chains σ(c/s) ≤ σ(0) + c/s ≤ (2^p − 1)/s of Section 5.7: activations, c, domain of s."""


def _value_bound(name: str, activations: tuple[str, ...], c: int, where: str, typical: str, text: str) -> None:
    @claim(
        name,
        statement=f"sigma({text}) <= sigma(0) + {text} <= (2^p - 1)/s for {', '.join(activations)}",
        place="Section 5.7, proof of Lemma 8",
        checks="the chain, with values enclosed; the enclosures decide both inequalities",
        parameters=(Parameter("p", "magnitude bits", "p >= 3", "3"), Parameter("s", "scaling factor", where, typical)),
        bounded=False,
    )
    def judge(question: Question) -> Finding:
        return decide(f"the chain {at(question)}", _chain(grid_of(question), activations, c), "ball arithmetic")

    del judge


def _chain(grid: FixedPoint, activations: tuple[str, ...], c: int) -> Iterator[Failure]:
    step = Fraction(c, grid.s)
    for name in activations:
        low, high = at_point(NAMED[name], 0, Fraction(0))
        value = at_point(NAMED[name], 0, step)
        ok = value[1] <= low + step and high + step <= grid.largest
        yield None if ok else {"activation": name, "sigma(0)": four_digits(low, high), "bound": grid.largest}


for _name, _what in BOUNDS.items():
    _value_bound(_name, *_what)
