"""``verify precision``: the table, its JSON, its exit statuses, knobs, journal and picture, and replays that are wrong again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import CommandLine
from verifier.show.screen import COLUMNS
from verifier.transformers.files import gallery

GALLERY = [name for name, path in gallery() if "\n[decode]\n" not in path.read_text(encoding="utf-8")]
"""Those that answer once, at every length; the others append symbols, most of them at one length."""


@pytest.mark.long("match-2", "parity-layer-norm")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", GALLERY)
def test_every_line_of_the_table_fits_but_replays(verify: CommandLine, name: str) -> None:
    found = verify(f"precision gallery/{name} --n 2..4 --arithmetic e4m3,float16+accumulate=float32")
    assert found.status in (0, 1, 3)
    assert [line for line in found.out.splitlines() if len(line) > COLUMNS and not line.startswith("  verify ")] == []


def test_a_journal_is_gone_on_from(verify: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = tmp_path / "journal"
    verify(f"precision gallery/parity --n 1..2 --arithmetic e3m2 --journal {journal}")
    tried: list[int] = []
    from verifier.transformers import precision

    real = precision.network
    monkeypatch.setattr(precision, "network", lambda file, point: tried.append(point["n"]) or real(file, point))
    found = verify(f"precision gallery/parity --n 1..4 --arithmetic e3m2 --journal {journal} --format json")
    assert tried == [3, 4]
    assert json.loads(found.out)["cells"][0]["first_wrong"]["length"] == 4
    whole = verify("precision gallery/parity --n 1..4 --arithmetic e3m2 --format json")
    assert found.out == whole.out


def test_a_wrong_length_in_a_journal_says_nothing_of_shorter_ones(verify: CommandLine, tmp_path: Path) -> None:
    journal = f"--journal {tmp_path / 'journal'} --format json"
    found = json.loads(verify(f"precision gallery/parity --n 1..4 --arithmetic e3m2 {journal}").out)["cells"][0]
    assert found["first_wrong"]["length"] == 4
    shorter = verify(f"precision gallery/parity --n 1..3 --arithmetic e3m2 {journal}")
    assert (shorter.status, json.loads(shorter.out)["cells"][0]["first_wrong"]) == (0, None)


SHARDED = "precision {} --n 1..{} --arithmetic {} "


@pytest.mark.long("gallery/first-6-e2m1,bfloat16+sums=pairwise", "gallery/parity-9-e4m3,e4m3+sums=pairwise")
@pytest.mark.parametrize(
    ("name", "longest", "formats"),
    [("gallery/first", 6, "e2m1,bfloat16+sums=pairwise"), ("gallery/parity", 9, "e4m3,e4m3+sums=pairwise"), ("gallery/first", 1, "e2m1")],
)
def test_shards_say_together_what_one_run_says(verify: CommandLine, tmp_path: Path, name: str, longest: int, formats: str) -> None:
    """In any order; a length of which a shard has no input is decided by the others."""
    asked = SHARDED.format(name, longest, formats)
    whole = verify(asked + "--format json")
    for k in (1, 2, 3):
        found = verify(asked + f"--shard {k}/3 --journal {tmp_path / str(k)}")
        assert f"shard {k}/3 in " in found.out
        assert "every input" not in found.out
    journals = " ".join(f"--merge {tmp_path / str(k)}" for k in (3, 1, 2))
    merged = verify(asked + f"--format json {journals}")
    assert (merged.out, merged.status) == (whole.out, whole.status)
    assert "2 journals were given, but none has shard 1/2" in verify(asked + f"--merge {tmp_path / '1'} --merge {tmp_path / '2'}").err
