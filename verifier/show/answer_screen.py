"""Answers on the screen: a line for each statement of a paper, or a statement in words, at one point or over its typical points."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING

from verifier.arithmetic.rationals import Fraction
from verifier.arithmetic.semantics import read_semantics
from verifier.claims.model import Claim
from verifier.claims.papers import Paper, claims_called, find_claim, find_paper
from verifier.claims.parameters import ALL
from verifier.claims.points import Point, asked_points
from verifier.claims.request import Request
from verifier.claims.session import Session
from verifier.claims.verdicts import KERNEL, SHIPPED, Edition, Result, Verdict, worst
from verifier.errata.findings import Finding
from verifier.gate.point_sets import points_texts
from verifier.gate.run import Run
from verifier.gate.standing import (
    COUNTEREXAMPLE,
    MARKS,
    SYMBOLS,
    WORDS,
    Known,
    Question,
    Standing,
    parts_of,
    small_corrections,
    spoken,
)
from verifier.gate.standing import word as word_of
from verifier.language.exact import integer
from verifier.running.grouping import grouped
from verifier.running.printable import assignment, joined, many
from verifier.running.shelf import SHELF
from verifier.show.answers import alike, answers_of, decided, proof_line, smallest
from verifier.show.corrections import corrected_domain
from verifier.show.counterexamples import readable_findings
from verifier.show.notation.plain import shown
from verifier.show.screen import COLOURS, folded, say, tell
from verifier.show.verdict_words import MARK, spelled, titled

if TYPE_CHECKING:
    from verifier.show.judged import Judged

LEGEND = "✓ true, ◐ true or false in one order only, ✗ false, ~ true under a named assumption, ? open, – not judged"
"""The marks of results."""
COLUMN = 18
"""The width of a column, which holds ``refuted 12 of 48``."""


def question_lines(result: Standing) -> Iterator[str]:
    """The questions of a result in 80 columns: each with its answers, then its printed proof and a footnote."""
    for question in result.questions:
        yield from asked(question)


def asked(question: Question, named: bool = True) -> Iterator[str]:
    """A question with its answers, its printed proof and a footnote. named: whether the question is printed."""
    told = f"{(question.says or question.claim.statement).rstrip('.')}: " if named else ""
    yield from folded(shown(f"{told}{answers_of(question) or 'not judged'}"), 4, 2)
    for text in (f"printed proof: {proof_line(question)}" if question.proof else "", question.footnote):
        yield from folded(shown(text), 6, 4) if text else ()


def statement_lines(judged: Judged, claim: Claim, rows: bool = True) -> Iterator[str]:
    """A statement with its mark and answers in 80 columns; below it its questions if it has several, else its printed proof; then how many
    steps are true. rows: whether the questions are shown.
    """
    found = judged.standing(claim)
    said = found.status if claim.rows else "; ".join(filter(None, map(answers_of, found.questions))) or "not judged"
    yield from folded(shown(f"{found.mark} {titled(claim.name)}: {said}"), 4, 0)
    if claim.rows and rows:
        yield from question_lines(found)
    proofs = (f"printed proof: {proof_line(q)}" for q in found.questions if q.proof and not claim.rows)
    steps = counted_steps([judged.standing(step) for step in claim.steps if step.role == "argument" and not step.ours])
    for text in (*proofs, *steps):
        yield from folded(shown(text), 4, 2)


def counted_steps(steps: Sequence[Standing]) -> Iterator[str]:
    """``its 5 steps: 4 true where judged (1 proved for all parameters), 1 not decided``; the same of its asides, on which nothing rests."""
    for role, noun in (("argument", "step"), ("aside", "aside")):
        if listed := [step for step in steps if step.claim.role == role]:
            yield f"its {many(len(listed), noun)}: {_counted(listed)}"


def _counted(steps: Sequence[Standing]) -> str:
    true = [step for step in steps if step.status == "true"]
    proved = sum(all(part.by in (KERNEL, SYMBOLS) for q in step.questions for a in q.answers for part in a.parts) for step in true)
    false = sum(step.status.startswith("false") for step in steps)
    corrected = sum(any(a.misprints for q in step.questions for a in q.answers) for step in true)
    how = ", ".join(f"{count} {what}" for count, what in ((corrected, "after correction"), (proved, "proved for all parameters")) if count)
    counted = (
        (len(true), f"true where judged{f' ({how})' if how else ''}"),
        (false, "false for some parameters"),
        (len(steps) - len(true) - false, "not decided"),
    )
    return ", ".join(f"{count} {what}" for count, what in counted if count)


def show_page(judged: Judged) -> None:
    """Show the summary, the answers on the main results, part by part, the findings by class, and the statements in order; 80 columns."""
    from verifier.show.documents import lines as finding_lines

    paper = judged.paper

    def told(text: str, indent: int) -> list[str]:
        return folded(shown(text), indent, 0)

    say(told(f"{paper.title} ({paper.authors})", 0), "bold")
    for title, sentences in judged.told:
        say(["", title.rstrip(".")], "bold")
        say(line for sentence in sentences for line in told(sentence, 2))
    say(["", "Is it true?"], "bold")
    for group in alike(judged.main):
        say(told("; ".join(f"{each.mark} {titled(each.claim.name)}: {each.status}" for each in group), 4))
        say(question_lines(decided(group)))
    if judged.listings:
        say(["", f"Findings (`{SHELF.program(paper.id)} findings {paper.id}`)"], "bold")
    say([*finding_lines(judged.listings), ""])
    say(told(f"Statements in the paper's order ({LEGEND})", 0), "bold")
    say(line for claim in paper.statements() for line in statement_lines(judged, claim, rows=False))


def show_verdicts(paper: Paper, results: Iterable[Result]) -> list[Result]:
    """Print a line for each claim when its results arrive, which come together: the worst verdict of each edition over its points, and the
    number of points; last the number of claims with each verdict. Return the results.
    """
    width = max(map(len, paper.order)) + 2
    every: list[Result] = []
    counts: dict[Edition, Counter[Verdict]] = {}
    for name, group in groupby(results, key=lambda result: result.claim):
        made = list(group)
        every += made
        editions = {e: [r.verdict for r in made if r.edition is e] for e in dict.fromkeys(r.edition for r in made)}
        if not counts:
            say([f"{'':{width}}" + "".join(f"{e.value:<{COLUMN}}" for e in editions).rstrip()], "dim")
        owner, colon, step = name.partition("/")[2].partition(":")
        called = f"  :{step}" if colon else owner
        line = []
        for edition, verdicts in editions.items():
            bad = worst(verdicts)
            counts.setdefault(edition, Counter())[bad] += 1
            at = "" if set(verdicts) == {bad} else f" {verdicts.count(bad)} of {len(verdicts)}"
            line.append((f"{f'{bad.value}{at}':<{COLUMN}}", COLOURS[bad]))
        tell(f"{called:<{width}}" if len(called) < width else f"{called}\n{'':{width}}", *line, no_wrap=True)
    for edition, counted in counts.items():
        parts = [(f"{counted[v]} {v.value}", COLOURS[v]) for v in Verdict if counted[v]]
        tell((f"{edition.value:<10} ", "dim"), *[x for part in parts for x in (part, ", ")][:-1], soft_wrap=None)
    return every


BITS = re.compile(r"\b([A-Za-z])((?: [-+] \d+)?)(?= bits?\b)")
"""A number of bits in a question: ``p - 1`` of ``p - 1 bits do not suffice``."""


def short_name(claim: Claim) -> str:
    """The shortest name of the claim that no other claim has."""
    return claim.name if [each.id for each in claims_called(claim.name)] == [claim.id] else claim.id


def show_answer(answered: Answered) -> None:
    """Print the answer at a point, or over several points, in about twelve lines."""
    head, *lines = _lines(answered)
    say([head], "bold")
    say(lines)


def _lines(answered: Answered) -> list[str]:
    known, claim = answered.known, answered.claim
    found = known.standing(claim)
    program = SHELF.program(known.paper.id)
    name = short_name(claim)
    if len(answered.points) > 1:
        tried = spoken("; ".join(points_texts(claim, known.results(claim, Edition.STATEMENT, None))))
        lines = [*folded(shown(f"{found.mark} {titled(claim.name)}, {tried}: {_status(found)}"), 2, 0), *_claimed(found)]
        for question in found.questions:
            lines += [*asked(question, bool(question.says)), *why_false(question, found.findings)]
        unknown = dict.fromkeys(_reason(known, question) for question in found.questions if question.status == "not judged")
        lines += [line for reason in unknown for line in folded(shown(f"why not judged: {spelled(reason)}"), 6, 4)]
        words = "".join(f" --{parameter} {text}" for parameter, text in answered.given.items())
        return [*lines, *_exit_status(known, found), *_more(program, name, words)]
    (point,) = answered.points
    at, more = assignment(point.values), _more(program, name, words_of(point))
    called = f"{titled(claim.name)}{f', {at}' if at else ''}"
    if why := point.outside or claim.not_meant(point.values):
        words = " and ".join(dict.fromkeys(word_of(r) for r in known.results(claim, Edition.STATEMENT, None)))
        said = f"not judged, because {why}" if point.outside else f"{words} in a degenerate case, {why}"
        head = folded(shown(f"{MARKS['not judged']} {called}: {said}"), 2, 0)
        return [*head, *folded(shown(f"claim: {claim.statement}"), 4, 2), *_exit_status(known, found), *more]
    left = [at_point(q.says, point) for q in found.questions if q.says and q.status == "not judged"]
    status = f"{found.status}; not judged: {'; '.join(left)}" if left and found.status != "not judged" else _status(found)
    alone = len(found.questions) == 1 and not found.questions[0].says
    if alone:
        status = _told(known, found.questions[0])
    lines = [*folded(shown(f"{found.mark} {called}: {status}"), 2, 0), *_claimed(found)]
    used: set[str] = set()
    for question in found.questions:
        told = f"{at_point(question.says, point)}: " if question.says else ""
        lines += () if alone else folded(shown(f"{told}{_told(known, question)}"), 4, 2)
        lines += _details(known, question, found.findings)
        used |= {part.by for answer in question.answers for part in answer.parts}
    if KERNEL in used:
        lines += folded(f"{KERNEL}: {SHIPPED}", 4, 2)
    return [*lines, *_exit_status(known, found), *more]


def whole_line(result: Result) -> str:
    """``✗ Theorem 2.4, every p and n, in matrix order: false``: the answer of a result on all values of a parameter."""
    claim, verdict = find_claim(result.claim), result.outcome.meant or result.verdict
    paper = find_paper(claim.paper)
    called = paper.called.get(result.semantics or "") if paper is not None and len(paper.readings) > 1 else None
    given = ", ".join(f"{name} = {value}" for name, value in result.parameters.items() if value is not ALL)
    every = f"every {joined([name for name, value in result.parameters.items() if value is ALL])}"
    where = ", ".join(filter(None, (titled(claim.name), every, given, called and f"in {called}")))
    return f"{MARK[verdict]} {where}: {WORDS[verdict]}"


def _status(found: Standing) -> str:
    """The status of a result; if it only claims that something exists, an answer *false* about the proof's own leaves it open."""
    elsewhere = found.status == "open" and found.exists and found.says_false
    return f"open, since another {found.exists} may work" if elsewhere else found.status


