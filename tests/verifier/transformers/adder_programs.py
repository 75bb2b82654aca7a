"""The adders of the gallery as small NumPy programs, written from the entries' formulas and numbers, not from the network files.

A program takes tokens of the shape (inputs, positions) and a dtype, and gives the logits at the last position. Sums, e^x, cosines and
roots are NumPy's own, in that dtype.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import cos, log, pi, sin, sqrt
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = Any
Program: TypeAlias = Callable[[Array, Any], Array]
Prompt: TypeAlias = Callable[[int, int], list[int]]
EPS = 1e-6
SEPARATOR = 10


def sum_of_digits(program: Program, prompt: Prompt, pairs: list[tuple[int, int]], digits: int, dtype: Any) -> Array:
    """What a program answers to pairs of numbers: the appended digits, the least first."""
    tokens = np.array([prompt(a, b) for a, b in pairs])
    for _ in range(digits + 1):
        tokens = np.column_stack([tokens, program(tokens, dtype).argmax(axis=1)])
    return tokens[:, -digits - 1 :]


def spelt(x: int, digits: int) -> list[int]:
    """The digits of a number, the most significant first."""
    return [int(c) for c in f"{x:0{digits}d}"]


def prompt_19(a: int, b: int) -> list[int]:
    return [0, *spelt(a, 10)[::-1], *[0] * 9, *spelt(b, 10)[::-1], 0]


def prompt_reversed(a: int, b: int, digits: int = 10) -> list[int]:
    return [0, *spelt(a, digits)[::-1], 0, 0, *spelt(b, digits)[::-1], 0]


def prompt_separated(a: int, b: int, digits: int = 10) -> list[int]:
    return [*spelt(a, digits)[::-1], SEPARATOR, *spelt(b, digits)[::-1], SEPARATOR]


def prompt_forward(a: int, b: int, digits: int = 10) -> list[int]:
    return [*spelt(a, digits), 0, *spelt(b, digits), 0]


def rms(x: Array) -> Array:
    return x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + x.dtype.type(EPS))


def softmax(x: Array) -> Array:
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def silu(x: Array) -> Array:
    with np.errstate(over="ignore"):
        return x / (1 + np.exp(-x))


def relu(x: Array) -> Array:
    return np.maximum(x, 0)


def turned(x: Array, angles: Array) -> Array:
    """Pairs turned by an angle for each position."""
    c, s = np.cos(angles), np.sin(angles)
    return np.stack([x[..., 0] * c - x[..., 1] * s, x[..., 0] * s + x[..., 1] * c], axis=-1)


def period_19(tokens: Array, dtype: Any, kind: str) -> Array:
    """zcbtrak ("folded"), kswain98 ("8"), Lokimorty ("12"), yieldthought and Wonderfall ("relu")."""
    omega = 2 * pi / 19
    phase, amplitude = omega * 10.3, log(10) / (cos(0.3 * omega) - cos(0.7 * omega))
    d = np.arange(10)
    table = np.stack([1000 - 0.001 * d * d, -d], axis=-1).astype(dtype)
    h = table[tokens]
    x, number = rms(h), np.dtype(dtype).type
    zero = np.zeros_like(x[..., 0])
    query = np.stack([x[..., 0] * number(cos(phase)), x[..., 0] * number(-sin(phase))], axis=-1)
    key = np.stack([x[..., 0], zero], axis=-1)
    if kind != "relu":
        query, key = rms(query), rms(key)
    angles = (np.arange(tokens.shape[1]) * omega).astype(dtype)
    query, key = turned(query, angles)[:, -1], turned(key, angles)
    weights = softmax((key @ query[..., None])[..., 0] * number(amplitude / 2))
    h = h[:, -1].copy()
    h[:, 1] += (weights * (x[..., 1] * number(-22000 / sqrt(2)))).sum(axis=1)
    x = rms(h)
    rows = np.array([[-12032, 128000], [-12032 - 128, 128000]], dtype)
    low, high = (x @ rows.T).T
    if kind == "relu":
        hinges, carry = (relu(low), relu(high)), 100 * sqrt(2) / 256
    else:
        gate = x[:, 0] * number(1 / sqrt(2)) if kind == "12" else x[:, 0]
        hinges, carry = (silu(low) * gate, silu(high) * gate), 100 * sqrt(2) / 256 if kind == "12" else 100 / 256
    h[:, 1] += number(carry) * (hinges[1] - hinges[0])
    gain = np.array([50 * sqrt(2), -10 * sqrt(2)], dtype)
    return rms(h) @ (table * gain).T if kind == "folded" else (rms(h) * gain) @ table.T


def five_copies(tokens: Array, dtype: Any, digits: int = 10) -> Array:
    """jacobli99: five heads that each look a fixed number of places back."""
    number, length = np.dtype(dtype).type, tokens.shape[1]
    d = tokens.astype(dtype)
    x0, x1 = 1000 - number(0.00025) * d * d, d
    key = turned(np.stack([x0 * 256, 0 * x0], axis=-1), np.arange(length).astype(dtype))
    back = [0, 2 * digits + 3, digits + 1, 2 * digits + 2, digits]
    seen = []
    for offset in back:
        query = turned(x0[:, -1, None] * np.array([256 * cos(offset), -256 * sin(offset)], dtype), number(length - 1))
        seen.append((softmax((key @ query[..., None])[..., 0] / number(sqrt(2))) * x1).sum(axis=1))
    own, a_before, b_before, a_here, b_here = seen
    x0, x1 = x0[:, -1] + own - a_before - b_before, x1[:, -1] - own + a_here + b_here
    x1 = x1 + relu(992 - x0) - relu(991 - x0) - 10 * relu(1812 - 2 * x0 + 20 * x1) + 10 * relu(1811 - 2 * x0 + 20 * x1)
    c = np.arange(10).astype(dtype)
    return np.outer(x0 / 1000, 1000 - number(0.00025) * c * c) + np.outer(x1 * number(0.0005), c)


def powers_of_ten(tokens: Array, dtype: Any, digits: int = 10) -> Array:
    """fblissjr: a mask with numbers; the logit of the separator is left out."""
    number, length = np.dtype(dtype).type, tokens.shape[1]
    d = np.where(tokens == SEPARATOR, 0, tokens).astype(dtype)
    k = length - 2 * digits - 2
    mask = np.full((2, length), -np.inf)
    if k < digits:
        mask[0, [k, digits + 1 + k]] = 0
    for j in range(min(k, digits)):
        mask[1, [j, digits + 1 + j]] = -(k - j) * log(10)
    mask[:, digits] = 80
    here, lower = softmax(mask.astype(dtype))
    pair, prefix = (d * here).sum(axis=1), (d * lower).sum(axis=1)
    own, e80 = d[:, -1], number(np.exp(80.0))
    x, carry = own + (e80 * pair - own), e80 * prefix
    up = [relu(y + number(c + e)) for y, c in ((carry, -1), (x + carry, -10)) for e in (1e-11, 0.5e-11)]
    x = x + (number(2e11) * up[0] - number(2e11) * up[1] - number(2e12) * up[2] + number(2e12) * up[3])
    c = np.arange(10).astype(dtype)
    return np.outer(x, 2 * c) - c * c


def period_11(tokens: Array, dtype: Any, digits: int = 10, times: float = 1.0) -> Array:
    """lichengliu03; cosminscn with queries and the carry's hinges times 100."""
    number, length = np.dtype(dtype).type, tokens.shape[1]
    theta, d, place = 2 * pi / (digits + 1), tokens.astype(dtype), np.arange(length)
    amplitude = np.where(place <= 2 * digits + 1, 100, 1)
    sine, cosine = ((amplitude * f(place * theta)).astype(dtype) for f in (np.sin, np.cos))
    key = np.stack([sine, cosine], axis=-1)
    sums = []
    for turns in (digits - 2, digits - 1):
        c, s = number(times * cos(turns * theta)), number(times * sin(turns * theta))
        query = np.array([-c * sine[-1] + s * cosine[-1], s * sine[-1] + c * cosine[-1]])
        sums.append(2 * (d @ softmax(key @ query / number(sqrt(2)))))
    here, before = sums
    last, before = d[:, -1], before + sine[-1]
    carry = relu(number(times) * (before - last) - number(times / 2)) - relu(number(times) * (before - last) - number(1.5 * times))
    wrap = 1000 * here + 10 * before - 10 * last
    total = here + carry / number(times) - relu(wrap - 9045) + relu(wrap - 9055)
    c = np.arange(10).astype(dtype)
    return np.outer(total, 2 * c) - c * c


