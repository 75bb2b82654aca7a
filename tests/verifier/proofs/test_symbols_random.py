"""Random conditions: a proof by symbols alone, made before anything is compared, never contradicts exact values on a box.

Nor does its certificate: every point of the domain belongs to one case of it, and its lines hold there.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from verifier.language.exact import truth
from verifier.language.syntax import parse
from verifier.proofs.budget import Effort, Exhausted
from verifier.proofs.certificate import Part, Point
from verifier.proofs.certificate_check import check_line, holds_at
from verifier.proofs.cover import FalseAt, Stuck
from verifier.proofs.domain import conjuncts, domain_of
from verifier.proofs.for_all import Disproof, Proof, decide_for_all, points, proof
from verifier.running.errors import InputError

DOMAINS = [
    {"p": "p >= 1"},
    {"p": "p >= -2"},
    {"p": "p >= 3 and p % 2 == 1"},
    {"p": "p >= 1 and p <= 6"},
    {"p": "p >= 1", "s": "s >= 1 and s <= 2**p - 1"},
    {"p": "p >= 0", "s": "s > floor(p/2)"},
    {"p": "p >= 1", "s": "s >= ceil(log2(p))"},
    {"p": "p >= 2 and p < 5 or p >= 12"},
    {"p": "p >= 1", "s": "s == 2**p or s == p"},
]
WIDTHS = {1: 14, 2: 7}


def numbers(names: list[str]) -> st.SearchStrategy[str]:
    """Linear and exponential terms, rounded, selected and summed ones, and sums of two or three of them."""
    name, small = st.sampled_from(names), st.integers(-3, 5).map(str)
    plain = st.one_of(
        small,
        name,
        st.builds("{}*{}".format, st.integers(2, 4), name),
        st.builds("2**{}".format, name),
        st.builds("2**({} + {})".format, name, small),
        st.builds("2**-{}".format, name),
        st.builds("{}/{}".format, name, st.integers(2, 3)),
        st.builds("{}*2**{}".format, name, name),
    )
    terms = st.sampled_from(["j", "1", "2**j", "2**-j", "j*2**j", "j*j"])
    formed = st.one_of(
        plain,
        st.builds("({} + {})".format, plain, plain),
        st.builds("floor({}/{})".format, plain, st.integers(2, 3)),
        st.builds("({} % {})".format, plain, st.integers(2, 3)),
        st.builds("sum({} for j in ({}, {} + {}))".format, terms, small, name, small),
        st.builds("sum({} for j in ({}, {}))".format, terms, small, plain),
        st.builds("{}({}, {})".format, st.sampled_from(["max", "min"]), plain, plain),
        st.builds("ceil(({})/{})".format, plain, st.integers(2, 3)),
        st.builds("({})**2".format, name),
        st.builds("{}({} for j in ({}, {}))".format, st.sampled_from(["max", "min"]), terms, small, plain),
        st.builds("abs({})".format, plain),
        st.builds("({} if {} >= {} else {})".format, plain, name, small, plain),
        st.builds("({})/({})".format, plain, plain),
        st.builds("ceil(log2({}))".format, plain),
        st.builds("(-1)**{}".format, name),
        st.builds("2**({})".format, plain),
        st.builds("floor(({})/(abs({}) + {}))".format, plain, name, st.integers(1, 3)),
        st.builds("({} {} (2**abs({}) + 1))".format, plain, st.sampled_from(["//", "%"]), name),
        st.builds("sum(({} if j == {} else {}) for j in ({}, {}))".format, plain, small, terms, small, plain),
        st.builds("sum(({} if j <= {} else {}) for j in ({}, {}))".format, terms, small, plain, small, name),
        st.builds("({} if {} <= {} <= {} else {})".format, plain, small, name, plain, plain),
    )
    return st.one_of(formed, st.builds("{} + {}".format, formed, formed), st.builds("{} - {}*{}".format, formed, formed, plain))


def conditions(names: list[str]) -> st.SearchStrategy[str]:
    """Comparisons of such numbers, among them of a number with one that is nearly it; joined, denied, and for all of a range."""
    number, op = numbers(names), st.sampled_from(["<", "<=", ">", ">=", "==", "!="])
    small = st.integers(-2, 2).map(str)
    near = number.flatmap(lambda x: st.builds(f"{x} {{}} {x} + {{}}".format, op, small))
    compared = st.one_of(st.builds("{} {} {}".format, number, op, number), near)
    return st.one_of(
        compared,
        st.builds("({}) or ({})".format, compared, compared),
        st.builds("({}) and ({})".format, compared, compared),
        st.builds("({} if {} else {})".format, compared, compared, compared),
        st.builds("not ({})".format, compared),
        st.builds("{} in ({}, {})".format, number, number, small),
        st.builds("({} in ({}, {}) if {} or {} else {})".format, number, small, number, compared, compared, compared),
        st.builds("all(all({} {} i + j for i in (j, {})) for j in ({}, {}))".format, number, op, number, number, small),
        st.builds("all({} + j {} {} for j in ({}, {}))".format, number, op, number, small, number),
        st.builds("any({} {} j for j in ({}, {}))".format, number, op, small, number),
    )


questions = st.sampled_from(DOMAINS).flatmap(lambda domain: st.tuples(st.just(domain), conditions(list(domain))))


@settings(max_examples=12)
@given(questions)
def test_no_false_statement_is_proved(query: tuple[dict[str, str], str]) -> None:
    given_domain, text = query
    try:
        domain = domain_of(given_domain, [atom for c in given_domain.values() for atom in conjuncts(parse(c))])
    except InputError:  # a domain of alternatives
        return
    try:
        parts = proof(domain, [parse(text)], effort=Effort(300_000))
    except (Stuck, FalseAt, Exhausted) as found:
        event(type(found).__name__)
        return
    event("proved")
    for point in points(domain, truth, WIDTHS[len(given_domain)]):
        with too_large_is_no_matter():
            assert truth(text, point), f"{text} is proved for {domain}, and false at {point}: {[str(p) for p in parts]}"
            if "all(" not in text:
                check_part(parts, point)


@pytest.mark.campaign
@settings(max_examples=8)
@given(questions)
def test_what_is_found_is_so(query: tuple[dict[str, str], str]) -> None:
    """Alternatives of a domain, comparisons and searches included: a proof holds on a box, a refutation at its point."""
    given_domain, text = query
    found = decide_for_all([text], given_domain)
    event(type(found).__name__)
    if isinstance(found, Disproof):
        assert all(truth(condition, found.point) for condition in given_domain.values())
        assert not truth(text, found.point)
    if isinstance(found, Proof):
        for values in product(range(-3, 15), repeat=len(given_domain)):
            point = dict(zip(given_domain, values, strict=True))
            with too_large_is_no_matter():
                assert not in_domain(given_domain, point) or truth(text, point), f"{text} is proved, and false at {point}"


def in_domain(given_domain: dict[str, str], point: Point) -> bool:
    try:
        return all(truth(condition, point) for condition in given_domain.values())
    except InputError:  # the logarithm of a number <= 0
        return False


@contextmanager
def too_large_is_no_matter() -> Iterator[None]:
    """Exact values of more than 4096 bits, or over very long ranges, are refused."""
    try:
        yield
    except InputError as error:
        if "more than" not in str(error):
            raise


def check_part(parts: tuple[Part, ...], point: Point) -> None:
    part, *others = [p for p in parts if holds_at(p, point)]
    assert not others, f"{point} belongs to two cases"
    assert part.lines or part.point == point
    for line in part.lines:
        check_line(line, point)
