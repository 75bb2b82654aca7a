"""What a proof's steps make of its statement: which of them break it, which are slips, and the line that counts them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from verifier.claims.model import Claim, declined
from verifier.claims.parameters import Parameter
from verifier.claims.proof_steps import Proof, broken_step
from verifier.claims.records import Table
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
    ([("a", HOLDS), ("b", FAILS)], "1 of 2 steps hold, 1 fails; the first that matters: lemma-9:b"),
    ([("a", FAILS), ("b", FAILS)], "0 of 2 steps hold, 2 fail; the first that matters: lemma-9:a"),
    ([("aside", FAILS), ("b", FAILS)], "0 of 2 steps hold, 1 fails, 1 slip; the first that matters: lemma-9:b"),
    ([("b", HOLDS), ("aside", FAILS)], "1 of 2 steps hold, 1 slip; the first that matters: lemma-9:aside"),
    ([("b", HOLDS), ("aside", FAILS), ("aside", FAILS)], "1 of 3 steps hold, 2 slips; the first that matters: lemma-9:aside"),
    ([("a", HOLDS), ("b", BLOCKED), ("c", BLOCKED)], "1 of 3 steps hold, 2 blocked"),
    ([("a", GIVEN[0]), ("b", GIVEN[1])], "0 of 2 steps hold, 2 conditional on a, b, c"),
    ([("a", OPEN), ("b", NOTHING), ("c", BLOCKED), ("d", GIVEN[0])], "0 of 4 steps hold, 1 blocked, 1 conditional on a, b, 2 undecided"),
    ([("a", HOLDS), ("b", OPEN)], "1 of 2 steps hold, 1 undecided"),
]


@pytest.mark.parametrize(("stood", "line"), LINES)
def test_the_line_counts_each_step_once(stood: list[tuple[str, Outcome]], line: str | None) -> None:
    steps = tuple((step(name, "aside" if name == "aside" else "argument"), found) for name, found in stood)
    assert Proof(statement(), steps, 0).line == (line and f"proof: {line}")


@pytest.mark.parametrize(
    ("witness", "fails", "slips"),
    [(True, "a b", 2), (True, "a table", 0), (True, "table a aside", 1), (False, "a b", 0), (False, "aside b", 1)],
)
def test_arguments_are_slips_beside_a_witness_that_stands(witness: bool, fails: str, slips: int) -> None:
    steps = tuple((step(name, "aside" if name == "aside" else "argument"), FAILS) for name in fails.split())
    whole = statement(witness=witness)
    assert Proof(whole, steps, 0).slips == slips
    assert Proof(replace(whole, table=None), steps, 0).slips == (len(steps) if witness else slips), "a witness that no table holds"


def test_steps_stand_by_their_worst_point_and_are_silent_where_they_say_nothing() -> None:
    """Both points of s are asked; what is said from 5 on is not asked at 2; and a result of ours is none of the steps."""
    found = {1: HOLDS, 2: replace(FAILS, reason="first"), 3: replace(FAILS, reason="second")}
    twice = replace(step("twice"), parameters=(Parameter("s", "a number", "s >= 1", "1..3"),))
    steps = (step("a", where="p >= 1"), step("later", where="p >= 5"), step("later-too", where="p >= 6"), step("more", ours=True), twice)

    def judged(asked: Claim, point: Mapping[str, int]) -> Outcome:
        return found[point["s"]] if asked is twice else HOLDS

    proof = Proof.of(statement(*steps), {"p": 2}, judged)
    assert proof.silent == 2
    assert [(s.name, f.reason) for s, f in proof.stood] == [("lemma-9:a", None), ("lemma-9:twice", "first")]


@pytest.mark.parametrize(
    ("found", "reason", "replay"),
    [
        (FAILS, "its argument fails: lemma-9:b: it is 2", ("shown", "--p", "2")),
        (Outcome(Verdict.REFUTED, ONE, counterexample={"k": "1"}), "its argument fails: lemma-9:b", ("toy/lemma-9:b", "2")),
    ],
)
def test_a_statement_is_broken_by_the_first_argument_that_is_refuted(found: Outcome, reason: str, replay: tuple[str, ...]) -> None:
    steps = (step("aside", "aside"), step("more", ours=True), step("later", where="p >= 5"), step("b", where="p >= 1"), step("c"))
    made = Outcome(Verdict.CONDITIONAL, ONE, "a witness", ("a",), failures=0)
    refuted = Outcome(Verdict.REFUTED, ONE, "a witness", reason=reason, counterexample=found.counterexample, replay=replay)
    for some in (steps, steps[:4]):
        broken = broken_step(made, statement(*some), {"p": 2}, lambda asked, point: found, lambda asked, point: (asked.id, str(point["p"])))
        assert broken == refuted
    assert broken_step(made, statement(*steps[:3]), {"p": 2}, lambda asked, point: found, lambda asked, point: ()) is made
    assert broken_step(made, statement(*steps), {"p": 2}, lambda asked, point: OPEN, lambda asked, point: ()) is made
