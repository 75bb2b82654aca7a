"""Good certificates, and beside each its neighbours with one place changed: accepted, rejected, or not read, with the reason.

A forged neighbour got a fresh digest, as a forger would give it.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from tests.verifier.certificates.samples import Change, drop, good, plain, put, subject, table, titled
from verifier.arithmetic.semantics import readings
from verifier.certificates import recheck, recheck_command
from verifier.certificates.files import certify
from verifier.certificates.recheck_reading import Limits, Rejected, Unknown
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
    ("refuted", "the answer changed", put("trace", "answer", value="0"), "answer is .0., but 1"),
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
    ("verified", "an entry as a decimal", put("construction", "mlp", "hidden", 0, "bias", value="0.0078125")),
    ("verified", "an entry not in lowest terms", put("construction", "mlp", "hidden", 0, "bias", value="2/256")),
    ("verified", "runs in another order", put(*LESS, value=lambda runs: runs[::-1])),
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
    with pytest.raises(Rejected, match=reason):
        recheck.recheck(change(good(kind)))


@pytest.mark.parametrize(("kind", "title", "change", "reason"), SEALED, ids=titled)
def test_a_forged_neighbour_is_rejected(kind: str, title: str, change: Change, reason: str) -> None:
    with pytest.raises(Rejected, match=reason):
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


TOKEN = ("construction", "tokens", 3)

QUERY, KEY, VALUE, MLP = (("construction", name) for name in ("query", "key", "value", "mlp"))


STATE = (*LESS, 0, 0, 0)

NOT_READ = [
    # keys
    ("verified", "an unknown key", put("author", value="me"), 'the certificate: "author" is not known here'),
    ("verified", "an unknown knob", put("semantics", "mood", value="good"), 'semantics: "mood" is not known here'),
    ("verified", "no blocks", drop("blocks"), "the certificate: no blocks"),
    ("verified", "an extra key in a token", put(*TOKEN, "note", value="x"), 'construction, tokens, number 4: "note" is not known'),
    (
        "verified",
        "an extra key in a stage",
        put("blocks", 0, "stages", 0, "every", value=[]),
        'blocks, number 1, stages, number 1: "every"',
    ),
    ("verified", "every left out in the second block", drop("blocks", 1, "stages", 0, "every"), "number 2, stages, number 1: no every"),
    ("verified", "another kind's facts", put("kind", value="refuted"), "the certificate: no input"),
    ("refuted", "an extra key in the trace", put("trace", "note", value="x"), 'trace: "note" is not known'),
    ("fooling-set", "a construction beside the problem", put("construction", value={}), '"construction" is not known here'),
    # words
    ("verified", "a format of the future", put("format", value="bitreferee/certificate/2"), "format: .* where bitreferee/certificate/1"),
    ("verified", "no kind", drop("kind"), "kind: a record where"),
    ("verified", "another edition", put("edition", value="final"), 'edition: "final" where statement or printed or repaired was'),
    ("verified", "a setting unknown", put("semantics", "ties", value="random"), 'semantics, ties: "random" where zero or even or away was'),
    ("verified", "a sum of another name", put("blocks", 0, "sums", value=["total"]), 'sums, number 1: "total" where sum 1'),
    ("fooling-set", "another problem", put("problem", "promise", value="none"), 'problem, promise: "none" where y <= z was'),
    ("fooling-set", "another function", put("problem", "function", value="GT"), 'problem, function: "GT" where EQ was'),
    ("fooling-set", "another rule", put("rule", value="antidiagonal"), 'rule: "antidiagonal" where diagonal was'),
    (
        "verified",
        "a parameter that cannot be compared",
        put("parameters", "q", value="8"),
        'parameters: "q" was expected to be one of m, p, n',
    ),
    ("fooling-set", "a parameter of constructions", put("parameters", "p", value="8"), 'parameters: "p" was expected to be one of m'),
    (
        "verified",
        "a parameter whose name is two lines",
        put("parameters", "p\nq", value=[]),
        r'parameters: "p\\nq" was expected to be one of m, p, n',
    ),
    # types
    ("verified", "a name that is a list", put("claim", value=["lemma"]), "claim: a list where a text was expected"),
    ("verified", "a flag in words", put(*QUERY, "ln2", value="yes"), 'query, ln2: "yes" where true or false was'),
    ("verified", "a number that is a flag", put("construction", "bits", value=True), "construction, bits: true where an exact number was"),
    ("verified", "a number that is nothing", put("cases", value=None), "cases: null where an exact number was"),
    ("verified", "a vector that is a text", put(*TOKEN, "vectors", 0, value="100"), 'vectors, number 1: "100" where a list was'),
    ("verified", "a certificate that is a list", lambda c: [c], "the certificate: a list where a record was expected"),
    # numbers
    ("verified", "a decimal with an exponent", put("cases", value="1e3"), 'cases: "1e3" where an exact number was'),
    ("verified", "a division by zero", put("construction", "bits", value="8/0"), 'bits: "8/0" where an exact number was'),
    ("verified", "an entry of 301 digits", put(*MLP, "output", "bias", value="1" * 301), "bias: .* where an exact number was"),
    ("verified", "a denominator of 301 digits", put(*MLP, "output", "bias", value="1/" + "3" * 301), "bias: .* where an exact number was"),
    ("verified", "a scale of 0", put("semantics", "scale", value="0"), 'semantics, scale: "0" where a positive scale'),
    ("verified", "a scale that is not used", put("semantics", "scale", value="1/2"), "1 where the point is free"),
    ("verified", "a state between the units", put(*STATE, value="1/2"), 'less, number 1, number 1, number 1: "1/2" where an integer'),
    ("verified", "a run of no states", put(*LESS, 0, 2, value="0"), "where an integer from 1 on was"),
    # infinities
    ("verified", "infinity in a word of its own", put(*STATE, value="Infinity"), '"Infinity" where an exact number was'),
    ("verified", "a list for a state", put(*STATE, value=["inf"]), "number 1: a list where an exact number was"),
    ("verified", "infinity with a plus sign", put(*STATE, value="+inf"), '"[+]inf" where an exact number was'),
    ("verified", "the state that stands for infinity", put(*STATE, value=str(1 << 200)), "where an integer from -16256 to 16256 was"),
    ("verified", "the state that stands for NaN", put(*STATE, value=str(1 << 201)), "where an integer from -16256 to 16256 was"),
    ("verified", "a step to infinity", put(*LESS, 0, 1, 0, value=str(1 << 200)), "where an integer from -32512 to 32512 was"),
    ("verified", "an infinity that steps", put(*LESS, 0, value=[["inf"], ["1"], "1"]), "where an integer from 0 to 0 was"),
    ("verified", "an infinite entry", put(*TOKEN, "vectors", 0, 1, value="inf"), "vectors, number 1, number 2: .inf. where an exact"),
    # shapes
    ("verified", "a token index twice", put(*TOKEN, "index", value="1"), 'tokens, number 4, index: "1" where index 2 was expected'),
    ("verified", "a token left out", drop(*TOKEN), "tokens, number 4, index: .* where index 2 was"),
    ("verified", "a vector too many", put(*TOKEN, "vectors", value=lambda v: [*v, v[0]]), "vectors: 3 entries where 2 were expected"),
    ("verified", "a vector that is too short", drop(*TOKEN, "vectors", 1, -1), "vectors, number 2: 2 entries where 3 were expected"),
    ("verified", "a row of W^V missing", drop(*VALUE, "rows", -1), "value, rows: 2 entries where 3 were"),
    ("verified", "an edge of the MLP missing", drop(*MLP, "output", "weights", 0), "output, weights: 1 entries"),
    ("verified", "a run of two parts", drop(*LESS, 0, -1), "less, number 1: 2 entries where 3 were"),
    ("verified", "a state with too many sums", put(*LESS, 0, 0, value=["1", "1"]), "number 1: 2 entries where 1 were"),
    # the symbol N
    ("verified", "N where a number is due", put(*MLP, "output", "bias", value="N"), 'bias: "N" where an exact number'),
]


@pytest.mark.parametrize(("kind", "title", "change", "reason"), NOT_READ, ids=titled)
def test_what_is_no_certificate_is_not_read(kind: str, title: str, change: Change, reason: str, tmp_path: Path) -> None:
    """Also where a forger gave it a fresh digest."""
    changed = change(good(kind))
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(sealed(changed) if isinstance(changed, dict) else changed))
    with pytest.raises(Unknown, match=reason):
        recheck.recheck(changed)
    status, line, certificate = recheck_command.examine(str(path), Limits(), recheck.recheck)
    assert (status, certificate) == (2, None)
    assert line.isascii()
    assert line.isprintable()


def test_numbers_may_be_json_numbers(tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    path.write_text(json.dumps(put("cases", value=536887296)(put("parameters", "p", value=8)(good("verified")))))
    assert recheck_command.examine(str(path), Limits(), recheck.recheck)[0] == 0
