"""Every numbered item of a paper is a statement here, or its place is named by one, or there is a reason why not."""

import re

import pytest

from tests.papers_of_tests import the_paper
from tests.rows import tables
from verifier.claims.papers import Paper

ITEMS = tables(__file__, "numbered_items.toml")
REASONS = ITEMS.pop("reasons")
"""By paper, the items without a claim, and why."""

WORDS = {"equation": r"Eqs?\."}
NUMBER = re.compile(r"[a-z]?\.?[0-9]+(?:\.[0-9]+)?")
RANGE = re.compile(r"\(([0-9]+)\) to \(([0-9]+)\)")


def spoken_of(kind: str, number: str, places: list[str]) -> bool:
    """Whether a place names the item, alone, in a list, or inside a range such as Eqs. (4) to (8)."""
    word = WORDS.get(kind, kind.capitalize())
    lists = [listed for said in places for listed in re.findall(word + r"([^A-Za-z]*(?:(?:to|and|[A-Z]\.)[^A-Za-z]*)*)", said)]
    ranges = [ends for listed in lists for ends in RANGE.findall(listed)]
    named = any(number in NUMBER.findall(listed.lower()) for listed in lists)
    return named or (number.isdigit() and any(int(first) <= int(number) <= int(last) for first, last in ranges))


def uncovered(paper: Paper) -> set[str]:
    """The items that neither a statement nor a place speaks of."""
    names, places = {claim.name for claim in paper}, [claim.place for claim in paper]
    items = [(kind, number) for kind, numbers in ITEMS[paper.id].items() for number in numbers.split(", ")]
    return {f"{k}-{number}" for k, number in items if f"{k}-{number}" not in names and not spoken_of(k, number, places)}


@pytest.mark.parametrize("name", ITEMS)
def test_every_numbered_item_has_a_claim_or_a_reason(name: str) -> None:
    paper = the_paper(name)
    assert uncovered(paper) == REASONS.get(name, {}).keys()


@pytest.mark.parametrize(
    ("said", "number", "expected"),
    [
        ("Section 2, Eqs. (4) to (8)", "6", True),
        ("Eqs. (4) and (8)", "6", False),
        ("Eq. (16)", "6", False),
        ("Eq. (6), last line", "6", True),
    ],
)
def test_a_place_names_what_it_lists(said: str, number: str, expected: bool) -> None:
    assert spoken_of("equation", number, [said]) is expected
