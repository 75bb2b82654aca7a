"""Pages in Markdown: their templates, text from files, which may be words and code and nothing else there, and results as a table."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from verifier.claims.verdicts import Result, Verdict
from verifier.running.printable import assignment, one_line, visible
from verifier.show.notation.plain import plain

if TYPE_CHECKING:
    from jinja2 import Template

_ENDS = re.compile("\\s*[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]\\s*")
_TAG, _LINK = re.compile(r"<(?=[A-Za-z/!?])"), re.compile(r"\](?=[(:\[])")
_BLOCK = re.compile(r"(\s*(?:\d+(?=[.)]))?)([#>+*=~|-]|(?<=\d)[.)](?= ))")
"""The characters that begin a heading, a list, a quotation or a rule at the start of a line."""


class Written(str):
    """Text that is Markdown already, written here."""

    __slots__ = ()


def inline(text: str) -> Written:
    """Text as one line of words. Code between backticks stays, and nothing becomes a link, a tag or a heading.

    A character that Markdown would read as structure is written as an entity, which is read as the character.
    """
    if isinstance(text, Written):
        return text
    made = _words(text)
    begins = _BLOCK.match(made)
    return Written(f"{begins[1]}&#{ord(begins[2])};{made[begins.end() :]}" if begins else made)


def _words(text: str) -> str:
    """Text as one line of words, which may still begin a heading, a list, a quotation or a rule."""
    line = visible(_ENDS.sub(" ", text))
    if "``" in line or line.count("`") % 2:
        line = line.replace("`", "&#96;")
    parts = line.split("`")
    parts[::2] = [_LINK.sub("&#93;", _TAG.sub("&lt;", part)) for part in parts[::2]]
    return "`".join(parts)


def code(text: str) -> Written:
    """Text as code, such as a command to copy. The text may contain backticks."""
    line = one_line(text)
    fence = "`" * (1 + max(map(len, re.findall("`+", line)), default=0))
    space = " " if len(fence) > 1 else ""
    return Written(f"{fence}{space}{line}{space}{fence}")


def cell(text: str) -> Written:
    """Text that is safe inside a Markdown table, where nothing but a bar is structure."""
    return Written((text if isinstance(text, Written) else _words(text)).replace("\\|", "\\&#124;").replace("|", "\\|"))


@lru_cache(maxsize=4)
def template(name: str) -> Template:
    """A template of this folder, with the filters that pages use."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(lambda each: (files("verifier.show") / each).read_text(encoding="utf-8")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
        finalize=lambda value: inline(value) if isinstance(value, str) else value,
    )
    environment.filters |= {"cell": cell, "code": code, "written": Written, "sentence": plain}
    return environment.get_template(name)


def as_markdown(results: Iterable[Result]) -> str:
    """Write a row for each result, and below the table the reasons why one is not verified, and counterexamples with their replay."""
    return template("results.md.jinja").render(results=list(results), verified=Verdict.VERIFIED, at=assignment)
