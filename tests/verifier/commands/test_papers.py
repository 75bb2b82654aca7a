"""A whole paper, its statements and its steps, on the command line: with a paper of three statements."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.command_line import CommandLine
from tests.papers_of_tests import FOLDER, shelved


@pytest.mark.campaign
def test_a_paper_is_judged_statement_by_statement(verify: CommandLine) -> None:
    with shelved():
        done = verify("toy")
        assert done.status == 1
        text = " ".join(done.out.split())
        assert "✓ Lemma 1: true for every p (symbols); printed proof: works for p = 1..4" in text
        assert "✓ Lemma 2: true for p = 2..4 (exact); printed proof: fails, first at Lemma 2, first; works after 1 correction" in text
        assert max(map(len, done.out.splitlines())) <= 84
        lines = [line.split() for line in verify("toy --steps").out.splitlines()]
        assert ["lemma-1", "verified", "verified", "verified"] in lines
        assert ["lemma-2", "verified", "refuted", "verified"] in lines
        assert [":count", "refuted", "refuted", "verified"] in lines
        document = verify("toy --format json").document
    assert {r["claim"] for r in document["results"]} == {"toy/lemma-1", "toy/lemma-2", "toy/theorem-3"}


def test_a_statement_ends_with_a_line_for_its_proof(verify: CommandLine) -> None:
    with shelved():
        assert verify("toy/lemma-1 --p 2 --editions").out.splitlines()[-1] == "proof: 1 of 2 steps hold, 1 fails but nothing rests on it"
        document = verify("toy/lemma-1 --p 2 --format json").document
    assert {r["edition"]: r.get("slips") for r in document["results"]} == {"statement": None, "printed": "1", "repaired": None}


def test_statements_are_listed_in_the_paper_s_order_and_their_steps_below_them(verify: CommandLine) -> None:
    with shelved():
        whole = verify("list toy --steps").out.partition("toy:")[2].splitlines()[1:]
        named = [line.split()[0] for line in whole if line.startswith("  ") and not line.startswith("    ")]
        assert [name for name in named if not name.startswith(":")] == ["lemma-1", "lemma-2", "theorem-3"]
        short = [line.split()[0] for line in verify("list toy").out.partition("toy:")[2].splitlines()[1:]]
        assert short == ["theorem-3", "other", "lemma-1", "lemma-2"], "main results first"
        steps = [line.split()[0] for line in verify("list toy/lemma-1").out.splitlines() if line.startswith("  ")]
        assert steps == ["lemma-1", ":pairs", ":count"]
        assert [line.split()[0] for line in verify("list toy squares").out.splitlines()] == []


def test_what_nobody_has_is_one_line(verify: CommandLine) -> None:
    with shelved():
        done = verify("list toy unicorn")
        assert done.status == 2
        assert "no claim with 'unicorn'" in done.err
        assert "a paper is judged under one reading" in verify("toy --arithmetic all").err
        assert "is a step" in verify("show toy/lemma-1:pairs --questions").err


def test_questions_are_answered_as_a_document(verify: CommandLine) -> None:
    with shelved():
        done = verify("show toy/lemma-2 --questions --format json")
    answers = json.loads(done.out)["answers"]
    assert done.status == 0
    assert [a["question"].split(":")[0] for a in answers][:2] == ["is this hypothesis needed"] * 2


@contextmanager
def _apart() -> Iterator[None]:
    """What a command puts on the shelf is gone afterwards."""
    from verifier.claims.papers import papers
    from verifier.running.shelf import SHELF

    try:
        yield
    finally:
        SHELF.folders.clear()
        papers.cache_clear()


def test_folders_are_named_on_the_command_line(verify: CommandLine) -> None:
    with shelved():
        pass
    before = verify("list toy").status
    try:
        assert before == 2
        assert verify(f"--papers {FOLDER} toy/lemma-1 --p 2").status == 0
    finally:
        from verifier.claims.papers import papers
        from verifier.running.shelf import SHELF

        SHELF.folders.clear()
        papers.cache_clear()


def test_an_error_in_a_judge_of_ones_own_is_a_line_with_its_place(verify: CommandLine, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    assert verify(f"new {folder} --paper").status == 0
    (folder / "judges").mkdir()
    (folder / "judges" / "own.py").write_text(
        "from verifier.judges.declaring import judge\n\n\n@judge\ndef wrong(query):\n    return 1 // 0\n"
    )
    lemma = folder / "statements" / "lemma-1.toml"
    text = lemma.read_text(encoding="utf-8")
    start, end = text.index("holds = "), text.index("[parameters.p]")
    text = f'{text[:start]}judge = "own.wrong"\n\n{text[end : text.index("# A claim one change away")]}'
    lemma.write_text(text, encoding="utf-8")
    with _apart():
        done = verify(f"mine/lemma-1 --p 2 --trust --papers {folder}")
    assert (done.status, done.out) == (2, ""), done.out
    assert done.err == f"verify: {folder}/judges/own.py:6: ZeroDivisionError: integer division or modulo by zero\n"


JUDGE = """from verifier.claims.finite_cases import Over
from verifier.judges.declaring import judge


