"""What reading says of network files with mistakes: all of them, each with its line and what was expected."""

from __future__ import annotations

import pytest

from verifier.running.errors import InputError, lines_of
from verifier.transformers.files import find_network, gallery


def test_the_gallery_can_be_read() -> None:
    assert {name for name, _ in gallery()} >= {"parity", "first", "parity-layer-norm", "first-layer-norm"}
    for name, _ in gallery():
        assert find_network(f"gallery/{name}").id == name


@pytest.mark.parametrize("name", ["gallery/none", "gallery/../parity", "nothing.toml"])
def test_a_network_that_is_not_there(name: str) -> None:
    with pytest.raises(InputError) as refused:
        find_network(name)
    assert len(lines_of(refused.value)) == 1
