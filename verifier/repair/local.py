"""The smallest edits within one part of a table (the row of one step, the weights, the MLP) that leave it no entry that the precision
lacks, and right.

What the precision lacks is known for each edit alone, so that only sets of edits are formed that together leave nothing lacking. Each
runs on the inputs on which another form failed; where none fails it is checked on every promised input.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

from verifier.arithmetic.numbers import Number
from verifier.networks.evaluate import decide, evaluate
from verifier.networks.execution import Execution
from verifier.networks.instance import Instance
from verifier.repair.edits import Edit, edits
from verifier.repair.instances import with_both
from verifier.repair.target import Subject
from verifier.repair.unrepresentable import Places, lacking_places, part_of
from verifier.running.errors import InputError

MOST_IN_ROW = 3
MOST_IN_MLP = 4
Spend = Callable[[int], None]


@dataclass(frozen=True)
class _Single:
    edit: Edit
    made: Instance
    lacking: Places


class Local:
    """The search within one part of a well-formed construction that answers every promised input rightly."""

    def __init__(self, subject: Subject, part: str, spend: Spend) -> None:
        self.subject, self.part, self._spend = subject, part, spend
        base = subject.instance((), 0)
        assert base is not None, "what answers rightly can be read"
        self.base = base
        self.before = self._of_part(base)
        self.singles = list(self._edits())
        self.most = MOST_IN_MLP if part == "mlp" else MOST_IN_ROW
        self._attention: dict[tuple[int, int], Number] = {}

    def sizes(self) -> Iterator[list[tuple[Edit, ...]]]:
        """For one edit, two, … all sets of so many that mend the part."""
        for size in range(1, self.most + 1):
            yield [tuple(each.edit for each in chosen) for chosen, made in self._sets(size) if self._right(chosen, made)]

    def _edits(self) -> Iterator[_Single]:
        for edit in edits(self.subject.source.raw):
            if not edit.ranges and (edit.at == self.part or edit.at.startswith(f"{self.part}.")):
                self._spend(1)
                made = self.subject.after(edit, self.base)
                if made is not None and not made.defects:
                    yield _Single(edit, made, self._of_part(made))

    def _of_part(self, instance: Instance) -> Places:
        return frozenset(place for place in lacking_places(instance, self.subject.semantics) if part_of(place) == self.part)

    def _sets(self, size: int) -> Iterator[tuple[tuple[_Single, ...], Instance]]:
        """All sets of so many edits of different places that leave nothing lacking, each once, with what they make."""
        harmless = [each for each in self.singles if each.lacking <= self.before]
        seen: set[frozenset[Edit]] = set()
        for core in self._cores((), self.before, size, harmless):
            made = self._merged(self.base, core)
            others = [each for each in harmless if each.edit.at not in {c.edit.at for c in core}]
            for more in combinations(others, size - len(core)):
                self._spend(1)
                chosen = (*core, *more)
                key = frozenset(each.edit for each in chosen)
                if key in seen or len({each.edit.at for each in chosen}) < size or made is None:
                    continue
                seen.add(key)
                whole = self._merged(made, more)
                if whole is not None:
                    yield chosen, whole

    def _cores(self, chosen: tuple[_Single, ...], left: Places, size: int, harmless: list[_Single]) -> Iterator[tuple[_Single, ...]]:
        """Sets of edits that take away what is lacking, the first of it first."""
        if not left:
            yield chosen
        elif len(chosen) < size:
            first = min(left)
            for each in harmless:
                if first not in each.lacking and each.edit.at not in {c.edit.at for c in chosen}:
                    yield from self._cores((*chosen, each), left & each.lacking, size, harmless)

    def _merged(self, made: Instance, more: tuple[_Single, ...]) -> Instance | None:
        whole: Instance | None = made
        for each in more:
            whole = whole and with_both(self.base, whole, each.made)
        return whole

    def _right(self, chosen: tuple[_Single, ...], made: Instance) -> bool:
        execution = Execution(made, self.subject.semantics)
        known = self.subject.inputs[0]
        for pair in known:
            if not self._right_at(execution, pair):
                known.remove(pair)
                known.insert(0, pair)
                return False
        return self.subject.check(tuple(each.edit for each in chosen), made).state.answers

    def _right_at(self, execution: Execution, pair: tuple[int, int]) -> bool:
        try:
            if self.part != "mlp":
                return evaluate(execution, *pair).correct
            if pair not in self._attention:
                self._attention[pair] = evaluate(Execution(self.base, self.subject.semantics), *pair).attention
            return decide(execution, self._attention[pair]).answer == self.base.problem.value(*pair)
        except InputError:
            return False
