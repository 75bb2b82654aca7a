"""The run of the gallery: its table, its page and its picture say the same, and what is kept is what was run."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec import structs

from tests.command_line import CommandLine
from tests.imports import outside
from verifier.commands import report as commands
from verifier.commands.report import settled_gallery
from verifier.gate import gallery
from verifier.gate.gallery import DIGITS, FORMATS, Entry, entry_of, gallery_run, table
from verifier.running import answers
from verifier.running.limits import Limits
from verifier.running.results import READ, Store
from verifier.show.gallery_page import compared, gallery_page, summary
from verifier.show.pictures.lengths import gallery_picture
from verifier.show.site.build import home
from verifier.show.site.traces import network_pages
from verifier.transformers import files

REPORTS = Path(__file__).parents[3] / "reports"


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    return [entry_of(name, ("e4m3", "float16"), range(1, 7), Limits(3_000_000)) for name in ("parity", "lookup-hash")]


@pytest.mark.campaign
def test_the_cells_are_those_of_the_command(entries: list[Entry], verify: CommandLine) -> None:
    found = verify("precision gallery/lookup-hash --n 1..6 --arithmetic e4m3,float16 --format json").document
    cells = {cell["arithmetic"]: cell for cell in found["cells"]}
    entry = entries[1]
    for cell in entry.cells[1:]:
        wrong = cells[cell.arithmetic]["first_wrong"]
        assert (cell.first_wrong, cell.happens, entry.replay(cell)) == (wrong["length"], wrong["happens"], cells[cell.arithmetic]["replay"])


def test_page_picture_and_table_agree(entries: list[Entry]) -> None:
    page, rows = gallery_page(entries), table(entries).splitlines()
    row = next(line for line in page.splitlines() if line.startswith("| `lookup-hash`: "))
    assert row.endswith(" | 3 | 6 | equal scores |")
    assert "lookup-hash\tfloat16\t6\tw=000001\tno\tyes\t6\t126\tprefix states" in rows
    said = ElementTree.fromstring(gallery_picture(entries).file()).findtext("{http://www.w3.org/2000/svg}desc")
    assert said is not None
    assert "lookup-hash: e4m3 3, float16 6" in said


def test_front_page_and_gallery_count_alike_with_adders_apart(entries: list[Entry]) -> None:
    right = structs.replace(entries[0].cells[0], first_wrong=None, decided_to=DIGITS)
    every = [*entries, structs.replace(entries[0], id="adder-6", cells=(right,))]
    said = summary(every)
    assert said[0].startswith("Over real numbers 2 of 2 constructions are right")
    assert said[-1].startswith("In the arithmetic that their authors use, 1 of 1 adders are right")
    front, page = home([], every), gallery_page(every)
    assert all(sentence in front and sentence in page for sentence in said)


def test_the_committed_page_counts_what_the_committed_table_has() -> None:
    head, *lines = (REPORTS / "gallery.tsv").read_text(encoding="utf-8").splitlines()
    rows = [dict(zip(head.split("\t"), line.split("\t"), strict=False)) for line in lines]
    networks = [row for row in rows if row["construction"] in gallery.tabled()]  # an expectation has a row of its own
    text = " ".join((REPORTS / "gallery.md").read_text(encoding="utf-8").split())
    names = {row["construction"] for row in networks}
    exact = [row for row in networks if row["arithmetic"] == "exact"]
    assert f"Over real numbers {sum(not row['first wrong'] for row in exact)} of {len(names)} constructions" in text
    for form in FORMATS:
        broken = sum(bool(row["first wrong"]) for row in networks if row["arithmetic"] == form)
        assert f"{broken} in {form}" in text, form
    for name in names:
        assert f"| `{name}`: " in text


def test_the_page_explains_each_cause_that_it_names() -> None:
    page = (REPORTS / "gallery.md").read_text(encoding="utf-8")
    first = page.partition("## ")[0].partition("<a id")[0].splitlines()
    causes = {cause for line in first if line.startswith("| `") for cause in line.split(" | ")[-1].rstrip(" |").split(", ") if cause}
    (about,) = (line for line in first if "*Why wrong*" in line)
    explained = set(re.findall(r"\w+", about.partition("*Why wrong*")[2].partition(". In a question")[0]))
    assert len(causes) > 3
    assert not {word for cause in causes for word in cause.split()} - explained


def test_a_kept_run_is_used_and_a_changed_file_runs_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ran: list[str] = []
    real = entry_of

    def counted(name: str) -> Entry:
        ran.append(name)
        return real(name, ("e4m3",), range(1, 3), Limits(100_000))

    monkeypatch.setattr(gallery, "entry_of", counted)
    monkeypatch.setattr(gallery, "FOLDER", tmp_path)
    monkeypatch.setattr(gallery, "tabled", lambda: ["first", "parity"])
    monkeypatch.setattr(gallery, "adders", list)
    monkeypatch.setattr(READ, "manifest", lambda paper: {})
    kept = Store(tmp_path / "kept")
    first = gallery_run(kept=kept)
    assert gallery_run(kept=kept) == first
    assert ran == ["first", "parity"]
    monkeypatch.setattr(READ, "holds", lambda manifest: False)
    gallery_run(kept=Store(tmp_path / "kept"))
    assert ran == ["first", "parity"] * 2


def test_a_file_that_differs_is_said(entries: list[Entry], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert settled_gallery(tmp_path, entries) == 0
    assert settled_gallery(tmp_path, entries, check=True) == 0
    (tmp_path / "gallery.tsv").write_text((tmp_path / "gallery.tsv").read_text().replace("000001", "000011"))
    capsys.readouterr()
    assert settled_gallery(tmp_path, entries, check=True) == 1
    assert "gallery.tsv differs from what `verify precision gallery` writes: line" in capsys.readouterr().out


def test_the_committed_report_has_every_construction() -> None:
    """Its cells are compared by a job of its own; here, that none is missing and that the page is short."""
    page = (REPORTS / "gallery.md").read_text(encoding="utf-8")
    assert len(gallery.tabled()) >= 12
    rows = (REPORTS / "gallery.tsv").read_text(encoding="utf-8")
    for name in (*gallery.tabled(), *gallery.adders()):
        assert f"| `{name}`: " in page or f"\n| {name} | " in page
        assert f"\n{name}\t" in rows
    assert len(page.replace("|", " ").split()) <= 1500


def test_the_site_has_a_trace_for_each_wrong_cell(entries: list[Entry]) -> None:
    pages = dict(network_pages(entries, ""))
    assert pages.keys() == {"gallery/index.html", "gallery/lookup-hash-e4m3.html", "gallery/lookup-hash-float16.html"}
    for path in set(re.findall(r'href="\.\./(gallery/[^"#]+)', "".join(pages.values()))):
        assert path in pages
    trace = pages["gallery/lookup-hash-float16.html"]
    assert "The right answer is yes." in trace
    assert "the network answers yes if found == 1 at the token ASK, and no if found == 0." in trace
    assert "verify trace gallery/lookup-hash --arithmetic float16 --n 6 --w 000001" in trace
    opened = re.findall(r'<details class="block"[^>]* open><summary>([^<]*?) ?<', trace)
    assert opened == ["layer 1, head 1: the tokens that ASK at 7 looks at"]  # where scores are equal that differ over real numbers
    assert trace.count('<tr class="departs">') == 1
    assert "<b>first error: equal scores</b>" in trace
    assert trace.count('<th scope="col">score over real numbers</th>') == 1


@pytest.fixture(scope="module")
def adder() -> Entry:
    """Adder-50 in float32, which is right; and as if 0 + 0 gave NaN in bfloat16."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gallery, "arithmetics", lambda name, own: ["float32"])
        found = entry_of("adder-50")
    zeros = {"a": "0" * 10, "b": "0" * 10}
    lost = structs.replace(found.cells[0], arithmetic="bfloat16", first_wrong=10, strings=zeros, found="nan")
    return structs.replace(found, cells=(*found.cells, lost))


