"""Definition A.5 and one-way communication for total Boolean functions given by their matrix, both by trying everything."""

from __future__ import annotations

from itertools import combinations

Matrix = tuple[tuple[int, ...], ...]
"""f(x, y): Alice's inputs x down, Bob's y across."""


def largest_fooling_set(f: Matrix) -> int:
    """The size of the largest fooling set, by trying all sets, largest first.

    A set {(x_i, y_i)} of one value v is fooling if for all i ≠ j f(x_i, y_j) ≠ v or f(x_j, y_i) ≠ v. Members share no x and no y, so
    there are at most as many as inputs.
    """
    cells = [(x, y) for x, row in enumerate(f) for y in range(len(row))]
    for size in range(min(len(f), len(f[0])), 1, -1):
        for members in combinations(cells, size):
            values = {f[x][y] for x, y in members}
            if len(values) == 1 and all(f[a][d] not in values or f[c][b] not in values for (a, b), (c, d) in combinations(members, 2)):
                return size
    return 1


def fewest_bits(f: Matrix) -> int:
    """The one-way complexity ⌈log₂ r⌉, r the number of different rows: inputs of Alice's may share a message where their rows agree."""
    return (len(set(f)) - 1).bit_length()
