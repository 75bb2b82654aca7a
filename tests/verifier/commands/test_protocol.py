"""``verify trace --protocol``: messages, collisions and transcripts of files and claims; cuts that are no prefix are one line."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from lowerbounds import protocol_command
from lowerbounds.protocol import Protocol, Transcript
from tests.command_line import CommandLine
from tests.tables import FOLDER
from verifier.arithmetic.rationals import Fraction
from verifier.networks.indices import Bit
from verifier.networks.instance import Token
from verifier.running.errors import InputError

WITNESS = str(FOLDER / "witness-t1.toml")


@pytest.mark.parametrize("agrees", [True, False])
def test_a_transcript_on_which_bob_differs_refutes(verify: CommandLine, monkeypatch: pytest.MonkeyPatch, agrees: bool) -> None:
    made = Transcript("00101", "00101", (Fraction(1), Fraction(2)), Fraction(1, 2), int(agrees), 1)
    monkeypatch.setattr(Protocol, "transcript", lambda protocol, y, z: made)
    assert verify("trace --protocol", WITNESS, "--p 3 --y 00101 --z 00101").status == (not agrees)


@pytest.mark.parametrize(("reads", "last"), [(["y", "", "yz", "z"], 2), (["z", "zy"], 1), (["y", "y", ""], 1), (["z", ""], None)])
def test_the_cut_left_out_is_after_the_last_token_that_reads_y(reads: list[str], last: int | None) -> None:
    tokens = tuple(Token(k, 1, tuple((Bit(string, 1),) for string in strings), ()) for k, strings in enumerate(reads))
    instance: Any = SimpleNamespace(id="made", tokens=tokens)
    if last is not None:
        assert protocol_command._last(instance) == last
    else:
        with pytest.raises(InputError, match="made: no token reads y"):
            protocol_command._last(instance)
