"""``verify tool noise W_Q W_K`` or ``verify tool noise CHECKPOINT``: the quantization noise of attention weights, and weights with less.

For each head the noise before and after the search: exact sums, the printed estimate beside the true value. An orthogonal g between W_q and
W_k does not change a model, unless an operation stands between the two matrices.

Find the tensors of a checkpoint that are multiplied with each other head by head: queries with keys, values with outputs.

The module recognises separate matrices (``q_proj``, ``wq``, ``query``; keys and values may have fewer heads), and fused ones: side by side
(``c_attn``, ``qkv_proj``, ``in_proj_weight``, ``Wqkv``) or head by head (``query_key_value``).
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
import numpy as np

from constructions.parameter_space_symmetry.mathematics.noise import (
    Matrix,
    Ranges,
    column_means,
    exact_integers,
    measured_noise,
    noise_of_columns,
    printed_estimate,
    reconstructed,
    sums_of_floats,
)
from constructions.parameter_space_symmetry.mathematics.search import STEPS, hadamard, search
from verifier.arithmetic.rationals import Fraction
from verifier.claims.verdicts import EXIT_REFUTED, EXIT_VERIFIED
from verifier.commands.options import Integer, output_option, put
from verifier.running.errors import InputError
from verifier.running.limits import Advance
from verifier.running.printable import json_text
from verifier.show.streams import write_whole
from verifier.weights.tensors import Checkpoint, Tensor

FORMAT = "noise-2"
KINDS = {"qk": ("qk",), "vo": ("vo",), "all": ("qk", "vo")}
KEPT = {"by the printed expression": "printed", "as they were": "old"}
GROUP = re.compile(r"group:([1-9][0-9]{0,8})", re.ASCII)


@click.command("noise")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="W_Q W_K | CHECKPOINT")
@click.option("--bits", default="4,8", show_default=True, metavar="A,B,…", help="Bit widths.")
@click.option("--heads", type=Integer(1), help="Heads of queries.  [default: that of config.json, else 1]")
@click.option("--kv-heads", type=Integer(1), help="Heads of keys and values, in a fused matrix.  [default: as many]")
@click.option("--pairs", "kinds", type=click.Choice(list(KINDS)), default="qk", show_default=True, help="W_q W_kᵀ, W_v W_o or both.")
@click.option("--ranges", default="head", show_default=True, metavar="head|tensor|channel|group:K", help="The weights that share a scale.")
@click.option("--search", "searched", is_flag=True, help="Look for an orthogonal g with less noise, at the first bit width.")
@click.option("--steps", type=Integer(1), default=STEPS, show_default=True, help="Steps of descent from each of three starts.")
@click.option("--write", "into", type=click.Path(path_type=Path), help="Write the transformed weights: .npz, .safetensors, or a folder.")
@click.option("--no-rope", is_flag=True, help="State that no rotary embedding stands between W_q and W_k.")
@output_option
def command(
    files: tuple[Path, ...],
    bits: str,
    heads: int | None,
    kv_heads: int | None,
    kinds: str,
    ranges: str,
    searched: bool,
    steps: int,
    into: Path | None,
    no_rope: bool,
    output: Path | None,
) -> int:
    """Compute the expected squared error of W_q W_kᵀ when both are quantized.

    The sums are exact. The output also has the value of Proposition 4.1 as printed, and the error of one quantization. CHECKPOINT is a .npz
    or .safetensors file, a folder with shards, or the index of shards; keys and values may have fewer heads than queries.

    Exit status: 0 done; 1 the product of the transformed weights differs by more than rounding explains; 2 the files cannot be used.
    """
    from verifier.commands.progress import Progress
    from verifier.show.screen import folded

    if into and not searched:
        raise InputError("--write goes with --search")
    asked, shared = _widths(bits), _ranges(ranges)
    checkpoint, found = _found(files, (heads, kv_heads), KINDS[kinds])
    for pair in found:
        for part in (pair.left, pair.right):
            fits(part, checkpoint[part.name], shared)
    if into:
        _refuse(checkpoint, found, into, no_rope)
    with Progress() as advance:
        rows, lines = _rows(checkpoint, found, asked, shared, steps if searched else None, advance)
    _show(rows)
    for text in lines:
        click.echo("\n".join(folded(text, 2, 0)))
    if searched and not into and not no_rope and any(pair.kind == "qk" for pair in found):
        click.echo("The weights before and after are one model only if\nno rotary embedding stands between W_q and W_k.")
    if into:
        checkpoint.write(into)
        click.echo(f"written: {into}")
    if output:
        put(json_text({"format": FORMAT, "ranges": ranges, "heads": [row.data() for row in rows]}), output)
    return EXIT_REFUTED if any("DIFFER" in text for text in lines) else EXIT_VERIFIED


def _widths(text: str) -> list[int]:
    """The bit widths of ``4,8``.

    Raises:
        InputError: anything else than numbers from 1 to 32.
    """

    parts = text.split(",")
    if not all(p.isascii() and p.isdigit() and len(p) < 4 and 1 <= int(p) <= 32 for p in parts):
        raise InputError(f"--bits {text[:60]}: numbers from 1 to 32 with commas between were expected")
    return list(dict.fromkeys(map(int, parts)))


def _ranges(text: str) -> Ranges:
    """The weights that share a scale.

    Raises:
        InputError: another word.
    """

    if match := GROUP.fullmatch(text):
        return Ranges("group", int(match[1]))
    if text not in ("head", "tensor", "channel"):
        raise InputError(f"--ranges {text[:60]}: head, tensor, channel or group:K with a number of rows was expected")
    return Ranges(text)


def _found(files: tuple[Path, ...], counts: tuple[int | None, int | None], kinds: tuple[str, ...]) -> tuple[Changed, list[Pair]]:
    """Find the checkpoint and its pairs of weights; if two files are given, the first has W_q and the second W_k."""
    if len(files) > 2:
        raise InputError(f"{len(files)} files; W_q and W_k, or one checkpoint, were expected")
    if len(files) == 2:
        checkpoint = of_two(files)
        for name in checkpoint:
            check(name, checkpoint[name])
        return checkpoint, [separate("qk", ("W_q", "W_k"), checkpoint, _heads(counts, {}))]
    checkpoint = Changed(files[0])
    return checkpoint, pairs(checkpoint, _heads(counts, checkpoint.config()), kinds)


def _heads(counts: tuple[int | None, int | None], config: dict[str, Any]) -> Heads:
    """The requested numbers of heads, or those of the model's settings.

    Raises:
        InputError: the settings hold something else than a number.
    """

    named = config.get("num_attention_heads", config.get("n_head")), config.get("num_key_value_heads")
    for number in named:
        if number is not None and not (isinstance(number, int) and 0 < number < 1 << 20):
            raise InputError(f"config.json: {str(number)[:60]} for a number of heads; a positive whole number was expected")
    return Heads(counts[0] or named[0] or 1, counts[1] or (named[1] if counts[0] is None else None))


def _refuse(checkpoint: Changed, found: list[Pair], into: Path, no_rope: bool) -> None:
    """Refuse to write weights that would change the model.

    Raises:
        InputError: biases, or something between W_q and W_k.
    """

    checkpoint.check_target(into)
    for pair in found:
        biased = [p.name for p in (pair.left, pair.right)[: 2 if pair.kind == "qk" else 1]]
        for name in biased:
            if name.endswith("weight") and f"{name[:-6]}bias" in checkpoint:
                raise InputError(
                    f"--write: {name} has a bias, which would have to be transformed as well; weights without biases were expected"
                )
    if not any(pair.kind == "qk" for pair in found):
        return
    if between := obstacle(checkpoint, checkpoint.config()):
        raise InputError(f"--write: {between} between W_q and W_k: the new weights would be another model; --pairs vo was expected")
    if not no_rope and not any(map(LEARNED.search, checkpoint)) and checkpoint.path.suffix not in (".npy", ".npz"):
        raise InputError("--write: nothing says whether rotary embeddings stand between W_q and W_k; --no-rope states that none do")


def _rows(
    checkpoint: Changed, found: list[Pair], bits: list[int], ranges: Ranges, steps: int | None, advance: Any
) -> tuple[list[Row], list[str]]:
    """The rows, and, after a search, a line on the products of each pair; the checkpoint then holds the new weights."""

    rows, lines = [], []
    for done, pair in enumerate(found):
        advance("noise", done, len(found))
        left = checkpoint[pair.left.name]
        tensors = left, left if pair.left.name == pair.right.name else checkpoint[pair.right.name]
        before = list(noises(pair, tensors, bits, ranges))
        if steps is None:
            rows += [Row(pair.label, heads, b, n) for heads, every in before for b, n in zip(bits, every, strict=True)]
            continue
        made = rotated(pair, tensors, rotations(bits[0], steps, advance))
        new, names, ways = kept(pair, tensors, made, bits[0], ranges)
        for at, ((heads, every), (_, then)) in enumerate(zip(before, noises(pair, new, bits, ranges), strict=True)):
            for place, b in enumerate(bits):
                others = {way: found[at] for way, found in ways.items()} if place == 0 else {}
                rows.append(Row(pair.label, heads, b, every[place], then[place], names[at], others))
        apart, admitted = departure(pair, tensors, new)
        said = "are equal" if apart <= admitted else "DIFFER"
        lines.append(f"{pair.label}: products before quantization {said}: {apart:.3g} apart, {admitted:.3g} by rounding")
        checkpoint[pair.left.name], checkpoint[pair.right.name] = new
    advance("noise", len(found), len(found))
    return rows, lines


def _show(rows: list[Row]) -> None:
    from verifier.show.screen import console, plain_table

    table = plain_table()
    searched = rows[0].after is not None
    more = ("measured", "after", "measured", "Hadamard", "kept") if searched else ("as printed", "measured")
    for heading in ("weights", "head", "bits", "noise", *more):
        table.add_column(heading, justify="left" if heading in ("weights", "kept") else "right")
    for row in rows:
        words = [str(row.head), str(row.bits), _short(row.before.true)]
        if row.after:
            others = [_short(row.after.true), _short(row.after.measured), _short(row.others.get("Hadamard")), KEPT.get(row.kept, row.kept)]
            words += [_short(row.before.measured), *others]
        else:
            words += [_short(row.before.printed), _short(row.before.measured)]
        table.add_row(row.pair, *words)
    console().print(table)


def _short(number: Any) -> str:
    return "–" if number is None else f"{float(number):.4g}"


Sides = tuple[Tensor, Tensor]
"""The tensors of a pair's left and right part; the same one twice where they are fused."""

