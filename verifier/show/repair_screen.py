"""Repairs of a table or a network, on the screen and as the documents ``bitreferee/repairs/1`` and ``bitreferee/network-repairs/1``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from verifier.networks.instantiate import row_to_write
from verifier.repair.edits import Changes, Clause, Edit
from verifier.repair.networks import Network
from verifier.repair.search import Checked, Repair, Search, State, Subject, Walk
from verifier.repair.tables import Table
from verifier.running.printable import assignment
from verifier.show.screen import folded

SCHEMA, NETWORK_SCHEMA = "bitreferee/repairs/1", "bitreferee/network-repairs/1"
MOST_SHOWN = 10


def shown(state: Search, file: str, where: str) -> Iterator[str]:
    """Yield lines of 80 columns with the fault, the repairs (the best first), and the extent of the search."""
    order, network = state.found, isinstance(state.subject, Network)
    inputs = "inputs" if network else "promised inputs"
    yield from folded(_head(state.subject), 2, 0)
    if isinstance(state.subject, Table) and state.subject.left_out:
        yield from folded(f"left out    {state.subject.left_out}", 14, 2)
    joined = " but" if state.before.state is State.RIGHT else ";"
    failing = f"{joined} expectations fail: {', '.join(state.broken)}" if state.broken else ""
    yield from folded(f"as written  {_matter(state.before)}{failing}", 14, 2)
    if state.nothing:
        yield from folded(f"there is nothing to repair: right on all {state.before.cases:,} {inputs}", 4, 2)
        return
    if order and state.by_steps:
        assert state.walk is not None
        yield from _walked(state.walk, len(order), order[0].cases)
    elif order:
        found = "1 repair" if len(order) == 1 else f"{len(order)} repairs, the best first"
        of = f"of {_symbols(state.symbols)} and " if all(_of_symbols(each, state.symbols) for each in order) else ""
        yield from folded(f"{found}, each {of}checked on all {order[0].cases:,} {inputs}:", 4, 2)
    for number, each in enumerate(order[:MOST_SHOWN], 1):
        alone = state.by_steps and len(order) == 1
        yield from () if alone else _numbered(number, each.edits)
        yield from _known(each, 4 if alone else 8)
    if len(order) > MOST_SHOWN:
        yield f"  … and {len(order) - MOST_SHOWN} more; --format json lists all"
    if not order and state.closed:
        count = "1 proposal, which is" if len(state.closed) == 1 else f"{len(state.closed)} proposals, the best first, which are"
        yield from folded(f"{count} not enough:", 4, 2)
        for number, (changes, then) in enumerate(state.closed[:MOST_SHOWN], 1):
            yield from _numbered(number, changes)
            yield from folded(f"then {_matter(then)}", 10, 8)
    yield from folded(_searched(state), 4, 2)
    if where:
        yield f"  written to {where}, which {'is the repaired network for every command' if network else 'this applies'}:"
        yield f"    verify {where if network else f'{file} --errata {where}'}"


def _head(subject: Subject) -> str:
    """The subject of the repair, its place, and its arithmetic."""
    if isinstance(subject, Table):
        return f"{subject.source.file.id}  {'; '.join(map(assignment, subject.points))}  {subject.semantics.label}"
    assert isinstance(subject, Network)
    written, lengths = subject.written, subject.lengths
    others = "".join(f", {name} = {value}" for name, value in subject.given.items())
    return f"network/{written.id}  {written.length} = {lengths[0]} .. {lengths[-1]}{others}  {subject.arithmetic}"


def _numbered(number: int, changes: Changes) -> Iterator[str]:
    for k, change in enumerate(changes):
        yield from folded(f"{f'{number}.' if not k else '':4}{change}", 10, 4)


def _matter(checked: Checked) -> str:
    return f"{checked.state.value}{f': {checked.reason}' if checked.reason else ''}"


def _of_symbols(repair: Repair, number: int) -> bool:
    return repair.symbols == number and not any(edit.adds for edit in repair.edits)


def _known(each: Repair, indent: int) -> Iterator[str]:
    """Further facts about a repair."""
    said = [f"right under {len(each.survives)} of {each.readings} readings"] if each.readings else []
    missed = [f"{name} = {value}" for name, value, right in each.further if not right]
    said += [f"also right at {each.also}"] if each.also else []
    said += [f"not right at {' and '.join(missed)}"] if missed else []
    said += [f"expectations fail: {', '.join(each.broken)}"] if each.broken else []
    said += ["with entries that are not representable"] if each.state is State.LACKING else []
    if said:
        yield from folded("; ".join(said), indent, indent)


def _walked(walk: Walk, repairs: int, cases: int) -> Iterator[str]:
    """The step-by-step repair: the failures, and the edits that repaired them."""
    last = "" if repairs == 1 else f", {repairs} ways to end, the best first"
    yield from folded(f"mended step by step{last}, checked on all {cases:,} promised inputs:", 4, 2)
    for stage in walk.stages:
        others = f" (or {len(stage.others)} more that serve as well)" if stage.others and len(walk.stages) > 1 else ""
        yield from folded(f"{stage.why}{others}:", 6, 4)
        for edit in stage.edits:
            yield from folded(str(edit), 8, 6)
    if walk.sentences:
        yield from folded(f"of {walk.sentences} sentences about it {walk.before} are true as written, {walk.kept} with these edits", 4, 2)
        if walk.failing:
            yield from folded(f"not true with them either: {', '.join(walk.failing)}", 4, 2)


def _searched(state: Search) -> str:
    if state.before.state is State.UNDECIDED:
        return f"not searched: {state.before.reason}"
    undecided = f"; {state.undecided:,} of them need more than --states" if state.undecided else ""
    if not state.complete:
        return f"not finished: {state.considered:,} edited forms of {_symbols(state.symbols)} were considered{undecided}; --limit goes on"
    if state.by_steps:
        return f"{state.considered:,} edited forms were considered, not every edit of two symbols: --every does"
    none = "" if state.found or state.closed else "no repair: "
    left = "precision, function, promise and parameters say what is claimed, and are not edited; no row or vector is added"
    claimed = f"; {state.breaking:,} more break an expectation that holds" if state.breaking else ""
    claimed += "" if state.found else f"; {left}"
    first = state.subject.instance((), 0) if isinstance(state.subject, Table) and not state.found else None
    if isinstance(state.subject, Table) and first is not None and (row := row_to_write(state.subject.source.file, first)):
        claimed += f"; {row}"
    alike = state.symbols and not state.closed and all(_of_symbols(repair, state.symbols) for repair in state.found)
    which = f" of {'one symbol' if state.symbols == 1 else 'one or two symbols'}" if alike else ""
    return f"{none}all {state.considered:,} edited forms{which} were considered{undecided}{claimed}"


def _symbols(number: int) -> str:
    return "one symbol" if number == 1 else "two symbols"


def as_document(state: Search) -> dict[str, Any]:
    """The document; every quantity is an exact string."""
    return {
        **_about(state.subject),
        "before": {**_found(state.before), "failing": list(state.broken)},
        "symbols": str(state.symbols),
        "considered": str(state.considered),
        "undecided": str(state.undecided),
        "complete": state.complete,
        "steps": _steps(state.walk) if state.walk is not None else None,
        "repairs": [_record(each) for each in state.found],
        "proposals": [{**_found(then), **_changes(changes)} for changes, then in state.closed],
    }


def _about(subject: Subject) -> dict[str, Any]:
    if isinstance(subject, Table):
        points = [{k: str(v) for k, v in values.items()} for values in subject.points]
        return {"schema": SCHEMA, "construction": subject.source.file.id, "points": points, "semantics": subject.semantics.label}
    assert isinstance(subject, Network)
    return {
        "schema": NETWORK_SCHEMA,
        "network": subject.written.id,
        "lengths": [str(subject.lengths[0]), str(subject.lengths[-1])],
        "given": {name: str(value) for name, value in subject.given.items()},
        "arithmetic": str(subject.arithmetic),
    }


def _steps(walk: Walk) -> dict[str, Any]:
    """The repair step by step, as far as it went."""
    stages = [
        {"why": stage.why, "edits": [str(e) for e in stage.edits], "others": [[str(e) for e in each] for each in stage.others]}
        for stage in walk.stages
    ]
    counts = {"sentences": str(walk.sentences), "true as written": str(walk.before), "true with the edits": str(walk.kept)}
    return {"stages": stages, **counts, "failing": list(walk.failing)}


def _record(each: Repair) -> dict[str, Any]:
    return {
        "state": each.state.value,
        "cases": str(each.cases),
        "failing": list(each.broken),
        **_changes(each.edits),
        "readings": list(each.survives),
        "sentences": str(each.kept),
        "further": [{"parameter": name, "value": str(value), "right": right} for name, value, right in each.further],
    }


def _found(checked: Checked) -> dict[str, str]:
    return {"state": checked.state.value, "reason": checked.reason, "cases": str(checked.cases)}


def _changes(changes: Changes) -> dict[str, Any]:
    edits = [each for each in changes if isinstance(each, Edit)]
    return {
        "edits": [{"at": e.at, "printed": str(e.printed), "repaired": str(e.repaired), "changed": e.what} for e in edits],
        "added": [each.added for each in changes if isinstance(each, Clause)],
    }
