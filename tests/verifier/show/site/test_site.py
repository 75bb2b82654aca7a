"""The site's files: each finding and statement has its page, every link leads somewhere, and nothing is asked of a network."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from posixpath import dirname, join, normpath

import pytest

from tests.command_line import CommandLine
from tests.papers_of_tests import FOLDER, run_paper, shelved, the_paper
from tests.verifier.show.site.sites import every_bit_counts, one_table, tables_site, toy_site, unjudged_site
from verifier.arithmetic.semantics import TURNED
from verifier.claims.papers import papers
from verifier.claims.verdicts import Edition, Verdict
from verifier.errata.findings import findings
from verifier.gate.run import Run
from verifier.show.judged import Judged
from verifier.show.site.build import site_files, table_page
from verifier.show.site.graph import COLUMN, HIGH, graph, layout, named_in
from verifier.show.site.reference import document, documents, methods

sites = pytest.mark.parametrize("site", [toy_site, tables_site])


class Links(HTMLParser):
    """What a page refers to, and the places in it that can be referred to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.to: list[str] = []
        self.ids: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.to += [given[k] or "" for k in ("href", "src") if k in given]
        self.ids += [given["id"] or ""] if "id" in given else []


@cache
def links_of(text: str) -> Links:
    """Those of a page, which several tests look at."""
    return Links(text)


def words_of(text: str) -> str:
    """What a reader sees of a piece of a page."""
    return " ".join(unescape(re.sub(r"<[^>]*>", "", text)).split())


def _pages(files: dict[str, str]) -> dict[str, Links]:
    return {path: links_of(text) for path, text in files.items() if path.endswith(".html")}


def broken(files: dict[str, str]) -> list[str]:
    """Links that lead nowhere."""
    pages, found = _pages(files), []
    for path, links in pages.items():
        for link in links.to:
            if link.startswith("data:"):
                continue
            target, _, place = link.partition("#")
            there = normpath(join(dirname(path), target)) if target else path
            if there not in files or (place and place not in pages[there].ids and there.split("/")[-1] != "graph.html"):
                found.append(f"{path}: {link}")
    return found


@sites
def test_every_link_leads_somewhere_and_no_place_is_named_twice(site: Callable[[], dict[str, str]]) -> None:
    assert broken(site()) == []
    for path, links in _pages(site()).items():
        assert len(set(links.ids)) == len(links.ids), path


def test_a_link_that_leads_nowhere_is_seen() -> None:
    files = {**toy_site(), "toy/graph.html": '<a href="../search.html"></a><a href="../nowhere.html"></a><a href="#none"></a>'}
    assert broken({**files, "a.html": '<a href="#none"></a>'}) == ["toy/graph.html: ../nowhere.html", "a.html: #none"]


@sites
def test_nothing_is_loaded_from_elsewhere(site: Callable[[], dict[str, str]]) -> None:
    for path, text in site().items():
        if path.endswith(".html"):
            assert not [link for link in links_of(text).to if re.match(r"[a-z]+:(?!,|image/png)|//", link)], path
        assert not re.search(r"url\(|@import|fetch\(|XMLHttpRequest|importScripts|WebSocket|<iframe|<link[^>]+https?:", text), path
    written = "".join(text for path, text in site().items() if path.endswith((".css", ".html")) and not path.startswith("docs/"))
    assert "http" not in written.replace("http://www.w3.org/2000/svg", "")


def test_every_finding_and_statement_has_its_page() -> None:
    files, paper = tables_site(), every_bit_counts()
    assert {f"{m.id.replace('/', '/findings/')}.html" for m in findings(paper)} <= files.keys()
    assert {f"{paper.id}/statements/{name}.html" for name in paper.order} <= files.keys()
    assert {f"{paper.id}/tables/{name}.html" for name in paper.raw["tables"]} <= files.keys()
    assert f"{paper.id}/traces/table-6-constants.html" in files


def test_a_trace_begins_with_its_mistake_the_example_and_the_first_departure() -> None:
    read = words_of(tables_site()["every-bit-counts/traces/table-6-constants.html"])
    said = [
        "The constant tokens of Table 6 add half of what the proof says",
        "With p=7 and y=z=1000000000000 the output is 0; the paper needs 1.",
        "The answer is 0. It is wrong: EQ(y, z) = 1.",
        "The table departs from the proof at token 1: the numerator is 32 there, and the proof says 1",
        "What becomes of the sums",
    ]
    places = [read.find(each) for each in said]
    assert -1 not in places
    assert places == sorted(places)


def test_a_finding_without_a_sentence_names_the_values_and_what_they_refute() -> None:
    read = words_of(toy_site()["toy/findings/pairs-twice.html"])
    assert "The smallest example These values refute" in read
    assert "None at the parameters" not in read


def test_the_first_page_has_the_theorem_its_marks_and_the_finding() -> None:
    text = toy_site()["toy/index.html"]
    row = text[text.index("Theorem 3") : text.index("</tr>", text.index("Theorem 3"))]
    assert 'class="word true">true for ' in row
    assert "true for p=1..3" in words_of(row)
    assert "The least of them is 2, not 3" in text


