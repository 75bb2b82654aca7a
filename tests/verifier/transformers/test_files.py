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


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("bitreferee/network/1", "bitreferee/network/2", "was expected as the file's first line"),
        ('id = "parity"', 'id = "../parity"', "small letters, digits, dots and dashes"),
        ("[accept]", "[acept]", "did you mean accept?"),
        ('at = "CLS"', 'att = "CLS"', "unknown field 'att'; did you mean at?"),
        ('kind = "softmin"', "", ""),
        ('share = "one"', 'share = "one*one"', "is not linear; a map such as"),
        ('share = "one"', 'share = "ones"', "no name 'ones' here"),
        (
            'combine = { answer = "odd - even" }',
            'combine = { answer = "odd - even + 1/2" }',
            "a constant; a map of what the heads give was expected",
        ),
        ('at_k = "below', 'mark = "below*here', "is not linear"),
        ('key = ["sign"]', "key = []", "0 maps; 1 were expected, as many as of the query"),
        ('scale = "1/sqrt(5)"', 'scale = "1/sqrt(m)"', "no name 'm' here"),
        ('tokens = ["w", "CLS"]', 'tokens = ["w[1 : n + 1]", "CLS"]', "'w[1 : n + 1]' is 1 to 2; w has symbols 1 to 1"),
        ('tokens = ["w", "CLS"]', 'tokens = ["w + 1", "CLS"]', "a special token, a symbol, w, w[1 : n] or reversed(w) was expected"),
        ("after = 1", "after = 3", "a layer from 1 to 2, or 0, was expected"),
        ('place = "i/(n + 1)"', 'place = "i/(n - 1)"', "divides by zero"),
        ('place = "i/(n + 1)"', 'place = "i/(n + 1)"\nspare = 0.5', "the float 0.5 (an exact number is written in quotes"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, before: str, after: str, expected: str) -> None:
    if not after:
        before, after, expected = "value = { share", 'kind = "softmin"\nvalue = { share', "softmax or softmax-plus-one"
    found = lines(tmp_path, (before, after))
    assert any(expected in line for line in found), found


def test_all_mistakes_are_told_with_their_lines(tmp_path: Path) -> None:
    found = lines(tmp_path, ('share = "one"', 'share = "ones"'), ('scale = "1/sqrt(5)"', 'scale = "1/sqrt(m)"'), ("after = 1", "after = 3"))
    assert len(found) == 3
    numbers = [int(line.split(":")[1]) for line in found]
    text = PARITY.splitlines()
    assert [text[number - 1].split()[0] for number in numbers] == ["value", "scale", "after"]


def test_a_coordinate_that_is_not_declared(tmp_path: Path) -> None:
    found = lines(tmp_path, ("[open]", 'coordinates = ["zero", "one", "cls", "place", "sign", "share", "unit", "answer"]\n[open]'))
    assert any("no coordinate 'at_k'; one of zero, one" in line for line in found), found


def test_the_gallery_can_be_read() -> None:
    assert {name for name, _ in gallery()} >= {"parity", "first", "parity-layer-norm", "first-layer-norm"}
    for name, _ in gallery():
        assert find_network(f"gallery/{name}").id == name


@pytest.mark.parametrize("name", ["gallery/none", "gallery/../parity", "nothing.toml"])
def test_a_network_that_is_not_there(name: str) -> None:
    with pytest.raises(InputError) as refused:
        find_network(name)
    assert not isinstance(refused.value, FileDefects)
