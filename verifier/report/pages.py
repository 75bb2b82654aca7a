"""One Markdown page for each paper: what a referee would send. The findings first, then every statement in a line with its steps folded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from verifier.findings.document import counted
from verifier.findings.entries import MEANING, SERIOUS
from verifier.findings.outcomes import Outcome, outcomes
from verifier.output.markdown import cell
from verifier.report.badges import citation
from verifier.report.run import MAIN, Run
from verifier.report.standing import MARK, last_said, of_edition, refuted_claims, standing, titled, worst_of
from verifier.statements.model import Claim
from verifier.statements.papers import Paper, find_claim
from verifier.verdicts import Edition, Result, Verdict

if TYPE_CHECKING:
    from jinja2 import Template

GENERATED = "<!-- Written by `verify report`; edit the claims and the findings, not this page. -->"
ALIKE = 3
"""How many errata that share a reason are shown; the others are counted."""


@lru_cache(maxsize=2)
def template(name: str) -> Template:
    """A template of this folder, with the filters that pages use."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, autoescape=False)
    environment.filters |= {"cell": cell, "text": escape, "titled": titled}
    return environment.from_string((files("verifier.report") / name).read_text(encoding="utf-8"))


def page(paper: Paper, run: Run) -> str:
    """The page of a paper; the same run always makes the same page."""
    listed = outcomes(paper, run.results, run.follows)
    serious = [o for o in listed if o.mistake.kind in SERIOUS]
    numbers = {o.mistake.entry.id: number for number, o in enumerate(listed, 1)}
    by_claim: dict[str, list[int]] = {}
    for outcome in listed:
        for claim in outcome.follows.every:
            by_claim.setdefault(claim, []).append(numbers[outcome.mistake.entry.id])
    return template("page.md.jinja").render(
        generated=GENERATED,
        paper=paper,
        summary=summary(paper, run, listed),
        main=list(main_lines(paper, run)),
        readings=list(paper.readings.items()) if run.readings else [],
        serious=[_finding(o, numbers, run) for o in serious],
        others=[_finding(o, numbers, run) for o in listed if o.mistake.kind not in SERIOUS],
        meaning=MEANING,
        errata=[row for o in serious for row in _errata(o, numbers, run)],
        sections=[(title, [_statement(paper.statement(n), run, by_claim) for n in names]) for title, names in paper.sections],
        assumed=_assumed(run),
        open=_undecided(paper, run),
        citation=citation(paper),
    )


def _main(paper: Paper) -> list[Claim]:
    """The theorems and corollaries."""
    return [claim for claim in paper.statements() if claim.name.partition("-")[0] in MAIN]


def summary(paper: Paper, run: Run, listed: Sequence[Outcome]) -> list[str]:
    """Five sentences: what was judged, how the theorems stand, what is wrong, what the errata make of it, what is left open."""
    steps = sum(1 for claim in paper if claim.role is not None and not claim.ours)
    claims = {claim.id: claim for claim in paper}
    refuted = [c for c in refuted_claims(run.results) if not claims[c].ours]
    mended = [c for c in refuted if all(r.verdict is not Verdict.REFUTED for r in of_edition(run.results[c], Edition.REPAIRED))]
    counts = {kind: sum(1 for o in listed if o.mistake.kind == kind) for kind in MEANING}
    first = [o.mistake.entry.title for o in listed if o.mistake.kind in SERIOUS][:2]
    serious = ", ".join(f"{counts[k]} {k}" for k in SERIOUS if counts[k])
    lesser = ", ".join(_many(counts[k], k) for k in MEANING if k not in SERIOUS and counts[k])
    open_ = sum(1 for c in paper if _worst(run, c, Edition.STATEMENT) is Verdict.OPEN)
    left = [c for c in refuted if c not in mended]
    return [
        f"We judged {_many(len(paper.order), 'statement')} and {_many(steps, 'sentence')} of their proofs, exactly, at the parameters "
        "named below.",
        _standing(paper, run),
        (f"{_many(sum(counts[k] for k in SERIOUS), 'serious finding')} ({serious})" if serious else "No serious finding")
        + (f"; first: {'; '.join(first)}." if first else "."),
        f"{_many(len(refuted), 'claim')} fail{'s' if len(refuted) == 1 else ''} as printed, and with our errata, on the domain that they "
        f"state, {len(mended)} of them no longer do" + (f" (all but {_names([claims[c] for c in left][:3])})." if left else "."),
        f"The rest is small ({lesser or 'nothing'}), and {_many(open_, 'claim') if open_ else 'nothing'} is left open."
        if open_ < 2
        else f"The rest is small ({lesser or 'nothing'}), and {open_} claims are left open.",
    ]


