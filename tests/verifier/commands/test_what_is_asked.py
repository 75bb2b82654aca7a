"""Requests that nothing can answer as they stand: one line before any work, and what is shown says what was done."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.command_line import CommandLine
from verifier.claims.verdicts import Result
from verifier.judges import own_files

PARITY = Path(__file__).parents[3] / "docs" / "examples" / "parity.toml"


def test_a_missing_folder_is_told_before_the_gallery_runs(verify: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.commands.gallery.gallery_run", lambda *_: pytest.fail("it ran"))
    done = verify(f"precision gallery --output {tmp_path / 'none'}")
    assert (done.status, done.err) == (2, f"verify: --output {tmp_path / 'none'}: no such folder; nothing was run\n")
    assert not list(tmp_path.iterdir())


LENGTHS = [
    ("parity", "1..3", "n = 1 .. 3,"),
    ("parity", "0..3", "n = 1 .. 3 (outside its domain: 0),"),
    ("predecessor", "0..2", "n = 2 (outside its domain: 0 .. 1),"),
    ("predecessor", "2..3", "n = 2 .. 3,"),
]


@pytest.mark.parametrize(("name", "lengths", "said"), LENGTHS)
def test_the_lengths_shown_are_those_of_the_network(name: str, lengths: str, said: str, verify: CommandLine) -> None:
    done = verify(f"precision gallery/{name} --n {lengths} --arithmetic float16")
    assert done.status in (0, 1)
    assert f"every input of every length {said}" in " ".join(done.out.split())


def test_the_rows_of_a_file_s_range_are_printed_when_it_ends_early(verify: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = own_files.judged

    def interrupted(*arguments: object) -> Iterator[Result]:
        for made, result in enumerate(judged(*arguments)):  # type: ignore[arg-type]
            if made == 6:
                raise KeyboardInterrupt
            yield result

    monkeypatch.setattr(own_files, "judged", interrupted)
    done = verify(f"construction {PARITY} --m 1..70")
    assert done.status == 130
    assert "m=1..3" in done.out
