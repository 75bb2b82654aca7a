"""Instances of one content are one, so that what is computed of a table is found again."""

from __future__ import annotations

import msgspec
import pytest

from verifier.claims.papers import find_claim
from verifier.networks.instantiate import instantiate
from verifier.networks.records import ConstructionFile
from verifier.running.errors import InputError


def test_equal_contents_share_an_instance_and_others_do_not() -> None:
    table = find_claim("lemma-2.6:table-6").table
    assert table is not None
    file = table.source.file
    again = msgspec.convert(msgspec.to_builtins(file), ConstructionFile)
    one = instantiate(file, {"p": 5, "n": 22})
    assert instantiate(again, {"n": 22, "p": 5}) is one
    assert instantiate(file, {"p": 5, "n": 23}) is not one
    first, second, *others = file.row
    changed = msgspec.structs.replace(file, row=[first, msgspec.structs.replace(second, one=second.zero), *others])
    other = instantiate(changed, {"p": 5, "n": 22})
    assert other is not one
    assert [token.vectors for token in other.tokens] != [token.vectors for token in one.tokens]
    for _ in range(2):
        with pytest.raises(InputError, match="p = 0"):
            instantiate(file, {"p": 0, "n": 22})
