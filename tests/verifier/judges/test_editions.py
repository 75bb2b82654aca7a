"""Which table a claim is judged on: as printed, with its errata or some of them, or with nothing but its indices repaired."""

from __future__ import annotations

from dataclasses import replace

import pytest

from verifier.claims.model import Claim
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition
from verifier.judges.editions import (
    edition_file,
    edition_instance,
    readable_instance,
    with_indices_repaired,
)


def claim(name: str, **table: object) -> Claim:
    """A claim of the paper; table: what is changed of its table's record."""
    found = find_claim(f"every-bit-counts/{name}")
    assert found.table is not None
    return replace(found, table=replace(found.table, **table))  # type: ignore[arg-type]  # fields by name


STEP, OWN = "lemma-2.3:numerator-step-6", "lemma-2.3:table-5"
TABLE_8, INDICES = "lemma-c.8:first-part", "t3-exponent-y"
"""A step about table 8, and an erratum of its indices without which it is well-formed all the same."""


@pytest.mark.parametrize(
    ("edition", "table", "p", "outside"),
    [
        (Edition.REPAIRED, {}, 7, True),
        (Edition.REPAIRED, {}, 8, False),
        (Edition.REPAIRED, {"domain": False}, 7, False),
        (Edition.REPAIRED, {"errata": False}, 7, False),
        (Edition.PRINTED, {}, 7, False),
        (Edition.STATEMENT, {}, 7, False),
    ],
)
def test_errata_reach_as_far_as_they_say(edition: Edition, table: dict[str, object], p: int, outside: bool) -> None:
    file, said = edition_file(claim(STEP, **table), edition, {"p": p})
    assert (said or "").partition(":")[0] == ("outside the errata's domain p >= 8" if outside else "")
    repaired = edition is Edition.REPAIRED and "errata" not in table
    own = claim(OWN).table
    assert own is not None
    assert (file.row != own.source.file.row) is repaired


SOME = {"without": ("step-5-range",), "partial": True}


@pytest.mark.parametrize(
    ("name", "table", "edition", "at", "mended"),
    [
        (STEP, {}, Edition.PRINTED, {"p": 7}, True),
        (STEP, {}, Edition.PRINTED, {"p": 6}, False),
        (STEP, {}, Edition.REPAIRED, {"p": 8}, False),
        (STEP, {"claim": None}, Edition.PRINTED, {"p": 7}, False),
        (STEP, {**SOME, "partial": False}, Edition.REPAIRED, {"p": 8}, False),
        (STEP, SOME, Edition.REPAIRED, {"p": 8}, True),
        (STEP, SOME, Edition.PRINTED, {"p": 8}, True),
        (OWN, SOME, Edition.REPAIRED, {"p": 8}, False),
        (OWN, {}, Edition.PRINTED, {"p": 7}, False),
        (TABLE_8, {"without": (INDICES,), "partial": True}, Edition.REPAIRED, {"m": 11, "e": 6}, False),
        ("lemma-2.6:numerator-step-9", {}, Edition.PRINTED, {"p": 5}, False),
    ],
)
def test_indices_are_mended_where_a_table_is_ill_formed_and_not_its_own_claim_is_asked(
    name: str, table: dict[str, object], edition: Edition, at: dict[str, int], mended: bool
) -> None:
    asked = claim(name, **table)
    point = asked.complete(at)
    whole = edition_instance(asked, edition, point)
    found = readable_instance(asked, edition, point)
    assert (found is not whole) is mended
    if mended:
        assert whole.defects
        assert not found.defects
        assert found is with_indices_repaired(asked, point, edition)


@pytest.mark.parametrize(
    ("name", "at", "edition"),
    [(STEP, {"p": 6}, Edition.PRINTED), (STEP, {"p": 6}, Edition.REPAIRED), ("lemma-2.6:table-6", {"p": 8}, Edition.REPAIRED)],
)
def test_a_table_without_such_errata_or_ill_formed_with_them_is_not_mended(name: str, at: dict[str, int], edition: Edition) -> None:
    asked = claim(name)
    assert with_indices_repaired(asked, asked.complete(at), edition) is None