def _claimed(found: Standing) -> list[str]:
    """What a result says, if its answers do not say it part by part."""
    return [] if any(question.says for question in found.questions) else folded(shown(f"claim: {found.claim.statement}"), 4, 2)


def _exit_status(known: Known, found: Standing) -> list[str]:
    """Say why the exit status is 1 or 3, unless the answer says it."""
    results = known.run.results[found.claim.id]
    refuted = [r for r in results if r.verdict is Verdict.REFUTED]
    proofs = [question.proof for question in found.questions if question.proof]
    if refuted and any(proof.works in ("corrected", "fails") or (proof.works == "undecided" and proof.misprints) for proof in proofs):
        return []
    if not refuted and found.status.startswith("true"):
        return _undecided([r for r in results if r.edition is not Edition.REPAIRED and r.verdict is not Verdict.VERIFIED])
    if not refuted or found.status.startswith("false"):
        return []
    meant = [r for r in refuted if found.claim.not_meant(r.parameters) is None]
    if not meant:
        return ["  exit status 1: the claim fails in degenerate cases"]
    spared = any(proof.misprints for proof in proofs) or any(answer.misprints for q in found.questions for answer in q.answers)
    return [f"  exit status 1: {'without correction ' if spared else ''}the claim fails {_editions(meant)}"]


