"""A trace that a refuted sentence about a sum is replayed by fails as the verdict does, also where the answer is right."""

from __future__ import annotations

import pytest

from tests.command_line import CommandLine
from verifier.verdicts import EXIT_REFUTED, EXIT_VERIFIED

ZEROS = "0" * 11


@pytest.mark.parametrize(
    ("claim", "z", "status"),
    [
        ("lemma-2.6:denominator-step-18", ZEROS, EXIT_REFUTED),
        ("lemma-2.6:denominator-step-18", ZEROS[:-1] + "1", EXIT_VERIFIED),
        ("lemma-2.6:numerator-step-9", ZEROS, EXIT_VERIFIED),
    ],
    ids=["its counterexample", "another input", "a sentence that is not refuted"],
)
def test_the_replay_of_a_sentence_fails_at_its_counterexample(verify: CommandLine, claim: str, z: str, status: int) -> None:
    done = verify(f"trace {claim} --edition printed --p 6 --n 26 --y {ZEROS} --z {z}")
    assert done.status == status
    assert "right" in done.out
    assert (f"{claim} is refuted here" in done.out) == (status == EXIT_REFUTED)
