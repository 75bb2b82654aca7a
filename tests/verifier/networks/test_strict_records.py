"""Reading a file is strict everywhere: whatever msgspec takes as a record, the search for its mistakes finds nothing in."""

from __future__ import annotations

import tomllib

import pytest

from tests.tables import FOLDER
from verifier.networks.files import shaped
from verifier.networks.records import ConstructionFile
from verifier.networks.shapes import misfits
from verifier.running.errors import FileDefects

PLACES = [(), ("weights",), ("mlp",), ("mlp", "output"), ("problem",), ("row", 0), ("tokens",), ("parameters", "p")]


@pytest.mark.parametrize("place", PLACES, ids=lambda place: ".".join(map(str, place)) or "the file")
def test_an_unknown_field_is_refused_at_every_depth(place: tuple[str | int, ...]) -> None:
    raw = tomllib.loads((FOLDER / "table-6.toml").read_text(encoding="utf-8"))
    assert not list(misfits(raw, ConstructionFile))
    table = raw
    for key in place:
        table = table[key]
    assert isinstance(table, dict)
    table["colour"] = "red"
    assert [finding.path for finding in misfits(raw, ConstructionFile)] == [(*place, "colour")]
    with pytest.raises(FileDefects, match="unknown field 'colour'"):
        shaped(raw, ConstructionFile, raw["format"], "table-6")
