"""Definition A.5 and Lemmas A.6 and B.1: known fooling sets, another algorithm, and bounds that the judges refuse."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from constructions.every_bit_counts.judges import communication
from constructions.every_bit_counts.judges.communication import fewest_bits, largest_fooling_set
from tests.constructions.every_bit_counts.changed_table import judged
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Edition, Verdict
from verifier.networks.problems import Problem
from verifier.proofs.for_all import Disproof, Proof, decide_for_all
from verifier.running.errors import LimitError


def test_fooling_sets_of_known_size() -> None:
    assert largest_fooling_set(((1, 0, 0), (0, 1, 0), (0, 0, 1))) == 3
    assert largest_fooling_set(((1, 1), (1, 1))) == 1
    assert largest_fooling_set(((0, 0), (0, 1))) == 2  # (0, 1) and (1, 0): f(1, 1) differs


def test_the_fewest_bits_are_those_of_the_fewest_messages() -> None:
    """The definition: the least k for which some assignment of k messages to Alice's inputs lets Bob answer always."""
    for f in product(product((0, 1), repeat=3), repeat=3):
        fewest = next(
            k
            for k in range(1, 4)
            for sent in product(range(k), repeat=3)
            if all(f[a] == f[b] for a, b in combinations(range(3), 2) if sent[a] == sent[b])
        )
        assert fewest_bits(f) == (fewest - 1).bit_length()


def test_a_fooling_set_counted_one_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(communication, "largest_fooling_set", lambda f: min(largest_fooling_set(f) + 1, 2))
    found = judged(find_claim("every-bit-counts/lemma-a.6"), k=2)
    assert found.verdict is Verdict.REFUTED
    assert found.counterexample is not None
    assert found.counterexample["function"] == "00 00"


def test_counting_agrees_with_going_through_the_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Problem("EQ", "y <= z", 6)
    by_pairs, method = communication.checked(problem)
    assert method == "enumeration"
    monkeypatch.setattr(communication, "PAIR_BY_PAIR", 0)
    counted, method = communication.checked(problem)
    assert method == "counting"
    assert (counted.size, counted.pairs, counted.first, counted.second, counted.holds) == (
        by_pairs.size,
        by_pairs.pairs,
        by_pairs.first,
        by_pairs.second,
        by_pairs.holds,
    )
    declined = judged(next(n.claim for n in find_claim("every-bit-counts/definition-a.5").neighbours), m=3)
    assert declined.verdict is Verdict.DECLINED
    with pytest.raises(LimitError, match="pairs of 8 members"):
        communication.checked(Problem("EQ", "y <= z and y[1] == 0", 3))


def test_greater_than_has_the_same_fooling_set_only_without_the_promise() -> None:
    assert communication.checked(Problem("GT", "none", 4))[0].holds
    assert not communication.checked(Problem("GT", "y <= z", 4))[0].holds


def test_long_strings_are_counted() -> None:
    made = judged(find_claim("every-bit-counts/lemma-b.1"), Edition.STATEMENT, m=40)
    assert made.verdict is Verdict.VERIFIED
    assert made.scope.method == "counting"
    assert made.scope.cases == 2**39 * (2**40 - 1)


@pytest.mark.parametrize("name", ["definition-a.5", "lemma-b.1"])
def test_the_diagonal_is_a_fooling_set_at_every_length(name: str) -> None:
    claim = find_claim(f"every-bit-counts/{name}")
    reduction = communication.fooling_set.reduction(claim, {}, claim.fields)
    assert reduction is not None
    assert isinstance(decide_for_all(list(reduction.conditions), {"m": "m >= 1"}), Proof)


@pytest.mark.parametrize("change", [{"bob": "x - x % 2"}, {"promise": "y <= z and y[1] == 0"}, {"function": "GT"}])
def test_of_other_sets_nothing_is_known_at_every_length(change: dict[str, str]) -> None:
    claim = find_claim("every-bit-counts/definition-a.5")
    assert communication.fooling_set.reduction(claim, {}, {**claim.fields, **change}) is None


@pytest.mark.parametrize("change", [{"size": "2**m + 1"}, {"bits": "m + 1"}])
def test_one_more_than_the_set_has_is_not_proved(change: dict[str, str]) -> None:
    claim = find_claim("every-bit-counts/definition-a.5")
    reduction = communication.fooling_set.reduction(claim, {}, {**claim.fields, **change})
    assert reduction is not None
    assert isinstance(decide_for_all(list(reduction.conditions), {"m": "m >= 1"}), Disproof)
