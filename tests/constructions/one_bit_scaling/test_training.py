"""The vectorised networks against the process one number at a time; the limits against what they stand for."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import flint
import numpy as np
import pytest

from constructions.one_bit_scaling.commands import simulate_command
from constructions.one_bit_scaling.judges.sampling import closed
from constructions.one_bit_scaling.mathematics.training import Array, Quantized, drawn, single, trained
from constructions.one_bit_scaling.mathematics.width_limit import (
    descent_share,
    expected_normalised_entry,
    mirrored_output,
    training_gap,
)
from tests.command_line import CommandLine
from verifier.arithmetic.confidence import mean_interval
from verifier.arithmetic.rationals import Fraction, rational
from verifier.claims.papers import find_claim

Balls = Sequence[Any]


def inner(x: Balls, y: Balls) -> Any:
    return sum((a * b for a, b in zip(x, y, strict=True)), flint.arb(0))


def neuron(w: Balls, x: Balls) -> tuple[Any, Any]:
    """dq(⟨w̃, x⟩) and ⟨w, x⟩ by Definitions D.2 to D.5."""
    mean = sum(w, flint.arb(0)) / len(w)
    centred = [v - mean for v in w]
    signs = [-1 if v < 0 else 1 for v in centred]
    return (inner(centred, centred) / len(w)).sqrt() * inner(x, signs) + mean * sum(x, flint.arb(0)), inner(w, x)


@pytest.mark.parametrize(("width", "d", "n"), [(1, 2, 1), (3, 3, 2), (8, 5, 3)])
def test_networks_agree_with_the_process_in_balls(width: int, d: int, n: int) -> None:
    """One number at a time: the outputs of both networks (C.5, J.1), the steps (C.8, F.2), and the terms of Claim H.2."""
    steps, start = 4, drawn(width, d, n, seed=1)
    with flint.ctx.workprec(256):
        inputs, one, full = (
            [[flint.arb(v) for v in row] for row in array.tolist()] for array in (start.inputs, start.weights, start.weights)
        )
        a, targets, factor = start.signs.tolist(), start.targets.tolist(), flint.arb(1) / 2 / flint.arb(width).sqrt()
        rounding, before = flint.arb(0, 1e-12), None
        for moment in trained(start, 0.5, 0.25, steps):
            rows, others = ([[neuron(w, x) for x in inputs] for w in weights] for weights in (one, full))
            f = [factor * sum((s * row[i][0].max(flint.arb(0)) for s, row in zip(a, rows, strict=True)), flint.arb(0)) for i in range(n)]
            g = [factor * sum((s * row[i][1].max(flint.arb(0)) for s, row in zip(a, others, strict=True)), flint.arb(0)) for i in range(n)]
            e, e_full = ([x - y for x, y in zip(values, targets, strict=True)] for values in (f, g))
            assert (inner(e, e) / 2 + rounding).contains(flint.arb(moment.loss))
            assert (inner(e_full, e_full) / 2 + rounding).contains(flint.arb(moment.full_loss))
            if before is not None:
                then, errors = before
                for of, found in ((lambda q, w: w, moment.weights_part), (lambda q, w: q - w, moment.error_part)):
                    changes = [
                        s * errors[i] * (of(*old[i]) * (old[i][0] >= 0) - of(*new[i]) * (new[i][0] >= 0))
                        for s, old, new in zip(a, then, rows, strict=True)
                        for i in range(n)
                    ]
                    assert (rounding - factor * sum(changes, flint.arb(0))).contains(flint.arb(found))
            before = rows, e
            one, full = (
                [
                    [
                        v - sum((errors[i] * factor * s * x[k] / 4 for i, x in enumerate(inputs) if at[i][which] >= 0), flint.arb(0))
                        for k, v in enumerate(w)
                    ]
                    for s, w, at in zip(a, weights, table, strict=True)
                ]
                for which, weights, table, errors in ((0, one, rows, e), (1, full, others, e_full))
            )


def dequantized(weights: Array, inputs: Array) -> Array:
    return Quantized(weights).dequantized(inputs)


def test_rate_of_wide_networks_tends_to_the_density_of_the_signs() -> None:
    """What finding gap-while-training says: ρ tends to 1/√(2π) = 0.40, the largest gap to 0.33, the mirrored output to −y."""
    far_dimension = 10**4
    with flint.ctx.workprec(256):
        far, limit = descent_share(far_dimension), 1 / (2 * flint.arb.pi()).sqrt()
        assert abs(far - limit) < 2e-2 * limit
        assert far > limit
        assert 0.32 < training_gap(far) < training_gap(limit) < 0.33
        assert 0.99 < mirrored_output(far_dimension) < 1


@pytest.mark.parametrize("d", [8, 23, 1000])
def test_only_steps_that_change_no_sign_descend_too_little_at_one_input(d: int) -> None:
    """What finding no-descent says: Lemma I.2 needs 1/4, which the steps that change signs make up for."""
    with flint.ctx.workprec(256):
        assert (expected_normalised_entry(d) + 1) / d < 0.25 < descent_share(d)


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
    low, high = closed(descent_share, d)
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


def test_a_simulation_tells_the_first_step_and_inputs_that_are_not_trained_on(verify: CommandLine) -> None:
    done = verify("tool simulate one-bit --width 64 --steps 3 --seeds 2 --d 3 --n 2")
    assert done.status == 0, done.err
    assert "at the first step, in [" in done.out
    start, found = drawn(64, 3, 2, 1), simulate_command.simulate(1, 64, Fraction(1, 40), 3, 2, 3, Fraction(400))
    unseen = drawn(0, 3, 16, 1 + (1 << 20)).inputs
    moments = list(trained(start, 1 / 40, 400.0, 3, unseen))
    assert found == moments
    assert simulate_command.share(found[1:2]) == moments[1].error_part / moments[1].weights_part
    outputs = [
        float(1 / 40 / 8 * (start.signs @ np.maximum(f(start.weights, unseen), 0)[:, 0])) for f in (dequantized, lambda w, x: w @ x.T)
    ]
    assert moments[0].unseen_gap != 0
    assert abs(outputs[0] - outputs[1]) <= abs(found[0].unseen_gap) * (1 + 1e-12)