def test_every_adder_is_listed_with_a_status_for_each_entry() -> None:
    names = [name for name, _ in files.gallery() if name.startswith("adder-")]
    assert sorted(each.file for each in gallery.board().adder) == sorted(names)
    for each in gallery.board().adder:
        assert len(each.status) == len(each.entries.split(";"))
        assert set(each.status) <= {"proven", "unknown", "falsified", "not run"}


@pytest.mark.parametrize(
    ("statuses", "right", "says"),
    [
        (["proven"], True, "agrees"),
        (["proven"], False, "differs"),
        (["proven"], None, "open here"),
        (["unknown", "not run"], True, "right here; there: unknown, not run"),
        (["not run"], False, "wrong here only"),
    ],
)
def test_what_both_say_of_an_adder_is_compared(statuses: list[str], right: bool | None, says: str) -> None:
    assert compared(statuses, right).startswith(says)


def test_page_table_and_site_say_the_same_of_an_adder(adder: Entry, entries: list[Entry]) -> None:
    text = gallery_page([*entries, adder])
    assert "1 of 1 adders are right on all 10^20 inputs" in text
    assert "| float32: right |" in text
    assert "| 0 + 0 gives NaN |" in text
    assert "`verify precision gallery/adder-50 --n 10 --arithmetic float32` those of an adder; " in text
    assert f"adder-50\tfloat32\t\t\t\t\t10\t{10**20:,}\tinduction" in table([adder])
    pages = dict(network_pages([*entries, adder], ""))
    assert not any(adder.id in path for path in pages)
    site = pages["gallery/index.html"]
    assert "verify precision gallery/adder-50 --n 10 --arithmetic float32</code>" in site
    trace = f"verify trace gallery/adder-50 --arithmetic bfloat16 --n 10 --a {'0' * 10} --b {'0' * 10}"
    assert f'bfloat16: wrong: 0 + 0 gives NaN; its trace: <code class="command">{trace}</code>' in site


