"""How soon answers come, each on a fresh install: ``python benchmarks/answers.py [--long]`` prints one table.

Beside each figure stand what it is meant to be and what it was at commit 7f9da56a, before results were kept and answers shipped; where one
of the two is unknown, its place is empty. A figure is the least of three runs, each with an empty folder of kept results; of the site and
the longest claims, of one run. With ``--long`` also ``.ci/run``. Each figure is on standard error as soon as it is known.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from verifier.show.screen import console, plain_table

ROOT = Path(__file__).parents[1]
VERIFY = str(Path(sys.executable).parent / "verify")
IMPORTED = re.compile(rb"import time: +([0-9]+) \|")


@dataclass(frozen=True)
class Cost:
    """What a process took, with those that it started: seconds, the memory of the largest in MB, and the MB that it wrote to its site."""

    wall: float
    processor: float
    memory: float
    written: float


UNITS: dict[str, Callable[[Cost], float]] = {
    "s of processor": lambda cost: cost.processor,
    "s": lambda cost: cost.wall,
    "MB of memory": lambda cost: cost.memory,
    "MB of files": lambda cost: cost.written,
}


@dataclass(frozen=True)
class Figure:
    """A command, the unit of its figure, and what the figure is meant to be and was; times: how often it runs."""

    words: str
    unit: str
    aim: float | None
    before: str = ""
    times: int = 3


SITE = "report --site FOLDER/site --jobs 2"
HUGE = "lemma-2.6 --p 99999999999999999999"
NETWORK = """
format = "bitreferee/network/1"
id = "large"
title = "Numbers beyond every format"
source = "made up"
assumes = "real numbers"
[parameters.n]
meaning = "length"
where = "n >= 1"
typical = "1..2"
[input]
strings = { w = "LENGTH" }
alphabet = ["0", "1"]
tokens = ["w", "END"]
[accept]
function = "w[1] == 1"
at = "END"
yes = "a > 0"
no = "a <= 0"
[embedding]
a = "VALUE if token == 1 else 0"
[[layer]]
[[layer.head]]
value = { a = "a" }
"""
LARGE = {"exp": ("n", "exp(10**30)"), "tiny": ("n", "exp(-10**9)"), "long": ("n*10**6", "1")}
"""Networks by the name of their file: the length of the string, and the value of a symbol."""
ON_LARGE = "precision FOLDER/{}.toml --n 1..2 --arithmetic float16"
SHORT = (
    Figure("--version", "s of processor", 0.3),
    Figure("list", "s of processor", 0.3, "1.3"),
    Figure("list every-bit-counts", "s of processor", 0.3),
    Figure("findings every-bit-counts", "s of processor", 0.3, "62"),
    Figure("every-bit-counts", "s of processor", 0.3, "62"),
    Figure("show every-bit-counts", "s of processor", 0.3),
    Figure("show lemma-2.6", "s of processor", 0.3),
    Figure("show theorem-2.4 --questions", "s of processor", 0.3),
    Figure("show lemma-c.5 --questions", "s of processor", 0.3),
    Figure("show every-bit-counts --thresholds", "s of processor", 0.3),
    Figure("findings every-bit-counts --corrections", "s of processor", 0.3),
    Figure("precision gallery", "s of processor", 0.3),
    Figure("theorem-2.4 --p 5", "s", 0.6, "1.44"),
    Figure("lemma-2.6 --p 16", "s", 1.3, "1.4 to 2.4"),
    Figure("lemma-2.6 --p 18", "s", 3, "3.5 to 6.6", times=1),
    Figure("lemma-2.6 --p 20", "s", 5, "11.1 to 20.9", times=1),
    Figure("lemma-2.6 --p 24 --timeout 2", "s", 3, "75"),
    Figure(HUGE, "s", 1, "21"),
    Figure(HUGE, "MB of memory", None, "1200"),
    Figure(ON_LARGE.format("exp"), "s", None, "9 to 11"),
    Figure(ON_LARGE.format("exp"), "MB of memory", None, "1000"),
    Figure(ON_LARGE.format("tiny"), "s", None, "23"),
    Figure(ON_LARGE.format("tiny"), "MB of memory", None, "834"),
    Figure(ON_LARGE.format("long"), "s", None, "100"),
    Figure(SITE, "s", 60, "240 to 360", times=1),
    Figure(SITE, "MB of memory", 500, "714", times=1),
    Figure(SITE, "MB of files", 8, "19.5", times=1),
)
LONG = Figure(".ci/run", "s", 150, "304", times=1)
IMPORTS = Figure("theorem-2.4 --p 5", "s of imports", 0.25)


def run(words: list[str], folder: str) -> tuple[Cost, bytes]:
    """A command with nothing kept, and what it says on its error stream."""
    begun = time.perf_counter()
    environment = {**os.environ, "BITREFEREE_CACHE": f"{folder}/kept"}
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(words, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=said)
        _, _, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begun
        said.seek(0)
        written = sum(path.stat().st_size for path in Path(folder, "site").rglob("*") if path.is_file())
        return Cost(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, written / 1e6), said.read()


def costs(words: str, times: int) -> list[Cost]:
    """Of some runs, each in a folder of its own."""
    found = []
    for _ in range(times):
        with tempfile.TemporaryDirectory() as folder:
            for name, (length, value) in LARGE.items():
                Path(folder, f"{name}.toml").write_text(NETWORK.replace("LENGTH", length).replace("VALUE", value), encoding="utf-8")
            listed = words.replace("FOLDER", folder).split()
            found.append(run(listed if listed[0] == LONG.words else [VERIFY, *listed], folder)[0])
    return found


def imports(words: str) -> float:
    """The seconds that a command spends on importing modules, as Python counts them."""
    with tempfile.TemporaryDirectory() as folder:
        _, said = run([sys.executable, "-X", "importtime", "-m", "verifier", *words.split()], folder)
    return sum(map(int, IMPORTED.findall(said))) / 1e6


def main() -> None:
    table = plain_table(title="answers on a fresh install", title_justify="left")
    for column in ("what", "before", "aim", "now", "unit"):
        table.add_column(column, justify="left" if column in ("what", "unit") else "right")
    known: dict[str, list[Cost]] = {}

    def row(figure: Figure, now: float) -> None:
        what = figure.words if figure == LONG else f"verify {figure.words}"
        print(f"{what}: {now:.2f} {figure.unit}", file=sys.stderr, flush=True)
        table.add_row(what, figure.before, "" if figure.aim is None else f"{figure.aim:g}", f"{now:.2f}", figure.unit)

    for figure in (*SHORT, *[LONG] * ("--long" in sys.argv)):
        if figure.words not in known:
            known[figure.words] = costs(figure.words, figure.times)
        row(figure, min(map(UNITS[figure.unit], known[figure.words])))
        if figure.words == IMPORTS.words:
            row(IMPORTS, imports(IMPORTS.words))
    console().print(table)


if __name__ == "__main__":
    main()