ROWS = 512
"""The rows of a product that are formed at a time."""


@dataclass(frozen=True)
class Noise:
    """true: mean E|ΔY|² for uniform errors; printed: Proposition 4.1's expression, with one range for each head; measured: the error of one
    quantization, in float64.
    """

    true: Fraction
    printed: Fraction | None
    measured: float


@dataclass(frozen=True)
class Row:
    """A pair of heads at a bit width: its noise before, its noise with the chosen weights, and true noises of the other methods."""

    pair: str
    heads: tuple[int, int]
    bits: int
    before: Noise
    after: Noise | None = None
    kept: str = ""
    others: dict[str, Fraction] = field(default_factory=dict)

    @property
    def head(self) -> int:
        """The head of the wider side."""
        return max(self.heads)

    def data(self) -> dict[str, Any]:
        """The results for JSON, as exact strings."""
        noises = {"before": self.before, "after": self.after}
        shown = {k: {"true": str(n.true), "printed": n.printed and str(n.printed), "measured": n.measured} for k, n in noises.items() if n}
        found = {"pair": self.pair, "head": self.head, "heads": list(self.heads), "bits": self.bits, **shown}
        return found | ({"kept": self.kept, "ways": {k: str(x) for k, x in self.others.items()}} if self.after else {})


def fits(part: Part, tensor: Tensor, ranges: Ranges) -> None:
    """Refuse groups of rows that do not divide a matrix.

    Raises:
        InputError: which do not.
    """
    rows = tensor.shape[1 - part.axis]
    if ranges.kind == "group" and rows % ranges.rows:
        raise InputError(f"--ranges group:{ranges.rows}: {part.name} has {rows} rows; a divisor was expected")


