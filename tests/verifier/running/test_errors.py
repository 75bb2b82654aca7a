"""Mistakes of a file, one line each, and not without end."""

from __future__ import annotations

import pytest

from verifier.running.errors import FileDefect, FileDefects, InputError, lines_of


@pytest.mark.parametrize(("count", "lines"), [(1, 1), (100, 100), (101, 101), (100_000, 101)])
def test_of_very_many_mistakes_the_first_are_told_and_the_others_counted(count: int, lines: int) -> None:
    told = lines_of(FileDefects([FileDefect(("row", k), "no value") for k in range(count)], "a.toml"))
    assert len(told) == lines
    assert told[0] == "a.toml: row 1: no value"
    assert ("more mistakes" in told[-1]) == (count > 100)
    assert count <= 100 or told[-1] == f"{count - 100:,} more mistakes"


def test_another_error_is_one_line() -> None:
    assert lines_of(InputError("two\nlines")) == ("two\\nlines",)
