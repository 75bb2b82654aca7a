"""A paper on the screen: the referee's page in small, with a line for each statement; or a line for each as it is judged, with counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from verifier.claims.model import Claim
from verifier.claims.papers import Paper
from verifier.claims.verdicts import Edition, Outcome, Result, Verdict, worst
from verifier.errata.findings import SERIOUS, findings
from verifier.errata.listings import Listing
from verifier.gate.run import Run
from verifier.running.shelf import SHELF
from verifier.show.findings_document import lines as finding_lines
from verifier.show.main_results import alike
from verifier.show.notation.plain import shown
from verifier.show.screen import COLOURS, console, folded
from verifier.show.summary import Summary
from verifier.show.verdict_words import LESSER_MARK, last_said, of_edition, sign, stands, titled

if TYPE_CHECKING:
    from rich.text import Text


def statement_line(claim: Claim, run: Run, listed: Sequence[Listing]) -> dict[str, Any]:
    """A line for a statement: how its editions stand, and how many of its steps hold, those that only misprints spoil by themselves."""
    results = run.results[claim.id]
    stand = {e: stands(claim, results, e, listed) for e in Edition}
    steps = [s for s in claim.steps if not s.ours]
    signs = [sign(s, run.results[s.id], Edition.PRINTED, listed) for s in steps]
    spoilt = sum(1 for each in signs if each.kind in LESSER_MARK)
    held = sum(1 for s in steps if last_said(of_edition(run.results[s.id], Edition.PRINTED)) is Verdict.VERIFIED)
    own = sign(claim, results, Edition.PRINTED, listed)
    parts = [str(stand[Edition.STATEMENT])]
    if not stand[Edition.PRINTED].agrees(stand[Edition.STATEMENT]):
        parts.append(f"printed {stand[Edition.PRINTED]}")
    if not stand[Edition.REPAIRED].agrees(stand[Edition.PRINTED]):
        parts.append(f"with errata {stand[Edition.REPAIRED]}")
    return {
        "claim": claim,
        "mark": own.mark,
        "verdicts": " · ".join(parts),
        "steps": f"{held} of {len(steps)} steps hold{f', {spoilt} but for misprints or slips' if spoilt else ''}" if steps else "",
    }


def statement_lines(paper: Paper, run: Run, listed: Sequence[Listing]) -> Iterator[dict[str, Any]]:
    """The statements in the paper's order."""
    for claim in paper.statements():
        yield statement_line(claim, run, listed)


COLUMN = 18
"""Room for ``refuted 12 of 48``."""


def show_page(paper: Paper, run: Run) -> None:
    """What holds and what does not, each main result half by half, the findings by class, the statements in order; 80 columns."""
    from rich.text import Text

    out = console()
    summary = Summary(paper, run)

    def say(text: str, indent: int, first: int, style: str = "") -> None:
        for line in folded(shown(text), indent, first):
            out.print(Text(line, style=style), soft_wrap=True)

    say(f"{paper.title} ({paper.authors})", 0, 0, "bold")
    for sentence in summary.in_short:
        say(sentence, 2, 0)
    out.print(Text("\nMain results: is it true?", style="bold"))
    for group in alike(summary.results):
        stands = [f"{each.name}: {each.status}{f' in {each.only_in}' if each.only_in else ''}" for each in group]
        say("; ".join(stands), 4, 0)
        result = group[0]
        for row in result.rows:
            say(row.says or row.claim.statement, 6, 2)
            for answer in row.answers:
                say(f"{f'{answer.reading}: ' if answer.reading else ''}{answer.text}", 10, 6)
            for proof in row.proofs:
                say(f"Coq: {proof}", 10, 6)
            say(f"printed proof: {row.printed}; after our corrections: {row.repaired}", 10, 6)
            if row.aside:
                say(row.aside, 10, 6)
    if summary.listings:
        out.print(Text(f"\nFindings (`{SHELF.program(paper.id)} findings {paper.id}`)", style="bold"), soft_wrap=True)
    for text in finding_lines(summary.listings):
        out.print(Text(text), soft_wrap=True)
    out.print()
    say("Statements in the paper's order (✓ holds as printed, ✓* holds, but for misprints, ✗ fails, ~ conditional, ? open)", 0, 0, "bold")
    for line in statement_lines(paper, run, summary.listings):
        say(f"{line['mark']} {titled(line['claim'].name)}: {'; '.join(filter(None, (line['verdicts'], line['steps'])))}", 4, 0)


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
