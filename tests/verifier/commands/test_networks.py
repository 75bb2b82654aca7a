"""``verify construction`` and ``verify trace`` of networks of several layers, and :func:`bitreferee.judge`."""

from __future__ import annotations

import json
import shlex
import tomllib
from pathlib import Path

import pytest

import bitreferee
from tests.command_line import CommandLine
from verifier.transformers.files import gallery

PARITY = dict(gallery())["parity"].read_text(encoding="utf-8")


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """PARITY, its expectation with another number."""
    path = tmp_path / "wrong.toml"
    path.write_text(PARITY.replace("at_k == (1/(n + 1)", "at_k == (2/(n + 1)"))
    return path


@pytest.mark.long("gallery/parity --n 1..4")
@pytest.mark.parametrize("words", ["construction gallery/parity --n 1..4", "gallery/parity --n 1..4"])
def test_answers_and_expectations_over_real_numbers(verify: CommandLine, words: str) -> None:
    found = verify(words)
    assert found.status == 0
    assert found.out.count("verified    all 30 inputs with n = 1 .. 4") == 2


@pytest.mark.parametrize("command", ["construction {} --n 1..3", "precision {} --n 1..3 --arithmetic float32"])
def test_a_refuted_expectation_and_its_replay(verify: CommandLine, wrong: Path, command: str) -> None:
    found = verify(command.format(wrong))
    assert found.status == 1
    replay = next(line for line in found.out.splitlines() if f"verify {wrong}" in line)
    again = verify(replay.partition("verify ")[2])
    assert again.status == 1
    assert "(at_k = 1/2)" in again.out
    assert "counterexample: n = 1, w = 0, i = 0" in again.out


def test_python_judges_the_same(wrong: Path) -> None:
    right = bitreferee.judge("gallery/parity", n="1..3")
    assert (right.status, [r.claim for r in right]) == (0, ["network/parity", "network/parity:marks"])
    found = bitreferee.judge(wrong, n="1..3")
    assert (found.status, found.verdicts) == (1, {"printed": "verified"})
    assert found[1].outcome.counterexample == {"n": "1", "w": "0", "i": "0"}


def test_lengths_that_were_asked_and_not_decided_are_no_success(verify: CommandLine) -> None:
    asked = "construction gallery/parity --limit 20000"
    assert verify(asked).status == 0
    found = verify(f"{asked} --n 1..9")
    assert found.status == 3
    assert "verified    all 2 inputs with n = 1" in found.out
    assert "declined    no input with n = 2 .. 9" in found.out
    judged = bitreferee.judge("gallery/parity", n="1..9", limit=20000)
    assert (judged.status, judged.verdicts) == (3, {"printed": "declined"})


@pytest.mark.campaign
def test_an_arithmetic_in_which_it_is_wrong(verify: CommandLine) -> None:
    found = verify("construction gallery/parity --n 1..9 --arithmetic e4m3 --format json")
    assert found.status == 1
    result = json.loads(found.out)["results"][0]
    assert result["semantics"] == "e4m3"
    assert verify(shlex.join(shlex.split(result["replay"])[1:])).status == 1


def test_a_trace_shows_layers_heads_scores_and_weights(verify: CommandLine) -> None:
    found = verify("trace gallery/dyck-1 --arithmetic e4m3 --w '(()'")
    assert found.status == 0
    assert "layer 1, head 1: scores and weights at each token, and what the head gives" in found.out
    assert "  ): scores 0 0 0 -; weights 11/32 11/32 11/32 -; depth = 11/32" in found.out
    assert "answer: no (depth = 1/4, below = 0); the right answer is no" in found.out


def test_a_trace_as_json(verify: CommandLine) -> None:
    found = json.loads(verify("trace gallery/dyck-1 --arithmetic e4m3 --w '(()' --format json").out)
    head = found["runs"][0]["layers"][0]["heads"][0]
    assert head["weights"][2] == ["11/32", "11/32", "11/32", None]
    assert (found["found"], found["parameters"]) == ("no", {"n": "3"})


def test_the_file_to_begin_with_is_right(verify: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    assert verify(f"new {path} --network").status == 0
    assert verify(f"construction {path} --n 1..4").status == 0
    assert verify(f"new {path} --network").status == 2


def test_the_schema_of_network_files(verify: CommandLine) -> None:
    """It has every field that the gallery uses."""
    jsonschema = pytest.importorskip("jsonschema", reason="the extra test has jsonschema")
    schema = jsonschema.Draft202012Validator(verify("new --schema network").document)
    for _, path in gallery():
        schema.validate(tomllib.loads(path.read_text(encoding="utf-8")))
    with pytest.raises(jsonschema.ValidationError):
        schema.validate(tomllib.loads(PARITY.replace("[accept]", "[acept]")))
    assert "| `score` |" in verify("new --schema network --fields").out


def test_the_gallery_is_listed(verify: CommandLine) -> None:
    lines = verify("list gallery").out.splitlines()
    assert [line.split()[0] for line in lines if line.startswith("gallery/")] == [f"gallery/{name}" for name, _ in gallery()]
    assert max(map(len, lines)) <= 80
