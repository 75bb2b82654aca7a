"""The fast evaluation of a trained network, its error bound and its count, against balls pair by pair."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from constructions.every_bit_counts.commands.every_pair_command import begun, document, taken
from constructions.every_bit_counts.experiments import every_pair
from constructions.every_bit_counts.experiments.choices import Network
from constructions.every_bit_counts.experiments.every_pair import Balls, Count, Fast, IntegerNetwork, bits, counted, distances
from tests.command_line import CommandLine
from verifier.running.errors import InputError

M = 3


def network(seed: int, size: int = 8) -> IntegerNetwork:
    """Random weights of so many bits; its answers are of both kinds."""
    draw = np.random.default_rng(seed)
    sizes = {"embedding": 1.0, "value": 1.0, "gain-1": 3.0, "shift-1": 0.0, "output-bias": 0.0, "shift-2": 0.0, "head-bias": 0.0}
    parameters = {name: draw.standard_normal(shape) * sizes.get(name, 0.4) for name, shape in Network(M).shapes().items()}
    return IntegerNetwork.rounded(parameters, size, M, 2)


EVERY = [(y, z) for y in range(1 << M) for z in range(1 << M)]


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_the_error_is_within_the_bound(kind: type) -> None:
    """Up to the last root, by which the fast value is multiplied, both are one function."""
    made = network(3)
    at, exact, finer = Fast(made, kind), Balls(made, 128), Fast(made, np.float64)
    for y in range(0, 1 << M, 3):
        value, error = at.compared(y, np.arange(1 << M))
        better, _ = finer.compared(y, np.arange(1 << M))
        assert (np.abs(value - better) <= error).all()
        assert (error < 0.1 * np.abs(better).max()).all()
        for z in range(1 << M):
            true = float(exact.speaks_for_equal(bits(y, M), bits(z, M)).mid())
            root = better[z] / true
            assert 0 < root < 100
            assert abs(value[z] - true * root) <= error[z] + 1e-9


def test_the_count_is_that_of_the_balls() -> None:
    made = network(3)
    found = {(y, z): made.says_equal(y, z) for y, z in EVERY}
    wrong = [pair for pair in EVERY if found[pair] != (pair[0] == pair[1])]
    count = counted(made, Count.begun(M), lambda _: None)
    assert count.smallest == wrong[0]
    assert count.wrong == [sum((y ^ z).bit_count() == k for y, z in wrong) for k in range(M + 1)]
    assert sum(count.decided.values()) == len(EVERY)
    assert {found[pair] for pair in EVERY} == {True, False}


def test_what_no_floating_type_decides_balls_do(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = counted(network(3), Count.begun(M), lambda _: None)
    monkeypatch.setattr(every_pair, "SAFETY", 1e18)
    without = counted(network(3), Count.begun(M), lambda _: None)
    assert without.decided == {"float32": 0, "float64": 0, "balls": len(EVERY)}
    assert (without.wrong, without.smallest) == (usual.wrong, usual.smallest)


def test_the_table_is_the_network_of_the_definition() -> None:
    """Token by token in float64, as Definition A.2 has it."""
    jax = pytest.importorskip("jax", reason="the extra 'experiments' is not installed")
    from tests.constructions.every_bit_counts.test_experiments import by_definition

    del jax
    made = network(2)
    parameters = {name: made.weights(name) for name in made.levels}
    exact = Balls(made, 128)
    for y, z in list(product(range(1 << M), repeat=2))[::27]:
        strings = bits(y, M), bits(z, M)
        unequal, equal = by_definition(parameters, [*strings[0], *strings[1]], Network(M))
        assert abs(float(exact.speaks_for_equal(*strings).mid()) - (equal - unequal)) < 1e-5


def test_it_goes_on_where_it_was_and_is_read_back(tmp_path: Path, verify: CommandLine) -> None:
    made, path = network(3), tmp_path / "pairs.json"
    half = counted(made, Count.begun(M), lambda _: None, until=5)
    path.write_text(json.dumps(document(made, {"seed": 1}, half)))
    assert begun(path, made, {"seed": 1}).rows == 5
    done = verify("tool every-pair", str(path), "--output", str(path))
    assert done.status == 1
    found = json.loads(path.read_text())
    assert found["wrong by distance"] == counted(made, Count.begun(M), lambda _: None).wrong
    assert found["pairs"] == len(EVERY) == sum(distances(M))
    again, _ = taken(path, 0, 8)
    assert again.document() == made.document()
    with pytest.raises(InputError, match="another network"):
        begun(path, network(2), {"seed": 1})
    (tmp_path / "none.json").write_text("[]")
    assert verify("tool every-pair", str(tmp_path / "none.json")).status == 2
