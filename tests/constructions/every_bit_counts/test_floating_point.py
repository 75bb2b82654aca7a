"""Tables 7 and 8 and the claims of Appendix C: verdicts, counterexamples, and neighbours that are refused."""

from random import Random

import pytest

from constructions.every_bit_counts.chapter import TABLE_7, TABLE_8
from verifier.attention.evaluate import evaluate
from verifier.attention.terms import Reading
from verifier.statements.papers import find_claim
from verifier.statements.session import Session
from verifier.construction.errata import apply
from verifier.construction.indices import index_set
from verifier.construction.instance import Instance
from verifier.construction.instantiate import instantiate
from verifier.engines.enumerate import enumerate_pairs
from verifier.engines.program import NEITHER, Program
from verifier.errors import InputError
from verifier.problems import Problem, bits_of
from verifier.semantics import NAMED, read_semantics
from verifier.verdicts import Edition

A4 = NAMED["a4"]


def repaired_7(t: int, e: int, *without: str) -> Instance:
    return instantiate(TABLE_7.source.repaired(without), {"t": t, "e": e})


def verdicts(claim: str, **parameters: int) -> str:
    session = Session()
    found = [session.finding(find_claim(f"every-bit-counts/{claim}"), edition, parameters, A4)[0] for edition in Edition]
    return " ".join(f.verdict.value for f in found)


@pytest.mark.parametrize(
    ("semantics", "without"), [("a4", ()), ("a4", ("no-overflow",)), ("a4+columns=all+ties=away", ("step-6-value-1",))]
)
def test_the_engine_is_the_definition_on_every_pair_of_table_7(semantics: str, without: tuple[str, ...]) -> None:
    reading = Reading(repaired_7(3, 3, *without), read_semantics(semantics))
    census = enumerate_pairs(reading)
    problem = reading.instance.problem
    pairs = [(y, z) for y in range(64) for z in range(64) if problem.promised(y, z)]
    runs = [evaluate(reading, y, z) for y, z in pairs]
    wrong = [pair for pair, run in zip(pairs, runs, strict=True) if not run.correct]
    assert (census.cases, census.failures, census.nans) == (len(pairs), len(wrong), sum(run.meets_nan for run in runs))
    assert census.smallest == (wrong[0] if wrong else None)


def test_the_engine_is_the_definition_on_samples_of_table_8() -> None:
    for without in ((), ("step-7-value",), ("value-weight",)):
        reading = Reading(instantiate(TABLE_8.source.repaired(without), {"m": 11, "e": 6}), A4)
        census, program, rng = enumerate_pairs(reading), Program(reading), Random(4)
        assert bool(census.failures) == bool(without)
        pairs = [sorted((rng.randrange(2**11 - 64), rng.randrange(2**11 - 64))) for _ in range(40)]
        pairs += [[y, y] for y in range(0, 1900, 100)]
        pairs += [list(census.smallest)] if census.smallest else []
        for y, z in pairs:
            run = evaluate(reading, y, z)
            state = program.lattice.encode(run.attention)
            answer = int(program.answers(state.reshape(1))[0])
            assert (run.decision.answer if run.decision.answer is not None else NEITHER) == (0 if run.meets_nan else answer)
            assert run.correct or census.failures
        assert census.smallest is None or not evaluate(reading, *census.smallest).correct


@pytest.mark.parametrize(("t", "e"), [(3, 3), (3, 4), (4, 3), (4, 4), (5, 4), (4, 5), (3, 6)])
def test_repaired_table_7_is_verified_on_its_domain(t: int, e: int) -> None:
    census = enumerate_pairs(Reading(repaired_7(t, e), A4))
    assert census.cases > 0
    assert census.failures == 0


@pytest.mark.parametrize("name", ["no-underflow", "no-overflow"])
def test_each_extra_promise_is_needed(name: str) -> None:
    census = enumerate_pairs(Reading(repaired_7(4, 4, name), A4))
    assert census.smallest is not None
    y, z = (bits_of(x, 8) for x in census.smallest)
    if name == "no-underflow":
        assert y != z
        assert int(y[1:5], 2) < 3, "the exponent is below t − 1"
    else:
        assert y == z
        assert y[1:5] == "1111", "the exponent is 2^e − 1"


NEEDED_7 = [e.name for e in TABLE_7.source.errata.erratum if e.name not in ("t2-flipped-bit", "t2-last-bit")]  # type: ignore[union-attr]