def test_every_construction_says_what_it_was_made_from() -> None:
    path = Path(gallery.__file__).parents[2] / "constructions" / "gallery" / "published" / "sources.toml"
    kinds = tomllib.loads(path.read_text(encoding="utf-8"))
    assert sorted(name for names in kinds.values() for name in names) == sorted(gallery.tabled())


def test_a_run_that_ships_is_used_while_its_seal_is_right(
    entries: list[Entry], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for where in (gallery, commands):
        monkeypatch.setattr(where, "FOLDER", tmp_path)
    monkeypatch.setattr(gallery, "tabled", lambda: [entry.id for entry in entries])
    monkeypatch.setattr(gallery, "adders", list)
    monkeypatch.setattr(gallery, "entry_of", lambda name: pytest.fail("it was run again"))
    settled_gallery(tmp_path, entries, shipped=True)
    assert gallery_run(kept=Store.usual()) == entries
    assert settled_gallery(tmp_path, entries, shipped=True, check=True) == 0
    ships = tmp_path / gallery.FILE
    ships.write_text(ships.read_text(encoding="utf-8").replace('"first_wrong":6', '"first_wrong":5'), encoding="utf-8")
    assert gallery.shipped_run() == []
    assert settled_gallery(tmp_path, entries, shipped=True, check=True) == 1
    assert "differs from what `verify precision gallery --shipped` writes" in capsys.readouterr().out
    ships.write_text(gallery.shipped_text(entries), encoding="utf-8")
    monkeypatch.setattr(answers, "digest_of_files", lambda paths: "")
    assert gallery.shipped_run() == []


def test_every_module_that_a_run_imports_is_under_its_seal() -> None:
    assert outside("verifier.gate.gallery", gallery.PARTS) == []
