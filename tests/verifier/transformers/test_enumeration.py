"""Parts of the inputs and pieces on processes: together they are every input once, and the first wrong one is the same."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from verifier.arithmetic.semantics import arithmetic
from verifier.transformers import answers as enumeration
from verifier.transformers.answers import Part, first_in
from verifier.transformers.files import find_network


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
