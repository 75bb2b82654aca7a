"""Repairs of networks: each repair is right on every input, and two mistakes are mended by what is expected."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest

from tests.command_line import CommandLine
from verifier.arithmetic.semantics import Arithmetic
from verifier.networks.files import read_toml
from verifier.repair.networks import Network, network_edits
from verifier.repair.search import Search, State
from verifier.running.errors import InputError
from verifier.transformers.precision import first_wrong

GALLERY = files("constructions") / "gallery"


def planted(tmp_path: Path, name: str, before: str, after: str) -> Path:
    text = (GALLERY / f"{name}.toml").read_text()
    assert before in text
    path = tmp_path / "mine.toml"
    path.write_text(text.replace(before, after, 1))
    return path


@pytest.mark.campaign
def test_every_repair_is_right_on_every_input(tmp_path: Path) -> None:
    path = planted(tmp_path, "parity", "share - unit", "share + unit")
    raw, lengths, how = read_toml(path), range(1, 4), Arithmetic("bfloat16")
    subject = Network(raw, lengths, how, {}, 1 << 24)
    state = Search(subject).run(most=1)
    right = {repair.edits for repair in state.found}
    assert len(right) >= 2
    tried = 0
    for edit in network_edits(raw, subject.written):
        if subject.check((edit,)).state is not State.UNREADABLE:
            tried += 1
            try:
                is_right = first_wrong("", subject.file((edit,)), how, lengths, {}, subject.limits).first_wrong is None
            except InputError:  # at an input before the one on which the form is wrong, it answers both yes and no
                is_right = False
            assert is_right == ((edit,) in right), edit
    assert tried > 100
    assert state.considered == len(network_edits(raw, subject.written))


@pytest.mark.campaign
def test_two_mistakes_are_mended_by_what_is_expected(tmp_path: Path, verify: CommandLine) -> None:
    """One makes the answers wrong, the other one only what is expected of a coordinate."""
    path = planted(tmp_path, "parity", '= "below - 2*here + above"', '= "below - 3*here + above"')
    text = path.read_text().replace('share = "one"', 'share = "zero"')
    path.write_text(text + '\n[[expect]]\nname = "share"\nafter = 1\nholds = "share == popcount(w)/(n + 1)"\n')
    words = f"repair {path} --n 1..3 --arithmetic float64 --format json"
    best = json.loads(verify(f"{words} --output {tmp_path}/mine.errata.toml").out)["repairs"][0]
    assert len(best["edits"]) == 2
    assert ("layer.1.network.into.at_k", "below - 2*here + above") in {(edit["at"], edit["repaired"]) for edit in best["edits"]}
    assert best["failing"] == []
    assert verify(f"construction {tmp_path}/mine.errata.toml --n 1..3 --arithmetic exact,float64").status == 0
    one = json.loads(verify(f"{words} --symbols 1").out)["repairs"]
    assert all(repair["failing"] for repair in one)


def test_what_is_false_can_become_true(tmp_path: Path) -> None:
    """``repair`` of a network with ``residual = false`` ended with an error of this program."""
    raw = read_toml(planted(tmp_path, "parity", "[layer.network.hidden]", "[layer.network]\nresidual = false\n[layer.network.hidden]"))
    edits = [edit for edit in network_edits(raw, Network(raw, range(1, 2), Arithmetic("exact"), {}, 100).written) if "residual" in edit.at]
    assert [(edit.printed, edit.repaired) for edit in edits] == [(False, True)]
