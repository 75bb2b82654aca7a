"""The documents: JSON against its schema, JUnit, SARIF, Markdown; replays that work."""

from __future__ import annotations

import json
from importlib.resources import files

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


@pytest.mark.long("theorem-2.4 --p 5", "lemma-2.2 lemma-2.3 --p 8", "lemma-2.6 --p 7..8", "lemma-2.6 --p 8 --semantics all")
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
