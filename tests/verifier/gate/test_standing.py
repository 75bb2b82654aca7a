"""The standing of a result is one record: every place shows the same answers, and the contradictions of earlier pages are gone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from html import unescape
from itertools import product
from pathlib import Path

import pytest

from tests.papers_of_tests import page
from verifier.claims.model import DEFAULT_SEMANTICS, Claim
from verifier.claims.papers import Paper, find_claim, papers
from verifier.claims.parameters import ALL
from verifier.claims.points import asked_points
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Result, Scope, Verdict
from verifier.commands.show import Stands
from verifier.errata.findings import findings
from verifier.errata.listings import Consequences
from verifier.gate.by_symbols import proved
from verifier.gate.run import Run, asked_of_symbols, main_claims
from verifier.gate.standing import MARKS, STATUSES, Known, Standing, counted, inside, leading
from verifier.gate.verdict_table import read_table
from verifier.running.errors import InputError, LimitError
from verifier.show.answer_screen import LEGEND, Answered, show_answer, statement_lines
from verifier.show.answers import together
from verifier.show.judged import Judged, Letter
from verifier.show.notation.mathml import sentence
from verifier.show.notation.plain import plain, shown
from verifier.show.pages import overview
from verifier.show.record_screen import show_claim
from verifier.show.site.build import index, paper_page, statement_page
from verifier.show.site.graph import graph_page
from verifier.show.verdict_words import titled

SHIPPED = [paper for paper in papers() if paper.id != "toy"]
each_paper = pytest.mark.parametrize("paper", SHIPPED, ids=lambda paper: paper.id)


def _result(claim: Claim, edition: Edition, point: dict[str, int], verdict: Verdict, assumed: tuple[str, ...]) -> Result:
    told = {"p": "1"} if verdict is Verdict.REFUTED else None
    on = assumed if verdict is Verdict.CONDITIONAL else ()
    outcome = Outcome(verdict, Scope("of the table", 1, "enumeration"), assumptions=on, reason="of the table", counterexample=told)
    return Result(claim.id, edition, point, "a4", outcome)


def _points(claim: Claim, text: str) -> Iterator[dict[str, int]]:
    """The points of ``p=1..3 s=1,4; p=5 s=2``."""
    names = {p.name: p.names for p in claim.parameters}

    def values(name: str, cell: str) -> Iterator[int]:
        for part in cell.split(","):
            first, _, last = part.partition("..")
            known = names[name]
            yield from [known.index(part)] if part in known else range(int(first), int(last or first) + 1)

    for box in [] if text == "-" else text.split("; "):
        cells = dict(pair.split("=") for pair in box.split(" "))
        for chosen in product(*(values(name, cell) for name, cell in cells.items())):
            yield claim.complete(dict(zip(cells, chosen, strict=True)))
    if text == "-":
        yield claim.complete({})


@lru_cache(maxsize=1)
def committed() -> dict[str, list[Result]]:
    """Results with the verdicts of the committed table, for every claim and edition."""
    claims = {claim.id: claim for paper in SHIPPED for claim in paper}
    found: dict[str, list[Result]] = {}
    for line in read_table(Path(__file__).parents[3] / "reports" / "verdicts.tsv"):
        name, _, points, *verdicts, assumptions = line.split("\t")[:7]
        assumed = assumptions.split(" | ") * (1 if " | " in assumptions else 3)
        if (claim := claims.get(name)) is not None:
            found.setdefault(claim.id, []).extend(
                _result(claim, edition, point, Verdict(verdict), tuple(on.split(",")))
                for point in _points(claim, points)
                for edition, verdict, on in zip(Edition, verdicts, assumed, strict=True)
            )
    return found


@lru_cache(maxsize=8)
def judged(paper_id: str) -> Judged:
    paper = next(each for each in SHIPPED if each.id == paper_id)
    results = {claim.id: committed().get(claim.id, []) for claim in paper}
    return Judged(paper, Run(results, {}, {}, {f.id: Consequences() for f in findings(paper)}))


def words(text: str) -> str:
    """What stands on a page, without signs of mathematics that are set in several ways, and without spaces."""
    return re.sub(r"\W|_", "", unescape(re.sub(r"<[^>]*>", "", text)))


def answers(found: Standing) -> Iterator[str]:
    for question in found.questions:
        yield from (answer.text for answer in question.answers)


def answered(made: Judged, claim: Claim) -> Answered:
    """What ``verify CLAIM`` shows over the claim's typical parameters, with the verdicts of the committed table."""
    halves = [find_claim(row.claim) for row in claim.rows] or [claim]
    asked = {each.id: each for owner in (claim, *halves) for each in (owner, *owner.steps)}
    results = {name: made.run.results[name] for name in asked if name in made.run.results}
    return Answered(Known(made.paper, Run(results), whole=False), claim, list(asked_points(claim, {})), {})


