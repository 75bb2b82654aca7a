"""A repair as an errata file, in the format that the construction files of a paper have theirs in."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from verifier.networks.records import ERRATA
from verifier.repair.proposals import Proposals
from verifier.repair.search_state import Repair, Search
from verifier.repair.target import Subject


def errata_text(subject: Subject, state: Search, repairs: Sequence[Repair]) -> str:
    """The first repair as an errata file; those that are as small stand in comments above it."""
    domain = domain_of(subject.points)
    head = [
        f"# Found by a search over {state.considered:,} edited forms{'' if state.complete else ', which was not finished'}.",
        *(f"# {_also(k)}: {'; '.join(str(edit) for edit in repair.edits)}" for k, repair in enumerate(repairs[1:], 2)),
        f"format = {_quoted(ERRATA)}",
        f"construction = {_quoted(subject.source.file.id)}",
        f"semantics = {_quoted(subject.semantics.label)}",
        f"domain = {_quoted(domain)}",
        f"why_domain = {_quoted('where the repair was checked, on every promised input')}",
    ]
    why = f"as printed: {state.before.state.value}, at {state.before.reason}"
    mended = {edit.at: f"mends {stage.why}" for stage in state.walk.stages for edit in stage.edits} if state.walk and state.by_steps else {}
    for edit in repairs[0].edits:
        erratum = edit.erratum(mended.get(edit.at, why))
        head += ["", "[[erratum]]", f"name = {_quoted(erratum.name)}", f"at = {_quoted(edit.at)}"]
        head += [f"printed = {_quoted(edit.printed)}", f"repaired = {_quoted(edit.repaired)}", f"why = {_quoted(erratum.why)}"]
        head += ["ranges = true"] if erratum.ranges else []
    return "\n".join(head) + "\n"


def proposal_text(made: Proposals) -> str:
    """The best proposal as an errata file."""
    best = made.listed[0]
    checked = "where the repair was checked, on every promised input"
    head = [
        f"# Proposed by a search over {made.considered:,} candidates{'' if made.complete else ', which was not finished'}.",
        *([] if best.right else [f"# It closes the gaps and is not enough: {best.found.state.value}."]),
        f"format = {_quoted(ERRATA)}",
        f"construction = {_quoted(made.source.file.id)}",
        f"semantics = {_quoted(made.semantics.label)}",
        f"domain = {_quoted(domain_of(made.points))}",
        f"why_domain = {_quoted(checked if best.right else 'where the proposal was tried')}",
    ]
    why = f"as printed: {made.before.state.value}, at {made.before.reason}"
    for number, change in enumerate(best.changes, 1):
        if change.edit is not None:
            erratum = change.edit.erratum(why)
            head += ["", "[[erratum]]", f"name = {_quoted(erratum.name)}", f"at = {_quoted(change.edit.at)}"]
            head += [f"printed = {_quoted(change.edit.printed)}", f"repaired = {_quoted(change.edit.repaired)}", f"why = {_quoted(why)}"]
            head += ["ranges = true"] if erratum.ranges else []
        if change.clause is not None:
            added = [f"{key} = {_quoted(value)}" for key, value in change.clause.added.items()]
            head += ["", "[[clause]]", f'name = "added-{number}"', *added, f"why = {_quoted(why)}"]
    return "\n".join(head) + "\n"


def domain_of(points: Sequence[Mapping[str, int]]) -> str:
    """Exactly these points, as a condition on the parameters: ``p == 8 and n == 34 or p == 9 and n == 38``."""
    return " or ".join(" and ".join(f"{name} == {value}" for name, value in values.items()) for values in points)


def _also(number: int) -> str:
    return f"as small, number {number}"


def _quoted(value: str | int) -> str:
    """A TOML basic string, or an integer."""
    return json.dumps(value, ensure_ascii=False)
