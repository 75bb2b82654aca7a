"""Progress: silent off a terminal and for quick work, then a line for what is running, none for what is done."""

import io
import sys
from pathlib import Path

import pytest

from tests.command_line import CommandLine
from verifier.commands.progress import Progress
from verifier.running.errors import InputError
from verifier.running.limits import Advance, silent


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


def test_work_that_reports_nothing_has_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_for(monkeypatch)
    monkeypatch.setattr(Progress, "PATIENCE", 10_000)
    with Progress("check of certificate.json") as advance:
        assert isinstance(advance, Progress)
        advance._timer.function()  # patience is over
    assert "check of certificate.json" in terminal.getvalue()


SETS = "constructions.fixed_point_networks.commands.sets_command"


@pytest.mark.parametrize(
    ("module", "slow", "words"),
    [
        ("verifier.commands.recheck", "verifier.commands.recheck.recheck.examine", "recheck certificate.json"),
        ("verifier.commands.trace", "verifier.commands.trace.network_trace", "trace gallery/parity --w 01"),
        ("verifier.commands.trace", "verifier.commands.trace.Trace.of", "trace lemma-2.6 --p 8 --y 000000000000000 --z 000000000000000"),
        ("verifier.commands.convert", "verifier.commands.convert.network_written", "convert gallery/parity parity.py --n 2"),
        ("verifier.commands.convert", "verifier.commands.convert.weights_written", "convert weights.npz weights.toml"),
        ("verifier.commands.findings", "verifier.commands.findings.correction_lines", "findings table-5-keys --corrections"),
        ("verifier.commands.browse", "verifier.commands.browse.claims_document", "list lemma-2.6 --format json"),
        ("verifier.commands.sweep", "verifier.sweep.jobs.on_processes", "sweep lemma-2.6 --p 2 --output FOLDER"),
        (SETS, f"{SETS}.set_answer", "tool sets --activation relu --p 2 --s 1"),
    ],
)
def test_what_may_take_long_has_a_line_meanwhile(
    verify: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, module: str, slow: str, words: str
) -> None:
    under_way = []

    class Noted(Progress):
        def __enter__(self) -> Advance:
            under_way.append(list(self._running))
            return super().__enter__()

    def asked(*given: object) -> None:
        assert under_way.pop()
        raise InputError("asked")

    monkeypatch.setattr(f"{module}.Progress", Noted)
    monkeypatch.setattr(slow, asked)
    assert verify(words.replace("FOLDER", str(tmp_path))).err.endswith("verify: asked\n")
