"""The content of a stated proposition, read from its text with the folder's definitions unfolded: range, other hypotheses, conclusion.

Nothing that a link says about a theorem is believed: :meth:`Proposition.range` gives the range of a verdict, and :class:`Forms` reads the
facts about the problem from the proposition. :func:`digest` covers the proposition with every definition on which it rests.

The forms of propositions are data (``proofs/forms.toml``): the whole text of each form, and the facts about the problem that such a
proposition states. In this text the names that begin with _ mark the parts that are read. So every other word of a proposition must match,
and a claim's fields must equal the parts that are read.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import count
from pathlib import Path

import msgspec
from msgspec import Struct

from verifier.kernel import lint
from verifier.kernel.folders import FORMS, Meaning, ProofFolder, Theorem
from verifier.kernel.lint import Module, read_module
from verifier.kernel.terms import HOLE, Declaration, Term, bound_by, free_names, over, sentences
from verifier.kernel.terms import term as read_term
from verifier.networks.files import read_toml
from verifier.running.errors import InputError

COMPARISONS = frozenset({"<", "<=", ">", ">=", "="})
INTEGERS = frozenset({"Z", "nat"})


@dataclass(frozen=True)
class Clause:
    """One conjunct of a proposition: for all its variables, each with its type, the hypotheses imply the conclusion."""

    variables: tuple[tuple[str, Term], ...]
    hypotheses: tuple[Term, ...]
    conclusion: Term


@dataclass(frozen=True)
class Proposition:
    """A stated proposition. definitions: the declarations that its module sees, by name."""

    theorem: Theorem
    definitions: Mapping[str, Declaration]
    constructors: frozenset[str]

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """Its conjuncts."""
        return self.of(self.definitions[self.theorem.states].term)

    @property
    def stated(self) -> Term:
        """The statement, with the definitions at its head unfolded."""
        term = self.definitions[self.theorem.states].term
        while (more := self.unfolded(term)) != term:
            term = more
        return term

    def of(self, term: Term) -> tuple[Clause, ...]:
        """The conjuncts of another term that is a proposition."""
        return tuple(self._clauses(term, (), ()))

    @cached_property
    def _compared(self) -> list[tuple[frozenset[str], bool, Term]]:
        """The comparisons among its hypotheses: the variables of each, whether all of these are integers, and the comparison."""
        found = []
        for clause in self.clauses:
            integers = {name for name, of in clause.variables if _is_number(of)}
            for hypothesis in clause.hypotheses:
                if hypothesis.kind in COMPARISONS:
                    names = self.free(hypothesis) - self.definitions.keys()
                    found.append((names, names <= integers, hypothesis))
        return found

    def range(self, names: Collection[str]) -> str:
        """The hypotheses on these integer variables alone, as a formula such as ``p >= 3 and n >= 4*p + 2``; empty if they have none.

        Raises:
            InputError: one of them has no counterpart in the formula language.
        """
        found: dict[str, None] = {}
        least: dict[str, int] = {}
        for of, integers, hypothesis in self._compared:
            if integers and of <= set(names):
                left, relation, right = self._comparison(hypothesis)
                if relation == ">=" and left.isidentifier() and right.isdigit():
                    least[left] = max(least.get(left, 0), int(right))
                    found.setdefault(left)
                else:
                    found.setdefault(f"{left} {relation} {right}")
        return " and ".join(f"{each} >= {least[each]}" if each in least else each for each in found)

    def bounded_with(self, names: Collection[str]) -> frozenset[str]:
        """The variables of all comparisons in which one of these names occurs."""
        return frozenset().union(*(of for of, _, _ in self._compared if not of.isdisjoint(names)))

    def free(self, term: Term) -> frozenset[str]:
        """The names that the term does not bind and the library does not define."""
        return frozenset(name for name in free_names(term, self.constructors.__contains__) if name not in lint.LIBRARY and "." not in name)

    def unfolded(self, term: Term) -> Term:
        """The term with the definition at its head in place of its name, and the arguments in place of the parameters."""
        head, arguments = (term.parts[0], term.parts[1:]) if term.kind == "call" else (term, ())
        found = self.definitions.get(head.text) if head.kind == "name" else None
        if found is None or found.head != "Definition":
            return term
        return self.applied(over("fun", found.binders, found.term), arguments)

    def applied(self, function: Term, arguments: tuple[Term, ...]) -> Term:
        """A function applied to its arguments."""
        while arguments and function.kind == "fun":
            first, *rest = arguments
            function, arguments = self.put_in(function.parts[1], function.names[0], first), tuple(rest)
        if not arguments:
            return function
        parts = function.parts if function.kind == "call" else (function,)
        return Term("call", "", (*parts, *arguments))

    def put_in(self, term: Term, name: str, value: Term) -> Term:
        """The term with a value in place of a free name; a name that would capture one of the value's is changed."""
        if term.kind == "name":
            return value if term.text == name else term
        parts: tuple[Term, ...]
        if term.kind == "case":
            bound = frozenset(each for pattern in term.parts[:-1] for each in bound_by(pattern, self.constructors.__contains__))
            if name in bound:
                return term
            if bound & self.free(value):
                raise InputError(f"{self.theorem.states}: a pattern binds {min(bound & self.free(value))}, which is in use")
            parts = (*term.parts[:-1], self.put_in(term.parts[-1], name, value))
        elif term.kind in ("forall", "exists", "fun", "let"):
            (binder,), (of, body) = term.names, term.parts
            of = self.put_in(of, name, value)
            if binder != name:
                taken = self.free(value)
                if binder in taken:
                    fresh = next(new for number in count(1) if (new := f"{binder}_{number}") not in taken | self.free(body))
                    binder, body = fresh, self.put_in(body, binder, Term("name", fresh))
                body = self.put_in(body, name, value)
            return Term(term.kind, term.text, (of, body), (binder,))
        else:
            parts = tuple(self.put_in(part, name, value) for part in term.parts)
        found = Term(term.kind, term.text, parts, term.names)
        return self.applied(parts[0], parts[1:]) if term.kind == "call" and parts[0].kind in ("fun", "call") else found

    def _clauses(self, term: Term, variables: tuple[tuple[str, Term], ...], hypotheses: tuple[Term, ...]) -> Iterator[Clause]:
        match term.kind:
            case "/\\":
                for part in term.parts:
                    yield from self._clauses(part, variables, hypotheses)
            case "->":
                yield from self._clauses(term.parts[1], variables, (*hypotheses, *self._assumed(term.parts[0])))
            case "forall":
                (name,), (of, body) = term.names, term.parts
                taken = {known for known, _ in variables}
                if name in taken:
                    raise InputError(f"{self.theorem.states}: {name} is bound twice")
                yield from self._clauses(body, (*variables, (name, of)), hypotheses)
            case "let":
                yield from self._clauses(self.put_in(term.parts[1], term.names[0], term.parts[0]), variables, hypotheses)
            case "name" | "call" if self._is_proposition(term):
                yield from self._clauses(self.unfolded(term), variables, hypotheses)
            case _:
                yield Clause(variables, hypotheses, term)

    def _assumed(self, term: Term) -> Iterator[Term]:
        """A hypothesis, split into its conjuncts."""
        if term.kind == "/\\":
            yield from (each for part in term.parts for each in self._assumed(part))
        elif term.kind == "scope":
            yield from self._assumed(term.parts[0])
        elif self._is_proposition(term) and (body := self.unfolded(term)).kind in {"/\\", "scope", "name", "call", *COMPARISONS}:
            yield from self._assumed(body)
        else:
            yield term

    def _is_proposition(self, term: Term) -> bool:
        head = term.parts[0] if term.kind == "call" else term
        found = self.definitions.get(head.text) if head.kind == "name" else None
        return found is not None and found.head == "Definition" and found.type == Term("name", "Prop")

    def _comparison(self, term: Term) -> tuple[str, str, str]:
        """``3 <= p`` as p >= 3; for integers ``0 < d`` is d >= 1."""
        left, right = (self.formula(part) for part in term.parts)
        relation = "==" if term.kind == "=" else term.kind
        if relation == "<" and left.isdigit():
            left, relation = str(int(left) + 1), "<="
        if relation in ("<", "<=") and not left.isidentifier():
            return right, relation.replace("<", ">"), left
        if relation in ("<", "<=") and right.isidentifier() and relation == "<=" and left in ("0", "1"):
            return right, ">=", left
        return left, relation, right

    def formula(self, term: Term, place: int = 0) -> str:
        """An integer term in the formula language.

        Raises:
            InputError: one that has no counterpart there.
        """
        match term.kind:
            case "number":
                return term.text
            case "name" if term.text not in self.definitions:
                return term.text
            case "scope":
                return self.formula(term.parts[0], place)
            case "+" | "-" | "*" | "^":
                binds = {"+": 1, "-": 1, "*": 2, "^": 4}[term.kind]
                left, right = (
                    self.formula(term.parts[0], binds + (term.kind == "^")),
                    self.formula(term.parts[1], binds + (term.kind != "^")),
                )
                text = f"{left}**{right}" if term.kind == "^" else f"{left}*{right}" if term.kind == "*" else f"{left} {term.kind} {right}"
                return f"({text})" if binds < place else text
            case "-_":
                return f"(-{self.formula(term.parts[0], 3)})" if place else f"-{self.formula(term.parts[0], 3)}"
            case "call" if term.parts[0].text in ("Z.of_nat", "Z.to_nat"):
                return self.formula(term.parts[1], place)
            case "name" | "call" if (found := self.unfolded(term)) != term:
                return self.formula(found, place)
        raise InputError(f"{self.theorem.states}: {term.text or term.kind} has no counterpart in the formula language")