def four_copies(tokens: Array, dtype: Any, digits: int = 10, kind: str = "116") -> Array:
    """prasannakotyal ("116"), Wonderfall ("130", "139")."""
    number, length = np.dtype(dtype).type, tokens.shape[1]
    d = np.arange(10)
    table = np.stack([1000 - d * d / 4000, d, d / 2000], axis=-1).astype(dtype)
    h = table[tokens]
    x = rms(h)
    scale, zero = number(1000 / sqrt(3)), np.zeros_like(x[..., 0])
    key = turned(256 * rms(np.stack([x[..., 0], zero], axis=-1)), np.arange(length).astype(dtype))
    seen = []
    for offset in (2 * digits + 3, digits + 1, 2 * digits + 2, digits):
        query = x[:, -1, :1] * np.array([cos(offset), -sin(offset)], dtype)
        query = turned(256 * rms(query), number(length - 1))
        seen.append((softmax((key @ query[..., None])[..., 0] / number(sqrt(2))) * (scale * x[..., 1])).sum(axis=1))
    h = h[:, -1].copy()
    h[:, 1] -= seen[0] + seen[1]
    h[:, 2] += seen[2] + seen[3]
    x = rms(h)
    alpha, root = 20, sqrt(3)
    hinge = [alpha * -2 * 1000 / root, alpha * 20 * 1000 / root]
    wrap = [silu(x @ np.array([alpha * c / root, *hinge], dtype)) * x[:, 0] for c in (-188, -189)]
    h[:, 2] += number(10 / (alpha * root)) * (wrap[1] - wrap[0])
    if kind == "130":
        linear = silu(number(alpha / root) * x[:, 0]) * (x @ np.array([0.5 / root, -1000 / root, 0], dtype))
        h[:, 2] += number((1 + np.exp(-20)) / 200) * linear
    if kind == "139":
        carry = [silu(x @ np.array([alpha * c / root, -alpha * 1000 / root, 0], dtype)) * x[:, 0] for c in (-8, -9)]
        h[:, 2] += number(1 / (alpha * root)) * (carry[0] - carry[1])
    gain = np.array([1 / root, -1 / (20 * root) if kind == "116" else 0, 1000 / root], dtype)
    return (rms(h) * gain) @ table.T


ADDERS: dict[str, tuple[Program, Callable[..., list[int]]]] = {
    "adder-6": (partial(period_19, kind="folded"), prompt_19),
    "adder-8": (partial(period_19, kind="8"), prompt_19),
    "adder-12": (partial(period_19, kind="12"), prompt_19),
    "adder-20": (partial(period_19, kind="relu"), prompt_19),
    "adder-27": (partial(period_19, kind="relu"), prompt_19),
    "adder-28": (five_copies, prompt_reversed),
    "adder-33": (powers_of_ten, prompt_separated),
    "adder-50": (period_11, prompt_forward),
    "adder-116": (four_copies, prompt_reversed),
    "adder-130": (partial(four_copies, kind="130"), prompt_reversed),
    "adder-130-sines": (partial(period_11, times=100.0), prompt_forward),
    "adder-139": (partial(four_copies, kind="139"), prompt_reversed),
}
