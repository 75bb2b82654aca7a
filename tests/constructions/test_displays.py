"""Every display and table row has a claim, or a reason why not."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.papers_of_tests import the_paper
from tests.tables import FOLDER
from verifier.claims.papers import find_claim
from verifier.errata.tables import read_construction

LISTED = tomllib.loads((Path(__file__).parent / "displays.toml").read_text(encoding="utf-8"))
ROWS, STEPS = LISTED.pop("rows"), LISTED.pop("steps")
DISPLAYS = {
    "every-bit-counts": 53,
    "piecewise-affine": 20,
    "parameter-space-symmetry": 19,
    "fixed-point-networks": 115,
    "one-bit-scaling": 29,
}
"""How many the text has, counted by machine."""


def entries() -> Iterator[tuple[str, str, str]]:
    """The paper, the place and the entry of each display and row."""
    for listed in (LISTED, ROWS):
        for paper, places in listed.items():
            for place, each in places.items():
                yield from ((paper, f"{place}, {k}", entry) for k, entry in enumerate(each, 1))


@pytest.mark.parametrize("paper", DISPLAYS)
def test_every_display_is_listed(paper: str) -> None:
    assert sum(map(len, LISTED[paper].values())) == DISPLAYS[paper]


def test_every_entry_names_claims_that_are_there_or_a_reason() -> None:
    for paper, place, entry in entries():
        found = the_paper(paper)
        names = {claim.name for claim in found}
        reason = entry.removeprefix(":").strip() if entry.startswith(":") else ""
        assert reason or not [name for name in entry.split(", ") if name not in names], f"{paper}, {place}: {entry}"


def test_a_claim_that_is_named_for_a_section_stands_there() -> None:
    """Its place, or that of its statement, names the section, or the number of the statement that the section states or proves."""
    for paper, place, entry in entries():
        section = place.partition(",")[0]
        if paper == "every-bit-counts" and not entry.startswith(":") and not section.startswith("table"):
            claims = [find_claim(f"{paper}/{name}") for name in entry.split(", ")]
            statements = [find_claim(claim.owner) if claim.role is not None and claim.owner else claim for claim in claims]
            said = [f"{claim.place}; {statement.place}" for claim, statement in zip(claims, statements, strict=True)]
            chapter = {"A.4": "A.", "2.1": "B.1", "2.2": "B.2"}.get(section, section)
            assert all(section in each or chapter in each or "also Lemmas" in each for each in said), (place, said)


@pytest.mark.parametrize(("table", "steps"), STEPS["every-bit-counts"].items())
def test_every_printed_step_of_a_table_is_a_row_of_its_file(table: str, steps: int) -> None:
    rows = read_construction(FOLDER / f"{table}.toml").file.row
    assert [row.step for row in rows] == list(range(1, steps + 1))


INTERVALS = {"fixed-point-networks/table-1": 18, "fixed-point-networks/table-2": 2}
"""That the tables print, in every row; the other papers' rows are in ``displays.toml`` and ``numbered_items.toml``."""


@pytest.mark.parametrize("table", INTERVALS)
def test_each_interval_of_a_table_has_a_claim(table: str) -> None:
    paper = the_paper(table.partition("/")[0])
    assert sum(1 for claim in paper if claim.id.startswith(f"{table}:") and not claim.ours) == INTERVALS[table]
