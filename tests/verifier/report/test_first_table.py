"""The first table of verdicts says what the baseline said: nothing is lost."""

import json
from pathlib import Path

from verifier.claims.catalogue import catalogue
from verifier.report.rows import full_points, rows
from verifier.report.verdict_table import read_table
from verifier.verdicts import Edition, Finding, Result, Scope, Verdict

ENTRIES = json.loads(Path("reports/baseline.json").read_text(encoding="utf-8"))["entries"]


def result(key, entry):
    claim, *point, semantics, edition = key.split(" ")
    names = {p.name: p.names for p in catalogue()[claim].parameters}
    pairs = [pair.split("=") for pair in point]
    parameters = catalogue()[claim].complete({k: names[k].index(v) if v in names[k] else int(v) for k, v in pairs})
    assert [f"{k}={v}" for k, v in parameters.items()] == point
    scope = Scope(entry["scope"], None if entry["cases"] is None else int(entry["cases"]), "-")
    finding = Finding(Verdict(entry["verdict"]), scope, assumptions=tuple(entry["assumptions"]), reason="-", parts=("-",))
    return Result(claim, Edition(edition), parameters, None if semantics == "-" else semantics, finding)


RESULTS = [result(key, entry) for key, entry in ENTRIES.items()]


def test_the_table_is_that_of_the_baseline():
    assert read_table(Path("reports/verdicts.tsv")) == list(rows(RESULTS, catalogue()))


def test_every_entry_is_in_the_table():
    found, cases = {}, {}
    for row in read_table(Path("reports/verdicts.tsv")):
        claim = catalogue()[row.claim]
        for point in full_points(row, claim):
            for i, edition in enumerate(Edition):
                key = " ".join([row.claim, *(f"{k}={v}" for k, v in point.items()), row.semantics, edition.value])
                assert key not in found
                found[key] = (row.verdicts[i].value, list(row.assumptions[i]))
                cases.setdefault((row, i), []).append(key)
        entries = [
            [ENTRIES[" ".join([row.claim, *(f"{k}={v}" for k, v in p.items()), row.semantics, e.value])] for e in Edition]
            for p in full_points(row, claim)
        ]
        assert all(e["verdict"] for point in entries for e in point)
    assert found == {key: (e["verdict"], e["assumptions"]) for key, e in ENTRIES.items()}
    for (row, i), keys in cases.items():
        counts = [int(ENTRIES[key]["cases"]) for key in keys if ENTRIES[key]["cases"] is not None]
        assert row.cases[i] == (sum(counts) if counts else None)
