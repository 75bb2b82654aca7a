"""Weight files: ``.npy``, ``.npz``, ``.safetensors`` and sharded checkpoints, read tensor by tensor, and the tensors of a network as exact
fractions, each with the expected shape, and all of them read.
"""

from __future__ import annotations

import json
import math
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from verifier.arithmetic.rationals import Fraction
from verifier.running.errors import InputError, LimitError, MissingExtraError
from verifier.running.input_files import MOST_RESULT_BYTES, read_regular

Tensor = npt.NDArray[Any]
FORMATS = (".npy", ".npz", ".safetensors")


class WeightFile:
    """One file of tensors: their names, each read on demand, and the file's other data about itself."""

    def __init__(self, path: Path) -> None:
        """Open a file of one of :data:`FORMATS`.

        Raises:
            InputError: the regular file does not exist, or has another format; MissingExtraError: ``.safetensors`` needs the extra.
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
            if self.path.exists() and not zipfile.is_zipfile(self.path):
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

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of every tensor, from headers alone, so that a header that promises more than the file contains allocates nothing.

        Raises:
            InputError: a header is invalid, of Python objects, or of another size than its data.
        """
        if self.path.suffix == ".npz":
            with zipfile.ZipFile(self.path) as archive:
                return {name: _header(self.path, name, archive) for name in self.held}
        if self.path.suffix == ".safetensors":
            with _safetensors().safe_open(self.path, framework="np") as file:  # the library holds sizes against the file's
                return {name: tuple(file.get_slice(name).get_shape()) for name in self.held}
        raise InputError(f"{self.path}: .npz or .safetensors was expected")


class Checkpoint(Mapping[str, Tensor]):
    """The tensors of one file or of all shards of a checkpoint."""

    def __init__(self, path: Path) -> None:
        """Read a file, a folder with shards, or the ``.index.json`` of shards.

        Raises:
            InputError: the file cannot be read; MissingExtraError: ``.safetensors`` needs the extra.
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
        InputError: an index names no files of its own folder, or a folder has no ``.safetensors`` files.
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
    """A library's complaint about a file, as one line."""
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


MOST_NUMBERS = 1 << 17
"""Numbers of all tensors that become a network file."""

Row: TypeAlias = list[Fraction]
Matrix: TypeAlias = list[Row]
Shape: TypeAlias = tuple[int | None, ...]