def _standing(paper: Paper, run: Run) -> str:
    """How many theorems are false, undecided and not established, by name; where a paper has none, how many statements are."""
    main = _main(paper)
    asked = main or list(paper.statements())
    false = [c for c in asked if _worst(run, c, Edition.STATEMENT) is Verdict.REFUTED]
    undecided = [c for c in asked if _worst(run, c, Edition.STATEMENT) in (Verdict.OPEN, Verdict.CONDITIONAL)]
    printed = [c for c in asked if _worst(run, c, Edition.PRINTED) is Verdict.REFUTED]

    def named(claims: list[Claim]) -> str:
        text = (_names(claims) if main else str(len(claims))) if claims else "none"
        return f"{text} {'is' if len(claims) < 2 else 'are'}"

    whole = _many(len(main), "theorem and corollary", "theorems and corollaries") if main else _many(len(asked), "statement")
    return (
        f"Of {whole}, {named(false)} false somewhere in what is stated, {named(undecided)} undecided, and {named(printed)} not "
        "established by what is printed."
    )


def _many(count: int, one: str, more: str | None = None) -> str:
    return f"{count} {one if count == 1 else more or one + 's'}"


def _names(claims: Sequence[Claim]) -> str:
    """``Theorems 2.1, 2.4``, by kind."""
    kinds: dict[str, list[str]] = {}
    for claim in claims:
        kind, _, number = titled(claim.name).partition(" ")
        kinds.setdefault(kind, []).append(number)
    plural = {kind: kind if len(n) == 1 else "Corollaries" if kind == "Corollary" else f"{kind}s" for kind, n in kinds.items()}
    return ", ".join(f"{plural[kind]} {', '.join(numbers)}" for kind, numbers in kinds.items())


def _worst(run: Run, claim: Claim, edition: Edition) -> Verdict:
    return worst_of(of_edition(run.results[claim.id], edition))


def main_lines(paper: Paper, run: Run) -> Iterator[dict[str, Any]]:
    """The theorems and corollaries, each followed by the statements that it is built of."""
    seen: set[str] = set()
    for theorem in _main(paper):
        for claim, part in ((theorem, False), *((find_claim(p.claim), True) for p in theorem.parts)):
            if claim.id in seen or claim.role is not None or (part and claim.name.partition("-")[0] in MAIN):
                continue
            seen.add(claim.id)
            results = run.results[claim.id]
            yield {
                "claim": claim,
                "part": part,
                "readings": [standing(claim, of_edition(rs, Edition.STATEMENT), methods=True) for rs in _by_reading(claim, run)],
                "printed": standing(claim, of_edition(results, Edition.PRINTED)),
                "repaired": standing(claim, of_edition(results, Edition.REPAIRED)),
            }


def _by_reading(claim: Claim, run: Run) -> list[Sequence[Result]]:
    """The claim's results under the default reading, then under the others."""
    return [run.results[claim.id], *(listed.get(claim.id, run.results[claim.id]) for listed in run.readings.values())]


def _finding(outcome: Outcome, numbers: Mapping[str, int], run: Run) -> dict[str, Any]:
    def linked(claims: Sequence[str]) -> str:
        return ", ".join(c.partition("/")[2] for c in claims)

    entry, follows = outcome.mistake.entry, outcome.follows
    also = {c: f" (also {', '.join(str(numbers[o]) for o in others)})" if others else "" for c, others in outcome.others.items()}
    anyway = [f"{c.partition('/')[2]}{text}" for c, text in also.items()]
    found = outcome.counterexample or {}
    return {
        "number": numbers[entry.id],
        "entry": entry,
        "says": " ".join(entry.says.split()),
        "smallest": ", ".join(f"{k} = {v}" for k, v in found.items()),
        "alone": _alone(outcome, run),
        "replay": outcome.replay,
        "counted": counted(outcome),
        "follows": [
            (name, text)
            for name, text in (
                ("fails because of this", linked(follows.fails)),
                ("blocked by this", linked(follows.blocked)),
                ("fails anyway", ", ".join(anyway)),
            )
            if text
        ],
    }


def _alone(outcome: Outcome, run: Run) -> str:
    """What fails where everything is repaired but an erratum of the finding: the first such, of the table whose failure is shown."""
    shown = outcome.mistake.shown
    if shown.table is None or shown.table.claim != shown.id:
        return ""
    names = {name.partition("/")[2] for name in outcome.mistake.errata if name.startswith(f"{shown.table.name}/")}
    listed = [e for errata in run.errata.values() for e in errata if e.table == shown.table.file_name and e.name in names]
    return f"{listed[0].without} ({listed[0].table.removesuffix('.toml')}/{listed[0].name})" if listed else ""


