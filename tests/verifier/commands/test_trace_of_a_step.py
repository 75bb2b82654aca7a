"""A trace of an input at which a sentence about a sum or the output is wrong fails as the verdict does, also where the answer is right."""

from __future__ import annotations

import pytest

from tests.command_line import CommandLine
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import EXIT_REFUTED, EXIT_VERIFIED, Edition
from verifier.judges.editions import readable_instance
from verifier.judges.one_input import fails_at
from verifier.transformers.tables import Execution

ZEROS = "0" * 11


@pytest.mark.parametrize(
    ("claim", "z", "found"),
    [
        ("lemma-2.6:denominator-step-18", ZEROS, "0 is found, z2 + 1 - 2*z[m] was claimed"),
        ("lemma-2.6:denominator-step-18", ZEROS[:-1] + "1", "1 is found, z2 + 1 - 2*z[m] was claimed"),
        ("lemma-2.6:numerator-step-9", ZEROS, ""),
        ("lemma-2.6:denominator-yes", ZEROS[:-1] + "1", ""),
        ("lemma-2.6:output-yes", ZEROS, ""),
    ],
    ids=[
        "its smallest counterexample",
        "another one",
        "a sentence that is not refuted",
        "an input that it does not speak of",
        "an equation that holds",
    ],
)
def test_the_trace_of_a_sentence_fails_where_the_sentence_does(verify: CommandLine, claim: str, z: str, found: str) -> None:
    done = verify(f"trace {claim} --edition printed --p 6 --n 26 --y {ZEROS} --z {z}")
    assert done.status == (EXIT_REFUTED if found else EXIT_VERIFIED)
    assert "right" in done.out
    assert (f"{claim} is refuted here: {found}" in done.out) == bool(found)


def test_a_sentence_about_the_output_speaks_of_its_kind_of_inputs() -> None:
    claim, point = find_claim("every-bit-counts/lemma-2.6:output-no"), {"p": 6, "n": 26}
    shown = Session().own(claim, Edition.PRINTED, point, read_semantics("a4")).counterexample
    assert shown is not None
    execution = Execution(readable_instance(claim, Edition.PRINTED, point), read_semantics("a4"))
    y, z = int(shown["y"], 2), int(shown["z"], 2)
    assert fails_at(claim, Edition.PRINTED, point, execution, y, z) == f"the output is {shown['found']}, v <= 0 was claimed"
    assert fails_at(claim, Edition.PRINTED, point, execution, y, y) is None