def noises(pair: Pair, tensors: Sides, bits: Sequence[int], ranges: Ranges) -> Iterator[tuple[tuple[int, int], list[Noise]]]:
    """For each two heads that are multiplied: their numbers, and the noise at each bit width."""
    whole = [part.ends(t) if ranges.kind == "tensor" else (0.0, 0.0) for part, t in zip((pair.left, pair.right), tensors, strict=True)]
    for unit in pair.units:
        sides = [
            [(h, _Side(part.head(tensor, h), ranges, ends)) for h in heads]
            for part, tensor, heads, ends in zip((pair.left, pair.right), tensors, unit, whole, strict=True)
        ]
        for a, left in sides[0]:
            for b, right in sides[1]:
                yield (a, b), [left.noise(right, width) for width in bits]


class _Side:
    """A head's weights with the data for its noise. tensor: the ends of the whole tensor."""

    def __init__(self, x: Matrix, ranges: Ranges, tensor: tuple[float, float]) -> None:
        self.x, self.ends, whole = x, ranges.ends(x, tensor), exact_integers(x)
        self.means = column_means(x, self.ends, whole)
        self.sums = sums_of_floats(x, whole) if ranges.kind == "head" else None

    def noise(self, other: _Side, bits: int) -> Noise:
        quantized = reconstructed(self.x, bits, self.ends), reconstructed(other.x, bits, other.ends)
        printed = printed_estimate(self.sums, other.sums, bits) if self.sums and other.sums else None
        return Noise(noise_of_columns(self.means, other.means, bits), printed, measured_noise(self.x, other.x, *quantized))


