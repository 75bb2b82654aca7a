"""Index sets as the papers print them."""

import pytest

from verifier.networks.indices import index_set


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("{2, 4, ..., 8}", (2, 4, 6, 8)), ("{3, 5, ..., 1}", ()), ("[1 : 3] | {7, 9, ..., 11} | 5", (1, 2, 3, 7, 9, 11, 5)), ("[1 : 0]", ())],
)
def test_index_sets(text: str, wanted: tuple[int, ...]) -> None:
    assert index_set(text, {}) == wanted
