"""What is to be mended of a network file: the file with the lengths and the arithmetic that it is checked at.

Every form is checked on every input of the lengths asked for; a form is left out without that only where it cannot be read, or answers
an input wrongly on which another form was wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from verifier.arithmetic.semantics import Arithmetic
from verifier.networks.errata import Erratum, changed
from verifier.repair.edits import Change, Edit
from verifier.repair.search_state import Repair
from verifier.repair.target import Checked, State
from verifier.running.errors import FileDefects, InputError, LimitError
from verifier.running.limits import Limits
from verifier.transformers.answers import wrong_by_arrays, wrong_by_definition
from verifier.transformers.enumeration import method_of
from verifier.transformers.expectations import judged_expectations, names
from verifier.transformers.files import checked_network
from verifier.transformers.inputs import Strings
from verifier.transformers.network import admits, network
from verifier.transformers.precision import first_wrong
from verifier.transformers.records import NetworkFile


class NetworkSubject:
    """A network file in one arithmetic at some lengths; given: the values of its other parameters."""

    def __init__(self, raw: Mapping[str, Any], lengths: range, arithmetic: Arithmetic, given: Mapping[str, int], work: int) -> None:
        """``work``: as ``--limit`` of `verify construction`, of one form.

        Raises:
            InputError: no length that the file admits, or a file that cannot be read.
        """
        self.raw, self.lengths, self.arithmetic, self.given, self.limits = raw, lengths, arithmetic, dict(given), Limits(work)
        self.written = self.file(())
        if not any(admits(self.written, self._point(length)) for length in lengths):
            raise InputError(f"{self.written.id}: no length {self.written.length} from {lengths[0]} to {lengths[-1]}")
        self.known: list[tuple[int, Strings]] = []

    def _point(self, length: int) -> dict[str, int]:
        return {**self.given, self.written.length: length}

    def file(self, edits: Sequence[Change]) -> NetworkFile:
        """The file with these edits.

        Raises:
            InputError: it has mistakes.
        """
        if not edits:
            return checked_network(self.raw, "the network")
        made = [edit for edit in edits if isinstance(edit, Edit)]
        errata = [Erratum(name=f"edit-{k}", at=e.at, printed=e.printed, repaired=e.repaired, why="") for k, e in enumerate(made)]
        return checked_network(changed(self.raw, errata), "the network")

    def check(self, edits: Sequence[Change]) -> Checked:
        """The state of the network with these edits, on every input of every length."""
        try:
            file = self.file(edits)
            if (reason := self._wrong_where_known(file)) is not None:
                return Checked(State.WRONG, reason)
            cell = first_wrong("", file, self.arithmetic, self.lengths, self.given, self.limits)
        except (InputError, LimitError) as error:
            return Checked(State.UNREADABLE, str(error.each[0] if isinstance(error, FileDefects) else error))
        if cell.first_wrong is None:
            return Checked(State.UNDECIDED, cell.stopped, cell.cases) if cell.stopped else Checked(State.RIGHT, "", cell.cases)
        wrong = cell.first_wrong
        shape = network(file, self._point(wrong.length)).input
        self.known.insert(0, (wrong.length, {name: shape.read(name, text) for name, text in wrong.strings.items()}))
        at = ", ".join(f"{name} = {text}" for name, text in {file.length: wrong.length, **wrong.strings}.items())
        return Checked(State.WRONG, f"{at} is answered with {wrong.answer.found}, not {wrong.answer.expected}", cell.cases)

    def _wrong_where_known(self, file: NetworkFile) -> str | None:
        """Answer an input on which another form was wrong, if this form is wrong there as well."""
        for place, (length, strings) in enumerate(self.known):
            built = network(file, self._point(length))
            if method_of(self.arithmetic) == "arrays":
                found = next(iter(wrong_by_arrays(built, self.arithmetic, [strings])), None)
            else:
                found = next(wrong_by_definition(built, self.arithmetic, iter([strings])), None)
            if found is not None:
                self.known.insert(0, self.known.pop(place))
                return f"{file.length} = {length}: answered with {found[1].found}, not {found[1].expected}"
        return None

    def broken(self, edits: Sequence[Change]) -> tuple[str, ...]:
        """The expectations of the file that fail over real numbers at some length; all where one is not decided."""
        file = self.file(edits)
        try:
            judged = judged_expectations(file, self.lengths, self.given, self.limits)
        except InputError:
            return tuple(names(file))
        return tuple(each.name for each in judged if each.broken is not None)


def errata_of(subject: NetworkSubject, network_name: str, repair: Repair, before: Checked) -> dict[str, Any]:
    """The repair as the content of a file of errata."""
    length, first, last = subject.written.length, subject.lengths[0], subject.lengths[-1]
    others = "".join(f" and {name} == {value}" for name, value in subject.given.items())
    entries = []
    for edit in repair.edits:
        assert isinstance(edit, Edit), "a clause is added to construction files only"
        entries.append({"name": edit.erratum("").name, "at": edit.at, "printed": edit.printed, "repaired": edit.repaired})
    why = f"where it was checked, on every input, in {subject.arithmetic}"
    domain = {"domain": f"{first} <= {length} <= {last}{others}", "why_domain": why}
    return {"network": network_name, **domain, "erratum": [{**entry, "why": f"as written: {before.reason}"} for entry in entries]}
