"""``--timeout SECONDS``: a command ends when the time is over, with what is decided so far, a line that says so, and status 3."""

from __future__ import annotations

import signal
import time
from collections.abc import Mapping
from typing import Any

import pytest

from tests.command_line import CommandLine
from verifier.claims import for_all
from verifier.claims.model import Claim, declined
from verifier.claims.papers import find_paper
from verifier.claims.points import Point
from verifier.claims.questions import Inquiry
from verifier.claims.session import Session
from verifier.claims.verdicts import Outcome
from verifier.running.limits import CLOCK, OutOfTime

WORK = 3.0
"""Seconds of processor after which a command with a bound of half a second has to be over, imports and the last claim included."""


OVER = "not decided in 0.5 s; a longer --timeout lifts the limit"


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("words", "small", "large", "said"),
    [
        ("every-bit-counts/lemma-2.6:table-6 --edition printed --p", "3", "24", OVER),
        ("every-bit-counts/lemma-2.6 --p", "3..4", "18..24", "p=18..24 verified declined verified"),
        ("gallery/parity --n", "1..2", "1..30", OVER),
        ("precision gallery/parity --arithmetic float32 --limit 99999999999 --n", "1..2", "1..30", OVER),
    ],
)
def test_a_command_ends_when_the_time_is_over(verify: CommandLine, words: str, small: str, large: str, said: str) -> None:
    assert verify(words, small).err == "", "and now all that it imports is there"
    begun = time.process_time()
    done = verify(words, large, "--timeout 0.5")
    assert time.process_time() - begun < WORK
    assert said in " ".join(done.out.split())
    assert (done.status, done.err) == (3, "verify: stopped after 0.5 s with what is decided; a longer --timeout lifts the limit\n")


def test_a_proof_for_all_parameters_that_takes_too_long_takes_no_other_claim_along(
    verify: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = for_all.for_all

    def slow(asking: Any, point: Point, *given: Any) -> Any:
        if point.claim.name == "equation-2":
            CLOCK.over = True
            raise OutOfTime
        return real(asking, point, *given)

    monkeypatch.setattr(for_all, "for_all", slow)
    done = verify("piecewise-affine/equation-1 piecewise-affine/equation-2 --n all --edition statement --format json --timeout 100")
    found = {each["claim"].partition("/")[2]: each["verdict"] for each in done.document["results"]}
    assert (found["equation-1"], found["equation-2"]) != ("declined", "declined"), done.out
    assert found["equation-2"] == "declined"


def test_what_is_decided_of_a_network_counts_whole_lengths_only(verify: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time is over among the inputs of length 3: those of lengths 1 and 2 are what is said to be decided."""
    from verifier.transformers import expectations

    judged = []
    real = expectations._judge

    def slow(*given: object) -> None:
        judged.append(given)
        if len(judged) == 9:
            CLOCK.over = True
            raise OutOfTime
        real(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(expectations, "_judge", slow)
    found = verify("gallery/parity --n 1..5 --timeout 100")
    assert found.status == 3
    marks = found.out[found.out.index("network/parity:marks") :]
    assert "all 6 inputs with n = 1 .. 2" in marks
    assert "no input with n = 3 .. 5" in marks


def test_the_statements_of_a_paper_come_one_by_one(verify: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time is over at the fifth statement: the first one is on the screen."""
    paper, real = find_paper("piecewise-affine"), Session.result
    assert paper is not None

    def result(session: Session, point: Point, *given: Any) -> Any:
        if point.claim.name == paper.order[4]:
            raise OutOfTime
        return real(session, point, *given)

    monkeypatch.setattr(Session, "result", result)
    done = verify("piecewise-affine --timeout 100")
    assert any(line.split()[:3] == [paper.order[0], "refuted", "refuted"] for line in done.out.splitlines()), done.out
    assert (done.status, done.err) == (3, "verify: stopped: not decided in 100 s; a longer --timeout lifts the limit\n")


def test_a_smallest_case_below_which_the_time_was_over_is_not_told(verify: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Inquiry._judged

    def judged(inquiry: Inquiry, claim: Claim, point: Mapping[str, int]) -> Outcome:
        if point["p"] > 1:
            return real(inquiry, claim, point)
        CLOCK.over = True
        return declined(CLOCK.told(), out_of_reach=True)

    monkeypatch.setattr(Inquiry, "_judged", judged)
    done = verify("show lemma-2.6 --questions --timeout 100")
    assert done.status == 3
    said = " ".join(done.out.split())
    assert "smallest case where it applies? not answered from p = 1, n = 6 on: not decided in 100 s" in said


@pytest.mark.parametrize("words", ["list", "list nobody"])
def test_nothing_rings_once_a_command_has_ended(verify: CommandLine, words: str) -> None:
    """While an interpreter ends, an alarm would kill it."""
    verify(f"{words} --timeout 100")
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_the_next_command_has_no_bound(verify: CommandLine) -> None:
    assert verify("gallery/parity --n 1..30 --timeout 0.1").status == 3
    assert (verify("gallery/parity --n 1..3").status, CLOCK.seconds, CLOCK.over) == (0, None, False)