def _undecided(left: Sequence[Result]) -> list[str]:
    """Say which editions of a claim that is true are not decided, and why."""
    reason = next((f": {spelled(r.outcome.reason.splitlines()[0])}" for r in left if r.outcome.reason), "")
    return folded(shown(f"exit status 3: not decided {_editions(left)}{reason}"), 4, 2) if left else []


def _editions(results: Sequence[Result]) -> str:
    """``as stated and as printed``: the editions of results."""
    words = ["stated" if edition is Edition.STATEMENT else edition.value for edition in dict.fromkeys(r.edition for r in results)]
    return f"as {' and as '.join(words)}"


def words_of(point: Point) -> str:
    needed = {p.name for p in point.claim.parameters if p.default is None}
    defaults = point.claim.complete({k: v for k, v in point.values.items() if k in needed})
    return "".join(f" --{k} {v}" for k, v in point.values.items() if k in needed or defaults[k] != v)


def _more(program: str, name: str, words: str) -> list[str]:
    """The commands that show the whole record of the claim, with what to correct, and its verdict on each edition here."""
    commands = f"`{program} show {name}`,", f"`{program} {name}{words} --editions`"
    return folded(f"More: {' '.join(each.replace(' ', chr(0)) for each in commands)}", 8, 2)  # no command is broken


