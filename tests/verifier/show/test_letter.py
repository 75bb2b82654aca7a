"""The sentences of a letter: their slots are facts of the run, and a sentence that the run does not bear out is an error."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest
from msgspec import structs

from tests.papers_of_tests import run_paper, shelved, the_paper
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.file_records import RowEntry
from verifier.claims.model import Claim
from verifier.claims.papers import find_claim, papers
from verifier.claims.parameters import ALL
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Result, Scope, Verdict
from verifier.gate.run import Run, main_claims
from verifier.gate.standing import Known, spoken, standing
from verifier.running.errors import InputError
from verifier.show.answers import smallest
from verifier.show.judged import SLOT, Judged, NotJudgedError, filled, read_letter


@pytest.fixture(scope="module")
def facts() -> Iterator[Judged]:
    with shelved():
        paper = the_paper("toy")
        yield Judged(paper, run_paper(paper))


def test_slots_are_what_the_run_found(facts: Judged) -> None:
    assert filled(facts, "Lemma 1 for {only true lemma-1}.") == "Lemma 1 for p = 1..4."
    assert filled(facts, "{false lemma-2 printed}; {only true lemma-2 repaired}") == "p = 2..4; p = 2..4"
    assert filled(facts, "found {smallest least found}") == "found 2"


@pytest.mark.parametrize(
    "slot",
    ["{false lemma-1}", "{only true lemma-2 printed}", "{true lemma-9}", "{good lemma-1}", "{smallest least nothing}", "{proved lemma-1}",
     "{true lemma-1 in nowhere}"],
)  # fmt: skip
def test_a_slot_that_the_run_does_not_bear_out_is_an_error(facts: Judged, slot: str) -> None:
    with pytest.raises(InputError):
        filled(facts, f"It is so for {slot}.")


def test_a_claim_that_was_not_judged_leaves_its_sentence_out(facts: Judged) -> None:
    bare = Judged(facts.paper, replace(facts.run, results={**facts.run.results, "toy/lemma-1": []}))
    with pytest.raises(NotJudgedError):
        filled(bare, "{true lemma-1}")


def test_points_are_spoken() -> None:
    assert spoken("p=3..8") == "p = 3..8"
    assert spoken("t=3..4 e=2..4; t=6 e=3") == "t = 3..4, e = 2..4; t = 6, e = 3"
    assert spoken("true for p=1,3..8") == "true for p = 1, 3..8"


@pytest.fixture(scope="module")
def literal(facts: Judged) -> Judged:
    """The run with the outcomes of what is printed in place of those of the statement of Lemma 2."""
    lemma = facts.run.results["toy/lemma-2"]
    printed = {tuple(r.parameters.items()): r.outcome for r in lemma if r.edition is Edition.PRINTED}
    listed = [replace(r, outcome=printed[tuple(r.parameters.items())]) if r.edition is Edition.STATEMENT else r for r in lemma]
    return Judged(facts.paper, replace(facts.run, results={**facts.run.results, "toy/lemma-2": listed}))


def test_a_question_is_refuted_with_its_claim(facts: Judged, literal: Judged) -> None:
    theorem = replace(find_claim("toy/theorem-3"), rows=(RowEntry(says="the numbers are even", claim="toy/lemma-2"),))
    assert standing(facts, theorem).status == "true"
    (found,) = standing(literal, theorem).questions
    assert (found.status, [answer.text for answer in found.answers]) == ("false", ["false for p = 2..4 (counterexample)"])
    assert found.failing is not None
    assert found.failing.replay
    told = replace(found, example="With p = {p} it is false.")
    assert smallest(told, ()) == "With p = 2 it is false."
    assert "With" not in smallest(replace(found, example="With {nothing} it is false."), ())


@pytest.mark.parametrize(("own", "status"), [(Verdict.OPEN, "open"), (Verdict.REFUTED, "false")])
def test_a_refuted_half_leaves_a_result_open_that_claims_existence(facts: Judged, literal: Judged, own: Verdict, status: str) -> None:
    """A theorem says that some representation works; that of its proof, which the half is about, does not."""
    row = RowEntry(says="the numbers are even", claim="toy/lemma-2")
    theorem = replace(find_claim("toy/theorem-3"), rows=(row,), exists="representation")
    listed = literal.run.results["toy/theorem-3"]
    stated = [replace(r, outcome=replace(r.outcome, verdict=own)) if r.edition is Edition.STATEMENT else r for r in listed]
    other = Judged(facts.paper, replace(literal.run, results={**literal.run.results, "toy/theorem-3": stated}))
    found = standing(other, theorem)
    assert [answer.text for answer in found.questions[0].answers] == ["false for p = 2..4 (counterexample)"]
    assert found.status == status


@pytest.mark.parametrize(
    ("kind", "status", "text"),
    [
        ("broken", "false", "false for p = 2..4 (counterexample)"),
        ("misprint", "true", "true for p = 2..4 (all inputs), after 1 small correction"),
    ],
)
def test_a_misprint_condemns_no_result(literal: Judged, kind: str, status: str, text: str) -> None:
    source = Known(literal.paper, literal.run)
    changed = [replace(f, entry=structs.replace(f.entry, kind=kind)) for f in source.findings if f.entry.id == "least"]
    source.__dict__["findings"] = tuple(changed)
    found = standing(source, find_claim("toy/lemma-2"))
    assert (found.status, [answer.text for answer in found.questions[0].answers]) == (status, [text])


def test_every_shipped_paper_has_a_letter_and_main_results() -> None:
    for paper in (p for p in papers() if p.id != "toy"):
        made = read_letter(paper)
        assert made is not None, paper.id
        names = {claim.name for claim in paper}
        asked = [a for s in (*made.holds, *made.fails, *made.repaired, *made.open) for a in (*s.needs, *SLOT.findall(s.says))]
        named = {word for a in asked for word in a.split() if "-" in word}
        assert named <= names, paper.id
        assert main_claims(paper)
        assert {row.claim for claim in main_claims(paper) for row in claim.rows} <= {claim.id for claim in paper}


ORDERS = ("A X is formed first", "token by token", "token order", "both orders")
"""Words of a sentence that name the order of evaluation that it is about."""


@pytest.mark.parametrize("name", [p.id for p in papers() if len(p.readings) > 1])
def test_a_sentence_on_rounded_results_names_its_order(name: str) -> None:
    """What holds in one order of evaluation may be open in the other: a sentence asks both, or says which one it is about."""
    paper = next(each for each in papers() if each.id == name)
    made, claims = read_letter(paper), {claim.name: claim for claim in paper}
    assert made is not None
    first, *others = paper.readings
    checked = 0
    for sentence in (*made.holds, *made.fails, *made.repaired, *made.open):
        asked = set()
        for words in map(str.split, (*sentence.needs, *SLOT.findall(sentence.says))):
            if words[-1] not in ("printed", "repaired"):
                reading = words[-1] if "in" in words else first
                asked |= {(word, reading) for word in words if word in claims and claims[word].bounded}
        for claim in {claim for claim, _ in asked}:
            checked += 1
            whole = {(claim, reading) for reading in (first, *others)} <= asked
            assert whole or any(order in sentence.says for order in ORDERS), (claim, sentence.says)
    assert checked


@pytest.mark.parametrize(
    ("kind", "about", "example", "tells"),
    [
        ("wrong", "lemma-2", "At p = {p} it fails.", True),
        ("slip", "lemma-2", "At p = {p} it fails.", False),
        ("wrong", "lemma-1", "At p = {p} it fails.", False),
        ("wrong", "lemma-2", "At q = {q} it fails.", False),
        ("wrong", "lemma-2", "", False),
    ],
)
def test_a_serious_finding_about_a_claim_tells_its_counterexample(
    literal: Judged, kind: str, about: str, example: str, tells: bool
) -> None:
    (question,) = standing(literal, find_claim("toy/lemma-2")).questions
    entry = structs.replace(literal.findings[0].entry, kind=kind, about=[about], shown="", example=example)
    said = smallest(replace(question, example=""), [replace(literal.findings[0], entry=entry)])
    assert ("At p = 2 it fails." in said) is tells
    assert said


def test_what_a_kernel_proves_is_not_open() -> None:
    paper = the_paper("fixed-point-networks")
    claim = paper.statement("theorem-6")
    point = {"p": 2, "s": 1, "d": 1}
    open_ = Result(claim.id, Edition.STATEMENT, point, None, Outcome(Verdict.OPEN, Scope("x"), reason="a sample"))
    source = Known(paper, Run({claim.id: [open_]}, {}))
    assert standing(source, claim).status == "true"
    assert standing(source, replace(claim, proofs=())).status == "open"


def ranges() -> Iterator[tuple[Claim, Edition, str]]:
    """Of each letter the claims for which a slot prints parameters at which they are true, with edition and reading."""
    for paper in papers():
        made = read_letter(paper)
        claims = {claim.name: claim for claim in paper}
        for sentence in (*made.holds, *made.fails, *made.repaired, *made.open) if made is not None else ():
            for slot in SLOT.findall(sentence.says):
                words = [word for word in slot.split() if word not in ("first", "last", "only")]
                if words[0] == "true":
                    reading = words[-1] if words[-2:-1] == ["in"] else "a4"
                    edition = Edition(words[2]) if words[2:3] not in ([], ["in"]) else Edition.STATEMENT
                    yield claims[words[1]], edition, reading


@pytest.mark.long("lemma-2.5-STATEMENT-narrative", "lemma-c.8:table-8-REPAIRED-a4")
@pytest.mark.parametrize(("claim", "edition", "reading"), list(ranges()), ids=lambda value: getattr(value, "name", str(value)))
def test_no_letter_has_a_range_for_what_is_decided_for_every_parameter(claim: Claim, edition: Edition, reading: str) -> None:
    point = {p.name: ALL for p in claim.parameters}
    found, _ = Session().outcome(claim, edition, point, read_semantics(reading))
    assert found.verdict is not Verdict.VERIFIED, "say that it is true for every parameter, and ask `proved` of it"


PLAIN = [
    program
    for paper in papers()
    if (made := read_letter(paper)) is not None
    for sentence in made.check
    for program in re.findall(r'`python3 -c "([^`]*)"`', sentence.says)
]


@pytest.mark.parametrize("program", PLAIN)
def test_plain_python_of_a_letter_prints_true_and_depends_on_its_numbers(program: str) -> None:
    def printed(source: str) -> str:
        return subprocess.run([sys.executable, "-I", "-c", source], capture_output=True, text=True, check=True).stdout

    assert printed(program) == "True\n"
    assert printed(program.replace("-3", "3")) == "False\n"
