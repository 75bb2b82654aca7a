"""Every numbered item of a paper is a statement here, or its place is named by one, or there is a reason why not."""

import re
import tomllib
from pathlib import Path

import pytest

from verifier.claims.papers import Paper, find_paper

ITEMS = tomllib.loads((Path(__file__).parent / "numbered_items.toml").read_text(encoding="utf-8"))
REASONS = {
    "every-bit-counts": {
        "definition-a.1": "defines transformers, in which every table is judged",
    },
    "fixed-point-networks": {
        "equation-2": "Eq. (7) again, in the introduction",
        "equation-4": "defines Q_(p,s)",
        "equation-5": "defines rounding, coordinate by coordinate",
        "equation-6": "defines networks without rounding",
        "equation-7": "defines quantized networks",
        "equation-11": "the condition of Theorem 1",
        "equation-16": "writes out a network of Eq. (7)",
        "equation-17": "the condition of Theorem 11",
        "theorem-5": "the text calls Lemma 5 a theorem",
        "theorem-19": "the text calls Lemma 19 a theorem",
    },
    "one-bit-scaling": {
        "equation-3": "inside the proof of Lemma D.7, which is judged; our copy lost the formula",
        "equation-8": "splits C_3 in the proof of Lemma H.5, as claim-h.2 has it; our copy lost the formula",
        "equation-9": "inside the proof of Lemma H.5, which is refuted by itself; our copy lost the formula",
        "equation-10": "inside the proof of Lemma H.5, which is refuted by itself; our copy lost the formula",
        "equation-11": "inside the proof of Lemma H.5, which is refuted by itself; our copy lost the formula",
    },
    "parameter-space-symmetry": {"equation-1": "defines the scores, of which Eq. (9) speaks"},
}
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
    paper = find_paper(name)
    assert paper is not None
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
