"""``verify gate``, ``verify report --check`` and ``verify check``: what they find, write and refuse, and with which status."""

from __future__ import annotations

import sys
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from tests.command_line import CommandLine
from tests.verifier.report.toy import CLAIM, TOY
from verifier.claims.catalogue import catalogue
from verifier.commands.gate import compare_table
from verifier.report import folder
from verifier.report.folder import reports_folder
from verifier.report.run import run_claims
from verifier.report.verdict_table import read_table

COMMITTED = (reports_folder() / "verdicts.tsv").resolve()
QUICK = "every-bit-counts/definition-a.7*"
SEARCHED = "every-bit-counts/theorem-2.1:one-column"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A copy of the committed table."""
    path = tmp_path / "verdicts.tsv"
    path.write_bytes(COMMITTED.read_bytes())
    return path


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, verify: CommandLine) -> Path:
    """The toy paper alone, with its page and table in a folder."""
    for place in ("gate.catalogue", "check.catalogue"):
        monkeypatch.setattr(f"verifier.commands.{place}", lambda: {CLAIM.id: CLAIM})
    for place in ("report.papers", "check.papers"):
        monkeypatch.setattr(f"verifier.commands.{place}", lambda: (TOY,))
    done = verify("check --update --folder", str(tmp_path))
    assert done.status == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["toy.md", "verdicts.tsv"]
    return tmp_path


def test_the_committed_table_is_found_from_another_directory(verify: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reports").mkdir()
    done = verify("gate --claims", QUICK)
    assert (done.status, done.err) == (0, "")
    assert done.out.endswith(f"results as in {COMMITTED}\n")


def test_where_there_is_none_the_message_says_how(verify: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(folder, "BESIDE", tmp_path / "no-source-tree")
    done = verify("gate --claims", QUICK)
    assert (done.status, done.out) == (2, "")
    assert "reports/verdicts.tsv: no such table of verdicts; --table FILE names one, `verify gate --update` writes it" in done.err


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_changed_verdict_is_a_difference(verify: CommandLine, table: Path, jobs: str) -> None:
    name = "every-bit-counts/definition-a.7:range"
    before = next(line for line in table.read_text().splitlines() if line.startswith(f"{name}\t"))
    table.write_text(table.read_text().replace(before, before.replace("verified", "refuted", 1)))
    done = verify("gate --claims", QUICK, "--jobs", jobs, "--table", str(table))
    line, summary = done.out.splitlines()
    assert done.status == 1
    assert line.startswith(f"{name} p=")
    assert line.endswith("statement was refuted, is verified")
    assert summary.endswith(f"results, 1 differences from {table}")


def test_a_claim_that_is_gone_is_a_difference(verify: CommandLine, table: Path) -> None:
    last = table.read_text().splitlines()[-1].split("\t")
    table.write_text(table.read_text() + "\t".join(["every-bit-counts/lemma-99", *last[1:]]) + "\n")
    done = verify("gate --claims every-bit-counts/lemma-99 --table", str(table))
    assert done.status == 1
    assert "every-bit-counts/lemma-99" in done.out
    assert "gone, was" in done.out


def test_claims_in_another_order_are_a_difference(capsys: pytest.CaptureFixture[str]) -> None:
    run = run_claims([claim for claim in catalogue().values() if fnmatchcase(claim.id, QUICK)])
    committed = [row for row in read_table(COMMITTED) if row.claim in run.results]
    assert compare_table(COMMITTED, run, committed) == 0
    assert compare_table(COMMITTED, run, [*committed[1:], committed[0]]) == 1
    assert "the claims are in another order\n" in capsys.readouterr().out


def test_a_malformed_table_is_refused_before_anything_runs(verify: CommandLine, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.commands.gate.run_claims", lambda *_, **__: pytest.fail("the claims were run"))
    table.write_bytes(table.read_bytes().replace(b"\tverified\t", b"\tplausible\t", 1))
    done = verify("gate --table", str(table))
    assert done.status == 2
    assert f"{table}:" in done.err
    assert "'plausible' is no verdict" in done.err


def test_an_update_of_some_claims_keeps_the_others(verify: CommandLine, table: Path) -> None:
    mended = COMMITTED.read_text()
    quick = [line for line in mended.splitlines() if line.startswith("every-bit-counts/definition-a.7")]
    table.write_text("".join(line for line in mended.splitlines(keepends=True) if line.rstrip("\n") not in quick))
    done = verify("gate --update --claims", QUICK, "--table", str(table))
    assert done.status == 0
    assert f"in {len(quick)} rows, {len(mended.splitlines()) - 1 - len(quick)} rows kept" in done.out
    assert table.read_text() == mended


def test_processes_find_what_one_finds() -> None:
    chosen = [claim for claim in catalogue().values() if claim.id.startswith("every-bit-counts/definition-a")]
    assert run_claims(chosen, jobs=2) == run_claims(chosen)


def test_a_fault_in_a_process_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Exception, match=r"no claim 'toy/lemma-1.2:bound'"):
        run_claims([CLAIM, CLAIM], jobs=2)


def test_gate_and_pages_from_one_run(verify: CommandLine, toy: Path) -> None:
    done = verify("check --jobs 1 --folder", str(toy))
    assert done.status == 0
    assert done.out.splitlines() == [f"15 results as in {toy / 'verdicts.tsv'}", f"{toy / 'toy.md'} is up to date"]
    assert verify("report --check --jobs 1 --folder", str(toy)).status == 0


PAGES = [
    ("a carriage return", b"\n", b"\r\n", "line 1, from byte"),
    ("another verdict", b"| refuted |", b"| verified |", "was expected"),
    ("a space at the end of a line", b"\n\n", b" \n\n", "line 2, from byte"),
    ("an empty line at the end", b"", b"", "line ends"),
]


@pytest.mark.parametrize(("old", "new", "message"), [row[1:] for row in PAGES], ids=[row[0] for row in PAGES])
def test_every_byte_of_a_page_counts(verify: CommandLine, toy: Path, old: bytes, new: bytes, message: str) -> None:
    page = toy / "toy.md"
    wanted = page.read_bytes()
    page.write_bytes(wanted.replace(old, new, 1) if old else wanted + b"\n")
    for words in ("report --check", "check"):
        done = verify(words, "--jobs 1 --folder", str(toy))
        assert done.status == 1
        assert f"{page} differs from what `verify report` writes: " in done.out
        assert message in done.out


def test_a_missing_page_differs(verify: CommandLine, toy: Path) -> None:
    (toy / "toy.md").unlink()
    done = verify("report --check --folder", str(toy))
    assert done.status == 1
    assert "toy.md differs from what `verify report` writes: it cannot be read, No such file" in done.out


def test_a_changed_table_fails_the_check_although_the_pages_hold(verify: CommandLine, toy: Path) -> None:
    table = toy / "verdicts.tsv"
    table.write_text(table.read_text().replace("n=3\trefuted", "n=3\topen"))
    done = verify("check --folder", str(toy))
    assert done.status == 1
    assert "n=3: statement was open, is refuted" in done.out
    assert "toy.md is up to date" in done.out


@pytest.fixture
def without_sat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pysat.solvers", None)


@pytest.mark.usefixtures("without_sat")
def test_a_claim_without_its_extra_is_not_compared(verify: CommandLine, table: Path) -> None:
    table.write_bytes(table.read_bytes().replace(b"refuted", b"open"))
    done = verify("gate --claims", SEARCHED, "--jobs 1 --table", str(table))
    assert done.status == 3
    extra = "it needs the extra search, which is not installed: pip install 'bitreferee[search]'"
    assert done.out.splitlines() == [f"{SEARCHED}: not compared, {extra}", f"0 results as in {table}"]


@pytest.mark.usefixtures("without_sat")
def test_nothing_is_written_without_an_extra(verify: CommandLine, table: Path) -> None:
    before = table.read_bytes()
    done = verify("gate --update --claims", SEARCHED, "--jobs 1 --table", str(table))
    assert done.status == 2
    assert f"nothing written: {SEARCHED} need the extra search" in done.err
    assert table.read_bytes() == before
