"""The grammar of the fragment's declarations and terms: the parts that a definition and a theorem's statement may have.

    declaration  Definition x binders [: term] := term | Inductive x [: Set] := constructors | Record x := X { x : term; … }
                 Lemma x binders : term                       (and Theorem, Example)
    binders      x … | (x … : term) …
    term         forall binders, term | exists binders, term | fun binders => term | let x binders := term in term
                 if term then term else term | term operator term | ~ term | - term | atom … atom
    atom         name | number | (term) | (term, …) | [term; …] | {| x := term; … |} | match term, … with | … => … end | atom%scope

A word that the grammar does not name is not allowed anywhere. The lint then traces every name to a binder, a declaration of the folder, or
the list of names of the standard library, so that Coq reads a text as this program does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from verifier.running.errors import InputError

_WORD = re.compile(
    r"""(?P<space>\s+)
    |(?P<name>[A-Za-z_][A-Za-z0-9_']*(?:\.[A-Za-z_][A-Za-z0-9_']*)*)
    |(?P<number>[0-9]+(?![A-Za-z0-9_']|\.[0-9]))
    |(?P<stop>\.(?=\s|\Z))
    |(?P<symbol>:=|::|=>|->|<->|<-|<=\?|<\?|=\?|>=|<=|<>|/\\|\\/|\|\||\|-|&&|\+\+|<<:|<:|[-+*/=<>(){}\[\],:;|!?~^&%@])""",
    re.VERBOSE,
)
_MARK = re.compile(r'\(\*|\*\)|"')


class Word(NamedTuple):
    """A name, a number or a symbol, and its line from 1."""

    kind: str
    text: str
    line: int


@dataclass(frozen=True)
class Sentence:
    """The words up to a full stop, without it; ``line`` is the line of the first word."""

    words: tuple[Word, ...]

    @property
    def line(self) -> int:
        return self.words[0].line

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(word.text for word in self.words)


class NotInGrammarError(InputError):
    """A source leaves the grammar. line: the line, from 1, or 0 for the source as a whole; file: the source, if it is known."""

    def __init__(self, line: int, reason: str, file: str = "") -> None:
        place = f"{file}:{line}: " if line else f"{file}: "
        super().__init__(f"{place}{reason}" if file else reason)
        self.line, self.reason, self.file = line, reason, file


def without_comments(source: str, name: str) -> str:
    """The source with each comment replaced by a space and its line breaks.

    Raises:
        NotInGrammarError: a comment or a string that does not end, a string outside a comment, or a comment in which a string holds a mark.
    """
    kept, depth, start, quoted = [], 0, 0, -1
    for mark in _MARK.finditer(source):
        line = source.count("\n", 0, mark.start()) + 1
        if mark.group() == '"':
            if not depth:
                raise NotInGrammarError(line, "a string, by which plugins, notations and files are named; the fragment has none", name)
            quoted = -1 if quoted >= 0 else line
        elif quoted >= 0:
            raise NotInGrammarError(line, f"{mark.group()} inside a string of a comment", name)
        elif mark.group() == "(*":
            if not depth:
                kept.append(source[start : mark.start()])
                start = mark.start()
            depth += 1
        else:
            if not depth:
                raise NotInGrammarError(line, "*) stands where no comment is open", name)
            depth -= 1
            if not depth:
                kept.append(" " + "\n" * source.count("\n", start, mark.end()))
                start = mark.end()
    if depth:
        raise NotInGrammarError(0, "a comment does not end", name)
    return "".join([*kept, source[start:]])


def words(source: str, name: str) -> Iterator[Word]:
    """The words of a source.

    Raises:
        NotInGrammarError: as :func:`without_comments`; also a character that the fragment does not have.
    """
    text, place, line = without_comments(source, name), 0, 1
    for found in _WORD.finditer(text):
        if found.start() > place or not found.group().isascii():
            break
        assert found.lastgroup is not None
        if found.lastgroup == "space":
            line += found.group().count("\n")
        else:
            yield Word(found.lastgroup, found.group(), line)
        place = found.end()
    if place < len(text):
        raise NotInGrammarError(line, f"the fragment has no {text[place]!r}", name)


@lru_cache(maxsize=64)
def sentences(source: str, name: str) -> tuple[Sentence, ...]:
    """The sentences of a source, cached because several readers need them.

    Raises:
        NotInGrammarError: as :func:`words`; also a last sentence without its full stop.
    """
    held: list[Word] = []
    found = []
    for word in words(source, name):
        if word.kind != "stop":
            held.append(word)
        elif held:
            found.append(Sentence(tuple(held)))
            held = []
        else:
            raise NotInGrammarError(word.line, "a full stop stands where no sentence ends", name)
    if any(word.text != "}" for word in held):
        raise NotInGrammarError(held[0].line, "the last sentence has no full stop", name)
    return tuple(found)


QUANTIFIERS = ("forall", "exists", "fun")
KEYWORDS = frozenset({*QUANTIFIERS, "let", "in", "if", "then", "else", "match", "with", "end", "return", "as"})
INFIX = {
    "->": (99, 98, 99), "<->": (95, 94, 94), "\\/": (85, 84, 85), "/\\": (80, 79, 80),
    **dict.fromkeys(("=", "<>", "<", "<=", ">", ">=", "=?", "<?", "<=?"), (70, 69, 69)),
    "::": (60, 59, 60), "++": (60, 59, 60), "+": (50, 50, 49), "-": (50, 50, 49), "||": (50, 50, 49),
    "*": (40, 40, 39), "/": (40, 40, 39), "mod": (40, 40, 39), "&&": (40, 40, 39), "^": (30, 29, 30),
}  # fmt: skip
"""Coq's infix notations: the level of each, and the highest level of what stands left and right of it."""
PREFIX = {"~": 75, "-": 35}
CHAINED = frozenset({"<", "<="})
SCOPES = frozenset({"Z", "nat", "bool", "type"})


@dataclass(frozen=True)
class Term:
    """A term: its kind (``name``, ``number``, ``call``, ``forall``, an operator, …), its text, its parts, and the names that it binds.

    ``forall``, ``exists``, ``fun``: one name; the parts are its type (``hole`` if none is given) and the body. ``let``: the value and
    the body. ``match``: the subjects, then each ``case``, whose last part is its body and whose others are patterns. ``record``: the
    names of the fields, the values as parts.
    """

    kind: str
    text: str = ""
    parts: tuple[Term, ...] = ()
    names: tuple[str, ...] = ()


HOLE = Term("hole")


@dataclass(frozen=True)
class Declaration:
    """A declaration. binders: the name and type of each; type: ``hole`` if none is given; term: the body of a definition.

    members: constructors of an inductive type with their binders, or the constructor of a record with its fields.
    """

    head: str
    name: str
    binders: tuple[tuple[str, Term], ...] = ()
    type: Term = HOLE
    term: Term = HOLE
    members: tuple[tuple[str, tuple[tuple[str, Term], ...]], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names that the sentence declares, the main one first."""
        fields = [field for _, fields in self.members for field, _ in fields] if self.head == "Record" else []
        return (self.name, *(name for name, _ in self.members), *fields)

    @property
    def stated(self) -> Term:
        """Type and term under its binders, as one term each."""
        return Term("declared", "", (over("fun", self.binders, self.type), over("fun", self.binders, self.term)))


def over(kind: str, binders: Sequence[tuple[str, Term]], body: Term) -> Term:
    """The body under binders, the first one outermost."""
    for name, of in reversed(binders):
        body = Term(kind, "", (of, body), (name,))
    return body


def declaration(sentence: Sentence) -> Declaration:
    """A sentence that declares something.

    Raises:
        NotInGrammarError: it leaves the grammar.
    """
    return _Reader(sentence.words).declaration()


def term(sentence: Sentence) -> Term:
    """A sentence that is one term.

    Raises:
        NotInGrammarError: it leaves the grammar.
    """
    reader = _Reader(sentence.words)
    found = reader.term()
    reader.finish()
    return found


class _Reader:
    """Reads words by recursive descent; binary operators by their levels."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = words
        self.place = 0

    @property
    def text(self) -> str:
        return self.words[self.place].text if self.place < len(self.words) else ""

    def ahead(self, *texts: str) -> bool:
        return tuple(word.text for word in self.words[self.place : self.place + len(texts)]) == texts

    def refuse(self, expected: str) -> NotInGrammarError:
        at = self.words[min(self.place, len(self.words) - 1)]
        return NotInGrammarError(at.line, f"{self.text or 'the full stop'} is not in the fragment here: {expected} was expected")

    def take(self, *texts: str) -> None:
        for text in texts:
            if self.text != text:
                raise self.refuse(text)
            self.place += 1

    def name(self) -> str:
        """A name that is declared or bound: one word, without a module."""
        if self.place >= len(self.words) or self.words[self.place].kind != "name" or self.text in KEYWORDS or "." in self.text:
            raise self.refuse("a name")
        self.place += 1
        return self.words[self.place - 1].text

    def finish(self) -> None:
        if self.text:
            raise self.refuse("the full stop")

    def declaration(self) -> Declaration:
        head = self.text
        self.place += 1
        name = self.name()
        if head == "Inductive":
            found = self.inductive(name)
        elif head == "Record":
            self.take(":=")
            constructor = self.name()
            self.take("{")
            found = Declaration(head, name, members=((constructor, tuple(self.fields())),))
            self.take("}")
        else:
            binders = tuple(self.binders((":", ":=")))
            of, value = HOLE, HOLE
            if self.text == ":":
                self.place += 1
                of = self.term()
            if head == "Definition":
                self.take(":=")
                value = self.term()
            elif of is HOLE:
                raise self.refuse("what is stated")
            found = Declaration(head, name, binders, of, value)
        self.finish()
        return found

    def inductive(self, name: str) -> Declaration:
        if self.text == ":":
            self.take(":", "Set")
        self.take(":=")
        if self.text == "|":
            self.place += 1
        members = [(self.name(), tuple(self.binders(("|", ""))))]
        while self.text == "|":
            self.place += 1
            members.append((self.name(), tuple(self.binders(("|", "")))))
        return Declaration("Inductive", name, members=tuple(members))

    def fields(self) -> Iterator[tuple[str, Term]]:
        while self.text != "}":
            name = self.name()
            self.take(":")
            yield name, self.term()
            if self.text != "}":
                self.take(";")

    def binders(self, ends: Collection[str]) -> Iterator[tuple[str, Term]]:
        """Binders up to one of the ends, which is not passed."""
        while self.text not in ends:
            if self.text == "(":
                self.place += 1
                yield from self.typed()
                self.take(")")
            else:
                yield self.name(), HOLE

    def typed(self) -> Iterator[tuple[str, Term]]:
        """``x y : term``."""
        names = [self.name()]
        while self.text != ":":
            names.append(self.name())
        self.place += 1
        of = self.term()
        yield from ((name, of) for name in names)

    def term(self, most: int = 200) -> Term:
        """A term whose outermost notation has at most this level."""
        if most == 200 and self.text in (*QUANTIFIERS, "let", "if"):
            return self.long()
        if self.text in PREFIX and PREFIX[self.text] <= max(most, 35):
            sign = self.text
            self.place += 1
            left, level = Term(f"{sign}_", "", (self.right(PREFIX[sign]),)), PREFIX[sign]
        else:
            left, level = self.call(), 10
        while self.text in INFIX:
            operator = self.text
            at, most_left, most_right = INFIX[operator]
            if at > most or level > most_left:
                if at <= most and {left.kind, operator} <= CHAINED:
                    self.place += 1
                    left = Term("/\\", "", (left, Term(operator, "", (left.parts[1], self.right(69)))))
                    continue
                break
            self.place += 1
            left, level = Term(operator, "", (left, self.right(most_right))), at
        return left

    def right(self, most: int) -> Term:
        """Read the right operand of an operator; a quantifier in this place extends as far as possible."""
        return self.long() if self.text in (*QUANTIFIERS, "let", "if") else self.term(most)

    def long(self) -> Term:
        """A term that begins with a keyword and extends as far as possible."""
        word = self.text
        self.place += 1
        if word in QUANTIFIERS:
            end = "=>" if word == "fun" else ","
            binders = list(self.typed() if self.untyped() else self.binders((end,)))
            self.take(end)
            if not binders:
                raise self.refuse("a binder")
            return over(word, binders, self.term())
        if word == "let":
            name = self.name()
            binders = list(self.binders((":=",)))
            self.take(":=")
            value = over("fun", binders, self.term())
            self.take("in")
            return Term("let", "", (value, self.term()), (name,))
        condition = self.term()
        self.take("then")
        yes = self.term()
        self.take("else")
        return Term("if", "", (condition, yes, self.term()))

    def untyped(self) -> bool:
        """Whether binders stand here as ``x y : term`` without brackets."""
        place = self.place
        while place < len(self.words) and self.words[place].kind == "name":
            place += 1
        return place > self.place and place < len(self.words) and self.words[place].text == ":"

    def call(self) -> Term:
        """Read atoms next to each other as a call."""
        parts = [self.atom()]
        while self.begins():
            parts.append(self.atom())
        return parts[0] if len(parts) == 1 else Term("call", "", tuple(parts))

    def begins(self) -> bool:
        """Whether an atom begins here."""
        if self.place >= len(self.words):
            return False
        word = self.words[self.place]
        if word.kind == "name":
            return word.text == "match" or (word.text not in KEYWORDS and word.text not in INFIX)
        return word.kind == "number" or word.text in ("(", "[") or self.ahead("{", "|")

    def atom(self) -> Term:
        if not self.begins():
            raise self.refuse("a term")
        word = self.words[self.place]
        if word.text == "match":
            found = self.match()
        elif word.kind in ("name", "number"):
            self.place += 1
            found = Term(word.kind, word.text)
        elif word.text == "(":
            self.place += 1
            found = self.bracket()
            self.take(")")
        elif word.text == "[":
            self.place += 1
            found = Term("list", "", tuple(self.listed(";", "]")))
            self.take("]")
        else:
            found = self.record()
        while self.text == "%":
            self.place += 1
            if (scope := self.name()) not in SCOPES:
                raise self.refuse(" or ".join(sorted(SCOPES)))
            found = Term("scope", scope, (found,))
        return found

    def bracket(self) -> Term:
        """The content of ( and ): a term, a tuple, or ``(a | b)``, a divides b."""
        first = self.term()
        if self.text == ":":
            raise self.refuse(")")
        if self.text == "|":
            self.place += 1
            return Term("|", "", (first, self.term()))
        if self.text != ",":
            return first
        self.place += 1
        return Term("tuple", "", (first, *self.listed(",", ")")))

    def listed(self, between: str, end: str) -> Iterator[Term]:
        while self.text != end:
            yield self.term()
            if self.text != end:
                self.take(between)

    def record(self) -> Term:
        self.take("{", "|")
        names, values = [], []
        while self.text != "|":
            names.append(self.name())
            self.take(":=")
            values.append(self.term())
            if self.text != "|":
                self.take(";")
        self.take("|", "}")
        return Term("record", "", tuple(values), tuple(names))

    def match(self) -> Term:
        self.take("match")
        subjects = [self.term()]
        while self.text == ",":
            self.place += 1
            subjects.append(self.term())
        self.take("with")
        if self.text == "|":
            self.place += 1
        cases: list[Term] = []
        while self.text != "end":
            if cases:
                self.take("|")
            alternatives = [self.patterns(len(subjects))]
            while self.text == "|":
                self.place += 1
                alternatives.append(self.patterns(len(subjects)))
            self.take("=>")
            body = self.term()
            cases += [Term("case", "", (*patterns, body)) for patterns in alternatives]
        self.take("end")
        return Term("match", "", (*subjects, *cases))

    def patterns(self, number: int) -> tuple[Term, ...]:
        found = [self.term(60)]
        while self.text == ",":
            self.place += 1
            found.append(self.term(60))
        if len(found) != number:
            raise self.refuse(f"{number} patterns")
        return tuple(found)


def bound_by(pattern: Term, constructors: Callable[[str], bool]) -> frozenset[str]:
    """The variables of a pattern: its names except constructors."""
    if pattern.kind == "name":
        return frozenset() if pattern.text == "_" or constructors(pattern.text) else frozenset({pattern.text})
    return frozenset(name for part in pattern.parts for name in bound_by(part, constructors))


def free_names(of: Term, constructors: Callable[[str], bool]) -> frozenset[str]:
    """The free names of a term."""
    match of.kind:
        case "name":
            return frozenset() if of.text == "_" else frozenset({of.text})
        case "forall" | "exists" | "fun" | "let":
            first, body = of.parts
            return free_names(first, constructors) | (free_names(body, constructors) - set(of.names))
        case "case":
            *patterns, body = of.parts
            bound = frozenset(name for pattern in patterns for name in bound_by(pattern, constructors))
            used = frozenset(name for pattern in patterns for name in free_names(pattern, constructors))
            return (used | free_names(body, constructors)) - bound
        case "record":
            return frozenset(of.names).union(*(free_names(part, constructors) for part in of.parts))
        case _:
            return frozenset().union(*(free_names(part, constructors) for part in of.parts))
