"""Proposals for a table, on the screen and as the document ``bitreferee/repairs/1``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from verifier.repair.gaps import Change
from verifier.repair.proposals import Found, Proposal, Proposals
from verifier.repair.target import State
from verifier.show.repair_screen import MOST_SHOWN, SCHEMA
from verifier.show.screen import folded


def shown(made: Proposals, file: str, where: str) -> Iterator[str]:
    """Lines of 80 columns: what is the matter, the proposals, the best first, and what was searched."""
    points = "; ".join(_point(values) for values in made.points)
    yield from folded(f"{made.source.file.id}  {points}  {made.semantics.label}", 2, 0)
    yield from folded(f"as written  {_said(made.before)}", 14, 2)
    if made.before.nothing:
        yield from folded(f"there is nothing to repair: right on all {made.before.cases:,} promised inputs", 4, 2)
        return
    if made.listed:
        count = "1 proposal" if len(made.listed) == 1 else f"{len(made.listed)} proposals, the best first"
        yield from folded(f"{count}, each checked on every promised input:", 4, 2)
    for number, each in enumerate(made.listed[:MOST_SHOWN], 1):
        yield from _proposal(number, each)
    if len(made.listed) > MOST_SHOWN:
        yield f"  … and {len(made.listed) - MOST_SHOWN} more: --format json has them all"
    tried = f"{made.considered:,} candidates were tried" if made.complete else f"not finished: {made.considered:,} candidates were tried"
    claimed = "; precision, problem, parameters and the ends of the tokens say what is claimed, and are not edited"
    yield from folded(tried if made.listed else f"no proposal: {tried}{claimed}", 4, 2)
    if where:
        yield f"  the first is written to {where}, which this applies:"
        yield f"    verify construction {file} --errata {where}"


def _proposal(number: int, each: Proposal) -> Iterator[str]:
    for k, change in enumerate(each.changes):
        yield from folded(f"{f'{number}.' if not k else '':4}{change}", 10, 4)
    yield from folded(f"then {_said(each.found)}", 10, 8)


def _said(found: Found) -> str:
    words = [found.state.value + (f": {found.reason}" if found.reason and found.state is not State.RIGHT else "")]
    words += [f"on all {found.cases:,} promised inputs"] if found.state is State.RIGHT else []
    words += [f"but expectations fail: {', '.join(found.broken)}"] if found.broken else []
    return " ".join(words)


def _point(values: Mapping[str, int]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values.items())


def as_json(made: Proposals) -> str:
    """The document; every quantity is an exact string."""
    record: dict[str, Any] = {
        "schema": SCHEMA,
        "construction": made.source.file.id,
        "points": [{name: str(value) for name, value in values.items()} for values in made.points],
        "semantics": made.semantics.label,
        "before": _found(made.before),
        "symbols": "1",
        "considered": str(made.considered),
        "undecided": "0",
        "complete": made.complete,
        "steps": None,
        "repairs": [
            {
                **_found(each.found),
                "edits": [_edit(c) for c in each.changes if c.edit],
                "added": [c.clause.added for c in each.changes if c.clause],
            }
            for each in made.listed
        ],
    }
    return json.dumps(record, indent=1, ensure_ascii=False) + "\n"


def _found(found: Found) -> dict[str, Any]:
    return {"state": found.state.value, "reason": found.reason, "cases": str(found.cases), "failing": list(found.broken)}


def _edit(change: Change) -> dict[str, str]:
    edit = change.edit
    assert edit is not None
    return {"at": edit.at, "printed": str(edit.printed), "repaired": str(edit.repaired), "changed": edit.what}
