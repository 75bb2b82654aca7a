"""``verify tool represent`` from the command line: what it prints, writes, and refuses."""

import json
from pathlib import Path

import pytest

from constructions.fixed_point_networks.commands import represent_command
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


def test_the_printed_construction_differs_and_says_where(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["tool", "represent", "--activation", "relu", "--p", "2", "--s", "1", "--target", "random", "--edition", "printed"]
    assert run(words) == 1
    assert "differs from the target: f(-3) = 0" in capsys.readouterr().out


@pytest.mark.parametrize("extra", [["--binary"], ["--d", "2"]])
def test_variants(extra: list[str]) -> None:
    assert run(["tool", "represent", "--activation", "sigmoid", "--p", "2", "--s", "3", "--target", "random", "--seed", "4", *extra]) == 0


def test_any_table_is_an_activation(tmp_path: Path) -> None:
    table = tmp_path / "table.txt"
    table.write_text("0, 1, 2, 1, 3, 3, 3")
    assert run(["tool", "represent", "--activation", str(table), "--p", "2", "--s", "1", "--target", "random"]) == 0


@pytest.mark.parametrize("extra", [[], ["--binary"], ["--d", "2"]])
def test_a_scaling_factor_with_which_1_is_no_value(extra: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tool", "represent", "--activation", "relu", "--p", "2", "--s", "5", "--target", "random", *extra]) == 0
    assert ("ours, for a scaling factor" in capsys.readouterr().out) == ("--binary" not in extra)


def test_a_network_for_a_large_scaling_factor_is_written_and_read_back(tmp_path: Path) -> None:
    written = tmp_path / "network.json"
    words = ["--activation", "relu", "--p", "1", "--s", "2", "--target", "random", "--network", str(written)]
    assert run(["tool", "represent", *words]) == 0
    assert read(written.read_text()).grid == FixedPoint(1, 2)


def test_without_condition_1_a_network_of_ours_is_built(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "table.txt"
    table.write_text("0, 1, 0, 1, 0, 1, 0")
    words = ["tool", "represent", "--activation", str(table), "--p", "2", "--s", "1", "--target", "random"]
    assert run(words) == 0
    assert "which needs no Condition 1" in capsys.readouterr().out


def test_a_target_needs_the_values_that_it_takes_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Gaps of 3 reach every third level from one bias."""
    table, target = tmp_path / "table.txt", tmp_path / "target.txt"
    table.write_text("0, 0, 0, 0, 0, 3, 3")
    words = ["tool", "represent", "--activation", str(table), "--p", "2", "--s", "1", "--target", str(target)]
    target.write_text("-2 1 1 1 -2 -2 1")
    assert run(words) == 0
    assert "b = 1" in capsys.readouterr().out
    target.write_text("-2 1 1 0 -2 -2 1")
    assert run(words) == 2
    assert "no bias reaches every value" in capsys.readouterr().err


@pytest.mark.parametrize("extra", [[], ["--binary"]])
@pytest.mark.parametrize(("s", "activation"), [("1", "0 0 0 0 0 0 0"), ("5", "0 0 0 0 0 0 0"), ("5", "0 0 0 1/5 0 0 0")])
def test_a_constant_target_needs_nothing_of_the_activation(
    s: str, activation: str, extra: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, target = tmp_path / "table.txt", tmp_path / "target.txt"
    table.write_text(activation)
    for level, dimension in ((2, 1), (0, 2), (-3, 1)):
        target.write_text(f"{level}/{s} " * 7**dimension)
        words = [
            "tool",
            "represent",
            "--activation",
            str(table),
            "--p",
            "2",
            "--s",
            s,
            "--d",
            str(dimension),
            "--target",
            str(target),
            *extra,
        ]
        assert run(words) == 0
        assert f"equal to the target on all {7**dimension} inputs" in capsys.readouterr().out
    target.write_text(f"{level}/{s} " * 6 + f"1/{s}")
    assert (run(words) == 0) == ("1/5" in activation)


def test_a_network_that_is_too_large_is_declined_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def looked_for(table: object) -> int:
        raise AssertionError("the neurons of the first layer were looked for")

    monkeypatch.setattr(represent_command, "tellers", looked_for)
    assert run(["tool", "represent", "--activation", "relu", "--p", "6", "--s", "70", "--target", "random"]) == 3


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--activation", "relux", "--p", "2", "--s", "1", "--target", "random"], "neither a file nor one of relu"),
        (["--activation", "identity", "--p", "1", "--s", "3", "--target", "random"], "no weight and bias of the first layer"),
        (["--activation", "relu", "--p", "7", "--s", "255", "--target", "random"], "--limit lifts the limit"),
        (["--activation", "relu", "--p", "2", "--s", "5", "--target", "random", "--edition", "printed"], "1 is not in Q_(p,s)"),
        (["--activation", "relu", "--p", "2", "--s", "1", "--target", "none.txt"], "none.txt"),
        (["--activation", "relu", "--p", "9", "--s", "1", "--d", "3", "--target", "random"], "--limit lifts the limit"),
    ],
    ids=lambda v: v if isinstance(v, str) else "",
)
def test_what_cannot_be_used_is_one_line(words: list[str], expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tool", "represent", *words]) == (3 if "limit" in expected else 2)
    message = capsys.readouterr().err
    assert expected in message
    assert message.startswith("verify: ")
    assert len(message.strip().splitlines()) == 1
