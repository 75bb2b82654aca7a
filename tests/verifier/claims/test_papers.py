"""Papers are folders: found by entry points and by ``--papers``, read one statement at a time, and imported one paper at a time."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.papers_of_tests import FOLDER, shelved
from verifier.claims.papers import Paper, find_claim, papers

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


@pytest.mark.parametrize("claim", ["lemma-2.6", "lemma-c.5"])
def test_a_claim_is_shown_without_arrays(claim: str) -> None:
    """That of Lemma C.5 has a neighbour without a clause of the corrected promise."""
    status, modules = modules_after("show", claim)
    assert status == 0
    assert not modules & {"numpy", "sympy", "networkx"}


def test_the_table_of_the_gallery_is_told_without_arrays() -> None:
    code = """if True:
        import sys, msgspec
        from verifier.commands.report import FILE, FOLDER, Entry, gallery_files
        _, _, *lines = (FOLDER / FILE).read_text(encoding="utf-8").splitlines()
        assert gallery_files([msgspec.json.decode(line, type=Entry) for line in lines])
        print(sorted({"numpy", "sympy", "networkx"} & sys.modules.keys()))"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


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


@pytest.mark.parametrize("paper", papers(), ids=lambda p: p.id)
def test_every_file_of_ours_is_read(paper: Paper) -> None:
    names = {claim.name for claim in paper}
    assert names >= set(paper.order)
