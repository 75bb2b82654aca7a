"""``verify list`` as a document."""

from __future__ import annotations

import re

import pytest

from tests import papers_of_tests as toy
from tests.command_line import CommandLine
from tests.rows import tables
from verifier.claims.papers import papers
from verifier.commands import main
from verifier.errata.findings import findings

ROWS = tables(__file__, "completed.toml")


def test_the_document_has_every_claim_with_its_steps_behind_it(verify: CommandLine) -> None:
    made = verify("list --steps --format json").document
    assert made["schema"] == "bitreferee/claims/1"
    assert [c["id"] for c in made["claims"]] == [claim.id for paper in papers() for claim in paper]


def test_a_list_is_a_screen(verify: CommandLine) -> None:
    lines = verify("list").out.splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80
    for paper in papers():
        whole = verify(f"list {paper.id}").out.splitlines()
        assert max(map(len, whole)) <= 80
        named = [line.split()[0] for line in whole if re.match(r"  [a-z]", line)]
        assert sorted(set(named) - {"other"}) == sorted(paper.order)


def test_corrections_are_where_read_and_for(verify: CommandLine) -> None:
    made = verify("findings every-bit-counts --corrections --format json").document
    assert made["schema"] == "bitreferee/corrections/1"
    assert all(each[name] for each in made["corrections"] for name in ("where", "read", "for", "title"))
    every = findings(next(p for p in papers() if p.id == "every-bit-counts"))
    assert list(dict.fromkeys(each["finding"] for each in made["corrections"])) == [finding.id for finding in every]
    shown = verify("findings table-5-keys --corrections").out
    assert shown.splitlines()[2:5] == ["  where     Table 5, step 2, bit 0, second entry", "  read      −(i − 1)", "  for       −(i − 2)"]


def offers(typed: str, offered: str, shell: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> bool:
    """Whether a shell offers this for the last word."""
    words = typed.split(" ")
    monkeypatch.setenv("_VERIFY_COMPLETE", f"{shell}_complete")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", words[-1] if shell == "fish" else str(len(words) - 1))
    with toy.empty_shelf(), pytest.raises(SystemExit):
        main.run([])
    return re.search(rf"(?m)(^|plain,){re.escape(offered)}(\t|$)", capsys.readouterr().out) is not None


@pytest.mark.parametrize(
    ("shell", "typed", "offered"),
    [*(("bash", *each) for each in ROWS["offered"]), *((shell, *ROWS["offered"][k]) for shell in ("zsh", "fish") for k in (0, 1))],
)
def test_words_are_completed(
    shell: str, typed: str, offered: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert offers(typed, offered, shell, monkeypatch, capsys)


@pytest.mark.parametrize(("typed", "offered"), ROWS["not_offered"])
def test_what_a_verb_cannot_take_is_not_offered(
    typed: str, offered: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not offers(typed, offered, "bash", monkeypatch, capsys)


@pytest.mark.parametrize("typed", ["verify trace lemma-2.6 : tab", "verify show lemma-2.6 :"])
def test_bash_has_words_that_end_at_colons(typed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert offers(typed, "table-6", "bash", monkeypatch, capsys)