@pytest.mark.parametrize("name", NEEDED_7)
def test_each_erratum_of_table_7_is_needed(name: str) -> None:
    errata = TABLE_7.source.errata
    assert errata is not None
    dropped = {name, name.replace("-q-", "-key-")}  # the key of step 4 is repaired in two steps
    instance = repaired_7(4, 4, *dropped)
    if not instance.defects and not enumerate_pairs(Reading(instance, A4)).failures:
        assert name in ("step-4-q-1", "step-4-key-1", "step-6-key-0"), "only a key beside a value of 0 may do no harm"
        assert Reading(repaired_7(3, 5, *dropped), A4).assumptions == ("exact-entries",), "the printed key is no value of (3, 5)"


def test_the_flip_and_the_last_bit_go_together() -> None:
    assert {d.kind for d in repaired_7(4, 4, "t2-flipped-bit").defects} == {"input-overlap"}
    assert {d.kind for d in repaired_7(4, 4, "t2-last-bit").defects} == {"input-gap"}
    assert enumerate_pairs(Reading(repaired_7(4, 4, "t2-flipped-bit", "t2-last-bit"), A4)).failures


@pytest.mark.parametrize(("table", "given"), [(TABLE_7, {"t": 4, "e": 3}), (TABLE_8, {"m": 11, "e": 6})])
def test_printed_tables_are_ill_formed(table: type(TABLE_7), given: dict[str, int]) -> None:  # type: ignore[valid-type]
    defects = instantiate(table.source.file, given).defects
    kinds = {d.kind for d in defects}
    assert kinds == ({"input-gap", "input-overlap", "gap"} if table is TABLE_7 else {"bit-range", "not-held"})


def test_t2_reads_bits_that_do_not_exist_just_for_t_up_to_2() -> None:
    for t in range(1, 7):
        for e in range(2, 7):
            kinds = {d.kind for d in instantiate(TABLE_7.source.file, {"t": t, "e": e}).defects if d.place.startswith("input")}
            assert ("bit-range" in kinds) == (t <= 2), (t, e)
            assert "input-overlap" in kinds
            assert ("input-gap" in kinds) == (t >= 4), (t, e)


VERDICTS = [
    ("definition-a.10 --t 3 --e 3", "verified verified verified"),
    ("definition-a.10:zero --t 2 --e 2", "refuted refuted verified"),
    ("definition-a.10:p-bits-per-number --t 1 --e 3", "refuted refuted declined"),
    ("definition-a.10:p-bits-per-number --t 2 --e 3", "verified verified verified"),
    ("theorem-c.1:every-p --p 2", "refuted refuted declined"),
    ("theorem-c.1:every-p --p 3", "verified verified verified"),
    ("theorem-c.1:every-n --t 5 --e 2", "verified verified verified"),
    ("theorem-c.1:every-n --t 6 --e 2", "refuted refuted verified"),
    ("theorem-c.2:attention", "refuted refuted verified"),
    ("theorem-c.2:length --p 1", "verified verified verified"),
    ("theorem-c.2:length --p 2", "refuted refuted verified"),
    ("theorem-c.2:bits --p 4", "refuted refuted verified"),
    ("theorem-c.2:bits-of-lemma --m 15", "refuted refuted verified"),
    ("theorem-c.2:parts --p 5", "verified verified verified"),
    ("theorem-c.2:parts --p 9", "refuted refuted verified"),
    ("section-c.2:bits --m 15", "refuted refuted verified"),
    ("lemma-c.3 --t 3 --e 3", "verified verified verified"),
    ("lemma-c.3 --t 1 --e 2", "refuted refuted refuted"),
    ("lemma-c.3:fooling-set --t 3 --e 3", "verified verified verified"),
    ("lemma-c.3:two-sizes --t 3 --e 3", "refuted refuted verified"),
    ("lemma-c.3:first-size --t 3 --e 3", "verified verified verified"),
    ("lemma-c.3:second-size --t 3 --e 3", "refuted refuted verified"),
    ("lemma-c.3:bits --t 3 --e 2", "refuted refuted verified"),
    ("lemma-c.3:bits --t 3 --e 3", "verified verified verified"),
    ("lemma-c.3:first-halves --t 3 --e 3", "refuted refuted verified"),
    ("lemma-c.4 --t 4 --e 4", "conditional conditional conditional"),
    ("lemma-c.6 --m 11 --e 6", "verified verified verified"),
    ("lemma-c.6:same-proof --m 11 --e 6", "refuted refuted verified"),
    ("lemma-c.7:bits --m 11", "refuted refuted verified"),
    ("lemma-c.7:against-lemma-c.8 --m 11", "refuted refuted verified"),
    ("section-c.1:input-representation --t 4 --e 3", "refuted refuted verified"),
    ("section-c.2:input-representation --m 15 --e 6", "refuted refuted verified"),
    ("lemma-c.5 --t 4 --e 3", "open refuted verified"),
    ("lemma-c.8 --m 11 --e 6", "verified refuted verified"),
    ("lemma-c.5:after-step-1 --t 4 --e 3", "verified refuted verified"),
    ("lemma-c.5:after-step-3 --t 4 --e 3", "refuted refuted verified"),
    ("lemma-c.5:after-step-4 --t 4 --e 3", "verified refuted verified"),
    ("lemma-c.5:steps-6-8-positive --t 4 --e 3", "refuted refuted verified"),
    ("lemma-c.5:linear-weights --t 4 --e 3", "refuted refuted verified"),
    ("lemma-c.5:no-zero-on-the-way --t 4 --e 3", "verified verified verified"),
    ("lemma-c.5:exponent-range --t 3 --e 3", "refuted refuted verified"),
    ("lemma-c.5:rounding-at-step-6 --t 3 --e 3", "refuted refuted verified"),
    ("lemma-c.5:cancellation --t 4", "refuted refuted verified"),
    ("lemma-c.5:case-2 --t 4 --e 3", "refuted refuted verified"),
    ("lemma-c.8:bits-held --m 15 --e 6", "refuted refuted verified"),
    ("lemma-c.8:keys-are-values --m 15 --e 6", "verified verified verified"),
    ("lemma-c.8:keys-are-values --m 15 --e 7", "refuted refuted verified"),
    ("lemma-c.8:step-10 --m 15 --e 6", "refuted refuted verified"),
    ("lemma-c.8:numerator-range --m 15 --e 6", "verified verified verified"),
    ("lemma-c.8:ignored-terms --m 15 --e 6", "refuted refuted verified"),
    ("lemma-c.8:output-twice --m 15 --e 6", "refuted refuted verified"),
    ("lemma-c.8:case-2.1 --m 15 --e 6", "refuted refuted verified"),
    ("lemma-c.8:output --m 11 --e 6", "verified refuted verified"),
]


