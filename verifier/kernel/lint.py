"""Hold a Coq source against the fragment (:mod:`verifier.kernel.fragment`): every sentence has a known form, every step a known tactic."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from verifier.kernel import fragment
from verifier.kernel.lexer import Sentence, Word, sentences
from verifier.running.errors import InputError

BULLETS = frozenset({"-", "+", "*", "{", "}"})
_CLOSING = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True)
class Departure:
    """A place at which a source leaves the fragment, and why."""

    file: str
    line: int
    reason: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.reason}"


def departures(source: str, name: str, own: tuple[str, Collection[str]] = ("", ())) -> list[Departure]:
    """Every place at which the source leaves the fragment. ``own``: the folder's namespace, and its modules before this one."""
    try:
        every = list(sentences(source, name))
    except InputError as error:
        place, _, reason = str(error).partition(": ")
        line = place.rpartition(":")[2]
        return [Departure(name, int(line) if line.isdigit() else 1, reason)]
    return [Departure(name, line, reason) for line, reason in _refusals(every, own)]


def _refusals(every: Sequence[Sentence], own: tuple[str, Collection[str]]) -> Iterator[tuple[int, str]]:
    proving, begun = "", False
    for sentence in every:
        yield from _refused_words(sentence.words)
        if not proving:
            yield from _declaration(sentence, own)
            proving, begun = (sentence.texts[0], False) if sentence.texts[0] in fragment.ASSERTIONS else ("", False)
        elif not begun:
            begun = True
            if sentence.texts != ("Proof",):
                yield sentence.line, f"{proving} is followed by {' '.join(sentence.texts[:3])}; Proof was expected"
        elif sentence.texts[-1] == "Qed" and all(text in BULLETS for text in sentence.texts[:-1]):
            proving = ""
        else:
            yield from _step(sentence)
    if proving:
        yield every[-1].line, f"the last {proving} has no Qed"


def _refused_words(words: Sequence[Word]) -> Iterator[tuple[int, str]]:
    for word in words:
        for part in word.text.split(".") if word.kind == "name" else [word.text]:
            if part in fragment.REFUSED:
                yield word.line, f"{part} is not in the fragment: {fragment.REFUSED[part]}"


def _declaration(sentence: Sentence, own: tuple[str, Collection[str]]) -> Iterator[tuple[int, str]]:
    """Outside proofs: imports, a scope, definitions by terms, and what is to be proved."""
    head, *rest = sentence.texts
    if head in ("From", "Import", "Local"):
        yield from ((sentence.line, reason) for reason in _opening(sentence.texts, own))
    elif head in fragment.DEFINITIONS:
        if ":=" not in rest:
            yield sentence.line, f"{head} {' '.join(rest[:1])} is not defined by a term"
        elif head != "Definition" and rest[0] in rest[1:]:
            yield sentence.line, f"{head} {rest[0]} speaks of itself"
        if head != "Definition" and "with" in rest:
            yield sentence.line, f"{head} {rest[0]} is defined together with another one"
    elif head in fragment.ASSERTIONS:
        if ":" not in rest:
            yield sentence.line, f"{head} {' '.join(rest[:1])} states nothing"
    else:
        yield sentence.line, f"{head} is not in the fragment"


def _opening(texts: Sequence[str], own: tuple[str, Collection[str]]) -> Iterator[str]:
    match texts:
        case ("From", "Coq", "Require", "Import", *modules):
            allowed: Collection[str] = fragment.MODULES
        case ("From", namespace, "Require", "Import", *modules) if namespace == own[0]:
            allowed = own[1]
        case ("Import", *modules):
            allowed = fragment.NAMESPACES
        case ("Local", "Open", "Scope", *modules):
            allowed = fragment.SCOPES
        case _:
            yield f"{' '.join(texts[:4])} is not in the fragment"
            return
    yield from (f"{' '.join(texts[: -len(modules)])} {module} is not in the fragment" for module in modules if module not in allowed)


def _step(sentence: Sentence) -> Iterator[tuple[int, str]]:
    """Inside a proof: bullets, a goal's number, then tactics."""
    words = list(sentence.words)
    while words and words[0].text in BULLETS:
        words.pop(0)
    if len(words) > 1 and words[0].kind == "number" and words[1].text == ":":
        words = words[2:]
        while words and words[0].text in BULLETS:
            words.pop(0)
    steps = Steps(words)
    steps.read()
    for head in steps.heads:
        if head.text not in fragment.TACTICS:
            yield head.line, f"the tactic {head.text} is not in the fragment"


class Steps:
    """Reads the tactics of one sentence. ``heads``: the word at which each one begins.

    A tactic begins the sentence, follows ``;``, ``||``, ``by`` or a tactical, and stands in brackets that stand for a tactic; brackets
    in its arguments hold terms and patterns.
    """

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = words
        self.place = 0
        self.heads: list[Word] = []

    @property
    def text(self) -> str:
        return self.words[self.place].text if self.place < len(self.words) else ""

    def read(self) -> None:
        """Everything up to the end of the sentence; what closes a bracket that is not open is taken for a head, and refused."""
        while self.text:
            self.several(())

    def several(self, ends: Sequence[str]) -> None:
        """Tactics up to one of ``ends``, which is not passed."""
        while self.text and self.text not in ends:
            if self.text in (";", "||", "|"):
                self.place += 1
            else:
                self.one()

    def one(self) -> None:
        """One tactic with its arguments."""
        if self.text in fragment.TACTICALS:
            self.place += 1
            if self.place < len(self.words) and self.words[self.place].kind == "number":
                self.place += 1
            self.one()
        elif self.text in ("(", "["):
            closing = _CLOSING[self.text]
            self.place += 1
            self.several((closing,))
            self.place += 1
        elif self.text:
            self.heads.append(self.words[self.place])
            self.place += 1
            self.arguments()

    def arguments(self) -> None:
        """Terms and patterns, up to the next tactic."""
        while self.text and self.text not in (";", "||", "|", ")", "]", "}"):
            if self.text == "by":
                self.place += 1
                self.one()
            elif self.text in _CLOSING:
                self.skip(_CLOSING[self.text])
            else:
                self.place += 1

    def skip(self, closing: str) -> None:
        """A bracket of terms or patterns."""
        self.place += 1
        while self.text and self.text != closing:
            if self.text in _CLOSING:
                self.skip(_CLOSING[self.text])
            else:
                self.place += 1
        self.place += 1
