"""Every statement of the paper says what kind of assertion it is."""

import pytest

from verifier.claims.files import read_statement
from verifier.claims.papers import find_paper
from verifier.claims.records import KINDS
from verifier.running.errors import InputError


def test_every_statement_has_a_kind() -> None:
    paper = find_paper("one-bit-scaling")
    assert paper is not None
    assert {claim.kind for claim in paper.statements()} == KINDS.keys()


def test_a_kind_is_one_of_those_there_are(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "lemma-1.toml"
    path.write_text('id = "lemma-1"\nsays = "."\nplace = "."\nkind = "guess"\n', encoding="utf-8")
    with pytest.raises(InputError, match="kind is 'guess'; one of definition, identity"):
        read_statement(path, {"id": "toy"}, tmp_path, "toy")
