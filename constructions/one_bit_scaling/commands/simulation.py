"""Runs of both networks, one for each seed, in a file of results that grows by a line at a time and can be resumed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verifier.arithmetic.rationals import Fraction
from verifier.running.errors import InputError
from verifier.running.input_files import MOST_RESULT_BYTES, read_regular
from verifier.running.limits import Advance

if TYPE_CHECKING:
    from constructions.one_bit_scaling.mathematics.wide import Moment


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

    @property
    def line(self) -> dict[str, Any]:
        return {k: str(v) if isinstance(v, Fraction) else v for k, v in asdict(self).items()}


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


def kept(path: Path, settings: Settings) -> dict[int, Run]:
    """The runs that a file has; a last line cut short by a killed program is left out.

    Raises:
        InputError: a file of other settings, or no file of results.
    """
    if not path.exists():
        return {}
    try:
        first, *rest = read_regular(path, MOST_RESULT_BYTES).split("\n")
        found = json.loads(first)
    except ValueError:
        raise InputError(f"{path}: no file of results; its first line was expected to hold the settings") from None
    if found != settings.line:
        raise InputError(f"{path}: results of other settings, {first[:300]}; these are {json.dumps(settings.line)}")
    runs = {}
    for line in rest:
        try:
            run = Run(**json.loads(line))
        except (ValueError, TypeError):
            continue
        runs[run.seed] = run
    return runs


def runs(settings: Settings, seeds: int, path: Path | None, advance: Advance) -> Iterator[Run]:
    """The runs of seeds 0 … seeds − 1, those of the file first; each new one is written when it is done."""
    known = kept(path, settings) if path else {}
    if path:
        text = "".join(json.dumps(line) + "\n" for line in (settings.line, *(asdict(r) for r in known.values())))
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise InputError(f"{path}: {error.strerror}") from None
    for seed in range(seeds):
        advance("seeds", seed, seeds)
        if seed not in known:
            known[seed] = simulate(settings, seed)
            if path:
                with path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(asdict(known[seed])) + "\n")
        yield known[seed]
    advance("seeds", 1, 1)
