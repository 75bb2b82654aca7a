"""Good certificates, and beside each its neighbours with one place changed and the reason for which the checker has to reject them.

A forged neighbour got a fresh digest, as a forger would give it.
"""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.verifier.certificates.samples import Change, drop, good, plain, put, subject, table, titled
from verifier.arithmetic.semantics import readings
from verifier.certificates import recheck
from verifier.certificates.files import certify
from verifier.certificates.statement import sealed


def drop_a_state(runs: list[Any]) -> list[Any]:
    """One state fewer in the longest run."""
    longest = max(runs, key=lambda run: int(run[2]))
    longest[2] = str(int(longest[2]) - 1)
    return runs


def one_more(run: list[Any]) -> Change:
    return put(*LESS, value=lambda runs: [*runs, run])


LESS = ("blocks", 0, "stages", 3, "less")
EVERY = ("blocks", 1, "stages", 2, "every")

UNSEALED = [
    ("verified", "a claim renamed", put("claim", value="every-bit-counts/lemma-2.3"), "digest"),
    ("verified", "another edition", put("edition", value="printed"), "digest"),
    ("verified", "a semantics swapped", put("semantics", "ties", value="even"), "digest"),
    ("verified", "a digest changed", put("digest", value=lambda d: d[:-1] + ("0" if d[-1] != "0" else "1")), "digest"),
    ("verified", "an entry of the table changed", put("construction", "tokens", 0, "vectors", 0, 1, value="-5"), "digest"),
    ("verified", "a state dropped", put(*LESS, value=drop_a_state), "is reached, but not listed"),
    ("verified", "a state added", one_more([["0"], ["0"], "1"]), "run of 1 states, where 0 are left"),
    ("verified", "a state exchanged", put(*LESS, 0, value=[["3"], ["0"], "1"]), "is listed, but nothing leads to it"),
    ("verified", "a state listed twice", put(*LESS, value=lambda r: [[r[0][0], ["0"], "1"], *r]), "is listed twice"),
    ("verified", "a run that stands still", put(*LESS, 0, 1, value=["0"]), "a state is listed twice"),
    ("verified", "a state dropped in the second block", put(*EVERY, value=drop_a_state), "is reached, but not listed"),
    ("verified", "a count off by one", put("cases", value="536887297"), "cases is .536887297., but 536887296 was found"),
    ("verified", "no cases", put("cases", value="0"), "cases is .0."),
    ("verified", "a stage left out", drop("blocks", 0, "stages", -1), "leave out positions"),
    ("verified", "a stage twice", put("blocks", 0, "stages", value=lambda s: [*s, s[-1]]), "positions 8 to 8 behind 8"),
    ("verified", "a stage beyond its block", put("blocks", 0, "stages", 7, "last", value="12"), "positions 8 to 12 behind 7"),
    ("verified", "a stage of nothing", put("blocks", 0, "stages", 7, "last", value="7"), "positions 8 to 7 behind 7"),
    ("verified", "a stage left out in between", drop("blocks", 0, "stages", 2), "positions 4 to 4 behind 2"),
    ("verified", "a block left out", drop("blocks", 1), "leave out positions"),
    (
        "verified",
        "blocks that overlap",
        put("blocks", 1, value=lambda b: {**b, "first": "8", "stages": [{**b["stages"][0], "first": "8"}, *b["stages"][1:]]}),
        "leave out positions",
    ),
    ("verified", "no blocks", put("blocks", value=[]), "one block or two"),
    ("verified", "three blocks", put("blocks", value=lambda b: [*b, b[1]]), "one block or two"),
    ("verified", "a sum in two blocks", put("blocks", 1, "sums", value=["sum 1", "denominator"]), "depends on"),
    ("verified", "a sum twice", put("blocks", 0, "sums", value=["sum 1", "sum 1"]), "a sum is there twice"),
    ("verified", "sums exchanged", put("blocks", 0, "sums", value=["denominator"]), "outside its positions"),
    ("verified", "an assumption invented", put("assumptions", value=["exact-entries"]), "assumptions has 1 entries, but 0"),
    ("verified", "a run of too many states", one_more([["1"], ["1"], "99999999999"]), "a run of 99999999999 states"),
    ("refuted", "another input", put("input", "y", value="100000000000000"), "breaks the promise"),
    ("refuted", "an input that is answered rightly", put("input", "z", value="111111111111111"), "trace"),
    ("refuted", "a weight changed", put("trace", "steps", 0, "weight", value="1/2"), "weight is .1/2., but"),
    ("refuted", "a sum changed", put("trace", "steps", 5, "sums", 0, value="0"), "number 6, sums, number 1 is .0."),
    ("refuted", "a sum that became infinite", put("trace", "steps", 5, "sums", 0, value="inf"), "number 6, sums, number 1 is .inf."),
    ("refuted", "a denominator changed", put("trace", "denominator", value="1"), "denominator is .1."),
    ("refuted", "the output changed", put("trace", "attention", value="1/64"), "attention is .1/64."),
    ("refuted", "the answer changed", put("trace", "answer", value="1"), "answer is .1., but 0"),
    ("refuted", "a step left out", drop("trace", "steps", -1), "steps has 34 entries, but 35"),
    ("refuted", "a content changed", put("trace", "steps", 2, "content", value=lambda c: "10"[int(c)]), "content is"),
    ("refuted", "a hidden node left out", drop("trace", "hidden", 0), "hidden has 1 entries"),
    ("refuted", "an order of evaluation swapped", put("semantics", "order", value="products"), "digest"),
    ("fooling-set", "a member more", put("size", value="32769"), "size is .32769."),
    ("fooling-set", "a pair fewer", put("pairs", value="536854527"), "pairs is .536854527."),
    ("fooling-set", "a bit more", put("bits", value="16"), "bits is .16."),
]

