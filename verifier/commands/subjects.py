"""Commands about subjects: which words of a command line name them, and their parameters as options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeVar

import click

from verifier.claims.papers import claims_called, find_paper, no_claim
from verifier.interface.subjects import ClaimSubject, Option, Subject, TableSubject, subjects
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
        self.most, self.strings, self.documents, self.files = most, strings, documents, files
        self.without = dict(without or {})

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return [*super().get_params(ctx), *ctx.meta.get(OWN_OPTIONS, [])]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        words = self.words_of(args, super().get_params(ctx))[: self.most]
        for kind, number in pairwise(words):
            if not self.files and find_paper(kind) is None and not claims_called(kind) and (meant := claims_called(f"{kind} {number}")):
                raise no_claim(kind, meant[0].name)
        found, refused = subjects(words, self.files)
        if refused and not (found or self.documents):
            complain(refused[:-1])
            raise InputError(refused[-1])
        for each in found:
            if reason := self.without.get(type(each)):
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
        if not any(word.startswith("-") for word in args) and not self.strings:
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


def construction_of(subject: Subject, verb: str) -> TableSubject:
    """The file of a table, or of the construction that a claim is about.

    Raises:
        InputError: the claim has none.
    """
    table = subject.table() if isinstance(subject, ClaimSubject) else subject
    if not isinstance(table, TableSubject):
        raise InputError(f"{verb}: {subject.name} has no construction; a file, or a claim that has one, was expected")
    return table


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
