"""Claims about tables: how many of each kind of input a table gets wrong, and what a scope counts, each against a count of its own.

And what holds where the precision lacks an entry or an assumption has no leave.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tests.artificial import KINDS, combines, random_reading
from tests.tables import table
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.model import DEFAULT_SEMANTICS, Claim, Query
from verifier.claims.papers import find_claim
from verifier.claims.records import Table
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict
from verifier.engines.dispatch import decide
from verifier.engines.failure_counts import Census
from verifier.errata.by_name import Only
from verifier.judges import one_string, output, partial_sum, tables
from verifier.judges.editions import with_indices_repaired
from verifier.judges.fields import OneString, Output, PartialSum
from verifier.judges.tables import by_answer, judge_table
from verifier.judges.wording import held
from verifier.networks.instantiate import instantiate
from verifier.transformers.table_traces import evaluate
from verifier.transformers.tables import Execution


def the_table(claim: Claim) -> Table:
    assert claim.table is not None
    return claim.table


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", KINDS)
def test_wrong_inputs_are_counted_by_the_answer_that_is_right(kind: str) -> None:
    rng, seen = Random(kind), set()
    for _ in range(6):
        execution = random_reading(kind, rng)
        if not combines(execution) or execution.instance.m > 4:
            continue
        every = range(1 << execution.instance.m)
        traces = [evaluate(execution, y, z) for y in every for z in every if execution.instance.problem.promised(y, z)]
        yes, no = ([t for t in traces if t.expected == answer] for answer in (1, 0))
        expected = (len(yes), sum(not t.correct for t in yes), len(no), sum(not t.correct for t in no))
        assert by_answer(decide(execution, "enumerate", 1 << 20)) == expected
        seen.add(expected)
    assert len(seen) > 1


STEP_6 = "lemma-2.3:numerator-step-6"
MENDED = "table-5.toml with its errata"


@pytest.mark.parametrize(
    ("judge", "fields"),
    [
        (output.judge, Output(is_="1")),
        (partial_sum.judge, PartialSum("numerator", "1", "1 : 1", is_="1")),
        (one_string.judge, OneString("numerator", "1", "y", is_="1")),
    ],
)
@pytest.mark.parametrize("owner", ["every-bit-counts/lemma-2.3:table-5", None])
def test_whatever_is_claimed_about_an_ill_formed_table_is_blocked(
    judge: Callable[[Query, Any], Outcome], fields: object, owner: str | None
) -> None:
    """By the table's own claim, or where it has none by this one."""
    claim = find_claim(f"every-bit-counts/{STEP_6}")
    claim = replace(claim, table=replace(the_table(claim), claim=owner))
    found = judge(Query(claim, Edition.PRINTED, claim.complete({"p": 6}), DEFAULT_SEMANTICS, Session()), fields)
    assert found.blocked_by == (owner or claim.id)


@pytest.mark.parametrize(
    ("name", "edition", "point", "reason"),
    [
        ("lemma-2.6:denominator-first", Edition.PRINTED, {"p": 2, "n": 14}, "p = 2 is outside p >= 3"),
        ("lemma-2.3:table-5", Edition.REPAIRED, {"p": 7, "n": 30}, "outside the errata's domain p >= 8: "),
    ],
)
@pytest.mark.parametrize("judge", [judge_table, lambda query: partial_sum.judge(query, PartialSum("numerator", "1", "1 : 1", is_="1"))])
def test_outside_the_domain_of_a_table_or_its_errata_it_is_declined(
    judge: Callable[[Query], Outcome], name: str, edition: Edition, point: dict[str, int], reason: str
) -> None:
    found = judge(Query(find_claim(f"every-bit-counts/{name}"), edition, point, DEFAULT_SEMANTICS, Session()))
    assert (found.verdict, str(found.reason).startswith(reason)) == (Verdict.DECLINED, True)


