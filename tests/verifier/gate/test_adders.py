"""The adders' table: what it says of an adder is what was run, and every adder of the gallery is in it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from verifier.gate import gallery
from verifier.gate.adders import board, compared
from verifier.gate.gallery import Entry, entry_of, table
from verifier.show.adders_page import adder_lines, adder_summary, word
from verifier.transformers.files import gallery as networks

REPORTS = Path(__file__).parents[3] / "reports"


@pytest.fixture(scope="module")
def entry() -> Entry:
    """Adder-50 in float32, which is right; and as if 0 + 0 gave NaN in bfloat16."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gallery, "arithmetics", lambda name: ["float32"])
        found = entry_of("adder-50")
    zeros = {"a": "0" * 10, "b": "0" * 10}
    lost = msgspec.structs.replace(found.cells[0], arithmetic="bfloat16", first_wrong=10, strings=zeros, found="nan")
    return msgspec.structs.replace(found, cells=(*found.cells, lost))


def test_every_adder_is_listed_with_a_status_for_each_entry() -> None:
    files = [name for name, _ in networks() if name.startswith("adder-")]
    assert sorted(each.file for each in board().adder) == sorted(files)
    for each in board().adder:
        assert len(each.status) == len(each.entries.split(";"))
        assert set(each.status) <= {"proven", "unknown", "falsified", "not run"}


@pytest.mark.parametrize(
    ("statuses", "right", "says"),
    [
        (["proven"], True, "agrees"),
        (["proven"], False, "differs"),
        (["proven"], None, "open here"),
        (["unknown", "not run"], True, "decided here only: unknown, not run"),
        (["not run"], False, "refuted here only"),
    ],
)
def test_what_both_say_is_compared(statuses: list[str], right: bool | None, says: str) -> None:
    assert compared(statuses, right).startswith(says)


def test_cells_and_lines_say_the_same(entry: Entry) -> None:
    own, narrow = entry.cells
    assert [word(own), word(narrow)] == ["right", "wrong: 0 + 0 gives NaN"]
    assert "1 of 1 adders are right on all 10^20 inputs" in adder_summary([entry])
    text = "\n".join(adder_lines([entry]))
    assert "| float32: right |" in text
    assert "agrees: proven over real numbers there" in text
    assert "wrong: 0 + 0 gives NaN" in text
    assert f"adder-50\tfloat32\t\t\t\t\t10\t{10**20:,}\tinduction" in table([entry])


def test_the_committed_report_has_every_adder() -> None:
    page = (REPORTS / "gallery.md").read_text(encoding="utf-8")
    rows = (REPORTS / "gallery.tsv").read_text(encoding="utf-8")
    for name in gallery.adders():
        assert f"\n| {name} | " in page
        assert f"\n{name}\t" in rows


def test_the_site_has_the_table(entry: Entry) -> None:
    from verifier.show.site.networks import network_pages

    pages = dict(network_pages([msgspec.structs.replace(entry, cells=entry.cells[:1])]))
    assert pages.keys() == {"gallery/index.html"}
    assert '<h2 id="adders">' in pages["gallery/index.html"]
    assert 'float32: <a href="../gallery/index.html#about-adder-50">right</a>' in pages["gallery/index.html"]
    assert "verify precision gallery/adder-50 --n 10 --arithmetic float32</code>" in pages["gallery/index.html"]
