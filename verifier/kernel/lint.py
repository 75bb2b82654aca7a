"""The fragment of Coq that proofs stay in: what may be imported, declared and used. Everything else is refused.

Coq 8.16 accepts a proof of False by a recursive definition under a match (rocq issue 20455), and shows no axiom. So the fragment has
no recursion of its own: recursion and induction come from the standard library. It also has no flags, attributes, notations, plugins,
universes, primitive types or casts to another machine of reduction, which the kernel's other known bugs need.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import dropwhile

from verifier.kernel.terms import HOLE, KEYWORDS, Declaration, NotInGrammarError, Sentence, Word, declaration, free_names, over, sentences

MODULES = frozenset({"ZArith", "List", "Lia"})
"""Modules of Coq's standard library that may be imported."""

NAMESPACES = frozenset({"ListNotations"})
"""Modules with notations of lists, which Import alone may open."""

SCOPES = frozenset({"Z_scope"})

ASSERTIONS = frozenset({"Lemma", "Theorem", "Example"})
"""The words that begin a proof, which ends with Qed."""

DEFINITIONS = frozenset({"Definition", "Inductive", "Record"})
"""The words that define a name by a term (:mod:`verifier.kernel.terms`), without tactics and without recursion."""

_NAMES = """
Prop Set False True Z bool false list nat option None Some S true I eq_refl
Forall In NoDup combine concat filter flat_map fold_left fold_right fst hd last length list_eq_dec map nth option_map proj1 removelast
repeat seq snd
"""
LIBRARY = frozenset(_NAMES.split())
"""Names of the standard library that may stand in a declaration, beside the names of its :data:`QUALIFIERS`. No folder declares them
again."""

QUALIFIERS = frozenset({"Z", "Nat"})
"""Modules of the standard library whose names stand behind theirs: ``Z.min``. No module of a folder is called so."""

CONSTRUCTORS = frozenset({"Some", "None", "true", "false", "S", "O", "I", "nil", "pair"})
"""Constructors of the library. In a pattern any other name that is no constructor is bound."""

_STEPS = """
apply assert assumption case cbn cbv change clear clearbody constructor contradiction destruct discriminate eexists exact exfalso exists
f_equal fold generalize induction injection intro intros left lia pose reflexivity replace revert rewrite right ring set simpl specialize
split subst symmetry tauto trivial unfold
"""
TACTICS = frozenset(_STEPS.split())
"""Tactics that may stand at the head of a step. Tactics that build terms, which the kernel checks."""

TACTICALS = frozenset({"try", "repeat", "now", "do"})
"""Tacticals, which take a tactic (``do`` after a number)."""

BRINGS_IN = {
    "recursion of its own": "fix cofix",
    "a tactic inside a term": "ltac ltac2",
    "universes": "Type",
    "strict propositions": "SProp",
    "a proof that computes": "Defined",
    "the virtual machine": "vm_compute vm_cast_no_check <:",
    "compiled code": "native_compute native_cast_no_check <<:",
    "a machine of reduction": "lazy compute",
    "a term that is not checked": "exact_no_check",
    "a term with holes, which may be recursive": "refine",
    "an axiom": "admit",
    "primitive types": "Uint63 Int63 Sint63 PrimInt63 PrimFloat PArray",
    "explicit arguments or universes": "@",
    "a notation": "where",
}
REFUSED = {word: what for what, words in BRINGS_IN.items() for word in words.split()}
"""Words that may stand nowhere in a source, each with what it brings in. Heads that are not listed above are refused anyway."""

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
    """The declarations of a module, each by its name, and the places at which it leaves the fragment."""

    file: str
    declarations: Mapping[str, Declaration] = field(default_factory=dict)
    departures: tuple[Departure, ...] = ()

    @property
    def constructors(self) -> frozenset[str]:
        """The names of an inductive type's constructors."""
        return frozenset(member for found in self.declarations.values() for member, _ in found.members)


def read_module(source: str, name: str, namespace: str = "", own: Mapping[str, Module] = NOTHING) -> Module:
    """List every place at which a module leaves the fragment. ``own``: the modules before this one."""
    try:
        every = sentences(source, name)
    except NotInGrammarError as error:
        return Module(name, departures=(Departure(name, error.line or 1, error.reason),))
    reader = _Reader(name, namespace, own)
    module = name.removesuffix(".v")
    taken = module in LIBRARY | QUALIFIERS | MODULES | NAMESPACES
    first = [(1, f"{module} is a module of the standard library")] if taken else []
    found = tuple(Departure(name, line, reason) for line, reason in [*first, *reader.refusals(every)])
    return Module(name, reader.declared, found)


