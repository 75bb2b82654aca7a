"""A session makes each outcome once: also for the other editions, where the judge does not declare that it depends on them."""

import pytest

from verifier.claims.model import DEFAULT_SEMANTICS, Claim, Query, UndeclaredEditionError, by_edition, depends_on_edition
from verifier.claims.session import STEP_STATES, Session
from verifier.claims.verdicts import Edition, Outcome, Scope, Verdict
from verifier.running.errors import LimitError, MissingExtraError
from verifier.running.limits import Limits


def claim_judged_by(look: bool, verdict: Verdict, seen: list[int]) -> Claim:
    def judge(query: Query) -> Outcome:
        seen.append(1)
        if depends_on_edition(judge) and query.edition is Edition.REPAIRED:
            return Outcome(Verdict.VERIFIED, Scope("as repaired", 1))
        return Outcome(verdict, Scope("as asked", 1), counterexample={"x": "1"} if verdict is Verdict.REFUTED else None)

    return Claim("artificial/lemma-1", "one", "here", "nothing", judge=by_edition(judge) if look else judge, bounded=False)


@pytest.mark.parametrize(("look", "calls"), [(False, 1), (True, 3)])
def test_a_judge_that_does_not_depend_on_the_edition_is_asked_once(look: bool, calls: int) -> None:
    seen: list[int] = []
    claim, session = claim_judged_by(look, Verdict.REFUTED, seen), Session()
    found = [session.outcome(claim, edition, {}, DEFAULT_SEMANTICS)[0] for edition in Edition]
    assert len(seen) == calls
    assert [f.verdict for f in found] == [Verdict.REFUTED, Verdict.REFUTED, Verdict.VERIFIED if look else Verdict.REFUTED]
    for edition, outcome in zip(Edition, found, strict=True):
        assert outcome.verdict is Verdict.VERIFIED or outcome.replay == ("artificial/lemma-1", "--edition", edition.value)


@pytest.mark.parametrize("reads", ["edition", "ask"])
def test_a_judge_that_reads_the_edition_without_saying_so_is_a_fault(reads: str) -> None:
    def judge(query: Query) -> Outcome:
        query.ask("lemma-8") if reads == "ask" else query.edition  # reading it is the fault
        return Outcome(Verdict.VERIFIED, Scope("one", 1))

    claim = Claim("artificial/lemma-1", "", "", "", judge=judge, bounded=False)
    with pytest.raises(UndeclaredEditionError, match="artificial/lemma-1 reads the edition"):
        Session().outcome(claim, Edition.STATEMENT, {}, DEFAULT_SEMANTICS)


@pytest.mark.parametrize("short", [LimitError("too much", "--limit"), MemoryError("--memory")], ids=repr)
def test_work_over_the_limit_is_declined_in_every_edition(short: Exception) -> None:
    def judge(query: Query) -> Outcome:
        raise short

    claim = Claim("artificial/lemma-2", "two", "here", "nothing", judge=judge, bounded=False)
    session = Session()
    for edition in Edition:
        made, _ = session.outcome(claim, edition, {}, DEFAULT_SEMANTICS)
        assert (made.verdict, made.out_of_reach) == (Verdict.DECLINED, True)
        assert ("--limit" if isinstance(short, LimitError) else "--memory") in (made.reason or "")
    if isinstance(short, MemoryError):  # a job's own bound is its caller's to name
        with pytest.raises(MemoryError):
            Session(Limits(memory=1)).outcome(claim, Edition.PRINTED, {}, DEFAULT_SEMANTICS)


def test_what_an_extra_is_missing_for_is_declined_and_says_so_and_so_does_who_asks_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def searched(query: Query) -> Outcome:
        raise MissingExtraError("the search needs a solver", "search")

    @by_edition
    def asking(query: Query) -> Outcome:
        query.ask("lemma-3")
        return Outcome(Verdict.VERIFIED, Scope("another witness", 1))

    def itself(query: Query) -> Outcome:
        return Outcome(Verdict.VERIFIED, Scope("itself", 1))

    step = Claim("artificial/lemma-6:search", "a step", "here", "nothing", judge=searched, bounded=False, role="argument")
    claims = [
        Claim("artificial/lemma-3", "three", "here", "nothing", judge=searched, bounded=False),
        Claim("artificial/lemma-4", "four", "here", "nothing", judge=asking, bounded=False),
        Claim("artificial/lemma-5", "five", "here", "nothing", judge=itself, bounded=False),
        Claim("artificial/lemma-6", "six", "here", "nothing", judge=itself, bounded=False, steps=(step,)),
    ]
    monkeypatch.setattr("verifier.claims.session.find_claim", lambda name: claims[0])
    for order in (claims, claims[::-1]):
        session = Session()
        found = {claim.name: session.outcome(claim, Edition.PRINTED, {}, DEFAULT_SEMANTICS)[0] for claim in order}
        assert {name: (f.verdict, f.needs) for name, f in found.items()} == {
            "lemma-3": (Verdict.DECLINED, ("search",)),
            "lemma-4": (Verdict.VERIFIED, ("search",)),
            "lemma-5": (Verdict.VERIFIED, ()),
            "lemma-6": (Verdict.VERIFIED, ("search",)),
        }
        assert found["lemma-3"].reason == "the search needs a solver: pip install 'bitreferee[search]'"


def judged_by_another(query: Query) -> Outcome:
    return Outcome(Verdict.VERIFIED, Scope("one", 1))


UNBOUNDED = Claim("artificial/lemma-8", "", "", "", judge=judged_by_another, bounded=False)


@pytest.mark.parametrize(("asked", "found"), [("lemma-8", "artificial/lemma-8"), ("other/lemma-8", "other/lemma-8")])
def test_a_judge_asks_about_a_claim_of_its_paper_unless_it_names_another(monkeypatch: pytest.MonkeyPatch, asked: str, found: str) -> None:
    seen: list[str] = []
    monkeypatch.setattr("verifier.claims.session.find_claim", lambda name: seen.append(name) or UNBOUNDED)
    Query(UNBOUNDED, Edition.STATEMENT, {}, DEFAULT_SEMANTICS, Session()).ask(asked)
    assert seen == [found]


@pytest.mark.parametrize(("states", "of_steps"), [(10, 10), (STEP_STATES, STEP_STATES), (STEP_STATES + 1, STEP_STATES)])
def test_steps_have_no_more_work_than_their_owner_may_have(states: int, of_steps: int) -> None:
    assert Session(Limits(states)).steps.limits.states == of_steps


@pytest.mark.parametrize("error", [OverflowError("too many digits in integer"), ValueError("Exceeds the limit (4300 digits)")])
def test_an_overflow_of_a_judge_is_a_fault(error: Exception) -> None:
    def judge(query: Query) -> Outcome:
        raise error

    with pytest.raises(type(error)):
        Session().outcome(
            Claim("artificial/lemma-1", "one", "here", "nothing", judge=judge, bounded=False), Edition.STATEMENT, {}, DEFAULT_SEMANTICS
        )
