"""Mistakes of a file, one line each, and not without end."""

from __future__ import annotations

import builtins
import pickle
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from verifier.running.errors import FileDefect, FileDefects, InputError, lines_of


@pytest.mark.parametrize(("count", "lines"), [(1, 1), (100, 100), (101, 101), (10_000, 101)])
def test_of_very_many_mistakes_the_first_are_told_and_the_others_counted(count: int, lines: int) -> None:
    told = lines_of(FileDefects([FileDefect(("row", k), "no value") for k in range(count)], "a.toml"))
    assert len(told) == lines
    assert told[0] == "a.toml: row 1: no value"
    assert ("more mistakes" in told[-1]) == (count > 100)
    assert count <= 100 or told[-1] == f"{count - 100:,} more mistakes"


def test_another_error_is_one_line() -> None:
    assert lines_of(InputError("two\nlines")) == ("two\\nlines",)


ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "NotInGrammarError": (3, "a word"),
    "FileDefects": ([FileDefect(("row", 1), "no value"), FileDefect((), "no id", "the file")], "a.toml"),
    "MissingExtraError": ("a solver is missing", "search"),
    "UntrustedError": ("needs Python of its own folder", "--trust"),
    "LimitError": ("too much", "--limit"),
    "Wrong": ("x = 1", "the value is 2, 0 was claimed"),
    "FalseAt": ({"p": 3},),
    "UnknownNameError": ("x", ("p", "m")),
}
"""Of constructors that take more than a message."""
ROOT = Path(__file__).parents[3]


def exceptions() -> list[type[BaseException]]:
    """Every exception class that the program defines, found in its text."""
    defined = [
        (path, *each)
        for package in ("bitreferee", "constructions", "lowerbounds", "verifier")
        for path in sorted((ROOT / package).rglob("*.py"))
        for each in re.findall(r"^class (\w+)\(([\w., ]+)\):", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    ours: dict[str, type[BaseException]] = {}
    bases = {name for name, each in vars(builtins).items() if isinstance(each, type) and issubclass(each, BaseException)}
    while more := [(path, name) for path, name, above in defined if f"{path} {name}" not in ours and above.split(".")[-1] in bases]:
        for path, name in more:
            found = getattr(import_module(".".join(path.relative_to(ROOT).with_suffix("").parts)), name)
            if issubclass(found, BaseException):
                bases.add(name)
            ours[f"{path} {name}"] = found
    return [each for each in ours.values() if issubclass(each, BaseException)]


def test_every_exception_crosses_a_process() -> None:
    """What a worker raises arrives with the same class, line and fields."""
    found = exceptions()
    assert {FileDefects, InputError} < set(found)
    for each in found:
        error = each(*ARGUMENTS.get(each.__name__, ("a message",)))
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again), vars(again)) == (each, str(error), vars(error))


def test_defects_arrive_with_the_file_and_line_that_were_added() -> None:
    error = FileDefects([FileDefect(("row", 1), "no value"), FileDefect((), "no id")], "a.toml").located(
        "b.toml", lambda path: len(path) or None
    )
    again = pickle.loads(pickle.dumps(error))
    assert lines_of(again) == lines_of(error) == ("b.toml:2: row 2: no value", "b.toml: no id")
