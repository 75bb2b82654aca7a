"""Reading TOML files: each text is parsed once, and the lines of values are sought only for a mistake."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from verifier.claims.papers import find_paper
from verifier.errata.findings import listed
from verifier.networks import files
from verifier.networks.files import Lines, read_toml
from verifier.running.errors import InputError


def test_a_text_is_parsed_once_and_each_reader_has_its_own_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files._parsed.cache_clear()
    parsed: list[str] = []
    real = tomllib.loads
    monkeypatch.setattr(files.tomllib, "loads", lambda text: parsed.append(text) or real(text))
    path, copy = tmp_path / "a.toml", tmp_path / "b.toml"
    path.write_text("rows = [[1, 2]]\nday = 2020-02-02\n", encoding="utf-8")
    copy.write_bytes(path.read_bytes())
    first = read_toml(path)
    first["rows"][0].append(3)
    assert read_toml(path)["rows"] == read_toml(copy)["rows"] == [[1, 2]]
    assert len(parsed) == 1
    path.write_text("rows = [[4]]\n", encoding="utf-8")
    assert read_toml(path) == {"rows": [[4]]}
    for wrong in ("rows = [", f"rows = 0x{'f' * 5000}"):
        path.write_text(wrong, encoding="utf-8")
        for _ in range(2):
            with pytest.raises(InputError, match=r"a\.toml"):
                read_toml(path)


def test_lines_of_findings_are_sought_for_a_mistake_only(monkeypatch: pytest.MonkeyPatch) -> None:
    paper = find_paper("piecewise-affine")
    assert paper is not None
    monkeypatch.setattr(Lines, "_pieces", lambda lines: pytest.fail("lines are sought"))
    first = listed(paper)[0]
    with pytest.raises(pytest.fail.Exception, match="lines are sought"):
        first.at("title")
