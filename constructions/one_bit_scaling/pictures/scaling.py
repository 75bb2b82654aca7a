"""Draw the paper's figures from the kept runs: gap, C₃/C₁ and loss against the width, and gap against κ, beside closed forms.

Intervals are Student's at level 95 %; slopes are of logarithms in logarithms, over all runs.

Measured runs of both networks, kept in ``runs.tsv``: a line for each width, κ and seed. Its first line is the command that measures them
again, in about a minute of processor time; threads would cost more than they save.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from math import exp, log, log2, sqrt

from constructions.one_bit_scaling.judges.sampling import closed, gap_at_initialisation, gap_while_training
from constructions.one_bit_scaling.mathematics.width_limit import descent_share
from verifier.arithmetic.confidence import mean_interval, slope_interval
from verifier.arithmetic.rationals import Fraction, rational
from verifier.show.pictures.drawing import Drawing
from verifier.show.pictures.measured import Mean, Number, Series, line, picture

LEVEL = Fraction(95, 100)
Quantity = Callable[["Run"], float]


def across_widths() -> list[Run]:
    """The runs at κ = 1/8, at every width."""
    return [run for run in kept() if run.kappa == KAPPA]


def across_kappas() -> list[Run]:
    """The runs of width 2¹⁴, at every κ."""
    return [run for run in kept() if run.width == WIDTH]


def _width(run: Run) -> Number:
    return run.width


def slope(runs: Sequence[Run], at: Callable[[Run], Number], of: Quantity) -> str:
    """The slope of log₂ of a positive quantity against log₂ of the parameter, with its interval."""
    found = slope_interval([(log2(at(run)), log2(of(run))) for run in runs], LEVEL)
    return f"slope {float(found.low + found.high) / 2:.2f} in [{float(found.low):.2f}, {float(found.high):.2f}]"


def _means(runs: Sequence[Run], at: Callable[[Run], Number], of: Quantity, back: Callable[[float], float] = float) -> tuple[Mean, ...]:
    """Means of a quantity; ``back`` reverses the transformation ``of``."""
    made = []
    for x in sorted({at(run) for run in runs}):
        values = [of(run) for run in runs if at(run) == x]
        found = mean_interval(values, LEVEL)
        made.append(Mean(x, back(float(found.low)), back(sum(values) / len(values)), back(float(found.high))))
    return tuple(made)


def _gaps(runs: list[Run], at: Callable[[Run], Number], title: str, across: str) -> Drawing:
    """The gaps at the start, at the maximum during training, and at test inputs after training."""
    squared, training = sum(gap_at_initialisation(D)) / 2, float(sum(closed(gap_while_training, D)) / 2)
    xs = sorted({at(run) for run in runs})
    kappas = {at(run): float(run.kappa) for run in runs}
    squares = _means(runs, at, lambda run: run.start_gap**2, lambda square: sqrt(max(square, 0.0)))
    shown = [
        Series(f"at the start, root mean square: {slope(runs, at, lambda r: r.start_gap)}", squares, "line second"),
        line("its closed form, for every width", xs, lambda x: kappas[x] * sqrt(squared)),
        Series(f"largest while training: {slope(runs, at, lambda r: r.largest_gap)}", _means(runs, at, lambda r: r.largest_gap)),
        line("its limit of infinite width, then small kappa", xs, lambda x: training),
        Series(
            f"at test inputs, after training: {slope(runs, at, lambda r: r.unseen_gap)}",
            _means(runs, at, lambda r: r.unseen_gap),
            "line third",
        ),
    ]
    return picture(title, across, "gap between the outputs", shown)


def gap_against_width() -> Drawing:
    """Gaps at κ = 1/8."""
    return _gaps(across_widths(), _width, f"Gap to full precision against the width, kappa = {KAPPA}, d = {D}", "width m")


def gap_against_kappa() -> Drawing:
    """Gaps at width 2¹⁴."""
    return _gaps(across_kappas(), lambda run: run.kappa, f"Gap to full precision against kappa, m = {WIDTH}, d = {D}", "kappa")


def error_share_against_width() -> Drawing:
    """C₃/(C₁ + C₂) of the first step at the datum x = (1, 0, …)."""
    runs = across_widths()
    found = [Series("C3/(C1 + C2) of the first step, mean", _means(runs, _width, lambda run: run.share))]
    limit = float(sum(closed(descent_share, D)) / 2) - 1
    found.append(line("its limit of infinite width; Section 4.2 neglects it", sorted({r.width for r in runs}), lambda x: limit))
    return picture(f"C3 against the width at x = (1, 0, …), kappa = {KAPPA}, d = {D}", "width m", "C3/(C1 + C2)", found, logarithmic=False)


def loss_against_width() -> Drawing:
    """Losses after training at drawn data."""
    runs = across_widths()

    def series(name: str, of: Quantity, kind: str) -> Series:
        return Series(f"{name}: {slope(runs, _width, of)}", _means(runs, _width, lambda run: log(of(run)), exp), kind)

    shown = [
        series("one bit, geometric mean", lambda run: run.loss, "line"),
        series("full precision", lambda run: run.full_loss, "line second"),
    ]
    return picture(f"Loss after training against the width, kappa = {KAPPA}, d = {D}", "width m", "loss", shown)


D, WIDTH, KAPPA = 8, 1 << 14, Fraction(1, 8)
FILE = "runs.tsv"


@dataclass(frozen=True)
class Run:
    """One seed at one width and κ. share: C₃/(C₁ + C₂) of the first step."""

    width: int
    kappa: Fraction
    seed: int
    start_gap: float
    largest_gap: float
    share: float
    loss: float
    full_loss: float
    end_gap: float
    unseen_gap: float


def kept() -> list[Run]:
    """The runs of the file."""
    text = (files("constructions.one_bit_scaling.pictures") / FILE).read_text(encoding="utf-8")
    _, *lines = (line for line in text.splitlines() if not line.startswith("#"))
    return [_read(line.split("\t")) for line in lines]


def _read(row: list[str]) -> Run:
    width, kappa, seed, *rest = row
    return Run(int(width), rational(kappa), int(seed), *map(float, rest))
