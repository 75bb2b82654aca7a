"""The solver's arithmetic on constants, as the solver evaluates it, against the machine's."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from tests.verifier.engines.test_fixed_point_arrays import CONSTANTS, RULES, specials
from verifier.arithmetic.formats import FreePoint, Grid
from verifier.arithmetic.machine import Machine, RoundingRule
from verifier.arithmetic.numbers import INF, NAN, NEG_INF, Number, Special
from verifier.arithmetic.rationals import Fraction
from verifier.engines.bitvectors import Circuit, Symbol

bitwuzla = pytest.importorskip("bitwuzla")
FLAGS: dict[Special, str] = {NAN: "nan", INF: "above", NEG_INF: "below"}
WEIGHTS = [w for w in CONSTANTS if isinstance(w, Special) or w.denominator < 10] + [Fraction(-5, 8), Fraction(3, 2)]
FORMS = [FreePoint(4), FreePoint(1), Grid(4, Fraction(2, 3))]


def evaluated(circuit: Circuit, symbols: list[Symbol]) -> list[Number]:
    """What symbols without variables stand for."""
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.PRODUCE_MODELS, True)
    solver = bitwuzla.Bitwuzla(circuit.terms.manager, options)
    assert solver.check_sat() == bitwuzla.Result.SAT
    found: list[Number] = []
    for symbol in symbols:
        flags = [special for special, name in FLAGS.items() if solver.get_value(getattr(symbol, name)).value()]
        assert len(flags) <= 1
        assert symbol.whole.sort().bv_size() == circuit.width
        whole = int(solver.get_value(symbol.whole).value(10))
        found.append(flags[0] if flags else (whole - (whole >> circuit.width - 1 << circuit.width)) * circuit.unit)
    return found


@pytest.mark.parametrize("rule", RULES, ids=str)
@pytest.mark.parametrize("form", FORMS, ids=str)
def test_its_operations_are_the_machines(form: FreePoint | Grid, rule: RoundingRule) -> None:
    rng, machine = Random(f"{form} {rule}"), Machine(form, rule)
    circuit, values = Circuit(machine), [*form.values(), *specials(rule)]
    sums = [(rng.choice(values), rng.choice(values)) for _ in range(30)]
    products = [(rng.choice(values), w) for w in WEIGHTS for _ in range(3)]
    found = evaluated(circuit, [circuit.add(circuit.constant(x), circuit.constant(y)) for x, y in sums])
    assert found == [machine.add(x, y) for x, y in sums]
    found = evaluated(circuit, [circuit.scale(circuit.constant(x), w) for x, w in products])
    assert found == [machine.multiply(x, w) for x, w in products]


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_an_infinity_times_every_value(form: FreePoint | Grid) -> None:
    """The least values are infinities, and 0 is none."""
    machine = Machine(form)
    circuit, pairs = Circuit(machine), [*product([*form.values(), INF, NEG_INF, NAN], [INF, NEG_INF])]
    assert evaluated(circuit, [circuit.scale(circuit.constant(x), w) for x, w in pairs]) == [machine.multiply(x, w) for x, w in pairs]


def test_a_table_is_looked_up_bit_by_bit() -> None:
    circuit = Circuit(Machine(FreePoint(4)))
    values, bits = [Fraction(k, 2) for k in range(8)], [circuit.terms.false, circuit.terms.true]
    chosen = [circuit.lookup([bits[a], bits[b], bits[c]], values) for a, b, c in product((0, 1), repeat=3)]
    assert evaluated(circuit, chosen) == values
