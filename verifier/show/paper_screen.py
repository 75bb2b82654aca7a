"""A paper on the screen: the referee's page in short form, or a line for each claim while it is judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby

from verifier.claims.model import Claim
from verifier.claims.papers import Paper
from verifier.claims.verdicts import Edition, Result, Verdict, worst
from verifier.gate.run import Run
from verifier.gate.standing import Standing
from verifier.running.shelf import SHELF
from verifier.show.answers import alike, decided, proof_line
from verifier.show.findings_document import lines as finding_lines
from verifier.show.judged import Judged, judged_by
from verifier.show.notation.plain import shown
from verifier.show.screen import COLOURS, console, folded, say
from verifier.show.verdict_words import titled

COLUMN = 18
"""Room for ``refuted 12 of 48``."""


def question_lines(result: Standing, indent: int = 2) -> Iterator[str]:
    """The questions of a result in 80 columns, each with its answers, its printed proof and a footnote."""

    def lines(text: str, deep: int) -> list[str]:
        return folded(shown(text), indent + deep + 4, indent + deep)

    for question in result.questions:
        yield from lines(question.says or question.claim.statement, 0)
        for answer in question.answers:
            yield from lines(f"{f'{answer.called}: ' if answer.reading else ''}{answer.text}", 4)
        if not question.answers:
            yield from lines("not judged", 4)
        if question.proof:
            yield from lines(f"printed proof: {proof_line(question)}", 4)
        if question.footnote:
            yield from lines(question.footnote, 4)


def statement_line(judged: Judged, claim: Claim) -> str:
    """A statement in a line: its mark, its answers, whether its printed proof works, and how many steps are true."""
    found = judged.standing(claim)
    steps = [judged.standing(step).status for step in claim.steps if not step.ours]
    parts = [found.status if claim.rows else "; ".join(a.text for q in found.questions for a in q.answers) or "not judged"]
    parts += [f"printed proof: {proof_line(q)}" for q in found.questions if q.proof and not claim.rows]
    parts += [f"{steps.count('true')} of {len(steps)} steps hold at every parameter"] if steps else []
    return f"{found.mark} {titled(claim.name)}: {'; '.join(parts)}"


def show_page(paper: Paper, run: Run) -> None:
    """What holds and what does not, each main result half by half, the findings by class, the statements in order; 80 columns."""
    judged = judged_by(run, paper)

    def told(text: str, indent: int) -> list[str]:
        return folded(shown(text), indent, 0)

    say(told(f"{paper.title} ({paper.authors})", 0), "bold")
    say(["", "Is it true?"], "bold")
    for group in alike(judged.main):
        say(told("; ".join(f"{each.mark} {titled(each.claim.name)}: {each.status}" for each in group), 4))
        say(question_lines(decided(group)))
    say(["", *(line for sentence in judged.in_short for line in told(sentence, 2))])
    if judged.listings:
        say(["", f"Findings (`{SHELF.program(paper.id)} findings {paper.id}`)"], "bold")
    say([*finding_lines(judged.listings), ""])
    say(told("Statements in the paper's order (✓ true, ◐ true or false in one order only, ✗ false, ? open, – not judged)", 0), "bold")
    say(line for claim in paper.statements() for line in told(statement_line(judged, claim), 4))


def show_verdicts(paper: Paper, results: Iterable[Result]) -> list[Result]:
    """A line for each claim as its results come, which are together: the worst verdict of each edition over its points, and at how many
    of them; last how many claims have which verdict. The results are returned.
    """
    from rich.text import Text

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
        line = Text(f"{called:<{width}}" if len(called) < width else f"{called}\n{'':{width}}")
        for edition, verdicts in editions.items():
            bad = worst(verdicts)
            counts.setdefault(edition, Counter())[bad] += 1
            at = "" if set(verdicts) == {bad} else f" {verdicts.count(bad)} of {len(verdicts)}"
            line.append(f"{f'{bad.value}{at}':<{COLUMN}}", style=COLOURS[bad])
        console().print(line, no_wrap=True)
    for edition, counted in counts.items():
        parts = [(f"{counted[v]} {v.value}", COLOURS[v]) for v in Verdict if counted[v]]
        console().print(Text.assemble((f"{edition.value:<10} ", "dim"), *[x for part in parts for x in (part, ", ")][:-1]))
    return every
