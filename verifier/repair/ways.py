"""The ways to a repair, in their order: every edit of one symbol, then step by step, then every edit of two symbols."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from verifier.repair.found import Repair, Search
from verifier.repair.search import MOST_SYMBOLS, LimitReachedError, Searching
from verifier.repair.sentences import Sentence
from verifier.repair.stepwise import Stage, StepByStep
from verifier.repair.subject import State


def search(searching: Searching, sentences: Sequence[Sentence], most: int = MOST_SYMBOLS, every: bool = False) -> Search:
    """What is found; the search's own state has it at any moment, also after an interruption.

    Args:
        sentences: what is said of the construction.
        most: symbols of one edit, or of two, that are changed together where every edit is tried.
        every: whether the second way is left out, so that all the repairs of two symbols are found.
    """
    state = searching.run(1)
    leads = bool(sentences) or state.before.state is State.LACKING
    if most > 1 and not every and leads and state.complete and not state.found and state.before.state in (State.WRONG, State.LACKING):
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
    if checked is None or not checked.state.answers or (state.before.state is State.LACKING and checked.state is State.LACKING):
        return
    state.found.append(Repair(state.walk.edits, checked.state, checked.cases))
    searching.told(replace(state))
    only, *more = state.walk.stages
    if not more:
        _as_small(searching, only)


def _as_small(searching: Searching, stage: Stage) -> None:
    """Where one stage is the whole repair, what would have served as well is a repair, too, if it is as right."""
    state = searching.state
    for edits in stage.others:
        checked = searching.subject.check(edits)
        if checked.state is state.found[0].state:
            state.found.append(Repair(edits, checked.state, checked.cases))
            searching.told(replace(state))
