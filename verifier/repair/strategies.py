"""The ways to a repair, in their order: every edit of one symbol, then step by step, then every edit of two symbols."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, product

from verifier.repair.search import MOST_SYMBOLS, LimitReachedError, Searching
from verifier.repair.search_state import Repair, Search
from verifier.repair.sentences import Sentence
from verifier.repair.stepwise import Edits, Stage, StepByStep, together
from verifier.repair.target import State

FEW_STAGES = 2
MOST_TRIED = 64
"""Of a repair of so few stages, so many are tried that take other edits which would have served as well."""


def search(searching: Searching, sentences: Sequence[Sentence], most: int = MOST_SYMBOLS, every: bool = False) -> Search:
    """What is found; the search's own state has it at any moment, also after an interruption.

    Args:
        sentences: what is said of the construction.
        most: symbols of one edit, or of two, that are changed together where every edit is tried.
        every: whether the second way is left out, so that all the repairs of two symbols are found.
    """
    state = searching.run(1)
    lacking = state.before.state is State.LACKING or bool(state.found)
    whole = any(repair.state is State.RIGHT for repair in state.found)
    wanted = most > 1 and not every and not whole and (lacking or bool(sentences))
    if wanted and state.complete and state.before.state in (State.WRONG, State.LACKING):
        _step_by_step(searching, sentences)
    if state.complete and not state.found and most > 1:
        state.complete = False
        searching.run(most, first=2)
    return state


def _step_by_step(searching: Searching, sentences: Sequence[Sentence]) -> None:
    state, subject = searching.state, searching.subject
    steps = StepByStep(subject, sentences, searching.spend, searching.advance)
    try:
        state.walk = steps.run()
    except LimitReachedError:
        state.walk, state.complete = steps.walk, False
        return
    checked = state.walk.checked
    if checked is None or not checked.state.answers:
        return
    if checked.state is State.LACKING and (state.before.state is State.LACKING or state.found):
        return
    state.by_steps = True
    state.found.clear()  # with entries that the precision lacks, where there are any
    state.found.append(Repair(state.walk.edits, checked.state, checked.cases))
    searching.told(replace(state))
    if len(state.walk.stages) <= FEW_STAGES:
        _as_small(searching, state.walk.stages)
    fewest = min(repair.symbols for repair in state.found)
    state.found[:] = [repair for repair in state.found if repair.symbols == fewest]


def _as_small(searching: Searching, stages: Sequence[Stage]) -> None:
    """Where stages had edits that would have served as well, these make repairs, too, if they are as right."""
    state = searching.state
    for chosen in islice(product(*((stage.edits, *stage.others) for stage in stages)), MOST_TRIED):
        edits = together([edit for each in chosen for edit in each])
        if any(_text(edits) == _text(repair.edits) for repair in state.found):
            continue
        checked = searching.subject.check(edits)
        if checked.state is state.found[0].state:
            state.found.append(Repair(edits, checked.state, checked.cases))
            searching.told(replace(state))


def _text(edits: Edits) -> set[str]:
    return {str(edit) for edit in edits}
