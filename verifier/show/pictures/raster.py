"""Small raster images with a palette, as PNG (ISO/IEC 15948): what a picture shows of a million pairs."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Colour = tuple[int, int, int, int]
"""Red, green, blue, and how much of it covers what is below, each 0 … 255."""


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
