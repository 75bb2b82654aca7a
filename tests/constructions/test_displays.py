"""Every display without a number has the claim that judges it, or a reason why there is none."""

import tomllib
from pathlib import Path

import pytest

from verifier.claims.papers import find_paper

DISPLAYS = tomllib.loads((Path(__file__).parent / "displays.toml").read_text(encoding="utf-8"))
COUNTS = DISPLAYS.pop("counts")


@pytest.mark.parametrize("name", DISPLAYS)
def test_each_display_has_a_claim_or_a_reason(name: str) -> None:
    paper = find_paper(name)
    assert paper is not None
    claims = {claim.name for claim in paper if not claim.ours}
    entries = [entry for section in DISPLAYS[name].values() for entry in section]
    assert {entry for entry in entries if not entry.startswith("- ")} <= claims
    assert all(len(entry) > 10 for entry in entries if entry.startswith("- "))


@pytest.mark.parametrize("name", DISPLAYS)
def test_no_display_of_the_text_is_left_out(name: str) -> None:
    assert {section: len(entries) for section, entries in DISPLAYS[name].items()} == COUNTS[name]


ROWS = {"fixed-point-networks/table-1": 18, "fixed-point-networks/table-2": 2}
"""Intervals that the tables print, in every row; the other two papers' tables are in ``numbered_items.toml``."""


@pytest.mark.parametrize("table", ROWS)
def test_each_interval_of_a_table_has_a_claim(table: str) -> None:
    paper = find_paper(table.partition("/")[0])
    assert paper is not None
    assert sum(1 for claim in paper if claim.id.startswith(f"{table}:") and not claim.ours) == ROWS[table]
