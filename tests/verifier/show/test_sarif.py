"""SARIF that code-scanning views accept: the official schema (OASIS, as SchemaStore publishes it), lines of files, rules of their own."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from importlib import metadata
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.command_line import CommandLine
from tests.tables import FOLDER
from tests.test_sessions import SARIF
from verifier.show.places import Document
from verifier.show.sarif import as_sarif

ROOT = Path(__file__).parents[3]
GOOD = (ROOT / "tests" / "good.toml").read_text(encoding="utf-8")
TABLE_6 = (FOLDER / "table-6.toml").read_text(encoding="utf-8")


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of two tables with one id, the working directory."""
    monkeypatch.chdir(tmp_path)
    for name in ("a b", "a-b"):
        (tmp_path / f"{name}.toml").write_text(TABLE_6, encoding="utf-8")
    return tmp_path


def results(document: Any) -> list[Any]:
    SARIF.validate(document)
    (run,) = document["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(set(rules)) == len(rules)
    assert {r["ruleId"] for r in run["results"]} <= set(rules)
    return list(run["results"])


def place(result: Any) -> tuple[str, int]:
    (location,) = result["locations"]
    physical = location["physicalLocation"]
    return physical["artifactLocation"]["uri"], physical["region"]["startLine"]


def test_what_is_not_verified_is_at_its_claims_line(verify: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    document = verify("lemma-2.6 lemma-2.6:table-6 definition-a.5 --p 7 --m 3 --format sarif").document
    found = results(document)
    assert {(r["properties"]["edition"], r["kind"], r["level"]) for r in found} == {
        ("printed", "fail", "error"),
        ("statement", "fail", "error"),
    }
    for result in found:
        path, line = place(result)
        text = (ROOT / path).read_text(encoding="utf-8").splitlines()[line - 1]
        assert text.startswith("function = " if ":" in result["properties"]["claim"] else "says = "), text
        assert "replay: verify trace" in result["message"]["text"]


def test_a_copy_of_a_file_renames_no_alert(verify: CommandLine, tables: Path) -> None:
    alone = results(verify("construction a-b.toml --p 7 --format sarif").document)
    both = results(verify("construction a-b.toml 'a b.toml' --p 7 --format sarif").document)
    assert alone[0]["partialFingerprints"] == both[0]["partialFingerprints"]


def test_cases_of_junit_have_names_of_their_own(verify: CommandLine) -> None:
    """Under every reading, and for the lengths of a network that the limit leaves undecided."""
    for words in ("docs/examples/parity.toml --m 3 --semantics all", "gallery/parity --n 1..9 --limit 20000"):
        root = ElementTree.fromstring(verify(f"construction {words} --format junit").out)
        names = [(case.get("classname"), case.get("name")) for case in root.iter("testcase")]
        assert len(names) > 2
        assert len(set(names)) == len(names)


def test_a_folder_of_a_repository_changes_no_address(verify: CommandLine, tables: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Views and servers take addresses from the root of the repository, wherever in it the command runs."""
    (tables / ".git").mkdir()
    (tables / "deep er").mkdir()
    (tables / "deep er" / "mine.toml").write_text(TABLE_6, encoding="utf-8")
    (tables / "deep er" / "bad.toml").write_text(TABLE_6.replace("[[row]]", "[[rwo]]", 1), encoding="utf-8")
    sarif = results(verify("construction 'deep er/mine.toml' 'deep er/bad.toml' a-b.toml --p 7 --format sarif").document)
    assert {place(r)[0] for r in sarif} == {"deep%20er/mine.toml", "deep%20er/bad.toml", "a-b.toml"}
    monkeypatch.chdir(tables / "deep er")
    again = verify("construction mine.toml bad.toml ../a-b.toml --p 7 --format sarif").document
    assert [(place(r), r["partialFingerprints"]) for r in results(again)] == [(place(r), r["partialFingerprints"]) for r in sarif]
    (invocation,) = again["runs"][0]["invocations"]
    noticed = [notice["locations"][0]["physicalLocation"] for notice in invocation["toolExecutionNotifications"]]
    assert [each["artifactLocation"]["uri"] for each in noticed] == ["deep%20er/bad.toml"] * len(noticed)
    junit = verify("construction mine.toml bad.toml ../a-b.toml --p 7 --format junit").out
    suites = {suite.get("name") for suite in ElementTree.fromstring(junit).iter("testsuite")}
    assert suites == {"deep er/mine.toml", "deep er/bad.toml", "a-b.toml"}


def test_points_of_one_rule_at_one_line_are_one_alert_that_names_them(verify: CommandLine, tables: Path) -> None:
    (found,) = results(verify("construction a-b.toml --p 7..8 --format sarif").document)
    assert "p = 7, n = 30: refuted" in found["message"]["text"]
    assert (
        "the same at p = 8, n = 34; no one-symbol repair is known; `verify repair a-b.toml` searches further; replay"
        in found["message"]["text"]
    )
    (alone,) = results(verify("construction a-b.toml --p 7 --format sarif").document)
    assert alone["partialFingerprints"] == found["partialFingerprints"]
    assert "the same at" not in alone["message"]["text"]


def test_an_alert_at_a_repair_names_no_other_line(verify: CommandLine, tables: Path) -> None:
    """The missing row is noticed at the row before it, and the repair edits the row behind it."""
    text = (FOLDER / "witness-t0-simple.toml").read_text(encoding="utf-8")
    Path("mine.toml").write_text(text.replace('"[p : m]"', '"[p + 1 : m]"'), encoding="utf-8")
    done = verify("construction mine.toml --p 3 --format sarif")
    (alert,) = results(done.document)
    assert "ill-formed: table: no row for token" in alert["message"]["text"]
    assert "line " not in alert["message"]["text"]
    assert place(alert)[1] == alert["fixes"][0]["artifactChanges"][0]["replacements"][0]["deletedRegion"]["startLine"]


def test_a_file_elsewhere_has_its_whole_path(verify: CommandLine, tables: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tables / "deep").mkdir()
    monkeypatch.chdir(tables / "deep")
    (result,) = results(verify("construction ../a-b.toml --p 7 --format sarif").document)
    assert place(result)[0] == (tables / "a-b.toml").as_uri()


def test_the_schema_refuses_a_neighbour(verify: CommandLine, tables: Path) -> None:
    document = verify("construction a-b.toml --p 7 --format sarif").document
    document["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    with pytest.raises(jsonschema.ValidationError):
        results(document)


ADDRESSES = [
    (None, None),
    ([], None),
    (["Changelog, https://example.org/changes"], None),
    (["Documentation, docs/index.md"], None),
    (["Documentation, https://example.org/docs/"], "https://example.org/docs/your-own-ci/"),
]


@pytest.mark.parametrize(("entries", "uri"), ADDRESSES)
def test_rules_have_a_help_address_if_the_project_has_one(
    entries: list[str] | None, uri: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SARIF allows absolute addresses only."""
    monkeypatch.setattr(metadata, "metadata", lambda _: Entries(entries))
    document = json.loads(as_sarif(Document([])))
    SARIF.validate(document)
    (run,) = document["runs"]
    assert {rule.get("helpUri") for rule in run["tool"]["driver"]["rules"]} == {uri}


class Entries:
    """The metadata of a package, of which one field is asked for."""

    def __init__(self, entries: list[str] | None) -> None:
        self.entries = entries

    def get_all(self, name: str) -> list[str] | None:
        assert name == "Project-URL"
        return self.entries
