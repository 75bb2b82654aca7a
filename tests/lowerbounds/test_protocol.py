"""Alice and Bob: agreement with the evaluator, messages counted, planted collisions, cuts that are none."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from constructions.every_bit_counts.mathematics.two_bit_transformer import two_bit_transformer
from lowerbounds import protocol as protocols
from lowerbounds import protocol_command
from lowerbounds.alphabets import exclusion
from lowerbounds.protocol import Protocol
from tests.tables import table
from tests.verifier.certificates.test_limits import small
from verifier.attention.evaluate import evaluate
from verifier.attention.terms import Reading
from verifier.construction.errata import apply
from verifier.construction.instantiate import instantiate
from verifier.construction.records import ErratumEntry
from verifier.errors import InputError, LimitError
from verifier.semantics import read_semantics

WITNESS_SIMPLE, WITNESS_T1 = table("witness-t0-simple", errata=False), table("witness-t1", errata=False)


def reading(table, p, semantics="a4", changes=()):
    return Reading(instantiate(apply(table.source.raw, changes, table.name), {"p": p}), read_semantics(semantics))


@pytest.mark.parametrize("semantics", ["a4", "narrative", "order=values"])
@pytest.mark.parametrize(("table", "p", "last"), [(WITNESS_SIMPLE, 4, 5), (WITNESS_T1, 3, 5)])
def test_bob_answers_as_the_transformer(table, p, last, semantics):
    run = reading(table, p, semantics)
    protocol = Protocol(run, last)
    size = 1 << run.instance.m
    assert all(protocol.transcript(y, z).agrees for y in range(0, size, 3) for z in range(y, size, 5))


def test_linear_attention_is_divided_by_nothing():
    run = Reading(replace(small(5, length=2), attention="linear"), read_semantics("a4"))
    protocol, pairs = Protocol(run, 2), [(y, z) for y in range(4) for z in range(4)]
    ends = [protocol.attention(protocol.message(y), z) for y, z in pairs]
    assert ends == [evaluate(run, y, z).attention for y, z in pairs]
    assert len(set(ends)) > 1


@pytest.mark.parametrize("p", [3, 4, 5])
def test_a_witness_sends_as_many_messages_as_alice_has_inputs(p):
    run = reading(WITNESS_T1, p)
    sent = Protocol(run, run.instance.m).run()
    assert sent.messages == sent.inputs == 2 ** (2 * p - 1)
    assert sent.numbers == 2
    assert sent.messages <= exclusion(run.semantics, p, 1).messages
    assert sent.collision is None


def test_two_bits_send_more_numbers_than_two():
    run = Reading(two_bit_transformer("T1", 3, 14), read_semantics("a4"))
    sent = Protocol(run, 5).run()
    assert (sent.messages, sent.numbers) == (32, 16)
    assert exclusion(run.semantics, 2, 5).proves


def test_a_planted_collision_is_named():
    change = ErratumEntry(name="planted", at="row.5.one.3", printed="2**(m - i)", repaired=0, why="the low bits of y are lost")
    run = reading(WITNESS_T1, 3, changes=(change,))
    sent = Protocol(run, 5).run()
    assert sent.messages < sent.inputs
    assert (sent.collision.first, sent.collision.second, sent.collision.z) == ("00000", "00001", "00001")
    assert "z = 00001 asks for different answers" in str(sent.collision)


def test_a_transcript_has_its_lines():
    lines = Protocol(reading(WITNESS_T1, 3), 5).transcript(5, 5).lines()
    assert lines[0] == "Alice holds y = 00101"
    assert lines[-1] == "Bob answers 1; the transformer answers 1"


@pytest.mark.parametrize(
    ("last", "message"),
    [(4, "Bob's token 5 reads y"), (6, "Alice's token 6 reads z"), (99, "a cut after token 99: witness-t1 has the tokens -1 … 13")],
)
def test_a_cut_that_is_no_prefix(last, message):
    with pytest.raises(InputError, match=message):
        Protocol(reading(WITNESS_T1, 3), last)


def test_every_promised_pair_is_compared_up_to_the_limit(monkeypatch):
    run = reading(WITNESS_SIMPLE, 3)
    m = run.instance.m
    monkeypatch.setattr(protocols, "LONGEST_COMPARED", m)
    found = Protocol(run, m).compare()
    assert (found.pairs, found.differing, found.first) == (2 ** (m - 1) * (2**m + 1), 0, None)
    monkeypatch.setattr(protocols, "LONGEST_COMPARED", m - 1)
    with pytest.raises(LimitError, match=f"pairs of {m} bits"):
        Protocol(run, m).compare()


def test_the_least_string_that_asks_for_different_answers():
    protocol = Protocol(reading(WITNESS_T1, 3), 5)
    pairs = [(first, second) for first in range(32) for second in range(first + 1, 32)]
    assert [protocol._separating(first, second) for first, second in pairs] == [second for _, second in pairs]
    assert protocol._separating(7, 7) is None


def test_a_pair_on_which_bob_differs_is_shown(capsys):
    first = replace(Protocol(reading(WITNESS_T1, 3), 5).transcript(5, 5), answer=0)
    stub = SimpleNamespace(run=lambda advance: protocols.Run(4, 3, 2, None), compare=lambda advance: protocols.Comparison(10, 1, first))
    assert protocol_command._show_run(stub, "head", True) == 1
    shown = capsys.readouterr().out
    assert "Bob differs from the transformer on 1 of 10 promise pairs" in shown
    assert "    Bob answers 0; the transformer answers 1" in shown
    assert protocol_command._show_run(stub, "head", False) == 0
