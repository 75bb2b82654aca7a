"""The fragment: each file of ``refused`` leaves it where its first line says; ``accepted`` and the papers' own proofs stay in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from verifier.claims.papers import papers
from verifier.kernel.checking import left_fragment
from verifier.kernel.folders import ProofFolder, proof_folders
from verifier.kernel.lint import read_module
from verifier.kernel.terms import sentences, without_comments
from verifier.running.errors import InputError

HERE = Path(__file__).parent
FOLDERS = list(proof_folders((paper.id, paper.folder) for paper in papers()))


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted((HERE / "refused").glob("*.v")), ids=lambda path: path.stem)
def test_a_departure_is_refused_where_it_is(path: Path) -> None:
    expected = re.match(r"\(\* line (\d+): (.*) \*\)\n", text(path))
    assert expected
    assert (int(expected[1]), expected[2]) in [(each.line, each.reason) for each in read_module(text(path), path.name).departures]


@pytest.mark.parametrize("path", sorted((HERE / "accepted").glob("*.v")), ids=lambda path: path.stem)
def test_what_stays_in_the_fragment_is_accepted(path: Path) -> None:
    assert read_module(text(path), path.name).departures == ()


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.paper)
def test_the_papers_proofs_stay_in_the_fragment(folder: ProofFolder) -> None:
    assert left_fragment(folder) == []


def test_a_module_may_import_only_those_before_it() -> None:
    source = "From Mine Require Import First.\n"
    first = {"First": read_module("Definition one : Z := 1.", "First.v")}
    assert read_module(source, "a.v", "Mine", first).departures == ()
    assert read_module(source, "a.v", "Mine").departures
    assert read_module(source, "a.v", "Other", first).departures


COMMENTS = [
    ("a (* b *) c", "a   c"),
    ("a (* b (* c *) d *) e", "a   e"),
    ('a (* " quoted " *) b', "a   b"),
    ("a (* b\n *) c", "a  \n c"),
]


@pytest.mark.parametrize(("source", "left"), COMMENTS)
def test_comments_are_stripped_as_coq_nests_them(source: str, left: str) -> None:
    assert without_comments(source, "a.v") == left


@pytest.mark.parametrize("source", ["(* a", "a *)", '(* " *) " *)', '(* " (* " *)', '(* " *)', 'a "b" c', "(* (* *)"])
def test_comments_that_two_readers_could_take_apart_differently_are_refused(source: str) -> None:
    with pytest.raises(InputError):
        without_comments(source, "a.v")


def test_a_full_stop_ends_a_sentence_before_a_space_only() -> None:
    assert [each.texts for each in sentences("apply Z.le_trans. exact\n x.\n", "a.v")] == [("apply", "Z.le_trans"), ("exact", "x")]
