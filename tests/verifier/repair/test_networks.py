"""Repairs of networks: planted mistakes are found, each repair is right on every input, and what cannot be mended is said so."""

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
from verifier.transformers.precision import first_wrong

GALLERY = files("constructions") / "gallery"
PLANTED = [
    pytest.param("parity", "share - unit", "share + unit", "layer.1.network.hidden.below", "1..3", "float32", marks=pytest.mark.campaign),
    pytest.param("parity", "- 2*here", "- 3*here", "layer.1.network.into.at_k", "1..3", "float32", marks=pytest.mark.campaign),
    pytest.param("parity", 'key = ["-sign"]', 'key = ["sign"]', "layer.2.head.2.key.1", "1..4", "float32", marks=pytest.mark.campaign),
    pytest.param("parity", '"odd - even"', '"odd - odd"', "layer.2.combine.answer", "1..3", "float32", marks=pytest.mark.campaign),
    ("parity", 'zero = "1 if token == 0 else 0"', 'zero = "1 if token == 1 else 0"', "", "1..3", "float32"),
    pytest.param(
        "first-layer-norm", "good - first/2", "good + first/2", "layer.2.head.1.value.answer", "1..2", "exact", marks=pytest.mark.campaign
    ),
    ("dyck-1", 'mask = "causal"', 'mask = "none"', "layer.1.head.1.mask", "2..4", "float32"),
    ("dyck-1", 'mask = "causal"\n', "", "layer.1.head.1.mask", "2..4", "float32"),
]


def planted(tmp_path: Path, name: str, before: str, after: str) -> Path:
    text = (GALLERY / f"{name}.toml").read_text()
    assert before in text
    path = tmp_path / "mine.toml"
    path.write_text(text.replace(before, after, 1))
    return path


@pytest.mark.one_in(2)
@pytest.mark.long('dyck-1-mask = "causal"\\n--layer.1.head.1.mask-2..4-float32')
@pytest.mark.parametrize(("name", "before", "after", "at", "lengths", "how"), PLANTED)
def test_a_planted_mistake_is_found(
    name: str, before: str, after: str, at: str, lengths: str, how: str, tmp_path: Path, verify: CommandLine
) -> None:
    path = planted(tmp_path, name, before, after)
    words = f"repair {path} --n {lengths} --arithmetic {how} --output {tmp_path}/mine.errata.toml"
    done = verify(words)
    assert done.status == 0, done.out
    if not at:
        assert "there is nothing to repair" in done.out, "nothing reads this coordinate"
        return
    found = json.loads(verify(f"{words} --format json").out)
    assert found["before"]["state"] == "wrong"
    original = [edit for repair in found["repairs"] for edit in repair["edits"] if edit["at"] == at]
    assert any(edit["repaired"] in before or before in edit["repaired"] for edit in original), found
    repaired = verify(f"construction {tmp_path}/mine.errata.toml --n {lengths} --arithmetic {how}")
    assert "repaired  verified" in repaired.out


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
            wrong = first_wrong("", subject.file((edit,)), how, lengths).first_wrong
            assert (wrong is None) == ((edit,) in right), edit
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
