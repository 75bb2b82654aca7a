"""A paper's ``findings.toml``: one entry for each mistake. The file names claims and errata, and the program computes the consequences of a
mistake.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from verifier.arithmetic.rationals import Fraction
from verifier.claims.model import Claim
from verifier.claims.papers import Paper
from verifier.claims.records import Erratum
from verifier.errata.by_name import claim_errata, matches, matching, named_errata
from verifier.language.exact import truth
from verifier.language.syntax import names_in, parse
from verifier.networks.files import Lines, misfits, read_toml_text
from verifier.running.errors import FileDefects, InputError, placed
from verifier.running.identifiers import LONGEST, identifier, meant
from verifier.running.printable import many
from verifier.running.shelf import SHELF

FILE = "findings.toml"
SLOT = re.compile(r"\{([^{}]*)\}")
"""The place of a value in a sentence."""
CLASSES = ("false", "broken", "wrong", "slip", "edge", "misprint")
SERIOUS = CLASSES[:3]
MEANING = {
    "false": "the statement is false for parameters that the authors intend",
    "broken": "the printed witness or argument does not establish the statement",
    "wrong": "a printed number, constant or example is wrong and misleads its users",
    "slip": "a step is wrong and nothing rests on it",
    "edge": "fails only in degenerate cases or at the border of the stated domain",
    "misprint": "every reader corrects it while reading",
}


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"kind": "class"}):
    """A mistake of the paper. The program computes its consequences."""

    id: Annotated[str, Meta(description="Names it.")]
    kind: Annotated[str, Meta(description="; ".join(f"`{name}`: {meaning}" for name, meaning in MEANING.items()) + ".")]
    place: Annotated[str, Meta(description="The place of the mistake in the paper.")]
    title: Annotated[str, Meta(description="The mistake in a line, for a reader who has the paper open and nothing else.")]
    about: Annotated[
        list[str],
        Meta(description="The claims of the mistake, at least one. Pages show the smallest counterexample of the first."),
    ]
    says: Annotated[str, Meta(description="The cause, in a few sentences.")] = ""
    errata: Annotated[list[str], Meta(description="The errata that correct it, by name or pattern, such as `lemma-1:count`.")] = []
    where: Annotated[
        str,
        Meta(
            description="A condition on the parameters at which the mistake shows; for the class edge, the degenerate parameters. "
            "Another finding has to explain a failure at other parameters."
        ),
    ] = ""
    shown: Annotated[str, Meta(description="Another claim whose counterexample is shown.")] = ""
    example: Annotated[
        str,
        Meta(
            description="The smallest counterexample in words; `{p}` is replaced by its value of p, `{left}` and `{right}` by its sides. "
            "`verify findings NAME --format json` has the names under `counterexample`."
        ),
    ] = ""
    sides: Annotated[
        list[str], Meta(description="Names for the two sides of the counterexample, the computed one first, such as `numbers of p bits`.")
    ] = []
    correction: Annotated[str, Meta(description="The change that the authors would make, in a sentence.")] = ""
    printed: Annotated[
        str, Meta(description="The printed words or formula that the correction replaces; `(nothing)` where it only adds.")
    ] = ""
    draws: Annotated[
        str,
        Meta(
            description="`module:function` of the paper: the construction at the counterexample's parameters, which is drawn beside it; "
            "or, of one argument `values`, the counterexample by name, a table or a picture."
        ),
    ] = ""
    drawn: Annotated[str, Meta(description="How the construction that is drawn works, in a sentence or two.")] = ""


class FindingsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file `findings.toml`: the mistakes of the paper, an entry for each."""

    finding: Annotated[list[Entry], Meta(description="`[[finding]]`: one for each mistake.")] = []


