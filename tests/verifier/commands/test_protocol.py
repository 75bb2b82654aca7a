"""``verify trace --protocol``: a transcript on which Bob differs; what else it says is in ``tests/sessions/protocol.toml``."""

from __future__ import annotations

from pathlib import Path

import pytest

from lowerbounds.protocol import Protocol, Transcript
from tests.command_line import CommandLine
from tests.tables import FOLDER
from verifier.arithmetic.rationals import Fraction

WITNESS = str(FOLDER / "witness-t1.toml")


@pytest.mark.parametrize("agrees", [True, False])
def test_a_transcript_on_which_bob_differs_refutes(verify: CommandLine, monkeypatch: pytest.MonkeyPatch, agrees: bool) -> None:
    made = Transcript("00101", "00101", (Fraction(1), Fraction(2)), Fraction(1, 2), int(agrees), 1)
    monkeypatch.setattr(Protocol, "transcript", lambda protocol, y, z: made)
    assert verify("trace --protocol", WITNESS, "--p 3 --y 00101 --z 00101").status == (not agrees)


def test_the_point_and_the_arithmetic_come_from_the_check_of_a_file(verify: CommandLine, tmp_path: Path) -> None:
    text = Path(WITNESS).read_text(encoding="utf-8").split("[check]")[0]
    file = tmp_path / "mine.toml"
    file.write_text(f'{text}\n[check]\np = "3"\nsemantics = "narrative"\n', encoding="utf-8")
    assert "witness-t1 in narrative: Alice has the tokens up to 5" in verify("trace --protocol", str(file)).out
