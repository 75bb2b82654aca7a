"""``verify tool noise``: files in three formats, the weights written back, and what it refuses."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from constructions.parameter_space_symmetry.commands.noise_command import save
from constructions.parameter_space_symmetry.mathematics.noise import printed_estimate, sums_of_floats, true_noise
from tests.constructions.parameter_space_symmetry import train_attention
from verifier.arithmetic.rationals import rational
from verifier.commands.main import run
from verifier.weights.tensors import Checkpoint

RNG = np.random.default_rng(0)
Q, K = (RNG.standard_normal((2, 6, 8)) * np.array([1, 1, 1, 7] * 2)).astype(np.float32)


def test_two_matrices_by_head_are_exact(tmp_path: Path) -> None:
    for name, w in (("q.npy", Q), ("k.npy", K)):
        np.save(tmp_path / name, w)
    out = tmp_path / "noise.json"
    assert (
        run(["tool", "noise", str(tmp_path / "q.npy"), str(tmp_path / "k.npy"), "--heads", "2", "--bits", "2,5", "--output", str(out)]) == 0
    )
    rows = json.loads(out.read_text())["heads"]
    assert [(r["head"], r["bits"]) for r in rows] == [(0, 2), (0, 5), (1, 2), (1, 5)]
    q, k = sums_of_floats(Q[:, 4:]), sums_of_floats(K[:, 4:])
    assert rational(rows[2]["before"]["true"]) == true_noise(q, k, 2)
    assert rational(rows[3]["before"]["printed"]) == printed_estimate(q, k, 5)


@pytest.mark.parametrize("suffix", ["npz", "safetensors"])
def test_the_weights_written_back_have_the_same_products_and_less_noise(
    suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given, made = tmp_path / f"given.{suffix}", tmp_path / f"made.{suffix}"
    names = ("layer.q_proj.weight", "layer.k_proj.weight")
    save(given, {names[0]: np.ascontiguousarray(Q.T), names[1]: np.ascontiguousarray(K.T), "other": np.ones(3)})
    words = ["tool", "noise", str(given), "--heads", "2", "--bits", "4", "--search", "--steps", "30", "--write", str(made), "--no-rope"]
    assert run([*words, "--output", str(tmp_path / "noise.json")]) == 0
    assert "products before quantization are equal" in " ".join(capsys.readouterr().out.split())
    found = Checkpoint(made)
    assert found["other"].tolist() == [1, 1, 1]
    for row in json.loads((tmp_path / "noise.json").read_text())["heads"]:
        assert rational(row["after"]["true"]) < rational(row["before"]["true"])
        part = slice(4 * row["head"], 4 * row["head"] + 4)
        q, k = (found[name].T[:, part] for name in names)
        assert found[names[0]].dtype == np.float32
        np.testing.assert_allclose(q @ k.T, Q[:, part] @ K[:, part].T, atol=1e-4)
        assert rational(row["after"]["true"]) == true_noise(sums_of_floats(q), sums_of_floats(k), 4)


@pytest.mark.parametrize("data", [b"", b"\x93NUMPY", b"\x93NUMPY\x01\x00v\x00{", b"text"])
@pytest.mark.parametrize("name", ["w.npy", "w.npz"])
def test_a_file_that_is_none_is_one_line(name: str, data: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / name).write_bytes(data)
    assert run(["tool", "noise", str(tmp_path / name)]) == 2
    message = capsys.readouterr().err
    assert message.startswith(f"verify: {tmp_path / name}: ")
    assert message.count("\n") == 1


@pytest.mark.parametrize(
    ("tensors", "words", "expected"),
    [
        ({"a": Q}, [], "no pair of W_q and W_k among a"),
        ({"wq": Q, "wk": K[:5]}, [], "the same n beside the heads' columns was expected"),
        ({"wq": Q, "wk": K}, ["--heads", "3"], "another --heads was expected"),
        ({"wq": Q, "wk": K}, ["--bits", "0"], "numbers from 1 to 32"),
        ({"wq": Q, "wk": K * np.inf}, [], "not finite"),
        ({"wq": Q.astype(int), "wk": K.astype(int)}, [], "floating-point numbers were expected"),
        ({"wq": Q, "wk": K}, ["--write", "x.npz"], "--write goes with --search"),
        ({"q.weight": Q, "k.weight": K, "q.bias": Q[0]}, ["--search", "--write", "x.npz"], "has a bias"),
    ],
)
def test_what_cannot_be_used_is_one_line(
    tensors: dict[str, np.ndarray], words: list[str], expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    np.savez(tmp_path / "w.npz", **tensors)  # type: ignore[arg-type]
    assert run(["tool", "noise", str(tmp_path / "w.npz"), *words]) == 2
    message = capsys.readouterr().err
    assert expected in message
    assert len(message.strip().splitlines()) == 1


def test_of_trained_attention_the_noise_at_4_bits_falls_to_less_than_half(tmp_path: Path) -> None:
    out = tmp_path / "noise.json"
    assert run(["tool", "noise", str(train_attention.FILE), "--heads", "2", "--bits", "4", "--search", "--output", str(out)]) == 0
    rows = json.loads(out.read_text())["heads"]
    assert len(rows) == train_attention.HEADS
    for row in rows:
        before, after = (rational(row[when]["true"]) for when in ("before", "after"))
        assert 0 < 2 * after < before


def test_the_example_is_trained_along_the_gradient() -> None:
    """By differences of the loss, at a drawn entry of each tensor."""
    rng = np.random.default_rng(1)
    w, asked = train_attention.fresh(rng), train_attention.questions(rng, 16)
    slopes, _, loss = train_attention.gradients(w, *asked)
    for name, x in w.items():
        place, step = tuple(int(rng.integers(size)) for size in x.shape), 1e-6
        ends = []
        for side in (step, -step):
            moved = x.copy()
            moved[place] += side
            ends.append(train_attention.gradients({**w, name: moved}, *asked)[2])
        np.testing.assert_allclose((ends[0] - ends[1]) / (2 * step), slopes[name][place], rtol=1e-4, atol=1e-8)
    assert loss > 0


@pytest.mark.campaign
def test_the_example_is_trained_as_its_script_says() -> None:
    assert train_attention.trained()[1] > 0.99


def test_small_products_are_formed_by_one_thread() -> None:
    """Threads of OpenBLAS that wait for each other took four times the processor."""
    program = """
import constructions.parameter_space_symmetry.commands.noise_command, numpy, os
matrix = numpy.ones((400, 400))
matrix @ matrix
print(len(os.listdir("/proc/self/task")))
"""
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == "1\n"
