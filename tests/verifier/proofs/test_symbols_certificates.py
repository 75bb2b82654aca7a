"""Every proof of the papers' closed forms is checked again without symbols: cases, slacks and forms, at points of the domain."""

from itertools import islice

import pytest

from tests.verifier.proofs.closed_forms import CLOSED_FORMS, PROVED, ClosedForm
from tests.verifier.proofs.test_symbols_claims import formula_of, found
from verifier.language.exact import truth
from verifier.language.syntax import parse
from verifier.proofs.certificate_check import check_line, coefficients_agree, holds_at
from verifier.proofs.cover import Cover
from verifier.proofs.domain import alternatives, conjuncts, domain_of
from verifier.proofs.for_all import Proof, decide_for_all, points

WIDTH = 20


@pytest.mark.long("lemma-20:copies", "lemma-20:gaps", "lemma-25:count", "lemma-c.8:bits-held, repaired")
@pytest.mark.one_in(8)
@pytest.mark.parametrize("claim", [c for c in CLOSED_FORMS if c.found == PROVED], ids=lambda claim: claim.name)
def test_certificate(claim: ClosedForm) -> None:
    proof = found(claim.name)
    assert isinstance(proof, Proof)
    left = list(proof.parts)
    for atoms in alternatives(list(map(parse, claim.domain.values()))):
        for condition in conjuncts(formula_of(claim)):
            cover = Cover(domain_of(claim.domain, atoms), condition, truth)
            parts = [part for part in left if part.condition == cover.text][: len(list(cover.parts(cover.domain.all_cases())))]
            left = left[len(parts) :]
            checked = 0
            for point in islice(points(cover.domain, truth, WIDTH), proof.compared):
                belongs = [part for part in parts if holds_at(part, point)]
                assert len(belongs) == 1, f"{point} belongs to {[str(p) for p in belongs]}"
                assert belongs[0].lines or belongs[0].point == point, f"{point} is said to lie outside the domain"
                for line in belongs[0].lines:
                    check_line(line, point)
                    checked += 1
            assert checked or all(part.point for part in parts)
    assert not left
    assert all(coefficients_agree(line) for part in proof.parts for line in part.lines)


def test_certificate_as_a_reader_sees_it() -> None:
    """2^p − p² for p ≥ 5: 32·2^k − (k + 5)², with 2^k = 1 + k/2 + k²/2 + u, by hand."""
    proof = decide_for_all(["2**p > p**2"], {"p": "p >= 5"})
    assert isinstance(proof, Proof)
    assert proof.domain == "p >= 5; p integers"
    assert proof.certificate == (
        "2**p > p**2\n  p >= 5: 2**p - p**2 = 15*k**2 + 6*k + 32*u + 7 with k = p - 5 >= 0, u = 2**k - k**2/2 - k/2 - 1 >= 0"
    )


def test_sums_say_that_they_have_terms() -> None:
    proof = found("equation-1, repaired")
    assert isinstance(proof, Proof)
    assert str(proof.parts[0].lines[0]) == "h - 1 - 6 + 1 = k with k = h - 6 >= 0"
    assert proof.border == {"h": 6}
