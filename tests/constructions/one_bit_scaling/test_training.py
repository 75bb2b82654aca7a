"""The vectorised networks against the process one number at a time; the limits against what they stand for."""

import json
from dataclasses import replace
from pathlib import Path

import flint
import numpy as np
import pytest
from click.testing import CliRunner

from constructions.one_bit_scaling.commands.simulate_command import command
from constructions.one_bit_scaling.judges.sampling import share
from constructions.one_bit_scaling.mathematics.ball_numbers import BALLS
from constructions.one_bit_scaling.mathematics.training import Change, Problem, loss
from constructions.one_bit_scaling.mathematics.wide import dequantized, drawn, single, trained
from constructions.one_bit_scaling.mathematics.width_limit import (
    descent_share,
    expected_normalised_entry,
    mirrored_output,
    squared_gap,
    training_gap,
)
from tests.command_line import CommandLine
from verifier.arithmetic.confidence import mean_interval
from verifier.arithmetic.enclosure import decided
from verifier.arithmetic.rationals import Fraction, rational
from verifier.claims.papers import find_claim
from verifier.running.errors import InputError


@pytest.mark.parametrize(("width", "d", "n"), [(1, 2, 1), (3, 3, 2), (8, 5, 3)])
def test_networks_agree_with_the_process_in_balls(width: int, d: int, n: int) -> None:
    kappa, eta, steps = Fraction(1, 2), Fraction(1, 4), 4
    start = drawn(width, d, n, seed=1)
    with flint.ctx.workprec(256):
        numbers = [[flint.arb(v) for v in row] for row in start.inputs.tolist()]
        problem = Problem(numbers, [int(a) for a in start.signs], flint.arb(1) / 2, BALLS)
        one = [[flint.arb(v) for v in row] for row in start.weights.tolist()]
        targets = [flint.arb(v) for v in start.targets.tolist()]
        previous = None
        for moment in trained(start, float(kappa), float(eta), steps):
            neurons = problem.neurons(one)
            errors = [f - y for f, y in zip(problem.outputs(neurons), targets, strict=True)]
            rounding = flint.arb(0, 1e-12)
            assert (loss(errors) + rounding).contains(flint.arb(moment.loss))
            if previous is not None:
                change = Change(problem, *previous[:1], neurons, previous[1])
                assert (change.c3 + rounding).contains(flint.arb(moment.error_part))
                assert (change.weights_on(lambda i, r: True) + rounding).contains(flint.arb(moment.weights_part))
            previous = neurons, errors
            one = problem.step(one, errors, flint.arb(1) / 4)


@pytest.mark.parametrize("d", [2, 3, 50])
def test_closed_forms_at_two_and_many_dimensions(d: int) -> None:
    def between(low: float, high: float, ball: flint.arb) -> bool | None:
        return True if low < ball < high else False if ball < low or ball > high else None

    shares = {2: (0.9999, 1.0001), 3: (0.9003, 0.9004), 50: (0.7978, 0.8100)}
    gaps = {2: (-1e-9, 1e-9), 3: (0.0441, 0.0442), 50: (0.19, 0.21)}
    assert decided(lambda f: expected_normalised_entry(f, d), lambda ball: between(*shares[d], ball))
    assert decided(lambda f: squared_gap(f, d), lambda ball: between(*gaps[d], ball))


def test_rate_of_wide_networks_tends_to_the_density_of_the_signs() -> None:
    """What finding gap-while-training says: ρ tends to 1/√(2π) = 0.40, the largest gap to 0.33, the mirrored output to −y."""
    far_dimension = 10**4
    with flint.ctx.workprec(256):
        far, limit = descent_share(flint, far_dimension), 1 / (2 * flint.arb.pi()).sqrt()
        assert abs(far - limit) < 2e-2 * limit
        assert far > limit
        assert 0.32 < training_gap(flint, far) < training_gap(flint, limit) < 0.33
        assert 0.99 < mirrored_output(flint, far_dimension) < 1


