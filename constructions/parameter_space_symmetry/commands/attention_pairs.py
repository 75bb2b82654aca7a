"""Find the tensors of a checkpoint that are multiplied with each other head by head: queries with keys, values with outputs.

Understood are separate matrices (``q_proj``, ``wq``, ``query``; keys and values may have fewer heads), and fused ones: side by side
(``c_attn``, ``qkv_proj``, ``in_proj_weight``, ``Wqkv``) or head by head (``query_key_value``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from verifier.running.errors import InputError

Tensor = npt.NDArray[Any]
Matrix = npt.NDArray[np.float64]

QUERY = re.compile(r"(?<![a-z])(w_?q|q_proj|query|q)(?![a-z])", re.IGNORECASE)
FUSED = re.compile(r"(?<![a-z])(c_attn|qkv_proj|in_proj_weight|wqkv|qkv|query_key_value)(?![a-z])", re.IGNORECASE)
OUTPUTS = ("o_proj", "out_proj", "c_proj", "dense", "w_o", "wo", "output", "out", "o")
HEAD_BY_HEAD = "query_key_value"


@dataclass(frozen=True)
class Heads:
    """heads: of queries and outputs; shared: of keys and values, each of which serves heads/shared of the others."""

    heads: int
    shared: int | None = None


@dataclass(frozen=True)
class Part:
    """The heads of one kind in a tensor. axis: along which they lie; places: for each head, its places along that axis."""

    name: str
    axis: int
    places: tuple[tuple[int, ...], ...]

    def head(self, tensor: Tensor, number: int) -> Matrix:
        """n x m, in float64."""
        x = tensor.take(self.places[number], axis=self.axis).astype(np.float64)
        return np.ascontiguousarray(x if self.axis else x.T)

    def put(self, tensor: Tensor, number: int, x: Tensor) -> None:
        """Write a head's n x m weights back."""
        if self.axis:
            tensor[:, self.places[number]] = x
        else:
            tensor[self.places[number], :] = x.T

    def ends(self, tensor: Tensor) -> tuple[float, float]:
        """The least and the greatest entry of all heads."""
        every = [self.head(tensor, h) for h in range(len(self.places))]
        return min(float(x.min()) for x in every), max(float(x.max()) for x in every)


