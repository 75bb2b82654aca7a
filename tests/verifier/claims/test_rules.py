"""The rules, each with its cases: outcomes in, an outcome out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from verifier.claims import rules
from verifier.claims.judge_names import NamedJudge
from verifier.claims.model import Claim
from verifier.claims.parameters import ALL, Parameter
from verifier.claims.points import Point
from verifier.claims.records import Part, Table
from verifier.claims.rules import declined
from verifier.claims.verdicts import IN_WORDS, Edition, Outcome, Scope, Verdict
from verifier.judges.fields import Formula

ONE = Scope("one", 1)
HOLDS, OPEN = Outcome(Verdict.VERIFIED, ONE), Outcome(Verdict.OPEN, ONE)
FAILS = Outcome(Verdict.REFUTED, ONE, reason="it is 2", counterexample={"k": "1"}, replay=("shown", "--p", "2"))
GIVEN, MORE = (Outcome(Verdict.CONDITIONAL, ONE, assumptions=names) for names in (("a", "b"), ("b", "c")))
NOTHING, LIMITED = declined("nothing is said"), declined("too much: --limit lifts it", out_of_reach=True)
BLOCKED = declined("ill-formed", blocked_by="toy/table-1")
STATEMENT, PRINTED, REPAIRED = Edition


def claim(name: str = "lemma-1", **fields: object) -> Claim:
    return Claim(f"toy/{name}", "", "", "", **fields)  # type: ignore[arg-type]  # fields of a claim


def judge(query: object) -> Outcome:
    raise AssertionError("a rule judges nothing")


def at(asked: Claim, outside: str | None = None, **values: int) -> Point:
    return Point(asked, values, outside)


P = Parameter("p", "a number", "p >= 1", meant="p >= 2")
SMALLER = claim(parameters=(replace(P, where="p >= 3"),))


@pytest.mark.parametrize(
    ("p", "edition", "reason"),
    [
        (0, STATEMENT, "p = 0 is outside the claim's domain, p >= 1"),
        (0, REPAIRED, "p = 0 is outside the claim's domain, p >= 1"),
        (1, PRINTED, None),
        (1, REPAIRED, "p = 1 is outside the repaired domain, p >= 3"),
        (3, REPAIRED, None),
    ],
)
def test_outside_the_domain(p: int, edition: Edition, reason: str | None) -> None:
    assert rules.outside(Point.of(claim(parameters=(P,), repaired=SMALLER), {"p": p}), edition) == reason


@pytest.mark.parametrize(
    ("parts", "verdict", "reason", "more"),
    [
        ([], Verdict.DECLINED, "none of its parts says anything here", {}),
        ([HOLDS, HOLDS], Verdict.VERIFIED, None, {}),
        ([HOLDS, GIVEN, MORE], Verdict.CONDITIONAL, "conditional: lemma-1, lemma-2", {"assumptions": ("a", "b", "c")}),
        ([GIVEN, OPEN], Verdict.OPEN, "open: lemma-1", {"assumptions": ()}),
        ([OPEN, NOTHING], Verdict.DECLINED, "declined: lemma-1", {"out_of_reach": False}),
        ([NOTHING, LIMITED], Verdict.DECLINED, "declined: lemma-0, lemma-1", {"out_of_reach": True}),
        ([HOLDS, BLOCKED], Verdict.DECLINED, "declined: lemma-1", {"blocked_by": "toy/table-1"}),
        ([BLOCKED, LIMITED, FAILS], Verdict.REFUTED, "refuted: lemma-2", {"blocked_by": None, "out_of_reach": False}),
        ([FAILS, replace(FAILS, replay=("later",))], Verdict.REFUTED, "refuted: lemma-0, lemma-1", {"replay": ("shown", "--p", "2")}),
    ],
)
def test_a_claim_of_parts_has_their_worst_verdict(
    parts: list[Outcome], verdict: Verdict, reason: str | None, more: dict[str, object]
) -> None:
    made = rules.composed([(claim(f"lemma-{k}"), outcome) for k, outcome in enumerate(parts)])
    assert (made.verdict, made.reason) == (verdict, reason)
    assert {name: getattr(made, name) for name in more} == more
    assert made.parts == tuple(f"toy/lemma-{k}" for k in range(len(parts)))


PRINTED_PROMISE, NARROWER = {"promise": "y <= z"}, {"promise": "y <= z and y[1 : 2] > 0"}


@pytest.mark.parametrize(
    ("first", "second", "verdict"),
    [
        (PRINTED_PROMISE, PRINTED_PROMISE, Verdict.VERIFIED),
        (PRINTED_PROMISE, {}, Verdict.VERIFIED),
        (PRINTED_PROMISE, {"format": "fixed point"}, Verdict.VERIFIED),
        (PRINTED_PROMISE, NARROWER, Verdict.OPEN),
        ({"representation": "T0"}, {"representation": "T1"}, Verdict.OPEN),
        ({"format": "fixed point"}, {"format": "floating point"}, Verdict.OPEN),
    ],
)
def test_parts_that_speak_of_different_things_leave_a_claim_open(first: dict[str, str], second: dict[str, str], verdict: Verdict) -> None:
    parts = [(claim(f"lemma-{k}"), replace(HOLDS, speaks_of=about)) for k, about in enumerate((first, second))]
    made = rules.composed(parts)
    assert made.verdict is verdict
    if verdict is Verdict.VERIFIED:
        assert made.speaks_of == first | second
    else:
        assert made.reason == f"its parts do not share a {next(iter(first))}: that of lemma-0 is not that of lemma-1"
    assert rules.composed([*parts, (claim("lemma-2"), FAILS)]).verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    ("exists", "speaks_of", "edition", "verdict"),
    [
        ("representation", {"representation": "T1"}, STATEMENT, Verdict.OPEN),
        ("representation", {"representation": "T1"}, PRINTED, Verdict.REFUTED),
        ("representation", {}, STATEMENT, Verdict.REFUTED),
        ("", {"representation": "T1"}, STATEMENT, Verdict.REFUTED),
    ],
)
def test_one_that_fails_does_not_refute_that_there_is_one(
    exists: str, speaks_of: dict[str, str], edition: Edition, verdict: Verdict
) -> None:
    made = rules.composed([(claim("lemma-1"), replace(FAILS, speaks_of=speaks_of))])
    assert rules.on_existence(made, claim(exists=exists), edition).verdict is verdict


@pytest.mark.parametrize(
    ("part", "verdict"), [("lemma-1:room", Verdict.OPEN), ("lemma-2:room", Verdict.REFUTED)], ids=["its own proof", "another's"]
)
def test_a_step_of_the_proof_speaks_of_the_proof_s_one(part: str, verdict: Verdict) -> None:
    """That there is no room for T2 does not refute that there is a representation."""
    parts = [(claim(part), FAILS), (claim("lemma-3"), replace(FAILS, speaks_of={"representation": "T2"}))]
    found = rules.on_existence(rules.composed(parts), claim("lemma-1", exists="representation"), STATEMENT, parts)
    assert found.verdict is verdict


@pytest.mark.parametrize(("made", "verdict"), [(HOLDS, Verdict.OPEN), (FAILS, Verdict.REFUTED), (GIVEN, Verdict.CONDITIONAL)])
def test_a_sample_refutes_and_never_verifies(made: Outcome, verdict: Verdict) -> None:
    assert rules.on_sample(made, at(claim()), STATEMENT) is made
    told = replace(made, scope=replace(ONE, sample_of="every real x"))
    for asked, found in ((at(claim(sample="every real x")), made), (at(claim()), told)):
        sampled = rules.on_sample(found, asked, STATEMENT)
        assert (sampled.verdict, sampled.scope) == (verdict, found.scope)
        assert verdict is not Verdict.OPEN or "every real x" in str(sampled.reason)


def test_what_the_whole_sentence_follows_from_is_no_sample() -> None:
    by_kernel, by_symbols = (replace(HOLDS, scope=replace(ONE, method=method)) for method in ("kernel", "symbolic"))
    assert rules.on_sample(by_kernel, at(claim(sample="every real x")), STATEMENT) is by_kernel
    of_a_paper = NamedJudge("constructions.fixed_point_networks.judges.activations:rounded_apart", {})
    assert rules.on_sample(by_symbols, at(claim(sample="every real x", judge=of_a_paper)), STATEMENT) is by_symbols
    of_the_core = NamedJudge("verifier.judges.formula:judge", {}, Formula)  # a formula speaks of the cases that it ranges over
    assert rules.on_sample(by_symbols, at(claim(sample="every real x", judge=of_the_core)), STATEMENT).verdict is Verdict.OPEN


@pytest.mark.parametrize(("made", "verdict"), [(HOLDS, Verdict.CONDITIONAL), (FAILS, Verdict.REFUTED), (OPEN, Verdict.OPEN)])
def test_what_is_verified_beside_words_is_conditional_on_them(made: Outcome, verdict: Verdict) -> None:
    assert rules.on_words(made, claim()) is made
    found = rules.on_words(made, claim(words=True))
    assert (found.verdict, found.assumptions) == (verdict, (IN_WORDS,) if verdict is Verdict.CONDITIONAL else ())


def test_a_theorem_of_a_kernel_is_not_conditional_on_words() -> None:
    by_kernel, by_symbols = (replace(HOLDS, scope=replace(ONE, method=method)) for method in ("kernel", "symbolic"))
    assert rules.on_words(by_kernel, claim(words=True)) is by_kernel
    assert rules.on_words(by_symbols, claim(words=True)).verdict is Verdict.CONDITIONAL


def test_a_value_of_a_parameter_of_our_family_is_a_sample() -> None:
    asked = claim(parameters=(Parameter("v", "greatest numerator", "v >= 1", family=True),))
    assert rules.on_sample(HOLDS, at(asked, v=2), STATEMENT).verdict is Verdict.OPEN
    assert rules.on_sample(HOLDS, at(asked, v=ALL), STATEMENT) is HOLDS


@pytest.mark.parametrize(
    ("decided", "reason"),
    [
        ([], None),
        ([HOLDS, OPEN], None),
        ([GIVEN, BLOCKED], None),
        ([NOTHING], None),
        ([HOLDS, FAILS], "rests on b, which lemma-1 --p 2 refutes"),
        ([LIMITED], "rests on a, which lemma-0 --p 2 has to establish and does not: too much: --limit lifts it"),
        ([LIMITED, FAILS], "rests on b, which lemma-1 --p 2 refutes"),
    ],
)
def test_an_assumption_that_is_refuted_or_out_of_reach_leaves_a_claim_open(decided: list[Outcome], reason: str | None) -> None:
    made = replace(GIVEN, values={"n": "1"}, parts=("toy/lemma-7",))
    found = rules.on_assumptions(made, (("ab"[k], at(claim(f"lemma-{k}"), p=2), each) for k, each in enumerate(decided)))
    if reason is None:
        assert found is made
    else:
        assert found == Outcome(Verdict.OPEN, ONE, reason=reason, values=made.values, parts=made.parts)


@pytest.mark.parametrize(
    ("fields", "made", "edition", "p", "rests"),
    [
        ({"judge": judge}, HOLDS, PRINTED, 2, True),
        ({"judge": judge}, GIVEN, REPAIRED, 2, True),
        ({"parts": (Part("toy/lemma-2"),)}, OPEN, PRINTED, 2, True),
        ({"judge": judge}, HOLDS, STATEMENT, 2, False),
        ({"judge": judge}, FAILS, PRINTED, 2, False),
        ({"judge": judge}, NOTHING, PRINTED, 2, False),
        ({"judge": judge}, HOLDS, PRINTED, ALL, False),
        ({"judge": judge, "witness": True}, HOLDS, PRINTED, 2, False),
        ({}, HOLDS, PRINTED, 2, False),
    ],
)
def test_what_rests_on_its_steps(fields: dict[str, object], made: Outcome, edition: Edition, p: int, rests: bool) -> None:
    assert rules.rests_on_steps(made, at(claim(**fields), p=p), edition) is rests


def step(name: str, role: str = "argument", ours: bool = False) -> Claim:
    return claim(f"lemma-1:{name}", role=role, ours=ours)


@pytest.mark.parametrize(
    ("found", "reason", "replay"),
    [
        (FAILS, "its argument fails: lemma-1:b: it is 2", ("shown", "--p", "2")),
        (replace(FAILS, reason=None, replay=None), "its argument fails: lemma-1:b", ("lemma-1:b", "again")),
    ],
)
def test_a_claim_is_refuted_by_the_first_argument_that_is(found: Outcome, reason: str, replay: tuple[str, ...]) -> None:
    made = replace(GIVEN, witness="a witness", failures=0)
    later = replace(FAILS, reason="never read")

    def judged(*outcomes: Outcome) -> Iterator[tuple[Point, Outcome, tuple[str, ...]]]:
        for name, outcome in zip("abc", outcomes, strict=False):
            assert outcome is not later, "no step after the first refuted one is judged"
            yield at(step(name), p=2), outcome, (f"lemma-1:{name}", "again")

    refuted = Outcome(Verdict.REFUTED, ONE, "a witness", reason=reason, counterexample={"k": "1"}, replay=replay, felled_by="toy/lemma-1:b")
    assert rules.on_steps(made, judged(OPEN, found, later)) == refuted
    assert rules.on_steps(made, judged(OPEN, LIMITED, BLOCKED)) is made


@pytest.mark.parametrize(
    ("witness", "fails", "slips"),
    [(True, "a b", 2), (True, "a table", 0), (True, "table a aside", 1), (False, "a b", 0), (False, "aside b", 1)],
)
def test_arguments_are_slips_beside_a_witness_that_stands(witness: bool, fails: str, slips: int) -> None:
    whole = claim(witness=witness, table=Table("", "t", claim="toy/lemma-1:table"))
    steps = [step(name, "aside" if name == "aside" else "argument") for name in fails.split()]
    assert rules.slips(whole, steps) == slips
    assert rules.slips(replace(whole, table=None), steps) == (len(steps) if witness else slips), "a witness that no table holds"


EDGE = "degenerate case: the authors intend p >= 2"


@pytest.mark.parametrize(
    ("made", "p", "reason"),
    [
        (FAILS, 1, f"it is 2; {EDGE}"),
        (replace(FAILS, reason=None), 1, EDGE),
        (replace(FAILS, reason=f"refuted: lemma-1; {EDGE}", degenerate="the authors intend p >= 2"), 1, f"refuted: lemma-1; {EDGE}"),
        (FAILS, 2, "it is 2"),
        (FAILS, ALL, "it is 2"),
        (OPEN, 1, None),
    ],
)
def test_a_refutation_outside_what_is_meant_is_an_edge(made: Outcome, p: int, reason: str | None) -> None:
    assert rules.on_meant_domain(made, at(claim(parameters=(P,)), p=p)).reason == reason
