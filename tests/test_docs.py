"""The pages in docs: their commands print what they say, their links lead somewhere, every page is named by the README."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.command_line import CommandLine
from tests.documented import Reader, commands, differences, same
from tests.papers_of_tests import empty_shelf
from verifier.claims.papers import find_claim, papers
from verifier.commands.main import SUBCOMMANDS
from verifier.judges.fields import CORE

ROOT = Path(__file__).parent.parent
PAGES = [*sorted((ROOT / "docs").glob("*.md")), *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"))]
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


@pytest.mark.long("sweeps.md", "your-own-table.md", "certificates.md")
@pytest.mark.parametrize("page", [p for p in PAGES if any(commands(p.read_text(encoding="utf-8")))], ids=lambda p: p.name)
def test_commands_print_what_the_page_says(verify: CommandLine, page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "constructions").symlink_to(ROOT / "constructions")
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with empty_shelf():
        assert differences(page, Reader(verify, {**os.environ, "BITREFEREE": str(ROOT), "PATH": path})) == []


def test_what_a_page_says_is_compared() -> None:
    assert same(["a", "...", "d  0.10 s"], ["a", "b", "c", "d  2.00 s"])
    assert not same(["a", "..."], ["b"])
    assert not same(["a"], ["a", "b"])
    assert not same(["...", "c"], ["a", "b"])


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" not in target:
            name, _, anchor = target.partition("#")
            file = (page.parent / name) if name else page
            assert file.exists(), f"{page.name}: {target}"
            assert not anchor or anchor in anchors(file), f"{page.name}: {target}"


def test_the_pages_are_built_as_a_site_without_a_broken_link() -> None:
    done = subprocess.run([ROOT / ".ci" / "docs", sys.executable], capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "build/docs-site/index.html"), done.stderr
    assert "verify precision" in (ROOT / "build" / "docs-site" / "docs" / "precision" / "index.html").read_text(encoding="utf-8")


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_the_readme_names_every_page() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert {f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md")} <= set(LINK.findall(readme))


def test_the_readme_names_commands_that_there_are() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    asked = re.findall(r"(?:`|    )verify ([^` ]+)", readme)
    assert len(asked) > 12
    for word in asked:
        assert word.endswith(".toml") or word in SUBCOMMANDS or word in {paper.id for paper in papers()} or find_claim(word)


CELL = re.compile(r'^```python( tags=\["raises-exception"\])?\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?', re.MULTILINE | re.DOTALL)


def test_the_page_on_python_is_a_notebook_that_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cell by cell in the folder of the page, as Jupyter runs it: the last expression is shown, or the error where a tag expects one."""
    monkeypatch.chdir(ROOT / "docs")
    text, names = Path("python.md").read_text(encoding="utf-8"), dict[str, object]()
    assert text.startswith("---\njupyter:\n  jupytext:\n    text_representation: {extension: .md, format_name: markdown}\n")
    cells = CELL.findall(text)
    assert len(cells) == text.count("```python") > 6
    for raises, code, shown in cells:
        assert _run(code, names, bool(raises)) == shown, code


def _run(code: str, names: dict[str, object], raises: bool) -> str:
    *before, last = ast.parse(code).body
    try:
        exec(compile(ast.Module(before, []), "cell", "exec"), names)
        if not isinstance(last, ast.Expr):
            exec(ast.unparse(last), names)
            return ""
        return f"{eval(ast.unparse(last), names)!r}\n"
    except Exception as error:
        if not raises:
            raise
        return f"{type(error).__name__}: {error}\n"


def test_the_way_from_a_paper_to_a_folder(verify: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files that CONTRIBUTING prints are a paper."""
    monkeypatch.chdir(tmp_path)
    paper, statement = re.findall(r"```toml\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "statements").mkdir()
    (tmp_path / "paper.toml").write_text(textwrap.dedent("   " + paper), encoding="utf-8")
    (tmp_path / "statements" / "lemma-1.toml").write_text(textwrap.dedent("   " + statement), encoding="utf-8")
    with empty_shelf():
        done = verify("--papers . mine/lemma-1 --p 1..6 --edition printed")
    assert (done.status, done.err) == (0, "")
    assert "p=1..6" in done.out


def test_the_page_on_papers_names_every_judge_of_the_core() -> None:
    page = (ROOT / "docs" / "paper-format.md").read_text(encoding="utf-8")
    assert [name for name in CORE if f"`{name}`" not in page] == []
