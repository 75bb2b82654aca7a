"""Train the attention layer of the example ``attention.npz``, in some seconds.

``python -m tests.constructions.parameter_space_symmetry.train_attention [FILE]`` writes it again.

The task is look-up: six tokens are pairs of a key and a value, no key twice; the seventh is the key of one of them, and the answer is its
value. One layer of attention with two heads of 16 columns over embeddings of 32, all trained by Adam in float64 from a seed. The file
contains ``w_q`` and ``w_k`` (32 x 32, heads side by side, as x W) and the share of right answers on fresh questions.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

from verifier.running.results import ROOT

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]
Weights = dict[str, Floats]

KEYS, VALUES, TOKENS, WIDTH, HEADS = 16, 8, 6, 32, 2
STEPS, BATCH, RATE, SEED = 1500, 128, 0.005, 0
FILE = ROOT / "constructions" / "parameter_space_symmetry" / "examples" / "attention.npz"


def fresh(rng: np.random.Generator) -> Weights:
    shapes = {"key": (KEYS, WIDTH), "value": (VALUES, WIDTH), "asked": (KEYS, WIDTH), "answers": (WIDTH, VALUES)}
    shapes |= dict.fromkeys(("w_q", "w_k", "w_v", "w_o"), (WIDTH, WIDTH))
    return {name: rng.normal(size=shape) / np.sqrt(WIDTH) for name, shape in shapes.items()}


def questions(rng: np.random.Generator, count: int) -> tuple[Places, Places, Places]:
    """Keys and values of the tokens, the place asked for."""
    keys = rng.permuted(np.tile(np.arange(KEYS), (count, 1)), axis=1)[:, :TOKENS]
    return keys, rng.integers(0, VALUES, (count, TOKENS)), rng.integers(0, TOKENS, count)


def split(x: Floats) -> Floats:
    return x.reshape(*x.shape[:-1], HEADS, WIDTH // HEADS)


def gradients(w: Weights, keys: Places, values: Places, place: Places) -> tuple[Weights, float, float]:
    """The gradients of the mean cross-entropy, by the chain rule; the share of right answers; and the mean cross-entropy."""
    every = np.arange(len(place))
    x, one = w["key"][keys] + w["value"][values], w["asked"][keys[every, place]]
    q, k, v = split(one @ w["w_q"]), split(x @ w["w_k"]), split(x @ w["w_v"])
    scale = 1 / np.sqrt(WIDTH // HEADS)
    scores = np.einsum("bhd,bthd->bht", q, k) * scale
    attention = np.exp(scores - scores.max(-1, keepdims=True))
    attention /= attention.sum(-1, keepdims=True)
    heads = np.einsum("bht,bthd->bhd", attention, v).reshape(len(place), WIDTH)
    out = heads @ w["w_o"]
    logits = out @ w["answers"]
    found = np.exp(logits - logits.max(-1, keepdims=True))
    found /= found.sum(-1, keepdims=True)
    right = float((found.argmax(-1) == values[every, place]).mean())
    loss = float(-np.log(found[every, values[every, place]]).mean())
    found[every, values[every, place]] -= 1
    found /= len(place)
    of_out = found @ w["answers"].T
    of_heads = split(of_out @ w["w_o"].T)
    of_attention = np.einsum("bhd,bthd->bht", of_heads, v)
    of_scores = attention * (of_attention - (attention * of_attention).sum(-1, keepdims=True)) * scale
    of_v = np.einsum("bht,bhd->bthd", attention, of_heads).reshape(x.shape)
    of_q = np.einsum("bht,bthd->bhd", of_scores, k).reshape(one.shape)
    of_k = np.einsum("bht,bhd->bthd", of_scores, q).reshape(x.shape)
    of_x = of_k @ w["w_k"].T + of_v @ w["w_v"].T
    found_for = {name: np.zeros_like(w[name]) for name in ("key", "value", "asked")}
    np.add.at(found_for["key"], keys, of_x)
    np.add.at(found_for["value"], values, of_x)
    np.add.at(found_for["asked"], keys[every, place], of_q @ w["w_q"].T)
    flat = x.reshape(-1, WIDTH).T
    found_for |= {"w_q": one.T @ of_q, "w_k": flat @ of_k.reshape(-1, WIDTH), "w_v": flat @ of_v.reshape(-1, WIDTH)}
    return found_for | {"w_o": heads.T @ of_out, "answers": out.T @ found}, right, loss


def trained(steps: int = STEPS, seed: int = SEED) -> tuple[Weights, float]:
    """The weights after this many steps, and the share of right answers to 2,000 questions outside the training data."""
    rng = np.random.default_rng(seed)
    w = fresh(rng)
    first, second = ({name: np.zeros_like(x) for name, x in w.items()} for _ in range(2))
    for step in range(1, steps + 1):
        found, *_ = gradients(w, *questions(rng, BATCH))
        for name, slope in found.items():
            first[name] += 0.1 * (slope - first[name])
            second[name] += 0.001 * (slope**2 - second[name])
            w[name] -= RATE * first[name] / (1 - 0.9**step) / (np.sqrt(second[name] / (1 - 0.999**step)) + 1e-8)
    return w, gradients(w, *questions(rng, 2000))[1]


def main() -> None:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else FILE
    w, right = trained()
    np.savez(path, w_q=w["w_q"].astype(np.float32), w_k=w["w_k"].astype(np.float32))
    print(f"{path}: {right:.1%} of 2,000 fresh questions answered")


if __name__ == "__main__":
    main()
