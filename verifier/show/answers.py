"""Answers in words: results that ask the same, and the smallest counterexample as a row or a finding tells it."""

from __future__ import annotations

from collections.abc import Sequence

from verifier.claims.verdicts import Result
from verifier.errata.findings import SERIOUS, SLOT, Finding
from verifier.gate.standing import Question, Standing
from verifier.running.grouping import grouped
from verifier.running.printable import joined
from verifier.show.counterexamples import in_a_line, of_result
from verifier.show.verdict_words import spelled, titled


def alike(results: Sequence[Standing]) -> list[list[Standing]]:
    """Group the results that ask the same questions."""
    return list(grouped((tuple((q.says, q.claim.id) for q in result.questions), result) for result in results).values())


def together(results: Sequence[Standing]) -> list[tuple[str, Standing]]:
    """Merge results that ask the same questions into one, with all names: ``Theorems 1.1 and 2.4``."""
    return [(named([each.claim.name for each in listed]), decided(listed)) for listed in alike(results)]


def named(names: Sequence[str]) -> str:
    """``Theorems 1.1, 2.1 and 2.4``; ``Lemma 5 and Theorem 6``."""
    kinds, numbers = zip(*(titled(name).partition(" ")[::2] for name in names), strict=True)
    if len(names) == 1 or len(set(kinds)) > 1:
        return joined([titled(name) for name in names])
    return f"{kinds[0]}s {joined(numbers)}"


def decided(listed: Sequence[Standing]) -> Standing:
    """Choose from results that ask the same, if possible one that is not about the existence of an example."""
    return next((each for each in listed if not each.exists), listed[0])


def proof_line(question: Question) -> str:
    """``fails, first at Lemma 2.6, table 6; works after 5 corrections for p = 7..8``; empty if the paper prints no proof."""
    return spelled(str(question.proof)) if question.proof else ""


def smallest(question: Question, findings: Sequence[Finding]) -> str:
    """The smallest counterexample in the words of the row or else of a finding that is about it, or empty if the question has none."""
    failing = question.failing
    if failing is None:
        return ""
    examples = (f.entry.example for f in findings if f.kind in SERIOUS and f.shown.id == failing.claim)
    told = (_told(example, failing) for example in (question.example, *examples))
    return next(filter(None, told), "") or _values(failing)


def _told(example: str, failing: Result) -> str:
    """A counterexample in these words, or empty if there are none, or if they name other values."""
    found = {**{name: str(value) for name, value in failing.parameters.items()}, **(failing.outcome.counterexample or {})}
    said = " ".join(example.split())
    return SLOT.sub(lambda slot: found[slot[1]], said) if all(name in found for name in SLOT.findall(said)) else ""


def _values(result: Result) -> str:
    found = result.outcome
    shown = of_result(result)
    at = ", ".join(f"{k} = {v}" for k, v in result.parameters.items() if k not in shown)
    said = in_a_line(shown) if shown else spelled(found.reason or "")
    return f"{at}: {said}" if at and said else at or said


def text_of(found: Standing) -> str:
    """The answers to a result in a line; if the result has halves, its standing."""
    if len(found.questions) != 1:
        return found.status
    return answers_of(found.questions[0]) or found.status


def answers_of(question: Question) -> str:
    """The answers to a question in a line, each with its reading where they differ, or empty if it was not judged."""
    told = (f"{f'{answer.called}: ' if answer.reading else ''}{answer.text}{answer.by_ours}" for answer in question.answers)
    shared = question.answers[-1].by_ours if len({answer.ours for answer in question.answers}) == 1 else ""
    return "; ".join(each.removesuffix(shared) for each in told) + shared.replace(",", ";", 1)
