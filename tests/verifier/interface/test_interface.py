"""``from verifier import …``: what Python gets is what the command line prints; what is not exact is refused in one line."""

from __future__ import annotations

import dataclasses
import json
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

import bitreferee
from bitreferee import BitrefereeError, Construction, LimitError, claims, convert, findings, judge, load, precision, repair, standing, trace
from tests import papers_of_tests as toy
from tests.command_line import CommandLine
from tests.rows import tables
from tests.tables import FOLDER
from verifier.commands import trace as tracing
from verifier.commands.progress import Progress
from verifier.running.errors import InputError, MissingExtraError
from verifier.running.results import Store

ROOT = Path(__file__).parents[3]
SCHEMA = json.loads((ROOT / "verifier" / "show" / "trace-1.schema.json").read_text(encoding="utf-8"))
WITNESS = FOLDER / "witness-t0-simple.toml"
GREATER = ROOT / "docs" / "examples" / "greater-than.toml"
TABLE_6 = "lemma-2.6:table-6"
Y = "1" + "0" * 14


def without_seconds(document: Any) -> Any:
    return {**document, "results": [{**r, "seconds": ""} for r in document["results"]]}


def test_importing_it_imports_nothing() -> None:
    program = (
        "import sys, verifier; print(sorted({m.partition('.')[0] for m in sys.modules} & {'numpy', 'sympy', 'flint', 'click', 'rich'}))"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "[]\n"


BEGIN = f"""
from pathlib import Path
from bitreferee import findings, judge
from verifier.claims.papers import add_papers
add_papers(Path({str(ROOT / "tests" / "papers" / "toy")!r}))
"""
JUDGED = "print([(r.claim, r.edition, r.verdict) for r in judge('toy')])"
LATER = "import verifier.commands.judge as module; module._paper = None  # nothing is judged again"


def test_python_keeps_the_run_of_a_paper_and_judges_from_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BITREFEREE_CACHE", str(tmp_path))
    said = [
        subprocess.run([sys.executable, "-c", "\n".join([BEGIN, *lines])], capture_output=True, text=True, check=True).stdout
        for lines in ([JUDGED], ["findings('toy').rows()"], [LATER, JUDGED])
    ]
    assert said[0] == said[2]
    assert said[0].count("toy/") >= 3
    assert [path.name for path in tmp_path.iterdir()] == ["results.sqlite"]


STANDS = "from bitreferee import standing; print(standing('toy/lemma-1').to_dict())"
AGAIN = "import verifier.gate.run as module; module._begun_judged = None  # nothing is judged again"


def test_python_keeps_the_run_of_a_claim_and_answers_from_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BITREFEREE_CACHE", str(tmp_path))
    said = [
        subprocess.run([sys.executable, "-c", "\n".join([BEGIN, *lines])], capture_output=True, text=True, check=True).stdout
        for lines in ([STANDS], [AGAIN, STANDS])
    ]
    assert said[0] == said[1]
    assert "toy/lemma-1" in said[0]


def test_the_names_are_these() -> None:
    assert set(bitreferee.__all__) <= set(dir(bitreferee))
    assert all(callable(getattr(bitreferee, name)) for name in bitreferee.__all__)
    with pytest.raises(AttributeError, match="it offers BitrefereeError, Construction, InputError, LimitError, add_papers, claims"):
        _ = bitreferee.judges_  # type: ignore[attr-defined]


@pytest.mark.long("theorem-2.4 --p 1..2")
@pytest.mark.parametrize("words", ["lemma-2.6 --p 2..3", "theorem-2.4 --p 2", "theorem-2.4 --p 1..2", "definition-a.5 --m 3"])
def test_a_judgement_is_the_command_lines(verify: CommandLine, words: str) -> None:
    claim, option, value = words.split()
    parameters: dict[str, Any] = {option[2:]: value}
    found = judge(claim, **parameters)
    done = verify(words, "--format json")
    assert without_seconds(found.to_dict()) == without_seconds(done.document)
    assert found.status == done.status
    assert [r.to_dict()["verdict"] for r in found] == [r["verdict"] for r in done.document["results"]]


def test_a_file_is_judged_as_the_command_line_does(verify: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(WITNESS.read_text(encoding="utf-8") + '\n[check]\np = "3..4"\nsemantics = "narrative"\n', encoding="utf-8")
    found = judge(load(path))
    assert without_seconds(found.to_dict()) == without_seconds(verify(f"construction {path} --format json").document)
    assert (found.verified, len(found), found[0].semantics) == (True, 2, "narrative")
    assert judge(path, p=range(3, 6), arithmetic="a4").verdicts == {"printed": "verified"}


def test_a_files_errata(verify: CommandLine, tmp_path: Path) -> None:
    """Found beside it, as when it was loaded; an edition may be asked for alone."""
    path, errata = tmp_path / "mine.toml", tmp_path / "mine.errata.toml"
    for name, written in (("table-6.toml", path), ("table-6.errata.toml", errata)):
        written.write_text((FOLDER / name).read_text(encoding="utf-8"), encoding="utf-8")
    loaded = load(path)
    assert judge(loaded, p=7).verdicts == {"printed": "refuted", "repaired": "verified"}
    done = verify(f"construction {path} --p 7 --errata {errata} --format json")
    assert without_seconds(judge(path, edition="repaired", p=7).to_dict()) == without_seconds(done.document)
    assert judge(path, edition="printed", p=7).verdicts == {"printed": "refuted"}
    for edition in ("repaired", "statement"):
        with pytest.raises(InputError, match="a file has no edition"):
            judge(WITNESS, edition=edition, p=7)
    errata.write_text(errata.read_text(encoding="utf-8").replace("[[erratum]]", "[erratum]", 1), encoding="utf-8")
    with pytest.raises(InputError, match=r"mine\.errata\.toml"):
        judge(path, p=7)
    errata.unlink()
    assert judge(path, p=7).verdicts == {"printed": "refuted"}
    with pytest.raises(InputError, match=r"mine\.errata\.toml: no such file"):
        judge(loaded, p=7)


def test_an_edition_of_a_claims_table() -> None:
    assert judge(load(TABLE_6, edition="repaired"), p=7).verdicts == {"repaired": "verified"}
    assert not trace(TABLE_6, Y, Y, p=8).correct
    assert trace(load(TABLE_6, edition="repaired"), Y, Y, p=8).correct
    assert trace(TABLE_6, Y, Y, p=8, edition="repaired") == trace(load(TABLE_6, edition="repaired"), Y, Y, p=8)
    assert not trace(load(TABLE_6, edition="repaired"), Y, Y, p=8, edition="printed").correct


def test_a_trace_is_the_command_lines(verify: CommandLine) -> None:
    words = f"trace {TABLE_6} --p 8 --y {Y} --z {Y} --semantics narrative --format json"
    found = trace(TABLE_6, Y, Y, p=8, arithmetic="narrative").to_dict()
    document = verify(words).document
    assert found == {**document, "construction": found["construction"]}
    jsonschema.validate(document, SCHEMA)


def test_a_file_is_traced_as_json(verify: CommandLine, tmp_path: Path) -> None:
    out = tmp_path / "trace.json"
    done = verify(f"trace {WITNESS} --p 3 --y 111 --z 111 --format json --output {out}")
    assert (done.status, done.out) == (0, "")
    jsonschema.validate(json.loads(out.read_text(encoding="utf-8")), SCHEMA)
    refused = verify(f"trace {WITNESS} --p 3 --y 111 --z 111 --format sarif")
    assert (refused.status, refused.out) == (2, "")


def test_a_trace_is_a_table() -> None:
    pandas = pytest.importorskip("pandas")
    found = trace(WITNESS, "111", "111", p=3)
    listed = found.to_pandas()
    assert isinstance(listed, pandas.DataFrame)
    assert list(listed["sum"]) == [step.sums[0] for step in found.found.steps]
    assert all(isinstance(x, Fraction) for column in ("weight", "sum", "denominator") for x in listed[column])


def test_without_pandas_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match=r"needs pandas: pip install 'bitreferee\[pandas\]'"):
        trace(WITNESS, "111", "111", p=3).to_pandas()


SHOWN: list[Callable[[], Any]] = [
    lambda: judge("definition-a.5", m=3),
    lambda: trace(WITNESS, "111", "110", p=3),
    lambda: load(WITNESS),
    lambda: claims("every-bit-counts", "<"),
    lambda: trace("gallery/parity", "0110"),
]


@pytest.mark.parametrize("number", range(len(SHOWN)))
def test_notebooks_show_a_table(number: int) -> None:
    shown = SHOWN[number]()
    assert ElementTree.fromstring(shown._repr_html_()).tag == "table"
    assert json.loads(json.dumps(shown.to_dict()))


def test_results_are_frozen() -> None:
    for found in (trace(WITNESS, "111", "111", p=3), judge("definition-a.5", m=3), load(WITNESS), claims()[0]):
        name = dataclasses.fields(found)[0].name  # type: ignore[arg-type]
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(found, name, None)


def test_one_of_several_points_is_named_as_an_argument() -> None:
    with pytest.raises(InputError, match=r"3 points were given; one was expected, such as p=4$"):
        trace(WITNESS, "11111", "11111", p="4..6")


def test_several_subjects_are_judged_together() -> None:
    found = judge([GREATER, load(WITNESS), "definition-a.5"], m=3, p=3)
    alone = [*judge(GREATER, m=3), *judge(load(WITNESS), p=3), *judge("definition-a.5", m=3)]
    assert [(r.claim, r.edition, r.verdict) for r in found] == [(r.claim, r.edition, r.verdict) for r in alone]
    assert found.caption().endswith(f"{len(alone)} results, {len(alone)} verified")
    assert (found.verdicts, found.status) == ({"statement": "verified", "printed": "verified", "repaired": "verified"}, 0)
    assert judge([GREATER, load(WITNESS).with_entry("row 3, one 3", 0)], m=3, p=3).verdicts["printed"] == "refuted"


def test_a_paper_has_the_worst_verdicts_of_its_statements_and_their_numbers() -> None:
    with toy.shelved():
        found = judge("toy")
    assert found.verdicts["printed"] == "refuted"
    assert found.caption().startswith(f"toy: {len(found)} results, ")
    assert f"{sum(r.verdict.value == 'refuted' for r in found)} refuted" in found.caption()


def test_a_network_trace_has_a_row_for_each_token_of_each_block() -> None:
    found = trace("gallery/parity", "01", arithmetic="e4m3")
    rows = [row for row in found.rows() if row["block"] == "embedding"]
    assert [(row["position"], row["token"]) for row in rows] == [(0, "0"), (1, "1"), (2, "CLS")]
    assert {type(row["one"]) for row in rows} == {Fraction}
    assert [str(row["one"]) for row in rows] == [vector["one"] for vector in found.to_dict()["runs"][0]["embedding"]]


def test_representations_are_short() -> None:
    table = load(GREATER)
    assert table.caption() == f"{GREATER} (printed): y > z for 1 <= m <= 24"
    assert repr(table).splitlines()[1:3] == ["step  tokens         for_0      for_1", "1     [1 : m]        (1, 0, 0)  (1, 2**(m - i), 0)"]
    assert repr(table.at(m=3)) == "greater-than at m = 3: GT of y, z of 3 bits, 7 tokens"
    assert repr(standing("definition-a.5").record) == "✓ every-bit-counts/definition-a.5: true"


def test_repairs_are_counted_in_words() -> None:
    wrong = load(GREATER).with_entry("row 1, one 2", "2**(m - i + 1)")
    assert repair(wrong, m=2).caption().endswith("wrong; 3 repairs, the best first")
    assert repair(load(GREATER).with_entry("row 1, one 2", 0), m=1).caption().endswith("wrong; 1 repair")


def test_what_was_not_decided_is_said_in_the_caption() -> None:
    found = precision("gallery/parity", n="1..12", arithmetic="float16")
    assert (found.status, "expectation marks not decided, length " in found.caption()) == (3, True)
    assert "not decided" not in precision("gallery/parity", n="1..3", arithmetic="float16").caption()
    wrong = load(GREATER).with_entry("row 1, one 2", "2**(m - i + 1)")
    assert repair(wrong, m=2, limit=1).caption().endswith("; the search was not finished")
    assert repr(repair("lemma-2.6", p=3, limit=1)).splitlines()[0].endswith("0 repairs; the search was not finished")


@pytest.mark.parametrize(("call", "error", "message"), tables(__file__, "refused.toml")["refused"])
def test_what_is_wrong_is_one_line(call: str, error: str, message: str) -> None:
    with pytest.raises({"TypeError": TypeError, "InputError": InputError}[error]) as refused:
        eval(call)
    assert message in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1
    assert not re.search(r" --[a-z]", str(refused.value)), "an option of the command line"


@pytest.mark.parametrize(("m", "kind"), [("x", InputError), ("1..100000000", LimitError)])
def test_a_wrong_argument_is_one_kind_of_error_with_one_base(m: str, kind: type[Exception]) -> None:
    with pytest.raises(BitrefereeError, match="m is '") as refused:
        judge(GREATER, m=m)
    assert type(refused.value) is kind
    assert (type(again := pickle.loads(pickle.dumps(refused.value))), str(again)) == (kind, str(refused.value))


def test_no_representation_speaks_of_the_command_line() -> None:
    declined = judge("lemma-2.6", p=7, limit=1)
    found = [declined, declined[0], precision("gallery/parity", n="1..12", arithmetic="float16")]
    assert [re.findall(r" --[a-z]+", re.sub("verify .*", "", repr(each))) for each in found] == [[], [], []]


def test_both_sides_have_names() -> None:
    """The document has short keys; a person reads words."""
    (result,) = judge("piecewise-affine/equation-17", n=2, w=1, edition="statement")
    assert {"left", "right"} <= set(result.outcome.counterexample or {})
    assert re.findall(r"\b(?:left|right)\b[^=]*=", result.facts()["counterexample"] or "") == ["left side =", "right side ="]


def test_one_evaluator(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer is the definition's: another definition, another answer."""
    true = tracing.definition.evaluate_at
    monkeypatch.setattr(tracing.definition, "evaluate_at", lambda reading, inputs: true(reading, {**inputs, "y": 0}))
    assert trace(WITNESS, "111", "111", p=3).answer != 1


def test_a_dict_is_the_file() -> None:
    """What a dict says is judged as the file, and another entry gives another verdict; fractions are exact."""
    table = load(WITNESS)
    again = Construction.from_dict(table.to_dict())
    assert again.file == table.file
    assert [x for x in (Fraction(-1), 0, Fraction(1, 2), 1) if judge(again.with_entry("row 3, one 3", x), p=3).verified] == [1]
    assert again.file == table.file


def test_a_bad_file_names_every_line(tmp_path: Path) -> None:
    """Formulas without a value are found when the file is loaded, each with its line."""
    path = tmp_path / "bad.toml"
    path.write_text(Path(WITNESS).read_text().replace('"-(p - 1)"', '"-(q - 1)"').replace('"p - 2"', '"r - 2"'))
    with pytest.raises(InputError, match=r"bad\.toml:\d+: .*no name 'q' here.* more\)") as refused:
        load(path)
    assert len(refused.value.__notes__) > 1
    assert all(line.startswith(f"{path}:") for line in refused.value.__notes__)


def test_a_judgement_as_a_table() -> None:
    pandas = pytest.importorskip("pandas")
    found = judge(WITNESS, p="3..4").to_pandas()
    assert isinstance(found, pandas.DataFrame)
    assert list(found["verdict"]) == ["verified", "verified"]
    assert list(found["p"]) == [3, 4]
    types = {"p": "Int64", "cases": "object", "verdict": "category", "edition": "category", "claim": "string"}
    assert {name: str(found.dtypes[name]) for name in types} == types


def wrong_table() -> Construction:
    return load(GREATER).with_entry("row 1, one 2", "2**(m - i + 1)")


EVERY_RESULT: list[list[Callable[[], Any]]] = [
    [lambda: judge(GREATER, m=2), lambda: judge(wrong_table(), m=[2, 4])],
    [lambda: judge("lemma-2.2", p=3), lambda: judge("lemma-2.2", p="all")],
    [lambda: judge("fixed-point-networks/lemma-2", p=2, s=1), lambda: judge("fixed-point-networks/lemma-2", p=2, s=1, r=[1, "every"])],
    [lambda: findings("toy", "slip"), lambda: findings("toy")],
    [lambda: load(GREATER), wrong_table],
    [lambda: claims("toy"), lambda: claims("toy", steps=True)],
    [lambda: repair(GREATER, m=2), lambda: repair(wrong_table(), m=2)],
    [lambda: trace(GREATER, "110", "011"), lambda: trace(GREATER, "1", "0")],
    [lambda: trace("gallery/parity", "1"), lambda: trace("gallery/parity", "011", arithmetic="e4m3")],
    [lambda: trace("gallery/turing-flip", "1"), lambda: trace("gallery/turing-flip", "01")],
    [lambda: precision("gallery/parity", n=1, arithmetic="e2m1"), lambda: precision("gallery/parity", n=[1], arithmetic="exact")],
    [lambda: standing("toy/lemma-1"), lambda: standing("toy/theorem-3")],
    [lambda: convert("gallery/parity", "a.py", n=2), lambda: convert("gallery/parity", "b.py", n=2, inputs=0)],
]


@pytest.mark.long("8")
@pytest.mark.parametrize("number", range(len(EVERY_RESULT)))
def test_results_of_a_kind_have_the_same_columns_and_can_be_sent_to_a_process(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pandas = pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    with toy.shelved():
        made = [each() for each in EVERY_RESULT[number]]
        tables = [each.to_pandas() for each in made]
        for found, listed in zip(made, tables, strict=True):
            assert len(listed) == len(found.rows())
            assert set().union(*map(set, found.rows())) <= set(listed.columns), "a cell without a column"
            assert found.status in (0, 1, 3)
            assert json.loads(json.dumps(found.to_dict()))
            assert len(repr(found).splitlines()) <= 10
            assert ElementTree.fromstring(found._repr_html_()).tag == "table"
            again = pickle.loads(pickle.dumps(found))
            assert (repr(again), again.to_dict(), again.status) == (repr(found), found.to_dict(), found.status)
            assert (again == found, made[0] == made[1]) == (True, False)
            assert all(name.isidentifier() for name in found.columns)
    assert list(tables[0].dtypes.items()) == list(tables[1].dtypes.items())
    assert list(pandas.concat(tables).dtypes.items()) == list(tables[0].dtypes.items())


@pytest.mark.campaign
def test_only_a_false_answer_says_why_it_is_false() -> None:
    rows = standing("theorem-2.4").rows()
    assert {row["answer"].partition(" ")[0] for row in rows if row["why_false"]} == {"false"}
    assert any(row["degenerate_points"] == "false for p = 1 (counterexample)" for row in rows)


def test_many_rows_are_counted_and_not_shown() -> None:
    found = claims(steps=True)
    assert repr(found).splitlines()[-1] == f"… and {len(found) - 7} more rows"
    assert found._repr_html_().count("<tr>") == 100
    assert f", … and {len(found) - 99} more rows</caption>" in found._repr_html_()
    assert "more row" not in repr(judge(GREATER, m="1..2")) + judge(GREATER, m="1..2")._repr_html_()


def test_what_a_column_of_integers_cannot_hold_is_missing_in_it() -> None:
    pandas = pytest.importorskip("pandas")
    found = judge("lemma-2.2", p="all")
    assert {row["p"] for row in found.rows()} == {"all"}
    assert all(pandas.isna(found.to_pandas()["p"]))


def test_a_list_of_values_is_the_command_lines_list() -> None:
    assert [row["m"] for row in judge(GREATER, m=[2, "4..5"]).rows()] == [row["m"] for row in judge(GREATER, m="2,4..5").rows()]


def test_claims_are_those_of_verify_list(verify: CommandLine) -> None:
    for words in (("toy",), ("toy", "lemma"), ("toy/lemma-1",), ("toy", "--steps")):
        with toy.shelved():
            listed = claims(*(word for word in words if word != "--steps"), steps="--steps" in words)
            assert listed.to_dict() == verify("list --format json", *words).document


def test_a_single_result_as_html() -> None:
    (refuted,) = judge(load(WITNESS).with_entry("row 3, one 3", 0), p=3)
    html = refuted._repr_html_()
    assert "refuted" in html
    assert "counterexample" in html
    assert "<script" not in html


def test_an_edited_construction_says_so_and_has_no_replay() -> None:
    """No file holds it, and its file is right: a command would show another answer."""
    edited = load(WITNESS).with_entry("row 3, one 3", 0)
    assert [result.replay for each in (edited, load(TABLE_6).with_entry("row 1, zero 1", 0)) for result in judge(each, p=8)] == [None, None]
    assert judge(load(WITNESS), p=3).verified
    assert (judge(edited, p=3).status, judge(GREATER, m=3, arithmetic="e2m1")[0].replay is None) == (1, False)
    assert edited.caption().startswith(f"{WITNESS} (printed, edited in 1 place): EQ")
    again = edited.with_entry("row.3.one.3", 1).with_entry("row 1, zero 1", 0)
    assert "(printed, edited in 2 places)" in again.caption()
    assert "(printed, edited in 2 places)" in again._repr_html_()


def test_parameters_of_all_results_stand_before_the_verdict() -> None:
    found = judge([WITNESS, GREATER], p=3, m=2)
    columns = list(found.columns)
    assert columns[2 : columns.index("semantics")] == ["p", "n", "m"]
    for shown in (repr(found).splitlines()[1], found._repr_html_().splitlines()[1].replace("<th>", " ").replace("</th>", " ")):
        words = shown.split()
        assert words.index("p") < words.index("m") < words.index("semantics") < words.index("verdict")


def test_a_row_names_its_scope_and_counts_no_failures_of_what_is_verified() -> None:
    network, table = judge("gallery/parity", n="1..4"), judge(GREATER, m=2)
    for found in (network, table):
        assert [row["failures"] for row in found.rows()] == [0] * len(found)
        assert [row["scope"] for row in found.rows()] == [result.outcome.scope.statement for result in found]
    assert "all 30 inputs with n = 1 .. 4" in repr(network)
    assert judge("lemma-2.6", p=10**4).rows()[0]["failures"] is None


def test_a_parameter_beyond_the_limits_is_declined_as_on_the_command_line(verify: CommandLine) -> None:
    found = judge("lemma-2.6", p=10**6)
    assert (found.status, {result.verdict.value for result in found}) == (3, {"declined"})
    assert verify("lemma-2.6 --p 1000000 --format json").status == 3


def test_a_finding_is_found_by_its_id() -> None:
    every = findings("every-bit-counts").outline()
    for name in ("table-6-constants", "every-bit-counts/table-6-constants"):
        assert findings(name).outline() == [row for row in every if row["id"].endswith("/table-6-constants")]
    assert len(findings(name)) == 1


def test_claims_name_their_constructions() -> None:
    rows = {row["claim"].partition("/")[2]: row["construction"] for row in claims("every-bit-counts", steps=True).rows()}
    assert (rows["lemma-2.6:table-6"], rows["theorem-2.4"]) == ("table-6", None)
    for claim in ("lemma-2.3:denominator-first", "theorem-2.4:every-n"):
        assert load(claim).file.id == rows[claim]


def test_a_table_without_rows_has_its_columns_in_html() -> None:
    found = repair(GREATER, m=2)
    assert (found.rows(), repr(found).count("\n")) == ([], 0)
    assert [f"<th>{name}</th>" in found._repr_html_() for name in found.columns] == [True] * 6


def test_an_input_that_breaks_the_promise_has_no_right_answer() -> None:
    found = trace(WITNESS, "111", "000", p=3)
    assert (found.status, "not asked for: the input breaks the promise" in found.caption(), "right" in found.caption()) == (3, True, False)
    assert repr(found).splitlines()[0].endswith("answer 1, not asked for: the input breaks the promise")
    assert trace(WITNESS, "111", "111", p=3).caption().endswith("answer 1, 1 is right")


def test_two_columns_are_two_numbers_as_on_the_command_line(verify: CommandLine) -> None:
    run = trace(GREATER, "110", "011", m=3)
    assert (run.numerators, run.attentions, run.answer) == ((6, 3), (6, 3), 1)
    assert run.to_dict() == verify(f"trace {GREATER} --m 3 --y 110 --z 011 --format json").document


def test_strings_may_be_named() -> None:
    assert trace(GREATER, z="011", y="110").to_dict() == trace(GREATER, "110", "011", m=3).to_dict()


def test_python_does_what_the_verbs_do(verify: CommandLine, tmp_path: Path) -> None:
    found = precision("gallery/parity", n="1..4", arithmetic="float32,e2m1+overflow=saturate")
    done = verify("precision gallery/parity --n 1..4 --arithmetic float32,e2m1+overflow=saturate --format json")
    assert (found.to_dict(), found.status) == (json.loads(json.dumps(done.document)), done.status)
    traced = trace("gallery/parity", "0110")
    assert traced.to_dict() == verify("trace gallery/parity --w 0110 --format json").document
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(GREATER.read_text(encoding="utf-8").replace('"2**(m - i)"', '"2**(m - i + 1)"'), encoding="utf-8")
    mended = repair(wrong, m=2)
    assert mended.to_dict() == verify(f"repair {wrong} --m 2 --format json").document
    made = convert("gallery/parity", tmp_path / "parity.py", n=4)
    assert (made._repr_html_().startswith("<table>"), len(repr(made).splitlines()) <= 10) == (True, True)
    assert made.compared is not None
    assert "\n".join(made.lines()) in verify(f"convert gallery/parity {tmp_path}/parity.py --n 4 --force").out
    errata = tmp_path / "wrong.errata.toml"
    errata.write_text(mended.errata or "", encoding="utf-8")
    assert judge(wrong, m=2).verdicts == {"printed": "refuted", "repaired": "verified"}


def test_a_paper_is_judged_and_its_findings_are_rows(verify: CommandLine) -> None:
    with toy.shelved():
        judged, listed = judge("toy"), findings("toy")
        assert judged.status == verify("toy --format json").status
        assert listed.to_dict() == verify("findings toy --format json").document
        assert [row["class"] for row in listed.rows()] == [each.finding.kind for each in listed]
        assert [row["fails"] for row in listed.rows()] == [len(each.follows.fails) for each in listed]
        first, *others = repr(listed[0]).splitlines()
        assert first == f"{listed[0].finding.id} ({listed[0].finding.kind})"
        assert f"  title: {listed[0].finding.entry.title}"[:99] in {line[:99] for line in others}
        assert len(others) <= 5


def test_findings_are_listed_before_the_paper_is_judged(verify: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the command shows of a paper is there at once; a consequence asks for a run."""
    monkeypatch.setattr("verifier.commands.findings.judged_paper", lambda *_: pytest.fail("the paper is judged"))
    corrected = verify("findings every-bit-counts --corrections").out
    listed, wrong = findings("every-bit-counts"), findings("every-bit-counts", "wrong")
    assert f"of {len(listed)} findings" in corrected
    assert listed.caption() == f"every-bit-counts: {len(listed)} findings"
    assert [row["id"].partition("/")[2] for row in listed.outline()] == re.findall(r"^[a-z].*$", corrected, re.MULTILINE)[1:]
    assert repr(listed).splitlines()[2].split()[:2] == ["false", "every-bit-counts/one-running-sum"]
    assert listed._repr_html_().count("<tr>") == len(listed) + 1
    assert {row["class"] for row in wrong.outline()} == {"wrong"}
    with pytest.raises(pytest.fail.Exception, match="the paper is judged"):
        listed.rows()


@pytest.mark.long("<lambda>1")
@pytest.mark.parametrize(
    "made",
    [
        lambda: judge(GREATER),
        lambda: judge("lemma-2.6", p="1..9", edition="statement"),
        lambda: precision("gallery/parity", n="1..3"),
        lambda: trace("gallery/parity", "01"),
        lambda: trace(GREATER, "110", "011", m=3),
        lambda: judge(GREATER, m=2)[0],
        lambda: precision("gallery/parity", n="1..9", arithmetic="e4m3").cells[0],
        lambda: repair(load(GREATER).with_entry("row 1, one 2", "2**(m - i + 1)"), m=2).order[0],
        lambda: claims("lemma-2.6")[0],
        lambda: judge(GREATER, m=2)[0].outcome,
        lambda: standing("toy/theorem-3").record.questions[0],
    ],
)
def test_a_representation_has_ten_lines_at_most(made: Callable[[], Any]) -> None:
    with toy.shelved():
        lines = repr(made()).splitlines()
    assert 1 < len(lines) <= 10
    assert not re.search(r"\w\(\w+=|<\w+\.", "".join(lines)), "a dump of a dataclass"


@pytest.mark.parametrize("ask", [lambda: findings("toy").rows(), lambda: standing("toy/lemma-1")])
def test_a_paper_that_is_judged_first_tells_how_far_it_is(ask: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(Progress, "__enter__", lambda progress: lambda label, done, total: told.append(label))
    monkeypatch.setattr(Store, "fresh", True)
    with toy.shelved():
        ask()
    assert told
