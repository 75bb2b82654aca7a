"""A paper on the screen: the referee's page in small; or a line for each statement as it is judged, counts at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from verifier.claims.model import Claim
from verifier.claims.papers import SHELF, Paper
from verifier.claims.verdicts import Edition, Outcome, Result, Verdict, worst
from verifier.errata.listings import listings
from verifier.gate.run import Run
from verifier.show.findings_document import lines as finding_lines
from verifier.show.page_lines import main_lines, statement_lines
from verifier.show.screen import COLOURS, console, folded
from verifier.show.verdict_words import titled

if TYPE_CHECKING:
    from rich.text import Text

COLUMN = 18
"""Room for ``refuted 12 of 48``."""


def show_page(paper: Paper, run: Run) -> None:
    """The theorems under each reading, the findings by class, the statements in the paper's order; 80 columns."""
    from rich.text import Text

    out = console()

    def say(text: str, indent: int, first: int, style: str = "") -> None:
        for line in folded(text, indent, first):
            out.print(Text(line, style=style), soft_wrap=True)

    say(f"{paper.title} ({paper.authors})", 0, 0, "bold")
    out.print()
    for line in main_lines(paper, run):
        claim = line["claim"]
        say(f"{titled(claim.name)}: {claim.statement}", 4, 2 if line["part"] else 0)
        readings = dict(zip(paper.readings, line["readings"], strict=False))
        alike = len(readings) > 1 and len(set(readings.values())) == 1
        for reading, text in [("every reading", line["readings"][0])] if alike else readings.items():
            say(f"{f'as {reading} has it: ' if run.readings else ''}{text}", 8, 6)
        if line["printed"] == line["repaired"]:
            say(f"printed and with our errata: {line['printed']}", 8, 6)
        else:
            say(f"printed: {line['printed']}; with our errata: {line['repaired']}", 8, 6)
    listed = listings(paper, run.results, run.follows)
    if listed:
        out.print(Text(f"\nFindings (`{SHELF.program(paper.id)} findings {paper.id}`)", style="bold"), soft_wrap=True)
    for text in finding_lines(listed):
        out.print(Text(text), soft_wrap=True)
    out.print(Text("\nStatements in the paper's order (✓ holds as printed, ✗ fails, ~ conditional, ? open)", style="bold"), soft_wrap=True)
    for line in statement_lines(paper, run):
        steps = f"; {line['held']} of {len(line['steps'])} steps hold" if line["steps"] else ""
        say(f"{line['mark']} {titled(line['claim'].name)}: {line['verdicts']}{steps}", 4, 0)


class Lines:
    """The lines of one run over a paper."""

    def __init__(self, paper: Paper, steps: bool) -> None:
        self.paper, self.steps = paper, steps
        self.counts: dict[Edition, Counter[Verdict]] = {e: Counter() for e in Edition}
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
            line.append_text(_cell(verdicts))
        out.print(line, no_wrap=True)
        for reading, findings in elsewhere.items():
            per_edition = {e: [f.verdict for f in findings[k :: len(editions)]] for k, e in enumerate(editions)}
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


def _cell(verdicts: Sequence[Verdict]) -> Text:
    from rich.text import Text

    bad = worst(verdicts)
    many = sum(1 for v in verdicts if v is bad)
    text = bad.value if many == len(verdicts) else f"{bad.value} {many} of {len(verdicts)}"
    return Text(f"{text:<{COLUMN}}", style=COLOURS[bad])
