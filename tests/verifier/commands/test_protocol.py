"""``verify trace --protocol``: messages, collisions and transcripts of files and claims; cuts that are no prefix are one line."""

from __future__ import annotations

from pathlib import Path
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


def test_messages_of_a_file(verify: CommandLine) -> None:
    done = verify("trace --protocol", WITNESS, "--p 3 --compare")
    assert done.status == 0
    assert "32 different ones for Alice's 32 strings y" in done.out
    assert "collision: none" in done.out
    assert "differs from the transformer's on 0 of 528 promised pairs" in done.out


def test_a_claim_and_its_file_say_the_same(verify: CommandLine) -> None:
    assert verify("trace --protocol lemma-2.6:denominator-first --p 4").out == verify("trace --protocol", WITNESS, "--p 4").out


def test_a_collision_refutes(verify: CommandLine, tmp_path: Path) -> None:
    text = Path(WITNESS).read_text(encoding="utf-8")
    changed = tmp_path / "changed.toml"
    changed.write_text(text.replace('"2**(m - i)"', "0"), encoding="utf-8")
    assert changed.read_text(encoding="utf-8") != text
    done = verify("trace --protocol", str(changed), "--p 3")
    assert done.status == 1
    assert "y = 00000 and y = 00001 send L1 = 3" in done.out
    assert "z = 00001 needs different answers" in " ".join(done.out.split())


def test_a_transcript(verify: CommandLine) -> None:
    done = verify("trace --protocol", WITNESS, "--p 3 --y 00101 --z 00101")
    assert done.status == 0
    assert [line.strip().split(" ")[0] for line in done.out.splitlines()[1:]] == ["Alice", "Alice", "Bob", "Bob"]
    assert "Bob answers 1; the transformer answers 1" in done.out


def test_options_of_the_file_and_of_the_command_are_there_once(verify: CommandLine, tmp_path: Path) -> None:
    bare = tmp_path / "witness"
    bare.write_text(Path(WITNESS).read_text(encoding="utf-8"), encoding="utf-8")
    helped = verify("trace --protocol", str(bare), "--help")  # 7 of the n + 1 tokens are Alice's
    assert helped.status == 0
    assert [helped.out.count(f"  --{name} ") for name in ("y", "z", "p", "n", "cut")] == [1] * 5
    assert "up to 5, Bob the 9 after them" in verify("trace --protocol", str(bare), "--p 3 --n 15").out
    assert "up to 5, Bob the 9 after them" in verify("trace --protocol lemma-2.6:denominator-first --p 3 --n 15").out
    bare.write_text(bare.read_text(encoding="utf-8").replace("[parameters.n]", "[parameters.cut]"), encoding="utf-8")
    assert f"{bare}: parameters.cut: the name is taken by an option" in verify("trace --protocol", str(bare), "--p 3").err


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
