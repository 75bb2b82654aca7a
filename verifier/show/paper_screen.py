"""A paper on the screen: the referee's page in small, with a line for each statement; or a line for each as it is judged, with counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from verifier.claims.model import Claim
from verifier.claims.papers import Paper
from verifier.claims.verdicts import Edition, Outcome, Result, Verdict, worst
from verifier.errata.findings import SERIOUS, findings
from verifier.gate.run import Run
from verifier.gate.standing import Standing
from verifier.running.shelf import SHELF
from verifier.show.answers import alike, decided, proof_line
from verifier.show.findings_document import lines as finding_lines
from verifier.show.judged import Judged
from verifier.show.notation.plain import shown
from verifier.show.screen import COLOURS, console, folded, say
from verifier.show.verdict_words import titled

if TYPE_CHECKING:
    from rich.text import Text

COLUMN = 18
"""Room for ``refuted 12 of 48``."""


def question_lines(result: Standing, indent: int = 2) -> Iterator[str]:
    """The questions of a result in 80 columns: each with its answers, how the printed proof does, and a footnote."""

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
    """A statement in a line: its mark, its answers, how its printed proof does, and how many of the steps hold."""
    found = judged.standing(claim)
    steps = [judged.standing(step).status for step in claim.steps if not step.ours]
    parts = [found.status if claim.rows else "; ".join(a.text for q in found.questions for a in q.answers) or "not judged"]
    parts += [f"printed proof: {proof_line(q)}" for q in found.questions if q.proof and not claim.rows]
    parts += [f"{steps.count('true')} of {len(steps)} steps hold"] if steps else []
    return f"{found.mark} {titled(claim.name)}: {'; '.join(parts)}"


def show_page(paper: Paper, run: Run) -> None:
    """What holds and what does not, each main result half by half, the findings by class, the statements in order; 80 columns."""
    judged = Judged(paper, run)

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


class Lines:
    """The lines of one run over a paper."""

    def __init__(self, paper: Paper, steps: bool) -> None:
        self.paper, self.steps = paper, steps
        self.counts: dict[Edition, Counter[Verdict]] = {e: Counter() for e in Edition}
        self.lesser: Counter[Edition] = Counter()
        self.condemned = _condemned(paper)
        self.width = max(len(name) for name in paper.order) + (16 if steps else 2)
        self.begun = False

    def claim(self, claim: Claim, results: Sequence[Result], elsewhere: Mapping[str, Sequence[Outcome]]) -> None:
        """A claim's line: the worst verdict of each edition over its points, and at how many of them."""
        from rich.text import Text

        out = console()
        editions = list(dict.fromkeys(r.edition for r in results))
        if not self.begun:
            self.begun = True
            out.print(Text(f"{'':{self.width}}" + "".join(f"{e.value:<{COLUMN}}" for e in editions).rstrip(), style="dim"))
        name = claim.name if claim.role is None else f"  :{claim.name.partition(':')[2]}"
        line = Text(f"{name:<{self.width}}" if len(name) < self.width else f"{name}\n{'':{self.width}}")
        for edition in editions:
            verdicts = [r.verdict for r in results if r.edition is edition]
            self.counts[edition][worst(verdicts)] += 1
            self.lesser[edition] += worst(verdicts) is Verdict.REFUTED and self.condemned.get(claim.id) is False
            line.append_text(_cell(verdicts))
        out.print(line, no_wrap=True)
        for reading, outcomes in elsewhere.items():
            per_edition = {e: [f.verdict for f in outcomes[k :: len(editions)]] for k, e in enumerate(editions)}
            if any(per_edition[e] != [r.verdict for r in results if r.edition is e] for e in editions):
                line = Text(f"{'  ' + reading:<{self.width}}", style="dim")
                for edition in editions:
                    line.append_text(_cell(per_edition[edition]))
                out.print(line, no_wrap=True)

    def end(self) -> None:
        """How many claims have which verdict, edition by edition."""
        from rich.text import Text

        out = console()
        for edition, counts in self.counts.items():
            if counts:
                parts = [(f"{counts[v]} {v.value}", COLOURS[v]) for v in Verdict if counts[v]]
                shown = [x for part in parts for x in (part, ", ")][:-1]
                out.print(Text.assemble((f"{edition.value:<10} ", "dim"), *shown))
                if spared := self.lesser[edition]:
                    out.print(f"{'':11}{spared} of the refuted are misprints, degenerate parameters or slips", soft_wrap=True)


def _condemned(paper: Paper) -> dict[str, bool]:
    """Of each claim that findings are about, whether one of these is serious."""
    found: dict[str, bool] = {}
    for finding in findings(paper):
        for claim in finding.about:
            found[claim.id] = found.get(claim.id, False) or finding.kind in SERIOUS
    return found


def _cell(verdicts: Sequence[Verdict]) -> Text:
    from rich.text import Text

    bad = worst(verdicts)
    many = sum(1 for v in verdicts if v is bad)
    text = bad.value if many == len(verdicts) else f"{bad.value} {many} of {len(verdicts)}"
    return Text(f"{text:<{COLUMN}}", style=COLOURS[bad])
