"""``verify precision``: the table, its JSON, its exit statuses, and replays that are wrong again."""

from __future__ import annotations

import json
import shlex

import pytest
from click.testing import CliRunner

from verifier.commands.precision import command
from verifier.running.errors import InputError


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(command, [*arguments], standalone_mode=False, catch_exceptions=False)
    status: int = result.return_value
    return status, result.output


def test_the_first_wrong_input_and_its_replay() -> None:
    status, text = run("gallery/parity", "--lengths", "1..4", "--formats", "e2m3,float32", "--format", "json")
    assert status == 1
    wrong, right = json.loads(text)["cells"]
    assert wrong["first_wrong"] == {"length": 2, "input": "00", "expected": "no", "found": "neither"}
    assert right["first_wrong"] is None
    assert right["decided_to"] == 4
    _, _, *replay = shlex.split(wrong["replay"])
    status, text = run(*replay)
    assert status == 1
    assert "answer: neither (answer = 0); the right answer is no" in text


def test_the_table() -> None:
    status, text = run("gallery/dyck-1", "--lengths", "1..6", "--formats", "float32,exact")
    assert status == 1
    assert "float32               5  n = 6, w = ((())): no, not yes" in text
    assert "exact                 6  none" in text


def test_all_right_and_too_much_work() -> None:
    assert run("gallery/first", "--lengths", "1..4", "--formats", "float32")[0] == 0
    status, text = run("gallery/first", "--lengths", "1..30", "--formats", "float32", "--limit", "1000")
    assert status == 3
    assert "needs more work than --limit allows" in text


@pytest.mark.parametrize(
    "arguments",
    [
        ("gallery/none",),
        ("gallery/parity", "--lengths", "a..b"),
        ("gallery/parity", "--formats", "float8"),
        ("gallery/parity", "--lengths", "0..0"),
        ("gallery/parity", "--with", "m=1"),
        ("gallery/parity", "--with", "n=3", "--with", "w=01"),
    ],
)
def test_wrong_command_lines(arguments: tuple[str, ...]) -> None:
    with pytest.raises(InputError):
        run(*arguments)
