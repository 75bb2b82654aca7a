"""``verify repair``: what it says, writes and ends with."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import CommandLine
from tests.tables import FOLDER
from verifier.repair.tables import Table
from verifier.show.screen import COLUMNS

GOOD = (FOLDER / "witness-t0-simple.toml").read_text(encoding="utf-8")
MENDED = "row.5.one.3: 2**(p - 2) → -2**(p - 2)"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with a right file, one that lacks a sign, and one that lacks a row."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.toml").write_text(f'{GOOD}\n[check]\np = "3..4"\n', encoding="utf-8")
    (tmp_path / "wrong.toml").write_text(GOOD.replace('"-2**(p - 2)"', '"2**(p - 2)"', 1) + "\n[check]\np = 3\n", encoding="utf-8")
    (tmp_path / "gap.toml").write_text(GOOD.replace("step = 5\n", "step = 5\nnot-a-row = 1\n"), encoding="utf-8")
    return tmp_path


def test_a_right_file_needs_no_repair(verify: CommandLine, folder: Path) -> None:
    done = verify("repair good.toml --output errata.toml")
    assert (done.status, done.err) == (0, "")
    assert "there is nothing to repair: right on all 564 promised inputs" in done.out
    assert not (folder / "errata.toml").exists()


def test_a_repair_is_found_written_and_applied(verify: CommandLine, folder: Path) -> None:
    done = verify("repair wrong.toml --output errata.toml")
    assert (done.status, done.err) == (0, "")
    assert MENDED in done.out
    assert [line for line in done.out.splitlines() if len(line) > COLUMNS] == []
    assert verify("construction wrong.toml").status == 1
    (result,) = verify("construction wrong.toml --errata errata.toml --format json").document["results"]
    assert (result["edition"], result["verdict"]) == ("repaired", "verified")
    (outside,) = verify("construction wrong.toml --errata errata.toml --p 4 --format json").document["results"]
    assert outside["verdict"] == "declined"
    assert "outside the errata's domain" in outside["reason"]
    assert verify("construction good.toml --errata errata.toml").status == 2


@pytest.mark.campaign
def test_the_document_says_the_same(verify: CommandLine, folder: Path) -> None:
    made = verify("repair wrong.toml --format json").document
    assert (made["schema"], made["complete"], made["before"]["state"]) == ("bitreferee/repairs/1", True, "wrong")
    best = made["repairs"][0]
    assert "{at}: {printed} → {repaired}".format(**best["edits"][0]) == MENDED
    assert "a4" in best["readings"]
    assert {f["value"] for f in best["further"]} == {"4", "5"}


@pytest.mark.campaign
def test_the_limit_counts_forms_and_a_search_that_it_ends_is_undecided(verify: CommandLine, folder: Path) -> None:
    for limit in (1, 100):
        done = verify(f"repair wrong.toml --limit {limit} --format json")
        assert done.status == 3
        assert (done.document["complete"], done.document["repairs"]) == (False, [])
        assert int(done.document["considered"]) <= limit


@pytest.mark.campaign
def test_what_no_symbol_mends_is_refuted(verify: CommandLine, folder: Path) -> None:
    (folder / "lost.toml").write_text(GOOD.replace('i = "m + p - 1"', 'i = "m + p + 4"', 1), encoding="utf-8")
    done = verify("repair lost.toml --p 3 --symbols 1")
    assert done.status == 1
    assert "no repair: all" in done.out


@pytest.mark.campaign
def test_what_was_found_is_kept_when_the_search_is_stopped(verify: CommandLine, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*rest: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Table, "ranked", stopped)
    done = verify("repair wrong.toml --output errata.toml")
    assert done.status == 130
    assert "errata.toml" in done.out
    assert verify("construction wrong.toml --errata errata.toml").status == 0


def test_errata_beside_a_file_are_found_told_and_do_not_change_the_status(verify: CommandLine, folder: Path) -> None:
    assert verify("repair wrong.toml --output wrong.errata.toml").status == 0
    done = verify("construction wrong.toml --format json")
    assert done.status == 1
    assert [(r["edition"], r["verdict"]) for r in done.document["results"]] == [("printed", "refuted"), ("repaired", "verified")]
    assert done.err == "wrong.toml: as written, and repaired with 1 errata of wrong.errata.toml: row-5-one-3\n"
    (folder / "wrong.errata.toml").write_text("x = 1", encoding="utf-8")
    assert verify("construction wrong.toml").status == 2


def test_a_refuted_file_says_which_inputs_fail_and_which_entries_the_precision_lacks(verify: CommandLine, folder: Path) -> None:
    table = FOLDER / "table-6.toml"
    result, repaired = verify(f"construction {table} --p 8 --format json").document["results"]
    assert (repaired["edition"], repaired["verdict"]) == ("repaired", "verified")
    assert "those that fail are exactly all with y = z and y_1 = 1" in result["reason"]
    assert "entries that are not representable in 8 bits: MLP output node, weight: -128" in result["reason"]