Rotation = Callable[[Matrix, Matrix], "Matrix | None"]


def rotations(bits: int, steps: int, advance: Advance) -> dict[str, Rotation]:
    """The methods that find an orthogonal g for a left and a right matrix; a Hadamard matrix needs a number of columns that is a power of
    two."""

    def by(objective: str) -> Rotation:
        return lambda q, k: search(q[None], k[None], bits, objective, steps, advance)[0].astype(np.float64)

    return {"searched": by("true"), "by the printed expression": by("printed"), "Hadamard": lambda q, k: hadamard(q.shape[1])}


def rotated(pair: Pair, tensors: Sides, ways: dict[str, Rotation]) -> dict[str, Sides]:
    """The tensors after each method, rounded to the type in which they are stored."""
    found: dict[str, Sides] = {}
    for name, way in ways.items():
        new = _copies(tensors)
        for unit in pair.units:
            parts = list(zip((pair.left, pair.right), tensors, new, unit, strict=True))
            heads = [[part.head(old, h) for h in numbers] for part, old, _, numbers in parts]
            g = way(np.concatenate(heads[0]), np.concatenate(heads[1]))
            if g is None:
                break
            for (part, _, into, numbers), every in zip(parts, heads, strict=True):
                for h, x in zip(numbers, every, strict=True):
                    part.put(into, h, (x @ g).astype(into.dtype))
        else:
            found[name] = new
    return found


