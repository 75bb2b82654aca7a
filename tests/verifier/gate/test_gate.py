"""``verify gate``, ``verify report --check`` and ``verify check``: what they find, write and refuse, and with which status."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.command_line import CommandLine
from tests.papers_of_tests import shelved, the_paper
from tests.verifier.gate.toy import CLAIM, TOY
from verifier.claims.model import Claim, Query
from verifier.claims.verdicts import Outcome
from verifier.commands.gate import compare_table
from verifier.gate import run as runs
from verifier.gate import verdict_table
from verifier.gate.run import asked_of_symbols, run_claims, run_papers
from verifier.gate.verdict_table import claims_with, read_table
from verifier.running.errors import MissingExtraError

RESULTS = 3 * (4 * 3 + 3 * 2 + 3)
"""Three editions of Lemma 1 with its two steps at four points, of Lemma 2 with its step at three, and of Theorem 3 at three."""

ROWS = 3 + 2 + 2
"""Theorem 3 says nothing of Lemma 2 at p = 1."""


@pytest.fixture
def table(verify: CommandLine, tmp_path: Path) -> Iterator[Path]:
    """The table of the paper of three statements, which is at hand."""
    path = tmp_path / "verdicts.tsv"
    with shelved():
        done = verify("gate --update --jobs 1 --claims toy/* --table", str(path))
        assert done.status == 0
        assert done.out == f"{path} written: {RESULTS} results in {ROWS} rows, 0 rows kept\n"
        yield path


def test_claims_in_another_order_are_a_difference(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paper = the_paper("toy")
    run, rows = run_claims(paper), read_table(table)
    assert compare_table(table, run, rows) == 0
    assert compare_table(table, run, [*rows[1:], rows[0]]) == 1
    assert "the claims are in another order\n" in capsys.readouterr().out


def test_symbols_are_asked_about_a_claim_where_it_is_judged(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process would prove again what was proved there."""
    paper, real, asked = the_paper("toy"), runs._group, set[str]()

    def group(judged: list[Claim], of_symbols: list[Claim]) -> object:
        assert {claim.id for claim in of_symbols} <= {claim.id for claim in judged}
        asked.update(claim.id for claim in of_symbols)
        return real(judged, of_symbols)

    monkeypatch.setattr(runs, "_group", group)
    whole, made = run_papers([paper])
    assert asked == set(made["toy"].symbols) == asked_of_symbols(paper).keys()
    assert whole.symbols == made["toy"].symbols
    assert any(made["toy"].symbols.values())


