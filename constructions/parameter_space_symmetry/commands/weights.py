"""Weight files: pairs of W_q and W_k from ``.npy``, ``.npz`` and ``.safetensors``, by head, and writing them back."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from verifier.running.errors import InputError, MissingExtraError
from verifier.show.output_files import write_whole

Tensors = dict[str, npt.NDArray[Any]]

QUERY = re.compile(r"(?<![a-z])(w_?q|q_proj|query|q)(?![a-z])", re.IGNORECASE)
"""What names a query's weights; with k for q, or key for query, it is the name of the key's."""


@dataclass(frozen=True)
class Pair:
    """Two tensors of a file, and how they are laid out: ``in-out`` as the paper's n × m, ``out-in`` as linear layers keep them."""

    query: str
    key: str
    layout: str
    heads: int

    def split(self, tensor: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """heads × n × m."""
        matrix = tensor.astype(np.float64)
        matrix = matrix.T if self.layout == "out-in" else matrix
        return np.ascontiguousarray(matrix.reshape(matrix.shape[0], self.heads, -1).transpose(1, 0, 2))

    def joined(self, heads: npt.NDArray[np.float64], like: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The tensor again, in its own layout and type."""
        matrix = heads.transpose(1, 0, 2).reshape(heads.shape[1], -1)
        return np.ascontiguousarray((matrix.T if self.layout == "out-in" else matrix).astype(like.dtype))


def read(path: Path) -> Tensors:
    """The tensors of a file by name; of ``.npy`` the one, by the file's name.

    Raises:
        InputError: no such file, or none of the three formats; MissingExtraError: ``.safetensors`` without the extra.
    """
    try:
        if path.suffix == ".npy":
            return {path.stem: np.load(path, allow_pickle=False)}
        if path.suffix == ".npz":
            with np.load(path, allow_pickle=False) as held:
                return {name: held[name] for name in held.files}
        if path.suffix == ".safetensors":
            return dict(_safetensors().load_file(path))
    except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: {str(error).splitlines()[0] if str(error) else 'not readable'}") from None
    except Exception as error:
        if type(error).__module__.startswith("safetensors"):
            raise InputError(f"{path}: {error}") from None
        raise
    raise InputError(f"{path}: .npy, .npz or .safetensors was expected")


def write(path: Path, tensors: Tensors) -> None:
    """Write tensors into an ``.npz`` or ``.safetensors`` file, whole or not at all.

    Raises:
        InputError: another format, or the file cannot be written.
    """
    if path.suffix == ".safetensors":
        write_whole(path, _safetensors().save(tensors))
    elif path.suffix == ".npz":
        buffer = io.BytesIO()
        arrays: Any = tensors
        np.savez(buffer, **arrays)
        write_whole(path, buffer.getvalue())
    else:
        raise InputError(f"{path}: .npz or .safetensors was expected")


def _safetensors() -> Any:
    try:
        import safetensors.numpy
    except ModuleNotFoundError:
        raise MissingExtraError("reading .safetensors", "weights") from None
    return safetensors.numpy


def pairs(tensors: Tensors, heads: int, layout: str | None) -> list[Pair]:
    """Every tensor that is named as a query's weights, with the key's of the same name.

    layout: where not given, ``out-in`` for names that end in ``weight``, as linear layers have it, else ``in-out``.

    Raises:
        InputError: no pair, shapes that differ, or columns that the heads do not share evenly.
    """
    found = []
    for name in tensors:
        for match in QUERY.finditer(name):
            word = match[0].replace("query", "key").replace("Query", "Key") if "uery" in match[0] else _key(match[0])
            key = name[: match.start()] + word + name[match.end() :]
            if key in tensors and tensors[name].ndim == tensors[key].ndim == 2:
                found.append(Pair(name, key, layout or ("out-in" if name.endswith("weight") else "in-out"), heads))
    if not found:
        raise InputError(f"no pair of W_q and W_k among {', '.join(list(tensors)[:6]) or 'no tensors'}; names with q and k were expected")
    for pair in found:
        check(pair, tensors)
    return found


def check(pair: Pair, tensors: Tensors) -> None:
    """Whether two tensors are a pair.

    Raises:
        InputError: what is wrong with them.
    """
    q, k = tensors[pair.query], tensors[pair.key]
    if q.ndim != 2 or q.shape != k.shape or 0 in q.shape:
        raise InputError(f"{pair.query} is {_by(q)}, {pair.key} {_by(k)}; two matrices of one shape were expected")
    width = q.shape[0] if pair.layout == "out-in" else q.shape[1]
    if width % pair.heads:
        raise InputError(f"{pair.query}: {width} columns are not {pair.heads} heads of one width; another --heads was expected")
    for name, tensor in ((pair.query, q), (pair.key, k)):
        if not np.issubdtype(tensor.dtype, np.floating) and tensor.dtype.name != "bfloat16":
            raise InputError(f"{name} holds {tensor.dtype}; floating-point numbers were expected")
        if not np.isfinite(tensor.astype(np.float64)).all():
            raise InputError(f"{name} has an entry that is not finite")


def _key(word: str) -> str:
    return word.replace("q", "k").replace("Q", "K")


def _by(tensor: npt.NDArray[Any]) -> str:
    return " x ".join(map(str, tensor.shape)) or "a number"
