"""``verify … --certificate FILE`` and ``verify recheck FILE``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import CommandLine


@pytest.fixture
def verify(capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(capsys)


FACTS = [("repaired", "verified: EQ_15 on all 536887296 pairs"), ("printed", "refuted: EQ_15 at y = ")]
TOO_MANY = ["lemma-2.6 --p 8", "lemma-2.6 --p 8..9 --edition repaired", "lemma-2.6 --p 8 --edition repaired --semantics all"]


@pytest.mark.parametrize(("edition", "fact"), FACTS)
def test_a_verdict_is_written_and_rechecked(edition: str, fact: str, verify: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "lemma.json.gz"
    verify(f"lemma-2.6 --p 8 --edition {edition} --certificate {path}")
    done = verify(f"recheck {path}")
    assert done.status == 0
    assert fact in done.out
    path.write_bytes(b"{}")
    assert verify(f"recheck {path}").status == 2


def test_a_fooling_set_is_written_and_rechecked(verify: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "bound.json"
    assert verify(f"lemma-b.1 --m 5 --edition statement --certificate {path}").status == 0
    done = verify(f"recheck {path}")
    assert (done.status, "fooling set: 32 members, at least 5 bits" in done.out) == (0, True)
    path.write_text(path.read_text().replace('"size":"32"', '"size":"33"'))
    done = verify(f"recheck {path}")
    assert (done.status, "size is 33, but 32 was found" in done.out) == (1, True)


@pytest.mark.parametrize("words", TOO_MANY)
def test_a_certificate_is_of_one_verdict(words: str, verify: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "lemma.json"
    done = verify(f"{words} --certificate {path}")
    assert (done.status, path.exists()) == (2, False)
    assert "--certificate" in done.err


def test_a_claim_without_a_construction_has_none(verify: CommandLine, tmp_path: Path) -> None:
    done = verify(f"theorem-2.4 --p 8 --edition repaired --certificate {tmp_path / 'c.json'}")
    assert (done.status, "no construction or fooling set of its own" in done.err) == (2, True)
