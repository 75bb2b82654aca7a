"""What the counts are counted on: change the sums, the networks or the rounding, and the verdicts move."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from constructions.fixed_point_networks.judges import networks, sums
from constructions.fixed_point_networks.mathematics import formulas
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks import network
from constructions.fixed_point_networks.mathematics.networks.network import (
    Network,
    copies,
    cube_layer,
    f_network,
    held,
    indicator_network,
)
from constructions.fixed_point_networks.mathematics.sets import Reach
from constructions.fixed_point_networks.mathematics.weighted_sums import combination
from tests.outcomes import outcome
from verifier.claims.verdicts import Edition, Verdict

judged = partial(outcome, "fixed-point-networks", edition=Edition.REPAIRED)


def larger_network(normal: Any, cube: Any, terms: Any) -> Network:
    """The indicator with a neuron more for each level that the cube spans."""
    built = indicator_network(normal, cube, terms)
    more = (held(0),) * sum(high - low for low, high in cube)
    return Network(built.table, built.dimension, ((*built.layers[0], *more), *built.layers[1:]))


def enormous_network(normal: Any, cube: Any, terms: Any) -> Network:
    """The indicator with a first layer larger than Lemma 20's bound at p = 3, s = d = 1."""
    built = indicator_network(normal, cube, terms)
    return replace(built, layers=(built.layers[0] + (held(0),) * (1760 * 4**3), *built.layers[1:]))


P2, P3 = {"p": 2, "s": 1}, {"p": 3, "s": 1}
D1 = {**P2, "d": 1}
CHANGED: list[tuple[str, dict[str, int], object, str, Callable[..., object]]] = [
    ("lemma-19", P3, Reach, "missing_within", lambda self, beta, furthest: 0),
    ("lemma-19:shift", P3, Reach, "reached", lambda self, beta: frozenset({beta})),
    ("lemma-20", {**P3, "d": 1}, networks, "indicator_network", enormous_network),
    ("lemma-20:phi", {**P3, "d": 1}, formulas, "phi_network", lambda normal, cube, signs: f_network(normal, cube, signs)),
    ("lemma-20:f-count", D1, network, "cube_layer", lambda normal, cube: cube_layer(normal, cube) * 6),
    ("lemma-20:f-bound", D1, formulas, "copies", lambda normal, binary: copies(normal, binary) + 2 * normal.rho.grid.s),
    ("lemma-25", P2, sums, "combination", lambda table, t, binary: combination(table, 2 * t, binary)),
    ("lemma-25:halves", P2, formulas, "FixedPoint", lambda p, s: FixedPoint(p - 1, s)),
    ("lemma-26", {"n": 3, "x": 6}, sums, "gcd", lambda *xs: min(xs) + 1),
    ("theorem-21:codomain", P2, Reach, "missing_within", lambda self, beta, furthest: 0),
    ("theorem-21:from-lemma-20", D1, networks, "indicator_network", larger_network),
    ("theorem-21:point-values", P2, FixedPoint, "nearest", lambda self, t: 0),
]


@pytest.mark.parametrize("row", CHANGED, ids=lambda row: row[0])
def test_a_changed_subject_is_refused(row: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    name, parameters, place, attribute, changed = row
    assert judged(name, **parameters).verdict is not Verdict.REFUTED
    monkeypatch.setattr(place, attribute, changed)
    assert judged(name, **parameters).verdict is Verdict.REFUTED
