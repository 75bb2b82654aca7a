"""Commands that are killed, or meet a full disk, in the middle: nothing is lost, nothing is wrong afterwards, no file is left over."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.papers_of_tests import FOLDER
from verifier.show.streams import write_whole

FULL = (2, 3)
"""The exit statuses of a command that could not write a file; one that only could not keep its run has its own."""
COMMANDS = {
    "report": "--papers paper --trust report --jobs 2",
    "gate": "--papers paper --trust gate --update --jobs 2",
    "check": "--papers paper --trust check --update --jobs 2",
    "precision": "precision gallery/parity --n 1..14 --arithmetic float16,e4m3 --journal journal",
    "proofs": "--papers paper proofs toy --jobs 2",
}


PROOFS = {
    "proofs.toml": """
kernel = "coq"
version = "8.16.1"
namespace = "Mine"
modules = ["Statement", "Proof"]
theorem = [{ name = "proved", file = "Proof", statement = "Statement", states = "stated" }]
""",
    "Statement.v": "Definition stated : Prop := forall n : nat, n = n.\n",
    "Proof.v": "From Mine Require Import Statement.\nTheorem proved : stated.\nProof. intros n. reflexivity. Qed.\n",
}


def started(words: str, folder: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "BITREFEREE_CACHE": str(folder / "cache"), "TMPDIR": str(folder / "temporary")}
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-m", "verifier", *words.split()], cwd=folder, env=environment, stdout=pipe, stderr=pipe, text=True
    )


def fresh(folder: Path) -> Path:
    (folder / "temporary").mkdir(parents=True)
    shutil.copytree(FOLDER, folder / "paper", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "paper" / "proofs").mkdir()
    for name, text in PROOFS.items():
        (folder / "paper" / "proofs" / name).write_text(text, encoding="utf-8")
    return folder


def files(folder: Path) -> dict[str, bytes]:
    """All files but the kept results, of which the content may differ, and what Python compiled."""
    every = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {str(path.relative_to(folder)): b"" if path.name in ("results.sqlite", "journal") else path.read_bytes() for path in every}


def ended(words: str, folder: Path) -> tuple[int, str, dict[str, bytes]]:
    process = started(words, folder)
    out, _ = process.communicate()
    return process.returncode, out, files(folder)


@pytest.mark.campaign
@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "proofs" or shutil.which("coqc")])
def test_a_command_that_is_killed(tmp_path: Path, name: str) -> None:
    words, moments = COMMANDS[name], random.Random(name)
    begun = time.monotonic()
    status, out, expected = ended(words, fresh(tmp_path / "whole"))
    whole = time.monotonic() - begun
    folder = fresh(tmp_path / "killed")
    for _ in range(8):
        process = started(words, folder)
        time.sleep(moments.uniform(0.1, whole))
        process.kill()
        process.communicate()
        left = {path for path in files(folder) if not path.endswith((".part", "-journal")) and not path.startswith("temporary/")}
        assert left <= expected.keys()
    assert ended(words, folder) == (status, out, expected)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of some kilobytes."""
    place = tmp_path / "disk"
    place.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "none", str(place)], check=False, capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


@pytest.mark.campaign
@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "proofs" or shutil.which("coqc")])
def test_a_disk_that_is_full(tmp_path: Path, small_disk: Path, name: str) -> None:
    status, out, expected = ended(COMMANDS[name], fresh(tmp_path / "whole"))
    folder, filler = fresh(small_disk / "here"), small_disk / "filler"
    for free in (0, 4096, 16384, 40960):
        filler.unlink(missing_ok=True)
        room = os.statvfs(small_disk)
        filler.write_bytes(b"x" * max(0, room.f_bavail * room.f_bsize - free))
        found, _, left = ended(COMMANDS[name], folder)
        assert found in (status, *FULL)
        assert not [path for path in left if path.endswith(".part")]
        assert left.keys() <= expected.keys()
        assert all(left[path] in (b"", expected[path]) for path in left)
    filler.unlink()
    assert ended(COMMANDS[name], folder) == (status, out, expected)


def test_what_a_killed_process_left_goes_with_the_next_file(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    for name in (f".{gone.pid}.part", f".{os.getppid()}.part", ".x.part"):
        (tmp_path / name).write_text("half")
    write_whole(tmp_path / "page.md", b"whole")
    assert {path.name for path in tmp_path.iterdir()} == {"page.md", f".{os.getppid()}.part", ".x.part"}
