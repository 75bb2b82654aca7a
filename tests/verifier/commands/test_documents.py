"""The documents: JSON against its schema, JUnit, SARIF, Markdown; replays that work."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest

from tests.command_line import CommandLine

SCHEMA = json.loads((files("verifier.show") / "run-1.schema.json").read_text(encoding="utf-8"))

RUNS = [
    "theorem-2.4 --p 5",
    "theorem-2.1 --p 1",
    "lemma-2.6 --p 7..8",
    "lemma-2.6 --p 8 --semantics all",
    "lemma-2.2 lemma-2.3 --p 8",
    "example-a.9",
    "section-2:query-dimension",
    "lemma-2.6:mlp --p 8",
    "lemma-2.3:denominator-no --p 8",
    "theorem-2.4 --p 0",
]


@pytest.mark.long("lemma-2.2 lemma-2.3 --p 8", "lemma-2.6 --p 7..8", "lemma-2.6 --p 8 --semantics all")
@pytest.mark.parametrize("words", RUNS)
def test_json_keeps_its_schema_and_every_refutation_replays(verify: CommandLine, words: str) -> None:
    document = verify(words, "--format json").document
    jsonschema.validate(document, SCHEMA)
    assert document["results"]
    for result in document["results"]:
        assert (result["replay"] is not None) == (result["verdict"] == "refuted")
        if result["replay"]:
            program, *rest = result["replay"].split()
            done = verify(*rest)
            assert program == "verify"
            shown_only = {"found", "transformer"} & set(result["counterexample"] or {}) or result["parts"]
            assert done.status in ((0, 1, 3) if shown_only else (1,)), result["replay"]
            assert done.out.strip()
            if result["counterexample"] and "output" in result["counterexample"]:
                assert result["counterexample"]["output"] in done.out
            if result["counterexample"] and "found" in result["counterexample"]:
                assert result["counterexample"]["found"] in done.out


def test_schema_refuses_a_neighbour(verify: CommandLine) -> None:
    document = verify("definition-a.5 --m 3 --format json").document
    document["results"][0]["verdict"] = "plausible"
    with pytest.raises(jsonschema.ValidationError, match="plausible"):
        jsonschema.validate(document, SCHEMA)


def test_quantities_are_exact_strings(verify: CommandLine) -> None:
    document = verify("lemma-2.6 --p 11 --edition repaired --format json").document
    (result,) = document["results"]
    m = 21
    assert result["scope"]["cases"] == str(2 ** (m - 1) * (2**m + 1))
    assert result["parameters"] == {"p": "11", "n": "46"}
    assert result["failures"] == "0"


def test_parts_follow_their_whole(verify: CommandLine) -> None:
    results = verify("theorem-1.1 --p 5 --format json").document["results"]
    order = list(dict.fromkeys(r["claim"].partition("/")[2] for r in results))
    assert order == ["theorem-1.1", "theorem-2.4", "lemma-2.5", "lemma-2.6"]
    assert results[0]["parts"] == ["every-bit-counts/theorem-2.4"]


def test_output_goes_to_a_file(verify: CommandLine, tmp_path: Path) -> None:
    target = tmp_path / "deep" / "run.json"
    assert verify("definition-a.5 --m 3 --format json --output", str(target)).status == 2, "no folder is made"
    assert not target.parent.exists()
    target.parent.mkdir()
    done = verify("definition-a.5 --m 3 --format json --output", str(target))
    assert done.status == 0
    assert not done.out
    jsonschema.validate(json.loads(target.read_text(encoding="utf-8")), SCHEMA)
    assert list(target.parent.iterdir()) == [target], "no half-written file is left"


def test_junit_counts_verdicts(verify: CommandLine) -> None:
    root = ElementTree.fromstring(verify("lemma-2.6 definition-a.5 --p 8 --format junit").out)
    cases = root.findall(".//testcase")
    by_verdict = {kind: [c for c in cases if c.find(kind) is not None] for kind in ("failure", "skipped")}
    assert len(cases) > 3
    assert [c.get("name") for c in by_verdict["failure"]] == ["printed p = 8, n = 34"]
    assert not by_verdict["skipped"]
    assert {(Path(c.get("file", "")).name, c.get("line")) for c in cases} >= {("lemma-2.6.toml", "3")}


def test_markdown_has_a_row_for_each_result(verify: CommandLine) -> None:
    text = verify("lemma-2.6 --p 8 --format markdown").out
    assert text.count("\n| every-bit-counts/lemma-2.6 |") == 3
    assert "| refuted |" in text


@pytest.mark.campaign
def test_editions_that_agree_share_a_line(verify: CommandLine) -> None:
    assert "\n  every edition  verified " in verify("condition-a3", "--p 2 --s 1 --editions").out
    shown = verify("lemma-2.6 --p 7 --editions").out
    assert ("\n  statement, repaired  verified " in shown, "\n  printed              refuted " in shown) == (True, True)


@pytest.mark.campaign
def test_a_table_of_readings_has_only_those_that_touch_the_format(verify: CommandLine) -> None:
    floating = verify("lemma-c.5 --t 4 --e 4 --edition printed --semantics all").out
    fixed = verify("lemma-2.6 --p 5 --edition printed --semantics all").out
    assert "a4+underflow=flush" in floating
    assert "a4+point=grid" not in floating
    assert "a4+point=grid" in fixed
    assert "a4+underflow" not in fixed
