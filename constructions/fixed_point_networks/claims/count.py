"""Lemma 20 and Section 4.2: how large networks become (Sections 4.2, 5.15)."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.claims.chapter import Chapter
from verifier.claims.model import Erratum, Question

from constructions.fixed_point_networks.mathematics.networks.cube_indicator import REPAIRED as SIGNS
from constructions.fixed_point_networks.mathematics.networks.cube_indicator import cube_layer, gate_layer, indicator
from constructions.fixed_point_networks.mathematics.networks.network import Layer
from constructions.fixed_point_networks.mathematics.networks.representator import plan
from constructions.fixed_point_networks.mathematics.networks.sub_networks import parameters_of, sub_network
from constructions.fixed_point_networks.mathematics.rounded_activations import Table
from constructions.fixed_point_networks.mathematics.samples import tables, usable
from constructions.fixed_point_networks.mathematics.sets import reach
from constructions.fixed_point_networks.mathematics.weighted_sums import combination
from constructions.fixed_point_networks.trials import (
    PAPER_ID,
    Failure,
    activation_parameter,
    at,
    chosen,
    decide,
    dimension,
    grid_of,
    p_and_s,
    uses_errata,
)
from verifier.verdicts import Finding

chapter = Chapter(PAPER_ID)
claim = chapter.claim


def count(*layers: Layer) -> int:
    """Parameters by the definition of Section 2.3: a bias and the weights of each neuron."""
    return sum(1 + len(n.inputs) for layer in layers for n in layer)


@claim(
    "lemma-20:phi",
    statement="at most 12d parameters construct phi, and at most 12d + 5 construct g",
    place="Section 5.15",
    checks="the neurons of Eqs. (23)-(25) counted by the definition in Section 2.3 (the last, unrounded map "
    "counts its weights; read as upper bounds)",
    parameters=(*p_and_s("3", "1"), dimension("1..4")),
    bounded=False,
)
def phi_count(question: Question) -> Finding:
    d = question["d"]
    _, _, normal = next(tables(grid_of(question)))
    first = count(cube_layer(normal, ((0, 0),) * d))
    phi, g = first + 4 * d, first + count(gate_layer(normal, d, SIGNS, 0, 1)) + 2
    return decide(
        f"phi and g {at(question)}",
        [None if phi <= 12 * d else {"phi": phi, "bound": 12 * d}, None if g <= 12 * d + 5 else {"g": g, "bound": 12 * d + 5}],
        witness=f"phi has {phi} = 10d, g has {g} = 10d + 4: a constant neuron has a bias and no weight, where the paper seems to count two",
    )


@claim(
    "lemma-20:copies",
    statement="m_q = 2s + 1 gives m_q q_max ([sigma](q_max) - [sigma](z - 1/s)) > 2 q_max",
    place="Section 5.15",
    checks="the least drop, 1/s, and every larger one",
    parameters=p_and_s(),
    bounded=False,
)
def copies_suffice(question: Question) -> Finding:
    grid = grid_of(question)
    drops = range(1, 2 * grid.top + 1)
    m = 2 * grid.s + 1
    return decide(
        f"every drop {at(question)}",
        (None if m * grid.largest * grid.value(drop) > 2 * grid.largest else {"drop": grid.show(drop)} for drop in drops),
    )


@claim(
    "lemma-20:levels",
    statement="s times the rounded activation lies in the range of integers stated",
    place="Section 5.15",
    checks="the identity on every input",
    parameters=p_and_s("1..2", "1"),
    errata=(
        Erratum(
            printed="{-2^(p-1) + 1, ..., 2^(p-1) - 1}",
            repaired="{-2^p + 1, ..., 2^p - 1}",
            why="Q_(p,s) has levels up to 2^p - 1 (Eq. 4), and the identity takes them all",
        ),
    ),
    bounded=False,
)
def level_range(question: Question) -> Finding:
    grid = grid_of(question)
    bound = 2**grid.p - 1 if uses_errata(question) else 2 ** (grid.p - 1) - 1
    trials = (
        None if abs(k) <= bound else {"activation": "identity", "x": grid.show(k), "s*x": k, "bound": bound}
        for k in sorted(grid.levels(), key=abs)
    )
    return decide(f"every value of Q_(p,s) {at(question)}", trials)


@claim(
    "lemma-20:gaps",
    statement="there are fewer than 2^(p+2) gaps, and so s(2^(p+2) - 1) times their number is at most s 2^(2p+4)",
    place="Section 5.15",
    checks="the largest set of gaps, that of the identity",
    parameters=p_and_s(),
    bounded=False,
)
def gap_count(question: Question) -> Finding:
    grid = grid_of(question)
    gaps = len(Table(grid, tuple(grid.levels())).gaps)
    ok = gaps < 2 ** (grid.p + 2) and grid.s * (2 ** (grid.p + 2) - 1) * gaps <= grid.s * 2 ** (2 * grid.p + 4)
    return decide(f"the largest set of gaps {at(question)}", [None if ok else {"gaps": gaps}], witness=f"{gaps} gaps")


CONSTANT = 1760
"""2nδ with n ≤ 16·2^(2p)·s terms and δ = (2s+1)(12d+5) + 4 ≤ 55sd parameters for each of a term's two F_q."""


