"""Forms of propositions as data (``proofs/forms.toml``): the whole text of each form, and the facts about the problem that such a
proposition states.

In this text the names that begin with _ mark the parts that are read. So every other word of a proposition must match, and a claim's
fields must equal the parts that are read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from verifier.kernel.folders import FORMS, Meaning, ProofFolder
from verifier.kernel.propositions import Proposition, form, matched
from verifier.kernel.terms import Term
from verifier.networks.files import read_toml
from verifier.running.errors import InputError

Text = str | list[int | str]
WHOLE = re.compile(r"-?[0-9]+")


class Form(Struct, frozen=True, forbid_unknown_fields=True):
    """A form: ``says``, the text of the proposition; definitions: those on which the parts rest; the rest as :class:`Meaning` has it.

    ``{_x}`` is the part for this name, as a formula or as a word of the file.
    """

    says: str
    definitions: dict[str, str] = {}
    readings: tuple[str, ...] = ()
    about: dict[str, str] = {}
    strings: tuple[str, ...] = ()
    fields: dict[str, Text] = {}
    given: str = ""
    aside: str = ""


class Forms(Struct, frozen=True, forbid_unknown_fields=True):
    """The forms of a folder; the first that fits counts.

    words: the spelling of names in the propositions; besides: by a name that is read, and by its part, further words.
    """

    form: list[Form]
    words: dict[str, str] = {}
    besides: dict[str, dict[str, dict[str, str]]] = {}

    @classmethod
    def of(cls, path: Path) -> Forms:
        """The forms in a file.

        Raises:
            InputError: in one line, what is wrong with it.
        """
        try:
            return msgspec.convert(read_toml(path), cls)
        except msgspec.ValidationError as error:
            raise InputError(f"{path.name}: {error}") from None

    def meaning(self, stated: Proposition) -> Meaning:
        """The facts about the problem that a proposition states.

        Raises:
            InputError: it has none of the forms.
        """
        for each in self.form:
            found = matched(form(each.says), stated.stated)
            if found is not None:
                return self._read(each, found, stated)
        raise InputError(f"{stated.theorem.states} has no counterpart in the program")

    def _read(self, of: Form, found: Mapping[str, Term], stated: Proposition) -> Meaning:
        every = dict(found)
        for name, text in of.definitions.items():
            inner = matched(form(text), stated.definitions[name].term)
            if inner is None or any(every.get(key, term) != term for key, term in inner.items()):
                raise InputError(f"{stated.theorem.states}: the definition of {name} has no counterpart in the program")
            every |= inner
        for key, term in every.items():
            if on := stated.free(term) & set(of.strings):
                raise InputError(f"{stated.theorem.states}: {key} speaks of the string {min(on)}; it has no counterpart in the program")
        words = {key: self._word(term, stated) for key, term in every.items() if f"{{{key}}}" in str(of) or key in self.besides}
        for key, by_word in self.besides.items():
            words |= by_word.get(words.get(key, ""), {})

        def written(text: Text | int) -> object:
            if isinstance(text, list):
                return [written(each) for each in text]
            filled = str(text).format(**self.words | words)
            return int(filled) if WHOLE.fullmatch(filled) else filled

        about = {key: str(written(text)) for key, text in of.about.items()}
        fields = {key: written(text) for key, text in of.fields.items()}
        return Meaning(of.readings, about, of.strings, fields, of.given, str(written(of.aside)))

    def _word(self, term: Term, stated: Proposition) -> str:
        return self.words.get(term.text, term.text) if not term.parts else stated.formula(term)


def meaning_of(folder: ProofFolder, stated: Proposition) -> Meaning:
    """The statement of a proposition on the problem, by the forms of its folder, or empty if the folder has no such file.

    Raises:
        InputError: it has none of the forms.
    """
    path = folder.folder / FORMS
    return Forms.of(path).meaning(stated) if path.is_file() else Meaning()
