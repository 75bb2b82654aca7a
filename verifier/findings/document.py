"""Findings as the versioned JSON document ``bitreferee/findings/1`` and as lines for a screen of 80 columns."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from verifier import __version__
from verifier.findings.entries import CLASSES, MEANING, SERIOUS
from verifier.findings.outcomes import Outcome

SCHEMA = "bitreferee/findings/1"
COLUMNS = 80


def finding_record(outcome: Outcome) -> dict[str, Any]:
    """One finding as the schema's ``finding``; beside what it requires: ``says``, the ``anyway`` of each claim, the erratum's place."""
    mistake, follows = outcome.mistake, outcome.follows
    return {
        "id": mistake.id,
        "paper": mistake.paper,
        "class": mistake.kind,
        "place": mistake.entry.place,
        "title": mistake.entry.title,
        "says": mistake.entry.says.strip(),
        "about": [claim.id for claim in mistake.about],
        "errata": [{"at": at, "printed": e.printed, "repaired": e.repaired, "why": e.why} for at, e in mistake.errata.items()],
        "counterexample": outcome.counterexample,
        "replay": outcome.replay,
        "fails": list(follows.fails),
        "blocked": list(follows.blocked),
        "anyway": [{"claim": claim, "because": list(others)} for claim, others in outcome.others.items()],
    }


def as_json(listed: Iterable[Outcome]) -> str:
    """All of them as JSON text."""
    program = {"name": "bitreferee", "version": __version__}
    document = {"schema": SCHEMA, "program": program, "findings": [finding_record(o) for o in listed]}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def counted(outcome: Outcome) -> str:
    """``11 fail because of it, 2 blocked, 5 fail anyway``."""
    follows = outcome.follows
    parts = [
        f"{len(follows.fails)} fail{'s' if len(follows.fails) == 1 else ''} because of it" if follows.fails else "",
        f"{len(follows.blocked)} blocked by it" if follows.blocked else "",
        f"{len(follows.anyway)} fail{'s' if len(follows.anyway) == 1 else ''} for this and more" if follows.anyway else "",
    ]
    return ", ".join(part for part in parts if part) or "nothing else fails"


def lines(listed: Sequence[Outcome], width: int = COLUMNS) -> Iterator[str]:
    """The serious ones with a title and what follows; of the others, a line or two each, under their class."""
    for kind in CLASSES:
        of_kind = [o for o in listed if o.mistake.kind == kind]
        if not of_kind:
            continue
        yield f"{kind} ({len(of_kind)}): {MEANING[kind]}"
        for outcome in of_kind:
            entry = outcome.mistake.entry
            yield from textwrap.wrap(entry.title, width, initial_indent="  ", subsequent_indent="  ")
            if kind in SERIOUS:
                yield from textwrap.wrap(f"{entry.id}: {counted(outcome)}", width, initial_indent="      ", subsequent_indent="      ")


def details(outcome: Outcome, width: int = COLUMNS) -> Iterator[str]:
    """One finding in full."""

    def field(name: str, text: str) -> list[str]:
        wrapper = textwrap.TextWrapper(width, f"  {name:<10}", " " * 12, break_long_words=False, break_on_hyphens=False)
        return wrapper.wrap(" ".join(text.split()))

    entry = outcome.mistake.entry
    yield f"{outcome.mistake.id}  ({entry.kind})"
    yield from textwrap.wrap(entry.title, width, initial_indent="  ", subsequent_indent="  ")
    yield from field("place", entry.place)
    if entry.says:
        yield from field("says", entry.says)
    for at, erratum in outcome.mistake.errata.items():
        yield from field("erratum", f"{at}: {erratum.printed} → {erratum.repaired}; {erratum.why}")
    if outcome.counterexample:
        yield from field("smallest", ", ".join(f"{k} = {v}" for k, v in outcome.counterexample.items()))
    if outcome.replay:
        yield f"  {'replay':<10}{outcome.replay}"
    for name, claims in (("fails", outcome.follows.fails), ("blocked", outcome.follows.blocked)):
        if claims:
            yield from field(name, ", ".join(c.partition("/")[2] for c in claims))
    for claim, others in outcome.others.items():
        yield from field("anyway", f"{claim.partition('/')[2]}" + (f": {', '.join(others)}" if others else ""))
