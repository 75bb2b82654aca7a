"""The result for a network in one arithmetic: the lengths up to which it is right, and the first input that is answered wrongly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from verifier.arithmetic.semantics import Arithmetic
from verifier.running.notebooks import Facts
from verifier.running.printable import assignment, shell_line

if TYPE_CHECKING:
    from verifier.transformers.outputs import Answer


def trace_words(construction: str, arithmetic: str, given: Mapping[str, object]) -> list[str]:
    """The words behind ``verify`` that trace a network on one input; given: its parameters and strings by name."""
    options = [word for name, value in given.items() for word in (f"--{name}", str(value))]
    return ["trace", construction, "--arithmetic", arithmetic, *options]


@dataclass(frozen=True)
class Wrong:
    """A wrong answer: the length, the input as text, and the answer."""

    length: int
    strings: Mapping[str, str]
    answer: Answer


@dataclass(frozen=True, repr=False)
class Cell(Facts):
    """A network in one arithmetic.

    length:     the name of the parameter that is the length; given: values of others.
    decided_to: the largest length up to which every input is decided, None without one; cases: inputs.
    stopped:    why larger lengths are not decided, if so; missing: what prevents the engines that need not run every input.
    """

    construction: str
    length: str
    given: Mapping[str, int]
    arithmetic: Arithmetic
    first_wrong: Wrong | None
    decided_to: int | None
    cases: int
    method: str
    stopped: str = ""
    missing: str = ""

    def caption(self) -> str:
        decided = f"decided to {self.length} = {self.decided_to}" if self.decided_to is not None else "not decided"
        return f"{self.construction} in {self.arithmetic}: {decided}, {self.cases:,} inputs"

    def facts(self) -> dict[str, str | None]:
        wrong = self.first_wrong
        seen = f"{assignment(wrong.strings)}: {wrong.answer.found}, {wrong.answer.expected} is right" if wrong is not None else None
        return {"stopped": self.stopped, "first wrong": seen, "replay": self.replay}

    @property
    def replay(self) -> str:
        """The command that shows the first wrong input."""
        return shell_line(["verify", *self.replay_words]) if self.first_wrong is not None else ""

    @property
    def replay_words(self) -> list[str]:
        """The words that follow ``verify`` in it."""
        assert self.first_wrong is not None
        named = {self.length: self.first_wrong.length, **self.given, **self.first_wrong.strings}
        return trace_words(self.construction, str(self.arithmetic), named)

    def document(self) -> dict[str, Any]:
        """The cell in the form of JSON."""
        wrong = self.first_wrong
        return {
            "arithmetic": str(self.arithmetic),
            "first_wrong": wrong
            and {
                "length": wrong.length,
                "input": " ".join(wrong.strings.values()),
                "expected": wrong.answer.expected,
                "found": wrong.answer.found,
                "values": wrong.answer.shown,
            },
            "decided_to": self.decided_to,
            "method": self.method,
            "replay": self.replay,
        }
