"""A repair as an errata file, in the format that the construction files of a paper have theirs in."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from verifier.networks.errata import ERRATA
from verifier.repair.edits import Clause
from verifier.repair.search_state import Repair, Search
from verifier.repair.target import Subject


def errata_text(subject: Subject, state: Search, repairs: Sequence[Repair]) -> str:
    """The first repair as an errata file; those that are as small stand in comments above it. Without one, what closes the gaps."""
    best, also = repairs[0].edits if repairs else state.closed[0][0], repairs[1:]
    checked = "where the repair was checked, on every promised input"
    head = [
        f"# Found by a search over {state.considered:,} edited forms{'' if state.complete else ', which was not finished'}.",
        *([] if repairs else [f"# It is not enough: {state.closed[0][1].state.value}."]),
        *(f"# as small, number {k}: {'; '.join(str(edit) for edit in repair.edits)}" for k, repair in enumerate(also, 2)),
        f"format = {_quoted(ERRATA)}",
        f"construction = {_quoted(subject.source.file.id)}",
        f"semantics = {_quoted(subject.semantics.label)}",
        f"domain = {_quoted(domain_of(subject.points))}",
        f"why_domain = {_quoted(checked if repairs else 'where the changes were tried')}",
    ]
    why = f"as printed: {state.before.state.value}, at {state.before.reason}"
    mended = {edit.at: f"mends {stage.why}" for stage in state.walk.stages for edit in stage.edits} if state.walk and state.by_steps else {}
    for number, edit in enumerate(best, 1):
        reason = mended.get(edit.at, why)
        if isinstance(edit, Clause):
            added = [f"{key} = {_quoted(value)}" for key, value in edit.added.items()]
            head += ["", "[[clause]]", f'name = "added-{number}"', *added, f"why = {_quoted(reason)}"]
        else:
            erratum = edit.erratum(reason)
            head += ["", "[[erratum]]", f"name = {_quoted(erratum.name)}", f"at = {_quoted(edit.at)}"]
            head += [f"printed = {_quoted(edit.printed)}", f"repaired = {_quoted(edit.repaired)}", f"why = {_quoted(erratum.why)}"]
            head += ["ranges = true"] if erratum.ranges else []
    return "\n".join(head) + "\n"


def domain_of(points: Sequence[Mapping[str, int]]) -> str:
    """Exactly these points, as a condition on the parameters: ``p == 8 and n == 34 or p == 9 and n == 38``."""
    return " or ".join(" and ".join(f"{name} == {value}" for name, value in values.items()) for values in points)


def _quoted(value: str | int) -> str:
    """A TOML basic string, or an integer."""
    return json.dumps(value, ensure_ascii=False)
