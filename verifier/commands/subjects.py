"""The subjects of the verbs: papers, claims, table files, network files and networks of the gallery; and commands about them, which take a
subject's parameters as options.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import click

from verifier.claims.model import Claim
from verifier.claims.papers import FILE as PAPER_FILE
from verifier.claims.papers import Paper, claims_called, find_claim, find_paper, no_claim, papers
from verifier.claims.parameters import Parameter, read_integer
from verifier.claims.verdicts import Edition
from verifier.commands.options import completing
from verifier.errata.tables import Source, read_construction
from verifier.interface.arguments import of_arguments, one_of, shown
from verifier.networks.errata import errata_beside
from verifier.running.errors import FileDefect, FileDefects, InputError, defects_of
from verifier.running.identifiers import meant
from verifier.running.printable import joined
from verifier.running.shelf import SHELF
from verifier.show.screen import notice

if TYPE_CHECKING:
    from verifier.interface.constructions import Construction
    from verifier.transformers.records import NetworkFile

LONGEST = 4096
"""The largest length of a network that a range may name."""


@dataclass(frozen=True)
class Option:
    """An option that a subject adds: a parameter, or a string of one input. An option has a name, a metavar, a meaning, and names of
    values.
    """

    name: str
    metavar: str
    meaning: str
    names: Sequence[str] = ()

    def offered(self, incomplete: str) -> Sequence[str]:
        return self.names


@dataclass(frozen=True)
class Subject:
    """The subject of a verb. name: the word that was given."""

    name: str
    kind: ClassVar[str]

    def parameters(self, steps: bool = False) -> list[Option]:
        """The parameters of the subject. steps: whether those of its steps are added."""
        raise NotImplementedError

    def refuse_unknown(self, given: Iterable[str], known: Sequence[Option] | None = None, others: Sequence[str] = ()) -> None:
        """Raise InputError if a name is not a parameter, or not one of ``known``; others: what the author may have meant besides."""
        known = self.parameters() if known is None else known
        for name in given:
            if name not in (option.name for option in known):
                has = ", ".join(f"{option.name} ({option.meaning.partition(';')[0].rstrip('.')})" for option in known)
                hint = meant(name, [*(option.name for option in known), *others], f"it has {has or 'none'}")
                raise InputError(f"{self.name} has no parameter {name}; {hint}")

    def strings(self) -> list[Option]:
        """The strings of one input, if the subject can be run on one."""
        return []


@dataclass(frozen=True)
class PaperSubject(Subject):
    """All statements of a paper."""

    paper: Paper
    kind: ClassVar[str] = "paper"

    def parameters(self, steps: bool = False) -> list[Option]:
        return _of_claims(self.paper.statements(), steps)

    def with_parameters(self, ranges: Mapping[str, str]) -> list[ClaimSubject]:
        """The statements that have all of these parameters.

        Raises:
            InputError: none has.
        """
        found = [c for c in self.paper.statements() if ranges.keys() <= {p.name for p in c.parameters}]
        if not found:
            asked = " and ".join(f"--{name}" for name in ranges)
            raise InputError(f"no statement of {self.paper.id} has {asked}; `verify show` names the parameters of each")
        return [ClaimSubject(claim.id, claim) for claim in found]


@dataclass(frozen=True)
class ClaimSubject(Subject):
    """A statement or a step."""

    claim: Claim
    kind: ClassVar[str] = "claim"

    def parameters(self, steps: bool = False) -> list[Option]:
        return _of_claims([self.claim], steps)

    def strings(self) -> list[Option]:
        return _strings(("y", "z") if self.claim.table is None else self.claim.table.source.file.string_names)

    def table(self) -> TableSubject | None:
        """The file of its construction, or None if it has none."""
        table = self.claim.table
        return None if table is None else TableSubject(str(Path(table.folder) / table.file_name), table.source)


@dataclass(frozen=True)
class TableSubject(Subject):
    """A construction file; ``name`` is its path. errata: the file of errata beside it."""

    source: Source
    errata: Path | None = None
    kind: ClassVar[str] = "table file"

    def parameters(self, steps: bool = False) -> list[Option]:
        found = []
        for name, spec in self.source.file.parameters.items():
            default = f"; default {spec.default}" if spec.default is not None else ""
            found.append(Option(name, "A, A..B", f"{spec.meaning or spec.where}; {spec.where}{default}"))
        return found

    def strings(self) -> list[Option]:
        return _strings(self.source.file.string_names)

    def lengths(self) -> dict[str, str]:
        """The parameter that gives the length of a string, for each string that has one."""
        problem, parameters = self.source.file.problem, self.source.file.parameters
        lengths = problem.strings or dict.fromkeys(("y", "z"), problem.length or 0)
        return {name: str(length) for name, length in lengths.items() if str(length) in parameters}


@dataclass(frozen=True)
class NetworkSubject(Subject):
    """A network file, one of the gallery, or a file of errata, which stands for the repaired network;  ``name`` says
    which.

    errata: the names of the errata that were found beside a file.
    """

    file: NetworkFile
    errata: tuple[str, ...] = ()
    kind: ClassVar[str] = "network"

    def parameters(self, steps: bool = False) -> list[Option]:
        return [Option(key, "A, A..B", f"{entry.meaning or key}; {entry.where}") for key, entry in self.file.parameters.items()]

    def strings(self) -> list[Option]:
        return _strings(self.file.input.strings)

    @property
    def edition(self) -> Edition:
        """``repaired`` for a file of errata, else ``printed``."""
        from verifier.transformers.files import is_errata

        return Edition.REPAIRED if is_errata(Path(self.name)) else Edition.PRINTED

    def integers(self, given: Mapping[str, str]) -> dict[str, int]:
        """The values of its parameters among those given.

        Raises:
            InputError: one is no integer.
        """
        return {name: read_integer(name, text) for name, text in given.items() if name in self.file.parameters}

    def lengths(self, text: str | None) -> range:
        """The lengths of the request; by default those that the file calls typical.

        Raises:
            InputError: no range of lengths.
        """
        return length_range(text or self.file.parameters[self.file.length].typical or "1..8", f"--{self.file.length}")


def length_range(text: str, option: str) -> range:
    """``1..16``, or one length.

    Raises:
        InputError: something else, or no length.
    """
    first, dots, last = text.partition("..")
    last = last if dots else first
    if not (first.isdecimal() and last.isdecimal() and text.isascii()) or len(text) > 12:
        raise InputError(f"{option} {text}: a range such as 1..16 was expected")
    if not int(first) <= int(last) <= LONGEST:
        raise InputError(f"{option} {text}: a range from a smaller to a larger length, at most {LONGEST}, was expected")
    return range(int(first), int(last) + 1)


def subject(word: str, files: bool = False) -> Subject:
    """The subject that a word names. ``files``: whether a word that is not the name of a network names a table file.

    Raises:
        InputError: nothing is called so, or a file cannot be read.
    """
    if word.startswith("gallery/") or word.endswith(".toml"):
        from verifier.transformers.files import find_network, is_network

        if is_network(word):
            return NetworkSubject(word, find_network(word))
    if files or word.endswith(".toml"):
        return TableSubject(word, read_construction(Path(word)), errata_beside(Path(word)))
    paper = find_paper(word)
    if paper is not None:
        return PaperSubject(word, paper)
    if Path(word).is_file() and not claims_called(word):
        return TableSubject(word, read_construction(Path(word)), errata_beside(Path(word)))
    if not claims_called(word):
        folder = next((each for each in (Path(word), Path(word).parent) if (each / PAPER_FILE).is_file()), None)
        if folder is not None and folder.resolve() not in (each.resolve() for each in SHELF.folders):
            raise InputError(f"{folder} holds a paper: verify --papers {folder} {word}")
        if Path(word).is_dir():
            given = f"{word} is a folder" if word else "the word is empty"
            raise InputError(f"{given}; a claim, a paper or a file was expected")
        if assigned := re.fullmatch(r"([a-z]\w*)=(\S+)", word):
            raise InputError(f"{word}: write --{assigned[1]} {assigned[2]}")
        raise no_claim(
            word,
            f"{word}.toml" if Path(f"{word}.toml").is_file() else None,
            others=[*names_beginning("gallery"), *names_beginning(f"{Path(word).parent}/".removeprefix("./"))],
        )
    return ClaimSubject(word, find_claim(word))


def subjects(words: Iterable[str], files: bool = False) -> tuple[list[Subject], list[FileDefect]]:
    """The subjects of words, each once, and the mistakes of files that cannot be read.

    Raises:
        InputError: a word that names no file and nothing else.
    """
    found: list[Subject] = []
    refused: list[FileDefect] = []
    for word in dict.fromkeys(words):
        try:
            found.append(subject(word, files))
        except InputError as error:
            if not files and not word.endswith(".toml"):
                raise
            refused += defects_of(error, word)
    return found, refused


def given_subject(given: Any) -> Subject:
    """The subject that Python code gives, which is a word, a path (to a file with any ending), or an object with a ``source`` and a
    ``claim``.

    Raises:
        TypeError: nothing of these.
        InputError: no subject has this name, or a file cannot be read.
    """
    if isinstance(given, (str, PathLike)):
        return subject(fspath(given), files=not isinstance(given, str))
    if (source := getattr(given, "source", None)) is not None:
        claim = getattr(given, "claim", None)
        return ClaimSubject(claim.id, claim) if claim is not None else TableSubject(given.name, source, given.errata)
    raise TypeError(f"the subject is {shown(given)}; a claim, a paper, a path or a Construction was expected")


@of_arguments
def load(source: str | PathLike[str], edition: str = "printed") -> Construction:
    """Load a construction, from your own file or by the claim about it.

    Args:
        source: a file, or a claim such as ``lemma-2.6:table-6``.
        edition: of a claim's: ``printed``, or ``repaired``, with its errata.

    Raises:
        TypeError: ``source`` is neither.
        InputError: the mistakes of the file, or the claims that exist.

    >>> load("lemma-2.6:table-6").title
    'Table 6: embedding for EQ_m with p = ceil(m/2) bits, input representation T1'
    """
    from verifier.interface.constructions import Construction
    from verifier.networks.instantiate import mistakes

    one_of("edition", edition, (Edition.PRINTED.value, Edition.REPAIRED.value))
    found = given_subject(source)
    if isinstance(found, TableSubject):
        if edition != Edition.PRINTED.value:
            raise InputError(f"{found.name}: a file has no edition {edition}; the table of a claim has")
        made = Construction(found.name, edition, found.source.file, found.source, errata=found.errata)
        if defects := mistakes(made.file):
            raise FileDefects(defects, found.name).located(found.name, made.source.lines.of if made.source.lines else lambda path: None)
        return made
    if isinstance(found, NetworkSubject):
        raise InputError(f"{found.name} is a network, which `trace`, `precision` and `judge` take; a construction was expected")
    if not isinstance(found, ClaimSubject) or (table := found.claim.table) is None:
        name = found.claim.id if isinstance(found, ClaimSubject) else found.name
        raise InputError(f"{name} has no construction; `claims(steps=True)` names those of claims, and a file's name ends with .toml")
    file = table.source.repaired() if edition == "repaired" and table.errata else table.source.file
    return Construction(found.claim.id, edition, file, table.source, found.claim)


def _of_claims(claims: Iterable[Claim], steps: bool) -> list[Option]:
    listed = list(claims)
    listed += [step for claim in listed for step in claim.steps] if steps else []
    found: dict[str, Parameter] = {}
    for claim in listed:
        for parameter in claim.parameters:
            found.setdefault(parameter.name, parameter)
    return [Option(p.name, "A, A..B, NAME" if p.names else "A, A..B", f"{p.described}.", p.names) for p in found.values()]


def _strings(names: Iterable[str]) -> list[Option]:
    return [Option(name, "SYMBOLS", "A string of the one input that is traced.") for name in names]


def one_string_gives(lengths: Mapping[str, str], given: Mapping[str, str], strings: Mapping[str, int]) -> dict[str, str]:
    """The parameters, completed with the lengths of given strings. lengths: the parameter that is a string's length, as ``{"x": "m"}``.

    >>> one_string_gives({"x": "m"}, {}, {"x": 3})
    {'m': '3'}
    """
    found = dict(given)
    for name, length in strings.items():
        if name in lengths:
            found.setdefault(lengths[name], str(length))
    return found


def names_of(listed: Sequence[Subject]) -> str:
    """``a, b and c``, as they were named."""
    return joined([each.name for each in listed])


SUBJECTS = "the subjects named"
REFUSED = "what is wrong with files that cannot be read"
OWN_OPTIONS = "options of what is named"


class SubjectCommand(click.Command):
    """A command about subjects, which may stand anywhere among its words; their parameters become options.

    In place of an argument ``word`` or ``words`` the command receives its ``subject`` or ``subjects``.
    """

    def __init__(
        self,
        *arguments: Any,
        most: int | None = None,
        strings: bool = False,
        documents: bool = False,
        files: bool = False,
        without: Mapping[type[Subject], str] | None = None,
        constructions: bool = False,
        **named: Any,
    ) -> None:
        """Takes what a click command takes, and

        Args:
            most: the number of words, counted from the first, that name subjects; None for all.
            strings: whether the strings of one input are options as well.
            documents: whether the command runs even if no file can be read, to report that in a document.
            files: whether every word that is not the name of a network names a table file.
            without: the kinds to which the command does not apply, each with the reason and the command to use instead; NAME in it stands
            for the subject.
            constructions: whether the command is about constructions, so that a shell offers only a paper's tables.
        """
        super().__init__(*arguments, **named)
        for parameter in self.params:
            if isinstance(parameter, click.Argument):
                parameter._custom_shell_complete = parameter._custom_shell_complete or self._names
        self.most, self.strings, self.documents, self.files = most, strings, documents, files
        self.without, self.constructions = dict(without or {}), constructions

    def _names(self, context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
        """Subjects, for the completion of a word in a shell."""
        del context, parameter
        return names_beginning(incomplete, self.without, self.constructions)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return [*super().get_params(ctx), *ctx.meta.get(OWN_OPTIONS, [])]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        words = self.words_of(args, super().get_params(ctx))[: self.most]
        for kind, number in pairwise(words if not ctx.resilient_parsing else ()):
            if not self.files and find_paper(kind) is None and not claims_called(kind) and (meant := claims_called(f"{kind} {number}")):
                raise no_claim(kind, meant[0].name)
        try:
            found, refused = subjects(words, self.files)
        except InputError:
            if not ctx.resilient_parsing:
                raise
            found, refused = [], []  # a word is being completed
        if refused and not ctx.resilient_parsing and not (found or self.documents):
            complain(refused[:-1])
            raise InputError(refused[-1].line_told)
        for each in found:
            if (reason := self.without.get(type(each))) and not ctx.resilient_parsing:
                raise InputError(f"{self.name} {each.name}: {reason.replace('NAME', each.name)}")
            _tell_others(each)
        ctx.ignore_unknown_options = not found and bool(refused)
        ctx.meta[SUBJECTS], ctx.meta[REFUSED], ctx.meta[OWN_OPTIONS] = found, refused, self._options(found, args)
        try:
            rest = super().parse_args(ctx, args)
            for option in ctx.meta[OWN_OPTIONS]:
                if ctx.params[option.name] is None:  # a parameter that is not given
                    del ctx.params[option.name]
            if "words" in ctx.params:
                ctx.params["subjects"] = found
                del ctx.params["words"]
            elif "word" in ctx.params and found:
                (ctx.params["subject"],) = found
                del ctx.params["word"]
            return rest
        except click.NoSuchOption as error:
            for each in found:
                if error.option_name.removeprefix("--") in (option.name for option in each.strings()):
                    run = f"`verify trace {each.name} {error.option_name} …` runs it"
                    raise InputError(f"{error.option_name} is a string of one input; {run}; here every input is judged") from None
            own = {name for option in ctx.meta[OWN_OPTIONS] for name in option.opts}
            name = error.option_name.removeprefix("--")
            if len(name) == 1 or (error.possibilities and own.issuperset(error.possibilities)):  # no slip in an option of the command
                for each in () if any(isinstance(each, PaperSubject) for each in found) else found:
                    each.refuse_unknown([name], [*each.parameters("--steps" in args), *(each.strings() if self.strings else ())])
            raise

    def words_of(self, args: Sequence[str], options: Iterable[click.Parameter]) -> list[str]:
        """The words that are neither options nor their values; a word that begins with a dash is a subject only behind ``--``."""
        alone = {name for o in options if isinstance(o, click.Option) and (o.is_flag or o.count) for name in o.opts} | {"--help", "-h"}
        found: list[str] = []
        rest = iter(args)
        for word in rest:
            if word == "--":
                found += rest
            elif not word.startswith("-") or word == "-":
                found.append(word)
            elif "=" not in word and word not in alone:
                next(rest, None)
        return list(dict.fromkeys(found))

    def _options(self, found: Sequence[Subject], args: Sequence[str]) -> list[click.Option]:
        """An option for each parameter and string.

        Raises:
            InputError: one of a file has the name of an option of the command.
        """
        if not any(word.startswith("-") for word in args) and not self.strings and all(isinstance(each, PaperSubject) for each in found):
            return []  # a paper's parameters are in all its files
        taken = {name for p in self.params for name in (p.name, *(o.removeprefix("--") for o in p.opts))}
        made: dict[str, click.Option] = {}
        for each in found:
            own: list[Option] = [*each.parameters("--steps" in args), *(each.strings() if self.strings else ())]
            for option in own:
                if option.name not in taken:
                    offered, words = completing(option.offered), [option.name, f"--{option.name}"]  # click would write K as k
                    made.setdefault(option.name, click.Option(words, metavar=option.metavar, help=option.meaning, shell_complete=offered))
                elif not isinstance(each, ClaimSubject):
                    raise InputError(f"{each.name}: parameters.{option.name}: the name is taken by an option of this command")
        return list(made.values())


def names_beginning(incomplete: str, without: Container[type[Subject]] = (), constructions: bool = False) -> list[str]:
    """The names of subjects that begin with this text, for shells: papers, statements, steps after a colon, the gallery, and TOML files.

    without: the kinds to omit; constructions: whether a paper offers its tables only.
    """
    owner, colon, _ = incomplete.rpartition(":")
    if colon:
        steps = [f"{owner}:{step.name.partition(':')[2]}" for claim in claims_called(owner) for step in claim.steps]
        return [name for name in steps if name.startswith(incomplete)]
    names = [paper.id for paper in papers() if PaperSubject not in without]
    for paper in papers() if ClaimSubject not in without else ():
        claims = paper.raw.get("tables", {}) if constructions else paper.order
        names += [*claims, *(f"{paper.id}/{each}" for each in claims)]
    if NetworkSubject not in without and (incomplete.startswith("gallery") or "gallery".startswith(incomplete)):
        from verifier.transformers.files import gallery

        names += [f"gallery/{name}" for name, _ in gallery()]
    if TableSubject not in without or NetworkSubject not in without:
        folder = Path(incomplete).parent if not incomplete.endswith("/") else Path(incomplete)
        files = [path for path in sorted(folder.glob("*")) if path.suffix == ".toml" or path.is_dir()] if folder.is_dir() else []
        names += [f"{path}{'/' if path.is_dir() else ''}" for path in files]
    return [name for name in dict.fromkeys(names) if name.startswith(incomplete)]


complete_files = completing(lambda word: names_beginning(word, (PaperSubject, ClaimSubject)))


def complain(defects: Iterable[FileDefect]) -> None:
    """Print a line for each error on standard error, as for an error that ends the program."""
    for message in dict.fromkeys(defect.line_told for defect in defects):
        notice(f"verify: {message}")


def _tell_others(subject: Subject) -> None:
    """Print a line on standard error if other papers have a claim of this name."""
    claim = subject.claim if isinstance(subject, ClaimSubject) else None
    if claim is not None and (others := [c.id for c in claims_called(subject.name) if c.id != claim.id]):
        notice(f"verify: {subject.name!r} is read as {claim.id}; it is also the name of {' and '.join(others)}")
