"""Every replay that is printed runs, and fails as its verdict does: those of the committed pages, and those of every result."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import pytest

from tests.command_line import CommandLine
from tests.papers_of_tests import FOLDER
from verifier.claims.papers import papers
from verifier.claims.verdicts import EXIT_REFUTED, Verdict
from verifier.gate.run import run_claims

PAGES = Path(__file__).parents[1] / "reports"
ON_PAGES = [
    found
    for page in sorted(PAGES.glob("*.md"))
    for found in re.findall(r"(?:→ `verify (?!findings )|`verify (?=trace ))([^`]*)`", page.read_text(encoding="utf-8"))
]
STATEMENTS = [statement.id for paper in papers() for statement in paper.statements()]


def test_the_pages_have_replays() -> None:
    texts = [page.read_text(encoding="utf-8") for page in PAGES.glob("*.md")]
    arrows, traces = (sum(text.count(start) for text in texts) for start in ("→ `verify ", "`verify trace "))
    arrows -= sum(text.count("→ `verify findings ") for text in texts)
    both = sum(text.count("→ `verify trace ") for text in texts)
    assert len(ON_PAGES) == arrows + traces - both
    assert arrows > len(papers())
    assert traces


def test_the_certificate_that_a_letter_names_is_written_and_accepted(verify: CommandLine, tmp_path: Path) -> None:
    (words,) = re.findall(r"`verify ([^`]*) --certificate FILE`", (PAGES / "every-bit-counts.md").read_text(encoding="utf-8"))
    made = tmp_path / "table.json"
    assert verify(words, "--certificate", str(made)).status == EXIT_REFUTED
    assert verify("recheck", str(made)).status == 0


@pytest.mark.long("every-bit-counts/lemma-2.5:two-numbers --p 3 --edition printed")
@pytest.mark.one_in(8)
@pytest.mark.parametrize("replay", ON_PAGES)
def test_a_replay_of_a_page_fails(verify: CommandLine, replay: str) -> None:
    done = verify(replay)
    assert done.status == EXIT_REFUTED, done.err


@lru_cache(maxsize=1)
def replays(statement: str) -> list[str]:
    """Those of a statement and its steps at their typical points, in every edition."""
    (found,) = (each for paper in papers() for each in paper.statements() if each.id == statement)
    results = run_claims([found, *found.steps], errata=False).every_result
    assert all((result.replay is not None) == (result.verdict is Verdict.REFUTED) for result in results)
    return list(dict.fromkeys(result.replay for result in results if result.replay is not None))


@pytest.mark.campaign
@pytest.mark.parametrize("statement", STATEMENTS)
def test_every_replay_of_a_statement_fails(verify: CommandLine, statement: str) -> None:
    assert {words: done.err for words in replays(statement) if (done := verify(words.removeprefix("verify "))).status != EXIT_REFUTED} == {}


@pytest.mark.parametrize(
    "words",
    [
        "lemma-c.5:case-3 --t 4 --e 2 --edition printed",
        "lemma-c.8:numerator --m 11 --e 6 --edition printed",
        "lemma-2.2 --p 4 --edition statement",
        "lemma-c.4 --t 3 --e 2 --edition statement",
    ],
    ids=["a table with a parameter of its own", "a table with two", "a bound that fewer bits break", "a floating one"],
)
def test_a_replay_asks_for_the_claim_s_own_parameters(verify: CommandLine, words: str) -> None:
    (result,) = (r for r in verify(f"{words} --format json").document["results"] if r["claim"].endswith(words.split()[0]))
    replayed = verify(result["replay"].removeprefix("verify "))
    assert (result["verdict"], replayed.status) == ("refuted", EXIT_REFUTED), replayed.err


def test_a_replay_of_a_user_s_paper_names_its_folder(verify: CommandLine, tmp_path: Path) -> None:
    folder = tmp_path / "my papers; all"
    folder.mkdir()
    (folder / FOLDER.name).symlink_to(FOLDER)
    assert f"(`verify --papers '{folder}' --trust findings toy`)" in verify(f"--papers '{folder}' --trust toy").out
    found = verify(f"--papers '{folder}' --trust toy/lemma-2 --p 3 --edition printed --format json").document["results"]
    assert [r["replay"] for r in found] == [f"verify --papers '{folder}' --trust toy/lemma-2:first --p 3 --edition printed"]
    from verifier.running.shelf import SHELF

    SHELF.folders.clear()
    papers.cache_clear()
    assert verify("toy/lemma-2 --p 3").status == 2
    assert verify(found[0]["replay"].removeprefix("verify ")).status == EXIT_REFUTED


def test_a_replay_of_an_installed_paper_names_no_folder(verify: CommandLine) -> None:
    (result, *_) = verify(f"--papers {FOLDER} lemma-2.2 --p 4 --edition statement --format json").document["results"]
    assert "--papers" not in result["replay"]
