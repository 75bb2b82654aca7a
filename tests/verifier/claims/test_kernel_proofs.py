"""Theorems that a kernel checks decide claims for every parameter, in the reading and the problem that they speak of and nowhere else."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.command_line import CommandLine
from tests.papers_of_tests import the_paper
from verifier.arithmetic.semantics import read_semantics
from verifier.claims import kernel_proofs
from verifier.claims.file_records import ProofEntry
from verifier.claims.kernel_proofs import deciding, linked
from verifier.claims.model import DEFAULT_SEMANTICS, Claim
from verifier.claims.papers import catalogue, find_claim
from verifier.claims.parameters import ALL
from verifier.claims.session import Session
from verifier.claims.verdicts import Edition, Outcome, Verdict
from verifier.commands import proofs
from verifier.gate.objections import theorems_of
from verifier.kernel import answer_cache, coq
from verifier.kernel.checking import Checked
from verifier.kernel.coq import INSTALL, Coq
from verifier.kernel.folders import ProofFolder, read_folder
from verifier.running.errors import InputError
from verifier.show.theorems import decides

COQ = Coq("coqc", "coqchk", "8.16.1")
WITNESS = "every-bit-counts/lemma-2.6:denominator-first"
Says = Callable[..., None]


def folder() -> ProofFolder:
    paper = the_paper("every-bit-counts")
    return read_folder(paper.id, paper.folder / "proofs")


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> Says:
    """Coq is there and has checked the theorems, of which it refuses those named."""

    def says(*refused: str) -> None:
        monkeypatch.setattr(coq, "installed_coq", lambda: COQ)
        answer_cache.keep(folder(), COQ, [Checked(t, ("no",) if t.name in refused else ()) for t in folder().listing.theorem])

    return says


def for_all(claim: Claim, reading: str = "a4", edition: Edition = Edition.STATEMENT) -> Outcome:
    return Session().outcome(claim, edition, dict.fromkeys((p.name for p in claim.parameters), ALL), read_semantics(reading))[0]


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("claim", "reading", "verdict", "said"),
    [
        ("lemma-2.6:denominator-first", "a4", Verdict.VERIFIED, "true for every p >= 3"),
        ("lemma-2.6:denominator-first", "narrative", Verdict.VERIFIED, "true for every p >= 3"),
        ("lemma-2.5:two-bits", "a4", Verdict.VERIFIED, "true for every p >= 1"),
        ("lemma-2.5", "narrative+point=grid", Verdict.VERIFIED, "true for every p >= 3"),
        ("theorem-2.4:fixed-splits", "a4", Verdict.VERIFIED, "true for every p >= 3"),
        ("theorem-2.4:one-bit-more", "narrative+point=grid", Verdict.VERIFIED, "true for every p >= 4"),
        ("lemma-2.6", "a4", Verdict.REFUTED, "true for every p >= 3 and n >= 4*p + 2 (Coq … false at p = 1, n = 6 (degenerate"),
        ("lemma-2.5", "a4", Verdict.REFUTED, "false for every p >= 3"),
        ("lemma-2.2", "a4", Verdict.REFUTED, "false for every p >= 4"),
        ("theorem-2.4:one-reading", "a4", Verdict.REFUTED, "true for every p >= 3 (Coq"),
        ("theorem-2.4", "a4", Verdict.REFUTED, "p bits suffice (lemma-2.6): true for every p >= 3 and n >= 4*p + 2 (Coq"),
    ],
)
def test_a_claim_is_decided_for_every_parameter(kernel: Says, claim: str, reading: str, verdict: Verdict, said: str) -> None:
    """What holds for every parameter leads, and what fails at a degenerate point is told behind it."""
    kernel()
    found = for_all(find_claim(f"every-bit-counts/{claim}"), reading)
    text, (leads, *others) = found.witness or found.reason or "", said.split(" … ")
    assert (found.verdict, text.startswith(leads), all(each in text for each in others)) == (verdict, True, True), text
    assert "Coq 8.16.1, theorem" in text


def test_a_degenerate_failure_is_said_last_also_without_the_kernel() -> None:
    found = for_all(find_claim("every-bit-counts/lemma-2.6"), "a4")
    said = (found.reason or "").split("; ")
    assert said[0].startswith("true for every p >= 3 and n >= 4*p + 2 (kernel)")
    assert said[-1] == "false at p = 1, n = 6 (degenerate: the authors intend p >= 2)"
    assert (found.scope.statement, found.meant) == ("a degenerate case, p = 1, n = 6", Verdict.VERIFIED)
    lemma = find_claim("every-bit-counts/lemma-2.6")
    left_out = replace(lemma, proofs=lemma.proofs[:1])
    assert for_all(left_out, "a4").meant is Verdict.OPEN, "what no theorem covers is more than the points that were judged"


@pytest.mark.parametrize("reading", ["a4", "narrative"])
@pytest.mark.parametrize(
    ("owner", "number", "said"), [("lemma-2.6", 6, "every p >= 7 and n >= 4*p + 2"), ("lemma-2.3", 5, "every p >= 8 and n >= 4*p + 1")]
)
def test_a_corrected_table_is_decided_after_our_corrections_and_not_as_printed(
    kernel: Says, owner: str, number: int, said: str, reading: str
) -> None:
    kernel()
    table, lemma = find_claim(f"every-bit-counts/{owner}:table-{number}"), find_claim(f"every-bit-counts/{owner}")
    for claim in (table, lemma):
        corrected = for_all(claim, reading, Edition.REPAIRED)
        assert corrected.verdict is Verdict.VERIFIED
        assert (corrected.witness or "").startswith(f"true for {said} (Coq 8.16.1, theorem corrected_table_{number}")
    for edition in (Edition.STATEMENT, Edition.PRINTED):
        assert list(deciding(table, edition, read_semantics(reading))) == []
    assert [d.theorem.name for d in deciding(table, Edition.REPAIRED, read_semantics("narrative+point=grid"))] == []
    assert decides(linked(table, table.proofs[0])).startswith(f"true after our corrections for {said[:12]}")


@pytest.mark.parametrize("name", ["equation-8", "equation-10"])
def test_a_display_without_an_argument_is_decided_in_every_edition(name: str) -> None:
    claim = find_claim(f"fixed-point-networks/{name}")
    assert all(for_all(claim, edition=edition).verdict is Verdict.VERIFIED for edition in Edition)
    (step,) = find_claim("fixed-point-networks/lemma-5").arguments[:1]
    argued = replace(claim, steps=(*claim.steps, step))
    assert [list(deciding(argued, e, DEFAULT_SEMANTICS)) for e in (Edition.PRINTED, Edition.REPAIRED)] == [[], []]


def test_a_theorem_about_a_corrected_table_says_nothing_below_its_first_p(kernel: Says) -> None:
    kernel()
    table = find_claim("every-bit-counts/lemma-2.6:table-6")
    wider = ProofEntry(**{**fields_of(table.proofs[0]), "where": "p >= 6 and n >= 4*p + 2"})  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"covers p >= 7 and n >= 4\*p \+ 2; p >= 6 and n >= 4\*p \+ 2 does not lie in it"):
        linked(table, wider)
    link = replace(linked(table, table.proofs[0]), proof=wider)
    assert link.covers({"p": 7, "n": 30})
    with pytest.raises(InputError, match="does not cover"):
        link.covers({"p": 6, "n": 26})


@pytest.mark.parametrize("reading", ["a4+ties=even", "a4+rounding=truncate", "a4+overflow=before", "a4+point=grid", "a4+entries=rounded"])
def test_another_reading_takes_nothing_from_the_theorem(kernel: Says, reading: str) -> None:
    kernel()
    assert not list(deciding(find_claim(WITNESS), Edition.STATEMENT, read_semantics(reading)))


def test_the_positive_weights_of_a_grid_are_not_lifted_to_the_free_point(kernel: Says) -> None:
    kernel()
    lemma = find_claim("every-bit-counts/lemma-2.5")
    assert [d.theorem.name for d in deciding(lemma, Edition.STATEMENT, read_semantics("narrative"))] == []
    assert [d.theorem.name for d in deciding(lemma, Edition.REPAIRED, read_semantics("narrative+point=grid"))] == []


@pytest.mark.long("Edition.REPAIRED-narrative+point=grid")
@pytest.mark.one_in(3)
@pytest.mark.parametrize("reading", ["a4", "narrative", "narrative+point=grid", "a4+point=grid+order=values"])
@pytest.mark.parametrize("edition", [Edition.PRINTED, Edition.REPAIRED])
def test_a_theorem_about_levels_does_not_lift_the_paper_s_own_count(kernel: Says, edition: Edition, reading: str) -> None:
    kernel()
    lemma = find_claim("every-bit-counts/lemma-2.5")
    assert list(deciding(lemma, edition, read_semantics(reading))) == []
    found = for_all(replace(lemma, parameters=tuple(replace(p, typical="2..3") for p in lemma.parameters)), reading, edition)
    assert found.verdict is not Verdict.VERIFIED
    assert "Coq" not in f"{found.witness} {found.reason}"


def test_the_printed_count_fails_where_the_point_is_free(kernel: Says) -> None:
    kernel()
    lemma = find_claim("every-bit-counts/lemma-2.5")
    few = replace(lemma, parameters=tuple(replace(p, typical="3..4") for p in lemma.parameters))
    assert for_all(few, "narrative", Edition.PRINTED).verdict is Verdict.REFUTED
    assert Session().outcome(lemma, Edition.PRINTED, {"p": 4}, read_semantics("narrative"))[0].verdict is Verdict.REFUTED


def test_without_coq_a_theorem_that_ships_counts_and_one_of_another_paper_does_not(
    verify: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The sentence names `verify proofs`, and that command names the one that installs Coq."""
    for module in (coq, proofs):
        monkeypatch.setattr(module, "installed_coq", lambda: None)
    found = for_all(find_claim(WITNESS))
    assert found.verdict is Verdict.VERIFIED
    assert found.witness == "true for every p >= 3 and n >= 4*p + 2 (kernel)"
    assert found.needs == ()
    asked = verify(f"{WITNESS} --p all --edition statement --format json")
    assert (asked.status, [r["verdict"] for r in asked.document["results"]]) == (0, ["verified"])
    assert at("lemma-2.6", p=31, n=126).verdict is Verdict.VERIFIED
    for name, other in (("ROOT", tmp_path), ("_sources", lambda folder: "of sources that were changed")):
        with monkeypatch.context() as elsewhere:
            elsewhere.setattr(kernel_proofs, name, other)
            found = for_all(find_claim(WITNESS))
            assert (found.verdict, found.needs) == (Verdict.DECLINED, ("coq",))
            assert (found.reason or "").startswith("not known for every p >= 3 and n >= 4*p + 2: Coq is not installed")
    shown = verify("proofs fixed-point-networks")
    assert (shown.status, f"Coq is not installed: {INSTALL}" in shown.out) == (3, True)