def test_another_verdict_is_another_site_and_the_same_run_is_the_same() -> None:
    with shelved():
        paper = the_paper("toy")
        run = run_paper(paper)
        held = {tuple(r.parameters.items()): r.outcome for r in run.results["toy/theorem-3"] if r.edition is Edition.STATEMENT}
        other = [replace(r, outcome=held[tuple(r.parameters.items())]) for r in run.results["toy/theorem-3"]]
        changed = replace(run, results={**run.results, "toy/theorem-3": other})
        assert site_files([Judged(paper, run)]) == toy_site()
        differing = {path for path, text in site_files([Judged(paper, changed)]).items() if text != toy_site()[path]}
    assert {"toy/index.html", "toy/statements/theorem-3.html"} <= differing
    assert "toy/statements/lemma-1.html" not in differing


def test_a_changed_cell_is_marked_on_both_sides_and_leads_to_its_erratum() -> None:
    judged = one_table()
    text = table_page(judged, judged.tables["table-6"])
    errata = judged.tables["table-6"].source.errata
    assert errata is not None
    for erratum in errata.erratum:
        for kind, value in (("del", erratum.printed), ("ins", erratum.repaired)):
            cells = text.count(f'<a class="{kind}" href="#{erratum.name}"><code>{value}</code></a>')
            assert cells == len(erratum.places), (erratum.name, kind)
    assert "<ins><code>" not in text  # a change that no erratum explains


def test_the_trace_shows_where_the_sums_leave_the_proof() -> None:
    text = tables_site()["every-bit-counts/traces/table-6-constants.html"]
    said = re.search(r"at token 1: the numerator is (\S+) there, and the proof says (\S+) \(<a [^>]*#numerator-after-step-2", text)
    assert said is not None
    row = text[text.index('<th scope="row">1</th>') : text.index('<th scope="row">2</th>')]
    assert f"<td>{said[1]}</td>" in row
    assert f"<td>numerator {said[2]} <b>departs here</b></td>" in row
    assert text.count("<b>departs here</b>") == 1


def test_a_statement_that_is_named_is_behind_the_one_that_names_it() -> None:
    assert named_in("By Lemmas 2.3 and 2.6, Theorem C.1 and Equation (1)") == ["lemma-2.3", "lemma-2.6", "theorem-c.1", "equation-1"]
    with shelved():
        paper = the_paper("toy")
        assert sorted(graph(Judged(paper, run_paper(paper))).edges) == [("lemma-1", "theorem-3"), ("lemma-2", "theorem-3")]


@pytest.mark.parametrize("name", [paper.id for paper in papers() if paper.id != "toy"])
def test_no_edge_of_the_graph_runs_through_a_box(name: str) -> None:
    """Between two layers stands no box; where an edge passes a layer, it keeps away from the boxes there."""
    paper = next(each for each in papers() if each.id == name)
    made = graph(Judged(paper, Run({claim.id: [] for claim in paper}, {})))
    found = layout(made)
    assert len(set(found.places.values())) == len(found.places) == len(made)
    for (_, depth), height in found.tracks.items():
        tops = [y for x, y in found.places.values() if x == depth * COLUMN]
        assert all(not y < height < y + HIGH for y in tops)
    assert len({(depth, height) for (_, depth), height in found.tracks.items()}) == len(found.tracks)


def test_the_index_has_a_row_for_each_claim() -> None:
    text = toy_site()["assets/claims.js"]
    rows = json.loads(text.removeprefix("window.CLAIMS = ").removesuffix(";\n"))
    by_name = {row[1]: row for row in rows}
    assert sum(1 for row in rows if row[8] in (0, 1)) == 6
    assert [row[7] for row in rows if row[8] == 2] == [["least"], ["pairs-twice"]]
    assert "finding" in [row[1] for row in rows if row[8] == 3]
    assert by_name["Lemma 2, step first"][4:7] == ["toy/statements/lemma-2.html#first", "false", "false for p = 2..4 (counterexample)"]
    assert by_name["Lemma 2, step first"][7:] == [["least"], 1]


def test_a_word_of_the_documentation_is_found_with_its_section() -> None:
    rows = json.loads(tables_site()["assets/claims.js"].removeprefix("window.CLAIMS = ").removesuffix(";\n"))
    sections = [section for each in documents() for section in each.sections]
    assert {section.page for section in sections} <= {row[4] for row in rows}
    assert {"docs/format.html", "docs/index.html"} <= tables_site().keys()
    assert "docs/format.html" in {row[4].partition("#")[0] for row in rows if "popcount" in row[2]}


