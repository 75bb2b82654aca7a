"""Weight files: ``.npy``, ``.npz``, ``.safetensors`` and sharded checkpoints, read tensor by tensor."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zipfile import is_zipfile

import numpy as np
import numpy.typing as npt

from verifier.running.errors import InputError, MissingExtraError
from verifier.running.input_files import MOST_RESULT_BYTES, read_regular

Tensor = npt.NDArray[Any]
FORMATS = (".npy", ".npz", ".safetensors")


class WeightFile:
    """One file of tensors: their names, each read when it is asked for, and what else the file says of itself."""

    def __init__(self, path: Path) -> None:
        """Open a file of one of :data:`FORMATS`.

        Raises:
            InputError: no such regular file, or none of these; MissingExtraError: ``.safetensors`` without the extra.
        """
        if path.suffix not in FORMATS:
            raise InputError(f"{path}: .npy, .npz or .safetensors was expected")
        if path.exists() and not path.is_file():
            raise InputError(f"{path}: a regular file was expected")
        self.path = path
        self.metadata: dict[str, str] = {}
        with _one_line(path):
            self.held: Mapping[str, Any] = self._opened()

    def _opened(self) -> Mapping[str, Any]:
        if self.path.suffix == ".npy":
            return {self.path.stem: np.load(self.path, allow_pickle=False)}
        if self.path.suffix == ".npz":
            if self.path.exists() and not is_zipfile(self.path):
                raise ValueError("no archive of arrays")
            held: Any = np.load(self.path, allow_pickle=False)
            return dict.fromkeys(held.files)
        library = _safetensors()
        with library.safe_open(self.path, framework="np") as file:
            self.metadata = dict(file.metadata() or {})
            return dict.fromkeys(file.keys())

    def read(self, name: str) -> Tensor:
        """A tensor; bfloat16 and the 8-bit floats have the types of ml_dtypes."""
        with _one_line(self.path):
            if self.path.suffix == ".npy":
                return np.asarray(self.held[name])
            if self.path.suffix == ".npz":
                with np.load(self.path, allow_pickle=False) as held:
                    return np.asarray(held[name])
            return _read_safetensor(self.path, name)


class Checkpoint(Mapping[str, Tensor]):
    """The tensors of one file or of all shards of a checkpoint."""

    def __init__(self, path: Path) -> None:
        """Read a file, a folder with shards, or the ``.index.json`` of shards.

        Raises:
            InputError: what cannot be read; MissingExtraError: ``.safetensors`` without the extra.
        """
        self.path = path
        self.files = [WeightFile(p) for p in _shards(path)]
        self.where = {name: file for file in self.files for name in file.held}
        self.folder = path if path.is_dir() else path.parent
        self.sharded = path.is_dir() or path.suffix == ".json"

    def __iter__(self) -> Iterator[str]:
        return iter(self.where)

    def __len__(self) -> int:
        return len(self.where)

    def __contains__(self, name: object) -> bool:
        return name in self.where

    def __getitem__(self, name: str) -> Tensor:
        return self.where[name].read(name)

    def config(self) -> dict[str, Any]:
        """The ``config.json`` beside a sharded checkpoint or a ``.safetensors`` file, if there is one.

        Raises:
            InputError: it is not a JSON object.
        """
        beside = self.folder / "config.json"
        if self.path.suffix in (".npy", ".npz") or not beside.is_file():
            return {}
        with _one_line(beside):
            found = json.loads(read_regular(beside))
        if not isinstance(found, dict):
            raise InputError(f"{beside}: a JSON object was expected")
        return found


def _shards(path: Path) -> list[Path]:
    """The files of a checkpoint, in order.

    Raises:
        InputError: an index that names no files of its own folder, or a folder without ``.safetensors`` files.
    """
    if path.is_dir():
        found = sorted(path.glob("*.safetensors"))
        if not found:
            raise InputError(f"{path}: no .safetensors file in this folder")
        return found
    if path.suffix != ".json":
        return [path]
    with _one_line(path):
        table = json.loads(read_regular(path, MOST_RESULT_BYTES))
    names = table.get("weight_map") if isinstance(table, dict) else None
    if not isinstance(names, dict) or not names or not all(isinstance(n, str) and Path(n).name == n for n in names.values()):
        raise InputError(f'{path}: an index with a "weight_map" of file names was expected')
    return [path.parent / name for name in sorted(set(names.values()))]


def _safetensors() -> Any:
    try:
        import ml_dtypes  # noqa: F401  (gives NumPy the types bfloat16 and float8)
        import safetensors
    except ModuleNotFoundError:
        raise MissingExtraError("reading .safetensors", "weights") from None
    return safetensors


def _read_safetensor(path: Path, name: str) -> Tensor:
    """A tensor of a file; the library gives 8-bit floats as bytes only."""
    import ml_dtypes

    library = _safetensors()
    with library.safe_open(path, framework="np") as file:
        kind = file.get_slice(name).get_dtype()
        if not kind.startswith("F8"):
            return np.asarray(file.get_tensor(name))
    types = {"F8_E4M3": ml_dtypes.float8_e4m3fn, "F8_E5M2": ml_dtypes.float8_e5m2}
    if kind not in types:
        raise ValueError(f"{name} has the type {kind}; F8_E4M3 or F8_E5M2 was expected")
    found = dict(library.deserialize(path.read_bytes()))[name]
    return np.frombuffer(found["data"], types[kind]).reshape(found["shape"])


@contextmanager
def _one_line(path: Path) -> Iterator[None]:
    """What a library finds wrong with a file, as one line."""
    try:
        yield
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        raise InputError(f"{path}: {str(error).splitlines()[0][:200] if str(error) else 'not readable'}") from None
    except Exception as error:
        if type(error).__module__.startswith(("safetensors", "zipfile", "zlib")):
            raise InputError(f"{path}: {str(error)[:200]}") from None
        raise
