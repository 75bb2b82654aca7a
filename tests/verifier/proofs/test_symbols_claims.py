"""The papers' closed forms for all parameters: what is found, that exact values agree, and that their neighbours fare no better."""

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import count, product

import pytest

from tests.verifier.proofs.closed_forms import CLOSED_FORMS, OPEN, PROVED, ClosedForm
from verifier.language.definitions import inlined_text
from verifier.language.exact import truth
from verifier.language.printer import printed
from verifier.language.syntax import parse
from verifier.language.tree import Node, Numeral, rebuilt, walk
from verifier.proofs.for_all import Disproof, Proof, Undecided, decide_for_all
from verifier.running.errors import InputError

by_name = pytest.mark.parametrize("claim", CLOSED_FORMS, ids=lambda claim: claim.name)


@cache
def found(name: str) -> Proof | Disproof | Undecided:
    claim = next(c for c in CLOSED_FORMS if c.name == name)
    return decide_for_all([formula_of(claim)], claim.domain)


def formula_of(claim: ClosedForm) -> Node:
    return inlined_text(claim.formula, claim.lets)


def box(claim: ClosedForm) -> Iterator[dict[str, int]]:
    """The parameters of the box that lie in the domain, in lexicographic order."""
    for values in product(*claim.box.values()):
        point = dict(zip(claim.box, values, strict=True))
        if all(truth(condition, point) for condition in claim.domain.values()):
            yield point


def first_false(claim: ClosedForm, tree: Node) -> dict[str, int] | None:
    return next((point for point in box(claim) if not truth(tree, point)), None)


@pytest.mark.one_in(6)
@by_name
def test_what_is_found(claim: ClosedForm) -> None:
    result = found(claim.name)
    match claim.found:
        case "proved":
            assert isinstance(result, Proof), result
            assert result.compared >= 8 or "for" in claim.formula
            assert result.border == next(box(claim))
        case "open":
            assert isinstance(result, Undecided)
            assert result.reason
        case point:
            assert isinstance(result, Disproof), result
            assert result.point == point


@pytest.mark.one_in(6)
@by_name
def test_exact_values_say_the_same(claim: ClosedForm) -> None:
    expected = None if claim.found in (PROVED, OPEN) else claim.found
    assert sum(1 for _ in box(claim)) >= 4
    assert first_false(claim, formula_of(claim)) == expected


def with_one_larger(tree: Node, which: int) -> Node:
    """A formula with one of its numbers one larger."""
    seen = count(1)

    def changed(node: Node) -> Node:
        if isinstance(node, Numeral):
            return Numeral(node.value + 1) if next(seen) == which else node
        return rebuilt(node, changed)

    return changed(tree)


def neighbours(claim: ClosedForm) -> Iterator[ClosedForm]:
    """The claim with one literal of its formula, or of a definition, one larger; of many literals about six."""
    every = list(_all_neighbours(claim))
    return iter(every[:: math.ceil(len(every) / 6)])


def _all_neighbours(claim: ClosedForm) -> Iterator[ClosedForm]:
    for name, formula in {"": claim.formula, **claim.lets}.items():
        tree = parse(formula)
        for which in range(1, 1 + sum(isinstance(node, Numeral) for node in walk(tree))):
            changed = printed(with_one_larger(tree, which))
            yield replace(claim, lets={**claim.lets, name: changed}) if name else replace(claim, formula=changed)


@pytest.mark.long(
    "corollary-13:five",
    "lemma-14:enough-copies",
    "lemma-2.6:room, repaired",
    "lemma-20:copies",
    "lemma-20:gaps",
    "lemma-20:levels, repaired",
    "lemma-20:phi",
    "lemma-20",
    "lemma-2:three-squares",
    "lemma-c.5:exponents, repaired",
    "lemma-c.8:bits-held, repaired",
    "lemma-c.8:second-exponent-length, repaired",
    "section-4.2:inputs",
    "section-a.3:twice-p-bits",
)
@pytest.mark.one_in(6)
@pytest.mark.parametrize("claim", [c for c in CLOSED_FORMS if c.found == PROVED], ids=lambda claim: claim.name)
def test_neighbours(claim: ClosedForm) -> None:
    """What exact values refute is never proved, and what is refuted is false."""
    refuted = 0
    for near in neighbours(claim):
        tree = formula_of(near)
        try:
            point = first_false(near, tree)
        except InputError:  # the change took away its meaning somewhere
            point = {}
        result = decide_for_all([tree], near.domain)
        if point is not None:
            refuted += 1
            assert not isinstance(result, Proof), f"{printed(tree)} is false at {point}"
        if isinstance(result, Disproof):
            assert not truth(tree, result.point)
    assert refuted or "==" not in claim.formula, "no neighbour of an equation is false"


def test_formulas_are_of_the_language() -> None:
    for claim in CLOSED_FORMS:
        for formula in (claim.formula, *claim.domain.values(), *claim.lets.values()):
            parse(formula)
