"""The screens that ship with the program: shown while their seal is right, and never otherwise."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command_line import CommandLine
from tests.papers_of_tests import the_paper
from verifier.claims.papers import papers
from verifier.commands import answers as made
from verifier.running import answers, results
from verifier.running.answers import Screen, below_seal, file_text
from verifier.running.errors import InputError

PAPER = "piecewise-affine"
SHIPPED = answers.FOLDER
KEPT = "kept from version"
SCREENS = {
    PAPER: Screen("⟦1⟧True⟦0⟧ in short\n", 1),
    f"list {PAPER}": Screen("What is listed\nits names\n", 0),
    f"findings {PAPER}": Screen("Its findings\n", 1),
    f"findings {PAPER} --corrections": Screen("  where     Eq. (1), and  so\n            on\n", 0),
    "findings slopes": Screen("One in full\n  replay: verify x\n", 1),
    f"show {PAPER} --thresholds": Screen("Two bits\n", 3),
}


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of screens whose seal is right."""
    monkeypatch.setattr(answers, "FOLDER", tmp_path)
    monkeypatch.setattr(made, "FOLDER", tmp_path)
    file = tmp_path / f"{PAPER}.txt"
    file.write_text(file_text(PAPER, SCREENS), encoding="utf-8")
    return file


@pytest.mark.parametrize("paper", [paper.id for paper in papers() if made.ships(paper)])
def test_the_screens_of_each_paper_are_of_this_program(paper: str) -> None:
    assert below_seal(paper, answers.read(SHIPPED / f"{paper}.txt")) is not None, "verify check --update"


def test_all_shipped_answers_are_at_most_400_kb() -> None:
    """A commit's difference of them stays readable."""
    assert sum(file.stat().st_size for file in SHIPPED.iterdir()) <= 400_000


def test_every_statement_is_asked_and_each_paper_brings_its_own_screens() -> None:
    for paper in filter(made.ships, papers()):
        listed = [*made.commands(paper)]
        assert {("show", claim.id, "--questions") for claim in paper.statements()} <= {*listed}
        assert (("show", paper.id, "--thresholds") in listed) == (paper.id == "every-bit-counts")


SPELLINGS = {f"findings {PAPER}/slopes": "findings slopes", f"findings --corrections {PAPER}": f"findings {PAPER} --corrections"}


@pytest.mark.parametrize("words", [*SCREENS, *SPELLINGS])
def test_a_screen_is_shown_with_a_line_that_says_so(shipped: Path, verify: CommandLine, words: str) -> None:
    done, kept = verify(words), SCREENS[SPELLINGS.get(words, words)]
    assert (done.status, done.out) == (kept.status, kept.text.replace("⟦1⟧", "").replace("⟦0⟧", ""))
    assert done.err == "kept from version 0.1.0; `--fresh` computes it again\n"


@pytest.mark.parametrize(
    "words",
    [
        "findings slopes --corrections",
        "show every-bit-counts --thresholds --p 2",
        f"list {PAPER} --format json",
        f"list {PAPER} --steps",
        f"list other/{PAPER}",
        f"list {PAPER} product",
        f"--fresh list {PAPER}",
    ],
)
def test_other_questions_are_computed(shipped: Path, verify: CommandLine, words: str) -> None:
    assert KEPT not in verify(words).err


def test_a_command_on_every_paper_needs_the_screens_of_all(shipped: Path, verify: CommandLine) -> None:
    for paper in papers():
        names = f"findings {paper.id}", f"findings {paper.id} --corrections"
        kept = {name: Screen(f"What is listed\n{paper.id}\n", 0) for name in names}
        (shipped.parent / f"{paper.id}.txt").write_text(file_text(paper.id, kept), encoding="utf-8")
    for words in ("findings", "findings --corrections"):
        done = verify(words)
        assert KEPT in done.err
        assert done.out.splitlines() == ["What is listed", *(paper.id for paper in papers())]


