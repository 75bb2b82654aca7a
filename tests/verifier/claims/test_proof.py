"""How the steps of a proof stand, and the line that counts them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from verifier.claims import rules
from verifier.claims.model import Claim, declined
from verifier.claims.parameters import Parameter
from verifier.claims.points import Point
from verifier.claims.records import Table
from verifier.claims.session import Proof
from verifier.claims.verdicts import Outcome, Scope, Verdict

ONE = Scope("one", 1)
HOLDS, FAILS = Outcome(Verdict.VERIFIED, ONE), Outcome(Verdict.REFUTED, ONE, reason="it is 2", replay=("shown", "--p", "2"))
OPEN = Outcome(Verdict.OPEN, ONE)


def step(name: str, role: str = "argument", ours: bool = False, where: str | None = None) -> Claim:
    parameters = () if where is None else (Parameter("p", "a number", where),)
    return Claim(f"toy/lemma-9:{name}", "", "", "", parameters, role=role, ours=ours)  # type: ignore[arg-type]  # one of two words


def statement(*steps: Claim, witness: bool = False) -> Claim:
    return Claim("toy/lemma-9", "", "", "", steps=steps, witness=witness, table=Table("", "t", claim="toy/lemma-9:table"))


@pytest.mark.parametrize(
    ("witness", "fails", "slips"),
    [(True, "a b", 2), (True, "a table", 0), (True, "table a aside", 1), (False, "a b", 0), (False, "aside b", 1)],
)
def test_arguments_are_slips_beside_a_witness_that_stands(witness: bool, fails: str, slips: int) -> None:
    steps = [step(name, "aside" if name == "aside" else "argument") for name in fails.split()]
    assert rules.slips(statement(witness=witness), steps) == slips
    assert rules.slips(replace(statement(witness=witness), table=None), steps) == (len(steps) if witness else slips), "no table holds it"


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
