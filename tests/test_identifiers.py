"""Ids that would become paths: a paper that brings one is refused in one line, and nothing is written outside the folder asked for."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command_line import CommandLine
from tests.papers_of_tests import FOLDER
from verifier.networks.templates import beginning
from verifier.running.errors import InputError
from verifier.running.identifiers import LONGEST, below, identifier, slug

HOSTILE = {
    "upwards": "../x",
    "far upwards": "../../../../x",
    "absolute": "/x",
    "a NUL": "x\0y",
    "a newline": "x\ny",
    "an escape": "\x1b[2Jx",
    "a separator": "a/b",
    "81 characters": "a" * (LONGEST + 1),
    "capitals": "Lemma-1",
    "a dot in front": "..",
    "empty": "",
    "no text": 7,
}


def replaced(file: str, printed: str, repaired: str) -> Callable[[Path, object], None]:
    """A change of one place in a file of the paper; ``%s`` stands for the hostile id."""

    def change(paper: Path, text: object) -> None:
        content = (paper / file).read_text(encoding="utf-8")
        assert printed in content
        (paper / file).write_text(content.replace(printed, repaired.replace("%s", json.dumps(text)), 1), encoding="utf-8")

    return change


PLACES = {
    "a paper": replaced("paper.toml", 'id = "toy"', "id = %s"),
    "a statement of a section": replaced("paper.toml", '"theorem-3"', "%s"),
    "a table of the paper": replaced("paper.toml", "[functions]", '[tables]\n%s = "lemma-1"\n[functions]'),
    "a statement": replaced("statements/lemma-1.toml", 'id = "lemma-1"', "id = %s"),
    "a step": replaced("statements/lemma-1.toml", 'id = "pairs"', "id = %s"),
    "a table of a statement": replaced("statements/lemma-2.toml", "[[step]]", "[[step]]\ntable = %s"),
    "a construction": replaced("tables/parity.toml", 'id = "parity"', "id = %s"),
    "an erratum": replaced("tables/parity.errata.toml", 'name = "mended"', "name = %s"),
    "a promise": replaced("tables/parity.errata.toml", 'name = "kept"', "name = %s"),
    "a finding": replaced("findings.toml", 'id = "least"', "id = %s"),
    "a picture": replaced("pictures.toml", 'id = "drawn"', "id = %s"),
}

ERRATA = """format = "bitreferee/errata/1"
construction = "parity"
domain = "m >= 1"
why_domain = "all of it"
semantics = "a4"

[[erratum]]
name = "mended"
at = "title"
printed = "Parity"
repaired = "Odd or even"
why = "a better title"

[[promise]]
name = "kept"
condition = "x[1] == 0"
why = "half of the inputs"
"""


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    """A paper with every kind of id, in a folder of its own with room above it."""
    folder = tmp_path / "a" / "b" / "c" / tmp_path.name  # the name of its modules, which the process keeps
    shutil.copytree(FOLDER, folder)
    (folder / "tables").mkdir()
    text = beginning("parity", 3, "parity")
    title = next(line for line in text.splitlines() if line.startswith("title"))
    (folder / "tables/parity.toml").write_text(text.replace(title, 'title = "Parity"'), encoding="utf-8")
    (folder / "tables/parity.errata.toml").write_text(ERRATA, encoding="utf-8")
    (folder / "pictures.toml").write_text(
        '[[picture]]\nid = "drawn"\ntitle = "t"\nsays = "s"\ndraw = "judges.numbers:drawn"\n', encoding="utf-8"
    )
    statement = folder / "statements/lemma-1.toml"
    text = statement.read_text(encoding="utf-8")
    statement.write_text(text.replace('\n[[step]]\nid = "count"', '\n[[step]]\ntable = "parity"\nid = "count"'), encoding="utf-8")
    return folder


def everything(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if "__pycache__" not in path.parts}


@pytest.mark.one_in(6)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", HOSTILE)
def test_an_id_that_is_no_name_is_one_line_and_writes_nothing(
    verify: CommandLine, paper: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, kind: str
) -> None:
    monkeypatch.setenv("BITREFEREE_CACHE", str(tmp_path / "a/b/cache"))
    if place == "a table of the paper" and kind == "no text":
        pytest.skip("a key is a text")
    PLACES[place](paper, HOSTILE[kind])
    before = everything(tmp_path)
    site = tmp_path / "a/b/site"
    done = verify(f"--papers {paper} --trust report --paper toy --jobs 1 --site {site}")
    if place == "a paper":
        done = verify(f"--papers {paper} --trust report --jobs 1 --site {site}")
    assert done.status == 2, done.out
    (line,) = done.err.splitlines()
    assert line.startswith("verify: ")
    assert line.isprintable()
    assert "expected" in line.lower()
    assert len(line) < 600
    kept = {path for path in everything(tmp_path) - before if path.is_relative_to(tmp_path / "a/b/cache")}
    assert everything(tmp_path) - kept == before


def test_the_paper_itself_is_written_into_its_folder(verify: CommandLine, paper: Path, tmp_path: Path) -> None:
    drawn = 'def drawn():\n    from verifier.show.pictures.drawing import Drawing\n\n    return Drawing(1, 1, "t", "s")\n'
    with (paper / "judges/numbers.py").open("a", encoding="utf-8") as file:
        file.write(f"\n\n{drawn}")
    before, site = everything(tmp_path), tmp_path / "site"
    assert verify(f"--papers {paper} --trust report --paper toy --jobs 1 --site {site}").status == 0
    assert (site / "toy/findings/least.html").is_file()
    assert {path for path in everything(tmp_path) - before if not path.is_relative_to(site)} == set()


@pytest.mark.parametrize("name", ["tables/parity.toml", "tables/parity.errata.toml", "statements/lemma-1.toml"])
def test_a_link_that_leaves_its_folder_is_not_followed(verify: CommandLine, paper: Path, tmp_path: Path, name: str) -> None:
    outside = tmp_path / "outside.toml"
    (paper / name).rename(outside)
    (paper / name).symlink_to(outside)
    done = verify(f"--papers {paper} list toy/lemma-1")
    assert done.status == 2
    (line,) = done.err.splitlines()
    assert "leads out of" in line


def test_a_site_is_not_written_through_a_link_that_leaves_it(verify: CommandLine, paper: Path, tmp_path: Path) -> None:
    (paper / "pictures.toml").unlink()
    (tmp_path / "site").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "site/toy").symlink_to(tmp_path / "elsewhere")
    done = verify(f"--papers {paper} --trust report --paper toy --jobs 1 --site {tmp_path / 'site'}")
    assert done.status == 2
    assert "leads out of" in done.err
    assert not everything(tmp_path / "elsewhere")


def test_a_file_below_a_folder_stays_below_it(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    os.symlink("in", tmp_path / "alias")
    os.symlink("round", tmp_path / "round")
    assert below(tmp_path / "alias", "x/y.toml") == tmp_path / "alias/x/y.toml"
    assert below(tmp_path, "alias/x") == tmp_path / "alias/x"
    for name in ("../x", "/x", "a/../../x", "x\0y", "round/x"):
        with pytest.raises(InputError):
            below(tmp_path, name)


@pytest.mark.parametrize("text", ["a", "0", "lemma-2.6", "table-6", "a" * LONGEST])
def test_an_id_is_small_letters_digits_dots_and_dashes(text: str) -> None:
    assert identifier(text) == text


@pytest.mark.parametrize("name", ["My Table", "../x", "..", "", "/elsewhere/x.toml", "É", "x" * 200, "-a"])
def test_any_name_makes_an_id(name: str) -> None:
    assert identifier(slug(name))
