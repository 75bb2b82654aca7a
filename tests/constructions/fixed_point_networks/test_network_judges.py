"""What the judges of networks judge, changed: another network, activation or set moves the verdict, for the right reason."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from constructions.fixed_point_networks.judges import networks
from constructions.fixed_point_networks.mathematics.networks.network import Neuron, indicator_network
from constructions.fixed_point_networks.mathematics.networks.without_hypotheses import separating_sum
from constructions.fixed_point_networks.mathematics.sets import Sums
from tests.outcomes import outcome
from verifier.claims.model import DEFAULT_SEMANTICS
from verifier.claims.papers import find_claim
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Verdict

judged = partial(outcome, "fixed-point-networks", theorems=False)


def without(name: str, hypothesis: str, **parameters: int) -> Outcome:
    claim = next(h.claim for h in find_claim(f"fixed-point-networks/{name}").hypotheses if h.name == hypothesis)
    return Session().outcome(claim, Edition.STATEMENT, parameters, DEFAULT_SEMANTICS)[0]


def with_last_bias(build: Callable[..., Any]) -> Callable[..., Any]:
    """The network with 1/s more on its first output."""

    def changed(*arguments: Any, **others: Any) -> Any:
        network = build(*arguments, **others)
        first, *rest = network.layers[-1]
        return replace(network, layers=(*network.layers[:-1], (Neuron(first.inputs, first.weights, first.bias + 1), *rest)))

    return changed


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("name", "module", "builder", "edition"),
    [
        ("lemma-5:phi", networks, "phi_network", Edition.REPAIRED),
        ("lemma-5:gate", networks, "gate_network", Edition.STATEMENT),
        ("equation-27", networks, "f_network", Edition.STATEMENT),
        ("lemma-14:copies", networks, "f_network", Edition.STATEMENT),
        ("lemma-5", networks, "each_gap", Edition.STATEMENT),
        ("lemma-14", networks, "each_gap", Edition.REPAIRED),
        ("lemma-14", networks, "terms_apart", Edition.STATEMENT),
    ],
)
def test_another_last_bias_is_no_indicator(monkeypatch: pytest.MonkeyPatch, name: str, module: Any, builder: str, edition: Edition) -> None:
    assert judged(name, edition, p=1, s=1, d=1).verdict is Verdict.VERIFIED
    monkeypatch.setattr(module, builder, with_last_bias(getattr(module, builder)))
    found = judged(name, edition, p=1, s=1, d=1)
    assert found.verdict is Verdict.REFUTED
    assert {"x", "computed", "expected"} <= set(found.counterexample or {})


def test_lemma_14_with_no_network_of_the_layers_stated_is_open_and_the_proof_s_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(networks, "short_indicator", lambda normal, cube, terms: indicator_network(normal, cube, terms, binary=True))
    assert judged("lemma-14", p=1, s=1, d=1).verdict is Verdict.OPEN
    printed = judged("lemma-14", Edition.PRINTED, p=1, s=1, d=1)
    assert (printed.counterexample or {})["layers of the proof's f"] == "3"


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


def test_each_indicator_depends_on_what_the_starts_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    assert judged("section-3.2:each-indicator", p=2, s=2).verdict is Verdict.VERIFIED
    monkeypatch.setattr(Sums, "everything", lambda self: False)
    found = judged("section-3.2:each-indicator", p=2, s=2)
    assert found.verdict is Verdict.REFUTED
    assert "low" in (found.counterexample or {})
