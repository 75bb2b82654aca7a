"""``verify construction`` and ``verify trace`` of networks of several layers, and :func:`bitreferee.judge`."""

from __future__ import annotations

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


def test_python_judges_the_same(wrong: Path) -> None:
    right = bitreferee.judge("gallery/parity", n="1..3")
    assert (right.status, [r.claim for r in right]) == (0, ["network/parity", "network/parity:marks"])
    found = bitreferee.judge(wrong, n="1..3")
    assert (found.status, found.verdicts) == (1, {"printed": "verified"})
    assert found[1].outcome.counterexample == {"n": "1", "w": "0", "i": "0"}


def test_the_schema_of_network_files(verify: CommandLine) -> None:
    """It has every field that the gallery uses."""
    jsonschema = pytest.importorskip("jsonschema", reason="the extra test has jsonschema")
    schema = jsonschema.Draft202012Validator(verify("new --schema network").document)
    for _, path in gallery():
        schema.validate(tomllib.loads(path.read_text(encoding="utf-8")))
    with pytest.raises(jsonschema.ValidationError):
        schema.validate(tomllib.loads(PARITY.replace("[accept]", "[acept]")))
    assert "| `score` |" in verify("new --schema network --fields").out