def _told(known: Known, question: Question) -> str:
    """The answers, reading by reading, each with its evidence and assumptions."""
    answers: dict[str, list[str]] = {}
    for answer in question.answers:
        by = [part.by for part in answer.parts if part.by]
        readings = [answer.reading] if answer.reading else known.paper.readings
        mine = [r for reading in readings for r in known.results(question.claim, Edition.STATEMENT, reading)]
        counted = [r for r in mine if not (answer.misprints and r.verdict is Verdict.REFUTED)]  # small mistakes refute nothing
        by += [part.by for r in counted for part in parts_of(question.claim, [r]) if part.by]
        shown_again = {part.by for part in answer.parts} == {KERNEL}  # by the counterexample that is replayed below
        evidence = ", ".join(each for each in dict.fromkeys(by) if not (shown_again and each == COUNTEREXAMPLE))
        word = " and ".join(dict.fromkeys(part.word for part in answer.parts)) or "not judged"
        answers.setdefault(f"{word}{f' ({evidence})' if evidence else ''}{answer.but}{answer.by_ours}", []).append(answer.called)
    alike = len(answers) == 1
    told = "; ".join(text if alike else f"{' and '.join(names)}: {text}" for text, names in answers.items())
    told = told or f"not judged: {spelled(_reason(known, question))}"
    assumes = f"; assumes {', '.join(question.assumes)}" if question.assumes and "true" in told else ""
    return f"{told}{assumes}"


def _details(known: Known, question: Question, findings: Sequence[Finding]) -> Iterator[str]:
    """Why an answer is false or open, and whether the printed proof works."""
    false = list(why_false(question, findings))
    yield from false
    if not false and question.answers and all(part.word == "open" for answer in question.answers for part in answer.parts):
        yield from folded(shown(f"why open: {spelled(_reason(known, question))}"), 6, 4)
    yield from _printed(known, question)


def why_false(question: Question, findings: Sequence[Finding]) -> Iterator[str]:
    """The smallest counterexample, and the command that replays it."""
    if example := smallest(question, findings):
        yield from folded(shown(f"why false: {example}"), 6, 4)
    if question.failing is not None and question.failing.replay:
        yield f"    replay: {question.failing.replay}"


def _reason(known: Known, question: Question) -> str:
    mine = known.results(question.claim, Edition.STATEMENT, None)
    said = (question.claim.not_meant(r.parameters) or (r.outcome.reason or "").partition("\n")[0] for r in mine)
    return next(filter(None, said), "no evidence")


def _printed(known: Known, question: Question) -> Iterator[str]:
    """Say whether the printed proof works here, and which parameters the corrected proof needs."""
    if question.proof is None:
        return
    claim = question.claim
    printed, repaired = (next(iter(known.results(claim, each, None)), None) for each in (Edition.PRINTED, Edition.REPAIRED))
    what = "table" if claim.table is not None and (claim.witness or claim.table.claim == claim.id) else "proof"
    said = f"the printed {what} works"
    if question.proof.works == "undecided":
        said = f"the printed {what}{' ' if question.proof.misprints else ': '}{question.proof}"
    elif question.proof.works in ("corrected", "fails"):
        first = question.proof.first
        where = f" at {titled(first.name)}" if first else ""
        reason = spelled((printed.outcome.reason or "").splitlines()[0]) if printed and printed.outcome.reason else ""
        repeats = first is not None and titled(first.name) in reason
        said = f"the printed {what} fails{where}{f': {reason}' if reason and len(reason) < 80 and not repeats else ''}"
    elif question.proof.misprints:
        said += f", {small_corrections(question.proof.misprints)}"
    if printed is not None and printed.verdict is Verdict.REFUTED and repaired is not None and question.proof.works != "works":
        if repaired.verdict is Verdict.VERIFIED:
            said += "; corrected, it works"
        elif repaired.verdict is Verdict.DECLINED and (needs := corrected_domain(question.claim)):
            said += f"; our corrected {what} needs {needs}"
    if said == f"the printed {what} fails" and question.status.startswith("false"):
        return  # nobody expects a proof of what is false
    yield from folded(shown(said), 6, 4)
    if printed is not None and printed.verdict is Verdict.REFUTED and printed.replay and question.failing is None:
        yield f"    replay: {printed.replay}"


