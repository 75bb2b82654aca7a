"""The tensors of a weight file as exact fractions, each of the shape that is expected, and none left unread."""

from __future__ import annotations

import math
import re
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from verifier.arithmetic.rationals import Fraction
from verifier.running.errors import InputError, LimitError
from verifier.weights.checkpoints import Checkpoint

MOST_NUMBERS = 1 << 17
"""Numbers of all tensors that become a network file."""

Row: TypeAlias = list[Fraction]
Matrix: TypeAlias = list[Row]
Shape: TypeAlias = tuple[int | None, ...]


class Tensors:
    """The tensors of a file, by name; ``prefix`` stands before every name that is asked for, where the file has it."""

    def __init__(self, path: Path, prefix: str = "") -> None:
        """Open a file, a folder with shards or their index.

        Raises:
            InputError: what cannot be read; LimitError: more numbers than a network file holds.
        """
        self.path = path
        self.file = Checkpoint(path)
        self.prefix = prefix
        self.shapes = {name: shape for each in self.file.files for name, shape in shapes(each.path, each.held).items()}
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
        """Names that a pattern matches wholly, after the prefix, in the order of the file."""
        found = (re.fullmatch(pattern, name.removeprefix(self.prefix)) for name in self.shapes)
        return [match for match in found if match]

    def layers(self, pattern: str) -> int:
        """How many layers there are; pattern: of a tensor that each layer has, with its number from 0 as its group.

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
        """A tensor of one axis, or zeros where there is none."""
        return self.vector(name, size) if name in self else [Fraction(0)] * size

    def texts(self, name: str) -> list[str]:
        """A list of words; none where there is none.

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
        """Refuse a tensor that no one asked for; known: patterns of those that hold no weight, such as the mask of GPT-2.

        Raises:
            InputError: naming it.
        """
        others = [
            name for name in sorted(self.unread) if not any(re.fullmatch(pattern, name.removeprefix(self.prefix)) for pattern in known)
        ]
        if others:
            more = f" (and {len(others) - 1} more)" if len(others) > 1 else ""
            raise InputError(f"{self.path}: {others[0]}{more}: no tensor of this name belongs to such a model; none is left out silently")


def exact(x: Any) -> Fraction:
    """A float or an integer as the fraction that it is."""
    return Fraction(*float(x).as_integer_ratio()) if isinstance(x, float) else Fraction(int(x))


def shapes(path: Path, names: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """The shape of every tensor, from headers alone, so that a header that promises more than the file holds allocates nothing.

    Raises:
        InputError: a header that is none, of Python objects, or of another size than its data.
    """
    if path.suffix == ".npz":
        with zipfile.ZipFile(path) as archive:
            return {name: _header(path, name, archive) for name in names}
    if path.suffix == ".safetensors":
        import safetensors

        with safetensors.safe_open(path, framework="np") as file:  # the library holds sizes against the file's
            return {name: tuple(file.get_slice(name).get_shape()) for name in names}
    raise InputError(f"{path}: .npz or .safetensors was expected")


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
        raise InputError(f"{path}: {name} holds pickled Python objects; numbers were expected, as np.savez writes them of arrays")
    if any(n < 0 for n in shape) or math.prod(shape) * dtype.itemsize != size:
        raise InputError(f"{path}: {name}: {size:,} bytes of data; {math.prod(shape) * dtype.itemsize:,} were expected, by its header")
    return tuple(int(n) for n in shape)


def _shown(shape: Shape) -> str:
    return f"({', '.join('any' if n is None else str(n) for n in shape)})"
