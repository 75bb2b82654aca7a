"""Each verdict in each document: none is shown as another one, and what it rests on and how it is replayed stand beside it."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from verifier.claims.verdicts import Edition, Outcome, Result, Scope, Verdict
from verifier.commands.options import rendered
from verifier.show.places import Document
from verifier.show.screen import details, show_results
from verifier.show.verdict_words import spelled

FIELDS: dict[Verdict, dict[str, object]] = {
    Verdict.VERIFIED: {},
    Verdict.REFUTED: {"reason": "a pair fails", "counterexample": {"y": "01"}, "replay": ("trace", "lemma-1", "--y", "0 1")},
    Verdict.CONDITIONAL: {"assumptions": ("exact-entries", "ideal-ln2")},
    Verdict.OPEN: {"reason": "nothing decides it"},
    Verdict.DECLINED: {"reason": "over a limit"},
}
JUNIT = {Verdict.VERIFIED: None, Verdict.REFUTED: "failure"}
SARIF = {Verdict.VERIFIED: [], Verdict.REFUTED: [("fail", "error")]}
"""Kind and level; a verified claim is no entry."""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("refuted: lemma-2.6", "Lemma 2.6 fails"),
        ("refuted: lemma-2.6, table-1:product-exact", "Lemma 2.6 and Table 1, step product-exact fail"),
        ("open: definition-e.1", "Definition E.1 is open"),
        ("refuted: lemma-2.6; degenerate: see lemma-2.5", "Lemma 2.6 fails; degenerate: see Lemma 2.5"),
        ("its parts: section-b:energy, section-b:x", "its parts: Section B, step energy; Section B, step x"),
        ("2 bits suffice: see theorem-2.4.", "2 bits suffice: see Theorem 2.4."),
        ("a table-top and every-bit-counts/lemma-2.5", "a table-top and every-bit-counts/lemma-2.5"),
    ],
)
def test_a_reason_names_claims_by_their_titles(text: str, shown: str) -> None:
    assert spelled(text) == shown


def result(verdict: Verdict) -> Result:
    outcome = Outcome(verdict, Scope("all 3 pairs", 3, "enumeration"), **FIELDS[verdict])  # type: ignore[arg-type]
    return Result("toy/lemma-1", Edition.PRINTED, {"p": 2}, "a4", outcome)


def rests_on(verdict: Verdict) -> list[str]:
    """Pieces of text without which a reader is misled."""
    fields = FIELDS[verdict]
    replay = ["verify trace lemma-1 --y '0 1'"] if "replay" in fields else []
    return [*replay, *fields.get("assumptions", ()), *([str(fields["reason"])] if "reason" in fields else [])]  # type: ignore[misc]


@pytest.mark.parametrize("verdict", Verdict, ids=lambda v: v.value)
def test_junit(verdict: Verdict) -> None:
    text = rendered(Document([result(verdict)]), "junit")
    assert text is not None
    (case,) = ElementTree.fromstring(text).findall(".//testcase")
    kind = JUNIT.get(verdict, "skipped")
    assert [child.tag for child in case] == ([kind] if kind else [])
    for child in case:
        assert child.get("type") == verdict.value
        assert all(words in (child.get("message") or "") for words in rests_on(verdict))


@pytest.mark.parametrize("verdict", Verdict, ids=lambda v: v.value)
def test_sarif(verdict: Verdict) -> None:
    listed = json.loads(rendered(Document([result(verdict)]), "sarif"))["runs"][0]["results"]
    assert [(found["kind"], found["level"]) for found in listed] == SARIF.get(verdict, [("open", "none")])
    for found in listed:
        assert found["properties"]["verdict"] == verdict.value
        assert all(words in found["message"]["text"] for words in [verdict.value, *rests_on(verdict)])


@pytest.mark.parametrize("verdict", Verdict, ids=lambda v: v.value)
def test_json(verdict: Verdict) -> None:
    (found,) = json.loads(rendered(Document([result(verdict)]), "json"))["results"]
    fields = FIELDS[verdict]
    assert (found["verdict"], found["assumptions"], found["reason"]) == (
        verdict.value,
        list(fields.get("assumptions", ())),  # type: ignore[call-overload]
        fields.get("reason"),
    )
    assert found["replay"] == result(verdict).replay


@pytest.mark.parametrize("form", ["screen", "markdown"])
@pytest.mark.parametrize("verdict", Verdict, ids=lambda v: v.value)
def test_text(verdict: Verdict, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = rendered(Document([result(verdict)]), form)
    if text is None:
        show_results([result(verdict)])
        text = capsys.readouterr().out
    assert [v.value for v in Verdict if v.value in text] == [verdict.value]
    assert all(words in text for words in rests_on(verdict))


@pytest.mark.parametrize(
    ("claim", "edition", "d", "verdict", "named"),
    [
        (
            "lemma-i.2",
            Edition.PRINTED,
            8,
            Verdict.REFUTED,
            ["Small steps lower the loss", "Some data sets with a positive definite kernel"],
        ),
        ("lemma-i.2", Edition.PRINTED, 3, Verdict.REFUTED, ["Some data sets with a positive definite kernel"]),
        ("lemma-i.2", Edition.REPAIRED, 8, Verdict.REFUTED, []),
        ("lemma-i.2", Edition.PRINTED, 8, Verdict.OPEN, []),
        ("lemma-i.4", Edition.PRINTED, 8, Verdict.REFUTED, []),
    ],
)
def test_a_refuted_claim_names_the_findings_that_speak_of_its_parameters(
    claim: str, edition: Edition, d: int, verdict: Verdict, named: list[str]
) -> None:
    outcome = Outcome(verdict, Scope("x"), reason="it is so")
    told = [line for line in details(Result(f"one-bit-scaling/{claim}", edition, {"d": d}, None, outcome)) if line != outcome.reason]
    assert len(told) == len(named)
    assert all(any(line.startswith(f"finding: {title}") for line in told) for title in named)