class Tensors:
    """The tensors of a file, by name; ``prefix`` precedes every requested name, if the file has it."""

    prefix = ""

    def __init__(self, path: Path) -> None:
        """Open a file, a folder with shards or their index.

        Raises:
            InputError: the file cannot be read; LimitError: more numbers than a network file may contain.
        """
        self.path = path
        self.file = Checkpoint(path)
        self.shapes = {name: shape for each in self.file.files for name, shape in each.shapes().items()}
        self.unread = set(self.shapes)
        count = sum(math.prod(shape) for shape in self.shapes.values())
        if count > MOST_NUMBERS:
            raise LimitError(
                f"{path}: a network file of {count:,} weights, more than {MOST_NUMBERS:,}", "a smaller model, or a part of one"
            )

    def full(self, name: str) -> str:
        """The name in the file."""
        return self.prefix + name if self.prefix + name in self.shapes else name

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.full(name) in self.shapes

    def matching(self, pattern: str) -> list[re.Match[str]]:
        """Names that match a pattern completely, after the prefix, in the order of the file."""
        found = (re.fullmatch(pattern, name.removeprefix(self.prefix)) for name in self.shapes)
        return [match for match in found if match]

    def layers(self, pattern: str) -> int:
        """The number of layers. pattern: the name of a tensor that each layer has; its group is the layer's number from 0.

        Raises:
            InputError: one is missing.
        """
        numbers = sorted(int(match[1]) for match in self.matching(pattern))
        if numbers != list(range(len(numbers))):
            raise InputError(f"{self.path}: layers {', '.join(map(str, numbers))}; 0 to {len(numbers) - 1} were expected")
        return len(numbers)

    def matrix(self, name: str, shape: Shape, turned: bool = False) -> Matrix:
        """A tensor of two axes; turned: its transpose."""
        array = self._array(name, shape)
        return [[exact(x) for x in row] for row in (array.T if turned else array).tolist()]

    def vector(self, name: str, size: int | None) -> Row:
        """A tensor of one axis."""
        return [exact(x) for x in self._array(name, (size,)).tolist()]

    def vector_or(self, name: str, size: int) -> Row:
        """A tensor of one axis, or zeros if it does not exist."""
        return self.vector(name, size) if name in self else [Fraction(0)] * size

    def texts(self, name: str) -> list[str]:
        """The list of words of this name, or empty if no list has it.

        Raises:
            InputError: it is none.
        """
        if name not in self:
            return []
        full = self.full(name)
        self.unread.discard(full)
        array = self.file[full]
        if array.dtype.kind != "U" or array.ndim > 1:
            raise InputError(f"{self.path}: {full}: words were expected, not {array.dtype} of shape {array.shape}")
        return [str(x) for x in np.atleast_1d(array)]

    def _array(self, name: str, shape: Shape) -> Any:
        full = self.full(name)
        if full not in self.shapes:
            raise InputError(f"{self.path}: no tensor {self.prefix}{name}; {_shown(shape)} was expected")
        self.unread.discard(full)
        found = self.shapes[full]
        if len(found) != len(shape) or any(wanted not in (None, size) for wanted, size in zip(shape, found, strict=True)):
            raise InputError(f"{self.path}: {full} has the shape {_shown(found)}; {_shown(shape)} was expected")
        array = self.file[full]
        if array.dtype.kind in "biu":
            array = array.astype(object)
        elif array.dtype.kind in "fV" and array.dtype.itemsize <= 8 and array.dtype.names is None:
            array = array.astype(np.float64)  # every float of 64 bits or fewer is one
        else:
            raise InputError(f"{self.path}: {full} has the type {array.dtype}; floats of at most 64 bits or integers were expected")
        if array.dtype == np.float64 and not np.isfinite(array).all():
            place = tuple(int(k) for k in np.argwhere(~np.isfinite(array))[0])
            raise InputError(f"{self.path}: {full} has {array[place]} at {list(place)}; numbers were expected")
        return array

    def all_read(self, known: Iterable[str] = ()) -> None:
        """Refuse a tensor that nobody read; known: patterns of those without weights, such as the mask of GPT-2.

        Raises:
            InputError: naming it.
        """
        others = [
            name for name in sorted(self.unread) if not any(re.fullmatch(pattern, name.removeprefix(self.prefix)) for pattern in known)
        ]
        if others:
            more = f" (and {len(others) - 1} more)" if len(others) > 1 else ""
            raise InputError(f"{self.path}: {others[0]}{more}: such a model has no tensor of this name")


def exact(x: Any) -> Fraction:
    """A float or an integer as an exact fraction."""
    return Fraction(*float(x).as_integer_ratio()) if isinstance(x, float) else Fraction(int(x))


def _header(path: Path, name: str, archive: zipfile.ZipFile) -> tuple[int, ...]:
    entry = archive.getinfo(name if name in archive.namelist() else f"{name}.npy")
    try:
        with archive.open(entry) as member:
            version = np.lib.format.read_magic(member)
            read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
            shape, _, dtype = read(member)
            size = entry.file_size - member.tell()
    except (ValueError, EOFError, OSError, zipfile.BadZipFile) as error:
        raise InputError(f"{path}: {name}: {str(error).splitlines()[0][:200] if str(error) else 'no array'}") from None
    if dtype.hasobject:
        raise InputError(f"{path}: {name} contains pickled Python objects; numbers were expected, as np.savez writes arrays")
    if any(n < 0 for n in shape) or math.prod(shape) * dtype.itemsize != size:
        raise InputError(f"{path}: {name}: {size:,} bytes of data; {math.prod(shape) * dtype.itemsize:,} were expected, by its header")
    return tuple(int(n) for n in shape)


def _shown(shape: Shape) -> str:
    return f"({', '.join('any' if n is None else str(n) for n in shape)})"
