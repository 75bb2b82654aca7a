"""Every single-symbol change of the repaired tables is caught, or is on the committed list of harmless ones with its argument."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.tables import table
from tests.verifier.engines.mutations import changes, mutants
from verifier.arithmetic.semantics import NAMED
from verifier.engines.by_states import by_states
from verifier.networks.errata import changed
from verifier.networks.files import shaped
from verifier.networks.instantiate import instantiate
from verifier.networks.records import CONSTRUCTION, ConstructionFile
from verifier.running.errors import InputError
from verifier.transformers.tables import Execution

TABLES = ("table-5", "table-6")
POINTS = {"table-5": ({"p": 8}, {"p": 8, "n": 37}, {"p": 9}), "table-6": ({"p": 7}, {"p": 8}, {"p": 8, "n": 37}, {"p": 9})}
LISTED = tomllib.loads(Path(__file__).with_name("harmless_mutations.toml").read_text())["harmless"]


def repaired(name: str) -> Any:
    """The raw file with every erratum applied."""
    source = table(name).source
    assert source.errata is not None
    return changed(source.raw, source.errata.erratum, name)


def stays_right(name: str, raw: Any) -> bool:
    """Whether the construction is verified at every point."""
    try:
        file = shaped(raw, ConstructionFile, CONSTRUCTION, name)
        for point in POINTS[name]:
            instance = instantiate(file, point)
            if instance.defects:
                return False
            execution = Execution(instance, NAMED["a4"])
            if execution.assumptions or by_states(execution).failures:
                return False
    except InputError:
        return False
    return True


def listed(name: str, title: str) -> bool:
    return any(re.fullmatch(pattern, title) for entry in LISTED if entry["table"] == name for pattern in entry["changes"])


def test_changes_are_of_one_symbol() -> None:
    assert changes("-(i - 2)") == ["+(i - 2)", "-(i + 2)", "-(i - 3)", "-(i - 1)"]
    assert changes("[7 : h]") == ["[8 : h]", "[6 : h]", "[7 : m]"]
    assert (changes(1), changes(0), changes(-1)) == ([2, 0, -1], [1, -1], [0, -2, 1])


@pytest.mark.parametrize("name", TABLES)
def test_the_tables_stay_right_without_a_change(name: str) -> None:
    assert stays_right(name, repaired(name))


@pytest.mark.long("table-6")
@pytest.mark.parametrize("name", TABLES)
def test_every_listed_pattern_names_mutations_and_has_its_argument(name: str) -> None:
    titles = [title for title, _ in mutants(repaired(name))]
    for entry in LISTED:
        assert entry["why"]
        assert entry["table"] in TABLES
        if entry["table"] == name:
            for pattern in entry["changes"]:
                assert any(re.fullmatch(pattern, title) for title in titles), pattern


@pytest.mark.campaign
@pytest.mark.parametrize("name", TABLES)
def test_every_change(name: str) -> None:
    wrong = [title for title, raw in mutants(repaired(name)) if stays_right(name, raw) != listed(name, title)]
    assert wrong == []
