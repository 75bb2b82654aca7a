"""Pages that a paper's folder brings are part of the report, and are compared with it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from constructions.every_bit_counts.commands import thresholds
from tests.verifier.show.site.sites import every_bit_counts, one_table
from verifier.claims.verdicts import EXIT_REFUTED
from verifier.commands.report import report_files, settled_pages
from verifier.kernel import coq
from verifier.running.errors import InputError
from verifier.show.own_pages import own_pages

NAME = "every-bit-counts-thresholds.md"


@pytest.mark.campaign
def test_the_page_of_thresholds_is_in_the_report_and_asks_no_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[None] = []
    monkeypatch.setattr(coq, "installed_coq", lambda: asked.append(None))
    text = thresholds.page()
    assert not asked
    assert "| token order, fixed splits | every p ≥ 3 | p | Coq 8.16.1, theorem both_halves of SplitTheorem.v |" in text
    assert [page.name(every_bit_counts()) for page in own_pages(every_bit_counts())] == [NAME]


def test_a_changed_page_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(thresholds, "page", lambda: "as computed\n")
    judged = one_table()
    chosen, runs = [judged.paper], {judged.paper.id: judged.run}
    for name, text in report_files(chosen, runs, whole=False).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert f"[{NAME}]({NAME})" in (tmp_path / "every-bit-counts.md").read_text(encoding="utf-8")
    settled_pages(tmp_path, report_files(chosen, runs, whole=False), runs, check=True)
    assert f"{NAME} is up to date" in capsys.readouterr().out
    (tmp_path / NAME).write_text("as wished\n", encoding="utf-8")
    assert settled_pages(tmp_path, report_files(chosen, runs, whole=False), runs, check=True) == EXIT_REFUTED
    assert f"{NAME} differs" in capsys.readouterr().out


@pytest.mark.parametrize("entry", ['id = "../x"\nsays = ""\nwrite = ""', 'id = "x"\nsays = ""', 'id = "x"\nsays = ""\nwrite = ""\nx = 1'])
def test_a_malformed_entry_is_refused(tmp_path: Path, entry: str) -> None:
    (tmp_path / "pages.toml").write_text(f"[[page]]\n{entry}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"pages\.toml"):
        own_pages(replace(every_bit_counts(), folder=tmp_path))
