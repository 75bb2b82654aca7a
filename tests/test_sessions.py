"""Sessions of somebody at a terminal: files that are written and changed, commands in order, and what each of them says.

Each file in ``tests/sessions`` has sessions with a title in plain words. A step is a list whose first word says what it does:

* ``write FILE TEXT``: a file with this text, or a copy of the file or folder of the repository with this name;
* ``append FILE TEXT``: a text more at the end of the file;
* ``edit FILE BEFORE AFTER …``: the first text of each pair becomes the second, where it stands first;
* ``link FILE TARGET``, ``pipe FILE``, ``size FILE BYTES``: a symbolic link, a named pipe, a file of so many zeros;
* ``holds FILE SAID…``: the file is there and says this; ``gone FILE``: it is not there;
* ``accepted``, ``verified``, ``refuted``, ``declined`` or ``rejected``, as in ``tests/cases``: a command line, and what it says.

What is said is a text in which ``…`` stands for any text, and white space for any white space. With ``!`` in front it is not said. Each
session has a folder of its own, with the files below ``[beside]``; each command finds the papers that ship and those that it names. Of a
screen no line is longer than the terminal but for commands to paste, and a document keeps its schema.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from tests.command_line import CommandLine
from tests.papers_of_tests import empty_shelf
from tests.test_cases import ROOT, STATUSES, says, write
from verifier.show.screen import COLUMNS

SESSIONS = Path(__file__).parent / "sessions"


def sessions() -> Iterator[Any]:
    """Every session with the files beside it; those that take long are campaign."""
    for path in sorted(SESSIONS.glob("*.toml")):
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        for each in table["session"]:
            marks = [pytest.mark.campaign] if each.get("campaign") else []
            beside = {**table.get("beside", {}), **each.get("beside", {})}
            yield pytest.param(beside, each["steps"], id=f"{path.stem}: {each['title']}", marks=marks)


def edit(path: Path, *changes: str) -> None:
    """The first text of each pair becomes the second, where it stands first."""
    text = path.read_text(encoding="utf-8")
    for before, after in zip(changes[::2], changes[1::2], strict=True):
        assert before in text, f"{path.name} has no {before!r}"
        text = text.replace(before, after, 1)
    path.write_text(text, encoding="utf-8")


def append(path: Path, text: str) -> None:
    """A text more at the end of the file."""
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


FILES: dict[str, Callable[..., object]] = {
    "write": write,
    "append": append,
    "edit": edit,
    "link": Path.symlink_to,
    "pipe": os.mkfifo,
    "size": lambda path, size: path.write_bytes(b"") or os.truncate(path, size),
}
"""What a step does to a file."""


def schema(path: str) -> Any:
    return json.loads((ROOT / path).read_text(encoding="utf-8"))


SARIF = jsonschema.Draft7Validator(schema("tests/verifier/show/sarif-2.1.0.schema.json"))
RUN = jsonschema.Draft202012Validator(schema("verifier/show/run-1.schema.json"))


def assert_valid(words: str, text: str) -> None:
    """A document keeps the schema of its form."""
    if text and "--format sarif" in words:
        SARIF.validate(json.loads(text))
    elif text and "--format junit" in words:
        ElementTree.fromstring(text)
    elif '"schema": "bitreferee/run/1"' in text:
        RUN.validate(json.loads(text))


@pytest.mark.long(
    "repair: Networks: a coordinate that nothing reads, another function, and the limit",
    "repair: A clause that is missing reads the bits that are meant",
    "repair: Errata beside a file are found and told, and do not change the status",
    "repair: What no candidate closes has no proposal, and the limit ends the search",
)
@pytest.mark.parametrize(("beside", "steps"), list(sessions()))
def test_session(verify: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, beside: dict[str, str], steps: list[Any]) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in beside.items():
        write(tmp_path / name, text)
    for action, given, *said in steps:
        if action in FILES:
            FILES[action](tmp_path / given, *said)
        elif action == "gone":
            assert not (tmp_path / given).exists()
        elif action == "holds":
            text = (tmp_path / given).read_text(encoding="utf-8")
            assert [each for each in said if not says(text, each)] == [], text
        else:
            with empty_shelf():
                done = verify(given)
            text = done.out + done.err
            assert done.status in STATUSES[action], f"verify {given}\n{text}"
            assert [each for each in said if not says(text, each)] == [], f"verify {given}\n{text}"
            assert_valid(given, done.out)
            if not re.search(r"\b(gate|check|findings|recheck)\b|--format|--fields", given):
                assert [line for line in done.out.splitlines() if len(line) > COLUMNS and "verify " not in line] == []
