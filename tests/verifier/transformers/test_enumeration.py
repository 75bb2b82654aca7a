"""Parts of the inputs and pieces on processes: together they are every input once, and the first wrong one is the same."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from verifier.arithmetic.semantics import arithmetic
from verifier.running.errors import InputError
from verifier.transformers import enumeration
from verifier.transformers.enumeration import Part, first_in
from verifier.transformers.files import find_network


@pytest.mark.parametrize("count", [0, 1, 5, 64, 1000])
@pytest.mark.parametrize("of", [1, 2, 3, 7])
def test_parts_are_every_input_once(count: int, of: int) -> None:
    found = [x for k in range(1, of + 1) for x in range(*Part(k, of).span(count))]
    assert found == list(range(count))


@pytest.mark.parametrize("text", ["", "1", "0/2", "3/2", "1/0", "a/b", "-1/2", "1/2/3", "1/" + "9" * 40])
def test_what_is_no_part(text: str) -> None:
    with pytest.raises(InputError, match="K/N with"):
        Part.read(text)


@pytest.mark.parametrize("form", ["e3m2+sums=pairwise", "e2m1+sums=pairwise"])
def test_pieces_in_a_pool_find_the_first_wrong_input(monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    """Of each part, with pieces of three inputs."""
    monkeypatch.setattr(enumeration, "LEAST", 3)
    file, how, point = find_network("gallery/parity"), arithmetic(form), {"n": 7}
    whole, *parts = Part(), Part(1, 2), Part(2, 2)
    with ThreadPoolExecutor(2) as pool:
        here = [first_in(file, point, how, part) for part in (whole, *parts)]
        assert here == [first_in(file, point, how, part, pool=pool) for part in (whole, *parts)]
    assert here[0] == next(found for found in here[1:] if found is not None)