@pytest.mark.parametrize("d", [2, 3, 4])
def test_rate_of_wide_networks_against_counted_moves(d: int) -> None:
    """One step of many neurons, each moved by h where it is active: what ReLU(dq) gains upwards and loses downwards."""
    h, width = 2.0**-6, 1 << 16
    x = single(1, d, 0).inputs
    weights = np.random.default_rng(1).standard_normal((width, d))
    before = dequantized(weights, x)[:, 0]
    far = h * np.outer(before >= 0, x[0])
    up, down = (np.maximum(dequantized(weights + far * sign, x)[:, 0], 0) for sign in (1, -1))
    found = mean_interval(((up - down) / h).reshape(64, -1).mean(axis=1).tolist(), Fraction(999, 1000))
    low, high = share(d)
    assert found.low < low <= high < found.high
    assert found.high - found.low < Fraction(1, 8), "no other dimension's share is that near"


def test_a_wide_network_does_not_fit_the_data_of_theorem_i_1() -> None:
    """Their loss stays at 1 + √21/5 and more, while the full-precision network fits them; with the targets of a neighbour both do."""
    theorem = find_claim("one-bit-scaling/theorem-i.1")
    inputs = np.array(theorem.fields["inputs"], dtype=float)
    inputs /= np.linalg.norm(inputs, axis=1, keepdims=True)
    start = single(2048, 3, 0)
    for targets, fitted in ((theorem.fields["targets"], False), (["1", "1", "1", "1"], True)):
        given = replace(start, inputs=inputs, targets=np.array([float(rational(y)) for y in targets]))
        *_, last = trained(given, 0.5, 1.0, 120)
        assert (last.loss < 0.2) is fitted
        assert fitted or 1.9165 < last.loss < 1.95
        assert last.full_loss < 1.3


def test_runs_are_resumed_and_other_settings_refused(tmp_path) -> None:  # type: ignore[no-untyped-def]
    words = ["one-bit", "--width", "16", "--steps", "5", "--output", str(tmp_path / "runs")]
    first = CliRunner().invoke(command, [*words, "--seeds", "3"], standalone_mode=False)
    lines = (tmp_path / "runs").read_text().splitlines()
    (tmp_path / "runs").write_text("\n".join([*lines[:3], lines[3][:20]]))  # killed while the third was written
    again = CliRunner().invoke(command, [*words, "--seeds", "3"], standalone_mode=False)
    assert again.output == first.output
    assert (tmp_path / "runs").read_text().splitlines() == lines
    other = CliRunner().invoke(command, [*words, "--seeds", "3", "--d", "3"], standalone_mode=False)
    assert "results of other settings" in str(other.exception)


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"text", b"{}"])
def test_a_file_that_holds_no_results_is_left_alone(data: bytes, tmp_path: Path) -> None:
    file = tmp_path / "runs"
    file.write_bytes(data)
    with pytest.raises(InputError, match=r"no file of results|results of other settings|not a text file in UTF-8"):
        CliRunner().invoke(command, ["one-bit", "--width", "16", "--steps", "5", "--output", str(file)], catch_exceptions=False)
    assert file.read_bytes() == data


def test_a_simulation_tells_the_first_step_and_inputs_that_are_not_trained_on(verify: CommandLine, tmp_path: Path) -> None:
    words = "tool simulate one-bit --width 64 --steps 3 --seeds 2 --d 3 --n 2"
    done = verify(words, "--output", str(tmp_path / "runs"), "--csv", str(tmp_path / "curves.csv"), "--picture", str(tmp_path / "c.svg"))
    assert done.status == 0, done.err
    assert "at the first step, in [" in done.out
    rows = (tmp_path / "curves.csv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 1 + 2 * 4
    shown = (tmp_path / "c.svg").read_text(encoding="utf-8")
    last = [json.loads(line)["loss"][-1] for line in (tmp_path / "runs").read_text(encoding="utf-8").splitlines()[1:]]
    assert f"loss of the one-bit network, 3: {sum(last) / 2:.4g} in" in shown
    start = drawn(64, 3, 2, 1)
    unseen = drawn(0, 3, 16, 1 + (1 << 20)).inputs
    moments = list(trained(start, 1 / 40, 400.0, 3, unseen))
    kept = json.loads((tmp_path / "runs").read_text(encoding="utf-8").splitlines()[2])
    assert kept["test_gap"] == [abs(m.unseen_gap) for m in moments]
    assert kept["first_share"] == moments[1].error_part / moments[1].weights_part
    outputs = [
        float(1 / 40 / 8 * (start.signs @ np.maximum(f(start.weights, unseen), 0)[:, 0])) for f in (dequantized, lambda w, x: w @ x.T)
    ]
    assert moments[0].unseen_gap != 0
    assert abs(outputs[0] - outputs[1]) <= kept["test_gap"][0] * (1 + 1e-12)
