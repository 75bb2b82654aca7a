"""What a search for repairs found so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from verifier.repair.edits import Edit
from verifier.repair.stepwise import Walk
from verifier.repair.target import Checked, State


@dataclass(frozen=True)
class Repair:
    """Edits with which the construction is right at all points; ``state`` is RIGHT or LACKING."""

    edits: tuple[Edit, ...]
    state: State
    cases: int

    @property
    def symbols(self) -> int:
        return sum(edit.symbols for edit in self.edits)


@dataclass
class Search:
    """What was found so far: usable at any moment, also after an interruption.

    complete: whether every form of at most ``symbols`` symbols was considered; considered: how many forms were; undecided: how many of
    those an engine did not decide within its limit; walk: the repair step by step, where one was tried; by_steps: whether what was
    found was found so.
    """

    before: Checked
    symbols: int = 0
    considered: int = 0
    undecided: int = 0
    complete: bool = False
    found: list[Repair] = field(default_factory=list)
    walk: Walk | None = None
    by_steps: bool = False
