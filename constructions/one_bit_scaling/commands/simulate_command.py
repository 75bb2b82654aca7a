"""``verify tool simulate one-bit --width 4096 --kappa 1/40 --seeds 10``: both networks side by side, with curves and intervals."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from verifier.arithmetic.rationals import Fraction, rational
from verifier.commands.options import Integer
from verifier.commands.progress import Progress

if TYPE_CHECKING:
    from constructions.one_bit_scaling.mathematics.wide import Moment


QUICK_WIDTH, QUICK_SEEDS, QUICK_STEPS = 1024, 3, 60
BARS = "▁▂▃▄▅▆▇█"
LEVEL = Fraction(95, 100)


class Rational(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.2 on
    """A positive rational such as 1/40."""

    name = "rational"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Fraction:
        if isinstance(value, Fraction):
            return value
        if not re.fullmatch(r"[0-9]{1,20}(/[1-9][0-9]{0,19})?", value) or rational(value) <= 0:
            self.fail(f"{value[:60]!r} is not a positive rational such as 1/40.", param, ctx)
        return rational(value)


@click.command("simulate")
@click.argument("networks", type=click.Choice(["one-bit"]))
@click.option("--width", type=Integer(1, 1 << 22), default=4096, show_default=True, help="Hidden neurons m.")
@click.option("--kappa", type=Rational(), default=Fraction(1, 40), show_default=True, help="The scale of the output, at most 1.")
@click.option("--d", type=Integer(2, 4096), default=8, show_default=True, help="Input dimension.")
@click.option("--n", type=Integer(1, 4096), default=4, show_default=True, help="Data points, on the unit sphere.")
@click.option("--steps", type=Integer(1, 1 << 20), default=200, show_default=True, help="Steps of training.")
@click.option("--eta", type=Rational(), show_default="1/(4 kappa^2)", help="Length of a step.")
@click.option("--seeds", type=Integer(2, 10000), default=10, show_default=True, help="Runs, with seeds 0, 1, …")
@click.option("--quick", is_flag=True, help="At most width 1024, 3 seeds and 60 steps.")
def command(networks: str, seeds: int, eta: Fraction | None, quick: bool, **given: Any) -> int:
    """Train a one-bit network and a full-precision one from the same weights, and show both losses, their gap, and C3/(C1 + C2).

    Intervals are Student's, at level 95 %. A simulation decides no claim.
    """
    del networks
    if given["kappa"] > 1:
        raise click.UsageError("--kappa: at most 1 was expected")
    asked = Settings(**given, eta=eta or 1 / (4 * given["kappa"] ** 2))
    settings, many = asked, seeds
    if quick:
        settings = replace(asked, width=min(asked.width, QUICK_WIDTH), steps=min(asked.steps, QUICK_STEPS))
        many = min(seeds, QUICK_SEEDS)
        click.echo(f"quick: width {settings.width} of {asked.width}, {settings.steps} of {asked.steps} steps, {many} of {seeds} seeds")
    with Progress() as advance:
        made = []
        for seed in range(many):
            advance("seeds", seed, many)
            made.append(simulate(settings, seed))
        advance("seeds", 1, 1)
    last = f"after {settings.steps} steps"
    click.echo(
        f"m = {settings.width}, kappa = {settings.kappa}, d = {settings.d}, n = {settings.n}, eta = {settings.eta}, seeds 0..{many - 1}"
    )
    _show("loss, one bit", [r.loss for r in made], last)
    _show("loss, full", [r.full_loss for r in made], last)
    _show("largest gap", [r.gap for r in made], last)
    _show("test gap", [r.test_gap for r in made], last)
    for shares, when in (([r.first_share for r in made], "at the first step"), ([r.error_share for r in made], "of sums over the steps")):
        defined = [[share] for share in shares if share is not None]
        if len(defined) == len(made):
            _show("C3/(C1 + C2)", defined, when)
    click.echo("The inputs are uniform on the unit sphere. The test gap is the largest gap\non 16 inputs that no network is trained on.")
    return 0


def _show(name: str, curves: list[list[float]], when: str) -> None:
    """The mean curve as bars, and the mean of its last values with an interval."""
    from verifier.arithmetic.confidence import mean_interval

    ends = [c[-1] for c in curves]
    bars = ""
    if len(curves[0]) > 1:
        mean = [sum(values) / len(values) for values in zip(*curves, strict=True)]
        chosen = [mean[k * (len(mean) - 1) // 39] for k in range(40)]
        most = max(chosen) or 1.0
        bars = "".join(BARS[min(7, int(8 * v / most))] for v in chosen)
    click.echo(f"{name:<14} {sum(ends) / len(ends):.6g} {when}, in {mean_interval(ends, LEVEL)}")
    if bars:
        click.echo(f"{'':<14} {bars}")


UNSEEN = 16
"""Inputs, uniform on the sphere, that the networks are not trained on."""
SHIFT = 1 << 20
"""Added to a run's seed for these inputs."""


@dataclass(frozen=True)
class Settings:
    """eta: of a step, a rational; kappa in (0, 1]; d, n: dimension and number of data."""

    width: int
    kappa: Fraction
    d: int
    n: int
    steps: int
    eta: Fraction


@dataclass(frozen=True)
class Run:
    """A seed with its curves by step: the losses of the one-bit and the full network, and the largest gap between their outputs.

    test_gap: the largest gap on inputs that they are not trained on; error_share: C₃ over C₁ + C₂, each summed over the steps;
    first_share: the same of the first step (None: undefined).
    """

    seed: int
    loss: list[float]
    full_loss: list[float]
    gap: list[float]
    error_share: float | None
    test_gap: list[float]
    first_share: float | None


def simulate(settings: Settings, seed: int) -> Run:
    """One run."""
    from constructions.one_bit_scaling.mathematics.wide import drawn, trained

    start = drawn(settings.width, settings.d, settings.n, seed)
    unseen = drawn(0, settings.d, UNSEEN, seed + SHIFT).inputs
    moments = list(trained(start, float(settings.kappa), float(settings.eta), settings.steps, unseen))
    shares = [_share(moments), _share(moments[1:2])]
    loss, full_loss = [m.loss for m in moments], [m.full_loss for m in moments]
    return Run(seed, loss, full_loss, [m.gap for m in moments], shares[0], [abs(m.unseen_gap) for m in moments], shares[1])


def _share(moments: list[Moment]) -> float | None:
    """C₃ over C₁ + C₂, each summed over the steps."""
    weights = sum(m.weights_part for m in moments)
    return sum(m.error_part for m in moments) / weights if weights else None
