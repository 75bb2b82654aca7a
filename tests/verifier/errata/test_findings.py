"""Findings: what follows is computed with its errata alone, every refutation has one, a class that is not borne out is refused."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from shlex import quote
from typing import Any

import jsonschema
import msgspec
import pytest

from tests.command_line import CommandLine
from tests.papers_of_tests import FOLDER, run_paper, shelved, the_paper
from verifier.claims.model import DEFAULT_SEMANTICS
from verifier.claims.papers import Paper, find_claim, papers
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Result, Scope, Verdict
from verifier.errata.by_name import Only, named_errata, touched
from verifier.errata.findings import findings
from verifier.errata.listings import Consequences, Listing, consequences, failures, faults, listings
from verifier.show.corrections import correction_rows
from verifier.show.documents import counted

LEAST = """[[finding]]
id = "least"
class = "broken"
place = "proof of Lemma 2"
title = "The least of them is 2"
about = ["lemma-2:first"]
errata = ["lemma-2:first"]
"""
COUNT = """[[finding]]
id = "count"
class = "slip"
place = "proof of Lemma 1"
title = "Each pair is counted twice"
about = ["lemma-1:count"]
errata = ["lemma-1:count"]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A copy of the toy paper, at hand, with findings of the test's own."""
    shutil.copytree(FOLDER, tmp_path / "toy")
    with shelved(tmp_path / "toy"):
        yield tmp_path / "toy"


def toy() -> Paper:
    return the_paper("toy")


def test_what_follows_is_what_its_errata_alone_mend_and_what_is_built_of_it() -> None:
    with shelved():
        run = run_paper(toy())
        found = {m.entry.id: run.follows[m.id] for m in findings(toy())}
    assert found["least"] == Consequences(("toy/lemma-2", "toy/lemma-2:first", "toy/theorem-3"))
    assert found["pairs-twice"] == Consequences(("toy/lemma-1:count",))


@pytest.mark.parametrize(
    ("follows", "errata", "said"),
    [
        (Consequences(("a", "b"), ("c",), ("d",)), True, "This correction mends 3 claims, and 1 claim together with others."),
        (Consequences(anyway=("a", "b")), True, "This correction mends 2 claims together with others."),
        (Consequences(fails=("a",), outside=("b",)), True, "This correction mends 1 claim."),
        (Consequences(fails=("a",), anyway=("b",)), False, "This mistake refutes 1 claim, and 1 claim together with others."),
        (Consequences(), True, "Nothing else fails because of this."),
    ],
)
def test_what_follows_is_counted_in_a_sentence(follows: Consequences, errata: bool, said: str) -> None:
    with shelved():
        finding = next(each for each in findings(toy()) if each.entry.id == "least")
        entry = finding.entry if errata else msgspec.structs.replace(finding.entry, errata=[])
        assert counted(Listing(replace(finding, entry=entry), follows, None, {})) == said


@pytest.mark.parametrize(("meant", "shown"), [("p >= 2", "2"), ("p >= 3", "3"), ("p >= 9", "2")])
def test_the_counterexample_is_one_where_the_claim_is_meant(folder: Path, meant: str, shown: str) -> None:
    """Where the claim fails at no such point, the smallest of all."""
    path = folder / "statements" / "lemma-2.toml"
    path.write_text(path.read_text().replace('where = "p >= 2"\n', f'where = "p >= 2"\nmeant = "{meant}"\n'))
    (folder / "findings.toml").write_text(LEAST)
    run = run_paper(toy())
    (found,) = listings(toy(), run.results, run.follows)
    assert found.counterexample is not None
    assert found.counterexample["p"] == shown


def test_the_most_serious_come_first_and_each_class_keeps_the_order_of_the_file(folder: Path) -> None:
    serious = ["false", "broken", "wrong", "slip", "edge", "misprint"]
    entries = [(kind, number) for number in (1, 2) for kind in reversed(serious)]
    text = (LEAST.replace('"broken"', f'"{kind}"\nwhere = "p > 0"').replace('"least"', f'"{kind}-{number}"') for kind, number in entries)
    (folder / "findings.toml").write_text("".join(text))
    assert [found.entry.id for found in findings(toy())] == [f"{kind}-{number}" for kind in serious for number in (1, 2)]


NAMED = [
    ("what fails there", {"counterexample": {"j": "5", "left": "1"}, "reason": "no"}, {"p": "2", "j": "5", "left": "1"}),
    ("else the reason", {"reason": "no"}, {"p": "2", "fails": "no"}),
]


@pytest.mark.parametrize(("outcome", "shown"), [row[1:] for row in NAMED], ids=[row[0] for row in NAMED])
def test_a_counterexample_names_the_parameters_and_then_what_fails(outcome: dict[str, Any], shown: dict[str, str]) -> None:
    with shelved():
        finding = findings(toy())[0]
    refuted = Result("toy/lemma-2", Edition.STATEMENT, {"p": 2}, None, Outcome(Verdict.REFUTED, Scope("all"), **outcome))
    found = Listing(finding, Consequences(()), refuted, {}).counterexample
    assert list((found or {}).items()) == list(shown.items())
    assert Listing(finding, Consequences(()), None, {}).counterexample is None


def test_a_slot_of_an_example_is_checked_before_it_is_shown(folder: Path, verify: CommandLine) -> None:
    (folder / "findings.toml").write_text(f"{COUNT}example = 'at n = {{lefft}}'\n", encoding="utf-8")
    done = verify(f"--papers {quote(str(folder))} --trust findings toy")
    assert done.status == 2
    assert "findings.toml:8: finding count: no value 'lefft' in its counterexample; did you mean left?" in done.err