@pytest.mark.one_in(2)
@pytest.mark.long("every-bit-counts", "fixed-point-networks", "one-bit-scaling")
@each_paper
def test_every_place_has_the_answers_of_the_record(
    paper: Paper, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Statement page, search, graph, the screens, JSON, Python, and for main results the front page and letter; the overview has counts."""
    monkeypatch.setattr("verifier.show.judged.letter", lambda facts: Letter())  # its sentences and examples are held against a whole run
    monkeypatch.setattr("verifier.errata.findings.Finding.example", lambda finding, values: "")
    monkeypatch.setattr("verifier.show.site.build.object_of", lambda paper, listing: None)
    made = judged(paper.id)
    rows = {row[4]: row for row in json.loads(index([made]).removeprefix("window.CLAIMS = ").removesuffix(";\n"))}
    drawn = graph_page(made)
    for claim in paper.statements():
        found = made.standing(claim)
        on_page = words(statement_page(made, claim))
        for text in answers(found):
            assert words(sentence(text)) in on_page, (claim.id, text)
        assert rows[made.page(claim.id)][5] == found.status
        assert f'aria-label="{titled(claim.name)}, {found.status}, ' in drawn
        line = words("\n".join(statement_lines(made, claim, rows=False)))
        assert line.startswith(words(f"{found.mark} {titled(claim.name)}: "))
        assert found.status in line if claim.rows else all(words(shown(text)) in line for text in answers(found))
        show_answer(answered(made, claim))
        told = " ".join(capsys.readouterr().out.split())
        assert re.match(f"{re.escape(f'{found.mark} {titled(claim.name)}')}(, [^:]*)?: {found.status}", told), claim.id
        show_claim(claim, paper, made, whole=False)
        screen = words(capsys.readouterr().out)
        assert words(f"Is it true, and does the printed proof work: {found.mark} {found.status}") in screen
        assert all(words(shown(text)) in screen for text in answers(found))
        told, python = found.to_dict(), Stands(found, ("",) * len(found.questions))
        assert (python.to_dict(), [row["answer"] for row in python.rows()]) == (told, list(answers(found)))
        assert python.caption() == f"{found.mark} {claim.id}: {found.status}"
        assert (told["status"], [q["status"] for q in told["questions"]]) == (found.status, [q.status for q in found.questions])
    front, letter, whole = words(paper_page(made)), page(paper, made.run), overview([paper], {paper.id: made.run})
    header = next(line for line in whole.splitlines() if line.startswith("| questions of the main results |"))
    counts = {status: str(count) for status, count in made.statuses.items() if f"| {status} |" in header}
    assert sum(map(int, counts.values())) == sum(made.statuses.values())
    cells = [f"{count} | {made.proved}" if status == "true" else count for status, count in counts.items()]
    assert f"]({paper.id}.md) | {' | '.join(cells)} |" in whole
    for _, result in together(made.main):
        for question in result.questions:
            for answer in question.answers:
                assert words(sentence(answer.text)) in front
                assert plain(answer.text).split(";")[0].replace("|", "\\|") in letter


@pytest.mark.long("every-bit-counts", "fixed-point-networks")
@each_paper
def test_the_mark_is_the_answer_to_is_it_true_and_not_that_of_the_printed_edition(paper: Paper) -> None:
    made = judged(paper.id)
    for claim in paper.statements():
        found = made.standing(claim)
        meant = inside(claim, made.results(claim, Edition.STATEMENT, None))
        if not claim.rows and meant and all(r.verdict is Verdict.VERIFIED for r in meant):
            assert found.mark == "✓", claim.id


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("every-bit-counts/lemma-2.3", "true"),  # its printed table fails
        ("every-bit-counts/lemma-2.6", "true"),  # false for p = 1 alone, which the authors do not mean
        ("every-bit-counts/lemma-c.8", "true"),
        ("every-bit-counts/theorem-1.1", "open"),  # some representation may work
        ("every-bit-counts/theorem-c.1", "open"),  # and here, though a row on T2 itself is false
        ("fixed-point-networks/theorem-6", "true"),  # by the kernel, for every p
        ("fixed-point-networks/corollary-9", "true"),
        ("fixed-point-networks/theorem-21", "open"),
    ],
)
def test_results_that_pages_once_gave_two_answers_to(name: str, status: str) -> None:
    made = judged(name.partition("/")[0])
    assert made.standing(made.claims[name]).status == status


def test_symbols_answer_for_every_parameter() -> None:
    made = judged("piecewise-affine")
    claim = made.claims["piecewise-affine/equation-1"]
    known = Known(made.paper, replace(made.run, symbols={claim.id: {"statement": "every"}}))
    assert [a.text for q in known.standing(claim).questions for a in q.answers] == ["true for every n and w (symbols)"]


def test_halves_are_counted_and_not_results() -> None:
    made = judged("every-bit-counts")
    found = made.standing(made.claims["every-bit-counts/theorem-2.4"])
    assert [q.status for q in found.questions] == ["true", "false", "true"]  # in matrix order, which is all that the table has
    counts = counted(made.main)
    assert set(counts) == set(STATUSES) <= set(MARKS)
    assert all(f"{mark} " in LEGEND for mark in MARKS.values())
    asked = {(q.says, q.claim.id) for claim in main_claims(made.paper) for q in made.standing(claim).questions}
    assert sum(counts.values()) == len(asked)


REPORTS = Path(__file__).parents[3] / "reports"
PAGES = [
    ("every-bit-counts.md", "†: *true* here assumes", "true wherever"),  # the exact ln 2; the orders that a sentence is about
    ("every-bit-counts-thresholds.md", "With one column alone more bits may be necessary", ""),
    ("fixed-point-networks.md", "", "(?<![a-z_])S = 2, use"),
    ("one-bit-scaling.bib", "", "does not name"),
    ("piecewise-affine.md", "true for every n and w (symbols)", "0 verdicts"),
]


@pytest.mark.parametrize(("name", "said", "unsaid"), PAGES)
def test_a_page_says_what_is_proved_and_on_what_it_rests(name: str, said: str, unsaid: str) -> None:
    text = " ".join((REPORTS / name).read_text(encoding="utf-8").split())
    assert said in text
    assert not unsaid or not re.search(unsaid, text)


def test_an_answer_names_the_order_that_it_is_about() -> None:
    made = judged("every-bit-counts")
    assert len(made.paper.readings) == 2
    for name in ("lemma-2.3", "lemma-c.5", "lemma-c.8"):
        (question,) = made.standing(made.claims[f"every-bit-counts/{name}"]).questions
        assert [a.called for a in question.answers] in ([""], ["matrix order"])  # the table of verdicts has matrix order alone


ASKED = [claim for paper in papers() for claim in asked_of_symbols(paper).values() if claim.parameters]


@pytest.mark.one_in(40)
@pytest.mark.long("piecewise-affine/section-2.7:alpha-no-carry")
@pytest.mark.parametrize("claim", ASKED, ids=lambda claim: claim.id)
def test_no_page_has_a_range_for_what_is_decided_for_every_parameter(claim: Claim) -> None:
    """What the whole domain is asked about is verified: then a theorem or symbols answer, and no typical points."""
    session = Session()
    try:
        whole = {p.name: int(p.default) if p.names and p.default is not None else ALL for p in claim.parameters}
        found, _ = session.outcome(claim, Edition.STATEMENT, whole, DEFAULT_SEMANTICS)
    except (InputError, LimitError):
        return
    assert found.verdict is not Verdict.VERIFIED or leading(claim, DEFAULT_SEMANTICS, [])[0] or proved(claim, session)


LISTED = [find_claim(f"{paper.id}/{name}") for paper in papers() for name in paper.raw.get("proved", ())]


@pytest.mark.one_in(20)
@pytest.mark.long("every-bit-counts/lemma-2.5:alice-tokens")
@pytest.mark.parametrize("claim", LISTED, ids=lambda claim: claim.id)
def test_symbols_decide_each_step_that_a_paper_lists(claim: Claim) -> None:
    assert proved(claim, Session())


@pytest.mark.campaign
@pytest.mark.parametrize("paper", papers(), ids=lambda paper: paper.id)
def test_symbols_decide_no_step_that_a_paper_does_not_list(paper: Paper) -> None:
    """So that no page has a range for a step, either; asking all steps takes minutes."""
    session, asked = Session(), asked_of_symbols(paper)
    assert [claim.id for claim in paper if claim.parameters and claim.id not in asked and proved(claim, session)] == []


@pytest.mark.parametrize("name", ["lemma-7", "lemma-16", "lemma-24"])
def test_the_theorems_of_all_parts_are_those_of_the_whole(name: str) -> None:
    claim = find_claim(f"fixed-point-networks/{name}")
    (whole,), _ = leading(claim, DEFAULT_SEMANTICS, [])
    assert len(claim.parts) > 2
    assert {whole.ranges} == {t.ranges for part in claim.parts for t in leading(find_claim(part.claim), DEFAULT_SEMANTICS, [])[0]}
    other = replace(claim, parts=(*claim.parts, replace(claim.parts[0], claim="fixed-point-networks/section-4.2")))
    assert leading(other, DEFAULT_SEMANTICS, [])[0] == []
