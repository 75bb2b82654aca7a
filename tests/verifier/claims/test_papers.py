"""Papers are folders: found by entry points and by ``--papers``, read one statement at a time, and imported one paper at a time."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.papers_of_tests import FOLDER, shelved
from verifier.claims.papers import Paper, find_claim, papers
from verifier.running.errors import InputError

RUN = "import sys; from verifier.commands.main import run; status = run(sys.argv[1:])"


def modules_after(*words: str, folder: Path | None = None) -> tuple[int, set[str]]:
    """The exit status of a command, and the modules that a process has imported for it."""
    code = f"{RUN}; print(); print(status, *sys.modules)"
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, cwd=folder, check=True)
    status, *names = done.stdout.splitlines()[-1].split()
    return int(status), set(names)


@pytest.mark.campaign
def test_a_claim_imports_nothing_of_another_paper_and_no_other_statement() -> None:
    status, modules = modules_after("lemma-2.3", "--p", "5")
    assert status == 1
    assert not [m for m in modules if m.startswith("constructions.fixed_point_networks")]
    assert "sympy" not in modules


def test_help_imports_no_engine() -> None:
    _, modules = modules_after("--help")
    assert not modules & {"numpy", "flint", "sympy", "rich.console", "msgspec"}


@pytest.mark.campaign
@pytest.mark.parametrize("name", ["papers-of-mine", "constructions"])
def test_a_folder_of_the_users_adds_papers_and_hides_nothing(tmp_path: Path, name: str) -> None:
    shutil.copytree(FOLDER, tmp_path / name / "toy")
    status, modules = modules_after("--papers", name, "toy/lemma-1", "--p", "2", folder=tmp_path)
    assert status == 0
    assert not [m for m in modules if m.startswith("constructions.")]
    (tmp_path / name / "__init__.py").touch()
    status, _ = modules_after("--papers", name, "every-bit-counts/equation-1", "--h", "7", folder=tmp_path)
    assert status == 0


def test_the_paper_of_a_folder_has_its_own_modules() -> None:
    with shelved():
        assert "toy" in {paper.id for paper in papers()}
        assert [s.name for s in next(p for p in papers() if p.id == "toy").statements()] == ["lemma-1", "lemma-2", "theorem-3"]
        assert find_claim("toy/lemma-2:first").owner == "lemma-2"
    assert "toy" not in {paper.id for paper in papers()}


@pytest.mark.parametrize("paper", ["a-toy", "toy", "z-toy"])
def test_the_name_of_a_table_is_that_of_the_claim_about_it(tmp_path: Path, paper: str) -> None:
    """Whichever paper has the table, the first or the last of them."""
    shutil.copytree(FOLDER, tmp_path / "toy")
    about = (tmp_path / "toy" / "paper.toml").read_text().replace('id = "toy"', f'id = "{paper}"')
    (tmp_path / "toy" / "paper.toml").write_text(f'{about}\n[tables]\ntable-99 = "lemma-1:pairs"\n')
    with shelved(tmp_path / "toy"):
        assert find_claim("table-99").id == find_claim(f"{paper}/Table 99").id == f"{paper}/lemma-1:pairs"


def about(folder: Path, text: str) -> None:
    (folder / "paper.toml").write_text(f'id = "toy"\ntitle = "a"\nauthors = "b"\n{text}\n')


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda f: (f / "paper.toml").unlink(), "no paper.toml in it or in a folder of it"),
        (lambda f: (f / "paper.toml").write_text('id = "toy"\n'), "toy/paper.toml: missing required field title"),
        (lambda f: (f / "paper.toml").write_text('id = "toy"\ntitle = "a"\nauthors = "b"\n'), "with title and statements was expected"),
        (
            lambda f: about(f, "[[section]]\ntitle = 'A'\nstatements = [['lemma-1']]"),
            "section 1, statements 1: a text was expected, not a list",
        ),
        (
            lambda f: about(f, "[[section]]\ntitle = ['A']\nstatements = ['lemma-1']"),
            "toml:5: section 1, title: a text was expected, not a list",
        ),
        (
            lambda f: about(f, "[[section]]\ntitel = 'A'"),
            "toml:4: section 1: missing required field title (and 2 more)",
        ),
        (lambda f: about(f, "author = 'c'"), "toml:4: author: unknown field 'author'; did you mean authors?"),
        (lambda f: about(f, "section = [[['lemma-1']]]"), "section 1: a table was expected, not a list"),
        (lambda f: about(f, "parameters.p = 3"), "parameters.p: a table was expected, not 3"),
        (lambda f: shutil.copy(f / "statements/lemma-1.toml", f / "statements/lemma-8.toml"), "has a file and no place in a section"),
        (lambda f: (f / "statements/lemma-1.toml").unlink(), "has no file in statements"),
    ],
    ids=[
        "no paper.toml",
        "no title",
        "no sections",
        *("a list", "a list for a title", "a field of a section", "a field", "lists", "a number"),
        "a file too many",
        "a file too few",
    ],
)
def test_a_mistake_in_a_paper_is_one_line(tmp_path: Path, change: object, expected: str) -> None:
    folder = tmp_path / "toy"
    shutil.copytree(FOLDER, folder)
    change(folder)  # type: ignore[operator]
    with pytest.raises(InputError, match="toy") as refused, shelved(folder):
        papers()
    assert expected in str(refused.value)


@pytest.mark.parametrize("paper", papers(), ids=lambda p: p.id)
def test_every_file_of_ours_is_read(paper: Paper) -> None:
    names = {claim.name for claim in paper}
    assert names >= set(paper.order)
