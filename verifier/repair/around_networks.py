"""What the search for repairs does around a network file: the edits of one entry, and what is expected of coordinates, which leads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verifier.repair.edits import Changes, Edit
from verifier.repair.network_edits import network_edits
from verifier.repair.network_subject import NetworkSubject
from verifier.repair.proof_sentences import Sentence
from verifier.repair.search_state import Advance, Repair, Search, Stage, Walk
from verifier.repair.target import Checked
from verifier.running.errors import InputError, LimitError

MOST_STAGES = 4


class AroundNetwork:
    """One network file. Two symbols that are changed together are of one entry, so that they are few."""

    pairs_where_right = True

    def __init__(self, subject: NetworkSubject) -> None:
        self.subject = subject

    def start(self, before: Checked) -> tuple[str, ...]:
        """What is expected is asked of any network: it leads where the answers are wrong."""
        return self.subject.broken(())

    def names(self, state: Search, advance: Advance) -> Iterator[Changes] | None:
        """None: the file can be read, or it is no subject; an edit may mend what has no value."""
        return None

    def gaps(self, state: Search, advance: Advance) -> Iterator[Changes]:
        return iter(())

    def near(self, state: Search, advance: Advance) -> NearNetwork:
        return NearNetwork(self.subject, state, advance)

    def steps(self, sentences: Sequence[Sentence], state: Search, advance: Advance) -> ByExpectations | None:
        """Where expectations fail, and with each edit of one symbol some still do."""
        leads = state.broken and all(repair.broken for repair in state.found)
        return ByExpectations(self.subject, state) if leads else None


class NearNetwork:
    """The edits of one entry; the forms are counted in ``state``."""

    def __init__(self, subject: NetworkSubject, state: Search, advance: Advance) -> None:
        self.subject, self.state, self.advance = subject, state, advance

    def one(self) -> Iterator[Repair]:
        yield from self._each(1, "one symbol")

    def two(self) -> Iterator[Repair]:
        yield from self._each(2, "two symbols of one entry")

    def _each(self, symbols: int, label: str) -> Iterator[Repair]:
        listed = network_edits(self.subject.raw, self.subject.written, symbols)
        for number, edit in enumerate(listed, 1):
            self.advance(label, number, len(listed))
            self.state.spend(1)
            yield from self.state.repairs(self.subject, (edit,), self.subject.check((edit,)))


class ByExpectations:
    """Edits of one symbol one after the other, each the first that leaves the fewest expectations failing, while they get fewer."""

    def __init__(self, subject: NetworkSubject, state: Search) -> None:
        self.subject, self.state = subject, state
        self.walk = Walk(before=0, sentences=0)

    def run(self) -> Walk:
        """``checked`` is None where it is one edit or none: those were tried already."""
        walk, broken = self.walk, self.state.broken
        made: tuple[Edit, ...] = ()
        while broken and len(walk.stages) < MOST_STAGES:
            best = self._best(made, broken)
            if best is None:
                break
            edit, left = best
            walk.stages.append(Stage(f"what is expected: {', '.join(set(broken) - set(left))}", (edit,)))
            made, broken = (*made, edit), left
        if len(made) > 1:
            walk.edits, walk.checked = made, self.subject.check(made)
        return walk

    def _best(self, made: tuple[Edit, ...], broken: tuple[str, ...]) -> tuple[Edit, tuple[str, ...]] | None:
        """An edit of another place, and the expectations that fail with it: fewer than without."""
        taken = {edit.at for edit in made}
        best: tuple[Edit, tuple[str, ...]] | None = None
        for edit in network_edits(self.subject.raw, self.subject.file(made)):
            self.state.spend(1)
            if edit.at in taken:
                continue
            try:
                left = self.subject.broken((*made, edit))
            except (InputError, LimitError):
                continue
            if len(left) < len(broken if best is None else best[1]):
                best = edit, left
        return best


def worth(repair: Repair) -> tuple[int, int, int]:
    """By which repairs are sorted: how many expectations fail all the same, then how far and how much longer the change is."""
    return len(repair.broken), sum(edit.change for edit in repair.edits), sum(edit.longer for edit in repair.edits)
