"""Good construction files with one to three changes in their text, on the command line: a verdict, or one line that says what is wrong."""

from __future__ import annotations

import re
import time
from pathlib import Path
from random import Random

import pytest

from tests.command_line import CommandLine
from tests.tables import FOLDER
from verifier.claims.verdicts import EXIT_INPUT
from verifier.running.limits import bounded

GOOD = (Path(__file__).parents[2] / "good.toml").read_text(encoding="utf-8")
WORDS = ["[", "]", "[[row]]", "{", "}", '"', "\n", "=", ",", "N", "-N", "i", "p", "**", "/0", "9" * 50, "0x", "1e9", "true", "é", "\0"]
WORDS += ["y[", ":", "~"]
EXPRESSIONS = ["N", "-N", "i", "-i", "p", "2**p", "2**-i", "1/i", "m - i", "[1 : n]", "{1, i}", "{p}", "[i : 2]", "y[i]", "~z[1 : 2]"]
LARGE = ["z[i - 3]", "2**4000*2**4000", "10**30", "ceil(log2(i))", "x.y", "p >= 2", "p > 2 or 1/0 > 1", "f1", "[1 : 10**5]", "y[1 : 13]"]
FILES = [GOOD, GOOD, *((FOLDER / f"{name}.toml").read_text(encoding="utf-8") for name in ("table-5", "table-6", "witness-t1"))]
VALUES = [*EXPRESSIONS, *LARGE, "2**(p**p)", "9" * 400, "1/3", "sum(2**-j for j in (1, 10**9))", "[1 : 20]", "64", "0"]
VALUES += [f"{'(' * 80}1{')' * 80}", "[1 : n] | [1 : 99999]", "m", "h", "-1", "2", "1/2"]
VALUE = re.compile(r'"[^"\n]*"|(?<=[ \[])-?[0-9]+\b')


def hostile(case: int) -> bytes:
    """A good file with one to three changes in its text; the same for the same case."""
    rng = Random(f"hostile {case}")
    text = rng.choice(FILES)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        text = rng.choice([_inserted, _moved, *[_valued] * 10])(text, rng)
    data = text.encode("utf-8", "surrogatepass")
    return data if rng.random() < 0.97 else _flipped(data, rng)


def _inserted(text: str, rng: Random) -> str:
    at = rng.randint(0, len(text))
    return text[:at] + rng.choice([*WORDS, "\ud800", "\x1b[2J", "\u202e"]) + text[at + rng.randint(0, 12) :]


def _valued(text: str, rng: Random) -> str:
    """A value behind the head of the file that is another."""
    found = list(VALUE.finditer(text))[4:]
    if not found:
        return text
    place = rng.choice(found)
    value = f'"{rng.choice(VALUES)}"' if rng.random() < 0.7 else rng.choice(found)[0]
    return text[: place.start()] + value + text[place.end() :]


def _moved(text: str, rng: Random) -> str:
    """A line that is gone, or occurs a second time."""
    lines = text.splitlines(keepends=True)
    line = rng.choice(lines)
    lines.insert(rng.randint(0, len(lines)), line) if rng.random() < 0.5 else lines.remove(line)
    return "".join(lines)


def _flipped(data: bytes, rng: Random) -> bytes:
    return bytes(rng.randrange(256) if rng.random() < 0.01 else byte for byte in data)


@pytest.mark.one_in(1250)
@pytest.mark.parametrize("first", range(0, 5000, 4))
def test_a_hostile_file_gets_a_verdict_or_one_line(verify: CommandLine, tmp_path: Path, first: int) -> None:
    """No fault of the program, at most ten seconds of the processor, and at most 1 GiB."""
    for case in range(first, first + 4):
        (tmp_path / "file.toml").write_bytes(hostile(case))
        begun = time.process_time()
        with bounded(1 << 30):
            done = verify("construction", str(tmp_path / "file.toml"), f"--p {5 + case % 4}")
        assert done.status in (0, 1, 2, 3), (case, done.err[-400:])
        assert time.process_time() - begun < 10, case
        assert "not enough memory" not in done.err, case
        assert "more memory" not in done.err, case
        assert done.status != EXIT_INPUT or len(done.err.splitlines()) <= 6, (case, done.err)