def _is_number(of: Term) -> bool:
    return of == HOLE or (of.kind == "name" and of.text in INTEGERS)


def matched(pattern: Term, term: Term) -> dict[str, Term] | None:
    """The term that matches each name of the pattern that begins with ``_``; None if the term has another form."""
    if pattern.kind == "name" and pattern.text.startswith("_"):
        return {pattern.text: term}
    if (pattern.kind, pattern.text, pattern.names, len(pattern.parts)) != (term.kind, term.text, term.names, len(term.parts)):
        return None
    found: dict[str, Term] = {}
    for one, other in zip(pattern.parts, term.parts, strict=True):
        inner = matched(one, other)
        if inner is None or any(found.get(name, value) != value for name, value in inner.items()):
            return None
        found |= inner
    return found


@lru_cache(maxsize=256)
def form(text: str) -> Term:
    """A term of the fragment, for :func:`matched`."""
    (sentence,) = sentences(f"{text}.", "form")
    return read_term(sentence)


@lru_cache(maxsize=64)
def _modules(namespace: str, sources: tuple[tuple[str, str], ...]) -> Mapping[str, Module]:
    """Modules, each checked against the fragment with those before it, which are read once for all later ones.

    Raises:
        InputError: a departure from it.
    """
    if not sources:
        return {}
    *before, (name, source) = sources
    read = _modules(namespace, tuple(before))
    module = read_module(source, f"{name}.v", namespace, read)
    if module.departures:
        raise InputError(str(module.departures[0]))
    return {**read, name: module}


