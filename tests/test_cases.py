"""Tables of accepted and rejected inputs: files, formulas, names of arithmetics and command lines, as ``verify`` answers them.

Each file in ``tests/cases`` has groups with a title in plain words and one input a line: what ``verify`` does with it, the input, and
texts that its answer holds. An input is a command line, a text that is put into a file at ``{}``, or a change of one text of a good file,
as a pair. What ``verify`` does is accepted (judged, whatever the verdict), verified, refuted, declined or rejected: its exit status. What
it says of a rejected command line is one line, and where to find help.
"""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import CommandLine
from tests.papers_of_tests import empty_shelf

ROOT = Path(__file__).parent.parent
CASES = Path(__file__).parent / "cases"
STATUSES = {"accepted": {0, 1, 3}, "verified": {0}, "refuted": {1}, "declined": {3}, "rejected": {2}}
LIMIT = 2
"""Lines of standard error for a rejected input: what is wrong, and where to find help."""


def cases() -> Iterator[Any]:
    """Every case with its table, named by table, group and place in the group; groups that take long are campaign."""
    for path in sorted(CASES.glob("*.toml")):
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        for group in table["group"]:
            for number, case in enumerate(group["cases"], 1):
                marks = [pytest.mark.campaign] if group.get("campaign") else []
                yield pytest.param(table, case, id=f"{path.stem}: {group['title']} {number}", marks=marks)


def written(table: dict[str, Any], given: str | list[str]) -> str:
    """The text of the file that a case is about."""
    if isinstance(given, str):
        return str(table.get("text", "{}")).replace("{}", given)
    before, after = given
    text = (ROOT / table["good"]).read_text(encoding="utf-8") if "good" in table else str(table["text"])
    assert before in text, "the good file has no such text"
    return text.replace(before, after, 1)


def write(path: Path, text: str) -> None:
    """A file with this text, or a copy of the file or folder of the repository with this name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    named = text.startswith(("constructions/", "docs/", "tests/")) and "\n" not in text
    if named and (ROOT / text).is_dir():
        shutil.copytree(ROOT / text, path, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        path.write_text((ROOT / text).read_text(encoding="utf-8") if named else text, encoding="utf-8")


def says(text: str, said: str) -> bool:
    """Whether a text says this, ``…`` standing for any text and white space for any; or does not say it, where ``!`` stands in front."""
    wanted = " ".join(said.removeprefix("!").split())
    there = re.search(".*?".join(re.escape(part.strip()) for part in wanted.split("…")), " ".join(text.split()))
    return (there is None) == said.startswith("!")


@pytest.mark.parametrize(("table", "case"), list(cases()))
def test_case(verify: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: dict[str, Any], case: list[Any]) -> None:
    outcome, given, *said = case
    monkeypatch.chdir(tmp_path)
    for name, text in table.get("beside", {}).items():
        write(tmp_path / name, text)
    if "file" in table:
        path = tmp_path / table["file"]
        path.parent.mkdir(exist_ok=True)
        path.write_text(written(table, given), encoding="utf-8")
    with empty_shelf() if "--papers" in table.get("command", "") else nullcontext():
        done = verify(table.get("command", "{}").replace("{}", str(given)))
    assert done.status in STATUSES[outcome], done.out + done.err
    assert [each for each in said if not says(done.out + done.err, each)] == [], done.out + done.err
    if outcome == "rejected" and "file" not in table:
        assert 0 < len((done.out + done.err).strip().splitlines()) <= LIMIT


def test_every_table_accepts_and_rejects() -> None:
    """A table that only accepts, or only rejects, could not fail."""
    for path in CASES.glob("*.toml"):
        outcomes = {case[0] for group in tomllib.loads(path.read_text(encoding="utf-8"))["group"] for case in group["cases"]}
        assert "rejected" in outcomes, path.name
        assert outcomes - {"rejected"}, path.name


def test_every_verb_is_answered_and_rejected(verify: CommandLine) -> None:
    table = tomllib.loads((CASES / "command_lines.toml").read_text(encoding="utf-8"))
    given: dict[bool, set[str]] = {True: set(), False: set()}
    for outcome, words, *_ in (case for group in table["group"] for case in group["cases"]):
        given[outcome == "rejected"].add(words.split()[0])
    listed = verify("--help").out.split("Judge and look")[1]
    verbs = {line.split()[0] for line in listed.splitlines() if re.match(r"  [a-z]", line)}
    assert len(verbs) == 15
    assert verbs <= given[False]
    assert verbs <= given[True]


LONG = [
    ("table", "bitreferee/construction/1", "x" * 1_000_000, "was expected as the file's first line"),
    ("table", "step = 3", "step = " + "9" * 5000, "a value that cannot be read"),
    ("table", "step = 3", f"step = {[1] * 50_000}", "values; at most 50,000 were expected"),
    ("table", "step = 3", "step = " + "[" * 5000 + "]" * 5000, "n"),
    ("table", "zero = [1, 0,", f"zero = [1, 0x{'F' * 5000},", "an integer has more than 4096 bits"),
    ("table", "step = 3", f"step = 0x{'F' * 5000}", "an integer has more than 4096 bits"),
    ("formula", '"2**(h - i)"', f'"{"-" * 1500}1"', "n"),
    ("formula", '"2**(h - i)"', f'"{"+".join(["1"] * 500)}"', "nested deeper than 60"),
    ("formula", '"2**(h - i)"', f'"{"1" * 2001}"', "the formula has 2001 characters; at most 2000 were expected"),
    ("formula", '"2**(h - i)"', f'"{"9" * 1990}"', "a number has more than 4096 bits"),
    ("formula", '"2**(h - i)"', f'"0.{"3" * 1900}"', "a number has more than 4096 bits"),
]


@pytest.mark.parametrize(("what", "before", "after", "said"), LONG, ids=range(len(LONG)))
def test_endless_texts_are_rejected(verify: CommandLine, tmp_path: Path, what: str, before: str, after: str, said: str) -> None:
    text = (ROOT / "tests" / "good.toml").read_text(encoding="utf-8")
    assert before in text
    (tmp_path / "file.toml").write_text(text.replace(before, after, 1), encoding="utf-8")
    done = verify("construction", str(tmp_path / "file.toml"), "--p 5")
    assert (done.status, said in done.err, len(done.err) < 6000) == (2, True, True), done.err[:500]


def test_what_is_said_can_be_missing() -> None:
    assert says("one\n  two three", "one two")
    assert says("one two three", "one … three")
    assert not says("one two three", "three … one")
    assert not says("one two", "!two")
    assert says("one two", "!three")
