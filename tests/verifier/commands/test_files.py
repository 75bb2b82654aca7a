"""Files read and written: what is refused and how; what is written is there whole, where it was asked for, or not at all."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from tests.command_line import CommandLine
from tests.tables import FOLDER
from verifier.commands import judge, plot, repair, trace
from verifier.commands.main import run
from verifier.networks.record_base import OPTIONS
from verifier.running.errors import InputError
from verifier.show.streams import write_whole

TABLE_6 = (FOLDER / "table-6.toml").read_text(encoding="utf-8")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(TABLE_6, encoding="utf-8")
    (tmp_path / "-d.toml").write_text(TABLE_6, encoding="utf-8")
    return tmp_path


PLACES = [
    "mine.toml --p 8",
    "--p 8 mine.toml",
    "--p=8 --format json mine.toml",
    "--p 8 -- mine.toml",
    "--p 8 -- -d.toml",
    "--method enumerate mine.toml --p 8",
    "mine.toml ./mine.toml --p 8",
]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("words", PLACES)
def test_files_stand_anywhere_among_the_options(verify: CommandLine, here: Path, words: str) -> None:
    done = verify(f"construction {words} --format json" if "--" not in words.split() else f"construction --format json {words}")
    assert done.status == 1, done.err
    for result in done.document["results"]:
        assert verify(*result["replay"].split()[1:]).status == 1


def test_several_files_with_parameters_of_their_own(verify: CommandLine, here: Path) -> None:
    (here / "other.toml").write_text(
        TABLE_6.replace('id = "table-6"', 'id = "other"').replace('n > 4*p"', 'n > 4*p + 8"'), encoding="utf-8"
    )
    results = verify("construction mine.toml other.toml --p 8 --n 40 --format json").document["results"]
    assert [r["claim"] for r in results] == ["construction/table-6", "construction/other"]
    same = verify("construction mine.toml ./-d.toml --p 8 --format json").document["results"]
    assert [r["claim"] for r in same] == ["construction/mine.toml", "construction/d.toml"], "two of one id go by their paths"


@pytest.mark.parametrize("name", ["format", "help", "P", "pQ", "y", "output", "papers"])
def test_a_parameter_that_cannot_be_an_option_is_refused_when_the_file_is_read(verify: CommandLine, here: Path, name: str) -> None:
    (here / "mine.toml").write_text(TABLE_6.replace("[parameters.p]", f"[parameters.{name}]"), encoding="utf-8")
    done = verify("construction mine.toml --p 8")
    assert done.status == 2
    assert done.err.startswith("verify: mine.toml: ")
    assert repr(name) in done.err


def test_the_names_refused_are_the_options_there_are() -> None:
    params = [p for each in (judge.command, trace.command, plot.command, repair.command) for p in each.get_params(click.Context(each))]
    own = {name for p in params for name in (p.name or "", *(o[2:] for o in p.opts if o.startswith("--")))}
    assert {name for name in own if not name.startswith("_")} | {"papers", "y", "z"} == set(OPTIONS)


NO_FILES: list[tuple[str, Callable[[Path], object], str]] = [
    ("a pipe", os.mkfifo, "no regular file"),
    ("a directory", Path.mkdir, "a directory, a file was expected"),
    ("a device", lambda path: path.symlink_to("/dev/zero"), "no regular file"),
    ("500 MB", lambda path: (path.touch(), os.truncate(path, 500 << 20)), "524,288,000 bytes, the limit for a file is 4,194,304"),
    ("nothing", lambda path: None, "no such file"),
    ("a loop of links", lambda path: path.symlink_to(path), "symbolic links"),
]


@pytest.mark.parametrize(("make", "message"), [row[1:] for row in NO_FILES], ids=[row[0] for row in NO_FILES])
def test_what_is_no_file_is_one_line(verify: CommandLine, here: Path, make: Callable[[Path], object], message: str) -> None:
    (here / "mine.toml").unlink()
    make(here / "mine.toml")
    done = verify("construction mine.toml --p 8")
    assert done.status == 2
    assert done.err.startswith("verify: mine.toml: ")
    assert message in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize("words", ["lemma-2.6 --p 1000000", "theorem-2.1:tell-apart --q 1 --m 1000000"])
def test_a_number_too_large_to_be_written_declines(verify: CommandLine, words: str) -> None:
    done = verify(words)
    assert done.status == 3, done.err
    assert re.search("lifts the limit|; choose ", " ".join(done.out.split()))


def test_a_link_is_followed_and_the_mode_kept(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("before")
    target.chmod(0o640)
    link.symlink_to(target)
    write_whole(link, b"after")
    assert (link.is_symlink(), target.read_bytes(), stat.S_IMODE(target.stat().st_mode)) == (True, b"after", 0o640)
    dangling = tmp_path / "dangling"
    dangling.symlink_to(tmp_path / "new")
    write_whole(dangling, b"made")
    assert (tmp_path / "new").read_bytes() == b"made"


@pytest.mark.parametrize(("device", "fails"), [("/dev/null", False), ("/dev/full", True)])
def test_a_device_stays_a_device(device: str, fails: bool) -> None:
    words = ["definition-a.5", "--m", "3", "--format", "json", "--output", device]
    assert run(words) == (2 if fails else 0)
    assert stat.S_ISCHR(os.stat(device).st_mode)


def test_a_pipe_takes_what_is_written(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(InputError, match="nothing reads this pipe"):
        write_whole(pipe, b"text")
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(pipe, b"text")
    assert os.read(reader, 10) == b"text"
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize("call", ["os.fsync", "pathlib.Path.replace"])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_leaves_the_old_file_and_no_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, error: BaseException
) -> None:
    def fail(*_: object) -> None:
        raise error

    target = tmp_path / "target"
    target.write_text("before")
    monkeypatch.setattr(call, fail)
    with pytest.raises(InputError if isinstance(error, OSError) else KeyboardInterrupt):
        write_whole(target, b"after")
    assert [file.name for file in tmp_path.iterdir()] == ["target"]
    assert target.read_text() == "before"
