"""Files read and written: what is refused and how; what is written is there whole, where it was asked for, or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import click
import pytest

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


def test_the_names_refused_are_the_options_there_are() -> None:
    params = [p for each in (judge.command, trace.command, plot.command, repair.command) for p in each.get_params(click.Context(each))]
    own = {name for p in params for name in (p.name or "", *(o[2:] for o in p.opts if o.startswith("--")))}
    assert {name for name in own if not name.startswith("_")} | {"papers", "y", "z"} == set(OPTIONS)


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