def at_point(says: str, point: Point) -> str:
    """``5 bits suffice`` for ``p bits suffice`` at p = 5."""
    names = {k: Fraction(int(v)) for k, v in point.values.items() if v is not ALL}

    def number(found: re.Match[str]) -> str:
        return str(integer(f"{found[1]}{found[2]}", names)) if found[1] in names else found[0]

    said = BITS.sub(number, says)
    for several, one in (("1 bits do", "1 bit does"), ("1 bits suffice", "1 bit suffices")):
        said = re.sub(rf"(?<!- )\b{several}\b", one, said)
    return said


@dataclass(frozen=True)
class Answered:
    """A statement at the points of a request. known: the results behind its answer, of the statement, its halves and the steps of these;
    given: the parameters of the command line.
    """

    known: Known
    claim: Claim
    points: Sequence[Point]
    given: Mapping[str, str]


class AtPoints(Known):
    """The results of a command. Its verdicts do not rest on the paper's findings, so a wrong file of findings hides none."""

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        return readable_findings(self.paper)


def answerable(request: Request) -> bool:
    """Whether every claim is a statement with an answer in words: at points of its domain, under the first reading, without a range of
    the command line; parameters that are left out may have several typical values.
    """
    for point in (point for listed in request.points for point in listed):
        paper = find_paper(point.claim.paper)
        if paper is None or request.semantics != next(iter(paper.readings)):
            return False
        if point.claim.role is not None or point.of_all:
            return False
    return not (request.is_range and any(".." in text for text in request.ranges.values()))


def answers(request: Request, session: Session, made: Sequence[Result]) -> Iterator[Answered]:
    """Judge what the answers need, for each statement at its points together: the halves under each reading of the paper, under the first
    in every edition.

    Symbols are asked about the halves that are true at the points, or if no parameter is given.
    """
    from verifier.gate.by_symbols import proved

    counting = Session(replace(session.limits, smallest=False, counts=False), session.advance, session.method)
    for points in request.points:
        owner = points[0].claim
        paper = find_paper(owner.paper)
        assert paper is not None, "a claim has a paper"
        asked = [find_claim(row.claim) for row in owner.rows] or [owner]
        first = next(iter(paper.readings))
        readings: dict[str, list[Result]] = {name: [] for name in paper.readings}
        for reading in paper.readings:
            judging, editions = (session, tuple(Edition)) if reading == first else (counting, (Edition.STATEMENT,))
            for claim in (c for c in asked if c.bounded or reading == first):
                # parameters that only a half has take their typical values
                shared = [{p.name: str(point.values[p.name]) for p in claim.parameters if p.name in point.values} for point in points]
                for at in {at.key: at for values in shared for at in asked_points(claim, values)}.values():
                    readings[reading] += [r for r in judging.results(at, editions, read_semantics(reading)) if r.claim == claim.id]
        known = {(r.claim, r.edition) for r in made}
        given = {p.name: request.ranges[p.name] for p in owner.parameters if p.name in request.ranges}
        every = [*made, *(r for r in readings[first] if (r.claim, r.edition) not in known)]
        undecided = {r.claim for r in every if r.edition is Edition.STATEMENT and r.verdict is not Verdict.VERIFIED}
        typical = len(points) > 1 and not given
        symbols = {claim.id: proved(claim, session) for claim in asked if typical or claim.id not in undecided}
        by_claim = {name: grouped((r.claim, r) for r in listed) for name, listed in readings.items()}
        run = Run(grouped((r.claim, r) for r in every), {}, by_claim, symbols=symbols)
        yield Answered(AtPoints(paper, run, whole=False), owner, points, given)
