"""Text from files in every output: it is shown, and neither steers a terminal nor becomes structure of a document."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.papers_of_tests import FOLDER
from verifier.commands.main import run
from verifier.running.printable import shell_line, visible
from verifier.running.shelf import SHELF
from verifier.show.badges import in_bibtex
from verifier.show.markdown import cell, code, inline
from verifier.show.streams import Plain

ACTS = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
HOSTILE = (
    "\x1b]0;title\x07\x9b31m\u202eA\nFORGED: verified\n# FORGED\n\n<script>alert(1)</script><img src=x onerror=alert(1)> "
    "[x](javascript:alert(1)) [y]: javascript:alert(1) `a`` |b| ${c} }} @misc{d, %e \\input{f} [bold]g[/bold] &amp; \"h\" 'i' ]]> -->"
)
GOOD = (Path(__file__).parents[2] / "good.toml").read_text()


class Elements(HTMLParser):
    """The elements of a page that could act."""

    def __init__(self) -> None:
        super().__init__()
        self.acting: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        target = (given.get("href") or given.get("src") or "").strip().lower()
        if (tag == "script" and "src" not in given) or target.startswith("javascript") or any(name.startswith("on") for name in given):
            self.acting.append(f"<{tag} {attrs}>")


Said = Callable[..., str]


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> Iterator[Said]:
    """What ``verify`` writes on its streams, as bytes that are UTF-8."""

    def call(*words: str) -> str:
        into = io.BytesIO()
        for name in ("stdout", "stderr"):
            monkeypatch.setattr(sys, name, Plain(into, encoding="utf-8", errors="backslashreplace", write_through=True))
        assert run(list(words)) in (0, 1, 2, 3)
        sys.stdout.flush()
        return into.getvalue().decode()

    before = dict(vars(SHELF))
    yield call
    vars(SHELF).clear()
    vars(SHELF).update(before)


def toml(text: str) -> str:
    return json.dumps(text).replace("\x7f", "\\u007f").replace("\\ud8", "\\\\ud8")


def hostile_paper(folder: Path, text: str) -> Path:
    """The toy paper, each of whose sentences is hostile."""
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
    for source in sorted(FOLDER.rglob("*.toml")):
        target = folder / source.relative_to(FOLDER)
        keys = r"(?m)^(title|authors|place|says|why|because|meaning) = \".*\"$"
        target.write_text(re.sub(keys, lambda found: f"{found[1]} = {toml(found[1] + text)}", source.read_text()))
    return folder


def assert_lines(text: str) -> None:
    assert not ACTS.search(text.replace("\r", ""))
    assert not any(line.strip().lstrip("#>*- ").startswith("FORGED") for line in text.splitlines())


def assert_harmless(name: str, text: str) -> None:
    """A file of a report or of a site, by its ending."""
    assert not ACTS.search(text), name
    if name.endswith(".svg"):
        assert not any(e.tag.endswith("script") for e in ElementTree.fromstring(text).iter())
    elif name.endswith(".html"):
        page = Elements()
        page.feed(text)
        assert not page.acting, name
    elif name.endswith(".bib"):
        fields = re.sub(r"\\[&%$#_]", "", text)
        assert fields.count("{") == fields.count("}")
        assert not re.search(r"[%$&]|\\(?!textbackslash|textbrace|textascii)", fields)
        assert text.count("\n@") == 0
    elif name.endswith(".md"):
        words = re.sub(r"(`+)[^`]+?\1(?!`)", "", text)
        assert not re.search(r"<(script|img)|\]\(javascript|^\[[^]]*\]:", words, re.MULTILINE), name
        assert_lines(text)


def test_a_bar_at_the_start_of_a_cell_is_a_bar() -> None:
    assert (cell("|G| | 1"), inline("|G|")) == (r"\|G\| \| 1", "&#124;G|")


@pytest.mark.parametrize("words", ["toy", "toy/lemma-2 --p 2", "findings toy", "list toy"])
def test_a_hostile_paper_on_the_screen(said: Said, tmp_path: Path, words: str) -> None:
    text = said("--papers", str(hostile_paper(tmp_path / "paper", HOSTILE)), "--trust", *words.split())
    assert "FORGED" in text or words == "toy/lemma-2 --p 2"
    assert_lines(text)


@pytest.mark.parametrize("form", ["json", "junit", "sarif", "markdown"])
def test_a_hostile_paper_in_documents(said: Said, tmp_path: Path, form: str) -> None:
    text = said("--papers", str(hostile_paper(tmp_path / "paper", HOSTILE)), "toy/lemma-2", "--p", "2", "--format", form)
    assert not ACTS.search(text)
    if form == "junit":
        ElementTree.fromstring(text)
    elif form != "markdown":
        json.loads(text)
    else:
        assert_harmless("document.md", text)


def test_the_replay_of_a_hostile_name_is_a_command(tmp_path: Path) -> None:
    words = ["verify", "a\x1b[31m\u202e\n'FORGED\\.toml", "b c", "\udcff"]
    line = shell_line(words)
    assert_lines(line)
    with (tmp_path / "shown").open("wb") as file:
        subprocess.run(["bash", "-c", f"printf '%s\\0' {line}"], stdout=file, check=True)
    shown = (tmp_path / "shown").read_bytes()
    assert shown.split(b"\0")[:-1] == [word.encode(errors="surrogateescape") for word in words]


def test_a_hostile_paper_in_the_report_and_on_the_site(said: Said, tmp_path: Path) -> None:
    paper = str(hostile_paper(tmp_path / "paper", HOSTILE))
    said("--papers", paper, "--trust", "report", "--jobs", "1", "--output", str(tmp_path / "pages"))
    said("--papers", paper, "--trust", "report", "--jobs", "1", "--site", str(tmp_path / "site"))
    files = [path for folder in ("pages", "site") for path in (tmp_path / folder).rglob("*") if path.is_file()]
    assert {".md", ".bib", ".svg", ".html", ".js"} <= {path.suffix for path in files}
    for path in files:
        assert_harmless(path.name, path.read_text())


@pytest.mark.parametrize("form", ["screen", "json", "junit", "sarif", "markdown"])
def test_a_hostile_file_and_its_name(said: Said, tmp_path: Path, form: str) -> None:
    path = tmp_path / "a\x1b[31m\u202e\nFORGED<script>.toml"
    path.write_text(re.sub(r'(?m)^(title|source|meaning) = ".*"$', lambda found: f"{found[1]} = {toml(HOSTILE)}", GOOD))
    assert_lines(said("construction", str(path), "--p", "3", "--format", form))
    path.write_text(path.read_text().replace('function = "EQ"', f"function = {toml(HOSTILE)}"))
    assert_lines(said("construction", str(path), "--p", "3", "--format", form))


def test_hostile_errata_and_a_hostile_network(said: Said, tmp_path: Path) -> None:
    (tmp_path / "good.toml").write_text(GOOD)
    errata = f"[[erratum]]\nid = {toml(HOSTILE)}\nwhy = {toml(HOSTILE)}\n"
    (tmp_path / "good.errata.toml").write_text(errata)
    assert_lines(said("construction", str(tmp_path / "good.toml"), "--p", "3"))
    network = (Path(__file__).parents[3] / "constructions" / "gallery" / "first.toml").read_text()
    (tmp_path / "network.toml").write_text(re.sub(r'(?m)^(title|source|note|says) = ".*"$', lambda f: f"{f[1]} = {toml(HOSTILE)}", network))
    assert_lines(said("precision", str(tmp_path / "network.toml"), "--n", "1..2"))


SIGNS = [*"#*>`|<[](){}\\:!-+=~ \n\r\t\x1b\x9b\u202e1.)@&%$_^a", "<script>", "](javascript:", "```", "FORGED"]
TEXTS = st.lists(st.sampled_from(SIGNS), max_size=30).map("".join)


def harmless_anywhere(text: str) -> None:
    """Each border by itself."""
    assert not ACTS.search(visible(text))
    words = inline(text)
    assert inline(words) == words
    assert "\n" not in words
    assert not re.match(r"\s*([#>+*=~|-]|\d+[.)] )", words)
    assert not re.search(r"<[a-zA-Z/!?]|\][(:\[]", re.sub(r"`[^`]*`", " ", words))
    assert words.count("`") % 2 == 0
    assert not re.search(r"(?<!\\)\|", cell(text))
    shown = code(text)
    fence = re.match("`+", shown)
    assert fence is not None
    assert fence[0] not in shown[len(fence[0]) : -len(fence[0])]
    field = in_bibtex(text)
    assert re.sub(r"\\text[a-z]+\{\}", "", field).count("{") == 0


@settings(max_examples=60, deadline=None)
@given(TEXTS)
def test_each_border(text: str) -> None:
    harmless_anywhere(text)


@pytest.mark.campaign
@settings(max_examples=20_000, deadline=None)
@given(TEXTS)
def test_each_border_often(text: str) -> None:
    harmless_anywhere(text)


@pytest.mark.campaign
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS)
def test_every_output_of_many_hostile_papers(said: Said, tmp_path: Path, text: str) -> None:
    paper = str(hostile_paper(tmp_path / "paper", text))
    for words in ("toy", "findings toy", "list toy"):
        assert not ACTS.search(said("--papers", paper, "--trust", *words.split()))
    said("--papers", paper, "--trust", "report", "--jobs", "1", "--output", str(tmp_path / "pages"))
    said("--papers", paper, "--trust", "report", "--jobs", "1", "--site", str(tmp_path / "site"))
    for path in (p for folder in ("pages", "site") for p in (tmp_path / folder).rglob("*") if p.is_file()):
        assert_harmless(path.name, path.read_text())
