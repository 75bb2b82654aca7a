"""requirements.lock has every dependency of the package, its tests and its tools, in a version that pyproject.toml allows, with hashes."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "requirements.lock"
REMAKE = "write requirements.lock again: CONTRIBUTING.md has the command"
DECIDE = {"numpy", "sympy", "python-flint", "onnxruntime", "jax", "python-sat", "bitwuzla", "quicktions", "scipy"}
"""A new major version of these could change a verdict or a number of an experiment."""


def asked() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    return [Requirement(each) for each in (*project["dependencies"], *extras["test"], *extras["dev"])]


def locked(text: str) -> dict[str, str]:
    """Versions by name."""
    return {canonicalize_name(found[1]): found[2] for found in re.finditer(r"(?m)^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^ \\\n]+)", text)}


def lacks(text: str) -> list[str]:
    """The dependencies that a lock file has in no version that is allowed."""
    held = locked(text)
    return [str(r) for r in asked() if not r.specifier.contains(held.get(canonicalize_name(r.name), "0"), prereleases=True)]


def test_the_lock_has_every_dependency() -> None:
    assert lacks(LOCK.read_text()) == [], REMAKE


def test_a_lock_without_one_of_them_is_noticed() -> None:
    text = LOCK.read_text()
    assert [Requirement(r).name for r in lacks(text.replace("\nnumpy==", "\nother=="))] == ["numpy"]
    assert [Requirement(r).name for r in lacks(re.sub(r"\nsympy==[0-9.]+", "\nsympy==1.0", text))] == ["sympy"]


def test_every_version_has_a_hash_and_no_registry_is_named() -> None:
    text = LOCK.read_text()
    entries = re.split(r"(?m)^(?=[A-Za-z0-9])", re.sub(r"(?m)^ *#.*\n", "", text))[1:]
    assert len(entries) == len(locked(text))
    assert all("--hash=sha256:" in entry for entry in entries)
    assert "://" not in text


@pytest.mark.parametrize("name", sorted(DECIDE))
def test_what_decides_a_verdict_has_an_upper_bound(name: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    every = [Requirement(r) for r in (*project["dependencies"], *(r for each in project["optional-dependencies"].values() for r in each))]
    found = [r for r in every if canonicalize_name(r.name) == name]
    assert found
    assert all(any(part.operator == "<" for part in r.specifier) for r in found)


def test_the_versions_of_python_are_those_of_the_workflow() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    tried = re.findall(r'"(3\.\d+)"', (ROOT / ".github" / "workflows" / "tests.yml").read_text())
    named = [c.rpartition(" ")[2] for c in project["classifiers"] if c.startswith("Programming Language :: Python :: 3.")]
    assert set(named) <= set(tried)
    assert named[0] == tried[0]
    assert project["requires-python"] == f">={tried[0]}"
