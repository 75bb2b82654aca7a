"""The search for repairs around a network file: small edits of one entry, checked on every input of the lengths of the request.

An edit changes a symbol of a formula, the coordinate that a map reads, a mask, a kind of attention or an activation. The entries that state
the claim are never edited: the input, the parameters, the right answer, the expectations. An edited form is skipped only if it cannot be
read, or is wrong on an input on which another form was wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

from verifier.arithmetic.semantics import Arithmetic
from verifier.networks.errata import NETWORK_ERRATA, Erratum, changed
from verifier.networks.record_base import admits
from verifier.repair.edits import Change, Edit, edits_of, entries
from verifier.repair.proof_sentences import Sentence
from verifier.repair.search import Checked, Repair, Search, Stage, State, Subject, Walk
from verifier.running.errors import FileDefects, InputError, LimitError
from verifier.running.limits import Limits
from verifier.running.printable import assignment
from verifier.transformers.answers import method_of, wrong_by_arrays, wrong_by_definition
from verifier.transformers.expectations import judged_expectations, names
from verifier.transformers.files import checked_network
from verifier.transformers.inputs import Strings
from verifier.transformers.network import network, set_coordinates
from verifier.transformers.precision import first_wrong
from verifier.transformers.records import Activation, Kind, Mask, NetworkFile

EDITED = ("constants", "embedding", "norm", "final_norm", "layer", "accept", "choose", "decode")
KEPT = ("function", "at", "steps", "until", "score", "only", "of")
CHOICES: dict[str, Sequence[str]] = {"mask": get_args(Mask), "activation": get_args(Activation), "place": ("before", "after")}
KINDS = {"head": get_args(Kind), "norm": ("layer", "rms"), "final_norm": ("layer", "rms")}
MAPS = ("query", "key", "value", "combine", "hidden", "into", "gate", "logits")
_NAME = re.compile(r"[A-Za-z_]\w*")
MOST_STAGES = 4
"""Edits that are made one after the other."""


def network_edits(raw: Mapping[str, Any], file: NetworkFile, symbols: int = 1) -> list[Edit]:
    """The edits of ``symbols`` (1 or 2) symbols of one entry, in the file's order."""
    coordinates = list(file.coordinates or set_coordinates(file))
    found = []
    for at, printed in _entries(raw):
        words = at.split(".")
        choices = _choices(words)
        if choices or isinstance(printed, bool):
            word = printed if isinstance(printed, bool) else printed or choices[0]
            others = [not printed] if isinstance(printed, bool) else [each for each in choices if each != word]
            found += [Edit(at, printed, other, f"{word} for {other}") for other in others] if symbols == 1 else []
            continue
        found += edits_of(at, printed, symbols)
        if symbols == 1 and (part := next((word for word in words if word in MAPS), None)):
            found += _renamed(at, printed, _names(raw, words, part, coordinates))
    return found