@pytest.mark.parametrize(("words", "wanted"), VERDICTS)
def test_verdicts(words: str, wanted: str) -> None:
    claim, *options = words.split(" ")
    given = {k.removeprefix("--"): int(v) for k, v in zip(options[::2], options[1::2], strict=True)}
    assert verdicts(claim, **given) == wanted


def test_case_2_fails_where_the_last_two_bits_are_00_and_11() -> None:
    finding, _ = Session().finding(find_claim("every-bit-counts/lemma-c.5:case-2"), Edition.PRINTED, {"t": 4, "e": 3}, A4)
    assert finding.counterexample is not None
    y, z = finding.counterexample["y"], finding.counterexample["z"]
    assert (y[-2:], z[-2:], int(z, 2) - int(y, 2)) == ("00", "11", 3)


@pytest.mark.parametrize(
    ("promise", "length", "fault"),
    [
        ("y < z", 3, "no promise"),
        ("y[0:1] > 0", 3, "bits 1 … 3"),
        ("y[2:4] > 0", 3, "bits 1 … 3"),
        ("y <= z and x[1] > 0", 3, "no promise"),
    ],
)
def test_promises_that_are_refused(promise: str, length: int, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        Problem("EQ", promise, length)


def test_promises_by_their_definition() -> None:
    problem = Problem("EQ", "y <= z and y[2:4] > 0 and y[4:5] != 2 and z[1] == 1", 5)
    pairs = {(y, z) for y in range(32) for z in range(32) if problem.promised(y, z)}
    text = {(y, z): (bits_of(y, 5), bits_of(z, 5)) for y in range(32) for z in range(32)}
    assert pairs == {p for p, (y, z) in text.items() if y <= z and "1" in y[1:4] and y[3:5] != "10" and z[0] == "1"}
    assert set(problem.occurring("y")) == {y for y, _ in pairs}
    assert set(problem.occurring("z")) == {z for _, z in pairs}


def test_a_row_that_needs_bits_of_another_token_is_refused() -> None:
    errata = TABLE_8.source.errata
    assert errata is not None
    entries = [e for e in errata.erratum if e.name != "step-6-value"]
    instance = instantiate(apply(TABLE_8.source.raw, entries, "table-8"), {"m": 11, "e": 6})
    assert [(d.kind, d.place) for d in instance.defects] == [("not-held", "step 6")]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("{2, 4, ..., 8}", (2, 4, 6, 8)), ("{3, 5, ..., 1}", ()), ("[1 : 3] | {7, 9, ..., 11} | 5", (1, 2, 3, 7, 9, 11, 5)), ("[1 : 0]", ())],
)
def test_index_sets(text: str, wanted: tuple[int, ...]) -> None:
    assert index_set(text, {}) == wanted


@pytest.mark.parametrize(
    ("text", "fault"), [("{2, 4, ..., 7}", "do not reach"), ("{4, 2, ..., 0}", "ascend"), ("{1, ..., 5}", "no progression")]
)
def test_index_sets_that_are_refused(text: str, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        index_set(text, {})
