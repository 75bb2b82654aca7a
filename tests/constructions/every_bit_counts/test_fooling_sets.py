"""Definition A.5 and Lemmas A.6 and B.1: known fooling sets, another algorithm, and bounds that the judges refuse."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from constructions.every_bit_counts.judges import communication
from constructions.every_bit_counts.judges.communication import fewest_bits, largest_fooling_set
from tests.constructions.every_bit_counts.changed_table import judged
from verifier.claims.papers import find_claim
from verifier.claims.verdicts import Verdict
from verifier.proofs.for_all import Disproof, decide_for_all


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


@pytest.mark.parametrize("change", [{"bob": "x - x % 2"}, {"promise": "y <= z and y[1] == 0"}])
def test_of_other_sets_nothing_is_known_at_every_length(change: dict[str, str]) -> None:
    claim = find_claim("every-bit-counts/definition-a.5")
    assert communication.fooling_set.reduction(claim, {}, {**claim.fields, **change}) is None


@pytest.mark.parametrize("change", [{"size": "2**m + 1"}, {"bits": "m + 1"}])
def test_one_more_than_the_set_has_is_not_proved(change: dict[str, str]) -> None:
    claim = find_claim("every-bit-counts/definition-a.5")
    reduction = communication.fooling_set.reduction(claim, {}, {**claim.fields, **change})
    assert reduction is not None
    assert isinstance(decide_for_all(list(reduction.conditions), {"m": "m >= 1"}), Disproof)
