"""How the steps of a proof stand, and the line that counts them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from verifier.claims.model import Claim, declined
from verifier.claims.parameters import Parameter
from verifier.claims.points import Point
from verifier.claims.records import Table
from verifier.claims.session import Proof
from verifier.claims.verdicts import Outcome, Scope, Verdict

ONE = Scope("one", 1)
HOLDS, FAILS = Outcome(Verdict.VERIFIED, ONE), Outcome(Verdict.REFUTED, ONE, reason="it is 2", replay=("shown", "--p", "2"))
GIVEN = Outcome(Verdict.CONDITIONAL, ONE, assumptions=("a", "b")), Outcome(Verdict.CONDITIONAL, ONE, assumptions=("b", "c"))
OPEN, BLOCKED, NOTHING = Outcome(Verdict.OPEN, ONE), declined("ill-formed", blocked_by="toy/table"), declined("nothing is said")


def step(name: str, role: str = "argument", ours: bool = False, where: str | None = None) -> Claim:
    parameters = () if where is None else (Parameter("p", "a number", where),)
    return Claim(f"toy/lemma-9:{name}", "", "", "", parameters, role=role, ours=ours)  # type: ignore[arg-type]  # one of two words


def statement(*steps: Claim, witness: bool = False) -> Claim:
    return Claim("toy/lemma-9", "", "", "", steps=steps, witness=witness, table=Table("", "t", claim="toy/lemma-9:table"))


LINES = [
    ([], None),
    ([("a", HOLDS)], "1 of 1 steps hold"),
    ([("a", HOLDS), ("b", FAILS)], "1 of 2 steps hold, 1 fails; start with lemma-9:b"),
    ([("a", FAILS), ("b", FAILS)], "0 of 2 steps hold, 2 fail; start with lemma-9:a"),
    (
        [("aside", FAILS), ("b", FAILS)],
        "0 of 2 steps hold, 1 fails, 1 more fails but nothing rests on it; start with lemma-9:b",
    ),
    ([("b", HOLDS), ("aside", FAILS)], "1 of 2 steps hold, 1 fails but nothing rests on it"),
    ([("b", HOLDS), ("aside", FAILS), ("aside", FAILS)], "1 of 3 steps hold, 2 fail but nothing rests on them"),
    ([("a", HOLDS), ("b", BLOCKED), ("c", BLOCKED)], "1 of 3 steps hold, 2 blocked"),
    ([("a", GIVEN[0]), ("b", GIVEN[1])], "0 of 2 steps hold, 2 conditional on a, b, c"),
    (
        [("a", OPEN), ("b", NOTHING), ("c", BLOCKED), ("d", GIVEN[0])],
        "0 of 4 steps hold, 1 blocked, 1 conditional on a, b, 2 undecided: a, b",
    ),
    ([("a", HOLDS), ("b", OPEN)], "1 of 2 steps hold, 1 undecided: b"),
    ([(name, OPEN) for name in "abcde"], "0 of 5 steps hold, 5 undecided: a, b, c and 2 more"),
]


@pytest.mark.parametrize(("stood", "line"), LINES)
def test_the_line_counts_each_step_once(stood: list[tuple[str, Outcome]], line: str | None) -> None:
    steps = tuple((step(name, "aside" if name == "aside" else "argument"), found) for name, found in stood)
    assert Proof(statement(), steps).line == (line and f"proof: {line}")


def test_only_steps_that_the_limit_leaves_undecided_name_it() -> None:
    """A sample stays open, however many states there may be."""
    steps = (step("a"), OPEN), (step("b"), declined("too many", out_of_reach=True)), (step("c"), HOLDS)
    limited = "1 undecided within 16 states a step: b (--steps judges with --limit)"
    assert Proof(statement(), steps, 16).line == f"proof: 1 of 3 steps hold, 1 undecided: a, {limited}"
    assert Proof(statement(), steps).line == "proof: 1 of 3 steps hold, 2 undecided: a, b"


def test_steps_stand_by_their_worst_point_and_are_left_out_where_they_say_nothing() -> None:
    """Both points of s are asked; what is said from 5 on is not asked at 2; and a result of ours is none of the steps."""
    found = {1: HOLDS, 2: replace(FAILS, reason="first"), 3: replace(FAILS, reason="second")}
    twice = replace(step("twice"), parameters=(Parameter("s", "a number", "s >= 1", "1..3"),))
    steps = (step("a", where="p >= 1"), step("later", where="p >= 5"), step("later-too", where="p >= 6"), step("more", ours=True), twice)

    def judged(at: Point) -> Outcome:
        return found[at.values["s"]] if at.claim is twice else HOLDS

    proof = Proof.of(Point(statement(*steps), {"p": 2}, None), judged)
    assert [(s.name, f.reason) for s, f in proof.stood] == [("lemma-9:a", None), ("lemma-9:twice", "first")]