def test_a_change_of_any_source_is_not_what_was_accepted(tmp_path: Path) -> None:
    accepted = folder()
    copy = tmp_path / "proofs"
    shutil.copytree(accepted.folder, copy)
    assert answer_cache.digest_of_sources(accepted) == accepted.listing.accepted
    for path in [*sorted(copy.glob("*.v")), copy / "definitions.toml"]:
        text = path.read_bytes()
        path.write_bytes(text + b"\n")
        assert answer_cache.digest_of_sources(replace(accepted, folder=copy)) != accepted.listing.accepted, path.name
        path.write_bytes(text)
    assert answer_cache.digest_of_sources(replace(accepted, folder=copy)) == accepted.listing.accepted


def test_other_sources_than_those_accepted_fail_the_check(verify: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proofs, "installed_coq", lambda: COQ)
    monkeypatch.setattr(proofs, "check_folder", lambda folder, *given: [Checked(each, ()) for each in folder.listing.theorem])
    done = verify("proofs every-bit-counts")
    assert (done.status, "other sources" in done.out) == (0, False)
    monkeypatch.setattr(proofs, "digest_of_sources", lambda folder: "0123")
    done = verify("proofs every-bit-counts")
    assert (done.status, done.out.endswith('says that other sources were accepted; expected: accepted = "0123"\n')) == (1, True)


