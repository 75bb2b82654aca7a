"""How soon answers come, each on a fresh install: ``python benchmarks/answers.py [--long]`` prints one table.

Beside each figure stand what it is meant to be and what it was before results were kept and answers shipped. A figure is the least of
three runs, each with an empty folder of kept results; with ``--long`` also the site and ``.ci/run``, once each.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from verifier.show.screen import console, plain_table

ROOT = Path(__file__).parents[1]
VERIFY = str(Path(sys.executable).parent / "verify")
PROCESSOR, WALL = "s of processor", "s"


@dataclass(frozen=True)
class Figure:
    """A command, the unit of its figure, and what the figure is meant to be and was."""

    words: str
    unit: str
    aim: float
    before: str


SHORT = (
    Figure("--version", PROCESSOR, 0.3, ""),
    Figure("list", PROCESSOR, 0.3, "1.3"),
    Figure("list every-bit-counts", PROCESSOR, 0.3, ""),
    Figure("findings every-bit-counts", PROCESSOR, 0.3, "62"),
    Figure("every-bit-counts", PROCESSOR, 0.3, "62"),
    Figure("show every-bit-counts", PROCESSOR, 0.3, ""),
    Figure("show lemma-2.6", PROCESSOR, 0.3, ""),
    Figure("precision gallery", PROCESSOR, 0.3, ""),
    Figure("theorem-2.4 --p 5", WALL, 0.6, "1.44"),
    Figure("lemma-2.6 --p 24 --timeout 2", WALL, 3, "75"),
    Figure("lemma-2.6 --p 99999999999999999999", WALL, 1, "21"),
)
LONG = (
    Figure("report --site SITE --jobs 2", WALL, 60, "240 to 360"),
    Figure(".ci/run", WALL, 150, "304"),
)


@dataclass(frozen=True)
class Cost:
    """What a process took, with those that it started: seconds, and the memory of the largest in MB."""

    wall: float
    processor: float
    memory: float


def cost(words: list[str], folder: str) -> Cost:
    """Run a command with nothing kept."""
    begun = time.perf_counter()
    environment = {**os.environ, "BITREFEREE_CACHE": folder}
    process = subprocess.Popen(words, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, used = os.wait4(process.pid, 0)
    return Cost(time.perf_counter() - begun, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def measured(figure: Figure, times: int) -> Cost:
    """The least of some runs."""
    costs = []
    for _ in range(times):
        with tempfile.TemporaryDirectory() as folder:
            words = figure.words.replace("SITE", f"{folder}/site").split()
            costs.append(cost(words if words[0] == ".ci/run" else [VERIFY, *words], folder))
    return min(costs, key=lambda each: each.processor if figure.unit == PROCESSOR else each.wall)


def main() -> None:
    table = plain_table(title="answers on a fresh install", title_justify="left")
    for column in ("what", "before", "aim", "now", "unit", "wall s", "processor s", "MB"):
        table.add_column(column, justify="left" if column in ("what", "unit") else "right")
    for figure, times in [*((each, 3) for each in SHORT), *((each, 1) for each in LONG if "--long" in sys.argv)]:
        found = measured(figure, times)
        now = found.processor if figure.unit == PROCESSOR else found.wall
        what = figure.words if figure.words.startswith(".ci") else f"verify {figure.words}"
        row = (what, figure.before, f"{figure.aim:g}", f"{now:.2f}", figure.unit)
        table.add_row(*row, f"{found.wall:.2f}", f"{found.processor:.2f}", f"{found.memory:.0f}")
    console().print(table)


if __name__ == "__main__":
    main()