SEALED = [
    ("verified", "a p that is not the bits", put("parameters", "p", value="9"), "p is 9, but 8 was found"),
    ("verified", "an n that is not the tokens", put("parameters", "n", value="35"), "n is 35, but 34 was found"),
    ("verified", "an m that is not the length", put("parameters", "m", value="16"), "m is 16, but 15 was found"),
    ("verified", "a constant as printed", put("construction", "tokens", 0, "vectors", 0, 1, value="-7"), "listed|left"),
    ("verified", "the MLP's threshold moved", put("construction", "mlp", "hidden", 0, "bias", value="1/32"), "is not answered with 1"),
    ("verified", "an MLP that accepts", put("construction", "mlp", "output", "weights", value=["0", "0"]), "is not answered with 0"),
    ("verified", "an MLP that rejects", put("construction", "mlp", "output", "bias", value="0"), "is not answered with 1"),
    ("verified", "a weight that 8 bits lack", put("construction", "mlp", "hidden", 0, "weights", 0, value="-2049/1024"), "assumptions has"),
    ("verified", "ties to even", put("semantics", "ties", value="even"), "listed|left"),
    ("verified", "one bit of the strings more", put("construction", "problem", "length", value="16"), "cases is .536887296."),
    ("verified", "a token reads another bit", put("construction", "tokens", 10, "reads", value=["y[1]"]), "depends on y.1."),
    ("refuted", "the construction repaired", put("construction", "tokens", 0, "vectors", 0, 1, value="-6"), "trace"),
    ("refuted", "one fixed grid", put("semantics", "point", value="grid"), "trace"),
    ("fooling-set", "another length", put("problem", "length", value="16"), "m is 15, but 16 was found"),
]

