"""Train a transformer of one layer on whether a string of at most 5 bits has more ones than zeros, and write its weights.

Its tensors have the names that Haiku and Tracr give them: `verify convert` reads them.
"""

from itertools import product

import numpy as np

rng = np.random.default_rng(3)
WORDS, WIDTH, HIDDEN = 3, 7, 8  # the words 0, 1, END; coordinates: a word, the average of the words, the answer
strings = [bits for n in range(1, 6) for bits in product((0, 1), repeat=n)]
averages = np.array([np.eye(3)[[*bits, 2]].mean(axis=0) for bits in strings])  # all scores are 0
right = np.array([2 * sum(bits) > len(bits) for bits in strings])

first, bias, second = rng.normal(size=(3, HIDDEN)), np.zeros(HIDDEN), rng.normal(size=HIDDEN)
for _ in range(6000):  # gradient descent on the logistic loss
    hidden = np.maximum(averages @ first + bias, 0)
    error = 1 / (1 + np.exp(-hidden @ second)) - right
    back = np.outer(error, second) * (hidden > 0)
    second -= 0.05 * hidden.T @ error
    first -= 0.05 * averages.T @ back
    bias -= 0.05 * back.sum(axis=0)


def at(shape: tuple[int, int], row: int, column: int, block: np.ndarray) -> np.ndarray:
    """Zeros, but for a block."""
    found = np.zeros(shape, np.float32)
    found[row : row + block.shape[0], column : column + block.shape[1]] = block
    return found


layer = "transformer/layer_0/"
np.savez(
    "majority.npz",
    **{
        "token_embed/embeddings": at((WORDS, WIDTH), 0, 0, np.eye(3)),
        "pos_embed/embeddings": np.zeros((33, WIDTH), np.float32),
        f"{layer}attn/query/w": np.zeros((WIDTH, 1), np.float32),
        f"{layer}attn/key/w": np.zeros((WIDTH, 1), np.float32),
        f"{layer}attn/value/w": at((WIDTH, 3), 0, 0, np.eye(3)),
        f"{layer}attn/linear/w": at((3, WIDTH), 0, 3, np.eye(3)),
        f"{layer}mlp/linear_1/w": at((WIDTH, HIDDEN), 3, 0, first),
        f"{layer}mlp/linear_1/b": bias.astype(np.float32),
        f"{layer}mlp/linear_2/w": at((HIDDEN, WIDTH), 0, 6, second[:, None]),
        "residual_labels": np.array(["word:0", "word:1", "word:END", "share:0", "share:1", "share:END", "answer"]),
        "vocabulary": np.array(["0", "1", "END"]),
    },
)
print(f"right on {np.mean((np.maximum(averages @ first + bias, 0) @ second > 0) == right):.0%} of {len(strings)} strings")
