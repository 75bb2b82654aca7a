"""Table 7 (linear attention): the engine against the definition, what its errata and promises are needed for, and what judges see of it."""

from collections.abc import Mapping

import pytest

from verifier.arithmetic.semantics import NAMED, Semantics, read_semantics
from verifier.claims.model import Claim, Query
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict
from verifier.engines.enumerate import enumerate_pairs
from verifier.judges.editions import readable_instance
from verifier.judges.one_string import Rows
from verifier.language import exact
from verifier.language.definitions import inlined
from verifier.language.exact import Bits
from verifier.language.syntax import parse
from verifier.networks.instance import Instance
from verifier.networks.instantiate import instantiate
from verifier.networks.problems import bits_of
from verifier.transformers.table_traces import evaluate
from verifier.transformers.tables import Execution

A4 = NAMED["a4"]


def claim(name: str) -> Claim:
    return find_claim(f"every-bit-counts/{name}")


TABLE_7 = claim("lemma-c.5:table-7").table
assert TABLE_7 is not None
SOURCE = TABLE_7.source
assert SOURCE.errata is not None


def repaired(t: int, e: int, *without: str) -> Instance:
    return instantiate(SOURCE.repaired(without), {"t": t, "e": e})


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("semantics", "without"), [("a4", ()), ("a4", ("no-overflow",)), ("a4+columns=all+ties=away", ("step-6-value-1",))]
)
def test_the_engine_is_the_definition_on_every_pair(semantics: str, without: tuple[str, ...]) -> None:
    execution = Execution(repaired(3, 3, *without), read_semantics(semantics))
    census = enumerate_pairs(execution)
    problem = execution.instance.problem
    pairs = [(y, z) for y in range(64) for z in range(64) if problem.promised(y, z)]
    runs = [evaluate(execution, y, z) for y, z in pairs]
    wrong = [pair for pair, run in zip(pairs, runs, strict=True) if not run.correct]
    assert (census.cases, census.failures, census.nans) == (len(pairs), len(wrong), sum(run.meets_nan for run in runs))
    assert census.smallest == (wrong[0] if wrong else None)


@pytest.mark.long("3-6", "4-5", "5-4")
@pytest.mark.parametrize(("t", "e"), [(3, 3), (3, 4), (4, 3), (4, 4), (5, 4), (4, 5), (3, 6)])
def test_repaired_it_works_on_its_domain(t: int, e: int) -> None:
    census = enumerate_pairs(Execution(repaired(t, e), A4))
    assert census.cases > 0
    assert census.failures == 0


@pytest.mark.parametrize("name", ["no-underflow", "no-overflow"])
def test_each_extra_promise_is_needed(name: str) -> None:
    census = enumerate_pairs(Execution(repaired(4, 4, name), A4))
    assert census.smallest is not None
    y, z = (bits_of(x, 8) for x in census.smallest)
    if name == "no-underflow":
        assert y != z
        assert int(y[1:5], 2) < 3, "the exponent is below t − 1"
    else:
        assert y == z
        assert y[1:5] == "1111", "the exponent is 2^e − 1"


NEEDED = [e.name for e in SOURCE.errata.erratum if e.name not in ("t2-flipped-bit", "t2-last-bit")]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", NEEDED)
def test_each_erratum_is_needed(name: str) -> None:
    dropped = {name, name.replace("-q-", "-key-")}  # the key of step 4 is repaired in two steps
    instance = repaired(4, 4, *dropped)
    if not instance.defects and not enumerate_pairs(Execution(instance, A4)).failures:
        assert name in ("step-4-q-1", "step-4-key-1", "step-6-key-0"), "only a key beside a value of 0 may do no harm"
        assert Execution(repaired(3, 5, *dropped), A4).assumptions == ("exact-entries",), "the printed key is not a value of (3, 5)"


def test_the_flip_and_the_last_bit_go_together() -> None:
    assert {d.kind for d in repaired(4, 4, "t2-flipped-bit").defects} == {"input-overlap"}
    assert {d.kind for d in repaired(4, 4, "t2-last-bit").defects} == {"input-gap"}
    assert enumerate_pairs(Execution(repaired(4, 4, "t2-flipped-bit", "t2-last-bit"), A4)).failures


@pytest.mark.campaign
def test_printed_it_is_ill_formed() -> None:
    for t in range(1, 7):
        for e in range(2, 7):
            kinds = {d.kind for d in instantiate(SOURCE.file, {"t": t, "e": e}).defects if d.place.startswith("input")}
            assert ("bit-range" in kinds) == (t <= 2), (t, e)
            assert "input-overlap" in kinds
            assert ("input-gap" in kinds) == (t >= 4), (t, e)


@pytest.mark.parametrize("t", [3, 4, 5, 6])
def test_index_ranges_alone_make_it_well_formed_from_t_4_on(t: int) -> None:
    point = {"t": t, "e": 3}
    step = claim("lemma-c.5:after-step-1")
    assert bool(readable_instance(step, Edition.PRINTED, point).defects) == (t < 4), "token 2t − 6 is token 0 at t = 3"
    assert readable_instance(claim("lemma-c.5:table-7"), Edition.PRINTED, point).defects, "its own claim is about what is printed"
    assert not readable_instance(step, Edition.REPAIRED, point).defects