def imported(folder: ProofFolder, *modules: str) -> list[str]:
    """These modules and those that they import, directly or indirectly, in the folder's order."""
    needed, frontier = set[str](), list(modules)
    while frontier:
        if (module := frontier.pop()) not in needed:
            needed.add(module)
            frontier += _imports(folder.source(module), module, folder.listing.namespace)
    return [module for module in folder.listing.modules if module in needed]


@lru_cache(maxsize=64)
def _imports(source: str, module: str, namespace: str) -> tuple[str, ...]:
    texts = (sentence.texts for sentence in sentences(source, f"{module}.v"))
    return tuple(name for text in texts if text[:2] == ("From", namespace) for name in text[4:])


def seen_by(folder: ProofFolder, module: str, theorem: Theorem) -> Proposition:
    """The declarations and imports of a module, as a proposition of the theorem sees them.

    Raises:
        InputError: a module leaves the fragment.
    """
    modules = _modules(folder.listing.namespace, tuple((name, folder.source(name)) for name in imported(folder, module)))
    every = {name: each for found in modules.values() for name, each in found.declarations.items()}
    members = frozenset(member for found in modules.values() for member in found.constructors)
    return Proposition(theorem, every, members | lint.CONSTRUCTORS)


def proposition(folder: ProofFolder, theorem: Theorem) -> Proposition:
    """The proposition that a theorem proves.

    Raises:
        InputError: its module leaves the fragment, or defines no proposition of this name.
    """
    stated = seen_by(folder, theorem.statement, theorem)
    found = stated.definitions.get(theorem.states)
    if found is None or (found.head, found.binders, found.type) != ("Definition", (), Term("name", "Prop")):
        raise InputError(f"{folder.folder / theorem.statement}.v: Definition {theorem.states} : Prop := … was expected")
    return stated


def digest(stated: Proposition) -> str:
    """16 hexadecimal digits of a digest over a theorem's entry, and over its proposition with the definitions on which it rests."""
    needed, frontier = dict[str, str](), [stated.theorem.states]
    while frontier:
        name = frontier.pop()
        if name not in needed and name in stated.definitions:
            found = stated.definitions[name]
            needed[name] = repr(found)
            frontier += sorted(stated.free(found.stated))
            for _, members in found.members:
                frontier += sorted(stated.free(over("fun", members, HOLE)))
    content = msgspec.json.encode([stated.theorem, sorted(needed.items())])
    return hashlib.sha256(content).hexdigest()[:16]


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
