"""Archives that somebody else wrote: nothing is unpickled, nothing large is allocated, each is refused in one line."""

from __future__ import annotations

import io
import json
import pickle
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.command_line import CommandLine
from tests.verifier.weights.small_models import gpt2

ASKED = "--function w[1] --tokens w,2 --heads 2 --eps 0.00001 --activation relu"
KEY = "h.0.attn.c_attn.weight"


class Bomb:
    """What runs if it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (open, (str(Bomb.path), "w"))

    path = Path("unpickled")


def member(array: Any, **_: Any) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=True)
    return buffer.getvalue()


def archive(path: Path, members: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in members.items():
            made.writestr(name, data)


def header(text: str) -> bytes:
    padded = text.ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(padded)) + padded.encode()


def plain() -> dict[str, bytes]:
    return {f"{name}.npy": member(t) for name, t in gpt2(1).items()}


MANY = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({10**9}, {10**6})}}"
NEGATIVE = "{'descr': '<f4', 'fortran_order': False, 'shape': (-1, 4)}"
CODE = "{'descr': __import__('os').system('touch unpickled'), 'fortran_order': False, 'shape': (1,)}"


@pytest.mark.parametrize(
    ("members", "says"),
    [
        (lambda: plain() | {f"{KEY}.npy": member(np.array([Bomb()], object))}, "contains pickled Python objects"),
        (lambda: plain() | {f"{KEY}.npy": pickle.dumps(Bomb())}, KEY),
        (lambda: plain() | {f"{KEY}.npy": header(MANY)}, "0 bytes of data; 4,000,000,000,000,000 were expected, by its header"),
        (lambda: plain() | {f"{KEY}.npy": header(NEGATIVE)}, KEY),
        (lambda: plain() | {f"{KEY}.npy": header(CODE)}, KEY),
        (lambda: plain() | {f"{KEY}.npy": member(gpt2(1)[KEY])[:-7]}, "185 bytes of data; 192 were expected"),
        (lambda: plain() | {f"{KEY}.npy": b""}, KEY),
        (lambda: plain() | {f"{KEY}.npy": np.lib.format.magic(9, 9) + b"\0" * 90}, KEY),
        (lambda: plain() | {"wte.weight.npy": member(np.zeros(3, "U4"))}, "wte.weight has the shape (3)"),
        (lambda: plain() | {"wte.weight.npy": member(np.zeros((3, 4), "U4"))}, "wte.weight has the type <U4; floats"),
        (lambda: plain() | {"wte.weight.npy": member(np.zeros((3, 4), "f4,f4"))}, "wte.weight has the type"),
        (lambda: {"../../escape.npy": member(np.zeros(3))}, "was expected"),
        (dict, "was expected"),
    ],
)
def test_an_archive_is_refused(
    members: Callable[[], dict[str, bytes]], says: str, tmp_path: Path, verify: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    archive(tmp_path / "w.npz", members())
    done = verify(f"convert w.npz net.toml {ASKED}")
    assert done.status == 2, done.err
    assert says in done.err
    assert done.err.count("\n") == 1
    assert sorted(p.name for p in tmp_path.iterdir()) == ["w.npz"]


def safetensors(header: bytes, data: bytes = b"", size: int | None = None) -> bytes:
    return struct.pack("<Q", len(header) if size is None else size) + header + data


def entry(**changes: Any) -> bytes:
    return json.dumps({KEY: {"dtype": "F32", "shape": [4, 12], "data_offsets": [0, 192]} | changes}).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        safetensors(b"{}", size=1 << 62),
        safetensors(b"not json"),
        safetensors(entry()),
        safetensors(entry(shape=[1 << 40, 1 << 40]), b"\0" * 192),
        safetensors(entry(data_offsets=[0, 1 << 60]), b"\0" * 192),
        safetensors(entry(dtype="F33"), b"\0" * 192),
        safetensors(entry(shape=[4, 13]), b"\0" * 192),
    ],
)
def test_safetensors_are_refused(data: bytes, tmp_path: Path, verify: CommandLine) -> None:
    (tmp_path / "w.safetensors").write_bytes(data)
    done = verify(f"convert {tmp_path}/w.safetensors {tmp_path}/net.toml {ASKED}")
    assert (done.status, done.err.count("\n")) == (2, 1), done.err
    assert not (tmp_path / "net.toml").exists()


@pytest.mark.parametrize("suffix", [".npz", ".safetensors"])
def test_devices_and_other_files_are_refused(suffix: str, tmp_path: Path, verify: CommandLine) -> None:
    (tmp_path / f"w{suffix}").symlink_to("/dev/zero")
    for weights, says in ((f"{tmp_path}/w{suffix}", "regular file"), (f"{tmp_path}/none{suffix}", "o such file"), ("/dev/zero", "")):
        done = verify(f"convert {weights} {tmp_path}/net.toml {ASKED}")
        assert (done.status, done.err.count("\n")) == (2, 1)
        assert says in done.err


def test_a_file_is_not_replaced(tmp_path: Path, verify: CommandLine) -> None:
    archive(tmp_path / "w.npz", plain())
    (tmp_path / "net.toml").write_text("mine")
    assert "the file exists" in verify(f"convert {tmp_path}/w.npz {tmp_path}/net.toml {ASKED}").err
    assert "ends in .toml" in verify(f"convert {tmp_path}/w.npz {tmp_path}/net.txt {ASKED}").err
    assert (tmp_path / "net.toml").read_text() == "mine"
