"""The quantizer of Eq. (3) as repaired: 2^b steps of width R/2^b from the least entry on, each reconstructed by its middle."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Batch = npt.NDArray[np.float64]


def reconstructed(x: Batch, bits: int) -> Batch:
    """Each matrix of heads × n × m after quantization with its own range; the error is at most R/2^(b+1), up to rounding in float64."""
    low, high = x.min((1, 2), keepdims=True), x.max((1, 2), keepdims=True)
    width = (high - low) / 2**bits
    codes = np.minimum(np.floor((x - low) / np.where(width > 0, width, 1)), 2**bits - 1)
    found: Batch = np.where(width > 0, low + (codes + 0.5) * width, x)
    return found


def measured_noise(q: Batch, k: Batch, bits: int) -> npt.NDArray[np.float64]:
    """The mean squared error of the product after quantizing both, for each head: what rounding does, no expectation."""
    error = reconstructed(q, bits) @ np.swapaxes(reconstructed(k, bits), 1, 2) - q @ np.swapaxes(k, 1, 2)
    found: npt.NDArray[np.float64] = (error**2).mean((1, 2))
    return found
