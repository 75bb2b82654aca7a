"""``verify tool simulate one-bit --width 4096 --kappa 1/40 --seeds 10``: both networks side by side, with curves and intervals."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from verifier.arithmetic.rationals import Fraction, rational
from verifier.commands.options import Integer
from verifier.commands.progress import Progress

if TYPE_CHECKING:
    from constructions.one_bit_scaling.mathematics.training import Moment


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
@click.option("--seeds", type=Integer(2, 10000), default=10, show_default=True, help="Runs, with seeds 0, 1, …")
@click.option("--quick", is_flag=True, help="At most width 1024, 3 seeds and 60 steps.")
def command(networks: str, seeds: int, quick: bool, **given: Any) -> int:
    """Train a one-bit network and a full-precision one from the same weights, and show both losses, their gap, and C3/(C1 + C2).

    A step has the length eta = 1/(4 kappa^2). Intervals are Student's, at level 95 %. A simulation decides no claim.
    """
    del networks
    if given["kappa"] > 1:
        raise click.UsageError("--kappa: at most 1 was expected")
    settings, many = {**given, "eta": 1 / (4 * given["kappa"] ** 2)}, seeds
    if quick:
        settings |= {"width": min(given["width"], QUICK_WIDTH), "steps": min(given["steps"], QUICK_STEPS)}
        many = min(seeds, QUICK_SEEDS)
        click.echo(
            f"quick: width {settings['width']} of {given['width']}, {settings['steps']} of {given['steps']} steps, {many} of {seeds} seeds"
        )
    with Progress() as advance:
        made = []
        for seed in range(many):
            advance("seeds", seed, many)
            made.append(simulate(seed, **settings))
        advance("seeds", 1, 1)
    last = f"after {settings['steps']} steps"
    shown = ", ".join(f"{name} = {settings[key]}" for name, key in (("m", "width"), *((key, key) for key in ("kappa", "d", "n", "eta"))))
    click.echo(f"{shown}, seeds 0..{many - 1}")
    _show("loss, one bit", [[m.loss for m in run] for run in made], last)
    _show("loss, full", [[m.full_loss for m in run] for run in made], last)
    _show("largest gap", [[m.gap for m in run] for run in made], last)
    _show("test gap", [[abs(m.unseen_gap) for m in run] for run in made], last)
    for steps, when in ((slice(1, 2), "at the first step"), (slice(None), "of sums over the steps")):
        defined = [[found] for run in made if (found := share(run[steps])) is not None]
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


def simulate(seed: int, width: int, kappa: Fraction, d: int, n: int, steps: int, eta: Fraction) -> list[Moment]:
    """A run of both networks, step by step: d dimensions, n data, a step of length eta; the unseen gap is that on other inputs."""
    from constructions.one_bit_scaling.mathematics.training import drawn, trained

    unseen = drawn(0, d, UNSEEN, seed + SHIFT).inputs
    return list(trained(drawn(width, d, n, seed), float(kappa), float(eta), steps, unseen))


def share(moments: list[Moment]) -> float | None:
    """C₃ over C₁ + C₂, each summed over the steps, or None where that is undefined."""
    weights = sum(m.weights_part for m in moments)
    return sum(m.error_part for m in moments) / weights if weights else None
