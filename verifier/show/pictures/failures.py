"""A map of a construction's failures over all pairs (y, z), with a cell for each pair, or for each block of neighbouring pairs.

Every pair of the promise is counted, as in the engines; a test adds up the counts of a map and compares them with a census. A map of
many pairs is a small PNG with a palette (ISO/IEC 15948).
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from verifier.engines.blocks import Cut, OneByOne, share
from verifier.engines.enumerate import chunks, input_at, judged
from verifier.engines.program import Program, program_of
from verifier.engines.search import NO_LIMIT, Budget
from verifier.networks.problems import bits_of
from verifier.repair.patterns import failing_pattern
from verifier.running.errors import InputError, LimitError, amount
from verifier.show.pictures.drawing import Drawing
from verifier.transformers.tables import Execution

Colour = tuple[int, int, int, int]
"""Red, green, blue and opacity, each 0 … 255."""


def png(pixels: npt.NDArray[np.uint8], palette: Sequence[Colour]) -> bytes:
    """An image, rows × columns, of indices into the palette."""
    height, width = pixels.shape
    rows = np.zeros((height, width + 1), dtype=np.uint8)  # the byte in front says that a row is not filtered
    rows[:, 1:] = pixels
    colours = b"".join(bytes(colour[:3]) for colour in palette)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        (
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
            _chunk(b"PLTE", colours),
            _chunk(b"tRNS", bytes(colour[3] for colour in palette)),
            _chunk(b"IDAT", zlib.compress(rows.tobytes(), 9)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


Counts = npt.NDArray[np.int64]
Advance = Callable[[int, int], None]
CELLS = 128
MOST_PAIRS = 1 << 24
WIDEST_BLOCK = 9
SHADES = 6
EMPTY: Colour = (0, 0, 0, 0)
HOLDS: Colour = (120, 130, 140, 60)
FAILS = (214, 57, 46)
LETTER = 6.6


@dataclass(frozen=True)
class FailureMap:
    """promised, failing: of each cell (y from the top, z from the left), how many of its pairs keep the promise, and how many fail."""

    length: int
    promised: Counts
    failing: Counts
    smallest: tuple[int, int] | None = None

    @property
    def pairs(self) -> int:
        return int(self.promised.sum())

    @property
    def failures(self) -> int:
        return int(self.failing.sum())

    @property
    def across(self) -> int:
        """The number of neighbouring strings that a cell stands for."""
        return (1 << self.length) // len(self.promised)


def failure_map(
    execution: Execution, cells: int = CELLS, limit: int = MOST_PAIRS, advance: Advance = lambda done, total: None
) -> FailureMap:
    """All pairs of a well-formed instance.

    Args:
        cells: the largest number along each side; a power of two.
        limit: the largest number of pairs that are checked one by one.

    Raises:
        LimitError: more pairs than that, without two independent blocks of positions.
        ValueError: an ill-formed instance.
    """
    instance = execution.instance
    if instance.defects:
        raise ValueError(f"{instance.id} is ill-formed: {instance.defects[0]}")
    program = program_of(execution)
    cut = share(program)
    problem = instance.problem
    apart = cut is not None and not cut.shared and problem.function == "EQ" and problem.promise.replace(" ", "") == "y<=z"
    if cut is not None and apart and max(cut.high.width, cut.low.width) <= WIDEST_BLOCK:
        return _of_two_blocks(program, cut, cells)
    if 4**instance.m > limit:
        raise LimitError(f"the picture has {amount(4**instance.m)} pairs; the limit is {limit:,}", "a smaller precision")
    return _one_by_one(program, cells, advance)


def described(execution: Execution, limit: int = MOST_PAIRS, advance: Advance = lambda done, total: None) -> tuple[FailureMap, str]:
    """The map of an instance, and the exact common property of its failing inputs: a sentence, empty if none was found."""
    found = failure_map(execution, limit=limit, advance=advance)
    try:
        pattern = failing_pattern(execution, found.failures) if found.failures else None
    except (InputError, LimitError):
        pattern = None
    return found, f"{str(pattern)[:1].upper()}{str(pattern)[1:]}." if pattern else ""


def _one_by_one(program: Program, cells: int, advance: Advance) -> FailureMap:
    problem, length = program.execution.instance.problem, program.execution.instance.m
    side = min(cells, 1 << length)
    across = (1 << length) // side
    rows: list[tuple[Counts, Counts]] = []
    smallest = None
    for done, total, chunk in chunks(problem, 4**length):
        found = judged(program, chunk)
        if smallest is None and found.wrong.any():
            y, z = input_at(problem, chunk, int(found.wrong.argmax()))
            smallest = y, z
        rows.append(tuple(each.reshape(-1, side, across).sum(axis=2) for each in (found.promised, found.wrong)))
        advance(done + 1, total)
    promised, failing = (np.concatenate(each).reshape(side, across, side).sum(axis=1) for each in zip(*rows, strict=True))
    return FailureMap(length, promised, failing, smallest)


def _in_cells(counts: Counts, across: int) -> Counts:
    rows, columns = counts.shape
    found: Counts = counts.reshape(rows // across, across, columns // across, across).sum(axis=(1, 3))
    return found


def _of_two_blocks(program: Program, cut: Cut, cells: int) -> FailureMap:
    """y = (y', y"), z = (z', z"): for y' < z' every (y", z") counts, for y' = z' those with y" <= z"; each combination is decided once."""
    high, low = (block.sides(program, Budget(NO_LIMIT), with_every=True)[0] for block in (cut.high, cut.low))
    faults = OneByOne(program, cut, high, low, Program.faults).faults
    of_high, below = (np.stack([side.of_y(y) for y in range(side.size)]) for side in (high, low))
    length = cut.high.width + cut.low.width
    side = min(cells, 1 << length)
    finer = max(0, side.bit_length() - 1 - cut.high.width)
    across = low.size >> finer
    parts = 1 << finer
    kinds = np.zeros((len(low.outcomes), parts, parts), dtype=np.int64)
    row, column = np.indices(below.shape)
    np.add.at(kinds, (below, row // across, column // across), 1)
    of_class = np.tensordot(faults.on_no.astype(np.int64), kinds, axes=1)
    failing = of_class[of_high] * np.triu(np.ones((high.size, high.size), dtype=np.int64), 1)[:, :, None, None]
    promised = np.broadcast_to(np.triu(np.full((high.size, high.size), across * across), 1)[:, :, None, None], failing.shape).copy()
    ordered, same = row < column, row == column
    for y in range(high.size):
        kind = of_high[y, y]
        wrong = ordered & faults.on_no[kind][below] | same & faults.on_yes[kind][below]
        failing[y, y] = _in_cells(wrong.astype(np.int64), across)
        promised[y, y] = _in_cells((ordered | same).astype(np.int64), across)
    wide = max(1, (1 << length) // side // across)
    whole = [_in_cells(x.transpose(0, 2, 1, 3).reshape(high.size * parts, high.size * parts), wide) for x in (promised, failing)]
    return FailureMap(length, whole[0], whole[1])


def _pixels(found: FailureMap) -> npt.NDArray[np.uint8]:
    """The shade of each cell: 0 if no pair keeps the promise, 1 if none fails, darker the more fail."""
    asked = np.maximum(found.promised, 1)
    shade = 2 + np.minimum(SHADES - 1, found.failing * SHADES // asked)
    pixels = np.where(found.failing > 0, shade, np.where(found.promised > 0, 1, 0))
    return pixels.astype(np.uint8)


def _palette() -> list[Colour]:
    return [EMPTY, HOLDS, *((*FAILS, 170 + 85 * k // (SHADES - 1)) for k in range(SHADES))]


def says(found: FailureMap) -> str:
    """``131 of 512 promised pairs fail``."""
    return f"{found.failures:,} of {found.pairs:,} promised pairs fail"


def picture(found: FailureMap, title: str, titled: bool = True) -> Drawing:
    """The map with its axes: y downwards, z to the right, and a mark at the first failure. titled: with its title above it."""
    size, left, top = 384.0, 34.0, 40.0 if titled else 6.0
    drawing = Drawing(max(size + left + 8, left + LETTER * len(title)), size + top + 40, title, says(found))
    if titled:
        drawing.text((left, 16), title)
        drawing.text((left, 32), says(found), "small faint")
    drawing.image((left, top), (size, size), png(_pixels(found), _palette()))
    drawing.rectangle((left, top), (size, size), "frame")
    drawing.text((left, top + size + 14), "z = " + bits_of(0, found.length), "small")
    drawing.text((left + size, top + size + 14), bits_of((1 << found.length) - 1, found.length), "small end")
    drawing.text((left - 8, top), "y = " + bits_of(0, found.length), "small end", turned=True)
    drawing.text((left - 8, top + size), bits_of((1 << found.length) - 1, found.length), "small", turned=True)
    wide = "one pair a cell" if found.across == 1 else f"{found.across} × {found.across} pairs a cell, darker: more fail"
    drawing.text((left, top + size + 30), wide, "small faint")
    if found.smallest is not None:
        scale = size / (1 << found.length)
        drawing.circle((left + (found.smallest[1] + 0.5) * scale, top + (found.smallest[0] + 0.5) * scale), 5, "ring", "the first failure")
    return drawing
