"""Commands about subjects: which words of a command line name them, and their parameters as options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import click

from verifier.claims.papers import claims_called, find_paper, no_claim, papers
from verifier.interface.subjects import ClaimSubject, Option, PaperSubject, Subject, subjects
from verifier.running.errors import InputError
from verifier.show.screen import notice

SUBJECTS = "the subjects named"
REFUSED = "what is wrong with files that cannot be read"
OWN_OPTIONS = "options of what is named"
Named = TypeVar("Named", bound=Subject)


class SubjectCommand(click.Command):
    """A command about subjects, wherever among its words they stand; their parameters are options of their own name."""

    def __init__(
        self,
        *arguments: Any,
        most: int | None = None,
        strings: bool = False,
        documents: bool = False,
        files: bool = False,
        without: Mapping[type[Subject], str] | None = None,
        **named: Any,
    ) -> None:
        """Takes what a click command takes, and

        Args:
            most: how many of the words, from the first on, name subjects; None for all.
            strings: whether the strings of one input are options as well.
            documents: whether the command runs where no file can be read, to write that into a document.
            files: whether every word that names no network names a table file.
            without: the kinds of which the command's question has no meaning, each with the reason and what to ask instead; in it, NAME
                stands for the subject.
        """
        super().__init__(*arguments, **named)
        for parameter in self.params:
            if isinstance(parameter, click.Argument):
                parameter._custom_shell_complete = parameter._custom_shell_complete or complete
        self.most, self.strings, self.documents, self.files = most, strings, documents, files
        self.without = dict(without or {})

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
            raise InputError(refused[-1])
        for each in found:
            if (reason := self.without.get(type(each))) and not ctx.resilient_parsing:
                raise InputError(f"{self.name} {each.name}: {reason.replace('NAME', each.name)}")
            _tell_others(each)
        ctx.ignore_unknown_options = not found and bool(refused)
        ctx.meta[SUBJECTS], ctx.meta[REFUSED], ctx.meta[OWN_OPTIONS] = found, refused, self._options(found, args)
        return super().parse_args(ctx, args)

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
                    made.setdefault(option.name, click.Option([f"--{option.name}"], metavar=option.metavar, help=option.meaning))
                elif not isinstance(each, ClaimSubject):
                    raise InputError(f"{each.name}: parameters.{option.name}: the name is taken by an option of this command")
        return list(made.values())


def names_beginning(incomplete: str) -> list[str]:
    """The names of subjects that begin so, for shells: papers, statements, steps behind a colon, the gallery, and TOML files."""
    owner, colon, _ = incomplete.rpartition(":")
    if colon:
        return [f"{owner}:{step.name.partition(':')[2]}" for claim in claims_called(owner) for step in claim.steps]
    names = [name for paper in papers() for name in (paper.id, *paper.order, *(f"{paper.id}/{each}" for each in paper.order))]
    if incomplete.startswith("gallery"):
        from verifier.transformers.files import gallery

        names += [f"gallery/{name}" for name, _ in gallery()]
    folder = Path(incomplete).parent if not incomplete.endswith("/") else Path(incomplete)
    files = [path for path in sorted(folder.glob("*")) if path.suffix == ".toml" or path.is_dir()] if folder.is_dir() else []
    return [*dict.fromkeys(names), *(f"{path}{'/' if path.is_dir() else ''}" for path in files)]


def complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Subjects, where a shell completes a word."""
    del context, parameter
    return [name for name in names_beginning(incomplete) if name.startswith(incomplete)]


def named_in(context: click.Context, kind: type[Named]) -> list[Named]:
    """The subjects of a kind that the command line names."""
    return [each for each in context.meta[SUBJECTS] if isinstance(each, kind)]


def one_subject(context: click.Context) -> Subject:
    """The one subject of a command that takes one."""
    subject: Subject = context.meta[SUBJECTS][0]
    return subject


def texts(given: Mapping[str, str | None]) -> dict[str, str]:
    """The parameters that are given, by name."""
    return {name: text for name, text in given.items() if text is not None}


def complain(messages: Iterable[str]) -> None:
    """A line each, on standard error, as for an error that ends the program."""
    for message in dict.fromkeys(messages):
        notice(f"verify: {message}")


def _tell_others(subject: Subject) -> None:
    """A line on standard error where other papers have a claim of this name."""
    others = claims_called(subject.name)[1:] if isinstance(subject, ClaimSubject) else ()
    if others and isinstance(subject, ClaimSubject):
        meant = [c.id for c in claims_called(subject.name) if c.id != subject.claim.id]
        notice(f"verify: {subject.name!r} is read as {subject.claim.id}; it is also the name of {' and '.join(meant)}")
