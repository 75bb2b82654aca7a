"""Alice and Bob: agreement with the evaluator, messages counted, and the first collision by the definition."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from types import SimpleNamespace

import pytest

from lowerbounds import protocol as protocols
from lowerbounds import protocol_command
from lowerbounds.protocol import Protocol
from tests.tables import table
from verifier.arithmetic.numbers import ZERO
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import read_semantics
from verifier.errata.tables import apply
from verifier.networks.instantiate import instantiate
from verifier.networks.problems import Problem, bits_of
from verifier.transformers.tables import Execution

WITNESS_SIMPLE, WITNESS_T1 = table("witness-t0-simple", errata=False), table("witness-t1", errata=False)


def execution(table, p, semantics="a4", changes=()):
    return Execution(instantiate(apply(table.source.raw, changes, table.name), {"p": p}), read_semantics(semantics))


@pytest.mark.parametrize("semantics", ["a4", "narrative", "order=values"])
@pytest.mark.parametrize(("table", "p", "last"), [(WITNESS_SIMPLE, 4, 5), (WITNESS_T1, 3, 5)])
def test_bob_answers_as_the_transformer(table, p, last, semantics):
    run = execution(table, p, semantics)
    protocol = Protocol(run, last)
    size = 1 << run.instance.m
    assert all(protocol.transcript(y, z).agrees for y in range(0, size, 3) for z in range(y, size, 5))


PROMISES = ["none", "y <= z", "y <= z and y[1] == 1", "y <= z and z[1:2] != 2"]


def made(promise):
    """A protocol on strings of two bits of which nothing is known but the problem."""
    protocol = object.__new__(Protocol)
    protocol.execution = SimpleNamespace(instance=SimpleNamespace(problem=Problem("EQ", promise, 2)), sums=1)
    return protocol


@pytest.mark.parametrize("promise", PROMISES)
def test_the_first_collision_by_the_definition(promise):
    """Whatever Alice sends: the first y that shares its message with one before it, that one, and the first z that asks for both."""
    protocol = made(promise)
    problem = protocol.execution.instance.problem
    for sent in product(range(3), repeat=4):
        protocol.message = lambda y, sent=sent: (Fraction(sent[y]), ZERO)
        found = protocol.run()
        separated = (
            (bits_of(other, 2), bits_of(y, 2), bits_of(z, 2), protocol.message(y))
            for y in range(4)
            for other in range(y)
            if sent[other] == sent[y]
            for z in range(4)
            if problem.promised(y, z) and problem.promised(other, z) and (y == z) != (other == z)
        )
        first = next(separated, None)
        assert found == protocols.Run(4, len({*sent}), 2, first and protocols.Collision(*first))


@pytest.mark.parametrize("promise", PROMISES)
def test_every_promised_pair_is_compared(promise):
    protocol = made(promise)
    problem = protocol.execution.instance.problem
    pairs = [(y, z) for y, z in product(range(4), repeat=2) if problem.promised(y, z)]
    for wrong in ([], pairs[:1], pairs[-1:], pairs[1:3], pairs):
        protocol.transcript = lambda y, z, wrong=wrong: SimpleNamespace(pair=(y, z), agrees=(y, z) not in wrong)
        found = protocol.compare()
        assert (found.pairs, found.differing) == (len(pairs), len(wrong))
        assert (found.first and found.first.pair) == (wrong[0] if wrong else None)


def test_a_pair_on_which_bob_differs_is_shown(capsys):
    first = replace(Protocol(execution(WITNESS_T1, 3), 5).transcript(5, 5), answer=0)
    stub = SimpleNamespace(run=lambda advance: protocols.Run(4, 3, 2, None), compare=lambda advance: protocols.Comparison(10, 1, first))
    assert protocol_command._show_run(stub, "head", True) == 1
    shown = capsys.readouterr().out
    assert "Bob's answer differs from the transformer's on 1 of 10 promised pairs" in shown
    assert "    Bob answers 0; the transformer answers 1" in shown
    assert protocol_command._show_run(stub, "head", False) == 0
