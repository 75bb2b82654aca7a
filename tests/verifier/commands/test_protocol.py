"""``verify protocol``: messages, collisions and transcripts of files and claims; cuts that are no prefix are one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import CommandLine
from tests.tables import FOLDER

WITNESS = str(FOLDER / "witness-t1.toml")


def test_messages_of_a_file(verify: CommandLine) -> None:
    done = verify("protocol", WITNESS, "--p 3 --compare")
    assert done.status == 0
    assert "32 different messages of 2 numbers for 32 strings" in done.out
    assert "collision: none" in done.out
    assert "differs from the transformer on 0 of 528 promise pairs" in done.out


def test_a_claim_and_its_file_say_the_same(verify: CommandLine) -> None:
    assert verify("protocol lemma-2.6:denominator-first --p 4").out == verify("protocol", WITNESS, "--p 4").out


def test_a_collision_refutes(verify: CommandLine, tmp_path: Path) -> None:
    text = Path(WITNESS).read_text(encoding="utf-8")
    changed = tmp_path / "changed.toml"
    changed.write_text(text.replace('"2**(m - i)"', "0"), encoding="utf-8")
    assert changed.read_text(encoding="utf-8") != text
    done = verify("protocol", str(changed), "--p 3")
    assert done.status == 1
    assert "y = 00000 and y = 00001 have the message" in done.out
    assert "z = 00001 asks for different answers" in done.out


def test_a_transcript(verify: CommandLine) -> None:
    done = verify("protocol", WITNESS, "--p 3 --y 00101 --z 00101")
    assert done.status == 0
    assert [line.strip().split(" ")[0] for line in done.out.splitlines()[1:]] == ["Alice", "Alice", "Bob", "Bob"]
    assert "Bob answers 1; the transformer answers 1" in done.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--p 3 --cut 4", "the cut is no prefix that reads y alone: Bob's token 5 reads y[5]"),
        ("--p 3 --cut 6", "the cut is no prefix that reads y alone: Alice's token 6 reads z[1]"),
        ("--p 3 --cut 99", "a cut after token 99"),
        ("--p 3 --cut five", "is not an integer"),
        ("--p 3 --y 00101", "--y and --z belong together"),
        ("--p 3 --y 0010 --z 00101", "a string of 5 binary digits was expected"),
        ("--p 2", "p"),
    ],
)
def test_bad_input_is_one_line(verify: CommandLine, words: str, message: str) -> None:
    done = verify("protocol", WITNESS, words)
    assert done.status == 2
    assert message in done.err.splitlines()[0]
    assert not done.out


def test_a_claim_without_a_table(verify: CommandLine) -> None:
    done = verify("protocol lemma-a.6 --k 2")
    assert (done.status, done.err.splitlines()[0]) == (
        2,
        "verify: lemma-a.6 has no construction to run; `verify every-bit-counts/lemma-a.6` judges it",
    )


def test_a_target_that_is_nothing(verify: CommandLine) -> None:
    done = verify("protocol no-such-file.toml --p 3")
    assert done.status == 2
    assert "no-such-file.toml: no such file" in done.err
    assert verify("protocol no-such-claim --p 3").status == 2
