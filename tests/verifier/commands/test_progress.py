"""Progress: silent off a terminal and for quick work, then a line for what is running, none for what is done."""

import io
import sys

import pytest

from verifier.commands.progress import Progress
from verifier.running.limits import silent


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def terminal_for(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    made = Terminal()
    monkeypatch.setattr(sys, "stderr", made)
    monkeypatch.setenv("TERM", "xterm")
    return made


def test_nothing_is_said_off_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with Progress() as advance:
        assert advance is silent


def test_quick_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_for(monkeypatch)
    with Progress() as advance:
        assert isinstance(advance, Progress)
        advance("lemma-22 --p 2", 0, 0)
        advance("lemma-22 --p 2", 1, 0)
    assert terminal.getvalue() == ""


def test_long_work_shows_what_is_running(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_for(monkeypatch)
    monkeypatch.setattr(Progress, "PATIENCE", 10_000)
    with Progress() as advance:
        advance("quick", 0, 0)
        advance("quick", 1, 0)
        advance("slow", 0, 0)
        assert isinstance(advance, Progress)
        advance._timer.function()  # patience is over
        advance("cubes", 3, 1200)
        advance("cubes", 1200, 1200)
        assert list(advance._tasks) == ["slow"]
        advance("left by a counterexample", 5, 9)
        assert len(advance._tasks) == 2
        advance("slow", 1, 0)
        assert not advance._tasks
    assert "slow" in terminal.getvalue()
    assert "quick" not in terminal.getvalue()