@pytest.mark.campaign
@pytest.mark.parametrize("at", [{"t": 4, "e": 2}, {"t": 4, "e": 3}])
def test_with_its_indices_repaired_its_errors_are_counted_by_answer(at: dict[str, int]) -> None:
    instance = readable_instance(claim("lemma-c.5:after-step-1"), Edition.PRINTED, at)
    execution, problem = Execution(instance, A4), instance.problem
    every = range(1 << instance.m)
    pairs = [(y, z) for y in every for z in every if problem.promised(y, z)]
    wrong = [y == z for y, z in pairs if not evaluate(execution, y, z).correct]
    found = Session().outcome(claim("lemma-c.5:table-7"), Edition.PRINTED, at, A4)[0]
    yes = sum(y == z for y, z in pairs)
    counted = {"YES inputs": yes, "wrong on YES": sum(wrong), "NO inputs": len(pairs) - yes, "wrong on NO": len(wrong) - sum(wrong)}
    assert found.verdict is Verdict.REFUTED
    assert found.values == {k: str(v) for k, v in counted.items()}
    assert Session().outcome(claim("lemma-c.5:table-7"), Edition.PRINTED, {"t": 3, "e": 2}, A4)[0].values is None


@pytest.mark.parametrize("steps", [range(1, 5), range(6, 9)])
def test_sums_of_one_string_are_those_of_the_whole_run(steps: range) -> None:
    execution, string = Execution(repaired(4, 3), A4), "y" if 1 in steps else "z"
    rows = Rows(execution, [t for t in execution.instance.tokens if t.step in steps])
    for x in map(int, execution.instance.problem.occurring(string)):
        run = [s for s in evaluate(execution, x, x).steps if s.token.step in steps]
        if string == "y":
            assert [v for _, v in rows.values("running", x)] == [s.sums[0] for s in run]
            assert [v for _, v in rows.values("numerator", x)] == [run[-1].sums[0]]
        assert [v for _, v in rows.values("weights", x)] == [s.term.weight for s in run]
        assert [v for _, v in rows.values("values", x)] == [sum(t.vectors[t.pattern(x, x, 7)][2] for t in rows.tokens)]  # type: ignore[index, misc]


def truth(owner: str, formula: str, names: Mapping[str, int], **strings: int) -> bool:
    bits = {k: Bits(v, names["t"] + names["e"]) for k, v in strings.items()}
    return exact.truth(inlined(parse(formula), claim(owner).lets), {**names, **bits})


@pytest.mark.campaign
@pytest.mark.parametrize(("t", "e"), [(3, 2), (3, 3), (4, 3)])
def test_the_proof_s_promise_is_that_of_the_table(t: int, e: int) -> None:
    names, problem = {"t": t, "e": e}, instantiate(SOURCE.file, {"t": t, "e": e}).problem
    for y in range(1 << t + e):
        for z in range(1 << t + e):
            assert truth("lemma-c.5", "promised", names, y=y, z=z) == problem.promised(y, z)


@pytest.mark.parametrize(("t", "e"), [(3, 3), (4, 3), (4, 4)])
def test_the_members_counted_after_the_repair_are_alice_s_inputs(t: int, e: int) -> None:
    step = claim("lemma-c.5:tight-after-repair")
    members = str(step.fields["members"])
    counted = [x for x in range(1 << t + e) if truth(step.name, members, {"t": t, "e": e}, x=x)]
    assert counted == [int(y) for y in repaired(t, e).problem.occurring("y")]


class Replies:
    """Answers for every claim by its edition."""

    def __init__(self, **verdicts: Verdict) -> None:
        self.verdicts = verdicts

    def ask(self, claim: str, edition: Edition, parameters: Mapping[str, int], semantics: Semantics) -> Outcome:
        del claim, parameters, semantics
        return Outcome(self.verdicts[edition.value], Scope("said so", 1), reason="said so")


@pytest.mark.parametrize(
    ("lemma", "point", "printed", "wanted"),
    [
        ("lemma-c.5", {"t": 4, "e": 3}, Verdict.VERIFIED, Verdict.VERIFIED),
        ("lemma-c.5", {"t": 4, "e": 3}, Verdict.REFUTED, Verdict.OPEN),
    ],
)
def test_a_table_with_promises_of_ours_is_no_witness(lemma: str, point: dict[str, int], printed: Verdict, wanted: Verdict) -> None:
    found = claim(lemma)
    assert found.judge is not None
    replies = Replies(printed=printed, repaired=Verdict.VERIFIED, statement=Verdict.REFUTED)  # the statement: of other witnesses
    assert found.judge(Query(found, Edition.STATEMENT, point, A4, replies)).verdict is wanted


@pytest.mark.parametrize(
    ("step", "at", "holds"),
    [
        ("case-2", {"t": 4, "e": 3}, lambda y, z: (y[-2:], z[-2:], int(z, 2) - int(y, 2)) == ("00", "11", 3)),
        ("opposite-signs", {"t": 4, "e": 3}, lambda y, z: (y[0], z[0]) == ("0", "1")),
        ("different-exponents", {"t": 4, "e": 3}, lambda y, z: y[0] == z[0] and y[1:4] < z[1:4]),
    ],
)
def test_counterexamples_are_what_the_sentence_speaks_of(step: str, at: dict[str, int], holds) -> None:  # type: ignore[no-untyped-def]
    found = Session().outcome(claim(f"lemma-c.5:{step}"), Edition.PRINTED, at, A4)[0].counterexample
    assert found is not None
    assert holds(found["y"], found["z"])


@pytest.mark.parametrize("lemma", ["lemma-c.4", "lemma-c.5"])
@pytest.mark.parametrize(("t", "e"), [(1, 2), (2, 2), (2, 3), (3, 2)])
def test_where_no_index_repairs_t2_the_lemmas_on_it_are_blocked(lemma: str, t: int, e: int) -> None:
    found = Session().ask(f"every-bit-counts/{lemma}", Edition.STATEMENT, {"t": t, "e": e}, read_semantics("a4"))
    assert (found.verdict is Verdict.DECLINED) is (t < 3)
    assert found.blocked_by == ("every-bit-counts/section-c.1:input-representation" if t < 3 else None)
