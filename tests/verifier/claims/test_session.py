"""A session makes each finding once: also for the other editions, where the judge never looked at which one it was asked for."""

import pytest

from verifier.claims.chapter import Chapter
from verifier.claims.model import DEFAULT_SEMANTICS, Claim, Question
from verifier.claims.session import Session
from verifier.errors import LimitError, MissingExtraError
from verifier.verdicts import Edition, Finding, Scope, Verdict


def claim_judged_by(look: bool, verdict: Verdict, seen: list[int]) -> Claim:
    chapter = Chapter("artificial")

    @chapter.claim("lemma-1", statement="one", place="here", checks="nothing", bounded=False)
    def judge(question: Question) -> Finding:
        seen.append(1)
        if look and question.edition is Edition.REPAIRED:
            return Finding(Verdict.VERIFIED, Scope("as repaired", 1))
        return Finding(verdict, Scope("as asked", 1), counterexample={"x": "1"} if verdict is Verdict.REFUTED else None)

    del judge
    return chapter.claims[0]


@pytest.mark.parametrize(("look", "calls"), [(False, 1), (True, 3)])
def test_a_judge_that_does_not_look_at_the_edition_is_asked_once(look: bool, calls: int) -> None:
    seen: list[int] = []
    claim, session = claim_judged_by(look, Verdict.REFUTED, seen), Session()
    found = [session.finding(claim, edition, {}, DEFAULT_SEMANTICS)[0] for edition in Edition]
    assert len(seen) == calls
    assert [f.verdict for f in found] == [Verdict.REFUTED, Verdict.REFUTED, Verdict.VERIFIED if look else Verdict.REFUTED]
    for edition, finding in zip(Edition, found, strict=True):
        assert finding.verdict is Verdict.VERIFIED or finding.replay == ("artificial/lemma-1", "--edition", edition.value)


def test_work_over_the_limit_is_declined_in_every_edition() -> None:
    chapter = Chapter("artificial")

    @chapter.claim("lemma-2", statement="two", place="here", checks="nothing", bounded=False)
    def judge(question: Question) -> Finding:
        raise LimitError("too much", "--limit")

    del judge
    session = Session()
    for edition in Edition:
        made, _ = session.finding(chapter.claims[0], edition, {}, DEFAULT_SEMANTICS)
        assert made.verdict is Verdict.DECLINED


def test_what_an_extra_is_missing_for_is_declined_and_says_so_and_so_does_who_asks_it(monkeypatch: pytest.MonkeyPatch) -> None:
    chapter = Chapter("artificial")

    @chapter.claim("lemma-3", statement="three", place="here", checks="nothing", bounded=False)
    def searched(question: Question) -> Finding:
        raise MissingExtraError("the search needs a solver", "search")

    @chapter.claim("lemma-4", statement="four", place="here", checks="nothing", bounded=False)
    def asking(question: Question) -> Finding:
        question.ask("lemma-3")
        return Finding(Verdict.VERIFIED, Scope("another witness", 1))

    @chapter.claim("lemma-5", statement="five", place="here", checks="nothing", bounded=False)
    def apart(question: Question) -> Finding:
        return Finding(Verdict.VERIFIED, Scope("itself", 1))

    del searched, asking, apart
    lemma_3, lemma_4, lemma_5 = chapter.claims
    monkeypatch.setattr("verifier.claims.session.find_claim", lambda name: lemma_3)
    for order in ([lemma_3, lemma_4, lemma_5], [lemma_5, lemma_4, lemma_3]):
        session = Session()
        found = {claim.name: session.finding(claim, Edition.PRINTED, {}, DEFAULT_SEMANTICS)[0] for claim in order}
        assert {name: (f.verdict, f.needs) for name, f in found.items()} == {
            "lemma-3": (Verdict.DECLINED, ("search",)),
            "lemma-4": (Verdict.VERIFIED, ("search",)),
            "lemma-5": (Verdict.VERIFIED, ()),
        }
        assert found["lemma-3"].reason == "the search needs a solver; installing bitreferee[search] lifts the limit"


def test_progress_begins_and_ends_each_judgement() -> None:
    told: list[tuple[str, int, int]] = []
    claim = claim_judged_by(False, Verdict.VERIFIED, [])
    Session(advance=lambda label, done, total: told.append((label, done, total))).finding(claim, Edition.STATEMENT, {}, DEFAULT_SEMANTICS)
    assert told == [("lemma-1", 0, 0), ("lemma-1", 1, 0)]
