"""Hold a Coq source against the fragment (:mod:`verifier.kernel.fragment`): every sentence has a known form, every step a known tactic."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from verifier.kernel import fragment
from verifier.kernel.lexer import Sentence, Word, sentences
from verifier.kernel.terms import HOLE, KEYWORDS, Declaration, NotInGrammarError, declaration, free_names, over
from verifier.running.errors import InputError

NOTHING: Mapping[str, Module] = {}
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


@dataclass(frozen=True)
class Module:
    """What a module declares, each name with its declaration, and where it leaves the fragment."""

    file: str
    declarations: Mapping[str, Declaration] = field(default_factory=dict)
    departures: tuple[Departure, ...] = ()

    @property
    def constructors(self) -> frozenset[str]:
        """Those of its names that build a value."""
        return frozenset(member for found in self.declarations.values() for member, _ in found.members)


def read_module(source: str, name: str, namespace: str = "", own: Mapping[str, Module] = NOTHING) -> Module:
    """A module held against the fragment: every place at which it leaves it. ``own``: the modules before this one."""
    try:
        every = list(sentences(source, name))
    except InputError as error:
        place, _, reason = str(error).partition(": ")
        line = place.rpartition(":")[2]
        return Module(name, departures=(Departure(name, int(line) if line.isdigit() else 1, reason),))
    reader = _Reader(name, namespace, own)
    module = name.removesuffix(".v")
    taken = module in fragment.LIBRARY | fragment.QUALIFIERS | fragment.MODULES | fragment.NAMESPACES
    first = [(1, f"{module} is a module of the standard library")] if taken else []
    found = tuple(Departure(name, line, reason) for line, reason in [*first, *reader.refusals(every)])
    return Module(name, reader.declared, found)


class _Reader:
    """Holds the sentences of one module against the fragment. declared: what it declares; seen: where each known name is declared."""

    def __init__(self, file: str, namespace: str, own: Mapping[str, Module]) -> None:
        self.file = file
        self.namespace = namespace
        self.own = own
        self.declared: dict[str, Declaration] = {}
        self.seen: dict[str, str] = {}
        self.constructors = set(fragment.CONSTRUCTORS)

    def refusals(self, every: Sequence[Sentence]) -> Iterator[tuple[int, str]]:
        """Each with its line."""
        proving, begun = "", False
        for sentence in every:
            yield from _refused_words(sentence.words)
            if not proving:
                yield from ((sentence.line, reason) if isinstance(reason, str) else reason for reason in self.declaration(sentence))
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

    def declaration(self, sentence: Sentence) -> Iterator[str | tuple[int, str]]:
        """Outside proofs: imports, a scope, definitions by terms, and what is to be proved."""
        head = sentence.texts[0]
        if head in ("From", "Import", "Local"):
            yield from self.opening(sentence.texts)
        elif head not in fragment.DEFINITIONS | fragment.ASSERTIONS:
            yield f"{head} is not in the fragment"
        else:
            try:
                found = declaration(sentence)
            except NotInGrammarError as error:
                yield error.line, str(error)
                return
            yield from self.names(found)

    def names(self, found: Declaration) -> Iterator[str]:
        """Every name has one meaning: it is declared once, and stands for what the folder or the library calls so."""
        self.constructors |= {member for member, _ in found.members}
        used = free_names(found.stated, self.constructors.__contains__)
        for _, members in found.members:
            used |= free_names(over("fun", members, HOLE), self.constructors.__contains__)
        if found.name in used and found.members:
            yield f"{found.head} {found.name} speaks of itself"
        for name in sorted(used - self.seen.keys() - fragment.LIBRARY - {found.name}):
            qualifier, _, last = name.rpartition(".")
            if not last or qualifier not in fragment.QUALIFIERS:
                yield f"{name} is not in the fragment: it is neither declared nor a name of the library that may stand here"
        if not found.members and found.name in used:
            yield f"{found.name} is not declared before"
        for name in found.names:
            if name in fragment.LIBRARY | fragment.QUALIFIERS | KEYWORDS:
                yield f"{name} is a name of the library, and is declared again"
            elif name in self.seen:
                yield f"{name} is declared twice, also in {self.seen[name]}"
            self.seen[name] = self.file
            self.declared[name] = found

    def opening(self, texts: Sequence[str]) -> Iterator[str]:
        """Imports and scopes."""
        match texts:
            case ("From", "Coq", "Require", "Import", *modules):
                allowed: Collection[str] = fragment.MODULES
            case ("From", namespace, "Require", "Import", *modules) if namespace == self.namespace:
                allowed = self.own
                yield from (twice for module in modules if module in self.own for twice in self.imported(self.own[module]))
            case ("Import", *modules):
                allowed = fragment.NAMESPACES
            case ("Local", "Open", "Scope", *modules):
                allowed = fragment.SCOPES
            case _:
                yield f"{' '.join(texts[:4])} is not in the fragment"
                return
        yield from (f"{' '.join(texts[: -len(modules)])} {module} is not in the fragment" for module in modules if module not in allowed)

    def imported(self, module: Module) -> Iterator[str]:
        """What is imported, with the names that are known already from another module."""
        for name in module.declarations:
            if self.seen.get(name, module.file) != module.file:
                yield f"{name} is declared twice, in {self.seen[name]} and in {module.file}"
            self.seen[name] = module.file
        self.constructors |= module.constructors


def _refused_words(words: Sequence[Word]) -> Iterator[tuple[int, str]]:
    for word in words:
        for part in word.text.split(".") if word.kind == "name" else [word.text]:
            if part in fragment.REFUSED:
                yield word.line, f"{part} is not in the fragment: {fragment.REFUSED[part]}"


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
