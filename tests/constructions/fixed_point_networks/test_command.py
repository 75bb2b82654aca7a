"""``verify tool represent``: the network that is written computes the target."""

import json
from pathlib import Path

import pytest

from constructions.fixed_point_networks.mathematics.activations import Table
from constructions.fixed_point_networks.mathematics.grid import FixedPoint
from constructions.fixed_point_networks.mathematics.networks.network import Network, Neuron, run_rounded
from verifier.arithmetic.rationals import rational
from verifier.commands.main import run


def read(text: str) -> Network:
    """The network that a file holds, every number a string."""
    data = json.loads(text)
    assert data["format"] == "bitreferee-fixed-point-network-1"
    grid = FixedPoint(data["p"], data["s"])

    def levels(values: list[str]) -> tuple[int, ...]:
        return tuple(int(rational(v) * grid.s) for v in values)

    layers = (tuple(Neuron(tuple(n["inputs"]), levels(n["weights"]), *levels([n["bias"]])) for n in layer) for layer in data["layers"])
    return Network(Table(grid, levels(data["activation"])), data["dimension"], tuple(layers))


def test_a_network_is_built_run_written_and_read_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target, written = tmp_path / "target.txt", tmp_path / "network.json"
    target.write_text("-3/2 -1 0 1/2 1 3/2 0")
    words = ["tool", "represent", "--activation", "gelu", "--p", "2", "--s", "2", "--target", str(target), "--network", str(written)]
    assert run(words) == 0
    assert "equal to the target on all 7 inputs" in capsys.readouterr().out
    network = read(written.read_text())
    assert [run_rounded(network, (k,))[0] for k in range(-3, 4)] == [-3, -2, 0, 1, 2, 3, 0]