def test_a_change_of_a_source_forgets_what_was_checked(kernel: Says, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel()
    assert answer_cache.word(folder(), "both_halves").accepted
    monkeypatch.setattr(coq, "installed_coq", lambda: replace(COQ, version="8.17.0"))
    assert answer_cache.word(folder(), "both_halves").accepted is None
    before = answer_cache.question(folder(), "8.16.1")
    listing = folder().listing
    renamed = replace_theorem(listing.theorem)
    assert answer_cache.question(replace(folder(), listing=type(listing)(**{**fields_of(listing), "theorem": renamed})), "8.16.1") != before


def at(claim: str, reading: str = "a4", **values: int) -> Outcome:
    return Session().outcome(find_claim(f"every-bit-counts/{claim}"), Edition.STATEMENT, values, read_semantics(reading))[0]


@pytest.mark.parametrize(
    ("claim", "theorem"),
    [
        ("lemma-2.6", "theorem corrected_table_6_computes_equality of Table6Proof.v"),
        ("lemma-2.6:denominator-first", "theorem denominator_first_computes_equality of Proof.v"),
    ],
)
@pytest.mark.parametrize("reading", ["a4", "narrative"])
def test_a_theorem_decides_a_point_that_exceeds_a_limit(kernel: Says, claim: str, theorem: str, reading: str) -> None:
    kernel()
    found = at(claim, reading, p=31, n=126)
    assert (found.verdict, found.scope.method) == (Verdict.VERIFIED, "kernel")
    assert "p = 31, n = 126" in found.scope.statement
    assert theorem in (found.witness or "")


def test_no_theorem_decides_a_point_under_another_reading_or_outside_its_hypotheses(kernel: Says) -> None:
    kernel()
    other = at("lemma-2.6:denominator-first", "a4+ties=even", p=31, n=126)
    outside = at("lemma-2.6", p=31, n=125)
    assert (other.verdict, outside.verdict) == (Verdict.DECLINED, Verdict.OPEN)
    assert "Proof.v" not in f"{other.reason} {outside.reason}"


def test_a_refused_theorem_decides_no_point(kernel: Says) -> None:
    kernel("denominator_first_computes_equality")
    assert at("lemma-2.6:denominator-first", p=31, n=126).verdict is Verdict.DECLINED


def test_without_coq_a_point_beyond_the_limits_of_another_paper_is_declined(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The reason names the command that installs Coq."""
    monkeypatch.setattr(coq, "installed_coq", lambda: None)
    monkeypatch.setattr(kernel_proofs, "ROOT", tmp_path)
    found = at("lemma-2.6", p=31, n=126)
    assert found.verdict is Verdict.DECLINED
    assert "31 bits" in (found.reason or "")
    assert INSTALL in (found.reason or "")


def fields_of(record: object) -> dict[str, object]:
    return {name: getattr(record, name) for name in record.__struct_fields__}  # type: ignore[attr-defined]


def replace_theorem(theorems: tuple[object, ...]) -> tuple[object, ...]:
    first, *rest = theorems
    return (type(first)(**{**fields_of(first), "states": "something_else"}), *rest)


def test_a_refused_theorem_decides_nothing_and_fails_the_gate(kernel: Says) -> None:
    kernel("denominator_first_computes_equality")
    claim = find_claim(WITNESS)
    assert for_all(claim).verdict is Verdict.OPEN
    assert "refuses" in (for_all(claim).reason or "")
    assert theorems_of([claim]).refused


def test_without_coq_the_gate_leaves_the_claim_out_with_a_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coq, "installed_coq", lambda: None)
    found = theorems_of([find_claim(WITNESS)])
    assert not found.accepted
    assert not found.refused
    (line,) = found.lines
    assert line.startswith(f"{WITNESS}: not compared for every parameter: Coq is not installed: {INSTALL}")


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"theorem": "no_such_theorem"}, "no theorem"),
        ({"file": "Counting"}, "is in Proof.v"),
        ({"theorem": "messages_needed", "file": "Counting"}, "two_sums_need_messages has no counterpart"),
    ],
)
def test_a_link_that_is_wrong_is_refused(changes: dict[str, str], why: str) -> None:
    claim = find_claim(WITNESS)
    proof = ProofEntry(**{**fields_of(claim.proofs[0]), **changes})  # type: ignore[arg-type]
    with pytest.raises(InputError, match=why):
        linked(claim, proof)


@pytest.mark.parametrize(
    ("claim", "where", "why"),
    [
        (WITNESS, "p >= 2 and n >= 4*p + 2", "does not cover"),
        ("every-bit-counts/lemma-2.6:table-6-halved", "p >= 3 and n >= 4*p + 2", "has table witness-t1"),
    ],
)
def test_a_theorem_is_not_taken_for_more_than_it_says(claim: str, where: str, why: str) -> None:
    witness = find_claim(WITNESS)
    found = replace(linked(witness, witness.proofs[0]), claim=find_claim(claim))
    found = replace(found, proof=ProofEntry(**{**fields_of(found.proof), "where": where}))  # type: ignore[arg-type]
    with pytest.raises(InputError, match=why):
        [found.covers({"p": p, "n": 4 * p + 2}) for p in (2, 6)]


def test_other_strings_than_the_theorem_speaks_of_are_refused() -> None:
    lemma = find_claim("every-bit-counts/lemma-2.5")
    (found,) = deciding(lemma, Edition.STATEMENT, read_semantics("narrative+point=grid"))
    longer = replace(lemma, fields={**lemma.fields, "length": "m + 1"})
    with pytest.raises(InputError, match="has length 5, the claim 6"):
        replace(found, claim=longer).covers({"p": 3})


def test_a_changed_claim_does_not_inherit_the_theorem() -> None:
    proved = [claim for claim in catalogue().values() if claim.proofs]
    assert len(proved) >= 7
    assert all(not neighbour.claim.proofs for claim in proved for neighbour in claim.neighbours)
    assert any(claim.hypotheses for claim in proved)
    assert all(not hypothesis.claim.proofs for claim in proved for hypothesis in claim.hypotheses)
    assert all(not question.claim.proofs for claim in proved for question in claim.questions)


def test_a_theorem_with_other_fields_than_the_claim_is_refused() -> None:
    lemma = find_claim("fixed-point-networks/lemma-14")
    (found,) = deciding(lemma, Edition.STATEMENT, read_semantics("a4"))
    assert found.covers({"p": 2, "s": 1, "d": 1, "sigma": 0})
    for fields in ({**lemma.fields, "layers": 3}, {k: v for k, v in lemma.fields.items() if k != "weights"}):
        with pytest.raises(InputError, match=r"has (layers 2, the claim 3|weights '\+-1', the claim '')"):
            replace(found, claim=replace(lemma, fields=fields)).covers({"p": 2, "s": 1, "d": 1, "sigma": 0})


def test_every_link_of_fixed_point_networks_agrees_with_its_claim() -> None:
    linked_claims = [claim for claim in catalogue().values() if claim.proofs and claim.paper == "fixed-point-networks"]
    values = {"p": 3, "s": 2, "d": 1, "sigma": 0, "n": 3, "x": 5}
    assert len(linked_claims) >= 27
    for claim in linked_claims:
        (found,) = deciding(claim, Edition.STATEMENT, read_semantics("a4"))
        assert found.covers({p.name: values[p.name] for p in claim.parameters}), claim.name


def test_the_screen_leads_with_what_is_true(kernel: Says, verify: CommandLine) -> None:
    kernel()
    found = verify("lemma-2.6", "--p", "all", "--edition", "statement")
    text = " ".join(found.out.split())
    assert "true for every p ≥ 3 and n ≥ 4p + 2 (Coq 8.16.1, theorem denominator_first_computes_equality of Proof.v)" in text
    assert text.index("true for every") < text.index("false at p = 1")
