"""Alice and Bob: agreement with the evaluator, messages counted, planted collisions, cuts that are none."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from types import SimpleNamespace

import pytest

from constructions.every_bit_counts.mathematics.two_bit_transformer import two_bit_transformer
from lowerbounds import protocol as protocols
from lowerbounds import protocol_command
from lowerbounds.alphabets import exclusion
from lowerbounds.protocol import Protocol, Transcript
from tests.tables import table
from tests.verifier.certificates.samples import small
from verifier.arithmetic.numbers import INF, ZERO
from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import read_semantics
from verifier.errata.tables import apply
from verifier.networks.errata import TableErratum
from verifier.networks.indices import Bit
from verifier.networks.instance import Defect, Token
from verifier.networks.instantiate import instantiate
from verifier.networks.problems import Problem, bits_of
from verifier.running.errors import InputError, LimitError
from verifier.transformers.table_traces import evaluate
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


def test_linear_attention_is_divided_by_nothing():
    run = Execution(replace(small(5, length=2), attention="linear"), read_semantics("a4"))
    protocol, pairs = Protocol(run, 2), [(y, z) for y in range(4) for z in range(4)]
    ends = [protocol.attention(protocol.message(y), z) for y, z in pairs]
    assert ends == [evaluate(run, y, z).attention for y, z in pairs]
    assert len(set(ends)) > 1


@pytest.mark.parametrize("p", [3, 4, 5])
def test_a_witness_sends_as_many_messages_as_alice_has_inputs(p):
    run = execution(WITNESS_T1, p)
    sent = Protocol(run, run.instance.m).run()
    assert sent.messages == sent.inputs == 2 ** (2 * p - 1)
    assert sent.numbers == 2
    assert sent.messages <= exclusion(run.semantics, p, 1).messages
    assert sent.collision is None


def test_two_bits_send_more_numbers_than_two():
    run = Execution(two_bit_transformer("T1", 3, 14), read_semantics("a4"))
    sent = Protocol(run, 5).run()
    assert (sent.messages, sent.numbers) == (32, 16)
    assert exclusion(run.semantics, 2, 5).proves


def test_a_planted_collision_is_named():
    change = TableErratum(name="planted", at="row.5.one.3", printed="2**(m - i)", repaired=0, why="the low bits of y are lost")
    run = execution(WITNESS_T1, 3, changes=(change,))
    sent = Protocol(run, 5).run()
    assert sent.messages < sent.inputs
    assert (sent.collision.first, sent.collision.second, sent.collision.z) == ("00000", "00001", "00001")
    assert "z = 00001 needs different answers" in str(sent.collision)


def test_a_transcript_has_its_lines():
    lines = Protocol(execution(WITNESS_T1, 3), 5).transcript(5, 5).lines()
    assert lines[0] == "Alice holds y = 00101"
    assert lines[-1] == "Bob answers 1; the transformer answers 1"
    made = Transcript("00", "01", (Fraction(1, 2), INF, Fraction(3)), Fraction(-1), 0, 1)
    assert made.lines()[1:3] == ["Alice sends L1 = 3 and L2 = 1/2, inf", "Bob holds z = 01, goes on and divides: -1"]


@pytest.mark.parametrize(
    ("last", "message"),
    [
        (4, "Bob's token 5 reads y"),
        (6, "Alice's token 6 reads z"),
        (13, "Alice's token 6 reads z"),
        (99, "a cut after token 99: witness-t1 has the tokens -1 … 13"),
    ],
)
def test_a_cut_that_is_no_prefix(last, message):
    with pytest.raises(InputError, match=message):
        Protocol(execution(WITNESS_T1, 3), last)


def test_every_bit_of_every_token_of_a_side_is_looked_at():
    """Of two tokens the last one's last bit is Bob's."""
    tokens = [Token(k, 1, fields, ()) for k, fields in enumerate([((Bit("y", 1),),), ((Bit("y", 1),), (Bit("z", 1),))])]
    with pytest.raises(InputError, match=r"Alice's token 1 reads z\[1\]"):
        Protocol._only(tuple(tokens), "y", "Alice")


def test_an_ill_formed_construction_is_not_run():
    instance = replace(small(3), defects=(Defect("rows", "row 3", "an index has no row"),))
    with pytest.raises(InputError, match="small is ill-formed: row 3: an index has no row"):
        Protocol(Execution(instance, read_semantics("a4")), 1)


@pytest.mark.parametrize(
    ("asked", "limit", "most", "message"),
    [
        ("run", "LONGEST", 13, r"Alice has 2\^{m} inputs, a protocol is run up to 2\^{most};"),
        ("compare", "LONGEST_COMPARED", 7, "pairs of {m} bits are compared one by one up to {most} bits"),
    ],
)
def test_strings_are_run_and_compared_up_to_the_limit_that_is_named(monkeypatch, asked, limit, most, message):
    long = Protocol(execution(WITNESS_SIMPLE, 9), 15)
    with pytest.raises(LimitError, match=message.format(m=15, most=most)):
        getattr(long, asked)()
    protocol = Protocol(execution(WITNESS_SIMPLE, 3), 3)
    monkeypatch.setattr(protocols, limit, 3)
    getattr(protocol, asked)()
    monkeypatch.setattr(protocols, limit, 2)
    with pytest.raises(LimitError, match=message.format(m=3, most=2)):
        getattr(protocol, asked)()


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


def test_the_least_string_that_asks_for_different_answers():
    protocol = Protocol(execution(WITNESS_T1, 3), 5)
    pairs = [(first, second) for first in range(32) for second in range(first + 1, 32)]
    assert [protocol._separating(first, second) for first, second in pairs] == [second for _, second in pairs]
    assert protocol._separating(7, 7) is None


def test_a_pair_on_which_bob_differs_is_shown(capsys):
    first = replace(Protocol(execution(WITNESS_T1, 3), 5).transcript(5, 5), answer=0)
    stub = SimpleNamespace(run=lambda advance: protocols.Run(4, 3, 2, None), compare=lambda advance: protocols.Comparison(10, 1, first))
    assert protocol_command._show_run(stub, "head", True) == 1
    shown = capsys.readouterr().out
    assert "Bob's answer differs from the transformer's on 1 of 10 promised pairs" in shown
    assert "    Bob answers 0; the transformer answers 1" in shown
    assert protocol_command._show_run(stub, "head", False) == 0