def test_a_finding_without_the_erratum_mends_nothing(folder: Path) -> None:
    (folder / "findings.toml").write_text(LEAST.replace('errata = ["lemma-2:first"]', 'errata = ["lemma-1:count"]'))
    (finding,) = findings(toy())
    failing = failures(run_paper(toy()).results)
    assert "toy/lemma-2:first" in consequences(toy(), finding, failing).anyway


@pytest.mark.parametrize(("holds", "said"), [("p == 3", ""), ("p == 0", "toy/lemma-1:ours: a result of ours, and refuted at every point")])
def test_a_result_of_ours_that_holds_nowhere_is_ours_to_mend(folder: Path, verify: CommandLine, holds: str, said: str) -> None:
    (folder / "findings.toml").write_text(LEAST + COUNT)
    with (folder / "statements" / "lemma-1.toml").open("a") as file:
        file.write(f'[[step]]\nid = "ours"\nplace = "-"\nsays = "What we say."\nours = true\nrole = "aside"\nholds = "{holds}"\n')
    done = verify("findings toy")
    assert (done.status, said in done.out) == (1 if said else 0, True)


def test_one_erratum_of_a_table_without_the_others() -> None:
    claim = find_claim("lemma-2.6:numerator-after-step-2")
    for names, verdict in ((["table-6/step-1-key"], Verdict.VERIFIED), (["table-6/step-11-key"], Verdict.REFUTED), ([], Verdict.REFUTED)):
        session = Session(only=Only(frozenset(names)))
        assert session.outcome(claim, Edition.REPAIRED, {"p": 8}, DEFAULT_SEMANTICS)[0].verdict is verdict


def test_errata_have_names_of_their_place() -> None:
    paper = the_paper("every-bit-counts")
    every = named_errata(paper)
    assert every["table-6/step-1-key"].repaired == "-(h - 2)"
    assert every["table-6/domain"].printed == "every value in the domain"
    assert every["lemma-2.6:mlp-target"].printed == "mlp_looks_for(6, p) == 1/2"
    assert {"lemma-c.5:case-1-after-step-6#1", "lemma-c.5:case-1-after-step-6#2"} <= every.keys()


@pytest.mark.parametrize("paper", papers(), ids=lambda paper: paper.id)
def test_the_papers_of_ours_name_no_verdict_and_few_serious_findings(paper: Paper) -> None:
    listed = findings(paper)
    assert 0 < sum(1 for m in listed if m.kind in ("false", "broken", "wrong")) <= 24
    assert len({m.entry.title for m in listed}) == len(listed)
    for finding in listed:
        assert len(finding.entry.title) <= 78
        assert not {"verified", "refuted", "declined"} & set(finding.entry.says.split())


@pytest.mark.campaign
def test_the_document_is_as_the_schema_has_it(verify: CommandLine) -> None:
    schema = json.loads((files("verifier.show") / "findings-1.schema.json").read_text(encoding="utf-8"))
    with shelved():
        document = verify("findings toy --format json").document
        text = verify("findings toy").out
        full = verify("findings toy/least").out
    jsonschema.validate(document, schema)
    assert [f["id"] for f in document["findings"]] == ["toy/least", "toy/pairs-twice"]
    assert document["findings"][0]["fails"] == ["toy/lemma-2", "toy/lemma-2:first", "toy/theorem-3"]
    assert max(map(len, text.splitlines())) <= 84
    assert f"replay    verify --papers {quote(str(FOLDER))} --trust toy/lemma-2:first --p 2 --edition printed" in full


def without_an_extra(results: dict[str, list[Result]], claim: str) -> dict[str, list[Result]]:
    """The results where the last of the claim's points was declined for want of an extra."""
    *others, last = results[claim]
    outcome = Outcome(Verdict.DECLINED, last.outcome.scope, needs=("search",), out_of_reach=True)
    return {**results, claim: [*others, replace(last, outcome=outcome)]}


def test_what_lacks_an_extra_is_not_compared(folder: Path) -> None:
    (folder / "findings.toml").unlink()
    run = run_paper(toy())
    bare = faults(toy(), (), run.results)
    assert any(line.startswith("toy/lemma-2:first: refuted") for line in bare)
    lacking = faults(toy(), (), without_an_extra(dict(run.results), "toy/lemma-2:first"))  # type: ignore[arg-type]
    assert lacking == [line for line in bare if not line.startswith("toy/lemma-2:first")]


def test_a_finding_concerns_the_claims_that_it_is_about_or_whose_errata_it_has() -> None:
    paper = the_paper("every-bit-counts")
    listed = findings(paper)
    for claim in list(paper)[::5]:
        mine = {f.id for f in listed if f.concerns({claim.id}, named_errata([claim]))}
        assert mine == {f.id for f in listed if claim in f.about or touched(claim, frozenset(f.errata))}


@pytest.mark.parametrize("name", [p.id for p in papers() if p.id != "toy"])
def test_each_correction_says_what_it_replaces(name: str) -> None:
    paper = next(each for each in papers() if each.id == name)
    for finding in findings(paper):
        rows = correction_rows(paper, finding)
        assert all(row.where and row.read and row.instead for row in rows), finding.id
        printed = finding.entry.printed
        assert not printed or printed in {row.instead for row in rows}, finding.id