@dataclass(frozen=True)
class Pair:
    """kind: ``qk`` or ``vo``; the product of left and right is taken head by head, one with fewer heads serving several of the other."""

    kind: str
    left: Part
    right: Part

    @property
    def units(self) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Heads that share an orthogonal g: those of left and those of right, one of them a single head."""
        a, b = len(self.left.places), len(self.right.places)
        count = min(a, b)
        return [(_share(a // count, i), _share(b // count, i)) for i in range(count)]

    @property
    def label(self) -> str:
        """The two tensors, or the one."""
        return self.left.name if self.left.name == self.right.name else f"{self.left.name}, {self.right.name}"


def pairs(tensors: Mapping[str, Tensor], asked: Heads, layout: str | None, kinds: tuple[str, ...]) -> list[Pair]:
    """Every pair of tensors of these kinds.

    layout: ``in-out`` as the paper's n x m, ``out-in`` as linear layers keep them; where not given, ``out-in`` for names that end in
    ``weight``, and for fused matrices the longer side holds the heads.

    Raises:
        InputError: no pair, or shapes that do not fit the heads.
    """
    found: list[Pair] = []
    for name in tensors:
        if (fused := FUSED.search(name)) and _matrix(tensors, name):
            found += _of_fused(tensors, name, fused, asked, layout, kinds)
        elif (match := QUERY.search(name)) and _matrix(tensors, name):
            found += _of_separate(tensors, name, match, asked, layout, kinds)
    if not found:
        some = ", ".join(list(tensors)[:6]) or "no tensors"
        raise InputError(f"no pair of W_q and W_k among {some[:200]}; names with q and k, or a fused matrix, were expected")
    for pair in found:
        for part in (pair.left, pair.right):
            check(part.name, tensors[part.name])
    return found


LARGEST_ENTRY = 1 << 64
"""Products of four entries, summed over matrices that fit into memory, stay far below 2^1024."""


def check(name: str, tensor: Tensor) -> None:
    """Refuse what holds no finite floating-point numbers.

    Raises:
        InputError: what is wrong with it.
    """
    if tensor.dtype.kind != "f" and not tensor.dtype.name.startswith(("bfloat", "float")):
        raise InputError(f"{name} holds {tensor.dtype}; floating-point numbers were expected")
    if tensor.ndim != 2 or 0 in tensor.shape:
        raise InputError(f"{name} is {shape(tensor)}; a matrix was expected")
    if not np.isfinite(tensor).all():
        raise InputError(f"{name} has an entry that is not finite")
    if float(np.abs(tensor).max()) > LARGEST_ENTRY:
        raise InputError(f"{name} has an entry beyond 2^{LARGEST_ENTRY.bit_length() - 1}; sums of products could leave float64")


def shape(tensor: Tensor) -> str:
    """``6 x 8``."""
    return " x ".join(map(str, tensor.shape)) or "a number"


def separate(kind: str, names: tuple[str, str], tensors: Mapping[str, Tensor], asked: Heads, layouts: tuple[str, str]) -> Pair:
    """The pair of two matrices. The wider one has all heads: q of ``qk``, o of ``vo``.

    Raises:
        InputError: shapes that do not fit each other or the heads.
    """
    axes = tuple(int(layout == "in-out") for layout in layouts)
    if kind == "vo":
        axes = axes[0], 1 - axes[1]
    left, right = (tensors[name] for name in names)
    if left.ndim != 2 or right.ndim != 2 or left.shape[1 - axes[0]] != right.shape[1 - axes[1]] or 0 in left.shape + right.shape:
        raise InputError(f"{names[0]} is {shape(left)}, {names[1]} {shape(right)}; the same n beside the heads' columns was expected")
    widths = left.shape[axes[0]], right.shape[axes[1]]
    full, shared = widths if kind == "qk" else widths[::-1]
    if full % asked.heads:
        raise InputError(f"{names[0]}: {full} columns are not {asked.heads} heads of one width; another --heads was expected")
    m = full // asked.heads
    if shared % m or asked.heads % max(shared // m, 1) or asked.shared not in (None, shared // m):
        raise InputError(
            f"{names[1]}: {shared} columns are not heads of {m} columns that {asked.heads} heads share evenly; another --heads was expected"
        )
    counts = tuple(width // m for width in widths)
    ends = (Part(name, axis, tuple(_share(m, h) for h in range(n))) for name, axis, n in zip(names, axes, counts, strict=True))
    return Pair(kind, *ends)


def _of_separate(
    tensors: Mapping[str, Tensor], name: str, match: re.Match[str], asked: Heads, layout: str | None, kinds: tuple[str, ...]
) -> list[Pair]:
    def named(*words: str) -> str | None:
        every = [name[: match.start()] + word + name[match.end() :] for word in words]
        every += [name.replace("self." + match[0], word + ".dense") for word in words]
        return next((n for n in every if n != name and n in tensors and _matrix(tensors, n)), None)

    way = layout or ("out-in" if name.endswith("weight") else "in-out")
    key, value, output = named(_word(match[0], "k", "key")), named(_word(match[0], "v", "value")), named(*OUTPUTS)
    found = []
    if "qk" in kinds and key:
        found.append(separate("qk", (name, key), tensors, asked, (way, way)))
    if "vo" in kinds and value and output:
        found.append(separate("vo", (value, output), tensors, asked, (way, way)))
    return found


def _of_fused(
    tensors: Mapping[str, Tensor], name: str, match: re.Match[str], asked: Heads, layout: str | None, kinds: tuple[str, ...]
) -> list[Pair]:
    tensor = tensors[name]
    longer = 0 if tensor.shape[0] >= tensor.shape[1] else 1
    axis = longer if layout is None else int(layout == "in-out")
    shared, width = asked.shared or asked.heads, tensor.shape[axis]
    if asked.heads % shared or width % (asked.heads + 2 * shared):
        raise InputError(
            f"{name}: {width} columns are not {asked.heads} + 2 * {shared} heads of one width; another --heads or --kv-heads was expected"
        )
    m, group = width // (asked.heads + 2 * shared), asked.heads // shared
    if match[0].lower() == HEAD_BY_HEAD:
        firsts = [(i * (group + 2) + j) * m for i in range(shared) for j in range(group + 2)]
        starts = {
            "q": [f for at, f in enumerate(firsts) if at % (group + 2) < group],
            "k": [f for at, f in enumerate(firsts) if at % (group + 2) == group],
            "v": [f for at, f in enumerate(firsts) if at % (group + 2) == group + 1],
        }
    else:
        counts = {"q": (0, asked.heads), "k": (asked.heads, shared), "v": (asked.heads + shared, shared)}
        starts = {kind: [(first + h) * m for h in range(count)] for kind, (first, count) in counts.items()}
    part = {kind: Part(name, axis, tuple(tuple(range(f, f + m)) for f in at)) for kind, at in starts.items()}
    found = [Pair("qk", part["q"], part["k"])] if "qk" in kinds else []
    prefix = name[: match.start()]
    output = next((n for word in OUTPUTS for n in (f"{prefix}{word}.weight", f"{prefix}{word}") if n in tensors), None)
    if "vo" in kinds and output and _matrix(tensors, output) and tensors[output].shape[1 - axis] == asked.heads * m:
        found.append(Pair("vo", part["v"], Part(output, 1 - axis, tuple(_share(m, h) for h in range(asked.heads)))))
    return found


def _matrix(tensors: Mapping[str, Tensor], name: str) -> bool:
    return tensors[name].ndim == 2


def _share(size: int, number: int) -> tuple[int, ...]:
    return tuple(range(number * size, (number + 1) * size))


def _word(word: str, letter: str, whole: str) -> str:
    if "uery" in word:
        return word.replace("query", whole).replace("Query", whole.capitalize())
    return word.replace("q", letter).replace("Q", letter.upper())