@dataclass(frozen=True)
class Finding:
    """An entry of a paper. The claims and errata that it names are read on demand.

    at: the file and the line of a field of the entry; shared: the errata of the paper by name, which the first request reads for all
    findings.
    """

    paper: Paper
    entry: Entry
    at: Callable[[str], str] = field(repr=False, compare=False)
    shared: dict[str, Erratum] = field(repr=False, compare=False)

    @property
    def id(self) -> str:
        return f"{self.paper.id}/{self.entry.id}"

    @property
    def kind(self) -> str:
        """Its class."""
        return self.entry.kind

    @property
    def about(self) -> tuple[Claim, ...]:
        return tuple(map(self._claim, self.entry.about))

    @property
    def shown(self) -> Claim:
        """The claim whose counterexample is shown."""
        return self._claim(self.entry.shown or self.entry.about[0])

    def every(self) -> Mapping[str, Erratum]:
        """The errata of the paper by name."""
        self.shared.update({} if self.shared else named_errata(self.paper))
        return self.shared

    @cached_property
    def errata(self) -> Mapping[str, Erratum]:
        """The errata that correct it."""
        every = self.every()
        with self.placed("errata"):
            return {name: every[name] for name in matching(self.entry.errata, every)}

    def _claim(self, name: str) -> Claim:
        statement = name.partition(":")[0]
        found = self.paper.statement(statement) if self.paper.has(statement) else None
        for claim in (found, *found.steps) if found else ():
            if claim.name == name:
                return claim
        with self.placed("shown" if name == self.entry.shown else "about"):
            names = [claim.name for claim in self.paper]
            shows = f"`{SHELF.program(self.paper.id)} list {self.paper.id} --steps` shows them"
            raise InputError(f"no claim {name!r} in this paper; {meant(name, names, shows)}")

    def placed(self, key: str) -> AbstractContextManager[None]:
        """Put the file, the line of this field and the finding before the message of an error that is raised inside."""
        return placed(lambda: f"{self.at(key)}: finding {self.entry.id}")

    def example(self, values: Mapping[str, str]) -> str:
        """Put values of its counterexample into its example.

        Raises:
            InputError: the example names a value that the counterexample lacks.
        """
        text = " ".join(self.entry.example.split())
        with self.placed("example"):
            for name in SLOT.findall(text):
                if name not in values:
                    hint = meant(name, values, f"the names are {', '.join(values)}")
                    raise InputError(f"no value {name!r} in its counterexample; {hint}")
        return SLOT.sub(lambda slot: values[slot[1]], text)

    def speaks_of(self, point: Mapping[str, int]) -> bool:
        """Whether the finding's parameters include the point."""
        if not self.entry.where or not names_in(self.entry.where) <= point.keys():
            return True
        return truth(self.entry.where, {k: Fraction(v) for k, v in point.items()})

    def mends(self, claim: Claim) -> bool:
        """Whether the claim has errata, and all of them belong to the finding."""
        return claim.repaired is not None and all(name in self.errata for name in claim_errata(claim))

    def concerns(self, claims: Collection[str], errata: Collection[str]) -> bool:
        """Whether it names one of the claims, by their ids, or has one of the errata, by their names and those of their claims.

        The property reads no claim.
        """
        if any(f"{self.paper.id}/{name}" in claims for name in self.entry.about):
            return True
        return any(matches(pattern, name) for pattern in self.entry.errata for name in errata)


def findings(paper: Paper) -> tuple[Finding, ...]:
    """The findings of a paper, as :func:`listed` gives them. All claims and errata that they name are checked.

    Raises:
        InputError: in one line, what is wrong with the file and where.
    """
    found = listed(paper)
    for finding in found:
        assert finding.about
        assert finding.shown
        assert finding.errata is not None
        module = finding.entry.draws.partition(":")[0].replace(".", "/")
        with finding.placed("draws"):
            if module and not (paper.folder / f"{module}.py").is_file():
                raise InputError(f"the paper has no file {module}.py")
        with finding.placed("where"):
            known = dict.fromkeys(each.name for claim in (*finding.about, finding.shown) for each in claim.parameters)
            those = f"they have {', '.join(known) or 'none'}"
            for name in sorted(names_in(finding.entry.where) - known.keys()) if finding.entry.where else ():
                raise InputError(f"no parameter {name!r} of its claims; {meant(name, known, those)}")
    return found


def listed(paper: Paper) -> tuple[Finding, ...]:
    """The findings of a paper, the most serious class first, in the file's order within a class. A paper without a findings file has none.

    Raises:
        InputError: in one line, the mistake in the file and its place; names of claims and errata are not checked.
    """
    path = paper.folder / FILE
    if not path.is_file():
        return ()
    raw, text = read_toml_text(path)
    if defects := list(misfits(raw, FindingsFile)):
        raise FileDefects(defects, str(path)).located(str(path), lambda place: Lines(text).of(place) or 1)
    errata, lines = dict[str, Erratum](), Lines(text)
    found: list[Finding] = []
    for number, entry in enumerate(raw.get("finding", ())):
        at = partial(_line, path, lines, number)
        found.append(Finding(paper, _entry(entry, at), at, errata))
        with placed(partial(at, "id")):
            if entry["id"] in (other.entry.id for other in found[:-1]):
                raise InputError(f"two findings are called {entry['id']!r}")
    return tuple(sorted(found, key=lambda m: CLASSES.index(m.kind)))


def _line(path: Path, lines: Lines, number: int, key: str) -> str:
    """The file and the line of a field of the entry with this number."""
    return f"{path}:{lines.of(('finding', number, key))}"


def _entry(raw: object, at: Callable[[str], str]) -> Entry:
    entry = msgspec.convert(raw, Entry)

    def inside(key: str) -> AbstractContextManager[None]:
        return placed(lambda: f"{at(key)}: finding {entry.id[:LONGEST]}".rstrip())

    with inside("id"):
        identifier(entry.id)
    with inside("class"):
        if entry.kind not in CLASSES:
            hint = meant(entry.kind, CLASSES, f"one of {', '.join(CLASSES)} was expected")
            raise InputError(f"class is {entry.kind!r}; {hint}")
        if entry.kind == "edge" and not (entry.where or entry.errata):
            raise InputError("a finding of class edge needs where, the degenerate parameters, or errata")
    with inside("about"):
        if not entry.about:
            raise InputError("about names no claim; at least one was expected")
    with inside("where"):
        if entry.where:
            parse(entry.where)
    with inside("sides"):
        if entry.sides and (len(entry.sides) != 2 or not all(map(str.strip, entry.sides))):
            raise InputError(f"sides has {many(len(entry.sides), 'name')}; two were expected, that of the computed side first")
    with inside("draws"):
        if entry.draws and not re.fullmatch(r"[\w.]+:\w+", entry.draws):
            raise InputError(f"draws is {entry.draws!r}; module:function was expected, such as pictures:first_failure")
    return entry