def kept(
    pair: Pair, tensors: Sides, made: dict[str, Sides], bits: int, ranges: Ranges
) -> tuple[Sides, list[str], dict[str, list[Fraction]]]:
    """Choose for each unit the method with the least true noise: the tensors, its names, and the noises of all methods.

    A Hadamard matrix serves for comparison only.
    """
    every_way = {"as they were": tensors, **made}
    by_way = {name: [n[0].true for _, n in noises(pair, sides, [bits], ranges)] for name, sides in every_way.items()}
    result, names, at = _copies(tensors), [], 0
    for unit in pair.units:
        count = len(unit[0]) * len(unit[1])
        totals = {name: sum(every[at : at + count], Fraction(0)) for name, every in by_way.items() if name != "Hadamard"}
        name = min(totals, key=lambda n: totals[n])
        for side, (part, numbers) in enumerate(zip((pair.left, pair.right), unit, strict=True)):
            if name != "as they were":
                for h in numbers:
                    part.put(result[side], h, part.head(made[name][side], h).astype(result[side].dtype))
        names += [name] * count
        at += count
    return result, names, {name: every for name, every in by_way.items() if name != "as they were"}


def departure(pair: Pair, before: Sides, after: Sides) -> tuple[float, float]:
    """The change of the products of the heads, before any quantization, and its bound: at the entry that exceeds its bound most.

    The bound for an entry is (2 u + e) |q_i| |k_j| + t √m (|q_i| + |k_j|): u is the relative rounding of the stored type (2.5 for 2 covers
    its second order and float64's part), t is half of its least positive number, and e covers g's deviation from an orthogonal matrix.
    """
    unit, least = _precision(after[0].dtype)
    worst = (0.0, float("inf"))
    for unit_left, unit_right in pair.units:
        for a in unit_left:
            for b in unit_right:
                q, k = pair.left.head(before[0], a), pair.right.head(before[1], b)
                x, y = pair.left.head(after[0], a), pair.right.head(after[1], b)
                m = q.shape[1]
                lengths = np.sqrt((q**2).sum(1)), np.sqrt((k**2).sum(1))
                for first in range(0, len(q), ROWS):
                    rows = slice(first, first + ROWS)
                    difference = np.abs(x[rows] @ y.T - q[rows] @ k.T)
                    bound = (2.5 * unit + 64 * m * 2.0**-52) * np.outer(lengths[0][rows], lengths[1])
                    bound += least * np.sqrt(m) * np.add.outer(lengths[0][rows], lengths[1])
                    at = np.unravel_index(int(np.argmax(difference - bound)), bound.shape)
                    if difference[at] - bound[at] >= worst[0] - worst[1]:
                        worst = float(difference[at]), float(bound[at])
    return worst


def _copies(tensors: Sides) -> Sides:
    """Writable copies; a fused tensor stays one tensor."""
    left = tensors[0].copy()
    return left, left if tensors[0] is tensors[1] else tensors[1].copy()


def _precision(stored: np.dtype[Any]) -> tuple[float, float]:
    """The distance from 1 to the next number of a type, and its least positive number."""
    if stored.kind == "f":
        usual = np.finfo(stored)
        return float(usual.eps), float(usual.smallest_subnormal)
    import ml_dtypes

    information: Any = ml_dtypes.finfo
    small = information(stored)
    return float(small.eps), float(small.smallest_subnormal)


ROTARY = re.compile(r"rotary|inv_freq|rope", re.IGNORECASE)
NORM = re.compile(r"(?<![a-z])(q|k|query|key)_?(layer)?_?norm", re.IGNORECASE)
LEARNED = re.compile(r"(?<![a-z])wpe(?![a-z])|embed_positions|position_embed|pos_embed", re.IGNORECASE)
SETTINGS = ("rope_theta", "rope_scaling", "rope_parameters", "rotary_dim", "rotary_pct", "rotary_emb_base", "partial_rotary_factor")