def test_a_link_of_the_documentation_leads_to_a_page_of_the_site_or_is_its_words() -> None:
    text = "# A b, c\n\n[see](format.md#top), [file](examples/a.toml), [up](../README.md), [*here*](#a-b-c)\n\n"
    text += "| a |\n| - |\n| 1 |\n\n## D\n\nd\n"
    made = document("docs/a.md", text, {"docs/a.md": "docs/a.html", "docs/format.md": "docs/format.html", "README.md": "docs/index.html"})
    assert '<a href="format.html#top">see</a>, file, <a href="index.html">up</a>, <a href="a.html#a-b-c"><em>here</em></a>' in made.body
    assert [(each.title, each.says, each.page) for each in made.sections] == [
        ("A b, c", "see, file, up, here a 1", "docs/a.html#a-b-c"),
        ("D", "d", "docs/a.html#d"),
    ]


def test_each_kind_of_method_is_explained_on_the_page_on_trust() -> None:
    listed = methods([one_table()])
    for method in listed:
        for place in method.code:
            assert (Path(__file__).parents[4] / place).exists(), f"{method.id}: {place}"


def test_the_glossary_has_every_verdict_knob_and_representation() -> None:
    text = tables_site()["glossary.html"]
    assert all(f'id="{verdict.value}"' in text for verdict in Verdict)
    assert all(f"<h3><code>{knob}</code>" in text for knob in TURNED)
    assert all(f">{name}</dt>" in text for name in ("T0", "T1", "T2", "T3", "witness"))


def test_the_command_writes_the_site_and_nothing_else(verify: CommandLine, tmp_path: Path) -> None:
    done = verify("--papers", str(FOLDER), "--trust report --paper toy --site", str(tmp_path / "site"))
    assert (done.status, done.err) == (0, "")
    assert (tmp_path / "site" / "toy" / "findings" / "least.html").is_file()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["site"]


def test_a_changed_and_a_foreign_file_of_a_site_are_named(verify: CommandLine, tmp_path: Path) -> None:
    site = tmp_path / "site"
    asked = ("--papers", str(FOLDER), "--trust report --paper toy --site", str(site))
    assert verify(*asked).status == 0
    same = verify(*asked, "--check")
    assert (same.status, same.out.strip().endswith("files are up to date")) == (0, True)
    first = site / "index.html"
    first.write_bytes(first.read_bytes().replace(b"\n", b"\r\n", 1))
    (site / "toy" / "mine.html").write_text("mine")
    found = verify(*asked, "--check")
    assert found.status == 1
    assert [line.split(" differs", 1)[0].split(" is not a file", 1)[0] for line in found.out.splitlines()] == [
        str(first),
        str(site / "toy" / "mine.html"),
    ]
    both = verify(*asked, "--output", str(tmp_path))
    assert (both.status, both.err) == (
        2,
        "verify: --site, --output and --shipped ask for different reports; one was expected\n",
    )


ADDRESS = re.compile(
    r"""\b(?:row|weights|mlp|input|let)\.[\w.]+\.\w+   # an entry of a construction: row.1.zero.2
    | \b[a-z]+-[a-z0-9.]+\#\d                          # one of several errata of a claim: lemma-c.7#2
    | (?:^|\0|;\s?)(?:of|is|let|each|holds|says|where|left|right|steps|when):\s  # a field of a statement file
    | \[\[?'|\{'claim'                                 # a list of TOML as Python prints it""",
    re.VERBOSE,
)


def addresses(files: dict[str, str]) -> list[str]:
    """The pages that show one, with what they show."""
    found = []
    for path, text in files.items():
        if path.endswith(".html"):
            words = unescape(re.sub(r"<[^>]*>", "\0", re.sub(r"<(script|style|svg|pre).*?</\1>", "", text, flags=re.DOTALL)))
            found += [f"{path}: {words[max(0, m.start() - 20) : m.end() + 20]!r}" for m in ADDRESS.finditer(words)]
    return found


@pytest.mark.parametrize("text", ["<p>row.1.zero.2: 0</p>", "<p>see lemma-c.7#2</p>", "<dd>of: sum(a)</dd>", "<del>[['a']]</del>"])
def test_an_address_is_seen(text: str) -> None:
    assert addresses({"a.html": text})


@sites
def test_no_page_of_tables_or_of_a_small_paper_shows_an_address(site: Callable[[], dict[str, str]]) -> None:
    """A reader has the paper open, and not our statement files."""
    assert addresses(site()) == []


@pytest.mark.campaign
@pytest.mark.parametrize("name", [paper.id for paper in papers()])
def test_no_page_of_a_paper_shows_an_address(name: str) -> None:
    files = unjudged_site(next(paper for paper in papers() if paper.id == name))
    assert len(files) > 20
    assert addresses(files) == []


def test_a_word_of_the_paper_shows_its_meaning_where_it_is_first_used() -> None:
    files = tables_site()
    page = files["every-bit-counts/statements/theorem-2.4.html"]
    cards = re.findall(r'<a class="term" href="../../glossary.html#([^"]*)" title="([^".]*)', page)
    assert [meaning for _, meaning in cards[:2]] == [
        "The input representation of Table 6",
        "The function that is 1 if two strings of m bits are equal, and 0 otherwise",
    ]
    assert {place for place, _ in cards} <= set(links_of(files["glossary.html"]).ids)