def _entries(raw: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The entries that may be edited; a head without a mask has an empty one."""
    layers = [
        {**layer, "head": [head | {"mask": head.get("mask", "")} for head in layer["head"]]} if "head" in layer else layer
        for layer in raw["layer"]
    ]
    for part in EDITED:
        if part in raw:
            yield from entries(layers if part == "layer" else raw[part], part, KEPT)


def _choices(words: Sequence[str]) -> Sequence[str]:
    """The other words that an entry of the file may have, if it must be one of several."""
    if words[-1] == "kind":
        return next((kinds for part, kinds in KINDS.items() if part in words), ())
    return CHOICES.get(words[-1], ()) if len(words) > 1 and words[-2] not in ("hidden", "into", "gate", "value", "combine") else ()


def _names(raw: Mapping[str, Any], words: Sequence[str], part: str, coordinates: Sequence[str]) -> Sequence[str]:
    """The names that a map may read."""
    if part not in ("combine", "into"):
        return coordinates
    layer = raw["layer"][int(words[1]) - 1]
    if part == "into":
        return list(layer["network"]["hidden"])
    return list(dict.fromkeys(name for head in layer.get("head", []) for name in head["value"]))


def _renamed(at: str, printed: Any, names: Sequence[str]) -> Iterator[Edit]:
    text = str(printed)
    for match in _NAME.finditer(text):
        if match.group() in names:
            for other in names:
                if other != match.group():
                    yield Edit(at, printed, text[: match.start()] + other + text[match.end() :], f"{match.group()} for {other}")


class Network(Subject):
    """A network file in one arithmetic at some lengths; given: the values of its other parameters.

    Two symbols that are changed together belong to one entry, so that the edits are few.
    """

    def __init__(self, raw: Mapping[str, Any], lengths: range, arithmetic: Arithmetic, given: Mapping[str, int], work: int) -> None:
        """``work``: the most work on one form, in elements of arrays.

        Raises:
            InputError: the file admits no such length, or cannot be read.
        """
        self.raw, self.lengths, self.arithmetic, self.given, self.limits = raw, lengths, arithmetic, dict(given), Limits(work)
        self.written = self.file(())
        if not any(admits(self.written, self._point(length)) for length in lengths):
            raise InputError(f"{self.written.id}: the network admits no length {self.written.length} from {lengths[0]} to {lengths[-1]}")
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
        at = assignment({file.length: wrong.length, **wrong.strings})
        return Checked(State.WRONG, f"{at} is answered with {wrong.answer.found}, not {wrong.answer.expected}", cell.cases)

    def _wrong_where_known(self, file: NetworkFile) -> str | None:
        """Answer an input on which another form was wrong, if this form is wrong on it as well."""
        for place, (length, strings) in enumerate(self.known):
            built = network(file, self._point(length))
            if method_of(built, self.arithmetic) == "arrays":
                found = next(iter(wrong_by_arrays(built, self.arithmetic, [strings])), None)
            else:
                found = next(wrong_by_definition(built, self.arithmetic, iter([strings])), None)
            if found is not None:
                self.known.insert(0, self.known.pop(place))
                return f"{file.length} = {length}: answered with {found[1].found}, not {found[1].expected}"
        return None

    def broken(self, edits: Sequence[Change]) -> tuple[str, ...]:
        """The expectations of the file that fail over real numbers at some length; all if one is not decided."""
        file = self.file(edits)
        try:
            judged = judged_expectations(file, self.lengths, self.given, self.limits)
        except InputError:
            return tuple(names(file))
        return tuple(each.name for each in judged if each.broken is not None)

    def near(self, search: Search) -> tuple[Iterator[Repair], Iterator[Repair]]:
        """The edits of one entry."""
        return self._edits_of(1, "one symbol", search), self._edits_of(2, "two symbols of one entry", search)

    def _edits_of(self, symbols: int, label: str, search: Search) -> Iterator[Repair]:
        listed = network_edits(self.raw, self.written, symbols)
        for number, edit in enumerate(listed, 1):
            search.advance(label, number, len(listed))
            search.spend(1)
            yield from search.repairs((edit,), self.check((edit,)))

    def walk(self, search: Search, sentences: Sequence[Sentence]) -> None:
        """If expectations fail, and still do after each edit of one symbol: edits of one symbol one after the other, each the first that
        leaves the fewest expectations failing, while their number falls.
        """
        if not search.broken or not all(repair.broken for repair in search.found):
            return
        walk = search.walk = Walk()
        made: tuple[Edit, ...] = ()
        broken = search.broken
        while broken and len(walk.stages) < MOST_STAGES and (best := self._best(made, broken, search)) is not None:
            edit, left = best
            walk.stages.append(Stage(f"what is expected: {', '.join(set(broken) - set(left))}", (edit,)))
            made, broken = (*made, edit), left
        if len(made) > 1:  # one edit was tried already
            walk.edits, walk.checked = made, self.check(made)

    def _best(self, made: tuple[Edit, ...], broken: tuple[str, ...], search: Search) -> tuple[Edit, tuple[str, ...]] | None:
        """An edit of another place, and the expectations that fail with it: fewer than before."""
        taken = {edit.at for edit in made}
        best: tuple[Edit, tuple[str, ...]] | None = None
        for edit in network_edits(self.raw, self.file(made)):
            search.spend(1)
            if edit.at in taken:
                continue
            try:
                left = self.broken((*made, edit))
            except (InputError, LimitError):
                continue
            if len(left) < len(broken if best is None else best[1]):
                best = edit, left
        return best

    def errata_head(self, name: str, found: bool) -> dict[str, Any]:
        first, last = self.lengths[0], self.lengths[-1]
        others = "".join(f" and {parameter} == {value}" for parameter, value in self.given.items())
        return {
            "format": NETWORK_ERRATA,
            "network": name,
            "domain": f"{first} <= {self.written.length} <= {last}{others}",
            "why_domain": f"where it was checked, on every input, in {self.arithmetic}",
        }
