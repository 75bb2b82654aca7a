"""Table 7 (linear attention): the engine against the definition, what its errata and promises are needed for, and what judges see of it."""

import pytest

from verifier.arithmetic.semantics import NAMED
from verifier.claims.model import Claim
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Verdict
from verifier.engines.dispatch import decide
from verifier.judges.one_string import Rows
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


@pytest.mark.parametrize("name", ["no-underflow", "no-overflow"])
def test_each_extra_promise_is_needed(name: str) -> None:
    census = decide(Execution(repaired(4, 4, name), A4))
    assert census.smallest is not None
    y, z = (bits_of(x, 8) for x in census.smallest)
    if name == "no-underflow":
        assert y != z
        assert int(y[1:5], 2) < 3, "the exponent is below t − 1"
    else:
        assert y == z
        assert y[1:5] == "1111", "the exponent is 2^e − 1"


NEEDED = [e.name for e in SOURCE.errata.erratum if e.name not in ("t2-flipped-bit", "t2-last-bit")]


@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", NEEDED)
def test_each_erratum_is_needed(name: str) -> None:
    dropped = {name, name.replace("-q-", "-key-")}  # the key of step 4 is repaired in two steps
    instance = repaired(4, 4, *dropped)
    if not instance.defects and not decide(Execution(instance, A4)).failures:
        assert name in ("step-4-q-1", "step-4-key-1", "step-6-key-0"), "only a key beside a value of 0 may do no harm"
        assert Execution(repaired(3, 5, *dropped), A4).assumptions == ("exact-entries",), "the printed key is not a value of (3, 5)"


def test_the_flip_and_the_last_bit_go_together() -> None:
    assert {d.kind for d in repaired(4, 4, "t2-flipped-bit").defects} == {"input-overlap"}
    assert {d.kind for d in repaired(4, 4, "t2-last-bit").defects} == {"input-gap"}
    assert decide(Execution(repaired(4, 4, "t2-flipped-bit", "t2-last-bit"), A4)).failures


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


@pytest.mark.parametrize(("t", "e"), [(3, 3), (3, 4), (4, 3), (4, 4)])
@pytest.mark.parametrize("reading", ["a4", "narrative"])
def test_the_corrected_table_works_in_both_orders_as_the_letter_says(t: int, e: int, reading: str) -> None:
    found = Session().outcome(claim("lemma-c.5"), Edition.REPAIRED, {"t": t, "e": e}, NAMED[reading])[0]
    assert found.verdict is Verdict.VERIFIED
    assert found.witness == "table-7.toml with its errata"


@pytest.mark.parametrize("t", range(3, 12))
def test_the_tuples_for_which_t2_has_room_are_those_of_the_letter(t: int) -> None:
    for e in range(2, 10):
        found = Session().outcome(claim("theorem-c.1:every-n"), Edition.STATEMENT, {"t": t, "e": e}, A4)[0]
        assert (found.verdict is Verdict.VERIFIED) is (e >= t - 3)