def _errata(outcome: Outcome, numbers: Mapping[str, int], run: Run) -> Iterator[dict[str, Any]]:
    """The errata of a finding as rows, those with one reason together: printed → smallest example → repaired → what fails without it."""
    without = {f"{e.table.removesuffix('.toml')}/{e.name}": e.without for listed in run.errata.values() for e in listed}
    groups: dict[str, list[str]] = {}
    for at, erratum in outcome.mistake.errata.items():
        groups.setdefault(erratum.why, []).append(at)
    for why, places in groups.items():
        errata = [outcome.mistake.errata[at] for at in places]
        more = len(places) - ALIKE
        fails = next((without[at] for at in places if at in without), None) or _fails_without(places, run)
        yield {
            "number": numbers[outcome.mistake.entry.id],
            "at": ", ".join(places[:ALIKE]) + (f" and {more} alike" if more > 0 else ""),
            "printed": _distinct([e.printed for e in errata]),
            "repaired": _distinct([e.repaired for e in errata]),
            "why": why,
            "without": fails,
        }


def _distinct(texts: Sequence[str]) -> str:
    listed = list(dict.fromkeys(texts))
    return "; ".join(listed[:ALIKE]) + ("; …" if len(listed) > ALIKE else "")


def _fails_without(places: Sequence[str], run: Run) -> str:
    """The smallest counterexample of a claim whose own erratum it is."""
    for place in places:
        claims = [c for c in run.results if c.partition("/")[2] == place.partition("#")[0]]
        for result in (r for c in claims for r in run.results[c]):
            if result.edition is Edition.PRINTED and result.verdict is Verdict.REFUTED:
                values = {k: str(v) for k, v in result.parameters.items()} | dict(result.finding.counterexample or {})
                return ", ".join(f"{k} = {v}" for k, v in values.items()) or (result.finding.reason or "")
    return "–"


def _statement(claim: Claim, run: Run, by_claim: Mapping[str, Sequence[int]]) -> dict[str, Any]:
    """A line for a statement: how its editions stand, its findings, and its steps, folded."""
    results = run.results[claim.id]
    texts = {e: standing(claim, of_edition(results, e)) for e in Edition}
    steps = [s for s in claim.steps if not s.ours]
    verdicts = [last_said(of_edition(run.results[s.id], Edition.PRINTED)) for s in steps]
    marks = [f"{MARK[v]} {s.name.partition(':')[2]}" for v, s in zip(verdicts, steps, strict=True)]
    held = sum(1 for v in verdicts if v is Verdict.VERIFIED)
    parts = [texts[Edition.STATEMENT]]
    if _same(texts[Edition.PRINTED]) != _same(parts[0]):
        parts.append(f"printed {texts[Edition.PRINTED]}")
    if _same(texts[Edition.REPAIRED]) != _same(texts[Edition.PRINTED]):
        parts.append(f"with errata {texts[Edition.REPAIRED]}")
    return {
        "claim": claim,
        "mark": MARK[_worst(run, claim, Edition.PRINTED)],
        "verdicts": "; ".join(parts) if len(parts) == 1 else " · ".join(parts),
        "findings": sorted(by_claim.get(claim.id, ())),
        "steps": marks,
        "held": held,
    }


def statement_lines(paper: Paper, run: Run) -> Iterator[dict[str, Any]]:
    """The statements in the paper's order."""
    for claim in paper.statements():
        yield _statement(claim, run, {})


def _same(text: str) -> str:
    return text.replace("true", "holds").replace("false", "fails")


def _assumed(run: Run) -> list[tuple[str, int]]:
    """The assumptions that a statement or what is printed rests on somewhere, with the number of claims."""
    found: dict[str, set[str]] = {}
    for result in run.every_result:
        if result.edition is not Edition.REPAIRED and result.verdict is Verdict.CONDITIONAL:
            for name in result.finding.assumptions:
                found.setdefault(name, set()).add(result.claim)
    return sorted((name, len(claims)) for name, claims in found.items())


def _undecided(paper: Paper, run: Run) -> list[str]:
    """Where a statement or step is open, and why."""
    lines: dict[str, list[str]] = {}
    for claim in paper:
        open_ = [r for r in of_edition(run.results[claim.id], Edition.STATEMENT) if r.verdict is Verdict.OPEN]
        if open_:
            lines.setdefault(open_[0].finding.reason or "no evidence", []).append(claim.name)
    return [f"{', '.join(names[:4])}{f' and {len(names) - 4} more' if len(names) > 4 else ''}: {why}" for why, names in lines.items()]
