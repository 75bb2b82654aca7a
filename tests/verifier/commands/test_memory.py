"""What a command may take of the memory, and rows that appear as they are finished."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.papers_of_tests import FOLDER
from verifier.claims.model import DEFAULT_SEMANTICS
from verifier.claims.papers import find_claim
from verifier.claims.points import points
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Result
from verifier.commands import main
from verifier.running.errors import InputError
from verifier.running.limits import read_bytes
from verifier.show.screen import show_ranges

SIZES = [
    ("2000000", 2_000_000),
    ("1K", 1 << 10),
    ("500M", 500 << 20),
    ("6G", 6 << 30),
    ("", None),
    ("0", None),
    ("-1G", None),
    ("6 G", None),
    ("6g", None),
    ("99999999999999999G", None),
]


@pytest.mark.parametrize(("text", "size"), SIZES)
def test_sizes_are_read_in_binary_units(text: str, size: int | None) -> None:
    if size is not None:
        assert read_bytes(text) == size
    else:
        with pytest.raises(InputError, match="500M or 6G was expected"):
            read_bytes(text)


def limited(words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "verifier", *words.split()], capture_output=True, text=True)


@pytest.mark.campaign
def test_a_large_point_of_the_first_example_needs_little_memory() -> None:
    """Nothing of 2^m strings is formed, m = 31."""
    done = limited("theorem-2.4 --p 16 --memory 400M")
    assert done.returncode == 1, done.stderr
    assert "--memory" not in done.stdout


def test_a_paper_for_which_workers_lack_memory_is_declined_in_a_line() -> None:
    """A worker may meet the bound while it imports what it is to do."""
    done = limited(f"--papers {FOLDER} --trust toy --memory 100M --fresh")
    assert (done.returncode, done.stderr.count("\n")) == (3, 1), done.stderr
    assert "declined: needs more memory than --memory allows" in done.stderr


def test_what_needs_more_is_declined_in_its_row() -> None:
    """A judge that asks for more than the bound is declined, and the next claim is judged."""
    program = """
from verifier.claims.model import DEFAULT_SEMANTICS, Claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict
from verifier.running.limits import keep_within

def judge(size):
    def judged(query):
        bytearray(size)
        return Outcome(Verdict.VERIFIED, Scope("one case", 1, "enumeration"))
    return judged

keep_within(1 << 27)
for name, size in (("large", 1 << 29), ("small", 1 << 20)):
    claim = Claim(f"artificial/{name}", "says", "here", "nothing", judge=judge(size), bounded=False)
    made, _ = Session().outcome(claim, Edition.STATEMENT, {}, DEFAULT_SEMANTICS)
    print(made.verdict.value, made.reason)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    large, small = done.stdout.splitlines()
    assert large.startswith("declined needs more memory than --memory allows")
    assert small == "verified None"


def test_rows_are_shown_before_a_later_point_is_judged(capsys: pytest.CaptureFixture[str]) -> None:
    claim, printed = find_claim("lemma-2.6"), []

    def judged() -> Iterator[Result]:
        for point in points(claim, {"p": "6..8"}):
            printed.append(capsys.readouterr().out)
            if point["p"] == 8:
                raise KeyboardInterrupt
            for edition in Edition:
                yield Result(claim.id, edition, point, "a4", *Session().outcome(claim, edition, point, DEFAULT_SEMANTICS))

    with pytest.raises(KeyboardInterrupt):
        show_ranges(judged(), find_claim, tuple(Edition))
    assert "p=6 " in printed[-1]
    assert "p=7 " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (ImportError("libflint.so: failed to map segment from shared object"), 3),
        (RuntimeError("can't start new thread"), 3),
        (MemoryError(), 3),
        (ImportError("no module of this name"), 70),
        (ValueError("failed to map segment"), 70),
    ],
)
def test_a_library_that_finds_no_memory_declines_the_command(
    error: Exception, status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def short(arguments: list[str]) -> None:
        raise error

    monkeypatch.setattr(main, "_called", short)
    assert main.run(["list"]) == status
    assert ("declined: needs more memory than --memory allows" in capsys.readouterr().err) == (status == 3)
