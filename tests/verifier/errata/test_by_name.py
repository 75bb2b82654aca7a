"""Errata by name: which there are, what a pattern matches, and a claim with some of them alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.tables import table
from verifier.claims.model import Claim
from verifier.claims.records import Erratum, plain
from verifier.errata.by_name import DOMAIN, Only, matching, touched
from verifier.running.errors import InputError

NONE = Claim("toy/lemma-9", "", "", "")
ERRATA = tuple(Erratum(plain(str(k)), plain(""), "") for k in range(3))
MENDED = [replace(NONE, statement=f"{k} mended") for k in range(8)]
"""With the errata of the binary digits of k."""
PARTLY = {tuple(bit for bit in range(3) if k >> bit & 1): MENDED[k] for k in range(1, 7)}
THREE = replace(NONE, errata=ERRATA, repaired=MENDED[7], partly=PARTLY)


@pytest.mark.parametrize("k", range(8))
def test_a_claim_has_those_of_its_errata_that_are_asked_for_and_no_others(k: int) -> None:
    only = Only(frozenset(f"lemma-9#{bit + 1}" for bit in range(3) if k >> bit & 1) | {"lemma-9", "lemma-8#1"})
    assert only.applied(THREE).repaired == (MENDED[k] if k else None)


@pytest.mark.parametrize("domain", [False, True])
def test_a_table_has_those_of_its_errata_that_are_asked_for_and_no_others(domain: bool) -> None:
    """Those that it goes without anyway it goes without."""
    printed = replace(table("table-7"), without=("t2-tail",))
    kept = {"t2-token-1", "no-underflow"}
    only = Only(frozenset({f"table-7/{name}" for name in kept} | {"table-6/step-1-key"} | ({f"table-7/{DOMAIN}"} if domain else set())))
    mended = replace(printed, partial=True, domain=domain, without=tuple(sorted(printed.source.names - kept)))
    assert only.applied(replace(NONE, table=printed)).table == mended
    other = replace(THREE, table=printed, repaired=replace(MENDED[7], table=printed))
    for claim in (only.applied(other), Only(only.names | {f"lemma-9#{k}" for k in (1, 2, 3)}).applied(other)):
        assert claim.table == mended
        assert claim.repaired is None or claim.repaired.table == mended


EVERY = dict.fromkeys(["lemma-9#1", "lemma-9#2", "lemma-9:half", "table-6/step-1-key", "table-6/step-2-key", "lemma-8"], ERRATA[0])


@pytest.mark.parametrize(
    ("patterns", "names"),
    [
        (["lemma-9"], ["lemma-9#1", "lemma-9#2"]),
        (["lemma-8", "table-6/step-*-key"], ["lemma-8", "table-6/step-1-key", "table-6/step-2-key"]),
        (["lemma-9#2", "lemma-8"], ["lemma-9#2", "lemma-8"]),
        (["lemma-?"], ["lemma-8"]),
    ],
)
def test_a_pattern_matches_names_and_a_claims_name_all_of_its_errata(patterns: list[str], names: list[str]) -> None:
    assert list(matching(patterns, EVERY)) == names


def test_a_pattern_that_matches_nothing_is_refused() -> None:
    with pytest.raises(InputError, match=r"^no erratum 'lemma-7'; `verify show` of a claim names its errata$"):
        list(matching(["lemma-8", "lemma-7"], EVERY))


@pytest.mark.parametrize(
    ("claim", "names", "expected"),
    [
        (THREE, {"lemma-9#2", "lemma-1"}, True),
        (THREE, {"lemma-9#3"}, True),
        (THREE, {"lemma-9", "None/key"}, False),
        (NONE, {"lemma-9"}, False),
        (replace(NONE, table=table("table-6")), {"table-6/step-1-key", "lemma-1"}, True),
        (replace(NONE, table=table("table-6")), {"table-6/step-1-key"}, True),
        (replace(NONE, table=table("table-6")), {"table-60/step-1-key", "lemma-9"}, False),
        (replace(NONE, table=table("table-6", errata=False)), {"table-6/step-1-key"}, False),
        (replace(THREE, table=table("table-6")), {"lemma-9#1"}, True),
    ],
)
def test_a_claim_is_touched_by_one_of_its_errata_or_its_tables(claim: Claim, names: set[str], expected: bool) -> None:
    assert touched(claim, frozenset(names)) is expected
