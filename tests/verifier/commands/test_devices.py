"""What a user names for reading is a regular file; what is written goes into a folder that exists."""

import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from tests.command_line import CommandLine
from tests.papers_of_tests import FOLDER

REPRESENT = "tool represent --activation relu --p 1 --s 1"


@pytest.mark.parametrize(
    "words",
    [
        f"{REPRESENT} --target /dev/zero",
        "tool represent --activation /dev/zero --p 1 --s 1 --target random",
        "construction /dev/zero",
        "precision /dev/zero",
        "precision gallery/first --journal /dev/zero",
        "tool every-pair /dev/zero",
        "gate --table /dev/zero --paper toy",
        "tool noise /dev/zero",
        "convert /dev/zero net.toml --function 1",
        "tool simulate one-bit --quick --output /dev/zero",
        "recheck --construction /dev/zero /dev/null",
    ],
)
def test_a_device_is_not_read(verify: CommandLine, words: str) -> None:
    done = verify(words)
    assert done.status == 2
    assert 0 < len(done.out + done.err) < 2500


@pytest.mark.parametrize(
    "words",
    [
        f"{REPRESENT} --target PIPE",
        "construction PIPE.toml",
        "construction tests/good.toml --p 3 --errata PIPE.toml",
        "precision PIPE.toml",
        "precision gallery/first --journal PIPE",
        "tool every-pair PIPE",
        "gate --table PIPE --paper piecewise-affine",
        "tool noise PIPE.npz",
        "convert PIPE.safetensors net.toml --function 1",
        "tool simulate one-bit --quick --output PIPE",
        "recheck PIPE",
        "recheck PIPE.gz",
        "--papers PIPE list",
    ],
)
def test_a_pipe_is_not_waited_for(verify: CommandLine, tmp_path: Path, words: str) -> None:
    for suffix in ("", ".toml", ".npz", ".safetensors", ".gz"):
        os.mkfifo(tmp_path / f"pipe{suffix}")
    done = verify(words.replace("PIPE", str(tmp_path / "pipe")))
    assert done.status == 2
    assert (done.out + done.err).count("\n") < 4


def test_pipes_and_devices_in_a_paper_are_not_read(verify: CommandLine, tmp_path: Path) -> None:
    """Files that no other file names: a kept run depends on their names."""
    shutil.copytree(FOLDER, tmp_path / "mine")
    os.mkfifo(tmp_path / "mine" / "more.toml")
    (tmp_path / "mine" / "endless.toml").symlink_to("/dev/zero")
    (tmp_path / "mine" / "folder.toml").mkdir()
    assert verify(f"--papers {tmp_path / 'mine'} findings toy").status == 3
    with (tmp_path / "mine" / "large.toml").open("wb") as large:
        large.truncate(1 << 40)
    assert verify(f"--papers {tmp_path / 'mine'} findings toy").status == 3


def test_a_link_to_a_device_is_one(verify: CommandLine, tmp_path: Path) -> None:
    for name in ("target", "w.npz", "model.safetensors"):
        (tmp_path / name).symlink_to("/dev/zero")
    assert verify(f"{REPRESENT} --target {tmp_path / 'target'}").status == 2
    assert "regular file" in verify(f"tool noise {tmp_path / 'w.npz'}").err
    assert "regular file" in verify(f"tool noise {tmp_path / 'model.safetensors'}").err


@pytest.mark.parametrize("words", [f"{REPRESENT} --target random --network", "construction tests/good.toml --p 3 --format json --output"])
def test_no_folder_is_made_for_an_output(verify: CommandLine, tmp_path: Path, words: str) -> None:
    done = verify(f"{words} {tmp_path / 'no' / 'file.json'}")
    assert done.status == 2
    assert "cannot be written: No such file or directory" in done.err
    assert not list(tmp_path.iterdir())


def test_a_long_text_of_a_file_is_cut(verify: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "long.toml"
    path.write_text(f'format = "{"x" * 1_000_000}"\n')
    done = verify(f"construction {path}")
    assert (done.status, len(done.err) < 2500) == (2, True)
    assert "was expected as the file's first line" in done.err


def test_weights_whose_products_leave_float64_are_refused(verify: CommandLine, tmp_path: Path) -> None:
    rows = np.random.default_rng(0).normal(size=(6, 4))
    for name, scale in (("large", 1e300), ("good", 1e18)):
        np.savez(tmp_path / f"{name}.npz", **{"q_proj.weight": rows * scale, "k_proj.weight": rows * scale})
    done = verify(f"tool noise {tmp_path / 'large.npz'} --layout in-out")
    assert (done.status, "has an entry beyond 2^64" in done.err) == (2, True)
    done = verify(f"tool noise {tmp_path / 'good.npz'} --layout in-out --search --steps 3 --output {tmp_path / 'numbers.json'}")
    assert done.status == 0, done.err
    assert not {"nan", "inf", "NaN", "Infinity"} & set((done.out + (tmp_path / "numbers.json").read_text()).replace('"', " ").split())


@pytest.mark.parametrize("tables", ["tables = 3", "[tables]\nlemma-1 = 3", '[tables]\n"../x" = "lemma-1"'])
def test_tables_that_are_no_names_are_a_line(verify: CommandLine, tmp_path: Path, tables: str) -> None:
    for source in FOLDER.rglob("*.toml"):
        target = tmp_path / "mine" / source.relative_to(FOLDER)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(source.read_text())
    about = tmp_path / "mine" / "paper.toml"
    about.write_text(
        about.read_text().replace("[functions]", f"{tables}\n[functions]") if tables[0] == "[" else tables + "\n" + about.read_text()
    )
    done = verify(f"--papers {tmp_path / 'mine'} toy/lemma-1 --p 2")
    assert done.status == 2
    assert "tables" in done.err or "a table" in done.err
