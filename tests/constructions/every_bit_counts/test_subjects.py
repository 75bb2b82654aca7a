"""Sentences of Lemmas 2.3, C.3 and C.8 and Theorems C.1 and C.2 depend on the table that they speak of: change it and the verdict moves."""

import pytest

from constructions.every_bit_counts.mathematics import two_bit_transformer, weights
from tests.constructions.every_bit_counts.changed_table import changed, judged
from verifier.claims.model import DEFAULT_SEMANTICS, Claim
from verifier.claims.papers import find_claim
from verifier.claims.points import Point
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Verdict
from verifier.errata.tables import apply, read_construction
from verifier.language.syntax import parse
from verifier.networks.errata import TableErratum


def claim(name: str) -> Claim:
    return find_claim(f"every-bit-counts/{name}")


KEY = "-2**(e - 2)"
MANTISSA, EXPONENT = "y[m - t + 1 + (i - t + 1)]", "y[t+e-1 : m-t+1]"
REPAIRED = [
    ("lemma-c.8:bits-held", "input.3.reads.2", MANTISSA, "y[m - t + (i - t + 1)]"),
    ("lemma-c.8:second-exponent", "quantities.e_y2", EXPONENT, "y[t+e : m-t+1]"),
    ("lemma-c.8:second-exponent", "input.4.reads.1", EXPONENT, "y[t+e : m-t+1]"),
    ("lemma-c.8:second-exponent-length", "input.4.reads.1", EXPONENT, "y[t+e : m-t+1]"),
    ("lemma-c.8:first-part", "input.2.reads.2", "y[e + i - 1]", "y[e + i]"),
    ("lemma-c.8:last-digit", "input.2.reads.2", "y[e + i - 1]", "y[e + i]"),
    ("lemma-c.8:second-mantissa", "input.3.reads.2", MANTISSA, "y[m - t + (i - t + 1)]"),
    ("section-c.1:exponent-length", "input.7.reads.2", "z[2 : e+1]", "z[2 : e]"),
    ("lemma-c.8:case-split", "row.2.i", "[1 : t-1]", "[1 : t]"),
    ("lemma-c.8:keys-are-values", "row.10.zero.2", KEY, "-2**(e - 2) - 1"),
    ("lemma-c.8:mantissa-range", "row.2.one.2", KEY, "-2**(e - 1) + 1"),
    ("lemma-c.8:step-10", "weights.value.matrix.3.1", "2**(2**(e-2))", "2**(2**(e-2) + 1)"),
    ("lemma-c.8:denominator-after-step-2", "row.2.zero.2", KEY, "-2**(e - 1)"),
    ("lemma-2.3:output-no", "row.6.one.2", "m + 2*h - i - 1", "-N"),
]


@pytest.mark.parametrize(("name", "at", "before", "after"), REPAIRED)
def test_a_changed_row_refutes_the_repaired_sentence(name: str, at: str, before: str, after: str) -> None:
    point = {"lemma-2.3": {"p": 8}, "section-c.1": {"t": 4, "e": 3}}.get(name.partition(":")[0], {"m": 11, "e": 6})
    assert judged(claim(name), **point).verdict is Verdict.VERIFIED
    assert judged(changed(claim(name), at, before, after), **point).verdict is Verdict.REFUTED


def test_a_false_sentence_on_first_halves_fails_the_printed_proof_of_lemma_c_3() -> None:
    point = Point.of(claim("lemma-c.3"), {"t": 3, "e": 3})
    printed, repaired = (Session().at(point, edition, DEFAULT_SEMANTICS) for edition in (Edition.PRINTED, Edition.REPAIRED))
    assert (printed.verdict, repaired.verdict) == (Verdict.REFUTED, Verdict.VERIFIED)


def test_two_members_keep_the_promise_of_the_table() -> None:
    """The corrected sentence writes the promise of Table 7 out; here both are read again from their files."""
    found = claim("lemma-c.3:first-halves").of_edition(Edition.REPAIRED)
    assert parse(found.fields["holds"]) == parse(read_construction(weights.TABLES / "table-7.toml").raw["problem"]["promise"])


@pytest.mark.parametrize(
    ("name", "table", "at", "before", "after", "point"),
    [
        ("section-c.2:bits", "table-8", "precision.t", "t", "t + 1", {"m": 11}),
        ("theorem-c.2:bits", "table-8", "precision.t", "t", "t + 1", {"m": 15}),
        ("theorem-c.2:bits-of-lemma", "table-8", "precision.e", "e", "e - 1", {"m": 11}),
        ("theorem-c.1:every-n", "table-7", "input.8.i", "{2*t+1, 2*t+3, ..., 4*t-5}", "{2*t+31, 2*t+33, ..., 4*t+25}", {"t": 3, "e": 2}),
        ("theorem-c.2:every-n", "table-8", "input.10.i", "2*m + 1", "2*m - 1", {"m": 15}),
    ],
)
def test_a_number_is_that_of_the_file(
    name: str, table: str, at: str, before: str, after: str, point: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert judged(claim(name), **point).verdict is Verdict.VERIFIED
    raw = read_construction(weights.TABLES / f"{table}.toml").raw
    entry = TableErratum(name="neighbour", at=at, printed=before, repaired=after, why="a test")
    for counted in (weights.last_token_of_z, weights.last_token_of_t3):
        counted.cache_clear()
    monkeypatch.setattr(weights, "printed_table", lambda asked: apply(raw, [entry], asked))
    assert judged(claim(name), **point).verdict is Verdict.REFUTED
    for counted in (weights.last_token_of_z, weights.last_token_of_t3):
        counted.cache_clear()


def test_the_ends_of_the_halves_are_those_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = claim("lemma-2.6:overview-tokens")
    assert judged(asked, p=4).verdict is Verdict.VERIFIED
    right = two_bit_transformer.contents
    monkeypatch.setattr(two_bit_transformer, "contents", lambda *given: {i + (i > 12): bit for i, bit in right(*given).items()})
    assert judged(asked, p=4).verdict is Verdict.REFUTED
