"""Checkpoints with new tensors in place of old ones, written in the old form: in one file, or in shards."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np

from verifier.running.errors import InputError
from verifier.show.streams import write_whole
from verifier.weights.tensors import Checkpoint, Tensor


class Changed(Checkpoint):
    """A checkpoint whose new tensors take the place of old ones until :meth:`write`."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.new: dict[str, Tensor] = {}

    def __getitem__(self, name: str) -> Tensor:
        return self.new[name] if name in self.new else super().__getitem__(name)

    def __setitem__(self, name: str, tensor: Tensor) -> None:
        self.new[name] = tensor

    def write(self, into: Path) -> None:
        """Write all tensors: one file into a file, shards into shards of the same names in a folder that exists.

        Raises:
            InputError: another format, or a file cannot be written.
        """
        if not self.sharded:
            save(into, {name: self[name] for name in self}, self.files[0].metadata)
            return
        if into.resolve() == self.folder.resolve():
            raise InputError(f"--write {into}: another folder than that of the checkpoint was expected")
        into.mkdir(parents=True, exist_ok=True)
        for file in self.files:
            save(into / file.path.name, {name: self[name] for name in file.held}, file.metadata)
        for index in filter(Path.is_file, self.folder.glob("*.index.json")):
            write_whole(into / index.name, index.read_bytes())

    def check_target(self, into: Path) -> None:
        """Refuse a target of :meth:`write` before any work is done.

        Raises:
            InputError: another suffix, or for shards no folder.
        """
        if self.sharded and not into.is_dir():
            raise InputError(f"--write {into}: a folder that exists was expected, for a checkpoint in shards")
        if not self.sharded and into.suffix not in (".npz", ".safetensors"):
            raise InputError(f"--write {into}: .npz or .safetensors was expected")


def of_two(paths: tuple[Path, ...]) -> Changed:
    """A checkpoint of W_q and W_k, the single tensors of two files.

    Raises:
        InputError: a file that cannot be read, or with more than one tensor.
    """
    first = Changed(paths[0])
    for name, path in zip(("W_q", "W_k"), paths, strict=True):
        held = Changed(path)
        if len(held.where) != 1:
            raise InputError(f"{path} holds {len(held.where)} tensors; one was expected where two files are given")
        first.new[name] = held[next(iter(held))]
    first.where = dict.fromkeys(first.new, first.files[0])
    first.sharded = False
    return first


def save(path: Path, tensors: dict[str, Tensor], metadata: dict[str, str] | None = None) -> None:
    """Write tensors into an ``.npz`` or ``.safetensors`` file, whole or not at all.

    Raises:
        InputError: another format, or the file cannot be written.
    """
    if path.suffix == ".safetensors":
        import safetensors.numpy

        write_whole(path, safetensors.numpy.save({n: np.ascontiguousarray(t) for n, t in tensors.items()}, metadata or None))
    elif path.suffix == ".npz":
        buffer = io.BytesIO()
        arrays: Any = tensors
        np.savez(buffer, **arrays)
        write_whole(path, buffer.getvalue())
    else:
        raise InputError(f"{path}: .npz or .safetensors was expected")