@pytest.mark.parametrize("edition", [Edition.PRINTED, Edition.REPAIRED])
def test_only_of_the_printed_table_it_is_said_what_repaired_indices_make_of_it(edition: Edition, monkeypatch: pytest.MonkeyPatch) -> None:
    """All errata left out, the repaired table is the printed one."""
    claim = find_claim("every-bit-counts/lemma-2.3:table-5")
    table = the_table(claim)
    claim = replace(claim, table=replace(table, without=tuple(table.source.names)))
    monkeypatch.setattr(tables, "decide", lambda execution, method, limit: Census(32_048, 3, 0, None, method, 2048, 1))
    found = judge_table(Query(claim, edition, claim.complete({"p": 8}), DEFAULT_SEMANTICS, Session()))
    said = "wrong on 1 of 2,048 YES and 2 of 30,000 NO inputs" in str(found.reason)
    assert (found.verdict, said) == (Verdict.REFUTED, edition is Edition.PRINTED)
    counts = {"YES inputs": "2048", "wrong on YES": "1", "NO inputs": "30000", "wrong on NO": "2"}
    assert found.values == (counts if said else None)


@pytest.mark.parametrize(("some", "witness"), [(True, f"{MENDED}, but for its indices"), (False, MENDED)])
def test_errata_that_leave_the_indices_as_they_are_do_not_block_claims(some: bool, witness: str) -> None:
    claim = find_claim(f"every-bit-counts/{STEP_6}")
    session = Session(only=Only(frozenset({"table-5/mlp-bias-1"}))) if some else Session()
    found, _ = session.outcome(claim, Edition.REPAIRED, claim.complete({"p": 8}), DEFAULT_SEMANTICS)
    assert (found.blocked_by, found.witness) == (None, witness)


@pytest.mark.parametrize(("owner", "blocked"), [("every-bit-counts/lemma-2.3:table-5", False), (None, False), ("another/claim", True)])
def test_an_ill_formed_table_is_refuted_by_its_own_claim_only(owner: str | None, blocked: bool) -> None:
    claim = find_claim("every-bit-counts/lemma-2.3:table-5")
    asked = replace(claim, table=replace(the_table(claim), claim=owner))
    found = judge_table(Query(asked, Edition.PRINTED, claim.complete({"p": 6}), DEFAULT_SEMANTICS, Session()))
    assert (found.verdict, found.blocked_by) == ((Verdict.DECLINED, owner) if blocked else (Verdict.REFUTED, None))


def test_with_its_indices_repaired_a_printed_table_keeps_its_other_mistakes() -> None:
    claim = find_claim(f"every-bit-counts/{STEP_6}")
    point = claim.complete({"p": 7})
    ranged, repaired = with_indices_repaired(claim, point), with_indices_repaired(claim, point, Edition.REPAIRED)
    file = the_table(claim).source.with_ranges()
    assert ranged is not None
    assert repaired is not None
    assert file is not None
    made = instantiate(file, {k: v for k, v in point.items() if k in file.parameters})
    assert (ranged.tokens, ranged.hidden, ranged.output) == (made.tokens, made.hidden, made.output)
    assert (ranged.tokens, ranged.hidden, ranged.output) != (repaired.tokens, repaired.hidden, repaired.output)


@pytest.mark.parametrize("bits", [3, 2])
@pytest.mark.parametrize("permitted", [True, False])
def test_what_holds_is_conditional_on_what_the_attention_assumes_without_leave(bits: int, permitted: bool) -> None:
    """With 3 bits the table has all its entries, with 2 it lacks the key -2 of step 4."""
    instance = instantiate(table("witness-t1", errata=False).source.file, {"p": 3})
    semantics = read_semantics("a4") if permitted else replace(read_semantics("a4"), permits=frozenset())
    found = held(Execution(replace(instance, precision=bits), semantics), Scope("all", 1), "a table")
    assumed = {"ideal-ln2"} - semantics.permits | ({"exact-entries"} if bits < 3 else set())
    assert (found.failures, found.witness, {*found.assumptions}) == (0, "a table", assumed)
    assert found.verdict is (Verdict.CONDITIONAL if assumed else Verdict.VERIFIED)
    assert ("step 4" in str(found.reason)) is (bits < 3)
    assert (found.reason is None) is (bits == 3)
