"""The kept runs are what the program measures, and the pictures say what the runs and the closed forms say."""

from dataclasses import astuple, replace
from math import isclose

import numpy as np
import pytest

from benchmarks.one_bit_scaling import SEEDS, measured
from constructions.one_bit_scaling.mathematics.training import single, trained
from constructions.one_bit_scaling.pictures import scaling
from constructions.one_bit_scaling.pictures.scaling import D, Run, kept
from verifier.arithmetic.rationals import Fraction

RUNS = kept()


@pytest.mark.parametrize("number", [0, SEEDS - 1, 2 * SEEDS - 1])
def test_a_kept_run_is_what_is_measured_again(number: int) -> None:
    """Up to what sums in another order change."""
    run = RUNS[number]
    again = measured(run.width, run.kappa, run.seed)
    assert all(isclose(a, b, rel_tol=1e-4) for a, b in zip(astuple(run), astuple(again), strict=True))


def test_slopes_are_of_the_runs() -> None:
    def kappa(run: Run) -> Fraction:
        return run.kappa

    runs = scaling.across_kappas()
    bent = [replace(run, largest_gap=float(run.kappa) ** 2) for run in runs]
    found = [scaling.slope(each, kappa, lambda run: run.largest_gap) for each in (runs, bent)]
    assert found[1] == "slope 2.00 in [2.00, 2.00]"
    assert not found[0].startswith("slope 2")


def test_the_share_that_c3_cancels_depends_on_the_input() -> None:
    """So the picture names its input: at one coordinate C₃ is more than 0.35 of C₁, at equal coordinates less than 0.25."""

    def mean(x: float, rest: float) -> float:
        shares = []
        for seed in range(8):
            start = single(1 << 13, D, seed)
            inputs = np.full((1, D), rest)
            inputs[0, 0] = x
            *_, last = trained(replace(start, inputs=inputs), 1 / 8, 32, 1)
            shares.append(last.error_part / last.weights_part)
        return sum(shares) / len(shares)

    assert mean(1.0, 0.0) < -0.35 < -0.25 < mean(D**-0.5, D**-0.5)
    assert "x = (1, 0, …)" in scaling.error_share_against_width().file()
