"""Which constructions get a certificate, and that what is written is what the checker reads."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as F

import pytest

from tests.verifier.certificates.samples import plain, source, table
from verifier.arithmetic.formats import Digits
from verifier.arithmetic.semantics import NAMED
from verifier.certificates import recheck
from verifier.certificates.files import certify
from verifier.certificates.refuted import refuted_certificate
from verifier.certificates.statement import Certificate, Subject
from verifier.engines.enumerate import enumerate_pairs
from verifier.networks.execution import Execution
from verifier.networks.indices import Bit
from verifier.networks.instance import Instance, Matrix, Node, Token
from verifier.networks.instantiate import instantiate
from verifier.networks.problems import Problem
from verifier.running.errors import InputError

A4 = NAMED["a4"]


def certificate_of(instance: Instance) -> Certificate:
    return certify(Subject("x", "printed", {}), Execution(instance, A4))


def compared_in_the_denominator() -> Instance:
    """EQ of one bit: z is read before y, so that y is still needed while z is being read, and the weight of the pair is 0 or not."""

    def token(index: int, reads: tuple[Bit, ...], keys: tuple[int, ...]) -> Token:
        return Token(index, index, (reads,), tuple((F(1), F(key), F(0)) for key in keys))

    pair = (Bit("z", 1), Bit("y", 1))
    asking = Token(3, 3, ((),), ((F(1), F(0), F(1)),))
    return Instance(
        id="z before y",
        parameters={},
        names={},
        precision=4,
        task=Problem("EQ", "y <= z", 1),
        tokens=(token(1, pair, (0, 2, 2, 0)), token(2, (), (0,)), asking),
        query=Matrix(((F(1),), (F(0),), (F(0),)), ln2=True),
        key=Matrix(((F(0),), (F(1),), (F(0),))),
        value=Matrix(((F(0),), (F(0),), (F(1),))),
        hidden=(Node((F(-4),), F(1)),),
        output=Node((F(-8),), F(1)),
    )


def test_bits_of_y_that_are_read_late_are_kept() -> None:
    """A right table whose only token reads z and y together: its states carry the bit of y, and the certificate is accepted."""
    instance = compared_in_the_denominator()
    assert enumerate_pairs(Execution(instance, A4)).failures == 0
    certificate = plain(certificate_of(instance))
    assert certificate["kind"] == "verified"
    runs = certificate["blocks"][0]["stages"][0]["less"]
    assert all(len(start) == len(certificate["blocks"][0]["sums"]) + 1 for start, _, _ in runs)
    assert recheck.recheck(certificate).startswith("verified: EQ of two strings of 1 bits")
    for start, _, _ in runs:
        start[-1] = str(1 - int(start[-1]))
    with pytest.raises(recheck.Rejected, match="is listed, but nothing leads to it"):
        recheck.recheck(certificate)


KINDS = [
    ("linear attention", {"attention": "linear"}, "softmax attention in fixed point only"),
    ("floating point", {"precision": Digits(3, 3)}, "softmax attention in fixed point only"),
    ("another function", {"task": Problem("GT", "y <= z", 1)}, "EQ under y <= z, not of GT under y <= z"),
    ("no promise", {"task": Problem("EQ", "none", 1)}, "EQ under y <= z, not of EQ under none"),
    ("ln 2 in W^K", {"key": Matrix(((F(0),), (F(1),), (F(0),)), ln2=True)}, "the checker would not read it: construction, key, ln2"),
]


@pytest.mark.parametrize(("title", "change", "reason"), KINDS, ids=[line[0] for line in KINDS])
def test_constructions_of_another_kind_have_none(title: str, change: dict[str, object], reason: str) -> None:
    with pytest.raises(InputError, match=reason.replace("^", r"\^")):
        certificate_of(replace(compared_in_the_denominator(), **change))  # type: ignore[arg-type]


def test_an_ill_formed_construction_has_none() -> None:
    printed = Execution(instantiate(source("table-5").file, {"p": 8}), A4)
    with pytest.raises(InputError, match="ill-formed"):
        certify(Subject("x/table-5", "printed", {"p": 8}), printed)


def test_parameters_that_do_not_agree_have_none() -> None:
    execution = table("table-6")
    for parameters, reason in (({"p": 9}, "p is 9, but 8 was found"), ({"t": 8}, '"t" is none of m, p, n')):
        with pytest.raises(InputError, match=reason):
            certify(Subject("x", "repaired", parameters), execution)


def test_an_input_that_is_answered_rightly_refutes_nothing() -> None:
    execution = Execution(compared_in_the_denominator(), A4)
    for y, z in ((0, 0), (0, 1), (1, 0)):
        with pytest.raises(ValueError, match="refutes nothing"):
            refuted_certificate(Subject("x", "printed", {}), execution, y, z)