def obstacle(names: Iterable[str], config: dict[str, Any]) -> str | None:
    """The operation between the matrices, by the names of tensors and the settings of the model, or None if neither shows one."""
    every = list(names)
    for pattern, what in ((ROTARY, "rotary embeddings"), (NORM, "a norm of queries or keys")):
        if held := next(filter(pattern.search, every), None):
            return f"{what} ({held})"
    if setting := next((s for s in SETTINGS if config.get(s) is not None), None):
        return f"rotary embeddings ({setting} in config.json)"
    if str(config.get("position_embedding_type", "")).startswith(("rope", "rotary")):
        return "rotary embeddings (position_embedding_type in config.json)"
    return None


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
    """kind: ``qk`` or ``vo``; the product of left and right is taken head by head, and a head of the side with fewer heads serves several
    of the other."""

    kind: str
    left: Part
    right: Part

    @property
    def units(self) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Heads that share an orthogonal g: those of left and those of right; one of the two is a single head."""
        a, b = len(self.left.places), len(self.right.places)
        count = min(a, b)
        return [(_share(a // count, i), _share(b // count, i)) for i in range(count)]

    @property
    def label(self) -> str:
        """The names of the two tensors, or of the one."""
        return self.left.name if self.left.name == self.right.name else f"{self.left.name}, {self.right.name}"


def pairs(tensors: Mapping[str, Tensor], asked: Heads, kinds: tuple[str, ...]) -> list[Pair]:
    """Every pair of tensors of these kinds.

    Names that end in ``weight`` are of linear layers, whose rows are the columns of the paper's n x m matrix; the longer side of a fused
    matrix holds the heads.

    Raises:
        InputError: no pair, or shapes that do not fit the heads.
    """
    found: list[Pair] = []
    for name in tensors:
        if (fused := FUSED.search(name)) and _matrix(tensors, name):
            found += _of_fused(tensors, name, fused, asked, kinds)
        elif (match := QUERY.search(name)) and _matrix(tensors, name):
            found += _of_separate(tensors, name, match, asked, kinds)
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
    """Refuse tensors without finite floating-point numbers.

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


def separate(kind: str, names: tuple[str, str], tensors: Mapping[str, Tensor], asked: Heads, axis: int = 1) -> Pair:
    """The pair of two matrices. The wider one has all heads: q of ``qk``, o of ``vo``. axis: along which the heads of the first lie.

    Raises:
        InputError: shapes that do not fit each other or the heads.
    """
    axes = axis, axis if kind == "qk" else 1 - axis
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


def _of_separate(tensors: Mapping[str, Tensor], name: str, match: re.Match[str], asked: Heads, kinds: tuple[str, ...]) -> list[Pair]:
    def named(*words: str) -> str | None:
        every = [name[: match.start()] + word + name[match.end() :] for word in words]
        every += [name.replace("self." + match[0], word + ".dense") for word in words]
        return next((n for n in every if n != name and n in tensors and _matrix(tensors, n)), None)

    axis = int(not name.endswith("weight"))
    key, value, output = named(_word(match[0], "k", "key")), named(_word(match[0], "v", "value")), named(*OUTPUTS)
    found = []
    if "qk" in kinds and key:
        found.append(separate("qk", (name, key), tensors, asked, axis))
    if "vo" in kinds and value and output:
        found.append(separate("vo", (value, output), tensors, asked, axis))
    return found


def _of_fused(tensors: Mapping[str, Tensor], name: str, match: re.Match[str], asked: Heads, kinds: tuple[str, ...]) -> list[Pair]:
    tensor = tensors[name]
    axis = 0 if tensor.shape[0] >= tensor.shape[1] else 1
    shared, width = asked.shared or asked.heads, tensor.shape[axis]
    if asked.heads % shared or width % (asked.heads + 2 * shared):
        raise InputError(
            f"{name}: {width} columns are not {asked.heads} + 2 * {shared} heads of one width; another --heads or --kv-heads was expected"
        )
    m, group = width // (asked.heads + 2 * shared), asked.heads // shared
    if match[0].lower() == HEAD_BY_HEAD:
        order = (["q"] * group + ["k", "v"]) * shared
    else:
        order = ["q"] * asked.heads + ["k"] * shared + ["v"] * shared
    part = {kind: Part(name, axis, tuple(_share(m, at) for at, each in enumerate(order) if each == kind)) for kind in "qkv"}
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