def test_a_statement_stands_as_the_screen_of_its_paper_says(shipped: Path, verify: CommandLine) -> None:
    paper = the_paper(PAPER)
    screen = Screen("".join(f"? {name}: so\n    and so\n" for name in paper.order) + f"\n{len(paper.order)} statements\n", 0)
    shipped.write_text(file_text(PAPER, {f"show {PAPER}": screen}), encoding="utf-8")
    for name in (paper.order[0], paper.order[2], paper.order[-1]):
        done = verify(f"show {PAPER}/{name}")
        lines = done.out.splitlines()
        at = lines.index("Is it true, and does the printed proof work?")
        assert lines[at + 1 : at + 3] == [f"? {name}: so", "    and so"]
        assert KEPT in done.err
    assert f"its {len(paper.order)} statements: verify show {PAPER}" in " ".join(verify("list").out.split())


def test_questions_are_answered_by_the_screen_below_the_statement(
    shipped: Path, verify: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = f"show {PAPER}/equation-1 --questions"
    computed = verify(words)
    head, _, answers_below = computed.out.partition("\n\n")
    assert KEPT not in computed.err
    kept = Screen(answers_below.replace("it is true there", "it is so there"), 0)
    shipped.write_text(file_text(PAPER, {"show equation-1 --questions": kept}), encoding="utf-8")
    monkeypatch.setattr("verifier.claims.questions.Inquiry.answers", lambda inquiry: iter(()))
    done = verify(words)
    assert (done.status, done.out) == (0, f"{head}\n\n{kept.text}")
    assert "it is so there" in done.out
    assert KEPT in done.err
    for other in (f"--fresh {words}", f"{words} --limit 100", f"{words} --edition printed", f"{words} --format json"):
        assert KEPT not in verify(other).err
    assert verify("show equation-1 --questions").status == 2, "the name of two papers"


LIBRARIES = ("numpy", "sympy", "networkx", "rich")
RUN = """
import sys
from pathlib import Path
from verifier.running import answers
answers.FOLDER = Path(sys.argv.pop(1))
from verifier.__main__ import main
try:
    main()
finally:
    print(*(name for name in {libraries} if name in sys.modules), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("words", "imported"),
    [
        (f"findings {PAPER}", ""),
        (f"show {PAPER}/equation-1 --questions", ""),
        (f"show {PAPER}/equation-1", ""),
        ("theorem-2.4 --p 3", "numpy"),
    ],
)
def test_an_answer_imports_no_library_that_it_does_not_use(shipped: Path, words: str, imported: str) -> None:
    paper = the_paper(PAPER)
    below = Screen("".join(f"? {name}: so\n" for name in paper.order), 0)
    kept = {**SCREENS, f"show {PAPER}": below, "show equation-1 --questions": Screen("  What?\n", 0)}
    shipped.write_text(file_text(PAPER, kept), encoding="utf-8")
    program = [sys.executable, "-c", RUN.format(libraries=LIBRARIES), str(shipped.parent), *words.split()]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1] == imported
    assert (KEPT in done.stderr) == (imported == "")


def test_lines_that_stand_further_up_are_not_written_again(shipped: Path) -> None:
    long = "".join(f"line {k} of a screen with eight lines\n" for k in range(1, 9))
    two = "".join(long.splitlines(keepends=True)[1:3])
    screens = {"a": Screen(long, 0), "b": Screen(f"other\n{long}end\n", 0), "c": Screen(f"{two}end\n", 1)}
    screens["d"] = Screen(f"other\n{long}⟦1⟧a title of its own⟦0⟧\n⟦1⟧word⟦0⟧ and more\n{two}", 1)
    screens["e"] = Screen(f"⟦1⟧a title of its own⟦0⟧\n⟦1⟧word⟦0⟧ and more\n{two}other\n{long}end\n", 1)
    text = file_text(PAPER, screens)
    assert text.count("of a screen") == 8
    assert '$ verify b # 0\nother\n" 10..3\nend\n$ verify c # 1\n" 12..11\nend\n' in text
    assert '$ verify d # 1\n" 7..6\n⟦1⟧a title of its own⟦0⟧\n⟦1⟧word⟦0⟧ and more\n" 6\n$ verify e' in text
    assert text.endswith('$ verify e # 1\n" 4..2\n" 13..11\n')
    assert answers.screens(text.split("\n", 2)[2]) == screens


@pytest.mark.parametrize("text", ['" 2..1\n', "a\tb\n", "   odd\n", "$ verify x # 0\n"])
def test_a_line_that_a_file_would_read_otherwise_is_not_written(text: str) -> None:
    with pytest.raises(AssertionError, match="a screen has"):
        file_text(PAPER, {"a": Screen("one\ntwo\n", 0), "b": Screen(text, 0)})


def test_no_screen_is_shown_after_any_bit_of_its_file_changed(shipped: Path) -> None:
    before = shipped.read_bytes()
    for at in range(0, len(before), 11):
        shipped.write_bytes(before[:at] + bytes([before[at] ^ 1 << at % 8]) + before[at + 1 :])
        assert answers.answered(["list", PAPER]) is None, at


def _changed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = results._digest
    assert list(results.ROOT.glob(f"*/**/{name}"))
    monkeypatch.setattr(results, "_digest", lambda path, seen: "changed" if Path(path).name == name else real(path, seen))
    monkeypatch.setattr(answers, "program_digest", results.program_digest.__wrapped__)


CHANGES: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "an engine": lambda patch: _changed("enumerate.py", patch),
    "what shows": lambda patch: _changed("answer_screen.py", patch),
    "a statement": lambda patch: _changed("equation-1.toml", patch),
    "a file more": lambda patch: patch.setattr(answers, "sources_of", lambda name: []),
    "a library": lambda patch: patch.setattr(answers, "libraries", lambda wanted: ["numpy-9.9.dist-info"]),
}


@pytest.mark.parametrize("change", CHANGES)
def test_no_screen_is_shown_after_a_change_of(shipped: Path, monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    assert answers.answered(["list", PAPER]) == 0
    CHANGES[change](monkeypatch)
    assert answers.answered(["list", PAPER]) is None


def test_both_sides_of_a_merge_that_stay_in_a_file_are_not_shown(shipped: Path) -> None:
    head, seal, *body = shipped.read_text(encoding="utf-8").splitlines(keepends=True)
    for lines in ([head, seal, "seal 00\n", *body], [head, "seal 00\n", seal, *body], [head, seal, *body, *body]):
        shipped.write_text("".join(lines), encoding="utf-8")
        assert answers.answered(["list", PAPER]) is None


def test_the_gate_compares_screens(shipped: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    paper = next(each for each in papers() if each.id == PAPER)
    monkeypatch.setattr(made, "commands", lambda paper: [("list", paper.id), ("list", paper.id, "product")])
    monkeypatch.setattr(made.READ, "manifest", lambda paper: {f"{paper}:": "", "/usr/lib/os.py": ""})
    shipped.unlink()
    assert (made.compare_answers([paper]), "no screens ship" in capsys.readouterr().out) == (0, True)
    assert made.update_answers([paper]) == 0
    assert made.compare_answers([paper]) == 0
    assert "⟦1⟧" in shipped.read_text(encoding="utf-8")
    printed = made.screen(["list", PAPER])
    shipped.write_text(file_text(PAPER, {f"list {PAPER}": Screen(printed.text.replace("product", "sum"), 0)}), encoding="utf-8")
    assert (made.compare_answers([paper]), f"`verify list {PAPER}` prints" in capsys.readouterr().out) == (1, True)
    shipped.write_text(shipped.read_text(encoding="utf-8").replace("seal ", "seal 0"), encoding="utf-8")
    assert (made.compare_answers([paper]), "the seal of another program" in capsys.readouterr().out) == (1, True)


@pytest.mark.parametrize("read", [None, {"one-bit-scaling:paper.toml": ""}, {str(results.ROOT / "constructions/gallery/first.toml"): ""}])
def test_what_rests_on_other_files_is_not_sealed(monkeypatch: pytest.MonkeyPatch, read: dict[str, str] | None) -> None:
    paper = next(each for each in papers() if each.id == PAPER)
    monkeypatch.setattr(made.READ, "manifest", lambda paper: read)
    with pytest.raises(InputError, match="cannot be sealed"):
        made._rests_on_itself(paper)