SPELLINGS = [
    ("verified", "a count with a plus sign", put("cases", value="+536887296")),
    ("verified", "a count as a fraction", put("cases", value="1073774592/2")),
    ("verified", "a count with leading zeros", put("cases", value="000536887296")),
    ("verified", "an entry as a decimal", put("construction", "mlp", "hidden", 0, "bias", value="0.015625")),
    ("verified", "an entry not in lowest terms", put("construction", "mlp", "hidden", 0, "bias", value="2/128")),
    ("verified", "a parameter with a plus sign", put("parameters", "p", value="+8")),
    ("verified", "runs in another order", put(*LESS, value=lambda runs: runs[::-1])),
    ("refuted", "a weight as a decimal", put("trace", "steps", 0, "weight", value="0.0078125")),
    ("fooling-set", "a size as a fraction", put("size", value="65536/2")),
]

PROVED = [
    ("verified", "verified: EQ of two strings of 15 bits under y <= z, in 8 bits, semantics a4: right on all 536887296 pairs; sha256:"),
    ("refuted", "refuted: EQ of two strings of 15 bits under y <= z, in 8 bits, semantics a4: at y = "),
    ("fooling-set", "fooling set: the 32768 pairs (x, x) of EQ of two strings of 15 bits under y <= z force at least 15 bits; sha256:"),
]


@pytest.mark.parametrize(("kind", "beginning"), PROVED, ids=titled)
def test_a_good_certificate_says_what_it_proves_and_no_name(kind: str, beginning: str) -> None:
    line = recheck.recheck(good(kind))
    assert line.startswith(beginning)
    assert "every-bit-counts" not in line
    assert good(kind)["digest"] in line
    assert line.endswith("ideal-ln2, e^(k ln 2) = 2^k") == (kind != "fooling-set")


@pytest.mark.parametrize(
    ("entries", "weight", "assumed"), [("exact", "-2049/1024", ["exact-entries"]), ("exact", "-2", []), ("rounded", "-2049/1024", [])]
)
def test_what_was_assumed_is_said(entries: str, weight: str, assumed: list[str]) -> None:
    """8 bits lack -2049/1024, the nearest of their values to which is -2."""
    certificate = put("semantics", "entries", value=entries)(good("verified"))
    certificate = put("construction", "mlp", "hidden", 0, "weights", 0, value=weight)(certificate)
    line = recheck.recheck(sealed(put("assumptions", value=assumed)(certificate)))
    assert f" pairs{''.join(f', assuming {name}' for name in assumed)}; sha256:" in line


@pytest.mark.parametrize(("kind", "title", "change", "reason"), UNSEALED, ids=titled)
def test_a_corrupted_neighbour_is_rejected(kind: str, title: str, change: Change, reason: str) -> None:
    with pytest.raises(recheck.Rejected, match=reason):
        recheck.recheck(change(good(kind)))


@pytest.mark.parametrize(("kind", "title", "change", "reason"), SEALED, ids=titled)
def test_a_forged_neighbour_is_rejected(kind: str, title: str, change: Change, reason: str) -> None:
    with pytest.raises(recheck.Rejected, match=reason):
        recheck.recheck(sealed(change(good(kind))))


@pytest.mark.parametrize(("kind", "title", "change"), SPELLINGS, ids=titled)
def test_another_spelling_is_accepted(kind: str, title: str, change: Change) -> None:
    original = good(kind)
    changed = change(copy.deepcopy(original))
    assert changed != original
    assert recheck.recheck(changed) == recheck.recheck(original)


def test_every_reading_is_rechecked() -> None:
    """Each reading's certificate, verified or refuted, passes; and the digest of one is not that of another."""
    digests, kinds = set(), set()
    for semantics in readings():
        for name in ("table-5", "table-6"):
            execution = table(name, semantics.label)
            certificate = plain(certify(subject(execution), execution))
            label = semantics.label.replace("narrative", "a4+order=products")
            assert f"semantics {label}: " in recheck.recheck(certificate)
            kinds.add(certificate["kind"])
            digests.add(certificate["digest"])
    assert kinds == {"verified", "refuted"}
    assert len(digests) == 2 * len(list(readings()))
