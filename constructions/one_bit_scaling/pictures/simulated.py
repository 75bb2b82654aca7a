"""A simulation's curves: losses and gaps against the step, means over the seeds with intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from constructions.one_bit_scaling.commands.simulation import Run, Settings
from constructions.one_bit_scaling.pictures.scaling import LEVEL
from verifier.arithmetic.confidence import mean_interval
from verifier.show.pictures.drawing import Drawing
from verifier.show.pictures.measured import Mean, Series, picture

SHOWN: tuple[tuple[str, Callable[[Run], list[float]], str], ...] = (
    ("loss of the one-bit network", lambda run: run.loss, "line"),
    ("loss of the full-precision network", lambda run: run.full_loss, "line second"),
    ("largest gap on the data", lambda run: run.gap, "line third"),
)


def curves(settings: Settings, runs: Sequence[Run]) -> Drawing:
    """At the steps 1, 2, 4, … and the last, on logarithmic scales; at least two runs."""
    steps = sorted({2**k for k in range(settings.steps.bit_length())} | {settings.steps})
    series = [Series(name, tuple(_mean(step, [of(run)[step] for run in runs]) for step in steps), kind) for name, of, kind in SHOWN]
    about = f"m = {settings.width}, kappa = {settings.kappa}, {len(runs)} seeds"
    return picture(f"One-bit and full-precision training, {about}", "step", "mean over the seeds, with 95 % interval", series)


def _mean(step: int, values: list[float]) -> Mean:
    found = mean_interval(values, LEVEL)
    return Mean(step, float(found.low), sum(values) / len(values), float(found.high))