@claim(
    "lemma-20",
    statement="the indicator of a point takes O(2^(2p) s^2 d) parameters; read with the constant that the proof gives, 1760",
    place="Section 4.2, Lemma 20; proof in 5.15",
    checks="the proof's product of its bounds, and the networks built for every value of every activation tried",
    parameters=(*p_and_s("3", "1..3"), dimension()),
    bounded=False,
)
def lemma_20(question: Question) -> Finding:
    grid, d = grid_of(question), question["d"]
    bound = CONSTANT * 4**grid.p * grid.s**2 * d
    delta = (2 * grid.s + 1) * (12 * d + 5) + 4

    def trials() -> Iterator[Failure]:
        product = 2 * grid.s * 2 ** (2 * grid.p + 4) * delta
        yield None if product <= bound else {"2 n delta": product, "bound": bound}
        for name, _, normal in tables(grid):
            bias = reach("S", normal.rho).full_bias()
            if bias is None:
                continue
            for level in grid.levels():
                t = reach("S", normal.rho).sum_for(bias, level)
                terms = combination(normal.rho, t or 0, False)
                size = indicator(normal, ((0, 0),) * d, terms).parameters
                yield None if size <= bound else {"activation": name, "value": grid.show(level), "parameters": size}

    return decide(f"the proof's bound, and every value of the activations tried, {at(question)}", trials())


@claim(
    "section-4.2",
    statement="the universal representator has four layers and O(2^(2p + (p+1)d) s^2 d) parameters; read with the constant of Lemma 20",
    place="Section 4.2",
    checks="every f* and every activation tried: the layers, and a point's greatest number of parameters over all values, for each point",
    parameters=(*p_and_s("1..2", "1..3"), dimension("1..2"), activation_parameter()),
    bounded=False,
)
def section_4_2(question: Question) -> Finding:
    grid, d = grid_of(question), question["d"]
    points = grid.size**d
    bound = CONSTANT * 2 ** (2 * grid.p + (grid.p + 1) * d) * grid.s**2 * d
    largest = 0

    def trials() -> Iterator[Failure]:
        nonlocal largest
        for name, table in usable(grid, False, chosen(question, "sigma")):
            made = plan(table)
            network, most = sub_network(made, table, ((0, 0),) * d), points * max(parameters_of(made, d)) + 1
            largest = max(largest, most)
            ok = network.depth == 4 and most <= bound
            yield None if ok else {"activation": name, "layers": network.depth, "parameters": most}

    found = list(trials())
    return decide(
        f"every f* ({grid.size}^{points} functions) and the activations tried {at(question)}",
        found,
        witness=f"at most {largest:,} parameters, where every value is the costliest; the bound is {bound:,}",
    )