class _Reader:
    """Check the sentences of one module against the fragment. declared: its declarations; seen: where each known name is declared."""

    def __init__(self, file: str, namespace: str, own: Mapping[str, Module]) -> None:
        self.file = file
        self.namespace = namespace
        self.own = own
        self.declared: dict[str, Declaration] = {}
        self.seen: dict[str, str] = {}
        self.constructors = set(CONSTRUCTORS)

    def refusals(self, every: Sequence[Sentence]) -> Iterator[tuple[int, str]]:
        """The departures, each with its line."""
        proving, begun = "", False
        for sentence in every:
            yield from _refused_words(sentence.words)
            if not proving:
                yield from ((sentence.line, reason) if isinstance(reason, str) else reason for reason in self.declaration(sentence))
                proving, begun = (sentence.texts[0], False) if sentence.texts[0] in ASSERTIONS else ("", False)
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
        """Check a sentence outside proofs, which is an import, a scope, a definition by a term, or a statement to prove."""
        head = sentence.texts[0]
        if head in ("From", "Import", "Local"):
            yield from self.opening(sentence.texts)
        elif head not in DEFINITIONS | ASSERTIONS:
            yield f"{head} is not in the fragment"
        else:
            try:
                found = declaration(sentence)
            except NotInGrammarError as error:
                yield error.line, error.reason
                return
            yield from self.names(found)

    def names(self, found: Declaration) -> Iterator[str]:
        """Check that every name has one meaning. A name is declared once, and only in the folder or in the library."""
        self.constructors |= {member for member, _ in found.members}
        used = free_names(found.stated, self.constructors.__contains__)
        for _, members in found.members:
            used |= free_names(over("fun", members, HOLE), self.constructors.__contains__)
        if found.name in used and found.members:
            yield f"{found.head} {found.name} speaks of itself"
        for name in sorted(used - self.seen.keys() - LIBRARY - {found.name}):
            qualifier, _, last = name.rpartition(".")
            if not last or qualifier not in QUALIFIERS:
                yield f"{name} is not in the fragment: it is neither declared nor a name of the library that may stand here"
        if not found.members and found.name in used:
            yield f"{found.name} is not declared before"
        for name in found.names:
            if name in LIBRARY | QUALIFIERS | KEYWORDS:
                yield f"{name} is a name of the library, and is declared again"
            elif name in self.seen:
                yield f"{name} is declared twice, also in {self.seen[name]}"
            self.seen[name] = self.file
            self.declared[name] = found

    def opening(self, texts: Sequence[str]) -> Iterator[str]:
        """Imports and scopes."""
        match texts:
            case ("From", "Coq", "Require", "Import", *modules):
                allowed: Collection[str] = MODULES
            case ("From", namespace, "Require", "Import", *modules) if namespace == self.namespace:
                allowed = self.own
                yield from (twice for module in modules if module in self.own for twice in self.imported(self.own[module]))
            case ("Import", *modules):
                allowed = NAMESPACES
            case ("Local", "Open", "Scope", *modules):
                allowed = SCOPES
            case _:
                yield f"{' '.join(texts[:4])} is not in the fragment"
                return
        yield from (f"{' '.join(texts[: -len(modules)])} {module} is not in the fragment" for module in modules if module not in allowed)

    def imported(self, module: Module) -> Iterator[str]:
        """The imported modules, with the names that another module already defines."""
        for name in module.declarations:
            if self.seen.get(name, module.file) != module.file:
                yield f"{name} is declared twice, in {self.seen[name]} and in {module.file}"
            self.seen[name] = module.file
        self.constructors |= module.constructors


def _refused_words(words: Sequence[Word]) -> Iterator[tuple[int, str]]:
    for word in words:
        for part in word.text.split(".") if word.kind == "name" else [word.text]:
            if part in REFUSED:
                yield word.line, f"{part} is not in the fragment: {REFUSED[part]}"


def _step(sentence: Sentence) -> Iterator[tuple[int, str]]:
    """Check a sentence inside a proof, which has bullets or a goal's number, and then tactics."""
    words = list(dropwhile(_is_bullet, sentence.words))
    if len(words) > 1 and words[0].kind == "number" and words[1].text == ":":
        words = list(dropwhile(_is_bullet, words[2:]))
    for head in heads(words):
        if head.text not in TACTICS:
            yield head.line, f"the tactic {head.text} is not in the fragment"


def _is_bullet(word: Word) -> bool:
    return word.text in BULLETS


def heads(words: Sequence[Word]) -> Iterator[Word]:
    """The words of a sentence at which its tactics begin.

    A tactic begins the sentence, follows ``;``, ``||``, ``|``, ``by`` or a tactical, or stands in brackets that stand for a tactic;
    brackets in its arguments hold terms and patterns. A closing bracket without an opening one counts as a head, and is refused.
    """
    begins, due = True, ""  # whether a tactic may begin here; what it has to follow: "by", or a tactical
    tactics, terms = list[tuple[str, bool]](), list[str]()  # the closing brackets that are expected, and what begins behind each
    for word, before in zip(words, ("", *(word.text for word in words)), strict=False):
        text = word.text
        if terms:
            if text == terms[-1]:
                terms.pop()
            elif text in _CLOSING:
                terms.append(_CLOSING[text])
        elif tactics and text == tactics[-1][0] and not due:
            _, begins = tactics.pop()
        elif text in (";", "||", "|") and not due:
            begins = True
        elif not begins:
            if text == "by":
                begins, due = True, text
            elif text in _CLOSING:
                terms.append(_CLOSING[text])
            elif text in _CLOSING.values():
                yield word
        elif text in ("(", "["):
            tactics.append((_CLOSING[text], due != "by"))
            due = ""
        elif text in TACTICALS:
            due = due or text
        elif word.kind != "number" or before not in TACTICALS:
            begins, due = False, ""
            yield word
