"""``verify list`` and ``verify show``: what claims there are, and what one says."""

from __future__ import annotations

import click

from verifier.claims.catalogue import catalogue, find_claim, papers
from verifier.claims.model import Claim
from verifier.output.screen import console


@click.command("list")
@click.argument("paper", required=False)
def list_claims(paper: str | None) -> int:
    """The claims of every paper, or of PAPER."""
    from rich.text import Text

    from verifier.errors import InputError

    chosen = [p for p in papers() if paper in (None, p.id)]
    if not chosen:
        raise InputError(f"no paper {paper!r}; there are {', '.join(p.id for p in papers())}")
    out = console()
    for each in chosen:
        out.print(Text.assemble((each.id, "bold"), f"  {each.title} ({each.authors}): {len(each.claims)} claims"))
        width = max(len(c.name) for c in each)
        for claim in each:
            parameters = " ".join(f"--{p.name}" for p in claim.parameters)
            out.print(
                Text.assemble(f"  {claim.name:<{width}}  {parameters:<9}  ", (claim.statement, "dim")), no_wrap=True, overflow="ellipsis"
            )
    return 0


@click.command("show")
@click.argument("claim")
def show_claim(claim: str) -> int:
    """A CLAIM's statement in our words, where the paper has it, its parameters, what is checked, and its errata."""
    from rich.text import Text

    found = find_claim(claim)
    out = console()
    out.print(Text(found.id, style="bold"))
    for title, text in _paragraphs(found):
        out.print(Text.assemble((f"{title:<12}", "dim"), text))
    return 0


def _paragraphs(claim: Claim) -> list[tuple[str, str]]:
    lines = [("says", claim.statement), ("place", claim.place), ("checked", claim.checks)]
    for parameter in claim.parameters:
        lines.append((f"--{parameter.name}", parameter.described))
    lines.append(("semantics", "a reading of the bounded arithmetic takes part" if claim.bounded else "no bounded arithmetic takes part"))
    if claim.parts:
        lines.append(("parts", ", ".join(p.claim for p in claim.parts)))
    below = [c.name for c in catalogue().values() if c.id.startswith(f"{claim.id}:")]
    if below:
        lines.append(("see also", ", ".join(below)))
    for erratum in claim.errata:
        lines.append(("erratum", f"printed: {erratum.printed} → repaired: {erratum.repaired}; {erratum.why}"))
    if claim.table is not None and claim.table.errata:
        errata = claim.table.source.errata
        assert errata is not None
        lines.append(("table", f"{claim.table.file_name}; errata for {errata.domain} under {errata.semantics}: {errata.why_domain}"))
        for entry in errata.erratum:
            lines.append(("  erratum", f"{entry.name} ({entry.at}): {entry.printed} → {entry.repaired}; {entry.why}"))
    elif claim.table is not None:
        lines.append(("table", claim.table.file_name))
    return lines
