"""Work cut into pieces gives what the whole gives, and no piece is larger than it may be."""

from __future__ import annotations

import numpy as np
import pytest

from verifier.arithmetic import arrays as pieces

SHAPES: list[list[tuple[int, ...]]] = [
    [()],
    [(0,)],
    [(7,)],
    [(12,), ()],
    [(1, 9)],
    [(3, 1), (4,)],
    [(1, 5), (2, 1)],
    [(4, 1, 2), (3, 1), (1,)],
    [(2, 0), (1,)],
]


@pytest.mark.one_in(5)
@pytest.mark.parametrize("shapes", SHAPES, ids=str)
@pytest.mark.parametrize("piece", [1, 2, 5, 8, 24, None])
def test_pieces_are_small_and_together_the_whole(shapes: list[tuple[int, ...]], piece: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    if piece is not None:
        monkeypatch.setattr(pieces, "PIECE", piece)
    arrays = [10**k * np.arange(1, 1 + int(np.prod(shape)), dtype=np.int64).reshape(shape) for k, shape in enumerate(shapes)]
    sizes: list[int] = []

    def added(*parts: pieces.States) -> pieces.States:
        total = np.asarray(sum(parts), dtype=np.int64)
        sizes.append(total.size)
        return total

    whole = sum(arrays)
    found = pieces.in_pieces(added, *arrays)
    assert (np.shape(found), np.ravel(found).tolist()) == (np.shape(whole), np.ravel(whole).tolist())
    assert max(sizes) <= pieces.PIECE
