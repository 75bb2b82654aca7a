"""Judges of claims without a hypothesis: another network moves the verdict, for the right reason."""

from typing import Any

import pytest

from constructions.fixed_point_networks.judges import networks
from constructions.fixed_point_networks.mathematics.networks.network import separating_sum
from verifier.claims.model import DEFAULT_SEMANTICS
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Verdict


def without(name: str, hypothesis: str, **parameters: int) -> Outcome:
    claim = next(h.claim for h in find_claim(f"fixed-point-networks/{name}").hypotheses if h.name == hypothesis)
    return Session().outcome(claim, Edition.STATEMENT, parameters, DEFAULT_SEMANTICS)[0]


@pytest.mark.parametrize("name", ["lemma-5", "lemma-14"])
def test_another_point_is_refused_without_condition_1_too(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    assert without(name, "condition-1", p=1, s=1, d=1).verdict is Verdict.VERIFIED

    def elsewhere(table: Any, parts: Any, d: int, binary: bool) -> Any:
        return separating_sum(table, [(tuple(-x for x in v), terms) for v, terms in parts], d, binary=binary)

    monkeypatch.setattr(networks, "separating_sum", elsewhere)
    found = without(name, "condition-1", p=1, s=1, d=1)
    assert found.verdict is Verdict.REFUTED
    assert "v" in (found.counterexample or {})


@pytest.mark.parametrize(("hypothesis", "s"), [("condition-1", 1), ("1-in-Q", 2)])
def test_another_target_is_refused_where_theorem_6_does_without(monkeypatch: pytest.MonkeyPatch, hypothesis: str, s: int) -> None:
    assert without("theorem-6", hypothesis, p=1, s=s, d=1).verdict is Verdict.VERIFIED
    build = networks.separating_representator
    monkeypatch.setattr(networks, "separating_representator", lambda table, target, *others: build(table, target[::-1], *others))
    found = without("theorem-6", hypothesis, p=1, s=s, d=1)
    assert found.verdict is Verdict.REFUTED
    assert "target" in (found.counterexample or {})


def test_inputs_that_a_first_layer_does_not_tell_apart_are_the_counterexample(monkeypatch: pytest.MonkeyPatch) -> None:
    assert without("lemma-5", "1-in-Q", p=1, s=2, d=1).verdict is Verdict.VERIFIED
    monkeypatch.setattr(networks, "unseparated", lambda table: (-1, 1))
    found = without("lemma-5", "1-in-Q", p=1, s=2, d=1)
    assert (found.counterexample or {})["not told apart"] == "(-1/2, 1/2)"