def test_the_table_is_found_where_the_source_is(verify: CommandLine, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = table.parent / "elsewhere"
    (elsewhere / "reports").mkdir(parents=True)
    monkeypatch.chdir(elsewhere)
    monkeypatch.setattr(verdict_table, "BESIDE", table.parent)
    done = verify("gate --jobs 1 --claims toy/*")
    assert (done.status, done.out) == (0, f"{RESULTS} results as in {table}\n")
    (elsewhere / "reports" / "verdicts.tsv").write_bytes(table.read_bytes())
    assert verify("gate --jobs 1 --claims toy/*").out == f"{RESULTS} results as in {Path('reports/verdicts.tsv')}\n"


@pytest.mark.parametrize("words", ["gate", "check", "list --verdict refuted"])
def test_where_there_is_none_the_message_says_how(verify: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(verdict_table, "BESIDE", tmp_path / "no-source-tree")
    done = verify(words)
    assert (done.status, done.out) == (2, "")
    assert "reports/verdicts.tsv: no such table of verdicts; --output FILE names one, the same command with --update writes it" in done.err


@pytest.mark.parametrize("words", ["gate --table TABLE", "check --output FOLDER", "gate --update --claims toy/* --table TABLE"])
def test_a_malformed_table_is_refused_before_anything_runs(
    verify: CommandLine, table: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    for place in ("gate.run_claims", "report.run_papers"):
        monkeypatch.setattr(f"verifier.commands.{place}", lambda *_, **__: pytest.fail("the claims were run"))
    table.write_bytes(table.read_bytes().replace(b"claim\t", b"claims\t", 1))
    done = verify(words.replace("TABLE", str(table)).replace("FOLDER", str(table.parent)))
    assert done.status == 2
    assert f"{table}:1: not a table of verdicts" in done.err


def test_processes_find_what_one_finds_with_the_papers_at_hand(table: Path) -> None:
    paper = the_paper("toy")
    assert vars(run_claims(paper, jobs=2)) == vars(run_claims(paper))


def test_one_process_says_how_far_it_is_within_a_claim(table: Path) -> None:
    paper, labels = the_paper("toy"), list[str]()
    run_claims(paper, advance=lambda label, done, total: labels.append(label))
    assert {"statements and errata", "lemma-1 --p 4", "lemma-2:first --p 2"} <= set(labels), labels


def test_what_fails_in_a_process_fails_here() -> None:
    with pytest.raises(Exception, match=r"no claim 'toy/lemma-1.2:bound'"):
        run_claims([CLAIM, CLAIM], jobs=2)


def test_the_claims_that_have_a_verdict(table: Path) -> None:
    assert claims_with(table, "refuted") == {"toy/lemma-1:count", "toy/lemma-2", "toy/lemma-2:first", "toy/theorem-3"}
    assert claims_with(table, "open") == set()


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, verify: CommandLine) -> Path:
    """The toy of this folder alone, with its page and table in a folder."""
    monkeypatch.setattr("verifier.commands.gate.catalogue", lambda: {CLAIM.id: CLAIM})
    monkeypatch.setattr("verifier.commands.report.papers", lambda: (TOY,))
    done = verify("check --update --jobs 1 --output", str(tmp_path))
    assert done.status == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["README.md", "toy.bib", "toy.md", "toy.svg", "verdicts.tsv"]
    return tmp_path


def test_gate_and_pages_from_one_run(verify: CommandLine, toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = []
    monkeypatch.setattr("verifier.commands.report.run_papers", lambda *words: runs.append(1) or run_papers(*words))
    done = verify("check --jobs 1 --output", str(toy))
    assert done.status == 0
    fresh = [f"{toy / name} is up to date" for name in ("toy.md", "toy.svg", "toy.bib", "README.md")]
    bare = "toy: refuted and without a finding: Lemma 1.2, step bound (n = 3..4)."
    assert done.out.splitlines() == [bare, f"15 results as in {toy / 'verdicts.tsv'}", *fresh]
    assert runs == [1]
    assert verify("gate --pages --jobs 1 --output", str(toy)).out == done.out
    assert verify("report --check --jobs 1 --output", str(toy)).out.splitlines() == fresh


PAGES = [
    ("a carriage return", b"\n", b"\r\n", "line 1, from byte"),
    ("another verdict", b"false for n = 3..4", b"false for n = 3", "was expected"),
    ("a space at the end of a line", b"\n\n", b" \n\n", "line 2, from byte"),
    ("an empty line at the end", b"", b"", "line ends"),
]


@pytest.mark.parametrize(("old", "new", "message"), [row[1:] for row in PAGES], ids=[row[0] for row in PAGES])
def test_every_byte_of_a_page_counts(verify: CommandLine, toy: Path, old: bytes, new: bytes, message: str) -> None:
    page = toy / "toy.md"
    wanted = page.read_bytes()
    changed = wanted.replace(old, new, 1) if old else wanted + b"\n"
    assert changed != wanted
    page.write_bytes(changed)
    for words in ("report --check --jobs 1", "check --jobs 1"):
        done = verify(words, "--output", str(toy))
        assert done.status == 1
        assert f"{page} differs from what `verify report` writes: " in done.out
        assert message in done.out


def test_a_missing_page_differs(verify: CommandLine, toy: Path) -> None:
    (toy / "toy.md").unlink()
    done = verify("report --check --jobs 1 --output", str(toy))
    assert done.status == 1
    assert "toy.md differs from what `verify report` writes: it is missing" in done.out


def test_a_changed_table_fails_the_check_although_the_pages_hold(verify: CommandLine, toy: Path) -> None:
    table = toy / "verdicts.tsv"
    table.write_text(table.read_text().replace("n=3\trefuted", "n=3\topen"))
    done = verify("check --jobs 1 --output", str(toy))
    assert done.status == 1
    assert "- toy/lemma-1.2:bound  -  n=3  open  refuted  verified" in done.out
    assert "toy.md is up to date" in done.out


def searching(query: Query) -> Outcome:
    raise MissingExtraError("the search needs a solver", "search")


@pytest.fixture
def without_extra(toy: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The toy, beside a claim that cannot be judged for want of an extra."""
    searched = replace(CLAIM, id="toy/lemma-2", judge=searching)
    every: dict[str, Claim] = {CLAIM.id: CLAIM, searched.id: searched}
    monkeypatch.setattr("verifier.commands.gate.catalogue", lambda: every)
    both = replace(
        TOY, raw={**TOY.raw, "section": [{"title": "1", "statements": [CLAIM.name, "lemma-2"]}]}, _read={**TOY._read, "lemma-2": searched}
    )
    monkeypatch.setattr("verifier.commands.report.papers", lambda: (both,))
    table = toy / "verdicts.tsv"
    lines = table.read_text().splitlines(keepends=True)
    table.write_text("".join([*lines, *(line.replace(CLAIM.id, searched.id) for line in lines[1:])]))
    return toy


MISSING = "needs the extra search, which is not installed: pip install 'bitreferee[search]'"


def test_a_claim_without_its_extra_is_not_compared(verify: CommandLine, without_extra: Path) -> None:
    table = without_extra / "verdicts.tsv"
    done = verify("gate --jobs 1 --table", str(table))
    assert done.status == 3
    assert done.out.splitlines() == [f"toy/lemma-2: not compared, it {MISSING}", f"15 results as in {table}"]
    table.write_text(table.read_text().replace("n=3\trefuted", "n=3\topen"))
    done = verify("gate --jobs 1 --table", str(table))
    assert done.status == 1
    assert done.out.splitlines()[-1] == f"15 results, 2 lines of difference from {table}"


def test_a_page_with_a_claim_without_its_extra_is_not_compared(verify: CommandLine, without_extra: Path) -> None:
    done = verify("check --jobs 1 --output", str(without_extra))
    assert done.status == 3
    assert f"{without_extra / 'toy.md'} not compared: toy/lemma-2 {MISSING}" in done.out.splitlines()


@pytest.mark.parametrize("words", ["gate --jobs 1 --update --table TABLE", "check --jobs 1 --update --output FOLDER"])
def test_nothing_is_written_without_an_extra(verify: CommandLine, without_extra: Path, words: str) -> None:
    before = {path: path.read_bytes() for path in without_extra.iterdir()}
    done = verify(words.replace("TABLE", str(without_extra / "verdicts.tsv")).replace("FOLDER", str(without_extra)))
    assert done.status == 2
    assert f"nothing written: toy/lemma-2 {MISSING}" in done.err
    assert {path: path.read_bytes() for path in without_extra.iterdir()} == before