@judge
def even(query, *, number: int):
    yield Over("the multiples")
    yield number % 2 == 0 or {"k": number}
"""


@pytest.fixture
def judged_by_ones_own(verify: CommandLine, tmp_path: Path) -> Path:
    """A paper whose Lemma 1 has a judge of its own and a neighbour."""
    folder = tmp_path / "mine"
    assert verify(f"new {folder} --paper").status == 0
    (folder / "judges").mkdir()
    (folder / "judges" / "own.py").write_text(JUDGE)
    lemma = folder / "statements" / "lemma-1.toml"
    text = lemma.read_text(encoding="utf-8")
    start, end, last = text.index("holds = "), text.index("[parameters.p]"), text.index("# A claim one change away")
    neighbour = '[[neighbour]]\nnumber = 3\nwhy = "3 is odd"\nbecause = "k = 3"\n'
    lemma.write_text(f'{text[:start]}judge = "own.even"\nnumber = 6\n\n{text[end:last]}{neighbour}', encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("def even(query, *, number: int):", "def even(query, *, number)", "6: SyntaxError: expected ':'"),
        ('    yield Over("the multiples")\n', "", "7: the judge yields True; an Over, which says what the cases are, was expected before"),
        ("number: int", "number", "5: the parameter number has no type"),
        (' or {"k": number}', " and number % 5 + 1 - 1.5", "8: the judge yields 0.5; True"),
        (' or {"k": number}', " and 0", "8: the judge yields 0; True, a number of cases or a counterexample was expected"),
    ],
)
def test_a_judge_of_ones_own_that_yields_no_cases_is_a_line_with_its_place(
    verify: CommandLine, judged_by_ones_own: Path, old: str, new: str, told: str
) -> None:
    (judged_by_ones_own / "judges" / "own.py").write_text(JUDGE.replace(old, new))
    with _apart():
        done = verify(f"mine/lemma-1 --p 2 --trust --papers {judged_by_ones_own}")
    assert (done.status, done.out) == (2, ""), done.out
    assert f"{judged_by_ones_own}/judges/own.py:{told}" in done.err


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("k = 3", "k = 3", None),
        ("k = 3", "k = 5", "'k = 5' was expected in: k = 3"),
        ("number = 3", "number = 4", "verified, refuted was expected"),
        ("number = 3", "number = 6", "it changes nothing of the claim"),
        ('why = "3 is odd"', 'why = "3 is odd"\nat = { q = 2 }', "lemma-1 has no parameter 'q'"),
    ],
)
def test_the_gate_of_papers_of_ones_own_runs_their_neighbours(
    verify: CommandLine, judged_by_ones_own: Path, old: str, new: str, told: str | None
) -> None:
    lemma = judged_by_ones_own / "statements" / "lemma-1.toml"
    lemma.write_text(lemma.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    with _apart():
        done = verify(f"gate --trust --papers {judged_by_ones_own} --update --jobs 1")
    assert done.status == (0 if told is None else 1), done.err
    assert ("neighbour 1 (3 is odd)" in done.out) is (told is not None)
    assert (told or "") in done.out, done.out


def test_a_paper_of_ones_own_wins_over_a_shipped_one(verify: CommandLine, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    assert verify(f"new {folder} --paper").status == 0
    with _apart():
        done = verify(f"table-1 --m 2 --editions --papers {folder}")
    assert done.status == 0
    assert done.out.startswith("mine/table-1")
    assert "'table-1' is read as mine/table-1; it is also the name of" in done.err
