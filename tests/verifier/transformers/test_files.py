"""What reading says of network files with mistakes: all of them, each with its line and what was expected."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest

from verifier.running.errors import FileDefects, InputError, lines_of
from verifier.transformers.files import find_network, gallery, read_network

PARITY = (files("constructions") / "gallery" / "parity.toml").read_text()


def lines(tmp_path: Path, *changes: tuple[str, str]) -> tuple[str, ...]:
    """The lines of PARITY's file with these changes, without its path."""
    text = PARITY
    for before, after in changes:
        assert before in text
        text = text.replace(before, after, 1)
    path = tmp_path / "network.toml"
    path.write_text(text)
    with pytest.raises(InputError) as refused:
        read_network(path)
    return tuple(line.removeprefix(str(path)) for line in lines_of(refused.value))


def test_all_mistakes_are_told_with_their_lines(tmp_path: Path) -> None:
    found = lines(tmp_path, ('share = "one"', 'share = "ones"'), ('scale = "1/sqrt(5)"', 'scale = "1/sqrt(m)"'), ("after = 1", "after = 3"))
    assert len(found) == 3
    numbers = [int(line.split(":")[1]) for line in found]
    text = PARITY.splitlines()
    assert [text[number - 1].split()[0] for number in numbers] == ["value", "scale", "after"]


def test_the_gallery_can_be_read() -> None:
    assert {name for name, _ in gallery()} >= {"parity", "first", "parity-layer-norm", "first-layer-norm"}
    for name, _ in gallery():
        assert find_network(f"gallery/{name}").id == name


@pytest.mark.parametrize("name", ["gallery/none", "gallery/../parity", "nothing.toml"])
def test_a_network_that_is_not_there(name: str) -> None:
    with pytest.raises(InputError) as refused:
        find_network(name)
    assert not isinstance(refused.value, FileDefects)
